"""What a solver writes beside the state: the columns of `Run.out_x`, by name.

Not all that a run knows follows from its state: the multipliers of an implicit method are unknowns of its steps. A
record is a row of such numbers for each output. Its layout is a table of blocks; who writes, stores or reads a record
goes by this table, so that a further block needs no change there. NaN stands for what was not written: then it follows
from the state (in runs of `Auto`, where an explicit method was at work).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from duoti.model.element_id import ElementId
from duoti.model.equations.base import ExpressionEquation, FrameEquation
from duoti.model.equations.dot_row import Dot
from duoti.model.joint_friction import slots_of
from duoti.model.quantities import Quantity
from duoti.system.system import System

MULTIPLIERS = "multipliers"
CONTACT = "contact"
CONTACT_UNITS = ("N", "N", "N", "N", "m", "m", "m", "1", "J", "N m", "N m", "N m", "m/s", "N", "W")
"""Of a rigid contact: force of a on b (world), normal force, point where it acts, state, energy lost so far, moment of
its resistance against rolling and turning (of a on b, world; not that of its forces), `contact.solve.residuals`."""
FORCE, NORMAL_FORCE, POINT, STATE, LOST, MOMENT, RESIDUALS = 0, 3, 4, 7, 8, 9, 12  # their places
PLACES = {"force": (FORCE, 3), "normal_force": (NORMAL_FORCE, 1), "point": (POINT, 3), "state": (STATE, 1),
          "energy_lost": (LOST, 1), "moment": (MOMENT, 3), "signorini_residual": (RESIDUALS, 1),
          "cone_residual": (RESIDUALS + 1, 1), "dissipation_residual": (RESIDUALS + 2, 1)}  # fmt: skip
"""Where quantities of a contact begin in its columns, and how many numbers they have."""
# of a step of time stepping, means over it: see `moreau.step_record`
STEP = ElementId("step", "mean")
MIDDLE, ACCELERATION, JOINT_FRICTION_FORCES, PUSH = "middle", "acceleration", "dry forces", "push"
PUSH_UNITS = ("N m", "N m", "N m", "N", "N", "N")
JOINT_FRICTION_COLUMNS = 6  # of a slot: three generalised forces, load, bounds of sliding and of rest


@dataclass(frozen=True)
class RecordBlock:
    """Columns that belong together: what they are, whose, and the unit of each."""

    name: str
    owner: ElementId
    units: tuple[str, ...]

    @property
    def size(self) -> int:
        """Number of columns."""
        return len(self.units)


@dataclass(frozen=True)
class RecordLayout:
    """The layout of a record: blocks one after the other."""

    blocks: tuple[RecordBlock, ...] = ()

    @property
    def size(self) -> int:
        """Number of columns, nx."""
        return sum(block.size for block in self.blocks)

    @property
    def columns(self) -> list[str]:
        """Names of the columns: `D.multipliers[0]`, `constraint:gear.multipliers[0]`, ..."""

        def owner(kind: str, name: str) -> str:
            return name if kind == "joint" else f"{kind}:{name}"

        return [f"{owner(*block.owner)}.{block.name}[{i}]" for block in self.blocks for i in range(block.size)]

    @property
    def units(self) -> list[str]:
        """Units of the columns; "mixed" where coordinates of different kinds are coupled."""
        return [unit for block in self.blocks for unit in block.units]

    def columns_of(self, name: str) -> dict[ElementId, range]:
        """Columns of the blocks of a name, by owner."""
        found: dict[ElementId, range] = {}
        first = 0
        for block in self.blocks:
            if block.name == name:
                found[block.owner] = range(first, first + block.size)
            first += block.size
        return found

    def columns_of_contact(self, quantity: Quantity) -> list[int]:
        """Columns of a quantity of a rigid contact; empty if it is none, or not recorded."""
        columns = self.columns_of(CONTACT).get(ElementId("contact", quantity.item))
        if quantity.kind != "contact" or quantity.what not in PLACES or columns is None:
            return []
        first, size = PLACES[quantity.what]
        found = list(columns[first : first + size])
        return found if quantity.component is None else [found[quantity.component]]

    def as_lists(self) -> list[list[Any]]:
        """As JSON can hold it."""
        return [[block.name, list(block.owner), list(block.units)] for block in self.blocks]

    @classmethod
    def from_lists(cls, lists: Iterable[Any]) -> RecordLayout:
        """What `as_lists` has made."""
        return cls(tuple(RecordBlock(str(name), ElementId(*owner), tuple(units)) for name, owner, units in lists))


NO_RECORD = RecordLayout()


def record_of_multipliers(system: System) -> RecordLayout:
    """A block for each closure, in the order of the rows: of methods whose multipliers are unknowns of their own."""
    first = system.closures.first
    return RecordLayout(
        tuple(
            RecordBlock(MULTIPLIERS, name, tuple(_unit(system, r) for r in range(first[k], first[k + 1])))
            for k, name in enumerate(system.closure_names)
        )
    )


def record_of_contacts(system: System) -> RecordLayout:
    """A block for each rigid contact, in the order of the model: no function of the state."""
    rigid = [name for name, element in system.model.contacts.items() if element.law.rigid]
    return RecordLayout(tuple(RecordBlock(CONTACT, ElementId("contact", name), CONTACT_UNITS) for name in rigid))


def record_of_steps(system: System, touching: Mapping[str, int] | None) -> list[RecordBlock]:
    """Blocks of what a step of time stepping does to the joints; touching: how many
    rows each body has that contacts push.

    None: nothing but mean accelerations is kept.
    """
    turns = ["rad" if each else "m" for each in system.tree.angular]
    accelerations = RecordBlock(ACCELERATION, STEP, tuple(f"{unit}/s²" for unit in turns))
    if touching is None:
        return [accelerations]
    middle = ("s", "s", *[""] * system.nq, *(f"{unit}/s" for unit in turns), *[""] * system.nz)
    blocks = [*record_of_multipliers(system).blocks, RecordBlock(MIDDLE, STEP, middle), accelerations]
    if slots := slots_of(system.model):
        blocks.append(RecordBlock(JOINT_FRICTION_FORCES, STEP, ("",) * (JOINT_FRICTION_COLUMNS * len(slots))))
    return blocks + [RecordBlock(PUSH, ElementId("body", name), rows * PUSH_UNITS) for name, rows in touching.items()]


def _unit(system: System, row: int) -> str:
    """Of a multiplier: what its equation is measured in, times it, is work."""
    closures = system.closures
    kind = system.equation_kinds[closures.equation_kind[row]]
    if issubclass(kind, Dot):
        return "N m"
    if issubclass(kind, FrameEquation):
        return "N"
    if issubclass(kind, ExpressionEquation):
        return "mixed"
    terms = slice(closures.terms[row], closures.terms[row + 1])
    if len(closures.term_v[terms]) > 1 or closures.term_c[terms][0] != 1.0:
        return "mixed"
    return "N m" if system.tree.angular[closures.term_v[terms][0]] else "N"
