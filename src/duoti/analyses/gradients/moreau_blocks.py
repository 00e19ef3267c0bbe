"""The solved contact problem of a step of time stepping, differentiated: the implicit function theorem of each block.

With small changes of the velocities u = J v' of the points, and of their impulses p, and d for a change,

    open        dp = 0
    normal      du_n + db_n = 0                                                                                (1)
    stick       du + db = 0
    slip        (1),  p_t = -mu p_n s,  s = (u_t + b_t) / |u_t + b_t|:
                dp_t + s d(mu p_n) + mu p_n (1 - s s^T) / |u_t + b_t| d(u_t + b_t) = 0
    discs       the same of friction in joints and of resistance against rolling, with their radius for mu p_n

Rows of all blocks that are not open, with dv' = V + P J^T dp, are one linear system for dp. It may be singular where
impulses are not unique (a box on four corners): then those of least norm are taken, and velocities that depend on the
choice are listed. A block on the edge between two pieces has no derivative.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from duoti.analyses.gradients.moreau_record import StepContacts
from duoti.contact.solve.problem import CONE
from duoti.system.arrays import Reals

EDGE = 1e-6  # part of the velocities in a step: closer to another piece than this a block is on the edge
RANK = 1e-9  # singular values below this part of the largest one belong to impulses that are not unique
CONSISTENT = 1e-6  # part by which rows that are not independent may differ
ROUND_OFF = 1e-10  # changes of rows that are round-off
DIRECTIONS = 16  # of the polygon that stands for a disc of friction
OPEN, NORMAL, STICK, SLIP = range(4)


class NoDerivativeError(ValueError):
    """A block has no derivative: its number, and why."""

    def __init__(self, block: int, why: str):
        super().__init__(why)
        self.block, self.why = block, why


@dataclass(frozen=True)
class SolvedBlock:
    """A block of a solved step, with the piece that it is in."""

    number: int
    piece: int
    J: Reals  # [rows, nv]
    p: Reals  # [rows]
    u: Reals  # [rows] u + b after the step
    radius: float  # mu p_n of a point, or of a disc
    mu: float
    owner: int  # of resistance: the block of its point
    is_disc: bool


def rows_of(c: StepContacts, n: int) -> list[int]:
    """Which of the three rows a block has."""
    if c.size[n] == 1:
        return [0]
    if c.law[n] == CONE:
        return [0, 1, 2]
    if c.owner[n] >= 0:
        return [1, 2]  # resistance against rolling
    return [k for k in range(3) if c.scale[n, k] != 0.0]


def block_of(c: StepContacts, n: int, J: Reals, v: Reals, b: Reals) -> SolvedBlock:
    """A block with its piece; J: rows of the block, b: what its law adds to u."""
    rows = rows_of(c, n)
    p, u, is_disc = c.p[n, rows], J @ v + b, bool(c.law[n] != CONE)
    owner = int(c.owner[n])
    measure = float(c.measure[n])
    if is_disc:
        radius = float(c.arm[n] * max(c.p[owner, 0], 0.0)) if owner >= 0 else float(c.radius[n])
        idle = owner >= 0 and radius == 0.0
        piece = OPEN if idle else _tangential(p, u, radius, measure, n)
        return SolvedBlock(n, piece, J, p, u, radius, float(c.arm[n]) if owner >= 0 else 1.0, owner, True)
    if p[0] <= 0.0:
        return SolvedBlock(n, OPEN, J, p, u, 0.0, float(c.mu[n]), -1, False)
    radius = float(c.mu[n] * p[0])
    piece = NORMAL if len(rows) == 1 else _tangential(p[1:], u[1:], radius, measure, n)
    return SolvedBlock(n, piece, J, p, u, radius, float(c.mu[n]), -1, False)


def _tangential(p: Reals, u: Reals, radius: float, measure: float, n: int) -> int:
    """STICK or SLIP; raises on the edge."""
    slip = float(np.linalg.norm(u)) / measure
    left = 1.0 - float(np.linalg.norm(p)) / radius if radius > 0.0 else 0.0
    if max(slip, left) <= EDGE:
        raise NoDerivativeError(n, "is between sticking and sliding")
    return SLIP if slip > left else STICK


def evened(c: StepContacts, J: list[Reals], v: Reals, b: list[Reals], P: Reals) -> StepContacts:
    """The same step with impulses shared among closed points, as far as they are not unique.

    A body that came to rest on several points may be left with friction against friction up to the edge of sliding, or
    with points that bear nothing; the same forces on the body are there with all points inside their laws.
    """
    closed, edge = list[int](), False
    for k in range(c.points):
        u, measure = J[k] @ v + b[k], c.measure[k]
        if abs(u[0]) > EDGE * measure:
            continue
        W = float(J[k][0] @ P @ J[k][0])
        closed.append(k)
        edge = edge or W * c.p[k, 0] <= EDGE * measure
        if len(u) == 3 and np.linalg.norm(u[1:]) <= EDGE * measure:
            edge = edge or float(np.linalg.norm(c.p[k, 1:])) >= (1.0 - EDGE) * c.mu[k] * c.p[k, 0]
    if not edge or len(closed) < 2:
        return c
    to_p, places = list[Reals](), list[int]()  # how the unknowns of a point make its impulse
    for k in closed:
        u = J[k] @ v + b[k]
        if len(u) == 1:
            to_p.append(np.ones((1, 1)))
        elif float(np.linalg.norm(u[1:])) > EDGE * c.measure[k]:
            to_p.append(np.concatenate([[1.0], -c.mu[k] * u[1:] / np.linalg.norm(u[1:])])[:, None])
        else:
            to_p.append(np.diag([1.0, c.mu[k], c.mu[k]]))
        places.append(to_p[-1].shape[1])
    columns = np.hstack([J[k].T @ T for k, T in zip(closed, to_p, strict=True)])
    push = sum((J[k].T @ c.p[k, : len(J[k])] for k in closed), np.zeros(len(v)))
    x = _inside(columns, push, places)
    if x is None:
        return c
    p = c.p.copy()
    for k, T, part in zip(closed, to_p, np.split(x, np.cumsum(places)[:-1]), strict=True):
        p[k, : len(T)] = T @ part
    return c._replace(p=p)


def _inside(columns: Reals, push: Reals, places: list[int]) -> Reals | None:
    """Unknowns x of points with columns x = push that are as far inside their laws as can be, None if none is inside.

    Of a point: x >= 0, and of one with three unknowns |(x_1, x_2)| <= x_0, for which there is a polygon here.
    """
    from scipy.optimize import linprog

    size = float(np.max(np.abs(push), initial=0.0))
    if size == 0.0:
        return None
    count = sum(places)
    bounds, first = list[Reals](), 0
    turns = 2.0 * np.pi / DIRECTIONS * np.arange(DIRECTIONS)
    for each in places:
        rows = np.zeros((1 + DIRECTIONS * (each == 3), count + 1))
        rows[:, first] = -1.0
        if each == 3:
            rows[1:, first + 1], rows[1:, first + 2] = np.cos(turns), np.sin(turns)
        rows[:, count] = 1.0  # -x_0 + ... + margin <= 0
        bounds.append(rows)
        first += each
    aim = np.zeros(count + 1)
    aim[count] = -1.0
    U, s, Vt = np.linalg.svd(columns, full_matrices=False)
    seen = s > RANK * s[0]
    equal = np.hstack([Vt[seen], np.zeros((int(seen.sum()), 1))])
    wanted = U[:, seen].T @ push / s[seen] / size
    at: Any = linprog(
        aim, np.vstack(bounds), np.zeros(sum(len(each) for each in bounds)), equal, wanted,
        bounds=[(None, None)] * count + [(None, 1.0)],
    )  # fmt: skip
    if at.status != 0 or at.x[count] <= EDGE * float(np.max(np.abs(at.x[:count]))):
        return None
    x: Reals = size * (at.x[:count] + Vt[seen].T @ (wanted - Vt[seen] @ at.x[:count]))
    return x if np.max(np.abs(columns @ x - push)) <= EDGE * size else None


class BlockSystem:
    """The linear system of all blocks of a step.

    Parameters
    ----------
    blocks:
        Those of the step.
    P:
        [nv, nv] responses of velocities to impulses, with closed loops.
    """

    def __init__(self, blocks: list[SolvedBlock], P: Reals):
        self.blocks = [block for block in blocks if block.piece != OPEN]
        self.P = P
        self.first = np.cumsum([0, *(len(block.p) for block in self.blocks)])
        self.J = np.vstack([np.zeros((0, P.shape[0])), *(block.J for block in self.blocks)])
        self.p = np.concatenate([np.zeros(0), *(block.p for block in self.blocks)])
        self.at = {block.number: int(first) for block, first in zip(self.blocks, self.first, strict=False)}
        n = len(self.p)
        self.D, self.E = np.zeros((n, n)), np.zeros((n, n))
        for block, first in zip(self.blocks, self.first, strict=False):
            self._rows(block, int(first))
        self.W = self.J @ P @ self.J.T
        scale = np.sqrt(np.maximum(np.diag(self.W), 1e-14 * max(float(np.max(np.diag(self.W), initial=0.0)), 1e-300)))
        # unknowns and rows in units of velocities times the root of masses
        self.columns = 1.0 / scale
        matrix = (self.D @ self.W + self.E) * self.columns
        size = np.linalg.norm(matrix, axis=1)
        self.rows = 1.0 / np.where(size > 0.0, size, 1.0)
        self.matrix = self.rows[:, None] * matrix
        self.unknown, self.named = np.zeros((P.shape[0], 0)), -1
        if n:
            self._factor()

    def _rows(self, block: SolvedBlock, first: int) -> None:
        """D and E of a block: D (du + db) + E dp + (changes of the law) = 0."""
        last = first + len(block.p)
        if block.piece in (NORMAL, STICK):
            self.D[range(first, last), range(first, last)] = 1.0
            return
        begin = first if block.is_disc else first + 1
        t = slice(begin, last)
        slip = self._slip(block)
        length = float(np.linalg.norm(slip))
        s = slip / length
        self.D[t, t] = block.radius / length * (np.eye(len(s)) - np.outer(s, s))
        self.E[t, t] = np.eye(len(s))
        if not block.is_disc:
            self.D[first, first] = 1.0
            self.E[t, first] = block.mu * s
        elif block.owner in self.at:
            self.E[t, self.at[block.owner]] = block.mu * s

    @staticmethod
    def _slip(block: SolvedBlock) -> Reals:
        return block.u if block.is_disc else block.u[1:]

    def law_change(self, block: SolvedBlock, change: Reals) -> tuple[slice, Reals]:
        """Rows, and what a change of the radius of a sliding block (with p_n held) adds to them."""
        first = self.at[block.number]
        begin = first if block.is_disc else first + 1
        slip = self._slip(block)
        return slice(begin, first + len(block.p)), np.outer(slip / np.linalg.norm(slip), change)

    def _factor(self) -> None:
        U, s, Vt = np.linalg.svd(self.matrix)
        rank = int(np.sum(s > RANK * s[0])) if s[0] > 0.0 else 0
        self.unseen, self.null, self.inverse = U[:, rank:], Vt[rank:], (Vt[:rank].T / s[:rank]) @ U[:, :rank].T
        moves = self.P @ self.J.T @ (self.columns[:, None] * self.null.T)
        largest = float(np.max(np.linalg.norm(self.P @ self.J.T * self.columns, axis=0), initial=0.0))
        lengths = np.linalg.norm(moves, axis=0)
        # velocities that are not unique, as unit columns, and the block that they are named by
        self.unknown = moves[:, lengths > CONSISTENT * largest] / lengths[lengths > CONSISTENT * largest]
        self.named = self._number(int(np.argmax(np.max(np.abs(self.null), axis=0)))) if len(self.null) else -1

    def _number(self, row: int) -> int:
        """The block of a row."""
        return self.blocks[int(np.searchsorted(self.first, row, side="right")) - 1].number

    def impulses(self, rows: Reals, law: Reals, checked: slice) -> Reals:
        """dp, from du + db with impulses held [rows, columns], and what laws change by.

        checked: columns for which rows that are not independent must agree.
        """
        if not len(self.p):
            return np.zeros((0, rows.shape[1]))
        right = -self.rows[:, None] * (self.D @ rows + law)
        left, size = np.abs(self.unseen.T @ right), np.abs(self.unseen.T) @ np.abs(right)
        size = size + np.max(np.abs(right), axis=0, initial=0.0)
        if np.any(left[:, checked] > CONSISTENT * size[:, checked] + ROUND_OFF):
            worst = int(np.argmax(np.max(np.abs(self.unseen), axis=1)))
            raise NoDerivativeError(self._number(worst), "has points that cannot all stay closed under small changes")
        return self.columns[:, None] * (self.inverse @ right)
