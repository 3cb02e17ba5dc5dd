#!/bin/sh
# part.sh PROGRAM PART PARTS: runs a part of a program's cases in one process, every PARTS-th from the PART-th on, and
# tells how long each took. Without those that take minutes under a sanitizer and run what others do too.
set -eu
names=$(mktemp)
trap 'rm -f "$names"' EXIT
"$1" --list-test-names-only "~[.]~[long]" | awk -v part="$2" -v parts="$3" 'NR % parts == part % parts' | sed 's/[][\\,]/\\&/g' >"$names"
"$1" --input-file "$names" --warn NoTests --durations yes
