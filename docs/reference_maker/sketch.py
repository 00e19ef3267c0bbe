"""A pencil for small drawings of mechanisms, written as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

mpl.use("Agg")
from matplotlib import patches
from matplotlib import pyplot as plt
from matplotlib.transforms import Bbox
from PIL import Image

mpl.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "duoti", "font.family": "sans-serif",
                 "mathtext.fontset": "dejavusans", "font.size": 10, "hatch.linewidth": 0.6}  # fmt: skip
INK, BLUE, LIGHT, GREY, RED = "#374151", "#2563eb", "#dbeafe", "#9ca3af", "#dc2626"
Point = Sequence[float]


def save(figure: Any, path: Path, region: tuple[float, float, float, float] | None = None) -> None:
    """Write a figure, or a region of it [inches], the same bytes each time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".svg":
        figure.savefig(
            path,
            facecolor="white",
            metadata={"Date": None, "Creator": None},
            bbox_inches=Bbox.from_extents(*region) if region else None,
        )
    else:
        figure.savefig(path, facecolor="white", dpi=130, metadata={"Software": None})
        with Image.open(path) as image:
            image.convert("RGB").quantize(48).save(path, optimize=True)
    plt.close(figure)


class Sketch:
    """A drawing in the plane, from (0, 0) to (10, 5)."""

    def __init__(self, width: float = 10.0, height: float = 5.0):
        self.figure, self.axes = plt.subplots(figsize=(width * 0.42, height * 0.42))
        self.axes.set(xlim=(0, width), ylim=(0, height), aspect="equal")
        self.axes.set_axis_off()
        self.figure.subplots_adjust(0, 0, 1, 1)

    def text(self, at: Point, text: str, colour: str = INK, size: float = 10, **more: Any) -> None:
        """A label."""
        self.axes.text(
            *at, text, color=colour, fontsize=size, ha=more.pop("ha", "center"), va="center", zorder=9, **more
        )

    def line(
        self, points: Sequence[Point], colour: str = INK, width: float = 1.6, style: str = "-", zorder: int = 3
    ) -> None:
        """A polyline."""
        self.axes.plot(
            *np.array(points, float).T, color=colour, lw=width, ls=style, zorder=zorder, solid_capstyle="round"
        )

    def ground(self, at: Point, length: float = 1.6, side: str = "below") -> None:
        """A hatched edge; `side` is where the ground is."""
        x, y = at
        depth = 0.3
        corner, size = {
            "below": ((x - length / 2, y - depth), (length, depth)), "above": ((x - length / 2, y), (length, depth)),
            "left": ((x - depth, y - length / 2), (depth, length)), "right": ((x, y - length / 2), (depth, length)),
        }[side]  # fmt: skip
        self.axes.add_patch(patches.Rectangle(corner, *size, fc="white", ec=GREY, hatch="////", lw=0, zorder=1))
        ends = (
            ((x - length / 2, y), (x + length / 2, y))
            if side in ("below", "above")
            else ((x, y - length / 2), (x, y + length / 2))
        )
        self.line(ends, INK, 1.4)

    def body(self, at: Point, width: float = 1.6, height: float = 1.0, label: str = "", angle: float = 0.0,
             faint: bool = False) -> None:  # fmt: skip
        """A block about a point."""
        box = patches.FancyBboxPatch(
            (-width / 2, -height / 2), width, height, boxstyle="round,pad=0,rounding_size=0.12",
            fc="none" if faint else LIGHT, ec=GREY if faint else BLUE, lw=1.4, ls="--" if faint else "-", zorder=2,
        )  # fmt: skip
        box.set_transform(mpl.transforms.Affine2D().rotate_deg(angle).translate(*at) + self.axes.transData)
        self.axes.add_patch(box)
        if label:
            self.text(at, label, BLUE)

    def wheel(self, at: Point, radius: float, label: str = "", spoke: float | None = None) -> None:
        """A disc."""
        self.axes.add_patch(patches.Circle(at, radius, fc=LIGHT, ec=BLUE, lw=1.4, zorder=2))
        self.axes.add_patch(patches.Circle(at, 0.09, fc="white", ec=INK, lw=1.2, zorder=6))
        if spoke is not None:
            self.line([at, (at[0] + radius * np.cos(spoke), at[1] + radius * np.sin(spoke))], BLUE, 1.0)
        if label:
            self.text((at[0], at[1] - 0.45 * radius), label, BLUE)

    def point(self, at: Point, label: str = "", shift: Point = (0.0, 0.35), colour: str = INK) -> None:
        """A marker."""
        self.axes.add_patch(patches.Circle(at, 0.1, fc=colour, ec=colour, zorder=7))
        if label:
            self.text((at[0] + shift[0], at[1] + shift[1]), label, colour)

    def pin(self, at: Point) -> None:
        """A hinge."""
        self.axes.add_patch(patches.Circle(at, 0.14, fc="white", ec=INK, lw=1.4, zorder=7))

    def arrow(self, start: Point, end: Point, label: str = "", colour: str = RED, shift: Point = (0.0, 0.3),
              both: bool = False, width: float = 1.8) -> None:  # fmt: skip
        """A straight arrow."""
        style = "<|-|>" if both else "-|>"
        arrow = patches.FancyArrowPatch(start, end, arrowstyle=style, mutation_scale=11, color=colour, lw=width,
                                        shrinkA=0, shrinkB=0, zorder=8)  # fmt: skip
        self.axes.add_patch(arrow)
        if label:
            middle = (np.array(start, float) + np.array(end, float)) / 2 + np.array(shift, float)
            self.text(middle, label, colour)

    def arc(
        self, at: Point, radius: float, begin: float, end: float, label: str = "", colour: str = RED, out: float = 0.35
    ) -> None:
        """A round arrow; angles in degrees."""
        a = np.radians(np.linspace(begin, end, 40))
        points = np.column_stack([at[0] + radius * np.cos(a), at[1] + radius * np.sin(a)])
        self.line(points[:-2], colour, 1.8, zorder=8)
        self.arrow(points[-4], points[-1], "", colour)
        if label:
            m = np.radians((begin + end) / 2)
            self.text((at[0] + (radius + out) * np.cos(m), at[1] + (radius + out) * np.sin(m)), label, colour)

    def _frame(self, start: Point, end: Point) -> tuple[Any, Any, Any, float]:
        a, b = np.array(start, float), np.array(end, float)
        length = float(np.linalg.norm(b - a))
        e = (b - a) / length
        return a, e, np.array([-e[1], e[0]]), length

    def spring(self, start: Point, end: Point, aside: float = 0.0, colour: str = RED, turns: int = 6) -> None:
        """A zigzag."""
        a, e, n, length = self._frame(start, end)
        a = a + aside * n
        s = [0.0, 0.15, *np.linspace(0.15, 0.85, 2 * turns + 1)[1:-1], 0.85, 1.0]
        d = [0.0, 0.0, *[0.2 * (-1) ** k for k in range(2 * turns - 1)], 0.0, 0.0]
        self.line([a + length * x * e + y * n for x, y in zip(s, d, strict=True)], colour, 1.5, zorder=4)

    def damper(self, start: Point, end: Point, aside: float = 0.0, colour: str = RED) -> None:
        """A dashpot."""
        a, e, n, length = self._frame(start, end)
        a = a + aside * n
        w, left, right, piston = 0.2, 0.35 * length, 0.68 * length, 0.5 * length
        self.line([a, a + left * e], colour, 1.5, zorder=4)
        self.line(
            [a + right * e + w * n, a + left * e + w * n, a + left * e - w * n, a + right * e - w * n],
            colour,
            1.5,
            zorder=4,
        )
        self.line([a + piston * e + 0.8 * w * n, a + piston * e - 0.8 * w * n], colour, 1.8, zorder=4)
        self.line([a + piston * e, a + length * e], colour, 1.5, zorder=4)

    def spring_damper(self, start: Point, end: Point, k: str = "$k$", c: str = "$c$") -> None:
        """Both, side by side, with their names."""
        a, e, n, length = self._frame(start, end)
        one, two = a + 0.12 * length * e, a + 0.88 * length * e
        for tip, foot in ((a, one), (a + length * e, two)):
            self.line([tip, foot], RED, 1.5)
            self.line([foot + 0.4 * n, foot - 0.4 * n], RED, 1.5)
        self.spring(one, two, 0.4)
        self.damper(one, two, -0.4)
        middle = a + 0.5 * length * e
        self.text(middle + 0.95 * n, k, RED)
        self.text(middle - 0.95 * n, c, RED)

    def axes_at(
        self, at: Point, length: float = 0.8, names: tuple[str, str] = ("x", "y"), angle: float = 0.0, colour: str = INK
    ) -> None:
        """Two axes of a frame."""
        for k, name in enumerate(names):
            a = np.radians(angle + 90 * k)
            tip = (at[0] + length * np.cos(a), at[1] + length * np.sin(a))
            self.arrow(at, tip, "", colour, width=1.1)
            self.text((at[0] + 1.28 * length * np.cos(a), at[1] + 1.28 * length * np.sin(a)), name, colour, 9)

    def save(self, path: Path) -> None:
        """Write the file."""
        save(self.figure, path)
