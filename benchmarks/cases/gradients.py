"""Gradients of whole runs: what they cost beside the run itself, and beside differences of runs.

One side is `dt.simulate` of 4 s with held steps (RK4, 1 ms); the other the recorded run with the backward sweep and all
that it does for its parameters. What does not depend on the length of the run (finding out how each parameter enters
the equations) is done once, before. Ratios are those of the harness, peer / duoti: 0.25 is a gradient in the time of
four runs; with differences of runs as the peer, parameters + 1 runs count against one gradient.
"""

from __future__ import annotations

import numpy as np

import duoti as dt
from benchmarks.harness import Pair, Side, case, repeated
from duoti.analyses.gradients.adjoint_sweep import AdjointSweep
from duoti.analyses.gradients.gradient import objective_run

DURATION, STEP = 4.0, 1e-3
INERTIAL = ("mass", "com.x", "com.y", "com.z", "inertia.xx", "inertia.yy", "inertia.zz", "inertia.xy", "inertia.xz",
            "inertia.yz")  # fmt: skip


def arm(n: int) -> dt.Model:
    m = dt.Model(f"arm, {n}")
    inboard = m.ground
    for i in range(n):
        body = m.add_body(f"b{i}", dt.Inertia.box(1.0, size=(0.05, 0.1, 0.3)), position=(0, 0, -0.15 - 0.3 * i))
        m.add_joint(f"J{i}", dt.Revolute("xyz"[i % 2]), inboard, body, at=(0, 0, -0.3 * i), q0=0.3 * (-1) ** i)
        m.add_force(f"d{i}", dt.JointSpring(f"J{i}", stiffness=1.0, damping=0.1))
        inboard = body
    return m


def four_bar() -> dt.Model:
    m = dt.Model("four-bar")
    for name, length, axis, place in (
        ("a", 0.3, "z", (0, 0, 0.15)), ("b", 1.0, "x", (0.5, 0, 0.4)), ("c", 0.5, "z", (1.0, 0, 0.25))
    ):  # fmt: skip
        m.add_body(name, dt.Inertia.rod(1.0, length=length, axis=axis), position=place)
    m.add_joint("J0", dt.Revolute("y"), m.ground, "a", at=(0, 0, 0), v0=2.0)
    m.add_joint("B", dt.Revolute("y"), "a", "b", at=(0, 0, 0.3))
    m.add_joint("C", dt.Revolute("y"), "b", "c", at=(1, 0, 0.5))
    m.add_joint("D", dt.Revolute("y"), m.ground, "c", at=(1, 0, 0))
    return m


def beside_runs(m: dt.Model, names: list[str], runs: int = 1) -> Pair:
    """A gradient beside so many runs."""
    solver, objective = dt.RK4(step=STEP), dt.Objective(integral="J0.angle^2")
    system = dt.compile(m)
    run = objective_run(m, [objective], names, DURATION, solver, "benchmark", rtol=None, atol=None)
    one, none = np.ones((1, 1)), np.zeros((1, 1))

    def ours() -> None:
        dt.simulate(system, DURATION, "steps", solver=solver, progress=False)
        AdjointSweep(run, one, none)

    def theirs() -> None:
        for _ in range(runs):
            dt.simulate(system, DURATION, [0.0, DURATION], solver=solver, progress=False)

    sweep = AdjointSweep(run, one, none)
    slope = sweep.p_bar[0, 0]
    value, h = float(run.family.values[0]), 1e-5
    changed = [
        AdjointSweep(objective_run(
            dt.compile(m).with_parameters({names[0]: x}), [objective], ["gravity.x"], DURATION, solver, "benchmark",
            rtol=None, atol=None,
        ), one, none).integrals[0]
        for x in (value * (1 + h), value * (1 - h))
    ]  # fmt: skip
    difference = abs((changed[0] - changed[1]) / (2 * h * value) - slope) / abs(slope)
    return Pair(Side(repeated(ours)), Side(repeated(theirs)), differ=difference, allowed=1e-5)


@case("gradient of a run, arm of 7, 1 parameter", "one run", shown=False)
def arm_7_one() -> Pair:
    return beside_runs(arm(7), ["b0.mass"])


@case("gradient of a run, arm of 7, 70 inertial parameters", "one run", 1 / 3.5)
def arm_7_all() -> Pair:
    return beside_runs(arm(7), [f"b{i}.{each}" for i in range(7) for each in INERTIAL])


@case("gradient of a run, chain of 30, 300 inertial parameters", "one run", shown=False)
def chain_30() -> Pair:
    return beside_runs(arm(30), [f"b{i}.{each}" for i in range(30) for each in INERTIAL])


@case("gradient of a run, chain of 100, 1000 inertial parameters", "one run", shown=False)
def chain_100() -> Pair:
    return beside_runs(arm(100), [f"b{i}.{each}" for i in range(100) for each in INERTIAL])


@case("gradient of a run, four-bar, 1 parameter", "one run", shown=False)
def loop() -> Pair:
    return beside_runs(four_bar(), ["a.mass"])


@case("gradient of a run, arm of 7, 70 parameters", "differences of 71 runs", 10.0)
def differences() -> Pair:
    return beside_runs(arm(7), [f"b{i}.{each}" for i in range(7) for each in INERTIAL], runs=71)
