"""Make docs/examples.md, docs/gallery.md and their pictures: `python docs/make_examples.py [NAME ...]`.

With names, only their pictures are drawn again; with `pages`, none. The pages are made of the docstrings of the scripts
and of the captions below, so that there is one place to change.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from PIL import Image

import duoti as dt
from duoti.examples import all_examples
from duoti.view.images.overview import draw

DOCS = Path(__file__).parent
PICTURES = DOCS / "pictures" / "examples"
RENDERS = DOCS / "pictures" / "gallery"
SOURCES = "../src/duoti/examples"
GROUPS = {
    "Pendulums": ("pendulum", "double_pendulum", "chain", "furuta"),
    "Mechanisms": ("slider_crank", "four_bar", "six_bar", "quick_return", "governor"),
    "Machines, robots and a driver": ("stewart", "robot_arm", "urdf_arm", "motor_robot", "driver_in_cab"),
    "Vehicles": ("suspension", "car_over_bump", "lane_change"),
    "Gyroscopes, rolling, space": ("heavy_top", "rolling_coin", "wheelset", "satellite"),
    "Impact and friction": ("bouncing_ball", "newtons_cradle", "rocking_block", "rimless_wheel", "stick_slip"),
    "Ropes, belts, gears": ("crane", "belt_drive", "gear_rattle"),
    "Beams, flexible bodies, motors": ("diving_board", "flexible_crank", "hoist"),
}
HEAD = """# Examples

Every example is a model file (`NAME.yaml`) and a script (`NAME.py`). The script simulates the model and compares the
result with what is known about it. The [gallery](gallery.md) shows them in motion. They come with the package:

```sh
duoti examples                 # list them
duoti run stewart              # simulate one, print a summary, write stewart.png
duoti view stewart             # look at it in the viewer
duoti examples copy stewart    # copy its files here, to change them
duoti run governor --set oil=20
```

The pictures are those that `duoti run` writes. The tests check that script and file describe the same model, that the
energy balances, and what the text says.
"""


GALLERY_HEAD = """# Gallery

Every example comes with the package, as a script and as a model file. `duoti run NAME` simulates one; `duoti view NAME`
opens it in the viewer. The viewer drew these pictures and films (`python docs/make_gallery.py`).
"""
OTHERS = {  # picture -> page, what it shows
    "viewer.png": ("guide/results/viewer.md", "The viewer: an engine, a chosen joint, plots, topology"),
    "viewer_driver.png": ("guide/results/viewer.md", "A driver in a cab"),
    "viewer_compare.png": ("guide/results/viewer.md", "Two double pendulums, compared"),
    "joints.png": ("guide/model/modelling.md", "Every joint with its coordinates"),
    "flexible_viewer.png": ("guide/flexible/flexible.md", "A tube of finite elements, coloured by stress"),
    "blade.png": ("guide/flexible/flexible_dynamics.md", "A turning blade stiffens"),
    "snap_through.png": ("guide/analyses/equilibrium.md", "A toggle snaps through"),
    "campbell.png": ("guide/analyses/linearise.md", "Campbell diagram of a rotor"),
    "coupler_curve.png": ("guide/analyses/kinematics.md", "Path of a coupler point"),
    "workspace.png": ("guide/analyses/kinematics.md", "Points that an arm reaches"),
    "required_forces.png": ("guide/analyses/required_forces.md", "Torque that a motion needs"),
    "energy_flow.png": ("guide/analyses/energy_flow.md", "Where the energy goes"),
    "kane.png": ("guide/analyses/kane.md", "Kane's arrays of a robot arm"),
    "parameters.png": ("guide/studies/parameters.md", "Sensitivities by parameters"),
    "work_precision.png": ("guide/simulate/solvers.md", "Which solver: time over error"),
    "bond_motor.svg": ("guide/model/bond_graphs.md", "Bond graph of a motor"),
    "bond_robot.png": ("guide/model/bond_robot.md", "A robot with three motors"),
}
COLUMNS = 2


def _anchor(heading: str) -> str:
    """What MkDocs makes of a heading in an address."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def _grid(cells: list[str]) -> str:
    """A table of pictures; its first row is the head that Markdown wants."""
    rows = [cells[i : i + COLUMNS] for i in range(0, len(cells), COLUMNS)]
    lines = ["| " + " | ".join([*row, *[""] * (COLUMNS - len(row))]) + " |" for row in rows]
    return "\n".join(["|" + " |" * COLUMNS, "|" + "---|" * COLUMNS, *lines, ""])


def gallery() -> str:
    """The text of docs/gallery.md."""
    found, parts = all_examples(), [GALLERY_HEAD]
    for title, names in GROUPS.items():
        parts.append(f"## {title}\n")
        cells: list[str] = []
        for name in names:
            head, _, what = found[name].description.partition(": ")
            drawn = f"{name}_film" if (RENDERS / f"{name}_film.webp").exists() else name
            picture = f"[![{head}](pictures/gallery/{drawn}.webp)](examples.md#{_anchor(head)})"
            text = (what[:1].upper() + what[1:]).replace("|", "/")
            links = f"[script]({SOURCES}/{name}.py) · [file]({SOURCES}/{name}.yaml)"
            cells.append(f"{picture}<br>**{head}**. {text + ' ' if text else ''}{links}")
        parts.append(_grid(cells))
    parts.append("## Analyses, flexible bodies, bond graphs, the viewer\n")
    parts.append(_grid([f"[![{what}](pictures/{name})]({where}) {what}" for name, (where, what) in OTHERS.items()]))
    return "\n".join(parts)


def page() -> str:
    """The text of docs/examples.md."""
    found = all_examples()
    missing = set(found) - {name for names in GROUPS.values() for name in names}
    if missing:
        raise SystemExit(f"not in a group: {', '.join(sorted(missing))}")
    parts = [HEAD]
    for title, names in GROUPS.items():
        parts.append(f"## {title}\n")
        for name in names:
            example = found[name]
            head, _, what = example.description.partition(": ")
            parts.append(
                f"### {head}\n\n{(what[:1].upper() + what[1:]) if what else ''}\n\n"
                f"![{example.description}](pictures/examples/{name}.png)\n\n{example.paragraph}\n\n"
                f"`duoti run {name}` · [script]({SOURCES}/{name}.py) · [file]({SOURCES}/{name}.yaml)\n"
            )
    return "\n".join(parts)


def draw_picture(name: str) -> None:
    """Simulate an example and write its picture, small enough for a page."""
    example = all_examples()[name]
    PICTURES.mkdir(parents=True, exist_ok=True)
    path = draw(dt.simulate(example.build(), example.duration), PICTURES / f"{name}.png", size=(9.0, 4.2), dpi=90,
                **example.picture)  # fmt: skip
    Image.open(path).convert("RGB").quantize(colors=256).save(path, optimize=True)
    print(f"{path.name:<24} {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    for each in sys.argv[1:] or all_examples():
        if each != "pages":
            draw_picture(each)
    (DOCS / "examples.md").write_text(page(), encoding="utf-8")
    (DOCS / "gallery.md").write_text(gallery(), encoding="utf-8")
