"""`kane`: the equations of motion in the way of Kane and Huston, as labelled arrays.

With the generalised speeds v_r, the partial velocities V_r of mass centres and the partial angular velocities W_r,

    v_C = sum of V_r v_r,   omega = sum of W_r v_r                                                               (1)
    F_r = sum over bodies of  V_r . f + W_r . n                         generalised active forces                (2)
    F*_r = -sum over bodies of  V_r . m a_C + W_r . (I alpha + omega x I omega)   generalised inertia forces      (3)
    F_r + F*_r + (G^T lambda)_r = 0                                     Kane's equations                         (4)
    S = sum over bodies of  m a_C^2 / 2 + alpha . I alpha / 2 + alpha . (omega x I omega),   dS/da_r = -F*_r      (5)

(Kane and Levinson, Dynamics: Theory and Applications, 1985, sections 2.14, 4.11; Huston, Multibody Dynamics, 1990,
sections 2.4, 6.3; Gibbs 1879, Appell 1899 for (5).) With an orthogonal complement N, G N = 0, and reduced speeds u,

    v = N u + v_0,   a = N du/dt + a_0,   N^T M N du/dt = N^T (F - b - M a_0)                                     (6)

where F* = -(M a + b). Everything is in world axes. Rotors in joints add J v^2 / 2 to the kinetic energy and J a^2 / 2
to S.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.instant.dynamics import as_state, as_vector, generalised_forces
from duoti.analyses.states.at import with_instant
from duoti.analyses.states.consistent import ConstraintJacobian, constraint_jacobian, velocity_labels
from duoti.analyses.states.many_states import for_states
from duoti.analyses.states.supported import refuse_reaction_feedback, refuse_rigid_contacts
from duoti.dynamics.tree.kinematics import marker_jacobian
from duoti.dynamics.workspace import new_workspace
from duoti.kernel import run_entry
from duoti.model.element_id import ElementId
from duoti.model.elements import GROUND
from duoti.model.errors import ChannelError, did_you_mean
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.model import Model
from duoti.renamed import renamed_arguments
from duoti.spatial import Inertia
from duoti.strict import explained
from duoti.system.allocation import allocate
from duoti.system.arrays import Reals
from duoti.system.system import FrameKey, System

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TINY = 1e-30  # complex step: exact to round-off


class PartialMotion(NamedTuple):
    """A body, or a part of one: mass [kg], inertia I about the mass centre [kg m^2], mass centre [m], V, W and dV/dt,
    dW/dt (3 x nv), all in world axes."""

    mass: float
    I: Reals
    centre: Reals
    V: Reals
    W: Reals
    V_rate: Reals
    W_rate: Reals


@dataclass(frozen=True, eq=False)
class Kane:
    """What `kane` found in a state: see the text of the module for the equations.

    k.body(name) has the arrays of a body; columns are in the order of `speeds`, the names of the rates.
    """

    system: System
    q: Reals
    v: Reals
    t: float
    z: Reals
    speeds: tuple[str, ...]
    """Names of the generalised speeds v."""
    bodies: tuple[str, ...]
    """Names of the bodies in the order of their regular labels 1, 2, ..."""
    _motions: dict[str, PartialMotion]
    _pieces: tuple[PartialMotion, ...]
    """The same for the sums over bodies; other than these where a body is split at a cut joint (`shadow_bodies`)."""

    def body(self, name: str) -> dict[str, Any]:
        """Arrays of a body: V, W (3 x nv), their time derivatives V_rate, W_rate, mass, I (about the mass centre),
        centre, velocity, angular_velocity, all in world axes."""
        if name not in self._motions:
            raise ChannelError(f'there is no body "{name}".{did_you_mean(name, self._motions)}')
        motion = self._motions[name]
        return {**motion._asdict(), "velocity": motion.V @ self.v, "angular_velocity": motion.W @ self.v}

    # ------------------------------------------------------------------------------------------------ lower bodies

    @cached_property
    def lower_bodies(self) -> np.ndarray:
        """Huston's lower-body arrays: row n has L^n(j) of the bodies j = 1, 2, ..., 0 for ground; row 0 are the labels.

        The bodies are those of `bodies`, in this order.
        """
        topology = self.system.topology
        assert topology is not None
        rows = [topology.inboard_power(0)]
        while np.any(rows[-1]):
            rows.append(topology.inboard_power(len(rows)))
        return np.array(rows)

    # ------------------------------------------------------------------------------------------------------- sums

    @cached_property
    def mass_matrix(self) -> Reals:
        """Generalised inertia [nv, nv]: sum of m V^T V + W^T I W, and rotors."""
        total = np.diag(self.system.tree.rotor).astype(float)
        for p in self._pieces:
            total += p.mass * p.V.T @ p.V + p.W.T @ p.I @ p.W
        return total

    @cached_property
    def bias(self) -> Reals:
        """b [nv] of F* = -(M a + b): centrifugal and gyroscopic terms, without gravity."""
        total = np.zeros(len(self.speeds))
        for p in self._pieces:
            omega = p.W @ self.v
            total += p.V.T @ (p.mass * (p.V_rate @ self.v))
            total += p.W.T @ (p.I @ (p.W_rate @ self.v) + np.cross(omega, p.I @ omega))
        return total

    def inertia_forces(self, a: ArrayLike) -> Reals:
        """F* [nv], equation (3), for the accelerations a (rates of v)."""
        return -(self.mass_matrix @ as_vector("a", a, self.system.nv) + self.bias)

    @cached_property
    def gravity_forces(self) -> Reals:
        """What gravity contributes to the active forces [nv]: sum of V^T m g."""
        g = np.asarray(self.system.tree.gravity)
        return sum((p.V.T @ (p.mass * g) for p in self._pieces), np.zeros(len(self.speeds)))

    @cached_property
    def element_forces(self) -> dict[str, Reals]:
        """What each force element contributes to the active forces [nv]."""
        names = self.system.model.forces
        return {
            name: generalised_forces(self.system.with_one_force(f), self.q, self.v, self.t, self.z)
            for f, name in enumerate(names)
        }

    @cached_property
    def active_forces(self) -> Reals:
        """F [nv], equation (2): gravity and all force elements."""
        return self.gravity_forces + generalised_forces(self.system, self.q, self.v, self.t, self.z)

    def gibbs(self, a: ArrayLike) -> Any:
        """The Gibbs function S, equation (5), of the accelerations a, which may be complex: dS/da = -F*."""
        a = np.asarray(a)
        total = 0.5 * self.system.tree.rotor @ a**2
        for p in self._pieces:
            omega = p.W @ self.v
            a_C, alpha = p.V @ a + p.V_rate @ self.v, p.W @ a + p.W_rate @ self.v
            total = total + 0.5 * p.mass * a_C @ a_C + 0.5 * alpha @ p.I @ alpha + alpha @ np.cross(omega, p.I @ omega)
        return total

    # ------------------------------------------------------------------------------------------- reduced equations

    @cached_property
    def jacobian(self) -> ConstraintJacobian:
        """Of loops and constraints, with names; no rows for a tree."""
        return constraint_jacobian(self.system, self.q, self.v, self.t)

    @property
    def complement(self) -> Reals:
        """N [nv, freedoms], the orthogonal complement of the constraint Jacobian, a column for each reduced speed."""
        return self.jacobian.free

    @property
    def reduced_speeds(self) -> tuple[str, ...]:
        """Names of the reduced speeds u: rates that can be chosen, all others follow."""
        return self.jacobian.free_names

    @cached_property
    def _independent(self) -> list[int]:
        return [self.speeds.index(name) for name in self.reduced_speeds]

    @cached_property
    def a_0(self) -> Reals:
        """a_0 [nv] of (6): accelerations that the constraints ask for while the reduced speeds do not change."""
        closures, nv = self.system.closures, self.system.nv
        a = np.zeros(nv)
        if closures.rows:
            work = new_workspace(self.system, ydot=True)
            work.y[: len(self.q) + nv], work.clock[0] = np.concatenate([self.q, self.v]), self.t
            work.y[len(self.q) + nv :][: len(self.z)] = self.z
            run_entry(work.calls[0].ydot, work.at[0].system)
            dependent = [i for i in range(nv) if i not in self._independent]
            a[dependent] = np.linalg.lstsq(self.jacobian.matrix[:, dependent], work.gamma, rcond=1e-12)[0]
        return a

    @cached_property
    def reduced_mass_matrix(self) -> Reals:
        """N^T M N."""
        return self.complement.T @ self.mass_matrix @ self.complement

    @cached_property
    def reduced_forces(self) -> Reals:
        """N^T (F - b - M a_0): the right-hand side of (6)."""
        return self.complement.T @ (self.active_forces - self.bias - self.mass_matrix @ self.a_0)

    @cached_property
    def accelerations(self) -> Reals:
        """Rates of v by the reduced equations (6)."""
        if not self.reduced_speeds:
            return self.a_0
        return self.a_0 + self.complement @ np.linalg.solve(self.reduced_mass_matrix, self.reduced_forces)

    # -------------------------------------------------------------------------------------------------- to look at

    def __str__(self) -> str:
        lines = [
            f"{self.system.model.name}: {len(self.bodies)} bodies, {len(self.speeds)} speeds, "
            f"{len(self.reduced_speeds)} of them reduced: {', '.join(self.reduced_speeds)}"
        ]
        wide = max(map(len, self.bodies), default=0)
        for j, name in enumerate(self.bodies, 1):
            lower = ", ".join(str(row[j - 1]) for row in self.lower_bodies[1:] if row[j - 1])
            lines.append(f"{j:4d}  {name.ljust(wide)}  lower bodies: {lower or 'ground'}")
        return "\n".join(lines)

    def plot(self) -> Figure:
        """Size of the partial velocities of each body, generalised inertia, active forces and bias, with names."""
        from duoti.results.plot.analyses import plot_arrays

        sizes = np.array([np.linalg.norm(self._motions[name].V, axis=0) for name in self.bodies])
        turns = np.array([np.linalg.norm(self._motions[name].W, axis=0) for name in self.bodies])
        forces = {"gravity": self.gravity_forces, **self.element_forces, "-bias": -self.bias}
        title = f"{self.system.model.name}: Kane's arrays at t = {self.t:.4g} s"
        return plot_arrays(title, self.bodies, self.speeds, sizes, turns, self.mass_matrix, forces)


@with_instant
@renamed_arguments
@for_states("q", "v", "z")
@explained
def kane(model: Model | System, q: ArrayLike, v: ArrayLike, t: float = 0.0, z: ArrayLike | None = None) -> Kane:
    r"""Partial velocities, generalised forces and reduced equations of a state, as labelled arrays.

    $$V_i = \frac{\partial \dot r_i}{\partial v}, \qquad W_i = \frac{\partial \omega_i}{\partial v}, \qquad
    F_r + F_r^* = 0$$

    `k.body(name)["V"]` is 3 x nv, of the mass centre; `["W"]`, `["V_rate"]`, `["W_rate"]`, `["mass"]` and `["I"]`
    follow, all in world axes. The reduced equations of closed loops need a state that satisfies them.

    Returns
    -------
    A `Kane`; a list of them for N states.
    """
    assert isinstance(model, System)
    system = model
    system.require_dynamics()
    if any(issubclass(each, JointFriction) for each in system.force_types):
        raise ValueError(
            f'model "{system.model.name}" has friction in joints, which follows from reactions: Kane\'s '
            "active forces do not contain it; leave it out"
        )
    refuse_reaction_feedback(system, "dt.kane", forces_only=True)
    refuse_rigid_contacts(system, "dt.kane")
    if system.tree.flexible:
        raise NotImplementedError(
            f'model "{system.model.name}" has flexible bodies: Kane\'s arrays are for rigid ones. dt.mass_matrix and '
            "dt.inverse_dynamics have modal coordinates; flexible.rigid is the body without them"
        )
    q, v = as_state(system, q, v)
    states = system.initial_z() if z is None else as_vector("z", z, system.nz)
    look = _Look(system, q, v)
    assert system.topology is not None
    names = tuple(name for name in system.topology.bodies if name != GROUND)
    motions = {name: look.body(name) for name in names}
    pieces = tuple(motions.values())
    if any(layout.shadow_weld >= 0 for layout in system.joints.values()):
        pieces = look.rows()
    return Kane(system, q, v, float(t), states, velocity_labels(system), names, motions, pieces)


class _Look:
    """Motion of points of the bodies per unit of each rate, and its derivative in time by a complex step."""

    def __init__(self, system: System, q: Reals, v: Reals):
        self.system = system
        self.at = q + 1j * TINY * qdot(system, q, v)
        self.v = v + 0j
        self.work: Any = allocate(system.tree, system.loads, system.closures, complex)  # no entries: no forces

    def body(self, name: str) -> PartialMotion:
        """Of a body of the model, about its mass centre."""
        inertia = self.system.model.bodies[name].inertia
        marker = self.system.markers[FrameKey(ElementId("body", name))]
        if inertia is None:  # massless: about the origin of its frame
            inertia = Inertia.as_given(0.0, (0.0, 0.0, 0.0), np.zeros((3, 3)))
        assert isinstance(inertia, Inertia)
        return self._at(marker, inertia.mass, np.asarray(inertia.com), np.asarray(inertia.matrix))

    def rows(self) -> tuple[PartialMotion, ...]:
        """Of the rows of the compiled tree that have a mass."""
        tree, markers = self.system.tree, self.system.loads.markers
        found: list[PartialMotion] = []
        for b in range(1, tree.nb):
            mass, h, J = tree.inertia[b, 0], tree.inertia[b, 1:4], _symmetric(tree.inertia[b, 4:])
            if mass == 0.0:
                continue
            marker = int(np.flatnonzero(markers.body == b)[0])
            R, p = markers.X_BM[marker, :9].reshape(3, 3), markers.X_BM[marker, 9:]
            com = h / mass
            about_com = J - mass * ((com @ com) * np.eye(3) - np.outer(com, com))
            found.append(self._at(marker, float(mass), R.T @ (com - p), R.T @ about_com @ R))
        return tuple(found)

    def _at(self, marker: int, mass: float, com: Reals, I: Reals) -> PartialMotion:
        system, nv = self.system, self.system.nv
        J: Any = np.zeros((6, nv), complex)
        marker_jacobian(system.tree, system.loads, self.work, self.at, self.v, marker, J)
        row, X_BM = system.loads.markers.body[marker], system.loads.markers.X_BM[marker]
        X_WB = self.work.X_WB[row]
        R_WB = X_WB[:9].reshape(3, 3)
        R = R_WB @ X_BM[:9].reshape(3, 3)
        arm: Any = R @ com
        W, V = J[:3], J[3:] + np.cross(J[:3].T, arm).T
        centre = X_WB[9:] + R_WB @ X_BM[9:] + arm
        turned = R.real @ I @ R.real.T
        return PartialMotion(mass, turned, centre.real, V.real.copy(), W.real.copy(), V.imag / TINY, W.imag / TINY)


def qdot(system: System, q: Reals, v: Reals) -> Reals:
    """dq/dt for the rates v: these themselves, but for quaternions."""
    tree, rates = system.tree, np.zeros(system.nq)
    rates[tree.plain_q] = v[tree.plain_v]
    for k, j in zip(tree.quat_q, tree.quat_v, strict=True):
        (w, x, y, z), (a, b, c) = q[k : k + 4], v[j : j + 3]
        rates[k : k + 4] = (
            0.5 * (-x * a - y * b - z * c), 0.5 * (w * a + y * c - z * b),
            0.5 * (w * b + z * a - x * c), 0.5 * (w * c + x * b - y * a),
        )  # fmt: skip
    return rates


def _symmetric(six: Sequence[float] | Reals) -> Reals:
    """The matrix of xx, xy, yy, xz, yz, zz, as a row of `Tree.inertia` has them."""
    xx, xy, yy, xz, yz, zz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
