"""Matrices with names on rows and columns: incidence S, path T and loop matrix U (Qi 2008, section 1.3).

    S  bodies x joints   +1 where the joint starts, -1 where it ends                                   (1.1)
    T  joints x bodies   for a joint on the way from a body to body 0: +1 pointing to body 0, -1 away  (1.2)
    U  = T S^c           joints x cut joints, S^c being the columns of S of the cut joints             (1.7)

With S_ the columns of the tree joints without row 0, T S_ = S_ T = E for any numbering and any directions
(1.4), and so S_ U = S^c. A loop runs against its cut joint; U is +1 for a joint in the direction of the loop,
-1 against it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.text import table
from duoti.topology.errors import TopologyError, did_you_mean
from duoti.topology.loops import Labelling

if TYPE_CHECKING:
    from scipy.sparse import csr_array

DENSE_LIMIT = 50_000_000
"""Entries of the largest matrix that `NamedMatrix.array` will fill (0.4 GB)."""

ENTRY_LIMIT = 20_000_000
"""Non-zero entries of the largest matrix that is built at all (0.7 GB): T of a chain of 6 000 bodies."""


@dataclass(frozen=True, eq=False, repr=False)
class NamedMatrix:
    """An integer matrix with named rows and columns, kept as its non-zero entries.

    ``m["crank", "A"]`` is one entry, ``m.array`` the dense array, ``m.sparse`` a ``scipy.sparse.csr_array``,
    ``matrix.to_pandas()`` a table. ``numpy.asarray(m)`` and ``matrix @ x`` work as one expects.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    i: np.ndarray  # row of each entry
    j: np.ndarray  # column of each entry
    value: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns."""
        return len(self.rows), len(self.columns)

    @property
    def nnz(self) -> int:
        """Number of entries that are not zero."""
        return self.value.size

    @cached_property
    def array(self) -> np.ndarray:
        """As a dense integer array (read-only)."""
        if len(self.rows) * len(self.columns) > DENSE_LIMIT:
            raise TopologyError([f"a dense {self.shape} matrix would fill the memory; use .sparse"])
        dense = np.zeros(self.shape, dtype=np.int64)
        dense[self.i, self.j] = self.value
        dense.setflags(write=False)
        return dense

    @cached_property
    def sparse(self) -> csr_array[Any]:
        """As a ``scipy.sparse.csr_array`` of integers."""
        from scipy.sparse import coo_array, csr_array

        return csr_array(coo_array((self.value, (self.i, self.j)), shape=self.shape))

    @property
    def T(self) -> NamedMatrix:
        """The transpose."""
        return NamedMatrix(self.columns, self.rows, self.j, self.i, self.value)

    def to_pandas(self) -> Any:
        """As a pandas table with the names as index and columns."""
        import pandas as pd  # pyright: ignore[reportMissingImports]

        return pd.DataFrame(self.array.copy(), index=list(self.rows), columns=list(self.columns))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.array, dtype=dtype) if copy or dtype is not None else self.array

    def __matmul__(self, other: Any) -> Any:
        if isinstance(other, NamedMatrix):
            product: Any = self.sparse @ other.sparse
            product = product.tocoo()
            product.eliminate_zeros()
            i, j = product.coords
            return NamedMatrix(self.rows, other.columns, i, j, product.data)
        return self.sparse @ np.asarray(other)

    def __getitem__(self, key: tuple[str | int, str | int]) -> int:
        i, j = _number(self.rows, key[0], "row"), _number(self.columns, key[1], "column")
        return int(self.value[(self.i == i) & (self.j == j)].sum())

    def __repr__(self) -> str:
        if self.shape[0] > 30 or self.shape[1] > 30:
            return f"<NamedMatrix {self.shape[0]} x {self.shape[1]}, {self.nnz} non-zero entries>"
        cells = [["", *self.columns]]
        cells += [[name, *map(str, row)] for name, row in zip(self.rows, self.array.tolist(), strict=True)]
        return "\n".join(line.rstrip() for line in table(cells))


def _number(names: tuple[str, ...], key: str | int, what: str) -> int:
    if not isinstance(key, str):
        return range(len(names))[key]
    try:
        return names.index(key)
    except ValueError:
        raise KeyError(f'no {what} "{key}"{did_you_mean(key, names)}') from None


def incidence_matrix(
    rows: tuple[str, ...], columns: tuple[str, ...], start: np.ndarray, end: np.ndarray
) -> NamedMatrix:
    """S of eq. (1.1), from the incidence functions i+(j) and i-(j)."""
    j = np.arange(start.size)
    one = np.ones(start.size, dtype=np.int64)
    return NamedMatrix(rows, columns, np.concatenate((start, end)), np.tile(j, 2), np.concatenate((one, -one)))


def without_ground(S: NamedMatrix) -> NamedMatrix:
    """The matrix without its row 0."""
    rest = S.i > 0
    return NamedMatrix(S.rows[1:], S.columns, S.i[rest] - 1, S.j[rest], S.value[rest])


def path_entries(lab: Labelling) -> tuple[np.ndarray, np.ndarray]:
    """Labels (joint, body) of the entries of T, eq. (1.2): joint j is on the way of bodies j..last[j]."""
    count = lab.depth.sum()
    if count > ENTRY_LIMIT:
        raise TopologyError(
            [
                f"the path matrix would have {count} entries: the tree is {lab.depth.max()} joints deep; "
                "use .inboard, .inboard_bodies(name) or .path_between(a, b)"
            ]
        )
    first = np.arange(1, lab.body.size)
    size = lab.last[1:] - first + 1
    joint = np.repeat(first, size)
    body = np.arange(joint.size) - np.repeat(np.cumsum(size) - size, size) + joint
    return joint, body


def loop_entries(lab: Labelling, start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Entries of U, eq. (1.7), in regular labels: joint labels, indices of the cut joints, signs.

    All loops climb at once from both ends of their cut joints to where the two ways meet.
    """
    meet = lab.common(start, end)
    count = int((lab.depth[start] + lab.depth[end] - 2 * lab.depth[meet]).sum())
    if count > ENTRY_LIMIT:
        raise TopologyError([f"the loop matrix would have {count} entries; use .loop_lengths and .loops[k]"])
    joints: list[np.ndarray] = []
    loops: list[np.ndarray] = []
    signs: list[np.ndarray] = []
    for ends, sign in ((start, -1), (end, 1)):
        k = np.flatnonzero(ends != meet)
        here = ends[k]
        while k.size:
            joints.append(here)
            loops.append(k)
            signs.append(np.full(k.size, sign, dtype=np.int64))
            here = lab.parent[here]
            open_ = here != meet[k]
            if not open_.all():
                k, here = k[open_], here[open_]
    if not joints:
        none = np.zeros(0, dtype=np.int64)
        return none, none, none
    return np.concatenate(joints), np.concatenate(loops), np.concatenate(signs)
