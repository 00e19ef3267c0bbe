"""Many runs of one model from other initial states, against `mujoco.rollout`: cart-poles and 6-axis arms, RK4.

* duoti: `dt.simulate_batch` with `dt.RK4(step)`, 101 outputs a run, the whole call, which also judges each run;
* MuJoCo: `mujoco.rollout`, RK4, the same step, contacts off, all states kept.

Both use as many threads, one for each processor. Each run takes one second in steps of a millisecond, and all end
states must agree. Processor time of all threads counts. A batch of 1000 has the ratio of one of 10 000 (measured: 33
and 32 for cart-poles, 15.7 and 15.8 for arms). The runs are computed in lanes (`lanes=None`).

Without a peer, to compare checkouts: four-bars with other masses, and cart-poles by DOPRI5.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

import duoti as dt
from benchmarks.harness import Later, Pair, Side, case, repeated

mujoco: Any = Later("mujoco")
rollout: Any = Later("mujoco.rollout")
RUNS, DURATION, STEP, OUTPUTS = 1000, 1.0, 1e-3, 0.01
STEPS = round(DURATION / STEP)
AGREEMENT = 1e-9  # of coordinates and velocities, relative to the largest
THREADS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
AXES, LENGTH, RADIUS, DAMPING = "zyyzyz", 0.3, 0.05, 0.5
MASSES = [5.0 - 0.6 * i for i in range(6)]
HEAD = f'<option integrator="RK4" timestep="{STEP}"><flag contact="disable"/></option>'


def cart_pole() -> dt.Model:
    m = dt.Model("cart-pole", gravity=(0, 0, -9.81))
    cart = m.add_body("cart", dt.Inertia.box(1.0, size=(0.2, 0.1, 0.1)))
    pole = m.add_body("pole", dt.Inertia.cylinder(0.1, radius=0.02, length=1.0, axis="z"), position=(0, 0, 0.5))
    m.add_joint("J0", dt.Prismatic("x"), m.ground, cart, at=(0, 0, 0))
    m.add_joint("J1", dt.Revolute("y"), cart, pole, at=(0, 0, 0))
    return m


CART_POLE = (
    f"<mujoco>{HEAD}<worldbody>"
    '<body><joint type="slide" axis="1 0 0"/><geom type="box" size="0.1 0.05 0.05" mass="1"/>'
    '<body><joint type="hinge" axis="0 1 0"/><geom type="cylinder" fromto="0 0 0 0 0 1" size="0.02" mass="0.1"/>'
    "</body></body></worldbody></mujoco>"
)


def arm() -> dt.Model:
    m = dt.Model("arm", gravity=(0, 0, -9.81))
    previous: Any = m.ground
    for i, (axis, mass) in enumerate(zip(AXES, MASSES, strict=True)):
        inertia = dt.Inertia.cylinder(mass, radius=RADIUS, length=LENGTH, axis="z")
        link = m.add_body(f"link {i}", inertia, position=(0, 0, (i + 0.5) * LENGTH))
        m.add_joint(f"J{i}", dt.Revolute(axis), previous, link, at=(0, 0, i * LENGTH))
        m.add_force(f"damping {i}", dt.JointDamping(f"J{i}", damping=DAMPING))
        previous = link
    return m


def arm_of_mujoco() -> str:
    bodies = ""
    for i, (axis, mass) in reversed(list(enumerate(zip(AXES, MASSES, strict=True)))):
        direction = {"y": "0 1 0", "z": "0 0 1"}[axis]
        bodies = (
            f'<body pos="0 0 {LENGTH if i else 0}"><joint type="hinge" axis="{direction}" damping="{DAMPING}"/>'
            f'<geom type="cylinder" fromto="0 0 0 0 0 {LENGTH}" size="{RADIUS}" mass="{mass}"/>{bodies}</body>'
        )
    return f"<mujoco>{HEAD}<worldbody>{bodies}</worldbody></mujoco>"


class Duoti:
    def __init__(self, model: dt.Model, solver: Any = None, values: Any = None) -> None:
        self.system, self.solver = dt.compile(model), solver or dt.RK4(step=STEP)
        self.values = values or {f"J{i}.q0": start(RUNS, self.system.nq)[:, i] for i in range(self.system.nq)}

    def run(self) -> np.ndarray:
        b = dt.simulate_batch(
            self.system, DURATION, self.values, outputs=OUTPUTS, solver=self.solver, workers=THREADS, progress=False
        )
        assert b.ok.all()
        return b.states[:, -1, : self.system.nq + self.system.nv]


class MuJoCo:
    def __init__(self, xml: str) -> None:
        self.model = mujoco.MjModel.from_xml_string(xml)
        self.data = [mujoco.MjData(self.model) for _ in range(THREADS)]
        size = mujoco.mj_stateSize(self.model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
        self.initial = np.zeros((RUNS, size))
        self.initial[:, 1 : 1 + self.model.nq] = start(RUNS, self.model.nq)
        self.states = np.zeros((RUNS, STEPS, size))
        self.sensors = np.zeros((RUNS, STEPS, 0))

    def run(self) -> np.ndarray:
        rollout.rollout(self.model, self.data, self.initial, nstep=STEPS, state=self.states, sensordata=self.sensors)
        return self.states[:, -1, 1 : 1 + self.model.nq + self.model.nv].copy()


def start(runs: int, n: int) -> np.ndarray:
    """Initial coordinates."""
    return np.random.default_rng(1).uniform(-0.4, 0.4, (runs, n))


def pair(ours: Duoti, peer: MuJoCo) -> Pair:
    a, b = ours.run(), peer.run()
    differ = float(np.max(np.abs(a - b)) / np.max(np.abs(a)))
    return Pair(Side(repeated(ours.run)), Side(repeated(peer.run)), differ, AGREEMENT, clock="process")


@case("1000 cart-poles, RK4, rollout", "MuJoCo", 3.0)
def cart_poles() -> Pair:
    return pair(Duoti(cart_pole()), MuJoCo(CART_POLE))


@case("1000 6-axis arms, RK4, rollout", "MuJoCo", 3.0)
def arms() -> Pair:
    return pair(Duoti(arm()), MuJoCo(arm_of_mujoco()))


@case("1000 cart-poles, DOPRI5")
def adaptive_cart_poles() -> Pair:
    return Pair(Side(repeated(Duoti(cart_pole(), dt.DOPRI5(rtol=1e-6, atol=1e-8)).run)), clock="process")


@case("1000 four-bars, DOPRI5")
def four_bars() -> Pair:
    values = {"rod.mass": np.linspace(0.5, 2.0, RUNS)}
    return Pair(Side(repeated(Duoti(four_bar(), dt.DOPRI5(rtol=1e-6, atol=1e-8), values).run)), clock="process")


def four_bar() -> dt.Model:
    m = dt.Model("four-bar", gravity=(0, 0, -9.81))
    crank = m.add_body("crank", dt.Inertia.rod(1.0, length=0.2, axis="z"), position=(0, 0, 0.1))
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=0.5, axis="x"), position=(0.25, 0, 0.2))
    rocker = m.add_body("rocker", dt.Inertia.rod(1.0, length=0.4, axis="z"), position=(0.5, 0, 0.0))
    m.add_joint("A", dt.Revolute("y"), m.ground, crank, at=(0, 0, 0), v0=8.0)
    m.add_joint("B", dt.Revolute("y"), crank, rod, at=(0, 0, 0.2))
    m.add_joint("C", dt.Revolute("y"), rod, rocker, at=(0.5, 0, 0.2))
    m.add_joint("D", dt.Revolute("y"), m.ground, rocker, at=(0.5, 0, -0.2))
    return m
