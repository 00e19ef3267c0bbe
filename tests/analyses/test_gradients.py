"""Derivatives of whole runs: `sensitivities`, `gradient`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.sensitivity.equation_sensitivities import extrapolated
from duoti.analyses.states.warnings import SimulationWarning
from duoti.system.parameters import with_values


def slider_crank() -> dt.Model:
    """The slider-crank of SUNDIALS' sensitivity examples (Serban & Petra, idasSlCrank_FSA_dns)."""
    m = dt.Model("slider-crank", gravity=(0, 0, 0))
    pin, centre = np.array([0, 0.5, 0]), np.array([math.sqrt(0.75), 0, 0])
    m.add_body("crank", dt.Inertia(1e-9, matrix=np.eye(3)))
    m.add_body("rod", dt.Inertia(1.0, matrix=2 * np.eye(3)), position=centre)
    m.add_joint("A", dt.Revolute("z"), m.ground, "crank", at=(0, 0, 0))
    m.add_joint("B", dt.Revolute("z"), "crank", "rod", at=pin)
    m.add_constraint("slider", dt.PointOnPlane(m.ground, "rod", "y"))
    for name, body, place in (("a", "crank", pin / 2), ("b", "rod", (pin - centre) / 2), ("end", "rod", centre - pin)):
        m.add_marker(name, body, position=place)
    m.add_force("spring", dt.SpringDamper("a", "b", stiffness=1.0, damping=1.0, rest_length=1.0))
    m.add_force("push", dt.AppliedForce("end", (1, 0, 0)))
    return m


KINETIC = "0.5*A.rate^2 + 0.5*(rod.velocity.x^2 + rod.velocity.y^2) + rod.angular_velocity.z^2"


def chain() -> dt.Model:
    m = dt.Model("chain", parameters={"c": 0.2})
    m.add_body("upper", dt.Inertia.box(1.0, size=(0.05, 0.1, 1.0)), position=(0, 0, -0.5))
    m.add_body("lower", dt.Inertia.box(0.7, size=(0.05, 0.1, 1.0)), position=(0, 0, -1.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, "upper", at=(0, 0, 0), q0=1.0)
    m.add_joint("B", dt.Spherical(), "upper", "lower", at=(0, 0, -1), v0=(0.3, 0.2, 0.1))
    m.add_force("spring", dt.JointSpring("A", stiffness=3.0))
    m.add_force("air", dt.JointTorque("A", "-c*v"))
    m.add_state("lag", "2*(A.angle - lag)", 0.1)
    return m


CHAIN = ["upper.mass", "lower.inertia.yy", "spring.stiffness", "c", "A.q0", "B.v0[1]", "lag.initial", "gravity.z"]


def by_differences(run: Callable[[float], Any], x: float) -> tuple[Any, float]:
    """Extrapolated differences of whole runs (Ridders): a reference good to about 1e-11."""
    return extrapolated(lambda p: np.atleast_1d(run(p)), x, abs(x) or 1.0)


@pytest.mark.parametrize("parameter", ["upper.mass", "c", "A.q0", "B.v0[1]", "lag.initial", "B.at.z"])
def test_fixed_steps_exact(parameter: str) -> None:
    """Spherical joint, first-order state; outputs inside steps. 1e-10: what the reference has."""
    m, solver, times = chain(), dt.RK4(step=0.01), [0.0, 0.503, 1.0]
    system = dt.compile(m)
    s = dt.sensitivities(
        m, ["A.angle", "lower.position.x", "lag"], [parameter], duration=1.0, outputs=times, solver=solver
    )

    def run(x: float) -> Any:
        r = dt.simulate(system.with_parameters({parameter: x}), 1.0, outputs=times, solver=solver)
        return np.array([r["A.angle"][1:], r["lower.position"][1:, 0], r["lag"][1:]]).ravel()

    value = dt.parameter_derivatives(m, [parameter]).values[0]
    wanted, error = by_differences(run, float(value))
    assert error < 1e-10
    found = s.derivatives[1:, :, 0].T.ravel()
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-10)
    reference = dt.simulate(m, 1.0, outputs=times, solver=solver)
    np.testing.assert_allclose(s["A.angle"], reference["A.angle"], rtol=0, atol=1e-14)


EXPLICIT = [dt.RK4(step=0.02), dt.DOPRI5(), dt.DOP853(), dt.RKF45()]
IMPLICIT = [dt.Radau(), dt.Radau(step=0.02), dt.GeneralisedAlpha(step=0.01), dt.HHT(step=0.01)]


@pytest.mark.parametrize("solver", [*EXPLICIT, *IMPLICIT], ids=lambda s: type(s).__name__)
def test_adjoint_equals_forward(solver: dt.integrate.Solver) -> None:
    """Two orders of the same operations on the same held steps: round-off alone, 1e-11 after some hundred steps."""
    m = chain()
    forward = dt.sensitivities(m, ["lower.position.x*lag"], CHAIN, duration=1.0, solver=solver)
    back = dt.gradient(m, dt.Objective(final="lower.position.x*lag"), CHAIN, duration=1.0, solver=solver)
    np.testing.assert_allclose(back.gradient, forward.derivatives[-1, 0], rtol=1e-11, atol=1e-12)
    assert back.value == pytest.approx(forward.values[-1, 0], rel=1e-14)


def test_slider_crank_of_sundials() -> None:
    """A loop, a damper, an integral: digits computed in one coordinate with complex step at rtol 1e-13."""
    solver = dt.DOP853(rtol=1e-12, atol=1e-12)
    names = ["spring.stiffness", "spring.damping"]
    g = dt.gradient(slider_crank(), dt.Objective(integral=KINETIC), names, duration=10.0, solver=solver)
    assert g.value == pytest.approx(3.3366067994828, abs=1e-11)
    np.testing.assert_allclose(g.gradient, [0.3334481061284, -0.3637540339709], rtol=0, atol=1e-11)
    end = dt.gradient(slider_crank(), dt.Objective(final="A.angle"), names, duration=10.0, solver=solver)
    assert end.value == pytest.approx(1.275675848650 - math.pi / 2, abs=1e-11)
    np.testing.assert_allclose(end.gradient, [-0.1739779293, -0.2687606671], rtol=0, atol=1e-9)
    assert end["spring.damping"] == end.gradient[1]


def test_error_falls_with_the_tolerance() -> None:
    """Held steps: the gradient is as good as the run."""
    errors = []
    for rtol in (1e-5, 1e-7, 1e-9):
        g = dt.gradient(
            slider_crank(),
            dt.Objective(integral=KINETIC),
            ["spring.stiffness"],
            duration=10.0,
            rtol=rtol,
            atol=0.01 * rtol,
        )
        errors.append(abs(g.gradient[0] - 0.3334481061284))
    assert errors[1] < 0.1 * errors[0]
    assert errors[2] < 0.1 * errors[1]
    assert errors[2] < 1e-8


def four_bar(crank: float = 0.3, coupler: float = 0.8) -> dt.Model:
    m = dt.Model("four-bar")
    start = 1.0
    pin = crank * np.array([math.cos(start), 0, math.sin(start)])
    ground = np.array([0.9, 0, 0])
    d = ground - pin
    rocker = 0.6
    length = float(np.linalg.norm(d))
    along = (coupler**2 - rocker**2 + length**2) / (2 * length)
    up = np.array([-d[2], 0, d[0]]) / length
    top = pin + along * d / length + math.sqrt(coupler**2 - along**2) * up
    ends = {"crank": (np.zeros(3), pin), "coupler": (pin, top), "rocker": (ground, top)}
    for name, (a, b) in ends.items():
        r = b - a
        frame = dt.Rotation.about("y", -math.atan2(r[2], r[0]))
        m.add_body(
            name, dt.Inertia.rod(1.0, length=float(np.linalg.norm(r)), axis="x"), position=(a + b) / 2, rotation=frame
        )
    m.add_joint("O", dt.Revolute("y"), m.ground, "crank", at=(0, 0, 0))
    m.add_joint("P", dt.Revolute("y"), "crank", "coupler", at=pin)
    m.add_joint("Q", dt.Revolute("y"), "coupler", "rocker", at=top)
    m.add_joint("R", dt.Revolute("y"), m.ground, "rocker", at=ground)
    return m


def test_lengths_of_a_closed_loop() -> None:
    """Arguments of a function that builds the model. 3e-6: differences of runs whose loops close to 1e-10."""
    solver, where = dt.RK4(step=0.002), {"crank": 0.3, "coupler": 0.8}
    g = dt.gradient(four_bar, dt.Objective(final="rocker.position.z"), where, duration=0.6, solver=solver)
    for k, name in enumerate(where):
        ends = [
            dt.simulate(four_bar(**{**where, name: where[name] + d}), 0.6, outputs=0.6, solver=solver)[
                "rocker.position"
            ][-1, 2]
            for d in (-1e-4, 1e-4)
        ]
        assert g.gradient[k] == pytest.approx((ends[1] - ends[0]) / 2e-4, rel=3e-6)


def test_oscillator_closed_form() -> None:
    m = dt.Model("oscillator", gravity=(0, 0, 0))
    m.add_body("block", dt.Inertia.point(2.0))
    m.add_joint("x", dt.Prismatic("x"), m.ground, "block", q0=0.1)
    m.add_force("spring", dt.JointSpring("x", stiffness=18.0))
    s = dt.sensitivities(
        m, ["x.position"], ["spring.stiffness", "block.mass", "x.q0"], duration=2.0, outputs=0.25, rtol=1e-11
    )
    w, t = 3.0, s.t
    by_w = -0.1 * t * np.sin(w * t)
    np.testing.assert_allclose(s["x.position", "spring.stiffness"], by_w * w / (2 * 18.0), rtol=0, atol=1e-10)
    np.testing.assert_allclose(s["x.position", "block.mass"], -by_w * w / (2 * 2.0), rtol=0, atol=1e-10)
    np.testing.assert_allclose(s["x.position", "x.q0"], np.cos(w * t), rtol=0, atol=1e-9)


def test_what_is_refused_is_named() -> None:
    m = chain()
    with pytest.raises(ValueError, match=r'"A\.angel": (.|\n)*did you mean A\.angle'):
        dt.gradient(m, dt.Objective(final="A.angel"), ["upper.mass"], duration=1.0)
    with pytest.raises(ValueError, match=r"Verlet is not differentiated; choose (.|\n)*dt\.Moreau"):
        dt.gradient(
            m, dt.Objective(final="A.angle"), ["upper.mass"], duration=1.0, solver=dt.integrate.Verlet(step=1e-3)
        )
    with pytest.raises(dt.DuotiError, match="Did you mean"):
        dt.gradient(m, dt.Objective(final="A.angle"), ["upper.mas"], duration=1.0)
    with pytest.raises(ValueError, match="give integral"):
        dt.Objective()


@pytest.mark.parametrize("solver", [dt.DOPRI5(), dt.Radau()], ids=["DOPRI5", "Radau"])
def test_many_kinds_of_parameters(solver: dt.integrate.Solver) -> None:
    """The adjoint treats inertias, numbers of single forces, places and laws each in its own way, in compiled code.

    The forward sweep differentiates the equations by one parameter after the other. 1e-9: round-off of some 50 steps.
    """
    m = chain()
    m.add_marker("end", "lower", position=(0.1, 0, -0.5))
    m.add_marker("post", m.ground, position=(0.5, 0.4, -1.0))
    m.add_force("band", dt.SpringDamper("post", "end", stiffness=5.0, damping=0.3, rest_length=0.2))
    names = [
        "lower.mass", "lower.com.x", "lower.com.y", "upper.com.z", "lower.inertia.xx", "lower.inertia.xy",
        "lower.inertia.xz", "lower.inertia.yz", "upper.inertia.yy", "lower.inertia.zz", "band.stiffness",
        "band.damping", "band.rest_length", "spring.stiffness", "end.position.x", "B.at.z", "gravity.x", "c",
        "lag.initial",
    ]  # fmt: skip
    channel = "lag*A.angle + end.position.y*lower.position.x"
    back = dt.gradient(m, dt.Objective(final=channel), names, duration=1.0, solver=solver)
    forward = dt.sensitivities(m, [channel], names, duration=1.0, solver=solver)
    np.testing.assert_allclose(back.gradient, forward.derivatives[-1, 0], rtol=1e-9, atol=1e-10)


def test_generalised_alpha_exact() -> None:
    """Helpers at the start, first-order states, a quaternion: that of the discrete run, not of the motion itself.

    The differences have 1e-8 where the Newton iteration leaves 1e-12 of the accelerations; the method's own error is
    1e-3.
    """
    m, solver = chain(), dt.GeneralisedAlpha(step=0.01, rtol=1e-11)
    objective = dt.Objective(final="lower.position.x*lag", integral="A.angle^2")
    g = dt.gradient(m, objective, CHAIN, duration=1.0, solver=solver)
    for name, value, slope in zip(g.names, g.values, g.gradient, strict=True):

        def run(x: float, name: str = name) -> float:
            return dt.gradient(with_values(m, {name: x}), objective, ["c"], duration=1.0, solver=solver).value

        h = 3e-4 * (abs(value) or 1.0)
        first, second = [(run(value + x) - run(value - x)) / (2 * x) for x in (h, h / 2)]
        np.testing.assert_allclose(slope, (4 * second - first) / 3, rtol=1e-7, atol=1e-9, err_msg=name)
    loop = slider_crank()
    objective = dt.Objective(final="A.angle")
    with pytest.raises(ValueError, match="trees; this model has closed loops"):
        dt.gradient(loop, objective, ["spring.stiffness"], duration=1.0, solver=solver)


def thrown(law, **parameters) -> dt.Model:
    m = dt.Model("thrown", parameters=parameters)
    m.add_body("b", dt.Inertia.point(1.0))
    m.add_joint("z", dt.Prismatic("z"), m.ground, "b", v0=1.0)
    m.add_force("law", dt.JointTorque("z", law))
    return m


@pytest.mark.parametrize(("law", "name"), [("-5*sign(z.velocity)", "b.mass"), ("3*(t < T)", "T")])
def test_laws_that_jump_are_named(law, name):
    """By T, the gradient of z after 1 s would be 3*(1 - T); held steps say 0."""
    with pytest.warns(SimulationWarning, match=r'force "law".*may jump'):
        dt.gradient(thrown(law, T=0.5), dt.Objective(final="z.position"), [name], duration=1.0)
    with pytest.warns(SimulationWarning, match=r'force "law".*may jump'):
        dt.sensitivities(thrown(law, T=0.5), ["z.position"], [name], duration=1.0)


def test_an_integral_that_jumps_is_named():
    with pytest.warns(SimulationWarning, match=r"the integral of the objective.*may jump"):
        dt.gradient(thrown("0"), dt.Objective(integral="z.position > 0"), ["z.v0"], duration=1.0)


def test_a_jump_at_a_given_time_does_not_move():
    """z(1) = ... + F/m (T - T^2/2): no warning, since T is not differentiated."""
    g = dt.gradient(thrown("3*(t < T)", T=0.5), dt.Objective(final="z.position"), ["b.mass"], duration=1.0)
    assert g.gradient[0] == pytest.approx(-3 * (0.5 - 0.125), rel=1e-8)  # a step ends at the jump


def test_an_objective_that_is_undefined():
    with pytest.raises(ValueError, match="infinite or undefined"):
        dt.gradient(thrown("0"), dt.Objective(final="sqrt(-1 - z.position^2)"), ["b.mass"], duration=0.5)


def test_a_function_that_builds_no_model():
    with pytest.raises(TypeError, match=r"returned None, which is no dt\.Model"):
        dt.gradient(lambda length: None, dt.Objective(final="z.position"), {"length": 1.0}, duration=0.5)


def test_a_misspelt_objective_shows_the_expression_only():
    with pytest.raises(ValueError, match=r"did you mean z\.position") as caught:
        dt.gradient(thrown("0"), dt.Objective(final="z.positon"), ["b.mass"], duration=0.5)
    assert "watched" not in str(caught.value)


def test_what_objectives_and_channels_cannot_read() -> None:
    """Accelerations, vectors and reactions are said to be such."""
    m = chain()
    body = list(m.bodies)[-1]
    for name, part in ((f"{body}.acceleration.x", "is an acceleration"), (f"{body}.position", "has 3 components")):
        with pytest.raises(ValueError, match=part):
            dt.gradient(m, dt.Objective(final=name), ["gravity.z"], duration=0.1)
    joint = next(iter(m.joints))
    with pytest.raises(NotImplementedError, match=r"dt\.sensitivities: .*reaction_force\.x read reactions"):
        dt.sensitivities(m, [f"{joint}.reaction_force.x"], ["gravity.z"], duration=0.1)
    s = dt.sensitivities(m, [f"{body}.position.x"], ["gravity.z"], duration=0.1)
    assert repr(s).startswith(f"<sensitivities of {body}.position.x by gravity.z: ")
