"""A small server for one page: on the loopback interface, behind a token in its address, gone when it is closed."""

from __future__ import annotations

import json
import math
import secrets
import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from duoti.model.errors import DuotiError

LOOPBACK = "127.0.0.1"
LARGEST_POST = 64_000_000  # bytes; a picture of a film
GRACE = 2.0  # seconds in which a page that was closed may come back (it was loaded again)
SILENCE = 240.0  # seconds after which a page that says nothing is gone: in the background it speaks once a minute
Answer = tuple[str, bytes]  # type of the content, content
Getter = Callable[[dict[str, str]], Answer]
Poster = Callable[[str, bytes], Answer]


def as_json(value: Any) -> Answer:
    """An answer in JSON."""
    return "application/json", json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def as_page(text: str) -> Answer:
    """An answer that is a page."""
    return "text/html; charset=utf-8", text.encode()


class Server:
    """Serves what `gets` and `posts` name, under a token, from a thread of its own; all else is not found.

    The names in `posts` are the first part of the path; the rest of it is handed on. A page says "hello" and "bye" with
    a name that it made up when it was loaded, so that the farewell of a page that is loaded again cannot be taken for
    that of its successor, in whatever order they arrive. It repeats its greeting while it is open: one that has been
    silent for `silence` seconds is gone without a farewell, with its browser. Nobody is missed while the machine
    sleeps.

    clock: seconds, from anywhere.
    """

    def __init__(
        self,
        gets: dict[str, Getter],
        posts: dict[str, Poster] | None = None,
        port: int = 0,
        *,
        silence: float = SILENCE,
        clock: Callable[[], float] = time.monotonic,
    ):
        self._silence, self._clock = silence, clock
        self._looked = clock()  # when it was last asked whether anyone is there
        self.token = secrets.token_urlsafe(16)
        self.gets = gets
        self.posts = {**(posts or {}), "hello": self._hello, "rest": self._rest, "bye": self._bye}
        self._tickets: set[str] = set()  # addresses that lead to the page once
        self.seen = 0  # pages handed out
        self._here: dict[str, float] = {}  # pages that are open, and when they last reported
        self._gone: set[str] = set()  # and those that were
        self._left: float | None = None  # when the last page was closed
        try:
            self._http = _Http((LOOPBACK, port), _handler(self))
        except OSError as error:
            raise OSError(f"port {port} cannot be used ({error}); leave it out for any free one") from None
        self.port: int = self._http.server_address[1]
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """What to open in a browser."""
        return f"http://{LOOPBACK}:{self.port}/{self.token}/"

    def address_for_once(self) -> str:
        """What to hand to a browser as an argument, which every user of the machine can read: it works only once."""
        ticket = secrets.token_urlsafe(16)
        self._tickets.add(ticket)
        return f"http://{LOOPBACK}:{self.port}/{ticket}"

    def redeem(self, ticket: str) -> bool:
        """Whether an address is one of those for once that is not yet used; it is now."""
        try:
            self._tickets.remove(ticket)
        except KeyError:
            return False
        return True

    def _hello(self, name: str, _data: bytes) -> Answer:
        if name not in self._gone:  # the farewell may come first
            self._here[name] = self._clock()
        return "text/plain", b""

    def _rest(self, name: str, _data: bytes) -> Answer:
        """The browser is about to stop the page for a while; it cannot speak until it goes on."""
        if name in self._here:
            self._here[name] = math.inf
        return "text/plain", b""

    def _bye(self, name: str, _data: bytes) -> Answer:
        self._here.pop(name, None)
        self._gone.add(name)
        self._left = self._clock()
        return "text/plain", b""

    def opened(self) -> None:
        """A page was handed out."""
        self.seen += 1
        self._left = None

    @property
    def deserted(self) -> bool:
        """True once a page was opened, all of them were closed again or fell silent, and none was loaded anew."""
        self._miss()
        left = self._left
        return left is not None and not self._here and self._clock() - left > GRACE

    def _miss(self) -> None:
        """Take leave of the pages that have been silent for too long; what comes later is heard as a greeting."""
        now = self._clock()
        asleep, self._looked = now - self._looked, now
        if asleep > self._silence / 4:  # so was the browser
            for name, heard in list(self._here.items()):
                self._here[name] = max(heard, now)
        for name, heard in list(self._here.items()):
            if now - heard > self._silence:
                self._here.pop(name, None)
                self._left = now

    def wait(self) -> None:
        """Until the page is closed, or Ctrl-C."""
        try:
            while not self.deserted:
                time.sleep(0.1)
        except KeyboardInterrupt:
            pass
        finally:
            self.close()

    def close(self) -> None:
        """Stop serving and give the port back."""
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(timeout=5)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that hangs up in the middle of an answer is no fault worth a word."""


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        server_version, sys_version = "duoti", ""

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet: the terminal belongs to the user."""

        def _known_host(self) -> bool:
            """Not a name that someone made to point here."""
            return (self.headers.get("Host") or "").rsplit(":", 1)[0] in (LOOPBACK, "localhost")

        def _path(self) -> tuple[str, dict[str, str]] | None:
            """What is asked for below the token; None if the token or the host is wrong."""
            if not self._known_host():
                return None
            url = urlsplit(self.path)
            token, _, rest = url.path.lstrip("/").partition("/")
            if not secrets.compare_digest(token.encode(), server.token.encode()):
                return None
            return rest, {key: values[-1] for key, values in parse_qs(url.query).items()}

        def do_GET(self) -> None:
            if self._known_host() and server.redeem(self.path.lstrip("/")):
                self._send("text/plain", b"", HTTPStatus.SEE_OTHER, {"Location": f"/{server.token}/"})
                return
            found = self._path()
            if found is None or found[0] not in server.gets:
                self._refuse()
                return
            if found[0] == "":
                server.opened()
            self._answer(lambda: server.gets[found[0]](found[1]))

        def do_POST(self) -> None:
            found = self._path()
            length = int(self.headers.get("Content-Length") or 0)
            name, _, rest = (found[0] if found else "").partition("/")
            origin = self.headers.get("Origin")
            foreign = origin is not None and urlsplit(origin).netloc != self.headers.get("Host")
            if found is None or name not in server.posts or foreign or not 0 <= length <= LARGEST_POST:
                self.close_connection = True
                self._refuse()
                return
            data = self.rfile.read(length)
            self._answer(lambda: server.posts[name](rest, data))

        def _answer(self, answer: Callable[[], Answer]) -> None:
            try:
                kind, data = answer()
            except (ValueError, KeyError, TypeError, DuotiError) as error:
                self._send("text/plain; charset=utf-8", str(error).encode(), HTTPStatus.BAD_REQUEST)
            else:
                self._send(kind, data)

        def _refuse(self) -> None:
            self._send("text/plain", b"not found\n", HTTPStatus.NOT_FOUND)

        def _send(
            self,
            kind: str,
            data: bytes,
            status: HTTPStatus = HTTPStatus.OK,
            further: dict[str, str] | None = None,
        ) -> None:
            self.send_response(status)
            for name, value in (further or {}).items():
                self.send_header(name, value)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.send_header("Referrer-Policy", "no-referrer")
            self.send_header("X-Frame-Options", "SAMEORIGIN")
            self.end_headers()
            self.wfile.write(data)

    return Handler
