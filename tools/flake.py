"""Run the suite several times: every test has to end as it did before.

    python -m tools.flake 20

Each run is a process of its own, with hash seeds of its own. Prints how
each run ended, then every test that failed or did not end the same way
in all runs. The exit code is 1 if there is one.
"""

import argparse
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

ENDS = {"failure": "failed", "error": "failed", "skipped": "skipped"}


def outcomes(report):
    """Return {test: how it ended} from a report in JUnit's format."""
    ended = {}
    for case in ElementTree.parse(report).iter("testcase"):
        test = f"{case.get('classname')}: {case.get('name')}"
        ends = [ENDS[child.tag] for child in case if child.tag in ENDS]
        ended[test] = ends[0] if ends else "passed"
    return ended


def differences(runs):
    """Return {test: how it ended in each run} of those that differ.

    A test that failed differs from what it should do, in every run.
    """
    tests = {test: None for run in runs for test in run}
    ends = {test: [run.get(test, "missing") for run in runs] for test in tests}
    return {
        test: ended
        for test, ended in ends.items()
        if len(set(ended)) > 1 or "failed" in ended
    }


def run(arguments):
    """Run the suite once; return {test: how it ended}."""
    with TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}"]
            + arguments,
            stdout=subprocess.DEVNULL,
        )
        return outcomes(report)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("count", type=int, help="how many runs")
    options, pytests = parser.parse_known_args()
    runs = []
    for number in range(1, options.count + 1):
        runs.append(run(pytests or ["-n", "2"]))
        ends = Counter(runs[-1].values())
        said = ", ".join(f"{n} {end}" for end, n in sorted(ends.items()))
        print(f"run {number} of {options.count}: {said}", flush=True)
    found = differences(runs)
    for test, ended in found.items():
        print(f"{test}: {', '.join(ended)}")
    print(f"{len(found)} differences in {options.count} runs")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
