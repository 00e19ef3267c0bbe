# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti import analyses as analyses
from duoti import beams as beams
from duoti import bond as bond
from duoti import contact as contact
from duoti import dynamics as dynamics
from duoti import flexible as flexible
from duoti import formats as formats
from duoti import identification as identification
from duoti import integrate as integrate
from duoti import kernel as kernel
from duoti import model as model
from duoti import results as results
from duoti import spatial as spatial
from duoti import system as system
from duoti import textbook as textbook
from duoti import view as view
from duoti.analyses.assemble import NearlyClosedWarning
from duoti.analyses.check import check
from duoti.analyses.choose_solver import SolverChoice, choose_solver
from duoti.analyses.contact_problem import contact_problem
from duoti.analyses.derivatives import forward_dynamics_derivatives, inverse_dynamics_derivatives
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
from duoti.analyses.equilibria import equilibria
from duoti.analyses.equilibrium import equilibrium
from duoti.analyses.equilibrium_path import equilibrium_path
from duoti.analyses.evaluator import Evaluator
from duoti.analyses.gravity_compensation import gravity_compensation
from duoti.analyses.instant import constraint_jacobian
from duoti.analyses.inverse_kinematics import inverse_kinematics
from duoti.analyses.kane import kane
from duoti.analyses.kinematics import kinematics
from duoti.analyses.linearise import linearise
from duoti.analyses.lineariser import Lineariser
from duoti.analyses.mass_centre import mass_centre
from duoti.analyses.natural_modes import natural_modes
from duoti.analyses.parameter_derivatives import equilibrium_derivatives, parameter_derivatives
from duoti.analyses.required_forces import required_forces
from duoti.analyses.resume import resume
from duoti.analyses.root_locus import root_locus
from duoti.analyses.simulate import SimulationWarning, simulate
from duoti.analyses.tasks import run_tasks
from duoti.analyses.topology import topology as topology
from duoti.analyses.trajectory import Trajectory
from duoti.contact.lcp import solve_lcp
from duoti.dynamics.constraint_methods import (
    AugmentedLagrangian,
    Baumgarte,
    CoordinatePartitioning,
    NullSpace,
    Penalty,
    Projection,
)
from duoti.flexible.body import Flexible
from duoti.flexible.craig_bampton import craig_bampton
from duoti.flexible.mesh import Mesh
from duoti.formats import ModelFileError, load, save
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
from duoti.model.forces.applied_force import AppliedForce
from duoti.model.forces.applied_torque import AppliedTorque
from duoti.model.forces.attraction import Attraction
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
from duoti.model.forces.rope import Rope
from duoti.model.forces.rope_force import RopeForce
from duoti.model.forces.spring_damper import SpringDamper
from duoti.model.forces.table_spring import TableSpring
from duoti.model.import_note import LeftOutWarning
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
from duoti.results.errors import ResultFileError
from duoti.results.open import open_result
from duoti.results.result import Result
from duoti.spatial import Inertia, Pose, Rotation, Shape
from duoti.system.compiler import compile_model as compile
from duoti.system.system import System
from duoti.version import __version__ as __version__
from duoti.view import show

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
    "Attraction",
    "AugmentedLagrangian",
    "Auto",
    "Baumgarte",
    "Beam",
    "BeamLoad",
    "Belt",
    "Body",
    "Bushing",
    "Cam",
    "CartesianSpring",
    "ChannelError",
    "CompliantContact",
    "Composite",
    "CoordinatePartitioning",
    "Coupler",
    "CouplingSpring",
    "Cylindrical",
    "Distance",
    "DuotiError",
    "Equation",
    "Evaluator",
    "Event",
    "ExpressionError",
    "Fixed",
    "Flexible",
    "Free",
    "Function",
    "Gear",
    "GeneralisedAlpha",
    "Inertia",
    "JointDamping",
    "JointFriction",
    "JointMotion",
    "JointMotor",
    "JointSpeed",
    "JointSpring",
    "JointStop",
    "JointTorque",
    "KnifeEdge",
    "LeftOutWarning",
    "LineForce",
    "Lineariser",
    "Marker",
    "MarkerMotion",
    "MarkerSpeed",
    "Material",
    "MatrixBushing",
    "Mesh",
    "Model",
    "ModelError",
    "ModelFileError",
    "Moreau",
    "NearlyClosedWarning",
    "Newmark",
    "NullSpace",
    "Parallel",
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
    "Result",
    "ResultFileError",
    "Revolute",
    "RigidContact",
    "Rodas",
    "RollingContact",
    "RollingDisc",
    "RollingSphere",
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
    "Spherical",
    "SpringDamper",
    "State",
    "System",
    "TableSpring",
    "Trajectory",
    "Translation",
    "Universal",
    "Verlet",
    "Weld",
    "accelerations",
    "check",
    "choose_solver",
    "compile",
    "constraint_jacobian",
    "contact_problem",
    "craig_bampton",
    "energies",
    "energy_flow",
    "equilibria",
    "equilibrium",
    "equilibrium_derivatives",
    "equilibrium_path",
    "forward_dynamics_derivatives",
    "generalised_forces",
    "gravity_compensation",
    "inverse_dynamics",
    "inverse_dynamics_derivatives",
    "inverse_kinematics",
    "jacobian",
    "kane",
    "kinematics",
    "linearise",
    "load",
    "mass_centre",
    "mass_matrix",
    "momentum",
    "natural_modes",
    "open_result",
    "parameter_derivatives",
    "required_forces",
    "resume",
    "root_locus",
    "run_tasks",
    "save",
    "show",
    "simulate",
    "solve_lcp",
    "state_rates",
]
