"""Draw docs/pictures/reference: `python docs/make_reference_pictures.py [GROUP/NAME ...]`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import make_joints
from matplotlib import pyplot as plt
from reference_maker import solver_figures
from reference_maker.element_sketches import DRAWINGS
from reference_maker.registry import snake
from reference_maker.sketch import Sketch, save

import duoti as dt

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
    for title, (joint, q) in {**make_joints.JOINTS, "Revolute, then Prismatic": (composite, [0.6, 0.8])}.items():
        name = f"joints/{snake(type(joint).__name__)}"
        if not names or name in names:
            figure = plt.figure(figsize=(3.4, 3.0))
            axes = figure.add_axes((0, 0, 1, 0.95), projection="3d", computed_zorder=False)
            make_joints.draw(axes, title, joint, q)
            axes.set_box_aspect((1, 1, 1), zoom=1.15)
            save(figure, FOLDER / f"{name}.svg")
    for solver in solver_figures.SOLVERS:
        if not names or f"solvers/{solver}" in names:
            solver_figures.draw(solver, FOLDER / "solvers" / f"{solver}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
