"""Flexible bodies in the page: they bend, larger if wanted, are coloured, and swing in their modes."""

import numpy as np
import pytest

import duoti as dt
from duoti.view.scene.scene import flexible_part


@pytest.fixture(scope="module")
def arm():
    steel = dt.Material(youngs_modulus=210e9, poisson_ratio=0.3, density=7850.0)
    mesh = dt.Mesh.box((1.0, 0.06, 0.02), (10, 1, 1), centre=(0.5, 0, 0))
    body = dt.Flexible.from_mesh(mesh, steel, {"hub": "x-", "tip": "x+"}, 2, damping_ratio=0.05)
    m = dt.Model("arm", gravity=(0, 0, -9.81))
    m.add_body("arm", body, position=(0, 0, 0))
    m.add_joint("A", dt.Fixed(), m.ground, "arm", at=(0, 0, 0))
    return dt.simulate(m, 0.1, outputs=0.005, solver=dt.GeneralisedAlpha(step=1e-3))


def pick(page, what, value):
    page.page.locator(f"#{what}").select_option(value)


@pytest.mark.full
def test_it_bends_and_is_coloured(arm, seen, tmp_path):
    page = seen(arm.export_html(tmp_path / "run.html", theme="light").as_uri())
    page.page.keyboard.press("2")  # from the front
    page.set_time(0.05)
    straight = page.pixels()
    pick(page, "deformation", "100")
    bent = page.pixels()
    changed = np.abs(bent.astype(int) - straight).max(axis=2) > 30
    assert changed.sum() > 500, "a hundred times the sag moves many pixels"
    pick(page, "colourBy", "stress")
    coloured = page.pixels()
    assert (np.abs(coloured.astype(int) - bent).max(axis=2) > 30).sum() > 500
    most = float(page.page.locator("#bent-most").inner_text().removeprefix("≤").split()[0])
    assert 1e6 * most == pytest.approx(arm.largest_stress("arm").value, rel=2e-3)  # four digits, packed numbers
    pick(page, "shape", "1")
    page.set_time(0.1 / 16)  # a quarter of a swing
    assert (np.abs(page.pixels().astype(int) - coloured).max(axis=2) > 30).sum() > 500
    page.page.screenshot(path=tmp_path / "page.png")


def test_numbers_for_the_page(arm):
    layout = arm.system.flexible["arm"]
    part, points = flexible_part(layout)
    assert set(part["flexible"]) == {"nodes", "faces", "modes", "stresses"}
    assert points.min(axis=0) == pytest.approx((0, -0.03, -0.01))
    beam = dt.Beam(dt.Section.circle(0.01), dt.Material(210e9, 0.3, 7850.0))
    m = dt.Model("beam")
    m.add_body("beam", dt.Flexible.from_beam(beam, length=1.0, elements=3, modes=1), position=(0, 0, 0))
    m.add_joint("A", dt.Fixed(), m.ground, "beam", at=(0, 0, 0))
    part, points = flexible_part(dt.compile(m).flexible["beam"])
    assert points.shape == (4 * 6, 3)
    assert "stresses" not in part["flexible"]
