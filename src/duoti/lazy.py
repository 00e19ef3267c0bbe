"""Names of a package that are imported when they are first used (PEP 562): most runs use few of them.

    _EXPORTS = {"duoti.formats.load": "load", "duoti.formats.errors": "ModelFileError"}
    __all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)

Type checkers, editors and the documentation read such a package's names in its `__init__.pyi`, which
`python tests/support/make_stub.py` writes from the same table. What a package imports for its users all the same, it
imports as `from x import y as y`.

Such an import may come in the middle of anything, and so may Ctrl-C. An interrupted import of NumPy cannot be repeated
in the same process; Ctrl-C therefore waits until the modules of duoti, and what they import, are loaded as a whole.
"""

from __future__ import annotations

import sys
from _thread import get_ident
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import ModuleType
from typing import Any, ClassVar


class _WholeLoader(SourceFileLoader):
    """Loads a module of duoti as a whole: handlers of signals wait until it, and all that it imports, is there."""

    loading: ClassVar[set[int]] = set()  # threads that are inside an import of duoti

    def exec_module(self, module: ModuleType) -> None:
        """See the loaders of importlib."""
        me = get_ident()
        if me in self.loading or self.name == "duoti.signals":
            super().exec_module(module)
            return
        from duoti.signals import handlers_wait

        with handlers_wait():
            self.loading.add(me)
            try:
                super().exec_module(module)
            finally:
                self.loading.discard(me)


class _WholeFinder:
    """Finds the modules of duoti where the other finders do, for that loader."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """See the finders of importlib."""
        if not name.startswith("duoti."):
            return None
        for finder in sys.meta_path:
            spec = None if finder is _WholeFinder else finder.find_spec(name, path, target)
            if spec is not None:
                if type(spec.loader) is SourceFileLoader:
                    spec.loader = _WholeLoader(spec.loader.name, spec.loader.path)
                return spec
        return None


if not any(getattr(each, "__name__", "") == "_WholeFinder" for each in sys.meta_path):
    sys.meta_path.insert(0, _WholeFinder)


def homes(exports: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Module and name in it of every public name, sorted.

    The table has modules, each with its names: `{"duoti.system.compile.compiler": "compile_model as compile"}`.
    """
    found: dict[str, tuple[str, str]] = {}
    for module, names in exports.items():
        for each in names.split(", "):
            inside, _, public = each.partition(" as ")
            found[public or inside] = module, inside
    return dict(sorted(found.items()))


def names_of(
    package: str,
    exports: Mapping[str, str],
    folders: tuple[str, ...] = (),
    moved: Callable[[], Mapping[str, str]] = dict,
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """`__all__`, `__getattr__` and `__dir__` of a package with the names of the table.

    `folders` are modules of the package that may be used without an import of their own. `moved` has old names and
    their new ones in or below the package, which are used with a warning.
    """
    home, inside = homes(exports), vars(sys.modules[package])
    sys.modules[package].__class__ = _Package

    def get(name: str) -> Any:
        if name in home:
            module, there = home[name]
            value = inside[name] = getattr(import_module(module), there)
            return value
        if name in folders:
            return import_module(f"{package}.{name}")
        if not name.startswith("_") and name in (old := moved()):
            from duoti.renamed import CALLED_OTHERWISE, warn_renamed

            warn_renamed(f"{package}.{name}", f"{package}.{old[name]}")
            if name in CALLED_OTHERWISE:
                return CALLED_OTHERWISE[name]
            part, _, inside_part = f"{package}.{old[name]}".rpartition(".")
            return getattr(import_module(part), inside_part)
        hint = ""
        if not name.startswith("__"):  # those are tried by tools, not misspelt by people
            from duoti.spelling import did_you_mean

            hint = did_you_mean(name, (*home, *folders, *moved().values()))
        raise AttributeError(f"module {package!r} has no attribute {name!r}.{hint}", name=name)

    return list(home), get, lambda: sorted({*inside, *home})


class _Package(ModuleType):
    """A package in which a public name stays what it is although there is a module of that name, as for `topology`.

    Whoever imports a module below a package makes it an attribute of the package; that is refused here.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (isinstance(value, ModuleType) and name in vars(self).get("__all__", ())):
            super().__setattr__(name, value)


class Later(Mapping[str, Any]):
    """Values by name, each imported when it is asked for; `home` has the module and the name in it of each."""

    def __init__(self, home: Mapping[str, tuple[str, str]]):
        self._home = dict(home)

    def add(self, key: str, module: str, name: str) -> None:
        """One more value, such as one of a user's own module; a key that is taken is refused."""
        if key in self._home:
            raise ValueError(f"{key!r} is there already: {'.'.join(self._home[key])}")
        self._home[key] = module, name

    def remove(self, key: str) -> None:
        """Take a value out again."""
        del self._home[key]

    def __getitem__(self, key: str) -> Any:
        module, name = self._home[key]
        return getattr(import_module(module), name)

    def __contains__(self, key: object) -> bool:
        return key in self._home

    def __iter__(self) -> Iterator[str]:
        return iter(self._home)

    def __len__(self) -> int:
        return len(self._home)
