"""`Result`: a motion with everything that can be asked of it, labelled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from duoti.dynamics.treatments import Treatment
from duoti.dynamics.workspace import DEFAULT
from duoti.model.cuts import cut_weights
from duoti.model.errors import ChannelError
from duoti.model.joints.base import quaternions_of
from duoti.model.mobility import directions, lasting, mobility
from duoti.model.names import Quantity, all_names, find_quantity
from duoti.results.looks import Looks
from duoti.results.observe import ACCELERATIONS, ENERGIES, FRAMES, REACTIONS, STATE_RATES, Observation, observe
from duoti.results.relative import relative_state
from duoti.results.singular import Singularity, singularities
from duoti.system.arrays import WORKS, Reals
from duoti.system.compiler import quantity_indices
from duoti.system.system import System
from duoti.topology import topology

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Stats:
    """What the solver did. seconds: wall time of the integration, compilation excluded."""

    solver: str
    steps: int
    rejected: int
    evaluations: int
    seconds: float
    repartitions: int = 0  # how often `CoordinatePartitioning` chose other independent coordinates
    jacobians: int = 0  # of implicit solvers
    notes: tuple[str, ...] = ()  # what the solver chose by itself, and why


@dataclass(frozen=True)
class EventRecord:
    """An event that happened: its name, the time [s], and the coordinates, rates and first-order states then."""

    name: str
    t: float
    q: Reals
    v: Reals
    z: Reals


@dataclass(frozen=True)
class Energy:
    """Energies over time [J].

    total = kinetic + gravity + elastic; supplied: work done by drives and applied forces since the start; dissipated:
    energy lost in dampers since the start; residual = total - supplied + dissipated, less that at the first output: the
    error of integration since then.
    """

    kinetic: Reals
    gravity: Reals
    elastic: Reals
    supplied: Reals
    dissipated: Reals

    @property
    def potential(self) -> Reals:
        """Of gravity and elastic elements."""
        return self.gravity + self.elastic

    @property
    def total(self) -> Reals:
        """Kinetic and potential."""
        return self.kinetic + self.gravity + self.elastic

    @property
    def residual(self) -> Reals:
        """What the balance of energy does not account for."""
        balance = self.total - self.supplied + self.dissipated
        return balance - balance[0]


class Result(Looks):
    """The motion of a system: states over time, and all that follows from them, computed when asked for.

    r.t are the times [s]; r["A.angle"], r["crank.position"], ... the channels (r.channels lists them), arrays over r.t
    with one column per component where there are several. r.ok is False if the run did not reach its end; r.reason
    says why it ended.
    """

    def __init__(
        self,
        system: System,
        t: Reals,
        y: Reals,
        ok: bool,
        reason: str,
        stats: Stats,
        events: Sequence[EventRecord] = (),
        settings: str = "",
        constraints: Treatment = DEFAULT,
    ):
        self.system = system
        self.model = system.model
        self.t = t
        self._y = y
        self.ok = ok
        self.reason = reason
        self.stats = stats
        self.events = tuple(events)
        self.settings = settings
        self.constraints = constraints
        self.error: BaseException | None = None
        for array in (self.t, self._y):
            array.setflags(write=False)

    # --------------------------------------------------------------------------------------------------- the states

    @property
    def q(self) -> Reals:
        """All coordinates, one row per time, in the order of `system.coordinate_names`."""
        return self._y[:, : self.system.nq]

    @property
    def v(self) -> Reals:
        """All rates, one row per time, in the order of `system.rate_names`."""
        return self._y[:, self.system.nq : self.system.nq + self.system.nv]

    @property
    def z(self) -> Reals:
        """All first-order states, one row per time, in the order of `system.state_names`."""
        first = self.system.nq + self.system.nv
        return self._y[:, first : first + self.system.nz]

    @property
    def states(self) -> Reals:
        """Whole states, one row per time: q, v, z, work supplied, energy dissipated."""
        return self._y

    # ----------------------------------------------------------------------------------------------------- channels

    @property
    def channels(self) -> list[str]:
        """Names of all channels."""
        return all_names(self.model)

    def unit(self, name: str) -> str:
        """Unit of a channel."""
        return find_quantity(self.model, name).unit

    def __getitem__(self, name: str) -> Reals:
        quantity = find_quantity(self.model, name)
        of_kind = {"joint": self._joint, "state": self._state}
        values = of_kind.get(quantity.kind, self._frame)(quantity)
        if quantity.component is not None:
            return values[:, quantity.component]
        return values[:, 0] if quantity.size == 1 else values

    def __contains__(self, name: str) -> bool:
        try:
            find_quantity(self.model, name)
        except ChannelError:
            return False
        return True

    def _joint(self, quantity: Quantity) -> Reals:
        place = self.system.joints[quantity.item]
        if place.link >= 0 and not quantity.what.startswith("reaction"):
            return self._cut_joint(quantity)
        if quantity.what == "q":
            return self.q[:, place.q]
        if quantity.what == "v":
            return self.v[:, place.v]
        if quantity.what == "a":
            return self._forces.a[:, place.v]
        if quantity.what.startswith("reaction"):
            force, torque = self.reaction(quantity.item)
            return force if quantity.what == "reaction_force" else torque
        in_q, in_v = quantity_indices(self.model.joints[quantity.item].joint, quantity.what)
        return self.q[:, place.q[in_q]] if in_q else self.v[:, place.v[in_v]]

    def _cut_joint(self, quantity: Quantity) -> Reals:
        """Coordinates and rates of a joint that was cut, from the relative motion of its frames."""
        joint, place = self.model.joints[quantity.item].joint, self.system.joints[quantity.item]
        frames = observe(self.system, self.t, self._y, FRAMES, [place.parent_marker, place.child_marker]).frames
        q, v = relative_state(joint, frames[:, 0], frames[:, 1])
        in_q, in_v = quantity_indices(joint, quantity.what)
        if quantity.what in ("q", "v"):
            return q if quantity.what == "q" else v
        if quantity.what == "a":
            raise ChannelError(f'joint "{quantity.item}" closes a loop: its second derivatives are not available')
        return q[:, in_q] if in_q else v[:, in_v]

    def _state(self, quantity: Quantity) -> Reals:
        values = self.z if quantity.what == "" else observe(self.system, self.t, self._y, STATE_RATES).zdot
        k = self.system.state_names.index(quantity.item)
        return values[:, k : k + 1]

    def _frame(self, quantity: Quantity) -> Reals:
        key = f"body:{quantity.item}" if quantity.kind == "body" else quantity.item
        marker = self.system.markers[key]
        if quantity.what in ("acceleration", "angular_acceleration"):
            seen = observe(self.system, self.t, self._y, ACCELERATIONS, [marker], self.constraints)
            seen = seen.frame_accelerations[:, 0]
            return seen[:, 3:] if quantity.what == "acceleration" else seen[:, :3]
        frames = observe(self.system, self.t, self._y, FRAMES, [marker]).frames[:, 0]
        if quantity.what == "rotation":
            return quaternions_of(frames[:, :9].reshape(-1, 3, 3))
        first = {"position": 9, "angular_velocity": 12, "velocity": 15}[quantity.what]
        return frames[:, first : first + 3]

    # ----------------------------------------------------------------------------------------- energies and reactions

    @cached_property
    def _energies(self) -> Reals:
        seen = observe(self.system, self.t, self._y, ENERGIES).energies
        seen.setflags(write=False)
        return seen

    @cached_property
    def _forces(self) -> Observation:
        return observe(self.system, self.t, self._y, REACTIONS, constraints=self.constraints)

    @cached_property
    def energy(self) -> Energy:
        """Energies over time and their balance."""
        e, works = self._energies, self._y[:, -WORKS:]
        return Energy(e[:, 0], e[:, 1], e[:, 2], works[:, 0], works[:, 1])

    @property
    def angular_momentum(self) -> Reals:
        """Of all bodies about their common mass centre [N m s], world axes."""
        return self._energies[:, 5:8]

    @property
    def linear_momentum(self) -> Reals:
        """Of all bodies [N s], world axes."""
        return self._energies[:, 8:11]

    @property
    def mass_centre(self) -> Reals:
        """Of all bodies [m], world."""
        return self._energies[:, 11:14]

    def reaction(
        self, joint: str, at: Literal["child", "parent"] = "child", frame: str = "world"
    ) -> tuple[Reals, Reals]:
        """Reaction force [N] and torque [N m] of the parent on the child over time.

        at: the torque is about the origin of the joint's frame on the child or on the parent (they differ where the
        joint slides). frame: axes of the components, "world" or the name of a body or marker. What drives the joint
        (motors, springs in it) is not part of the reaction.
        """
        if joint not in self.system.joints:
            raise ChannelError(f'there is no joint "{joint}"')
        place = self.system.joints[joint]
        markers = [place.child_marker, place.parent_marker]
        markers.append(markers[0] if frame == "world" else self.system.marker_index(frame))
        frames = observe(self.system, self.t, self._y, FRAMES, markers).frames
        p_child, p_parent = frames[:, 0, 9:12], frames[:, 1, 9:12]
        if place.link >= 0:
            wrench = self._forces.closing[:, place.link]
            return self._expressed(
                wrench[:, 3:], wrench[:, :3], p_child, p_child if at == "child" else p_parent, frames, frame
            )
        wrench = self._forces.wrenches[:, place.body]
        R_WB = self._row_rotation(place.body)
        torque, force = np.einsum("nij,nj->ni", R_WB, wrench[:, :3]), np.einsum("nij,nj->ni", R_WB, wrench[:, 3:])
        here = p_child
        if place.reversed:  # the wrench is that of the child on the parent, at the parent's frame
            torque, force, here = -torque, -force, p_parent
        return self._expressed(force, torque, here, p_child if at == "child" else p_parent, frames, frame)

    @staticmethod
    def _expressed(
        force: Reals, torque: Reals, here: Reals, there: Reals, frames: Reals, frame: str
    ) -> tuple[Reals, Reals]:
        """A wrench about the point `here`, in world axes, moved to `there` and turned into the third of the frames."""
        torque = torque + np.cross(here - there, force)
        if frame != "world":
            R_FW = np.transpose(frames[:, 2, :9].reshape(-1, 3, 3), (0, 2, 1))
            force, torque = np.einsum("nij,nj->ni", R_FW, force), np.einsum("nij,nj->ni", R_FW, torque)
        return force, torque

    @cached_property
    def singularities(self) -> tuple[Singularity, ...]:
        """Singular positions that the motion passed, with time and joints; found between outputs that are not too far
        apart."""
        return singularities(self.system, self.t, self._y)

    @cached_property
    def not_unique(self) -> dict[str, str]:
        """Joints of closed loops whose reactions are not unique -> the components concerned, in words (world axes).

        "force y, torque x, z": these depend on how the parts give way, which rigid bodies do not tell; r[...] has those
        of least norm. All other components are unique. Judged near the reference configuration; empty for a tree.
        """
        if len(self.model.joints) <= len(self.model.bodies):  # a tree: every body hangs on one joint
            return {}
        topo = topology(self.model, weights=cut_weights(self.model))
        groups = (lasting(self.model, topo, group) for group in mobility(self.model, topo))
        found = {name: directions(w) for group in groups for name, w in group.stresses.items()}
        return {name: found[name] for name in self.model.joints if name in found}

    def multipliers(self, name: str) -> Reals:
        """Multipliers of a constraint over time, one column per equation [N, N m, or per coordinate].

        Of a prescribed motion: the driving force or torque.
        """
        key = name if name in self.system.link_names else f"constraint:{name}"
        if key not in self.system.link_names:
            raise ChannelError(f'there is no constraint or cut joint "{name}"')
        link = self.system.link_names.index(key)
        first = self.system.links.first
        return self._forces.multipliers[:, first[link] : first[link + 1]]

    def _row_rotation(self, row: int) -> Reals:
        """Orientation in the world of a row's own frame, from any marker on it."""
        marker = int(np.flatnonzero(self.system.loads.marker_body == row)[0])
        R_WM = observe(self.system, self.t, self._y, FRAMES, [marker]).frames[:, 0, :9].reshape(-1, 3, 3)
        return R_WM @ self.system.loads.X_BM[marker, :9].reshape(3, 3).T

    # ---------------------------------------------------------------------------------------------- tables

    def to_pandas(self, channels: Sequence[str] | None = None) -> pd.DataFrame:
        """A table with one column per component, times as the index; by default all coordinates, rates and
        first-order states."""
        try:
            import pandas as pd
        except ImportError:
            raise ImportError('to_pandas needs pandas: pip install "duoti[data]"') from None
        names = channels
        if names is None:
            joints = self.system.joints
            names = [f"{j}.{label}" for j in joints for label in ("q", "v") if self.model.joints[j].nv]
            names += self.system.state_names
        columns: dict[str, Any] = {}
        for name in names:
            values = self[name]
            if values.ndim == 1:
                columns[name] = values
            else:
                letters = "xyz" if values.shape[1] == 3 else "wxyz" if values.shape[1] == 4 else None
                for i in range(values.shape[1]):
                    columns[
                        f"{name}.{letters[i]}" if letters and not name.endswith((".q", ".v")) else f"{name}[{i}]"
                    ] = values[:, i]
        return pd.DataFrame(columns, index=pd.Index(self.t, name="t"))

    def summary(self) -> str:
        """The run in a few lines."""
        from duoti.results.summary import summary

        return summary(self)

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        state = "ok" if self.ok else "FAILED"
        return f"<result of {self.model.name!r}: {state}, {self.reason}; {len(self.t)} outputs>"
