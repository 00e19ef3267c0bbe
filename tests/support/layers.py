"""The three layers of the tests, and which one a test belongs to (CONTRIBUTING.md, "Tests")."""

from __future__ import annotations

SHORT, FULL, CAMPAIGN = "short", "full", "campaign"


def layers_of(items):
    """The layer of each test by its identifier, from the markers `campaign`, `full` and `sample`."""
    families = {}
    for item in items:
        families.setdefault(item.nodeid.partition("[")[0], []).append(item)
    found = {}
    for family in families.values():
        short = _short(family)
        for item in family:
            campaign = item.get_closest_marker(CAMPAIGN)
            found[item.nodeid] = CAMPAIGN if campaign else SHORT if item.nodeid in short else FULL
    return found


def _short(family):
    """Those of the cases of a test function that are in the short layer."""
    cases = {item.nodeid: item for item in family if item.get_closest_marker(CAMPAIGN) is None}
    for item in list(cases.values()):
        for mark in item.iter_markers(FULL):  # of the function or its file: all cases, or those that it names
            if not mark.args or _named(item.nodeid, mark.args):
                cases.pop(item.nodeid, None)
    mark = next((mark for item in family[:1] for mark in item.iter_markers("sample")), None)
    if mark is None:
        return set(cases)
    (first, *_) = mark.args
    if isinstance(first, int):
        return {list(cases)[k * len(cases) // first] for k in range(first)} if first < len(cases) else set(cases)
    return {case for case in cases if _named(case, mark.args)}


def _named(nodeid, texts):
    """Whether the name of a case, the part of an identifier in brackets, has one of these texts in it."""
    return any(text in nodeid.partition("[")[2] for text in texts)


def unknown_cases(items):
    """Texts of the markers `full` and `sample` that are in the name of no case of their test."""
    missing = {}
    for item in items:
        test, _, case = item.nodeid.partition("[")
        for mark in item.iter_markers():
            for text in mark.args if mark.name in (FULL, "sample") else ():
                if isinstance(text, str):
                    missing[test, text] = missing.get((test, text), True) and text not in case
    return [f"{text!r} of {test}" for (test, text), absent in missing.items() if absent]


def selected(items, full, campaign, named):
    """The tests of a run with these options; `named`: files or tests were named, of which nothing is left out."""
    wanted = {SHORT}
    if full or named:
        wanted = {SHORT, FULL}
    if campaign:
        wanted = wanted | {CAMPAIGN} if full or named else {CAMPAIGN}
    layer = layers_of(items)
    return [item for item in items if layer[item.nodeid] in wanted]
