"""Values that a model may have, but that are probably not meant: `dt.check` warns by name, with what may be meant."""

import numpy as np
import pytest

import duoti as dt
from duoti.formats import from_text

STEEL = dt.Material(2.1e11, 0.3, 7850.0)
FLAT = dt.Beam(dt.Section.rectangle(0.1, 0.2), STEEL)
ROUND = dt.Beam(dt.Section.circle(0.1), STEEL)


def arm() -> dt.Model:
    m = dt.Model("arm")
    b = m.add_body("b", dt.Inertia.box(1.0, (1, 1, 1)), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, b, at=(0, 0, 0))
    m.add_marker("tip", b, (0.5, 0, 0))
    m.add_marker("g", m.ground, (1, 0, 0))
    return m


def with_force(force) -> dt.Model:
    m = arm()
    m.add_force("s", force)
    return m


def with_slider(force) -> dt.Model:
    m = arm()
    m.joints["A"].joint = dt.Prismatic("x")
    m.add_force("s", force)
    return m


def changed(**attributes) -> dt.Model:
    m = arm()
    for name, value in attributes.items():
        setattr(m.joints["A"], name, value)
    return m


def cable(**given) -> dt.Model:
    m = arm()
    m.add_cable("c", (0, 0, 0), (10, 0, 0), stiffness=1e5, mass_per_length=1.0, elements=4, **given)
    return m


def beam(beam, end, **given) -> dt.Model:
    m = arm()
    m.add_beam("v", beam, (0, 0, 0), end, elements=3, **given)
    return m


def segments(beam, end) -> dt.Model:
    m = arm()
    made = m.add_segments("v", beam, (0, 0, 0), end, segments=3)
    m.add_joint("clamp", dt.Fixed(), m.ground, made.bodies[0])
    return m


def mirrored(**gravity) -> dt.Model:
    m = arm()
    m.gravity = (0, 0, -9810)
    return m


def contact(friction) -> dt.Model:
    m = arm()
    m.add_contact("c", dt.RigidContact(friction), m.ground, "b", shapes=(dt.Shape.plane(position=(0, 0, -9)),
                                                                         dt.Shape.sphere(0.1)))  # fmt: skip
    return m


def geared(ratio) -> dt.Model:
    m = arm()
    m.add_body("c", dt.Inertia.box(1.0, (1, 1, 1)), position=(0, 0, 1))
    m.add_joint("B", dt.Revolute("y"), m.ground, "c", at=(0, 0, 1))
    m.add_constraint("k", dt.Gear("A", "B", ratio))
    return m


NEGATIVE = np.diag([1.0, 2.0, -3.0, 1.0, 1.0, 1.0])
DOUBTFUL = {
    "spring in a joint": (lambda: with_force(dt.JointSpring("A", -50.0)), "negative-stiffness", "s", "stiffness"),
    "spring in a slider": (lambda: with_slider(dt.JointSpring("A", -5.0)), "negative-stiffness", "s", "stiffness"),
    "spring": (lambda: with_force(dt.SpringDamper("b", "ground", -50.0)), "negative-stiffness", "s", "stiffness"),
    "bushing": (lambda: with_force(dt.Bushing("tip", "g", (1, 1, -1, 0, 0, 0), (0,) * 6)), "negative-stiffness", "s",
                "stiffness"),
    "matrix": (lambda: with_force(dt.Bushing("tip", "g", NEGATIVE)), "negative-stiffness", "s", "stiffness"),
    "cartesian": (lambda: with_force(dt.CartesianSpring("tip", "g", (1.0, -1.0, 1.0))), "negative-stiffness", "s",
                  "stiffness"),
    "coupling": (lambda: with_force(dt.CouplingSpring({"A": 1.0}, -3.0)), "negative-stiffness", "s", "stiffness"),
    "repulsion": (lambda: with_force(dt.PointGravity("b", "ground", -3.0)), "doubtful-value", "s", "strength"),
    "overdamped": (lambda: with_force(dt.JointSpring("A", 1.0, 1e5)), "doubtful-value", "s", "damping"),
    "coincident": (lambda: with_force(dt.SpringDamper("tip", "g", 100.0, 0.0, 0.2)), "no-direction", "s", "marker_b"),
    "coincident table": (lambda: with_force(dt.TableSpring("tip", "g", [0, 1, 2], [0, 1, 2], rest_length=0.1)),
                         "no-direction", "s", "marker_b"),
    "coincident law": (lambda: with_force(dt.LineForce("tip", "g", "3")), "no-direction", "s", "marker_b"),
    "cable": (lambda: cable(length=5.0), "cable-stretched", "c", "length"),
    "up along a beam": (lambda: beam(FLAT, (0, 0, 3)), "up-along-beam", "v", "up"),
    "up along segments": (lambda: segments(FLAT, (0, 0, 3)), "up-along-beam", "v", "up"),
    "friction in per cent": (lambda: contact(30.0), "doubtful-value", "c", "friction"),
    "no gear": (lambda: geared(0.0), "doubtful-value", "k", "ratio"),
    "no lead": (lambda: changed(joint=dt.Screw("x", 0.0)), "doubtful-value", "A", "lead_per_turn"),
}  # fmt: skip


@pytest.mark.parametrize("name", DOUBTFUL)
def test_doubtful_values_are_a_warning(name):
    build, code, element, key = DOUBTFUL[name]
    report = dt.check(build())
    found = [f for f in report.warnings if f.code == code]
    assert [(f.element.name, f.key) for f in found] == [(element, key)], report
    assert found[0].why
    assert found[0].remedy


def test_gravity_in_millimetres():
    (finding,) = dt.check(mirrored()).warnings
    assert (finding.code, finding.key) == ("doubtful-value", "gravity")


SOUND = {
    "springs": lambda: with_force(dt.JointSpring("A", 50.0, 5.0)),
    "no rest length": lambda: with_force(dt.SpringDamper("tip", "g", 100.0)),
    "apart": lambda: with_force(dt.SpringDamper("tip", "ground", 100.0, 0.0, 0.2)),
    "a damper alone": lambda: with_force(dt.JointSpring("A", 0.0, 1e5)),
    "cable": lambda: cable(length=10.2),
    "a tight cable": lambda: cable(length=9.9),
    "round beam": lambda: beam(ROUND, (0, 0, 3)),
    "flat beam": lambda: beam(FLAT, (3, 0, 0)),
    "flat beam, up given": lambda: beam(FLAT, (0, 0, 3), up="x"),
    "a turn and a half": lambda: changed(q0=3.0 * np.pi),
    "limits of a robot": lambda: changed(limits=[(-6.28319, 6.28319)]),
    "slider": lambda: changed(joint=dt.Prismatic("x"), q0=30),
    "rubber": lambda: contact(1.2),
    "gear": lambda: geared(-0.1),
}


@pytest.mark.parametrize("name", SOUND)
def test_ordinary_values_are_none(name):
    codes = [f.code for f in dt.check(SOUND[name]()).findings if f.severity != "info"]
    assert not {code for _, code, _, _ in DOUBTFUL.values()}.intersection(codes)


def test_a_spring_whose_ends_part_at_the_start():
    """Coincident in the reference configuration, but not where the run begins."""
    m = with_force(dt.SpringDamper("tip", "g", 100.0, 0.0, 0.2))
    m.joints["A"].q0 = 0.1
    assert not dt.check(m).warnings


FILE = """duoti: 1
bodies: {{b: {{inertia: {{box: {{mass: 1, size: [1, 1, 1]}}}}, position: [0, 0, 1]}}}}
joints: {{J: {{type: revolute, axis: y, between: [ground, b], q0: {0}}}}}
"""


@pytest.mark.parametrize(
    ("text", "warns"),
    [("30", True), ("7.5", True), ("[90]", True), ("{angle: 90}", True), ("30 deg", False), ("720 deg", False),
     ("30 rad", False), ("=30/2", False), ("1.5", False)],
)  # fmt: skip
def test_degrees_in_files(text, warns):
    found = [f for f in dt.check(from_text(FILE.format(text))).warnings if f.code == "degrees"]
    assert len(found) == warns
    if warns:
        assert found[0].place.line == 3
        assert "deg" in found[0].remedy


def test_equations_without_a_value_at_the_start():
    """A disc that lies flat on its plane, a distance between equal points: refused by name, and at once."""
    m = dt.Model("disc")
    m.add_body("disc", dt.Inertia.cylinder(1.0, 0.3, 0.1))
    m.add_joint("free", dt.Free(), m.ground, "disc")
    m.add_constraint("roll", dt.RollingDisc("disc", 0.3))
    (finding,) = dt.check(m).errors
    assert finding.code == "undefined-equation"
    assert finding.names == ("roll", "free")
    m = arm()
    m.add_constraint("d", dt.Distance("tip", "g", 0.3))
    assert [f.code for f in dt.check(m).errors] == ["undefined-equation"]


def test_residuals_have_their_own_units():
    """Metres of a distance, radians of an angle; of a coupler those of its coordinate."""
    m = arm()
    m.add_constraint("d", dt.Distance("tip", "ground", 0.5))
    (finding,) = dt.check(m).errors
    assert finding.what.endswith("0.5 m are left")
    m = arm()
    m.joints["A"].q0 = 0.0
    m.add_constraint("w", dt.JointMotion("A", 0.25))
    (finding,) = dt.check(m).errors
    assert finding.what.endswith("0.25 rad are left")
    m = arm()
    m.joints["A"].joint, m.joints["A"].q0 = dt.Prismatic("x"), 0.0
    m.add_constraint("w", dt.JointMotion("A", 0.25))
    assert dt.check(m).errors[0].what.endswith("0.25 m are left")
    m = arm()
    m.add_constraint("w", dt.Equation("A.angle^2 + 1"))
    assert "in the unit of its equation" in dt.check(m).errors[0].what


def test_compliant_contact_with_a_body_that_a_joint_places():
    m = dt.Model("m")
    b = m.add_body("b", dt.Inertia.box(1.0, (0.2, 0.2, 0.2)), shapes=[dt.Shape.sphere(0.1)])
    m.ground.shapes = [dt.Shape.plane()]
    m.add_marker("pin", m.ground, (0, 0, 0.3))
    m.add_marker("eye", b, (-0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), "pin", "eye")
    m.add_contact("c", dt.CompliantContact(stiffness=1e4, damping=0.1), m.ground, b)
    assert dt.check(m).ok
    r = dt.simulate(m, 0.3)
    placed = dt.Model("m")
    b = placed.add_body("b", dt.Inertia.box(1.0, (0.2, 0.2, 0.2)), (0.5, 0, 0.3), shapes=[dt.Shape.sphere(0.1)])
    placed.ground.shapes = [dt.Shape.plane()]
    placed.add_joint("A", dt.Revolute("y"), placed.ground, b, at=(0, 0, 0.3))
    placed.add_contact("c", dt.CompliantContact(stiffness=1e4, damping=0.1), placed.ground, b)
    np.testing.assert_allclose(r["A.angle"], dt.simulate(placed, 0.3)["A.angle"], atol=1e-9)  # the same model


def test_a_run_whose_angle_loses_its_digits_is_not_ok():
    """A negative stiffness: the energy balances, but an angle of 1e13 rad is rounded to parts of a degree."""
    m = with_force(dt.JointSpring("A", -50.0))
    m.joints["A"].v0 = 0.1
    with pytest.warns(dt.errors.SimulationWarning, match='joint "A" has turned by'):
        r = dt.simulate(m, 4.0)
    assert not r.ok
    assert "stiffness" in r.reason
    assert dt.simulate(m, 1.0).ok


def test_articles():
    m = arm()
    rail = dt.Shape.extrusion("0*x", 1.0, (-1, 1))
    m.add_contact("c", dt.RigidContact(), m.ground, "b", shapes=(rail, dt.Shape.ellipsoid((1, 1, 1))))
    assert " a e" not in str(dt.check(m))
    m = changed(joint=dt.Universal("x", "y"), q0=(1, 2, 3))
    assert "a universal joint takes 2 numbers" in str(dt.check(m))


def test_angles_in_python_are_in_radians_however_large():
    """Screws and winches turn many times; only a file may mean degrees."""
    for given in ({"q0": 30.0}, {"limits": [(-170, 170)]}):
        assert not [f for f in dt.check(changed(**given)).warnings if f.code == "degrees"]
