"""Pictures and films of a motion: by a Chromium without a window, or else by matplotlib."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from duoti.model.errors import MissingPackageError
from duoti.results.result import Result
from duoti.view import chromium, matplotlib_renderer
from duoti.view.window import Page

PICTURES = (".png",)
FILMS = (".mp4", ".gif")
OPTIONS = ("theme", "camera", "follow", "arrows", "labels", "beams")


def picture(
    results: Sequence[Result],
    path: str | Path,
    t: float | None = None,
    size: tuple[int, int] = (1600, 900),
    clock: bool = False,
    **options: Any,
) -> Path:
    """Write a PNG of the scene at the time t (the end if left out).

    size: width and height in pixels; clock: write name and time into the picture; options: theme, camera, follow,
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
    """Write a film of the motion, MP4 or GIF by the ending of the path.

    fps: pictures per second; speed: 0.5 is half as fast as real; start, end: part of the motion [s]; size: width and
    height in pixels; clock: write name and time into the picture; options: theme, camera, follow,
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
    write = _write_mp4 if target.suffix.lower() == ".mp4" else _write_gif
    encoder = _encoder() if write is _write_mp4 else ""
    with closing(_frames(results, times, size, clock, options)) as frames:
        write(frames, target, fps, encoder)
    return target


def _frames(
    results: Sequence[Result], times: list[float], size: tuple[int, int], clock: bool, options: dict[str, Any]
) -> Generator[bytes, None, None]:
    if strange := sorted(set(options) - set(OPTIONS)):
        raise TypeError(f"{', '.join(strange)}: no option of a picture; there are {', '.join(OPTIONS)}")
    chosen: dict[str, Any] = {"theme": "light", **options}
    page = Page(*results, **chosen)
    frames = chromium.pictures(page.document, page.options, times, size, clock)
    try:
        first = next(frames)
    except chromium.NoBrowserError as reason:
        chromium.warn(f"drawn by matplotlib, without joints, arrows, names, shadows and colours of beams: {reason}")
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
        said = process.stderr.read().decode(errors="replace").strip()
        process.stderr.close()
        code = process.wait()
    if code:
        raise RuntimeError(f"ffmpeg could not write {target}: {said or f'code {code}'}")


def _write_gif(frames: Iterator[bytes], target: Path, fps: float, _encoder: str) -> None:
    try:
        from PIL import Image
    except ImportError:
        raise MissingPackageError(
            'a GIF needs Pillow, which comes with matplotlib: pip install "duoti[plot]"'
        ) from None
    images: list[Any] = []
    palette: Any = None
    for frame in frames:
        image = Image.open(io.BytesIO(frame)).convert("RGB")
        palette = palette or image.quantize(255)  # one palette for all, so that nothing flickers
        images.append(image.quantize(palette=palette, dither=Image.Dither.NONE))
    step = max(20, round(100 / fps) * 10)  # milliseconds, in hundredths of a second as the format has it
    images[0].save(target, save_all=True, append_images=images[1:], duration=step, loop=0, optimize=True)


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
