"""Constraint methods: they agree as far as each of them can, and drift as theory says."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.states.assemble import assemble
from duoti.results.evaluate.singular_positions import drift

EXACT = (dt.Projection(), dt.CoordinatePartitioning(), dt.NullSpace())
STABILISED = (dt.Baumgarte(), dt.AugmentedLagrangian())
SOFT = (dt.Penalty(),)
TIGHT = dt.DOP853(rtol=1e-11, atol=1e-12)


def named(constraint_method) -> str:
    return type(constraint_method).__name__


def four_bar(v0=6.0, crank=0.3) -> dt.Model:
    """Crank-rocker of revolutes: planar, so three of five closure equations are redundant."""
    m = dt.Model("four-bar", gravity=(0, -9.81, 0))
    points = {"A": (0, 0, 0), "B": (0, crank, 0), "C": (0.9, 0.75, 0), "D": (0.8, 0, 0)}
    p = {name: np.array(point, float) for name, point in points.items()}
    bodies = ["ground", "crank", "coupler", "rocker", "ground"]
    for name, mass, (a, b) in zip(bodies[1:4], (0.6, 1.1, 0.9), ("AB", "BC", "CD"), strict=True):
        size = np.linalg.norm(p[b] - p[a])
        m.add_body(name, dt.Inertia(mass, matrix=np.eye(3) * mass * size**2 / 12), position=(p[a] + p[b]) / 2)
    for k, name in enumerate("ABCD"):
        parent, child = bodies[k : k + 2] if name != "D" else ("ground", "rocker")
        m.add_joint(name, dt.Revolute("z"), parent, child, at=p[name], v0=v0 if name == "A" else None)
    return m


def slider_crank(v0=8.0) -> dt.Model:
    m = dt.Model("slider-crank", gravity=(0, -9.81, 0))
    tip, end = np.array([0.12, 0.16, 0.0]), np.array([0.12 + 0.48, 0.0, 0.0])
    m.add_body("crank", dt.Inertia(0.5, matrix=np.eye(3) * 0.004), position=tip / 2)
    m.add_body("rod", dt.Inertia(0.8, matrix=np.eye(3) * 0.02), position=(tip + end) / 2)
    m.add_body("slider", dt.Inertia(0.4, matrix=np.eye(3) * 0.001), position=end)
    m.add_joint("A", dt.Revolute("z"), m.ground, "crank", at=(0, 0, 0), v0=v0)
    m.add_joint("B", dt.Revolute("z"), "crank", "rod", at=tip)
    m.add_joint("C", dt.Revolute("z"), "rod", "slider", at=end)
    m.add_joint("D", dt.Prismatic("x"), m.ground, "slider", at=end)
    return m


def spatial_loop() -> dt.Model:
    """Crank, ball, rod, Cardan joint, slider: no redundancy, quaternion in the tree if the ball is not cut."""
    m = dt.Model("spatial loop", gravity=(0, 0, -9.81))
    A, B, C = (np.array(x, float) for x in ((0, 0.1, 0.12), (0, 0.1, 0.2), (0.2, 0, 0)))
    for name, mass, at in (("crank", 0.12, A), ("rod", 0.5, (B + C) / 2), ("slider", 0.2, C)):
        m.add_body(name, dt.Inertia(mass, matrix=np.diag([1e-3, 2e-3, 2.5e-3])), position=at)
    m.add_joint("A", dt.Revolute("x"), m.ground, "crank", at=A, v0=6.0)
    m.add_joint("B", dt.Spherical(), "crank", "rod", at=B)
    m.add_joint("C", dt.Universal("x", np.cross([1.0, 0, 0], C - B)), "slider", "rod", at=C)
    m.add_joint("D", dt.Prismatic("x"), m.ground, "slider", at=C)
    return m


def rolling_disc() -> dt.Model:
    """Case R05b: one equation of position, two that are nonholonomic."""
    m = dt.Model("coin", gravity=(0, 0, -9.81))
    mass, r, tilt = 0.5, 0.3, np.radians(10.0)
    R_WB = dt.Rotation.about("y", tilt)
    omega, arm = R_WB.matrix @ [8.0, 0.3, 0.6], R_WB.matrix @ [0.0, 0.0, -r]
    inertia = dt.Inertia(mass, matrix=mass * r**2 * np.diag([0.5, 0.25, 0.25]))
    m.add_body("coin", inertia, position=(0, 0, r * np.cos(tilt)), rotation=R_WB)
    m.add_marker("hub", "coin", rotation=dt.Rotation.between((0, 0, 1), (1, 0, 0)))
    m.add_joint("free", dt.Free(), m.ground, "coin", v0=[*-np.cross(omega, arm), *omega])
    m.add_constraint("rolling", dt.RollingDisc("hub", r))
    return m


def driven_slider_crank() -> dt.Model:
    """Rheonomic: the crank turns as given, nothing is free."""
    m = slider_crank(v0=None)
    m.add_constraint("drive", dt.JointMotion("A", "3*t + 0.4*sin(5*t)"))
    return m


def driven_in_part() -> dt.Model:
    """Rheonomic, with a freedom left: the pivot of a pendulum loop moves as given."""
    m = spatial_loop()
    m.joints["A"].v0 = None
    m.add_body("bob", dt.Inertia(0.1, matrix=np.eye(3) * 1e-3), position=(0.2, 0, -0.1))
    m.add_joint("hang", dt.Revolute("y"), "slider", "bob", at=(0.2, 0, 0))
    m.add_constraint("drive", dt.JointMotion("A", "3*t + 0.4*sin(5*t)"))
    return m


MODELS = {
    "four-bar": four_bar,
    "slider-crank": slider_crank,
    "spatial loop": spatial_loop,
    "rolling disc": rolling_disc,
    "driven slider-crank": driven_slider_crank,
    "driven in part": driven_in_part,
}


def run(model, constraint_method, duration=1.0, solver=TIGHT, outputs=51, rough=False, **options) -> dt.Result:
    """rough: more energy may be lost than an ok run may lose."""
    times = np.linspace(0.0, duration, outputs)
    r = dt.simulate(model, duration, outputs=times, solver=solver, constraints=constraint_method, **options)
    assert r.ok or (rough and r.reason_code == "energy-lost"), r.reason
    return r


@pytest.fixture(scope="module", params=MODELS)
def reference(request):
    return run(MODELS[request.param](), dt.Projection())


def difference(a, b):
    return float(np.max(np.abs(a - b)))


def opening(r):
    """Largest drift of positions and of rates over a run."""
    g, gdot = drift(r.system, r.t, r.q, r.v, r.z)
    return float(np.max(g)), float(np.max(gdot))


def multipliers(r):
    return np.column_stack([r.multipliers(f"{kind}:{name}") for kind, name in r.system.closure_names])


# ------------------------------------------------------------------------------------------------------- agreement


@pytest.mark.parametrize("constraint_method", EXACT[1:], ids=named)
def test_exact_constraint_methods_agree(reference, constraint_method):
    """Both solve the same equations as projection: what is left is the error of integration, 1e-11 a step."""
    r = run(reference.system, constraint_method)
    assert difference(r.q, reference.q) < 1e-8
    assert difference(r.v, reference.v) < 1e-7
    size = np.max(np.abs(multipliers(reference)))
    # least norm in the same units, so that even multipliers that are not unique agree
    assert difference(multipliers(r), multipliers(reference)) < 1e-6 * size
    g, gdot = opening(r)
    assert gdot < 1e-10
    if isinstance(constraint_method, dt.CoordinatePartitioning):
        assert g < 2e-12  # the tolerance of the closures
    assert np.max(np.abs(r.energy.residual)) < 1e-7


@pytest.mark.parametrize("constraint_method", STABILISED, ids=named)
def test_stabilised_constraint_methods_agree(reference, constraint_method):
    """They add (2 alpha dg/dt + beta² g) to gamma, g being the error of integration, 1e-11 a step."""
    r = run(reference.system, constraint_method)
    assert difference(r.q, reference.q) < 1e-7
    assert difference(r.v, reference.v) < 1e-6
    size = np.max(np.abs(multipliers(reference)))
    assert difference(multipliers(r), multipliers(reference)) < 1e-4 * size
    assert opening(r)[0] < 1e-8


def test_penalty_agrees(reference):
    """Equations of relative weight 1e8, open by reaction / (weight omega²), omega = 10 rad/s: 1e-8 of a metre or so."""
    r = run(reference.system, dt.Penalty())
    assert difference(r.q, reference.q) < 1e-4
    assert difference(r.v, reference.v) < 1e-3
    size = np.max(np.abs(multipliers(reference)))
    assert difference(multipliers(r), multipliers(reference)) < 1e-3 * size
    assert opening(r)[0] < 1e-6


@pytest.mark.parametrize("constraint_method", [*EXACT, *STABILISED, *SOFT], ids=named)
def test_reactions_of_the_slider_crank_balance(constraint_method):
    """On the slider: m a = reactions + weight, whatever made the reactions."""
    r = run(slider_crank(), constraint_method, duration=0.5)
    force = r["D.reaction_force"] + r["C.reaction_force"] + 0.4 * np.array([0, -9.81, 0])
    assert difference(force, 0.4 * r["slider.acceleration"]) < 1e-8  # N, of 20 N


@pytest.mark.parametrize("constraint_method", [*EXACT, *STABILISED], ids=named)
def test_absolute_coordinates_and_fixed_steps(constraint_method):
    """Another tree (36 equations for 18 rates) and another solver run through the same constraint methods."""
    a = run(four_bar(), constraint_method, duration=0.4, coordinates="absolute")
    b = run(four_bar(), dt.Projection(), duration=0.4, solver=dt.RK4(step=0.0005))
    assert difference(a["B.angle"], b["B.angle"]) < 1e-7


# ------------------------------------------------------------------------------------------------------------ drift


def test_order_of_drift():
    """RK4: the drift that no treatment corrects falls with h⁴; rates in the null space have none."""
    opened = {}
    for h in (0.01, 0.005):
        r = run(slider_crank(), dt.NullSpace(), solver=dt.RK4(step=h))
        opened[h] = opening(r)
        assert opened[h][1] < 1e-10
    assert 2**3.5 < opened[0.01][0] / opened[0.005][0] < 2**5.5


def test_drift_without_stabilisation_grows_and_baumgarte_bounds_it():
    solver = dt.RK4(step=0.005)
    bare = run(slider_crank(), dt.Baumgarte(alpha=0, beta=0), duration=4.0, solver=solver)
    kept = run(slider_crank(), dt.Baumgarte(alpha=20, beta=20), duration=4.0, solver=solver)
    g_bare, _ = drift(bare.system, bare.t, bare.q, bare.v, bare.z)
    g_kept, _ = drift(kept.system, kept.t, kept.q, kept.v, kept.z)
    assert g_bare[-1] > 2.5 * np.max(g_bare[: len(g_bare) // 2])  # as t² : 4 times in twice the time
    assert np.max(g_kept) < 0.1 * np.max(g_bare)
    assert np.max(g_kept[25:]) < 2 * np.max(g_kept[:25])  # no growth


@pytest.mark.parametrize("alpha", [20.0, 50.0])
def test_baumgarte_decay_of_an_initial_error(alpha):
    """g(t) = g0 (1 + alpha t) exp(-alpha t) for alpha = beta, from dg/dt = 0: the equation it is made of."""
    m = dt.Model("pendulum on a distance", gravity=(0, 0, 0))
    m.add_body("bob", dt.Inertia(1.0, matrix=np.eye(3)), position=(1.0, 0, 0))
    m.add_marker("centre", "bob")
    m.add_joint("free", dt.Free(), m.ground, "bob")
    m.add_constraint("rod", dt.Distance("ground", "centre", 1.0))
    system = dt.compile(m)
    q, v = (x.copy() for x in system.initial_state())
    q[system.joints["free"].q[:3]] += (1e-3, 0, 0)  # open by a millimetre
    r = run(system, dt.Baumgarte(alpha=alpha, beta=alpha), duration=0.3, at=(q, v))
    g = np.linalg.norm(r["bob.position"], axis=1) - 1.0
    assert difference(g, 1e-3 * (1 + alpha * r.t) * np.exp(-alpha * r.t)) < 1e-9  # tolerance 1e-11


def test_penalty_drift_falls_with_stiffness():
    opened = [opening(run(slider_crank(), dt.Penalty(stiffness=s), duration=0.5))[0] for s in (1e4, 1e5, 1e6)]
    for softer, stiffer in itertools.pairwise(opened):  # g = - multiplier / (stiffness omega²)
        assert stiffer == pytest.approx(softer / 10, rel=0.05)


@pytest.mark.filterwarnings(
    "ignore::duoti.errors.SimulationWarning"
)  # one iteration loses 3 % of the energy, and says so
def test_augmented_lagrangian_converges_with_iterations():
    """Each iteration leaves 1 / (1 + penalty x) of what was open, x the eigenvalues of the scaled G M^-1 G^T."""
    opened = []
    for n in (1, 2, 10):
        constraint_method = dt.AugmentedLagrangian(penalty=1e2, iterations=n)
        opened.append(opening(run(slider_crank(), constraint_method, duration=0.5, rough=n < 10))[0])
    assert opened[1] < 0.5 * opened[0]
    assert opened[2] < 1e-2 * opened[1]
    soft = opening(run(slider_crank(), dt.Penalty(stiffness=1e2), duration=0.5, rough=True))[0]
    assert opened[0] == pytest.approx(soft, rel=1e-6)  # one iteration is the penalty method


# ------------------------------------------------------------------------------------------ coordinate partitioning


def test_repartitioning_when_the_crank_goes_round():
    """In its two dead centres the slider cannot be independent, in between anything can be."""
    system = dt.compile(slider_crank(), force_cut=["B"])
    strict = run(system, dt.CoordinatePartitioning(condition=2.0), duration=2.0)
    exact = run(system, dt.Projection(), duration=2.0)
    assert abs(exact["A.angle"][-1]) > 2 * 2 * np.pi
    assert strict.stats.repartitions >= 2
    assert difference(strict.q, exact.q) < 1e-7
    assert run(system, dt.CoordinatePartitioning(condition=1e12), duration=0.1).stats.repartitions == 0
    assert exact.stats.repartitions == 0


def test_only_independent_coordinates_are_controlled():
    """A dependent coordinate in units a thousand times finer does not make the steps smaller."""
    r = run(four_bar(), dt.CoordinatePartitioning(), solver=dt.DOPRI5())
    full = run(four_bar(), dt.Projection(), solver=dt.DOPRI5())
    assert r.stats.steps <= full.stats.steps


# --------------------------------------------------------------------------------------------------- the interface


def test_settings_are_checked():
    m = slider_crank()
    with pytest.raises(TypeError, match="constraints=3 is not a constraint method"):
        dt.simulate(m, 0.1, constraints=3)  # type: ignore[arg-type]
    for wrong, message in (
        (dt.Baumgarte(alpha=-1), "Baumgarte: alpha=-1: give a number that is not negative"),
        (dt.Penalty(stiffness=0), "Penalty: stiffness=0: give a positive number"),
        (dt.Penalty(frequency=float("nan")), "frequency=nan"),
        (dt.AugmentedLagrangian(iterations=0), "iterations=0: give a whole number, at least 1"),
        (dt.AugmentedLagrangian(penalty=float("inf")), "penalty=inf"),
        (dt.CoordinatePartitioning(condition=1.0), "condition=1.0: give a number above 1"),
    ):
        with pytest.raises(ValueError, match=message):
            dt.simulate(m, 0.1, constraints=wrong)


@pytest.mark.parametrize("constraint_method", [*EXACT, *STABILISED, *SOFT], ids=named)
def test_no_effect_without_loops(constraint_method):
    m = dt.Model("pendulum", gravity=(0, -9.81, 0))
    m.add_body("bob", dt.Inertia(1.0, matrix=np.eye(3)), position=(1, 0, 0))
    m.add_joint("A", dt.Revolute("z"), m.ground, "bob", at=(0, 0, 0))
    plain, treated = dt.simulate(m, 1.0, outputs=0.1), dt.simulate(m, 1.0, outputs=0.1, constraints=constraint_method)
    np.testing.assert_array_equal(plain.q, treated.q)
    with pytest.raises(ValueError, match="no closed loops"):
        dt.analyses.compare_constraint_methods(m, 1.0)


def test_start_that_is_assembled_stays_assembled():
    system = dt.compile(four_bar())
    start = assemble(system)
    for constraint_method in EXACT:
        r = run(system, constraint_method, duration=0.1)
        np.testing.assert_array_equal(r.q[0], start.q)


# -------------------------------------------------------------------------------------------------------- comparison


@pytest.fixture(scope="module")
def comparison():
    return dt.analyses.compare_constraint_methods(four_bar(), 1.0)


def test_comparison_of_all_constraint_methods(comparison):
    assert [named(run.method) for run in comparison.runs] == [
        "Projection", "Baumgarte", "CoordinatePartitioning", "NullSpace", "Penalty", "AugmentedLagrangian",
    ]  # fmt: skip
    text = str(comparison)
    assert text.splitlines()[0].startswith("four-bar, 1 s: largest values over the run; error against Projection, ")
    assert len({len(line) for line in text.splitlines()[1:]}) == 1  # the columns are straight
    best = comparison[dt.Projection]
    assert np.max(best.drift) < 2e-12
    assert np.max(best.error) < 1e-5  # DOPRI5 at 1e-8
    assert np.max(comparison[dt.Penalty].drift) > 100 * np.max(best.drift)
    with pytest.raises(KeyError, match="Baumgarte"):
        dt.analyses.compare_constraint_methods(four_bar(), 0.1, [dt.Projection()])[dt.Baumgarte]


def test_comparison_names_settings_and_takes_a_reference():
    times = np.linspace(0, 0.2, 11)
    exact = dt.simulate(four_bar(), 0.2, times, TIGHT)
    pair = [dt.Baumgarte(alpha=20, beta=20), dt.Baumgarte()]
    found = dt.analyses.compare_constraint_methods(four_bar(), 0.2, pair, dt.RK4(step=0.001), exact, outputs=times)
    assert [run.name for run in found.runs] == ["Baumgarte(alpha=20, beta=20)", "Baumgarte"]
    assert "error against the given result" in str(found)
    with pytest.raises(ValueError, match="same outputs"):
        dt.analyses.compare_constraint_methods(four_bar(), 0.2, pair, reference=exact)


def test_comparison_plot(comparison):
    pytest.importorskip("matplotlib")
    figure = comparison.plot()
    assert len(figure.axes) == 4
    assert all(ax.get_yscale() == "log" and len(ax.lines) == 6 for ax in figure.axes)


# -------------------------------------------------------------------------------------------------- singular positions


def parallelogram() -> dt.Model:
    """Falls through the position in which all bars lie flat, where it could become a crossed quadrilateral."""
    m = dt.Model("parallelogram", gravity=(0, -9.81, 0))
    for k, name in enumerate(("left", "right")):
        m.add_body(name, dt.Inertia(1.0, matrix=np.eye(3) / 12), position=(k, 0.5, 0))
        m.add_joint(f"A{k}", dt.Revolute("z"), m.ground, name, at=(k, 0, 0), v0=-1.0 if k == 0 else None)
    m.add_body("top", dt.Inertia(1.0, matrix=np.eye(3) / 12), position=(0.5, 1, 0))
    m.add_joint("B0", dt.Revolute("z"), "left", "top", at=(0, 1, 0))
    m.add_joint("B1", dt.Revolute("z"), "top", "right", at=(1, 1, 0))
    return m


@pytest.mark.parametrize("outputs", [1001, 201])
def test_singular_positions_are_found(outputs):
    r = run(parallelogram(), None, duration=4.0, outputs=outputs)
    flat = np.abs(r["A0.angle"]) / np.pi - 0.5  # whole numbers in the flat positions
    crossed = r.t[:-1][np.floor(flat[1:]) != np.floor(flat[:-1])]
    assert len(crossed) >= 3
    found = r.singularities
    assert len(found) == len(crossed)
    for each, t in zip(found, crossed, strict=True):
        assert set(each.joints) == {"A0", "A1", "B0", "B1"}
        assert t - 0.1 * (r.t[1] - r.t[0]) <= each.t <= t + 1.1 * (r.t[1] - r.t[0])
        assert each.pivot < 1e-2
    assert f"singular position at t = {found[0].t:.6g} s: loop of A0" in r.summary()


def test_no_singular_positions_where_there_are_none(reference):
    assert reference.singularities == ()
