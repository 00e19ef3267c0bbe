"""The viewer with 60 bodies and 10 000 frames: size of the exported file, time to write it, time of a picture.

Drawn by a Chromium without a window and without a graphics card (SwiftShader, on the processor): a machine with one is
faster. Run: python benchmarks/viewer.py
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

import duoti as dt
from duoti.view.chromium import FLAGS, find_chromium, sandbox_flags

BODIES, FRAMES, DURATION, LENGTH = 60, 10_000, 10.0, 0.1
MOST_MEGABYTES = 15
SIZES = ((1280, 800), (1920, 1080))


def chain():
    m = dt.Model(f"chain of {BODIES} links")
    parent = m.ground
    for i in range(BODIES):
        tube = dt.Inertia.cylinder(0.05, radius=0.02, length=LENGTH, axis="x", com=(LENGTH / 2, 0, 0))
        link = m.add_body(f"link {i + 1}", tube, position=(i * LENGTH, 0, 0))
        m.add_joint(f"J{i + 1}", dt.Universal("y", "z"), parent, link, at=(i * LENGTH, 0, 0), v0=(0.1, 0.3))
        m.add_force(f"damping {i + 1}", dt.JointDamping(f"J{i + 1}", 2e-4))
        parent = link
    m.add_marker("tip", parent, position=(LENGTH, 0, 0))
    return m


def main():
    result = dt.simulate(chain(), DURATION, outputs=DURATION / (FRAMES - 1))
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        path = result.export_html(Path(folder) / "big.html")
        seconds = time.perf_counter() - began
        megabytes = path.stat().st_size / 1e6
        verdict = "PASS" if megabytes < MOST_MEGABYTES else "FAIL"
        size = f"{megabytes:.2f} MB (< {MOST_MEGABYTES})"
        print(f"{verdict} {BODIES} bodies, {FRAMES} frames: {size}, written in {seconds:.1f} s")
        with sync_playwright() as p:
            flags = [flag for flag in FLAGS if not flag.startswith("--headless")]
            browser = p.chromium.launch(executable_path=find_chromium(), args=[*flags, *sandbox_flags()])
            for size in SIZES:
                _measure(browser, path, size)
            browser.close()
    return megabytes < MOST_MEGABYTES


def _measure(browser, path, size):
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    began = time.perf_counter()
    page.goto(path.as_uri())
    while not page.evaluate("!!window.duoti"):
        time.sleep(0.02)
    opened = time.perf_counter() - began
    page.keyboard.press(" ")
    while len(page.evaluate("duoti.frameTimes()")) < 80:
        time.sleep(0.2)
    times = np.array(page.evaluate("duoti.frameTimes()"))[20:]  # shaders are compiled, shadows judged
    shadows = page.locator("#show-shadows").is_checked()
    page.close()
    print(
        f"  {size[0]} x {size[1]}: opened in {opened:.1f} s; picture to picture {np.median(times):.0f} ms "
        f"(95 % below {np.percentile(times, 95):.0f} ms), shadows {'on' if shadows else 'off by themselves: slow'}"
    )


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
