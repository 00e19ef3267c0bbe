"""What loads on nodes and faces of a flexible body have in common.

Such a load is a sum of patterns (`flexible.load_pattern`) times their sizes: one of a pressure, three of a vector. With
the sizes a_c, modal coordinates eta, and all of a pattern in the row's frame,

    wrench = a_c (torque_c + T_cj eta_j, force_c),   tau_j = a_c (modal_cj - K_cjk eta_k)                         (1)

A vector that is fixed in the world has the sizes a = R^T x, which turn with the body. Rows of the table of a pattern:
torque and force; (T_j, modal_j) for each mode; then the numbers of K, six in a row.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from duoti.elements.body_pairs import add_pair, add_rank_one, path_between
from duoti.elements.laws import add_law_gradient, law_vector, reads_state
from duoti.flexible.body import Flexible
from duoti.kernel import helper, part
from duoti.model.elements import Body, name_of
from duoti.model.forces.base import Compiler, Force
from duoti.model.forces.vector_value import VectorValue
from duoti.model.laws.law import Function, Value
from duoti.spatial.algebra import (
    ZERO3,
    ZERO6,
    add,
    cross,
    cross_force,
    force_to_parent,
    get3,
    get9,
    get_column,
    get_pose,
    get_spatial,
    mul,
    mulT,
    put_spatial,
    scale,
    sub,
    vadd,
    vdot,
    vscale,
)
from duoti.spatial.axes import Array

INTEGERS = ("row", "modes", "place", "first_v", "world", "law", "laws", "patterns", "first")
ROW, MODES, PLACE, FIRST_V, WORLD, LAW, LAWS, PATTERNS, FIRST = range(len(INTEGERS))


@helper
def _of(a, c):
    return a[0] if c == 0 else (a[1] if c == 1 else a[2])


@helper
def _table(f, c, loads):
    """Where the table of pattern c begins."""
    n = loads.forces.integers[f, MODES]
    return loads.forces.integers[f, FIRST] + c * (1 + n + (n * n + 5) // 6)


@helper
def _sizes(f, t, q, v, loads, w):
    """What the laws give, and the sizes of the patterns."""
    integers, zero = loads.forces.integers, 0.0 * w.X_WB[0, 0]
    x = law_vector(loads, w, integers[f, LAW], integers[f, LAWS], t, q, v, zero, zero)
    if integers[f, WORLD] == 1:
        return x, mulT(get9(w.X_WB, integers[f, ROW], 0), x)
    return x, x


@part
def _wrench(f, a, q, loads):
    """Torque and force of (1), in the axes and about the origin of the row."""
    integers, table = loads.forces.integers, loads.forces.tables
    W = vscale(0.0 * a[0], ZERO6)
    for c in range(integers[f, PATTERNS]):
        at, size = _table(f, c, loads), _of(a, c)
        torque, force = get_spatial(table, at)
        for j in range(integers[f, MODES]):
            torque = add(torque, scale(q[integers[f, PLACE] + j], get3(table, at + 1 + j, 0)))
        W = vadd(W, vscale(size, (torque, force)))
    return W


@part
def _modal(f, a, j, q, loads):
    """tau_j of (1)."""
    integers, table = loads.forces.integers, loads.forces.tables
    n = integers[f, MODES]
    tau = 0.0 * a[0]
    for c in range(integers[f, PATTERNS]):
        at, size = _table(f, c, loads), _of(a, c)
        one = table[at + 1 + j, 3] + 0.0 * q[integers[f, PLACE]]
        for k in range(n):
            one -= table[at + 1 + n + (j * n + k) // 6, (j * n + k) % 6] * q[integers[f, PLACE] + k]
        tau += size * one
    return tau


@helper
def load_law(f, t, q, v, loads, w):
    """The law of all such loads."""
    integers = loads.forces.integers
    b, rate = integers[f, ROW], integers[f, FIRST_V]
    _, a = _sizes(f, t, q, v, loads, w)
    W = _wrench(f, a, q, loads)
    put_spatial(w.F_ext, b, vadd(get_spatial(w.F_ext, b), W))
    power = vdot(get_spatial(w.V, b), W)
    for j in range(integers[f, MODES]):
        tau = _modal(f, a, j, q, loads)
        w.tau[rate + j] += tau
        power += tau * v[rate + j]
    return 0.0 * power, power, 0.0 * power


@helper
def load_tangent(f, t, q, v, tree, loads, w, tan, path):
    """K, C, Z -= derivatives of (1); the load goes along with the row's frame, modes move its lever arms."""
    _tangent(f, t, q, v, tree, loads, w, tan, path)


@part
def _tangent(f, t, q, v, tree, loads, w, tan, path):
    integers, table = loads.forces.integers, loads.forces.tables
    b, n, rate = integers[f, ROW], integers[f, MODES], integers[f, FIRST_V]
    R, p = get_pose(w.X_WB, b)
    X = (R, sub(p, get3(w.X_WB, 1, 9)))
    x, a = _sizes(f, t, q, v, loads, w)
    W = force_to_parent(X, _wrench(f, a, q, loads))
    count = path_between(tree, path, 0, b)
    for k in range(count):
        S_k, j = get_column(tan.S, path.column[k]), path.rate[k] - rate
        change = cross_force(S_k, W)
        if integers[f, WORLD] == 1:  # the vector stays, so that its sizes turn back
            back = scale(-1.0, mulT(R, cross(S_k[0], x)))
            change = vadd(change, force_to_parent(X, _wrench(f, back, q, loads)))
            for i in range(n):
                tan.K[rate + i, path.rate[k]] -= _modal(f, back, i, q, loads)
        if j >= 0 and j < n:
            for c in range(integers[f, PATTERNS]):
                torque = mul(R, get3(table, _table(f, c, loads) + 1 + j, 0))
                change = vadd(change, (scale(_of(a, c), torque), ZERO3))
        put_spatial(path.W_q, k, change)
    for c in range(integers[f, PATTERNS]):
        at = _table(f, c, loads) + 1 + n
        for i in range(n):
            for k in range(n):
                tan.K[rate + i, rate + k] += _of(a, c) * table[at + (i * n + k) // 6, (i * n + k) % 6]
    for c in range(integers[f, PATTERNS]):
        single = integers[f, LAWS] == 0
        law, output = (integers[f, LAW], c) if single else (integers[f, LAW] + c, 0)
        if reads_state(loads, law) == 1:
            add_law_gradient(
                tree, loads, w, tan, path, law, output, t, q, v, 0.0, 0.0, 1.0, path.row_q, path.row_v, path.row_z,
                np.int64(0),
            )  # fmt: skip
            unit = (1.0 * (c == 0), 1.0 * (c == 1), 1.0 * (c == 2))
            if integers[f, WORLD] == 1:
                unit = mulT(R, unit)
            _add_modal_rank_one(f, unit, q, tree, loads, tan, path)
            add_rank_one(tree, tan, path, count, force_to_parent(X, _wrench(f, unit, q, loads)))
    add_pair(tree, tan, path, count, W, np.int64(0))


@part
def _add_modal_rank_one(f, unit, q, tree, loads, tan, path):
    """K, C, Z -= what a unit size does to the modal coordinates, times the rows of path."""
    rate = loads.forces.integers[f, FIRST_V]
    for i in range(loads.forces.integers[f, MODES]):
        effect = _modal(f, unit, i, q, loads)
        for j in range(tree.nv):
            tan.K[rate + i, j] -= effect * path.row_q[0, j]
            tan.C[rate + i, j] -= effect * path.row_v[0, j]
        for j in range(tree.nz):
            tan.Z[rate + i, j] -= effect * path.row_z[0, j]


class FlexibleLoad(Force):
    """A load on nodes or faces of a flexible body."""

    INTEGERS = INTEGERS
    body: Body | str
    value: Any

    @abstractmethod
    def unit_forces(self, body: Flexible, axes: Array) -> list[Array]:
        """Forces (nodes, 3) of each pattern of unit size, in the body's frame; axes [3, 3]: columns, of a vector.

        A ValueError says why there are none.
        """

    @abstractmethod
    def residual(self) -> str:
        """How `loads=` of `Flexible.from_mesh` writes it."""

    @property
    def in_world(self) -> bool:
        """True if its direction is fixed in space."""
        return False

    @property
    def single(self) -> bool:
        """True if one function gives all three components."""
        return False

    def loaded_bodies(self) -> Iterable[str]:
        """The body."""
        return (name_of(self.body),)

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        from duoti.flexible.load_pattern import load_pattern  # few models have such loads

        laws = [compiler.law(value, own, outputs) for _, value, own, outputs in self.values()]
        attachment = compiler.flexible_body(name_of(self.body))
        R, p = np.asarray(attachment.X_UB.rotation.matrix), np.asarray(attachment.X_UB.position)
        forces = self.unit_forces(attachment.body, R if self.in_world else np.eye(3))
        rows = [_rows(load_pattern(attachment.body, attachment.root, each).in_frame(R, p)) for each in forces]
        first, _ = compiler.table(np.concatenate(rows))
        return {
            "row": attachment.row,
            "modes": attachment.body.modes,
            "place": attachment.q,
            "first_v": attachment.v,
            "world": int(self.in_world),
            "law": laws[0],
            "laws": 0 if self.single else len(laws),
            "patterns": len(rows),
            "first": first,
        }


def _rows(pattern: Any) -> Array:
    n = len(pattern.modal)
    K = np.zeros(6 * ((n * n + 5) // 6))
    K[: n * n] = pattern.stiffness.ravel()
    modes = np.column_stack([pattern.torque_by_modes.T, pattern.modal, np.zeros((n, 2))])
    return np.vstack([np.concatenate([pattern.torque, pattern.force]), modes, K.reshape(-1, 6)])


class FlexibleVector(VectorValue, FlexibleLoad):
    """A load along a vector of three laws, or of one function that returns three numbers."""

    FRAMES: ClassVar = {"world": "fixed direction", "body": "following the body's frame"}

    @abstractmethod
    def shares(self, body: Flexible) -> Array:
        """(nodes) what each node takes of a unit; a ValueError says why there are none."""

    def unit_forces(self, body: Flexible, axes: Array) -> list[Array]:
        shares = self.shares(body)
        return [shares[:, None] * axis for axis in axes.T]

    @property
    def in_world(self) -> bool:
        """True if its direction is fixed in space."""
        return self.frame == "world"


def solid_of(body: Flexible) -> Any:
    """The solid structure of a body, whose faces can be loaded; a ValueError if it has none."""
    structure = None if body.reduction is None else body.reduction.structure
    if not hasattr(structure, "traction"):
        raise ValueError(
            "it is not made of a mesh (dt.Flexible.from_mesh), so that it has no faces; use dt.flexible.NodalForce"
        )
    return structure


# Force on nodes of a flexible body.


class NodalForce(FlexibleVector):
    r"""Force on nodes of a flexible body, shared equally.

    $$Q = \frac{1}{n} \sum_{k=1}^{n} \Phi_k^T R_{W A}\, (f_x, f_y, f_z)$$

    $\Phi_k$ is the displacement of node $k$ per unit of the body's coordinates. The nodes need not be an interface. The
    body should have a mode for the load, see `SurfacePressure`.

    Parameters
    ----------
    body:
        The flexible body.
    nodes:
        The nodes: numbers, the name of a node set, or a selection such as {"nearest": point}.
    value:
        Three components, each a number, an expression or a function; or one function that returns all three.
    frame:
        "world" keeps the direction in space; "body" lets it follow the frame of the body.
    """

    kind = "nodal_force"
    units: ClassVar = {"value": "N"}
    law = staticmethod(load_law)
    tangent = staticmethod(load_tangent)

    def __init__(
        self,
        body: Body | str,
        nodes: Any,
        value: Sequence[Value] | Callable[..., Any] | Function,
        frame: str = "world",
    ):
        self.body, self.nodes, self.value, self.frame = body, nodes, value, frame

    def shares(self, body: Flexible) -> Array:
        """Equal shares."""
        shown = body.reduced.display
        count = 0 if shown is None else len(shown.nodes)
        if body.reduction is not None:
            wanted = [self.nodes] if isinstance(self.nodes, int) else self.nodes
            nodes = np.unique(body.reduction.structure.select(wanted))
        else:
            nodes = np.unique(np.atleast_1d(np.asarray(self.nodes)))
            if not np.issubdtype(nodes.dtype, np.integer):
                raise ValueError(f"nodes {self.nodes!r}: of a body given by numbers, nodes have numbers from 0")
        if not len(nodes) or nodes.min() < 0 or nodes.max() >= count:
            raise ValueError(f"nodes {self.nodes!r}: the body has nodes 0 to {count - 1}")
        shares = np.zeros(count)
        shares[nodes] = 1.0 / len(nodes)
        return shares

    def residual(self) -> str:
        return f"{{'force': {{'nodes': {self.nodes!r}, 'value': (x, y, z)}}}}"


# Pressure on faces of a flexible body.


class SurfacePressure(FlexibleLoad):
    r"""Pressure on the surface of a flexible body made from a mesh.

    $$f = -\int_S p\, n\, dS$$

    The pressure pushes inwards and moves with the body. Faces keep the normal $n$ of the undeformed body. The body
    should have a mode for the load: `loads={name: {"pressure": surface}}` of `Flexible.from_mesh`. `dt.check` reports
    the part of the deformation that the modes lack.

    Parameters
    ----------
    body:
        The flexible body.
    surface:
        Nodes of the faces, as `Mesh.select` takes them: "z+", the name of a node set, {"plane": ...}.
    value:
        Pressure $p$: a number, an expression or a function.
    """

    kind = "surface_pressure"
    units: ClassVar = {"value": "Pa"}
    law = staticmethod(load_law)
    tangent = staticmethod(load_tangent)

    def __init__(self, body: Body | str, surface: Any, value: Value):
        self.body, self.surface, self.value = body, surface, value

    def values(self) -> Iterable[tuple[str, Value, Mapping[str, Any], int]]:
        """The pressure."""
        return (("value", self.value, {}, 1),)

    def unit_forces(self, body: Flexible, axes: Array) -> list[Array]:
        return [solid_of(body).pressure(self.surface)]

    def residual(self) -> str:
        return f"{{'pressure': {self.surface!r}}}"


# Force per area on faces of a flexible body.


class SurfaceTraction(FlexibleVector):
    r"""Force per area on the surface of a flexible body made from a mesh: wind, friction, cutting.

    $$f = \int_S R_{W A}\, (p_x, p_y, p_z)\, dS$$

    Areas are those of the undeformed body.

    Parameters
    ----------
    body:
        The flexible body.
    surface:
        Nodes of the faces, as `Mesh.select` takes them: "z+", the name of a node set, {"plane": ...}.
    value:
        Three components, each a number, an expression or a function; or one function that returns all three.
    frame:
        "world" keeps the direction in space; "body" lets it follow the frame of the body.
    """

    kind = "surface_traction"
    units: ClassVar = {"value": "Pa"}
    law = staticmethod(load_law)
    tangent = staticmethod(load_tangent)

    def __init__(
        self,
        body: Body | str,
        surface: Any,
        value: Sequence[Value] | Callable[..., Any] | Function,
        frame: str = "world",
    ):
        self.body, self.surface, self.value, self.frame = body, surface, value, frame

    def shares(self, body: Flexible) -> Array:
        """Areas [m²]."""
        return solid_of(body).traction(self.surface, (1.0, 0.0, 0.0))[:, 0]

    def residual(self) -> str:
        return f"{{'traction': {{'nodes': {self.surface!r}, 'value': (x, y, z)}}}}"
