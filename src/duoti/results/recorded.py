"""What the solver wrote beside the state, and where the numbers of a channel come from."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.integrate.record import CONTACT, MULTIPLIERS, RecordLayout
from duoti.model.errors import ChannelError
from duoti.model.names import find_quantity
from duoti.results.errors import ResultFileError
from duoti.strict import explained_methods
from duoti.system.system import System

if TYPE_CHECKING:
    from duoti.results.result import Result


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


@explained_methods
class Recorded:
    """What `Result` has from the record of a run."""

    system: Any
    _x: Any
    record_layout: RecordLayout
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

    def source(self: Any, name: str) -> str:
        """Where the numbers of a channel, or of "multipliers", come from.

        "state": a column of the state. "computed": from the states, when asked for. "record": from what the solver
        wrote beside the state, its own multipliers, or what time stepping with rigid contacts found in each step (then
        forces and accelerations are means over the step); "record in part": where it did, and computed elsewhere
        (`Auto`).
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
            if self.stepped is not None and quantity.kind == "force":
                from duoti.results.force_channels import is_dry_force

                return "record" if is_dry_force(self.model.forces[quantity.item]) else "computed"
            by_multipliers = {"a", "reaction_force", "reaction_torque", "acceleration", "angular_acceleration"}
            if quantity.what not in by_multipliers and quantity.kind != "constraint":
                return "computed"
        if self.stepped is not None:
            return "record"
        if self._multipliers is None:
            return "computed"
        written = np.isfinite(self._x[:, self._multipliers.columns[:1]])
        return "record" if np.all(written) else "record in part" if np.any(written) else "computed"

    def _coordinates_of(self: Any, quantity: Any) -> Any:
        return self.model.joints[quantity.item].joint.coordinates if quantity.kind == "joint" else ()

    def recompute(self: Any) -> Result:
        """The same motion without the record: all reactions and accelerations follow from the states.

        That is the index-1 form, G a = gamma: of an implicit solver, what the equations of motion say in its states,
        rather than the multipliers that it used itself. Both agree up to the error of integration.
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
