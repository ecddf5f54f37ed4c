"""Exercises: stubs say "to do", solutions pass, wrong answers do not."""

import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import edit
from tools.notebooks import Notebook, tags
from tools.refresh import check
from tools.strip import StripError, exercise_node, strip

EXERCISES = sorted(Path("exercises").glob("*.ipynb"))
by_notebook = pytest.mark.parametrize("path", EXERCISES, ids=str)


def names(path):
    """The exercises of a notebook, by their check cells."""
    checks = [c for c in Notebook(path).cells if "check" in tags(c)]
    return [re.search(r'check\(\s*"([\d.]+)"', c.source)[1] for c in checks]


def wrong_answers(path):
    """The collected wrong answers: exercise, law that breaks, code."""
    data = Path("tests/wrong", f"{path.stem}.toml").read_text()
    return tomllib.loads(data)["answer"]


@by_notebook
def test_untouched_exercises_are_to_do(path):
    said = [
        "".join(output.get("text", "") for output in cell.outputs)
        for cell in Notebook(path).cells
        if "check" in tags(cell)
    ]
    assert said == [f"{name} to do\n" for name in names(path)]
    print(f"\n{path}: {len(said)} stubs to do")


@by_notebook
def test_solutions_pass_and_wrong_answers_are_refused(path):
    wrong = wrong_answers(path)
    done = subprocess.run(
        [sys.executable, "-m", "tests.answers", path],
        input=json.dumps(wrong),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["solved"] == {n: f"{n} right\n" for n in names(path)}
    assert len(result["tried"]) == len(wrong)
    for answer in result["tried"]:
        wanted = f"{answer['exercise']} not yet: {answer['law']}: "
        assert answer["said"].startswith(wanted), answer
    print(f"\n{path}: {len(names(path))} solved, {len(wrong)} refused")


@by_notebook
def test_each_exercise_has_two_wrong_answers_that_break_two_laws(path):
    laws = {(a["exercise"], a["law"]) for a in wrong_answers(path)}
    count = Counter(exercise for exercise, _ in laws)
    assert {n: count[n] for n in names(path) if count[n] < 2} == {}


@by_notebook
def test_each_exercise_says_minutes_and_difficulty_and_has_a_hint(path):
    text = "\n".join(c.source for c in Notebook(path).cells)
    parts = re.split(r"^## ", text, flags=re.M)[1:]
    parts = [p for p in parts if re.match(r"\d+\.\d+ ", p)]
    assert [re.match(r"[\d.]+", p)[0] for p in parts] == names(path)
    for part in parts:
        assert re.search(r"^\*\d+ minutes, (easy|medium|hard)\*$", part, re.M)
        assert "<summary>Hint</summary>" in part


def change(path, old, new):
    def replace(cells):
        cell = next(c for c in cells if old in c.source)
        cell.source = cell.source.replace(old, new, 1)

    edit(path, replace)


SOLUTION = Path("solutions/01_value.ipynb")
EXERCISE = Path("exercises/01_value.ipynb")


def test_an_exercise_older_than_its_solution_is_stale(project):
    change(SOLUTION, "### END SOLUTION", "### END SOLUTION\n# given")
    with pytest.raises(SystemExit, match="exercises/01_value.ipynb is stale"):
        check()


def test_an_exercise_without_a_check_is_refused(project):
    def drop(cells):
        cells.remove(next(c for c in cells if "check" in tags(c)))

    edit(SOLUTION, drop)
    with pytest.raises(StripError, match="has no check"):
        strip(Notebook(SOLUTION))


def test_a_marker_without_its_partner_is_refused(project):
    change(SOLUTION, "### END SOLUTION", "")
    with pytest.raises(StripError, match="has no partner"):
        strip(Notebook(SOLUTION))


def test_a_solution_line_outside_the_markers_is_refused(project):
    body = "a_long_line_of_the_solution = 1"
    change(SOLUTION, "### END SOLUTION", f"{body}\n### END SOLUTION\n{body}")
    with pytest.raises(StripError, match="shows the solution: a_long_line"):
        strip(Notebook(SOLUTION))


def test_what_is_for_the_solution_only_is_left_out():
    solution, exercise = Notebook(SOLUTION), Notebook(EXERCISE)
    [note] = [c for c in solution.cells if "solution-only" in tags(c)]
    assert "(../exercises/01_value.ipynb)" in note.source
    assert len(exercise.cells) == len(solution.cells) - 1
    assert note.source not in [c.source for c in exercise.cells]


def test_a_learners_work_is_never_overwritten(project):
    before = EXERCISE.read_text()
    edit(EXERCISE, lambda cells: cells[-1].update(source="# my work"))
    worked = EXERCISE.read_text()
    assert worked != before
    with pytest.raises(SystemExit, match="holds work that is not from"):
        exercise_node(Notebook(SOLUTION))
    assert EXERCISE.read_text() == worked
