"""Compliant contact of pairs without closed forms: boxes, cylinders, ellipsoids, hulls, non-convex meshes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import duoti as dt
from duoti.analyses.instant.derivatives import displace
from duoti.contact.build import compliant_contacts
from duoti.contact.workspace import ContactGeometry
from support.meshes import CUBE, write_obj

G = 9.81
SIZE = (0.25, 0.375, 0.125)  # numbers of the mesh files are single precision: these are exact
FLOOR = (2.0, 2.0, 0.5)
Shapes = tuple[dt.Shape, dt.Shape]


@pytest.fixture(scope="module")
def cube(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_obj(tmp_path_factory.mktemp("meshes") / "cube.obj", CUBE))


def on_floor(shapes: Shapes, law: dt.CompliantContact, height: float = SIZE[2] / 2) -> dt.System:
    m = dt.Model("body on a floor")
    b = m.add_body("b", dt.Inertia.box(2.0, size=SIZE), position=(0, 0, height))
    m.add_joint("free", dt.Free(), m.ground, b)
    m.add_contact("floor", law, m.ground, b, shapes=shapes)
    return dt.compile(m)


def test_a_box_is_a_box_by_every_pair(cube: str) -> None:
    """Box on box, hull, non-convex mesh and plane by hulls: the accelerations of a box on a plane, in random states.

    Corners have the same depths but for round-off (1e-16 m, as a force 1e-11 N), seen through the angles of shares and
    the nearest points of `polish` (1e-10 of the size): 1e-10 * 5e4 N/m * 0.2 m / 0.01 kg m² = 1e-4 rad/s² at worst.
    """
    law = dt.CompliantContact(stiffness=5e4, exponent=1.2, damping=200.0, friction=0.3, slip_speed=0.05)
    box, floor = dt.Shape.box(SIZE), dt.Shape.box(FLOOR, position=(0, 0, -0.25))
    hull, under = dt.Shape.mesh(cube, SIZE), dt.Shape.mesh(cube, FLOOR, position=(0, 0, -0.25))
    non_convex = dt.Shape.mesh(cube, FLOOR, position=(0, 0, -0.25), convex=False)
    plane = dt.Shape.plane()
    pairs = [
        (floor, box),
        (floor, hull),
        (under, box),
        (under, hull),
        (plane, hull),
        (non_convex, box),
        (non_convex, hull),
        (plane, dt.Shape.mesh(cube, SIZE, convex=False)),
    ]
    wanted, systems = on_floor((plane, box), law), [on_floor(pair, law) for pair in pairs]
    random, pressed = np.random.default_rng(1), 0
    for _ in range(20):
        q, v = wanted.initial_state()
        turned = random.normal(size=3) * 10.0 ** random.uniform(-5, -2)
        q = displace(wanted, q, np.r_[0.05 * random.normal(size=2), -(10.0 ** random.uniform(-4, -2.5)), turned])
        v = 0.1 * random.normal(size=6)
        a = dt.accelerations(wanted, q, v)
        pressed += a[2] > -9.0
        for system in systems:
            np.testing.assert_allclose(dt.accelerations(system, q, v), a, rtol=1e-7, atol=1e-4)
    assert pressed > 10


@pytest.mark.parametrize(
    ("shape", "height", "stiffness"),
    [
        (dt.Shape.cylinder(0.1, 0.3), 0.15, 4.0),  # on its end: eight corners of half the share
        (dt.Shape.cylinder(0.1, 0.3, "y"), 0.1, 2.0),  # on its side: the ends of a line
        (dt.Shape.capsule(0.1, 0.3, "x"), 0.1, 2.0),
        (dt.Shape.box(SIZE), SIZE[2] / 2, 4.0),
        (dt.Shape.disc(0.2), 0.0, 4.0),
        (dt.Shape.ellipsoid((0.1, 0.2, 0.15)), 0.15, 1.0),
    ],
    ids=lambda x: x.kind if isinstance(x, dt.Shape) else "",
)
def test_weight_over_stiffness(shape: dt.Shape, height: float, stiffness: float) -> None:
    """The depth at rest on a box: weight over the stiffness of all points that press."""
    k = 2e4
    law = dt.CompliantContact(stiffness=k, damping=500.0, friction=0.5, slip_speed=1e-3)
    depth = 2.0 * G / (stiffness * k)
    system = on_floor((dt.Shape.box(FLOOR, position=(0, 0, -0.25)), shape), law, height - depth)
    q, v = system.initial_state()
    assert dt.accelerations(system, q, v) == pytest.approx(np.zeros(6), abs=1e-6)  # of g: depths err by 1e-11 m
    r = dt.simulate(system, 0.05, outputs=[0.0, 0.05])
    assert r["floor.gap"] == pytest.approx([-depth, -depth], abs=1e-9)
    assert r["floor.normal_force"] == pytest.approx(2.0 * G, rel=1e-6)
    assert r["floor.force"][-1] == pytest.approx([0, 0, 2.0 * G], abs=1e-5)


def test_hull_of_a_fine_sphere_is_a_sphere(tmp_path: Path) -> None:
    """Hertz's law between a sphere and the hull of 380 points of a ball, and of that hull on a plane.

    A corner of it is on the ball; the faces are within the sagitta of the flattest one, which Qhull tells.
    """
    k = np.arange(380) + 0.5  # evenly spread: a spiral that turns by the golden angle
    z, turn = 1.0 - 2.0 * k / 380, np.pi * (1.0 + 5.0**0.5) * k
    points = np.column_stack((np.sqrt(1.0 - z * z) * np.cos(turn), np.sqrt(1.0 - z * z) * np.sin(turn), z))
    ball = dt.Shape.mesh(str(write_obj(tmp_path / "ball.obj", points)), 0.5)
    sagitta = 0.5 * (1.0 + ConvexHull(points).equations[:, 3].max())
    assert sagitta < 0.01  # the hull is a fine ball
    k, depth = 1e5, 0.02
    law = dt.CompliantContact(stiffness=k, exponent=1.5)
    random = np.random.default_rng(2)
    for other, far in ((dt.Shape.sphere(0.3), 0.8), (dt.Shape.plane(), 0.5)):
        system = on_floor((other, ball), law, far - depth)
        ball_system = on_floor((other, dt.Shape.sphere(0.5)), law, far - depth)
        q, v = system.initial_state()
        exact = dt.accelerations(ball_system, q, v)[2]
        softest = k * (depth - sagitta) ** 1.5 * 0.95 / 2.0 - G  # 0.95: see `patch`, flat corners alone
        for _ in range(10):
            turned = displace(system, q, np.r_[0, 0, 0, random.normal(size=3)])
            a = dt.accelerations(system, turned, v)[2]
            assert softest <= a <= exact + 1e-9


PAIRS = {
    "box_box": (dt.Shape.box((1, 1, 0.4)), dt.Shape.box(SIZE)),
    "box_cylinder": (dt.Shape.box((1, 1, 0.4)), dt.Shape.cylinder(0.1, 0.3)),
    "cylinder_cylinder": (dt.Shape.cylinder(0.2, 0.5), dt.Shape.cylinder(0.1, 0.3)),
    "capsule_box": (dt.Shape.box((1, 1, 0.4)), dt.Shape.capsule(0.1, 0.3)),
    "ellipsoids": (dt.Shape.ellipsoid((0.3, 0.2, 0.25)), dt.Shape.ellipsoid((0.1, 0.15, 0.2))),
    "disc_box": (dt.Shape.box((1, 1, 0.4)), dt.Shape.disc(0.2)),
    "sphere_ellipsoid": (dt.Shape.ellipsoid((0.3, 0.2, 0.25)), dt.Shape.sphere(0.1)),
}


def touching(shapes: Shapes, law: dt.CompliantContact) -> dt.System:
    m = dt.Model("two bodies", gravity=(0, 0, 0))
    for name, mass in (("a", 3.0), ("b", 2.0)):
        m.add_joint(f"free {name}", dt.Free(), m.ground, m.add_body(name, dt.Inertia.box(mass, size=(0.3, 0.4, 0.5))))
    m.add_contact("touch", law, "a", "b", shapes=shapes)
    return dt.compile(m)


def pressed_states(system: dt.System, random: np.random.Generator, count: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Random directions and rotations, moved together until they overlap by 0.1 to 10 mm."""
    points = ContactGeometry(system, compliant_contacts(system), biases=False)  # pyright: ignore[reportArgumentType]
    found = []
    for _ in range(count):
        q, _ = system.initial_state()
        q = np.array(q)
        for k in (3, 10):
            q[k : k + 4] = random.normal(size=4)
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
        d, depth, low, high = random.normal(size=3), 10.0 ** random.uniform(-4, -2), 0.0, 2.0
        for _ in range(40):
            q[7:10] = 0.5 * (low + high) * d / np.linalg.norm(d)
            low, high = (0.5 * (low + high), high) if points.gaps(q).min() < -depth else (low, 0.5 * (low + high))
        found.append((q, 0.2 * random.normal(size=system.nv)))
    return found


@pytest.mark.parametrize("kind", PAIRS)
def test_derivatives(kind: str) -> None:
    """Of accelerations, against central differences: exact where points do not jump within the step, 1e-7."""
    law = dt.CompliantContact(stiffness=2e3, exponent=1.5, damping=0.3, friction=0.4, damping_law="hunt_crossley",
                              slip_speed=0.5, viscous_friction=0.1)  # fmt: skip
    system, h = touching(PAIRS[kind], law), 1e-7
    for q, v in pressed_states(system, np.random.default_rng(3), 6):
        d = dt.analyses.forward_dynamics_derivatives(system, q, v)
        at = lambda dq, dv: dt.accelerations(system, displace(system, q, dq), v + dv)  # noqa: E731, B023
        by_q = np.array([(at(h * e, 0) - at(-h * e, 0)) / (2 * h) for e in np.eye(system.nv)]).T
        by_v = np.array([(at(0 * e, h * e) - at(0 * e, -h * e)) / (2 * h) for e in np.eye(system.nv)]).T
        # round-off of differences: 1e-16 / h of the accelerations, which are up to 1e-2 of the derivatives
        np.testing.assert_allclose(d.dq, by_q, atol=1e-6 * max(1.0, np.abs(d.dq).max()))
        np.testing.assert_allclose(d.dv, by_v, atol=1e-6 * max(1.0, np.abs(d.dv).max()))


@pytest.mark.parametrize("kind", ["cylinder", "box", "capsule", "ellipsoid", "hollow", "hull"])
def test_energy_of_a_bounce_on_a_box(kind: str, cube: str) -> None:
    """Bodies fall on a wide box, tilted and turning, and jump off: what they store and give back is in the balance.

    The solver's tolerance of 1e-9 of 7 J, some hundred steps.
    """
    floor = dt.Shape.box(FLOOR, position=(0, 0, -0.25))
    shapes = {
        "cylinder": (floor, dt.Shape.cylinder(0.1, 0.3)),
        "box": (floor, dt.Shape.box(SIZE)),
        "capsule": (floor, dt.Shape.capsule(0.1, 0.3)),
        "ellipsoid": (floor, dt.Shape.ellipsoid((0.1, 0.15, 0.2))),
        "hollow": (dt.Shape.mesh(cube, FLOOR, position=(0, 0, -0.25), convex=False), dt.Shape.box(SIZE)),
        "hull": (floor, dt.Shape.mesh(cube, SIZE)),
    }[kind]
    m = dt.Model("bounce")
    b = m.add_body("b", dt.Inertia.box(2.0, size=SIZE), position=(0, 0, 0.35),
                   rotation=dt.Rotation.about((3, 2, 1), 0.37))  # fmt: skip
    m.add_joint("free", dt.Free(), m.ground, b, v0=[0.2, 0.1, 0, 0.5, 0.3, 1.0])
    m.add_contact("floor", dt.CompliantContact(stiffness=1e6), m.ground, b, shapes=shapes)
    r = dt.simulate(m, 0.6, solver=dt.DOPRI5(rtol=1e-9, atol=1e-11, max_step=5e-4))
    assert r.ok, r.reason
    assert np.max(r["floor.normal_force"]) > 500.0
    assert r["floor.normal_force"][-1] == 0.0
    assert np.max(np.abs(r.energy.residual)) < 1e-5


def test_losses_are_not_negative_and_balance() -> None:
    """Damping and friction of a cylinder on a box."""
    law = dt.CompliantContact(stiffness=1e5, damping=0.5, damping_law="hunt_crossley", friction=0.3, slip_speed=0.01)
    m = dt.Model("cylinder on a box")
    b = m.add_body("b", dt.Inertia.cylinder(2.0, 0.1, 0.3), position=(0, 0, 0.3),
                   rotation=dt.Rotation.about((3, 2, 1), 0.9))  # fmt: skip
    m.add_joint("free", dt.Free(), m.ground, b, v0=[1.0, 0.1, 0, 0.5, 0.3, 1.0])
    shapes = (dt.Shape.box(FLOOR, position=(0, 0, -0.25)), dt.Shape.cylinder(0.1, 0.3))
    m.add_contact("floor", law, m.ground, b, shapes=shapes)
    r = dt.simulate(m, 0.5, solver=dt.DOPRI5(rtol=1e-9, atol=1e-11, max_step=5e-4))
    assert r.ok
    assert np.min(r["floor.power_dissipated"]) >= 0.0
    assert np.max(r["floor.power_dissipated"]) > 10.0
    assert np.max(np.abs(r.energy.residual)) < 1e-5


def test_implicit_solver_converges(cube: str) -> None:
    """Radau and a stiff contact, box on hull and on a non-convex mesh (whose derivatives hold the normal): at rest."""
    law = dt.CompliantContact(stiffness=1e7, damping=2e3, friction=0.5)
    for convex in (True, False):
        shapes = (dt.Shape.mesh(cube, FLOOR, position=(0, 0, -0.25), convex=convex), dt.Shape.box(SIZE))
        system = on_floor(shapes, law, SIZE[2] / 2 - 2e-6)  # four times the depth at rest
        r = dt.simulate(system, 0.2, solver=dt.Radau())
        assert r.ok
        assert r["floor.normal_force"][-1] == pytest.approx(2.0 * G, rel=1e-4)
        assert r.stats.rejected < 0.3 * r.stats.steps + 20  # Newton's method finds its steps
    e = dt.equilibrium(system)
    assert e.ok
    assert e["b.position"][2] == pytest.approx(SIZE[2] / 2 - 2.0 * G / 4e7, abs=1e-9)


def test_forces_do_not_jump_when_corners_are_cut_off() -> None:
    """A box turns about the vertical on one of its size: the four corners become eight, and their shares two halves.

    All depths are the same, so that the sum of the shares is four throughout, and forces that of four corners.
    """
    law, depth = dt.CompliantContact(stiffness=1e5), 1e-4
    size = np.array((0.4, 0.4, 0.2))
    shapes = (dt.Shape.box(size, position=(0, 0, -0.1)), dt.Shape.box(size))
    system = on_floor(shapes, law, 0.1 - depth)
    q, v = system.initial_state()
    for angle in (0.0, 1e-7, 1e-5, 1e-3, 0.1, np.pi / 8, np.pi / 4):
        turned = displace(system, q, np.r_[0, 0, 0, 0, 0, angle])
        a = dt.accelerations(system, turned, v)
        assert a == pytest.approx([0, 0, 4e5 * depth / 2.0 - G, 0, 0, 0], abs=1e-5)


def test_a_mesh_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    shapes = (dt.Shape.plane(), dt.Shape.mesh(str(tmp_path / "none.obj")))
    with pytest.raises(ValueError, match=r'contact "floor".*none\.obj'):
        on_floor(shapes, dt.CompliantContact(stiffness=1.0))


@pytest.mark.parametrize("solver", [None, dt.DOPRI5()], ids=["default", "chosen"])
def test_a_ball_does_not_fall_through_a_terrain(solver):
    """Before it meets the surface nothing tells of it, and a free fall is exact in steps of any length."""
    m = dt.Model("drop")
    b = m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1), position=(0.5, 0.5, 0.6))
    m.add_joint("f", dt.Free(), m.ground, b)
    terrain = dt.Shape.heightfield(np.zeros((5, 5)), (4, 4))
    law = dt.CompliantContact(stiffness=5e4, damping=100)
    m.add_contact("c", law, m.ground, b, shapes=(terrain, dt.Shape.sphere(0.1)))
    r = dt.simulate(m, 1.0, solver=solver)
    assert r.ok
    assert abs(r["b.position"][-1, 2] - 0.1) < 0.01  # it still bounces by millimetres
