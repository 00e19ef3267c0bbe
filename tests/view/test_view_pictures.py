"""Pictures and films, by a browser without a window and by matplotlib."""

import shutil

import numpy as np
import pytest

import duoti as dt
from duoti.view.images.film import NoBrowserError, find_chromium, pictures
from support import view_models as models

Image = pytest.importorskip("PIL.Image")


@pytest.fixture(scope="module")
def crank():
    return dt.simulate(models.slider_crank(), 0.5, outputs=0.01)


@pytest.fixture
def no_browser(monkeypatch):
    monkeypatch.setenv("DUOTI_CHROMIUM", "")


def colours(path):
    with Image.open(path) as opened:
        image = np.asarray(opened.convert("RGB")).astype(int)
    return image, len(np.unique(image.reshape(-1, 3), axis=0))


@pytest.mark.full
def test_picture_by_the_browser(crank, browser, tmp_path, capsys):
    path = crank.picture(tmp_path / "a.png", t=0.3, size=(640, 360), theme="dark", arrows=True, clock=True)
    image, count = colours(path)
    assert image.shape == (360, 640, 3)
    assert count > 500, "shaded surfaces have many colours"
    assert np.abs(image[5, 320] - [0x17, 0x1B, 0x21]).max() < 12, "the dark background"
    assert capsys.readouterr().err == ""


@pytest.mark.full
def test_pictures_of_two_instants_differ(crank, browser, tmp_path):
    a = colours(crank.picture(tmp_path / "a.png", t=0.0, size=(320, 200)))[0]
    b = colours(crank.picture(tmp_path / "b.png", t=0.4, size=(320, 200)))[0]
    assert (np.abs(a - b).sum(axis=2) > 60).sum() > 300


def test_picture_without_a_browser_says_so(crank, no_browser, tmp_path, capsys):
    assert find_chromium() is None
    image, count = colours(crank.picture(tmp_path / "a.png", t=0.3, size=(400, 300)))
    assert image.shape == (300, 400, 3)
    assert count > 50
    assert "drawn by matplotlib" in (said := capsys.readouterr().err)
    assert "no Chromium was found" in said


def test_picture_of_everything_by_matplotlib(no_browser, tmp_path, capsys):
    result = dt.simulate(models.all_joints(), 0.2, outputs=0.1)
    assert colours(result.picture(tmp_path / "a.png", size=(400, 300), camera="front", theme="dark"))[1] > 50
    capsys.readouterr()


def test_gif(crank, no_browser, tmp_path, capsys):
    with Image.open(crank.film(tmp_path / "a.gif", fps=10, size=(160, 120))) as film:
        assert film.n_frames == 6
        assert film.info["duration"] == 100
    capsys.readouterr()


def test_frames_are_as_large_as_the_first(browser, tmp_path):
    """The window's inside is smaller than the picture; the scene does not follow it."""
    m = dt.Model("at rest", gravity=(0, 0, 0))
    m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("A", dt.Prismatic("x"), m.ground, "ball")
    with Image.open(dt.simulate(m, 0.5).film(tmp_path / "a.gif", fps=10, size=(320, 180), clock=False)) as film:
        first = film.convert("RGB")
        film.seek(film.n_frames - 1)
        last = film.convert("RGB")
    assert np.abs(np.asarray(first, dtype=int) - np.asarray(last, dtype=int)).max() < 8


def test_mp4(crank, browser, tmp_path):
    if shutil.which("ffmpeg") is None:
        pytest.importorskip("imageio_ffmpeg")
    path = crank.film(tmp_path / "a.mp4", fps=10, size=(161, 121))
    data = path.read_bytes()
    assert data[4:8] == b"ftyp"
    assert len(data) > 1500


def test_missing_ffmpeg_is_told_before_anything_is_drawn(crank, monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setitem(__import__("sys").modules, "imageio_ffmpeg", None)
    with pytest.raises(RuntimeError, match="an MP4 needs ffmpeg"):
        crank.film(tmp_path / "a.mp4")


def test_a_browser_that_fails_is_told(crank, monkeypatch):
    monkeypatch.setenv("DUOTI_CHROMIUM", shutil.which("false") or "/bin/false")
    document = dt.view.Page(crank).document
    with pytest.raises(NoBrowserError, match="ended with code"):
        list(pictures(document, {}, [0.0], (64, 64), False))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda r, p: r.picture(p / "a.jpg"), "must end in .png"),
        (lambda r, p: r.film(p / "a.avi"), "must end in .mp4 or .gif"),
        (lambda r, p: r.picture(p / "a.png", t=9.0), "outside the motion, which goes from 0 to 0.5 s"),
        (lambda r, p: r.picture(p / "a.png", size=(1, 1)), "width and height in pixels"),
        (lambda r, p: r.picture(p / "no" / "a.png"), "there is no folder"),
        (lambda r, p: r.film(p / "a.gif", fps=0), "fps=0: give a positive number"),
        (lambda r, p: r.film(p / "a.gif", start=0.4, end=0.1), "is after end"),
    ],
)
def test_wrong_preferences_are_told(call, message, crank, tmp_path):
    with pytest.raises((ValueError, FileNotFoundError), match=message):
        call(crank, tmp_path)
