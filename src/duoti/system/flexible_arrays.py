"""Flexible bodies of a compiled tree: flat arrays that their law reads, and its scratch.

A point of the body is at s = r + phi_i zeta_i in the row's frame. The first n *fields* phi_i are the modes, with their
coordinates eta. Displacements of second order (`flexible.reduction.quadratic_modes`) are known by their moments with
1 and r; they are put on the field a + G r that has these moments, so that the mass matrix is that of a real motion,
and positive. Its amplitudes are quadratic functions of eta:

    zeta = (eta, b),   b_a = eta B_a eta / 2,   zeta' = P eta',   P = (1, B_a eta)                              (1)

All inertial terms of fields need only (`flexible.structure.moments`)

    E_i = integral of phi_i dm,  W_i = integral of s x phi_i dm,  J_i = dJ/d zeta_i (inertia about the origin)   (2)

and these are linear in zeta: a table of 12 numbers for each field in the shape of reference, and for each pair of
fields their derivatives. J is stored as xx, xy, yy, xz, yz, zz.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duoti.flexible.reduction.reduced import Reduced
from duoti.flexible.structure.moments import SKEW, Moments
from duoti.kernel import ContextType
from duoti.spatial import Pose
from duoti.system.arrays import Ints, Reals, Tree

if TYPE_CHECKING:
    from duoti.flexible.reduction.quadratic_modes import SecondOrder

FLEXIBLE_LAW, INTERFACE_LAW = 101, 102  # codes in Tree.body_law
E_, W_, J_ = 0, 3, 6  # places in the tables
SCRATCH = ("zeta", "lift", "now", "shape", "coriolis", "force", "change", "square", "column", "factor")
PAYS = 1.35  # measured: how many times as many products the mass matrix may take (docs/history/tried.md)
LEAST = 1e-13  # moments below this part of the largest are round-off


class Flex(NamedTuple):
    """Tables over flexible bodies f, their modes, pairs of modes, and interfaces i."""

    number: Ints  # [nb] f of a row, or i of the row of an interface
    row: Ints  # [bodies]
    n: Ints  # [bodies] modes
    m: Ints  # [bodies] fields: modes, and those of second order
    iq: Ints  # [bodies] where modal coordinates begin in q ...
    iv: Ints  # [bodies] ... and in v
    fields: Ints  # [bodies] where its fields begin in tables over fields ...
    pairs: Ints  # [bodies] ... over pairs of fields: (i, k) is at pairs + i m + k ...
    squares: Ints  # [bodies] ... over pairs of modes: (j, k) is at squares + j n + k ...
    quadratic: Ints  # [bodies] ... and over B: B_a[j, k] is at quadratic + (a n + j) n + k
    lifts: Ints  # [bodies] where its part of `lift` begins: (a, j) is at lifts + a n + j
    base: Reals  # [fields, 12] E_i, W_i, J_i in the shape of reference
    slope: Reals  # [pairs, 12] their derivatives by zeta_k
    mass: Reals  # [pairs] integral of phi_i . phi_k
    second: Reals  # [...] B
    stiffness: Reals  # [squares]
    damping: Reals  # [squares]
    interface_body: Ints  # [interfaces] row
    face_body: Ints  # [interfaces] its body f
    faces: Ints  # [bodies + 1] first interface of each body
    face_modes: Ints  # [interfaces] where its modes begin ...
    face_pairs: Ints  # [interfaces] ... and pairs
    curved: Ints  # [interfaces] 1 if it has displacements of second order
    place: Reals  # [interfaces, 3] in the row's frame, undeformed
    move: Reals  # [modes of interfaces, 6] displacement and turn of unit coordinates
    bend: Reals  # [pairs of interfaces, 6] the same of second order
    # scratch
    zeta: Any  # [3, fields] zeta and its rates; KINEMATICS; its accelerations; WRENCH, OUTWARD
    lift: Any  # [3, (a, j)] B_a eta; KINEMATICS; B_a eta' and B_a eta''; WRENCH, OUTWARD
    now: Any  # [fields, 12] E_i, W_i, J_i in the present shape; KINEMATICS
    shape: Any  # [bodies, 9] first moment and inertia less those of the shape of reference; KINEMATICS
    coriolis: Any  # [fields, 3] sum over k of (dW_i/d zeta_k - dW_k/d zeta_i) zeta_k'; WRENCH, OUTWARD
    force: Any  # [fields] inertial force along each field; WRENCH, OUTWARD
    change: Any  # [fields, 21] momentum, changes of the wrench with zeta and zeta', r; DERIVATIVES
    square: Any  # [3, largest m m] products of matrices over fields; MASS_MATRIX, DERIVATIVES
    column: Any  # [modes of interfaces, 6] move in the present shape; KINEMATICS
    factor: Any  # [1, squares] factors of the modal mass of articulated bodies; `dynamics.flexible.aba`


@dataclass(frozen=True)
class FlexBody:
    """A flexible body on its row: the reduced body, clamped where its inboard joint is, and the row's frame in it."""

    row: int
    iq: int
    iv: int
    body: Reduced
    X_UB: Pose  # the row's frame in the user's body frame
    stiffening: bool
    interfaces: dict[str, int]
    """Rows of the interfaces that something hangs on."""


def build_flex(bodies: Sequence[FlexBody], nb: int) -> Flex:
    """The tables of all flexible bodies of a tree."""
    from duoti.flexible.reduction.quadratic_modes import of_loads

    number = np.full(nb, -1, np.int64)
    base, slope, mass, stiffness, damping, bent = [], [], [], [], [], []
    interface_body, face_body, faces, face_modes, face_pairs, curved = [], [], [0], [], [], []
    place, move, bend, counts = [], [], [], []
    for f, each in enumerate(bodies):
        R, p, n = np.asarray(each.X_UB.rotation.matrix), np.asarray(each.X_UB.position), each.body.n
        number[each.row] = f
        second = of_loads(each.body) if each.stiffening else None
        second = second.in_frame(R, p) if second is not None else None
        moments, B = with_second_order(each.body.moments.in_frame(R, p), second)
        lines, quadratic = _tables(moments)
        base.append(lines)
        slope.append(quadratic.reshape(-1, 12))
        mass.append(moments.I6.ravel())
        bent.append(B.ravel())
        counts.append((moments.n, moments.n**2, n * n, B.size, len(B) * n))
        stiffness.append(each.body.stiffness.ravel())
        damping.append(each.body.damping.ravel())
        for name, row in each.interfaces.items():
            face = each.body.interfaces[name]
            number[row] = len(interface_body)
            face_modes.append(sum(map(len, move)))
            face_pairs.append(sum(map(len, bend)))
            interface_body.append(row)
            face_body.append(f)
            place.append(R.T @ (face.position - p))
            move.append(np.concatenate([R.T @ face.displacement, R.T @ face.turn]).T)
            twice = np.zeros((6, n, n))
            if second is not None:
                twice = np.concatenate([second.displacement[name], second.turn[name]])
            curved.append(int(twice.any()))
            bend.append(twice.transpose(1, 2, 0).reshape(n * n, 6))
        faces.append(len(interface_body))
    starts = np.concatenate([np.zeros((1, 5)), np.cumsum(np.array(counts).reshape(-1, 5), axis=0)])[:-1].T

    def ints(values: Any) -> Ints:
        return _frozen(np.array(values, np.int64))

    def reals(values: list[NDArray[Any]], *width: int) -> Reals:
        return _frozen(np.concatenate([np.zeros((0, *width)), *values]))

    table = reals(base, 12)
    moves = reals(move, 6)
    return Flex(
        number=ints(number), row=ints([b.row for b in bodies]), n=ints([b.body.n for b in bodies]),
        iq=ints([b.iq for b in bodies]), iv=ints([b.iv for b in bodies]),
        m=ints([count[0] for count in counts]), fields=ints(starts[0]), pairs=ints(starts[1]),
        squares=ints(starts[2]), quadratic=ints(starts[3]), lifts=ints(starts[4]), second=reals(bent),
        base=table, slope=reals(slope, 12), mass=reals(mass), stiffness=reals(stiffness), damping=reals(damping),
        interface_body=ints(interface_body), face_body=ints(face_body), faces=ints(faces), face_modes=ints(face_modes),
        face_pairs=ints(face_pairs), curved=ints(curved), place=_frozen(np.array(place, float).reshape(-1, 3)),
        move=moves, bend=reals(bend, 6),
        **dict.fromkeys(SCRATCH, np.zeros(0)),
    )  # fmt: skip


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array


def with_second_order(moments: Moments, second: SecondOrder | None) -> tuple[Moments, Reals]:
    """The moments of all fields, those of second order included, and B [fields of second order, n, n] of (1)."""
    n = moments.n
    if second is None:
        return moments, np.zeros((0, n, n))
    products = np.concatenate([second.u[None], second.r_u])  # of u with 1, x, y, z
    B = np.einsum("fg,gxjk->fxjk", np.linalg.pinv(moments.gram[:4, :4], rcond=LEAST, hermitian=True), products)
    kept = [(f, x) for f in range(4) for x in range(3) if np.abs(B[f, x]).max() > LEAST * np.abs(B).max()]
    T = np.zeros((4 + 3 * n, 3 * len(kept)))
    for k, (f, x) in enumerate(kept):
        T[f, 3 * k + x] = 1.0
    whole = np.concatenate([np.eye(4 + 3 * n), T], axis=1)
    return moments.transformed(whole), np.array([B[f, x] for f, x in kept]).reshape(-1, n, n)


def _tables(moments: Moments) -> tuple[Reals, Reals]:
    """(E_i, W_i, J_i) in the shape of reference [m, 12], and their derivatives by zeta_k [m, m, 12]."""
    m = moments.n
    r_phi, phi_phi = moments.r_phi, moments.phi_phi
    base, slope = np.zeros((m, 12)), np.zeros((m, m, 12))
    base[:, :3], base[:, 3:6] = moments.I3.T, moments.I4.T
    base[:, 6:] = _inertia(np.einsum("xjy->jxy", r_phi) + np.einsum("xjy->jyx", r_phi))
    # W_i = integral of s x phi_i: its slope is phi_k x phi_i; that of s s^T is phi_i phi_k^T and its transposed
    slope[:, :, 3:6] = np.einsum("axb,kajb->jkx", SKEW, phi_phi)
    slope[:, :, 6:] = _inertia(np.einsum("jxky->jkxy", phi_phi) + np.einsum("jxky->jkyx", phi_phi))
    return base, slope


def _inertia(products: NDArray[Any]) -> NDArray[Any]:
    """trace(S) 1 - S of symmetric matrices [..., 3, 3], as six numbers."""
    J = np.einsum("...xx,yz->...yz", products, np.eye(3)) - products
    return J[..., (0, 0, 1, 0, 1, 2), (0, 1, 1, 2, 2, 2)]


def _scratch_shapes(flex: Flex) -> dict[str, tuple[int, int]]:
    fields, faces = len(flex.base), len(flex.move)
    largest, lifts = int(np.max(flex.m, initial=0)), int(np.sum((flex.m - flex.n) * flex.n))
    return {
        "zeta": (3, fields), "lift": (3, lifts), "now": (fields, 12), "shape": (len(flex.row), 9),
        "coriolis": (fields, 3), "force": (fields, 1), "change": (fields, 21), "square": (3, largest * largest),
        "column": (faces, 6), "factor": (1, len(flex.stiffness)),
    }  # fmt: skip


def scratch_size(flex: Flex) -> int:
    """How many numbers the scratch takes."""
    return sum(a * b for a, b in _scratch_shapes(flex).values())


def with_scratch(flex: Flex, memory: NDArray[Any]) -> Flex:
    """For one workspace, with its scratch in memory that must outlive it."""
    parts, at = dict[str, Any](), 0
    for name, (rows, columns) in _scratch_shapes(flex).items():
        parts[name] = memory[at : at + rows * columns].reshape(rows, columns)
        at += rows * columns
    return flex._replace(**parts)


def _example(dtype: type) -> tuple[Any, ...]:
    return (with_scratch(build_flex([], 1), np.zeros(0, dtype)),)


FLEX_CONTEXT = ContextType(lambda: _example(float))
COMPLEX_FLEX_CONTEXT = ContextType(lambda: _example(complex))


def elimination_pays(tree: Tree, flex: Flex | None) -> bool:
    """Whether accelerations come faster by eliminating modes body by body (`dynamics.flexible.aba`)."""
    if flex is None:
        return False
    by_mass_matrix, by_body = float(np.sum((tree.depth + 1.0) ** 2)), float(np.sum(flex.n**3)) / 3.0
    return by_mass_matrix > PAYS * by_body
