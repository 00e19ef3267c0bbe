"""Names that matplotlib's own font cannot write: another font if there is one, else a word about it, once."""

from __future__ import annotations

import warnings

import matplotlib as mpl
import pytest

import duoti as dt
from duoti.results.plot import fonts

mpl.use("Agg")
NAME = "单摆A"


@pytest.fixture
def run():
    m = dt.Model(NAME)
    m.add_body("b", dt.Inertia.box(1.0, size=(0.1, 0.1, 1)), position=(0, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, "b", at=(0, 0, 0), q0=0.3)
    return dt.simulate(m, 0.2, outputs=0.1)


@pytest.fixture
def font(tmp_path):
    """A font that has just these characters, as a square."""
    builder = pytest.importorskip("fontTools.fontBuilder").FontBuilder(1000, isTTF=True)
    pen = pytest.importorskip("fontTools.pens.ttGlyphPen").TTGlyphPen(None)
    pen.moveTo((0, 0))
    for corner in ((0, 700), (700, 700), (700, 0)):
        pen.lineTo(corner)
    pen.closePath()
    square, names = pen.glyph(), [".notdef", "a", "b", "c"]
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap(dict(zip(map(ord, NAME), names[1:], strict=True)))
    builder.setupGlyf(dict.fromkeys(names, square))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (800, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Duoti Test", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    path = tmp_path / "duoti_test.ttf"
    builder.save(path)
    return path


@pytest.fixture(autouse=True)
def _fresh(monkeypatch):
    from matplotlib.font_manager import fontManager

    few = [entry for entry in fontManager.ttflist if entry.name.startswith(("DejaVu", "Last Resort"))]
    monkeypatch.setattr(fontManager, "ttflist", few)
    monkeypatch.setattr("matplotlib.font_manager.findSystemFonts", list)
    monkeypatch.setattr(fonts, "_REPORTED", set())
    for each in (fonts._families, fonts._others):
        each.cache_clear()
    yield
    for each in (fonts._families, fonts._others):
        each.cache_clear()


def test_what_no_font_has_is_told_once_and_says_what_to_install(run, tmp_path):
    figure = run.plot("A.angle")
    with pytest.warns(UserWarning, match="fonts-noto-cjk") as told:
        figure.savefig(tmp_path / "a.png")
    assert len(told) == 1
    run.plot("A.angle").savefig(tmp_path / "b.pdf")  # a second warning would be an error
    run.plot_energy().savefig(tmp_path / "c.svg")


def test_an_installed_font_is_found(run, font, tmp_path, monkeypatch):
    """Also one that is newer than matplotlib's list of fonts; ordinary letters keep their font."""
    monkeypatch.setattr("matplotlib.font_manager.findSystemFonts", lambda: [str(font)])
    figure = run.plot("A.angle")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in ("a.png", "a.pdf", "a.svg"):
            figure.savefig(tmp_path / name)
    title = figure.axes[0].get_title(loc="left")
    assert title == NAME
    texts = {text.get_text(): text.get_fontfamily() for text in figure.findobj(mpl.text.Text)}
    assert texts[NAME][-1] == "Duoti Test"
    assert "Duoti Test" not in texts["rad"]
