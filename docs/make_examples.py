"""Make docs/examples.md and its pictures from the examples: `python docs/make_examples.py [NAME ...]`.

With names, only their pictures are drawn again. The page is made of the docstrings of the scripts, so that there is
one place to change.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

import duoti as dt
from duoti.examples import all_examples
from duoti.view.overview import draw

DOCS = Path(__file__).parent
PICTURES = DOCS / "pictures" / "examples"
GROUPS = {
    "Pendulums": ("pendulum", "double_pendulum", "chain", "furuta"),
    "Mechanisms": ("slider_crank", "four_bar", "six_bar", "quick_return", "governor"),
    "Machines, robots and a driver": ("stewart", "robot_arm", "urdf_arm", "motor_robot", "suspension", "driver_in_cab"),
    "Gyroscopes, rolling, space": ("heavy_top", "rolling_coin", "satellite"),
    "Impact, beams, flexible bodies, motors": ("bouncing_ball", "diving_board", "flexible_crank", "hoist"),
}
HEAD = """# Examples

Every example is a model file (`NAME.yaml`) and a script (`NAME.py`) that describes the same model in Python, simulates
it and compares it with what is known about it. They come with the package:

```sh
duoti examples                 # list them
duoti run stewart              # simulate one, print a summary, write stewart.png
duoti examples copy stewart    # copy its files here, to change them
duoti run governor --set oil=20
```

The pictures are those that `duoti run` writes. The tests check that file and script are the same model, that energy
balances, and what is told here (`tests/reference/test_example_cases.py`).
"""


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
                f"![{example.description}](pictures/examples/{name}.png)\n\n{example.paragraph}\n\n`duoti run {name}`\n"
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
        draw_picture(each)
    (DOCS / "examples.md").write_text(page(), encoding="utf-8")
