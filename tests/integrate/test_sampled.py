"""Controllers at sampled times: any number of samples, at exact times, with whole steps between them."""

import time

import numpy as np
import pytest

import duoti as dt


def arm(*periods, start=0.0):
    """A driven pendulum with one controller for each period, and the times at which each was called."""
    m = dt.Model("arm")
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0), q0=0.5)
    m.add_force("motor", dt.JointTorque("A", " + ".join(f"u{i}" for i in range(len(periods)))))
    calls = [list[float]() for _ in periods]
    for i, period in enumerate(periods):

        def sample(t, angle, rate, i=i):
            calls[i].append(t)
            return -2.0 * angle - 0.5 * rate

        m.add_controller(f"c{i}", sample, ("t", "A.angle", "A.rate"), {f"u{i}": 0.0}, period=period, start=start)
    return m, calls


SOLVERS = [
    dt.DOPRI5(), dt.DOP853(), dt.RKF45(), dt.Radau(), dt.Rodas(), dt.GeneralisedAlpha(), dt.Auto(),
    dt.RK4(step=0.001), dt.Verlet(step=0.001), dt.SemiImplicitEuler(step=0.001), dt.GeneralisedAlpha(step=0.001),
    dt.Moreau(0.001),
]  # fmt: skip


@pytest.mark.parametrize("solver", SOLVERS, ids=repr)
def test_samples_are_on_the_grid_and_steps_whole(solver):
    """3 s at 500 Hz: more samples than jumps were once allowed. The grid is start + k period, to the last bit."""
    m, (times,) = arm(0.002)
    r = dt.simulate(m, 3.0, solver=solver)
    assert r.ok, r.reason
    assert times == [k * 0.002 for k in range(1501)]
    assert [e.t for e in r.events] == times[1:]
    if not solver.adaptive:  # two steps for each sample, and none of the size of a rounding error
        assert r.stats.steps == 3000


@pytest.mark.parametrize("solver", [dt.RK4(step=0.003), dt.Moreau(0.003), dt.GeneralisedAlpha(step=0.003)], ids=repr)
def test_steps_that_do_not_fit_are_made_equal(solver):
    """Four steps of 2.5 ms in each period rather than three of 3 ms and one of 1 ms."""
    m, (times,) = arm(0.01)
    r = dt.simulate(m, 0.5, solver=solver, outputs="steps")
    assert r.ok, r.reason
    assert times == [k * 0.01 for k in range(51)]
    lengths = np.diff(r.t)
    np.testing.assert_allclose(lengths[lengths > 0], 0.0025, rtol=1e-9)  # two outputs at each sample


def test_several_periods_meet():
    """0.1, 0.15 and 0.07 s: where grids meet but for round-off, both controllers are called at once."""
    m, calls = arm(0.1, 0.15, 0.07)
    r = dt.simulate(m, 21.0, solver=dt.RK4(step=0.01), outputs="steps")
    assert r.ok, r.reason
    for times, period in zip(calls, (0.1, 0.15, 0.07), strict=True):
        np.testing.assert_allclose(times, np.arange(len(times)) * period, rtol=4e-16, atol=0)  # one rounding of each
        assert len(times) == round(21.0 / period) + 1
    lengths = np.diff(r.t)
    assert np.min(lengths[lengths > 0]) > 0.0049  # all samples are on a grid of 0.01 s (0.05 of which is 0.15/3)


def test_a_grid_with_a_start_and_a_run_that_begins_later():
    m, (times,) = arm(0.01, start=0.005)
    assert dt.simulate(m, 0.1).ok
    assert times == [0.005 + k * 0.01 for k in range(10)]
    m, (times,) = arm(0.01)
    assert dt.simulate(m, 0.1, t=100.003).ok
    np.testing.assert_allclose(times, [100.003, *(100.01 + 0.01 * np.arange(10))], rtol=4e-16, atol=0)


def test_a_grid_by_hand():
    """The form that files use: an event that sets its next time."""
    m, _ = arm()
    m.forces.clear()
    m.add_state("u", 0.0)
    m.add_state("next", 0.0)
    m.add_force("motor", dt.JointTorque("A", "u"))
    sets = {"u": "-2*A.angle", "next": "next + 0.001"}
    m.add_event("sample", dt.Event("t - next", direction="rising", at_start=True, sets=sets))
    r = dt.simulate(m, 2.0)
    assert r.ok, r.reason
    assert len(r.events) in (1999, 2000)  # the sum of the periods may miss the end by round-off


def test_a_switch_at_a_given_time_ends_a_step_exactly():
    m, _ = arm()
    m.forces.clear()
    m.add_state("u", 0.0)
    m.add_force("motor", dt.JointTorque("A", "u"))
    m.add_event("on", dt.Event("t - 0.3", sets={"u": 1.0}))
    r = dt.simulate(m, 1.0, solver=dt.RK4(step=0.1), outputs="steps")
    assert [e.t for e in r.events] == [0.3]
    np.testing.assert_allclose(np.unique(r.t), np.arange(11) * 0.1, atol=1e-15)


def bouncing(restitution):
    m = dt.Model("ball", gravity=(0, 0, -10.0))
    m.add_body("ball", dt.Inertia.sphere(1.0, 0.1), position=(0, 0, 1.0))
    m.add_joint("slide", dt.Prismatic("z"), m.ground, "ball", at=(0, 0, 0), q0=1.0)

    def bounce(t, q, v, z):
        return q, -restitution * v, z

    m.add_event("floor", dt.Event("slide.position", direction="falling", jump=bounce))
    return m


def test_many_bounces_are_no_accumulation():
    """An elastic ball: 1500 bounces at equal intervals, and no whole step between two of them."""
    interval = 2.0 * (2.0 / 10.0) ** 0.5
    r = dt.simulate(bouncing(1.0), 1500 * interval)
    assert r.ok, r.reason
    assert len(r.events) == 1500


def test_bounces_that_accumulate_are_still_said():
    """They end at t = T (1 + e)/(1 - e), T the first fall."""
    end = (2.0 / 10.0) ** 0.5 * 1.98 / 0.02
    with pytest.warns(dt.errors.SimulationWarning, match="without end"):
        r = dt.simulate(bouncing(0.98), 100.0)
    assert not r.ok
    assert abs(r.t[-1] - end) < 1e-3


@pytest.mark.campaign
@pytest.mark.parametrize("solver", [None, dt.RK4(step=0.001)], ids=repr)
def test_a_million_samples(solver, capsys):
    m, (times,) = arm(0.001)
    began = time.perf_counter()
    r = dt.simulate(m, 1000.0, solver=solver)
    took = time.perf_counter() - began
    assert r.ok, r.reason
    assert len(times) == 1_000_001
    assert np.array_equal(times, np.arange(1_000_001) * 0.001)
    if solver is not None:
        assert r.stats.steps == 1_000_000
    with capsys.disabled():
        print(f"\n{solver or 'default'}: {len(times)} samples, {r.stats.steps} steps in {took:.0f} s")


def test_analyses_of_a_state_say_that_controllers_are_held():
    m = dt.Model("arm")
    m.add_joint("A", dt.Revolute("y"), m.ground, m.add_body("arm", dt.Inertia.rod(1.0, length=1.0, axis="z")))
    m.add_controller("pid", lambda q: -3.0 * q, ["A.angle"], {"u": 0.0}, period=0.01)
    m.add_force("motor", dt.JointTorque("A", "u - A.angle"))
    with pytest.warns(
        dt.errors.SimulationWarning, match=r'dt\.equilibrium holds the outputs of sampled controllers \("pid"\)'
    ):
        dt.equilibrium(m)
    with pytest.warns(
        dt.errors.SimulationWarning, match=r'dt\.linearise holds the outputs of sampled controllers \("pid"\)'
    ):
        dt.linearise(m)
