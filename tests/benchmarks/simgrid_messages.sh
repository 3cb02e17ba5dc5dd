#!/bin/sh
# Pairwise all-to-all and the exchange with six neighbours by SimGrid's SMPI beside narrows: 64 and 256 ranks, one on a host,
# small and large messages, on a torus, a tapered fat tree and a crossbar, with the same routes on both sides.
#   tests/benchmarks/simgrid_messages.sh [RANKS ...]     installs libsimgrid-dev and time where they are missing; needs
#                                                        build/release/narrows; ranks: 64, 256
# SMPI's own corrections of a network are switched off, as in simgrid_wavefront.sh. Routes are dimension order, half way
# round onwards, and up and down, spread over all uplinks of a leaf (one link of their bandwidth together). SMPI weighs
# the messages on a link by one over their latency, as TCP does, which no wire of such machines does: most of a message's
# latency is therefore its host's, the same for all. A link without any latency would not be shared at all by SimGrid 3.32.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
narrows=$(cd "$here/../.." && pwd)/build/release/narrows
[ -x "$narrows" ] || { echo "simgrid_messages.sh: build narrows first: ./bootstrap" >&2; exit 1; }
command -v smpicc >/dev/null || apt-get install -y --no-install-recommends libsimgrid-dev >&2
[ -x /usr/bin/time ] || apt-get install -y --no-install-recommends time >&2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
smpicc -O2 "$here/rounds_mpi.c" -o "$folder/rounds"

bandwidth=1e9 host_latency=1e-6 link_latency=5e-8 envelope=16 hosts=8 spines=4
worst=0

# Hosts with a wire of their own, the links of the network, and the links of every route.
platform() {
  awk -v network="$1" -v wide="$2" -v high="$3" -v deep="$4" -v hosts=$hosts -v spines=$spines \
    -v bandwidth=$bandwidth -v host_latency=$host_latency -v latency=$link_latency '
    function link(id, links, delay) {
      printf "<link id=\"%s\" bandwidth=\"%.0fBps\" latency=\"%.9fs\"/>\n", id, links * bandwidth, delay
    }
    function pass(id) { return "<link_ctn id=\"" id "\"/>" }
    function in_torus(from, to,   i, k, node, stride, size, place, steps, way, text) {
      node = from; stride = 1
      for (i = 0; i < 3; ++i) {
        size = shape[i]
        place = int(node / stride) % size
        steps = (int(to / stride) % size - place + size) % size
        way = 1
        if (2 * steps > size) { steps = size - steps; way = -1 }
        for (k = 0; k < steps; ++k) {
          text = text pass("t" node "-" i (way > 0 ? "+" : "-"))
          node += ((place + way + size) % size - place) * stride
          place = (place + way + size) % size
        }
        stride *= size
      }
      return text
    }
    function by_switches(from, to,   leaf, other, text) {
      leaf = int(from / hosts); other = int(to / hosts)
      if (network == "tree" && leaf != other) text = pass("leaf" leaf) pass("to-leaf" other)
      return pass("up" from) text pass("down" to)
    }
    BEGIN {
      shape[0] = wide; shape[1] = high; shape[2] = deep; ranks = wide * high * deep
      print "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
      print "<platform version=\"4.1\"><zone id=\"all\" routing=\"Full\">"
      for (r = 0; r < ranks; ++r) printf "<host id=\"n%d\" speed=\"1Gf\"/>\n", r
      for (r = 0; r < ranks; ++r) {
        link("host" r, 100, host_latency)
        if (network != "torus") { link("up" r, 1, latency); link("down" r, 1, latency) }
        for (i = 0; i < 3 && network == "torus"; ++i) { link("t" r "-" i "+", 1, latency); link("t" r "-" i "-", 1, latency) }
      }
      for (l = 0; l < ranks / hosts && network == "tree"; ++l) { link("leaf" l, spines, latency); link("to-leaf" l, spines, latency) }
      for (a = 0; a < ranks; ++a) for (b = 0; b < ranks; ++b) {
        if (a == b) continue
        printf "<route src=\"n%d\" dst=\"n%d\" symmetrical=\"NO\">%s%s</route>\n", a, b, pass("host" a),
               network == "torus" ? in_torus(a, b) : by_switches(a, b)
      }
      print "</zone></platform>"
    }' >"$folder/platform.xml"
}

machine() {
  cat >"$folder/smpi.yaml" <<YAML
name: What SMPI simulates
source: assumed
network:
  link: {bandwidth: $bandwidth B/s, latency: $link_latency s, framing: {header: $envelope B}}
  topology: $1
  routing: $2
paths: {wire: {flight: {latency: $host_latency s}, link: {}}}
protocols: {mpi: {wire: 1}}
YAML
}

printf '%-6s %6s %-13s %8s %14s %14s %11s %16s %16s\n' network ranks messages bytes 'SMPI s' 'narrows s' difference \
  'SMPI' 'narrows'
for ranks in ${*:-64 256}; do
  case $ranks in
    64) wide=4 high=4 deep=4 ;;
    256) wide=8 high=8 deep=4 ;;
    *) echo "simgrid_messages.sh: give 64 or 256 ranks" >&2; exit 2 ;;
  esac
  awk "BEGIN { for (r = 0; r < $ranks; ++r) print \"n\" r }" >"$folder/hosts"
  for network in torus tree star; do
    platform $network $wide $high $deep
    case $network in
      torus) machine "torus ${wide}x${high}x$deep" 'dimension-order ties=onwards' ;;
      tree) machine "leaf-spine leaves=$((ranks / hosts)) hosts=$hosts spines=$spines" up-down ;;
      star) machine "star $ranks" up-down ;;
    esac
    for bytes in 1024 1048576; do
      for messages in all-to-all halo-exchange; do
        grid= neighbours=
        [ $messages = all-to-all ] || { grid="$wide $high $deep" neighbours='--neighbours 6'; }
        simulated=$(/usr/bin/time -f '%e s %M' -o "$folder/smpi.cost" smpirun -np "$ranks" -platform "$folder/platform.xml" \
          -hostfile "$folder/hosts" --cfg=smpi/simulate-computation:no --cfg=network/model:CM02 \
          --cfg=network/latency-factor:1 --cfg=network/bandwidth-factor:1 --cfg=network/TCP-gamma:0 \
          --cfg=network/weight-S:0 --cfg=network/crosstraffic:0 --cfg=smpi/async-small-thresh:0 \
          --cfg=smpi/send-is-detached-thresh:0 --cfg=smpi/os:0:0:0 --cfg=smpi/ois:0:0:0 --cfg=smpi/or:0:0:0 \
          --cfg=maxmin/precision:1e-9 --cfg=surf/precision:1e-12 --cfg=smpi/wtime:0 --log=root.thres:critical \
          "$folder/rounds" $messages $bytes $grid |
          awk '$1 == "seconds" && $2 > longest { longest = $2 } END { print longest }')
        predicted=$(/usr/bin/time -f '%e s %M' -o "$folder/narrows.cost" "$narrows" predict $messages -m "$folder/smpi.yaml" \
          -n "$ranks" --bytes $bytes $neighbours --format json | awk -F'[:,]' '/"value"/ && !found { print $2; found = 1 }')
        awk "BEGIN { printf \"%-6s %6d %-13s %8d %14.9g %14.9g %+9.2f %% %16s %16s\n\", \"$network\", $ranks, \"$messages\", $bytes,
                     $simulated, $predicted, 100 * ($predicted / $simulated - 1), \"$(tail -1 "$folder/smpi.cost") KiB\",
                     \"$(tail -1 "$folder/narrows.cost") KiB\" }"
        worst=$(awk "BEGIN { d = $predicted / $simulated - 1; if (d < 0) d = -d; print (d > $worst ? d : $worst) }")
      done
    done
  done
done
awk "BEGIN { printf \"largest difference %.2g %%\n\", 100 * $worst; exit !($worst < 0.1) }" ||
  { echo "simgrid_messages.sh: more than 10 %" >&2; exit 1; }
