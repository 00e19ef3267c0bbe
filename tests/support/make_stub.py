"""Write the stubs (`__init__.pyi`) of packages whose names are imported when they are first used (`duoti.lazy`).

    python tests/support/make_stub.py

Their only source is the table `_EXPORTS` in each `__init__.py`, with what it imports as `from x import y as y`;
`tests/meta/test_exports.py` fails when a stub is older.
"""

import ast
from pathlib import Path

from duoti.lazy import homes

SOURCES = Path(__file__).parents[2] / "src"
HEADING = "# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.\n\n"


def lazy_packages() -> list[Path]:
    """Folders of the packages that have a table of names."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted((SOURCES / "duoti").rglob("__init__.py"))}
    return [path.parent for path, text in texts.items() if "\n_EXPORTS = {" in text]


def stub(folder: Path) -> str:
    """What the stub of a package must be."""
    tree = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    tables = [n.value for n in tree.body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "_EXPORTS"]
    home = homes(ast.literal_eval(tables[0]))
    modules: dict[str, list[str]] = {}
    for name, (module, inside) in home.items():
        modules.setdefault(module, []).append(name if name == inside else f"{inside} as {name}")
    lines = [(module, _import(module, sorted(names, key=_by_kind))) for module, names in modules.items()]
    lines += [
        (str(node.module), ast.unparse(node))
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.names[0].asname == node.names[0].name
    ]
    folders = [n.value for n in tree.body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "_FOLDERS"]
    package = ".".join(folder.relative_to(SOURCES).parts)
    called = [n.value for n in tree.body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "_CALLED"]
    functions = ast.literal_eval(called[0]) if called else {}
    for name in ast.literal_eval(folders[0]) if folders else ():
        home_of = functions.get(name, package)
        lines.append((home_of, f"from {home_of} import {name} as {name}"))
    exported = ["", "__all__ = [", *(f'    "{name}",' for name in sorted(home, key=_by_kind)), "]"]
    return HEADING + "\n".join([line for _, line in sorted(lines)] + exported) + "\n"


def _import(module: str, names: list[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    return line if len(line) <= 120 else f"from {module} import (\n" + "".join(f"    {n},\n" for n in names) + ")"


def _by_kind(name: str) -> tuple[int, str]:
    """Constants, classes, functions: the order in which ruff sorts imports."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


if __name__ == "__main__":
    for each in lazy_packages():
        (each / "__init__.pyi").write_text(stub(each), encoding="utf-8")
