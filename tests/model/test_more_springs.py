"""Springs between coordinates and along the world's axes, systems by matrices, joints by their free axes."""

import numpy as np
import pytest

import duoti as dt

FINE = dt.DOP853(rtol=1e-10, atol=1e-12)
IMPLICIT = dt.Radau(rtol=1e-9, atol=1e-11)
NEAR = 1e-7  # both solvers, some tens of radians of oscillation


def run(model, duration=2.0, solver=FINE):
    r = dt.simulate(model, duration, solver=solver, outputs=duration / 40)
    assert r.ok, r.reason
    return r


def discs():
    m = dt.Model("shaft", gravity=(0, 0, 0))
    for name, moment, rate in (("A", 2.0, 3.0), ("B", 3.0, 0.0)):
        m.add_body(f"disc{name}", dt.Inertia(1.0, matrix=(moment,) * 3), position=(moment, 0, 0))
        m.add_joint(name, dt.Revolute("x"), m.ground, f"disc{name}", v0=rate)
    return m


@pytest.mark.parametrize("solver", [FINE, IMPLICIT], ids=["explicit", "implicit"])
def test_elastic_shaft(solver):
    """Twist of two free rotors: w = sqrt(k (1/I1 + 1/I2)); with a ratio the second counts as I2 / ratio²."""
    m = discs()
    m.add_force("shaft", dt.CouplingSpring({"A": 1.0, "B": -2.0}, stiffness=50.0))
    r = run(m, solver=solver)
    w = np.sqrt(50.0 * (1 / 2.0 + 4 / 3.0))
    twist = r["A.angle"] - 2 * r["B.angle"]
    assert np.max(np.abs(twist - 3.0 / w * np.sin(w * r.t))) < NEAR
    assert np.max(np.abs(r.energy.residual)) < NEAR


def test_one_dimensional_rotors():
    """Massless bodies on joints with rotors: a drive train without gravity or gyroscopic torques."""
    m = dt.Model("train")
    for name, moment in (("A", 2.0), ("B", 3.0)):
        m.add_body(f"rotor{name}", dt.Inertia.point(0.0))
        m.add_joint(name, dt.Revolute("x"), m.ground, f"rotor{name}", rotor_inertia=moment)
    m.joints["A"].v0 = 3.0
    m.add_force("shaft", dt.CouplingSpring({"A": 1.0, "B": -1.0}, stiffness=50.0))
    r = run(m)
    w = np.sqrt(50.0 * (1 / 2.0 + 1 / 3.0))
    assert np.max(np.abs(r["A.angle"] - r["B.angle"] - 3.0 / w * np.sin(w * r.t))) < NEAR


def test_damping_between_coordinates():
    m = discs()
    m.add_force("clutch", dt.CouplingSpring({"A": 1.0, ("B", 0): -1.0}, damping=0.6))
    r = run(m)
    decay = 0.6 * (1 / 2.0 + 1 / 3.0)
    assert np.max(np.abs(r["A.rate"] - r["B.rate"] - 3.0 * np.exp(-decay * r.t))) < NEAR
    assert np.max(np.abs(r.energy.residual)) < NEAR


@pytest.mark.parametrize("solver", [FINE, IMPLICIT], ids=["explicit", "implicit"])
def test_springs_of_the_world_between_moving_bodies(solver):
    """Two free bodies that spin: their centres oscillate along each axis by itself, with the reduced mass.

    They hang on a common carriage that turns, so that the axes of all joints turn with it."""
    m = dt.Model("pair", gravity=(0, 0, 0))
    k, mass = np.array([40.0, 90.0, 10.0]), 2.0 * 3.0 / 5.0
    m.add_body("one", dt.Inertia.box(2.0, (0.1, 0.2, 0.3)))
    m.add_body("two", dt.Inertia.box(3.0, (0.3, 0.2, 0.2)), position=(0.5, 0.2, -0.1))
    m.add_joint("base", dt.Free(), m.ground, "one", v0={"angular_velocity": (3.0, -2.0, 4.0)})
    m.add_joint("between", dt.Free(), "one", "two", v0={"angular_velocity": (1.0, 2.0, 0.0)})
    m.add_force("spring", dt.CartesianSpring("one", "two", k, 0.0, (0.5, 0.0, 0.0)))
    r = run(m, solver=solver)
    d = r["two.position"] - r["one.position"]
    rate = (r["two.velocity"] - r["one.velocity"])[0]
    w = np.sqrt(k / mass)
    x0 = np.array([0.0, 0.2, -0.1])
    exact = np.array([0.5, 0.0, 0.0]) + x0 * np.cos(np.outer(r.t, w)) + rate / w * np.sin(np.outer(r.t, w))
    assert np.max(np.abs(d - exact)) < 10 * NEAR
    assert np.max(np.abs(r.energy.residual)) < 10 * NEAR


def box_on(force):
    m = dt.Model("mount")
    m.add_body("box", dt.Inertia.box(2.0, (0.1, 0.2, 0.3)), position=(0.1, 0.2, 0.0))
    m.add_joint("F", dt.Free(), m.ground, "box", v0={"velocity": (0.3, 0, 0), "angular_velocity": (1.0, -2.0, 0.5)})
    m.add_marker("seat", m.ground, (0.1, 0.1, 0.1), dt.Rotation.about("x", 0.3))
    m.add_force("mount", force)
    return m


def test_bushing_by_six_numbers_and_by_a_diagonal_matrix():
    k, d = (200, 300, 400, 5, 6, 7), (2, 3, 4, 0.1, 0.2, 0.3)
    one = run(box_on(dt.Bushing("seat", "box", k, d)))
    two = run(box_on(dt.Bushing("seat", "box", np.diag(k), d)))
    for name in ("box.position", "box.angular_velocity", "mount.force", "mount.torque"):
        assert np.max(np.abs(one[name] - two[name])) < NEAR


@pytest.mark.parametrize("solver", [FINE, IMPLICIT], ids=["explicit", "implicit"])
def test_bushing_with_coupling_and_offset(solver):
    """A beam's end, whose turning and shifting are coupled, against springs placed apart: a spring at a lever."""
    lever, k = 0.4, 150.0  # a spring along x at the point (0, 0, lever) of a, for small turns about y
    K = np.diag([0.0, 80.0, 90.0, 4.0, 5.0, 6.0])
    n = np.array([1.0, 0.0, 0.0, 0.0, lever, 0.0])  # its stretch: x + lever * turn about y
    r = run(box_on(dt.Bushing("seat", "box", K + k * np.outer(n, n), offset=(0.01, 0, 0, 0, 0.02, 0))), solver=solver)
    assert np.max(np.abs(r.energy.residual)) < NEAR
    # released at the offset it stays there, without gravity
    m = dt.Model("at rest", gravity=(0, 0, 0))
    m.add_body(
        "box", dt.Inertia.box(2.0, (0.1, 0.2, 0.3)), position=(0.01, 0, 0), rotation=dt.Rotation.about("y", 0.02)
    )
    m.add_joint("F", dt.Free(), m.ground, "box")
    m.add_force("mount", dt.Bushing("ground", "box", K + k * np.outer(n, n), offset=(0.01, 0, 0, 0, 0.02, 0)))
    assert np.max(np.abs(run(m, 1.0, solver)["box.position"] - [0.01, 0, 0])) < 1e-12


@pytest.mark.parametrize(
    ("force", "text"),
    [
        (dt.Bushing("one", "two", np.ones((5, 5))), "or a 6x6 matrix; 5x5 given"),
        (dt.Bushing("one", "two", np.triu(np.ones((6, 6)))), "not symmetric"),
        (dt.Bushing("one", "two", np.ones(6), -np.ones(6)), "damping must not be negative"),
        (dt.Bushing("one", "two", np.ones(6), -np.eye(6)), "negative eigenvalue"),
        (dt.Bushing("one", "two", np.ones(6), offset=(1, 2)), "offset takes six"),
        (dt.CartesianSpring("one", "two", stiffness=(1, 2)), "give one number, or three"),
        (dt.CartesianSpring("one", "two", damping=-1.0), "must not be negative"),
        (dt.CouplingSpring({}), "give a mapping such as"),
        (dt.CouplingSpring({"nobody": 1.0}), "nobody"),
    ],
)
def test_wrong_springs(force, text):
    m = discs()
    m.add_force("spring", force)
    m.add_body("one", dt.Inertia.point(1.0))
    m.add_body("two", dt.Inertia.point(1.0))
    assert any(text in str(error) for error in dt.check(m).errors)


def test_second_order_system_by_matrices():
    """Alone, against its modes."""
    rng = np.random.default_rng(3)
    A = rng.normal(size=(3, 3))
    M, K = A @ A.T + 3 * np.eye(3), 40.0 * np.diag([1.0, 2.0, 3.0])
    m = dt.Model("modes")
    m.add_body("rest", dt.Inertia.point(1.0))
    m.add_joint("X", dt.Prismatic("x"), m.ground, "rest")
    x, v = m.add_second_order_system("beam", M, K, x0=(0.1, -0.2, 0.3))
    assert (x[0], v[2]) == ("beam.x1", "beam.v3")
    r = run(m)
    squares, shapes = np.linalg.eig(np.linalg.solve(M, K))
    parts = np.linalg.solve(shapes, [0.1, -0.2, 0.3])
    exact = (shapes * parts) @ np.cos(np.sqrt(squares)[:, None] * r.t)
    assert np.max(np.abs(np.array([r[name] for name in x]) - exact)) < NEAR


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"mass": [[1, 2]], "stiffness": [1.0]}, "a square matrix"),
        ({"mass": [1.0, 0.0], "stiffness": [1.0, 1.0]}, "singular"),
        ({"mass": [1.0], "stiffness": [1.0, 1.0]}, "1 x 1 numbers"),
        ({"mass": [1.0], "stiffness": [1.0], "forces": ["1", "2"]}, "2 forces for 1 coordinates"),
    ],
)
def test_wrong_matrices(arguments, text):
    with pytest.raises(ValueError, match=text):
        dt.Model("m").add_second_order_system("s", **arguments)


def test_joint_by_its_free_axes():
    """In a vertical plane: as a planar joint, but for the order of its coordinates."""
    results = []
    for joint, v0 in ((dt.Composite.of_axes("xz", "y"), (1.0, 2.0, 3.0)), (dt.Planar("y"), None)):
        m = dt.Model("plane")
        m.add_body("box", dt.Inertia.box(1.0, (0.1, 0.2, 0.3)))
        m.add_joint("P", joint, m.ground, "box", v0=v0)
        if v0 is None:
            m.joints["P"].v0 = {"velocity": (2.0, 1.0), "rate": 3.0}
        results.append(run(m, 0.5))
    assert results[0].system.nv == 3
    # a throw in a plane: both have no force but gravity
    one, t = results[0], results[0].t
    assert np.max(np.abs(one["P.q"] - np.stack([t, 2 * t - 0.5 * 9.81 * t**2, 3 * t], 1))) < 1e-10
    assert np.max(np.abs(one["box.axis_x"][:, 0] - np.cos(3 * t))) < 1e-10
    assert np.max(np.abs(np.abs(one["box.angular_velocity"]) - np.abs(results[1]["box.angular_velocity"]))) < 1e-10
    with pytest.raises(ValueError, match="no axis twice"):
        dt.Composite.of_axes("xx")
