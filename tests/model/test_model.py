"""`Model`: where bodies and joints are, references before their targets, independence of compiled systems."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.model.mechanism.placement import place_bodies

BOX = dt.Inertia.box(1.0, size=(0.1, 0.2, 0.3))
TURN = dt.Rotation.about("z", np.pi / 2)


def first_positions(m: dt.Model) -> dict[str, np.ndarray]:
    """Where the bodies are at the start of a simulation, which is the reference configuration."""
    r = dt.simulate(m, 0.01, outputs=[0.0])
    return {name: r[f"body:{name}.position"][0] for name in m.bodies}


# ---------------------------------------------------------------------------------------------------------- placement


def test_at_is_a_world_point():
    """`at` and the axis are in world coordinates, however the bodies are turned."""
    m = dt.Model()
    a = m.add_body("a", BOX, position=(1, 0, 0), rotation=TURN)
    b = m.add_body("b", BOX, position=(2, 1, 0), rotation=dt.Rotation.about((1, 1, 0), 1.0))
    m.add_joint("A", dt.Revolute("x"), m.ground, a, at=(1, 0, 0))
    m.add_joint("B", dt.Revolute("y"), a, b, at=(2, 0, 0), q0=0.7)
    r = dt.simulate(m, 0.01, outputs=[0.0])
    turn = dt.Rotation.about("y", 0.7)
    np.testing.assert_allclose(r["b.position"][0], [2, 0, 0] + turn @ np.array([0, 1, 0]), atol=1e-15)
    wanted = turn @ dt.Rotation.about((1, 1, 0), 1.0)
    assert dt.Rotation(r["b.rotation"][0]).almost_equal(wanted, 1e-14)


def test_at_left_out_is_the_origin_of_the_child():
    m = dt.Model()
    m.add_body("a", BOX, position=(1, 2, 3))
    m.add_joint("A", dt.Revolute("z"), m.ground, "a", q0=1.0)
    np.testing.assert_allclose(first_positions(m)["a"], [1, 2, 3], atol=1e-15)
    np.testing.assert_allclose(place_bodies(m).on_parent["A"].position, [1, 2, 3])


def test_body_without_place_is_at_the_origin():
    m = dt.Model()
    m.add_body("a", BOX)
    m.add_joint("A", dt.Free(), m.ground, "a")
    np.testing.assert_array_equal(first_positions(m)["a"], [0, 0, 0])


def test_markers_on_both_sides_place_the_child():
    m = dt.Model()
    a = m.add_body("a", BOX, position=(1, 0, 0))
    b = m.add_body("b", BOX)
    on_a = m.add_marker("on a", a, position=(0.5, 0, 0), rotation=TURN)
    on_b = m.add_marker("on b", b, position=(-0.25, 0, 0))
    m.add_joint("A", dt.Fixed(), m.ground, a)
    m.add_joint("B", dt.Revolute("z"), on_a, on_b)
    # b's frame is turned by 90 degrees with the marker on a, so that its marker's offset is along -y of the world
    np.testing.assert_allclose(first_positions(m)["b"], [1.5, 0.25, 0], atol=1e-15)
    r = dt.simulate(m, 0.01, outputs=[0.0])
    np.testing.assert_allclose(r["on a.position"], r["on b.position"], atol=1e-15)


def test_axes_between_markers_are_the_markers_axes():
    m = dt.Model(gravity=(0, 0, 0))
    m.add_body("b", BOX)
    m.add_marker("seat", m.ground, position=(0, 0, 1), rotation=dt.Rotation.about("y", np.pi / 2))  # its z is x
    m.add_joint("B", dt.Revolute("z"), "seat", "b", v0=2.0)
    r = dt.simulate(m, 0.01, outputs=[0.0])
    np.testing.assert_allclose(r["b.angular_velocity"][0], [2, 0, 0], atol=1e-15)
    np.testing.assert_allclose(r["b.position"][0], [0, 0, 1], atol=1e-15)


def test_marker_on_the_parent_only():
    """A body that was not placed has its own frame there; a placed one stays where it is."""
    m = dt.Model()
    m.add_marker("seat", m.ground, position=(0, 2, 0))
    m.add_body("free place", BOX)
    m.add_body("placed", BOX, position=(5, 0, 0))
    m.add_joint("A", dt.Revolute("x"), "seat", "free place")
    m.add_joint("B", dt.Revolute("x"), "seat", "placed")
    found = first_positions(m)
    np.testing.assert_allclose(found["free place"], [0, 2, 0])
    np.testing.assert_allclose(found["placed"], [5, 0, 0])
    np.testing.assert_allclose(place_bodies(m).on_child["B"].position, [-5, 2, 0])


def test_marker_on_the_child_only():
    m = dt.Model()
    m.add_body("a", BOX, position=(5, 0, 0))
    m.add_marker("eye", "a", position=(0, 1, 0))
    m.add_joint("A", dt.Revolute("x"), m.ground, "eye")
    np.testing.assert_allclose(place_bodies(m).on_parent["A"].position, [5, 1, 0])
    np.testing.assert_allclose(first_positions(m)["a"], [5, 0, 0])


def test_chain_of_markers_places_all_bodies_in_any_order():
    m = dt.Model()
    m.add_joint("C", dt.Revolute("z"), "end of b", "c")
    m.add_joint("B", dt.Revolute("z"), "end of a", "b")
    m.add_joint("A", dt.Revolute("z"), "base", "a")
    for name in "cba":
        m.add_body(name, BOX)
        m.add_marker(f"end of {name}", name, position=(1, 0, 0))
    m.add_marker("base", m.ground, position=(0, 0, 1))
    found = first_positions(m)
    for name, x in zip("abc", (0, 1, 2), strict=True):
        np.testing.assert_allclose(found[name], [x, 0, 1], atol=1e-15)


def test_placement_runs_against_the_joint_too():
    """A parent that was not placed follows from its child."""
    m = dt.Model()
    m.add_body("tool", BOX, position=(3, 0, 0))
    m.add_body("arm", BOX)
    m.add_marker("tip", "arm", position=(1, 0, 0))
    m.add_marker("grip", "tool")
    m.add_joint("G", dt.Revolute("z"), "tip", "grip")
    m.add_joint("F", dt.Free(), m.ground, "tool")
    np.testing.assert_allclose(first_positions(m)["arm"], [2, 0, 0], atol=1e-15)


def test_gap_between_markers_is_refused():
    m = dt.Model("gap")
    m.add_body("a", BOX, position=(1, 0, 0))
    m.add_marker("on a", "a", position=(0.5, 0, 0), rotation=TURN)
    m.add_marker("base", m.ground)
    m.add_joint("A", dt.Revolute("z"), "base", "on a")
    (error,) = dt.check(m).errors
    assert error.code == "gap"
    assert error.what == (
        'joint "A": its markers on "ground" and "a" do not coincide in the reference configuration: 1.5 m and 90 '
        "degrees apart"
    )
    assert error.remedy == 'leave out position and rotation of "a" (they follow from the joint), or mend the markers'
    m.bodies["a"].position = (-0.5, 0, 0)
    assert "0 m and 90 degrees apart" in dt.check(m).errors[0].what
    m.bodies["a"].position, m.bodies["a"].rotation = (0, 0.5, 0), TURN.inverse()
    assert dt.check(m).ok


def test_joint_placed_twice_is_refused():
    m = dt.Model()
    m.add_body("a", BOX)
    m.add_marker("base", m.ground)
    m.add_joint("A", dt.Revolute("z"), "base", "a", at=(0, 0, 0))
    (error,) = dt.check(m).errors
    assert error.what == 'joint "A" is placed twice: by at= and by marker "base"'


# --------------------------------------------------------------------------------------------------------- references


def test_names_before_what_they_name():
    """Everything may be referred to by name before it is added."""
    m = dt.Model()
    m.add_force("spring", dt.SpringDamper("tip", "post", stiffness=10))
    m.add_force("drive", dt.JointTorque("A", "sin(t) - 0.1*A.rate"))
    m.add_event("up", dt.Event("tip.position.z"))
    m.add_joint("A", dt.Revolute("y"), "ground", "rod", at=(0, 0, 0))
    m.add_marker("tip", "rod", position=(0.5, 0, 0))
    m.add_marker("post", "ground", position=(1, 0, 1))
    assert not dt.check(m).ok  # the rod is still missing
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    assert dt.check(m).ok
    assert dt.simulate(m, 0.1).ok


def test_objects_and_names_mean_the_same():
    def build(by_name: bool) -> dt.Result:
        m = dt.Model()
        a = m.add_body("a", BOX, position=(0.5, 0, 0))
        joint = m.add_joint(
            "A", dt.Revolute("y"), "ground" if by_name else m.ground, "a" if by_name else a, at=(0, 0, 0)
        )
        tip = m.add_marker("tip", "a" if by_name else a, position=(0.5, 0, 0))
        m.add_force("f", dt.AppliedForce("tip" if by_name else tip, (0, 0, 1)))
        m.add_force("g", dt.JointTorque("A" if by_name else joint, 0.3))
        return dt.simulate(m, 1.0)

    np.testing.assert_array_equal(build(True).q, build(False).q)


@pytest.mark.parametrize("rotation", [TURN, TURN.matrix, TURN.quaternion, tuple(TURN.quaternion), TURN.matrix.tolist()])
def test_forms_of_rotation(rotation):
    m = dt.Model()
    m.add_body("a", BOX, rotation=rotation)
    m.add_joint("A", dt.Fixed(), m.ground, "a")
    assert place_bodies(m).bodies["a"].rotation.almost_equal(TURN, 1e-15)


@pytest.mark.parametrize(
    ("joint", "q0", "wanted"),
    [
        (dt.Revolute("z"), 0.3, [0.3]),
        (dt.Revolute("z"), [0.3], [0.3]),
        (dt.Revolute("z"), {"angle": 0.3}, [0.3]),
        (dt.Cylindrical("z"), {"position": 0.2}, None),
        (dt.Planar("z"), {"angle": 0.1, "position": (1, 2)}, [1, 2, 0.1]),
        (dt.Spherical(), TURN, list(TURN.quaternion)),
        (dt.Free(), dt.spatial.Pose(TURN, (1, 2, 3)), [1, 2, 3, *TURN.quaternion]),
        (dt.Free(), {"rotation": TURN}, [0, 0, 0, *TURN.quaternion]),
        (dt.Free(), [(1, 2, 3), TURN], [1, 2, 3, *TURN.quaternion]),
        (dt.Composite(dt.Revolute("z"), dt.Prismatic("x")), (0.1, 0.2), [0.1, 0.2]),
    ],
)
def test_forms_of_initial_values(joint, q0, wanted):
    m = dt.Model()
    m.add_body("a", BOX)
    m.add_joint("A", joint, m.ground, "a", q0=q0)
    q, _ = dt.compile(m).initial_state()
    if wanted is None:
        assert sorted(q) == [0.0, 0.2]
    else:
        np.testing.assert_allclose(q, wanted, atol=1e-15)


# ------------------------------------------------------------------------------------------------------- independence


def test_changes_after_compiling_do_not_reach_the_system():
    m = dt.Model("before", parameters={"k": 2.0})
    body = m.add_body("a", BOX, position=np.array([0.5, 0, 0]))
    m.add_joint("A", dt.Revolute("y"), m.ground, body, at=(0, 0, 0), q0=0.1)
    m.add_force("spring", dt.JointTorque("A", "-k*q"))
    system = dt.compile(m)
    before = dt.simulate(system, 1.0)
    m.name, m.gravity = "after", (0, 0, 100)
    m.parameters["k"] = 50.0
    body.position[:] = 7.0
    body.inertia = dt.Inertia.point(3.0)
    m.joints["A"].q0 = 2.0
    m.forces["spring"].value = "1e6"
    m.add_body("b", BOX)
    after = dt.simulate(system, 1.0)
    np.testing.assert_array_equal(before.q, after.q)
    assert after.model.name == "before"
    assert list(after.model.bodies) == ["a"]
    assert "b.position" not in after
    np.testing.assert_allclose(before["a.position"][0], [0.5 * np.cos(0.1), 0, -0.5 * np.sin(0.1)], atol=1e-15)


def test_one_model_many_systems():
    m = dt.Model()
    m.add_body("a", BOX, position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "a", at=(0, 0, 0))
    results = []
    for q0 in (0.1, 0.2):
        m.joints["A"].q0 = q0
        results.append(dt.simulate(m, 0.1))
    assert [r["A.angle"][0] for r in results] == [0.1, 0.2]


def test_arrays_of_a_system_are_read_only():
    m = dt.Model()
    m.add_body("a", BOX)
    m.add_joint("A", dt.Revolute("y"), m.ground, "a")
    system = dt.compile(m)
    for arrays in (system.tree, system.loads):
        for value in arrays:
            if isinstance(value, np.ndarray):
                assert not value.flags.writeable


# ------------------------------------------------------------------------------------------------ mass centre, texts


def test_mass_centre():
    m = dt.Model()
    m.add_body("a", dt.Inertia.point(1.0, com=(0, 1, 0)), position=(1, 0, 0), rotation=TURN)  # at (0, 0, 0)
    m.add_body("b", dt.Inertia.point(3.0), position=(0, 0, 4))
    mass, centre = dt.mass_centre(m)  # no joints needed
    assert mass == 4.0
    np.testing.assert_allclose(centre, [0, 0, 3], atol=1e-15)
    assert m.mass == 4.0


def test_mass_centre_follows_markers():
    m = dt.Model()
    m.add_body("a", BOX)
    m.add_marker("seat", m.ground, position=(0, 0, 2))
    m.add_joint("A", dt.Revolute("x"), "seat", "a")
    np.testing.assert_allclose(dt.mass_centre(m)[1], [0, 0, 2], atol=1e-15)


def test_mass_centre_is_that_of_a_result():
    m = dt.Model()
    m.add_body("a", BOX, position=(1, 2, 3))
    m.add_body("b", dt.Inertia.sphere(2.0, radius=0.1), position=(0, 1, 0))
    m.add_joint("A", dt.Free(), m.ground, "a")
    m.add_joint("B", dt.Revolute("z"), "a", "b", at=(0, 0, 0))
    r = dt.simulate(m, 0.01, outputs=[0.0])
    np.testing.assert_allclose(r.mass_centre[0], dt.mass_centre(m)[1], atol=1e-15)


def test_mass_centre_of_nothing():
    m = dt.Model("light")
    m.add_body("a", dt.Inertia.point(0.0))
    with pytest.raises(dt.ModelError, match="no body has a mass, so there is no mass centre"):
        dt.mass_centre(m)


def test_mass_centre_of_a_model_with_faults():
    m = dt.Model()
    m.add_body("a", BOX)
    m.add_joint("A", dt.Revolute("x"), m.ground, "b")
    with pytest.raises(dt.ModelError, match='joint "A": its child "b" does not exist'):
        dt.mass_centre(m)


def test_texts():
    m = dt.Model("arm")
    body = m.add_body("a", BOX)
    marker = m.add_marker("tip", body)
    joint = m.add_joint("A", dt.Revolute("x"), m.ground, marker)
    force = m.add_force("k", dt.SpringDamper(m.ground, marker, stiffness=3))
    assert repr(m) == "<model 'arm': 1 body, 1 joint, 1 force, gravity (0.0, 0.0, -9.81)>"
    assert repr(body) == "<body 'a'>"
    assert repr(marker) == "<marker 'tip'>"
    assert repr(joint) == "<revolute joint 'A': ground -> a>"
    assert repr(force) == "SpringDamper(marker_a='ground', marker_b='tip', stiffness=3, damping=0.0, rest_length=0.0)"
    assert repr(dt.compile(m)) == "<system 'arm': 1 link, 1 degree of freedom>"
    assert repr(dt.Model("x", gravity="down")).startswith("<model 'x'")
