"""Tables of what gradients of runs cost: `python -m benchmarks.gradient_tables [cost] [memory] [peers] [mjx]`.

Costs are in forward runs: `dt.simulate` of the same model, solver (RK4, 1 ms) and duration, in turn with the gradient,
processor time, the median of the ratios. A gradient is the recorded run, the backward sweep and all that is done for
its parameters; what does not depend on the length of the run is made before.
"""

from __future__ import annotations

import importlib
import sys
import tracemalloc
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

import numpy as np

import duoti as dt
from benchmarks.cases.gradients import INERTIAL, STEP, arm, four_bar
from duoti.analyses.gradients.adjoint_sweep import AdjointSweep
from duoti.analyses.gradients.gradient import objective_run

ROUNDS = 5
ONE, NONE = np.ones((1, 1)), np.zeros((1, 1))


def springs(n: int) -> dt.Model:
    """The arm with a spring between each body and the next but one."""
    m = arm(n)
    for i in range(n - 2):
        m.add_force(f"s{i}", dt.SpringDamper(f"b{i}", f"b{i + 2}", stiffness=5.0, damping=0.1, rest_length=0.5))
    return m


def inertial(n: int, count: int) -> list[str]:
    """So many inertial parameters of an arm of n."""
    return [f"b{i}.{each}" for i in range(n) for each in INERTIAL][:count]


def ratios(first: Callable[[], Any], *others: Callable[[], Any]) -> list[float]:
    """Times of the others over that of the first, side by side."""
    found: list[list[float]] = [[] for _ in others]
    for each in (first, *others):
        each()
    for _ in range(ROUNDS):
        taken = []
        for each in (first, *others):
            each()  # what the one before has thrown out of the caches
            begin = process_time()
            each()
            taken.append(process_time() - begin)
        for list_, t in zip(found, taken[1:], strict=True):
            list_.append(t / taken[0])
    return [median(each) for each in found]


def prepared(m: dt.Model, names: list[str], duration: float) -> tuple[Callable[[], Any], ...]:
    """A run, a recorded run, a sweep."""
    solver, objective, system = dt.RK4(step=STEP), dt.Objective(integral="J0.angle^2"), dt.compile(m)
    run = objective_run(m, [objective], names, duration, solver, "benchmark", rtol=None, atol=None)

    def plain() -> None:
        dt.simulate(system, duration, [0.0, duration], solver=solver, progress=False)

    def recorded() -> None:
        dt.simulate(system, duration, "steps", solver=solver, progress=False)

    return plain, recorded, lambda: AdjointSweep(run, ONE, NONE)


def cost() -> None:
    """Over parameters and bodies."""
    print("| model | parameters | recorded run | sweep | gradient |\n|---|---|---|---|---|")
    cases = [("arm of 7", arm(7), inertial(7, k), 2.0) for k in (1, 10, 70)]
    cases += [("chain of 30", arm(30), inertial(30, k), 1.0) for k in (1, 300)]
    cases += [("chain of 100", arm(100), inertial(100, k), 0.3) for k in (1, 10, 100, 1000)]
    cases += [("chain of 1000", arm(1000), inertial(1000, k), 0.02) for k in (1, 100)]
    cases += [("four-bar", four_bar(), ["a.mass"], 2.0), ("arm of 7, springs", springs(7), inertial(7, 70), 2.0)]
    cases += [("chain of 30, springs", springs(30), inertial(30, 300), 0.5)]
    for name, m, names, duration in cases:
        recorded, sweep = ratios(*prepared(m, names, duration))
        print(f"| {name} | {len(names)} | {recorded:.2f} | {sweep:.2f} | **{recorded + sweep:.2f}** |", flush=True)


def memory() -> None:
    """States of all steps are kept, and the tape of one step; a tape of all steps for comparison."""
    print("| model | steps | states | sweep with the tape of a step | tape of all steps |\n|---|---|---|---|---|")
    for n, duration in ((7, 1.0), (7, 10.0), (100, 0.1), (100, 1.0)):
        solver, objective = dt.RK4(step=STEP), dt.Objective(integral="J0.angle^2")
        run = objective_run(arm(n), [objective], inertial(n, 10 * n), duration, solver, "", rtol=None, atol=None)
        tracemalloc.start()
        swept = AdjointSweep(run, ONE, NONE)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        s: Any = swept._sweep  # pyright: ignore[reportPrivateUsage]
        tape = sum(each.nbytes for each in (s.columns, s.bodies, s.by_q, s.by_v, s.Y, s.k)) * 4 / 5
        steps = len(run.t) - 1
        states = run.y.nbytes
        print(f"| chain of {n} | {steps} | {states / 1e6:.2f} MB | {peak / 1e6:.2f} MB | {tape * steps / 1e6:.0f} MB |")


def _arm() -> tuple[dt.Model, list[str], Callable[[], Any], Any, int]:
    """An arm of 7, 21 parameters, its gradient over so many steps, and where it starts."""
    n, duration, m, solver = 7, 0.2, arm(7), dt.RK4(step=STEP)
    names = [f"b{i}.mass" for i in range(n)] + [f"J{i}.q0" for i in range(n)] + [f"J{i}.v0" for i in range(n)]
    run = objective_run(m, [dt.Objective(final="J0.angle")], names, duration, solver, "", rtol=None, atol=None)
    system = dt.compile(m)

    def ours() -> None:
        dt.simulate(system, duration, "steps", solver=solver, progress=False)
        AdjointSweep(run, NONE, ONE)

    return m, names, ours, np.array([0.3 * (-1) ** i for i in range(n)]), round(duration / STEP)


def peers() -> None:
    """Differences of runs, and MuJoCo's `mjd_transitionFD`, for an arm of 7 over 0.2 s."""
    mujoco: Any = importlib.import_module("mujoco")
    m, names, ours, start, steps = _arm()
    n, duration, solver, system = 7, steps * STEP, dt.RK4(step=STEP), dt.compile(m)
    g = dt.gradient(m, dt.Objective(final="J0.angle"), names, duration=duration, solver=solver)

    def differences() -> None:
        for _ in range(len(names) + 1):
            dt.simulate(system, duration, [0.0, duration], solver=solver, progress=False)

    model = mujoco.MjModel.from_xml_string(mjcf(n))
    A = np.zeros((2 * n, 2 * n))

    def transitions() -> Any:
        model.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
        data = mujoco.MjData(model)
        data.qpos[:] = start
        states = []
        for _ in range(steps):
            states.append(np.concatenate([data.qpos, data.qvel]))
            mujoco.mj_step(model, data)
        bar = np.zeros(2 * n)
        bar[0] = 1.0
        for state in reversed(states):
            data.qpos[:], data.qvel[:] = state[:n], state[n:]
            mujoco.mjd_transitionFD(model, data, 1e-6, True, A, None, None, None)
            bar = bar @ A
        return bar

    of_differences, of_transitions = ratios(ours, differences, transitions)
    by_state = transitions()
    off = np.max(np.abs(by_state - g.gradient[n:])) / np.max(np.abs(g.gradient[n:]))
    print("| gradient of an arm of 7, 200 steps | by | time | agrees to |\n|---|---|---|---|")
    print("| `dt.gradient` | 7 masses, 14 initial values | 1 | |")
    print(f"| differences of 22 runs of duoti | the same | {of_differences:.1f} | |")
    print(f"| `mjd_transitionFD`, Euler's method | 14 initial values | {of_transitions:.1f} | {off:.0e} (the method) |")


def mjx() -> None:
    """The same in MJX with `jax.grad`; XLA compiles for minutes."""
    jax: Any = importlib.import_module("jax")
    mujoco: Any = importlib.import_module("mujoco")
    on_jax: Any = importlib.import_module("mujoco.mjx")

    jax.config.update("jax_enable_x64", True)
    m, names, ours, start, steps = _arm()
    g = dt.gradient(m, dt.Objective(final="J0.angle"), names, duration=steps * STEP, solver=dt.RK4(step=STEP))
    model, n = mujoco.MjModel.from_xml_string(mjcf(7)), 7
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    on_device, data = on_jax.put_model(model), on_jax.make_data(model)

    def final(masses: Any, q: Any, v: Any) -> Any:
        changed = on_device.replace(body_mass=on_device.body_mass.at[1:].set(masses))
        begin = data.replace(qpos=q, qvel=v)
        step = jax.checkpoint(lambda state, _: (on_jax.step(changed, state), None))
        end, _ = jax.lax.scan(step, begin, None, length=steps)
        return end.qpos[0]

    begin = process_time()
    slope = jax.jit(jax.grad(final, argnums=(0, 1, 2)))
    given = model.body_mass[1:], start, np.zeros(n)
    found = np.concatenate([np.asarray(each) for each in slope(*given)])
    compiling = process_time() - begin
    (ratio,) = ratios(ours, lambda: jax.block_until_ready(slope(*given)))
    by_start = g.gradient[n:]  # a mass of duoti brings its moments of inertia along
    off = np.max(np.abs(found[n:] - by_start)) / np.max(np.abs(by_start))
    after = f"{ratio:.0f}, after {compiling:.0f} s of compilation"
    print(f"| MJX, `jax.grad` on the CPU, RK4 | 7 masses, 14 initial values | {after} | {off:.0e} |")


def mjcf(n: int) -> str:
    """The same arm for MuJoCo."""
    text, end = "", ""
    for i in range(n):
        axis = "1 0 0" if i % 2 == 0 else "0 1 0"
        place = "0 0 0" if i == 0 else "0 0 -0.3"
        (x, y, z), mass = (0.05, 0.1, 0.3), 1.0
        diagonal = f"{mass * (y * y + z * z) / 12} {mass * (x * x + z * z) / 12} {mass * (x * x + y * y) / 12}"
        text += (
            f'<body pos="{place}"><inertial pos="0 0 -0.15" mass="{mass}" diaginertia="{diagonal}"/>'
            f'<joint type="hinge" axis="{axis}" stiffness="1" damping="0.1"/>'
        )
        end += "</body>"
    option = f'<option timestep="{STEP}" gravity="0 0 -9.81"><flag contact="disable"/></option>'
    return f"<mujoco>{option}<worldbody>{text}{end}</worldbody></mujoco>"


if __name__ == "__main__":
    for each in sys.argv[1:] or ("cost", "memory", "peers"):
        {"cost": cost, "memory": memory, "peers": peers, "mjx": mjx}[each]()
        print()
