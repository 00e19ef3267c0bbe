"""The server: loopback only, a token, nothing but the page, and gone when closed."""

import http.client
import socket
import threading

import pytest

import duoti as dt
from duoti.view import Page
from duoti.view.server import Server, as_page
from support import view_models as models
from support.view_page import PATIENCE


@pytest.fixture
def server():
    with Server(
        {"": lambda _: as_page("<p>page</p>")}, {"echo": lambda rest, data: ("text/plain", rest.encode() + data)}
    ) as found:
        yield found


def ask(server, path, method="GET", body=None, headers=None, host="127.0.0.1"):
    connection = http.client.HTTPConnection(host, server.port, timeout=PATIENCE)
    connection.request(method, path, body, headers or {})
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    return answer, data


def test_page_is_served_under_the_token_only(server):
    answer, data = ask(server, f"/{server.token}/")
    assert (answer.status, data) == (200, b"<p>page</p>")
    assert answer.headers["Cache-Control"] == "no-store"
    for path in (
        "/",
        "/x/",
        f"/{server.token[:-1]}/",
        f"/{server.token}x/",
        f"/{server.token}/../../etc/passwd",
        f"/{server.token}/other",
    ):
        answer, data = ask(server, path)
        assert (answer.status, data) == (404, b"not found\n"), path


def test_names_that_point_here_are_refused(server):
    assert ask(server, f"/{server.token}/", headers={"Host": "evil.example"})[0].status == 404
    assert ask(server, f"/{server.token}/", headers={"Host": f"localhost:{server.port}"})[0].status == 200


def test_other_pages_cannot_post(server):
    path, own = f"/{server.token}/echo/a", f"http://127.0.0.1:{server.port}"
    assert ask(server, path, "POST", b"b")[1] == b"ab"
    assert ask(server, path, "POST", b"b", {"Origin": own})[1] == b"ab"
    assert ask(server, path, "POST", b"b", {"Origin": "http://evil.example"})[0].status == 404
    assert ask(server, path, "POST", None, {"Content-Length": "99999999999"})[0].status == 404


def test_loopback_only(server):
    assert server._http.server_address[0] == "127.0.0.1"


def test_a_token_is_never_used_twice():
    with Server({}) as a, Server({}) as b:
        assert a.token != b.token
        assert len(a.token) >= 20


def test_it_is_gone_when_closed():
    before = threading.active_count()
    server = Server({"": lambda _: as_page("")})
    ask(server, f"/{server.token}/")
    server.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port), timeout=1)
    assert threading.active_count() <= before + 1  # a request that is being finished


def test_it_is_deserted_when_the_last_page_has_gone(server, monkeypatch):
    """A farewell concerns the page that says it, however late or early it comes."""
    monkeypatch.setattr("duoti.view.server.GRACE", -1.0)

    def say(word):
        assert ask(server, f"/{server.token}/{word}", "POST")[0].status == 200

    assert not server.deserted
    say("hello/a")
    say("hello/b")  # loaded again, or in a second window
    say("bye/a")
    assert not server.deserted
    say("bye/b")
    assert server.deserted
    say("hello/c")
    assert not server.deserted
    say("bye/d")
    say("hello/d")  # overtaken by its own farewell
    assert not server.deserted
    say("bye/c")
    assert server.deserted


def test_a_page_that_falls_silent_is_gone_with_its_browser():
    """By a clock of its own: nobody waits."""
    now = [0.0]
    with Server({}, silence=60.0, clock=lambda: now[0]) as server:

        def say(word):
            assert ask(server, f"/{server.token}/{word}", "POST")[0].status == 200

        def wait(seconds):
            """As `wait` of the server does: a look every now and then."""
            for _ in range(seconds):
                now[0] += 1.0
                if server.deserted:
                    return True
            return False

        assert not wait(500)  # nobody has come yet
        say("hello/a")
        say("hello/b")
        assert not wait(50)
        say("hello/a")  # b's browser has died
        assert not wait(50)
        say("hello/a")
        assert not wait(59)
        now[0] += 5000.0  # the machine slept, and so did the browser
        assert not server.deserted
        say("hello/a")
        say("rest/a")  # the browser stops the page
        assert not wait(1000)
        say("hello/a")
        assert not wait(60)
        assert wait(5), "a is gone as well"
        say("hello/a")  # it was only slow
        assert not wait(50)


def test_a_port_that_is_taken_is_said(server):
    with pytest.raises(OSError, match=f"port {server.port} cannot be used"):
        Server({}, port=server.port)


def test_wrong_questions_of_a_page_are_refused():
    with Page(models.slider_crank()).serve() as server:
        path = f"/{server.token}/pose"
        for body in (
            b"{}",
            b"no json",
            b'{"q": {}, "joint": "Z", "at": 0, "value": 1}',
            b'{"q": {"A": [1, 2]}, "joint": "A", "at": 0, "value": 1}',
            b'{"q": {}, "joint": "A", "at": 7, "value": 1}',
            b'{"q": {}, "joint": "A", "at": 0, "value": NaN}',
        ):
            assert ask(server, path, "POST", body)[0].status == 400, body
        assert ask(server, path, "POST", b'{"q": {}, "joint": "A", "at": 0, "value": 0.1}')[0].status == 200


def test_show_returns_at_a_prompt_and_prints_the_address(monkeypatch, capsys):
    result = dt.simulate(models.pendulum(), 0.1, outputs=0.05)
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or True)
    server = result.show(block=False)
    assert server.token not in opened[0]  # arguments of a process can be read by all users of a machine
    path = opened[0].removeprefix(f"http://127.0.0.1:{server.port}")
    assert ask(server, path, headers={"Host": "evil.example"})[0].status == 404
    answer = ask(server, path)[0]
    assert (answer.status, answer.headers["Location"]) == (303, f"/{server.token}/")
    assert ask(server, path)[0].status == 404  # it led there once
    assert server.address in capsys.readouterr().err
    server.close()
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    server = dt.show(result, block=False)
    assert "open this in a browser" in capsys.readouterr().err
    server.close()


def test_show_gives_a_page_to_a_notebook(monkeypatch):
    monkeypatch.setattr("duoti.view.window.in_notebook", lambda: True)
    page = dt.simulate(models.pendulum(), 0.1, outputs=0.05).show()
    assert isinstance(page, Page)
    assert page._repr_html_().startswith("<iframe srcdoc=")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda r: Page(), "there is nothing to show"),
        (lambda r: Page(r, 3), "cannot be shown"),
        (lambda r: Page(r, theme="blue"), "theme='blue': choose one of auto, light, dark"),
        (lambda r: Page(r, names=["a", "b"]), "2 given for 1 results"),
        (lambda r: Page(r, follow="bal"), "there is no such body"),
        (lambda r: Page(r, plots=[["hook.angel"]]), "there is no channel 'hook.angel'"),
        (lambda r: Page(r, plots=["hook.angle"]), "a list of lists"),
        (lambda r: Page(models.pendulum(), names=["x"]), "names= is for results"),
    ],
)
def test_wrong_arguments_are_told(call, message):
    result = dt.simulate(models.pendulum(), 0.1, outputs=0.05)
    with pytest.raises((TypeError, ValueError), match=message):
        call(result)
