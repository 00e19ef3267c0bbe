"""Identification and optimisation with gradients of runs."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import duoti as dt


def oscillator(stiffness: float = 20.0, damping: float = 0.5) -> dt.Model:
    m = dt.Model("oscillator", gravity=(0, 0, 0))
    m.add_body("block", dt.Inertia.point(2.0))
    m.add_joint("x", dt.Prismatic("x"), m.ground, "block", q0=0.1)
    m.add_force("spring", dt.JointSpring("x", stiffness=stiffness))
    m.add_force("damper", dt.JointDamping("x", damping=damping))
    return m


T = np.linspace(0.0, 3.0, 121)


def samples(noise: float = 0.0, seed: int = 0, **true: float) -> np.ndarray:
    clean = dt.simulate(oscillator(**true), 3.0, outputs=T, rtol=1e-10)["x.position"]
    return clean + noise * np.random.default_rng(seed).normal(size=len(T))


def test_exact_data_give_the_parameters() -> None:
    """1e-6: what the default tolerance of the run leaves."""
    y = samples(stiffness=33.0, damping=0.9)
    f = dt.fit(oscillator(), {"x.position": (T, y)}, {"spring.stiffness": (1, 100), "damper.damping": (0, 5)})
    assert f.ok
    assert f.values["spring.stiffness"] == pytest.approx(33.0, rel=1e-6)
    assert f.values["damper.damping"] == pytest.approx(0.9, rel=1e-5)
    assert f.runs < 20
    assert not f.not_identifiable


def test_deviations_agree_with_repeated_experiments() -> None:
    """12 repetitions: a standard deviation is known to about 20 %; three times that is allowed."""
    names = {"spring.stiffness": (1, 100), "damper.damping": (0, 5)}
    fits = [
        dt.fit(
            oscillator(33.0, 0.9),
            {"x.position": (T, samples(1e-3, n, stiffness=33.0, damping=0.9), 1e-3)},
            names,
            rtol=1e-6,
        )
        for n in range(12)
    ]
    spread = np.std([list(f.values.values()) for f in fits], axis=0, ddof=1)
    said = np.array(list(fits[0].deviations.values()))
    np.testing.assert_allclose(spread, said, rtol=0.6)
    assert np.mean([f.rms for f in fits]) == pytest.approx(1.0, abs=0.05)


def test_what_is_not_identifiable_is_named() -> None:
    y = samples(stiffness=33.0, damping=0.9)
    bounds = {"spring.stiffness": (1, 100), "damper.damping": (0, 5), "block.mass": (0.1, 10)}
    f = dt.fit(oscillator(), {"x.position": (T, y)}, bounds)
    assert len(f.not_identifiable) == 1  # only ratios to the mass show in the motion
    assert all(name in f.not_identifiable[0] for name in bounds)
    assert np.all(np.isinf(np.diag(f.covariance)))
    assert f.values["spring.stiffness"] / f.values["block.mass"] == pytest.approx(16.5, rel=1e-6)


def test_several_experiments_and_initial_values(tmp_path: Path) -> None:
    experiments = []
    for start in (0.1, 0.3):
        true = oscillator(33.0, 0.9)
        r = dt.simulate(dt.compile(true).with_parameters({"x.q0": start}), 3.0, outputs=T, rtol=1e-10)
        experiments.append(dt.identification.Experiment({"x.velocity": (T, r["x.velocity"])}, {"x.q0": start}))
    f = dt.fit(oscillator(), experiments, {"spring.stiffness": (1, 100), "damper.damping": (0, 5), "x.v0": (-1, 1)})
    assert f.values["spring.stiffness"] == pytest.approx(33.0, rel=1e-6)
    assert f.values["x.v0"] == pytest.approx(0.0, abs=1e-7)
    page = f.report(tmp_path / "fit.html").read_text(encoding="utf-8")
    assert "spring.stiffness" in page
    assert "data:image/png" in page
    with pytest.raises(ValueError, match=r"fit.pdf.*\.html"):
        f.report(tmp_path / "fit.pdf")
    assert not (tmp_path / "fit.pdf").exists()


def test_a_function_that_builds() -> None:
    y = samples(stiffness=33.0, damping=0.9)
    f = dt.fit(oscillator, {"x.position": (T, y)}, {"stiffness": (10, 60), "damping": (0, 5)})
    assert f.values["stiffness"] == pytest.approx(33.0, rel=1e-6)


def test_bad_data_all_at_once() -> None:
    with pytest.raises(ValueError, match=r"as many times as values; .*sigma must be positive"):
        dt.fit(oscillator(), {"x.position": (T, T[:-1]), "x.velocity": (T, T, 0.0)}, {"spring.stiffness": (1, 100)})
    with pytest.raises(ValueError, match=r"a: .*in this order; b: "):
        dt.fit(oscillator, {"x.position": (T, T)}, {"a": (2, 1), "b": (1,)})


def test_searches_that_are_none() -> None:
    m = oscillator()
    t = np.linspace(0.0, 0.2, 5)
    data, aim = {"x.position": (t, np.zeros(5))}, dt.Objective(final="x.position^2")
    for bounds, options, part in (
        ((5, 5), {}, "leaves nothing to search"),
        ((1, 5), {"most_runs": 0}, "most_runs=0: give a whole number"),
        ((1, 5), {"most_runs": 2.5}, "most_runs=2.5: give a whole number"),
    ):
        with pytest.raises(ValueError, match=part):
            dt.fit(m, data, {"spring.stiffness": bounds}, **options)
        with pytest.raises(ValueError, match=part):
            dt.minimise(m, aim, {"spring.stiffness": bounds}, duration=0.2, **options)


def test_best_damper() -> None:
    """The integral of x^2 from rest is least for c = sqrt(k m): closed form over an infinite time.

    After 8 s the motion has decayed to exp(-8 c / 2 m) = 3e-6 of its start.
    """
    o = dt.minimise(oscillator(), dt.Objective(integral="x.position^2"), {"damper.damping": (0.1, 50)}, duration=8.0)
    assert o.ok
    assert o.runs < 25
    assert o.values["damper.damping"] == pytest.approx(math.sqrt(20.0 * 2.0), rel=1e-4)
    assert o.history[0][1] > o.value


def balanced(s1: float, s2: float) -> dt.Model:
    """Slider-crank on a floating frame, as in Exudyn's geneticOptimizationSliderCrank; mass centres at s1 and s2."""
    m = dt.Model("slider-crank on a floating frame", gravity=(0, 0, 0))
    m.add_body("frame", dt.Inertia.point(2.0))
    m.add_body("crank", dt.Inertia(0.4, com=(s1, 0, 0), matrix=1e-4 * np.eye(3)))
    m.add_body("rod", dt.Inertia(0.2, com=(s2, 0, 0), matrix=1e-3 * np.eye(3)), position=(0.1, 0, 0))
    m.add_body("slider", dt.Inertia.point(0.1), position=(0.4, 0, 0))
    m.add_joint("X", dt.Composite(dt.Prismatic("x"), dt.Prismatic("y")), m.ground, "frame")
    m.add_joint("A", dt.Revolute("z"), "frame", "crank", at=(0, 0, 0))
    m.add_joint("B", dt.Revolute("z"), "crank", "rod", at=(0.1, 0, 0))
    m.add_joint("S", dt.Prismatic("x"), "frame", "slider", at=(0.4, 0, 0))
    m.add_joint("C", dt.Revolute("z"), "rod", "slider", at=(0.4, 0, 0))
    m.add_constraint("drive", dt.JointMotion("A", "10*t"))
    return m


def test_balanced_slider_crank() -> None:
    """Full balance of the forces is known: s1 = -L1 (m2 + m3)/m1, s2 = -L2 m3/m2."""
    shaking = dt.Objective(integral="frame.velocity.x^2 + frame.velocity.y^2")
    bounds = {"s1": (-0.2, 0.05, 0.2), "s2": (-0.3, 0.15, 0.3)}
    o = dt.minimise(balanced, shaking, bounds, duration=0.7, rtol=1e-8)
    assert o.runs < 20
    assert o.values["s1"] == pytest.approx(-0.1 * 0.3 / 0.4, abs=1e-4)
    assert o.values["s2"] == pytest.approx(-0.3 * 0.1 / 0.2, abs=1e-4)


def test_constraint_and_starts() -> None:
    """Least damping that keeps the velocity integral below a bound: the bound is active."""
    speed = dt.Objective(integral="x.velocity^2")
    effort = dt.Objective(final="0*t + 0.01*(x.position + 1)")
    o = dt.minimise(
        oscillator(),
        effort,
        {"damper.damping": (0.1, 20)},
        duration=3.0,
        constraints=[(speed, -np.inf, 0.02)],
        starts=2,
    )
    found = dt.gradient(oscillator(damping=o.values["damper.damping"]), speed, ["damper.damping"], duration=3.0)
    assert o.ok
    assert found.value <= 0.02 * (1 + 1e-5)
    with pytest.raises(ValueError, match=r"give \(dt\.Objective"):
        dt.minimise(oscillator(), effort, {"damper.damping": (0.1, 20)}, duration=3.0, constraints=[(speed, 2.0, 1.0)])


def interrupting(monkeypatch: pytest.MonkeyPatch, module: str, name: str, after: int) -> None:
    """Ctrl-C in the run behind so many."""
    import importlib

    found = importlib.import_module(module)
    real, count = getattr(found, name), 0

    def run(*arguments: object, **options: object) -> object:
        nonlocal count
        count += 1
        if count > after:
            raise KeyboardInterrupt
        return real(*arguments, **options)

    monkeypatch.setattr(found, name, run)


def test_an_interrupted_search_keeps_the_best(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    y = samples(stiffness=33.0, damping=0.9)
    objective, bounds = dt.Objective(integral="x.position^2"), {"damper.damping": (0.1, 50)}
    data = {"x.position": (T, y)}
    monkeypatch.setattr("duoti.analyses.gradients.search_progress.AFTER", 0.0)
    with monkeypatch.context() as m:
        interrupting(m, "duoti.analyses.gradients.minimise", "objective_run", 4)
        o = dt.minimise(oscillator(), objective, bounds, duration=4.0, starts=2, progress=True)
    assert not o.ok
    assert "interrupted" in o.reason
    assert o.runs == 4
    assert o.value == min(value for _, value in o.history)
    assert "minimise: run 4" in capsys.readouterr().err
    assert o.plot().axes
    with monkeypatch.context() as m:
        interrupting(m, "duoti.analyses.gradients.fit", "forward", 3)
        f = dt.fit(oscillator(), data, {"spring.stiffness": (1, 100)}, progress=True)
    assert not f.ok
    assert "interrupted" in f.reason
    assert f.runs == 4  # the last one did not end
    assert "fit: run 3" in capsys.readouterr().err
    interrupting(monkeypatch, "duoti.analyses.gradients.fit", "forward", 0)
    with pytest.raises(KeyboardInterrupt):
        dt.fit(oscillator(), data, {"spring.stiffness": (1, 100)})


def crane(**knots: float) -> dt.Model:
    """A trolley with a load on a rope of 1 m; the force is a table."""
    m = dt.Model("crane")
    m.add_body("trolley", dt.Inertia.point(2.0))
    m.add_body("load", dt.Inertia.point(1.0), position=(0, 0, -1.0))
    m.add_joint("X", dt.Prismatic("x"), m.ground, "trolley")
    m.add_joint("A", dt.Revolute("y"), "trolley", "load", at=(0, 0, 0))
    m.add_table("u", np.linspace(0, 2.0, len(knots)), list(knots.values()), kind="linear", extrapolation="hold")
    m.add_force("push", dt.JointTorque("X", "u(t)"))
    return m


def test_optimal_control_by_shooting() -> None:
    """A crane carries its load 1 m from rest to rest with the least integral of the squared force.

    Its equations are nearly linear: the optimum of the linear crane (sin A = A) is known by quadratic programming, and
    the angle of 0.3 rad changes it by some percent.
    """
    names, n = [f"u{k}" for k in range(8)], 8
    still = [(dt.Objective(final=each), 0.0, 0.0) for each in ("A.angle", "A.rate", "X.velocity")]
    o = dt.minimise(
        crane, dt.Objective(integral="u(t)^2"), dict.fromkeys(names, (-30, 0, 30)), duration=2.0,
        constraints=[(dt.Objective(final="X.position"), 1.0, 1.0), *still], tolerance=1e-7, solver=dt.RK4(2 / 140),
    )  # fmt: skip
    assert o.ok, o.reason
    r = dt.simulate(crane(**o.values), 2.0, rtol=1e-9, atol=1e-10)
    end = [r[each][-1] for each in ("X.position", "A.angle", "A.rate", "X.velocity")]
    np.testing.assert_allclose(end, [1, 0, 0, 0], atol=1e-5)
    lin = dt.linearise(crane(**dict.fromkeys(names, 0.0)), inputs=["push"])
    t = np.linspace(0, 2.0, 4001)
    hats = np.array([np.interp(t, np.linspace(0, 2.0, n), e) for e in np.eye(n)])
    w, V = np.linalg.eig(lin.A + 1e-7 * np.diag(np.arange(4)))
    flow = np.real(np.array([(V * np.exp(w * (2.0 - s))) @ np.linalg.solve(V, lin.B[:, 0]) for s in t]))
    reach = np.array([np.trapezoid(flow * hat[:, None], t, axis=0) for hat in hats]).T
    cost = np.array([[np.trapezoid(a * b, t) for a in hats] for b in hats])
    target = np.array([1.0 if name == "X.position" else 0.0 for name in lin.states])
    back = np.linalg.solve(cost, reach.T)
    best = back @ np.linalg.solve(reach @ back, target)
    assert o.value == pytest.approx(best @ cost @ best, rel=0.05)
    np.testing.assert_allclose([o.values[each] for each in names], best, atol=0.1 * np.max(np.abs(best)))


def test_a_search_that_ends_at_a_bound_says_so() -> None:
    """True value 20, bounds from 40 to 50; and data that no stiffness explains."""
    t = np.linspace(0.0, 2.0, 41)
    y = dt.simulate(oscillator(), 2.0, outputs=t)["x.position"]
    with pytest.warns(dt.errors.SimulationWarning, match=r"spring\.stiffness is at a bound"):
        f = dt.fit(oscillator(), {"x.position": (t, y)}, {"spring.stiffness": (40.0, 50.0)})
    assert "spring.stiffness is at a bound (40)" in f.reason
    with pytest.warns(dt.errors.SimulationWarning, match="times the given sigma"):
        f = dt.fit(oscillator(), {"x.position": (t, -y, 0.001)}, {"spring.stiffness": (1.0, 100.0)})
    assert "the given sigma" in f.reason
