"""Linearisation: A and B of dx/dt = A x + B u, against MuJoCo's `mjd_transitionFD`.

The same model, damped arms of 7 and of 30 hinges with a motor in each, is read from one MJCF text by both. Both are
called from Python: `dt.Lineariser`, and MuJoCo's one-sided differences. With a step of 1e-5 s, (A_d - 1)/h and B_d/h
are A and B up to the error of the differences.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import duoti as dt
from benchmarks.harness import Later, Pair, Side, case, repeated

mujoco: Any = Later("mujoco")
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


def pair(n: int) -> Pair:
    text = mjcf(n)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arm.xml"
        path.write_text(text)
        system = dt.compile(dt.load_mjcf(path))
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
    h, p = theirs.opt.timestep, [*order, *(n + k for k in order)]
    differ = max(
        np.abs(((A_d - np.eye(2 * n)) / h)[n:] - A[np.ix_(p, p)][n:]).max() / np.abs(A).max(),
        np.abs((B_d / h)[n:] - B[p][n:]).max() / np.abs(B).max(),
    )
    transition = mujoco.mjd_transitionFD
    return Pair(
        Side(repeated(lambda: ours(q_ours, v_ours))),
        Side(repeated(lambda: transition(theirs, data, 1e-6, False, A_d, B_d, None, None))),
        float(differ), AGREEMENT,
    )  # fmt: skip


@case("linearisation, arm, 7", "MuJoCo", 1.0)
def arm_7() -> Pair:
    return pair(7)


@case("linearisation, arm, 30", "MuJoCo", 1.0, shown=False)
def arm_30() -> Pair:
    return pair(30)
