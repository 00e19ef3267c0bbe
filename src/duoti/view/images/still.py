"""One state of a model as an array of pixels: for environments, and wherever no file is wanted."""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.model.errors import MissingPackageError
from duoti.results.plot.plots import COLOURS, new_figure
from duoti.results.result import Result
from duoti.view.images.matplotlib_renderer import MatplotlibRenderer
from duoti.view.images.solids import View

DPI = 100
ROOM = 0.35  # part of the size of what is drawn that is left around it
THIN = 0.01  # radius of rods, as part of the size


class Still:
    """Draws states of one model with the same view: that of the first."""

    def __init__(self, size: tuple[int, int] = (640, 480), camera: tuple[float, float] | None = None):
        self.size, self.camera = size, camera
        self._view: View | None = None

    def pixels(self, result: Result) -> Any:
        """The last state of a result: [height, width, 3] of red, green and blue, 0 ... 255."""
        try:
            from matplotlib.backends.backend_agg import FigureCanvasAgg
        except ImportError:
            raise MissingPackageError('pictures need matplotlib: pip install "duoti[plot]"') from None
        renderer, k = MatplotlibRenderer(result), len(result.t) - 1
        if self._view is None:
            lines = [line[k].reshape(-1, 3) for line in [*renderer.lines, *renderer.slender]]
            shapes = [faces.reshape(-1, 3) for faces, _ in renderer.solid_faces(k, 0.0, COLOURS)]
            points = np.concatenate([*lines, *shapes, np.zeros((1, 3))])
            middle, half = (points.min(0) + points.max(0)) / 2, (points.max(0) - points.min(0)) / 2
            room = ROOM * 2 * float(half.max() or 1.0)
            self._view = View(np.array([middle - half - room, middle + half + room]), self.camera)
        view = self._view
        figure = new_figure(self.size[0] / DPI, self.size[1] / DPI, dpi=DPI)
        canvas: Any = FigureCanvasAgg(figure)
        figure.set_layout_engine("none")
        axis: Any = figure.add_axes((0, 0, 1, 1))
        renderer.draw_solids(axis, k, view, THIN * view.size, COLOURS)
        middle, half = view((view.low + view.high) / 2), 0.5 * view.size
        wide, high = (x / min(self.size) for x in self.size)
        axis.set_xlim(middle[0] - wide * half, middle[0] + wide * half)
        axis.set_ylim(middle[1] - high * half, middle[1] + high * half)
        axis.axis("off")
        canvas.draw()
        return np.asarray(canvas.buffer_rgba())[:, :, :3].copy()
