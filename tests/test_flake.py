"""What `make flake` reports: tests that fail, vanish, or change."""

import pytest

from tools.flake import differences, outcomes

REPORT = """<testsuites><testsuite>
<testcase classname="a" name="one"/>
<testcase classname="a" name="two"><failure message="no"/></testcase>
<testcase classname="a" name="three"><skipped/><properties/></testcase>
<testcase classname="b" name="one"><error message="no"/></testcase>
</testsuite></testsuites>"""


def test_outcomes(tmp_path):
    report = tmp_path / "report.xml"
    report.write_text(REPORT)
    assert outcomes(report) == {
        "a: one": "passed",
        "a: two": "failed",
        "a: three": "skipped",
        "b: one": "failed",
    }


@pytest.mark.parametrize("end", ["failed", "skipped", "missing"])
def test_a_difference_in_the_last_run_is_found(end):
    runs = [{"one": "passed", "two": "skipped"} for _ in range(3)]
    assert differences(runs) == {}
    runs[-1]["one"] = end
    if end == "missing":
        del runs[-1]["one"]
    assert differences(runs) == {"one": ["passed", "passed", end]}


def test_a_test_that_always_fails_is_reported():
    assert differences([{"one": "failed"}] * 2) == {"one": ["failed"] * 2}
