"""The kernels of a kind of equation as entries: compiled when a model first has such a row, and called by address.

An entry is called once for all rows of its kind (`system.arrays.Group`). The functions below make an
entry from the functions of a kind: its law, tangent, bias_tangent, curvature (`model.equations.base`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

from duoti.elements.body_pairs import displacement, path_between
from duoti.elements.force_types import equation_is_off
from duoti.elements.user_equations import expression_accelerations, expression_equations, expression_tangents
from duoti.kernel import ContextType, entry, helper, on_demand, subclasses_of_package, unpack
from duoti.model.equations import EQUATION_KINDS, CoordinateEquation, EquationKind, ExpressionEquation, FrameEquation
from duoti.model.equations.base import SLOPE, TERM_V
from duoti.spatial.algebra import (
    ZERO6,
    cross_motion,
    get3,
    get9,
    get_column,
    get_spatial,
    put_spatial,
    vdot,
    vscale,
    vsub,
)
from duoti.system.arrays import (
    ACCELERATION,
    ALPHA_A,
    ALPHA_B,
    DISTANCE,
    OMEGA_A,
    OMEGA_B,
    POINT,
    ROTATION_A,
    ROTATION_B,
    VELOCITY,
)
from duoti.system.context import (
    COMPLEX_CONTEXT,
    GROUP_CONTEXT,
    PERTURBED_CONTEXT,
    PERTURBED_TANGENTS,
    REAL_CONTEXT,
    REAL_TANGENTS,
)


@helper
def _deactivate(w, r):
    """A row that is switched off says nothing."""
    w.g[r] = w.gdot[r] = w.gamma[r] = 0.0
    put_spatial(w.equation_wrench, r, ZERO6)


@helper
def _put_row(w, r, value, rate, bias, wrench):
    """Residual, its rate and the right-hand side of G a = gamma, less the value of the row; its wrench."""
    w.g[r] = value - w.values[r, 0]
    w.gdot[r] = rate - w.values[r, 1]
    w.gamma[r] = w.values[r, 2] - bias
    put_spatial(w.equation_wrench, r, wrench)


# ------------------------------------------------------------------------------------------------------ between frames


def _frame_equations(name: str, CONTEXT: ContextType, law: Any) -> Any:
    """An entry that evaluates the equations of a kind between frames."""

    def rows(context):
        (group,) = unpack(context, GROUP_CONTEXT)
        _, _, closures, w = unpack(group.system, CONTEXT)
        x = w.frames
        for k in range(group.first, group.last):
            r = closures.kind_equations[k]
            n = closures.equation_closure[r]
            if equation_is_off(closures, w, r):
                _deactivate(w, r)
                continue
            value, rate, bias, wrench = law(
                closures.equation_axes[r, 0],
                closures.equation_axes[r, 1],
                closures.parameter[n],
                get9(x, n, ROTATION_A),
                get9(x, n, ROTATION_B),
                get3(x, n, DISTANCE),
                get3(x, n, POINT),
                get3(x, n, OMEGA_A),
                get3(x, n, OMEGA_B),
                get3(x, n, VELOCITY),
                get3(x, n, ALPHA_A),
                get3(x, n, ALPHA_B),
                get3(x, n, ACCELERATION),
            )
            _put_row(w, r, value, rate, bias, wrench)

    return entry(rows, name)


def _frame_tangents(name: str, CONTEXT: ContextType, TANGENTS: ContextType, tangent: Any) -> Any:
    """An entry that writes their derivatives by positions."""

    def tangents(context):
        (group,) = unpack(context, GROUP_CONTEXT)
        tree, loads, closures, w = unpack(group.system, CONTEXT)
        tan, path = unpack(w.at[0].tangent, TANGENTS)
        x, body = w.frames, loads.markers.body
        listed, count = -1, 0
        for k in range(group.first, group.last):
            r = closures.kind_equations[k]
            n = closures.equation_closure[r]
            if n != listed:
                listed, count = n, path_between(tree, path, body[closures.markers[n, 0]], body[closures.markers[n, 1]])
            i, j, parameter = closures.equation_axes[r, 0], closures.equation_axes[r, 1], closures.parameter[n]
            R_A, R_B = get9(x, n, ROTATION_A), get9(x, n, ROTATION_B)
            d, p = get3(x, n, DISTANCE), get3(x, n, POINT)
            off = equation_is_off(closures, w, r)
            for m in range(count):
                change = tangent(i, j, parameter, R_A, R_B, d, p, get_column(tan.S, path.column[m]))
                put_spatial(tan.equation_change, closures.row_columns[r] + m, vscale(0.0 if off else 1.0, change))

    return entry(tangents, name)


def _frame_accelerations(
    name: str, CONTEXT: ContextType, TANGENTS: ContextType, tangent: Any, bias_tangent: Any
) -> Any:
    """An entry that writes the derivatives of their second derivatives by time."""

    def accelerations(context):
        (group,) = unpack(context, GROUP_CONTEXT)
        tree, loads, closures, w = unpack(group.system, CONTEXT)
        tan, path = unpack(w.at[0].tangent, TANGENTS)
        x, body = w.frames, loads.markers.body
        listed, count = -1, 0
        for k in range(group.first, group.last):
            r = closures.kind_equations[k]
            n = closures.equation_closure[r]
            A, B = body[closures.markers[n, 0]], body[closures.markers[n, 1]]
            if n != listed:
                listed, count = n, path_between(tree, path, A, B)
            i, j, parameter = closures.equation_axes[r, 0], closures.equation_axes[r, 1], closures.parameter[n]
            R_A, R_B = get9(x, n, ROTATION_A), get9(x, n, ROTATION_B)
            d, p = get3(x, n, DISTANCE), get3(x, n, POINT)
            V_A, V_B = get_spatial(tan.V_W, A), get_spatial(tan.V_W, B)
            V_rel = vsub(V_B, V_A)
            A_rel = vsub(vsub(get_spatial(tan.A_W, B), get_spatial(tan.A_W, A)), cross_motion(V_A, V_B))
            off = equation_is_off(closures, w, r)
            for m in range(count):
                S_m, y_m = displacement(tan, path.column[m], V_B)
                at = closures.row_columns[r] + m
                if off:
                    tan.equation_bias[at, 0] = tan.equation_bias[at, 1] = tan.equation_bias[at, 2] = 0.0
                    continue
                tan.equation_bias[at, 0] = vdot(tangent(i, j, parameter, R_A, R_B, d, p, S_m), A_rel)
                tan.equation_bias[at, 1] = bias_tangent(i, j, parameter, R_A, R_B, d, p, V_rel, S_m, y_m)
                tan.equation_bias[at, 2] = bias_tangent(i, j, parameter, R_A, R_B, d, p, V_rel, ZERO6, S_m)

    return entry(accelerations, name)


# -------------------------------------------------------------------------------------------------- between coordinates


def _coordinate_equations(name: str, CONTEXT: ContextType, law: Any) -> Any:
    """An entry that evaluates the equations of a kind between joint coordinates."""

    def rows(context):
        (group,) = unpack(context, GROUP_CONTEXT)
        _, loads, closures, w = unpack(group.system, CONTEXT)
        for k in range(group.first, group.last):
            r = closures.kind_equations[k]
            parameter, begin, end = (
                closures.parameter[closures.equation_closure[r]],
                closures.table[r, 0],
                closures.table[r, 1],
            )
            first, last = closures.terms[r], closures.terms[r + 1]
            if equation_is_off(closures, w, r):
                _deactivate(w, r)
                for n in range(first, last):
                    w.terms[n, SLOPE] = 0.0
                continue
            value, rate, bias = law(w.terms, first, last, closures.term_c, parameter, loads.forces.tables, begin, end)
            _put_row(w, r, value, rate, bias, ZERO6)

    return entry(rows, name)


def _coordinate_tangents(name: str, CONTEXT: ContextType, TANGENTS: ContextType, curvature: Any) -> Any:
    """K -= lambda d²g/dx², Gq = d(dg/dt)/dx."""

    def tangents(context):
        (group,) = unpack(context, GROUP_CONTEXT)
        _, loads, closures, w = unpack(group.system, CONTEXT)
        tan, _ = unpack(w.at[0].tangent, TANGENTS)
        for k in range(group.first, group.last):
            r = closures.kind_equations[k]
            parameter, begin, end = (
                closures.parameter[closures.equation_closure[r]],
                closures.table[r, 0],
                closures.table[r, 1],
            )
            first, last = closures.terms[r], closures.terms[r + 1]
            for n in range(first, last):
                tan.Gq[r, closures.term_v[n]] = 0.0
            if equation_is_off(closures, w, r):
                continue
            for n in range(first, last):
                i = closures.term_v[n]
                for m in range(first, last):
                    second, _ = curvature(
                        n, m, w.terms, first, closures.term_c, parameter, loads.forces.tables, begin, end
                    )
                    tan.K[i, closures.term_v[m]] -= w.multipliers[r] * second
                    tan.Gq[r, i] += second * w.terms[m, TERM_V]

    return entry(tangents, name)


def _coordinate_accelerations(name: str, CONTEXT: ContextType, TANGENTS: ContextType, curvature: Any) -> Any:
    """Aq = d(G a - gamma)/dx and Av, with a in w.ydot."""

    def accelerations(context):
        (group,) = unpack(context, GROUP_CONTEXT)
        tree, loads, closures, w = unpack(group.system, CONTEXT)
        tan, _ = unpack(w.at[0].tangent, TANGENTS)
        for k in range(group.first, group.last):
            r = closures.kind_equations[k]
            parameter, begin, end = (
                closures.parameter[closures.equation_closure[r]],
                closures.table[r, 0],
                closures.table[r, 1],
            )
            first, last = closures.terms[r], closures.terms[r + 1]
            for n in range(first, last):
                tan.Aq[r, closures.term_v[n]] = tan.Av[r, closures.term_v[n]] = 0.0
            if equation_is_off(closures, w, r):
                continue
            for n in range(first, last):
                i = closures.term_v[n]
                for m in range(first, last):
                    second, rate = curvature(
                        n, m, w.terms, first, closures.term_c, parameter, loads.forces.tables, begin, end
                    )
                    tan.Aq[r, i] += second * w.ydot[tree.nq + closures.term_v[m]] + rate * w.terms[m, TERM_V]
                    tan.Av[r, i] += 2.0 * second * w.terms[m, TERM_V]

    return entry(accelerations, name)


# -------------------------------------------------------------------------------------------------------------- entries


class EquationEntries(NamedTuple):
    """Entries of a kind."""

    law: Any
    complex_law: Any
    tangent: Any
    acceleration: Any


class _Factories(NamedTuple):
    """What makes the entries of a kind: called with a name and contexts."""

    rows: Callable[[str, ContextType], Any]
    tangents: Callable[[str, ContextType, ContextType], Any]
    accelerations: Callable[[str, ContextType, ContextType], Any]


def _factories(cls: type[EquationKind]) -> _Factories:
    if issubclass(cls, ExpressionEquation):  # all kinds of them have the same entries
        return _Factories(expression_equations, expression_tangents, expression_accelerations)
    if issubclass(cls, FrameEquation):
        return _Factories(
            partial(_frame_equations, law=cls.law),
            partial(_frame_tangents, tangent=cls.tangent),
            partial(_frame_accelerations, tangent=cls.tangent, bias_tangent=cls.bias_tangent),
        )
    assert issubclass(cls, CoordinateEquation)
    return _Factories(
        partial(_coordinate_equations, law=cls.law),
        partial(_coordinate_tangents, curvature=cls.curvature),
        partial(_coordinate_accelerations, curvature=cls.curvature),
    )


def _entries(cls: type[EquationKind]) -> EquationEntries:
    name, make = f"{cls.__module__}.{cls.__qualname__}", _factories(cls)
    return EquationEntries(
        make.rows(f"{name}.{cls.kind}_rows", REAL_CONTEXT),
        make.rows(f"{name}.{cls.kind}_complex_rows", COMPLEX_CONTEXT),
        make.tangents(f"{name}.{cls.kind}_tangents", *REAL_TANGENTS),
        make.accelerations(f"{name}.{cls.kind}_accelerations", *REAL_TANGENTS),
    )


_ENTRIES: dict[type[EquationKind], EquationEntries] = {cls: _entries(cls) for cls in EQUATION_KINDS.values()}


def equation_entries(cls: type[EquationKind]) -> EquationEntries:
    """Entries of a kind: of the package, or of a script."""
    if cls not in _ENTRIES:
        _ENTRIES[cls] = _entries(cls)
    return _ENTRIES[cls]


@cache
def perturbed_equation_entry(cls: type[EquationKind]) -> Any:
    """The rows of a kind for derivatives by numbers of the model: these are complex, too."""
    return _factories(cls).rows(_perturbed_name(cls, "rows"), PERTURBED_CONTEXT)


@cache
def perturbed_equation_tangents(cls: type[EquationKind]) -> tuple[Any, Any]:
    """Tangent and acceleration of a kind for derivatives of these derivatives by numbers of the model."""
    make = _factories(cls)
    return (
        make.tangents(_perturbed_name(cls, "tangents"), *PERTURBED_TANGENTS),
        make.accelerations(_perturbed_name(cls, "accelerations"), *PERTURBED_TANGENTS),
    )


def _perturbed_name(cls: type[EquationKind], what: str) -> str:
    return f"{cls.__module__}.{cls.__qualname__}.{cls.kind}_perturbed_{what}"


@on_demand
def _all_entries() -> None:
    for cls in subclasses_of_package(EquationKind):
        if "kind" in vars(cls):
            equation_entries(cls)
            perturbed_equation_entry(cls)
            perturbed_equation_tangents(cls)
