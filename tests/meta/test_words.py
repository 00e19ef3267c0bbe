"""Words that were private to this code and have a standard one in the field (docs/glossary.md) do not come back."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from pathlib import Path

ROOT = next(p for p in Path(__file__).resolve().parents if (p / "pyproject.toml").exists())
ME = Path(__file__).resolve()

# components of identifiers, and what to say
COMPONENTS = {
    "dry": "joint_friction",
    "treatment": "constraint_method",
    "treatments": "constraint_methods",
    "stepped": "time_stepping",
    "located": "event_driven",
    "measured": "reaction_feedback",
    "bristle": "lugre",
    "bristles": "lugre",
    "hollow": "non_convex",
    "hollows": "non_convex",
    "varied": "perturbed",
    "seam": "shadow",
    "seams": "shadow_bodies",
    "wishes": "preferences",
    "unsettled": "unconverged",
    "drilling": "torsional",
}
# whole identifiers, by pattern
NAMES = {
    r"\w*_rates_entry": "ydot_entry",
    r"support_rates|parent_rate|tree_rates|unknown_rate": "..._dofs, ..._dof",
    r"RowKind|ROW_KINDS|(Frame|Coordinate|Expression|Closure|Rolling)Row|row_kinds?": "Equation",
    r"TURN_Z|turn_[xz]|turn_about_z|turn_body": "rotate",
    r"(LEAST|FIRST|SHORTEST|NEWTON)_PART|PART_OF_\w+": "FRACTION",
    r"(Contact|Kept|JointFriction|Joint)Modes|Mode(State|Event)|ModesSince": "states",
    r"(pack|put|read|allocate|contact)_modes|modes_in_loops|next_mode": "states",
    r"WORKS|WORKS_COUNT|works_count|_error_of_works": "energy accumulators",
    r"stands_still|_is_still|_set_still": "static, at rest",
    r"give_way|_learn|seat_of|FlexibleSeat": "eliminate_joint, broyden_update, attachment",
    r"StepAccounts|new_accounts|Strike|StruckStops|patient_newton|_from_nothing|ASTRAY|LANDS": "see docs/glossary.md",
    r"begin_look|forget_look|look_from|MOST_LOOKS|watched_step": "collision detection, sub-stepping",
    r"SETTLED|NOTHING": "a name that says what has converged or vanished",
}
ALLOWED = {
    "bristle_stiffness": "public parameter of dt.CompliantContact and dt.JointFriction, as in papers on LuGre",
    "bristle_damping": "the same",
    "BRISTLE_STIFFNESS": "place of that number in the arrays of an element",
    "BRISTLE_DAMPING": "the same",
    "_dry_friction": "dry friction is the field's word",
    "hollow_cylinder": "public: a shape, dt.Inertia.hollow_cylinder",
    "compare_treatments": "public: the old name warns for one version",
    "treatment": "public: attribute of a comparison, for one version",
    "treatments": "public: parameter of compare_treatments, for one version",
    "test_a_measured_motion_drives_a_joint": "a motion that somebody measured",
    "test_events_in_one_step_are_located_together": "events are located",
    "test_a_car_on_stiff_tyres_is_not_stepped_by_its_stability": "the verb",
    "test_slow_bodies_are_stepped_as_ever": "the verb",
}
PROSE = {
    r"\bmodes of (the )?contacts\b|\bcontacts in their modes\b": "contact states",
    r"\bmodes of (the )?joints\b": "friction states",
    r"\bgoes astray\b|\bwent astray\b": "diverges",
    r"\bdry (laws?|joints?|slots?)\b": "joint friction",
    r"\blocated (runs?|simulations?|motions?)\b": "event-driven",
    r"\bstepped (runs?|results?|motions?)\b": "time-stepping",
    r"\btreatments? of (closed )?loops\b": "constraint method",
    r"\b(a|the|each|every) treatment\b": "constraint method",
    r"\bhollows\b|\bhollow mesh": "non-convex",
    r"\bmeasured (quantit(y|ies)|reactions?)\b": "reaction feedback",
    r"\b(initial|modal|joint) rates\b|\bcoordinates and rates\b": "velocities",
}
# the same in the package only, but for files whose text is part of the keys of kernels, or that others work on
SOURCE = ROOT / "src" / "duoti"
SOURCE_COMPONENTS = {"said": "text, message, warned", "told": "reported, given"}
SOURCE_NAMES = {r"STILL|NEAR": "a name that says which quantity is small"}
SOURCE_PROSE = {
    r"\b(row of the tree|rows of (the|a) tree)\b": "link",
    r"\b(is|are|was|were|be|been|being) (said|told)(?! (apart|from))\b": "the active voice",
}
LATER = (
    "contact",
    "dynamics",
    "elements",
    "formats/mjcf",
    "integrate",
    "kernel",
    "model/checks/contacts",
    "model/forces",
    "model/pairs",
    "spatial",
)
# classes of one name in several modules: one name for one thing
CLASSES = (
    "ClosureRow",
    "Distance",
    "Screw",
    "Coupler",
    "Cam",
    "Disc",
    "Equation",
    "Loop",
    "Loops",
    "Layout",
    "Modes",
    "Paths",
    "Place",
    "Plan",
    "Block",
    "Group",
    "Resistance",
    "Rows",
)


def _python() -> list[Path]:
    found = [p for d in ("src", "tests", "benchmarks") for p in (ROOT / d).rglob("*.py")]
    return sorted(p for p in found if p.resolve() != ME)


def _components(name: str) -> set[str]:
    return set(re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower().split("_"))


def _identifiers(text: str) -> set[str]:
    """NAME tokens outside of the module paths of imports."""
    found, statement = set[str](), list[tokenize.TokenInfo]()
    for t in tokenize.generate_tokens(io.StringIO(text).readline):
        if t.type == tokenize.NAME:
            statement.append(t)
        elif t.type == tokenize.NEWLINE:
            names = [each.string for each in statement]
            if names[:1] == ["from"]:
                names = names[names.index("import") :]
            found.update(names if names[:1] != ["import"] or "from" in [s.string for s in statement[:1]] else [])
            statement.clear()
    return found


def test_identifiers_are_of_the_field() -> None:
    faults = defaultdict[str, list[str]](list)
    for path in _python():
        for name in _identifiers(path.read_text()):
            if name in ALLOWED:
                continue
            said = [new for old, new in COMPONENTS.items() if old in _components(name)]
            said += [new for old, new in NAMES.items() if re.fullmatch(old, name)]
            if said:
                faults[f"{name} (say {said[0]})"].append(path.relative_to(ROOT).as_posix())
    assert not faults, dict(faults)


def _rewritten() -> list[Path]:
    return [p for p in SOURCE.rglob("*.py") if not p.relative_to(SOURCE).as_posix().startswith(LATER)]


def test_source_says_what_is_meant() -> None:
    faults = list[str]()
    for path in _rewritten():
        text = path.read_text()
        for name in _identifiers(text):
            found = [new for old, new in SOURCE_COMPONENTS.items() if old in _components(name)]
            found += [new for old, new in SOURCE_NAMES.items() if re.fullmatch(old, name)]
            faults += [f"{path.name}: {name} (say {new})" for new in found]
        for old, new in SOURCE_PROSE.items():
            faults += [f"{path.name}: {m[0]!r} (say {new})" for m in re.finditer(old.replace(" ", r"\s+"), text)]
    assert not faults, "\n".join(faults)


def test_prose_is_of_the_field() -> None:
    """Comments, docstrings, messages and pages; not the diary of changes, not texts quoted from reference cases."""
    pages = [
        p for p in (ROOT / "docs").rglob("*.md") if not p.name.startswith("glossary") and p.parent.name != "validation"
    ]
    pages = [p for p in pages if "history" not in p.parts]
    faults = list[str]()
    for path in [*_python(), *pages, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        text = path.read_text()
        for old, new in PROSE.items():
            for m in re.finditer(old.replace(" ", r"\s+"), text):
                line = text.count("\n", 0, m.start()) + 1
                faults.append(f"{path.relative_to(ROOT).as_posix()}:{line}: {m[0]!r} (say {new})")
    assert not faults, "\n".join(faults)


def test_one_name_for_one_thing() -> None:
    defined = defaultdict[str, list[str]](list)
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and node.name in CLASSES:
                defined[node.name].append(path.relative_to(ROOT).as_posix())
    twice = {name: where for name, where in defined.items() if len(where) > 1}
    assert not twice, twice
