"""Draw docs/pictures/reference: `python docs/make_reference_pictures.py [GROUP/NAME ...]`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import make_joints
from matplotlib import pyplot as plt
from reference_maker import analysis_figures, solver_figures
from reference_maker.element_sketches import DRAWINGS
from reference_maker.registry import snake
from reference_maker.sketch import Sketch, save

import duoti as dt

LARGER = {"joints/revolute": [1.0], "joints/spherical": list(dt.Rotation.from_vector((0.5, 0.3, 0.7)).quaternion)}
"""Coordinates that show more than those of the overview."""
FOLDER = Path(__file__).parent / "pictures" / "reference"


def main(names: list[str]) -> None:
    """Draw all, or the named ones."""
    for name, draw in DRAWINGS.items():
        if names and name not in names:
            continue
        sketch = Sketch()
        draw(sketch)
        sketch.save(FOLDER / f"{name}.svg")
    composite = dt.Composite(dt.Revolute("z"), dt.Prismatic("x"))
    for joint, q in (*make_joints.JOINTS.values(), (composite, [0.6, 0.9])):
        name = f"joints/{snake(type(joint).__name__)}"
        if not names or name in names:
            figure = plt.figure(figsize=(6.0, 4.4))
            axes = figure.add_axes((0.05, 0, 0.75, 1), projection="3d", computed_zorder=False)
            make_joints.draw(axes, "", joint, LARGER.get(name, q))
            for text in axes.texts:
                text.set_fontsize(1.35 * text.get_fontsize())
            save(figure, FOLDER / f"{name}.svg", region=(0.25, 0.45, 5.75, 4.4))
    for solver in solver_figures.SOLVERS:
        if not names or f"solvers/{solver}" in names:
            solver_figures.draw(solver, FOLDER / "solvers" / f"{solver}.png")
    for method in analysis_figures.METHODS:
        if not names or f"constraint_methods/{method}" in names:
            analysis_figures.draw_method(method, FOLDER / "constraint_methods" / f"{method}.png")
    for analysis in analysis_figures.ANALYSES:
        if not names or f"analyses/{analysis}" in names:
            analysis_figures.draw_analysis(analysis, FOLDER / "analyses" / f"{analysis}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
