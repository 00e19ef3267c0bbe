"""Pictures by a Chromium without a window: it opens the page from a server of ours, and sends back what it drew."""

from __future__ import annotations

import os
import queue
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from duoti.view.page import html_page
from duoti.view.server import Server, as_page

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
        with log.open("wb") as said:
            address = server.address_for_once()
            process = subprocess.Popen([*command, address], stdout=said, stderr=said, stdin=subprocess.DEVNULL)
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
