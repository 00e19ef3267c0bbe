"""The stiff models of `stiff_models` as Exudyn takes them.

Exudyn gets rigid bodies with redundant coordinates; the guide's left mass gets a rotary inertia, which changes nothing
since its rotation is prescribed; the road's rotation is a symbolic user function, which runs without Python.
"""

from __future__ import annotations

import warnings
from typing import Any

import exudyn as exu
import numpy as np
from exudyn.utilities import (
    CreateSymbolicUserFunction,
    LoadMassProportional,
    MarkerBodyMass,
    MarkerBodyPosition,
    MarkerBodyRigid,
    MarkerNodeCoordinate,
    MassPoint2D,
    NodePoint2D,
    NodePointGround,
    NodeRigidBody2D,
    ObjectConnectorCoordinate,
    ObjectConnectorDistance,
    ObjectConnectorRigidBodySpringDamper,
    ObjectConnectorSpringDamper,
    ObjectGround,
    PrismaticJoint2D,
    RigidBody2D,
    RigidBodyInertia,
)

import duoti as dt
from benchmarks.peers.stiff_models import DAMPING, GRAVITY, LINK, MASS, STIFFNESS, WIDTH

warnings.simplefilter("ignore", DeprecationWarning)  # Exudyn renames its settings


class Exudyn:
    """A model in Exudyn; `bodies` are those whose positions are compared."""

    def __init__(self, step: float, end: float, index: int, rho: float) -> None:
        self.container = exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.bodies: list[int] = []
        self.settings = settings = exu.SimulationSettings()
        integration = settings.timeIntegration
        integration.numberOfSteps, integration.endTime, integration.verboseMode = round(end / step), end, 0
        integration.newton.useModifiedNewton = True
        alpha = integration.generalizedAlpha
        alpha.useIndex2Constraints = alpha.useNewmark = index == 2
        alpha.spectralRadius = rho
        settings.solutionSettings.writeSolutionToFile = False

    def run(self) -> None:
        self.mbs.SolveDynamic(self.settings)

    def positions(self) -> np.ndarray:
        kind = exu.OutputVariableType.Position
        return np.array([self.mbs.GetObjectOutputBody(b, kind, [0.0, 0.0, 0.0]) for b in self.bodies])

    def spring(self, ends: list[int], stiffness: float, damping: float, length: float) -> None:
        self.mbs.AddObject(ObjectConnectorSpringDamper(
            markerNumbers=ends, stiffness=stiffness, damping=damping, referenceLength=length
        ))  # fmt: skip

    def marker(self, body: int, place: list[float]) -> int:
        return self.mbs.AddMarker(MarkerBodyPosition(bodyNumber=body, localPosition=place))


class ExudynGovernor(Exudyn):
    def __init__(self, p: dict[str, Any], step: float, end: float, index: int, rho: float, node: Any) -> None:
        super().__init__(step, end, index, rho)
        mbs, e, (length, b, h) = self.mbs, p["hinge_offset"], p["rod"]
        mass, cube, spin = p["rho"] * length * b * h, p["rho"] * p["slider"] ** 3, [0, 0, p["omega0"]]

        def box(mass: float, x: float, y: float, z: float) -> np.ndarray:
            return mass / 12 * np.diag([y * y + z * z, x * x + z * z, x * x + y * y])

        def body(mass: float, inertia: np.ndarray, place: Any, rotation: np.ndarray) -> int:
            return mbs.CreateRigidBody(
                inertia=RigidBodyInertia(mass, inertia), nodeType=node, referencePosition=list(place),
                referenceRotationMatrix=rotation, initialVelocity=list(np.cross(spin, place)),
                initialAngularVelocity=spin, gravity=[0, 0, -p["g"]],
            )  # fmt: skip

        ground = mbs.AddObject(ObjectGround())
        shaft = body(mass, box(mass, b, h, length), [0, 0, length / 2], np.eye(3))
        slider = body(cube, box(cube, *(p["slider"],) * 3), [0, 0, p["s0"]], np.eye(3))
        world = {"useGlobalFrame": True}
        mbs.CreateRevoluteJoint(bodyNumbers=[ground, shaft], position=[0, 0, 0], axis=[0, 0, 1], **world)
        mbs.CreatePrismaticJoint(bodyNumbers=[shaft, slider], position=[0, 0, p["s0"]], axis=[0, 0, 1], **world)
        tip, whole = p["point_mass"], mass + p["point_mass"]
        com = (mass * length / 2 + tip * length) / whole
        reduced = mass * (com - length / 2) ** 2 + tip * (length - com) ** 2
        rod = box(mass, length, b, h) + reduced * np.diag([0.0, 1.0, 1.0])
        for side, turn in ((1.0, 0.0), (-1.0, np.pi)):
            R = (dt.Rotation.about("z", turn) @ dt.Rotation.about("y", np.radians(p["alpha_deg"]))).matrix
            hinge = np.array([side * e, 0, length])
            arm = body(whole, rod, hinge + R @ [com, 0, 0], R)
            mbs.CreateRevoluteJoint(bodyNumbers=[shaft, arm], position=list(hinge), axis=[0, 1, 0], **world)
            ends = [self.marker(slider, [side * e, 0, 0]), self.marker(arm, [length / 2 - com, 0, 0])]
            self.spring(ends, p["K"], p["C"], p["l0"])
        self.bodies = [slider]
        mbs.Assemble()


class ExudynCarAxis(Exudyn):
    def __init__(self, p: dict[str, Any], step: float, end: float, index: int, rho: float) -> None:
        super().__init__(step, end, index, rho)
        mbs, mass, length, height = self.mbs, p["M"] * p["eps"] ** 2 / 2, p["L"], p["L0"]
        r, w = p["r"] / length, p["w"]
        ground = mbs.AddObject(ObjectGround())
        back = [-height * r * w, 0]
        turning = mbs.AddNode(NodeRigidBody2D(referenceCoordinates=[0, 0, 0], initialVelocities=[0, 0, r * w]))
        nodes = [
            mbs.AddNode(NodeRigidBody2D(referenceCoordinates=[0, height, 0], initialVelocities=[*back, r * w])),
            mbs.AddNode(NodePoint2D(referenceCoordinates=[length, height], initialVelocities=back)),
        ]
        road = mbs.AddObject(RigidBody2D(mass=1.0, inertia=1.0, nodeNumber=turning))
        left = mbs.AddObject(RigidBody2D(mass=mass, inertia=0.01 * mass, nodeNumber=nodes[0]))
        right = mbs.AddObject(MassPoint2D(physicsMass=mass, nodeNumber=nodes[1]))
        self.bodies = [left, right]
        for body in self.bodies:
            marker = mbs.AddMarker(MarkerBodyMass(bodyNumber=body))
            mbs.AddLoad(LoadMassProportional(markerNumber=marker, loadVector=[0, -p["g"], 0]))
        self.spring([self.marker(ground, [0, 0, 0]), self.marker(left, [0, 0, 0])], 1.0, 0.0, height)
        self.spring([self.marker(road, [length, 0, 0]), self.marker(right, [0, 0, 0])], 1.0, 0.0, height)
        ends = [self.marker(body, [0, 0, 0]) for body in self.bodies]
        mbs.AddObject(ObjectConnectorDistance(markerNumbers=ends, distance=length))
        fixed = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
        held = 0
        for k in range(3):
            moving = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=turning, coordinate=k))
            held = mbs.AddObject(ObjectConnectorCoordinate(markerNumbers=[fixed, moving]))
        ask = exu.symbolic

        def turn(mbs: Any, t: Any, itemNumber: Any, lOffset: Any) -> Any:
            return ask.asin(r * ask.sin(w * t))

        def rate(mbs: Any, t: Any, itemNumber: Any, lOffset: Any) -> Any:
            y = r * ask.sin(w * t)
            return r * w * ask.cos(w * t) / ask.sqrt(1 - y * y)

        self.functions = []  # Exudyn does not keep them alive
        for law, name in ((turn, "offsetUserFunction"), (rate, "offsetUserFunction_t")):
            self.functions.append(CreateSymbolicUserFunction(mbs, law, name, held))
            mbs.SetObjectParameter(held, name, self.functions[-1])
        frames = [mbs.AddMarker(MarkerBodyRigid(bodyNumber=body)) for body in (left, road)]
        mbs.AddObject(PrismaticJoint2D(markerNumbers=frames, axisMarker0=[0, 1, 0], normalMarker1=[1, 0, 0]))
        mbs.Assemble()


class ExudynChain(Exudyn):
    def __init__(self, n: int, step: float, end: float, index: int, rho: float, node: Any) -> None:
        super().__init__(step, end, index, rho)
        mbs, previous = self.mbs, self.mbs.AddObject(ObjectGround())
        across, along = MASS * (WIDTH**2 + WIDTH**2) / 12, MASS * (LINK**2 + WIDTH**2) / 12
        inertia = RigidBodyInertia(MASS, np.diag([across, along, along]))
        for i in range(n):
            body = mbs.CreateRigidBody(
                inertia=inertia, nodeType=node, referencePosition=[(i + 0.5) * LINK, 0, 0], gravity=[0, -GRAVITY, 0]
            )
            places = ((previous, LINK / 2 if i else 0.0), (body, -LINK / 2))
            ends = [mbs.AddMarker(MarkerBodyRigid(bodyNumber=b, localPosition=[x, 0, 0])) for b, x in places]
            mbs.AddObject(ObjectConnectorRigidBodySpringDamper(
                markerNumbers=ends, stiffness=np.diag(STIFFNESS), damping=np.diag(DAMPING)
            ))  # fmt: skip
            self.bodies.append(body)
            previous = body
        mbs.Assemble()
        if n >= 4:
            self.settings.linearSolverType = exu.LinearSolverType.EigenSparse
