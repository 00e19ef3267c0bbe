"""Which unknowns of an implicit step take part in each other's equations: the structure of the Jacobian."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.element_id import ElementId
from duoti.model.elements import name_of
from duoti.model.forces.base import Force
from duoti.model.laws.law import (
    ANGULAR_VELOCITY,
    AXES,
    COORDINATE_INPUT,
    LOCAL_ANGULAR_VELOCITY,
    POSITION,
    RATE_INPUT,
    STATE,
)
from duoti.system.system import System

Places = NDArray[np.int64]
SMALL = 12  # members of a clique


class Pattern:
    """Where a symmetric matrix may have entries, the diagonal included; its size is n x n, but n² is never stored."""

    def __init__(self, n: int):
        self.n = n
        self._found: list[Places] = [np.arange(n, dtype=np.int64) * (n + 1)]  # places n i + j
        self._few: list[int] = []  # further ones

    def add(self, rows: Any, columns: Any) -> None:
        """Each of these rows with each of these columns, and the mirrored entries."""
        i, j = np.asarray(rows, dtype=np.int64).reshape(-1, 1), np.asarray(columns, dtype=np.int64).reshape(1, -1)
        self._found += [(i * self.n + j).ravel(), (j * self.n + i).ravel()]

    def add_row(self, row: int, columns: Iterable[int]) -> None:
        """This row with these columns, and no mirrored entries."""
        self._few += [self.n * row + j for j in columns]

    def add_each(self, row: Places, column: Places) -> None:
        """Entries (row[k], column[k]) of a symmetric list."""
        self._found.append(row * self.n + column)

    def add_clique(self, members: Iterable[int]) -> None:
        """Each of these with each other."""
        chosen = list(members)
        if len(chosen) <= SMALL:  # quicker than arrays
            n = self.n
            self._few += [n * i + j for i in chosen for j in chosen]
            return
        places = np.array(chosen, np.int64)
        self._found.append((places[:, None] * self.n + places).ravel())

    def lists(self) -> tuple[Places, Places]:
        """Where the list of row i begins ([n + 1]), and the lists of columns, ascending."""
        places = np.concatenate([*self._found, np.array(self._few, np.int64)])
        places.sort()
        if len(places):
            places = places[np.append(True, places[1:] != places[:-1])]  # `np.unique` imports numpy.ma
        row, column = np.divmod(places, self.n) if self.n else (places, places)
        return np.searchsorted(row, np.arange(self.n + 1)), column


def coupled(system: System) -> Pattern:
    """Pattern over (v, z): where an equation of one may depend on the other."""
    tree = system.tree
    pattern = coupled_by_elements(system)
    for k, law in enumerate(system.loads.laws.state_law):
        if law >= 0:
            pattern.add_clique({tree.nv + k} | signals_of(system, int(law)))
    carried, carrier = np.arange(tree.nv), tree.parent_dof
    while (some := carrier >= 0).any():
        carried, carrier = carried[some], carrier[some]
        pattern.add_each(carried, carrier)
        pattern.add_each(carrier, carried)
        carrier = tree.parent_dof[carrier]
    return pattern


def coupled_by_elements(system: System) -> Pattern:
    """The same without inertia: by force elements, closures and laws of states; these in their own rows alone."""
    tree, closures = system.tree, system.closures
    pattern = Pattern(tree.nv + tree.nz)
    moved: dict[str, set[int]] = {}  # rates that move a marker
    for r in range(closures.rows):
        pattern.add_clique(closures.support_dofs[closures.support[r] : closures.support[r + 1]])
    laws: dict[ElementId, list[int]] = {}
    for law, owner in enumerate(system.law_owners):
        laws.setdefault(owner, []).append(law)
    places = {state: k for k, state in enumerate(system.model.states)}
    for name, force in system.model.forces.items():
        block = force.coupling(system)
        if block is not None:
            for members in block:
                pattern.add_clique(members)
            continue
        members = _acted_on(system, force, moved)
        if force.state_names:
            members.update(tree.nv + places[state] for state in force.state_names)
        if laws:
            members = members.union(*(signals_of(system, law) for law in laws.get(ElementId("force", name), ())))
        pattern.add_clique(members)
    for k, law in enumerate(system.loads.laws.state_law):
        if law >= 0:
            pattern.add_row(tree.nv + k, signals_of(system, int(law)))
    return pattern


def carriers(system: System, rate: int) -> list[int]:
    """A rate and all that carry it."""
    path: list[int] = []
    while rate >= 0:
        path.append(rate)
        rate = int(system.tree.parent_dof[rate])
    return path


def dofs_to_ground(system: System, body: int) -> set[int]:
    """The velocities that move a link of the tree."""
    tree = system.tree
    found: set[int] = set()
    while body > 0:
        found.update(tree.rate[tree.first[body] : tree.first[body + 1]].tolist())
        body = int(tree.parent[body])
    return found


def _acted_on(system: System, force: Force, moved: dict[str, set[int]]) -> set[int]:
    """Rates that a force element works on: those between its two markers, or of its joint.

    moved: the rates that move markers, as far as they are known.
    """
    found: set[int] = set()
    for _, joint in force.joints():
        found.update(int(i) for i in system.joints[joint if isinstance(joint, str) else joint.name].v)
    for body in force.loaded_bodies():
        found |= dofs_to_ground(system, system.flexible[body].row)
    ends: list[set[int]] = []
    for _, reference in force.markers():
        marker = name_of(reference)
        if marker not in moved:
            moved[marker] = dofs_to_ground(system, int(system.loads.markers.body[system.marker_index(marker)]))
        ends.append(moved[marker])
    if len(ends) == 2 and not force.world_axes:
        return (ends[0] ^ ends[1]) | found  # what carries both ends alike changes nothing between them
    return found.union(*ends)


def signals_of(system: System, law: int) -> set[int]:
    """Places in (v, z) of what a law reads."""
    tree, laws = system.tree, system.loads.laws
    rate_of = dict(zip(tree.plain_q.tolist(), tree.plain_v.tolist(), strict=True))
    found: set[int] = set()
    for kind, i, _ in laws.signals[laws.law_signals[law, 0] : laws.law_signals[law, 1]]:
        if kind == COORDINATE_INPUT and i in rate_of:
            found.add(rate_of[int(i)])
        elif kind == COORDINATE_INPUT:  # a component of a quaternion
            k = int(np.flatnonzero(tree.quat_q <= i)[-1])
            found.update(range(int(tree.quat_v[k]), int(tree.quat_v[k]) + 3))
        elif kind == RATE_INPUT:
            found.add(int(i))
        elif kind == STATE:
            found.add(int(i) - tree.nq)
        elif POSITION <= kind <= ANGULAR_VELOCITY or AXES <= kind <= LOCAL_ANGULAR_VELOCITY:
            found |= dofs_to_ground(system, int(system.loads.markers.body[i]))
    return found
