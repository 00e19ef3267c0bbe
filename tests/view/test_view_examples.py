"""Every example in the browser, as a file and served: play, scrub, select, plot; what is drawn against the numbers."""

import contextlib
import itertools

import numpy as np
import pytest

import duoti as dt
from duoti.examples import all_examples
from duoti.spatial import Rotation
from duoti.view import Page
from support.view_page import pixel_of

SCENES = list(itertools.product(all_examples(), ("file", "served")))


@pytest.fixture(scope="module")
def results():
    """Results of examples by name, each simulated once; a short piece of each will do."""
    kept = {}

    def get(name):
        if name not in kept:
            example = all_examples()[name]
            kept[name] = dt.simulate(example.build(), min(example.duration, 1.5), outputs=0.01)
        return kept[name]

    return get


@contextlib.contextmanager
def address_of(result, way, folder):
    if way == "file":
        yield result.export_html(folder / "run.html").as_uri()
    else:
        with Page(result).serve() as server:
            yield server.address


def centre_of_mass(result, body, k):
    """Where a body's centre of mass is at output k, from the result's own channels."""
    turn = Rotation.from_quaternion(result[f"body:{body}.rotation"][k])
    return result[f"body:{body}.position"][k] + turn @ np.asarray(result.model.bodies[body].inertia.com)


@pytest.mark.sample("double_pendulum-file", "bouncing_ball-file", "four_bar-served")
@pytest.mark.parametrize(("name", "way"), SCENES)
def test_example(name, way, results, seen, tmp_path):
    result = results(name)
    with address_of(result, way, tmp_path) as address:
        page = seen(address, width=1000, height=760)
        _positions(page, result)
        _play(page)
        _scrub(page, result)
        _select(page, result)
        _plots(page, result)
        page.close()


def _positions(page, result):
    """Bodies are where the numbers say, in space and on the screen."""
    size = float(
        np.linalg.norm(2 * np.ptp([c for b in result.model.bodies for c in result[f"body:{b}.position"]], axis=0))
    )
    # half a step of positions is 2^-21 of the scene's size; an error of 2^-21 in each component of a quaternion turns
    # by up to 2^-19; the lever is at most the size of the scene. Together below 2^-17.
    tolerance = max(size, 1.0) * 2.0**-17
    camera = page.page.evaluate("duoti.camera()")
    look = """([t, names]) => {
        duoti.setTime(t);
        return names.map((name) => [duoti.world("body", name), duoti.project("body", name)]);
    }"""
    for k in (0, len(result.t) // 3, len(result.t) - 1):
        drawn = page.page.evaluate(look, [float(result.t[k]), list(result.model.bodies)])
        for body, (world, pixel) in zip(result.model.bodies, drawn, strict=True):
            here = centre_of_mass(result, body, k)
            assert np.linalg.norm(np.array(world) - here) < tolerance, (body, k)
            # 0.1 pixel: far below what the eye sees; the page projects by matrices in single precision
            assert np.linalg.norm([pixel["x"], pixel["y"]] - pixel_of(camera, here)) < 0.1, (body, k)


def _play(page):
    page.set_time(page.state("start"))
    page.tap("#play")
    page.wait("duoti.state().t > duoti.state().start")
    assert page.state("playing")
    page.tap("#play")
    assert not page.state("playing")


def _scrub(page, result):
    middle = "e => { e.value = 50000; e.dispatchEvent(new Event('input')) }"
    page.page.locator("#scrub").evaluate(middle)
    t = page.state("t")
    assert t == pytest.approx((result.t[0] + result.t[-1]) / 2, abs=1e-9)
    page.tap("#forward")
    later = page.state("t")
    assert later == pytest.approx(result.t[result.t > t + 1e-12][0], abs=1e-9)
    page.tap("#back")
    assert page.state("t") < later


def _select(page, result):
    """A body clicked in the scene is marked in the tree and the diagram, and its numbers are shown; likewise a joint in
    the diagram."""
    found = None
    page.set_time(page.state("t"))  # drawn, so that what is hit is what was projected
    for body in result.model.bodies:
        point = page.project("body", body)
        if page.page.evaluate("([x, y]) => duoti.pick(x, y)", point.tolist()) == {"kind": "body", "name": body}:
            found = body
            page.click(point)
            break
    assert found, "no body is in sight at its centre of mass"
    assert page.state("chosen") == {"kind": "body", "name": found}
    assert page.page.locator(".item.on").get_attribute("data-name") == found
    assert page.page.locator(".info .title b").inner_text() == found
    assert page.page.locator(".diagram rect.on").get_attribute("data-body") == found
    joint = next(iter(result.model.joints))
    page.tap(f'.diagram text[data-joint="{joint}"]')
    assert page.state("chosen") == {"kind": "joint", "name": joint}
    assert page.page.locator(".item.on").get_attribute("data-name") == joint


def _plots(page, result):
    joint = next(iter(result.model.joints))
    page.tap(f'[data-plot="{joint}.reaction_force"]')
    assert page.state("plots")[0] == [f"{joint}.reaction_force.{c}" for c in "xyz"]
    before = len(page.state("plots"))
    page.page.fill("#channel", "energy.residual")
    page.page.press("#channel", "Enter")
    assert page.state("plots")[0] == ["energy.residual"]
    assert len(page.state("plots")) == before + 1
    page.tap(".plot .drop")
    assert len(page.state("plots")) == before
    # a click into a plot moves the scene to that time
    canvas = page.page.locator(".plot canvas").first
    box, left = canvas.bounding_box(), float(canvas.get_attribute("data-left"))
    page.page.mouse.click(box["x"] + left + 0.25 * (box["width"] - left - 8), box["y"] + 40)
    quarter = result.t[0] + 0.25 * (result.t[-1] - result.t[0])
    assert page.state("t") == pytest.approx(quarter, abs=0.01 * (result.t[-1] - result.t[0]))
    # the values under the legend are those of the result
    k = len(result.t) // 2
    page.set_time(float(result.t[k]))
    shown = float(page.page.locator(".plot .value").first.inner_text().replace("−", "-"))
    force = result[f"{joint}.reaction_force"]
    assert shown == pytest.approx(force[k, 0], abs=max(1e-3, 6e-4 * np.abs(force).max()))
