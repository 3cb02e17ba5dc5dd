#include "model/path/stage_formula.hpp"

#include <algorithm>
#include <cmath>

namespace narrows {
namespace {

// Adds a summand where it is not zero.
template <class Value>
void add_summand(Formula& formula, const char* text, const char* symbol, const char* meaning, Value value) {
    if (value == Value()) return;
    formula.text += (formula.text.empty() ? "" : " + ") + std::string(text);
    formula.symbols.emplace_back(symbol, meaning, value);
}

}  // namespace

Formula stage_formula(const Stage& stage, Data payload) {
    Formula formula{stage.server, "", "", whole_time(stage, payload).si(), Dimension::time, {}};
    const Data moved = std::max(Data(), stage.carries.value_or(payload) - stage.spared);
    const double pieces = stage.piece.si() > 0 ? std::max(1.0, std::ceil(moved / stage.piece)) : 1;
    if (pieces > 1) {
        add_summand(formula, "p * o", "o", "overhead of a piece", stage.overhead);
        if (stage.overhead != Time()) formula.symbols.emplace_back("p", "pieces of the message", pieces);
    } else {
        add_summand(formula, "o", "o", "overhead", stage.overhead);
    }
    if (stage.bandwidth.si() > 0) {
        const Data last = moved - stage.piece * (pieces - 1);
        const Data wire = wire_bytes(stage.framing, stage.piece) * (pieces - 1) + wire_bytes(stage.framing, last);
        add_summand(formula, "w / B", "w", "bytes that pass, with their framing", wire);
        if (wire != Data()) formula.symbols.emplace_back("B", "bandwidth", stage.bandwidth);
    }
    if (stage.at_least != Time()) {
        formula.text = formula.text.empty() ? "a" : "max(a, " + formula.text + ")";
        formula.symbols.emplace_back("a", "least time of a message: one over the message rate", stage.at_least);
    }
    if (stage.flows > 1 && !formula.text.empty()) {
        formula.text = "f * (" + formula.text + ")";
        formula.symbols.emplace_back("f", "messages that share the server", stage.flows);
    }
    add_summand(formula, "l", "l", "latency", stage.latency);
    add_summand(formula, "l_link", "l_link", "latency of the links on the way", stage.link_latency);
    if (stage.times > 1 && !formula.text.empty()) {
        formula.text = "n * (" + formula.text + ")";
        formula.symbols.emplace_back("n", "passes in a row", static_cast<double>(stage.times));
    }
    if (formula.text.empty()) formula.text = "0";
    return formula;
}

}  // namespace narrows
