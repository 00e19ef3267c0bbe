"""A parameter study against Exudyn's `ParameterVariation`: a mass on a spring and a damper under a constant force.

Both vary mass and stiffness on the same grid and keep the largest displacement and the last one of each run, from
outputs 1 ms apart over one second:

* duoti: `dt.Study` on one thread, the whole call, with its labelled results;
* Exudyn: `ParameterVariation`, not parallel, whose function builds the model of each run as the manual does,
  generalised-alpha with 1000 steps, a sensor stored in memory, nothing written.

The error is that of the last displacement against the closed form, the largest of all runs.
"""

from __future__ import annotations

import contextlib
import io
from typing import Any

import numpy as np

import duoti as dt
from benchmarks.harness import Later, Pair, Side, case, repeated

exu: Any = Later("exudyn")
items: Any = Later("exudyn.itemInterface")
processing: Any = Later("exudyn.processing")
MASSES, STIFFNESSES = (1.0, 2.0, 8), (2000.0, 6000.0, 8)  # low, high, count
DAMPING, FORCE, X0, V0 = 8.0, 80.0, -0.08, 1.0
DURATION, STEPS = 1.0, 1000


class Duoti:
    def __init__(self) -> None:
        model = dt.Model("mass on a spring", gravity=(0, 0, 0))
        model.add_body("mass", dt.Inertia.point(1.5))
        model.add_joint("A", dt.Prismatic("x"), model.ground, "mass", at=(0, 0, 0), q0=X0, v0=V0)
        model.add_force("spring", dt.JointSpring("A", stiffness=4000.0, damping=DAMPING))
        model.add_force("load", dt.JointTorque("A", FORCE))
        self.study = dt.Study(
            model,
            {"mass.mass": dt.grid(*MASSES), "spring.stiffness": dt.grid(*STIFFNESSES)},
            {"largest": "max(abs(A.position))", "last": "final(A.position)"},
            DURATION,
            outputs=DURATION / STEPS,
        )

    def run(self) -> np.ndarray:
        results = self.study.run(1, progress=False)
        return np.stack([results["largest"].values, results["last"].values], axis=-1).reshape(-1, 2)


def one_run(values: dict[str, float]) -> list[float]:
    container = exu.SystemContainer()
    system = container.AddSystem()
    node = system.AddNode(
        items.NodePoint(referenceCoordinates=[0, 0, 0], initialCoordinates=[X0, 0, 0], initialVelocities=[V0, 0, 0])
    )
    ground = system.AddNode(items.NodePointGround(referenceCoordinates=[0, 0, 0]))
    system.AddObject(items.MassPoint(physicsMass=values["mass"], nodeNumber=node))
    fixed = system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
    moving = system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
    system.AddObject(
        items.CoordinateSpringDamper(markerNumbers=[fixed, moving], stiffness=values["stiffness"], damping=DAMPING)
    )
    system.AddLoad(items.LoadCoordinate(markerNumber=moving, load=FORCE))
    sensor = system.AddSensor(
        items.SensorNode(
            nodeNumber=node,
            storeInternal=True,
            writeToFile=False,
            outputVariableType=exu.OutputVariableType.Displacement,
        )
    )
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = STEPS
    settings.timeIntegration.endTime = DURATION
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.generalizedAlpha.spectralRadius = 1.0
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = DURATION / STEPS
    system.SolveDynamic(settings)
    x = system.GetSensorStoredData(sensor)[:, 1]
    return [float(np.max(np.abs(x))), float(x[-1])]


class Exudyn:
    def run(self) -> np.ndarray:
        with contextlib.redirect_stdout(io.StringIO()):
            _, values = processing.ParameterVariation(
                one_run, {"mass": MASSES, "stiffness": STIFFNESSES}, showProgress=False
            )
        return np.array(values)


def exact() -> np.ndarray:
    """Last displacements."""
    m, k = np.linspace(*MASSES)[:, None], np.linspace(*STIFFNESSES)[None]
    rest, decay = FORCE / k, DAMPING / (2 * m)
    w = np.sqrt(k / m - decay**2)
    a, b = X0 - rest, (V0 + decay * (X0 - rest)) / w
    return (rest + np.exp(-decay * DURATION) * (a * np.cos(w * DURATION) + b * np.sin(w * DURATION))).ravel()


@case("parameter study, mass on a spring, 64 runs", "Exudyn", 20.0)
def with_exudyn() -> Pair:
    ours, peer = Duoti(), Exudyn()
    size = np.max(np.abs(exact()))
    errors = [float(np.max(np.abs(each.run()[:, 1] - exact())) / size) for each in (ours, peer)]
    return Pair(Side(repeated(ours.run), errors[0]), Side(repeated(peer.run), errors[1]))
