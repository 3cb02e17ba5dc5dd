#!/bin/sh
# HPCC's own MPIRandomAccess under Open MPI on test-beds, and beside it `narrows run gups` by the same algorithm (buckets),
# with the same table and updates, under Open MPI, over TCP and along dimensions. Needs root, ./bootstrap test before it and
# Debian's hpcc. A row a network and rate: updates a second, and narrows' over HPCC's. Medians of REPEATS (3).
set -eu
cd "$(dirname "$0")/../.."
command -v hpcc >/dev/null || { echo "hpcc_beside.sh: there is no hpcc here: apt-get install hpcc" >&2; exit 1; }
testbed=$PWD/build/release/cluster_testbed
narrows=$PWD/build/release/narrows
folder=/run/narrows-testbed/hpcc
work=$(mktemp -d)
down() { "$testbed" down --name hpcc 2>/dev/null || true; }
trap 'down; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
# Half of HPL's matrix, a power of two: 2^19 words and four updates for each.
sed -e 's/^1000 .*/800  Ns/' -e 's/^80 .*/32  NBs/' -e 's/^2  *Ps/4  Ps/' -e 's/^2  *Qs/4  Qs/' \
    /usr/share/doc/hpcc/examples/_hpccinf.txt >"$work/hpccinf.txt"
words=524288 updates=2097152

on_hosts() {
    subnet=10.77.0.0/16
    timeout 300 "$testbed" exec --name hpcc h0 -- mpirun --allow-run-as-root --hostfile "$folder/open-mpi-hosts" \
        --mca plm_rsh_agent "$folder/agent" --mca btl tcp,self --mca btl_tcp_if_include "$subnet" \
        --mca oob_tcp_if_include "$subnet" --wdir "$work" -n 16 "$@" 2>"$work/err"
}
# Updates a second. HPCC goes on with its other parts, which take minutes here: it is ended when this one is done.
hpcc_rate() {
    rm -f "$work/hpccoutf.txt"
    on_hosts hpcc >/dev/null &
    job=$!
    until grep -q '^End of MPIRandomAccess section' "$work/hpccoutf.txt" 2>/dev/null; do
        kill -0 "$job" 2>/dev/null || { cat "$work/err" >&2; exit 1; }
        sleep 0.2
    done
    "$testbed" exec --name hpcc h0 -- pkill -TERM -P "$job" 2>/dev/null || kill "$job" 2>/dev/null || true
    wait "$job" 2>/dev/null || true
    awk -v words=$words '/^Total Main table size/ && $0 !~ words { exit wrong = 1 }
        /GUP\/s|Billion/ && !rate { for (i = 1; i <= NF; ++i) if ($i + 0 > 0) { rate = $i * 1e9; break } }
        # HPCC lets ranks update a word at the same time: it passes with errors in at most 1 % of the words.
        /^Found .*\(passed\)/ { right = 1 }
        END { if (wrong || !right || !rate) exit 1; print rate }' "$work/hpccoutf.txt"
}
gups="run gups --table 4MiB --updates $updates --format json"
rate_of() { awk -F'[:,]' '/"errors"/ && $2 != 0 { exit 1 } /"seconds"/ { s = $2 } END { print '$updates' / s }'; }
under_mpi() { on_hosts "$narrows" $gups --variant bucketed --transport mpi | rate_of; }
over_tcp() { "$testbed" ranks --name hpcc -- "$narrows" $gups --variant bucketed --transport tcp '{job}' | rate_of; }
routed() { on_hosts "$narrows" $gups --variant routed --transport mpi | rate_of; }
median() { for _ in $(seq "${REPEATS:-3}"); do "$1"; done | sort -g | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }

echo "network    Mbit/s       HPCC  bucketed, MPI  bucketed, TCP  routed, MPI   updates a second, and over HPCC's"
for network in 'torus 4x4' 'star 16'; do
    for rate in 2 5 10 20; do
        "$testbed" up "$network" --name hpcc --rate "${rate}Mbit" >/dev/null
        a=$(median hpcc_rate) b=$(median under_mpi) c=$(median over_tcp) d=$(median routed)
        [ -n "$a" ] && [ -n "$b" ] && [ -n "$c" ] && [ -n "$d" ] || { echo "hpcc_beside.sh: a run on $network failed" >&2; exit 1; }
        echo "$a $b $c $d" | awk -v n="$network" -v r="$rate" '{
            printf "%-10s %6d %10.0f %6.0f %5.2fx  %6.0f %5.2fx  %6.0f %5.2fx\n", n, r, $1, $2, $2/$1, $3, $3/$1, $4, $4/$1 }'
        down
    done
done
