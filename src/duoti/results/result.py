"""`Result`: a motion with everything that can be asked of it, labelled."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.dynamics.constraint_methods import ConstraintMethod
from duoti.dynamics.workspace import DEFAULT
from duoti.integrate.record import NO_RECORD, RecordLayout
from duoti.model.errors import ChannelError
from duoti.model.model import Model
from duoti.model.names import Quantity, all_names, find_quantity
from duoti.results.contact_channels import contact_values
from duoti.results.deformation import Deformation
from duoti.results.exports import Exports
from duoti.results.force_channels import constraint_values, energy_values, force_values
from duoti.results.frame_channels import frame_values
from duoti.results.graphics import ResultGraphics
from duoti.results.impacts import impacts_of
from duoti.results.layout import Layout, MissingModel
from duoti.results.observe import (
    ENERGIES,
    STATE_RATES,
    observe,
)
from duoti.results.reactions import Reactions
from duoti.results.recorded import Recorded
from duoti.results.records import Energy, EventRecord, Reason, ReasonCode, Stats
from duoti.results.relative import cut_joint_state
from duoti.results.singular import Singularity, singularities
from duoti.strict import explained_methods
from duoti.system.arrays import WORKS, Reals
from duoti.system.quantities import quantity_indices
from duoti.system.system import System

if TYPE_CHECKING:  # of runs with contacts
    from duoti.contact.records import ImpactRecord
    from duoti.results.contact_run import ContactRun


@explained_methods
class Result(Recorded, Reactions, Exports, Deformation, ResultGraphics):
    """The motion of a system: states over time, and all that follows from them, computed when asked for.

    r.t are the times [s]; r["A.angle"], r["crank.position"], ... the channels (r.channels lists them), arrays over r.t
    with one column per component where there are several. r.ok is False if the run did not reach its end; r.reason
    says why it ended, r.reason_code the same in a short word ("end-time", "event", ...);
    r.status is "finished", "failed" or "interrupted", and for a file also "running" or "killed".
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
        layout: Layout | None = None,
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
            from duoti.results.contact_run import replayed

            found = replayed(self.system, np.asarray(self.stored_contact_states), self.impacts)
            found.record(self.t, np.asarray(self._y[:]))
            self._contact_run = found
        return self._contact_run

    @contact_run.setter
    def contact_run(self, run: ContactRun | None) -> None:
        self._contact_run = run

    @property
    def contact_states(self) -> Reals | None:
        """Changes of contacts of an event-driven run, as its file has them; None for other runs."""
        if self.stored_contact_states is not None:
            return np.asarray(self.stored_contact_states)
        if self._contact_run is None:
            return None
        from duoti.contact.modes import row_of_modes

        return np.array([row_of_modes(*each) for each in self._contact_run.history])

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
    def layout(self) -> Layout:
        """Names, units and numbers of the columns of the state."""
        return self._layout or Layout.of(self.system)

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
                "contact": contact_values, "graph": _graph_values,
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
        """Coordinates and rates of a joint that was cut, from the relative motion of its frames."""
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
        """Impacts of rigid contacts in the order of time; `results.impacts` says what counts as one."""
        return impacts_of(self)

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


def _graph_values(result: Result, quantity: Quantity) -> Reals:
    from duoti.results.graph_channels import graph_values

    return graph_values(result, quantity)
