"""Cables, rods in segments, second-order systems in model files: read as in Python, written back, faults with lines."""

import numpy as np
import pytest

import duoti as dt
from duoti.formats import from_text, to_text

FILE = """\
duoti: 1
name: slender
parameters: {EA: 2 kN, L: 1.2}
materials:
  steel: {youngs_modulus: 2.1e11, poisson_ratio: 0.3, density: 7850}
bodies:
  hook: {inertia: {sphere: {mass: 2, radius: 0.05}}}
  load: {inertia: {box: {mass: 1, size: [0.1, 0.1, 0.1]}}, position: [0.5, 0, -0.6]}
markers:
  top: {body: ground, position: [0.5, 0, 0.4]}
  eye: {body: hook}
joints:
  crane: {type: revolute, axis: y, between: [top, eye], q0: 10 deg}
  ball: {type: spherical, between: [rope.end, load], at: [0.5, 0, -0.6]}
  clamp: {type: fixed, between: [ground, arm.start]}
cables:
  rope: {start: eye, end: [0.5, 0, -0.6], stiffness: =EA, mass_per_length: 0.1, elements: 4, damping_time: 1 ms}
  wire: {start: [0, 1, 0], end: [1, 1, 0], stiffness: 5e4, mass_per_length: 50 g/m, length: =L, elements: 6,
         bending_stiffness: 0.02, thin: true}
segments:
  arm: {beam: {section: {circle: {radius: 5 mm}}, material: steel}, start: [0, 2, 0], end: [0.5, 2, 0], segments: 3}
second_order_systems:
  frame: {mass: [1, 2], stiffness: [[40, -20], [-20, 40]], forces: [0, 80*load.position.z], v0: [0.1, 0]}
simulate: {duration: 0.02, solver: {type: rk4, step: 0.1 ms}}
"""


def in_python(interleaved=False):
    m = dt.Model("slender", parameters={"EA": 2000.0, "L": 1.2})
    hook = m.add_body("hook", dt.Inertia.sphere(2.0, radius=0.05))
    m.add_body("load", dt.Inertia.box(1.0, size=(0.1, 0.1, 0.1)), position=(0.5, 0, -0.6))
    top, eye = m.add_marker("top", m.ground, (0.5, 0, 0.4)), m.add_marker("eye", hook)
    m.add_joint("crane", dt.Revolute("y"), top, eye, q0=np.pi / 18)
    if not interleaved:
        m.add_joint("ball", dt.Spherical(), "rope.end", "load", at=(0.5, 0, -0.6))
        m.add_joint("clamp", dt.Fixed(), m.ground, "arm.start")
    m.add_cable("rope", eye, (0.5, 0, -0.6), 2000.0, 0.1, elements=4, damping_time=1e-3)
    m.add_cable("wire", (0, 1, 0), (1, 1, 0), 5e4, 0.05, length=1.2, elements=6, bending_stiffness=0.02, thin=True)
    if interleaved:
        m.add_joint("ball", dt.Spherical(), "rope.end", "load", at=(0.5, 0, -0.6))
        m.add_joint("clamp", dt.Fixed(), m.ground, "arm.start")
    steel = dt.Material(2.1e11, 0.3, 7850.0, name="steel")
    m.add_segments("arm", dt.Beam(dt.Section.circle(0.005), steel), (0, 2, 0), (0.5, 2, 0), segments=3)
    forces = [0.0, "80*load.position.z"]
    m.add_second_order_system("frame", [1, 2], [[40, -20], [-20, 40]], forces=forces, v0=[0.1, 0])
    return m


def same_models(a, b):
    """The same elements in the same order, and the same motion to the last bit."""
    for section in ("bodies", "markers", "joints", "forces", "states", "cables", "segments", "second_order_systems"):
        assert list(getattr(a, section)) == list(getattr(b, section)), section
    runs = [dt.simulate(m, 2e-3, solver=dt.RK4(step=2e-6), outputs=1e-3) for m in (a, b)]
    for name in ("rope.node2.position", "wire.node3.position", "arm.end.position", "frame.x2", "crane.angle"):
        assert np.array_equal(runs[0][name], runs[1][name]), name
    return runs[0]


def test_a_file_is_what_python_makes():
    r = same_models(from_text(FILE), in_python())
    # the top of the rope is where the crane's joint placed the hook, which the file places by markers alone
    assert np.allclose(r["rope.start.position"][0], (0.5, 0, 0.4))


def test_parts_are_written_as_parts_with_their_expressions():
    model = from_text(FILE)
    text = to_text(model)
    assert "rope.node1" not in text
    for part in ("stiffness: =EA", "length: =L", "mass_per_length: 50 g/m", "radius: 5 mm", "start: eye", "thin: true"):
        assert part in text, part
    again = from_text(text)
    same_models(model, again)
    assert to_text(again) == text
    dt.simulate(model, 0.001)  # what compiling adds is not written
    assert to_text(model) == text
    assert model.cables["rope"].end.name == "rope.end"
    assert model.segments["arm"].joints == ("arm.joint1", "arm.joint2", "arm.joint3")
    assert model.second_order_systems["frame"].rates == ("frame.v1", "frame.v2")


def test_other_orders_are_kept_by_writing_the_elements():
    """Joints after the cables: a file reads them before, so that states would change their places."""
    model = in_python(interleaved=True)
    text = to_text(model)
    assert "cables:" not in text
    assert "rope.node1" in text
    again = from_text(text)
    assert list(again.joints) == list(model.joints)
    model.cables, model.segments, model.second_order_systems = {}, {}, {}
    same_models(model, again)


def test_what_was_changed_afterwards_is_written_as_it_is():
    model = from_text(FILE)
    heavy = model.bodies["rope.node2"]
    heavy.inertia = dt.Inertia.point(0.5)
    text = to_text(model)
    assert "rope.node2" in text
    assert from_text(text).bodies["rope.node2"].inertia.mass == 0.5
    gone = from_text(FILE)
    del gone.forces["wire.line"]
    assert "wire.line" not in from_text(to_text(gone)).forces
    moon = from_text(FILE)
    moon.gravity = (0, 0, 1.6)  # the wire sags by its gravity when it is added
    assert np.array_equal(from_text(to_text(moon)).bodies["wire.node3"].position, moon.bodies["wire.node3"].position)


@pytest.mark.parametrize(
    ("sound", "wrong", "line", "said"),
    [
        ("stiffness: =EA", "stifness: =EA", 17, "unknown key 'stifness' of a cable. Did you mean 'stiffness'?"),
        ("stiffness: =EA", "stiffness: 3 N/m", 17, "a force [N] is needed here"),
        ("elements: 4", "elements: 0", 17, "elements is 0; give a whole number, at least 1"),
        ("start: eye", "start: eys", 17, 'there is no body or marker "eys"'),
        ("start: eye", "start: [0, 0]", 17, "3 numbers are needed"),
        ("thin: true", "thin: maybe", 19, "write true or false"),
        ("elements: 6", "elements: -1", 18, "elements is -1"),
        ("segments: 3", "segments: none", 21, "is not a number"),
        ("end: [0.5, 2, 0]", "end: [0, 2, 0]", 21, "start and end are the same point"),
        ("mass: [1, 2]", "mass: [1, 0]", 23, "its mass matrix is singular"),
        ("80*load.position.z", "80*lod.position.z", 23, "lod.position.z"),
        ("between: [rope.end, load]", "between: [rope.ende, load]", 14, '"rope.ende" does not exist'),
    ],
)
def test_faults_have_lines(sound, wrong, line, said):
    assert FILE.count(sound) == 1
    with pytest.raises(dt.errors.ModelFileError) as caught:
        from_text(FILE.replace(sound, wrong), name="m.yaml")
    found = [(f.place.line, str(f)) for f in caught.value.report.errors]
    assert any(at == line and said in text for at, text in found), found
    assert len(found) <= 2, found  # an unknown key, and the one that is missing then


def test_several_faults_of_a_cable_and_of_what_hangs_on_it_at_once():
    text = FILE.replace("elements: 4", "elements: 0, slak: 1").replace("damping_time: 1 ms", "damping_time: 1 m")
    text = text.replace("between: [rope.end, load]", "between: [rope.end, lod]")
    with pytest.raises(dt.errors.ModelFileError) as caught:
        from_text(text)
    found = "\n".join(map(str, caught.value.report.errors))
    for said in ("unknown key 'slak'", "'1 m' is a length", '"lod" does not exist'):
        assert said in found, found
    assert len(caught.value.report.errors) <= 4, found
