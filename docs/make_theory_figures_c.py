"""Make the pictures of docs/theory/10 to 13: `python docs/make_theory_figures_c.py [NAME ...]`."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from PIL import Image

import duoti as dt

PICTURES = Path(__file__).parent / "pictures"
plt.rcParams |= {
    "font.size": 10,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def save(figure: Figure, name: str) -> None:
    """As a PNG of few colours."""
    stream = io.BytesIO()
    figure.savefig(stream, dpi=110, facecolor="white")
    plt.close(figure)
    Image.open(stream).convert("RGB").quantize(128).save(PICTURES / f"{name}.png", optimize=True)


# ---------------------------------------------------------------------------------------------------------- chapter 10


def theory_strain() -> None:
    """Strain of a bar that turns; four measures of a stretch."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    angle = np.linspace(0, 60, 61)
    left.plot(angle, 1.05 * np.cos(np.radians(angle)) - 1, "C3", label="small strain")
    left.plot(angle, np.full(61, 0.5 * (1.05**2 - 1)), "C0", label="Green-Lagrange")
    left.set(xlabel="rotation [degrees]", ylabel="strain along the bar")
    left.legend(frameon=False)
    stretch = np.linspace(0.5, 1.8, 66)
    measures = {"Green-Lagrange": 0.5 * (stretch**2 - 1), "small": stretch - 1, "Hencky": np.log(stretch),
                "Almansi": 0.5 * (1 - stretch**-2)}  # fmt: skip
    for (name, values), colour in zip(measures.items(), ("C0", "C3", "C2", "C1"), strict=True):
        right.plot(stretch, values, colour, label=name)
    right.set(xlabel="stretch", ylabel="strain", ylim=(-1.2, 1.2))
    right.legend(frameon=False)
    save(figure, "theory_strain")


def theory_floating_frame() -> None:
    """A bent rod in an attached frame and in that of Buckens."""
    n = 41
    s = np.linspace(0, 1, n)
    mass = np.full(n, 1 / n)
    x = np.cumsum(np.column_stack([np.cos(1.3 * s), np.sin(1.3 * s)]), axis=0) / n
    x -= x[0]
    r = np.column_stack([s * np.hypot(*(np.diff(x, axis=0).T)).sum(), 0 * s])
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.3), layout="constrained", sharey=True)
    centres = mass @ x, mass @ r
    U, _, V = np.linalg.svd((x - centres[0]).T @ ((r - centres[1]) * mass[:, None]))
    A = U @ V
    frames = {"attached frame": (np.zeros(2), np.eye(2)), "Buckens' frame": (centres[0] - A @ centres[1], A)}
    for axis, (name, (p, R)) in zip(axes, frames.items(), strict=True):
        ghost = p + r @ R.T
        axis.plot(*ghost.T, color="0.6", lw=5, solid_capstyle="round", label="undeformed")
        axis.plot(*x.T, "C0", lw=3, label="rod")
        for k in range(0, n, 4):
            axis.annotate("", x[k], ghost[k], arrowprops={"arrowstyle": "->", "color": "C3", "lw": 1})
        origin = p if name.startswith("attached") else p + R @ centres[1]
        for k, letter in enumerate("xy"):
            axis.annotate(
                "", origin + 0.25 * R[:, k], origin, arrowprops={"arrowstyle": "-|>", "color": "k", "lw": 1.6}
            )
            axis.text(*(origin + 0.29 * R[:, k]), letter, ha="center", va="center")
        largest = np.linalg.norm(x - ghost, axis=1).max()
        axis.set(
            title=f"{name}: largest displacement {largest:.2f} L", aspect="equal", xlim=(-0.25, 1.1), ylim=(-0.2, 0.75)
        )
        axis.grid(visible=False)
    axes[0].legend(frameon=False, loc="upper left")
    save(figure, "theory_floating_frame")


FIGURES = {each.__name__: each for each in (theory_strain, theory_floating_frame)}


def main(names: list[str]) -> None:
    """All figures, or those of these names."""
    for name in names or FIGURES:
        FIGURES[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
