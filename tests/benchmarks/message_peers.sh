#!/bin/sh
# The protocols beside Open MPI and MPICH, and beside what bare cache lines allow, on two cores, in turn, round after round,
# so that ratios mean something. Prints medians in nanoseconds and the ratios to the better MPI.
#   tests/benchmarks/message_peers.sh [ROUNDS]    as root it installs both MPIs; needs ./bootstrap before
set -eu
rounds=${1:-5}
root=$(cd "$(dirname "$0")/../.." && pwd)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
if ! command -v mpicc.openmpi >/dev/null || ! command -v mpicc.mpich >/dev/null; then
    [ "$(id -u)" -eq 0 ] || { echo "message_peers.sh: apt-get install libopenmpi-dev openmpi-bin libmpich-dev mpich" >&2; exit 1; }
    apt-get install -y -qq libopenmpi-dev openmpi-bin libmpich-dev mpich >/dev/null
fi
narrows=$root/build/release/narrows
bare=$root/build/release/bare_lines
[ -x "$bare" ] || { echo "message_peers.sh: build narrows first: ./bootstrap" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mpicc.openmpi -O2 -w -o "$folder/openmpi" "$root/tests/benchmarks/mpi_messages.c"
mpicc.mpich -O2 -w -o "$folder/mpich" "$root/tests/benchmarks/mpi_messages.c"

# Lines of a CSV of narrows as "NAME KERNEL BYTES NANOSECONDS".
narrows_lines() {
    "$narrows" run "$2" --protocol "$1" --bytes "$3" --repeats 5 --format csv |
        awk -F, -v name="$1" -v kernel="$2" 'NR > 1 { print name, kernel, $1, $2 }'
}
# One contender's lines up to so many bytes.
contend() {
    case "$1" in
        openmpi) mpirun.openmpi -np 2 --bind-to core "$folder/openmpi" "$2" | sed 's/^/openmpi /' ;;
        mpich) mpirun.mpich -np 2 -bind-to core "$folder/mpich" "$2" | sed 's/^/mpich /' ;;
        *)
            narrows_lines "$1" ping-pong "8..$2"
            narrows_lines "$1" stream 8
            ;;
    esac
}
# The cores of a virtual machine may change places from second to second, which changes what a cache line costs by a factor
# of five: every contender runs right after the bare lines, and the medians are those of its times over theirs.
contenders="openmpi mpich active-message buffered receiver-initiated rendezvous"
round=1
while [ "$round" -le "$rounds" ]; do
    for contender in $contenders; do
        "$bare" >"$folder/bare"
        contend "$contender" 8 | awk -v line="$(awk '$1 == "line" { print $3 }' "$folder/bare")" \
            -v ring="$(awk '$1 == "ring" { print $3 }' "$folder/bare")" '
            { print $1, $2, $3, $4, $4 / ($2 == "stream" ? ring : line) }' >>"$folder/short"
    done
    round=$((round + 1))
done
long=1
while [ "$long" -le 3 ]; do
    for contender in $contenders; do contend "$contender" 4194304; done >>"$folder/long"
    long=$((long + 1))
done

# medians FILE COLUMN: "NAME KERNEL BYTES MEDIAN" of a column.
medians() {
    sort -k1,3 -k"$2,$2g" "$1" | awk -v column="$2" '
        { key = $1 " " $2 " " $3; if (key != last) { flush(); last = key; count = 0 } values[++count] = $column }
        function flush() { if (count) print last, values[int((count + 1) / 2)] }
        END { flush() }'
}
echo "8 bytes: times over those of the bare cache line (ping-pong) or the bare ring (stream), each slot of which is there at"
echo "once, just before; $rounds rounds"
medians "$folder/short" 5 | sort -k2,2 -k4,4g | awk '{ printf "%-20s %-10s %6.2f\n", $1, $2, $4 }'
echo "all sizes: half round trips in ns, and over the better MPI's; 3 rounds"
medians "$folder/long" 4 | grep ping-pong | awk '
    { time[$1 " " $3] = $4 }
    END {
        for (key in time) {
            split(key, part, " ")
            # Beside the powers of two narrows measures others too.
            if (part[1] == "openmpi" || part[1] == "mpich" || !(("mpich " part[2]) in time)) continue
            best = time["openmpi " part[2]]
            if (time["mpich " part[2]] < best) best = time["mpich " part[2]]
            printf "%-20s %9d %12.1f %12.1f %8.3f\n", part[1], part[2], time[key], best, time[key] / best
        }
    }' | sort -k1,1 -k2,2n
