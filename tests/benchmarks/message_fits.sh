#!/bin/sh
# How well the fits of messages do at sizes that they did not see: a line for each kernel and protocol, with the median
# and the worst error and the share of sizes that the intervals hold, in percent. Two minutes; needs ./bootstrap before.
#   tests/benchmarks/message_fits.sh
set -eu
narrows=$(cd "$(dirname "$0")/../.." && pwd)/build/release/narrows
[ -x "$narrows" ] || { echo "message_fits.sh: build narrows first: ./bootstrap" >&2; exit 1; }
number() { sed -n "s/.*\"$1\": *\([0-9.e+-]*\).*/\1/p"; }
printf '%-10s %-20s %7s %7s %6s\n' kernel protocol median worst held
for kernel in ping-pong stream exchange; do
    for protocol in active-message eager buffered receiver-initiated rendezvous command-queue; do
        summary=$("$narrows" run "$kernel" --protocol "$protocol" --format json)
        median=$(echo "$summary" | number median_error)
        worst=$(echo "$summary" | number worst_error)
        held=$(echo "$summary" | number coverage)
        echo "$kernel $protocol $median $worst $held" |
            awk '{ printf "%-10s %-20s %7.1f %7.1f %6.0f\n", $1, $2, 100 * $3, 100 * $4, 100 * $5 }'
    done
done
