"""`Sweep`: what the backward sweep over the steps of a run reads and writes (`step_adjoint`)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.kernel import ContextType


class Sweep(NamedTuple):
    """What the entry reads and writes. Rows of the tape are stages; the one more is the end of the step."""

    system: int  # address of the context (tree, loads, closures, w)
    recursive: int  # 1: rigid bodies with a column for each rate, whose inertia is passed by recursions
    world: int  # 1 if a force element, a law or a loop needs the columns of joints in world axes
    stages: int
    sums: int  # objectives
    implicit: int  # 1 for an implicit Runge-Kutta method, 2 for generalised-alpha
    span: Any  # [4] steps first - 1 down to last; 1: begin at the end of the run; 1 + step that was not solved
    A: Any  # [stages + 1, stages + 1] tableau, with the weights in the last row
    c: Any  # [stages + 1]
    t: Any  # [steps + 1]
    y: Any  # [steps + 1, n]
    final: Any  # [sums, n] weights of the rates at the end
    bar: Any  # [sums, n] ybar, in and out
    integral: Any  # [n] integrals of the rates by the method's own quadrature
    end: Any  # [n] rates at the end of the run

    slot: Any  # [stages + 1] rows of the tape
    Y: Any  # [stages + 1, n]
    k: Any  # [stages + 1, n]
    multipliers: Any  # [stages + 1, rows]
    at: Any  # [stages + 1] times
    start: Any  # [nv + nz + 1] where the list of row i of the following begins: ...
    column: Any  # ... places in (v, z) that the equation of rate or state i may depend on, by forces, closures and laws
    by_q: Any  # [stages + 1, places] K and Z, then Fq and Fz; K without the inertia if recursive
    by_v: Any  # [stages + 1, places] C, then Fv
    L: Any  # [stages + 1, ...] packed factor of M, unless `tree_adjoint` has another
    columns: Any  # [stages + 1, nc, COLUMN] of `tree_adjoint`, as the following
    bodies: Any  # [stages + 1, nb, BODY]
    G: Any  # [stages + 1, rows, nv]
    Gq: Any
    Aq: Any
    Av: Any
    B: Any  # [stages + 1, rows, nv] G M^-1
    D: Any  # [stages + 1, rows, rows] factor of the scaled G M^-1 G^T
    Dh: Any  # [stages + 1, rows, rows] the same of the equations of positions
    scale: Any  # [stages + 1, rows] scaling, 0 for equations that say nothing

    W: Any  # [nb, 6] virtual twists
    P: Any  # [nb, 9] sums inward
    u: Any  # [nc]

    by_inertia: Any  # [sums, nb, 10] gradient by `Tree.inertia`; empty if nobody asks
    left: Any  # [2] relative error of the multipliers nu where it is largest, and the time of that
    out: Any  # [stages sums, n] Ybar
    kbar: Any  # [n]
    delta: Any  # [nv]
    mu: Any  # [nv]
    nu: Any  # [rows]
    x: Any  # [nv]
    right: Any  # [rows]
    trial: Any  # [rows + quaternions]
    change: Any  # [rows]

    J: Any  # [1, n, n] derivatives of rates, of an implicit method
    LU: Any  # [n, n] factors of `implicit_adjoint` or `alpha_adjoint` ...
    pivots: Any  # [n]
    stack: Any  # [stages n] ... and right sides
    pair_factors: Any  # [n, n] complex: `implicit_adjoint`, as the following
    pair_pivots: Any  # [n]
    real: Any  # [n]
    pair: Any  # [n] complex
    stages_bar: Any  # [stages n]
    T: Any  # [3, 3] real eigenvector of A, real and imaginary part of a complex one
    T_inverse: Any
    eigenvalues: Any  # [3] of A
    kept: Any  # [2] about the factors

    alpha: Any  # [7] alpha_m, alpha_f, beta, gamma, delta_m, delta_f, gamma_z of generalised-alpha
    own: Any  # [1] states of z that it integrates; the integrals behind them follow the trapezoidal rule
    E: Any  # [4 quaternions, 3] change of a step's rotation with its rotation vector ...
    R: Any  # [4 quaternions, 4] ... and with its beginning
    a_bar: Any  # [sums, nv] bars of the helper a ...
    s_bar: Any  # [sums, nz] ... of s ...
    k_bar: Any  # [sums, n] ... and of the rates at the end of the step

    at_t: Any  # [records]
    at_y: Any  # [records, n]
    at_a: Any  # [records, nv]
    at_l: Any  # [records, rows]
    w_r: Any  # [records, sums, nv] weights of r_p ...
    w_c: Any  # [records, sums, rows] ... c_p ...
    w_z: Any  # [records, sums, nz] ... f_p ...
    w_g: Any  # [records, sums, rows] ... g_p ...
    w_d: Any  # [records, sums, rows] ... and d(dg/dt)/dp


STAGES = (
    "columns",
    "bodies",
    "by_inertia",
    "G",
    "Gq",
    "Aq",
    "Av",
    "B",
    "D",
    "Dh",
    "J",
    "w_r",
    "w_c",
    "w_z",
    "w_g",
    "w_d",
)
VECTORS = (
    "at",
    "u",
    "left",
    "change",
    "c",
    "t",
    "integral",
    "end",
    "kbar",
    "delta",
    "mu",
    "nu",
    "x",
    "right",
    "trial",
    "at_t",
    "stack",
    "real",
    "stages_bar",
    "eigenvalues",
    "kept",
    "alpha",
)


def _example() -> tuple[Any, ...]:
    ones: dict[str, Any] = {name: np.zeros(1) for name in VECTORS} | {name: np.zeros((1, 1, 1)) for name in STAGES}
    ones |= {
        "span": np.zeros(1, np.int64),
        "slot": np.zeros(1, np.int64),
        "start": np.zeros(1, np.int64),
        "column": np.zeros(1, np.int64),
        "pivots": np.zeros(1, np.int64),
        "own": np.zeros(1, np.int64),
        "pair_pivots": np.zeros(1, np.int64),
        "pair_factors": np.zeros((1, 1), complex),
        "pair": np.zeros(1, complex),
    }
    counts: dict[str, Any] = dict.fromkeys(("system", "recursive", "world", "stages", "sums", "implicit"), 0)
    made: dict[str, Any] = {
        name: counts[name] if name in counts else ones.get(name, np.zeros((1, 1))) for name in Sweep._fields
    }
    return (Sweep(**made),)


SWEEP_CONTEXT = ContextType(_example)
