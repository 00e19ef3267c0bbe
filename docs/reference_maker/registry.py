"""What has a page: every public type and function, discovered, in groups."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import duoti as dt
from duoti.bond.elements import ELEMENT_TYPES
from duoti.formats.yaml.sections import TYPED


@dataclass(frozen=True)
class Item:
    """One page: the group it is in, its file name, the name in Python (`dt.Revolute`), and the thing itself."""

    group: str
    name: str
    spelled: str
    thing: Any
    kind: str = ""
    """Its `type` in model files."""

    @property
    def title(self) -> str:
        """Its bare name."""
        return self.spelled.rpartition(".")[2]

    @property
    def path(self) -> str:
        """Its page, below docs/reference."""
        return f"{self.group}/{self.name}.md"


@dataclass(frozen=True)
class Group:
    """A folder of pages: its title, one or two sentences, and links."""

    name: str
    title: str
    text: str
    guide: str = ""
    theory: str = ""


GROUPS = [
    Group("joints", "Joints", "A joint connects a parent body to a child body and leaves it some freedoms. "
          "`m.add_joint(name, joint, parent, child, at=)` adds one.",
          "guide/model/modelling.md", "theory/03_rotations_and_joints.md"),
    Group("forces", "Forces", "A force element acts on bodies or joints and keeps account of its energy. "
          "`m.add_force(name, force)` adds one.", "guide/model/forces.md", "theory/04_recursive_dynamics.md"),
    Group("constraints", "Constraints", "A constraint is one or more equations between positions or velocities. "
          "`m.add_constraint(name, constraint)` adds one.", "guide/model/constraints.md", "theory/06_loops.md"),
    Group("contacts", "Contact laws", "A contact law says how two surfaces act on each other. "
          "`m.add_contact(name, law, a, b, shapes=)` adds a pair.",
          "guide/contact/contact.md", "theory/08_impact_and_friction.md"),
    Group("solvers", "Solvers", "A solver integrates the equations of motion: `dt.simulate(m, duration, "
          "solver=dt.Radau())`. Without one, `dt.choose_solver` chooses.",
          "guide/simulate/solvers.md", "theory/07_integrators.md"),
    Group("constraint_methods", "Constraint methods", "A constraint method keeps closed loops and constraints "
          "satisfied: `dt.simulate(m, duration, constraints=dt.Baumgarte())`.",
          "guide/simulate/constraint_methods.md", "theory/06_loops.md"),
    Group("analyses", "Analyses", "An analysis is a function of a model or a compiled system.",
          "guide/analyses/dynamics.md", ""),
    Group("model", "Model", "The model, its parts, and the spatial quantities that describe them.",
          "guide/model/modelling.md", "theory/01_notation.md"),
    Group("beams", "Beams", "Materials, sections and beams. `m.add_beam(...)` adds one.",
          "guide/flexible/beams.md", "theory/12_beams.md"),
    Group("flexible", "Flexible bodies", "Bodies that deform, meshes, and the reduction of structures.",
          "guide/flexible/flexible.md", "theory/11_component_modes_and_stiffening.md"),
    Group("bond_graphs", "Bond graphs", "Graphs, elements, ports and parts. "
          "`m.add_bond_graph(name, graph, ports=)` adds one.",
          "guide/model/bond_graphs.md", "theory/13_bond_graphs.md"),
    Group("vehicles", "Vehicles", "Suspensions, axles and cars as sub-models, and the manoeuvres by which cars are "
          "judged. Axes are those of ISO 8855: x forward, y left, z up.", "guide/model/vehicles.md", ""),
    Group("contact_problems", "Contact problems on plain matrices", "Complementarity problems and impacts, "
          "given by matrices.", "guide/contact/complementarity.md", "theory/09_complementarity_and_time_stepping.md"),
    Group("topology", "Topology", "Graphs, spanning trees, loops and cut joints.",
          "guide/model/topology.md", "theory/02_topology.md"),
    Group("results", "Results", "What a simulation returns, and what it holds.", "guide/results/results.md", ""),
    Group("viewer", "Viewer", "Show models and results in a browser.", "guide/results/viewer.md", ""),
    Group("files", "Files", "Load and save models and results, in duoti's own format and others.",
          "guide/files/model_files.md", ""),
    Group("errors", "Errors and warnings", "All errors derive from `dt.DuotiError`.", "troubleshooting.md", ""),
]  # fmt: skip
BY_NAME = {group.name: group for group in GROUPS}

PACKAGES = (
    "analyses", "beams", "bond", "contact", "errors", "flexible", "formats", "identification", "integrate", "results",
    "spatial", "textbook", "topology", "vehicle", "view",
)  # fmt: skip
GROUP_OF_PACKAGE = {
    "analyses": "analyses", "beams": "beams", "bond": "bond_graphs", "contact": "contact_problems", "errors": "errors",
    "flexible": "flexible", "formats": "files", "identification": "analyses", "results": "results",
    "spatial": "model", "textbook": "analyses", "topology": "topology", "vehicle": "vehicles", "view": "viewer",
    "system": "model", "model": "model", "integrate": "solvers", "dynamics": "analyses",
}  # fmt: skip
EXCEPTIONS = {
    "Lineariser": "analyses", "Evaluator": "analyses", "Trajectory": "analyses", "compile": "analyses",
    "open_result": "files", "Material": "beams", "Section": "beams", "Beam": "beams", "Mode": "analyses",
    "Kane": "analyses", "topology": "analyses", "Objective": "analyses",
    "contact_problem": "analyses", "SolverChoice": "analyses",
    "ContactProblem": "analyses", "ContactSolution": "analyses", "kane": "analyses", "EnergyFlow": "results",
}  # fmt: skip
OWN_PAGE = {"Model", "Result", "System", "Topology", "Inertia", "Graph", "DrivenResult", "EnergyFlow", "Page", "Tyre"
            }  # fmt: skip
"""Classes with a page of their own; others are shown with the function that returns them."""
RECORDS = {"duoti.results.records": "Energy Stats EventRecord ImpactRecord", "duoti.results.energy_flow": "Part"}
"""What results hold, which nobody imports."""
WITH_METHOD_PAGES = (dt.Model, dt.Result)
"""Classes whose methods have pages of their own, if there is more to say than one sentence."""
INTERNAL = {"DOF", "JointLike", "ModelLike"}


@cache
def items() -> tuple[Item, ...]:
    """All pages, in the order of the groups."""
    found: dict[str, Item] = {}
    seen: dict[int, Item] = {}

    def add(group: str, name: str, spelled: str, thing: Any, kind: str = "") -> None:
        if id(thing) in seen:
            return
        item = Item(group, name, spelled, thing, kind)
        seen[id(thing)] = found[item.path] = item

    public = _public()
    spelled_of = {id(thing): spelled for spelled, thing in reversed(public)}
    for section in ("joints", "forces", "constraints", "contacts"):
        for kind, cls in TYPED[section][1].items():
            if id(cls) in spelled_of:
                add(section, kind, spelled_of[id(cls)], cls, kind)
    for name, cls in _named("duoti.integrate"):
        add("solvers", name.lower() if name.isupper() else snake(name), f"dt.{name}", cls)
    for name, cls in _named("duoti.dynamics.loops.constraint_methods"):
        add("constraint_methods", snake(name), f"dt.{name}", cls)
    for cls in ELEMENT_TYPES.values():
        add("bond_graphs", snake(cls.__name__), f"dt.bond.{cls.__name__}", cls)
    returned = (returned_class(thing) for _, thing in public if inspect.isfunction(thing))
    shown_with = {id(cls) for cls in returned if cls and cls.__name__ not in OWN_PAGE}
    for spelled, thing in public:
        name = spelled.rpartition(".")[2]
        if id(thing) in seen or name in INTERNAL or id(thing) in shown_with:
            continue
        if inspect.isclass(thing) and issubclass(thing, Exception):
            group = "errors"
        else:
            package = spelled.split(".")[1] if spelled.count(".") > 1 else thing.__module__.split(".")[1]
            group = EXCEPTIONS.get(name) or GROUP_OF_PACKAGE[package]
        add(group, snake(name), spelled, thing)
    for module, names in RECORDS.items():
        for name in names.split():
            thing = getattr(importlib.import_module(module), name)
            add("results", snake(name), f"{module}.{name}", thing)
    for cls in WITH_METHOD_PAGES:
        home = seen[id(cls)]
        for name, function in vars(cls).items():
            explained = inspect.getdoc(function) or "" if inspect.isfunction(function) else ""
            if not name.startswith("_") and "\n\n" in explained:
                add(home.group, name, f"{home.spelled}.{name}", function)
    order = [group.name for group in GROUPS]
    primary = {f"dt.{cls.__name__}" for cls in WITH_METHOD_PAGES}

    def place(item: Item) -> tuple[int, bool, bool, str]:
        of_primary = item.spelled in primary or item.spelled.rpartition(".")[0] in primary
        return order.index(item.group), not of_primary, item.spelled not in primary, item.name

    return tuple(sorted(found.values(), key=place))


def _named(module: str) -> list[tuple[str, Any]]:
    home = importlib.import_module(module)
    return [(name, getattr(home, name)) for name in home.__all__]


def _public() -> list[tuple[str, Any]]:
    """(`dt.name` or `dt.package.name`, thing) of everything exported, the shortest spelling first."""
    found = [(f"dt.{name}", getattr(dt, name)) for name in dt.__all__ if not name.startswith("_")]
    for package in PACKAGES:
        try:
            home = importlib.import_module(f"duoti.{package}")
        except ModuleNotFoundError:
            continue
        found += [(f"dt.{package}.{name}", getattr(home, name)) for name in sorted(home.__all__) if name != package]
        if package in home.__all__:  # `dt.topology` is called like the function in it
            found.append((f"dt.{package}", getattr(home, package)))
    library = importlib.import_module("duoti.bond.library")
    names = getattr(library, "__all__", None) or [
        name for name, thing in vars(library).items()
        if not name.startswith("_") and inspect.isfunction(thing) and thing.__module__ == library.__name__
    ]  # fmt: skip
    found += [(f"dt.bond.library.{name}", getattr(library, name)) for name in names]
    return [(s, t) for s, t in found if inspect.isclass(t) or inspect.isfunction(t)]


def snake(name: str) -> str:
    """`SpringDamper` -> `spring_damper`."""
    parts: list[str] = []
    for k, letter in enumerate(name):
        begins = letter.isupper() and k > 0 and (name[k - 1].islower() or name[k + 1 : k + 2].islower())
        parts.append("_" + letter if begins and name[k - 1] != "_" else letter)
    return "".join(parts).lower()


@cache
def returned_class(function: Callable[..., Any]) -> type | None:
    """The class of the package that a function returns, by its annotation."""
    inner = inspect.unwrap(function)
    annotation = inner.__annotations__.get("return", "")
    if not isinstance(annotation, str):
        annotation = getattr(annotation, "__name__", "")
    name = annotation.split("|")[0].split("[")[-1].strip(" ]'\"")
    found = inner.__globals__.get(name)
    if found is None and name.isidentifier():
        for package in ("analyses", "results", "contact", "flexible", "textbook", "identification"):
            found = getattr(importlib.import_module(f"duoti.{package}"), name, None) or found
    return found if inspect.isclass(found) and found.__module__.startswith("duoti") else None
