"""Steps of an FMU, against PythonFMU3: a double pendulum in co-simulation, FMI 3.0, RK4 in steps of 1 ms.

* duoti: `dt.export_fmu` with `dt.RK4(step=0.001)`: machine code, no Python inside;
* PythonFMU3: the same motion by equations worked out by hand for this pendulum: in plain Python with `math`, and
  with NumPy, as models of larger mechanisms are written: mass matrix, right-hand side, `np.linalg.solve`.

Both FMUs are unpacked and stepped through the same C interface, by 10 ms at a time; the cost of a call from Python
is timed and subtracted.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import duoti as dt
from benchmarks.harness import Later, Pair, Side, case

fmpy: Any = Later("fmpy")
fmi3: Any = Later("fmpy.fmi3")
builder: Any = Later("pythonfmu3.builder")
STEP, INSIDE = 0.01, 10
CHECKED = 50  # steps after which both are compared
SLAVE = """
from math import cos, sin
from pythonfmu3 import CoSimulation, Fmi3Causality, Fmi3Slave, Fmi3StepResult, Fmi3Variability, Float64

L1, L2, M1, M2, G = 1.0, 0.8, 1.0, 0.5, 9.81
I1, I2 = M1 * L1**2 / 12, M2 * L2**2 / 12
M11, M22, C = I1 + M1 * L1**2 / 4 + M2 * L1**2, I2 + M2 * L2**2 / 4, M2 * L1 * L2 / 2


RATES

class Pendulum(Fmi3Slave, CoSimulation):
    def __init__(self, **options):
        super().__init__(**options)
        self.time = self.angle = 0.0
        self.y = START
        time = Float64("time", causality=Fmi3Causality.independent, variability=Fmi3Variability.continuous)
        self.register_variable(time)
        self.register_variable(Float64("angle", causality=Fmi3Causality.output))

    def do_step(self, t, h):
        y, n = self.y, 10
        h = h / n
        for _ in range(n):
            y = step(y, h)
        self.y, self.angle = y, float(y[0])
        return Fmi3StepResult()
"""
BY_HAND = """START = (0.0, 0.0, 0.0, 0.0)


def rates(a, b, p, r):
    m12, s = C * cos(a - b), C * sin(a - b)
    f1 = (M1 / 2 + M2) * L1 * G * cos(a) - s * r * r
    f2 = M2 * L2 / 2 * G * cos(b) + s * p * p
    d = M11 * M22 - m12 * m12
    return p, r, (M22 * f1 - m12 * f2) / d, (M11 * f2 - m12 * f1) / d


def step(y, h):
    k1 = rates(*y)
    k2 = rates(*[x + 0.5 * h * k for x, k in zip(y, k1)])
    k3 = rates(*[x + 0.5 * h * k for x, k in zip(y, k2)])
    k4 = rates(*[x + h * k for x, k in zip(y, k3)])
    return tuple([x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(y, k1, k2, k3, k4)])
"""
WITH_NUMPY = """
import numpy as np

START = np.zeros(4)


def rates(y):
    a, b, p, r = y
    m12, s = C * np.cos(a - b), C * np.sin(a - b)
    M = np.array([[M11, m12], [m12, M22]])
    f = np.array([(M1 / 2 + M2) * L1 * G * np.cos(a) - s * r * r, M2 * L2 / 2 * G * np.cos(b) + s * p * p])
    return np.concatenate((y[2:], np.linalg.solve(M, f)))


def step(y, h):
    k1 = rates(y)
    k2 = rates(y + 0.5 * h * k1)
    k3 = rates(y + 0.5 * h * k2)
    k4 = rates(y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
"""


class Unit:
    """An FMU that is unpacked and ready for steps."""

    def __init__(self, path: Path, folder: str, output: str):
        description = fmpy.read_model_description(str(path), validate=False)
        self.number = next(v.valueReference for v in description.modelVariables if v.name == output)
        self.unit = fmi3.FMU3Slave(
            guid=description.guid, unzipDirectory=fmpy.extract(str(path), folder), instanceName=output,
            modelIdentifier=description.coSimulation.modelIdentifier,
        )  # fmt: skip
        self.unit.instantiate()
        self.unit.enterInitializationMode()
        self.unit.exitInitializationMode()
        self.t = 0.0
        import ctypes

        self.flags = [ctypes.c_bool() for _ in range(3)]
        self.last = ctypes.c_double()
        self.pointers = [*map(ctypes.byref, self.flags), ctypes.byref(self.last)]
        self.call = ctypes.CDLL(self.unit.dll._name).fmi3DoStep
        self.call.argtypes = [ctypes.c_void_p, ctypes.c_double, ctypes.c_double, ctypes.c_bool, *[ctypes.c_void_p] * 4]

    def step(self, n: int, h: float = STEP) -> None:
        call, it, pointers, t = self.call, self.unit.component, self.pointers, self.t
        for _ in range(n):
            call(it, t, h, False, *pointers)
            t += h
        self.t = t

    def angle(self) -> float:
        return self.unit.getFloat64([self.number])[0]


def model() -> dt.Model:
    m = dt.Model("double pendulum", gravity=(0, 0, -9.81))
    one = m.add_body("one", dt.Inertia(1.0, (0.5, 0, 0), (0, 1 / 12, 1 / 12)))
    two = m.add_body("two", dt.Inertia(0.5, (0.4, 0, 0), (0, 0.5 * 0.64 / 12, 0.5 * 0.64 / 12)), position=(1, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, one, at=(0, 0, 0))
    m.add_joint("B", dt.Revolute("y"), one, two, at=(1, 0, 0))
    return m


@case("FMU, step of a double pendulum, PythonFMU3 with equations by hand", "PythonFMU3", 5.0)
def by_hand() -> Pair:
    return _pair("by_hand", BY_HAND)


@case("FMU, step of a double pendulum, PythonFMU3 with NumPy", "PythonFMU3", 50.0)
def with_numpy() -> Pair:
    return _pair("with_numpy", WITH_NUMPY)


def _pair(name: str, rates: str) -> Pair:
    folder = Path(tempfile.mkdtemp())
    (folder / f"{name}.py").write_text(SLAVE.replace("RATES", rates))
    dt.export_fmu(model(), folder / "ours.fmu", outputs=["A.angle"], solver=dt.RK4(step=STEP / INSIDE))
    made = builder.FmuBuilder.build_FMU(folder / f"{name}.py", dest=folder)
    ours = Unit(folder / "ours.fmu", str(folder / "ours"), "A.angle")
    theirs = Unit(made, str(folder / "theirs"), "angle")
    ours.step(CHECKED)
    theirs.step(CHECKED)
    differ = abs(ours.angle() - theirs.angle())

    def nothing(n: int) -> None:
        ours.step(n, 0.0)

    setting = "RK4, 1 ms"
    return Pair(
        Side(ours.step, setting=setting, overhead=nothing), Side(theirs.step, setting=setting, overhead=nothing),
        differ=differ, allowed=1e-9,
    )  # fmt: skip
