"""What `make bench` measures is the same work in every engine."""

import pytest

from tests.conftest import ROOT
from tools import bench


@pytest.fixture(scope="module")
def task():
    return bench.python("-c", bench.MOONS, path=ROOT) | {"steps": 1}


@pytest.mark.parametrize(
    "engine", ["ours", "tuples, paused", "PyTorch, batched"]
)
def test_an_engine_reproduces_the_losses(engine, task):
    command = [bench.__file__, "--child", engine]
    report = bench.python(*command, path=ROOT, task=task)  # or it raises
    (step,) = report["steps"]
    assert step["step"] > 0 and step["collector"] >= 0


def test_the_stored_table_has_every_engine_and_the_versions():
    comments, rows = [], []
    for line in (ROOT / bench.TABLE).read_text().splitlines():
        (comments if line.startswith("#") else rows).append(line)
    assert rows[0] == ",".join(bench.COLUMNS)
    assert [row.strip('"').split(",")[0] for row in rows[1:]] == [
        engine.split(",")[0] for engine in bench.ENGINES
    ]
    for name in ("Python", "micrograd 0.1.0", "numpy", "torch"):
        assert name in "".join(comments)
