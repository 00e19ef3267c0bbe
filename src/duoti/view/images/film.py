"""Pictures and films of a motion: by a Chromium without a window, or else by matplotlib."""

from __future__ import annotations

import io
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from duoti.model.errors import MissingPackageError
from duoti.results.result import Result
from duoti.view.images import matplotlib_renderer
from duoti.view.page import html_page
from duoti.view.server import Server, as_page
from duoti.view.window import Page

# Pictures by a Chromium without a window: it opens the page from a server of ours, and sends back what it drew.


NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge", "microsoft-edge")
ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)
FLAGS = (
    "--headless=new", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--disable-extensions", "--disable-quic", "--hide-scrollbars", "--mute-audio",
    "--force-device-scale-factor=1",
    # draws without a graphics card; the same picture on every machine
    "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing",
    # a page that no one looks at must not go slow
    "--disable-renderer-backgrounding", "--disable-background-timer-throttling",
)  # fmt: skip
FIXED_SIZE = (
    "<style>main {{ position: fixed !important; inset: 0 auto auto 0; width: {}px; height: {}px }}</style></head>"
)
"""The scene does not follow the window, whose inside is smaller than its size."""
PATIENCE = 60.0  # seconds without a picture


class NoBrowserError(RuntimeError):
    """There is no Chromium, or it does not work here."""


def find_chromium() -> str | None:
    """Path of a Chromium or one of its relatives; the environment variable DUOTI_CHROMIUM goes first."""
    given = os.environ.get("DUOTI_CHROMIUM")
    if given is not None:
        return given if given and Path(given).exists() else None
    found = (shutil.which(name) for name in NAMES)
    return next((path for path in (*found, *ELSEWHERE) if path and Path(path).exists()), None)


def sandbox_flags() -> list[str]:
    """Chromium refuses its sandbox to root."""
    return ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []


def pictures(
    document: dict[str, Any], options: dict[str, Any], times: list[float], size: tuple[int, int], clock: bool
) -> Iterator[bytes]:
    """PNG of the scene at each of the times."""
    browser = find_chromium()
    if browser is None:
        raise NoBrowserError("no Chromium was found (install one, or set DUOTI_CHROMIUM to its path)")
    width, height = size
    render = {"width": width, "height": height, "times": times, "clock": clock}
    text = html_page(document, served=True, options={**options, "panels": False, "render": render})
    text = text.replace("</head>", FIXED_SIZE.format(width, height), 1)
    done: queue.Queue[tuple[int, bytes]] = queue.Queue(maxsize=8)

    def take(number: str, data: bytes) -> tuple[str, bytes]:
        done.put((int(number), data))
        return "text/plain", b""

    def finished(_rest: str, _data: bytes) -> tuple[str, bytes]:
        return "text/plain", b""

    with (
        Server({"": lambda _: as_page(text)}, {"picture": take, "done": finished}) as server,
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,  # its processes may still be writing
    ):
        command = [browser, *FLAGS, *sandbox_flags(), f"--user-data-dir={profile}", f"--window-size={width},{height}"]
        log = Path(profile) / "log"
        with log.open("wb") as output:
            address = server.address_for_once()
            process = subprocess.Popen([*command, address], stdout=output, stderr=output, stdin=subprocess.DEVNULL)
            try:
                for k in range(len(times)):
                    number, data = _next(done, process, log)
                    assert number == k, "pictures arrive in order"
                    yield data
            finally:
                _end(process)


def _next(done: queue.Queue[tuple[int, bytes]], process: subprocess.Popen[bytes], log: Path) -> tuple[int, bytes]:
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE:
        try:
            return done.get(timeout=0.2)
        except queue.Empty:
            if process.poll() is not None:
                last = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
                raise NoBrowserError(f"Chromium ended with code {process.returncode}: {''.join(last)}") from None
    raise NoBrowserError(f"Chromium drew nothing for {PATIENCE:.0f} s")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def warn(text: str) -> None:
    """A word to the user, on the channel that does not belong to results."""
    print(f"duoti: {text}", file=sys.stderr, flush=True)


PICTURES = (".png",)
FILMS = (".mp4", ".gif", ".webp")
OPTIONS = ("theme", "camera", "zoom", "follow", "arrows", "labels", "beams")


def picture(
    results: Sequence[Result],
    path: str | Path,
    t: float | None = None,
    size: tuple[int, int] = (1600, 900),
    clock: bool = False,
    **options: Any,
) -> Path:
    """Write a PNG of the scene at the time t (the end if left out).

    size: width and height in pixels; clock: write name and time into the picture; options: theme, camera, zoom, follow,
    arrows, labels, beams as in `Page`.
    """
    target = _target(path, PICTURES)
    _check_size(size)
    time = float(results[0].t[-1]) if t is None else float(t)
    _check_times(results[0], [time])
    with closing(_frames(results, [time], size, clock, options)) as frames:
        target.write_bytes(next(frames))
    return target


def film(
    results: Sequence[Result],
    path: str | Path,
    fps: float = 30.0,
    speed: float = 1.0,
    start: float | None = None,
    end: float | None = None,
    size: tuple[int, int] = (1280, 720),
    clock: bool = True,
    **options: Any,
) -> Path:
    """Write a film of the motion, MP4, GIF or animated WebP by the ending of the path.

    fps: pictures per second; speed: 0.5 is half as fast as real; start, end: part of the motion [s]; size: width and
    height in pixels; clock: write name and time into the picture; options: theme, camera, zoom, follow,
    arrows, labels, beams as in `Page`.
    """
    target = _target(path, FILMS)
    _check_size(size)
    for name, value in (("fps", fps), ("speed", speed)):
        if not 0 < value < np.inf:
            raise ValueError(f"{name}={value!r}: give a positive number")
    t = results[0].t
    first, last = (float(t[0]) if start is None else float(start)), (float(t[-1]) if end is None else float(end))
    _check_times(results[0], [first, last])
    if last < first:
        raise ValueError(f"start={first:g} is after end={last:g}")
    times = [first + k * speed / fps for k in range(int(np.floor((last - first) * fps / speed + 1e-9)) + 1)]
    video = target.suffix.lower() == ".mp4"
    encoder = _encoder() if video else ""
    with closing(_frames(results, times, size, clock, options)) as frames:
        if video:
            _write_mp4(frames, target, fps, encoder)
        else:
            _write_animation(frames, target, fps)
    return target


def _frames(
    results: Sequence[Result], times: list[float], size: tuple[int, int], clock: bool, options: dict[str, Any]
) -> Generator[bytes, None, None]:
    if strange := sorted(set(options) - set(OPTIONS)):
        raise TypeError(f"{', '.join(strange)}: no option of a picture; there are {', '.join(OPTIONS)}")
    chosen: dict[str, Any] = {"theme": "light", **options}
    page = Page(*results, **chosen)
    frames = pictures(page.document, page.options, times, size, clock)
    try:
        first = next(frames)
    except NoBrowserError as reason:
        warn(f"drawn by matplotlib, without joints, arrows, names, shadows and colours of beams: {reason}")
        yield from matplotlib_renderer.pictures(results[0], times, size, clock, page.options)
        return
    yield first
    yield from frames


def _encoder() -> str:
    """Path of ffmpeg, its own or that of the package imageio-ffmpeg."""
    found = shutil.which("ffmpeg")
    if found:
        return found
    try:
        import imageio_ffmpeg  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise RuntimeError(
            'an MP4 needs ffmpeg, which is not there: install it, or pip install "duoti[film]", or write a .gif'
        ) from None
    return imageio_ffmpeg.get_ffmpeg_exe()


def _write_mp4(frames: Iterator[bytes], target: Path, fps: float, encoder: str) -> None:
    even = "scale=trunc(iw/2)*2:trunc(ih/2)*2"  # the format has no odd sizes
    source = ["-f", "image2pipe", "-c:v", "png", "-framerate", f"{fps:g}", "-i", "-"]
    coding = ["-vf", even, "-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart"]
    command = [encoder, "-y", "-loglevel", "error", *source, *coding, str(target)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stderr is not None
    try:
        for frame in frames:
            process.stdin.write(frame)
    except BrokenPipeError:
        pass  # its message says why
    finally:
        process.stdin.close()
        output = process.stderr.read().decode(errors="replace").strip()
        process.stderr.close()
        code = process.wait()
    if code:
        raise RuntimeError(f"ffmpeg could not write {target}: {output or f'code {code}'}")


def _write_animation(frames: Iterator[bytes], target: Path, fps: float) -> None:
    """An animated GIF or WebP that repeats for ever."""
    try:
        from PIL import Image
    except ImportError:
        raise MissingPackageError(
            f'a {target.suffix[1:].upper()} needs Pillow, which comes with matplotlib: pip install "duoti[plot]"'
        ) from None
    images: list[Any] = []
    palette: Any = None
    gif = target.suffix.lower() == ".gif"
    for frame in frames:
        image = Image.open(io.BytesIO(frame)).convert("RGB")
        if gif:
            palette = palette or image.quantize(255)  # one palette for all, so that nothing flickers
            image = image.quantize(palette=palette, dither=Image.Dither.NONE)
        images.append(image)
    # milliseconds; GIF has hundredths of a second
    step = max(20, round(100 / fps) * 10) if gif else max(10, round(1000 / fps))
    quality = {"optimize": True} if gif else {"quality": 70, "method": 4, "minimize_size": True}
    images[0].save(target, save_all=True, append_images=images[1:], duration=step, loop=0, **quality)


def _target(path: str | Path, endings: tuple[str, ...]) -> Path:
    target = Path(path)
    if target.suffix.lower() not in endings:
        raise ValueError(f"{target.name}: the name must end in {' or '.join(endings)}")
    if not target.resolve().parent.is_dir():
        raise FileNotFoundError(f"there is no folder {target.parent}")
    return target


def _check_size(size: tuple[int, int]) -> None:
    if len(size) != 2 or not all(isinstance(n, int) and 16 <= n <= 8192 for n in size):  # pyright: ignore
        raise ValueError(f"size={size!r}: give width and height in pixels, from 16 to 8192")


def _check_times(result: Result, times: list[float]) -> None:
    low, high = float(result.t[0]), float(result.t[-1])
    slack = 1e-9 * max(1.0, abs(high))
    for t in times:
        if not low - slack <= t <= high + slack:
            raise ValueError(f"t={t:g} s is outside the motion, which goes from {low:g} to {high:g} s")
