"""The compiled form of a model: flat arrays that kernels read (`Tree`, `Loads`) and scratch that they write (`Work`).

Row 0 of every table over bodies is ground. The frame of a body in here is the frame M of its inboard joint, in which
the joint's axis is z; the user's body frame is a marker like any other.

The whole state is y = (q, v, z, work supplied, energy dissipated); z are first-order states with rates by laws.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duoti.kernel import record_dtype

# kinds of motions of a row, `Tree.motion`: any; a turn about z of its frame; a planar or a free joint on ground
ANY_MOTION, REVOLUTE_Z, IN_PLANE, FREELY = 0, 1, 2, 3

Ints = NDArray[np.int64]
Reals = NDArray[np.float64]


class Tree(NamedTuple):
    """What the recursions read. Sizes: nb rows (bodies with ground), nv velocities, nc columns.

    A row moves by its columns (motion subspace, `Work.H`), each of which belongs to a rate: V_J = sum of H_k v[rate_k].
    The rates that a row owns have a column in it (zero if the row's body does not move with it), in their order; so
    first[b] >= iv[b]. A row may also have columns of rates that a row inboard of it owns: so a modal coordinate moves
    every interface of its body in another way. If no row does (shared = 0), column k is that of rate k.
    """

    nb: int
    nq: int
    nv: int
    nc: int  # columns
    shared: int  # 1 if some rate has more than one column; 0: rate[k] = k
    nz: int  # first-order states
    ng: int  # constraint rows
    parent: Ints  # [nb] inboard body
    law: Ints  # [nb] code of the joint law
    iq: Ints  # [nb] where the joint's coordinates begin in q
    iv: Ints  # [nb] where the rates that its law reads begin in v
    dof: Ints  # [nb] how many rates it owns
    first: Ints  # [nb + 1] first column of each row
    rate: Ints  # [nc] the rate that a column belongs to
    inner: Ints  # [nc] the next column inward on the path to ground, -1 at the root
    motion: Ints  # [nb] what its motion is like, for short cuts of the recursions: one of the kinds below
    bias: Ints  # [nb] 1 if the law writes H and c, 0 if H is constant and c is zero
    reverse: Ints  # [nb] 1 if the tree runs from the user's child to the user's parent
    composite: Ints  # [nb] 1 if the joint is a part of a composite one
    X_PF: Reals  # [nb, 12] pose of the joint's frame in the parent's
    joint_parameters: Reals  # [nb, 2 or more] the longest joint's
    flexible: int  # how many bodies are not rigid
    body_law: Ints  # [nb] code of the body's law: 0 rigid, others see dynamics.tree.body_laws
    inertia: Reals  # [nb, 10] mass, first moment, inertia about the body's origin; of row 0, what is welded to ground
    rotor: Reals  # [nv] inertia of a rotor that turns with the joint, added to the diagonal of M
    gravity: Reals  # [3]
    H0: Reals  # [nc, 6] motion subspace where it is constant
    angular: Ints  # [nv] 1 if the rate is an angular one
    plain_q: Ints  # coordinates whose rate is simply a velocity ...
    plain_v: Ints  # ... this one
    quat_q: Ints  # where quaternions begin in q ...
    quat_v: Ints  # ... and their angular velocities in v
    q_of_v: Ints  # [nv] coordinate of each rate, -1 for the rates of a quaternion
    parent_dof: Ints  # [nv] the rate that carries rate i next above it, -1 at the root
    chain_first: Ints  # [nv] first of the consecutive rates that carry rate i (CRBA)
    chain_parent: Ints  # [nv] the next carrying rate above that run, -1 at the root
    moves: Ints  # [nc, ..] 1 if column j moves the axis of the i-th column of its own row along (`Joint.moves`)
    depth: Ints  # [nv] how many rates carry rate i
    M_row: Ints  # [nv] where row i of the packed mass matrix begins: M[i, j] is at M_row[i] + depth[j] if j carries i


class Markers(NamedTuple):
    """Frames fixed in bodies."""

    body: Ints  # [markers]
    X_BM: Reals  # [markers, 12] pose of the marker in its body


class Laws(NamedTuple):
    """Expressions and functions of the user's, and who reads them beside the force elements."""

    signals: Ints  # [signals, 3] kind, i, j
    law_signals: Ints  # [laws, 2] first and last signal of a law
    law_code: Ints  # [laws + 1] where its program begins; it ends where the next one begins
    law_address: Ints  # [laws] address of a function, 0 for a program
    code: Ints  # programs
    constants: Reals
    state_law: Ints  # [nz] law of the rate of each first-order state
    state_mass: Ints  # [nz] 1: law = dz/dt; 0: law = 0, an algebraic state
    event_law: Ints  # [events] law whose zero crossings are wanted
    event_action: Ints  # [events] what it does: one of the actions below
    event_direction: Ints  # [events] 1 rising, -1 falling, 0 both


class Forces(NamedTuple):
    """Force elements, in the order of the model."""

    count: int  # pyright: ignore[reportIncompatibleMethodOverride]
    kind: Ints  # [forces] number of the type in `System.force_types`
    # indices that the type's law reads, by the places of `Force.INTEGERS`; in the last place: where in y the state
    # stands that switches the element, or -1
    integers: Ints  # [forces, ...]
    reals: Reals  # [forces, ...] numbers, by the places of `Force.REALS`
    tables: Reals  # [rows, 6] of force elements and constraints
    block_integers: Ints  # [..] lists of elements that have some (`model.force_blocks`): one block behind the other ...
    block_reals: Reals  # [..] ... and the numbers of these
    block_scratch: int  # how many numbers the kernels of these write, `Work.block_scratch`
    block_lists: int  # how many integers they write, `Work.block_lists`


class Loads(NamedTuple):
    """Markers, laws and force elements."""

    markers: Markers
    laws: Laws
    forces: Forces


# what an event does: it is recorded; it ends the run, too; it makes the state jump, too
RECORDED, ENDS_RUN, JUMPS = range(3)


class Closures(NamedTuple):
    """Cut joints and constraints: equations between a frame a and a frame b, or between coordinates."""

    count: int  # closures  # pyright: ignore[reportIncompatibleMethodOverride]
    rows: int  # equations
    timed: int  # 1 if some value changes with time, or is an expression of the state
    markers: Ints  # [count, 2] a and b
    first: Ints  # [count + 1] first row of each
    common: Ints  # [count] the body where the paths from both frames to ground meet
    parameter: Reals  # [count] advance of a screw per radian, radius of a rolling body, period of a cam
    equation_closure: Ints  # [rows] its closure
    equation_kind: Ints  # [rows] number of its kind in `System.equation_kinds`
    equation_axes: Ints  # [rows, 3] axis of a, axis of b, place in y of the state that switches the row, or -1
    nonholonomic: Ints  # [rows] 1 if it restricts velocities only (rolling, edges)
    kind: Ints  # [kinds + 1] where the list of the rows of each kind begins
    kind_equations: Ints  # [rows] these lists
    value: Reals  # [rows] constant value
    law: Ints  # [rows, 3] laws of a value that changes, and of its two derivatives; -1 if it does not
    terms: Ints  # [rows + 1] where the terms of a row in coordinates begin
    term_q: Ints  # [...] coordinate,
    term_v: Ints  # [...] rate
    term_c: Reals  # [...] and coefficient of each
    term_at: Ints  # [...] place of the rate in the row's part of the list below
    table: Ints  # [rows, 2] first and last row of a cam's table
    support: Ints  # [rows + 1] where the list of rates that a row works on begins (those that carry them included)
    support_dofs: Ints  # [...] these lists, the outermost first
    support_at: Ints  # [...] place of the row in the lists of rows below
    row_columns: Ints  # [rows + 1] where the list of motion columns between the frames of a row begins (Tangent)
    column: Ints  # [nv + 1] where the list of rows that work on rate i begins
    column_rows: Ints  # [...] these lists
    column_at: Ints  # [...] place of the rate in the lists of rates above
    profile: Ints  # [rows] first row that row r shares a rate with
    D_row: Ints  # [rows] D[r, s] is at D_row[r] + s, packed within the profile
    tolerance: float  # residual that counts as closed [m, rad]


class Group(NamedTuple):
    """The context of an entry that is called for several elements of one type: (tree, loads, closures, w) and which."""

    system: int  # address of the context (tree, loads, closures, w)
    first: int  # force elements first ... last - 1, or these places of `Closures.kind_equations`
    last: int


GROUP_WORDS = 8  # room for a packed Group


class TypeEntries(NamedTuple):
    """Addresses of the entries of the types that a system has, and of their contexts; workspace.new_workspace.

    A group of force elements are neighbours of one type, so that all forces are added in the order of the model; a
    group of rows are all of one kind.
    """

    force: Any  # [groups] law of each group of force elements ...
    force_tangent: Any  # [groups] ... and its derivatives
    force_group: Any  # [groups] context (`Group`) of each
    row: Any  # [kinds] equations of each kind of equation ...
    equation_tangent: Any  # [kinds] ... the derivatives of what they do to the motion ...
    equation_acceleration: Any  # [kinds] ... and of their second derivatives
    equation_group: Any  # [kinds] context of each
    memory: Any  # [groups + kinds, GROUP_WORDS] at these addresses


CALLS = record_dtype(
    "Calls",
    ydot=int,  # w.ydot, the time derivative of the state w.y
    events=int,  # w.event, the values of the event functions
    project=int,  # w.y back to closed loops
    equations=int,  # of motion and of the closures: M, f, G, gamma, g, dg/dt in the state w.y
    constraints=int,  # the same without forces and gamma
    pass_singular=int,  # accelerations in w.ydot near a singular position
    values=int,  # w.values, prescribed values of constraints
    states=int,  # the part of w.ydot that belongs to first-order states z
    linearise=int,  # derivatives of the equations of motion (`Tangent`)
    state_tangents=int,  # derivatives of dz/dt
    acceleration_rows=int,  # derivatives of the constraints for accelerations
    residual=int,  # equations of motion with given accelerations and multipliers
    given_multipliers=int,  # accelerations with given multipliers
    algebraic=int,  # algebraic states in w.y
    jump=int,  # changes w.y at a transition, works included; without it Python does
)
"""Addresses of the entries that evaluate a system, 0 for those that a workspace does not have."""


CONTEXTS = record_dtype(
    "Contexts",
    system=int,  # (tree, loads, closures, w)
    dense=int,  # (Dense,)
    tangent=int,  # (Tangent, PathScratch)
    flexible=int,  # (Flex,)
    joint_friction=int,  # (JointFrictionData,)
    reaction_feedback=int,  # (FeedbackData,)
    contact_states=int,  # (ContactStates,)
)
"""Addresses of packed arguments, 0 for those that a workspace does not have."""


EPSILON = 2.0**-52
PROXIMAL_ITERATIONS = 12


class ConstraintSettings(NamedTuple):
    """Of a constraint method: G a = gamma - damping dg/dt - stiffness g. The default is that of least norm."""

    damping: float = 0.0
    stiffness: float = 0.0
    shift: float = 1e-6  # of the scaled Delassus matrix, see dynamics.loops.constrained
    iterations: int = PROXIMAL_ITERATIONS  # at most
    stop_change: float = EPSILON / 1e-6  # relative change that ends them
    condition: float = 0.0  # that asks for other independent velocities; 0: none are chosen


CONSTRAINT_SETTINGS = record_dtype(
    "ConstraintSettings",
    damping=float,
    stiffness=float,
    shift=float,
    iterations=int,
    stop_change=float,
    condition=float,
)
"""The same for kernels."""

LOOPS = record_dtype(
    "Loops",
    rank=int,  # of G; -1: not yet known
    changes=int,  # how often the independent velocities were changed
    unconverged=int,  # how many evaluations left equations unsolved (`constrained.note_unconverged`)
    near_singular=int,  # 1 if the last factors were near a singular position
    spread=float,  # distance of the states from which `pass_singular_entry` interpolates, 0: not yet chosen
)
"""What is known of closed loops from earlier evaluations."""


WANTED = record_dtype(
    "Wanted",
    energies=int,  # 1: the energy stored in bond graphs, which solvers do not need
)


class Work(NamedTuple):
    """Scratch, by the stages of an evaluation in their order. Each field says which function writes it."""

    # the state, its derivative, and how errors of its integration count
    clock: Any  # [1] time; the caller of an entry
    y: Any  # [ny] state (q, v, z, works); the caller of an entry
    ydot: Any  # [ny] its rates; forward.ydot_entry
    error_weights: Any  # [ny] 1 if the error of a state is controlled, else 0 (of works: `dynamics.workspace`)

    # kinematics: poses and velocities of the bodies
    X_PB: Any  # [nb, 12] pose of body in parent; kinematics.joint_sweep
    H: Any  # [nc, 6] motion subspace in the body's frame; constant rows at allocation, others kinematics.joint_sweep
    c: Any  # [nb, 6] bias of the subspace, where tree.bias or tree.reverse; kinematics.joint_sweep
    X_WB: Any  # [nb, 12] pose of body in world; kinematics.world_poses
    V: Any  # [nb, 6] twist of body, in its frame; kinematics.velocities (also rnea, aba)
    C: Any  # [nb, 6] velocity-dependent part of the joint's acceleration; kinematics.velocities

    # laws: expressions and functions of the user's
    law_in: Any  # [..] inputs of a law; laws.law_value
    law_out: Any  # [8] outputs of a function law; laws.law_value
    law_x: Any  # [..] real parts of its inputs, and ...
    law_y: Any  # [8] ... what the function made of them; laws.call_function
    stack: Any  # [..] scratch of expressions

    # force elements
    F_ext: Any  # [nb, 6] wrench of the force elements on the body; tree.applied_forces.call_forces
    tau: Any  # [nv] generalised forces of the force elements; tree.applied_forces.call_forces
    powers: Any  # [3] potential energy, supplied power, dissipated power; tree.applied_forces.call_forces
    force_powers: Any  # [forces, 3] the same of each force element; elements.force_types
    block_scratch: Any  # [Forces.block_scratch] numbers of elements with blocks; their own kernels
    block_lists: Any  # [Forces.block_lists] integers of these, lists of near pairs; elements.neighbour_list
    wanted: Any  # [1] of type WANTED: what callers want besides; results.evaluate.observe, instant.energies_entry

    # first-order states and events
    algebra: Any  # [algebraic states, the same + 5] scratch of their equations; states.algebraic_entry
    event: Any  # [events] values of the event functions; the entry of events

    # bodies that are not rigid
    body_entry: Any  # [nb] addresses of the laws of bodies that are not rigid, if there are any; workspace
    body_task: Any  # [2] body and task of such a law; dynamics.tree.body_laws
    body_tau: Any  # [nv] generalised forces of such bodies in their own coordinates; rnea_outward
    body_sums: Any  # [12] energies and momentum of such bodies; dynamics.tree.energy

    # inverse dynamics, Newton-Euler
    A: Any  # [nb, 6] spatial acceleration minus gravity; rnea, aba
    F: Any  # [nb, 6] wrench through the inboard joint, on the body; rnea

    # forward dynamics of trees, articulated bodies
    P: Any  # [nb, 6] bias wrench; aba
    Y: Any  # [nb, 21] articulated inertia; aba
    U: Any  # [nv, 6] aba
    D: Any  # [nv] aba
    u: Any  # [nv] aba

    # mass matrix, composite bodies
    X_RB: Any  # [nb, 12] pose of body in the first body of its tree; crba
    I_R: Any  # [nb, 10] composite inertia in that frame; crba
    S_R: Any  # [6, nc] motion subspace in that frame; crba
    M: Any  # packed along the branches (Tree.M_row): mass matrix, then its factor L; loops.factors.factorise

    # constraint equations and their Jacobian
    values: Any  # [rows, 3] value of each row and its two derivatives; the entry of values
    frames: Any  # [closures, FRAME_NUMBERS] geometry and motion of both, places below; loops.constraints.closure_frames
    terms: Any  # [terms, 3] coordinate, rate, dg/dq of each term of rows; loops.constraints.evaluate_closures
    g: Any  # [rows] residuals of the closures; loops.constraints.evaluate_closures
    gdot: Any  # [rows] their rates; loops.constraints.evaluate_closures
    gamma: Any  # [rows] G a = gamma; loops.constraints.evaluate_closures
    # [rows, 6] wrench of a unit multiplier on b about the first body's origin, world axes; closures
    equation_wrench: Any
    S_W: Any  # [6, nc] motion subspace about that point, in world axes; loops.constraints.closure_jacobian
    G: Any  # [support_dofs] rows on the rates they work on, one after the other; loops.constraints.closure_jacobian

    # forward dynamics with constraints: factors
    method: Any  # [1] of type CONSTRAINT_SETTINGS; workspace.new_workspace
    L_G: Any  # [column_rows] columns of (L^-T G^T)^T, one after the other; loops.factors.factorise
    delassus: Any  # packed within its profile (Closures.D_row): factor of D = G M^-1 G^T; loops.factors.factorise
    scaling: Any  # [rows] of D; loops.factors.factorise
    usual_pivots: Any  # [rows] the largest pivot seen of each row; loops.factors.factorise
    loops: Any  # [1] of type LOOPS; loops.factors, constrained, constraint_methods

    # ... and what is solved with them
    a_free: Any  # [nv] accelerations without closures, scratch; constrained. Residuals of the motion; residual
    dense_row: Any  # [nv] a row of G with its zeros; scratch of constrained
    rhs: Any  # [rows] scratch of constrained
    solution: Any  # [rows] scratch of constrained
    multipliers: Any  # [rows] constrained.constrained_dynamics
    kept: Any  # [nq + nv] the state from which neighbours are tried; loops.projection, constraint_methods.reduced
    passage: Any  # [3, nv] direction through a singular position, two interpolations; loops.projection

    # entries to call, where their arguments are, and what was computed
    types: TypeEntries  # addresses of the entries of force types and kind of equation; workspace.new_workspace
    calls: Any  # [1] of type CALLS: which entries to call; workspace.new_workspace
    at: Any  # [1] of type CONTEXTS: where the entries find their arguments; workspace.new_workspace
    block: Any  # the memory at most of these addresses
    stages: Any  # [N_STAGES] which of the above belong to the present state, in the checked build; system.stages


# places in a row of Work.frames: rotation matrices of a and b; d from a to b; b's point from the common centre; angular
# velocities; velocity of b's point less that of a's; angular accelerations; the same difference of accelerations
ROTATION_A, ROTATION_B, DISTANCE, POINT, OMEGA_A, OMEGA_B, VELOCITY, ALPHA_A, ALPHA_B, ACCELERATION = (
    0,
    9,
    18,
    21,
    24,
    27,
    30,
    33,
    36,
    39,
)
FRAME_NUMBERS = 42
ENERGY_ACCUMULATORS = 2  # states of work (supplied, dissipated) behind q, v and z


def by_mass_matrix(tree: Tree) -> bool:
    """Whether forward dynamics of the tree needs its mass matrix: the articulated-body algorithm is for joints only."""
    return tree.shared > 0 or tree.flexible > 0


def size_of_state(tree: Tree) -> int:
    """Length of y = (q, v, z, work supplied, energy dissipated)."""
    return tree.nq + tree.nv + tree.nz + ENERGY_ACCUMULATORS


def runs_of(forces: Forces) -> list[int]:
    """Where the groups of neighbouring force elements of one type begin, and where the last one ends."""
    kind = forces.kind[: forces.count]
    return [0, *(np.flatnonzero(np.diff(kind)) + 1).tolist(), len(kind)] if len(kind) else [0]


class Dense(NamedTuple):
    """Scratch of the constraint methods with dense algebra; apart, so that the others do not have to hand it on."""

    matrices: Any  # [6, n, n], n the larger of rows and nv; places in loops.constraint_methods.scaled
    vectors: Any  # [7, n]
    order: Any  # [n] rates, dependent ones first


def dense_size(tree: Tree, closures: Closures) -> int:
    """How many numbers `allocate_dense` takes."""
    n = max(tree.nv, closures.rows)
    return 6 * n * n + 8 * n


def allocate_dense(tree: Tree, closures: Closures, memory: Reals) -> Dense:
    """Arrays in the given memory, which must outlive them."""
    n = max(tree.nv, closures.rows)
    k = 6 * n * n
    order: Any = memory[k + 7 * n :].view(np.int64)
    order[:] = np.arange(n)
    return Dense(memory[:k].reshape(6, n, n), memory[k : k + 7 * n].reshape(7, n), order)


def freeze(arrays: Any) -> None:
    """Make the arrays of a Tree or Loads read-only."""
    for field in arrays:
        if isinstance(field, np.ndarray):
            field.flags.writeable = False
        elif isinstance(field, tuple):
            freeze(field)


Kernel = Callable[..., Any]
