"""Run each exercise notebook as a learner on Colab does: make alone.

Each is copied by itself into an empty folder and run in an environment
that has the newest numpy, matplotlib, scikit-learn and ipykernel, but
neither the project nor torch. Its install line is pointed at this
checkout. It has to reach its end, with every check "to do".
"""

import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat

from tools.notebooks import tags
from tools.refresh import home

WHAT_IS_THERE = [
    "numpy",
    "matplotlib",
    "scikit-learn",
    "ipykernel",
    "nbclient",
]


def point_at(checkout, path):
    """Let the notebook's install line take the package from here."""
    node = nbformat.read(path, as_version=4)
    cell = next(c for c in node.cells if "install" in tags(c))
    _, url = home()
    there = f"git+{url}"
    if there not in cell.source:
        sys.exit(f"{path.name}: no {there} in its install cell")
    cell.source = cell.source.replace(there, checkout.as_uri())
    nbformat.write(node, path)


def verdicts(path):
    """What each check of an executed notebook printed."""
    return [
        "".join(output.get("text", "") for output in cell.outputs).strip()
        for cell in nbformat.read(path, as_version=4).cells
        if "check" in tags(cell)
    ]


def main():
    checkout = Path.cwd()
    with TemporaryDirectory() as folder:
        environment = Path(folder, "environment")
        venv.create(environment, with_pip=True)
        python = environment / "bin" / "python"
        pip = [python, "-m", "pip", "--quiet"]
        subprocess.run([*pip, "install", *WHAT_IS_THERE], check=True)
        for original in sorted(Path("exercises").glob("*.ipynb")):
            alone = Path(folder, original.stem)
            alone.mkdir()
            path = Path(shutil.copy(original, alone))
            point_at(checkout, path)
            done = subprocess.run(
                [environment / "bin" / "jupyter", "execute", "--inplace"]
                + [path.name],
                cwd=alone,
                env={k: v for k, v in os.environ.items() if "PYTHON" not in k},
                capture_output=True,
                text=True,
            )
            if done.returncode:
                sys.exit(f"{original}:\n{done.stderr}")
            said = verdicts(path)
            if not all(re.fullmatch(r"[\d.]+ to do", s) for s in said):
                sys.exit(f"{original}: {said}")
            print(f"{original}: {len(said)} checks to do", flush=True)
            name, _ = home()
            subprocess.run([*pip, "uninstall", "--yes", name], check=True)


if __name__ == "__main__":
    main()
