"""Tools of the page: measuring, transparency, sections, pictures, panels that fold, narrow windows; the first plots."""

import importlib
import io
import pkgutil
import re
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.model.constraints.base import Constraint
from duoti.model.forces.base import Force
from duoti.model.joints import Joint
from duoti.model.mechanism.joint_motions import letters_of
from duoti.view import Page
from duoti.view.scene.channels import coordinate_labels
from support import view_models as models

TEXT = Path(__file__).parents[2] / "viewer" / "src" / "ui" / "text.ts"


@pytest.fixture(scope="module")
def crank():
    return dt.simulate(models.slider_crank(), 1.0, outputs=0.01)


@pytest.mark.full
def test_distance_between_two_points_follows_the_motion(crank, seen, tmp_path):
    page = seen(crank.export_html(tmp_path / "run.html").as_uri())
    page.set_time(0.3)
    page.page.keyboard.press("m")
    page.page.keyboard.press("b")  # joints alone, so that nothing lies before them
    for joint in ("A", "C"):
        page.click(page.project("joint", joint))
    for k in (30, 55, 90):
        page.set_time(float(crank.t[k]))
        way = np.array(page.state("measured"))
        # A is at the origin; C sits at the pin of the slider, whose frame is there (drawn in single precision)
        assert way == pytest.approx(crank["slider.position"][k], abs=1e-5)
    assert page.state("chosen") is None, "a click measures, and chooses nothing"
    page.wait("!document.querySelector('.distance').hidden")
    shown = re.match(r"[\d.]+", page.page.locator(".distance").inner_text())
    assert float(shown[0]) == pytest.approx(np.linalg.norm(crank["slider.position"][90]), rel=1e-4)
    page.page.keyboard.press("Escape")
    assert page.state("measured") is None


@pytest.mark.full
def test_bodies_are_transparent_and_cut_open(crank, seen, tmp_path):
    page = seen(crank.export_html(tmp_path / "run.html", theme="light").as_uri())
    page.set_time(0.0)
    for key in "js":  # joints and springs inside bodies stay
        page.page.keyboard.press(key)
    point = page.project("body", "slider")
    x, y = point.round().astype(int)
    slide = "(e, v) => { e.value = v; e.dispatchEvent(new Event('input')) }"
    solid, back = page.pixels()[y, x], page.pixels()[5, 200]
    page.page.locator("#opacity").evaluate(slide, 0.2)
    faint = page.pixels()[y, x]
    # a fifth of the body's colour over what is behind it
    assert np.abs(faint - back).max() < 0.5 * np.abs(solid - back).max()
    page.page.locator("#opacity").evaluate(slide, 1)
    assert np.abs(page.pixels()[y, x] - solid).max() <= 2
    body = {"kind": "body", "name": "slider"}
    assert page.page.evaluate("([x, y]) => duoti.pick(x, y)", point.tolist()) == body
    page.page.select_option("#section", "x")
    page.page.locator("#sectionAt").evaluate(slide, 0)  # all that lies beyond the lowest x is taken away
    assert np.abs(page.pixels()[y, x] - solid).max() > 20
    assert page.page.evaluate("([x, y]) => duoti.pick(x, y)", point.tolist()) is None
    page.tap("#section-flip")
    assert np.abs(page.pixels()[y, x] - solid).max() <= 2
    assert page.page.evaluate("([x, y]) => duoti.pick(x, y)", point.tolist()) == body


@pytest.mark.full
def test_picture_of_the_scene_is_saved(crank, seen, tmp_path):
    from PIL import Image

    page = seen(crank.export_html(tmp_path / "run.html", theme="light").as_uri())
    page.set_time(0.25)
    with page.page.expect_download() as waiting:
        page.tap("#picture")
    assert waiting.value.suggested_filename.endswith("_0.25s.png")
    picture = np.asarray(Image.open(io.BytesIO(Path(waiting.value.path()).read_bytes())).convert("RGB")).astype(int)
    shown = page.pixels()
    assert picture.shape == shown.shape
    # the screen has buttons and axes above the scene; elsewhere they are the same
    inner = (slice(100, -60), slice(100, -20))
    assert np.mean(np.abs(picture[inner] - shown[inner]).max(axis=2) > 8) < 0.01
    assert picture[inner].std() > 3, "something is drawn"


@pytest.mark.full
def test_panels_fold_and_the_diagram_is_enlarged(crank, seen, tmp_path):
    page = seen(crank.export_html(tmp_path / "run.html").as_uri())
    drawing = page.page.locator(".diagram svg")
    small = drawing.bounding_box()
    page.tap("#diagram-larger")
    assert drawing.bounding_box()["width"] == pytest.approx(1.25 * small["width"], rel=1e-3)
    page.tap("#diagram-fit")
    page.tap("#diagram-enlarge")
    assert page.page.locator("#section-topology").bounding_box()["width"] > 1200
    page.page.keyboard.press("Escape")
    assert page.page.locator("#section-topology").bounding_box()["width"] < 500
    room = page.page.locator("#section-plots").bounding_box()["height"]
    page.tap("#section-topology .fold")
    assert not page.page.locator(".diagram").is_visible()
    assert page.page.locator("#section-plots").bounding_box()["height"] > room + 100
    page.tap("#section-topology .fold")
    assert page.page.locator(".diagram").is_visible()


@pytest.mark.full
@pytest.mark.parametrize("language", ["en", "zh"])
def test_at_500_pixels_one_panel_at_a_time(crank, seen, tmp_path, language):
    path = crank.export_html(tmp_path / "run.html", language=language)
    page = seen(path.as_uri(), width=500, height=800)
    left, right = page.page.locator("aside.left"), page.page.locator("aside.right")
    assert (left.is_visible(), right.is_visible()) == (False, True)
    page.tap("#toggle-left")
    assert (left.is_visible(), right.is_visible()) == (True, False)
    assert left.bounding_box()["width"] == 500
    page.tap("#toggle-left")
    assert (left.is_visible(), right.is_visible()) == (False, False)
    page.wait("duoti.state().height > 650")
    assert page.page.locator("main").bounding_box()["height"] > 650
    for body in crank.model.bodies:  # the camera steps back where the picture becomes narrow
        assert 0 < page.project("body", body)[0] < 500
    page.page.keyboard.press("+")
    near = page.page.evaluate("duoti.camera().position")
    page.page.keyboard.press("p")
    page.wait("duoti.state().height < 650")
    assert page.page.evaluate("duoti.camera().position") == pytest.approx(near, abs=1e-9), "the user's own view stays"
    page.page.keyboard.press("p")
    page.wait("duoti.state().height > 650")
    assert page.page.locator("#scrub").bounding_box()["width"] > 150
    for control in ("#play", "#toggle-right", "#picture", "#help"):
        box = page.page.locator(control).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 500, control


@pytest.mark.full
def test_dots_of_the_tree_have_the_colours_of_the_shapes(seen, tmp_path):
    m = models.pendulum()
    m.bodies["ball"].shapes = [dt.Shape.sphere(0.1, colour="#cc3344"), dt.Shape.sphere(0.05, colour="#2244cc")]
    page = seen(dt.simulate(m, 0.1, outputs=0.05).export_html(tmp_path / "run.html").as_uri())
    dot = page.page.locator('.item[data-kind="body"][data-name="ball"] .dot')
    painted = dot.evaluate("e => getComputedStyle(e).backgroundImage")
    assert "rgb(204, 51, 68)" in painted
    assert "rgb(34, 68, 204)" in painted


@pytest.mark.parametrize(
    ("joint", "labels"),
    [
        (dt.Revolute("y"), ["angle"]),
        (dt.Free(), ["rotation.w", "rotation.x", "rotation.y", "rotation.z", "position.x", "position.y", "position.z"]),
        (dt.Planar("z"), ["position.x", "position.y", "angle"]),
        (dt.Planar("y"), ["position.z", "position.x", "angle"]),
        (dt.Universal("x", "y"), ["angle.x", "angle.y"]),
        (dt.Universal("z", "x"), ["angle.z", "angle.x"]),
        (dt.Composite(dt.Prismatic("x"), dt.Prismatic("y"), dt.Revolute("z")), ["position.x", "position.y", "angle"]),
        (dt.Composite(dt.Prismatic("y"), dt.Prismatic("x")), ["position.y", "position.x"]),
        (dt.Planar((1, 2, 2)), ["position[0]", "position[1]", "angle"]),
    ],
)
def test_columns_are_called_by_their_axes(joint, labels):
    assert sorted(coordinate_labels(joint)) == sorted(labels)
    for c in joint.coordinates:
        assert letters_of(joint, c.name)[-3:] == letters_of(joint, c.rate)[-3:]


@pytest.mark.full
def test_names_of_columns_are_those_of_results(seen, tmp_path):
    """What the page calls "A.position.x" is what the result gives for that name."""
    m = dt.Model("free")
    ball = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 1))
    m.add_joint("fly", dt.Free(), m.ground, ball, at=(0, 0, 1), v0={"velocity": (1.0, 2.0, 3.0)})
    result = dt.simulate(m, 0.5, outputs=0.05)
    page = seen(Page(result).save(tmp_path / "run.html").as_uri())
    first = page.state("plots")[0]
    assert first == ["fly.position.x", "fly.position.y", "fly.position.z"]
    page.set_time(float(result.t[4]))
    values = [float(text.replace("−", "-")) for text in page.page.locator(".plot .value").all_inner_texts()[:3]]
    assert values == pytest.approx([result[name][4] for name in first], abs=1e-3)


def every(kind):
    found = set(kind.__subclasses__())
    return found.union(*(every(each) for each in found)) if found else found


def test_every_kind_has_a_chinese_name():
    for module in pkgutil.walk_packages(dt.__path__, "duoti."):
        if module.name.startswith(("duoti.model.", "duoti.bond.")):
            importlib.import_module(module.name)
    text = TEXT.read_text(encoding="utf-8")
    kinds = {
        each.kind
        for base in (Joint, Force, Constraint)
        for each in every(base)
        if not getattr(each, "implied", False)  # not seen by users
        and each.__module__.startswith("duoti.")
        and isinstance(getattr(each, "kind", None), str)
    }
    missing = sorted(kind for kind in kinds if kind and not re.search(rf"\b{kind}: \"", text))
    assert not missing, f"viewer/src/ui/text.ts, KINDS: no Chinese name of {', '.join(missing)}"
    assert "副" not in text, "joints are 铰 everywhere"
