"""A parameter study against Exudyn's `ParameterVariation`: a mass on a spring and a damper under a constant force.

Model, grid and outputs are those of Exudyn's `parameterVariationExample.py`: 16 masses and 16 stiffnesses, one second,
the force of the spring every 5 ms, and of each run its distance from the force of a reference run (root of the sum of
squares).

* duoti: `dt.Study` on one thread, the whole call, with its labelled results; tolerances at which its error is below
  that of the peer;
* Exudyn: `ParameterVariation`, not parallel; generalised-alpha with 1000 steps. As in the example, the function builds
  the model of each run and its sensor goes through a text file, which NumPy reads, as it does the reference; or,
  faster, the sensor stays in memory.

The error is that of the last force against the closed form, relative to the largest force, the largest of all runs.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import duoti as dt
from benchmarks.harness import Later, Pair, Side, case, repeated

exu: Any = Later("exudyn")
items: Any = Later("exudyn.itemInterface")
processing: Any = Later("exudyn.processing")
MASSES, STIFFNESSES = (1.0, 2.0, 16), (2000.0, 8000.0, 16)  # low, high, count
MASS, STIFFNESS, DAMPING, FORCE, X0, V0 = 1.6, 4000.0, 8.0, 80.0, -0.08, 1.0
DURATION, STEPS, WRITE = 1.0, 1000, 5e-3
RUNS = MASSES[2] * STIFFNESSES[2]


class Duoti:
    setting = "DOPRI5(rtol=2e-3, atol=5e-5)"

    def __init__(self) -> None:
        model = dt.Model("mass on a spring", gravity=(0, 0, 0))
        model.add_body("mass", dt.Inertia.point(MASS))
        model.add_joint("A", dt.Prismatic("x"), model.ground, "mass", at=(0, 0, 0), q0=X0, v0=V0)
        model.add_force("spring", dt.JointSpring("A", stiffness=STIFFNESS, damping=DAMPING))
        model.add_force("load", dt.JointTorque("A", FORCE))
        r = dt.simulate(model, DURATION, outputs=WRITE)
        model.add_table("reference", r.t, STIFFNESS * r["A.position"] + DAMPING * r["A.velocity"])
        force = f"(spring.stiffness*A.position + {DAMPING}*A.velocity)"
        self.study = dt.Study(
            model,
            {"mass.mass": dt.grid(*MASSES), "spring.stiffness": dt.grid(*STIFFNESSES)},
            {"distance": f"rms({force} - reference(t))", "last": f"final{force}"},
            DURATION,
            outputs=WRITE,
            solver=dt.DOPRI5(rtol=2e-3, atol=5e-5),
        )

    def run(self) -> Any:
        return self.study.run(1, progress=False)

    def last(self) -> np.ndarray:
        return self.run()["last"].values.ravel()


class Exudyn:
    setting = "generalised-alpha, 1000 steps"

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.reference = self.force({})

    def force(self, values: dict[str, Any]) -> np.ndarray:
        container = exu.SystemContainer()
        system = container.AddSystem()
        node = system.AddNode(
            items.NodePoint(referenceCoordinates=[0, 0, 0], initialCoordinates=[X0, 0, 0], initialVelocities=[V0, 0, 0])
        )
        ground = system.AddNode(items.NodePointGround(referenceCoordinates=[0, 0, 0]))
        system.AddObject(items.MassPoint(physicsMass=values.get("mass", MASS), nodeNumber=node))
        fixed = system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
        moving = system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
        stiffness = values.get("stiffness", STIFFNESS)
        spring = system.AddObject(
            items.CoordinateSpringDamper(markerNumbers=[fixed, moving], stiffness=stiffness, damping=DAMPING)
        )
        system.AddLoad(items.LoadCoordinate(markerNumber=moving, load=FORCE))
        name = "" if self.folder is None else str(self.folder / f"{values.get('computationIndex', 'reference')}.txt")
        sensor = system.AddSensor(
            items.SensorObject(
                objectNumber=spring, outputVariableType=exu.OutputVariableType.Force,
                fileName=name, writeToFile=bool(name), storeInternal=not name,
            )
        )  # fmt: skip
        system.Assemble()
        settings = exu.SimulationSettings()
        settings.timeIntegration.numberOfSteps = STEPS
        settings.timeIntegration.endTime = DURATION
        settings.timeIntegration.verboseMode = 0
        settings.timeIntegration.generalizedAlpha.spectralRadius = 1.0
        settings.solutionSettings.writeSolutionToFile = False
        settings.solutionSettings.sensorsWritePeriod = WRITE
        system.SolveDynamic(settings)
        if not name:
            return system.GetSensorStoredData(sensor)[:, 1]
        found = np.loadtxt(name, comments="#", delimiter=",")[:, 1]
        if values:
            Path(name).unlink()
        return found

    def one_run(self, values: dict[str, Any]) -> list[float]:
        force, reference = self.force(values), self.reference
        if self.folder is not None:
            reference = np.loadtxt(self.folder / "reference.txt", comments="#", delimiter=",")[:, 1]
        return [float(np.sqrt(np.sum((force - reference) ** 2))), float(force[-1])]

    def run(self) -> Any:
        grid = {"mass": MASSES, "stiffness": STIFFNESSES}
        with contextlib.redirect_stdout(io.StringIO()):
            return processing.ParameterVariation(self.one_run, grid, addComputationIndex=True, showProgress=False)[1]

    def last(self) -> np.ndarray:
        return np.array(self.run())[:, 1]


def exact() -> np.ndarray:
    """Last forces of the spring."""
    m, k = np.linspace(*MASSES)[:, None], np.linspace(*STIFFNESSES)[None]
    rest, decay, t = FORCE / k, DAMPING / (2 * m), DURATION
    w = np.sqrt(k / m - decay**2)
    a, b = X0 - rest, (V0 + decay * (X0 - rest)) / w
    cos, sin, size = np.cos(w * t), np.sin(w * t), np.exp(-decay * t)
    x = rest + size * (a * cos + b * sin)
    v = size * ((b * w - decay * a) * cos - (a * w + decay * b) * sin)
    return (k * x + DAMPING * v).ravel()


def _pair(folder: Path | None) -> Pair:
    ours, peer = Duoti(), Exudyn(folder)
    known = exact()
    sides = [
        Side(
            repeated(each.run), float(np.max(np.abs(each.last() - known)) / np.max(np.abs(known))), setting=each.setting
        )
        for each in (ours, peer)
    ]
    return Pair(sides[0], sides[1], clock="process")


@case(f"parameter study, mass on a spring, {RUNS} runs", "Exudyn", 20.0)
def as_in_the_example() -> Pair:
    return _pair(Path(tempfile.mkdtemp()))


@case(f"parameter study, {RUNS} runs, its sensors in memory", "Exudyn")
def in_memory() -> Pair:
    return _pair(None)
