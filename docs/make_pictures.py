"""Draw the pictures of docs/examples.md: `python docs/make_pictures.py [NAME ...]` writes docs/pictures/examples/NAME.png."""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

import duoti as dt
from duoti.examples import all_examples
from duoti.examples.picture import draw

FOLDER = Path(__file__).parent / "pictures" / "examples"


def main(names: list[str]) -> None:
    """Simulate and draw the named examples, or all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, example in all_examples().items():
        if names and name not in names:
            continue
        r = dt.simulate(example.build(), example.duration)
        path = draw(r, FOLDER / f"{name}.png", size=(9.0, 4.2), dpi=90, **example.picture)
        Image.open(path).convert("RGB").quantize(colors=200).save(path, optimize=True)  # small files for the pages
        print(f"{path.name:<24} {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
