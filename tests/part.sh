#!/bin/sh
# part.sh PROGRAM PART PARTS: runs a part of a program's cases in one process, every PARTS-th from the PART-th on, and
# tells how long each took. Without those tagged [long], which take a minute and more under a sanitizer and run what others
# run too.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" --list-test-names-only "~[.]~[long]" >"$folder/all" || true # ends with the number of cases
[ -s "$folder/all" ] || { echo "part.sh: $1 lists no cases" >&2; exit 1; }
awk -v part="$2" -v parts="$3" 'NR % parts == part % parts' "$folder/all" | sed 's/[][\\,]/\\&/g' >"$folder/part"
[ -s "$folder/part" ] || exit 0 # fewer cases than parts
"$1" --input-file "$folder/part" --warn NoTests --durations yes
