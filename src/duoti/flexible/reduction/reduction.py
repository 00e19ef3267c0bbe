"""From a structure with interfaces to a body in modal coordinates."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from duoti.flexible.reduction.reduced import INERTIAL_LOADS, WRENCH_LOADS, Display, Interface, Reduced
from duoti.flexible.structure.attachment import Attached, Attachment, Coupling
from duoti.flexible.structure.eigen import natural_modes
from duoti.flexible.structure.structure import Structure
from duoti.flexible.structure.supports import HeldStructure
from duoti.kernel import one_blas_thread
from duoti.spatial.axes import Array, skew

Method = Literal["craig-bampton", "free-interface"]

DEPENDENT = 1e-12
"""Combinations of shapes with less than this share of the largest mass are dependent, and left out."""

MASSLESS = 1e-18
"""The same for shapes that move no mass."""


class Reduction:
    """A structure, its interfaces, and the shapes that it is reduced to.

    The shapes stand still at the first interface, which is the body's frame: all others of `interfaces`, with unit
    motions, and `modes` fixed-interface modes (Craig-Bampton); or `modes` free modes and the static answers to unit
    loads at the interfaces (free-interface, after MacNeal and Rubin). `loads` (rows each) add their static answers
    (residual modes). All are made natural modes of the body that is held at its first interface, of unit modal mass;
    without interfaces, of the floating body.
    """

    def __init__(
        self,
        structure: Structure,
        interfaces: Mapping[str, Any],
        modes: int,
        method: Method = "craig-bampton",
        loads: Mapping[str, ArrayLike] | None = None,
    ):
        if int(modes) != modes or modes < 0:
            raise ValueError(f"modes = {modes!r}: a whole number, zero or more, is needed")
        if method not in ("craig-bampton", "free-interface"):
            raise ValueError(f"method is 'craig-bampton' or 'free-interface', not {method!r}")
        self.structure, self.modes, self.method = structure, int(modes), method
        self.attached = _attached(structure, interfaces, "rigid" if method == "craig-bampton" else "average")
        self.loads = {name: np.asarray(f, dtype=float).reshape(-1) for name, f in (loads or {}).items()}
        for name, f in self.loads.items():
            if f.shape != (structure.size,):
                raise ValueError(f"load {name!r} has {f.size} numbers; the structure has {structure.size} rows")
        self._answers: dict[bytes, Array] = {}
        with one_blas_thread():
            self.omega, self.shapes, self.massless = self._natural()

    # ------------------------------------------------------------------------------------------------------ parts

    @functools.cached_property
    def held(self) -> HeldStructure:
        """The structure with all interfaces held."""
        s = self.structure
        rigid = [each.rows for each in self.attached if each.mean is None]
        averaged = [each for each in self.attached if each.mean is not None]
        A = np.zeros((6 * len(averaged), s.size))
        for k, each in enumerate(averaged):
            A[6 * k : 6 * k + 6, each.rows] = each.mean
        rows = np.concatenate(rigid) if rigid else np.zeros(0, dtype=np.int64)
        return HeldStructure(s.K, rows, A, s.rigid_motions, s.M, s.width)

    @functools.cached_property
    def constraint_modes(self) -> Array:
        """(rows, 6 interfaces): the static answer to unit motions of each interface, the others held."""
        s, held = self.structure, self.held
        count = 6 * len(self.attached)
        C, g = np.zeros((s.size, count)), np.zeros((0 if held.A is None else len(held.A), count))
        place = 0
        for k, each in enumerate(self.attached):
            columns = slice(6 * k, 6 * k + 6)
            if each.mean is None:
                C[each.rows, columns] = each.follow
            else:
                g[place : place + 6, columns] = np.eye(6)
                place += 6
        if held.A is None:
            C -= held.solve(s.K @ C)
        else:
            C += held.solve(-(s.K @ C), g - held.A @ C)
        return C

    @functools.cached_property
    def fixed_modes(self) -> tuple[Array, Array]:
        """Angular frequencies [rad/s] and shapes of the modes with all interfaces held; without any: elastic free
        modes."""
        return natural_modes(self.held, self.modes)

    def static(self, loads: Array) -> Array:
        """Displacements (rows, k) of loads (rows, k) on the body that is held at its first interface; else in
        relief."""
        if not self.attached:
            return self.held.solve(self.held.balanced(loads))
        u = self.held.solve(loads)
        return u + self.moved(self.constraint_modes[:, 6:].T @ loads) if len(self.attached) > 1 else u

    def whole_frequencies(self, count: int) -> Array:
        """[Hz] of the structure itself, held at the first interface as there; without interfaces, of the free one."""
        s, first = self.structure, self.attached[:1]
        rigid = [each.rows for each in first if each.mean is None]
        A = np.zeros((6 * (len(first) - len(rigid)), s.size))
        for each in first:
            if each.mean is not None:
                A[:, each.rows] = each.mean
        rows = rigid[0] if rigid else np.zeros(0, dtype=np.int64)
        with one_blas_thread():
            omega, _ = natural_modes(HeldStructure(s.K, rows, A, s.rigid_motions, s.M, s.width), count)
        return omega / (2.0 * np.pi)

    def answer(self, load: Array) -> Array:
        """`static` of one load (rows); remembered, since it is asked for whenever a model with the load is checked."""
        key = load.tobytes()
        if key not in self._answers:
            with one_blas_thread():
                self._answers[key] = self.static(load[:, None])[:, 0]
        return self._answers[key]

    def moved(self, wrenches: Array) -> Array:
        """Displacements of wrenches at the interfaces but the first (6 each, k), which is held."""
        C = self.constraint_modes[:, 6:]
        return C @ np.linalg.solve(self._boundary_stiffness, wrenches)

    @functools.cached_property
    def _boundary_stiffness(self) -> Array:
        C = self.constraint_modes[:, 6:]
        k = C.T @ (self.structure.K @ C)
        return 0.5 * (k + k.T)

    def _natural(self) -> tuple[Array, Array, int]:
        s = self.structure
        if not self.attached:
            shapes = [self.fixed_modes[1]]
        elif self.method == "craig-bampton":
            shapes = [self.constraint_modes[:, 6:], self.fixed_modes[1]]
        else:
            shapes = self._free_shapes()
        if self.loads:
            shapes.append(self.static(np.column_stack(list(self.loads.values()))))
        return _orthonormal(s, np.hstack(shapes))

    def _free_shapes(self) -> list[Array]:
        """Free modes, and static answers of the free body to wrenches at the interfaces, seen from the first one."""
        s = self.structure
        free = HeldStructure(s.K, np.zeros(0, dtype=np.int64), None, s.rigid_motions, s.M, s.width)
        wrenches = np.zeros((s.size, 6 * len(self.attached)))
        for k, each in enumerate(self.attached):
            wrenches[each.rows, 6 * k : 6 * k + 6] = _spread(each)
        shapes = np.hstack([natural_modes(free, self.modes)[1], free.solve(free.balanced(wrenches))])
        first = self.attached[0]
        motion = _motion(first, shapes)
        return [shapes - _carried(s, first, motion)]

    # ----------------------------------------------------------------------------------------------------- the body

    def reduced(self, damping_ratio: ArrayLike = 0.0, stiffening: bool = True, display: bool = True) -> Reduced:
        """The body in modal coordinates."""
        s, shapes = self.structure, self.shapes
        n = shapes.shape[1]
        ratios = np.asarray(damping_ratio, dtype=float)
        if ratios.ndim > 1 or (ratios.ndim == 1 and len(ratios) != n) or not np.all(ratios >= 0.0):
            raise ValueError(
                f"damping_ratio: one number, or one for each of {n} modes, none negative; given {damping_ratio!r}"
            )
        interfaces: dict[str, Interface] = {}
        for each in self.attached:
            motion = _motion(each, shapes)
            if each is self.attached[0]:
                motion = np.zeros_like(motion)  # held; but for round-off
            interfaces[each.name] = Interface(each.position, each.rotation, motion[:3], motion[3:])
        with one_blas_thread():
            return Reduced(
                moments=s.moments(shapes),
                stiffness=np.diag(self.omega**2),
                damping=np.diag(2.0 * np.broadcast_to(ratios, (n,)) * self.omega),
                interfaces=interfaces,
                geometric=self.geometric() if stiffening else {},
                display=self._display() if display else None,
            )

    def _display(self) -> Display:
        s, n = self.structure, self.shapes.shape[1]
        modes = self.shapes.reshape(len(s.nodes), s.width, n)
        stresses = [s.stresses(self.shapes[:, j]) for j in range(n)]
        known = [each for each in stresses if each is not None]
        return Display(
            nodes=s.nodes,
            faces=s.faces,
            modes=np.ascontiguousarray(modes[:, :3]),
            stresses=np.stack(known, axis=2) if known else None,
        )

    def geometric(self) -> dict[str, Array]:
        """Geometric stiffness of unit loads, by their labels; see `reduced`."""
        s = self.structure
        answers = dict(zip(INERTIAL_LOADS, self.static(s.fields_of_force()).T, strict=True))
        if len(self.attached) > 1:
            columns = self.moved(np.eye(6 * (len(self.attached) - 1)))
            names = [f"{each.name}.{w}" for each in self.attached[1:] for w in WRENCH_LOADS]
            answers |= dict(zip(names, columns.T, strict=True))
        found: dict[str, Array] = {}
        for label, u in answers.items():
            K = s.geometric(u, self.shapes)
            if K is not None:
                found[label] = 0.5 * (K + K.T)
        return found


def _attached(structure: Structure, interfaces: Mapping[str, Any], usual: Coupling) -> list[Attached]:
    found: list[Attached] = []
    for name, what in interfaces.items():
        found.append(Attached(name, what if isinstance(what, Attachment) else Attachment(what), structure, usual))
        if usual == "average" and found[-1].coupling == "rigid" and len(found[-1].nodes) > 1:
            raise ValueError(
                f"interface {name!r}: with the method 'free-interface', nodes move freely, so that they cannot be a "
                "rigid part; "
                "use coupling='average', or the method 'craig-bampton'"
            )
    owner: dict[int, str] = {}
    for each in found:
        if each.coupling == "average":
            continue
        for node in each.nodes.tolist():
            if node in owner:
                raise ValueError(
                    f"interfaces {owner[node]!r} and {each.name!r} share node {node}: as rigid parts they would be "
                    "one; select "
                    "other nodes, or use dt.flexible.Attachment(nodes, coupling='average')"
                )
            owner[node] = each.name
    return found


def _motion(each: Attached, shapes: Array) -> Array:
    """(6, n) motion of an interface's frame in shapes (rows, n)."""
    if each.mean is not None:
        return each.mean @ shapes[each.rows]
    return np.asarray(np.linalg.lstsq(each.follow, shapes[each.rows], rcond=None)[0], dtype=np.float64)


def _spread(each: Attached) -> Array:
    """(rows, 6) forces on the nodes of an interface of unit wrenches at its frame."""
    if each.mean is not None:
        return each.mean.T
    return each.follow @ np.linalg.inv(each.follow.T @ each.follow)


def _carried(structure: Structure, each: Attached, motion: Array) -> Array:
    """(rows, n) rigid motion of all nodes with an interface's frame that moves by (6, n)."""
    at_origin = np.vstack([motion[:3] + skew(each.position) @ motion[3:], motion[3:]])
    return structure.rigid_motions @ at_origin


def _orthonormal(structure: Structure, B: Array) -> tuple[Array, Array, int]:
    """Natural frequencies [rad/s] and modes in the span of shapes, which may depend on each other.

    Shapes that move no mass (the twist of a beam without rotary inertia) cannot be coordinates of a motion: how many
    were left out.
    """
    m = B.T @ (structure.M @ B)
    size = np.diag(m)
    massive = size > MASSLESS * size.max(initial=0.0)
    lost = int(np.count_nonzero(~massive))
    B, scale = B[:, massive], np.sqrt(size[massive])
    if not B.shape[1]:
        return np.zeros(0), B, lost
    B = B / scale
    m = m[np.ix_(massive, massive)] / np.outer(scale, scale)
    values, vectors = np.linalg.eigh(0.5 * (m + m.T))
    keep = values > DEPENDENT * values[-1]
    B = B @ (vectors[:, keep] / np.sqrt(values[keep]))
    k = B.T @ (structure.K @ B)
    squares, y = np.linalg.eigh(0.5 * (k + k.T))
    return np.sqrt(np.maximum(squares, 0.0)), B @ y, lost
