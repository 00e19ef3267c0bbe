"""What every kind of equation supplies: a scalar equation of a cut joint or constraint, in one file.

**Between frames** (`FrameEquation`). Frame A is on the first body and frame B on the second, with axes a of A and b of
B, points p_A and p_B and d = p_B - p_A, all in world axes. The row says g = 0, less a value that may change with time.
Its rate is dg/dt = W . (V_b - V_a) with the wrench W of a unit multiplier on the second body (the first gets the
opposite one), about the point from which the twists V count. It is enough to know how all this changes when the second
body alone moves (`duoti.elements.body_pairs`).

**Between coordinates** (`CoordinateEquation`). The row is a function of joint coordinates, its *terms*.

A row of velocity level (rolling, an edge) has a rate but no g: `holonomic` says so.

A kind is known as soon as its class is defined: a new file in this folder, or a class in a script of one's own. Files
and constraints know it by the name `kind`; numbers that a compiled system has for it are private.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from duoti.kernel import helper

EQUATION_KINDS: dict[str, type[EquationKind]] = {}
"""All kinds by name."""


class EquationKind:
    """A kind of equation; see the module's text."""

    kind: ClassVar[str]
    on_ground: ClassVar[bool] = False
    """True if the first frame must be on ground."""
    law: ClassVar[Callable[..., Any]]

    @staticmethod
    def holonomic(i: int) -> bool:
        """False if the row with axis i of the first frame restricts velocities only."""
        del i
        return True

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        kind = vars(cls).get("kind")
        if kind is None:
            return
        there = EQUATION_KINDS.get(kind, cls)
        if (there.__module__, there.__qualname__) != (cls.__module__, cls.__qualname__):
            raise TypeError(
                f"kind of equation {kind!r} is there already ({there.__module__}.{there.__qualname__}): rename it"
            )
        missing = [name for name in cls.kernels() if not hasattr(cls, name)]
        if missing:
            raise TypeError(
                f"kind of equation {kind!r} has no kernel {', '.join(missing)}; see duoti.model.equations.base"
            )
        EQUATION_KINDS[kind] = cls

    @classmethod
    def kernels(cls) -> tuple[str, ...]:
        """Names of the functions under `@helper` that the kind must have."""
        return ("law",)


class FrameEquation(EquationKind):
    """A row between two frames.

    i and j are the axes of A and B that it takes, `parameter` is the number of its constraint (a radius), R_A and R_B
    the rotation matrices, d = p_B - p_A, p = p_B from the point from which twists and wrenches count:

    `law(i, j, parameter, R_A, R_B, d, p, omega_a, omega_b, v, alpha_a, alpha_b, acc)` with the angular velocities, the
    velocity v of p_B less that of p_A, the angular accelerations and the difference acc of the accelerations returns

        (g, dg/dt, d²g/dt², (torque, force) of W)

    `tangent(i, j, parameter, R_A, R_B, d, p, xi)`: change (torque, force) of W when B moves by xi, linear in xi; D xi.

    `bias_tangent(i, j, parameter, R_A, R_B, d, p, V, xi, eta)`: with V = V_b - V_a, d²g/dt² = W . A_rel + phi and
    phi = (D V) . V. The change of phi when B moves by xi and V changes by eta.
    """

    tangent: ClassVar[Callable[..., Any]]
    bias_tangent: ClassVar[Callable[..., Any]]

    @classmethod
    def kernels(cls) -> tuple[str, ...]:
        return "law", "tangent", "bias_tangent"


TERM_Q, TERM_V, SLOPE = range(3)  # columns of `terms`


class CoordinateEquation(EquationKind):
    """A row g(x_first, ..., x_last-1) between coordinates.

    `terms[n]` holds the coordinate x_n, its rate and, written by the law, the slope dg/dx_n; `coefficients[n]` is what
    the constraint gave with it; `tables[begin:end]` is the constraint's table, `parameter` its number.

    `law(terms, first, last, coefficients, parameter, tables, begin, end)` writes the slopes and returns

        (g, dg/dt, d²g/dt² at zero accelerations)

    `curvature(n, m, terms, first, coefficients, parameter, tables, begin, end)` returns d²g/dx_n dx_m, and the rate of
    that: the sum over k of d³g/dx_n dx_m dx_k times the rate of x_k.
    """

    curvature: ClassVar[Callable[..., Any]]

    @classmethod
    def kernels(cls) -> tuple[str, ...]:
        return "law", "curvature"


class ExpressionEquation(EquationKind):
    """An equation that the user wrote (`duoti.model.laws.user_equations`): no kernels of its own, its programs are
    laws.

    Its terms are rates and velocities. `Closures.table[r, 0]` is the first of its laws: g; its rate at rest; its rate;
    its second derivative at constant rates; then dg/dx of each term.
    """

    @classmethod
    def kernels(cls) -> tuple[str, ...]:
        return ()


VALUE_LAW, AT_REST_LAW, RATE_LAW, BIAS_LAW, FIRST_SLOPE_LAW = range(5)  # of an ExpressionEquation
VELOCITY_TERM = 6  # term_q = -1 - (6 marker + component): velocity x, y, z, angular velocity x, y, z of a marker

# ------------------------------------------------------------------------------------------------ for use in the kinds


@helper
def axis(R, i):
    """Axis i of a frame with the rotation matrix R."""
    return R[i], R[3 + i], R[6 + i]
