"""Show results or a model in the browser, write the page to a file, or put it into a notebook."""

from __future__ import annotations

import json
import sys
import webbrowser
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, Literal

from duoti.model.model import Model
from duoti.results.result import Result
from duoti.strict import Explained, explained
from duoti.system.system import System
from duoti.view.page import html_page
from duoti.view.scene.beams_and_cables import SHOWN
from duoti.view.scene.channels import column_ends
from duoti.view.scene.configuration import Configuration
from duoti.view.scene.motion import document_of, other_channel
from duoti.view.scene.pack import plain_numbers
from duoti.view.server import Server, as_json, as_page

Theme = Literal["auto", "light", "dark"]
Language = Literal["auto", "en", "zh"]
NOTEBOOK_HEIGHT = 620  # pixels
CHOICES = {
    "theme": ("auto", "light", "dark"),
    "language": ("auto", "en", "zh"),
    "camera": ("iso", "front", "right", "top"),
}


class Page(Explained):
    """A page that shows results, side by side in one scene, or a model whose joints can be moved.

    In a notebook it is shown where it is the last value of a cell.

    Parameters
    ----------
    what:
        One or more results (several are drawn over each other), or one model.
    names:
        Names of the results, for the legend; by default "result 1", "result 2", ...
    theme, language:
        "auto" follows the browser's settings.
    camera:
        Where to look from at first: "iso", "front", "right" or "top".
    zoom:
        How many times nearer to start than where everything that ever moves is in sight.
    plots:
        Channels to plot at first, a list for each plot, such as [["A.angle", "B.angle"], ["energy.total"]].
    follow:
        Name of a body that the camera follows.
    arrows, labels:
        Show reaction forces and torques, and names, from the beginning.
    beams:
        A quantity by which beams and cables are coloured at first: "bending_moment", "axial_force", "shear_force",
        "torque", "normal_stress" (or "stress") or "curvature".
    """

    def __init__(
        self,
        *what: Result | Model | System,
        names: Sequence[str] | None = None,
        theme: Theme = "auto",
        language: Language = "auto",
        camera: str = "iso",
        zoom: float = 1.0,
        plots: Sequence[Sequence[str]] | None = None,
        follow: str | None = None,
        arrows: bool = False,
        labels: bool = False,
        beams: str | None = None,
    ):
        options: dict[str, Any] = {"theme": theme, "language": language, "camera": camera}
        for name, value in options.items():
            if value not in CHOICES[name]:
                raise ValueError(f"{name}={value!r}: choose one of {', '.join(CHOICES[name])}")
        self.configuration, self.document = _document(what, names)
        self.results = [each for each in what if isinstance(each, Result)]
        bodies = [body["name"] for body in self.document["models"][0]["bodies"]]
        if follow is not None and follow not in bodies:
            raise ValueError(f"follow={follow!r}: there is no such body; there are {', '.join(bodies[1:])}")
        if plots is not None:
            options["plots"] = _checked_plots(plots, self.document)
        if not 0.01 <= zoom <= 100:
            raise ValueError(f"zoom={zoom!r}: give a number from 0.01 to 100; 2 is twice as near")
        self.options: dict[str, Any] = {**options, "zoom": float(zoom), "arrows": arrows, "labels": labels}
        if follow is not None:
            self.options["follow"] = follow
        if beams is not None:
            self.options["along"] = _checked_quantity(beams, self.document)

    def html(self, served: bool = False) -> str:
        """The page as text; served: it may ask the process that serves it."""
        return html_page(self.document, served=served, options=self.options)

    def save(self, path: str | Path) -> Path:
        """Write the page to a file that needs nothing else."""
        target = Path(path)
        target.write_text(self.html(), encoding="utf-8")
        return target

    def serve(self, port: int = 0) -> Server:
        """Serve the page on this machine; the address holds a token. `close()` ends it."""
        more = sorted({name for result in self.results for name in result.channels})
        text = html_page({**self.document, "more": more}, served=True, options=self.options)
        posts = {} if self.configuration is None else {"pose": self._pose}
        return Server({"": lambda _: as_page(text), "channel": self._channel}, posts, port)

    def _channel(self, query: dict[str, str]) -> Any:
        """A channel of every result that has it, at the instants of the channels in the page."""
        return as_json([
            {"run": k, "head": channel.head, "values": plain_numbers(channel.values)}
            for k, result in enumerate(self.results) if (channel := other_channel(result, query["name"]))
        ])  # fmt: skip

    def _pose(self, _rest: str, data: bytes) -> Any:
        assert self.configuration is not None
        return as_json(self.configuration.answer(json.loads(data)))

    def _repr_html_(self) -> str:
        page = escape(self.html(), quote=True)
        return (
            f'<iframe srcdoc="{page}" style="width:100%;height:{NOTEBOOK_HEIGHT}px;border:1px solid #8884;'
            'border-radius:8px" allowfullscreen></iframe>'
        )

    def __repr__(self) -> str:
        return f"<page of {self.document['models'][0]['name']!r}>"


def _document(what: Sequence[Any], names: Sequence[str] | None) -> tuple[Configuration | None, dict[str, Any]]:
    if not what:
        raise TypeError("there is nothing to show; give one or more results, or a model")
    if len(what) == 1 and isinstance(what[0], Model | System):
        if names is not None:
            raise ValueError("names= is for results; a model has its own name")
        configuration = Configuration(what[0])
        return configuration, configuration.document()
    wrong = [each for each in what if not isinstance(each, Result)]
    if wrong:
        raise TypeError(f"{wrong[0]!r} cannot be shown; give one or more results, or one model")
    chosen = [f"result {i + 1}" for i in range(len(what))] if names is None else list(names)
    if len(chosen) != len(what):
        raise ValueError(f"names: {len(chosen)} given for {len(what)} results")
    return None, document_of(list(what), chosen)


def _checked_plots(plots: Sequence[Sequence[str]], document: dict[str, Any]) -> list[list[str]]:
    known = {head["name"]: head for head in document["runs"][0]["channels"]["heads"]}
    found: list[list[str]] = []
    for group in plots:
        if isinstance(group, str):
            raise TypeError(f"plots: {group!r} is a name; give a list of lists of names, one list for each plot")
        found.append([])
        for name in group:
            if name in known:
                found[-1] += column_names(known[name])
            elif any(name in column_names(head) for head in known.values()):
                found[-1].append(name)
            else:
                raise ValueError(f"plots: there is no channel {name!r}; there are {', '.join(known)}")
    return found[::-1]  # the page puts each new plot above the others


def _checked_quantity(name: str, document: dict[str, Any]) -> str:
    known = {head["what"] for run in document["runs"] for head in run.get("along", {}).get("heads", ())}
    name = {along: shown for shown, along in SHOWN.items()}.get(name, name)
    if name not in known:
        there = f"there are {', '.join(sorted(known))}" if known else "the model has no beams, or has not moved"
        raise ValueError(f"beams={name!r}: beams are not coloured by this; {there}")
    return name


def column_names(head: dict[str, Any]) -> list[str]:
    """Names of the columns of a channel, as in the page."""
    return [head["name"] + end for end in column_ends(head["letters"], head["size"])]


def in_notebook() -> bool:
    """True in a Jupyter kernel."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and hasattr(shell, "kernel")


def is_interactive() -> bool:
    """True at a Python prompt."""
    return hasattr(sys, "ps1") or bool(sys.flags.interactive)


def open_browser(address: str) -> bool:
    """Open an address in the user's browser; False if there is none."""
    try:
        return webbrowser.open(address)
    except (webbrowser.Error, OSError):
        return False


@explained
def show(
    *what: Result | Model | System,
    port: int = 0,
    browser: bool = True,
    block: bool | None = None,
    **options: Any,
) -> Page | Server | None:
    """Show results, over each other, or a model with sliders for its joints, in the browser.

    In a notebook: returns the page, which is shown inline. At a prompt: returns at once; `.close()` of what is returned
    ends it. In a script: waits until the page is closed, or Ctrl-C. Without a browser at hand, the address is printed;
    from another machine, forward the port (`ssh -L PORT:127.0.0.1:PORT host`).

    Parameters
    ----------
    port:
        Of the server, on the loopback interface only; 0 for any free one.
    browser:
        Open the browser.
    block:
        Wait until the page is closed; by default in scripts only.
    options:
        See `Page`.
    """
    page = Page(*what, **options)
    if block is None and in_notebook():
        return page
    server = page.serve(port)
    opened = browser and open_browser(server.address_for_once())
    wait = not is_interactive() if block is None else block
    until = " (close the page, or Ctrl-C, to go on)" if wait else ""
    print(f"{'shown' if opened else 'open this'} in a browser: {server.address}{until}", file=sys.stderr, flush=True)
    if not wait:
        return server
    server.wait()
    return None
