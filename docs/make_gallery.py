"""Make the pictures and films of the gallery by the viewer: `python docs/make_gallery.py [NAME ...]`.

With names, only these are made again. Needs a Chromium (see `duoti.view.images.film.find_chromium`).
"""

from __future__ import annotations

import io
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image

import duoti as dt
from duoti.examples import all_examples

PICTURES = Path(__file__).parent / "pictures" / "gallery"
SIZE = (800, 500)
FILM = {"size": (480, 300), "fps": 15.0}


@dataclass
class Look:
    """How an example is shown."""

    t: float
    """Instant of the picture [s]."""
    options: dict[str, Any] = field(default_factory=dict)
    """Camera, zoom and the like."""
    film: dict[str, Any] | None = None
    """Start, end [s] and speed of the film, where there is one."""


LOOKS = {
    "pendulum": Look(0.5, {"zoom": 1.2, "camera": "front"}),
    "double_pendulum": Look(1.9, {"zoom": 1.1}, {"end": 4.0}),
    "chain": Look(0.9, {"zoom": 1.1}, {"end": 3.0}),
    "furuta": Look(1.4, {"zoom": 1.3}),
    "slider_crank": Look(0.83, {"zoom": 1.25, "arrows": True}, {"end": 2.0, "speed": 0.5}),
    "four_bar": Look(0.4, {"zoom": 1.0}, {"end": 2.0, "speed": 0.5}),
    "six_bar": Look(0.3, {"zoom": 1.15}, {"end": 1.0, "speed": 0.25}),
    "quick_return": Look(0.3, {"zoom": 1.0}),
    "governor": Look(9.0, {"zoom": 1.5}, {"start": 8.0, "end": 10.0, "speed": 0.5}),
    "stewart": Look(1.0, {"zoom": 1.4}, {"end": 4.0}),
    "robot_arm": Look(1.5, {"zoom": 1.35, "arrows": True}),
    "urdf_arm": Look(2.0, {"zoom": 1.5}, {"end": 4.0}),
    "motor_robot": Look(1.2, {"zoom": 1.5}),
    "suspension": Look(0.33, {"zoom": 1.6}, {"end": 1.0, "speed": 0.25}),
    "car_over_bump": Look(0.72, {"zoom": 5.0, "follow": "car.chassis"}, {"start": 0.3, "end": 1.8, "speed": 0.5}),
    "lane_change": Look(3.5, {"zoom": 9.0, "follow": "car.chassis"}, {"start": 1.0, "end": 6.0}),
    "driver_in_cab": Look(2.4, {"zoom": 1.05, "camera": "front"}, {"start": 1.0, "end": 4.0}),
    "heavy_top": Look(1.0, {"zoom": 1.5}),
    "rolling_coin": Look(2.2, {"zoom": 1.3}, {"end": 4.0}),
    "wheelset": Look(0.0, {"zoom": 60, "follow": "wheelset"}),
    "satellite": Look(8.0, {"zoom": 0.9}),
    "bouncing_ball": Look(0.3, {"zoom": 1.3}),
    "newtons_cradle": Look(0.6, {"zoom": 1.3}, {"end": 2.1, "speed": 0.5}),
    "rocking_block": Look(0.0, {"zoom": 1.1}),
    "rimless_wheel": Look(2.0, {"zoom": 2.0, "follow": "wheel"}),
    "stick_slip": Look(1.0, {"zoom": 1.6}),
    "diving_board": Look(0.3, {"zoom": 1.05, "beams": "bending_moment"}, {"end": 2.0, "speed": 0.5}),
    "flexible_crank": Look(0.025, {"zoom": 1.15}),
    "hoist": Look(1.0, {"zoom": 0.95}),
    "crane": Look(1.5, {"zoom": 1.1, "camera": "front"}, {"end": 8.0, "speed": 2.0}),
    "gear_rattle": Look(0.2, {"zoom": 1.2, "camera": "top"}),
    "belt_drive": Look(1.0, {"zoom": 1.05, "camera": "top"}, {"end": 1.0, "speed": 0.25}),
}


def render(name: str) -> None:
    """The picture of an example, and its film if it has one."""
    example, look = all_examples()[name], LOOKS[name]
    result = dt.simulate(example.build(), example.duration)
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        big = tuple(2 * n for n in SIZE)  # drawn twice as large: smooth edges
        drawn = result.picture(Path(folder) / "a.png", t=min(look.t, float(result.t[-1])), size=big, **look.options)
        image = Image.open(drawn).convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)
    made = [PICTURES / f"{name}.webp"]
    image.save(made[0], quality=82, method=6)
    if look.film is not None:
        made.append(PICTURES / f"{name}_film.webp")
        span = {**look.film, "end": min(look.film["end"], float(result.t[-1]))}
        result.film(made[1], **FILM, **span, clock=False, **look.options)
    print(", ".join(f"{path.name} {path.stat().st_size / 1000:.0f} kB" for path in made), flush=True)


HERO = (  # example, instants [s], what is chosen in the page, options
    ("slider_crank", (0.6, 1.0), ("joint", "big_end"), {"arrows": True, "plots": [["bore.position"], ["main.rate"]]}),
    ("stewart", (0.0, 3.0), ("body", "platform"), {}),
    ("driver_in_cab", (1.0, 3.0), ("body", "trunk"), {"camera": "front"}),
)
HERO_SIZE, HERO_FRAMES, HERO_FPS = (960, 600), 24, 12


def hero() -> None:
    """The film of the viewer at the top of the README: three models, with the tree, plots and topology of the page."""
    from playwright.sync_api import sync_playwright

    from duoti.view.images.film import FLAGS, find_chromium, sandbox_flags

    images: list[Image.Image] = []
    with sync_playwright() as p:
        flags = [flag for flag in FLAGS if not flag.startswith("--headless")]
        browser = p.chromium.launch(executable_path=find_chromium(), args=[*flags, *sandbox_flags()])
        for name, (start, end), (kind, chosen), options in HERO:
            example = all_examples()[name]
            result = dt.simulate(example.build(), example.duration)
            with dt.view.Page(result, theme="light", language="en", **options).serve() as server:
                tab = browser.new_page(viewport={"width": 1280, "height": 800})
                tab.goto(server.address)
                tab.wait_for_function("!!window.duoti")
                tab.evaluate(f"""document.querySelector('.item[data-kind="{kind}"][data-name="{chosen}"]').click()""")
                for k in range(HERO_FRAMES):
                    tab.evaluate("t => duoti.setTime(t)", start + (end - start) * k / HERO_FRAMES)
                    tab.wait_for_timeout(60)
                    image = Image.open(io.BytesIO(tab.screenshot())).convert("RGB")
                    images.append(image.resize(HERO_SIZE, Image.Resampling.LANCZOS))
                tab.close()
        browser.close()
    path = PICTURES.parent / "hero.webp"
    images[0].save(path, save_all=True, append_images=images[1:], duration=1000 // HERO_FPS, loop=0, quality=70,
                   method=4, minimize_size=True)  # fmt: skip
    print(f"{path.name} {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    for each in sys.argv[1:] or ["hero", *all_examples()]:
        if each == "hero":
            hero()
        else:
            render(each)
