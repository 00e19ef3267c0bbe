"""`Result`: a motion with everything that can be asked of it, labelled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from duoti.dynamics.loops.constraint_methods import ConstraintMethod
from duoti.dynamics.workspace import DEFAULT
from duoti.integrate.record import ACCELERATION, CONTACT, MULTIPLIERS, NO_RECORD, RecordLayout
from duoti.model.element_id import ElementId
from duoti.model.errors import ChannelError, did_you_mean
from duoti.model.mechanism.choose_tree import relative_tree
from duoti.model.mechanism.mobility import directions, lasting, mobility
from duoti.model.model import Model
from duoti.model.quantities import Quantity, all_names, find_quantity
from duoti.results import export_tables
from duoti.results.errors import ResultFileError
from duoti.results.evaluate.channels import constraint_values, contact_values, energy_values, force_values, frame_values
from duoti.results.evaluate.observe import ENERGIES, FRAMES, REACTIONS, STATE_RATES, Observation, observe
from duoti.results.evaluate.relative_coordinates import cut_joint_state
from duoti.results.evaluate.singular_positions import Singularity, singularities
from duoti.results.layout import MissingModel, ResultLayout
from duoti.results.records import Energy, EventRecord, Reason, ReasonCode, Stats, impacts_of
from duoti.strict import explained_methods
from duoti.system.arrays import ENERGY_ACCUMULATORS, Reals
from duoti.system.compile.flexible_bodies import FlexibleLayout
from duoti.system.quantities import quantity_indices
from duoti.system.system import System

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from matplotlib.figure import Figure

    from duoti.contact.event_driven.records import ImpactRecord
    from duoti.results.evaluate.beam_fields import Along
    from duoti.results.evaluate.event_driven_contacts import ContactRun
    from duoti.results.evaluate.time_stepping_contacts import TimeSteppingRun


class Columns:
    """Some columns of an array, or of what reads one from a file; read when rows are asked for."""

    def __init__(self, array: Any, columns: list[int]):
        self.array, self.columns = array, columns

    def __getitem__(self, rows: slice) -> Any:
        return self.array[rows, self.columns]


def columns_of_multipliers(system: System, layout: RecordLayout) -> list[int]:
    """Where in a record the multipliers of the closures of a system are, in the order of its rows."""
    blocks = layout.columns_of(MULTIPLIERS)
    wanted = dict(zip(system.closure_names, np.diff(system.closures.first).tolist(), strict=True))
    if {owner: len(columns) for owner, columns in blocks.items()} != wanted:
        raise ResultFileError(
            "the multipliers that the solver recorded belong to other equations than those that this version of duoti "
            "makes of the model; result.recompute() has reactions and accelerations that follow from the states"
        )
    return [column for owner in system.closure_names for column in blocks[owner]]


MOST_NUMBERS = 4_000_000
"""Stresses that are in memory at a time."""


class LargestStress(NamedTuple):
    """Where and when the equivalent stress of a flexible body is largest."""

    value: float
    """Von Mises' stress [Pa]."""
    node: int
    time: float


def flexible_layout(result: Result, body: str) -> FlexibleLayout:
    """Where a flexible body is; ChannelError if it is none."""
    found = result.system.flexible
    if body not in found:
        known = ", ".join(found) or "there are none"
        raise ChannelError(f'"{body}" is no flexible body ({known}).{did_you_mean(body, list(found)) or ""}')
    return found[body]


def _stresses(layout: FlexibleLayout, body: str) -> Reals:
    """[nodes, 6, n] stresses of unit modal coordinates."""
    shown = layout.reduced.display
    if shown is None or shown.stresses is None:
        raise ChannelError(
            f'flexible body "{body}" has no stresses: bodies of meshes (Flexible.from_mesh) and beams of add_beam have'
        )
    return shown.stresses


def _node(layout: FlexibleLayout, body: str, node: int | str) -> int:
    """The number of a node."""
    shown = layout.reduced.display
    if shown is None:
        raise ChannelError(f'flexible body "{body}" was given without nodes; ask for markers at its interfaces')
    if isinstance(node, str):
        names = shown.names or ()
        if node not in names:
            raise ChannelError(f'flexible body "{body}" has no node "{node}".{did_you_mean(node, list(names)) or ""}')
        node = names.index(node)
    if not 0 <= node < len(shown.nodes):
        raise ChannelError(f'flexible body "{body}" has nodes 0 ... {len(shown.nodes) - 1}, not {node}')
    return int(node)


@explained_methods
class Result:
    """The motion of a system: states over time, and all that follows from them, computed on demand.

    `r["A.angle"]`, `r["crank.position"]` and so on are channels: arrays over `r.t`, with one column per component where
    there are several. `r.channels` lists them.

    Attributes
    ----------
    ok:
        `False` if the run did not reach its end.
    status:
        "finished", "failed" or "interrupted"; for a file also "running" or "killed".
    stats:
        Steps, evaluations, times and notes of the run.
    """

    def __init__(
        self,
        system: System | Callable[[], System],
        t: Any,
        y: Any,
        ok: bool,
        reason: Reason | str,
        stats: Stats,
        events: Iterable[EventRecord] = (),
        settings: str = "",
        constraints: ConstraintMethod = DEFAULT,
        status: str = "finished",
        layout: ResultLayout | None = None,
        record: Any = None,
        record_layout: RecordLayout = NO_RECORD,
    ):
        """system: or a function that makes it; t, y, record: arrays, or what reads them from a file by indices."""
        self._system = system
        self._t, self._y = t, y
        self._x: Any = np.zeros((len(y), 0)) if record is None else record
        self.record_layout = record_layout
        self.ok = ok
        self.why_ended = reason if isinstance(reason, Reason) else Reason("unknown", reason)
        self.stats = stats
        self._events = events
        self.settings = settings
        self.constraints = constraints
        self.status = status
        self.error: BaseException | None = None
        self._contact_run: ContactRun | None = None
        self.stored_contact_states: Any = None  # of an event-driven run in a file: an array when it is asked for
        self.known_impacts: Iterable[ImpactRecord] | None = ()  # None: of a file from before they were kept
        self._layout = layout
        for array in (t, y, self._x):
            if isinstance(array, np.ndarray):
                array.setflags(write=False)

    @property
    def contact_run(self) -> ContactRun | None:
        """What is known about the rigid contacts of an event-driven run; None for other runs."""
        if self._contact_run is None and self.stored_contact_states is not None:
            from duoti.results.evaluate.event_driven_contacts import replayed

            found = replayed(self.system, np.asarray(self.stored_contact_states), self.impacts)
            found.record(self.t, np.asarray(self._y[:]))
            self._contact_run = found
        return self._contact_run

    @contact_run.setter
    def contact_run(self, run: ContactRun | None) -> None:
        self._contact_run = run

    def __getstate__(self) -> dict[str, Any]:
        """For copies and other processes: what kernels know by address is left out, and made again when asked for."""
        state = dict(vars(self))
        if self._contact_run is not None:
            state |= {"stored_contact_states": self.contact_states, "known_impacts": self.impacts, "_contact_run": None}
        state.pop("time_stepping", None)
        return state

    @property
    def contact_states(self) -> Reals | None:
        """Changes of contacts of an event-driven run, as its file has them; None for other runs."""
        if self.stored_contact_states is not None:
            return np.asarray(self.stored_contact_states)
        if self._contact_run is None:
            return None
        from duoti.contact.event_driven.contact_states import row_of_states

        return np.array([row_of_states(*each) for each in self._contact_run.history])

    @property
    def reason(self) -> str:
        """Why the run ended, in a sentence."""
        return self.why_ended.text

    @property
    def reason_code(self) -> ReasonCode:
        """Why the run ended, in a short word that stays as it is: "end-time", "event", "interrupted", ..."""
        return self.why_ended.code

    @cached_property
    def system(self) -> System:
        """The compiled model."""
        return self._system if isinstance(self._system, System) else self._system()

    @property
    def model(self) -> Model:
        """The model."""
        return self.system.model

    @cached_property
    def layout(self) -> ResultLayout:
        """Names, units and numbers of the columns of the state."""
        return self._layout or ResultLayout.of(self.system)

    @property
    def states(self) -> Any:
        """The whole states, one row per time, in the order of `layout.columns`; of a file, read by indices."""
        return self._y

    @cached_property
    def t(self) -> Reals:
        """Times [s]."""
        t = np.asarray(self._t[:])
        t.setflags(write=False)
        return t

    @cached_property
    def events(self) -> tuple[EventRecord, ...]:
        """What happened, in the order of time."""
        return tuple(self._events)

    # --------------------------------------------------------------------------------------------------- the states

    @property
    def q(self) -> Reals:
        """All coordinates, one row per time, in the order of `system.coordinate_names`."""
        return self._y[:, : self.layout.nq]

    @property
    def v(self) -> Reals:
        """All rates, one row per time, in the order of `system.rate_names`."""
        return self._y[:, self.layout.nq : self.layout.nq + self.layout.nv]

    @property
    def z(self) -> Reals:
        """All first-order states, one row per time, in the order of `system.state_names`."""
        first = self.layout.nq + self.layout.nv
        return self._y[:, first : first + self.layout.nz]

    # ----------------------------------------------------------------------------------------------------- channels

    @property
    def channels(self) -> list[str]:
        """Names of all channels; of a file without its model, the columns of the state."""
        return all_names(self.model) if self.has_model else list(self.layout.columns)

    def unit(self, name: str) -> str:
        """Unit of a channel."""
        if not self.has_model:
            return self.layout.units[self.layout.column(name)]
        return find_quantity(self.model, name).unit

    @property
    def has_model(self) -> bool:
        """False for a file without the text of its model, if the model was not given."""
        return not isinstance(self._system, MissingModel)

    def __getitem__(self, name: str) -> Reals:
        if not self.has_model:
            return self._y[:, [self.layout.column(name)]][:, 0]
        quantity = find_quantity(self.model, name)
        of_kind = {"joint": self._joint, "state": self._state, "body": self._frame, "marker": self._frame}
        if quantity.kind in of_kind:
            values = of_kind[quantity.kind](quantity)
        else:
            of_others = {
                "force": force_values, "constraint": constraint_values, "energy": energy_values,
                "contact": contact_values, "graph": _graph_values, "sensor": _sensor_values,
            }  # fmt: skip
            values = of_others[quantity.kind](self, quantity)
        if quantity.component is not None:
            return values[:, quantity.component]
        return values[:, 0] if quantity.size == 1 else values

    def __contains__(self, name: str) -> bool:
        try:
            self.unit(name)
        except ChannelError:
            return False
        return True

    def _joint(self, quantity: Quantity) -> Reals:
        joint_layout = self.system.joints[quantity.item]
        if joint_layout.closure >= 0 and not quantity.what.startswith("reaction"):
            return self._cut_joint(quantity)
        if quantity.what == "q":
            return self._y[:, joint_layout.q]
        if quantity.what == "v":
            return self._y[:, self.system.nq + joint_layout.v]
        if quantity.what == "a":
            return self._forces.a[:, joint_layout.v]
        if quantity.what.startswith("reaction"):
            force, torque = self.reaction(quantity.item)
            return force if quantity.what == "reaction_force" else torque
        in_q, in_v = quantity_indices(self.model.joints[quantity.item].joint, quantity.what)
        return self._y[:, joint_layout.q[in_q] if in_q else self.system.nq + joint_layout.v[in_v]]

    def _cut_joint(self, quantity: Quantity) -> Reals:
        """Coordinates and velocities of a joint that was cut, from the relative motion of its frames."""
        q, v = cut_joint_state(self.system, quantity.item, self.t, self._y)
        in_q, in_v = quantity_indices(self.model.joints[quantity.item].joint, quantity.what)
        if quantity.what in ("q", "v"):
            return q if quantity.what == "q" else v
        if quantity.what == "a":
            raise ChannelError(f'joint "{quantity.item}" closes a loop: its second derivatives are not available')
        return q[:, in_q] if in_q else v[:, in_v]

    def _state(self, quantity: Quantity) -> Reals:
        if quantity.item not in self.system.state_names:  # a vector
            first = self.system.state_names.index(f"{quantity.item}[0]")
            return self.z[:, first : first + quantity.size]
        k = self.system.state_names.index(quantity.item)
        if quantity.what and not self.system.loads.laws.state_mass[k]:
            raise ChannelError(f'state "{quantity.item}" is algebraic: an equation 0 = f determines it, and no rate')
        values = self.z if quantity.what == "" else observe(self.system, self.t, self._y, STATE_RATES).zdot
        return values[:, k : k + 1]

    def _frame(self, quantity: Quantity) -> Reals:
        return frame_values(self, quantity)

    # ----------------------------------------------------------------------------------------- energies and reactions

    @cached_property
    def _energies(self) -> Reals:
        seen = observe(self.system, self.t, self._y, ENERGIES).energies
        seen.setflags(write=False)
        return seen

    @property
    def impacts(self) -> tuple[ImpactRecord, ...]:
        """Impacts of rigid contacts and stops in the order of time; `results.records` says what counts as one."""
        return impacts_of(self)

    @cached_property
    def energy(self) -> Energy:
        """Energies over time and their balance."""
        e, works = self._energies, self._y[:, -ENERGY_ACCUMULATORS:]
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

    @cached_property
    def singularities(self) -> tuple[Singularity, ...]:
        """Singular positions that the motion passed, with time and joints; found between outputs that are not too far
        apart."""
        return singularities(self.system, self.t, self._y)

    def summary(self) -> str:
        """The run in a few lines."""
        from duoti.results.summary import summary

        return summary(self)

    def __len__(self) -> int:
        return len(self._y)

    def __repr__(self) -> str:
        state = "ok" if self.ok else self.status if self.status == "running" else "FAILED"
        return f"<result of {self.layout.model!r}: {state}, {self.reason}; {len(self)} outputs>"

    # ----------------------------------------------------------------------------------------- what the solver recorded

    """Blocks, names (`columns`) and units of the columns of `record`; empty for solvers that write none."""

    @property
    def record(self) -> Any:
        """What the solver wrote beside the state, one row per time, in the order of `record_layout.columns`.

        Of a file, read by indices. NaN: not written, because it follows from the state.
        """
        return self._x

    @property
    def recorded_multipliers(self) -> Columns | None:
        """Multipliers that the solver recorded, a row per time, read by slices; None: they follow from the state."""
        return self._multipliers

    @cached_property
    def _multipliers(self) -> Columns | None:
        """The multipliers that were recorded, in the order of the system's rows; None if there are none."""
        if not self.record_layout.columns_of(MULTIPLIERS):
            return None
        return Columns(self._x, columns_of_multipliers(self.system, self.record_layout))

    def source(self, name: str) -> str:
        """Where the numbers of a channel, or of "multipliers", come from.

        - "state": a column of the state.
        - "computed": computed from the states on demand.
        - "record": written by the solver beside the state; with time stepping, means over the step.
        - "record in part": written where the solver did so, computed elsewhere (`Auto`).

        Parameters
        ----------
        name:
            Name of a channel, or "multipliers".
        """
        if not self.has_model:
            self.layout.column(name)
            return "state"
        if name != MULTIPLIERS:
            quantity = find_quantity(self.model, name)
            whole = {"q", "v", *(each for c in self._coordinates_of(quantity) for each in (c.name, c.rate))}
            if quantity.kind == "joint" and quantity.what in whole:
                return "computed" if self.system.joints[quantity.item].closure >= 0 else "state"
            if quantity.kind == "state" and not quantity.what:
                return "state"
            if self.time_stepping is not None and quantity.kind == "force":
                from duoti.results.evaluate.channels import is_joint_friction_force

                return "record" if is_joint_friction_force(self.model.forces[quantity.item]) else "computed"
            by_multipliers = {"a", "reaction_force", "reaction_torque", "acceleration", "angular_acceleration"}
            if quantity.what not in by_multipliers and quantity.kind != "constraint":
                return "computed"
        if self.time_stepping is not None:
            return "record"
        if self._multipliers is None:
            return "computed"
        written = np.isfinite(self._x[:, self._multipliers.columns[:1]])
        return "record" if np.all(written) else "record in part" if np.any(written) else "computed"

    def _coordinates_of(self, quantity: Any) -> Any:
        return self.model.joints[quantity.item].joint.coordinates if quantity.kind == "joint" else ()

    def recompute(self) -> Result:
        r"""The same motion with reactions and accelerations that follow from the states alone.

        $$M a + h = \tau + G^T \lambda, \qquad G\, a = \gamma$$

        They replace the multipliers of an implicit solver. Both agree up to the error of integration.
        """
        from duoti.results.result import Result

        if rigid := list(self.record_layout.columns_of(CONTACT)):
            raise ChannelError(
                f"{rigid[0]} is rigid: its forces are unknowns of the solver, and what they do to joints does not "
                "follow from the states"
            )
        made = Result(
            self._system, self._t, self._y, self.ok, self.reason, self.stats, self._events, self.settings,
            self.constraints, self.status, self._layout,
        )  # fmt: skip
        made.error = self.error
        return made

    # -------------------------------------------------------------------------------------- accelerations and reactions

    @cached_property
    def _forces(self) -> Observation:
        return self.observed(REACTIONS)

    def observed(self, what: int, markers: list[int] | None = None) -> Observation:
        """Accelerations or reactions, with the forces of contacts."""
        if self.contact_run is not None:
            return self.contact_run.observe(self.t, self._y, what, markers)
        if self.time_stepping is not None:
            return self.time_stepping.observe(markers)
        if self.record_layout.columns_of(CONTACT):
            raise ChannelError(
                "accelerations and reactions with rigid contacts are not in this file: it was written before files "
                "kept the states of contacts in event-driven runs; simulate again"
            )
        return observe(self.system, self.t, self._y, what, markers, self.constraints, multipliers=self._multipliers)

    @cached_property
    def time_stepping(self) -> TimeSteppingRun | None:
        """Forces of a run by time stepping with rigid contacts: means over the step to which each output belongs."""
        if not self.record_layout.columns_of(ACCELERATION):
            return None
        from duoti.results.evaluate.time_stepping_contacts import TimeSteppingRun

        return TimeSteppingRun(self.system, self.t, np.asarray(self._y[:]), self._x, self.record_layout)

    @property
    def force_states(self) -> tuple[Reals, Any]:
        """Times and states to which forces belong: those of the outputs, or the middles of steps (`time_stepping`)."""
        return (self.t, self._y) if self.time_stepping is None else (self.time_stepping.t, self.time_stepping.y)

    @property
    def closing_wrenches(self) -> Reals:
        """[time, closure, 6]: torque and force of each cut joint and constraint on its second body, at its frame there,
        world axes; in the order of `system.closure_names`."""
        return self._forces.closing

    def reaction(
        self, joint: str, at: Literal["child", "parent"] = "child", frame: str = "world"
    ) -> tuple[Reals, Reals]:
        """Reaction force [N] and torque [N m] of the parent on the child over time.

        Motors and springs in the joint are not part of the reaction. With time stepping, it is the mean over the step
        that ends at an output or contains it, impacts included.

        Parameters
        ----------
        joint:
            Name of the joint.
        at:
            Point of reference of the torque: the joint frame on the "child" or on the "parent".
        frame:
            Axes of the components: "world", or the name of a body or marker.
        """
        if joint not in self.system.joints:
            raise ChannelError(f'there is no joint "{joint}"')
        if self.time_stepping is not None and not self.time_stepping.whole:  # free bodies alone
            return np.zeros((len(self.t), 3)), np.zeros((len(self.t), 3))
        joint_layout = self.system.joints[joint]
        markers = [joint_layout.child_marker, joint_layout.parent_marker]
        markers.append(markers[0] if frame == "world" else self.system.marker_index(frame))
        frames = observe(self.system, *self.force_states, FRAMES, markers).frames
        p_child, p_parent = frames[:, 0, 9:12], frames[:, 1, 9:12]
        if joint_layout.closure >= 0:
            wrench = self._forces.closing[:, joint_layout.closure]
            return self._expressed(
                wrench[:, 3:], wrench[:, :3], p_child, p_child if at == "child" else p_parent, frames, frame
            )
        system, forces = self.system, self._forces
        if joint_layout.fused:  # its two bodies are one there
            system, forces = self.system.unfused, self._weld_forces
        row = system.joints[joint].body
        wrench, R_WB = forces.wrenches[:, row], self._row_rotation(system, row)
        torque, force = np.einsum("nij,nj->ni", R_WB, wrench[:, :3]), np.einsum("nij,nj->ni", R_WB, wrench[:, 3:])
        here = p_child
        if joint_layout.reversed:  # the wrench is that of the child on the parent, at the parent's frame
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
    def not_unique(self) -> dict[str, str]:
        """Joints of closed loops whose reactions are not unique -> the components concerned, in words (world axes).

        "force y, torque x, z": these depend on how the parts give way, which rigid bodies do not tell; r[...] has those
        of least norm, or those that the solver recorded. All other components are unique. Judged near the reference
        configuration; empty for a tree.
        """
        if len(self.model.joints) <= len(self.model.bodies):  # a tree: every body hangs on one joint
            return {}
        topo = relative_tree(self.model)
        groups = (lasting(self.model, topo, group) for group in mobility(self.model, topo))
        found = {name: directions(w) for group in groups for name, w in group.stresses.items()}
        return {name: found[name] for name in self.model.joints if name in found}

    def multipliers(self, name: str) -> Reals:
        """Multipliers of a constraint over time, one column per equation [N, N m, or per coordinate].

        Those of a prescribed motion are the driving force or torque. Where a cut joint has the same name:
        "constraint:name".

        Parameters
        ----------
        name:
            Name of the constraint.
        """
        closures, (kind, _, rest) = self.system.closure_names, name.partition(":")
        meant = [ElementId("joint", name), ElementId("constraint", name)]
        meant += [ElementId(kind, rest)] if kind in ("joint", "constraint") else []
        found = [closures.index(each) for each in meant if each in closures]
        if not found:
            raise ChannelError(f'there is no constraint or cut joint "{name}"')
        closure = found[0]
        first = self.system.closures.first
        return self._forces.multipliers[:, first[closure] : first[closure + 1]]

    @cached_property
    def _weld_forces(self) -> Observation:
        """The same as `_forces`, with a row for every body: what passes through a weld."""
        if self.time_stepping is not None:
            return self.time_stepping.observe(unfused=True)
        if self.contact_run is not None:
            from duoti.results.evaluate.forces_from_record import observe_given

            return observe_given(self.system.unfused, self.contact_run.given(self.t, self._y))[0]
        return observe(
            self.system.unfused, self.t, self._y, REACTIONS, constraints=self.constraints, multipliers=self._multipliers
        )

    def _row_rotation(self, system: System, row: int) -> Reals:
        """Orientation in the world of a row's own frame, from any marker on it."""
        marker = int(np.flatnonzero(system.loads.markers.body == row)[0])
        R_WM = observe(system, *self.force_states, FRAMES, [marker]).frames[:, 0, :9].reshape(-1, 3, 3)
        return R_WM @ system.loads.markers.X_BM[marker, :9].reshape(3, 3).T

    # -------------------------------------------------------------------------------------------------- flexible bodies

    def stress(self, body: str, node: int | str) -> Reals:
        """Stress at a node of a flexible body over time [Pa], in the axes of its frame.

        The six columns are xx, yy, zz, xy, yz, zx. They follow from the modes; stress near a load without a mode of its
        own is not in them.

        Parameters
        ----------
        body:
            Name of the body.
        node:
            Number of the node in the mesh, or its name.
        """
        layout = flexible_layout(self, body)
        stresses = _stresses(layout, body)[_node(layout, body, node)]
        return self.q[:, layout.q] @ stresses.T

    def von_mises(self, body: str, node: int | str) -> Reals:
        """Equivalent stress (von Mises) at a node of a flexible body over time [Pa]."""
        from duoti.flexible.structure.structure import von_mises

        return von_mises(self.stress(body, node))

    def largest_stress(self, body: str) -> LargestStress:
        """The largest equivalent stress (von Mises) of a flexible body among all nodes and outputs, where and when."""
        from duoti.flexible.structure.structure import von_mises

        layout = flexible_layout(self, body)
        stresses = _stresses(layout, body)
        flat, best = (
            np.ascontiguousarray(stresses).reshape(-1, stresses.shape[2]),
            LargestStress(0.0, 0, float(self.t[0])),
        )
        step = max(1, MOST_NUMBERS // len(flat))
        for first in range(0, len(self.t), step):
            values = von_mises((self.q[first : first + step, layout.q] @ flat.T).reshape(-1, len(stresses), 6))
            when, where = np.unravel_index(int(np.argmax(values)), values.shape)
            if values[when, where] > best.value:
                best = LargestStress(float(values[when, where]), int(where), float(self.t[first + when]))
        return best

    def displacement(self, body: str, node: int | str) -> Reals:
        """Displacement of a node of a flexible body over time [m], in the axes of its moving frame; [time, 3].

        Parameters
        ----------
        body:
            Name of the body.
        node:
            Number of the node in the mesh, or its name.
        """
        layout = flexible_layout(self, body)
        number = _node(layout, body, node)
        shown = layout.reduced.display
        assert shown is not None
        return self.q[:, layout.q] @ shown.modes[number].T

    # -------------------------------------------------------------------------------------------- plots, viewer, images

    def along(self, beam: Any, quantity: str) -> Along:
        """A quantity along a beam over time: `r.along("blade", "bending_moment").plot()`.

        The quantities follow from the elastic strains, in the axes of the sections:

        - section forces: `axial_force`, `shear_force_y`, `shear_force_z`, `shear_force`, `torque`, `bending_moment_y`,
          `bending_moment_z`, `bending_moment`;
        - strains: `stretch`, `shear_y`, `shear_z`, `twist`, `curvature_y`, `curvature_z`, `curvature`;
        - `strain_energy` per length; `stress` of largest size at the outline of the section.

        Parameters
        ----------
        beam:
            The beam, or its name.
        quantity:
            One of the quantities above.
        """
        from duoti.results.evaluate.beam_fields import along

        return along(self, self.t, beam, quantity)

    def plot(self, *names: str, compare: Mapping[str, Result] | None = None) -> Figure:
        """Plot channels over time, one panel for each unit.

        `.savefig("plot.pdf")` of what is returned writes a file.

        Parameters
        ----------
        names:
            Channels; by default coordinates and states. "energy" plots the energies and the residual of their balance.
        compare:
            Other results by name, each in a colour of its own.
        """
        from duoti.results.plot.plots import plot

        return plot(self, names, compare)

    def plot_phase(self, *pairs: tuple[str, str] | str, compare: Mapping[str, Result] | None = None) -> Figure:
        """Phase portraits: one channel over another, as in `r.plot_phase(("A.angle", "A.rate"))`.

        Parameters
        ----------
        pairs:
            Pairs of channels, or names of joints for their coordinates over their velocities; by default all joints
            with one.
        compare:
            Other results by name.
        """
        from duoti.results.plot.plots import plot_phase

        return plot_phase(self, pairs, compare)

    def plot_energy(self, compare: Mapping[str, Result] | None = None) -> Figure:
        """Energies over time, and what their balance leaves, which is the error of integration."""
        from duoti.results.plot.plots import plot_energy

        return plot_energy(self, compare)

    def plot_reactions(self, *joints: str, compare: Mapping[str, Result] | None = None) -> Figure:
        """Reaction force and torque of joints (all if none is named), components and size, world axes."""
        from duoti.results.plot.plots import plot_reactions

        return plot_reactions(self, joints, compare)

    def show(self, *others: Result, **options: Any) -> Any:
        """Show the motion in the browser, or inline in a notebook; other results are drawn over it.

        options: names, theme, language, camera, zoom, plots, follow, arrows, labels, beams, port, browser, block; see
        `duoti.show`.
        """
        from duoti.view import show

        return show(self, *others, **options)

    def export_html(self, path: str | Path, *others: Result, **options: Any) -> Path:
        """Write the viewer with this motion, and others over it, into one file that needs nothing else.

        Parameters
        ----------
        path:
            The file.
        others:
            Other results to draw over it.
        options:
            names, theme, language, camera, plots, follow, arrows, labels, beams, as for `Page`.
        """
        from duoti.view import Page

        return Page(self, *others, **options).save(path)

    def export_gltf(self, path: str | Path, rate: float | None = None) -> Path:
        """Write the animated scene as glTF 2.0, for viewers, slides, game engines and Blender.

        Bodies move by translation and rotation, flexible bodies by one morph target for each mode. Beams and cables are
        skins, springs are scaled. z of the model points up and becomes glTF's y.

        Parameters
        ----------
        path:
            The file: ".glb" is binary, ".gltf" is text with the numbers in it.
        rate:
            Instants per second; by default all outputs. Viewers interpolate between them.
        """
        from duoti.view.export.gltf import export_gltf

        return export_gltf(self, path, rate)

    def export_vtk(self, folder: str | Path, rate: float | None = None) -> Path:
        """Write a series for ParaView: a .pvd file and a folder with a .vtp or .vtu file for each part and output.

        The parts are surfaces of rigid bodies, flexible bodies with displacements and stresses, beams and cables with
        section forces, and forces: reactions and contacts as points with vectors. World axes, SI units.

        Parameters
        ----------
        folder:
            Where to write; it is made if it is not there. Returns the path of the .pvd file in it.
        rate:
            Instants per second; by default all outputs.
        """
        from duoti.view.export.vtk import export_vtk

        return export_vtk(self, folder, rate)

    def picture(
        self,
        path: str | Path,
        t: float | None = None,
        size: tuple[int, int] = (1600, 900),
        clock: bool = False,
        others: Sequence[Result] = (),
        **options: Any,
    ) -> Path:
        """Write a PNG of the scene at a time.

        A headless Chromium draws it if there is one, otherwise matplotlib, with a note.

        Parameters
        ----------
        path:
            The file.
        t:
            Time [s]; by default the end.
        size:
            Width and height in pixels.
        clock:
            Write name and time into the picture.
        others:
            Other results to draw over it.
        options:
            theme, camera, zoom, follow, arrows, labels, beams, as for `Page`.
        """
        from duoti.view.images.film import picture

        return picture([self, *others], path, t, size, clock, **options)

    def film(
        self,
        path: str | Path,
        fps: float = 30.0,
        speed: float = 1.0,
        start: float | None = None,
        end: float | None = None,
        size: tuple[int, int] = (1280, 720),
        clock: bool = True,
        others: Sequence[Result] = (),
        **options: Any,
    ) -> Path:
        """Write a film of the motion, MP4 (by ffmpeg), GIF or WebP by the ending of the path.

        Parameters
        ----------
        path:
            The file.
        fps:
            Pictures per second.
        speed:
            0.5 is half as fast as real.
        start, end:
            Part of the motion [s].
        size:
            Width and height in pixels.
        clock:
            Write name and time into the pictures.
        others:
            Other results to draw over it.
        options:
            theme, camera, zoom, follow, arrows, labels, beams, as for `Page`.
        """
        from duoti.view.images.film import film

        return film([self, *others], path, fps, speed, start, end, size, clock, **options)

    # ------------------------------------------------------------------------------------------------- tables and files

    def to_pandas(self, channels: Sequence[str] | None = None) -> pd.DataFrame:
        """A table with one column per component, times as the index, units in `table.attrs["units"]`.

        By default all coordinates, velocities and first-order states. Needs pandas: the extra "data".
        """
        return export_tables.to_pandas(self, channels)

    def to_xarray(self, channels: Sequence[str] | None = None) -> xr.Dataset:
        """A data set with one variable per channel, over `t` and components; needs xarray: the extra "data"."""
        return export_tables.to_xarray(self, channels)

    def to_csv(self, path: str | Path, channels: Sequence[str] | None = None) -> None:
        """A text file with a column for the time and one per component, `name [unit]` above it; all digits."""
        export_tables.to_csv(self, path, channels)

    def to_parquet(self, path: str | Path, channels: Sequence[str] | None = None) -> None:
        """A Parquet file with such columns, each with its unit as metadata; needs pyarrow: the extra "data"."""
        export_tables.to_parquet(self, path, channels)

    def to_mat(self, path: str | Path, channels: Sequence[str] | None = None) -> None:
        """A MAT file (version 5) for MATLAB and Octave: `t`, one variable per channel, and `names` with units."""
        export_tables.to_mat(self, path, channels)

    def save(self, path: str | Path) -> None:
        """Write the result into a file; the ending of its name chooses the format.

        ".h5" and ".hdf5" are HDF5, which `dt.open_result` reads. ".csv", ".parquet" and ".mat" are tables of
        coordinates, velocities and states, as `to_csv`, `to_parquet` and `to_mat` write them.

        Parameters
        ----------
        path:
            The file.
        """
        from duoti.results.file.save import save

        save(self, path)


def _sensor_values(result: Result, quantity: Quantity) -> Reals:
    from duoti.results.evaluate.sensor_channels import sensor_values

    return sensor_values(result, quantity)


def _graph_values(result: Result, quantity: Quantity) -> Reals:
    from duoti.results.evaluate.bond_graph_channels import graph_values

    return graph_values(result, quantity)
