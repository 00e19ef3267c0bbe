"""A page of the viewer in a browser without a window, as tests see it."""

import io
import time

import numpy as np

PATIENCE = (
    600.0  # seconds until a test gives up: what is waited for comes soon, but not on a machine that does much else
)


def wait_until(page, condition, complaints=()):
    """Until an expression is true (Playwright's own way evaluates text in the page, which the page forbids).

    page: a page of Playwright, or a frame in one.
    """
    until = time.monotonic() + PATIENCE
    while not page.evaluate(condition):
        assert time.monotonic() < until, f"{condition} did not come true in {PATIENCE:g} s: {complaints}"
        page.wait_for_timeout(30)


class Seen:
    """A page in the browser; `close` fails the test if the page complained about anything."""

    def __init__(self, browser, width=1280, height=800, **context):
        self.context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB", **context)
        self.context.set_default_timeout(1000 * PATIENCE)
        self.page = self.context.new_page()
        self.complaints = []
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("requestfailed", self._failed)
        self.page.on("console", self._heard)

    def _failed(self, request):
        if "/hello/" not in request.url:  # the greeting of a page that is closed at once may still be on its way
            self.complaints.append(f"failed: {request.url[:80]}")

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

    def wait(self, condition):
        """Until an expression is true."""
        wait_until(self.page, condition, complaints=self.complaints)

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
        from PIL import Image

        self.page.evaluate("duoti.settle()")
        data = self.page.locator("main canvas").screenshot()
        return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)

    def close(self):
        self.context.close()
        assert not self.complaints, self.complaints


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
