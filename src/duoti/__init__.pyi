# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti import analyses as analyses
from duoti import beams as beams
from duoti import bond as bond
from duoti import contact as contact
from duoti import dynamics as dynamics
from duoti import errors as errors
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
from duoti import vehicle as vehicle
from duoti import view as view
from duoti.analyses.batch.simulate_batch import simulate_batch
from duoti.analyses.check import check
from duoti.analyses.equilibrium.equilibria import equilibria
from duoti.analyses.equilibrium.equilibrium import equilibrium
from duoti.analyses.equilibrium.path import equilibrium_path
from duoti.analyses.export.c_library import export_c
from duoti.analyses.export.fmu import export_fmu
from duoti.analyses.gradients.fit import fit
from duoti.analyses.gradients.gradient import Objective, gradient
from duoti.analyses.gradients.minimise import minimise
from duoti.analyses.gradients.sensitivities import sensitivities
from duoti.analyses.gradients.step_jacobian import StepJacobian
from duoti.analyses.instant.dynamics import accelerations, energies, inverse_dynamics, jacobian, mass_matrix, momentum
from duoti.analyses.instant.energy_flow import energy_flow
from duoti.analyses.instant.evaluator import Evaluator
from duoti.analyses.instant.kane import kane
from duoti.analyses.instant.mass_centre import mass_centre
from duoti.analyses.instant.topology import topology as topology
from duoti.analyses.kinematics.inverse_kinematics import inverse_kinematics
from duoti.analyses.kinematics.kinematics import kinematics
from duoti.analyses.kinematics.required_forces import required_forces
from duoti.analyses.kinematics.trajectory import Trajectory
from duoti.analyses.linear.linearise import linearise
from duoti.analyses.linear.lineariser import Lineariser
from duoti.analyses.linear.natural_modes import natural_modes
from duoti.analyses.linear.root_locus import root_locus
from duoti.analyses.linear.state_feedback import state_feedback
from duoti.analyses.parameter_study.distributions import choice, grid, loguniform, normal, samples, triangular, uniform
from duoti.analyses.parameter_study.study import Study
from duoti.analyses.sensitivity.parameter_derivatives import parameter_derivatives
from duoti.analyses.simulate.choose_solver import choose_solver
from duoti.analyses.simulate.resume import resume
from duoti.analyses.simulate.simulate import simulate
from duoti.analyses.states.contact_problem import contact_problem
from duoti.analyses.stepper.gym_env import gym_env
from duoti.analyses.stepper.stepper import Stepper
from duoti.contact.solve.lcp import solve_lcp
from duoti.dynamics.loops.constraint_methods import (
    AugmentedLagrangian,
    Baumgarte,
    CoordinatePartitioning,
    NullSpace,
    Penalty,
    Projection,
)
from duoti.flexible.body import Flexible
from duoti.flexible.mesh.mesh import Mesh
from duoti.flexible.reduction.craig_bampton import craig_bampton
from duoti.formats import load, save
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
from duoti.model.beams.beam_section import Beam
from duoti.model.beams.cross_section import Section
from duoti.model.beams.material import Material
from duoti.model.constraints.angle import Angle
from duoti.model.constraints.cam import Cam
from duoti.model.constraints.coupler import Coupler
from duoti.model.constraints.distance import Distance
from duoti.model.constraints.equation import Equation
from duoti.model.constraints.gear import Belt, Gear, RackAndPinion
from duoti.model.constraints.joint_motion import JointMotion
from duoti.model.constraints.knife_edge import KnifeEdge
from duoti.model.constraints.marker_motion import MarkerMotion
from duoti.model.constraints.parallel import Parallel, Perpendicular
from duoti.model.constraints.point_on_line import PointOnLine, PointOnPlane
from duoti.model.constraints.rolling import RollingDisc, RollingSphere
from duoti.model.constraints.screw_coupling import ScrewCoupling
from duoti.model.constraints.weld import Weld
from duoti.model.contacts.compliant_contact import CompliantContact
from duoti.model.contacts.rigid_contact import RigidContact
from duoti.model.contacts.rolling_contact import RollingContact
from duoti.model.elements import Body, Marker
from duoti.model.errors import DuotiError, ModelError
from duoti.model.event import Event
from duoti.model.forces.applied import AppliedForce, AppliedTorque
from duoti.model.forces.beam_load import BeamLoad
from duoti.model.forces.bushing import Bushing
from duoti.model.forces.cartesian_spring import CartesianSpring
from duoti.model.forces.coupling_spring import CouplingSpring
from duoti.model.forces.gear_mesh import GearMesh
from duoti.model.forces.joint_damping import JointDamping
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.joint_motor import JointMotor
from duoti.model.forces.joint_spring import JointSpring
from duoti.model.forces.joint_stop import JointStop
from duoti.model.forces.joint_torque import JointTorque
from duoti.model.forces.line_force import LineForce
from duoti.model.forces.one_way_clutch import OneWayClutch
from duoti.model.forces.point_gravity import PointGravity
from duoti.model.forces.reeving import Reeving
from duoti.model.forces.rope import Rope
from duoti.model.forces.slider import Slider
from duoti.model.forces.spring_damper import SpringDamper
from duoti.model.forces.table_spring import TableSpring
from duoti.model.forces.tyre_force import TyreForce
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
from duoti.model.laws.law import Function
from duoti.model.model import Model
from duoti.model.roads.road import Road
from duoti.model.sensors import Accelerometer, ContactSensor, Encoder, ForceTorque, Gyroscope, Tachometer
from duoti.model.sheave import Sheave
from duoti.model.state import State
from duoti.model.tyres.tyre import Tyre
from duoti.results.file.open import open_result
from duoti.results.result import Result
from duoti.spatial import Inertia, Rotation, Shape
from duoti.system.compile.compiler import compile_model as compile
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
    "Accelerometer",
    "Angle",
    "AppliedForce",
    "AppliedTorque",
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
    "CompliantContact",
    "Composite",
    "ContactSensor",
    "CoordinatePartitioning",
    "Coupler",
    "CouplingSpring",
    "Cylindrical",
    "Distance",
    "DuotiError",
    "Encoder",
    "Equation",
    "Evaluator",
    "Event",
    "Fixed",
    "Flexible",
    "ForceTorque",
    "Free",
    "Function",
    "Gear",
    "GearMesh",
    "GeneralisedAlpha",
    "Gyroscope",
    "Inertia",
    "JointDamping",
    "JointFriction",
    "JointMotion",
    "JointMotor",
    "JointSpring",
    "JointStop",
    "JointTorque",
    "KnifeEdge",
    "LineForce",
    "Lineariser",
    "Marker",
    "MarkerMotion",
    "Material",
    "Mesh",
    "Model",
    "ModelError",
    "Moreau",
    "Newmark",
    "NullSpace",
    "Objective",
    "OneWayClutch",
    "Parallel",
    "Penalty",
    "Perpendicular",
    "Planar",
    "PointGravity",
    "PointOnLine",
    "PointOnPlane",
    "Prismatic",
    "Projection",
    "RackAndPinion",
    "Radau",
    "Reeving",
    "Result",
    "Revolute",
    "RigidContact",
    "Road",
    "Rodas",
    "RollingContact",
    "RollingDisc",
    "RollingSphere",
    "Rope",
    "Rotation",
    "Screw",
    "ScrewCoupling",
    "Section",
    "SemiImplicitEuler",
    "Shape",
    "Sheave",
    "Slider",
    "Spherical",
    "SpringDamper",
    "State",
    "StepJacobian",
    "Stepper",
    "Study",
    "System",
    "TableSpring",
    "Tachometer",
    "Trajectory",
    "Translation",
    "Tyre",
    "TyreForce",
    "Universal",
    "Verlet",
    "Weld",
    "accelerations",
    "check",
    "choice",
    "choose_solver",
    "compile",
    "contact_problem",
    "craig_bampton",
    "energies",
    "energy_flow",
    "equilibria",
    "equilibrium",
    "equilibrium_path",
    "export_c",
    "export_fmu",
    "fit",
    "gradient",
    "grid",
    "gym_env",
    "inverse_dynamics",
    "inverse_kinematics",
    "jacobian",
    "kane",
    "kinematics",
    "linearise",
    "load",
    "loguniform",
    "mass_centre",
    "mass_matrix",
    "minimise",
    "momentum",
    "natural_modes",
    "normal",
    "open_result",
    "parameter_derivatives",
    "required_forces",
    "resume",
    "root_locus",
    "samples",
    "save",
    "sensitivities",
    "show",
    "simulate",
    "simulate_batch",
    "solve_lcp",
    "state_feedback",
    "triangular",
    "uniform",
]
