"""Fragments of the change log: those that are here are well formed, and they are collected."""

import importlib.util
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDER = REPOSITORY / "changes"


@pytest.fixture(scope="module")
def collect():
    spec = importlib.util.spec_from_file_location("collect", FOLDER / "collect.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_fragments_of_the_repository_are_well_formed(collect):
    assert collect.fragments(FOLDER)[1] == []


def test_fragments_become_a_section_of_the_log(collect, tmp_path):
    log = tmp_path / "CHANGELOG.md"
    log.write_text("# Changes\n\nText.\n\n## [0.1.0] - 2026-12-01\n\n- old\n", "utf-8")
    folder = tmp_path / "changes"
    folder.mkdir()
    (folder / "b.fixed.md").write_text("- A ball\n  falls.\n", "utf-8")
    (folder / "a.added.md").write_text("A joint.\n", "utf-8")
    collect.collect("0.2.0", log, folder, "2027-01-01")
    assert log.read_text("utf-8") == (
        "# Changes\n\nText.\n\n## [0.2.0] - 2027-01-01\n\n### Added\n\n- A joint.\n\n### Fixed\n\n- A ball falls.\n"
        "\n## [0.1.0] - 2026-12-01\n\n- old\n"
    )
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [("a.news.md", "x", "NAME.KIND.md"), ("a.md", "x", "NAME.KIND.md"), ("a.fixed.md", "", "0 characters"),
     ("a.fixed.md", "word " * 100, "at most")],
)  # fmt: skip
def test_other_files_are_refused_and_nothing_is_lost(collect, tmp_path, name, text, said):
    log = tmp_path / "CHANGELOG.md"
    log.write_text("# Changes\n\n## [0.1.0]\n", "utf-8")
    folder = tmp_path / "changes"
    folder.mkdir()
    (folder / name).write_text(text, "utf-8")
    with pytest.raises(SystemExit, match=said):
        collect.collect("0.2.0", log, folder, "2027-01-01")
    assert log.read_text("utf-8") == "# Changes\n\n## [0.1.0]\n"
    assert (folder / name).exists()
