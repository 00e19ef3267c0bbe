"""Beams and cables in the page: swept sections, coloured by what happens along them, with a scale."""

import numpy as np
import pytest

import duoti as dt
from duoti.view.images.matplotlib_renderer import MatplotlibRenderer
from duoti.view.scene.beams_and_cables import along_numbers, slender_of
from duoti.view.scene.pack import unpack


@pytest.fixture(scope="module")
def crane():
    """A clamped beam, a weight on a cable at its end."""
    m = dt.Model("crane")
    steel = dt.Material(210e9, 0.3, 7850.0)
    boom = m.add_beam("boom", dt.Beam(dt.Section.i(0.1, 0.06, 0.005, 0.006), steel), (0, 0, 0), (2, 0, 0), elements=4)
    m.add_joint("clamp", dt.Fixed(), m.ground, boom.start, at=(0, 0, 0))
    m.add_body("weight", dt.Inertia.sphere(50.0, radius=0.1), position=(2, 0, -0.8))
    m.add_joint("free", dt.Free(), m.ground, "weight", at=(2, 0, -0.8))
    m.add_cable("rope", boom.end, "weight", stiffness=2e4, mass_per_length=0.3, elements=3)
    return dt.simulate(m, 0.1, outputs=0.005, solver=dt.GeneralisedAlpha(step=1e-3))


def test_numbers_for_the_page(crane):
    """What the page gets is what `result.along` has, to the bits that are kept."""
    assert [(each.name, each.kind, len(each.elements)) for each in slender_of(crane.system.model)] == [
        ("boom", "beam", 4), ("rope", "cable", 3)
    ]  # fmt: skip
    along = along_numbers(crane)
    values = unpack(along["block"])
    ends = np.cumsum([head["size"] for head in along["heads"]])
    for head, last in zip(along["heads"], ends, strict=True):
        mine = values[:, last - head["size"] : last]
        if head["name"] == "rope":
            exact = np.repeat(np.column_stack([crane[f"rope.element{k}.tension"] for k in (1, 2, 3)]), 2, axis=1)
        else:
            exact = crane.along("boom", {"normal_stress": "stress"}.get(head["what"], head["what"])).values
        near = np.max(np.abs(exact)) * 2.0**-14 + 1e-12
        assert np.max(np.abs(mine - exact)) < near, head


@pytest.mark.full
def test_swept_coloured_and_explained(crane, seen, tmp_path):
    page = seen(crane.export_html(tmp_path / "run.html", theme="light").as_uri())
    page.set_time(0.1)
    assert page.page.locator(".colours").is_hidden()
    plain = page.pixels()
    page.page.locator("#along").select_option("bending_moment")
    coloured = page.pixels()
    assert (np.abs(coloured - plain).max(axis=2) > 30).sum() > 500
    said = page.page.locator(".colours").inner_text().split("\n")
    assert "bending moment [N m]" in said[0]
    assert float(said[1]) == pytest.approx(crane.along("boom", "bending_moment").values.max(), rel=1e-3)
    middle = np.array([crane["boom.node2.position.x"][-1], crane["boom.node2.position.y"][-1]])
    assert page.world("beam", "boom")[:2] == pytest.approx(middle, abs=1e-5)
    page.page.locator('.item[data-kind="beam"][data-name="boom"]').dispatch_event("click")
    assert "axial force" in page.page.locator(".info").inner_text()
    assert page.page.locator('.item[data-name="boom.node2"]').count() == 0, "they only make the list long"
    page.page.keyboard.press("z")
    assert "弯矩" in page.page.locator(".colours").inner_text()
    assert "梁与索" in page.page.locator(".tree").inner_text()
    x, y = page.project("beam", "rope")
    assert page.page.evaluate("([x, y]) => duoti.pick(x, y)", [float(x), float(y)])["name"] == "rope"


def test_colours_from_python(crane, tmp_path):
    assert dt.view.Page(crane, beams="normal_stress").options["along"] == "normal_stress"
    assert dt.view.Page(crane, beams="stress").options["along"] == "normal_stress"  # as `along` calls it
    with pytest.raises(TypeError, match=r"Page: there is no parameter 'them' \(did you mean 'theme'"):
        crane.export_html("never.html", them="dark")
    with pytest.raises(ValueError, match="axial_force, bending_moment"):
        dt.view.Page(crane, beams="colour")
    with pytest.raises(ValueError, match="no beams"):
        dt.view.Page(crane.model, beams="torque")


@pytest.mark.full
def test_coloured_picture(crane, browser, tmp_path):
    """Warm and cold colours of the scale are in a coloured picture and not in a plain one."""
    image = pytest.importorskip("PIL.Image")
    found = []
    for name, options in (("plain", {}), ("coloured", {"beams": "bending_moment"})):
        path = crane.picture(tmp_path / f"{name}.png", t=0.1, size=(640, 360), **options)
        with image.open(path) as opened:
            pixels = np.asarray(opened.convert("RGB")).astype(int)
        red = (pixels[..., 0] > 180) & (pixels[..., 1] < 90) & (pixels[..., 2] < 80)
        found.append(int(red[: pixels.shape[0] // 2, 500:].sum()))  # of the scale, above on the right
    assert found[0] == 0
    assert found[1] > 20


def test_sliders_of_a_model_leave_out_nodes(crane, seen, tmp_path):
    page = seen(dt.view.Page(crane.model).save(tmp_path / "model.html").as_uri())
    assert page.page.locator('input[data-joint="free"]').count() > 0
    assert page.page.locator('input[data-joint="boom.end.free"]').count() > 0, "ends can be moved"
    assert page.page.locator('input[data-joint="boom.node2.free"]').count() == 0


def test_the_overview_draws_beams_as_lines_through_their_nodes():
    """No dots where nothing is joined; a ring is closed; a body that hangs on a node has its own line."""
    m = dt.Model("ring")
    beam = dt.Beam(dt.Section.circle(radius=0.005), dt.Material(youngs_modulus=5e8, poisson_ratio=0.4, density=1200))
    ring = m.add_beam("ring", beam, centreline=("cos(2*pi*s)", "0", "sin(2*pi*s)"), elements=8)
    m.add_joint("hold", dt.Fixed(), m.ground, ring.start)
    ball = m.add_body("ball", dt.Inertia(0.05, matrix=np.eye(3) * 1e-4), position=(-1, 0, 0))
    m.add_joint("hinge", dt.Revolute("y"), ring.nodes[4], ball)
    renderer = MatplotlibRenderer(dt.simulate(m, 0.01, outputs=0.005))
    assert len(renderer.lines) == 2  # of the ball, and of the node that carries it
    (line,) = renderer.slender
    assert line.shape == (3, 9, 3)
    np.testing.assert_array_equal(line[:, 0], line[:, -1])
    np.testing.assert_allclose(np.linalg.norm(line[0], axis=1), 1.0, rtol=1e-12)


def test_pictures_of_beams_of_higher_order(tmp_path):
    """All nodes of an element are on the line that the overview draws."""
    m = dt.Model("order 3")
    b = m.add_beam("rod", dt.Beam.from_stiffness(
        EA=1e5, GAy=1e5, GAz=1e5, GJ=1.0, EIy=1.0, EIz=1.0, mass_per_length=1.0, rotary_inertia=(1e-3, 1e-3, 1e-3)
    ), start=(0, 0, 0), end=(1, 0, 0), elements=2, order=3)  # fmt: skip
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    (line,) = MatplotlibRenderer(dt.simulate(m, 0.01, outputs=0.005)).slender
    assert line.shape[1:] == (len(b.nodes), 3)
