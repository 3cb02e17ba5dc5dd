#!/bin/sh
# RandomAccess beside its peers on this machine: Debian's hpcc (its baseline and, in the same run, its own local rates) and
# narrows' routed code on the same number of ranks and the same table, in one go, so that ratios mean something.
#   tests/benchmarks/peers.sh [RUNS]    needs: apt-get install hpcc openmpi-bin; build/release/narrows
set -eu
runs=${1:-3}
narrows=$(cd "$(dirname "$0")/../.." && pwd)/build/release/narrows
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
command -v hpcc >/dev/null || { echo "peers.sh: apt-get install hpcc openmpi-bin" >&2; exit 1; }
[ -x "$narrows" ] || { echo "peers.sh: build narrows first: ./bootstrap" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# HPCC's table is half of what its matrix would fill: N = 2048 words squared gives 2^22 words for two ranks.
cat >hpccinf.txt <<'INPUT'
HPLinpack benchmark input file
narrows
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
2048         Ns
1            # of NBs
80           NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
1            Ps
2            Qs
16.0         threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
##### This line (no. 32) is ignored (it serves as a separator). ######
0            Number of additional problem sizes for PTRANS
1200         values of N
0            number of additional blocking sizes for PTRANS
40           values of NB
INPUT
run=1
while [ "$run" -le "$runs" ]; do
    rm -f hpccoutf.txt
    mpirun --oversubscribe -np 2 hpcc >/dev/null 2>&1
    for key in MPIRandomAccess_N MPIRandomAccess_GUPs MPIRandomAccess_LCG_GUPs StarRandomAccess_GUPs; do
        printf 'hpcc     run %s  %-28s %s\n' "$run" "$key" "$(sed -n "s/^$key=//p" hpccoutf.txt)"
    done
    for variant in local routed; do
        shape=$([ "$variant" = routed ] && echo '--shape 2' || true)
        # shellcheck disable=SC2086  # an option and its value
        rate=$("$narrows" run gups --variant "$variant" --ranks 2 $shape --table '32 MiB' --format json |
            sed -n '/"result"/,/}/s/.*"value": \([^,]*\),*/\1/p')
        printf 'narrows  run %s  %-28s %s\n' "$run" "$variant, updates/s" "$rate"
    done
    run=$((run + 1))
done
