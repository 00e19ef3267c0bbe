"""duoti: multibody dynamics in Python.

    import duoti as dt

    m = dt.Model("pendulum")
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
    r = dt.simulate(m, duration=2.0)
    r["A.angle"]

Everything is in SI units and right-handed; quaternions have the scalar part first.
"""

from duoti.lazy import names_of
from duoti.version import __version__ as __version__

_EXPORTS = {
    "duoti.analyses.check": "check",
    "duoti.analyses.equilibrium.equilibria": "equilibria",
    "duoti.analyses.batch.simulate_batch": "simulate_batch",
    "duoti.analyses.equilibrium.equilibrium": "equilibrium",
    "duoti.analyses.equilibrium.path": "equilibrium_path",
    "duoti.analyses.export.c_library": "export_c",
    "duoti.analyses.export.fmu": "export_fmu",
    "duoti.analyses.gradients.fit": "fit",
    "duoti.analyses.gradients.gradient": "Objective, gradient",
    "duoti.analyses.gradients.minimise": "minimise",
    "duoti.analyses.gradients.sensitivities": "sensitivities",
    "duoti.analyses.gradients.step_jacobian": "StepJacobian",
    "duoti.analyses.instant.dynamics": "accelerations, energies, inverse_dynamics, jacobian, mass_matrix, momentum",
    "duoti.analyses.instant.energy_flow": "energy_flow",
    "duoti.analyses.instant.evaluator": "Evaluator",
    "duoti.analyses.instant.kane": "kane",
    "duoti.analyses.instant.mass_centre": "mass_centre",
    "duoti.analyses.kinematics.inverse_kinematics": "inverse_kinematics",
    "duoti.analyses.kinematics.kinematics": "kinematics",
    "duoti.analyses.kinematics.required_forces": "required_forces",
    "duoti.analyses.kinematics.trajectory": "Trajectory",
    "duoti.analyses.linear.linearise": "linearise",
    "duoti.analyses.linear.lineariser": "Lineariser",
    "duoti.analyses.linear.natural_modes": "natural_modes",
    "duoti.analyses.linear.root_locus": "root_locus",
    "duoti.analyses.linear.state_feedback": "state_feedback",
    "duoti.analyses.parameter_study.distributions": "choice, grid, loguniform, normal, samples, triangular, uniform",
    "duoti.analyses.parameter_study.study": "Study",
    "duoti.analyses.sensitivity.parameter_derivatives": "parameter_derivatives",
    "duoti.analyses.simulate.choose_solver": "choose_solver",
    "duoti.analyses.simulate.resume": "resume",
    "duoti.analyses.simulate.simulate": "simulate",
    "duoti.analyses.states.contact_problem": "contact_problem",
    "duoti.analyses.stepper.gym_env": "gym_env",
    "duoti.analyses.stepper.stepper": "Stepper",
    "duoti.contact.solve.lcp": "solve_lcp",
    "duoti.dynamics.loops.constraint_methods": (
        "AugmentedLagrangian, Baumgarte, CoordinatePartitioning, NullSpace, Penalty, Projection"
    ),
    "duoti.flexible.body": "Flexible",
    "duoti.flexible.mesh.mesh": "Mesh",
    "duoti.flexible.reduction.craig_bampton": "craig_bampton",
    "duoti.formats": "load, save",
    "duoti.integrate": (
        "Auto, DOP853, DOPRI5, GeneralisedAlpha, HHT, IDA, Moreau, Newmark, Radau, RK4, RKF45, Rodas, "
        "SemiImplicitEuler, Verlet"
    ),
    "duoti.model.beams.beam_section": "Beam",
    "duoti.model.beams.cross_section": "Section",
    "duoti.model.beams.material": "Material",
    "duoti.model.constraints.angle": "Angle",
    "duoti.model.constraints.cam": "Cam",
    "duoti.model.constraints.coupler": "Coupler",
    "duoti.model.constraints.distance": "Distance",
    "duoti.model.constraints.equation": "Equation",
    "duoti.model.constraints.gear": "Belt, Gear, RackAndPinion",
    "duoti.model.constraints.joint_motion": "JointMotion",
    "duoti.model.constraints.knife_edge": "KnifeEdge",
    "duoti.model.constraints.marker_motion": "MarkerMotion",
    "duoti.model.constraints.parallel": "Parallel, Perpendicular",
    "duoti.model.constraints.point_on_line": "PointOnLine, PointOnPlane",
    "duoti.model.constraints.rolling": "RollingDisc, RollingSphere",
    "duoti.model.constraints.screw_coupling": "ScrewCoupling",
    "duoti.model.constraints.weld": "Weld",
    "duoti.model.contacts.compliant_contact": "CompliantContact",
    "duoti.model.contacts.rigid_contact": "RigidContact",
    "duoti.model.contacts.rolling_contact": "RollingContact",
    "duoti.model.elements": "Body, Marker",
    "duoti.model.errors": "DuotiError, ModelError",
    "duoti.model.event": "Event",
    "duoti.model.forces.applied": "AppliedForce, AppliedTorque",
    "duoti.model.forces.beam_load": "BeamLoad",
    "duoti.model.forces.bushing": "Bushing",
    "duoti.model.forces.cartesian_spring": "CartesianSpring",
    "duoti.model.forces.coupling_spring": "CouplingSpring",
    "duoti.model.forces.joint_damping": "JointDamping",
    "duoti.model.forces.joint_friction": "JointFriction",
    "duoti.model.forces.one_way_clutch": "OneWayClutch",
    "duoti.model.forces.joint_motor": "JointMotor",
    "duoti.model.forces.joint_spring": "JointSpring",
    "duoti.model.forces.joint_stop": "JointStop",
    "duoti.model.forces.joint_torque": "JointTorque",
    "duoti.model.forces.line_force": "LineForce",
    "duoti.model.forces.point_gravity": "PointGravity",
    "duoti.model.forces.gear_mesh": "GearMesh",
    "duoti.model.forces.reeving": "Reeving",
    "duoti.model.sheave": "Sheave",
    "duoti.model.forces.rope": "Rope",
    "duoti.model.forces.slider": "Slider",
    "duoti.model.forces.spring_damper": "SpringDamper",
    "duoti.model.forces.table_spring": "TableSpring",
    "duoti.model.joints.composite": "Composite",
    "duoti.model.joints.cylindrical": "Cylindrical",
    "duoti.model.joints.fixed": "Fixed",
    "duoti.model.joints.free": "Free",
    "duoti.model.joints.planar": "Planar",
    "duoti.model.joints.prismatic": "Prismatic",
    "duoti.model.joints.revolute": "Revolute",
    "duoti.model.joints.screw": "Screw",
    "duoti.model.joints.spherical": "Spherical",
    "duoti.model.joints.translation": "Translation",
    "duoti.model.joints.universal": "Universal",
    "duoti.model.laws.law": "Function",
    "duoti.model.model": "Model",
    "duoti.model.roads.road": "Road",
    "duoti.model.forces.tyre_force": "TyreForce",
    "duoti.model.tyres.tyre": "Tyre",
    "duoti.model.sensors": "Accelerometer, ContactSensor, Encoder, ForceTorque, Gyroscope, Tachometer",
    "duoti.model.state": "State",
    "duoti.results.file.open": "open_result",
    "duoti.results.result": "Result",
    "duoti.spatial": "Inertia, Rotation, Shape",
    "duoti.system.compile.compiler": "compile_model as compile",
    "duoti.system.system": "System",
    "duoti.view": "show",
}
"""Where the public names are, each written once; they are imported when first used (`duoti.lazy`)."""


def _moved() -> dict[str, str]:
    from duoti.renamed import MOVED

    return MOVED


_FOLDERS = (
    "analyses",
    "beams",
    "bond",
    "contact",
    "dynamics",
    "errors",
    "flexible",
    "formats",
    "identification",
    "integrate",
    "kernel",
    "model",
    "results",
    "spatial",
    "system",
    "textbook",
    "topology",
    "vehicle",
    "view",
)
"""Parts that may be used without an import of their own, such as `duoti.spatial.euler_angles`."""

_CALLED = {"topology": "duoti.analyses.instant.topology"}
"""Parts that can be called; for type checkers they are the functions of these modules."""

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS, _FOLDERS, _moved)  # pyright: ignore[reportUnsupportedDunderAll]
