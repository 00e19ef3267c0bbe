"""Linear systems: what is refused, names, axes of spinning bodies, and `Lineariser`."""

from __future__ import annotations

import numpy as np
import pytest
from test_assembly import four_bar

import duoti as dt
from support.random_models import random_model, random_state


@pytest.mark.parametrize("seed", range(4))
def test_the_lineariser_is_linearise(seed):
    """In trees with balls and free bodies, at any instant, but for the axes of bodies that turn."""
    rng = np.random.default_rng(seed)
    joint, m = None, dt.Model("none yet")
    while joint is None:
        m = random_model(rng, 4).model
        joint = next((name for name, e in m.joints.items() if e.joint.nv == 1), None)
    m.parameters["u"] = 0.3
    m.add_state("s", f"-2*s + {joint}.v[0]*0 + 3*u")
    m.add_force("drive", dt.JointTorque(joint, "2*u + s"))
    system = dt.compile(m)
    q, v, _ = random_state(rng, system)
    z = np.array([0.7])
    f = dt.Lineariser(system, inputs=["u", joint])
    A, B = f(q, v, z=z)
    lin = dt.linearise(system, (q, v, z), inputs=["u", joint])
    S = np.zeros_like(A)
    n = system.nv
    S[:n, :n] = S[n : 2 * n, n : 2 * n] = lin.frame.generator
    assert f.states == lin.states
    assert np.allclose(A + S, lin.A, rtol=0, atol=1e-9 * np.abs(lin.A).max())
    assert np.allclose(B, lin.B, rtol=0, atol=1e-9 * np.abs(lin.B).max())
    with pytest.raises(ValueError, match="q needs"):
        f(q[1:], v)


@pytest.mark.parametrize("loops", [False, True])
def test_each_call_of_the_lineariser_has_arrays_of_its_own(loops):
    """The first A changed with the second call; `out=` takes arrays that are used again."""
    m = four_bar() if loops else dt.Model("arm")
    if not loops:
        m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x", com=(0.5, 0, 0)))
        m.add_joint("A", dt.Revolute("y"), m.ground, "rod")
    system = dt.compile(m)
    f = dt.Lineariser(system, inputs=["A"], coordinates=["A"])
    A, B = f(*system.state({"A": 0.2}))
    kept = A.copy(), B.copy()
    second = f(*system.state({"A": 0.7}))
    assert np.array_equal(A, kept[0])
    assert np.array_equal(B, kept[1])
    assert not np.allclose(second[0], A)
    given = np.zeros_like(A), np.zeros_like(B)
    found = f(*system.state({"A": 0.7}), out=given)
    assert found[0] is given[0]
    assert found[1] is given[1]
    assert np.array_equal(given[0], second[0])
    with pytest.raises(ValueError, match=r"out: A has the shape \(2, 2\), but \(3, 3\) is given"):
        f(*system.state({"A": 0.7}), out=(np.zeros((3, 3)), given[1]))


def test_states_that_are_not_given_are_the_initial_ones():
    """They were those of the call before."""
    m = dt.Model("arm")
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x", com=(0.5, 0, 0)))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod")
    m.add_state("s", "-s^3", 0.5)
    f = dt.Lineariser(m)
    first = f([0.1], [0.0])[0]
    assert not np.allclose(f([0.1], [0.0], z=[2.0])[0], first)
    assert np.array_equal(f([0.1], [0.0])[0], first)


def test_the_lineariser_with_loops():
    system = dt.compile(four_bar(), force_cut=["C"])
    f = dt.Lineariser(system, inputs=["A"], coordinates=["A"])
    for angle in (0.2, 0.6):
        state = system.state({"A": angle}, rates={"A": 1.0})
        A, B = f(*state)
        lin = dt.linearise(system, state, inputs=["A"], coordinates=["A"])
        assert lin.states == f.states == ("A.angle", "A.rate")
        assert np.allclose(A, lin.A, rtol=1e-10)
        assert np.allclose(B, lin.B, rtol=1e-10)
    q, v = state
    with pytest.raises(ValueError, match="open"):
        f(q + 0.1, v)


def test_names_that_are_wrong_are_refused():
    m = four_bar()
    m.parameters["unused"] = 1.0
    with pytest.raises(dt.errors.ChannelError, match='input "unused": no law reads') as error:
        dt.linearise(m, inputs=["unused", "nothing"], outputs=["A.angel", "A.angle + "])
    assert 'there is no input "nothing"' in str(error.value)
    assert 'output "A.angel"' in str(error.value)
    with pytest.raises(dt.errors.ChannelError, match='no joint or rate "E"'):
        dt.linearise(m, coordinates=["E"])
    with pytest.raises(ValueError, match=r"give what dt\.equilibrium found"):
        dt.linearise(m, at="rest")
    with pytest.raises(ValueError, match="no input"):
        dt.linearise(m).to_scipy()


def test_an_open_state_is_refused():
    system = dt.compile(four_bar(), force_cut=["C"])
    q, v = system.state()
    with pytest.raises(ValueError, match='joint "C" is open'):
        dt.linearise(system, (q + np.array([0.0, 0.0, 0.2]), v))


def test_a_torque_free_body_that_spins():
    """About its axis of symmetry: deviations of the axis in space stay (0), the body's own precession has
    (C - A)/A * spin in body axes, C/A * spin in space."""
    A, C, spin = 0.3, 0.5, 20.0
    m = dt.Model("body", gravity=(0, 0, 0))
    m.add_body("b", dt.Inertia(1.0, matrix=np.diag([A, A, C])))
    m.add_joint("F", dt.Free(), m.ground, "b", v0={"angular_velocity": (0, 0, spin), "velocity": (1.0, 0, 0)})
    lin = dt.linearise(m)
    assert lin.steady
    assert lin.frame.axes == "parent"
    found = np.unique(np.round(np.abs(lin.eigenvalues.imag), 6))
    assert found == pytest.approx([0.0, C / A * spin], abs=1e-5)


def test_force_elements_as_inputs():
    """The input is added to the law, whatever it is: a number, an expression, a function."""
    for value in (3.0, "3 + 0.5*v", lambda t, v: 3 + 0.5 * v):
        m = dt.Model("b", gravity=(0, 0, 0))
        m.add_body("b", dt.Inertia.point(2.0))
        m.add_joint("x", dt.Prismatic("x"), m.ground, "b")
        m.add_force("f", dt.JointTorque("x", value))
        m.add_force("g", dt.AppliedForce("b", (lambda t: (0.0, t, 0.0)) if callable(value) else (0, "t", 0)))
        lin = dt.linearise(m, inputs=["f", "g"], outputs=["x.a", "x.position"])
        assert lin.inputs == ("f", "g.x", "g.y", "g.z")
        assert lin.B[1] == pytest.approx([0.5, 0.5, 0, 0], abs=1e-7)
        assert lin.D[0] == pytest.approx([0.5, 0.5, 0, 0], abs=1e-7)
        assert lin.A[1, 1] == pytest.approx(0.0 if value == 3.0 else 0.25, abs=1e-7)


def test_the_equilibrium_of_another_model_is_refused():
    e = dt.equilibrium(four_bar())
    with pytest.raises(ValueError, match="another system"):
        dt.linearise(dt.compile(four_bar()), e)
    assert len(dt.linearise(four_bar(), e).rates) == 1


def test_for_python_control():
    control = pytest.importorskip("control")
    m = dt.Model("damped", gravity=(0, 0, 0))
    m.add_body("b", dt.Inertia.point(2.0))
    m.add_joint("x", dt.Prismatic("x"), m.ground, "b")
    m.add_force("spring", dt.JointSpring("x", stiffness=8.0))
    m.add_force("damper", dt.JointDamping("x", damping=0.4))
    plant = dt.linearise(m, inputs=["x"], outputs=["x.position"]).to_control()
    assert list(plant.state_labels) == ["x_position", "x_velocity"]
    assert control.dcgain(plant) == pytest.approx(1 / 8)
    gain, _, _ = control.lqr(plant, np.eye(2), np.eye(1))
    assert np.max(np.linalg.eigvals(plant.A - plant.B @ gain).real) < -0.1


def with_a_far_eigenvalue(damping: float, far: float = 20.0) -> dt.Model:
    m = dt.Model("bogie", gravity=(0, 0, 0))
    m.add_body("a", dt.Inertia.point(1.0))
    m.add_joint("A", dt.Prismatic("x"), m.ground, "a")
    m.add_force("s", dt.JointSpring("A", stiffness=100.0, damping=damping))
    m.add_body("b", dt.Inertia.point(2.0))
    m.add_joint("B", dt.Prismatic("x"), "a", "b")
    m.add_force("s2", dt.JointSpring("B", stiffness=300.0, damping=0.5 * damping))
    m.add_body("d", dt.Inertia.point(1e-3))
    m.add_joint("D", dt.Prismatic("y"), m.ground, "d")
    m.add_force("s3", dt.JointSpring("D", stiffness=10.0, damping=far))
    return m


def test_a_far_eigenvalue_does_not_rule_the_picture():
    """One of -20 000 1/s beside others within 40 1/s: it is named, and the others fill the axes."""
    locus = dt.root_locus(with_a_far_eigenvalue, "damping", np.linspace(0.0, 30.0, 7))
    for figure in (locus.plot(), dt.linearise(with_a_far_eigenvalue(3.0)).plot()):
        axes = figure.axes[0]
        (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
        assert -60 < left < right < 10
        assert -30 < low < -20
        assert 20 < high < 30
        assert any("1 eigenvalue reaches beyond: |s| = 2e+04 1/s" in text.get_text() for text in axes.texts)


def test_eigenvalues_of_one_size_are_all_in_the_picture():
    figure = dt.linearise(with_a_far_eigenvalue(3.0, far=0.02)).plot()
    assert not figure.axes[0].texts
    values = dt.linearise(with_a_far_eigenvalue(3.0, far=0.02)).eigenvalues
    (left, right), (low, high) = figure.axes[0].get_xlim(), figure.axes[0].get_ylim()
    assert np.all((values.real > left) & (values.real < right) & (values.imag > low) & (values.imag < high))
