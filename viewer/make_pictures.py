"""The pictures of the viewer in docs/pictures, made by the viewer itself: python viewer/make_pictures.py"""

import contextlib
import io
import os
import re
import sys
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import duoti as dt
from duoti.examples import find_example
from duoti.view.images.film import FLAGS, find_chromium, sandbox_flags

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
SIZE = {"width": 1280, "height": 800}
GRAPH = (
    "document.querySelector('#sheet-1').click()",
    "document.querySelector('[data-element=\"motor.R\"]').dispatchEvent(new MouseEvent('click', { bubbles: true }))",
)
ZOOM = "for (let k = 0; k < 4; k++) window.dispatchEvent(new KeyboardEvent('keydown', { key: '+' }))"


def engine():
    """The model of docs/guide/results/viewer.md."""
    text = (ROOT / "docs/guide/results/viewer.md").read_text(encoding="utf-8")
    code = re.search(r"^```python\n(.*?)^r = dt.simulate", text, re.DOTALL | re.MULTILINE)[1]
    names = {}
    exec(code, names)
    return names["m"]


def fishing():
    """The model of docs/guide/results/viewer.md with a rod and a line."""
    text = (ROOT / "docs/guide/results/viewer.md").read_text(encoding="utf-8")
    code = re.search(r"^```python\n(fishing = dt.Model.*?)^bent = dt.simulate", text, re.DOTALL | re.MULTILINE)[1]
    names = {"dt": dt}
    exec(code, names)
    return names["fishing"]


def blocks():
    """A ball thrown at a pile."""
    m = dt.Model("tumbling blocks")
    m.ground.shapes.append(dt.Shape.plane())
    names = ["block0", "block1", "block2"]
    for name, x, z in zip(names, (0.0, 0.02, -0.03), (0.1, 0.32, 0.55), strict=True):
        m.add_body(name, dt.Inertia.box(1.0, size=(0.3, 0.2, 0.2)), position=(x, 0, z))
        m.add_joint(f"{name} free", dt.Free(), m.ground, name)
    m.add_body("ball", dt.Inertia.sphere(1.5, radius=0.1), position=(-0.9, 0, 0.6))
    m.add_joint("throw", dt.Free(), m.ground, "ball", v0=[3.0, 0, 0, 0, 0, 0])
    m.add_contact("floor", dt.RigidContact(friction=0.4), m.ground, [*names, "ball"])
    m.add_contact("pile", dt.RigidContact(friction=0.5), names, names)
    m.add_contact("hit", dt.RigidContact(friction=0.2, restitution=0.3), "ball", names)
    return m


def hoist():
    """The model of docs/guide/model/bond_graphs.md."""
    text = (ROOT / "docs/guide/model/bond_graphs.md").read_text(encoding="utf-8")
    code = re.search(r"^(m = dt.Model\(\"hoist\"\).*?)^for finding", text, re.DOTALL | re.MULTILINE)[1]
    names = {"dt": dt, **vars(dt.bond)}
    exec(code, names)
    return names["m"]


def small(data, path):
    """A PNG of 256 colours, the rare ones (arrows) among them."""
    image = Image.open(io.BytesIO(data)).convert("RGB")
    image.quantize(256, method=Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB")


@contextlib.contextmanager
def chromium():
    with sync_playwright() as p:
        flags = [flag for flag in FLAGS if not flag.startswith("--headless")]
        browser = p.chromium.launch(executable_path=find_chromium(), args=[*flags, *sandbox_flags()])
        yield browser
        browser.close()


def shot(browser, page, name, t=None, *actions):
    with page.serve() as server:
        tab = browser.new_page(viewport=SIZE)
        tab.goto(server.address)
        while not tab.evaluate("!!window.duoti"):
            time.sleep(0.05)
        if t is not None:
            tab.evaluate("t => duoti.setTime(t)", t)
        for action in actions:
            tab.evaluate(action)
        tab.wait_for_timeout(800)
        small(tab.screenshot(), PICTURES / name)
        tab.close()


def choose(kind, name):
    return f"""document.querySelector('.item[data-kind="{kind}"][data-name="{name}"]').click()"""


def move(joint, value):
    return f"""(() => {{ const e = document.querySelector('input[data-joint="{joint}"]');
        e.value = {value}; e.dispatchEvent(new Event('input')) }})()"""


def main():
    os.chdir(PICTURES)
    m = engine()
    r = dt.simulate(m, duration=1.0)
    pendulum = find_example("double_pendulum")
    far = [dt.simulate(pendulum.build(), pendulum.duration)]
    system = far[0].system
    q, v = system.initial_state()
    far.append(dt.simulate(system, pendulum.duration, state=([q[0] + 0.01, q[1]], v)))
    arm, cab = find_example("robot_arm"), find_example("driver_in_cab")
    swing, drive = (dt.simulate(each.build(), each.duration) for each in (arm, cab))
    with chromium() as browser:
        page = dt.view.Page(r, theme="light", arrows=True, language="en")
        shot(browser, page, "viewer.png", 0.375, choose("joint", "big end"))
        page = dt.view.Page(swing, theme="dark", language="zh", arrows=True)
        shot(browser, page, "viewer_dark.png", 1.5, choose("body", list(swing.model.bodies)[3]))
        page = dt.view.Page(drive, theme="light", language="en")
        shot(browser, page, "viewer_driver.png", 2.4, choose("body", "trunk"))
        rod = dt.simulate(fishing(), 0.8, outputs=0.02)
        page = dt.view.Page(rod, theme="light", language="en", camera="front", beams="bending_moment")
        shot(browser, page, "viewer_beams.png", 0.26, choose("beam", "rod"))
        fall = dt.simulate(blocks(), 1.2, outputs=0.01, solver=dt.Moreau(step=1e-3))
        page = dt.view.Page(fall, theme="light", language="en")
        shot(browser, page, "viewer_contacts.png", 0.55, ZOOM, choose("contact", "floor"))
        page = dt.view.Page(dt.simulate(hoist(), 1.0, outputs=0.01), theme="light", language="en")
        shot(browser, page, "viewer_graph.png", 0.5, *GRAPH)
        page = dt.view.Page(m, theme="light", language="en", labels=True)
        shot(browser, page, "viewer_model.png", None, move("main bearing", 1.1))
        page = dt.view.Page(*far, names=["as built", "0.01 rad further"], theme="light", language="en")
        shot(browser, page, "viewer_compare.png", 2.55)
    figure = r.plot_energy()
    data = io.BytesIO()
    figure.savefig(data, dpi=110)
    small(data.getvalue(), PICTURES / "plot_energy.png")


if __name__ == "__main__":
    sys.exit(main())
