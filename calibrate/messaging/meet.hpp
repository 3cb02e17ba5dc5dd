#pragma once

namespace narrows {

/// Where ranks of several processes come together: no rank continues before all have arrived.
template <class Messages, class Waiter>
void meet(Messages& messages, int me, int ranks, Waiter& waiter) {
    constexpr int tag = 1;
    char token = 0;
    if (me != 0) {
        messages.send(me, 0, tag, &token, sizeof token, waiter);
        messages.receive(me, 0, tag, &token, sizeof token, waiter);
        return;
    }
    for (int other = 1; other < ranks; ++other) messages.receive(0, other, tag, &token, sizeof token, waiter);
    for (int other = 1; other < ranks; ++other) messages.send(0, other, tag, &token, sizeof token, waiter);
}

}  // namespace narrows
