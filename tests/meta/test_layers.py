"""The structure of the package: order of the layers, the list of exports."""

import inspect
import re
from pathlib import Path

import pytest

import duoti

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src" / "duoti").rglob("*.py"))


def test_a_layer_imports_only_from_those_below_it(monkeypatch, capsys):
    cli = pytest.importorskip("importlinter.cli")
    monkeypatch.chdir(ROOT)
    status = cli.lint_imports(config_filename="pyproject.toml", no_cache=True)
    assert status == 0, capsys.readouterr().out


def test_the_table_of_entries_names_all_that_a_workspace_may_have():
    dynamics = ROOT / "src" / "duoti" / "dynamics"
    methods = dynamics / "loops" / "constraint_methods"
    chosen = [dynamics / "evaluation.py", dynamics / "workspace.py", *methods.glob("*.py")]
    named = {name for path in chosen for name in re.findall(r"\b\w+_entry\b", path.read_text(encoding="utf-8"))}
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    table = {name.rpartition(".")[2] for name in re.findall(r"`([\w.]+_entry)`", page)}
    assert len(named) > 30
    assert named - {"_entry", "body_entry", "call_entry", "ydot_entry"} <= table
    for name in re.findall(r"`([\w.]+)\.\w+_entry`", page):  # and says where they are
        folder, file = ROOT / "src" / "duoti", f"{name.replace('.', '/')}.py"
        assert (folder / "dynamics" / file).exists() or (folder / "integrate" / file).exists(), name


def test_what_docstrings_refer_to_exists():
    """The function in "See `Loop.advance`." was renamed, and the reader is sent nowhere."""
    texts = {path: path.read_text(encoding="utf-8") for path in SOURCES}
    known = set(re.findall(r"(?:def|class) (\w+)", whole := "\n".join(texts.values())))
    known |= set(re.findall(r"^ +(\w+):", whole, re.MULTILINE)) | {path.stem for path in SOURCES}
    known |= {path.parent.name for path in SOURCES}
    wrong = {
        f"{path.name}: {name}"
        for path, text in texts.items()
        for name in re.findall(r"[Ss]ee `([\w.]+)`", text)
        if not name.startswith("io.") and not set(name.split(".")) <= known
    }
    assert not wrong


def test_export_list_has_no_repetition():
    assert len(set(duoti.__all__)) == len(duoti.__all__)


def test_exports_exist_and_are_explained():
    bare = []
    for name in duoti.__all__:
        exported = getattr(duoti, name)
        if (inspect.isclass(exported) and not exported.__doc__) or (
            inspect.isfunction(exported) and not inspect.getdoc(exported)
        ):
            bare.append(name)
    assert bare == []  # a class needs a docstring of its own


def test_everything_exported_is_in_the_reference():
    pages = "\n".join(p.read_text(encoding="utf-8") for p in (ROOT / "docs" / "reference").glob("*.md"))
    shown = {line.rpartition(".")[2] for line in pages.splitlines() if line.startswith("::: duoti")}
    missing = sorted(set(duoti.__all__) - shown)
    assert not missing, f"not in docs/reference: {', '.join(missing)}"


def test_public_functions_and_methods_are_explained():
    bare = [
        f"{name}.{key}"
        for name in duoti.__all__
        if inspect.isclass(cls := getattr(duoti, name))
        for key, member in vars(cls).items()
        if not key.startswith("_") and inspect.isfunction(member) and not member.__doc__
    ]
    assert not bare
