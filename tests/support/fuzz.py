"""A campaign of damaged files: a loader may return a model or raise its documented error, and nothing else.

`fuzz(loader, seeds, count, rng, seconds_each)` is the whole driver. The loader is called with bytes; it returns
anything, or raises one of `allowed`. Everything else (another exception, too much time) fails the campaign with what is
needed to repeat it: the seed's name, the number of the mutant, and the bytes.
"""

from __future__ import annotations

import re
import signal
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

import duoti as dt

NASTY = (
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\t", b"\r", b"\n", b"\x1b[2J", "\u2028".encode(), "\U0001f600".encode(),
    b"\xed\xa0\x80", b"'", b'"', b"&a ", b"*a", b"<<: *a", b"!!python/object/apply:os.system ['true']", b"%", b"@",
    b"---\n", b"...\n", b"{", b"}", b"[", b"]", b": ", b"- ", b"? ", b"#", b"|\n", b">\n", b"<", b">", b"</", b"/>",
    b"&lt;", b"<!--", b"]]>", b"<!ENTITY a 'aaaa'>", b"&a;",
)  # fmt: skip
NUMBERS = (
    b"0", b"-0.0", b"1e308", b"-1e308", b"1e400", b"5e-324", b"1e-400", b".nan", b".inf", b"-.inf", b"nan", b"inf",
    b"NaN", b"99999999999999999999999999", b"1" * 400, b"0x10", b"1_000", b"=1/0", b"=r", b"=nosuch", b"12 mm", b"3 kg",
    b"30 deg", b"1 parsec", b"true", b"null", b"~", b"''", b"-1", b"2.5", b"1e", b"--1", b"1.2.3",
)  # fmt: skip
WORD = re.compile(rb"[A-Za-z_][\w.]*")
NUMBER = re.compile(rb"(?<![\w.])[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")
TOKEN = re.compile(rb"[\w.+-]+|\s+|[^\w\s]")


class Hang(BaseException):
    """A loader took too long. No ordinary exception, so that the loader cannot catch it."""


@dataclass
class Campaign:
    """What came out of it."""

    count: int = 0
    models: int = 0
    refused: int = 0
    slowest: float = 0.0

    def __str__(self) -> str:
        return f"{self.count} files: {self.models} models, {self.refused} refused, slowest {self.slowest:.3f} s"


def fuzz(
    loader: Callable[[bytes], object],
    seeds: Mapping[str, bytes],
    count: int,
    rng: np.random.Generator,
    seconds_each: float,
    allowed: tuple[type[BaseException], ...] = (dt.ModelError,),
) -> Campaign:
    """Load `count` mutants of the seeds; raises AssertionError for the first that does what it must not."""
    names, campaign = sorted(seeds), Campaign()
    for i in range(count):
        name = names[int(rng.integers(len(names)))]
        mutant = seeds[name]
        for _ in range(int(rng.choice([1, 1, 1, 2, 3, 6]))):
            mutant = mutate(mutant, seeds, rng)
        began = time.process_time()
        try:
            with time_limit(seconds_each):
                loader(mutant)
            campaign.models += 1
        except allowed as error:
            campaign.refused += 1
            if not str(error).strip():
                raise AssertionError(f"mutant {i} of {name}: an error without a message\n{mutant!r}") from error
        except (Hang, Exception) as error:
            raise AssertionError(f"mutant {i} of {name}: {type(error).__name__}: {error}\n{mutant!r}") from error
        campaign.count += 1
        campaign.slowest = max(campaign.slowest, time.process_time() - began)
    return campaign


@contextmanager
def time_limit(seconds: float):
    """Raise `Hang` after so many seconds (only where there are signals, and in the main thread)."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_):
        raise Hang(f"still busy after {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# -------------------------------------------------------------------------------------------------------- mutations


def mutate(data: bytes, seeds: Mapping[str, bytes], rng: np.random.Generator) -> bytes:
    """One random damage: of bytes, of words and numbers, or of whole lines and pieces."""
    return MUTATIONS[int(rng.integers(len(MUTATIONS)))](data, seeds, rng)


def _place(data: bytes, rng: np.random.Generator) -> int:
    return int(rng.integers(len(data) + 1))


def _span(data: bytes, rng: np.random.Generator, longest: int = 60) -> tuple[int, int]:
    start = _place(data, rng)
    return start, min(len(data), start + int(rng.integers(1, longest)))


def flip_bits(data, seeds, rng):
    if not data:
        return data
    changed = bytearray(data)
    for _ in range(int(rng.integers(1, 4))):
        changed[int(rng.integers(len(changed)))] ^= 1 << int(rng.integers(8))
    return bytes(changed)


def insert_bytes(data, seeds, rng):
    at = _place(data, rng)
    return data[:at] + rng.integers(0, 256, size=int(rng.integers(1, 5)), dtype=np.uint8).tobytes() + data[at:]


def insert_nasty(data, seeds, rng):
    at = _place(data, rng)
    return data[:at] + NASTY[int(rng.integers(len(NASTY)))] + data[at:]


def delete_span(data, seeds, rng):
    start, stop = _span(data, rng)
    return data[:start] + data[stop:]


def repeat_span(data, seeds, rng):
    start, stop = _span(data, rng)
    return data[:stop] + data[start:stop] * int(rng.choice([1, 2, 50])) + data[stop:]


def truncate(data, seeds, rng):
    return data[: _place(data, rng)]


def splice(data, seeds, rng):
    other = seeds[sorted(seeds)[int(rng.integers(len(seeds)))]]
    start, stop = _span(other, rng, 300)
    at, to = _span(data, rng, 300)
    return data[:at] + other[start:stop] + data[to:]


def _replaced(data, pattern, rng, new):
    found = list(pattern.finditer(data))
    if not found:
        return data
    match = found[int(rng.integers(len(found)))]
    return data[: match.start()] + new(match.group()) + data[match.end() :]


def change_number(data, seeds, rng):
    return _replaced(data, NUMBER, rng, lambda _: NUMBERS[int(rng.integers(len(NUMBERS)))])


def swap_words(data, seeds, rng):
    words = WORD.findall(data) or [b"x"]
    return _replaced(data, WORD, rng, lambda _: words[int(rng.integers(len(words)))])


def misspell(data, seeds, rng):
    def wrong(word):
        at = int(rng.integers(len(word)))
        return word[:at] + word[at + 1 :] if len(word) > 1 else word + word

    return _replaced(data, WORD, rng, wrong)


def swap_tokens(data, seeds, rng):
    tokens = TOKEN.findall(data)
    if len(tokens) < 2:
        return data
    i, j = (int(k) for k in rng.integers(len(tokens), size=2))
    tokens[i], tokens[j] = tokens[j], tokens[i]
    return b"".join(tokens)


def drop_token(data, seeds, rng):
    return _replaced(data, TOKEN, rng, lambda _: b"")


def _lines(change):
    def mutation(data, seeds, rng):
        lines = data.splitlines(keepends=True)
        return b"".join(change(lines, int(rng.integers(len(lines))), rng)) if lines else data

    return mutation


def _move(lines, i, rng):
    line = lines.pop(i)
    lines.insert(int(rng.integers(len(lines) + 1)), line)
    return lines


drop_line = _lines(lambda lines, i, rng: lines[:i] + lines[i + 1 :])
double_line = _lines(lambda lines, i, rng: [*lines[: i + 1], *lines[i:]])
indent_line = _lines(lambda lines, i, rng: [*lines[:i], b" " * int(rng.integers(1, 5)) + lines[i], *lines[i + 1 :]])
outdent_line = _lines(lambda lines, i, rng: [*lines[:i], lines[i].lstrip(b" "), *lines[i + 1 :]])
move_line = _lines(_move)


def nest(data, seeds, rng):
    opening, closing = ((b"[", b"]"), (b"{a: ", b"}"), (b"<a>", b"</a>"))[int(rng.integers(3))]
    depth, at = int(rng.choice([3, 60, 3000])), _place(data, rng)
    return data[:at] + opening * depth + closing * int(rng.choice([0, depth])) + data[at:]


MUTATIONS = (
    flip_bits, insert_bytes, insert_nasty, delete_span, repeat_span, truncate, splice, change_number, change_number,
    change_number, swap_words, swap_words, misspell, misspell, swap_tokens, drop_token, drop_line, double_line,
    indent_line, outdent_line, move_line, nest,
)  # fmt: skip
