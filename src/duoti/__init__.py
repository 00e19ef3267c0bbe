"""duoti: multibody dynamics in Python.

    import duoti as dt

    m = dt.Model("pendulum")
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
    r = dt.simulate(m, duration=2.0)
    r["A.angle"]

Everything is in SI units and right-handed; quaternions have the scalar part first.
"""

import sys
from types import ModuleType
from typing import Any

from duoti.lazy import names_of
from duoti.version import __version__ as __version__

_PLACES = {
    "analyses.check": "check",
    "analyses.compare_solvers": "SolverComparison, compare_solvers",
    "analyses.compare_treatments": "Comparison, compare_treatments",
    "analyses.derivatives": "displace, forward_dynamics_derivatives, inverse_dynamics_derivatives, marker_derivatives",
    "analyses.dynamics": (
        "accelerations, energies, generalised_forces, inverse_dynamics, jacobian, mass_matrix, momentum, state_rates"
    ),
    "analyses.mass_centre": "mass_centre",
    "analyses.resume": "resume",
    "analyses.simulate": "SimulationWarning, simulate",
    "analyses.tasks": "run_tasks",
    "dynamics.treatments": "AugmentedLagrangian, Baumgarte, CoordinatePartitioning, NullSpace, Penalty, Projection",
    "formats": "ModelFileError, load",
    "formats.mjcf": "load_mjcf",
    "formats.urdf": "load_urdf",
    "formats.urdf_export": "save_urdf",
    "integrate": "DOP853, DOPRI5, HHT, IDA, RK4, RKF45, Auto, GeneralisedAlpha, Newmark, Radau, SemiImplicitEuler",
    "model.constraints.angle": "Angle",
    "model.constraints.belt": "Belt",
    "model.constraints.cam": "Cam",
    "model.constraints.coupler": "Coupler",
    "model.constraints.distance": "Distance",
    "model.constraints.gear": "Gear",
    "model.constraints.joint_motion": "JointMotion",
    "model.constraints.knife_edge": "KnifeEdge",
    "model.constraints.marker_motion": "MarkerMotion",
    "model.constraints.parallel": "Parallel",
    "model.constraints.perpendicular": "Perpendicular",
    "model.constraints.point_on_line": "PointOnLine",
    "model.constraints.point_on_plane": "PointOnPlane",
    "model.constraints.rack_and_pinion": "RackAndPinion",
    "model.constraints.rolling_disc": "RollingDisc",
    "model.constraints.rolling_sphere": "RollingSphere",
    "model.constraints.screw_coupling": "ScrewCoupling",
    "model.constraints.weld": "Weld",
    "model.elements": "Body, Marker",
    "model.errors": "ChannelError, DuotiError, ModelError",
    "model.event": "Event",
    "model.expressions": "ExpressionError",
    "model.findings": "Finding, Report",
    "model.forces.applied_force": "AppliedForce",
    "model.forces.applied_torque": "AppliedTorque",
    "model.forces.attraction": "Attraction",
    "model.forces.bushing": "Bushing",
    "model.forces.joint_damping": "JointDamping",
    "model.forces.joint_motor": "JointMotor",
    "model.forces.joint_spring": "JointSpring",
    "model.forces.joint_torque": "JointTorque",
    "model.forces.line_force": "LineForce",
    "model.forces.spring_damper": "SpringDamper",
    "model.forces.table_spring": "TableSpring",
    "model.import_note": "ImportNote, ImportNotes, LeftOutWarning",
    "model.joints.composite": "Composite",
    "model.joints.cylindrical": "Cylindrical",
    "model.joints.fixed": "Fixed",
    "model.joints.free": "Free",
    "model.joints.planar": "Planar",
    "model.joints.prismatic": "Prismatic",
    "model.joints.revolute": "Revolute",
    "model.joints.screw": "Screw",
    "model.joints.spherical": "Spherical",
    "model.joints.universal": "Universal",
    "model.laws": "Function",
    "model.model": "Model",
    "model.state": "State",
    "results.errors": "ResultFileError",
    "results.open": "open_result",
    "results.result": "Result",
    "spatial": "Inertia, Pose, Rotation, Shape",
    "system.compiler": "compile_model as compile",
    "system.system": "System",
    "topology": "Graph, JointEdge, Topology, Weights, topology",
    "view": "Page, show, simulate_live",
}
"""Where the public names are, each written once; they are imported when first used (`duoti.lazy`)."""

_FOLDERS = ("analyses", "dynamics", "formats", "integrate", "kernel", "model", "results", "spatial", "system")
"""Parts that may be used without an import of their own, such as `duoti.spatial.euler_angles`."""

__all__, __getattr__, __dir__ = names_of(__name__, _PLACES, _FOLDERS)  # pyright: ignore[reportUnsupportedDunderAll]


class _Package(ModuleType):
    """This package as a module in which `topology` stays the function, although there is a folder of that name."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
