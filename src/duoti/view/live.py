"""A simulation that can be watched while it runs."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.analyses.simulate.simulate import simulate
from duoti.model.model import Model
from duoti.results.result import Result
from duoti.strict import explained
from duoti.system.compile.compiler import compile_model
from duoti.system.system import System
from duoti.view.page import html_page
from duoti.view.scene.configuration import Configuration
from duoti.view.scene.motion import at_instants, channels_of, finite_count, poses_of, thinned
from duoti.view.scene.pack import plain_numbers
from duoti.view.scene.scene import frames_of
from duoti.view.server import Answer, Server, as_json, as_page
from duoti.view.window import Page, open_browser

Array = NDArray[np.float64]
PATIENCE = 3.0  # seconds for which the end waits for the page
MOST_AT_ONCE = 400  # instants that are added at a look; more are thinned
MOST_IN_ALL = 20_000  # instants after which fewer are added


class Live:
    """A page that grows while a simulation runs: `simulate(..., watch=live)`, then `live.end(result)`."""

    def __init__(self, model: Model | System, port: int = 0, **options: Any):
        self.system = model if isinstance(model, System) else compile_model(model)
        configuration = Configuration(self.system)
        self.document: dict[str, Any] = {**configuration.document(), "mode": "live"}
        self.document["runs"][0].update(
            {"poses": _no_rows(7 * len(configuration.names)), "t": {"count": 0, "data": ""}, "reason": "running"}
        )
        del self.document["posture"]
        self.options = options
        self.final: Page | None = None
        self.names = configuration.names
        self._lock = threading.Lock()
        self._t: list[Array] = []
        self._poses: list[Array] = []
        self._values: list[Array] = []
        self._heads: list[dict[str, Any]] = []
        self._count = 0
        self._state: dict[str, Any] = {"done": False, "ok": True, "reason": "running", "events": []}
        self._balance: float | None = None
        self._sent = False  # the page knows that the run is over
        self.server = Server({"": self._page, "live": self._news}, port=port)

    def _page(self, _query: dict[str, str]) -> Answer:
        if self.final is not None:
            return as_page(self.final.html(served=True))
        return as_page(html_page(self.document, served=True, options=self.options))

    def __call__(self, result: Result) -> None:
        """Take what is new."""
        most = max(2, MOST_AT_ONCE >> (self._count // MOST_IN_ALL))
        new = at_instants(result, thinned(finite_count(result), most))
        if not len(new):
            return
        channels = channels_of(new)
        residual = next(c for c in channels if c.name == "energy.residual")
        energy = new.energy
        balance = energy.total - energy.supplied + energy.dissipated
        self._balance = float(balance[0]) if self._balance is None else self._balance
        residual.values = (balance - self._balance)[:, None]  # since the first output of all, not of these
        poses = poses_of(frames_of(new.system, new.t, new.states, self.names)).reshape(len(new.t), -1)
        events = [{"name": event.name, "t": event.t} for event in result.events]
        with self._lock:
            self._t.append(new.t)
            self._poses.append(poses)
            self._values.append(np.concatenate([c.values for c in channels], axis=1))
            self._heads = [c.head for c in channels]
            self._count += len(new.t)
            self._state["events"] = events

    def end(self, result: Result) -> None:
        """The run is over: the page is notified, and gets the whole result when it is loaded again."""
        final = Page(result, **self.options)
        with self._lock:
            self.final = final
            self._state |= {"done": True, "ok": result.ok, "reason": result.reason}

    def finish(self) -> None:
        """Give the page time to fetch the end; none is lost on a page that was never opened or is closed."""
        until = time.monotonic() + PATIENCE
        while self.server.seen and not self._sent and not self.server.deserted and time.monotonic() < until:
            time.sleep(0.05)

    def _news(self, query: dict[str, str]) -> Answer:
        after = int(query.get("after", "0"))
        with self._lock:
            count, seen, first = len(self._t), 0, 0
            while first < count and seen + len(self._t[first]) <= after:
                seen += len(self._t[first])
                first += 1
            self._sent = self._state["done"]
            parts = [_joined(each[first:]) for each in (self._t, self._poses, self._values)]
            return as_json({"first": seen, "t": parts[0], "poses": parts[1], "values": parts[2], "heads": self._heads,
                            **self._state})  # fmt: skip


def _joined(parts: list[Array]) -> str:
    numbers = np.concatenate([part.reshape(-1) for part in parts]) if parts else np.zeros(0)
    return plain_numbers(numbers)


def _no_rows(columns: int) -> dict[str, Any]:
    return {"rows": 0, "columns": columns, "step": [1.0] * columns, "offset": [0.0] * columns, "data": ""}


@explained
def simulate_live(
    model: Model | System,
    duration: float,
    *,
    port: int = 0,
    browser: bool = True,
    wait: bool = False,
    options: dict[str, Any] | None = None,
    **simulation: Any,
) -> Result:
    """Simulate, and show the motion in the browser while it is computed.

    Parameters
    ----------
    model, duration, simulation:
        As for `simulate`.
    port, browser:
        As for `show`.
    wait:
        Go on serving after the end until the page is closed; otherwise the page keeps what it has.
    options:
        Of the page, as for `Page`.
    """
    live = Live(model, port, **(options or {}))
    try:
        opened = browser and open_browser(live.server.address_for_once())
        print(f"{'shown' if opened else 'open this'} in a browser: {live.server.address}", file=sys.stderr, flush=True)
        result = simulate(live.system, duration, watch=live, **simulation)
        live.end(result)
        if wait:
            live.server.wait()
        else:
            live.finish()
    finally:
        live.server.close()
    return result
