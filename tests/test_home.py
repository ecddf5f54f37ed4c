"""The repository's address is set once; other copies are found."""

import subprocess
from pathlib import Path

import pytest
import yaml

from tools.home import move, serve_from, strangers
from tools.refresh import check, home


def test_all_copies_agree():
    assert strangers() == []


@pytest.fixture
def repository(project):
    """The copy of the project, in a git repository of its own."""
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "add", "."], check=True)
    return project


@pytest.mark.parametrize(
    "line",
    [
        "pip install git+https://example.org/me/other",
        "git clone https://example.org/me/other",
        "repository:\n  url: https://example.org/me/other",
        "https://colab.research.google.com/github/me/other/blob/main/x",
        "https://mybinder.org/v2/gh/me/other/main",
    ],
)
def test_another_address_is_found(repository, line):
    (repository / "book" / "glossary.md").write_text(line)
    (found,) = strangers()
    assert found.startswith("book/glossary.md: ")


def test_moving_house(repository):
    move("https://example.org/new/house")
    assert home()[1] == "https://example.org/new/house"
    assert strangers() == []
    assert "new/house" in (repository / "book" / "index.ipynb").read_text()
    check()


def test_a_wrong_address_is_refused(repository):
    with pytest.raises(SystemExit, match="is not an address such as"):
        move("house")


def test_the_address_of_the_pages(repository):
    before = Path("_config.yml").read_text()
    serve_from("https://me.example.org/book")
    config = yaml.safe_load(Path("_config.yml").read_text())
    assert config["html"]["baseurl"] == "https://me.example.org/book/"
    config["html"]["baseurl"] = ""
    assert config == yaml.safe_load(before)


def test_a_wrong_address_of_the_pages_is_refused(repository):
    with pytest.raises(SystemExit, match="is not an address such as"):
        serve_from("me.example.org")
