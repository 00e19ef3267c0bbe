"""What a run of the tests has used of duoti: element types, solvers, constraint methods, file formats.

The short layer of the tests promises at least one use of each (CONTRIBUTING.md, "Tests"). Reading the tests cannot show
that, so it is recorded while they run: `watch` wraps the functions that every model, solver and file passes, each
process writes what it has seen into a folder, and `missing` compares that with the registries of the package.
An element counts when a model that has it is compiled, a solver when it makes a loop for a system, a file format when a
file has been read or written. What raises an error does not count. Of each file in `tests/reference` and
`tests/oracle` one test must have passed.
"""

from __future__ import annotations

import functools
import inspect
import json
import os
import sys
from collections import defaultdict
from importlib import import_module
from pathlib import Path

TESTS = Path(__file__).parents[1]
FAMILIES = ("reference", "oracle")
"""Folders of which each file is a family of cases, one of them at least in the short layer."""

used: dict[str, set[str]] = defaultdict(set)
"""What was used, such as "joint: revolute", and in which tests."""


def registries():
    """Everything that the short layer must use: names of the kinds, by group."""
    from duoti.analyses.simulate.named_options import CONSTRAINT_METHODS, SOLVERS
    from duoti.bond.elements import ELEMENT_TYPES
    from duoti.flexible.elements import SOLIDS
    from duoti.formats.load import LOADERS
    from duoti.formats.mesh.mesh import READABLE
    from duoti.formats.save import WRITERS
    from duoti.model.constraints import CONSTRAINT_TYPES
    from duoti.model.contacts import CONTACT_TYPES
    from duoti.model.equations import EQUATION_KINDS
    from duoti.model.forces import FORCE_TYPES
    from duoti.model.joints import JOINT_TYPES
    from duoti.model.pairs import SHAPE_PAIRS
    from duoti.results.file.kinds import HDF5, TABLES

    return {
        "joint": set(JOINT_TYPES),
        "force": set(FORCE_TYPES),
        "constraint": set(CONSTRAINT_TYPES),
        "constraint equation": set(EQUATION_KINDS),
        "contact law": set(CONTACT_TYPES),
        "pair of shapes": set(SHAPE_PAIRS),
        "bond graph element": set(ELEMENT_TYPES),
        "finite element": {*SOLIDS, "beam"},
        "solver": {each.__name__ for each in SOLVERS.values()},
        "constraint method": {each.__name__ for each in CONSTRAINT_METHODS.values()},
        "model read": set(LOADERS),
        "model written": set(WRITERS),
        "surface mesh read": set(READABLE),
        "result written": {HDF5[0], *TABLES},
        "result read": {HDF5[0]},
        "cases in": {
            f"{path.parent.name}/{path.name}" for each in FAMILIES for path in (TESTS / each).glob("test_*.py")
        },
        "other file": {"table", "DMIG", "mesh of solids", ".mp4", ".gif"},
    }


def watch():
    """Begin to record, in this process."""
    from duoti.analyses.simulate.named_options import CONSTRAINT_METHODS, SOLVERS
    from duoti.formats.load import LOADERS
    from duoti.model import pairs
    from duoti.results.file.kinds import HDF5, TABLES
    from duoti.results.file.run_file import RunFile
    from duoti.results.result import Result
    from duoti.system.system import System

    _after(System, "__init__", lambda _, self, *__, **___: _note_system(self))
    for module, name in (
        ("duoti.contact.build", "find_pair"),
        ("duoti.contact.build", "find_compliant_pair"),
        ("duoti.model.compliant.forces", "find_compliant_pair"),
    ):
        _after(
            import_module(module), name, lambda _, *kinds: _note("pair of shapes", _kind(pairs.find_pair(*kinds)[0]))
        )
    _after_function(
        "duoti.bond.equations.flatten", "flattened",
        lambda flat, *_, **__: [_note("bond graph element", each.kind) for each in flat.elements],
    )  # fmt: skip
    _after_function("duoti.flexible.elements.beam2", "fields", lambda *_, **__: _note("finite element", "beam"))
    _after_method(
        import_module("duoti.flexible.structure.solid").SolidAssembly,
        "matrices",
        lambda _, self, *__, **___: _note("finite element", self.element.kind),
    )
    for each in SOLVERS.values():
        _after_method(each, "loop", lambda _, self, *__, **___: _note("solver", type(self).__name__))
    for each in CONSTRAINT_METHODS.values():
        _after_method(each, "ydot_entry", lambda _, self, *__, **___: _note("constraint method", type(self).__name__))
    for module, name in dict.fromkeys(LOADERS.values()):
        _after_function(module, name, lambda _, path, *__, **___: _note("model read", _ending(path)))
    _after_function("duoti.formats.save", "save", lambda _, model, path: _note("model written", _ending(path)))
    _after_function("duoti.formats.mesh.mesh", "read_mesh", lambda _, path: _note("surface mesh read", _ending(path)))
    for ending, name in TABLES.items():
        _after(Result, name, lambda *_, ending=ending, **__: _note("result written", ending))
    _after(RunFile, "append", lambda *_, **__: _note("result written", HDF5[0]))
    _after_function("duoti.results.file.open", "read_file", lambda *_, **__: _note("result read", HDF5[0]))
    _after_function("duoti.formats.csv_tables", "read_table", lambda *_, **__: _note("other file", "table"))
    _after_function("duoti.flexible.structure.dmig", "read_dmig", lambda *_, **__: _note("other file", "DMIG"))
    _after_function("duoti.flexible.mesh.mesh", "read", lambda *_, **__: _note("other file", "mesh of solids"))
    for name in ("_write_mp4", "_write_animation"):
        _after_function(
            "duoti.view.images.film", name, lambda _, frames, target, *__, **___: _note("other file", _ending(target))
        )


def write(folder):
    """What this process has seen, into a file of its own."""
    text = json.dumps({key: sorted(tests) for key, tests in sorted(used.items())})
    (Path(folder) / f"used-{os.getpid()}.json").write_text(text)


def seen(folder):
    """What all processes have seen: the tests by what they used."""
    found = defaultdict(set)
    for file in Path(folder).glob("used-*.json"):
        for key, tests in json.loads(file.read_text()).items():
            found[key].update(tests)
    return found


def missing(found):
    """What is registered and was not used."""
    return [
        f"{group}: {kind}"
        for group, kinds in registries().items()
        for kind in sorted(kinds)
        if f"{group}: {kind}" not in found
    ]


def note_family(report):
    """Note the file of a test that has passed, if it is a family of cases."""
    folder, _, file = report.nodeid.partition("::")[0].rpartition("/")
    family = folder.rpartition("/")[2]
    if report.when == "call" and report.passed and family in FAMILIES:
        used[f"cases in: {family}/{file}"].add(report.nodeid)


def _note(group, kind):
    used[f"{group}: {kind}"].add(os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0])


def _note_system(system):
    model = system.model
    for kind in {_kind(type(each.joint)) for each in model.joints.values()}:
        _note("joint", kind)
    for group, types in (
        ("force", {type(each) for each in model.forces.values()}),
        ("constraint", {type(each) for each in model.constraints.values()}),
        ("contact law", {type(each.law) for each in model.contacts.values()}),
        ("constraint equation", set(system.equation_kinds)),
    ):
        for each in types:
            _note(group, _kind(each))


def _kind(each):
    return getattr(each, "kind", None) or getattr(each, "__name__", each)


def _ending(path):
    return Path(path).suffix.lower()


def _after(owner, name, call):
    """Call `call` with the value and the arguments of each call of a function of a module or class that succeeds."""
    function = inspect.getattr_static(owner, name)

    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        value = function(*args, **kwargs)
        call(value, *args, **kwargs)
        return value

    # warnings point to the first line outside the package: this one belongs to the function that it wraps
    wrapped.__code__ = wrapped.__code__.replace(co_filename=import_module("duoti").__file__)
    setattr(owner, name, wrapped)
    return function, wrapped


def _after_method(cls, name, call):
    """The same for a method, in the class of the bases that defines it, once."""
    owner = next(each for each in cls.__mro__ if name in vars(each))
    if not hasattr(vars(owner)[name], "__wrapped__"):
        _after(owner, name, call)


def _after_function(module, name, call):
    """The same for a function of a module, also where other modules have imported it already."""
    function, wrapped = _after(import_module(module), name, call)
    for each in [m for n, m in sys.modules.items() if n.partition(".")[0] == "duoti"]:
        for here, value in list(vars(each).items()):
            if value is function:
                setattr(each, here, wrapped)
