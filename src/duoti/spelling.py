"""Names that were probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MOST_COMPARED = 20_000  # comparing with more would take seconds


def with_article(noun: str) -> str:
    """ "a box", "an extrusion", "a universal joint"."""
    word = noun.lower()
    sounds_like_a_consonant = word.startswith(("uni", "use", "uti", "one", "eu"))
    return f"an {noun}" if word[:1] in "aeiou" and word[:1] and not sounds_like_a_consonant else f"a {noun}"


def nearest(name: object, known: Iterable[str], most: int = 1) -> list[str]:
    """Known names that are spelt much like `name`, the nearest first.

    Alike are words of which one is a part of the other, or that differ in at most a third of their letters: "crnak" and
    "crank", "spring" and "joint_spring", but not "friction" and "attraction".
    """
    word, candidates = str(name).lower(), list(known)
    if len(candidates) > MOST_COMPARED:
        candidates = [k for k in candidates if k[:1].lower() == word[:1]][:MOST_COMPARED]
    by_lower = {k.lower(): k for k in candidates}
    close = get_close_matches(word, by_lower, n=most, cutoff=0.6)
    return [by_lower[k] for k in close if _alike(word, k)]


def _alike(a: str, b: str) -> bool:
    if min(len(a), len(b)) >= 3 and (a in b or b in a):
        return True
    return _distance(a, b) <= max(2, max(len(a), len(b)) // 3)


def _distance(a: str, b: str) -> int:
    """Letters to insert, leave out, change, or exchange with their neighbours (optimal string alignment)."""
    before, row = list[int](), list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        earlier, before, row = before, row, [i]
        for j, y in enumerate(b, start=1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y)))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                row[j] = min(row[j], earlier[j - 2] + 1)
    return row[-1]


def did_you_mean(name: str, known: Iterable[str], or_list: bool = True) -> str:
    """' Did you mean ...?' with the nearest known names, or (`or_list`) the list of them if it is short, or nothing."""
    names = sorted({str(n) for n in known})  # a wrong name may be no text at all
    near = nearest(str(name), names, most=3)
    if near:
        return f" Did you mean {' or '.join(repr(n) for n in near)}?"
    if or_list and 0 < len(names) <= 8:
        return f" There are: {', '.join(names)}."
    return ""
