#!/bin/sh
# Every code of GUPS, and Sweep3D, under Open MPI and MPICH on test-beds: whether all updates are right, and whether a
# sweep's balance is that of the same sweep in one process. A row a run; the exit status tells of any that is wrong.
#   tests/cluster/launched.sh [--quick]    --quick: 16 processes on a torus alone
set -eu
cd "$(dirname "$0")/../.."
testbed=${TESTBED:-build/release/cluster_testbed}
folder=/run/narrows-testbed/launched
rows=$(mktemp) said=$(mktemp) alone=$(mktemp)
down() { "$testbed" down --name launched 2>/dev/null || true; }
trap 'down; rm -f "$rows" "$said" "$said.err" "$alone"' EXIT
trap 'exit 1' INT TERM HUP

# launch LAUNCHER PROCESSES ARGUMENT...: narrows with these arguments in so many processes.
launch() {
    launcher=$1 processes=$2
    shift 2
    subnet=10.77.0.0/16
    case "$launcher" in
        open-mpi) set -- mpirun --allow-run-as-root --oversubscribe --hostfile "$folder/open-mpi-hosts" \
            --mca plm_rsh_agent "$folder/agent" --mca btl tcp,self --mca btl_tcp_if_include "$subnet" \
            --mca oob_tcp_if_include "$subnet" -n "$processes" "$PWD/build/release/narrows" "$@" ;;
        mpich) set -- mpiexec.mpich -f "$folder/mpich-hosts" -launcher rsh -launcher-exec "$folder/agent" \
            -n "$processes" "$PWD/build/release/narrows_mpich" "$@" ;;
    esac
    timeout 180 "$testbed" exec --name launched h0 -- "$@"
}

# What must be the same on any split: each iteration's error and fixups, and the balance.
physics() { awk '/^ +[0-9]+ / || /^(source|absorption|leakage_[ijk]_(low|high)) /'; }

# Whether what was said has the physics of one process, each number to 1e-11.
same_physics() {
    physics <"$said" | paste -d ' ' "$alone" - | awk '
        function size(x) { return x < 0 ? -x : x }
        { if (NF % 2 != 0) exit wrong = 1
          for (i = 1; i <= NF / 2; ++i) {
              one = $i; other = $(i + NF / 2)
              if (one != other && !(size(one - other) <= 1e-11 * size(one))) exit wrong = 1
          } }
        END { exit wrong }'
}

# row NETWORK LAUNCHER PROCESSES RANKS-PER-PROCESS CODE: one run, judged.
row() {
    network=$1 launcher=$2 processes=$3 each=$4 code=$5
    begin=$(date +%s)
    verdict=right
    if [ "$code" = sweep3d ]; then
        set -- run sweep3d --cells 64x64x10 --iterations 2
        launch "$launcher" "$processes" "$@" --transport mpi --ranks-per-process "$each" >"$said" 2>"$said.err" || verdict=failed
        [ "$verdict" = failed ] || same_physics || verdict=different
    else
        launch "$launcher" "$processes" run gups --variant "$code" --table '16 MiB' --updates $((processes * each * 64 + 5000)) \
            --transport mpi --ranks-per-process "$each" --format json >"$said" 2>"$said.err" || verdict=failed
        [ "$verdict" = failed ] || grep -q '"errors": 0\b' "$said" || verdict=errors
    fi
    [ "$verdict" = right ] || tail -n 3 "$said.err" >&2
    printf '%-10s %-9s %9d %6d  %-9s %5d s  %s\n' "$network" "$launcher" "$processes" "$each" "$code" \
        $(($(date +%s) - begin)) "$verdict" | tee -a "$rows"
}

build/release/narrows run sweep3d --ranks 1 --cells 64x64x10 --iterations 2 | physics >"$alone"
[ -s "$alone" ] || { echo "launched.sh: a sweep in one process printed no balance" >&2; exit 1; }
echo "network    launcher  processes  ranks  code           took  result"
splits=${1:+16,4}
for network in 'torus 4x4' ${1:+end} 'star 16'; do
    [ "$network" != end ] || break
    down
    "$testbed" up "$network" --name launched --rate 10Mbit >/dev/null
    for launcher in open-mpi mpich; do
        for split in ${splits:-2,1 2,64 16,1 16,8 64,1 64,16}; do
            for code in naive bucketed routed shmem sweep3d; do
                row "$network" "$launcher" "${split%,*}" "${split#*,}" "$code"
            done
        done
        # As many ranks as a sweep's cells allow, and more than codes of one hop may hold updates for.
        [ -n "$splits" ] || for code in routed sweep3d; do row "$network" "$launcher" 64 64 "$code"; done
    done
done
awk '$NF != "right" { ++wrong } END { print NR " runs, " wrong + 0 " wrong"; exit wrong > 0 }' "$rows"
