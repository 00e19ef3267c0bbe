"""Linearisation and equilibrium: against numerical differences by MuJoCo, and of a chain of 100 bodies.

    python benchmarks/linearise.py [rounds]

The same model, damped arms of 7 and of 30 hinges with a motor in each, is read from one MJCF text by both. duoti: A
and B of dx/dt = A x + B u by `dt.Lineariser`, called from Python. MuJoCo: `mjd_transitionFD`, one-sided differences,
called from Python. Processor time of the thread, candidates in turn within a round; medians of the ratios within the
rounds. Both must agree: with a step of 1e-5 s, (A_d - 1)/h and B_d/h are A and B up to the error of the differences.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import mujoco
import numpy as np

import duoti as dt

TARGET = 1.0  # faster than MuJoCo
CHAIN_MS = 50.0  # equilibrium and linearisation of a chain of 100 bodies
AGREEMENT = 1e-4  # of the largest entry; differences over 1e-6 have errors of 1e-6 and more


def mjcf(n: int) -> str:
    """An arm of n hinges about x, y, z in turn."""
    body, ends = "", ""
    for i in range(n):
        axis = ("1 0 0", "0 1 0", "0 0 1")[i % 3]
        body += (
            f'<body name="b{i}" pos="0 0 {0.0 if i == 0 else 0.2}">'
            f'<joint name="j{i}" type="hinge" axis="{axis}" damping="0.1"/>'
            f'<inertial pos="0.01 0 0.1" mass="{1.0 - 0.5 * i / n}" diaginertia="0.01 0.011 0.005"/>'
        )
        ends += "</body>"
    motors = "".join(f'<motor name="m{i}" joint="j{i}"/>' for i in range(n))
    return (
        f'<mujoco><option timestep="1e-5" integrator="Euler"><flag eulerdamp="disable"/></option>'
        f"<worldbody>{body}{ends}</worldbody><actuator>{motors}</actuator></mujoco>"
    )


def timed(call, repeats: int) -> float:
    began = time.thread_time()
    for _ in range(repeats):
        call()
    return (time.thread_time() - began) / repeats


def compare(n: int, rounds: int) -> bool:
    """Ratio for an arm of n hinges."""
    text = mjcf(n)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arm.xml"
        path.write_text(text)
        model = dt.formats.load_mjcf(path)
    system = dt.compile(model)
    theirs = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(theirs)
    rng = np.random.default_rng(0)
    q, v = rng.uniform(-1, 1, n), rng.uniform(-1, 1, n)
    data.qpos[:], data.qvel[:] = q, v
    mujoco.mj_forward(theirs, data)
    A_d, B_d = np.zeros((2 * n, 2 * n)), np.zeros((2 * n, n))
    names = [f"j{i}" for i in range(n)]
    ours = dt.Lineariser(system, inputs=names)
    order = [system.rate_names.index(f"{name}.rate") for name in names]
    q_ours, v_ours = np.zeros(n), np.zeros(n)
    q_ours[order], v_ours[order] = q, v
    A, B = (x.copy() for x in ours(q_ours, v_ours))
    mujoco.mjd_transitionFD(theirs, data, 1e-6, True, A_d, B_d, None, None)
    h = theirs.opt.timestep
    p = [*order, *(n + k for k in order)]
    differences = [
        np.abs(((A_d - np.eye(2 * n)) / h)[n:] - A[np.ix_(p, p)][n:]).max() / np.abs(A).max(),
        np.abs((B_d / h)[n:] - B[p][n:]).max() / np.abs(B).max(),
    ]
    repeats = max(20, 2000 // n)
    ratios, best = [], [np.inf, np.inf]
    for _ in range(rounds):
        mine = timed(lambda: ours(q_ours, v_ours), repeats)
        other = timed(lambda: mujoco.mjd_transitionFD(theirs, data, 1e-6, False, A_d, B_d, None, None), repeats)
        ratios.append(other / mine)
        best = [min(best[0], mine), min(best[1], other)]
    ok = median(ratios) >= TARGET and max(differences) < AGREEMENT
    print(
        f"{'PASS' if ok else 'FAIL'}  arm {n:3d}: {median(ratios):6.2f} times as fast as mjd_transitionFD "
        f"({best[0] * 1e6:.0f} us, {best[1] * 1e6:.0f} us); A, B agree to {max(differences):.1e}"
    )
    return ok


def chain(rounds: int) -> bool:
    """Equilibrium and linearisation of a chain of 100 bodies on springs, warm, from a compiled system."""
    m, last = dt.Model("chain"), None
    for i in range(100):
        body = m.add_body(f"b{i}", dt.Inertia.rod(0.1, length=0.1, axis="x"), position=(0.1 * i + 0.05, 0, 0))
        m.add_joint(f"J{i}", dt.Revolute("y"), last or m.ground, body, at=(0.1 * i, 0, 0), q0=0.3 if i == 0 else 0.01)
        m.add_force(f"s{i}", dt.JointSpring(f"J{i}", stiffness=20.0))
        last = body
    system = dt.compile(m)

    def once() -> None:
        e = dt.equilibrium(system)
        assert e.stable
        assert len(dt.linearise(system, e).frequencies) == 100

    once()
    taken = median(timed(once, 1) for _ in range(rounds))
    ok = taken * 1e3 < CHAIN_MS
    what = "equilibrium, stability, linearisation, modes"
    print(f"{'PASS' if ok else 'FAIL'}  chain of 100: {what} in {taken * 1e3:.1f} ms")
    return ok


if __name__ == "__main__":
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    done = [compare(7, rounds), compare(30, rounds), chain(rounds)]
    sys.exit(0 if all(done) else 1)
