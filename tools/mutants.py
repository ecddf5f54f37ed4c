"""Change one thing in an exported cell: some notebook has to fail.

    python -m tools.mutants removals    take out each exported function
    python -m tools.mutants operators   change one operator or constant

Each trial works on a copy of the book: the cell is changed, the package
is exported from it again, and the notebooks run from that chapter on,
as nbval runs them, until one fails. Whether generated text is fresh is
not asked. What no notebook notices is listed, and the exit code is 1.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from contextlib import chdir
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat

from tools.notebooks import chapters, tags
from tools.refresh import generated
from tools.tangle import pieces

# Of the many replacements that cosmic-ray knows, those that a person
# might write by mistake.
OPERATORS = [
    *(f"core/ReplaceBinaryOperator_{pair}" for pair in (
        "Add_Sub", "Sub_Add", "Mul_Add", "Mul_Div", "Div_Mul", "Pow_Mul",
        "Mod_Mul",
    )),
    *(f"core/ReplaceComparisonOperator_{pair}" for pair in (
        "Lt_LtE", "Lt_GtE", "LtE_Lt", "LtE_Gt", "Gt_GtE", "Gt_LtE",
        "GtE_Gt", "GtE_Lt", "Eq_NotEq", "NotEq_Eq", "Is_IsNot",
        "IsNot_Is",
    )),
    *(f"core/ReplaceUnaryOperator_{pair}" for pair in (
        "USub_UAdd", "Delete_USub", "Delete_Not",
    )),
    "core/AddNot",
    "core/NumberReplacer",
    "core/ReplaceAndWithOr",
    "core/ReplaceOrWithAnd",
    "core/ReplaceTrueWithFalse",
    "core/ReplaceFalseWithTrue",
    "core/ReplaceBreakWithContinue",
    "core/ZeroIterationForLoop",
]  # fmt: skip
ASSIGNMENTS = {"+=": ("=", "-="), "-=": ("=", "+=")}


@dataclass(frozen=True)
class Trial:
    """One changed cell, and how many chapters are asked about it."""

    notebook: Path
    cell: str
    source: str
    label: str
    chapters: int

    def run(self):
        """Return the name of the notebook that failed, or None."""
        names = [n.path for n in chapters()]
        start = names.index(self.notebook)
        with TemporaryDirectory() as folder:
            shutil.copytree("book", Path(folder, "book"))
            shutil.copy("pyproject.toml", folder)
            with chdir(folder):
                self._change()
                os.mkdir("micrograd")
                for index, name in enumerate(names[start:][: self.chapters]):
                    if index < 2 and self._export() is not None:
                        return "export"
                    if fails(name):
                        return name
        return None

    def _change(self):
        node = nbformat.read(self.notebook, as_version=4)
        cell = next(c for c in node.cells if c.id == self.cell)
        cell.source = self.source
        nbformat.write(node, self.notebook)

    def _export(self):
        """Write the package and the code so far; return an error."""
        try:
            for path, text in generated().items():
                path.write_text(text)
        except SystemExit as error:
            return error


def fails(name):
    """Whether the notebook's outputs differ from the stored ones."""
    command = ["-m", "pytest", "-qx", "-p", "no:cacheprovider"]
    try:
        done = subprocess.run(
            [sys.executable, *command, "--nbval-cell-timeout=120", name],
            env=os.environ | {"PYTHONPATH": os.getcwd()},
            capture_output=True,
            timeout=600,
        )
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def removals():
    """Take out each exported function: this or the next chapter fails."""
    for piece in pieces(chapters()):
        if piece.name and not piece.is_import:
            cell = piece.notebook.cells[piece.cell]
            label = f"{piece.notebook.name}: {piece.extends or ''}"
            source = cell.source.replace(piece.text, "", 1)
            yield Trial(
                piece.notebook.path,
                cell.id,
                source,
                f"{label} {piece.name}",
                chapters=2,
            )


def operators():
    """Change one operator or constant of an exported cell."""
    for notebook in chapters():
        for cell in notebook.cells:
            if not any(tag.startswith("export-") for tag in tags(cell)):
                continue
            for label, source in mutations(cell.source):
                yield Trial(
                    notebook.path,
                    cell.id,
                    source,
                    f"{notebook.name}: {label}",
                    chapters=len(chapters()),
                )


def mutations(source):
    """Yield (what changed, the changed source) for one cell."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    for name in OPERATORS:
        occurrence = 0
        while changed := mutate_code(
            source.encode(), get_operator(name)(), occurrence
        ):
            yield difference(source, changed), changed
            occurrence += 1
    for match in re.finditer(r"[+-]=", source):
        for other in ASSIGNMENTS[match[0]]:
            changed = source[: match.start()] + other + source[match.end() :]
            yield difference(source, changed), changed


def difference(before, after):
    """The first line that differs, as it was and as it is."""
    pairs = zip(before.splitlines(), after.splitlines())
    old, new = next((a, b) for a, b in pairs if a != b)
    return f"{old.strip()}  →  {new.strip()}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kind", choices=["removals", "operators"])
    parser.add_argument("--only", default="", help="a part of the label")
    arguments = parser.parse_args()
    trials = [
        trial
        for trial in {"removals": removals, "operators": operators}[
            arguments.kind
        ]()
        if arguments.only in trial.label
    ]
    noticed = Counter()
    with Pool(os.cpu_count()) as pool:
        for trial, where in zip(trials, pool.imap(Trial.run, trials)):
            noticed[where is not None] += 1
            if where is None:
                print("unnoticed:", trial.label, flush=True)
            done = noticed.total()
            if done % 20 == 0:
                print(f"{done} of {len(trials)} tried", flush=True)
    print(f"{noticed[True]} of {len(trials)} noticed")
    sys.exit(noticed[False] > 0)
