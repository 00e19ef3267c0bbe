"""Solvers: order of convergence, dense output, step-size control, tableaux, events."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import duoti as dt

ADAPTIVE = {"RKF45": dt.RKF45, "DOPRI5": dt.DOPRI5, "DOP853": dt.DOP853, "Rodas": dt.Rodas}
EXPLICIT = ["RKF45", "DOPRI5", "DOP853"]
ORDER = {"SemiImplicitEuler": 1, "Verlet": 2, "RK4": 4, "RKF45": 5, "DOPRI5": 5, "DOP853": 8, "Rodas": 4}
DENSE_ORDER = {"RK4": 3, "RKF45": 4, "DOPRI5": 4, "DOP853": 7, "Rodas": 3}
TIGHT = dt.DOP853(rtol=1e-13, atol=1e-13)


def constant_step(name: str, h: float):
    """The method with constant steps: tolerances so wide that the error estimate never has a say."""
    if name in ADAPTIVE:
        return ADAPTIVE[name](rtol=0.99, atol=1e30, first_step=h, max_step=h)
    return {"RK4": dt.RK4, "SemiImplicitEuler": dt.SemiImplicitEuler, "Verlet": dt.Verlet}[name](step=h)


MOMENTS = np.array([1.0, 2.0, 3.0])
OMEGA = np.array([2.0, 0.5, 1.0])


def top(joint: str = "spherical") -> dt.Model:
    """A free asymmetric top: all of the difficulty of rotations, none of anything else."""
    m = dt.Model("top", gravity=(0, 0, 0))
    body = m.add_body("top", dt.Inertia(1.0, matrix=np.diag(MOMENTS)))
    if joint == "spherical":
        m.add_joint("J", dt.Spherical(), m.ground, body, v0=OMEGA)
    else:
        m.add_joint("J", dt.Free(), m.ground, body, v0=[0.3, -0.2, 0.1, *OMEGA])
    return m


def top_reference(times) -> np.ndarray:
    """Quaternion and angular velocity by an independent program; its error is 1e-12."""

    def rates(_t, y):
        w, x, y_, z = y[:4]
        p = y[4:]
        qdot = 0.5 * np.array(
            [
                -x * p[0] - y_ * p[1] - z * p[2],
                w * p[0] + y_ * p[2] - z * p[1],
                w * p[1] + z * p[0] - x * p[2],
                w * p[2] + x * p[1] - y_ * p[0],
            ]
        )
        return np.concatenate([qdot, -np.cross(p, MOMENTS * p) / MOMENTS])

    start = np.concatenate([[1.0, 0, 0, 0], OMEGA])
    found = solve_ivp(rates, (0, max(times)), start, "DOP853", t_eval=times, rtol=3e-14, atol=1e-14)
    return found.y.T


def slope(steps, errors) -> float:
    return float(np.polyfit(np.log(steps), np.log(errors), 1)[0])


# ----------------------------------------------------------------------------------------------- order of convergence

# steps such that errors lie well between round-off (1e-13) and 1e-1, where the leading term rules
STEPS = {
    "SemiImplicitEuler": [2.0**-k for k in range(8, 12)],
    "Verlet": [2.0**-k for k in range(5, 9)],
    "RK4": [2.0**-k for k in range(4, 8)],
    "RKF45": [2.0**-k for k in range(3, 7)],
    "DOPRI5": [2.0**-k for k in range(3, 7)],
    "DOP853": [0.5, 0.4, 0.25, 0.2],
    "Rodas": [2.0**-k for k in range(3, 7)],
}


@pytest.mark.parametrize("joint", ["spherical", "free"])
@pytest.mark.parametrize("name", ORDER)
def test_order_of_convergence_on_a_free_top(name, joint):
    """Bringing quaternions back to unit length after every step must not spoil the order."""
    system = dt.compile(top(joint))
    wanted = top_reference([2.0])[-1]
    errors = []
    for h in STEPS[name]:
        r = dt.simulate(system, duration=2.0, outputs=[2.0], solver=constant_step(name, h))
        assert r.stats.steps == round(2.0 / h)
        got = np.concatenate([r["J.rotation"][-1], r["J.angular_velocity"][-1]])
        errors.append(np.max(np.abs(got - wanted)))
    order = slope(STEPS[name], errors)
    # the slope over a factor of eight in h is within 0.35 of the order (above: higher terms that still help)
    assert ORDER[name] - 0.35 < order < ORDER[name] + 1.2, (order, errors)
    assert errors[-1] < 2e-3


@pytest.mark.parametrize("name", ORDER)
def test_quaternions_stay_unit(name):
    """Also between the steps, and over thousands of steps: one rounding error, 1e-16, is all that is left."""
    r = dt.simulate(top("free"), duration=20.0, outputs=0.0123, solver=constant_step(name, 0.005))
    assert np.max(np.abs(np.linalg.norm(r["J.rotation"], axis=1) - 1)) < 1e-14
    assert np.max(np.abs(np.linalg.norm(r["top.rotation"], axis=1) - 1)) < 1e-14


def test_rotation_without_normalisation_of_rates_would_lose_the_last_stage():
    """The last rate of a step is the first of the next: it has to follow the quaternion's scaling.

    A top that turns about one axis has the exact solution cos(w t / 2); the error grows with the steps, not faster.
    """
    m = dt.Model("spin", gravity=(0, 0, 0))
    body = m.add_body("disc", dt.Inertia.cylinder(1.0, radius=1.0, length=0.1, axis="z"))
    m.add_joint("J", dt.Spherical(), m.ground, body, v0=(0, 0, 3.0))
    r = dt.simulate(m, duration=50.0, outputs=0.5, solver=TIGHT)
    np.testing.assert_allclose(r["J.q"][:, 0], np.cos(1.5 * r.t), atol=1e-11)
    np.testing.assert_allclose(r["J.q"][:, 3], np.sin(1.5 * r.t), atol=1e-11)


# ------------------------------------------------------------------------------------------------------ dense output


@pytest.mark.parametrize("name", DENSE_ORDER)
def test_order_of_dense_output(name):
    """The error between steps falls as h^(order + 1), from states that are much better.

    One step is taken from exact initial values, so that the error at its end is of the method's order + 1 and the
    error inside that of the polynomial.
    """
    system = dt.compile(top())
    short = [0.2, 0.1, 0.05]
    steps = {"RK4": short, "Rodas": short, "DOP853": [0.2, 0.15, 0.1]}.get(name, [0.4, 0.2, 0.1])
    errors = []
    for h in steps:
        times = h * np.linspace(0.05, 0.95, 19)
        r = dt.simulate(system, duration=h, outputs=times, solver=constant_step(name, h))
        assert r.stats.steps == 1
        wanted = top_reference(times)
        quaternions = wanted[:, :4] / np.linalg.norm(wanted[:, :4], axis=1)[:, None]
        got = np.hstack([r["J.rotation"], r["J.angular_velocity"]])
        errors.append(np.max(np.abs(got - np.hstack([quaternions, wanted[:, 4:]]))))
    order = slope(steps, errors)
    assert DENSE_ORDER[name] + 1 - 0.4 < order < DENSE_ORDER[name] + 1 + 1.3, (order, errors)


def test_dense_output_meets_the_steps():
    """Outputs at the times of steps are the steps' own states to round-off, that of a polynomial with large terms."""
    system = dt.compile(top("free"))
    for name in ADAPTIVE:
        solver = constant_step(name, 0.05)
        at_steps = dt.simulate(system, duration=1.0, outputs="steps", solver=solver)
        at_times = dt.simulate(system, duration=1.0, outputs=at_steps.t, solver=solver)
        assert at_steps.stats.steps == at_times.stats.steps
        np.testing.assert_allclose(at_times.q, at_steps.q, rtol=0, atol=2e-14)
        np.testing.assert_allclose(at_times.v, at_steps.v, rtol=0, atol=4e-14)


def test_outputs_do_not_change_the_motion():
    """Steps follow from the tolerances alone, however many outputs are asked for."""
    system = dt.compile(top())
    few = dt.simulate(system, duration=5.0, outputs=[5.0])
    many = dt.simulate(system, duration=5.0, outputs=0.001)
    np.testing.assert_array_equal(few.q[-1], many.q[-1])
    assert few.stats.steps == many.stats.steps


# -------------------------------------------------------------------------------------------------------- tolerances


@pytest.mark.parametrize("name", EXPLICIT)
def test_error_falls_with_the_tolerance(name):
    """Tolerance proportionality: over eight decades of rtol the error falls in proportion, within a factor of 30."""
    system = dt.compile(top())
    wanted = top_reference([10.0])[-1]
    tolerances = 10.0 ** -np.arange(4, 13)
    errors, steps = [], []
    for tolerance in tolerances:
        r = dt.simulate(system, 10.0, [10.0], ADAPTIVE[name](), rtol=tolerance, atol=tolerance)
        errors.append(np.max(np.abs(np.concatenate([r.q[-1], r.v[-1]]) - wanted)))
        steps.append(r.stats.steps)
    errors = np.array(errors)
    assert 0.8 < slope(tolerances[:-1], errors[:-1]) < 1.25  # the last one is near round-off
    ratio = errors / tolerances
    assert np.all(ratio < 300)  # global errors are larger than those per step by the length of the run
    assert np.max(ratio[:-1]) / np.min(ratio[:-1]) < 100
    # the number of steps grows with the order's root of the tolerance
    assert slope(tolerances, steps) == pytest.approx(-1.0 / ORDER[name], abs=0.04)


def test_wild_first_step_is_mended():
    """A first step that is much too long is rejected, not believed."""
    r = dt.simulate(top(), 10.0, [10.0], dt.DOPRI5(rtol=1e-8, atol=1e-8, first_step=5.0))
    assert r.stats.rejected > 0
    assert np.max(np.abs(r.v[-1] - top_reference([10.0])[-1][4:])) < 1e-5


def test_max_step_is_kept():
    r = dt.simulate(top(), 3.0, "steps", dt.DOP853(max_step=0.05))
    assert np.max(np.diff(r.t)) <= 0.05 * (1 + 1e-12)


# ---------------------------------------------------------------------------------------------------------- tableaux


@pytest.mark.parametrize("name", ["RK4", "RKF45", "DOPRI5", "DOP853"])
def test_order_conditions(name):
    """All conditions up to order 4, and those of quadrature up to the order of the method, to round-off."""
    method = constant_step(name, 0.1).tableau()
    s = method.stages
    A, b, c = method.A[:s, :s], method.A[s, :s], method.c[:s]
    tolerance = 2e-14  # coefficients of order 10 in DOP853
    assert np.all(np.triu(A) == 0)
    np.testing.assert_allclose(A.sum(axis=1), c, atol=tolerance)
    for k in range(1, ORDER[name] + 1):
        assert b @ c ** (k - 1) == pytest.approx(1 / k, abs=tolerance)
    assert b @ A @ c == pytest.approx(1 / 6, abs=tolerance)
    assert b @ (c * (A @ c)) == pytest.approx(1 / 8, abs=tolerance)
    assert b @ A @ c**2 == pytest.approx(1 / 12, abs=tolerance)
    assert b @ A @ A @ c == pytest.approx(1 / 24, abs=tolerance)
    np.testing.assert_allclose(method.E.sum(axis=1), 0, atol=tolerance)
    if name in ADAPTIVE:
        assert np.any(method.E[0] != 0)
        assert method.E[0] @ method.c[: s + 1] == pytest.approx(0, abs=tolerance)
    # every stage that belongs to the dense output is consistent, too
    np.testing.assert_allclose(method.A.sum(axis=1), method.c, atol=tolerance)


@pytest.mark.parametrize("name", ["RK4", *EXPLICIT])
def test_conditions_of_the_dense_output(name):
    """Weights b_i(x) of the polynomial: quadrature conditions for all x; at x = 1 the weights of the step."""
    method = constant_step(name, 0.1).tableau()
    P, c, s = method.P, method.c, method.stages
    powers = np.arange(1, P.shape[1] + 1)
    np.testing.assert_allclose(P.sum(axis=1)[:s], method.A[s, :s], atol=1e-13)
    np.testing.assert_allclose(P.sum(axis=1)[s:], 0, atol=1e-13)
    for x in (0.1, 0.37, 0.5, 0.9):
        weights = P @ x**powers
        for k in range(1, DENSE_ORDER[name] + 1):
            assert weights @ c ** (k - 1) == pytest.approx(x**k / k, abs=2e-13)


# ------------------------------------------------------------------------------------------------------------ events


def oscillator(k: float = 4 * np.pi**2) -> dt.Model:
    """x = cos(2 pi t)."""
    m = dt.Model("oscillator", gravity=(0, 0, 0))
    block = m.add_body("block", dt.Inertia.point(1.0))
    m.add_joint("x", dt.Prismatic("x"), m.ground, block, q0=1.0)
    m.add_force("spring", dt.JointSpring("x", stiffness=k))
    return m


def times_of(r: dt.Result, name: str) -> np.ndarray:
    return np.array([e.t for e in r.events if e.name == name])


@pytest.mark.parametrize(
    ("direction", "wanted"),
    [("both", [0.25, 0.75, 1.25, 1.75]), ("falling", [0.25, 1.25]), ("rising", [0.75, 1.75])],
)
def test_zero_crossings_of_an_oscillator(direction, wanted):
    m = oscillator()
    m.add_event("zero", dt.Event("x.position", direction=direction))
    r = dt.simulate(m, 2.0, solver=TIGHT)
    # located on a polynomial of order 7 through steps at 1e-13, whose error decides
    np.testing.assert_allclose(times_of(r, "zero"), wanted, atol=2e-12)
    for event in r.events:
        assert abs(event.q[0]) < 1e-13
        assert abs(event.v[0]) == pytest.approx(2 * np.pi, abs=1e-10)


@pytest.mark.parametrize("name", [*EXPLICIT, "RK4"])
def test_fall_to_the_ground(name):
    """Free fall is a polynomial of degree 2: every method is exact and the time is that of the closed form."""
    m = dt.Model("fall", gravity=(0, 0, -9.81))
    m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 10))
    m.add_joint("J", dt.Free(), m.ground, "ball", v0={"velocity": (1, 0, 2)})
    m.add_event("ground", dt.Event("ball.position.z", terminal=True, direction="falling"))
    solver = ADAPTIVE[name](rtol=1e-12, atol=1e-12) if name in ADAPTIVE else dt.RK4(step=0.05)
    r = dt.simulate(m, 100.0, outputs=0.1, solver=solver)
    impact = (2 + np.sqrt(4 + 2 * 9.81 * 10)) / 9.81
    assert r.ok
    assert r.t[-1] == pytest.approx(impact, abs=1e-12)
    assert r.reason == f'event "ground" at t = {impact:.9g} s'
    assert len(r.events) == 1
    np.testing.assert_allclose(r["ball.position"][-1], [impact, 0, 0], atol=1e-11)
    np.testing.assert_allclose(r.t[:-1], 0.1 * np.arange(len(r.t) - 1), atol=1e-14)
    assert r["ball.position"][-2, 2] > 0
    np.testing.assert_array_equal(r.q[-1], r.events[-1].q)
    np.testing.assert_array_equal(r.v[-1], r.events[-1].v)


def test_terminal_event_with_outputs_at_steps():
    m = oscillator()
    m.add_event("zero", dt.Event("x.position", terminal=True))
    r = dt.simulate(m, 2.0, outputs="steps", solver=TIGHT)
    assert r.t[-1] == pytest.approx(0.25, abs=2e-12)
    assert len(r.t) == r.stats.steps + 1
    assert np.all(np.diff(r.t) > 0)
    assert abs(r["x.position"][-1]) < 1e-13


def test_several_events_in_one_step():
    """A long step holds them all; each is found once, in the order of time."""
    m = oscillator(k=1e-6)  # slow, so that nothing of the motion limits the step
    for i, t in enumerate((0.9, 0.1, 0.35, 0.36)):
        m.add_event(f"e{i}", dt.Event(f"t - {t}"))
    m.add_event("never", dt.Event("t + 1"))
    r = dt.simulate(m, 1.0, [1.0], solver=constant_step("DOP853", 1.0))
    assert r.stats.steps == 1
    assert [e.name for e in r.events] == ["e1", "e2", "e3", "e0"]
    np.testing.assert_allclose([e.t for e in r.events], [0.1, 0.35, 0.36, 0.9], atol=1e-15)


def test_first_of_several_terminal_events_wins():
    m = oscillator(k=1e-6)
    m.add_event("late", dt.Event("t - 0.8", terminal=True))
    m.add_event("seen", dt.Event("t - 0.2"))
    m.add_event("unseen", dt.Event("t - 0.7"))
    m.add_event("early", dt.Event("t - 0.6", terminal=True))
    r = dt.simulate(m, 1.0, solver=constant_step("DOP853", 1.0))
    assert [e.name for e in r.events] == ["seen", "early"]
    assert r.reason == 'event "early" at t = 0.6 s'
    assert r.t[-1] == pytest.approx(0.6, abs=1e-15)


def test_one_event_many_times_in_one_step():
    """Looks inside a step find crossings that come back within it."""
    m = oscillator(k=1e-6)
    m.add_event("wave", dt.Event("cos(2*pi*t)"))
    r = dt.simulate(m, 1.0, solver=constant_step("DOP853", 1.0))
    np.testing.assert_allclose(times_of(r, "wave"), [0.25, 0.75], atol=1e-14)


def test_event_that_starts_at_zero_does_not_fire():
    m = oscillator()
    m.add_event("left", dt.Event("1 - x.position"))  # zero at the start and, for a moment, after every period
    m.add_event("speed", dt.Event("x.velocity"))
    r = dt.simulate(m, 0.9, solver=TIGHT)
    assert times_of(r, "left").size == 0
    np.testing.assert_allclose(times_of(r, "speed"), [0.5], atol=2e-12)


def test_restart_from_an_event():
    """Bounces of a ball, each simulation started from the event of the one before."""
    m = dt.Model("bounce", gravity=(0, 0, -10))
    m.add_body("ball", dt.Inertia.point(1.0))
    m.add_joint("z", dt.Prismatic("z"), m.ground, "ball", q0=5.0)
    m.add_event("hit", dt.Event("z.position", terminal=True, direction="falling"))
    system = dt.compile(m)
    state, t = None, 0.0
    hits = []
    for _ in range(4):
        r = dt.simulate(system, 10.0, solver=TIGHT, at=state, t=t)
        t = r.t[-1]
        hits.append(t)
        state = (r.events[-1].q, -0.5 * r.events[-1].v)
    np.testing.assert_allclose(hits, [1.0, 2.0, 2.5, 2.75], atol=1e-11)


def test_events_on_markers_expressions_and_functions():
    """The tip of a turning arm: crossings known from the angle 3 t."""

    @numba.njit
    def compiled(t):
        return np.sin(3.0 * t - 0.5)

    m = dt.Model("arm", gravity=(0, 0, 0), parameters={"c": 0.5})
    arm = m.add_body("arm", dt.Inertia.rod(1.0, length=2.0, axis="x"))
    m.add_joint("J", dt.Revolute("z"), m.ground, arm, v0=3.0)
    m.add_marker("tip", arm, position=(1, 0, 0))
    m.add_event("marker", dt.Event("tip.position.y - 0.5", direction="rising"))
    m.add_event("velocity", dt.Event("tip.velocity.y", direction="falling"))
    m.add_event("expression", dt.Event("sin(J.angle) - c", direction="rising"))
    m.add_event("python", dt.Event(dt.Function(lambda y: y - 0.5, inputs=("tip.position.y",)), direction="rising"))
    m.add_event("time", dt.Event(lambda t: t - 0.3))
    m.add_event("numba", dt.Event(compiled, direction="rising"))
    r = dt.simulate(m, 2.0, solver=TIGHT)
    half = np.arcsin(0.5) / 3
    turn = 2 * np.pi / 3
    for name in ("marker", "expression", "python"):
        np.testing.assert_allclose(times_of(r, name), [half], atol=1e-12)
    np.testing.assert_allclose(times_of(r, "velocity"), [turn / 4], atol=1e-12)
    np.testing.assert_allclose(times_of(r, "time"), [0.3], atol=1e-15)
    np.testing.assert_allclose(times_of(r, "numba"), [0.5 / 3], atol=1e-12)


@pytest.mark.parametrize("outputs", ["steps", 0.01])
def test_more_events_and_steps_than_the_buffers_hold(outputs):
    m = oscillator(k=1e-6)
    m.add_event("wave", dt.Event("cos(2*pi*t)"))
    r = dt.simulate(m, 1000.0, outputs, solver=dt.RK4(step=0.1))
    assert len(r.events) == 2000
    np.testing.assert_allclose([e.t for e in r.events], 0.25 + 0.5 * np.arange(2000), atol=1e-9)
    if outputs == "steps":
        assert len(r.t) == 10001
    else:
        assert len(r.t) == 100001
    assert np.all(np.isfinite(r.q))
    assert np.all(np.diff(r.t) > 0)


# ------------------------------------------------------------------------------------------------------- work counts


def test_evaluations():
    """Four per step of RK4, and one at the start."""
    r = dt.simulate(top(), 1.0, solver=dt.RK4(step=0.01))
    assert r.stats.steps == 100
    assert r.stats.rejected == 0
    assert r.stats.evaluations == 401
    # FSAL: six new ones per step of DOPRI5, none for its dense output; two for the first step size and the start
    r = dt.simulate(top(), 1.0)
    assert abs(r.stats.evaluations - 6 * (r.stats.steps + r.stats.rejected)) <= 2


def test_last_fixed_step_is_shortened():
    r = dt.simulate(top(), 1.0, "steps", solver=dt.RK4(step=0.3))
    np.testing.assert_allclose(r.t, [0, 0.3, 0.6, 0.9, 1.0], atol=1e-15)
