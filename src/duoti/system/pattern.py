"""Which unknowns of an implicit step take part in each other's equations: the structure of the Jacobian."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from duoti.model.element_id import ElementId
from duoti.model.laws import ANGULAR_VELOCITY, AXES, COORDINATE, LOCAL_ANGULAR_VELOCITY, POSITION, RATE, STATE
from duoti.system.system import System

Bools = NDArray[np.bool_]


def coupled(system: System) -> Bools:
    """Symmetric matrix over (v, z): True where an equation of one may depend on the other."""
    tree, closures = system.tree, system.closures
    n = tree.nv + tree.nz
    pattern = np.eye(n, dtype=bool)
    for i in range(tree.nv):
        path = _carriers(system, i)
        pattern[i, path] = pattern[path, i] = True
    for r in range(closures.rows):
        _clique(pattern, closures.support_rates[closures.support[r] : closures.support[r + 1]])
    laws: dict[ElementId, list[int]] = {}
    for law, owner in enumerate(system.law_owners):
        laws.setdefault(owner, []).append(law)
    for name in system.model.forces:
        read = {i for law in laws.get(ElementId("force", name), ()) for i in _signals(system, law)}
        _clique(pattern, _acted_on(system, name) | read)
    for k, law in enumerate(system.loads.laws.state_law):
        _clique(pattern, {tree.nv + k} | _signals(system, int(law)))
    return pattern


def _clique(pattern: Bools, members: Iterable[int]) -> None:
    chosen = np.fromiter(members, np.int64)
    pattern[chosen[:, None], chosen] = True


def _carriers(system: System, rate: int) -> list[int]:
    """A rate and all that carry it."""
    path: list[int] = []
    while rate >= 0:
        path.append(rate)
        rate = int(system.tree.parent_rate[rate])
    return path


def _rates_to_ground(system: System, body: int) -> set[int]:
    tree = system.tree
    found: set[int] = set()
    while body > 0:
        found.update(tree.rate[tree.first[body] : tree.first[body + 1]].tolist())
        body = int(tree.parent[body])
    return found


def _acted_on(system: System, name: str) -> set[int]:
    """Rates that a force element works on: those between its two markers, or of its joint."""
    force = system.model.forces[name]
    found: set[int] = set()
    for _, joint in force.joints():
        layout = system.joints[joint if isinstance(joint, str) else joint.name]
        for i in layout.v:
            found.update(_carriers(system, int(i)))
    ends = [_rates_to_ground(system, system.loads.markers.body[_marker(system, ref)]) for _, ref in force.markers()]
    if len(ends) == 2 and not force.world_axes:
        return found | (ends[0] ^ ends[1])  # what carries both ends alike changes nothing between them
    return found.union(*ends)


def _marker(system: System, reference: object) -> int:
    marker = system.model.marker(reference)  # pyright: ignore[reportArgumentType]
    assert marker is not None
    return system.marker_index(marker.name)


def _signals(system: System, law: int) -> set[int]:
    """Places in (v, z) of what a law reads."""
    tree, laws = system.tree, system.loads.laws
    rate_of = dict(zip(tree.plain_q.tolist(), tree.plain_v.tolist(), strict=True))
    found: set[int] = set()
    for kind, i, _ in laws.signals[laws.law_signals[law, 0] : laws.law_signals[law, 1]]:
        if kind == COORDINATE and i in rate_of:
            found.add(rate_of[int(i)])
        elif kind == COORDINATE:  # a component of a quaternion
            k = int(np.flatnonzero(tree.quat_q <= i)[-1])
            found.update(range(int(tree.quat_v[k]), int(tree.quat_v[k]) + 3))
        elif kind == RATE:
            found.add(int(i))
        elif kind == STATE:
            found.add(int(i) - tree.nq)
        elif POSITION <= kind <= ANGULAR_VELOCITY or AXES <= kind <= LOCAL_ANGULAR_VELOCITY:
            found |= _rates_to_ground(system, int(system.loads.markers.body[i]))
    return found
