"""Messages are for people: they may be reworded, and nothing but their words changes.

What the program does with a fault, a law, a closure or the end of a run it reads off codes, elements and keys.
"""

import ast
import re
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.simulate import driver
from duoti.dynamics.loops import constraint_methods
from duoti.formats import errors as file_errors
from duoti.formats.yaml import values
from duoti.formats.yaml.file import from_text
from duoti.formats.yaml.units import UnitError, WrongUnitError
from duoti.model import constructor_schema as fields
from duoti.model.checks.findings import Findings
from duoti.model.constraints import CONSTRAINT_TYPES
from duoti.model.element_id import ElementId
from duoti.model.forces import FORCE_TYPES
from duoti.model.joints import JOINT_TYPES
from duoti.model.laws.expressions import ExpressionError
from duoti.results.file import run_file as store
from duoti.results.records import Reason

SOURCES = sorted(Path(dt.__file__).parent.rglob("*.py"))
PAGE = Path(__file__).parents[2] / "docs/guide/model/finding_codes.md"

# ----------------------------------------------------------------------------------------------- the sources themselves

MESSAGES = {"what", "why", "remedy", "message", "reason"}
TESTS = {"startswith", "endswith", "removeprefix", "removesuffix", "find", "index", "split", "partition", "rpartition"}
PATTERNS = {"match", "search", "fullmatch", "findall", "finditer"}
NAMES_OF_ERRORS = {"error", "fault", "problem", "exception", "finding", "f"}


def is_message(node):
    """Whether an expression is the text of a finding, reason or exception; a quantity's `what` is an identifier."""
    if isinstance(node, ast.Attribute) and node.attr in MESSAGES:
        return not (isinstance(node.value, ast.Name) and node.value.id in ("quantity", "q"))
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return node.slice.value == "reason"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "str":
        return any(isinstance(a, ast.Name) and a.id in NAMES_OF_ERRORS for a in node.args)
    return False


def steered_by_words(tree):
    """Places where a message is compared, searched or taken apart."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and any(map(is_message, [node.left, *node.comparators])):
            yield node.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            on = node.func.value
            by_method = is_message(on) and node.func.attr in TESTS
            by_pattern = isinstance(on, ast.Name) and on.id == "re" and any(map(is_message, node.args))
            by_pattern |= node.func.attr in PATTERNS and any(map(is_message, node.args))
            if by_method or by_pattern:
                yield node.lineno


@pytest.mark.parametrize("old", [
    'if "needed here" in str(error): pass',
    'x = status["reason"].startswith("event ")',
    'x = finding.what.removeprefix("parameters: ")',
    '_ELEMENT.findall(finding.what)',
    'any(p.message.startswith("unknown function") for p in problems)',
])  # fmt: skip
def test_what_is_forbidden_is_found(old):
    assert list(steered_by_words(ast.parse(old))) == [1]


def test_no_message_is_read_back():
    prefix = re.compile(r"""["']constraint:["']|startswith\(["'](event|force|body|joint|constraint)\b""")
    found = []
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        lines = {
            *steered_by_words(ast.parse(text)),
            *(text.count("\n", 0, m.start()) + 1 for m in prefix.finditer(text)),
        }
        found += [f"{path}:{line}" for line in sorted(lines)]
    assert found == []


# ---------------------------------------------------------------------------------------------- findings, reworded

FILE = """duoti: 1
parameters:
  load: 3
  wrong: 5 furlong
bodies:
  arm: {inertia: {sphere: {mass: 1, radius: 0.1}},
        position: [0, 0, 0.5]}
  bent: {inertia: {sphere: {mass: 1, radius: =unknown_thing}}}
markers:
  tip:
    body: arm
    position: [0, 0, x]
joints:
  A: {type: revolute, axis: y, between: [ground, arm]}
  B: {type: revolute, axis: up, between: [arm, bent]}
  C:
    type: revolute
    axis: [0, 0, 0]
    between:
      [arm, nowhere]
forces:
  by_spoiled_joint: {type: joint_torque, joint: A, value: B.angle}
  by_spoiled_parameter: {type: joint_torque, joint: A, value: 2*wrong}
  by_nothing:
    type: joint_torque
    joint: A
    value: lode*t
  spring:
    type: joint_spring
    joint: A
    stiffness: 2
    damping: -1
constraints:
  at_the_tip: {type: distance, marker_a: ground, marker_b: tip, length: 1}
events:
  high: {value: tip.position.z, direction: up}
"""


def faults_of(text):
    with pytest.raises(dt.errors.ModelFileError) as caught:
        from_text(text, name="m.yaml")
    return [(f.place.line, f.code, f.element, f.key) for f in caught.value.report.errors]


EXPECTED = [
    (4, "wrong-unit", ElementId("parameter", "wrong"), ""),
    (8, "bad-expression", ElementId("body", "bent"), "inertia"),
    (12, "bad-value", ElementId("marker", "tip"), "position"),
    (15, "bad-value", ElementId("joint", "B"), "axis"),
    (18, "bad-joint", ElementId("joint", "C"), "axis"),
    (19, "unknown-name", ElementId("joint", "C"), "child"),
    (27, "bad-law", ElementId("force", "by_nothing"), "value"),
    (32, "bad-force", ElementId("force", "spring"), "damping"),
    (36, "bad-event", ElementId("event", "high"), "direction"),
]
"""Not among them: what follows from parameter `wrong`, joint `B` and marker `tip`, which are known to be faulty."""


def test_lines_elements_keys_and_codes_of_a_file():
    assert faults_of(FILE) == EXPECTED


def test_reworded_messages_change_nothing_else(monkeypatch):
    """All sentences are replaced: lines, suppression of what follows, and codes stay."""
    add, fault = Findings.error, file_errors.Faults.add

    def error(self, code, elements, what, why="", remedy="", key="", unknown=()):
        add(self, code, elements, f"Nanu ({len(self.found)})", "", "", key, unknown)

    def reworded(self, place, path, message, code="bad-value", key=""):
        fault(self, place, path, f"Nanu ({len(self.found)})", code, key)

    monkeypatch.setattr(Findings, "error", error)
    monkeypatch.setattr(file_errors.Faults, "add", reworded)
    for cls in (ExpressionError, UnitError, WrongUnitError):
        monkeypatch.setattr(cls, "__str__", lambda self: "Nanu")
    assert faults_of(FILE) == EXPECTED


@pytest.mark.parametrize(("value", "codes"), [("3 kg", ["wrong-unit"]), ("3 wat", ["bad-law"]), ("3*t", [])])
def test_a_unit_that_does_not_fit_is_told_from_a_law_whatever_the_words(monkeypatch, value, codes):
    for cls in (ExpressionError, UnitError, WrongUnitError):
        monkeypatch.setattr(cls, "__str__", lambda self: "Nanu")
    text = f"""duoti: 1
bodies: {{arm: {{inertia: {{sphere: {{mass: 1, radius: 0.1}}}}}}}}
joints: {{A: {{type: revolute, axis: y, between: [ground, arm]}}}}
forces: {{f: {{type: joint_torque, joint: A, value: {value}}}}}
"""
    if not codes:
        assert from_text(text).forces["f"].value == value
        return
    with pytest.raises(dt.errors.ModelFileError) as caught:
        from_text(text)
    assert [f.code for f in caught.value.report.errors] == codes


def test_findings_of_a_model_made_in_python_show_element_and_key():
    m = dt.Model()
    arm = m.add_body("arm", None, position=(0, 0, 1))
    m.add_joint("A", dt.Revolute((0, 0, 0)), m.ground, arm, q0="much")
    m.add_force("f", dt.AppliedForce(arm, (0, 0, "nothing")))
    found = [(f.code, str(f.element), f.element.kind, f.key, f.unknown) for f in dt.check(m).errors]
    assert found == [
        ("missing-inertia", 'body "arm"', "body", "inertia", ()),
        ("bad-joint", 'joint "A"', "joint", "axis", ()),
        ("initial-value", 'joint "A"', "joint", "q0", ()),
        ("bad-law", 'force "f"', "force", "value", ("nothing",)),
    ]


def test_all_codes_are_explained():
    """Every code that the sources give to a finding stands in the table of the documentation, and no other."""
    codes = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            place = {"error": 0, "warning": 0, "info": 0, "Finding": 1, "fault": 3, "add": 3}.get(name)
            if place is None or len(node.args) <= max(place, 2 * (place == 0)):
                continue
            given = node.args[place]
            if isinstance(given, ast.Constant) and isinstance(given.value, str) and given.value:
                codes.add(given.value)
    codes.add("bad-value")  # of faults in files, if nothing else is said
    explained = set(re.findall(r"^\| `([a-z-]+)` \|", PAGE.read_text(encoding="utf-8").split("## Codes")[1], re.M))
    assert codes == explained


# --------------------------------------------------------------------------------------------------- closures and laws


def test_names_with_colons_are_only_names():
    """Markers named like the keys of frames that the program made, before keys were types."""
    systems = []
    for odd in (False, True):
        m = dt.Model(gravity=(0, 0, 0))
        arm = m.add_body("arm", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 1))
        m.add_joint("A", dt.Revolute("y"), m.ground, arm, at=(0, 0, 0))
        for name in ("body:arm", "joint:A.parent") if odd else ():
            m.add_marker(name, arm, position=(7, 0, 0))
        systems.append(dt.compile(m))
    plain, odd = (
        [s.loads.markers.X_BM[k] for k in (s.marker_index("arm"), s.joints["A"].parent_marker)] for s in systems
    )
    assert np.array_equal(plain, odd)
    assert systems[1].marker_index("body:arm") != systems[1].marker_index("arm")


# ------------------------------------------------------------------------------------------------------ ends of runs


def falling():
    m = dt.Model()
    m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("z", dt.Prismatic("z"), m.ground, "ball")
    m.add_event("low", dt.Event("z.position + 0.02", terminal=True))
    return m


def without_codes(monkeypatch):
    """Files as they were before there were codes."""
    packed = store.packed
    monkeypatch.setattr(store, "packed", lambda number, status, kept: packed(
        number, {key: value for key, value in status.items() if key != "reason_code"}, kept))  # fmt: skip


def reworded(monkeypatch, text):
    told = driver.Simulation._reason
    monkeypatch.setattr(driver.Simulation, "_reason", lambda self, *args: Reason(told(self, *args).code, text))


def test_codes_of_reasons():
    m = falling()
    r = dt.simulate(m, 1.0)
    assert (r.ok, r.reason_code) == (True, "event")
    assert r.reason.startswith('event "low" at t = 0.06')
    assert dt.simulate(m, 0.01).reason_code == "end-time"
    m.add_force("f", dt.AppliedForce("ball", (0, 0, "1/(t - 0.005)")))
    m.events.clear()
    with pytest.warns(dt.errors.SimulationWarning), np.errstate(all="ignore"):
        r = dt.simulate(m, 0.1, solver=dt.RK4(step=0.005))
    assert (r.ok, r.reason_code) == (False, "not-finite")


@pytest.mark.parametrize("old_file", [False, True])
def test_a_run_that_an_event_ended_is_not_made_longer_whatever_the_words(tmp_path, monkeypatch, old_file):
    if old_file:
        without_codes(monkeypatch)
    reworded(monkeypatch, "Schluss")
    path = tmp_path / "run.h5"
    r = dt.simulate(falling(), 1.0, out=path)
    assert (r.reason, r.reason_code) == ("Schluss", "event")
    assert dt.open_result(path).reason_code == "event"
    with pytest.raises(dt.errors.ResultFileError, match="ended by Schluss; there is nothing after it"):
        dt.resume(path, duration=2.0)


@pytest.mark.parametrize("old_file", [False, True])
def test_a_run_whose_reason_only_sounds_like_an_event_is_made_longer(tmp_path, monkeypatch, old_file):
    if old_file:
        without_codes(monkeypatch)
    reworded(monkeypatch, 'event "low" is still far')
    path = tmp_path / "run.h5"
    r = dt.simulate(falling(), 0.01, outputs=0.005, out=path)
    assert r.reason_code == dt.open_result(path).reason_code == "end-time"
    assert dt.resume(path, duration=0.02).t[-1] == pytest.approx(0.02, abs=1e-15)


def test_codes_survive_saving(tmp_path):
    r = dt.simulate(falling(), 1.0)
    r.save(tmp_path / "saved.h5")
    again = dt.open_result(tmp_path / "saved.h5")
    assert (again.reason_code, again.reason) == ("event", r.reason)


# ------------------------------------------------------------------------------------------------------------- units

TYPES = [*JOINT_TYPES.values(), *FORCE_TYPES.values(), *CONSTRAINT_TYPES.values(), *values.ROTATIONS.values(),
         constraint_methods.Baumgarte]  # fmt: skip
BRACKETS = re.compile(r"`?\b(\w+)`?(?:(?: and |, )`?(\w+)`?)? \[([^\]]+)\]")


@pytest.mark.parametrize("cls", TYPES, ids=lambda cls: cls.__qualname__)
def test_docstrings_and_declared_units_agree(cls):
    """What a reader is told and what a file may say; here, and only here, docstrings are read."""
    for first, second, unit in BRACKETS.findall(cls.__doc__ or ""):
        for name in (first, second):
            field = fields.fields_of(cls).get(name)
            if field is not None and field.kind in ("number", "numbers", "law", "laws"):
                assert field.unit == unit.replace("²", "^2").replace("³", "^3"), name


def test_units_do_not_depend_on_docstrings(monkeypatch):
    monkeypatch.setattr(dt.JointSpring, "__doc__", "A spring.")
    fields.fields_of.cache_clear()
    assert fields.fields_of(dt.JointSpring)["stiffness"].units == ("N m/rad", "N/m")
    fields.fields_of.cache_clear()


def test_annotations_count_as_types():
    """However they are spelled: the same type is the same kind."""
    from numpy.typing import ArrayLike

    from duoti.spatial.axes import Axis

    def spelled(a: "str | float", b: "Axis | None", c: ArrayLike, d: "bool" = True): ...

    spelled.__globals__.update(Axis=Axis)
    assert [f.kind for f in fields.fields_of(spelled).values()] == ["law", "axis", "numbers", "true or false"]
