"""Figures of the solvers: regions of stability from their coefficients, orders measured on a pendulum."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.ticker import NullFormatter

import duoti as dt
from reference_maker.sketch import BLUE, GREY, INK, RED, save

STEPS = (0.1, 0.05, 0.025, 0.0125, 0.00625)
TOLERANCES = tuple(10.0 ** -np.arange(3, 12))
Array = Any


# ---------------------------------------------------------------------------------------------------------- stability


def explicit_stability(solver: Any, z: Array) -> Array:
    """|R(z)| of an explicit Runge-Kutta method, by its stages."""
    tableau = solver.coefficients()
    A = np.array(tableau.A, float)
    b = A[tableau.stages, : tableau.stages]
    k: list[Array] = []
    for i in range(len(b)):
        k.append(z * (1.0 + sum(A[i, j] * k[j] for j in range(i))))
    return np.abs(1.0 + sum(b[i] * k[i] for i in range(len(b))))


def radau_stability(z: Array) -> Array:
    """|R(z)| of Radau IIA with three stages: the Padé approximation (2, 3) of exp."""
    return np.abs((1 + 2 * z / 5 + z**2 / 20) / (1 - 3 * z / 5 + 3 * z**2 / 20 - z**3 / 60))


def rodas_stability(z: Array) -> Array:
    """|R(z)| of the Rosenbrock method, from its coefficients in the form of Hairer and Wanner."""
    from duoti.integrate.implicit import rodas

    shape = z.shape
    flat = z.ravel()
    u: list[Array] = []
    for i, (a, c) in enumerate(zip(rodas.A, rodas.C, strict=True)):
        y = 1.0 + sum((a[j] * u[j] for j in range(i)), np.zeros_like(flat))
        right = flat * y + sum((c[j] * u[j] for j in range(i)), np.zeros_like(flat))
        u.append(right / (1.0 / rodas.GAMMA - flat))
    last = rodas.A[-1]
    return np.abs(1.0 + sum(last[j] * u[j] for j in range(len(last))) + u[-1]).reshape(shape)


def alpha_radius(solver: Any, x: Array) -> Array:
    """Spectral radius of one step for an undamped oscillation with x = omega h."""
    alpha_m, alpha_f, beta, gamma = solver.coefficients()
    found: list[float] = []
    for w2 in x**2:
        # unknowns (q1, v1 h, a1 h^2) from (q0, v0 h, a0 h^2); a is the algorithmic acceleration
        left = np.array([[1, 0, -beta], [0, 1, -gamma], [(1 - alpha_f) * w2, 0, 1 - alpha_m]])
        right = np.array([[1, 1, 0.5 - beta], [0, 1, 1 - gamma], [-alpha_f * w2, 0, -alpha_m]])
        found.append(float(np.abs(np.linalg.eigvals(np.linalg.solve(left, right))).max()))
    return np.array(found)


def leapfrog_radius(x: Array) -> Array:
    """Spectral radius of Verlet's method and of the symplectic Euler method for x = omega h."""
    half = 1.0 - x**2 / 2
    root = np.sqrt((half**2 - 1.0).astype(complex))
    return np.maximum(np.abs(half + root), np.abs(half - root))


# -------------------------------------------------------------------------------------------------------------- order


def pendulum() -> dt.Model:
    """The test problem: large swings, no damping."""
    m = dt.Model("pendulum")
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
    m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), q0=1.5)
    return m


def errors(make: Callable[[float], Any], values: tuple[float, ...]) -> tuple[Array, Array]:
    """Mean steps and errors of the angle after two seconds."""
    system = dt.compile(pendulum())
    exact = dt.simulate(system, 2.0, outputs=[0.0, 2.0], solver=dt.DOP853(rtol=1e-13, atol=1e-15)).q[-1, 0]
    h: list[float] = []
    e: list[float] = []
    for value in values:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # large steps lose energy: that is what the figure shows
            r = dt.simulate(system, 2.0, outputs=[0.0, 2.0], solver=make(value))
        h.append(2.0 / r.stats.steps)
        e.append(abs(float(r.q[-1, 0]) - float(exact)))
    return np.array(h), np.array(e)


# ------------------------------------------------------------------------------------------------------------ figures

Make = Callable[[float], Any]
SOLVERS: dict[str, tuple[str, Any, Make, tuple[float, ...], int]] = {
    # kind of the left figure, solver for it, how to make one for a step or tolerance, these, order to compare with
    "dopri5": ("region", dt.DOPRI5(), lambda x: dt.DOPRI5(rtol=x, atol=x), TOLERANCES, 5),
    "dop853": ("region", dt.DOP853(), lambda x: dt.DOP853(rtol=x, atol=x), TOLERANCES, 8),
    "rkf45": ("region", dt.RKF45(), lambda x: dt.RKF45(rtol=x, atol=x), TOLERANCES, 5),
    "rk4": ("region", dt.RK4(step=1.0), lambda x: dt.RK4(step=x), STEPS, 4),
    "radau": ("radau", None, lambda x: dt.Radau(step=x, rtol=1e-12, atol=1e-13), STEPS, 5),
    "rodas": ("rodas", None, lambda x: dt.Rodas(rtol=x, atol=x), TOLERANCES[:7], 4),
    "semi_implicit_euler": ("leapfrog", None, lambda x: dt.SemiImplicitEuler(step=x), STEPS, 1),
    "verlet": ("leapfrog", None, lambda x: dt.Verlet(step=x), STEPS, 2),
    "generalised_alpha": ("alpha", [dt.GeneralisedAlpha(rho=r) for r in (1.0, 0.8, 0.5, 0.0)],
                          lambda x: dt.GeneralisedAlpha(step=x, rtol=1e-10), STEPS, 2),
    "hht": ("alpha", [dt.HHT(alpha=a) for a in (0.0, 0.1, 0.3)], lambda x: dt.HHT(step=x, rtol=1e-10), STEPS, 2),
    "newmark": ("alpha", [dt.Newmark(), dt.Newmark(beta=0.3025, gamma=0.6)],
                lambda x: dt.Newmark(step=x, rtol=1e-10), STEPS, 2),
    "moreau": ("", None, lambda x: dt.Moreau(step=x), STEPS, 2),
    "ida": ("", None, lambda x: dt.IDA(rtol=x, atol=x), TOLERANCES[:7], 0),
    "auto": ("", None, lambda x: dt.Auto(rtol=x, atol=x), TOLERANCES, 5),
}  # fmt: skip


def draw(name: str, path: Path) -> None:
    """The figure of a solver."""
    kind, solver, make, values, order = SOLVERS[name]
    count = 2 if kind else 1
    figure, panels = plt.subplots(1, count, figsize=(3.3 * count, 2.7), squeeze=False, layout="constrained")
    if kind in ("region", "radau", "rodas"):
        _region(panels[0, 0], kind, solver)
    elif kind:
        _radius(panels[0, 0], kind, solver)
    _order(panels[0, -1], make, values, order)
    for axes in panels[0]:
        axes.tick_params(labelsize=8, colors=INK)
        axes.spines[:].set_color(GREY)
    save(figure, path)


def _region(axes: Any, kind: str, solver: Any) -> None:
    wide = 8.5 if kind != "region" else 7.0
    left, right = (-4.0, 14.0) if kind != "region" else (-7.0, 2.0)
    x, y = np.meshgrid(np.linspace(left, right, 161), np.linspace(-wide, wide, 161))
    z = x + 1j * y
    size = {"radau": radau_stability, "rodas": rodas_stability}.get(kind, lambda z: explicit_stability(solver, z))(z)
    axes.contourf(x, y, size, levels=[0.0, 1.0], colors=["#dbeafe"])
    axes.contour(x, y, size, levels=[1.0], colors=[BLUE], linewidths=1.2)
    axes.axhline(0, color=GREY, lw=0.6)
    axes.axvline(0, color=GREY, lw=0.6)
    axes.set(aspect="equal")
    axes.set_title("stable where shaded", fontsize=9, color=INK)
    axes.set_xlabel("Re $h\\lambda$", fontsize=9)
    axes.set_ylabel("Im $h\\lambda$", fontsize=9)


def _radius(axes: Any, kind: str, solvers: Any) -> None:
    if kind == "leapfrog":
        x = np.linspace(0.01, 3.0, 200)
        axes.plot(x, leapfrog_radius(x), color=BLUE)
        axes.axvline(2.0, color=RED, lw=0.8, ls="--")
    else:
        x = np.logspace(-2, 3, 120)
        for k, solver in enumerate(solvers):
            label = ", ".join(f"{n} = {v:g}" for n, v, *_ in solver.settings())
            axes.semilogx(x, alpha_radius(solver, x), color=BLUE, alpha=1.0 - 0.22 * k, label=label)
        axes.legend(fontsize=7, frameon=False)
        axes.set_ylim(-0.05, 1.1)
    axes.set_title("spectral radius of a step", fontsize=9, color=INK)
    axes.set_xlabel("$\\omega h$", fontsize=9)


def _order(axes: Any, make: Make, values: tuple[float, ...], order: int) -> None:
    h, e = errors(make, values)
    axes.loglog(h, np.maximum(e, 1e-16), "o-", color=BLUE, ms=3.5, lw=1.2)
    if order:
        good = e > 1e-11
        k = int(np.argmin(h[good])) if good.any() else 0
        h0, e0 = h[good][k], e[good][k]
        axes.loglog(h, 0.4 * e0 * (h / h0) ** order, "--", color=RED, lw=1.0, label=f"order {order}")
        axes.legend(fontsize=8, frameon=False)
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_ylim(max(1e-15, 0.2 * e.min()), 5 * e.max())
    axes.set_title("error of a pendulum", fontsize=9, color=INK)
    axes.set_xlabel("step [s]" if values is STEPS else "mean step [s]", fontsize=9)
    axes.set_ylabel("error [rad]", fontsize=9)
