"""For axe.sh: puts a page with axe-core into a frame of so many pixels, and shows what axe-core found."""

import html
import json
import re
import sys

RUN = """axe.run({resultTypes: ['violations']}).then(found => {
  const result = parent.document.createElement('pre');
  result.id = 'found';
  result.textContent = JSON.stringify({violations: found.violations, passes: found.passes.length});
  parent.document.body.appendChild(result);
});"""


def embed(page, axe, width):
    with open(page, encoding="utf-8") as file:
        text = file.read()
    with open(axe, encoding="utf-8") as file:
        script = file.read().replace("</script", "<\\/script")
    text = text.replace("</body>", f"<script>{script}</script><script>{RUN}</script></body>")
    print('<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Frame</title><body>')
    print(f'<iframe title="page" style="width:{width}px;height:900px" srcdoc="{html.escape(text)}"></iframe></body></html>')


def show(page, look):
    with open(page, encoding="utf-8") as file:
        found = re.search(r'<pre id="found">(.*?)</pre>', file.read(), re.S)
    if not found:
        print(f"{look}: axe-core did not run")
        return 1
    result = json.loads(html.unescape(found.group(1)))
    print(f"{look}: {len(result['violations'])} rules violated, {result['passes']} met")
    for rule in result["violations"]:
        print(f"  {rule['id']} ({rule['impact']}, {len(rule['nodes'])} places): {rule['help']}")
        for node in rule["nodes"][:3]:
            print(f"    {node['html'][:160]}")
    return 1 if result["violations"] else 0


if __name__ == "__main__":
    if sys.argv[1] == "embed":
        embed(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        sys.exit(show(sys.argv[2], sys.argv[3]))
