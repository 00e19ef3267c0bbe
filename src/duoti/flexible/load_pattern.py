"""Loads on nodes of a flexible body: what their unit does to its frame and to its modes.

Forces f_a on the nodes a, fixed in the body's axes, act where the nodes are: s_a = r_a + phi_a eta, with displacements
of second order as in `quadratic_modes`. So

    force = sum of f_a,   torque about the origin = sum of (r_a + phi_a eta) x f_a,
    tau_j = sum of f_a . phi_aj - K_jk eta_k,   K = geometric stiffness of the load                              (1)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from duoti.flexible.reduction.quadratic_modes import of_loads
from duoti.spatial.axes import Array

if TYPE_CHECKING:
    from duoti.flexible.body import Flexible
    from duoti.flexible.reduction.reduction import Reduction


@dataclass(frozen=True, eq=False)
class LoadPattern:
    """A load of unit size in n modal coordinates, in the axes of a frame and about its origin."""

    force: Array  # [3]
    torque: Array  # [3] of the undeformed body
    torque_by_modes: Array  # [3, n] its derivative by the modal coordinates
    modal: Array  # [n]
    stiffness: Array  # [n, n] geometric stiffness

    def in_frame(self, R: Array, p: Array) -> LoadPattern:
        """Seen from a frame with axes R and origin p in the present one."""
        torque = R.T @ (self.torque - np.cross(p, self.force))
        return LoadPattern(R.T @ self.force, torque, R.T @ self.torque_by_modes, self.modal, self.stiffness)


def load_pattern(body: Flexible, root: str | None, forces: Array) -> LoadPattern:
    """Of forces (nodes, 3) on the nodes, in the body's frame, with modes counted from the interface `root`."""
    reduced = body.reduced.clamped_at(root)
    shown = reduced.display
    assert shown is not None  # checked with the model
    torque_by_modes = np.cross(shown.modes.transpose(2, 0, 1), forces).sum(axis=1).T
    return LoadPattern(
        force=forces.sum(axis=0),
        torque=np.cross(shown.nodes, forces).sum(axis=0),
        torque_by_modes=torque_by_modes,
        modal=np.einsum("axj,ax->j", shown.modes, forces),
        stiffness=_stiffness(body, root, forces, torque_by_modes),
    )


def _stiffness(body: Flexible, root: str | None, forces: Array, torque_by_modes: Array) -> Array:
    """K of (1): that of the modes as they were made, then counted from the root (`SecondOrder.counted_from`)."""
    made, second = body.reduced, of_loads(body.reduced)
    none = np.zeros((made.n, made.n))
    if not body.stiffening or body.reduction is None or second is None:
        return none
    reduction = body.reduction
    K = reduction.structure.geometric(reduction.answer(_rows(reduction, forces)), reduction.shapes)
    if K is None:
        return none
    K = 0.5 * (K + K.T)
    if root is None:
        return K
    at = made.interfaces[root]
    theta, shown = at.turn, made.display
    if shown is None or not (at.displacement.any() or theta.any()):
        return K
    arm = shown.nodes - at.position
    K = K + np.einsum("x,xjk->jk", forces.sum(axis=0), second.displacement[root])
    K = K + np.einsum("x,xjk->jk", np.cross(arm, forces).sum(axis=0), second.turn[root])
    carried = np.cross(np.cross(theta.T[:, None], arm), forces).sum(axis=1)  # of (theta_k x d) x f
    both = theta.T @ (torque_by_modes + 0.5 * carried.T)
    return K + both + both.T


def _rows(reduction: Reduction, forces: Array) -> Array:
    """Forces (nodes, 3) as a load on all rows of a structure."""
    structure = reduction.structure
    load = np.zeros((len(structure.nodes), structure.width))
    load[:, :3] = forces
    return load.ravel()


def work_of_unit(body: Flexible, forces: Array) -> tuple[float, float] | None:
    """Twice the work [J] that slowly applied forces (nodes, 3) do on the whole structure, and on its modes.

    The second is smaller by what the modes cannot follow. None of a body whose structure is not known.
    """
    if body.reduction is None:
        return None
    reduction = body.reduction
    load = _rows(reduction, forces)
    answer = reduction.answer(load)
    if not reduction.attached:
        load = reduction.held.balanced(load)
    modal = reduction.shapes.T @ load
    stiff = reduction.omega > 0.0
    return float(load @ answer), float(np.sum((modal[stiff] / reduction.omega[stiff]) ** 2))
