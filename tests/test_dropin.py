"""Code written for the reference's public surface runs unchanged."""

import subprocess
import sys

import pytest

from tests.conftest import ROOT

# The numbers are what micrograd 0.1.0 prints for the same scripts.
PRINTED = {
    "readme": "24.70408163265306 138.83381924198252 645.5772594752186",
    "moons": "337\n0.8958441028683 50\n1.723590533697 81\n0.7429006313851 77",
    "drawing": "10 9 14",
}


@pytest.mark.parametrize("script", PRINTED)
def test_drop_in(script):
    path = ROOT / "tests" / "dropin" / f"{script}.py"
    done = subprocess.run(
        [sys.executable, path], stdout=subprocess.PIPE, text=True
    )
    assert done.stdout.strip() == PRINTED[script]
