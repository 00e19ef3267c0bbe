"""Junk in every attribute and argument of every type of element, and what `dt.check` says of it.

`cases()` are elements of all types, each in a model of its own that is in order. `trials(case)` sets each attribute of
it, and each argument of its constructor, to each of `JUNK`; `outcome` of a trial says what came of it.
"""

from __future__ import annotations

import dataclasses
import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import duoti as dt
from duoti import bond
from duoti.analyses.simulate.named_options import CONSTRAINT_METHODS, SOLVERS
from duoti.model.constructor_schema import arguments_of, fields_of
from duoti.model.contacts import CONTACT_TYPES
from duoti.model.element_id import ElementId
from duoti.model.joints import JOINT_TYPES
from support.random_constraints import CONSTRAINT_SAMPLES
from support.random_constraints import SAMPLES as CONSTRAINTS
from support.random_forces import BETWEEN_BODIES
from support.random_forces import SAMPLES as FORCES

ROD = dt.Inertia.rod(1.0, length=1.0, axis="x")


def foreign() -> dt.Body:
    return dt.Model("another").add_body("body of another model", ROD)


class Thing:
    """An object without a meaning."""

    def __repr__(self) -> str:
        return "<thing>"


JUNK: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "nan": lambda: math.nan,
    "inf": lambda: math.inf,
    "-1": lambda: -1,
    "0": lambda: 0,
    "1e308": lambda: 1e308,
    "10**400": lambda: 10**400,
    "empty text": lambda: "",
    "text": lambda: "abc",
    "long text": lambda: "a" * 100_000,
    "many words": lambda: "kg " * 20_000,
    "brackets": lambda: "(" * 5_000,
    "empty list": list,
    "empty dict": dict,
    "dict": lambda: {"abc": 1.0},
    "object": Thing,
    "class": lambda: Thing,
    "function": lambda: lambda *x: 1 / 0,
    "complex": lambda: 3 + 4j,
    "pair": lambda: (1.0, 2.0),
    "seven": lambda: (1.0,) * 7,
    "nested": lambda: [[1.0, [2.0]], "abc", None],
    "texts": lambda: ["abc", "def", "ghi"],
    "huge list": lambda: [10**400] * 3,
    "nans": lambda: [math.nan] * 3,
    "bytes": lambda: b"abc",
    "True": lambda: True,
    "array": lambda: np.ones((2, 3, 4)),
    "array of objects": lambda: np.array([Thing(), None, "abc"], dtype=object),
    "empty array": lambda: np.zeros((0, 3)),
    "set": lambda: {1.0, 2.0, 3.0},
    "iterator": lambda: iter([1.0, 2.0, 3.0]),
    "model": lambda: dt.Model("another"),
    "foreign body": foreign,
}
"""Makers of values that mean nothing in most places."""

OF_THE_STATE = ("cannot-assemble", "inconsistent-rates", "undefined-equation", "no-inertia", "singular-start")
"""Codes of findings about numbers that are numbers, but lead nowhere."""
ALIASES = {"parent_reference": "parent", "child_reference": "child"}
CLEAR = (TypeError, ValueError, dt.DuotiError)
"""What constructors may raise themselves; `dt.check` may not."""


@dataclass
class Case:
    """An element: how to make a model with it, and the element (or a part of it) there."""

    label: str
    build: Callable[[], tuple[dt.Model, Any]]
    element: ElementId | None
    replace: Callable[[dt.Model, Any], None] | None = None
    """Puts another one, made by the constructor, in its place."""
    skip: tuple[str, ...] = ()


def base() -> dt.Model:
    """A chain of two hinges with a slider at its end, and markers."""
    m = dt.Model("host", parameters={"k": 3.0})
    for i in range(2):
        m.add_body(f"rod{i}", ROD, position=(i + 0.5, 0, 0), shapes=[dt.Shape.sphere(0.1)])
    m.add_body("slider", ROD, position=(2.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), "ground", "rod0", at=(0, 0, 0), limits=[(-2, 2)])
    m.add_joint("B", dt.Revolute("y"), "rod0", "rod1", at=(1, 0, 0))
    m.add_joint("C", dt.Prismatic("x"), "rod1", "slider", at=(2, 0, 0))
    m.add_marker("a", "rod0", (0.1, 0.2, 0.3))
    m.add_marker("b", "slider", (0.3, 0.1, 0.1), rotation=dt.Rotation.about("x", 0.3))
    m.add_marker("g", "ground", (0.3, 1.0, 0.1))
    m.add_state("z", "-z", 0.1)
    return m


def _force(kind: str) -> Case:
    def build():
        m = base()
        force = m.add_force("E", FORCES[kind](np.random.default_rng(3), "a", "b", "A", 0))
        return m, force

    return Case(f"force {kind}", build, ElementId("force", "E"), lambda m, new: m.forces.update(E=new))


def _constraint(kind: str) -> Case:
    def build():
        m = base()
        a = "g" if kind.startswith("rolling") else "b"
        return m, m.add_constraint("E", CONSTRAINTS[kind](np.random.default_rng(3), "a", a, "g", "A", "C"))

    return Case(f"constraint {kind}", build, ElementId("constraint", "E"), lambda m, new: m.constraints.update(E=new))


JOINTS = {
    "composite": lambda: dt.Composite(dt.Revolute("x"), dt.Revolute("y")),
    "screw": lambda: dt.Screw("x", 0.1),
    "planar": lambda: dt.Planar("y"),
    "universal": lambda: dt.Universal("x", "y"),
    **{kind: (lambda k=kind: JOINT_TYPES[k]("x")) for kind in ("cylindrical", "prismatic", "revolute")},
    **{kind: (lambda k=kind: JOINT_TYPES[k]()) for kind in ("fixed", "free", "spherical", "translation")},
}


def _joint(kind: str) -> Case:
    def build():
        m = base()
        m.add_body("last", dt.Inertia.box(1.0, (0.1, 0.2, 0.3)), position=(3, 0, 0))
        joint = JOINTS[kind]()
        m.add_joint("E", joint, "slider", "last", at=(3, 0, 0))
        return m, joint

    def replace(m: dt.Model, new: Any) -> None:
        m.joints["E"].joint = new

    return Case(f"joint type {kind}", build, ElementId("joint", "E"), replace)


LAWS = {
    "compliant_contact": lambda: dt.CompliantContact(stiffness=1e5, damping=0.1, friction=0.3),
    "rigid_contact": lambda: dt.RigidContact(friction=0.3),
    "rolling_contact": lambda: dt.RollingContact(0.3, 8e10, 0.3, (4.0, 4.0, 1.5)),
}


def _with_contact(kind: str):
    m = base()
    rolling = kind == "rolling_contact"
    profile = dt.Shape.revolution("0.4 - 0.05*z", (-0.1, 0.1)) if rolling else dt.Shape.sphere(0.1)
    contact = m.add_contact("E", LAWS[kind](), "ground", "rod0", shapes=(dt.Shape.plane(position=(0, 0, -3)), profile))
    return m, contact


def _law(kind: str) -> Case:
    def build():
        m, contact = _with_contact(kind)
        return m, contact.law

    def replace(m: dt.Model, new: Any) -> None:
        m.contacts["E"].law = new

    return Case(f"contact law {kind}", build, ElementId("contact", "E"), replace)


def _in(section: str, name: str, add: Callable[[dt.Model], Any] | None = None, kind: str = "", **others: Any) -> Case:
    def build():
        m = base()
        if add is not None:
            add(m)
        return m, getattr(m, section)[name]

    kind = kind or section.removesuffix("s")
    return Case(f"{kind}", build, ElementId(kind, name), **others)  # pyright: ignore[reportArgumentType]


SHAPES = {
    "sphere": lambda: dt.Shape.sphere(0.1),
    "box": lambda: dt.Shape.box((0.1, 0.2, 0.3)),
    "capsule": lambda: dt.Shape.capsule(0.1, 0.3),
    "cylinder": lambda: dt.Shape.cylinder(0.1, 0.3),
    "revolution": lambda: dt.Shape.revolution("0.4 - 0.05*z", (-0.1, 0.1)),
    "extrusion": lambda: dt.Shape.extrusion("0.1*x", 1.0, (-1.0, 1.0)),
    "plane": lambda: dt.Shape.plane(),
}


def _shape(kind: str, of_contact: bool) -> Case:
    def build():
        m = base()
        shape = SHAPES[kind]()
        sphere = dt.Shape.sphere(0.1)
        if of_contact:
            law = dt.RigidContact(friction=0.3)
            m.add_contact("E", law, "ground", "rod0", shapes=(shape, sphere))
        else:
            m.bodies["rod0"].shapes = [shape]
        return m, shape

    def replace(m: dt.Model, new: Any) -> None:
        if of_contact:
            m.contacts["E"].shapes = (new, dt.Shape.sphere(0.1))
        else:
            m.bodies["rod0"].shapes = [new]

    element = ElementId("contact", "E") if of_contact else ElementId("body", "rod0")
    return Case(f"shape {kind} of a {element.kind}", build, element, replace)


STEEL = dt.Material(2.1e11, 0.3, 7850.0)
BEAM = dt.Beam(dt.Section.circle(0.01), STEEL)


def _of_call(label: str, method: str, kind: str, name: str, /, **good: Any) -> Case:
    """A method of the model whose arguments are junk."""
    return Case(label, lambda: (base(), (method, {"name": name, **good})), ElementId(kind, name))  # pyright: ignore[reportArgumentType]


def _calls() -> list[Case]:
    return [
        _of_call("add_body", "add_body", "body", "free", inertia=ROD, position=(0, 0, 0)),
        _of_call("add_marker", "add_marker", "marker", "E", body="rod0"),
        _of_call("add_joint", "add_joint", "joint", "E", joint=dt.Revolute("y"), parent="ground", child="slider"),
        _of_call("add_contact", "add_contact", "contact", "E", law=dt.RigidContact(), a="rod0", b="rod1"),
        _of_call("add_beam", "add_beam", "beam", "E", beam=BEAM, start=(0, 1, 0), end=(1, 1, 0), elements=2),
        _of_call("add_cable", "add_cable", "cable", "E", start=(0, 1, 0), end=(1, 1, 0), stiffness=1e5,
                 mass_per_length=1.0, elements=3),
        _of_call("add_segments", "add_segments", "segments", "E", beam=BEAM, start=(0, 1, 0), end=(1, 1, 0),
                 segments=3),
        _of_call("add_second_order_system", "add_second_order_system", "second_order_system", "E",
                 mass=np.eye(2), stiffness=np.eye(2), damping=np.eye(2), forces=["sin(t)", 0.0]),
        _of_call("add_table", "add_table", "table", "E", x=[0, 1, 2], y=[0, 1, 4]),
        _of_call("add_state", "add_state", "state", "E", rate="-z"),
        _of_call("add_controller", "add_controller", "event", "E", function=lambda a: a, inputs=["A.angle"],
                 outputs={"u": 0.0}, period=0.01, start=0.0),
        _of_call("add_vector_state", "add_vector_state", "state", "E", rates=["-z", 0.0], initial=[0.0, 1.0]),
    ]  # fmt: skip


def _event() -> Case:
    def build():
        m = base()
        return m, m.add_event("E", dt.Event("A.angle - 1", direction="rising", sets={"z": 1.0}))

    return Case("event", build, ElementId("event", "E"), lambda m, new: m.events.update(E=new))


GRAPH_ELEMENTS = {
    "Se": lambda: bond.Se(3.0),
    "Sf": lambda: bond.Sf(0.1),
    "I": lambda: bond.I(2.0),
    "C": lambda: bond.C(3.0),
    "R": lambda: bond.R(1.0),
    "TF": lambda: bond.TF(2.0),
    "GY": lambda: bond.GY(2.0),
    "MTF": lambda: bond.MTF("2 + sin(t)"),
    "MGY": lambda: bond.MGY("2 + sin(t)"),
}


def _bond(kind: str) -> Case:
    """An element at a junction; two-ports have a resistor behind them, and a source of flow its own junction."""

    def build():
        m, graph = base(), bond.Graph("G")
        element = graph.add("E", GRAPH_ELEMENTS[kind]())
        graph.add("j", bond.Zero() if kind == "Sf" else bond.One())
        for name, other in (("mass", bond.I(1.0)), ("loss", bond.R(1.0))):
            graph.add(name, other)
            graph.bond("j", name)
        graph.bond(*(("E", "j") if kind in ("Se", "Sf") else ("j", "E")))
        if kind in ("TF", "GY", "MTF", "MGY"):
            graph.add("behind", bond.R(1.0))
            graph.bond("E", "behind")
        m.add_bond_graph("G", graph)
        return m, element

    def replace(m: dt.Model, new: Any) -> None:
        m.bond_graphs["G"].graph.elements["E"] = new

    return Case(f"bond {kind}", build, ElementId("bond_graph", "G"), replace)


def _task(kind: str) -> Case:
    """A solver or a constraint method that a task asks for."""
    types, key = (SOLVERS, "solver") if kind in SOLVERS else (CONSTRAINT_METHODS, "constraints")

    def build():
        m = base()
        m.tasks["simulate"] = {"duration": 1.0, key: kind}
        return m, types[kind](**{name: 0.01 for name, field in fields_of(types[kind]).items() if field.required})

    def replace(m: dt.Model, new: Any) -> None:
        given = {name: getattr(new, name) for name in fields_of(type(new))}
        m.tasks["simulate"][key] = {"type": kind, **given}

    return Case(f"task {kind}", build, ElementId("task", "simulate"), replace)


MAKERS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "Inertia": (dt.Inertia, {"mass": 1.0, "com": (0, 0, 0), "matrix": np.eye(3)}),
    "Inertia.rod": (dt.Inertia.rod, {"mass": 1.0, "length": 1.0}),
    "Inertia.box": (dt.Inertia.box, {"mass": 1.0, "size": (1, 2, 3)}),
    "Inertia.sphere": (dt.Inertia.sphere, {"mass": 1.0, "radius": 1.0}),
    "Inertia.cylinder": (dt.Inertia.cylinder, {"mass": 1.0, "radius": 1.0, "length": 2.0}),
    "Material": (dt.Material, {"youngs_modulus": 2e11, "poisson_ratio": 0.3, "density": 7850.0}),
    "Section.circle": (dt.Section.circle, {"radius": 0.1}),
    "Section.rectangle": (dt.Section.rectangle, {"width": 0.1, "height": 0.2}),
    "Section.polygon": (dt.Section.polygon, {"points": [(0, 0), (1, 0), (0, 1)]}),
    "Beam": (dt.Beam, {"section": dt.Section.circle(0.1), "material": dt.Material(2e11, 0.3, 7850.0)}),
    "Rotation.about": (dt.Rotation.about, {"axis": "x", "angle": 0.1}),
    "Shape.box": (dt.Shape.box, {"size": (1, 2, 3)}),
    "Shape.extrusion": (dt.Shape.extrusion, {"profile": "0.1*x", "length": 1.0, "limits": (-1, 1)}),
    "Shape.heightfield": (dt.Shape.heightfield, {"heights": [[0, 0], [0, 1]], "lengths": (1, 1)}),
    "Shape.mesh": (dt.Shape.mesh, {"file": "a.stl"}),
    "Function": (dt.Function, {"function": abs, "inputs": ("t",)}),
}
"""Values without a model: their constructors refuse junk in words."""


def _maker(name: str) -> Case:
    return Case(f"maker {name}", lambda: (base(), MAKERS[name]), None)


def cases() -> list[Case]:
    """Elements of all types."""
    found = [_force(kind) for kind in BETWEEN_BODIES]
    found += [_constraint(kind) for kind in CONSTRAINT_SAMPLES]
    found += [_joint(kind) for kind in JOINT_TYPES]
    found += [_law(kind) for kind in CONTACT_TYPES]
    found += [
        Case("contact", lambda: _with_contact("rigid_contact"), ElementId("contact", "E")),
        _in("bodies", "rod0", kind="body"),
        _in("markers", "a"),
        _in("joints", "A", skip=("body_name",)),
        _in("states", "z"),
        _in("tables", "T", lambda m: m.add_table("T", [0, 1, 2], [0, 1, 4])),
        _event(),
        Case("model", lambda: (m := base(), m), None, skip=("name", "source_locations", "sources",
             "mesh_folders", "import_notes", "imported", "expansion", "duplicates")),
    ]  # fmt: skip
    found += [_shape(kind, of_contact) for kind in SHAPES for of_contact in (True, False)]
    found += _calls()
    found += [_bond(kind) for kind in GRAPH_ELEMENTS]
    found += [_task(kind) for kind in (*SOLVERS, *CONSTRAINT_METHODS)]
    found += [_maker(name) for name in MAKERS]
    return found


@dataclass
class Trial:
    """One attribute or argument of a case set to one kind of junk."""

    case: Case
    key: str
    junk: str
    by: str
    """"attribute" or "argument"."""

    def __str__(self) -> str:
        return f"{self.case.label}: {self.by} {self.key} = {self.junk}"


def trials(case: Case) -> Iterator[Trial]:
    """All trials of a case."""
    _, target = case.build()
    if isinstance(target, tuple):
        method = getattr(dt.Model, target[0]) if isinstance(target[0], str) else target[0]
        for key in fields_of(method):
            if key != "self":
                yield from (Trial(case, key, junk, "argument") for junk in JUNK)
        return
    frozen = dataclasses.is_dataclass(target) and type(target).__dataclass_params__.frozen  # pyright: ignore[reportAttributeAccessIssue]
    for key in [] if frozen or case.label.startswith("task") else vars(target):
        if not key.startswith("_") and key not in case.skip:
            yield from (Trial(case, key, junk, "attribute") for junk in JUNK)
    for key in fields_of(type(target)) if case.replace is not None else ():
        yield from (Trial(case, key, junk, "argument") for junk in JUNK)


@dataclass
class Outcome:
    """What came of a trial: "refused" by the constructor, "reported", "accepted", or a fault of duoti."""

    word: str
    text: str = ""


_BEFORE: dict[str, set[str]] = {}


def _before(case: Case) -> set[str]:
    """Errors of the model without junk: a body that a trial adds is attached to nothing."""
    if case.label not in _BEFORE:
        m, target = case.build()
        if isinstance(target, tuple) and isinstance(target[0], str):
            getattr(m, target[0])(**target[1])
        _BEFORE[case.label] = {f.what for f in dt.check(m).errors}
    return _BEFORE[case.label]


def outcome(trial: Trial) -> Outcome:
    """Do it."""
    case, junk = trial.case, JUNK[trial.junk]()
    m, target = case.build()
    try:
        if isinstance(target, tuple):
            method = getattr(m, target[0]) if isinstance(target[0], str) else target[0]
            method(**{**target[1], trial.key: junk})
        elif trial.by == "attribute":
            setattr(target, trial.key, junk)
        else:
            assert case.replace is not None
            fields = fields_of(type(target))
            if "parts" in [f.kind for f in fields.values()]:
                case.replace(m, type(target)(junk))
            else:
                case.replace(m, type(target)(**{**arguments_of(target, fields), trial.key: junk}))
    except CLEAR as error:
        return Outcome("refused", str(error)) if str(error) else Outcome("empty message")
    except Exception as error:
        if isinstance(error, ZeroDivisionError) and trial.junk == "function":
            return Outcome("refused", "by what the user's function raises")
        return Outcome("constructor raises", f"{type(error).__name__}: {error}"[:300])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            report = dt.check(m)
            text = str(report)
    except Exception as error:
        return Outcome("raises", f"{type(error).__name__}: {error}"[:300])
    errors = [f for f in report.errors if f.what not in _before(case) and f.code not in OF_THE_STATE]
    if not errors:
        return Outcome("accepted")
    named = [f for f in errors if case.element is None or case.element in f.elements]
    if not named and isinstance(target, tuple):  # the elements that it becomes have names that begin with its own
        named = [f for f in errors if f.element is not None and str(f.element.name).startswith(target[1]["name"])]
        if named:
            return Outcome("reported", text[:300])
    if not named and trial.key != "name":
        return Outcome("not named", text[:400])
    if case.label.startswith("bond") and any('"E"' in f.what for f in named):
        return Outcome("reported", text[:300])
    if trial.key == "name" or (case.label.startswith("shape") and any("shape" in f.key + f.what for f in named)):
        return Outcome("reported", text[:300])
    own = trial.by == "argument" or isinstance(target, tuple) or trial.key in fields_of(type(target))
    if own and not any(
        trial.key == f.key or trial.key in f.what or ALIASES.get(trial.key, "?") == f.key for f in named
    ):
        return Outcome("attribute not named", text[:400])
    if len(text) > 20_000:
        return Outcome("too long", text[:400])
    return Outcome("reported", text[:300])
