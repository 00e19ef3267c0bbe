"""The plan of a graph: in which order everything is computed from states, port flows and laws.

    Y = (1, x, v, L, rows),   row_r = sum of A_rj Y_j over the columns (1, x, v, L)                            (1)

x are the independent states, v the flows of ports, L the values of laws. Rates of states, efforts at ports, what laws
read and what powers need are rows. Nothing is solved when the plan is carried out but for loops of nonlinear laws.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duoti.bond.equations.assembly import Assembly, Combination, LawInput

ONE = 0
Quantity = tuple[Literal["column", "row"], int]


class Storage(NamedTuple):
    """A state of the graph: its name, its first value, and its column in the plan; -1: it follows from others."""

    owner: str
    state: str
    initial: float
    column: int


class PlannedLaw(NamedTuple):
    """A law, the column of its value, and where in Y its factor or divisor stands (-1: none)."""

    law: LawInput
    column: int
    op: int
    factor: int
    reads: Mapping[str, int]
    """Where in Y the quantities of the graph stand that it may read, by the names in the law."""
    derivative_of: int = -1
    """Number of the law whose derivative by the time it is."""


class Term(NamedTuple):
    """coefficient * Y_first * Y_second, a part of an energy or power."""

    kind: Literal["energy", "supplied", "dissipated"]
    first: int
    second: int
    coefficient: float


class Step(NamedTuple):
    """What is computed next: a row, a law, the laws of a loop together, or all rows."""

    kind: Literal["row", "law", "loop", "rows"]
    number: int


@dataclass
class Reflected:
    """A dependent storage that moves with the mechanism: K (sum of ratio_p v_p)² / 2 of kinetic energy."""

    owner: str
    state: str
    constant: float
    ratios: dict[int, float | str]
    """By the numbers of the ports; expressions of the mechanism where they change."""
    rate_column: int
    initial: float

    @property
    def changing(self) -> bool:
        """Whether a ratio changes."""
        return any(isinstance(ratio, str) for ratio in self.ratios.values())


@dataclass
class Plan:
    """See the module. Columns are counted from 0; rows stand behind them in Y."""

    assembly: Assembly
    storages: list[Storage]
    nx: int
    ports: int
    laws: list[PlannedLaw]
    rows: list[Combination]
    steps: list[Step]
    loops: list[list[Step]]
    rates: list[int]
    """Row of the rate of each state."""
    efforts: list[tuple[int, int]]
    """For each port, the row of its effort and 1 if its arrow points into it."""
    terms: list[Term]
    quadratures: list[tuple[int, str, int]]
    """Laws of storages whose energy is integrated: number of the law, name of the state in it, column of the state."""
    variables: list[Combination]
    """Efforts and flows of all bonds by columns."""
    dependent: dict[int, Combination]
    """Dependent states by columns, by their numbers among the storages."""
    inertial: list[dict[int, float | str]]
    """What rates of reflected storages and reactions add to each effort and flow; expressions: see factors."""
    factors: dict[str, int]
    """Columns of laws that are expressions in `inertial`."""
    reflected: list[Reflected] = field(default_factory=list[Reflected])
    algebraic_loops: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    notes: list[str] = field(default_factory=list[str])
    """What was decided beside causality, in words."""

    @property
    def columns(self) -> int:
        """Number of columns."""
        return 1 + self.nx + self.ports + len(self.laws)

    @property
    def states(self) -> list[Storage]:
        """The independent states, in the order of their columns."""
        return sorted((s for s in self.storages if s.column >= 0), key=lambda s: s.column)

    @property
    def roles(self) -> dict[str, str]:
        """What each element is: source, resistor, storage, ..."""
        graph = self.assembly.graph
        return {name: element.role for name, element in zip(graph.names, graph.elements, strict=True)}

    def arrow(self, name: str) -> int:
        """1 if the arrow of an element's first bond points into it, else -1."""
        return self.assembly.graph.ends[self.assembly.index[name]][0].sign

    def constant_of(self, storage: int) -> Any:
        """The constant of the storage that a state belongs to, as a matrix; None if it has a law."""
        return self.assembly.blocks[self.assembly.storages[storage].block][2]

    def matrix(self, rows: list[Combination]) -> Any:
        """Rows as a sparse matrix over the columns."""
        from scipy.sparse import csr_array

        data = [(r, c, x) for r, row in enumerate(rows) for c, x in row.items()]
        triples: NDArray[np.float64] = np.array(data, dtype=float).reshape(-1, 3)
        shape = (len(rows), self.columns)
        return csr_array((triples[:, 2], (triples[:, 0].astype(int), triples[:, 1].astype(int))), shape=shape)
