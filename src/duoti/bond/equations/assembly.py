"""The equations of a graph: linear ones between efforts and flows, with everything else as an input of them.

    A w = B u,   w = (efforts, flows of all bonds)                                                             (1)

u are outputs of storages, values of sources and of laws that are not constant ratios, flows of ports, and the rates of
storages in derivative causality. The rows of A are those of the junctions and of all elements with constant ratios.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching

from duoti.bond.element import End, Gives
from duoti.bond.equations.causality import Causality
from duoti.bond.errors import BondGraphError
from duoti.bond.graph import FlatGraph, open_port
from duoti.model.laws.expressions import ExpressionError, compile_expression
from duoti.model.laws.expressions.compile import Named

Variable = tuple[int, float]
"""A quantity of a bond and its sign."""
Kind = Literal["storage", "law", "port", "rate", "reaction"]
VALUE, TIMES, OVER = range(3)


@dataclass
class Input:
    """A column of B: a storage's output, a value by a law, the flow of a port, the rate of a dependent storage."""

    kind: Kind
    owner: str
    index: int
    """Number of the storage port, law or port."""


@dataclass
class StoragePort:
    """One state: what its rate is, and what it gives."""

    owner: str
    state: str
    initial: float
    rate: Variable
    output: Variable
    derivative: bool
    block: int
    """Number of the storage that it belongs to, in `Assembly.blocks`."""
    column: int = -1


@dataclass
class LawInput:
    """A value: `op` says whether it is itself the input, or multiplies or divides a quantity of a bond."""

    owner: str
    key: str
    value: Any
    op: int = VALUE
    variable: Variable = (-1, 1.0)
    own: Mapping[str, Variable] = field(default_factory=dict[str, Variable])
    own_state: tuple[str, int] | None = None
    """Short name of the own state, and the number of the storage port."""
    column: int = -1
    energy: Any = None
    rows: Mapping[str, Mapping[int, float]] = field(default_factory=dict[str, Mapping[int, float]])
    """Names in it that stand for sums of columns of the plan."""
    rates: Mapping[str, Mapping[int, float]] = field(default_factory=dict[str, Mapping[int, float]])
    """The same for rates: columns of states stand for their rates."""
    inverse_of: tuple[str, str, Variable] | None = None
    """A dependent state: the value of a law of it, by its short name, is a quantity of a bond."""
    solves: tuple[str, str] | None = None
    """The equation that it solves, left and right, where its value is only a way to do that."""


class PowerTerm(NamedTuple):
    """coefficient * x * y of two quantities of bonds."""

    kind: Literal["supplied", "dissipated"]
    first: int
    second: int
    coefficient: float


class PortInput(NamedTuple):
    """A port: its name, which of its bonds, the quantities of the bond and 1 if the arrow points into it."""

    owner: str
    number: int
    effort: int
    flow: int
    sign: int
    column: int
    driven: bool
    """The graph decides its flow; the input is the effort, a reaction of the mechanism."""


class Assembly:
    """Collects the equations of all elements."""

    def __init__(self, graph: FlatGraph, causality: Causality, named: Named, connected: frozenset[str] = frozenset()):
        self.graph, self.causality, self.named, self.connected = graph, causality, named, connected
        self.derivative = {(graph.names[k], end) for k, end in causality.derivative}
        self.index = {name: k for k, name in enumerate(graph.names)}
        self.n = len(graph.bonds)
        self.rows: list[dict[int, float]] = []
        self.right: list[dict[int, float]] = []
        self.row_owner: list[str] = []
        self.inputs: list[Input] = []
        self.storages: list[StoragePort] = []
        self.blocks: list[tuple[str, list[int], NDArray[np.float64] | None]] = []
        self.laws: list[LawInput] = []
        self.port_inputs: list[PortInput] = []
        self.powers: list[PowerTerm] = []
        self.faults: list[tuple[str, tuple[str, ...]]] = []

    at_element = ""
    """The element whose equations are put in."""

    def assemble(self) -> Assembly:
        """All equations."""
        for name, element, ends in zip(self.graph.names, self.graph.elements, self.graph.ends, strict=True):
            self.at_element = name  # whose constants are read
            element.equations(self, name, ends)
        return self

    # ---------------------------------------------------------------------------------------- what elements ask for

    def effort(self, end: End) -> int:
        """The effort of a bond as an unknown."""
        return end.bond

    def flow(self, end: End) -> int:
        """The flow of a bond as an unknown, along its arrow."""
        return self.n + end.bond

    def gives(self, name: str, end: int) -> Gives:
        """What an element decides at one of its ends."""
        return self.causality.gives(self.index[name], end)

    def equation(self, owner: str, terms: Mapping[int, float], inputs: Mapping[int, float]) -> None:
        """Sum of terms = sum of inputs."""
        self.rows.append(dict(terms))
        self.right.append(dict(inputs))
        self.row_owner.append(owner)

    def number(self, value: Any) -> float | None:
        """The number that a value is, if it depends on nothing but parameters."""
        if isinstance(value, str):
            try:
                program = compile_expression(value, constants=self.named)
            except (ExpressionError, ValueError, TypeError):
                return None  # reported where laws are made
            return program.value
        return float(value) if isinstance(value, float | int | np.number) else None

    def constant(self, value: Any) -> float:
        """The same where nothing else will do."""
        number = self.number(value)
        if number is None or not np.isfinite(number):
            text = f"{value!r} is no constant: it may depend on parameters only (laws go into effort= or flow=)"
            raise ConstantError(text)
        return number

    def _input(self, kind: Kind, owner: str, index: int) -> int:
        self.inputs.append(Input(kind, owner, index))
        return len(self.inputs) - 1

    def source(self, name: str, value: Any, conjugate: int, end: End) -> int:
        """Value of a source; its power is supplied if the arrow points away from it."""
        column = self.law(name, "value", value)
        own = conjugate - self.n if conjugate >= self.n else conjugate + self.n
        self.powers.append(PowerTerm("supplied", own, conjugate, -float(end.sign)))
        return column

    def law(
        self, name: str, key: str, value: Any, times: Variable | None = None, over: Variable | None = None,
        own: Mapping[str, Variable] | None = None, solves: tuple[str, str] | None = None,
    ) -> int:  # fmt: skip
        """A value by a law, or a quantity multiplied or divided by one."""
        column = self._input("law", name, len(self.laws))
        op, variable = (TIMES, times) if times else (OVER, over) if over else (VALUE, (-1, 1.0))
        assert variable is not None
        self.laws.append(LawInput(name, key, value, op, variable, own or {}, column=column, solves=solves))
        return column

    def storage(
        self, name: str, states: Sequence[str], matrix: NDArray[np.float64] | None, initial: Sequence[float],
        rates: Sequence[Variable], outputs: Sequence[Variable],
    ) -> list[int]:  # fmt: skip
        """States of a storage, displacement = matrix * effort; returns the inputs that stand for what it gives."""
        ports = list(range(len(self.storages), len(self.storages) + len(states)))
        found: list[int] = []
        if matrix is not None:
            one = len(matrix) == 1
            if (matrix[0, 0] if one else np.linalg.eigvalsh(0.5 * (matrix + matrix.T))[0]) <= 0.0:
                given = matrix.tolist() if len(matrix) > 1 else matrix[0, 0]
                text = f'storage "{name}": its constant {given} is not positive'
                self.faults.append((text, (name,)))
                matrix = np.eye(len(matrix))
        self.blocks.append((name, ports, matrix))
        for k, state in enumerate(states):
            derivative = (name, k) in self.derivative
            port = StoragePort(name, state, float(initial[k]), rates[k], outputs[k], derivative, len(self.blocks) - 1)
            port.column = self._input("rate" if derivative else "storage", name, len(self.storages))
            self.storages.append(port)
            found.append(port.column)
        return found

    def is_derivative(self, column: int) -> bool:
        """Whether an input stands for the rate of a storage."""
        return self.inputs[column].kind == "rate"

    def storage_law(self, name: str, column: int, value: Any, energy: Any, own: str) -> None:
        """A storage whose output is a law of its state."""
        port = self.inputs[column].index
        law = LawInput(name, "law", value, own_state=(own, port), column=column, energy=energy)
        self.laws.append(law)
        if energy is not None:
            self.laws.append(LawInput(name, "energy", energy, own_state=(own, port)))

    def resistor_field(self, name: str, matrix: NDArray[np.float64], ends: Sequence[End]) -> None:
        """e = matrix f."""
        for i, end in enumerate(ends):
            terms = {self.effort(end): 1.0}
            for k, other in enumerate(ends):
                f = self.flow(other)
                terms[f] = terms.get(f, 0.0) - matrix[i, k] * other.sign
            self.equation(name, terms, {})
            self.dissipates(self.effort(end), self.flow(end), float(end.sign))

    def dissipates(self, effort: int, flow: int, sign: float) -> None:
        """The power of a bond is lost."""
        self.powers.append(PowerTerm("dissipated", effort, flow, sign))

    def port(self, name: str, number: int, end: End) -> None:
        """The flow is given by the mechanism; where there is none, the port takes no part: see `open_port`."""
        if name not in self.connected:
            none = self.effort(end) if open_port(self.graph, self.index[name], end) == "effort" else self.flow(end)
            self.equation(name, {none: 1.0}, {})
            return
        driven = self.causality.gives(self.index[name], number) == "effort"
        column = self._input("reaction" if driven else "port", name, len(self.port_inputs))
        port = PortInput(name, number, self.effort(end), self.flow(end), end.sign, column, driven)
        self.port_inputs.append(port)
        self.equation(name, {port.effort if driven else port.flow: 1.0}, {column: 1.0})


class ConstantError(ValueError):
    """A value that must be a constant is none."""


# The equations of a graph solved for all efforts and flows, sparsely.
#
# The equations are ordered to block lower triangular form (a matching of equations and unknowns, then strongly
# connected components: Duff, Erisman & Reid, Direct Methods for Sparse Matrices, 2nd ed. 2017, ch. 6): most blocks
# are single equations, which is what causality is about; larger blocks are algebraic loops.


Combination = dict[int, float]  # a linear combination: factors by the columns of its variables
SINGULAR = 1e-12  # smallest singular value of a block, relative to its largest, that counts as zero
ROUND_OFF = 1e-13  # part of the largest coefficient that counts as zero after an elimination


@dataclass
class Solved:
    """Each effort and flow as a sum of inputs."""

    rows: list[Combination]
    loops: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    """Names of the elements in each algebraic loop."""


class DependentError(Exception):
    """A linear combination of inputs vanishes: `inputs`, by their columns."""

    def __init__(self, inputs: Combination, owners: tuple[str, ...]):
        self.inputs, self.owners = inputs, owners


def solved(assembly: Assembly) -> Solved:
    """Solve; raises `DependentError` if the inputs depend on each other, or if nothing decides a quantity."""
    n = len(assembly.rows)
    matrix = _matrix(assembly, n)
    match = maximum_bipartite_matching(matrix, perm_type="column")  # the unknown of each equation
    if np.any(match < 0):
        _structurally_singular(assembly, matrix, match)
    block = _blocks(matrix, match)
    order = np.argsort(block, kind="stable")
    found: list[Combination] = [{} for _ in range(n)]
    loops: list[tuple[str, ...]] = []
    first = 0
    ends = np.flatnonzero(np.diff(block[order])) + 1
    for last in [*ends.tolist(), n]:
        equations = order[first:last].tolist()
        first = last
        if len(equations) == 1:
            row, unknown = assembly.rows[equations[0]], int(match[equations[0]])
            right = dict(assembly.right[equations[0]])
            for variable, coefficient in row.items():
                if variable != unknown and coefficient:
                    _add(right, found[variable], -coefficient)
            pivot = row[unknown]
            found[unknown] = {k: value / pivot for k, value in right.items()}
        else:
            _solve_block(assembly, equations, match, found)
            owners = tuple(dict.fromkeys(assembly.row_owner[k] for k in equations))
            if any(assembly.graph.elements[assembly.index[o]].role != "junction" for o in owners):
                loops.append(owners)
    return Solved(found, loops)


def _matrix(assembly: Assembly, n: int) -> csr_array:
    row = [k for k, terms in enumerate(assembly.rows) for c in terms.values() if c]
    column = [v for terms in assembly.rows for v, c in terms.items() if c]
    return csr_array((np.ones(len(row)), (row, column)), shape=(n, n))


def _blocks(matrix: csr_array, match: np.ndarray) -> np.ndarray:
    """Number of the block of each equation, in an order in which they can be solved."""
    n = len(match)
    equation_of = np.empty(n, np.int64)
    equation_of[match] = np.arange(n)
    entries = matrix.tocoo()
    needs = csr_array((np.ones(len(entries.col)), (entries.row, equation_of[entries.col])), shape=(n, n))
    count, label = connected_components(needs, directed=True, connection="strong")
    return sorted_labels(needs, label, count)


def sorted_labels(needs: csr_array, label: np.ndarray, count: int) -> np.ndarray:
    """Topological order of the components: what is needed comes first."""
    entries = needs.tocoo()
    a, b = label[entries.row], label[entries.col]
    keep = a != b
    waiting = np.zeros(count, np.int64)
    edges = np.unique(np.stack([b[keep], a[keep]], axis=1), axis=0) if np.any(keep) else np.zeros((0, 2), np.int64)
    np.add.at(waiting, edges[:, 1], 1)
    start = np.searchsorted(edges[:, 0], np.arange(count + 1)).tolist()
    followers, left = edges[:, 1].tolist(), waiting.tolist()
    queue = [k for k in range(count) if left[k] == 0]
    rank = [0] * count
    for position, k in enumerate(queue):
        rank[k] = position
        for each in followers[start[k] : start[k + 1]]:
            left[each] -= 1
            if left[each] == 0:
                queue.append(each)
    return np.array(rank)[label]


def _add(to: Combination, row: Combination, factor: float) -> None:
    for key, value in row.items():
        new = to.get(key, 0.0) + factor * value
        if abs(new) <= ROUND_OFF * abs(factor * value):
            to.pop(key, None)  # two terms that cancel
        else:
            to[key] = new


def _solve_block(assembly: Assembly, equations: list[int], match: np.ndarray, found: list[Combination]) -> None:
    unknowns = [int(match[k]) for k in equations]
    index = {unknown: i for i, unknown in enumerate(unknowns)}
    m = len(unknowns)
    A = np.zeros((m, m))
    rights: list[Combination] = []
    for i, k in enumerate(equations):
        right = dict(assembly.right[k])
        for variable, coefficient in assembly.rows[k].items():
            if variable in index:
                A[i, index[variable]] += coefficient
            elif coefficient:
                _add(right, found[variable], -coefficient)
        rights.append(right)
    columns = sorted({c for right in rights for c in right})
    B = np.array([[right.get(c, 0.0) for c in columns] for right in rights]).reshape(m, len(columns))
    scale = 1.0 / np.maximum(np.max(np.abs(A), axis=1), 1e-300)
    A, B = A * scale[:, None], B * scale[:, None]
    weight = 1.0 / np.maximum(np.max(np.abs(A), axis=0), 1e-300)
    U, s, _ = np.linalg.svd(A * weight)
    if s[-1] <= SINGULAR * s[0]:
        left = U[:, -1] @ B
        size = np.max(np.abs(B), initial=0.0)
        raise DependentError(
            {c: float(x) for c, x in zip(columns, left, strict=True) if abs(x) > 1e-9 * max(size, 1.0)},
            tuple(
                dict.fromkeys(
                    assembly.row_owner[k] for k, part in zip(equations, U[:, -1], strict=True) if abs(part) > 1e-9
                )
            ),
        )
    X = np.linalg.solve(A, B)
    small = ROUND_OFF * np.max(np.abs(X), axis=1, initial=0.0)
    for i, unknown in enumerate(unknowns):
        found[unknown] = {c: float(x) for c, x in zip(columns, X[i], strict=True) if abs(x) > small[i]}


def _structurally_singular(assembly: Assembly, matrix: csr_array, match: np.ndarray) -> None:
    """Some equations share too few unknowns: they decide something twice, and so another thing is left open."""
    n = len(match)
    owner = np.full(n, -1)
    for equation, unknown in enumerate(match):
        if unknown >= 0:
            owner[unknown] = equation
    reached = {int(k) for k in np.flatnonzero(match < 0)}
    queue = list(reached)
    while queue:
        equation = queue.pop()
        for unknown in assembly.rows[equation]:
            other = int(owner[unknown])
            if other >= 0 and other not in reached:
                reached.add(other)
                queue.append(other)
    inputs = {c: 1.0 for k in reached for c in assembly.right[k]}
    raise DependentError(inputs, tuple(dict.fromkeys(assembly.row_owner[k] for k in sorted(reached))))


def refuse(assembly: Assembly, error: DependentError) -> BondGraphError:
    """In words: which elements decide a quantity twice, or leave it open."""
    names = ", ".join(f'"{name}"' for name in error.owners)
    sources = tuple(dict.fromkeys(assembly.inputs[c].owner for c in error.inputs))
    if sources:
        given = ", ".join(f'"{name}"' for name in sources)
        text = f"{given} decide the same quantity through {names}: they contradict each other"
    else:
        text = f"nothing decides the efforts and flows between {names}: a loop with unit gain, or an empty part"
    return BondGraphError(assembly.graph.name, [(text, (*sources, *error.owners))])
