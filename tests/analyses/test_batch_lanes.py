"""Runs in lanes: each is that of the scalar code, whatever the joints, forces, methods and neighbours."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from test_batch import cart_pole, four_bar, pendulum, stopped

import duoti as dt
from duoti.analyses.batch.lanes import lane_entry_of, rounds_as_single_runs
from duoti.elements.force_types import lanes_force_entry
from duoti.kernel import CHECK, JIT, kernel
from duoti.kernel.lanes import LANES, WIDTH, lanes_like, reals_of
from duoti.model.forces import Force
from duoti.spatial.algebra import sincos
from support.random_forces import BETWEEN_BODIES, add_random_forces, type_of
from support.random_models import ALL_KINDS, random_model, random_state

pytestmark = pytest.mark.skipif(not JIT, reason="plain Python has no lanes")

# Fixed steps repeat the operations of single runs in their order. Where LLVM fuses the same products and sums, as it
# does on the processors that code is shipped for, all bits are equal; elsewhere each operation may round otherwise.
# 50 steps of some 10,000 operations a step multiply a rounding of 1e-16 by no more than 1e4 in these motions.
ROUND_OFF = 1e-12
SOLVERS = {
    "RK4": dt.RK4(step=1e-3),
    "Verlet": dt.Verlet(step=1e-3),
    "SemiImplicitEuler": dt.SemiImplicitEuler(step=1e-3),
}


def both(system: dt.System, parameters: dict, solver: dt.Solver, duration: float = 0.05, **options) -> tuple:
    """The batch in lanes and one run at a time; none may be left to Python but those that are said to fail."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # random loads may be outside the range of a tyre
        made = [
            dt.simulate_batch(system, duration, parameters, outputs=duration / 4, solver=solver, lanes=n, **options)
            for n in (WIDTH, 1)
        ]
    assert (made[0].lanes, made[1].lanes) == (WIDTH, 1)
    return tuple(made)


def states_of_many(system: dt.System, runs: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Initial states, by the names of numbers."""
    found: dict[str, np.ndarray] = {}
    q, v = (np.array(each) for each in zip(*(random_state(rng, system)[:2] for _ in range(runs)), strict=True))
    for name, layout in system.joints.items():
        for field, values, columns in (("q0", q, layout.q), ("v0", v, layout.v)):
            if len(columns):
                here = values[:, columns]
                found[f"{name}.{field}"] = here[:, 0] if here.shape[1] == 1 else here
    return found


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(3))
def test_random_trees_with_all_joints(seed: int, solver: str) -> None:
    rng = np.random.default_rng(seed)
    meant = random_model(rng, 7, kinds=ALL_KINDS)
    system = dt.compile(meant.model)
    found, single = both(system, states_of_many(system, 11, rng), SOLVERS[solver], duration=0.02)
    assert single.ok.all()
    np.testing.assert_array_equal(found.ok, single.ok)
    scale = np.max(np.abs(single.states), axis=(0, 1))
    assert np.max(np.abs(found.states - single.states) / (1.0 + scale)) < ROUND_OFF
    np.testing.assert_array_equal(found.steps, single.steps)
    np.testing.assert_array_equal(found.evaluations, single.evaluations)


PLAIN = [
    kind
    for kind in BETWEEN_BODIES
    if kind not in ("joint_stop", "joint_friction")  # which have events
    and type_of(kind).out_of_range is Force.out_of_range  # else Python looks at the run
]


@pytest.mark.parametrize("kind", PLAIN)
def test_every_force_type(kind: str) -> None:
    """Those with a law for lanes, and those that are evaluated lane by lane."""
    rng = np.random.default_rng([1, *kind.encode()])
    meant = random_model(rng, 3, kinds=("revolute", "free"), root="revolute")
    add_random_forces(rng, meant, kinds=[kind], ground=False)
    assert meant.model.forces
    system = dt.compile(meant.model)
    solver = dt.RK4(step=2e-4 if kind.startswith("tyre") else 1e-3)  # tyres are stiff
    found, single = both(system, states_of_many(system, 9, rng), solver)
    np.testing.assert_array_equal(found.reason, single.reason)
    assert single.ok.sum() > 6  # a random bushing may be too stiff for the step
    good, lone = found.states[single.ok], single.states[single.ok]
    assert np.max(np.abs(good - lone) / (1.0 + np.max(np.abs(lone), axis=(0, 1)))) < ROUND_OFF
    # the force acts: without it the motion is another one
    del meant.model.forces[f"{kind} force"]
    others = dict(found.parameters)
    without = dt.simulate_batch(meant.model, 0.05, others, outputs=0.0125, solver=solver)
    n = system.nq + system.nv
    assert np.max(np.abs(without.states[single.ok][..., :n] - good[..., :n])) > 1e-6


def test_which_types_have_a_law_for_lanes() -> None:
    """If a type loses it, runs become slower without a word."""
    fast = {kind for kind in BETWEEN_BODIES if lanes_force_entry(type_of(kind)) is not None}
    assert fast >= {
        "cartesian_spring", "coupling_spring", "joint_damping", "joint_spring", "joint_torque", "point_gravity",
        "spring_damper",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("law", "in_lanes"),
    [
        (3.0, True),
        ("u", True),
        ("-(k*q + 0.4*v) + u/(1 + rail.position^2) - hinge.rate^3*0.01", True),
        ("u*sin(q)", False),
        ("u*t", False),
        ("if(q > 0, u, -u)", False),
        ("u*pole.position.x", False),
    ],
)
def test_torques_by_laws(law, in_lanes: bool) -> None:
    """Plain arithmetic of coordinates and velocities is done in lanes, with other parameters in each."""
    m = cart_pole()
    m.parameters = {"u": 1.0, "k": 2.0}
    m.add_force("motor", dt.JointTorque("hinge", law))
    system = dt.compile(m)
    k = list(m.forces).index("motor")
    assert (lane_entry_of(system, k, k + 1, dt.JointTorque) is not None) == in_lanes
    values = {"rail.q0": np.linspace(-0.5, 0.5, 11), "hinge.v0": np.linspace(1, 2, 11)}
    if isinstance(law, str):
        values |= {"u": np.linspace(-3, 3, 11)} | ({"k": np.linspace(1, 5, 11)} if "k*" in law else {})
    found, single = both(system, values, dt.RK4(step=1e-3), 0.5)
    assert single.ok.all()
    assert np.max(np.abs(found.states - single.states)) < ROUND_OFF


@pytest.mark.parametrize("solver", [dt.RK4(step=1e-3), dt.DOPRI5()])
def test_forces_are_summed_in_the_order_of_the_model(solver: dt.Solver) -> None:
    """So that the same run has the same bits, whether it is computed in lanes or not: a study relies on it."""
    m = cart_pole()
    m.parameters = {"u": 1.0}
    values = {"rail.q0": np.linspace(-0.5, 0.5, 16), "u": np.linspace(1, 2, 16)}
    for joint in ("rail", "hinge"):
        m.add_force(f"spring {joint}", dt.JointSpring(joint, stiffness=3.0))
        m.add_force(f"drive {joint}", dt.JointTorque(joint, "u*sin(3*t)"))
        m.add_force(f"damping {joint}", dt.JointDamping(joint, damping=0.37))
        m.add_force(f"wave {joint}", dt.JointTorque(joint, "u*cos(3*t) + rail.position"))
    m.add_state("z", "u*rail.position - z")
    found, single = both(m, values, solver, 0.5)
    plain = both(cart_pole(), {"rail.q0": values["rail.q0"]}, dt.RK4(step=1e-3), 0.5)
    assert np.max(np.abs(found.states - single.states)) < ROUND_OFF
    if rounds_as_single_runs():
        np.testing.assert_array_equal(plain[0].states, plain[1].states)
        np.testing.assert_array_equal(found.states, single.states)


ADAPTIVE = {
    "DOPRI5": dt.DOPRI5(rtol=1e-6, atol=1e-8),
    "DOP853": dt.DOP853(),
    "RKF45": dt.RKF45(),
    "first step": dt.DOPRI5(first_step=1e-4, max_step=0.01),
}


@pytest.mark.parametrize("solver", ADAPTIVE)
def test_each_lane_chooses_its_own_steps(solver: str) -> None:
    """The same steps as alone; a rounding in the error changes a step, and so the state, by as little."""
    system = dt.compile(cart_pole())
    values = {"hinge.v0": np.linspace(0, 12, 21), "pole.mass": np.geomspace(0.02, 5, 21)}
    found, single = both(system, values, ADAPTIVE[solver], 1.0)
    assert found.ok.all()
    assert len({*single.steps.tolist()}) > (1 if solver == "first step" else 5)
    np.testing.assert_array_equal(found.steps, single.steps)
    np.testing.assert_array_equal(found.evaluations, single.evaluations)
    np.testing.assert_allclose(found.states, single.states, rtol=0, atol=1e-9)


def timed() -> dt.Model:
    """Torques by time alone: the works are watched, with the mass of each run."""
    m = pendulum()
    m.bodies["rod"].inertia = dt.Inertia.rod(3.0, length=1.0, axis="z")
    m.add_force("push", dt.JointTorque("A", "5*sin(7*t)"))
    m.add_state("z", "A.angle - 2*z", initial=0.3)
    return m


def test_works_of_forces_by_time_and_first_order_states() -> None:
    system = dt.compile(timed())
    found, single = both(system, {"rod.mass": np.linspace(0.5, 40, 10)}, dt.DOPRI5(), 2.0)
    assert found.ok.all()
    np.testing.assert_array_equal(found.steps, single.steps)
    np.testing.assert_allclose(found.states, single.states, rtol=1e-9, atol=1e-9)
    assert np.max(np.abs(found["z"] - 0.3)) > 0.1


@pytest.mark.parametrize("runs", [2, 7, 8, 9, 17, 40])
def test_numbers_of_runs_and_workers_have_no_influence(runs: int) -> None:
    system = dt.compile(cart_pole())
    whole = {"hinge.q0": np.linspace(0.1, 1.0, 40)}
    reference = dt.simulate_batch(system, 0.3, whole, outputs=0.1, solver=dt.RK4(step=1e-3), workers=1)
    values = {"hinge.q0": whole["hinge.q0"][:runs]}
    for workers in (1, 2):
        b = dt.simulate_batch(system, 0.3, values, outputs=0.1, solver=dt.RK4(step=1e-3), workers=workers)
        assert b.lanes == WIDTH
        np.testing.assert_array_equal(b.states, reference.states[:runs])


def test_a_run_that_fails_does_not_disturb_its_neighbours() -> None:
    """Stiffnesses that no step of this length can follow are told with the words of `simulate`."""
    m = cart_pole()
    m.add_force("spring", dt.JointSpring("rail", stiffness=1.0))
    system = dt.compile(m)
    stiffness = np.array([1.0, 2.0, 3.0, 1e300, 4.0, 1e8, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0])
    found, single = both(system, {"spring.stiffness": stiffness}, dt.RK4(step=0.01), 1.0)
    assert found.ok.tolist() == [x < 100 for x in stiffness]
    np.testing.assert_array_equal(found.reason, single.reason)
    np.testing.assert_allclose(found.states[found.ok], single.states[found.ok], rtol=0, atol=1e-12)


def link(joint=-1.0, tip=0.0, place=-1.5, gravity=0.0) -> dt.Model:
    """A double pendulum whose lengths change: places of joints, mass centres and markers."""
    m = dt.Model("double pendulum", gravity=(gravity, 0, -9.81))
    upper = m.add_body("upper", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
    lower = m.add_body("lower", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, place))
    m.add_marker("tip", lower, position=(tip, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, upper, at=(0, 0, 0), q0=0.5)
    m.add_joint("B", dt.Revolute("y"), upper, lower, at=(0, 0, joint))
    m.add_force("spring", dt.SpringDamper("ground", "tip", stiffness=5.0, damping=0.1, rest_length=1.5))
    return m


LENGTHS = {"B.at.z": "joint", "tip.position.x": "tip", "lower.position.z": "place", "gravity.x": "gravity"}


@pytest.mark.parametrize("name", LENGTHS)
def test_geometry(name: str) -> None:
    """Each run has frames of its own; compared with a model that is built with the value."""
    start = {"B.at.z": -1.0, "lower.position.z": -1.5}.get(name, 0.0)
    values = start + np.linspace(-0.2, 0.2, 11)
    found, single = both(dt.compile(link()), {name: values}, dt.RK4(step=1e-3), 0.5)
    assert not found.notes
    np.testing.assert_allclose(found.states, single.states, rtol=0, atol=1e-12)
    for k in (0, 7):
        built = link(**{LENGTHS[name]: float(values[k])})
        r = dt.simulate(built, 0.5, outputs=0.125, solver=dt.RK4(step=1e-3))
        np.testing.assert_allclose(found.states[k], r.states, rtol=0, atol=1e-11)
        np.testing.assert_allclose(found["tip.position"][k], r["tip.position"], rtol=0, atol=1e-11)
    assert np.ptp(found["tip.position"][:, -1, 0]) > 1e-3


WITHOUT = {
    "closed loops": (four_bar, {"rod.mass": np.linspace(1.0, 2.0, 3)}, {}),
    "events": (stopped, {"A.q0": np.linspace(-0.1, 0.5, 3)}, {}),
}


@pytest.mark.parametrize("why", WITHOUT)
def test_what_lanes_cannot_treat_is_named(why: str) -> None:
    build, parameters, options = WITHOUT[why]
    b = dt.simulate_batch(build(), 0.2, parameters, outputs=0.1, **options)
    assert b.lanes == 1
    assert any("one run at a time" in note and why in note for note in b.notes), b.notes
    with pytest.raises(ValueError, match=f"side by side: .*{why}"):
        dt.simulate_batch(build(), 0.2, parameters, outputs=0.1, lanes=WIDTH, **options)
    quiet = dt.simulate_batch(build(), 0.2, parameters, outputs=0.1, lanes=1, **options)
    assert not quiet.notes
    np.testing.assert_array_equal(quiet.states, b.states)


def test_numbers_that_all_lanes_share() -> None:
    """Numbers of a table: runs with other ones are done one at a time."""
    m = pendulum()
    table = dt.TableSpring("ground", "rod", [0.1, 0.5, 1.0], [0.0, 1.0, 4.0], damping=0.1)
    m.add_force("table", table)
    system = dt.compile(m)
    alone = dt.simulate_batch(system, 0.3, {"table.damping": [0.1, 0.2]}, outputs=0.1, solver=dt.RK4(step=1e-3))
    assert alone.lanes == WIDTH
    b = dt.simulate_batch(system, 0.3, {"table.tension[1]": [1.0, 2.0]}, outputs=0.1, solver=dt.RK4(step=1e-3))
    assert b.lanes == 1
    assert any("table.tension[1]" in note for note in b.notes), b.notes
    r = dt.simulate(system.with_parameters({"table.tension[1]": 2.0}), 0.3, outputs=0.1, solver=dt.RK4(step=1e-3))
    np.testing.assert_array_equal(b.states[1], r.states)


@pytest.mark.parametrize("lanes", [0, 2, 4, 16, "8"])
def test_other_numbers_of_lanes_are_refused(lanes) -> None:
    with pytest.raises(ValueError, match="give 8, 1, or None"):
        dt.simulate_batch(cart_pole(), 0.1, {"hinge.q0": [0.1, 0.2]}, lanes=lanes)


@kernel
def _sincos_of_all(x, s, c):
    for i in range(x.shape[0]):
        s[i], c[i] = sincos(x[i])


@kernel
def _arithmetic(x, y, out):
    out[0], out[1], out[2], out[3] = x[0] + y[0], x[0] - 2.0, 3.0 * y[0], x[0] / y[0]
    out[4], out[5], out[6], out[7] = -x[0], abs(x[0]), max(x[0], y[0]), max(x[0], 0.5)
    out[8], out[9] = x[0] ** 2, abs(y[0]) ** 0.5


def test_sine_and_cosine_of_lanes() -> None:
    """All quadrants, large angles, and what is no number; against the real kernel, which has tests of its own."""
    x = np.concatenate([np.linspace(-20, 20, 4000), np.random.default_rng(0).normal(size=80) * 1e5, [np.nan]])
    x = np.resize(x, (-(-len(x) // WIDTH), WIDTH))
    lanes, s, c = (lanes_like(np.zeros(len(x))) for _ in range(3))
    reals_of(lanes)[:] = x
    _sincos_of_all(lanes, s, c)
    t, d = np.zeros(x.size), np.zeros(x.size)
    _sincos_of_all(x.ravel(), t, d)
    for found, known, exact in ((s, t, np.sin), (c, d, np.cos)):
        np.testing.assert_allclose(reals_of(found).ravel(), known, rtol=0, atol=2.3e-16)
        near = np.abs(x) < 100
        np.testing.assert_allclose(reals_of(found)[near], exact(x[near]), rtol=0, atol=3e-16)


def test_operations_on_lanes() -> None:
    """One IEEE operation each: the same bits as NumPy."""
    rng = np.random.default_rng(1)
    x, y, out = (lanes_like(np.zeros(n)) for n in (1, 1, 10))
    reals_of(x)[:], reals_of(y)[:] = rng.normal(size=WIDTH), rng.normal(size=WIDTH)
    _arithmetic(x, y, out)
    a, b = reals_of(x)[0], reals_of(y)[0]
    known = [a + b, a - 2, 3 * b, a / b, -a, abs(a), np.maximum(a, b), np.maximum(a, 0.5), a * a, np.sqrt(abs(b))]
    np.testing.assert_array_equal(reals_of(out), np.array(known))
    assert out.dtype == LANES


@pytest.mark.skipif(CHECK, reason="the checked build says another thing first")
def test_a_kernel_that_branches_on_lanes_is_refused() -> None:
    @kernel
    def branching(x):
        return 1 if x[0] > 0.0 else 0

    with pytest.raises(Exception, match=r"lanes8|No implementation|Invalid use"):
        branching(lanes_like(np.zeros(1)))
