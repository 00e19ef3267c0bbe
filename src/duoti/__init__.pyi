# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti import analyses as analyses
from duoti import bond as bond
from duoti import contact as contact
from duoti import dynamics as dynamics
from duoti import flexible as flexible
from duoti import formats as formats
from duoti import integrate as integrate
from duoti import kernel as kernel
from duoti import model as model
from duoti import results as results
from duoti import spatial as spatial
from duoti import system as system
from duoti.analyses.assemble import Assembly, NearlyClosedWarning, assemble
from duoti.analyses.check import check
from duoti.analyses.choose_solver import SolverChoice, choose_solver
from duoti.analyses.compare_solvers import SolverComparison, compare_solvers
from duoti.analyses.compare_treatments import Comparison, compare_treatments
from duoti.analyses.contact_problem import ContactProblem, ContactSolution, contact_problem
from duoti.analyses.derivatives import (
    displace,
    forward_dynamics_derivatives,
    inverse_dynamics_derivatives,
    marker_derivatives,
)
from duoti.analyses.dynamics import (
    accelerations,
    energies,
    generalised_forces,
    inverse_dynamics,
    jacobian,
    mass_matrix,
    momentum,
    state_rates,
)
from duoti.analyses.energy_flow import energy_flow
from duoti.analyses.equilibria import Equilibria, equilibria
from duoti.analyses.equilibrium import Equilibrium, equilibrium
from duoti.analyses.equilibrium_path import EquilibriumPath, equilibrium_path
from duoti.analyses.evaluator import Evaluator
from duoti.analyses.gravity_compensation import gravity_compensation
from duoti.analyses.instant import ConstraintJacobian, constraint_jacobian
from duoti.analyses.inverse_kinematics import InverseKinematics, inverse_kinematics
from duoti.analyses.kane import Kane, kane
from duoti.analyses.kinematics import CouplerCurve, coupler_curve, kinematics
from duoti.analyses.linear_system import LinearSystem
from duoti.analyses.linearise import linearise
from duoti.analyses.lineariser import Lineariser
from duoti.analyses.mass_centre import mass_centre
from duoti.analyses.mechanism_equations import mechanism_equations
from duoti.analyses.mechanism_graph import mechanism_graph, reactions_by_graph
from duoti.analyses.modes import Mode
from duoti.analyses.natural_modes import NaturalModes, natural_modes
from duoti.analyses.parameter_derivatives import (
    EquilibriumDerivatives,
    ParameterDerivatives,
    equilibrium_derivatives,
    parameter_derivatives,
)
from duoti.analyses.reach import Workspace, workspace
from duoti.analyses.regressor import BaseParameters, Regressor, base_parameters, inertial_regressor
from duoti.analyses.required_forces import required_forces
from duoti.analyses.resume import resume
from duoti.analyses.root_locus import RootLocus, root_locus
from duoti.analyses.simulate import SimulationWarning, simulate
from duoti.analyses.tasks import run_tasks
from duoti.analyses.topology import topology
from duoti.analyses.trajectory import Trajectory
from duoti.contact.impact import ImpactSolution, solve_impact
from duoti.contact.lcp import LcpSolution, solve_lcp
from duoti.contact.ncp import NcpSolution, solve_ncp
from duoti.dynamics.constraint_methods import (
    AugmentedLagrangian,
    Baumgarte,
    CoordinatePartitioning,
    NullSpace,
    Penalty,
    Projection,
)
from duoti.flexible.attachment import Attachment
from duoti.flexible.body import Flexible
from duoti.flexible.craig_bampton import CraigBampton, craig_bampton
from duoti.flexible.dmig import DmigFile, read_dmig
from duoti.flexible.mesh import Mesh
from duoti.flexible.structure import Structure, von_mises
from duoti.formats import ModelFileError, load
from duoti.formats.mjcf import load_mjcf
from duoti.formats.tables import read_table
from duoti.formats.urdf import load_urdf
from duoti.formats.urdf_export import save_urdf
from duoti.integrate import (
    DOP853,
    DOPRI5,
    HHT,
    IDA,
    RK4,
    RKF45,
    Auto,
    GeneralisedAlpha,
    Moreau,
    Newmark,
    Radau,
    Rodas,
    SemiImplicitEuler,
    Verlet,
)
from duoti.model.beam import Beam
from duoti.model.constraints.angle import Angle
from duoti.model.constraints.belt import Belt
from duoti.model.constraints.cam import Cam
from duoti.model.constraints.coupler import Coupler
from duoti.model.constraints.distance import Distance
from duoti.model.constraints.equation import Equation
from duoti.model.constraints.gear import Gear
from duoti.model.constraints.joint_motion import JointMotion
from duoti.model.constraints.joint_speed import JointSpeed
from duoti.model.constraints.knife_edge import KnifeEdge
from duoti.model.constraints.marker_motion import MarkerMotion
from duoti.model.constraints.marker_speed import MarkerSpeed
from duoti.model.constraints.parallel import Parallel
from duoti.model.constraints.perpendicular import Perpendicular
from duoti.model.constraints.point_on_line import PointOnLine
from duoti.model.constraints.point_on_plane import PointOnPlane
from duoti.model.constraints.rack_and_pinion import RackAndPinion
from duoti.model.constraints.rate_equation import RateEquation
from duoti.model.constraints.rolling_disc import RollingDisc
from duoti.model.constraints.rolling_sphere import RollingSphere
from duoti.model.constraints.screw_coupling import ScrewCoupling
from duoti.model.constraints.weld import Weld
from duoti.model.contacts.compliant_contact import CompliantContact
from duoti.model.contacts.rigid_contact import RigidContact
from duoti.model.contacts.rolling_contact import RollingContact
from duoti.model.elements import Body, Marker
from duoti.model.errors import ChannelError, DuotiError, ModelError
from duoti.model.event import Event
from duoti.model.expressions import ExpressionError
from duoti.model.findings import Finding, Report
from duoti.model.forces.applied_force import AppliedForce
from duoti.model.forces.applied_torque import AppliedTorque
from duoti.model.forces.attraction import Attraction
from duoti.model.forces.beam_element import BeamElement
from duoti.model.forces.beam_load import BeamLoad
from duoti.model.forces.bushing import Bushing
from duoti.model.forces.cartesian_spring import CartesianSpring
from duoti.model.forces.coupling_spring import CouplingSpring
from duoti.model.forces.joint_damping import JointDamping
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.joint_motor import JointMotor
from duoti.model.forces.joint_spring import JointSpring
from duoti.model.forces.joint_stop import JointStop
from duoti.model.forces.joint_torque import JointTorque
from duoti.model.forces.line_force import LineForce
from duoti.model.forces.matrix_bushing import MatrixBushing
from duoti.model.forces.nodal_force import NodalForce
from duoti.model.forces.rope import Rope
from duoti.model.forces.rope_force import RopeForce
from duoti.model.forces.spectral_beam_element import SpectralBeamElement
from duoti.model.forces.spring_damper import SpringDamper
from duoti.model.forces.surface_pressure import SurfacePressure
from duoti.model.forces.surface_traction import SurfaceTraction
from duoti.model.forces.table_spring import TableSpring
from duoti.model.forces.thin_beam import ThinBeam
from duoti.model.import_note import ImportNote, ImportNotes, LeftOutWarning
from duoti.model.joints.composite import Composite
from duoti.model.joints.cylindrical import Cylindrical
from duoti.model.joints.fixed import Fixed
from duoti.model.joints.free import Free
from duoti.model.joints.planar import Planar
from duoti.model.joints.prismatic import Prismatic
from duoti.model.joints.revolute import Revolute
from duoti.model.joints.screw import Screw
from duoti.model.joints.spherical import Spherical
from duoti.model.joints.translation import Translation
from duoti.model.joints.universal import Universal
from duoti.model.laws import Function
from duoti.model.material import Material
from duoti.model.model import Model
from duoti.model.section import Section
from duoti.model.state import State
from duoti.results.driven import DrivenResult
from duoti.results.energy_flow import EnergyFlow
from duoti.results.errors import ResultFileError
from duoti.results.open import open_result
from duoti.results.result import Result
from duoti.spatial import Inertia, Pose, Rotation, Shape
from duoti.system.compiler import compile_model as compile
from duoti.system.system import System
from duoti.topology import Graph, JointEdge, Topology, Weights
from duoti.version import __version__ as __version__
from duoti.view import Page, show, simulate_live

__all__ = [
    "DOP853",
    "DOPRI5",
    "HHT",
    "IDA",
    "RK4",
    "RKF45",
    "Angle",
    "AppliedForce",
    "AppliedTorque",
    "Assembly",
    "Attachment",
    "Attraction",
    "AugmentedLagrangian",
    "Auto",
    "BaseParameters",
    "Baumgarte",
    "Beam",
    "BeamElement",
    "BeamLoad",
    "Belt",
    "Body",
    "Bushing",
    "Cam",
    "CartesianSpring",
    "ChannelError",
    "Comparison",
    "CompliantContact",
    "Composite",
    "ConstraintJacobian",
    "ContactProblem",
    "ContactSolution",
    "CoordinatePartitioning",
    "Coupler",
    "CouplerCurve",
    "CouplingSpring",
    "CraigBampton",
    "Cylindrical",
    "Distance",
    "DmigFile",
    "DrivenResult",
    "DuotiError",
    "EnergyFlow",
    "Equation",
    "Equilibria",
    "Equilibrium",
    "EquilibriumDerivatives",
    "EquilibriumPath",
    "Evaluator",
    "Event",
    "ExpressionError",
    "Finding",
    "Fixed",
    "Flexible",
    "Free",
    "Function",
    "Gear",
    "GeneralisedAlpha",
    "Graph",
    "ImpactSolution",
    "ImportNote",
    "ImportNotes",
    "Inertia",
    "InverseKinematics",
    "JointDamping",
    "JointEdge",
    "JointFriction",
    "JointMotion",
    "JointMotor",
    "JointSpeed",
    "JointSpring",
    "JointStop",
    "JointTorque",
    "Kane",
    "KnifeEdge",
    "LcpSolution",
    "LeftOutWarning",
    "LineForce",
    "LinearSystem",
    "Lineariser",
    "Marker",
    "MarkerMotion",
    "MarkerSpeed",
    "Material",
    "MatrixBushing",
    "Mesh",
    "Mode",
    "Model",
    "ModelError",
    "ModelFileError",
    "Moreau",
    "NaturalModes",
    "NcpSolution",
    "NearlyClosedWarning",
    "Newmark",
    "NodalForce",
    "NullSpace",
    "Page",
    "Parallel",
    "ParameterDerivatives",
    "Penalty",
    "Perpendicular",
    "Planar",
    "PointOnLine",
    "PointOnPlane",
    "Pose",
    "Prismatic",
    "Projection",
    "RackAndPinion",
    "Radau",
    "RateEquation",
    "Regressor",
    "Report",
    "Result",
    "ResultFileError",
    "Revolute",
    "RigidContact",
    "Rodas",
    "RollingContact",
    "RollingDisc",
    "RollingSphere",
    "RootLocus",
    "Rope",
    "RopeForce",
    "Rotation",
    "Screw",
    "ScrewCoupling",
    "Section",
    "SemiImplicitEuler",
    "Shape",
    "SimulationWarning",
    "SolverChoice",
    "SolverComparison",
    "SpectralBeamElement",
    "Spherical",
    "SpringDamper",
    "State",
    "Structure",
    "SurfacePressure",
    "SurfaceTraction",
    "System",
    "TableSpring",
    "ThinBeam",
    "Topology",
    "Trajectory",
    "Translation",
    "Universal",
    "Verlet",
    "Weights",
    "Weld",
    "Workspace",
    "accelerations",
    "assemble",
    "base_parameters",
    "check",
    "choose_solver",
    "compare_solvers",
    "compare_treatments",
    "compile",
    "constraint_jacobian",
    "contact_problem",
    "coupler_curve",
    "craig_bampton",
    "displace",
    "energies",
    "energy_flow",
    "equilibria",
    "equilibrium",
    "equilibrium_derivatives",
    "equilibrium_path",
    "forward_dynamics_derivatives",
    "generalised_forces",
    "gravity_compensation",
    "inertial_regressor",
    "inverse_dynamics",
    "inverse_dynamics_derivatives",
    "inverse_kinematics",
    "jacobian",
    "kane",
    "kinematics",
    "linearise",
    "load",
    "load_mjcf",
    "load_urdf",
    "marker_derivatives",
    "mass_centre",
    "mass_matrix",
    "mechanism_equations",
    "mechanism_graph",
    "momentum",
    "natural_modes",
    "open_result",
    "parameter_derivatives",
    "reactions_by_graph",
    "read_dmig",
    "read_table",
    "required_forces",
    "resume",
    "root_locus",
    "run_tasks",
    "save_urdf",
    "show",
    "simulate",
    "simulate_live",
    "solve_impact",
    "solve_lcp",
    "solve_ncp",
    "state_rates",
    "topology",
    "von_mises",
    "workspace",
]
