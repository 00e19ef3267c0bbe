"""Draw the figures of chapters 7, 8, 9 and 14 of the theory: `python docs/make_theory_figures_b.py [chapter ...]`.

Each goes to docs/pictures/theory/, as a PNG of few colours.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from PIL import Image

import duoti as dt

mpl.use("Agg")
from matplotlib import pyplot as plt

PICTURES = Path(__file__).parent / "pictures" / "theory"
BLUE, GREY, RED, GREEN, ORANGE = "#2563eb", "#9ca3af", "#dc2626", "#059669", "#d97706"
plt.rcParams.update(
    {
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.color": "#e5e7eb",
        "grid.linewidth": 0.6,
        "axes.axisbelow": True,
        "legend.frameon": False,
        "lines.linewidth": 1.5,
        "figure.facecolor": "white",
    }
)


def save(figure: Any, name: str) -> None:
    """As a PNG of at most 64 colours."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    path = PICTURES / f"{name}.png"
    figure.savefig(path, dpi=150, bbox_inches="tight")
    plt.close(figure)
    Image.open(path).convert("RGB").quantize(64).save(path, optimize=True)
    print(path.name, path.stat().st_size // 1024, "kB")


# ---- chapter 7


def stability() -> None:
    """Stability regions of explicit methods; modulus of R on the negative real axis."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 3.6))
    x, y = np.meshgrid(np.linspace(-5.5, 1.5, 500), np.linspace(-4.2, 4.2, 500))
    z = x + 1j * y
    dopri5 = 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24 + z**5 / 120 + z**6 / 600
    polynomials = {
        "Euler": (GREY, 1 + z),
        "order 2": (ORANGE, 1 + z + z**2 / 2),
        "RK4": (BLUE, 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24),
        "DOPRI5": (RED, dopri5),
    }
    for name, (colour, R) in polynomials.items():
        left.contour(x, y, np.abs(R), levels=[1.0], colors=[colour], linewidths=1.5)
        left.plot([], [], color=colour, label=name)
    left.axvline(0, color="black", linewidth=0.6)
    left.set(xlabel="Re hλ", ylabel="Im hλ", title="|R| = 1 of explicit methods", aspect="equal")
    left.legend(loc="upper left", fontsize=8)
    s = np.logspace(-1, 3, 300)
    z = -s
    gamma = 1 - 0.5**0.5
    lines = {
        "RK4": (BLUE, 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24),
        "trapezoidal rule": (GREY, (1 + z / 2) / (1 - z / 2)),
        "two-stage Rosenbrock": (GREEN, (1 + (1 - 2 * gamma) * z) / (1 - gamma * z) ** 2),
        "Radau IIA, order 5": (RED, (1 + 2 / 5 * z + z**2 / 20) / (1 - 3 / 5 * z + 3 / 20 * z**2 - z**3 / 60)),
        "exact": ("black", np.exp(z)),
    }
    for name, (colour, R) in lines.items():
        right.loglog(s, np.abs(R), color=colour, label=name, linestyle=":" if name == "exact" else "-")
    right.set(xlabel="-hλ (real)", ylabel="|R|", ylim=(1e-4, 20), title="Damping of fast modes")
    right.legend(fontsize=8, loc="lower left")
    figure.tight_layout()
    save(figure, "07_stability")


def _amplification(wh: float, am: float, af: float, beta: float, gamma: float) -> Any:
    left = np.array([[1, 0, -beta], [0, 1, -gamma], [(1 - af) * wh**2, 0, 1 - am]])
    right = np.array([[1, 1, 0.5 - beta], [0, 1, 1 - gamma], [-af * wh**2, 0, -am]])
    return np.linalg.eigvals(np.linalg.solve(left, right))


def alpha() -> None:
    """Spectral radius and error of the period of the Newmark family."""
    methods: dict[str, tuple[str, str, tuple[float, float, float, float]]] = {}
    for rho, colour in ((1.0, GREY), (0.8, BLUE), (0.5, GREEN), (0.0, RED)):
        am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        gamma = 0.5 + af - am
        methods[f"generalised-α, ρ = {rho:g}"] = (colour, "-", (am, af, (gamma + 0.5) ** 2 / 4, gamma))
    methods["HHT, α = 0.1"] = (ORANGE, "--", (0.0, 0.1, 1.1**2 / 4, 0.6))
    methods["Newmark, γ = 0.6"] = ("black", ":", (0.0, 0.0, 1.1**2 / 4, 0.6))
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 3.2))
    x = np.logspace(-2, 3, 300)
    low = np.linspace(0.01, 0.4, 100)
    for name, (colour, style, numbers) in methods.items():
        left.semilogx(
            x,
            [np.abs(_amplification(2 * math.pi * s, *numbers)).max() for s in x],
            color=colour,
            linestyle=style,
        )
        period = []
        for s in low:
            values = _amplification(2 * math.pi * s, *numbers)
            best = values[np.argmax(values.imag)]
            period.append(2 * math.pi * s / np.angle(best) - 1)
        right.plot(low, period, color=colour, linestyle=style, label=name)
    left.set(xlabel="h / period", ylabel="spectral radius", ylim=(0, 1.05), title="Damping per step")
    right.legend(fontsize=7.5, loc="upper left")
    right.set(xlabel="h / period", ylabel="relative error of the period", title="Error of the period")
    figure.tight_layout()
    save(figure, "07_alpha")


def energy() -> None:
    """Energy residual of a pendulum with RK4 and Verlet."""
    m = dt.Model("pendulum")
    m.add_body("bob", dt.Inertia.point(1.0), position=(0, 0, -1))
    m.add_joint("A", dt.Revolute("y"), m.ground, "bob", at=(0, 0, 0), q0=1.0)
    figure, axes = plt.subplots(figsize=(8.6, 2.6))
    for solver, colour, name in ((dt.Verlet(step=0.01), GREY, "Verlet"), (dt.RK4(step=0.05), RED, "RK4")):
        r = dt.simulate(m, 200.0, outputs=0.05, solver=solver)
        axes.plot(r.t, 1e3 * r.energy.residual, color=colour, label=f"{name}, step {solver.step:g} s", linewidth=0.9)
    axes.set(xlabel="time [s]", ylabel="energy residual [mJ]")
    axes.legend(loc="lower left")
    save(figure, "07_energy")


CHAPTERS = {"7": [stability, alpha, energy]}


def main(names: list[str]) -> None:
    """All figures, or those of the chapters that are named."""
    for chapter in names or list(CHAPTERS):
        for figure in CHAPTERS[chapter]:
            figure()


if __name__ == "__main__":
    main(sys.argv[1:])
