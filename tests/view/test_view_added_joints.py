"""Joint types that the page has never heard of: moved by the process that serves it, never the wrong way."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.full  # of the page, the short layer has three scenes
PROGRAM = Path(__file__).parents[1] / "support" / "with_added_joints.py"


@pytest.fixture(scope="module")
def addresses(tmp_path_factory):
    """The page as a file, and served by a process that has the types."""
    target = tmp_path_factory.mktemp("page") / "strange.html"
    command = [sys.executable, str(PROGRAM), str(target)]
    path = os.pathsep.join([str(PROGRAM.parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])])
    plain = {**os.environ, "PYTHONPATH": path, "DUOTI_JIT": "0"}  # plain Python: nothing is compiled for this
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=plain) as process:
        yield process.stdout.readline().split()  # at the end its input is closed, which ends it


def where(x, s, angle):
    """Centres of bodies a and b by hand: a on the parabola; b 0.3 m beyond a pin that slides along x of a."""
    a = np.array([x, x * x, 0.0])
    return a, a + np.array([0.2 + s + 0.3 * np.cos(angle), 0.3 * np.sin(angle), 0.0])


def move(page, joint, at, value):
    slider = page.page.locator(f'input[data-joint="{joint}"][data-at="{at}"]')
    slider.evaluate("(e, v) => { e.value = v; e.dispatchEvent(new Event('input')) }", value)
    page.wait(f"Math.abs(duoti.state().q['{joint}'][{at}] - ({value})) < 0.01")
    return page.state("q")


def check(page, q):
    for name, expected in zip("ab", where(*q["curve"], *q["slot"]), strict=True):
        assert page.world("body", name) == pytest.approx(expected, abs=1e-9)


def test_served_joints_move_as_their_own_laws_say(addresses, seen):
    page = seen(addresses[1])
    check(page, page.state("q"))
    for joint, at, value in (("curve", 0, 0.1), ("slot", 1, 0.8), ("curve", 0, 0.45), ("slot", 0, 0.1)):
        check(page, move(page, joint, at, value))
    assert page.page.locator(".sliders .wide").count() == 0


def test_without_a_server_only_what_is_known_moves(addresses, seen):
    """The pin in a slot is made of elementary motions; the parabola is not, though its type says so, and stays."""
    page = seen(addresses[0])
    assert page.page.locator('input[data-joint="curve"]').is_disabled()
    assert page.page.locator(".sliders .wide").inner_text().endswith("their sliders are off: curve")
    for at, value in ((0, 0.1), (1, 0.8), (0, -0.1)):
        q = move(page, "slot", at, value)
        assert q["curve"] == [0.3]
        check(page, q)
