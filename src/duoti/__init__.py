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
    "duoti.analyses.natural_modes": "NaturalModes, natural_modes",
    "duoti.analyses.assemble": "Assembly, NearlyClosedWarning, assemble",
    "duoti.analyses.check": "check",
    "duoti.analyses.choose_solver": "SolverChoice, choose_solver",
    "duoti.analyses.compare_solvers": "SolverComparison, compare_solvers",
    "duoti.analyses.compare_treatments": "Comparison, compare_treatments",
    "duoti.analyses.contact_problem": "ContactProblem, ContactSolution, contact_problem",
    "duoti.analyses.derivatives": (
        "displace, forward_dynamics_derivatives, inverse_dynamics_derivatives, marker_derivatives"
    ),
    "duoti.analyses.dynamics": (
        "accelerations, energies, generalised_forces, inverse_dynamics, jacobian, mass_matrix, momentum, state_rates"
    ),
    "duoti.analyses.instant": "ConstraintJacobian, constraint_jacobian",
    "duoti.analyses.evaluator": "Evaluator",
    "duoti.analyses.energy_flow": "energy_flow",
    "duoti.analyses.gravity_compensation": "gravity_compensation",
    "duoti.analyses.inverse_kinematics": "InverseKinematics, inverse_kinematics",
    "duoti.analyses.equilibria": "Equilibria, equilibria",
    "duoti.analyses.equilibrium_path": "EquilibriumPath, equilibrium_path",
    "duoti.analyses.equilibrium": "Equilibrium, equilibrium",
    "duoti.analyses.linear_system": "LinearSystem",
    "duoti.analyses.linearise": "linearise",
    "duoti.analyses.lineariser": "Lineariser",
    "duoti.analyses.modes": "Mode",
    "duoti.analyses.root_locus": "RootLocus, root_locus",
    "duoti.analyses.kane": "Kane, kane",
    "duoti.analyses.kinematics": "CouplerCurve, coupler_curve, kinematics",
    "duoti.analyses.mass_centre": "mass_centre",
    "duoti.analyses.mechanism_equations": "mechanism_equations",
    "duoti.analyses.mechanism_graph": "mechanism_graph, reactions_by_graph",
    "duoti.analyses.parameter_derivatives": (
        "EquilibriumDerivatives, ParameterDerivatives, equilibrium_derivatives, parameter_derivatives"
    ),
    "duoti.analyses.reach": "Workspace, workspace",
    "duoti.analyses.regressor": "BaseParameters, Regressor, base_parameters, inertial_regressor",
    "duoti.analyses.required_forces": "required_forces",
    "duoti.analyses.resume": "resume",
    "duoti.analyses.topology": "topology",
    "duoti.analyses.simulate": "SimulationWarning, simulate",
    "duoti.analyses.tasks": "run_tasks",
    "duoti.analyses.trajectory": "Trajectory",
    "duoti.contact.impact": "ImpactSolution, solve_impact",
    "duoti.contact.lcp": "LcpSolution, solve_lcp",
    "duoti.contact.ncp": "NcpSolution, solve_ncp",
    "duoti.dynamics.constraint_methods": (
        "AugmentedLagrangian, Baumgarte, CoordinatePartitioning, NullSpace, Penalty, Projection"
    ),
    "duoti.formats": "ModelFileError, load",
    "duoti.formats.mjcf": "load_mjcf",
    "duoti.flexible.attachment": "Attachment",
    "duoti.flexible.body": "Flexible",
    "duoti.flexible.craig_bampton": "CraigBampton, craig_bampton",
    "duoti.flexible.dmig": "DmigFile, read_dmig",
    "duoti.flexible.mesh": "Mesh",
    "duoti.flexible.structure": "Structure, von_mises",
    "duoti.formats.tables": "read_table",
    "duoti.formats.urdf": "load_urdf",
    "duoti.formats.urdf_export": "save_urdf",
    "duoti.integrate": (
        "DOP853, DOPRI5, HHT, IDA, RK4, RKF45, Auto, GeneralisedAlpha, Moreau, Newmark, Radau, Rodas, "
        "SemiImplicitEuler, Verlet"
    ),
    "duoti.model.beam": "Beam",
    "duoti.model.constraints.angle": "Angle",
    "duoti.model.constraints.belt": "Belt",
    "duoti.model.constraints.cam": "Cam",
    "duoti.model.constraints.coupler": "Coupler",
    "duoti.model.constraints.distance": "Distance",
    "duoti.model.constraints.gear": "Gear",
    "duoti.model.constraints.joint_motion": "JointMotion",
    "duoti.model.constraints.equation": "Equation",
    "duoti.model.constraints.joint_speed": "JointSpeed",
    "duoti.model.constraints.knife_edge": "KnifeEdge",
    "duoti.model.constraints.marker_speed": "MarkerSpeed",
    "duoti.model.constraints.rate_equation": "RateEquation",
    "duoti.model.constraints.marker_motion": "MarkerMotion",
    "duoti.model.constraints.parallel": "Parallel",
    "duoti.model.constraints.perpendicular": "Perpendicular",
    "duoti.model.constraints.point_on_line": "PointOnLine",
    "duoti.model.constraints.point_on_plane": "PointOnPlane",
    "duoti.model.constraints.rack_and_pinion": "RackAndPinion",
    "duoti.model.constraints.rolling_disc": "RollingDisc",
    "duoti.model.constraints.rolling_sphere": "RollingSphere",
    "duoti.model.constraints.screw_coupling": "ScrewCoupling",
    "duoti.model.constraints.weld": "Weld",
    "duoti.model.contacts.compliant_contact": "CompliantContact",
    "duoti.model.contacts.rigid_contact": "RigidContact",
    "duoti.model.contacts.rolling_contact": "RollingContact",
    "duoti.model.elements": "Body, Marker",
    "duoti.model.errors": "ChannelError, DuotiError, ModelError",
    "duoti.model.event": "Event",
    "duoti.model.expressions": "ExpressionError",
    "duoti.model.findings": "Finding, Report",
    "duoti.model.forces.applied_force": "AppliedForce",
    "duoti.model.forces.applied_torque": "AppliedTorque",
    "duoti.model.forces.attraction": "Attraction",
    "duoti.model.forces.beam_element": "BeamElement",
    "duoti.model.forces.beam_load": "BeamLoad",
    "duoti.model.forces.bushing": "Bushing",
    "duoti.model.forces.cartesian_spring": "CartesianSpring",
    "duoti.model.forces.coupling_spring": "CouplingSpring",
    "duoti.model.forces.matrix_bushing": "MatrixBushing",
    "duoti.model.forces.joint_damping": "JointDamping",
    "duoti.model.forces.joint_friction": "JointFriction",
    "duoti.model.forces.joint_motor": "JointMotor",
    "duoti.model.forces.joint_spring": "JointSpring",
    "duoti.model.forces.joint_stop": "JointStop",
    "duoti.model.forces.joint_torque": "JointTorque",
    "duoti.model.forces.line_force": "LineForce",
    "duoti.model.forces.nodal_force": "NodalForce",
    "duoti.model.forces.rope": "Rope",
    "duoti.model.forces.rope_force": "RopeForce",
    "duoti.model.forces.spectral_beam_element": "SpectralBeamElement",
    "duoti.model.forces.spring_damper": "SpringDamper",
    "duoti.model.forces.surface_pressure": "SurfacePressure",
    "duoti.model.forces.surface_traction": "SurfaceTraction",
    "duoti.model.forces.table_spring": "TableSpring",
    "duoti.model.forces.thin_beam": "ThinBeam",
    "duoti.model.import_note": "ImportNote, ImportNotes, LeftOutWarning",
    "duoti.model.joints.composite": "Composite",
    "duoti.model.joints.cylindrical": "Cylindrical",
    "duoti.model.joints.fixed": "Fixed",
    "duoti.model.joints.free": "Free",
    "duoti.model.joints.planar": "Planar",
    "duoti.model.joints.translation": "Translation",
    "duoti.model.joints.prismatic": "Prismatic",
    "duoti.model.joints.revolute": "Revolute",
    "duoti.model.joints.screw": "Screw",
    "duoti.model.joints.spherical": "Spherical",
    "duoti.model.joints.universal": "Universal",
    "duoti.model.laws": "Function",
    "duoti.model.material": "Material",
    "duoti.model.model": "Model",
    "duoti.model.section": "Section",
    "duoti.model.state": "State",
    "duoti.results.driven": "DrivenResult",
    "duoti.results.energy_flow": "EnergyFlow",
    "duoti.results.errors": "ResultFileError",
    "duoti.results.open": "open_result",
    "duoti.results.result": "Result",
    "duoti.spatial": "Inertia, Pose, Rotation, Shape",
    "duoti.system.compiler": "compile_model as compile",
    "duoti.system.system": "System",
    "duoti.topology": "Graph, JointEdge, Topology, Weights",
    "duoti.view": "Page, show, simulate_live",
}
"""Where the public names are, each written once; they are imported when first used (`duoti.lazy`)."""

_FOLDERS = (
    "analyses",
    "bond",
    "contact",
    "dynamics",
    "flexible",
    "formats",
    "integrate",
    "kernel",
    "model",
    "results",
    "spatial",
    "system",
)
"""Parts that may be used without an import of their own, such as `duoti.spatial.euler_angles`."""

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS, _FOLDERS)  # pyright: ignore[reportUnsupportedDunderAll]
