#!/bin/sh
# Checks the page of `narrows report` by axe-core in headless Chromium: light, dark and at a phone's width.
# usage: axe.sh NARROWS [MACHINE]   exit 1 where a rule is violated
# Needs chromium, python3, and axe-core: AXE_CORE names axe.min.js, else npm fetches the package.
set -eu
narrows=$1
machine=${2:-bluegene-l}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
axe=${AXE_CORE:-}
if [ -z "$axe" ]; then
    (cd "$work" && npm pack --silent axe-core@4 >/dev/null && tar xzf axe-core-*.tgz)
    axe=$work/package/axe.min.js
fi
"$narrows" report "$machine" --quiet -o "$work/report.html"
failed=0
for look in light dark phone; do
    width=1280
    scheme=1
    if [ $look = phone ]; then width=390; fi
    if [ $look = dark ]; then scheme=0; fi
    python3 "$here/axe.py" embed "$work/report.html" "$axe" $width >"$work/page.html"
    chromium --headless --no-sandbox --disable-gpu --window-size=1400,1000 --virtual-time-budget=120000 \
        --blink-settings=preferredColorScheme=$scheme --dump-dom "$work/page.html" >"$work/checked.html" 2>/dev/null
    python3 "$here/axe.py" show "$work/checked.html" $look || failed=1
done
exit $failed
