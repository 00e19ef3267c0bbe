"""Make docs/pictures/tutorial/* (quick start, lessons, machines): `python docs/make_tutorial_pictures.py [NAME ...]`.

Each picture is made from the blocks of its page, so that it shows what the page computes. Needs Chromium.
"""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from PIL import Image

import duoti as dt

mpl.use("Agg")
from matplotlib import pyplot as plt

DOCS = Path(__file__).parent.resolve()
OUT = DOCS / "pictures" / "tutorial"
BLUE, RED, GREY = "#2563eb", "#dc2626", "#6b7280"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def page(name: str, until: str = "## Exercise") -> dict[str, Any]:
    """What the blocks of a page define, those before a heading."""
    text = (DOCS / name).read_text(encoding="utf-8").partition(until)[0]
    namespace: dict[str, Any] = {"__name__": "page"}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        for code in BLOCK.findall(text):
            exec(compile(code, name, "exec"), namespace)
    return namespace


def render(
    result: dt.Result,
    t: float,
    size: tuple[int, int],
    cut: tuple[float, float, float, float] | None = None,
    **options: Any,
):
    """The scene at a time; cut: left, top, right, bottom as parts of it."""
    with tempfile.TemporaryDirectory() as folder:
        picture = Image.open(result.picture(Path(folder) / "shot.png", t=t, size=size, **options)).convert("RGB")
        picture.load()
    if cut:
        w, h = picture.size
        picture = picture.crop((int(cut[0] * w), int(cut[1] * h), int(cut[2] * w), int(cut[3] * h)))
    return np.asarray(picture)


def show(axes, picture) -> None:
    """A picture without an axis."""
    axes.imshow(picture)
    axes.axis("off")


def save(figure, name: str) -> None:
    """Write a figure as a PNG of few colours."""
    figure.savefig(OUT / name, dpi=120, facecolor="white")
    plt.close(figure)
    Image.open(OUT / name).convert("RGB").quantize(128).save(OUT / name, optimize=True)


def cart() -> None:
    """The page of the viewer with the cart of the quick start."""
    result = page("quickstart.md")["r"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cart.html"
        result.export_html(path, theme="light", language="en")
        shot = Path(folder) / "shot.png"
        from playwright.sync_api import sync_playwright

        flags = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
            window = browser.new_page(viewport={"width": 1280, "height": 760})
            window.goto(path.as_uri())
            window.wait_for_timeout(3000)
            window.keyboard.press("Space")
            window.wait_for_timeout(2500)
            window.keyboard.press("Space")
            window.wait_for_timeout(1500)
            window.screenshot(path=shot)
            browser.close()
        Image.open(shot).convert("RGB").quantize(160).save(OUT / "cart.png", optimize=True)


def mechanism() -> None:
    """Lesson 1: the double pendulum at five instants, and its angles."""
    model = page("tutorial/1_mechanism.md")["double"]
    result = dt.simulate(model, duration=5.0)
    figure, axes = plt.subplots(1, 5, figsize=(9.0, 2.2), layout="constrained")
    for each, t in zip(axes, (0.0, 0.35, 0.6, 0.85, 1.1), strict=True):
        show(each, render(result, t, (1200, 900), (0.1, 0.02, 0.9, 0.98), camera="front"))
        each.set_title(f"t = {t:.2f} s", fontsize=9)
    save(figure, "1_mechanism.png")


def loop() -> None:
    """Lesson 2: the slider-crank with reactions; drive torque over the angle."""
    names = page("tutorial/2_loop.md", "## Start anywhere")
    result, torque = names["result"], names["torque"]
    figure = plt.figure(figsize=(9.0, 3.0), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(1.3, 1))
    show(left.subplots(), render(result, 0.13, (1600, 900), (0.1, 0.12, 0.95, 0.88), arrows=True, labels=True))
    one, two = right.subplots(2, 1, sharex=True)
    one.plot(np.degrees(result["A.angle"]), result["piston.position.x"], color=BLUE)
    one.set(ylabel="piston [m]")
    two.plot(np.degrees(result["A.angle"]), torque, color=RED)
    two.set(xlabel="crank angle [deg]", ylabel="drive [N m]")
    for axes in (one, two):
        axes.grid(alpha=0.3)
    right.align_ylabels()
    save(figure, "2_loop.png")


def control() -> None:
    """Lesson 3: angle and current of the lifted arm, and the sampled torque."""
    names = page("tutorial/3_forces_and_control.md", "## A sampled controller")
    r, lift = names["r"], names["p"]
    figure = plt.figure(figsize=(9.0, 3.2), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(1, 1.2))
    show(left.subplots(), render(r, 4.0, (1100, 900), (0.1, 0.1, 0.9, 0.9)))
    one, two = right.subplots(2, 1, sharex=True)
    one.plot(r.t, np.degrees(r["A.angle"]), color=BLUE)
    one.axhline(np.degrees(lift["goal"]), color=GREY, ls="--", lw=1)
    one.set(ylabel="angle [deg]")
    two.plot(r.t, r["i"], color=RED)
    two.set(xlabel="time [s]", ylabel="current [A]")
    for axes in (one, two):
        axes.grid(alpha=0.3)
    right.align_ylabels()
    save(figure, "3_forces_and_control.png")


def contact() -> None:
    """Lesson 4: height of the ball, way and friction of the block."""
    names = page("tutorial/4_contact.md", "## Rigid or compliant?")
    ball, block = names["r"], dt.simulate(names["block"](15, 0.5, 2.0), duration=2.0)
    figure, (one, two, three) = plt.subplots(1, 3, figsize=(9.0, 2.7), layout="constrained")
    one.plot(ball.t, ball["ball.position.z"], color=BLUE)
    one.set(xlabel="time [s]", ylabel="height of the ball [m]")
    two.plot(block.t, block["block.position.x"], color=BLUE)
    two.set(xlabel="time [s]", ylabel="way of the block [m]")
    three.plot(block.t, block["floor.force.x"], color=RED, label="friction")
    three.plot(block.t, block["floor.normal_force"], color=GREY, label="normal")
    three.set(xlabel="time [s]", ylabel="force on the block [N]")
    three.legend(frameon=False)
    for axes in (one, two, three):
        axes.grid(alpha=0.3)
    save(figure, "4_contact.png")


def robot() -> None:
    """Lesson 5: the arm at its two places, and the torques between them."""
    names = page("tutorial/5_robot.md", "## Control it")
    needed = names["needed"]
    figure = plt.figure(figsize=(9.0, 3.2), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(1.4, 1))
    for axes, t in zip(left.subplots(1, 2), (0.0, 1.2), strict=True):
        show(axes, render(needed, t, (900, 1000), (0.1, 0.08, 0.95, 0.92)))
        axes.set_title("pick" if t == 0.0 else "place", fontsize=9)
    axes = right.subplots()
    for axis in names["axes"][:4]:
        axes.plot(needed.t, needed[f"{axis}.drive"], label=axis)
    axes.set(xlabel="time [s]", ylabel="torque [N m]")
    axes.legend(frameon=False, fontsize=8)
    axes.grid(alpha=0.3)
    save(figure, "5_robot.png")


def flexible() -> None:
    """Lesson 6: the bent arm, its distance from the rigid path, its stress."""
    names = page("tutorial/6_flexible.md", "## Beam, flexible body or cable?")
    soft, apart = names["soft"], names["apart"]
    figure = plt.figure(figsize=(9.0, 3.0), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(1.2, 1))
    show(
        left.subplots(), render(soft, 0.09, (1400, 900), (0.1, 0.5, 0.9, 1.0), camera="front", others=[names["stiff"]])
    )
    axes = right.subplots()
    axes.plot(soft.t, 1000 * apart, color=BLUE)
    axes.set(xlabel="time [s]", ylabel="off the rigid path [mm]")
    axes.grid(alpha=0.3)
    save(figure, "6_flexible.png")


def result() -> None:
    """Lesson 1: what r.plot draws of the pendulum."""
    names = page("tutorial/1_mechanism.md", "## Add a second link")
    figure = names["r"].plot("hinge.angle", "hinge.rate", "energy")
    figure.set_size_inches(8.0, 4.2)
    save(figure, "1_result.png")


def topology() -> None:
    """Lesson 2: the graph of the slider-crank with its cut joint."""
    names = page("tutorial/2_loop.md", "## Drive it")
    (OUT / "2_topology.svg").write_text(names["topology"].svg(), encoding="utf-8")


def sampled() -> None:
    """Lesson 3: the torque of the sampled controller, held between samples."""
    names = page("tutorial/3_forces_and_control.md")
    r = dt.simulate(names["sampled"], duration=0.4, outputs=0.0005)
    figure, (one, two) = plt.subplots(1, 2, figsize=(9.0, 2.6), layout="constrained")
    one.plot(names["r"].t, names["r"]["A.angle"], color=BLUE)
    one.axhline(0.5, color=GREY, ls="--", lw=1)
    one.set(xlabel="time [s]", ylabel="angle [rad]")
    two.plot(r.t, r["u"], color=RED)
    two.set(xlabel="time [s]", ylabel="torque u [N m]")
    for axes in (one, two):
        axes.grid(alpha=0.3)
    save(figure, "3_sampled.png")


def tipping() -> None:
    """Lesson 4: a tall block on the slope tips over; forces of contact as arrows."""
    a, size = np.radians(30), (0.2, 0.2, 0.4)
    m = dt.Model("tall block", gravity=(9.81 * np.sin(a), 0, -9.81 * np.cos(a)))
    m.add_body("block", dt.Inertia.box(1.0, size=size), position=(0, 0, 0.2))
    m.add_joint("free", dt.Free(), m.ground, "block")
    shapes = (dt.Shape.plane(), dt.Shape.box(size))
    m.add_contact("floor", dt.RigidContact(friction=0.8), m.ground, "block", shapes=shapes)
    r = dt.simulate(m, duration=0.75, outputs=0.01)
    figure, axes = plt.subplots(1, 4, figsize=(9.0, 2.6), layout="constrained")
    for each, t in zip(axes, (0.0, 0.5, 0.65, 0.75), strict=True):
        show(each, render(r, t, (1300, 900), (0.0, 0.05, 1.0, 1.0)))
        each.set_title(f"t = {t:.2f} s", fontsize=9)
    save(figure, "4_tipping.png")


def delta() -> None:
    """Lesson 5: the parallel robot as it falls under its weight."""
    names = page("tutorial/5_robot.md")
    r = dt.simulate(names["delta"], duration=0.2, outputs=0.01)
    figure, axes = plt.subplots(1, 2, figsize=(7.0, 3.2), layout="constrained")
    for each, t in zip(axes, (0.0, 0.2), strict=True):
        show(each, render(r, t, (1000, 900), (0.08, 0.05, 0.95, 0.95)))
        each.set_title(f"t = {t:.2f} s", fontsize=9)
    save(figure, "5_delta.png")


def elastica() -> None:
    """Lesson 6: the strip, bent far."""
    names = page("tutorial/6_flexible.md")
    model, beam, steps = names["m"], names["beam"], np.linspace(0.0, 4.0, 9)
    figure, axes = plt.subplots(figsize=(5.0, 3.2), layout="constrained")
    for k, load in enumerate(steps):
        model.forces["weight"] = dt.AppliedForce(beam.end, (0, 0, -float(load) * names["EI"]))
        e = dt.equilibrium(model)
        points = np.array([e[f"{node.name}.position"] for node in beam.nodes])
        axes.plot(points[:, 0], points[:, 2], color=plt.get_cmap("viridis")(k / 8), lw=2)
    axes.plot([0.671], [-0.670], "o", mfc="none", color=RED, label="Bisshopp and Drucker (1945)")
    axes.set(xlabel="x [m]", ylabel="z [m]", aspect="equal")
    axes.legend(frameon=False, loc="lower left", fontsize=8)
    axes.grid(alpha=0.3)
    save(figure, "6_elastica.png")


def press() -> None:
    """Recipe: the press at its stop, force and speed over time."""
    r = page("recipes/machines.md", "## A gripper")["r"]
    figure = plt.figure(figsize=(9.0, 3.2), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(1, 1.5))
    show(left.subplots(), render(r, 0.1, (900, 900), (0.15, 0.05, 0.85, 0.95)))
    one, two = right.subplots(2, 1, sharex=True)
    one.plot(r.t, 12 * r["A.rate"], color=BLUE)
    one.set(ylabel="motor [rad/s]")
    two.plot(r.t, 1e-3 * r["stop.force"], color=RED)
    two.set(xlabel="time [s]", ylabel="stop [kN]")
    for axes in (one, two):
        axes.grid(alpha=0.3)
    right.align_ylabels()
    save(figure, "press.png")


def gripper() -> None:
    """Recipe: the gripper before and after the lift; grip and height over time."""
    r = page("recipes/machines.md")["r"]
    figure = plt.figure(figsize=(9.0, 3.2), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(1.3, 1))
    for axes, t in zip(left.subplots(1, 2), (0.2, 1.5), strict=True):
        show(axes, render(r, t, (800, 900), (0.1, 0.1, 0.9, 0.9)))
        axes.set_title(f"t = {t:.1f} s", fontsize=9)
    one, two = right.subplots(2, 1, sharex=True)
    one.plot(r.t, -2e4 * r["left_cell.position"], color=RED)
    one.set(ylabel="grip [N]")
    two.plot(r.t, 1e3 * (r["part.position.z"] - r["part.position.z"][0]), color=BLUE)
    two.set(xlabel="time [s]", ylabel="part [mm]")
    for axes in (one, two):
        axes.grid(alpha=0.3)
    right.align_ylabels()
    save(figure, "gripper.png")


PICTURES: dict[str, Callable[[], None]] = {
    "result": result,
    "topology": topology,
    "sampled": sampled,
    "tipping": tipping,
    "delta": delta,
    "elastica": elastica,
    "cart": cart,
    "mechanism": mechanism,
    "loop": loop,
    "control": control,
    "contact": contact,
    "robot": robot,
    "flexible": flexible,
    "press": press,
    "gripper": gripper,
}

if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or PICTURES:
        PICTURES[name]()
