#!/bin/sh
# Sweep3D's wavefront by SimGrid's SMPI beside narrows' recurrence, on the same grid, blocks, messages and costs: 64, 256 and
# 1024 ranks, senders that need not wait (eager) and senders that wait for their receivers.
#   tests/benchmarks/simgrid_wavefront.sh [RANKS ...]    installs libsimgrid-dev where it is missing; needs build/release/narrows
# SMPI's own corrections of a network (factors of latency and bandwidth, TCP's window, sizes at which MPI changes its
# protocol) are switched off, and links are never shared, so that both sides mean the same by a latency and a bandwidth.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
narrows=$(cd "$here/../.." && pwd)/build/release/narrows
[ -x "$narrows" ] || { echo "simgrid_wavefront.sh: build narrows first: ./bootstrap" >&2; exit 1; }
command -v smpicc >/dev/null || apt-get install -y --no-install-recommends libsimgrid-dev >&2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
smpicc -O2 "$here/wavefront_mpi.c" -o "$folder/wavefront"

# 5 x 5 x 100 cells a rank, blocks of 10 planes and 6 angles, 40 ns a cell and angle: messages of 2400 bytes, 60 us a block.
# SMPI adds an envelope of 16 bytes to what MPI sends.
cells=5x5x100 blocks=10 bytes=2400 payload=2384 flops=60000
send=1e-6 receive=2e-6 latency=5e-6 bandwidth=1e9
worst=0
printf '%6s  %-11s %18s %18s %12s\n' ranks messages 'SMPI s' 'recurrence s' difference
for ranks in ${*:-64 256 1024}; do
  wide=$(awk "BEGIN { print int(sqrt($ranks)) }") high=$((ranks / wide))
  [ $((wide * high)) -eq "$ranks" ] || { echo "simgrid_wavefront.sh: $ranks is no square" >&2; exit 2; }
  # A link of its own from every rank to each neighbour.
  awk -v wide="$wide" -v ranks="$ranks" -v latency=$latency -v bandwidth=$bandwidth '
    function link(from, to) {
      links = links sprintf("<link id=\"l%d-%d\" bandwidth=\"%.0fBps\" latency=\"%.9fs\"/>\n", from, to, bandwidth, latency)
      routes = routes sprintf("<route src=\"n%d\" dst=\"n%d\" symmetrical=\"NO\"><link_ctn id=\"l%d-%d\"/></route>\n",
                              from, to, from, to)
    }
    BEGIN {
      print "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
      print "<platform version=\"4.1\"><zone id=\"all\" routing=\"Full\">"
      for (rank = 0; rank < ranks; ++rank) {
        printf "<host id=\"n%d\" speed=\"1Gf\"/>\n", rank
        if ((rank + 1) % wide) { link(rank, rank + 1); link(rank + 1, rank) }
        if (rank + wide < ranks) { link(rank, rank + wide); link(rank + wide, rank) }
      }
      print links routes "</zone></platform>"
    }' >"$folder/platform.xml"
  i=0
  while [ $i -lt "$ranks" ]; do echo "n$i"; i=$((i + 1)); done >"$folder/hosts"
  for messages in eager synchronous; do
    if [ $messages = eager ]; then
      eager=1000000000 os=$send or=$receive
      costs="send: $send s, receive: $receive s, latency: $latency s, bandwidth: $bandwidth B/s"
    else  # the sender is busy until the message is there
      eager=0 os=0 or=0
      costs="send: $(awk "BEGIN { print $latency + $bytes / $bandwidth }") s, request: 0 s"
    fi
    simulated=$(smpirun -np "$ranks" -platform "$folder/platform.xml" -hostfile "$folder/hosts" \
      --cfg=smpi/simulate-computation:no --cfg=network/model:CM02 --cfg=network/latency-factor:1 \
      --cfg=network/bandwidth-factor:1 --cfg=network/TCP-gamma:0 --cfg=network/weight-S:0 --cfg=network/crosstraffic:0 \
      --cfg=smpi/async-small-thresh:$eager --cfg=smpi/send-is-detached-thresh:$eager \
      --cfg=smpi/os:0:$os:0 --cfg=smpi/or:0:$or:0 --cfg=maxmin/precision:1e-9 --cfg=surf/precision:1e-12 --cfg=smpi/wtime:0 \
      --log=root.thres:critical "$folder/wavefront" "$wide" "$high" $blocks $payload $payload $flops |
      awk '$1 == "iteration" && $2 > longest { longest = $2 } END { print longest }')
    cat >"$folder/smpi.yaml" <<YAML
name: What SMPI simulates
source: assumed
compute: {sweep3d: {grind: 40 ns}}
levels: {all: {$costs}}
YAML
    predicted=$("$narrows" predict sweep3d -m "$folder/smpi.yaml" --grid "${wide}x$high" --cells-per-rank $cells --format json |
      awk -F'[:,]' '/"value"/ && !found { print $2; found = 1 }')
    awk "BEGIN { printf \"%6d  %-11s %18.9g %18.9g %+11.5f %%\n\", $ranks, \"$messages\", $simulated, $predicted,
                 100 * ($predicted / $simulated - 1) }"
    worst=$(awk "BEGIN { d = $predicted / $simulated - 1; if (d < 0) d = -d; print (d > $worst ? d : $worst) }")
  done
done
awk "BEGIN { printf \"largest difference %.2g %%\n\", 100 * $worst; exit !($worst < 1e-3) }" ||
  { echo "simgrid_wavefront.sh: more than 0.1 %" >&2; exit 1; }
