"""Pictures of the guide's groups Flexible, Contact, Analyses and Studies: python docs/make_guide_pictures.py [NAME ...]

Most models are those of the pages: their Python blocks run, and what they leave is drawn by the viewer (it needs
Chromium) or by matplotlib.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image, ImageDraw, ImageFont

import duoti as dt
from duoti.examples import find_example

DOCS = Path(__file__).parent
PICTURES = DOCS / "pictures"
SIZE = (960, 540)
TILE = (560, 480)
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
MOST = 120_000  # bytes


def page(name: str) -> dict:
    """The names that the Python blocks of a page leave."""
    names: dict = {"__name__": "page"}
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.chdir(folder)
        try:
            for block in BLOCK.findall((DOCS / "guide" / name).read_text(encoding="utf-8")):
                exec(block, names)
        finally:
            os.chdir(before)
    plt.close("all")
    return names


def save(image: Image.Image, name: str) -> None:
    """A PNG of at most 256 colours, fewer where the file would be too large."""
    path = PICTURES / name
    path.parent.mkdir(exist_ok=True)
    for colours in (256, 128, 64, 32):
        image.convert("RGB").quantize(
            colours, method=Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE
        ).save(path, optimize=True)
        if path.stat().st_size <= MOST:
            break
    print(f"{path.relative_to(DOCS)}: {path.stat().st_size / 1000:.0f} kB")


def render(result, t=None, size=SIZE, **options) -> Image.Image:
    """The scene of a result at the time t, by the viewer on white."""
    with tempfile.TemporaryDirectory() as folder:
        path = result.picture(Path(folder) / "scene.png", t=t, size=size, theme="light", **options)
        return Image.open(path).convert("RGB")


def figure(drawn, name: str) -> None:
    """Save a figure of matplotlib."""
    data = io.BytesIO()
    drawn.savefig(data, dpi=100, facecolor="white")
    plt.close(drawn)
    save(Image.open(data), name)


def cut(image: Image.Image, x: float, y: float) -> Image.Image:
    """Without these fractions of its width and height at either side."""
    wide, high = image.size
    return image.crop((round(x * wide), round(y * high), round((1 - x) * wide), round((1 - y) * high)))


def beside(images, height=360) -> Image.Image:
    """Pictures in a row, cut to one height."""
    images = [image.resize((round(image.width * height / image.height), height)) for image in images]
    row = Image.new("RGB", (sum(image.width for image in images) + 8 * (len(images) - 1), height), "white")
    x = 0
    for image in images:
        row.paste(image, (x, 0))
        x += image.width + 8
    return row


def frame(size=SIZE):
    """A frame of two beams under a line load."""
    names = page("flexible/beams.md")
    result = dt.simulate(names["frame"], 2.0, outputs=0.05, solver=dt.GeneralisedAlpha(step=5e-3))
    return render(result, t=0.5, camera="front", beams="bending_moment", size=size)


def cable(size=SIZE):
    """A cable that hangs in its equilibrium."""
    names = page("flexible/cables.md")
    result = dt.simulate(names["mooring"], 0.02, at=names["e"].state, outputs=0.01)
    return render(result, camera="front", beams="axial_force", size=size)


def segments():
    """A rod of rigid segments that falls."""
    return render(page("flexible/segments.md")["r"], t=0.5, camera="front")


def crank(size=SIZE):
    """A slider-crank with a flexible rod."""
    example = find_example("flexible_crank")
    result = dt.simulate(example.build(), example.duration)
    return render(result, t=0.6 * example.duration, camera="front", size=size)


def blade():
    """First frequency of a rotating blade: solid elements with and without stiffening, and Euler-Bernoulli."""
    solid = dt.Mesh.box(size=(1.0, 0.03, 0.01), divisions=(24, 1, 1), centre=(0.5, 0, 0), kind="tet10")
    slender = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.0, density=7850)  # beams do not contract
    unit = np.sqrt(2.1e11 * 0.01**2 / 12 / 7850)
    speeds = np.linspace(0.0, 8.0, 17)

    def first(body, speed):
        m = dt.Model("blade", gravity=(0, 0, 0))
        m.add_body("blade", body)
        m.add_joint("hub", dt.Revolute("y"), m.ground, "blade", at=(0, 0, 0))
        m.add_constraint("drive", dt.JointMotion("hub", f"{speed * unit}*t"))
        return min(dt.linearise(m, dt.equilibrium(m)).eigenvalues / unit, key=abs)

    def euler_bernoulli(speed):
        x, w = np.polynomial.legendre.leggauss(20)
        x, w, p = (x + 1) / 2, w / 2, np.arange(2, 10)[:, None]
        f, slope, bend = x**p, p * x ** (p - 1), p * (p - 1) * x ** (p - 2)
        stiffness = (bend * w) @ bend.T + speed**2 * ((slope * w * (1 - x**2) / 2) @ slope.T - (f * w) @ f.T)
        return np.sqrt(np.linalg.eigvals(np.linalg.solve((f * w) @ f.T, stiffness)).real.min())

    stiff, plain = (dt.Flexible.from_mesh(solid, slender, {"root": "x-"}, modes=8, stiffening=k) for k in (True, False))
    with_it, without = (np.array([first(body, speed) for speed in speeds]) for body in (stiff, plain))
    drawn, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    axes.plot(speeds, [euler_bernoulli(speed) for speed in speeds], "k-", label="Euler-Bernoulli")
    axes.plot(speeds, abs(with_it.imag), "o", label="tet10, 8 modes")
    axes.plot(speeds, abs(without.imag), "x", label="without stiffening")
    axes.plot(speeds, abs(without.real), ":", label="without stiffening: rate of growth")
    axes.set(xlabel="speed / sqrt(EI / (rho A L^4))", ylabel="first frequency in the plane of rotation, same unit")
    axes.legend()
    return drawn


def shapes():
    """All shapes, with their names."""
    made = {
        "sphere": dt.Shape.sphere(0.3),
        "box": dt.Shape.box((0.5, 0.5, 0.4)),
        "capsule": dt.Shape.capsule(0.15, 0.5),
        "cylinder": dt.Shape.cylinder(0.25, 0.5),
        "disc": dt.Shape.disc(0.32, axis="y"),
        "ellipsoid": dt.Shape.ellipsoid((0.4, 0.25, 0.2)),
        "revolution": dt.Shape.revolution([(-0.1, 0.36), (0.0, 0.3), (0.2, 0.27)], axis="y"),
        "extrusion": dt.Shape.extrusion([(-0.3, 0.1), (-0.1, -0.05), (0.1, -0.05), (0.3, 0.1)], 0.8, axis="y"),
    }
    x, y = np.meshgrid(np.linspace(-1, 1, 21), np.linspace(-1, 1, 21), indexing="ij")
    made["heightfield"] = dt.Shape.heightfield(0.1 * np.sin(4 * x) * np.cos(4 * y), (0.9, 0.9))
    tiles = []
    for name, shape in made.items():
        m = dt.Model(name, gravity=(0, 0, 0))
        m.add_body(name, dt.Inertia(1.0, matrix=np.eye(3)), shapes=[shape])
        m.add_joint("free", dt.Free(), m.ground, name)
        tile = cut(render(dt.simulate(m, 0.01, outputs=0.01), t=0.0, size=(640, 480)), 0.1, 0.05)
        ImageDraw.Draw(tile).text((8, 6), name, fill="black", font=ImageFont.load_default(20))
        tiles.append(tile)
    wide, high = tiles[0].size
    board = Image.new("RGB", (5 * wide + 16, 2 * high + 4), "white")
    for k, tile in enumerate(tiles):
        board.paste(tile, ((k % 5) * (wide + 4), (k // 5) * (high + 4)))
    return board.resize((1100, round(board.height * 1100 / board.width)))


def hills(size=SIZE):
    """A crate on a height field."""
    return render(page("contact/contact_shapes.md")["hills_run"], arrows=True, size=size)


def pile(size=SIZE):
    """A ball hits a pile of blocks."""
    m = dt.Model("blocks")
    m.ground.shapes.append(dt.Shape.plane())
    names = ["block0", "block1", "block2", "block3"]
    for name, x, z in zip(names, (0.0, 0.02, -0.03, 0.0), (0.1, 0.3, 0.5, 0.7), strict=True):
        m.add_body(name, dt.Inertia.box(1.0, size=(0.3, 0.2, 0.2)), position=(x, 0, z))
        m.add_joint(f"{name} free", dt.Free(), m.ground, name)
    m.add_body("ball", dt.Inertia.sphere(1.5, radius=0.1), position=(-0.9, 0, 0.6))
    m.add_joint("throw", dt.Free(), m.ground, "ball", v0=[3.5, 0, 0, 0, 0, 0])
    m.add_contact("touch", dt.RigidContact(friction=0.4), "all", "all")
    result = dt.simulate(m, 0.6, outputs=0.01, solver=dt.Moreau(step=1e-3))
    return render(result, t=0.42, arrows=True, size=size)


def cradle():
    """Newton's cradle when the last ball is out."""
    example = find_example("newtons_cradle")
    result = dt.simulate(example.build(), example.duration)
    return render(result, t=0.5)


def wheelset(size=SIZE):
    """A wheelset on two rails."""
    result = dt.simulate(page("contact/wheels_on_rails.md")["m"], 0.02, outputs=0.01)
    return render(result, arrows=True, size=size)


def compliant_laws():
    """Force over penetration of a ball that falls on a soft floor."""
    drawn, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
    laws = {
        "linear, linear damper": dt.CompliantContact(stiffness=5e4, damping=60.0),
        "Hertz": dt.CompliantContact(stiffness=8e5, exponent=1.5),
        "Hertz, Hunt-Crossley": dt.CompliantContact(
            stiffness=8e5, exponent=1.5, damping=0.6, damping_law="hunt_crossley"
        ),
    }
    for name, law in laws.items():
        m = dt.Model(name)
        ball = m.add_body("ball", dt.Inertia.sphere(2.0, radius=0.1), position=(0, 0, 0.1))
        m.add_joint("z", dt.Prismatic("z"), m.ground, ball, v0=-1.0)
        m.add_contact("floor", law, m.ground, ball, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
        r = dt.simulate(m, 0.04, outputs=2e-5)
        axes.plot(-1e3 * r["floor.gap"].ravel(), r["floor.normal_force"].ravel(), label=name)
    axes.set(xlabel="penetration [mm]", ylabel="normal force [N]", xlim=(0, None))
    axes.legend()
    return drawn


def stick_slip():
    """Velocities of a block on a belt."""
    r = page("contact/friction.md")["stick_slip"]
    drawn, axes = plt.subplots(figsize=(7, 3.2), layout="constrained")
    axes.plot(r.t, r["belt.velocity"][:, 0], label="belt")
    axes.plot(r.t, r["block.velocity"][:, 0], label="block")
    axes.set(xlabel="t [s]", ylabel="velocity [m/s]")
    axes.legend()
    return drawn


def sweep():
    """A quarter car with five dampers."""
    names = page("studies/index.md")
    drawn, axes = plt.subplots(figsize=(7, 3.4), layout="constrained")
    for c, run in zip(names["sweep"], names["runs"], strict=True):
        axes.plot(run.t, 1000 * (run["car.position"][:, 2] - 0.9), label=f"{c:.0f} N s/m")
    axes.axhline(50, color="0.7", linewidth=0.8)
    axes.set(xlabel="t [s]", ylabel="rise of the car [mm]")
    axes.legend(title="damping")
    return drawn


def sensitivities():
    """Effect of one percent of three parameters on the angle of a pendulum."""
    s = page("studies/gradients.md")["s"]
    drawn, axes = plt.subplots(figsize=(7, 3.2), layout="constrained")
    for name, value in (("rod.mass", 1.0), ("spring.stiffness", 3.0), ("A.q0", 1.0)):
        axes.plot(s.t, 1e3 * 0.01 * value * s["A.angle", name], label=name)
    axes.set(xlabel="t [s]", ylabel="change of the angle [mrad]")
    axes.legend(title="one percent of")
    return drawn


def fmu_import():
    """A mass on its foundation with and without an absorber, which is an FMU."""
    names = page("files/fmu_import.md")
    drawn, axes = plt.subplots(figsize=(7, 3.2), layout="constrained")
    alone = dt.Model("machine alone", gravity=(0, 0, 0))
    alone.add_body("body", dt.Inertia.point(5.0))
    alone.add_joint("main", dt.Prismatic("x"), alone.ground, "body", q0=0.1)
    alone.add_force("foundation", dt.JointTorque("main", "-1000*main.position"))
    r = dt.simulate(alone, 5.0)
    axes.plot(r.t, 1000 * r["main.position"], color="0.7", label="alone")
    axes.plot(names["r"].t, 1000 * names["r"]["main.position"], label="with the absorber")
    axes.set(xlabel="t [s]", ylabel="position [mm]")
    axes.legend()
    return drawn


def fmu_export():
    """The pendulum of the page, run by FMPy, and what drives it."""
    names = page("files/export.md")
    drawn, (above, below) = plt.subplots(
        2, 1, figsize=(7, 3.6), layout="constrained", sharex=True, height_ratios=(2, 1)
    )
    co, me = names["runs"]["CoSimulation"], names["runs"]["ModelExchange"]
    above.plot(co["time"], co["A.angle"], label="co-simulation, solver of duoti", linewidth=3, color="0.75")
    above.plot(me["time"], me["A.angle"], label="model exchange, CVode of FMPy", linestyle="--")
    above.set(ylabel="angle [rad]")
    above.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False)
    below.plot(names["u"]["time"], names["u"]["u"], color="#dc2626")
    below.set(xlabel="t [s]", ylabel="torque [N m]")
    return drawn


def heat_map():
    """Comfort of a quarter car over two numbers of its strut."""
    names = page("studies/parameter_studies.md")
    return names["study"].plot(names["study"].run(), "comfort")


def histogram():
    """Overshoot of a quarter car with tolerances."""
    names = page("studies/parameter_studies.md")
    return names["tolerances"].plot(names["tolerances"].run(), "overshoot")


def curve(size=SIZE) -> Image.Image:
    """A wheelset in a curve."""
    names = page("contact/wheels_on_rails.md")
    return render(names["run"], 1.5, size, zoom=1.6, follow="axle")


def tyre_curves():
    """Characteristic curves of the bundled tyre."""
    return page("model/tyres.md")["figure"]


def roads():
    """Profiles of roads, and the spectrum of a random one beside that of its class."""
    from scipy.signal import welch

    names = page("model/roads.md")
    drawn, axes = plt.subplots(1, 3, figsize=(9.6, 2.9), layout="constrained")
    x = np.linspace(3, 7, 400)
    axes[0].plot(x, 1e3 * names["bump"].height(x), label="cubic")
    table = names["bump"].arguments["table"]
    for kind in ("monotone", "linear"):
        axes[0].plot(x, 1e3 * dt.Road.profile(table, interpolation=kind).height(x), label=kind, linewidth=0.9)
    axes[0].set(xlabel="x in m", ylabel="bump in mm")
    axes[0].legend(frameon=False, fontsize=8)
    x = np.linspace(0, 40, 800)
    for y, side in ((0.75, "left"), (-0.75, "right")):
        axes[1].plot(x, 1e3 * names["rough"].height(x, y), label=side, linewidth=0.9)
    axes[1].set(xlabel="x in m", ylabel="class C in mm")
    axes[1].legend(frameon=False, fontsize=8)
    z = dt.Road.random("C", length=2000.0, seed=1).height(np.arange(0, 2000, 0.05))
    n, found = welch(z, 20.0, "hann", 4000)
    keep = (n > 0.012) & (n < 2.8)
    axes[2].loglog(n[keep], found[keep], linewidth=0.7, label="Welch")
    axes[2].loglog(n[keep], 256e-6 * (n[keep] / 0.1) ** -2, label="class C")
    axes[2].set(xlabel="spatial frequency in 1/m", ylabel="spectrum in m³")
    axes[2].legend(frameon=False, fontsize=8)
    for axis in axes:
        axis.spines[["top", "right"]].set_visible(False)
    return drawn


def moving_load():
    """The middle of a bridge under a moving load."""
    names = page("flexible/beams_at_work.md")
    drawn, axis = plt.subplots(figsize=(7.0, 3.0), layout="constrained")
    axis.plot(names["t"], 1e3 * names["series"], color="0.6", linewidth=3.0, label="series")
    axis.plot(names["t"], 1e3 * names["middle"], linewidth=1.0, label="10 elements")
    axis.set(xlabel="t in s", ylabel="middle of the bridge in mm")
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(frameon=False)
    return drawn


MADE = {
    "flexible/frame.png": frame,
    "flexible/cable.png": cable,
    "flexible/segments.png": segments,
    "flexible/crank.png": crank,
    "flexible/overview.png": lambda: beside([each(TILE) for each in (frame, cable, crank)], 400),
    "blade.png": blade,
    "contact/shapes.png": shapes,
    "contact/hills.png": hills,
    "contact/pile.png": pile,
    "contact/cradle.png": cradle,
    "contact/wheelset.png": wheelset,
    "contact/curve.png": curve,
    "model/roads.png": roads,
    "model/tyre_curves.png": tyre_curves,
    "flexible/moving_load.png": moving_load,
    "contact/overview.png": lambda: beside([each(TILE) for each in (pile, hills, wheelset)], 400),
    "contact/compliant_laws.png": compliant_laws,
    "contact/stick_slip.png": stick_slip,
    "fmu_export.png": fmu_export,
    "fmu_import.png": fmu_import,
    "studies/sweep.png": sweep,
    "studies/sensitivities.png": sensitivities,
    "studies/heat_map.png": heat_map,
    "studies/histogram.png": histogram,
    "studies/fit.png": lambda: page("studies/fitting.md")["f"].plot(),
}


def main(wanted: list[str]) -> int:
    """Make all pictures, or those whose names contain one of the words."""
    for name, make in MADE.items():
        if not wanted or any(each in name for each in wanted):
            made = make()
            save(made, name) if isinstance(made, Image.Image) else figure(made, name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
