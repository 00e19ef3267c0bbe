"""The structure of the package: order of the layers, the list of exports."""

import inspect
import re
from pathlib import Path

import pytest

import duoti

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "duoti"
SOURCES = sorted(PACKAGE.rglob("*.py"))
NAMES_ONLY = ("beams", "errors", "identification", "textbook")  # packages of public names
LAYERS = sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists())


def test_a_layer_imports_only_from_those_below_it(monkeypatch, capsys):
    cli = pytest.importorskip("importlinter.cli")
    monkeypatch.chdir(ROOT)
    status = cli.lint_imports(config_filename="pyproject.toml", no_cache=True)
    assert status == 0, capsys.readouterr().out


def test_the_table_of_entries_names_all_that_a_workspace_may_have():
    dynamics = PACKAGE / "dynamics"
    methods = dynamics / "loops" / "constraint_methods"
    chosen = [dynamics / "evaluation.py", dynamics / "workspace.py", *methods.glob("*.py")]
    named = {name for path in chosen for name in re.findall(r"\b\w+_entry\b", path.read_text(encoding="utf-8"))}
    page = (ROOT / "docs" / "internals.md").read_text(encoding="utf-8")
    table = {name.rpartition(".")[2] for name in re.findall(r"`([\w.]+_entry)`", page)}
    assert len(named) > 30
    assert named - {"_entry", "body_entry", "call_entry", "ydot_entry"} <= table
    placed = re.findall(r"`([\w.]+)\.(\w+_entry)`", page)
    assert len(placed) > 20
    for module, name in placed:  # and says where they are
        files = [PACKAGE / layer / f"{module.replace('.', '/')}.py" for layer in ("dynamics", "integrate")]
        assert any(file.exists() and f"def {name}(" in file.read_text(encoding="utf-8") for file in files), name


def test_the_map_has_every_folder():
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    table = page[page.index("| layer |") :].split("\n\n")[0]
    folders = {path.parent.relative_to(PACKAGE).as_posix() for path in SOURCES} - {".", *NAMES_ONLY}
    folders -= {folder for folder in folders if folder.startswith("examples/")}
    assert set(re.findall(r"^\| `([\w/]+)` \|", table, re.MULTILINE)) == folders


PAGES = (
    "docs/design.md",
    "docs/internals.md",
    "docs/history/tried.md",
    "CONTRIBUTING.md",
)


@pytest.mark.parametrize("page", PAGES)
def test_files_folders_and_modules_that_a_page_names_exist(page):
    """`dynamics/tree/aba.py`, `model/joints`, `kernel.packing.declared_signature`, `tests/meta/test_layers.py`."""
    text = (ROOT / page).read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    tokens = {token for token in re.findall(r"`([\w./-]+)`", text) if "NAME" not in token}  # a placeholder
    tokens -= {token for token in tokens if token.endswith("_entry")}  # see above
    paths = {token for token in tokens if re.fullmatch(r"\w[\w-]*(/[\w.-]+)+/?", token)}
    modules = {token for token in tokens if re.fullmatch(r"(duoti\.)?(" + "|".join(LAYERS) + r")(\.\w+)+", token)}
    files = {token for token in tokens if re.fullmatch(r"\w+\.py", token)}
    assert paths | modules
    wrong = [token for token in paths if not any((folder / token).exists() for folder in (ROOT, ROOT / "src", PACKAGE))]
    wrong += [token for token in modules if not _is_named(token.removeprefix("duoti."))]
    wrong += files - {path.name for d in ("src", "tests", "viewer", "docs") for path in (ROOT / d).rglob("*.py")}
    assert sorted(wrong) == []


def _is_named(module):
    """Whether a module, or a name within one, is in the package: "kernel.packing", "kernel.packing.pack"."""
    path = PACKAGE.joinpath(*module.split("."))
    if path.with_suffix(".py").exists() or path.is_dir():
        return True
    within = next((p for p in (path.parent.with_suffix(".py"), path.parent / "__init__.py") if p.exists()), None)
    return within is not None and re.search(rf"\b{path.name}\b", within.read_text(encoding="utf-8")) is not None


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


def test_modules_that_docstrings_and_comments_name_exist():
    """Who moves a file changes `dynamics.tree.aba` in other files, too."""
    from duoti.system.system import System

    attributes = {f"model.{name}" for name in dir(duoti.Model("any"))}  # `system.state(...)` is a method, not a module
    attributes |= {f"system.{name}" for name in {*dir(System), *System.__annotations__}}
    wrong = {
        f"{path.relative_to(PACKAGE)}: {name}"
        for path in SOURCES
        for name in re.findall(rf"`((?:duoti\.)?(?:{'|'.join(LAYERS)})(?:\.\w+)+)`", path.read_text(encoding="utf-8"))
        if not _is_named(name.removeprefix("duoti.")) and ".".join(name.split(".")[:2]) not in attributes
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


def test_public_functions_and_methods_are_explained():
    bare = [
        f"{name}.{key}"
        for name in duoti.__all__
        if inspect.isclass(cls := getattr(duoti, name))
        for key, member in vars(cls).items()
        if not key.startswith("_") and inspect.isfunction(member) and not inspect.getdoc(getattr(cls, key))
    ]
    assert not bare
