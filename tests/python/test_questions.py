"""python/questions.ipynb shows what its cells print. NARROWS_ACCEPT=1 writes down what they print now."""

import ast
import contextlib
import io
import json
import os
import pathlib
import tempfile
import unittest

NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "python/questions.ipynb"


def printed(source, names):
    """What a notebook shows below a cell: its output, then its last expression's value."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    out = io.StringIO()
    value = None
    with contextlib.redirect_stdout(out):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    outputs = []
    if out.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": out.getvalue().splitlines(keepends=True)})
    if value is not None:
        text = {"text/plain": repr(value).splitlines(keepends=True)}
        outputs.append({"data": text, "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return outputs


class Questions(unittest.TestCase):
    def test_every_cell_prints_what_the_notebook_shows(self):
        notebook = json.loads(NOTEBOOK.read_text())
        names = {}
        before = os.getcwd()
        shown = 0
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for cell in notebook["cells"]:
                    if cell["cell_type"] != "code":
                        continue
                    with self.subTest("".join(cell["source"])):
                        outputs = printed("".join(cell["source"]), names)
                        shown += len(outputs)
                        if "NARROWS_ACCEPT" in os.environ:
                            cell["outputs"] = outputs
                        self.assertEqual(cell["outputs"], outputs)
            finally:
                os.chdir(before)
        self.assertGreater(shown, 10)
        if "NARROWS_ACCEPT" in os.environ:
            NOTEBOOK.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    unittest.main()
