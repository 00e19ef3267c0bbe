"""Draw the pictures of the guide, docs/pictures/guide_*: `python docs/make_guide.py [NAME ...]`.

The models are those of the pages: their Python blocks are run, so that a picture shows what its page describes.
Scenes are drawn by the viewer (Chromium), diagrams by matplotlib.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from PIL import Image, ImageChops

import duoti as dt

mpl.use("Agg")
from matplotlib import pyplot as plt

DOCS = Path(__file__).resolve().parent
PICTURES = DOCS / "pictures"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
COLOURS = ("#2563eb", "#dc2626", "#059669", "#d97706")
SCENE = {"theme": "light"}


def names_of(page: str, blocks: int = 1) -> dict[str, Any]:
    """What the first blocks of a page define."""
    text = (DOCS / "guide" / f"{page}.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": "page"}
    for block in BLOCK.findall(text)[:blocks]:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(block, names)
    return names


def small(image: Image.Image, name: str, colours: int = 128) -> None:
    """Write a PNG with few colours."""
    flat = image.convert("RGB").quantize(colours, method=Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    flat.save(PICTURES / f"{name}.png", optimize=True)


def scene(result: Any, t: float, size: tuple[int, int] = (960, 540), crop: bool = True, **options: Any) -> Image.Image:
    """The scene at the time t, without empty margins."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scene.png"
        result.picture(path, t=t, size=size, **SCENE, **options)
        image = Image.open(path).convert("RGB")
    return cropped(image) if crop else image


def cropped(image: Image.Image, margin: int = 24) -> Image.Image:
    """The image without rows and columns that are all of the background's colour."""
    background = Image.new("RGB", image.size, image.getpixel((0, 0)))  # pyright: ignore[reportArgumentType]
    box = ImageChops.difference(image, background).convert("L").point(lambda v: 255 * (v > 12)).getbbox()  # pyright: ignore
    if box is None:
        return image
    left, top, right, bottom = box
    box = (max(left - margin, 0), max(top - margin, 0), right + margin, bottom + margin)
    return image.crop((*box[:2], min(box[2], image.width), min(box[3], image.height)))


def beside(*images: Image.Image, gap: int = 12) -> Image.Image:
    """Images in a row, on white."""
    height = max(image.height for image in images)
    whole = Image.new("RGB", (sum(image.width for image in images) + gap * (len(images) - 1), height), "white")
    left = 0
    for image in images:
        whole.paste(image, (left, (height - image.height) // 2))
        left += image.width + gap
    return whole


def diagram(name: str, figure: Any, colours: int = 64) -> None:
    """Write a matplotlib figure."""
    data = io.BytesIO()
    figure.savefig(data, dpi=110, facecolor="white")
    plt.close(figure)
    small(Image.open(data), name, colours)


def axes(rows: int = 1, columns: int = 1, size: tuple[float, float] = (7.2, 2.8)) -> tuple[Any, Any]:
    """A figure with plain panels."""
    figure, panels = plt.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
    for panel in panels.flat:
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(color="#e5e7eb", linewidth=0.6)
    return figure, panels


# ------------------------------------------------------------------------------------------------------------- pictures


def concepts() -> None:
    """The slider-crank as drawn, and later."""
    r = dt.simulate(names_of("model/concepts")["m"], 1.0)
    shots = [scene(r, t, (760, 520), crop=False, camera="front", labels=True) for t in (0.0, 0.24)]
    small(beside(*(shot.crop((40, 90, 760, 470)) for shot in shots)), "guide_concepts")


def modelling() -> None:
    """The crane with names."""
    small(scene(names_of("model/modelling")["r"], 0.6, (900, 640), labels=True), "guide_modelling")


def shapes() -> None:
    """Every shape with its name."""
    m = names_of("model/shapes")["m"]
    for joint in m.joints.values():
        joint.joint = dt.Translation()  # at rest: there is no gravity
    image = scene(dt.simulate(m, 0.01), 0.0, (1100, 640), crop=False, labels=True)
    small(image.crop((120, 120, 1060, 520)), "guide_shapes")


def forces() -> None:
    """Road, wheel and chassis; the strut."""
    r = names_of("model/forces")["r"]
    figure, panels = axes(1, 2)
    for values, label, colour in (
        (30 * np.sin(10 * r.t), "road", "#9ca3af"),
        (1e3 * r["hub.position"], "wheel", COLOURS[0]),
        (1e3 * (r["chassis.position.z"] - 0.85), "chassis", COLOURS[1]),
    ):
        panels[0, 0].plot(r.t, values, color=colour, label=label)
    panels[0, 0].set(xlabel="t [s]", ylabel="height [mm]")
    panels[0, 0].legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=3)
    panels[0, 1].plot(r.t, r["strut.tension"] / 1e3, color=COLOURS[2])
    panels[0, 1].set(xlabel="t [s]", ylabel="strut.tension [kN]")
    diagram("guide_forces", figure)


def constraints() -> None:
    """The winch."""
    r = names_of("model/constraints")["r"]
    small(scene(r, 0.8, (900, 600), labels=True), "guide_constraints")


def tables() -> None:
    """The kinds of tables through one set of points."""
    x, y = np.array([0.0, 1, 2, 3, 4, 5]), np.array([0.0, 0, 3, 3.2, 1, 1])
    u = np.linspace(0, 5, 401)
    figure, panels = axes(1, 4, (8.4, 2.1))
    for panel, kind, colour in zip(panels.flat, ("linear", "cubic", "monotone", "previous"), COLOURS, strict=True):
        m = dt.Model("table")
        m.add_body("b", dt.Inertia.point(1.0))
        m.add_joint("A", dt.Prismatic("x"), m.ground, "b")
        m.add_table("f", x, y, kind=kind, extrapolation="hold")
        m.add_force("read", dt.AppliedForce("b", ("f(t)", 0, 0)))
        values = dt.simulate(m, 5.0, outputs=u, solver=dt.RK4(step=0.0125))["read.force.x"]
        panel.plot(u, values, color=colour)
        panel.plot(x, y, "o", color="#111827", markersize=4)
        panel.set_title(kind, fontsize=10)
        panel.set_ylim(-0.7, 4.2)
    diagram("guide_tables", figure)


def states() -> None:
    """Angle and current of the lifted pendulum."""
    r = names_of("model/states")["r"]
    figure, panels = axes(1, 2)
    panels[0, 0].plot(r.t, r["A.angle"], color=COLOURS[0])
    panels[0, 0].set(xlabel="t [s]", ylabel="A.angle [rad]")
    panels[0, 1].plot(r.t, r["i"], color=COLOURS[1])
    panels[0, 1].set(xlabel="t [s]", ylabel="i [A]")
    diagram("guide_states", figure)


def loops() -> None:
    """The four-bar linkage with reactions."""
    r = names_of("model/loops")["r"]
    loads = np.linalg.norm(r["A.reaction_force"], axis=1)
    t = r.t[int(np.argmax(loads[r.t < 0.7]))]
    small(scene(r, t, (900, 560), labels=True, arrows=True), "guide_loops")


def topology() -> None:
    """The graph of a slider-crank."""
    (PICTURES / "guide_topology.svg").write_text(names_of("model/topology")["t"].svg(), encoding="utf-8")


def simulating() -> None:
    """The pendulum over time."""
    r = names_of("simulate/simulating")["r"]
    figure, panels = axes(1, 2, (7.2, 2.4))
    for panel, channel, unit, colour in zip(
        panels.flat, ("A.angle", "A.rate"), ("rad", "rad/s"), COLOURS, strict=False
    ):
        panel.plot(r.t, r[channel], color=colour)
        panel.set(xlabel="t [s]", ylabel=f"{channel} [{unit}]")
    diagram("guide_simulating", figure)


def events() -> None:
    """Heights of the bouncing ball, with the bounces."""
    r = names_of("simulate/events", 2)["flight"]
    figure, panels = axes(1, 1, (7.2, 2.4))
    panel = panels[0, 0]
    panel.plot(r.t, r["fall.position"], color=COLOURS[0])
    panel.plot([e.t for e in r.events], [e.q[0] for e in r.events], "o", color=COLOURS[1], label='event "floor"')
    panel.set(xlabel="t [s]", ylabel="fall.position [m]")
    panel.legend(frameon=False, loc="upper right")
    diagram("guide_events", figure)


def failed_runs() -> None:
    """Energy of a spring with two steps."""
    names = names_of("simulate/failed_runs", 2)
    good = dt.simulate(names["hard"], 10.0, solver=dt.RK4(step=0.02))
    figure, panels = axes(1, 1, (7.2, 2.4))
    for r, label, colour in ((names["r"], "step 0.29 s", COLOURS[1]), (good, "step 0.02 s", COLOURS[0])):
        panels[0, 0].semilogy(r.t, r.energy.total, color=colour, label=label)
    panels[0, 0].set(xlabel="t [s]", ylabel="energy.total [J]")
    panels[0, 0].legend(frameon=False)
    diagram("guide_failed_runs", figure)


def constraint_methods() -> None:
    """The plot of the comparison itself."""
    figure = names_of("simulate/constraint_methods", 2)["figure"]
    figure.set_size_inches(8.0, 6.4)
    diagram("guide_constraint_methods", figure, 128)


def images() -> None:
    """Image, animation and plot of the quick-return mechanism."""
    names = names_of("results/images", 2)
    r = names["r"]
    small(scene(r, 0.6, arrows=True), "guide_images")
    turn = 2 * np.pi / names["m"].parameters["speed"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.gif"
        r.film(path, fps=15, end=turn, size=(640, 360), clock=False, **SCENE)
        film = Image.open(path)
        frames = []
        for k in range(film.n_frames):
            film.seek(k)
            frames.append(film.convert("RGB"))
        frames[0].save(
            PICTURES / "guide_images.webp",
            save_all=True,
            append_images=frames[1:],
            duration=67,
            loop=0,
            quality=70,
            method=6,
        )
    figure = r.plot("guide.velocity", compare={"1.5 times as fast": names["other"]})
    figure.set_size_inches(7.2, 2.6)
    diagram("guide_plots", figure)


def submodels() -> None:
    """A trunk with four legs."""
    r = dt.simulate(names_of("files/submodels")["robot"], 0.05)
    small(scene(r, 0.0, (900, 640)), "guide_submodels")


def imported() -> None:
    """The four-legged robot from MJCF."""
    small(scene(names_of("files/import")["r"], 0.0, (900, 640)), "guide_import")


def sdf() -> None:
    """The press from SDFormat."""
    small(scene(names_of("files/sdf")["r"], 0.0, (900, 640)), "guide_sdf")


def mjcf_export() -> None:
    """The four-legged robot here and in MuJoCo, from the file that the page writes."""
    os.environ.setdefault("MUJOCO_GL", "egl")
    import mujoco

    names = names_of("files/mjcf_export")
    left = scene(dt.simulate(names["m"], 0.001), 0.0, (820, 640))
    model = mujoco.MjModel.from_xml_path("hound.xml")
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    model.vis.headlight.ambient[:] = 0.5
    camera = mujoco.MjvCamera()
    camera.lookat[:], camera.distance, camera.azimuth, camera.elevation = (0.0, 0.0, 0.22), 0.95, 122.0, -18.0
    with mujoco.Renderer(model, 480, 620) as renderer:
        renderer.update_scene(data, camera)
        pixels = renderer.render().copy()
    pixels[np.all(pixels == 0, axis=2)] = (246, 247, 250)  # nothing is there
    right = Image.fromarray(pixels)
    height = min(left.height, right.height)
    small(beside(*(i.resize((i.width * height // i.height, height)) for i in (left, right))), "guide_mjcf_export")


def scenes() -> None:
    """The crane, drawn by VTK from the files that the page writes."""
    import pyvista

    names = names_of("files/scenes")
    shots: list[Image.Image] = []
    for k in range(2):
        plotter = pyvista.Plotter(off_screen=True, window_size=(820, 640))
        plotter.set_background("white")
        if k == 0:
            names["r"].export_gltf("picture.gltf")
            plotter.import_gltf("picture.gltf")
            plotter.add_light(pyvista.Light(position=(-2, 4, 4), intensity=2.0))
        else:
            reader = pyvista.PVDReader("crane/crane.pvd")
            reader.set_active_time_value(reader.time_values[-1])
            for part in reader.read():
                if part.n_points and "normal_stress" in part.point_data:
                    part.point_data["normal stress in MPa"] = part.point_data["normal_stress"] / 1e6
                    bar = {"color": "black", "position_x": 0.25, "position_y": 0.02, "fmt": "%.0f"}
                    plotter.add_mesh(part, scalars="normal stress in MPa", cmap="coolwarm", scalar_bar_args=bar)
                elif part.n_cells and "section_force" in part.point_data:
                    plotter.add_mesh(part, color="#6b7280")
                elif part.n_cells and "kind" not in part.point_data:
                    plotter.add_mesh(part, color="#5b84b1")
        y_up = k == 0
        plotter.camera.up = (0, 1, 0) if y_up else (0, 0, 1)
        plotter.camera.focal_point = (1.0, -0.35, 0.0) if y_up else (1.0, 0.0, -0.35)
        plotter.camera.position = (-0.5, 1.0, 3.0) if y_up else (-0.5, -3.0, 1.0)
        shots.append(Image.fromarray(plotter.screenshot(return_img=True)))  # pyright: ignore[reportArgumentType]
    small(beside(*shots), "guide_scenes")


ALL: tuple[Callable[[], None], ...] = (
    concepts, modelling, shapes, forces, constraints, tables, states, loops, topology, simulating, events, failed_runs,
    constraint_methods, images, submodels, imported, sdf, mjcf_export, scenes,
)  # fmt: skip


def main(wanted: list[str]) -> None:
    """Draw the named pictures, all without names."""
    warnings.simplefilter("ignore")
    before = set(PICTURES.iterdir())
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # the pages write files
        for make in ALL:
            if not wanted or make.__name__ in wanted:
                make()
                print(make.__name__)
        os.chdir(DOCS)
    for path in sorted(PICTURES.glob("guide_*")):
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB{'' if path in before else ' (new)'}")


if __name__ == "__main__":
    main(sys.argv[1:])
