"""Records what NumPy makes of every statement of docs/numpy.md that has a table row.

python3 docs_statements.py > docs_statements.jsonl     (needs NumPy; recorded with 2.4.6)
"""
import json
import pathlib

import numpy as np

page = (pathlib.Path(__file__).parents[2] / "docs/numpy.md").read_text()
inside = False
for line in page.splitlines():
    inside = line.startswith("| NumPy | on plain slices |") or (inside and line.startswith("|"))
    if not inside or not line.startswith("| `"):
        continue
    statement = line.split("`")[1]
    names = {
        "np": np,
        "x": np.arange(192.0).reshape(4, 6, 8),
        "y": np.zeros((3, 8)),
        "v": 2.0 ** (np.arange(24) % 4).reshape(3, 8),
        "row": np.arange(8.0) - 3,
    }
    exec(statement, names)
    print(json.dumps({"statement": statement, **{n: np.ravel(names[n]).tolist() for n in ("x", "y")}}))
