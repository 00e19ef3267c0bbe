"""Make docs/pictures/readme/*, the six pictures of README.md: `python docs/make_readme_pictures.py`.

The comparisons run MuJoCo with its default settings (extra "oracle").
"""

from __future__ import annotations

import html
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import matplotlib as mpl
import numpy as np

import duoti as dt

mpl.use("Agg")
from matplotlib import pyplot as plt

OUT = Path(__file__).parent / "pictures" / "readme"
BLUE, RED, GREY = "#2563eb", "#dc2626", "#6b7280"
PRESS = """\
duoti: 1
name: press
parameters: {r: 120 mm, l: 400 mm}
bodies:
  crank: {inertia: {rod: {mass: 4, length: =r, axis: x}}, position: [=r/2, 0, 0]}
  rod: {inertia: {rod: {mas: 6, length: =l, axis: x}}, position: [=r + l/2, 0, 0]}
  ram: {inertia: {box: {mass: 20, size: [0.2, 0.1, 0.1]}}, position: [=r + l, 0, 0]}
joints:
  A: {type: revolute, axis: y, between: [ground, crank], at: [0, 0, 0]}
  B: {type: spherical, between: [crank, rod], at: [=r, 0, 0]}
  C: {type: cylindrical, axis: y, between: [rodd, ram], at: [=r + l, 0, 0]}
  D: {type: prismatic, axis: x, between: [ground, ram], at: [=r + l, 0, 0]}
forces:
  motor: {type: joint_torque, joint: A, value: 80*sin(2*pi*tt)}
"""


def terminal(name: str, command: str, lines: list[str]) -> None:
    """Write a command and what it printed as an SVG that looks like a terminal."""
    rows = [f"$ {command}"]
    for line in lines:
        rows += textwrap.wrap(line, 58, subsequent_indent="    ", drop_whitespace=False) if len(line) > 58 else [line]
    width = 22 + 8.45 * max(len(row) for row in rows)
    height = 52 + 20 * len(rows)
    text = []
    for k, row in enumerate(rows):
        colour = "#e5e7eb"
        if k == 0:
            colour = "#93c5fd"
        elif row.startswith("✗"):
            colour = "#fca5a5"
        elif "remedy" in row or "did you mean" in row.lower():
            colour = "#86efac"
        text.append(f'<text x="16" y="{56 + 20 * k}" fill="{colour}" xml:space="preserve">{html.escape(row)}</text>')
    dots = "".join(
        f'<circle cx="{20 + 18 * k}" cy="18" r="6" fill="{c}"/>'
        for k, c in enumerate(("#f87171", "#fbbf24", "#4ade80"))
    )
    size = f'viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}"'
    fonts = "ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace"
    (OUT / name).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
        f'<rect width="100%" height="100%" rx="10" fill="#111827"/>{dots}'
        f'<g font-family="{fonts}" font-size="14">{"".join(text)}</g></svg>\n',
        encoding="utf-8",
    )


def save(figure, name: str) -> None:
    """Write a figure as a PNG of few colours."""
    from PIL import Image

    figure.savefig(OUT / name, dpi=130, facecolor="white")
    plt.close(figure)
    Image.open(OUT / name).convert("RGB").quantize(128).save(OUT / name, optimize=True)


def checked() -> None:
    """What `duoti check` prints of a file with three faults."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "press.yaml").write_text(PRESS, encoding="utf-8")
        command = [sys.executable, "-m", "duoti", "check", "press.yaml"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    lines = (done.stdout + done.stderr).splitlines()
    lines = [line for line in lines if not line.lstrip().startswith("names:")]
    terminal("check.svg", "duoti check press.yaml", lines)


def started() -> None:
    """What `duoti run double_pendulum` prints."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "duoti", "run", "double_pendulum", "--no-picture"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    lines = [line for line in done.stdout.splitlines() + done.stderr.splitlines() if "chosen" not in line]
    lines = [re.sub(r"\(rtol.*?\)|, \d+ rejected, \d+ evaluations", "", line) for line in lines]
    terminal("start.svg", "duoti run double_pendulum", lines)


def four_bar() -> dt.Model:
    """A loop of four revolute joints that falls under its weight."""
    m = dt.Model("four-bar")
    m.add_body("crank", dt.Inertia.box(1.0, size=(0.1, 0.1, 1.0)), position=(0, 0, 0.5))
    m.add_body("coupler", dt.Inertia.box(1.0, size=(2.0, 0.1, 0.1)), position=(1.0, 0, 1.25))
    m.add_body("rocker", dt.Inertia.box(1.0, size=(0.1, 0.1, 1.5)), position=(2, 0, 0.75))
    joints = {
        "A": ("ground", "crank", (0, 0, 0)),
        "B": ("crank", "coupler", (0, 0, 1)),
        "C": ("coupler", "rocker", (2, 0, 1.5)),
        "D": ("ground", "rocker", (2, 0, 0)),
    }
    for name, (parent, child, at) in joints.items():
        m.add_joint(name, dt.Revolute("y"), parent, child, at=at, **({"v0": 1.0} if name == "A" else {}))
    m.add_marker("C1", "coupler", position=(1, 0, 0.25))
    m.add_marker("C2", "rocker", position=(0, 0, 0.75))
    m.add_marker("D2", "rocker", position=(0, 0, -0.75))
    return m


FOUR_BAR = """<mujoco><default><geom contype="0" conaffinity="0"/></default><worldbody>
<body name="crank"><joint name="A" axis="0 1 0"/><geom type="box" size="0.05 0.05 0.5" pos="0 0 0.5" mass="1"/>
 <body pos="0 0 1"><joint axis="0 1 0"/><geom type="box" size="1.0 0.05 0.05" pos="1 0 0.25" mass="1"/>
  <site name="C1" pos="2 0 0.5"/></body></body>
<body pos="2 0 0"><joint axis="0 1 0"/><geom type="box" size="0.05 0.05 0.75" pos="0 0 0.75" mass="1"/>
 <site name="C2" pos="0 0 1.5"/></body>
</worldbody><equality><connect site1="C1" site2="C2"/></equality></mujoco>"""


def loop() -> None:
    """Opening of the loop of a four-bar over time, exact and soft."""
    import mujoco

    r = dt.simulate(four_bar(), duration=5.0, outputs=0.01)
    gaps = (r["C1.position"] - r["C2.position"], r["D2.position"] - (2, 0, 0))  # one of them is the cut joint
    ours = np.maximum(*(np.linalg.norm(gap, axis=1) for gap in gaps))
    model = mujoco.MjModel.from_xml_string(FOUR_BAR)
    data = mujoco.MjData(model)
    data.qvel[:] = (1.0, -1.0, 2.0 / 3.0)
    times, theirs = [], []
    while data.time < 5.0:
        mujoco.mj_step(model, data)
        times.append(data.time)
        theirs.append(np.linalg.norm(data.site("C1").xpos - data.site("C2").xpos))
    figure, axes = plt.subplots(figsize=(6.4, 3.0), layout="constrained")
    axes.semilogy(
        times, np.maximum(theirs, 1e-17), color=RED, label=f"MuJoCo {mujoco.__version__}, default settings (soft)"
    )
    axes.semilogy(r.t, np.maximum(ours, 1e-17), color=BLUE, label="duoti")
    axes.set(xlabel="time [s]", ylabel="opening of the loop [m]", ylim=(1e-17, 1))
    axes.legend(loc="center right", frameon=False)
    axes.grid(alpha=0.3)
    save(figure, "loop.png")
    print(f"loop: duoti {ours.max():.1e} m, MuJoCo {max(theirs):.1e} m")


def energy() -> None:
    """Energies of a double pendulum, and what their balance lacks."""
    from duoti.examples import find_example

    r = dt.simulate(find_example("double_pendulum").build(), duration=6.0)
    figure, (top, low) = plt.subplots(2, 1, figsize=(6.4, 3.4), layout="constrained", sharex=True, height_ratios=(3, 2))
    top.plot(r.t, r.energy.kinetic, color=BLUE, label="kinetic")
    top.plot(r.t, r.energy.potential - r.energy.potential.min(), color=GREY, label="potential")
    top.plot(r.t, r.energy.dissipated, color=RED, label="dissipated")
    top.set(ylabel="energy [J]")
    top.legend(frameon=False, ncols=3, loc="upper right")
    top.set_ylim(0, 1.35 * float(r.energy.kinetic.max()))
    low.plot(r.t, 1e6 * r.energy.residual, color=BLUE)
    low.set(xlabel="time [s]", ylabel="residual [µJ]")
    for axes in (top, low):
        axes.grid(alpha=0.3)
    save(figure, "energy.png")


SLOPE = np.radians(15)
BLOCK = f"""<mujoco><option gravity="{9.81 * np.sin(SLOPE)} 0 {-9.81 * np.cos(SLOPE)}"/><worldbody>
<geom type="plane" size="5 5 1" friction="0.6"/>
<body pos="0 0 0.05"><freejoint/><geom type="box" size="0.1 0.1 0.05" mass="1" friction="0.6"/></body>
</worldbody></mujoco>"""


def creep() -> None:
    """A block at rest on a slope of 15 degrees with friction 0.6: where it is after a minute."""
    import mujoco

    m = dt.Model("block", gravity=(9.81 * np.sin(SLOPE), 0, -9.81 * np.cos(SLOPE)))
    m.add_body("block", dt.Inertia.box(1.0, size=(0.2, 0.2, 0.1)), position=(0, 0, 0.05))
    m.add_joint("free", dt.Free(), m.ground, "block")
    shapes = (dt.Shape.plane(), dt.Shape.box((0.2, 0.2, 0.1)))
    m.add_contact("floor", dt.RigidContact(friction=0.6), m.ground, "block", shapes=shapes)
    r = dt.simulate(m, duration=60.0, outputs=0.5)
    model = mujoco.MjModel.from_xml_string(BLOCK)
    data = mujoco.MjData(model)
    times, way = [], []
    while data.time < 60.0:
        mujoco.mj_step(model, data)
        times.append(data.time)
        way.append(data.qpos[0])
    figure, axes = plt.subplots(figsize=(6.4, 3.0), layout="constrained")
    axes.plot(times, 1e3 * np.array(way), color=RED, label=f"MuJoCo {mujoco.__version__}, default settings")
    axes.plot(r.t, 1e3 * r["block.position.x"], color=BLUE, lw=2, label="duoti")
    axes.set(xlabel="time [s]", ylabel="way down the slope [mm]")
    axes.legend(frameon=False, loc="upper left")
    axes.grid(alpha=0.3)
    save(figure, "creep.png")
    print(f"creep in 60 s: duoti {r['block.position.x'][-1]:.1e} m, MuJoCo {way[-1]:.1e} m")


def domains() -> None:
    """A flexible arm on a DC motor with a gear: render, current, deflection."""
    from PIL import Image

    from duoti.bond import Graph, Port, Se, library

    steel = dt.Material(youngs_modulus=210e9, poisson_ratio=0.3, density=7850.0)
    mesh = dt.Mesh.box(size=(1.0, 0.05, 0.012), divisions=(20, 1, 1), centre=(0.5, 0, 0))
    m = dt.Model("motor and flexible arm")
    flexible = dt.Flexible.from_mesh(mesh, steel, interfaces={"hub": "x-", "tip": "x+"}, modes=4, damping_ratio=0.02)
    arm = m.add_body("arm", flexible, position=(0, 0, 0))
    m.add_joint("J", dt.Revolute("-y"), m.ground, arm, at=(0, 0, 0))
    tip = m.add_marker("tip", arm, interface="tip")
    load = m.add_body("load", dt.Inertia.sphere(3.0, radius=0.05), position=(1.0, 0, 0))
    m.add_joint("clamp", dt.Fixed(), tip, load)
    drive = Graph("drive")
    drive.add("U", Se("40*sin(4*t)"))
    drive.add("motor", library.dc_motor(inductance=0.01, resistance=1.0, torque_constant=0.08, inertia=4e-4))
    drive.add("gear", library.reducer(50.0))
    drive.add("shaft", Port())
    drive.bond("U", "motor.electric")
    drive.bond("motor.shaft", "gear.fast")
    drive.bond("gear.slow", "shaft")
    m.add_bond_graph("drive", drive, ports={"shaft": "J"})
    r = dt.simulate(m, duration=2.0, outputs=0.005, solver="auto")
    sag = r.displacement("arm", mesh.nearest((1, 0, 0)))[:, 2]
    with tempfile.TemporaryDirectory() as folder:
        shot = Path(folder) / "arm.png"
        r.picture(str(shot), t=0.62, size=(2200, 1900), camera="iso", arrows=True)
        picture = np.asarray(Image.open(shot).convert("RGB"))[250:1400, 700:2050]
    figure = plt.figure(figsize=(8.4, 3.4), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(1, 1.15))
    axes = left.subplots()
    axes.imshow(picture)
    axes.axis("off")
    one, two, three = right.subplots(3, 1, sharex=True)
    one.plot(r.t, r["drive.motor.L.flow"], color=RED)
    one.set(ylabel="current [A]")
    two.plot(r.t, np.degrees(r["J.angle"]), color=GREY)
    two.set(ylabel="joint [deg]")
    three.plot(r.t, 1e3 * sag, color=BLUE)
    three.set(ylabel="bending [mm]", xlabel="time [s]")
    for axes in (one, two, three):
        axes.grid(alpha=0.3)
    right.align_ylabels()
    save(figure, "domains.png")


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[1:] or ["checked", "loop", "energy", "creep", "domains", "started"]
    for task in wanted:
        globals()[task]()
