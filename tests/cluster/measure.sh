#!/bin/sh
# Networks as test-beds on this machine: what each link carried and how long it took, beside what is predicted from the
# routes as they are installed. Needs root and ./bootstrap test before it.
#   tests/cluster/measure.sh [--quick] [--allow-skip]    --quick: 16 hosts, five minutes; --allow-skip: exit 0 without root
# TRAFFIC is the program that sends, on every host; it prints JSON with "seconds". {job}, {rank}, {bytes}, {updates} are
# filled in, PATTERN by the pattern. Programs that send uniform traffic alone need PATTERNS=uniform.
#   PATTERNS=uniform TRAFFIC='build/release/narrows run gups --updates {updates} --transport tcp {job} --format json' ...
set -eu
cd "$(dirname "$0")/../.."
testbed=${TESTBED:-build/release/cluster_testbed}
[ -x "$testbed" ] || { echo "measure.sh: build it first: cmake --build build/release --target cluster_testbed" >&2; exit 1; }
traffic=${TRAFFIC:-$testbed traffic --name measure --rank {rank\} --bytes {bytes\} --pattern PATTERN}
# Beside it RandomAccess over UDP, unless TRAFFIC is given.
udp='build/release/narrows run gups --variant naive --bucket 16 --table 1MiB --updates {updates}
     --transport udp {job} --format json'
[ -z "${TRAFFIC:-}" ] || udp=
patterns=${PATTERNS:-uniform halves nearest-neighbour bit-complement}
quick= allow_skip=
for word; do
    case "$word" in
        --quick) quick=yes ;;
        --allow-skip) allow_skip=--allow-skip ;;
        *) echo "measure.sh: unknown word '$word': there are --quick and --allow-skip" >&2; exit 2 ;;
    esac
done
length=${LENGTH:-${quick:+5 s}}
length=${length:-10 s}
attempts=${ATTEMPTS:-${quick:+2}}
attempts=${attempts:-3}

down() { "$testbed" down --name measure 2>/dev/null || true; }
trap down EXIT
trap 'exit 1' INT TERM HUP
rows=$(mktemp)

# measured LABEL ASKED PATTERN LENGTH COMMAND: until the cores were quiet beside it, at most so many times. ASKED is the
# most that the time may be above the bound, in per cent; "-": only told. Links are judged at 7 % of the fullest.
measured() {
    label=$1 most=$2 pattern=$3 long=$4 command=$5
    tries=$attempts
    while :; do
        # shellcheck disable=SC2086  # words of a command
        row=$("$testbed" measure --name measure --pattern "$pattern" --length "$long" -- $command) || {
            echo "FAILED: $spec, $pattern$label: the traffic ended with an error" | tee -a "$rows"
            return
        }
        tries=$((tries - 1))
        case "$row" in *quiet) break ;; esac
        [ "$tries" -gt 0 ] || break
    done
    echo "$row  asked $most" | sed "s/ uniform    / uniform${label:-    }/" | tee -a "$rows"
}

# network RATE ASKED SPEC [LENGTH]: each pattern over TCP, and RandomAccess over UDP.
network() {
    rate=$1 asked=$2 spec=$3 long=${4:-$length}
    # shellcheck disable=SC2086  # a flag or nothing
    "$testbed" up "$spec" --name measure --rate "$rate" $allow_skip >/dev/null
    [ -d /run/narrows-testbed/measure ] || exit 0 # it has said why it is skipped
    for one in $patterns; do
        most=$asked
        [ "$one" = uniform ] || [ "$asked" = - ] || most=10
        measured "" "$most" "$one" "$long" "$(echo "$traffic" | sed "s|PATTERN|$one|g")"
    done
    # Runs of 5 s are too short to judge 3 % by: the quick ones leave them out.
    [ -n "$quick" ] || [ -z "$udp" ] || measured " udp" 3 uniform "$long" "$udp"
    down
}

# A frame costs about 25 us of a core for each link that it crosses: the rates leave two cores some idle time.
echo "                                            rate    links    bound     time    over     wire  others   idle"
echo "network                    pattern        Mbit/s        %        s        s       %  B per B       %      %"
network 6Mbit 6 'torus 4x4'
network 6Mbit 6 'mesh 4x4'
network 6Mbit 6 'hypercube 4'
network 10Mbit - 'star 16'
network 6Mbit - 'leaf-spine leaves=4 hosts=4 spines=2'
network 6Mbit - 'fat-tree ports=4 levels=3'
if [ -z "$quick" ]; then
    network 10Mbit 6 'ring 8'
    network 10Mbit - 'dragonfly a=2 p=2 h=1'
    network 10Mbit - tests/cluster/dumbbell.edges
    # A thousand connections and more take seconds until all links are busy, and at the end.
    network 2Mbit 6 'torus 4x4x2' '20 s'
    network 1Mbit 6 'torus 8x8' '60 s'
fi

# RandomAccess over UDP by processors of given costs, beside the test-bed's machine file, with ever more updates a message:
# from bound by the processors to bound by the network. One thing is changed at a time: costs, a message, a link's rate.
# Over TCP it depends on where queues are how many messages share a frame.
gups_rows=$(mktemp)
gups() { # COSTS ARGUMENT...
    costs=$1
    shift
    tries=$attempts
    while :; do
        row=$("$testbed" gups --name measure --transport udp --length '10 s' --processor "$costs" "$@") || exit 1
        tries=$((tries - 1))
        case "$row" in *quiet) break ;; esac
        [ "$tries" -gt 0 ] || break
    done
    echo "$row" | tee -a "$gups_rows"
}
gups_network() { # KBIT_A_SECOND SPEC: at this rate and at twice as much
    slow='update=5us,send=500us,receive=500us' slower='update=5us,send=1ms,receive=500us'
    "$testbed" up "$2" --name measure --rate "$1kbit" >/dev/null
    gups "$slow" --variant bucketed
    for k in 8 64; do gups "$slow" --variant routed --bucket "$k"; done
    gups "$slower" --bucket 8
    for k in 8 1 16 32 64; do gups "$slow" --bucket "$k"; done
    down
    "$testbed" up "$2" --name measure --rate "$(($1 * 2))kbit" >/dev/null
    for k in 64 8; do gups "$slow" --bucket "$k"; done
    down
}
if [ -z "$quick" ]; then
    echo
    echo "                                      k    rate  processor   network  measured differs  busy %        a     predicted measured"
    echo "network                    code  asked  Mbit/s         updates a second          %  proc   link  message bound     bound"
    gups_network 1000 'torus 4x4'
    gups_network 1200 'mesh 4x4'
    gups_network 1000 'hypercube 4'
    gups_network 2000 'ring 8'
    gups_network 2000 'star 16'
    gups_network 2000 'leaf-spine leaves=4 hosts=4 spines=2'
    # From the right: verdict, bound measured and predicted, mean, link, processor, difference, measured, network, processor.
    # A change is one of a row's message, costs or rate against the row before it on the same network by the same code.
    awk 'function size(x) { return x < 0 ? -x : x }
         function worst_and_median(list, n, what,   i, j, t) {
             for (i = 2; i <= n; ++i) for (j = i; j > 1 && list[j] < list[j - 1]; --j) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
             if (n > 0) printf "%s: %d, median %.1f %%, worst %.1f %%\n", what, n, list[int((n + 1) / 2)], list[n]
         }
         $NF != "quiet" { ++refused; before = ""; next }
         { off = $(NF - 6); differences[++rows] = size(off)
           predicted = $(NF - 7) / (1 + off / 100); name = $1 $2 $(NF - 12)
           far = $(NF - 8) > 1.2 * $(NF - 9) || $(NF - 9) > 1.2 * $(NF - 8)
           if (far) { ++told; right += $(NF - 1) == $(NF - 2) }
           if (name == before) changes[++pairs] = size(100 * ($(NF - 7) / measured_before / (predicted / predicted_before) - 1))
           before = name; measured_before = $(NF - 7); predicted_before = predicted }
         END { worst_and_median(differences, rows, "GUPS, predicted against measured")
               worst_and_median(changes, pairs, "what-if, ratios of predictions against those of measurements")
               print "bottleneck named right in " right + 0 " of " told + 0 ", where bounds are 20 % apart; " refused + 0 " rows refused" }' \
        "$gups_rows"
fi
rm -f "$gups_rows"

# From the right: ASKED, "asked", verdict, idle, others, wire, over, time, bound, links.
awk '/^FAILED/ { missed = 1; next }
     { links = $(NF - 9); over = $(NF - 6); verdict = $(NF - 2); asked = $NF
       if (links > 7) { print "MISSED: a link by " links " %: " $0; missed = 1 }
       if (verdict != "quiet") { ++refused; next }
       if (asked != "-" && over > asked) { print "MISSED: " over " % above the bound: " $0; missed = 1 }
     }
     END { print NR " rows, " refused + 0 " of them no evidence of times, as the cores were busy or had nothing left"
           exit missed }' "$rows" && status=0 || status=$?
rm -f "$rows"
exit "$status"
