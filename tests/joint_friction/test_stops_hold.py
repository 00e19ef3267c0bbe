"""No run takes a joint through a rigid stop and says that all is well: random chains, trees, loops, with contacts."""

from __future__ import annotations

import collections
import math
import warnings

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.states.joint_limits import LimitWatch
from support import stop_models

ROUND_OFF = 1e-9  # [m or rad]: stops are located to 1e-12, loops closed to about 1e-11
ACCURACY = 1e-6  # [m or rad]: that of positions by fixed steps and loose tolerances, see LimitWatch
G = 9.81


def held(model: dt.Model, solver=None, duration: float = 1.0, within: float = ROUND_OFF) -> dt.Result:
    r = dt.simulate(model, duration, solver=solver)
    assert r.ok, r.reason
    assert stop_models.beyond(r) <= within
    return r


@pytest.mark.parametrize(("links", "seed"), [(3, 306), (4, 405), (5, 504), (5, 509), (5, 7006), (6, 600)])
def test_chains_by_the_default_solver(links, seed):
    """In the first five, a joint at its limit was given a rate into its stop by an impact at other stops."""
    r = held(stop_models.chain(np.random.default_rng(seed), links))
    assert np.abs(r.energy.residual).max() < 1e-5


@pytest.mark.parametrize("seed", [7002, 7003, 7006, 7010])
def test_chains_by_time_stepping(seed):
    held(stop_models.chain(np.random.default_rng(seed), 4), dt.Moreau(step=5e-4))


@pytest.mark.parametrize("cars", [2, 3, 4])
def test_trains_that_hit_a_wall_by_time_stepping(cars):
    """Steps in which all came to rest at once counted as unsolved, measured by velocities that were none."""
    for seed in range(7000, 7020):
        held(stop_models.train(np.random.default_rng(seed), cars), dt.Moreau(step=5e-4))


def test_chains_at_a_wall():
    held(stop_models.chain_at_wall(np.random.default_rng(7006), 3))  # an impact at the wall presses on a stop
    held(stop_models.chain_at_wall(np.random.default_rng(7006), 3), dt.Moreau(step=1e-3))


PASSED = [  # solvers that took the ram through its stop: closing the loop moved it off the limit where it was located
    (dt.RK4(step=5e-3), 7000, 7003),
    (dt.RK4(step=5e-3), 7005, 7011),
    (dt.Rodas(rtol=1e-3, atol=1e-5), 7000, 7001),
    (dt.Rodas(rtol=1e-3, atol=1e-5), 7006, 7010),
    (dt.Moreau(step=1e-3), 7000, 7001),
]


@pytest.mark.parametrize(("solver", "first", "second"), PASSED)
def test_a_press_stops(solver, first, second):
    for seed in (first, second):
        held(stop_models.press(np.random.default_rng(seed)), solver, within=ACCURACY)


def test_a_held_joint_of_a_loop_is_put_back_along_the_loop():
    """To put back one coordinate and to close the loop in turn diverged: by 1e9 rad/s."""
    held(stop_models.four_bar(np.random.default_rng(7011)), dt.Rodas(), within=ACCURACY)
    held(stop_models.four_bar(np.random.default_rng(7001)))


@pytest.mark.parametrize("solver", [dt.Radau(), dt.GeneralisedAlpha(step=1e-3)])
def test_solvers_that_cannot_hold_a_loop_name_those_that_can(solver):
    m = stop_models.press(np.random.default_rng(7002))
    with pytest.warns(dt.errors.SimulationWarning, match="went to"):
        r = dt.simulate(m, 1.0, solver=solver)
    assert (r.ok, r.reason_code) == (False, "stop-passed")
    for remedy, within in ((dt.DOPRI5(), ROUND_OFF), (dt.Rodas(), ACCURACY)):
        assert f"dt.{type(remedy).__name__}()" in str(r.reason)
        held(m, remedy, within=within)


@pytest.mark.parametrize("over", [1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("solver", [None, dt.DOP853(), dt.RK4(step=0.1), dt.Radau()])
def test_a_limit_that_is_passed_and_passed_back_within_a_step(solver, over):
    """Thrown up to just beyond its limit: the way there and back takes less than a step."""
    speed = 3.0
    top = speed**2 / (2.0 * G)
    m = dt.Model("thrown", gravity=(0, 0, -G))
    m.add_joint("Z", dt.Prismatic("z"), m.ground, m.add_body("ball", dt.Inertia.point(1.0)), v0=speed,
                limits=[(-10.0, top - over)])  # fmt: skip
    r = held(m, solver, 0.6)
    rest = math.sqrt(2.0 * G * over)  # speed at the limit
    assert [event.t for event in r.events] == pytest.approx([(speed - rest) / G], abs=1e-9)


def test_the_watch_sees_a_joint_beyond_its_limit():
    """Whatever took it there: the check is the same for all solvers."""
    m = dt.Model("slider")
    m.add_joint("X", dt.Prismatic("x"), m.ground, m.add_body("b", dt.Inertia.point(1.0)), limits=[(-1.0, 1.0)])
    system = dt.compile(m)
    y = np.zeros((4, system.nq + system.nv + system.nz + 2))
    for path, said in (([0, 0.5, 1.0, 0.9], ""), ([0, 0.5, 1.1, 0.9], "X.position went to 1.1 (limit 1)"),
                       ([1.5, 1.3, 1.2, 0.5], ""), ([1.5, 1.3, 1.4, 0.5], "X.position went to 1.4 (limit 1)"),
                       ([-1.5, -0.5, 0.5, 2.0], "X.position went to 2 (limit 1)")):  # fmt: skip
        for split in (1, 2, 4):  # outputs come in parts
            watch = LimitWatch(system)
            y[:, 0] = path
            watch.begin(y[0])
            for k in range(0, 4, split):
                watch.look(y[k : k + split])
            assert said in watch.passed()
            assert bool(said) == bool(watch.passed())
            assert bool(watch.note()) == (abs(path[0]) > 1.0)


# ------------------------------------------------------------------------------------------- joints that start outside


def slider(q0: float, v0: float = 0.0, force: str = "", limits=(-0.5, 0.5)) -> dt.Model:
    m = dt.Model("slider", gravity=(0, 0, -G))
    body = m.add_body("body", dt.Inertia.point(2.0))
    m.add_joint("Z", dt.Prismatic("z"), m.ground, body, q0=q0, v0=v0, limits=[limits])
    if force:
        m.add_force("lift", dt.JointTorque("Z", force))
    return m


SOLVERS = [dt.DOPRI5(), dt.RK4(step=1e-2), dt.Radau(), dt.Moreau(step=1e-3)]


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_joint_outside_its_limits_may_only_come_back(solver):
    def run(m: dt.Model, duration: float = 1.0) -> dt.Result:
        with pytest.warns(dt.errors.SimulationWarning, match="outside their limits: Z.position starts at"):
            r = dt.simulate(m, duration, outputs=0.01, solver=solver)
        assert r.ok
        assert "outside their limits" in "".join(r.stats.notes)
        return r

    pressed = run(slider(-1.0))  # gravity presses it farther out
    assert np.all(pressed["Z.position"] == -1.0)
    assert pressed["Z.stop.force"][-1] == pytest.approx(2.0 * G)
    thrown = run(slider(1.0, v0=2.0))  # stopped at once, then falls into its range, down to the other limit
    assert thrown["Z.position"].max() == 1.0
    assert thrown["Z.velocity"][1] <= 0.0
    assert np.all(thrown["Z.position"][-3:] == -0.5)
    # pushed back until it turns, at t = pi/3: there it is held, until it is pushed back again at pi/2
    turns = run(slider(-2.0, force="19.62 + 4*cos(3*t)", limits=(0.0, 5.0)), 2.0)
    q = turns["Z.position"]
    late = 0.0 if not isinstance(solver, dt.Moreau) else 2e-3  # by a step: 2 m/s² at most
    assert np.ptp(q[(turns.t > math.pi / 3 + 0.02) & (turns.t < math.pi / 2)]) == 0.0
    assert q[turns.t < math.pi / 2][-1] == pytest.approx(-2.0 + 4.0 / 9.0, abs=1e-6 + late)
    assert np.all(np.diff(q) >= -1e-15)


def test_what_check_says_about_a_joint_outside_its_limits():
    (finding,) = dt.check(slider(1.0)).warnings
    assert finding.code == "limits"
    assert "outside its limits" in finding.what
    assert "towards its limits only" in finding.why
    assert "q0=" in finding.remedy


@pytest.mark.parametrize("solver", [None, dt.Moreau(step=1e-3), dt.Rodas()])
def test_chains_that_start_outside(solver):
    for seed in (7001, 7003, 7004, 7007):
        with pytest.warns(dt.errors.SimulationWarning, match="outside their limits"):
            held(stop_models.started_outside(np.random.default_rng(seed), 2), solver, within=ACCURACY)


def test_a_run_that_is_resumed_knows_where_it_started(tmp_path):
    path = tmp_path / "run.h5"
    with pytest.warns(dt.errors.SimulationWarning, match="outside"):
        dt.simulate(slider(-1.0), 0.5, out=path)
    r = dt.resume(path, duration=1.0)
    assert r.ok
    assert "outside their limits" in "".join(r.stats.notes)
    assert np.all(r["Z.position"] == -1.0)


# ------------------------------------------------------------------------------------------------------------ campaign


def campaign(seeds: range) -> dict[str, int]:
    """Outcomes of random cases, by reason; none of them is beyond a limit and `ok`."""
    counts: dict[str, int] = collections.Counter()
    for seed in seeds:
        model, solver = stop_models.random_case(seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", dt.errors.SimulationWarning)
            r = dt.simulate(model, 1.0, solver=solver)
        counts["ok" if r.ok else r.reason_code] += 1
        loose = solver is not None and (solver.fixed_step or getattr(solver, "atol", 0.0) > ROUND_OFF)
        within = ACCURACY if loose and not isinstance(solver, dt.Moreau) else 2.0 * ROUND_OFF
        assert not r.ok or stop_models.beyond(r) <= within, (seed, solver)
    return counts


@pytest.mark.full
def test_random_models_with_stops():
    assert campaign(range(5000, 5040))["ok"] >= 39


@pytest.mark.campaign
def test_two_thousand_random_models_with_stops():
    counts = campaign(range(2000))
    assert counts["ok"] >= 1985, counts


@pytest.mark.parametrize("solver", [dt.DOPRI5(), dt.RK4(step=0.01), dt.Rodas(), dt.Radau(), dt.Moreau(1e-3)], ids=repr)
def test_a_joint_that_starts_at_its_limit_may_leave_it(solver: dt.integrate.Solver) -> None:
    """Nothing stops it there: it turns at a constant rate."""
    m = dt.Model("door", gravity=(0, 0, 0))
    leaf = m.add_body("leaf", dt.Inertia.box(20, size=(0.9, 0.04, 2)), position=(0.45, 0, 1))
    m.add_joint("hinge", dt.Revolute("z"), m.ground, leaf, at=(0, 0, 0), v0=1.0, limits=[(0, 1.6)])
    r = dt.simulate(m, duration=1.0, solver=solver)
    assert r.ok, r.reason
    np.testing.assert_allclose(r["hinge.angle"][-1], 1.0, rtol=1e-9)


@pytest.mark.parametrize(
    ("angle", "rate", "force"), [(-0.2, -1.0, 0.0), (-0.2, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 2.0)]
)
def test_forces_of_stops_at_an_instant(angle: float, rate: float, force: float) -> None:
    """A joint that rests at its limit is held; a stop that is struck or was passed has no force, but an impulse."""
    m = dt.Model("door", gravity=(0, 0, 0))
    leaf = m.add_body("leaf", dt.Inertia.box(20, size=(0.9, 0.04, 2)), position=(0.45, 0, 1))
    m.add_joint("hinge", dt.Revolute("z"), m.ground, leaf, at=(0, 0, 0), limits=[(0, 1.6)])
    m.add_force("push", dt.JointTorque("hinge", -2.0))
    system = dt.compile(m)
    found = dt.analyses.generalised_forces(system, [angle], [rate])
    np.testing.assert_allclose(found, [force - 2.0], atol=1e-12)


@pytest.mark.parametrize("solver", [dt.DOPRI5(), dt.RK4(step=0.01), dt.Rodas(), dt.Radau()], ids=repr)
def test_a_joint_that_comes_back_from_outside_is_not_stopped_at_its_limit(solver: dt.integrate.Solver) -> None:
    """Free fall from beyond the upper limit: z = 1 - g t²/2."""
    m = dt.Model("fall")
    m.add_joint("Z", dt.Prismatic("z"), m.ground, m.add_body("b", dt.Inertia.point(1.0)), q0=1.0, limits=[(-10, 0.5)])
    with pytest.warns(dt.errors.SimulationWarning, match="start outside their limits"):
        r = dt.simulate(m, 1.0, solver=solver)
    assert r.ok
    np.testing.assert_allclose(r["Z.position"][-1], 1.0 - 0.5 * 9.81, rtol=1e-7)


@pytest.mark.parametrize("force", ["t", "sin(t)", "t^2"])
def test_a_joint_at_rest_at_its_limit_leaves_when_a_force_grows(force: str) -> None:
    """With no force at all at the start: z is the second integral of the force."""
    m = dt.Model("push", gravity=(0, 0, 0))
    m.add_joint("Z", dt.Prismatic("z"), m.ground, m.add_body("b", dt.Inertia.point(1.0)), limits=[(0, 5)])
    m.add_force("F", dt.JointTorque("Z", force))
    exact = {"t": 1 / 6, "sin(t)": 1.0 - math.sin(1.0), "t^2": 1 / 12}[force]
    np.testing.assert_allclose(dt.simulate(m, 1.0)["Z.position"][-1], exact, rtol=1e-6)


@pytest.mark.parametrize("driven", [False, True])
@pytest.mark.parametrize("pad", [0.0, 1e-12, 1e-9])
@pytest.mark.parametrize("solver", [None, dt.RK4(step=2e-3), dt.Rodas()], ids=repr)
def test_limits_that_are_the_stroke_do_not_stop_a_slider_crank(
    solver: dt.integrate.Solver | None, pad: float, driven: bool
) -> None:
    """The slider turns around at its dead centres, where it touches the limits without speed."""
    m = dt.Model("slider-crank")
    r, length = 0.1, 0.3
    x = math.sqrt(length**2 - r**2)
    m.add_body("crank", dt.Inertia.box(1.0, size=(0.1, 0.02, 0.02)), position=(0, 0, r / 2))
    m.add_body("rod", dt.Inertia.box(1.0, size=(0.3, 0.02, 0.02)), position=(x / 2, 0, r / 2))
    m.add_body("ram", dt.Inertia.box(1.0, size=(0.1, 0.1, 0.1)), position=(x, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "crank", at=(0, 0, 0), v0=None if driven else 6.0)
    m.add_joint("B", dt.Revolute("y"), "crank", "rod", at=(0, 0, r))
    m.add_joint("C", dt.Revolute("y"), "rod", "ram", at=(x, 0, 0))
    limits = [(length - r - x - pad, length + r - x + pad)]
    m.add_joint("X", dt.Prismatic("x"), m.ground, "ram", at=(x, 0, 0), limits=limits)
    if driven:
        m.add_constraint("motor", dt.JointMotion("A", "6*t"))
    found = dt.simulate(m, 2.0, solver=solver)
    m.joints["X"].limits = None
    free = dt.simulate(m, 2.0, solver=solver)
    assert found.ok, found.reason
    np.testing.assert_allclose(found["A.angle"][-1], free["A.angle"][-1], rtol=1e-6)  # of the tolerance, grown in 2 s
