"""The site is built again when what it is made of changes, and only then."""

import os

import pytest

from tools import site


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A book of one file, older than the site that is built from it."""
    monkeypatch.setattr(site, "ROOT", tmp_path)
    monkeypatch.setattr(site, "HTML", tmp_path / "html")
    for path in ("book/a.md", "html/.buildinfo"):
        (tmp_path / path).parent.mkdir()
        (tmp_path / path).touch()
    os.utime(tmp_path / "book" / "a.md", (1, 1))
    return tmp_path


def test_what_a_run_leaves_behind_makes_no_site_stale(made):
    for name in (".hypothesis/constants/x", "__pycache__/a.pyc"):
        path = made / "book" / name
        path.parent.mkdir(parents=True)
        path.touch()
        os.utime(path, (2**31, 2**31))
    assert site.fresh()


def test_a_change_makes_it_stale(made):
    os.utime(made / "book" / "a.md", (2**31, 2**31))
    assert not site.fresh()
