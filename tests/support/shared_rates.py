"""Trees in which several rows have columns of one rate, as the interfaces of a flexible body will.

Such a tree is made from a model of simple joints by giving some of them the coordinates and velocities of another. The
same model with all its joints on their own is the independent formulation: with v_apart = P v and P constant,

    M = P^T M_apart P,   tau = P^T tau_apart,   J = J_apart P,   G = G_apart P.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

import duoti as dt
from duoti.model.joints import LAW_CODE
from duoti.system.compile import tree_builder
from duoti.system.compile.tree_bodies import TreeBodies


@dataclass
class Shared:
    """A system with shared rates, the same with all rates apart, and what leads from one to the other."""

    system: dt.System
    apart: dt.System
    P: np.ndarray

    def state(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """q and v with all rates apart (all coordinates are plain ones, in the order of the rates)."""
        return self.P @ q, self.P @ v


def compile_shared(model: dt.Model, shares: Mapping[str, str], still: Sequence[str] = ()) -> Shared:
    """The joints in `shares` move with the coordinates of the joints they are mapped to, which are inboard of them.

    still: joints that own coordinates but do not move with them, like the frame of a flexible body. Joints must be
    simple and without quaternions; the last row must not be a shared one.
    """
    apart = dt.compile(model)
    row = {name: place.body for name, place in apart.joints.items() if place.closure < 0}
    dofs_of = {row[name]: row[owner] for name, owner in shares.items()}

    class SharedBodies(TreeBodies):
        def add(self, *arguments) -> int:
            rotor = arguments[-1]
            owner = dofs_of.get(len(self.parent), -1)
            return super().add(*arguments[:-1], rotor if owner < 0 else (), dofs_of=owner)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree_builder, "TreeBodies", SharedBodies)
        system = dt.compile(model)
    tree = system.tree
    law, motion, H0, reverse = tree.law.copy(), tree.motion.copy(), tree.H0.copy(), tree.reverse.copy()
    for name in still:
        b = row[name]
        law[b], motion[b], reverse[b] = LAW_CODE["fixed"], 0, 0
        H0[tree.first[b] : tree.first[b + 1]] = 0.0
    for array in (law, motion, H0, reverse):
        array.setflags(write=False)
    tree = tree._replace(law=law, motion=motion, H0=H0, reverse=reverse)
    P = np.zeros((apart.nv, system.nv))
    P[np.arange(apart.nv), tree.rate] = 1.0
    for name in still:
        P[apart.joints[name].v] = 0.0
    joints = {name: place for name, place in system.joints.items() if name not in shares}
    return Shared(replace(system, tree=tree, joints=joints), apart, P)
