"""A Chromium without a window for the tests of the viewer, and what it sees."""

import os
import time

import numpy as np
import pytest

from duoti.view.chromium import FLAGS, find_chromium, sandbox_flags

MUST = os.environ.get("DUOTI_NEED_BROWSER") == "1"


def _missing():
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return 'playwright is not installed: pip install "duoti[test]"'
    return None if find_chromium() else "no Chromium was found: install one, or set DUOTI_CHROMIUM to its path"


@pytest.fixture(scope="session")
def browser():
    reason = _missing()
    if reason and MUST:
        pytest.fail(f"DUOTI_NEED_BROWSER=1, but {reason}")
    if reason:
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as p:
        flags = [flag for flag in FLAGS if not flag.startswith("--headless")]
        found = p.chromium.launch(executable_path=find_chromium(), args=[*flags, *sandbox_flags()])
        yield found
        found.close()


class Seen:
    """A page in the browser; `close` fails the test if the page complained about anything."""

    def __init__(self, browser, width=1280, height=800, **context):
        self.context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB", **context)
        self.page = self.context.new_page()
        self.complaints = []
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("requestfailed", lambda request: self.complaints.append(f"failed: {request.url[:80]}"))
        self.page.on("console", self._heard)

    def _heard(self, message):
        # software rendering is slow, and Chromium says so when a picture is read back
        if message.type in ("error", "warning") and "GPU stall due to ReadPixels" not in message.text:
            self.complaints.append(f"{message.type}: {message.text}")

    def open(self, address):
        self.page.goto(address)
        self.ready()
        return self

    def ready(self):
        self.wait("!!window.duoti && window.duoti.ready")

    def wait(self, condition, seconds=30.0):
        """Until an expression is true. (Playwright's own way is to evaluate text in the page, which its policy forbids.)"""
        until = time.monotonic() + seconds
        while not self.page.evaluate(condition):
            assert time.monotonic() < until, f"{condition} did not come true in {seconds} s: {self.complaints}"
            self.page.wait_for_timeout(30)

    def state(self, key=None):
        state = self.page.evaluate("duoti.state()")
        return state if key is None else state[key]

    def set_time(self, t):
        self.page.evaluate("t => duoti.setTime(t)", t)

    def world(self, kind, name):
        return np.array(self.page.evaluate("([kind, name]) => duoti.world(kind, name)", [kind, name]))

    def project(self, kind, name):
        p = self.page.evaluate("([kind, name]) => duoti.project(kind, name)", [kind, name])
        return np.array([p["x"], p["y"]])

    def scene_corner(self):
        box = self.page.locator("main canvas").bounding_box()
        return np.array([box["x"], box["y"]])

    def tap(self, selector):
        """A click on a button, without waiting for the pictures that a real pointer waits for."""
        self.page.locator(selector).first.dispatch_event("click")

    def click(self, point):
        x, y = self.scene_corner() + point
        self.page.mouse.click(float(x), float(y))

    def pixels(self):
        """The scene as it is on the screen, (height, width, 3)."""
        import io

        from PIL import Image

        data = self.page.locator("main canvas").screenshot()
        return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)

    def close(self):
        self.context.close()
        assert not self.complaints, self.complaints


@pytest.fixture
def seen(browser):
    """Opens an address in a page of its own."""
    pages = []

    def open_page(address, **options):
        pages.append(Seen(browser, **options))
        return pages[-1].open(address)

    yield open_page
    for page in pages:
        page.close()


def pixel_of(camera, point):
    """Where a world point is on the screen, by the geometry of a pinhole: an account of its own, without matrices of
    the viewer."""
    eye, target, up = (np.array(camera[key]) for key in ("position", "target", "up"))
    ahead = (target - eye) / np.linalg.norm(target - eye)
    right = np.cross(ahead, up)
    right /= np.linalg.norm(right)
    over = np.cross(right, ahead)
    d = np.asarray(point) - eye
    focal = camera["height"] / 2 / np.tan(np.radians(camera["fieldOfView"]) / 2)
    x, y, depth = d @ right, d @ over, d @ ahead
    return np.array([camera["width"] / 2 + focal * x / depth, camera["height"] / 2 - focal * y / depth])
