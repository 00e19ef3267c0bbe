"""Figures of the theory chapters 1 to 6: `python docs/make_theory_figures_a.py` writes docs/pictures/theory_*.svg."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch

from duoti.spatial import euler_rate_matrix, rotation_vector_rate_matrix
from duoti.topology import Weights, textbook_examples, topology

DOCS = Path(__file__).parent
BLUE, RED, GREEN, GREY, ORANGE = "#2850a0", "#c03028", "#2a8a4a", "#666666", "#d9820f"
mpl.rcParams.update(
    {
        "svg.hashsalt": "duoti",
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "figure.facecolor": "white",
        "legend.frameon": False,
    }
)


def save(figure: Any, name: str) -> None:
    """Write one picture, the same bytes for the same drawing."""
    figure.savefig(DOCS / "pictures" / f"theory_{name}.svg", metadata={"Date": None}, bbox_inches="tight")
    plt.close(figure)


def arrow(ax: Any, a: Any, b: Any, colour: str = "black", width: float = 1.5, **options: Any) -> None:
    """An arrow from a to b."""
    ax.add_patch(FancyArrowPatch(a, b, arrowstyle="-|>", mutation_scale=12, color=colour, lw=width, **options))


def page(name: str) -> dict[str, Any]:
    """The names that the code of a chapter leaves behind."""
    text = (DOCS / "theory" / name).read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for block in re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            exec(block, names)
    return names


# ------------------------------------------------------------------------------------------------------- chapter 1


def frames() -> None:
    """World, parent, joint frames and child."""
    figure, ax = plt.subplots(figsize=(7.2, 3.3))

    def frame(at: tuple[float, float], angle: float, name: str, colour: str, size: float = 0.55) -> None:
        o = np.array(at)
        for k in (0, 1):
            e = size * np.array([np.cos(angle + k * np.pi / 2), np.sin(angle + k * np.pi / 2)])
            arrow(ax, o, o + e, colour, 1.8, shrinkA=0, shrinkB=0)
        ax.plot(*o, "o", color=colour, ms=4)
        ax.text(o[0] + 0.05, o[1] - 0.27, name, color=colour, weight="bold", ha="center")

    for centre, width, angle, colour in (((2.6, 1.3), 2.6, 0.25, "#dfe8f8"), ((5.75, 1.95), 3.0, 0.1, "#f8e6dd")):
        box = FancyBboxPatch((-width / 2, -0.42), width, 0.84, boxstyle="round,pad=0.12", fc=colour, ec="#999999")
        box.set_transform(mpl.transforms.Affine2D().rotate(angle).translate(*centre) + ax.transData)
        ax.add_patch(box)
    frame((0.0, 0.0), 0.0, "W", GREY)
    frame((1.9, 1.05), 0.25, "P", BLUE)
    frame((3.7, 1.62), 0.25, "F", BLUE, 0.4)
    frame((4.75, 2.02), 0.75, "M", RED, 0.4)
    frame((6.2, 1.9), 0.1, "B", RED)
    for a, b, label, at in (
        ((0, 0), (1.9, 1.05), "$X_{WP}$", (0.8, 0.72)),
        ((1.9, 1.05), (3.7, 1.62), "$X_{PF}$", (2.95, 1.08)),
        ((4.75, 2.02), (6.2, 1.9), "$X_{MB}$", (5.35, 1.6)),
    ):
        arrow(ax, a, b, GREY, 1.0, shrinkA=4, shrinkB=4, linestyle="--")
        ax.text(*at, label, color=GREY)
    arrow(ax, (3.7, 1.62), (4.75, 2.02), "black", 1.0, shrinkA=2, shrinkB=2)
    ax.annotate("joint $X_{FM}(q)$", (4.25, 1.83), (3.3, 3.0), arrowprops={"arrowstyle": "-", "color": GREY})
    ax.text(2.1, 2.05, "parent", color=BLUE)
    ax.text(6.4, 2.75, "child", color=RED)
    ax.set_xlim(-0.4, 7.8)
    ax.set_ylim(-0.45, 3.3)
    ax.set_aspect("equal")
    ax.axis("off")
    save(figure, "frames")


# ------------------------------------------------------------------------------------------------------- chapter 2


def graph() -> None:
    """Qi's figure 1.1 with its derived tree."""
    at = {0: (0, 0), 1: (1.6, 0), 2: (3.0, 1.3), 3: (3.2, -0.3), 4: (4.8, 0.7), 5: (6.4, 0.7), 6: (3.6, -1.7)}
    S = textbook_examples.FIG_1_1_S
    figure, ax = plt.subplots(figsize=(7.2, 3.6))
    for j, column in enumerate(S.T):
        a, b = at[int(np.argmax(column))], at[int(np.argmin(column))]
        cut = j >= 6
        colour = RED if cut else BLUE
        bend = {7: "arc3,rad=0.25"}.get(j, "arc3,rad=0")
        arrow(ax, a, b, colour, 1.8, shrinkA=15, shrinkB=15, linestyle="--" if cut else "-", connectionstyle=bend)
        middle = (np.array(a) + np.array(b)) / 2 + np.array([0, 0.16])
        if j == 5:
            middle = middle + np.array([0.3, -0.1])
        if j == 7:
            middle = np.array([1.35, -1.5])
        ax.text(*middle, f"$H_{j + 1}$", color=colour, ha="center")
    for i, p in at.items():
        ax.add_patch(Circle(p, 0.3, fc="#dddddd" if i == 0 else "white", ec="black", zorder=3))
        ax.text(*p, f"$B_{i}$", ha="center", va="center", zorder=4)
    ax.plot([], [], color=BLUE, label="tree joint")
    ax.plot([], [], "--", color=RED, label="cut joint")
    ax.legend(loc="lower right")
    ax.set_xlim(-0.5, 7)
    ax.set_ylim(-2.2, 1.8)
    ax.set_aspect("equal")
    ax.axis("off")
    save(figure, "graph")


def driver() -> None:
    """The driver in a cab as duoti draws it."""
    t = topology(textbook_examples.driver_in_cab(), weights=Weights.ground_first())
    (DOCS / "pictures" / "theory_driver.svg").write_text(t.svg() + "\n", encoding="utf-8")


# ------------------------------------------------------------------------------------------------------- chapter 3


def rotations() -> None:
    """Condition numbers of the rate matrices."""
    a = np.linspace(-np.pi, np.pi, 1441)[1:-1] + 1e-4
    figure, ax = plt.subplots(figsize=(7.2, 3.0))
    for sequence, colour in (("ZYX", BLUE), ("ZXZ", RED)):
        condition = [np.linalg.cond(euler_rate_matrix(sequence, (0.3, x, -0.4), frame="body")) for x in a]
        ax.semilogy(np.degrees(a), condition, color=colour, label=f"Euler angles {sequence}, second angle")
    u = np.array([2, -1, 2]) / 3
    b = np.linspace(-np.pi, np.pi, 400)
    condition = [np.linalg.cond(rotation_vector_rate_matrix(x * u, frame="body")) for x in b]
    ax.semilogy(np.degrees(b), condition, color=ORANGE, label="rotation vector, angle")
    ax.axhline(1.0, color=GREEN, label="Euler parameters")
    ax.set_ylim(0.8, 1e3)
    ax.set_xlim(-180, 180)
    ax.set_xticks(range(-180, 181, 90))
    ax.set_xlabel("angle [degrees]")
    ax.set_ylabel("condition of the rate matrix")
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    save(figure, "rotations")


# ------------------------------------------------------------------------------------------------------- chapter 4


def sweeps() -> None:
    """What travels outward and inward."""
    figure, axes = plt.subplots(1, 3, figsize=(8.4, 3.1))
    chains = (
        ("RNEA", [("out", "$V, A$"), ("in", "$F$")]),
        ("CRBA", [("in", r"$\mathcal{I}^c$"), ("in", "$M_{ji}$")]),
        ("ABA", [("out", "$V$"), ("in", r"$\mathcal{I}^A, p^A$"), ("out", "$A, a$")]),
    )
    for ax, (title, passes) in zip(axes, chains, strict=True):
        for k, (way, label) in enumerate(passes):
            x = 0.5 + 1.1 * k
            for i in range(4):
                ax.add_patch(Circle((x, i), 0.17, fc="#dddddd" if i == 0 else "white", ec="black"))
                ax.text(x, i, str(i), ha="center", va="center", fontsize=8)
                if i < 3:
                    a, b = ((x, i), (x, i + 1)) if way == "out" else ((x, i + 1), (x, i))
                    arrow(ax, a, b, BLUE if way == "out" else RED, 1.6, shrinkA=9, shrinkB=9)
            ax.text(x, 3.45, label, ha="center", color=BLUE if way == "out" else RED)
        ax.set_title(title)
        ax.set_xlim(0, 3.2)
        ax.set_ylim(-0.4, 3.9)
        ax.axis("off")
    axes[0].text(2.0, 0.9, "outward", color=BLUE)
    axes[0].text(2.0, 0.5, "inward", color=RED)
    save(figure, "sweeps")


def cost() -> None:
    """Number of visits for chains and balanced trees."""
    n = 2 ** np.arange(2, 11)
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.0), sharey=True)
    for ax, title in zip(axes, ("chain", "balanced tree"), strict=True):
        depth = [np.arange(1, k + 1) if title == "chain" else np.floor(np.log2(np.arange(1, k + 1))) + 1 for k in n]
        ax.loglog(n, 2 * n, "o-", color=BLUE, label="RNEA: visits", ms=4)
        ax.loglog(n, 3 * n, "s-", color=GREEN, label="ABA: visits", ms=4)
        ax.loglog(n, [d.sum() for d in depth], "^-", color=ORANGE, label="CRBA: pairs", ms=4)
        ax.loglog(n, [(d**2).sum() / 2 for d in depth], "v-", color=RED, label="factors of $M$: triples", ms=4)
        ax.set_title(title)
        ax.set_xlabel("bodies $n$")
    axes[0].set_ylabel("count")
    axes[1].legend()
    save(figure, "cost")


# ------------------------------------------------------------------------------------------------------- chapter 5


def kane() -> None:
    """Partial velocities of the mass centres of a two-link arm."""
    angles, length = np.array([0.9, 0.1]), np.array([1.6, 1.3])
    e = [np.array([np.cos(a), np.sin(a)]) for a in angles]
    o = [np.zeros(2), length[0] * e[0], length[0] * e[0] + length[1] * e[1]]
    figure, axes = plt.subplots(1, 2, figsize=(8.0, 3.3))
    for r, ax in enumerate(axes):
        ax.plot(*np.array(o).T, "-", color="#aaaaaa", lw=7, solid_capstyle="round")
        ax.plot(*np.array(o[:2]).T, "o", color="black", ms=7)
        for i in range(2):
            centre = (o[i] + o[i + 1]) / 2
            ax.plot(*centre, "o", color="white", mec="black", ms=6, zorder=4)
            if i >= r:
                d = centre - o[r]
                V = 0.55 * np.array([-d[1], d[0]])
                arrow(ax, centre, centre + V, RED, 1.8, shrinkA=0, shrinkB=0, zorder=5)
                side, shift = ("right", -0.08) if i == 0 else ("left", 0.08)
                ax.text(*(centre + V + [shift, 0.02]), f"$V_{r + 1}$ of body {i + 1}", color=RED, ha=side)
        ax.set_title(f"$v_{r + 1} = 1$, all others 0")
        ax.set_xlim(-1.2, 3.4)
        ax.set_ylim(-0.3, 2.7)
        ax.set_aspect("equal")
        ax.axis("off")
    axes[1].text(0.75, 0.25, "$V_2 = 0$ of body 1", color=GREY)
    save(figure, "kane")


# ------------------------------------------------------------------------------------------------------- chapter 6


def loops(names: dict[str, Any]) -> None:
    """The four-bar linkage, closed and with the cut open."""
    points, hinges, q = names["points"], names["hinges"], names["q"]
    figure, axes = plt.subplots(1, 2, figsize=(8.0, 3.2))
    for ax, state, title in zip(
        axes, (q, q + np.array([0.1, 0.05, 0.5])), ("closed: $g = 0$", "cut at D: the derived tree"), strict=True
    ):
        chain = np.array(hinges(state))[:, :2]
        for k, colour in enumerate((BLUE, ORANGE, GREEN)):
            ax.plot(*chain[k : k + 2].T, "-", color=colour, lw=5, solid_capstyle="round")
        ax.plot(*chain[:3].T, "o", color="white", mec="black", ms=8, zorder=4)
        ax.plot(*points[3][:2], "s", color="white", mec="black", ms=9, zorder=4)
        for name, p in zip("ABC", chain, strict=False):
            ax.text(p[0] - 0.06, p[1] + 0.04, name, ha="right")
        ax.text(points[3][0], points[3][1] - 0.17, "D: F on ground", ha="center")
        if ax is axes[1]:
            ax.plot(*chain[3], "o", color="white", mec=RED, ms=8, zorder=4)
            arrow(ax, points[3][:2], chain[3], RED, 1.6, shrinkA=3, shrinkB=4)
            ax.text(chain[3][0] + 0.07, chain[3][1] - 0.03, "M on the rocker", color=RED)
            ax.text(*(0.5 * (points[3][:2] + chain[3]) + [0, -0.12]), "$d$", color=RED, ha="center")
        ax.set_title(title)
        ax.set_xlim(-0.2, 1.9)
        ax.set_ylim(-0.25, 1.05)
        ax.set_aspect("equal")
        ax.axis("off")
    save(figure, "loops")


def drift(names: dict[str, Any]) -> None:
    """Opening of the loop over time."""
    t = 0.01 * np.arange(1, 101)
    figure, ax = plt.subplots(figsize=(7.2, 3.0))
    for key, label, colour in (
        ("drift", "no correction", RED),
        ("drift_damped", r"Baumgarte, $\alpha = \beta = 20$", ORANGE),
        ("drift_kept", "projection", BLUE),
    ):
        ax.semilogy(t, np.maximum(names[key], 1e-17), color=colour, label=label)
    ax.set_xlabel("time [s]")
    ax.set_ylabel("opening $|g|$ [m]")
    ax.set_ylim(1e-17, 1e-3)
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    save(figure, "drift")


if __name__ == "__main__":
    for draw in (frames, graph, driver, rotations, sweeps, cost, kane):
        draw()
    chapter = page("06_loops.md")
    loops(chapter)
    drift(chapter)
