"""Make the pages of docs/validation and their plots: `python docs/make_validation.py`.

Runs the tests of `tests/reference` and writes down every number that they compare with a reference: what is told there
is what the tests assert, with the same tolerances. Ends with status 1, and says so in the page, if a comparison fails.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")
import matplotlib.pyplot as plt

DOCS = Path(__file__).parent
REFERENCE = DOCS.parent / "tests" / "reference"
PICTURES = DOCS / "pictures" / "validation"
sys.path[:0] = [str(REFERENCE), str(REFERENCE.parent)]

import cases  # noqa: E402
import near  # noqa: E402

HEAD = """# Validation

These problems have known answers. Each model is built from the public interface, as a user would build it. The
reference values come from closed forms, published tables and independent programs; each case names its source.

`python docs/make_validation.py` runs all cases and writes these pages. The tests in `tests/reference` assert the same
numbers within the same tolerances, many of them with several solvers and coordinates.
"""
FAMILIES = {  # first letter of the cases -> name of the page, title, what it has
    "R": ("rigid", "Rigid bodies and trees", "Pendulums, tops, rolling, chains: open trees of rigid bodies."),
    "L": ("loops", "Closed loops", "Mechanisms with closed loops, redundant constraints and singular positions."),
    "C": ("contact", "Contact, impact and friction", "Impacts, Coulomb friction, complementarity problems."),
    "F": ("flexible", "Beams and flexible bodies", "Beams in large deformation, modes, flexible mechanisms."),
    "M": ("motors", "Motors and bond graphs", "DC motors, reducers and a robot driven by them."),
    "V": ("vehicles", "Bicycle and human body", "Stability of a bicycle; a body of sixteen segments."),
    "X": ("exudyn", "Examples of Exudyn", "Test models of the Exudyn package with their published results."),
}
FEW = 25  # instants: too few for a line
FAMILY_NOTE = """\
Each table lists what was compared. Where a row stands for many numbers, *reference* and *duoti* are the pair that
differs most. The last column is the time of the whole test on one shared processor, with building the model.
Lines and crosses in the plots are duoti's, circles the reference. Where no motion is compared, dots show the error of
each number as a fraction of its tolerance.
"""


@dataclass
class Test:
    """A test, with what it compared."""

    name: str
    seconds: float = 0.0
    failed: str = ""
    found: list[tuple[str, near.Comparison]] = field(default_factory=list)


class Listener:
    """A plugin of pytest that keeps the comparisons of every test."""

    def __init__(self) -> None:
        self.tests: dict[str, Test] = {}
        self.current: Test | None = None
        self.mark = 0

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """A test begins."""
        self.current = self.tests.setdefault(item.nodeid, Test(item.name))
        self.mark = len(cases.opened)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test has ended."""
        test = self.tests[report.nodeid]
        test.seconds += report.duration
        if report.failed:
            test.failed = str(report.longrepr).strip().splitlines()[-1]

    def hear(self, comparison: near.Comparison) -> None:
        """Keep a comparison, under the name of its case."""
        assert self.current is not None
        if opened := cases.opened[self.mark :]:
            self.current.found.append((opened[-1], comparison))
        elif named := re.match(r"test_([A-Z]\d+[a-z]?)_", self.current.name):
            (path,) = cases.DATA.glob(f"{named[1]}_*.json")
            self.current.found.append((path.stem, comparison))


def anchor(heading: str) -> str:
    """What MkDocs makes of a heading in an address."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def number(value: complex) -> str:
    """As it stands in the table."""
    return f"{value:.7g}"


def row(test: Test, found: near.Comparison) -> str:
    """A line of the table."""
    got, wanted = np.broadcast_arrays(found.got, found.wanted)
    at = np.unravel_index(np.argmax(np.abs(got - wanted)), got.shape) if got.size else ()
    pair = (number(wanted[at].item()), number(got[at].item())) if got.size else ("", "")
    count = "" if got.size <= 1 else f" ({got.size} numbers)"
    how = re.search(r"\[(.*)\]", test.name)
    verdict = "" if found.error <= found.tolerance else " **FAILED**"
    quantity = found.quantity.replace("|", "\\|")
    return (
        f"| `{quantity}`{count} | {how[1] if how else ''} | {pair[0]} | {pair[1]} | {found.error:.1e}{verdict} | "
        f"{found.tolerance:.1e} | {test.seconds:.2f} |"
    )


def draw(name: str, series: list[near.Comparison]) -> None:
    """A plot of what is compared over time: lines are ours, dots the reference."""
    shown = [each for each in series if each.times is not None and 5 <= len(each.times) <= 5000][:2]
    shown = [each for each in shown if np.ptp(each.wanted) > 0]
    if not shown:
        _draw_errors(name, series)
        return
    figure, axes = plt.subplots(1, len(shown), figsize=(4.2 * len(shown), 2.4), squeeze=False)
    for ax, each in zip(axes[0], shown, strict=True):
        got, wanted = (
            np.reshape(np.broadcast_to(x, each.got.shape), (len(each.times), -1)) for x in (each.got, each.wanted)
        )
        for k in range(min(3, got.shape[1])):
            few = len(each.times) < FEW
            (line,) = ax.plot(each.times, got[:, k], "x" if few else "-", ms=6, lw=1.2)
            some = slice(None, None, max(1, len(each.times) // 40))
            ax.plot(each.times[some], wanted[some, k], "o", ms=3, mfc="none", color=line.get_color())
        ax.set_title(each.quantity[:60], fontsize=7, family="monospace")
        ax.set_xlabel("t [s]", fontsize=7)
        ax.tick_params(labelsize=7)
        ax.grid(alpha=0.3)
    _save(figure, name)


def _draw_errors(name: str, found: list[near.Comparison]) -> None:
    """Error over tolerance of every comparison, on a logarithmic axis."""
    worst: dict[str, float] = {}
    for each in found:
        worst[each.quantity] = max(worst.get(each.quantity, 0.0), each.error / each.tolerance)
    shown = dict(list(worst.items())[:12])
    figure, ax = plt.subplots(figsize=(6.5, 0.7 + 0.2 * len(shown)))
    ratios = np.maximum(list(shown.values()), 1e-8)  # exact ones stand at the left end
    ax.plot(ratios, range(len(shown)), "o", ms=4)
    ax.axvline(1.0, color="tab:red", lw=1)
    ax.set(xscale="log", xlim=(5e-9, 3.0), ylim=(len(shown) - 0.5, -0.5))
    ax.set_yticks(range(len(shown)), [quantity[:48] for quantity in shown], fontsize=7, family="monospace")
    ax.set_xlabel("error / tolerance", fontsize=7)
    ax.tick_params(axis="x", labelsize=7)
    ax.grid(alpha=0.3)
    _save(figure, name)


def _save(figure: plt.Figure, name: str) -> None:
    figure.tight_layout()
    PICTURES.mkdir(parents=True, exist_ok=True)
    figure.savefig(PICTURES / f"{name}.png", dpi=80)
    plt.close(figure)


def worst_of(test: Test, name: str) -> list[near.Comparison]:
    """Of every quantity that a test compared for a case, the comparison that came nearest to its tolerance."""
    worst: dict[str, near.Comparison] = {}
    for case, each in test.found:
        if case == name:
            known = worst.get(each.quantity)
            if known is None or each.error / each.tolerance > known.error / known.tolerance:
                worst[each.quantity] = each
    return list(worst.values())


def plain(text: str) -> str:
    """A text of a case, in which signs of Markdown mean nothing."""
    return re.sub(r"(?<!\\)([*_<])", r"\\\1", text)


def section(name: str, tests: list[Test]) -> tuple[str, bool]:
    """The part of the page about one case, and whether all of it holds."""
    (path,) = cases.DATA.glob(f"{name}.json")
    data = json.loads(path.read_text(encoding="utf-8"))
    lines = [
        f"## {name.partition('_')[0]}: {data['name']}",
        "",
        plain(data["statement"]),
        "",
        f"*Source*: {plain(data['source'])}",
        "",
    ]
    found = [(test, each) for test in tests for case, each in test.found if case == name]
    draw(name, [each for _, each in found])
    lines += [f"![{data['name']}: duoti and the reference](../pictures/validation/{name}.png)", ""]
    lines += ["| quantity | variant | reference | duoti | error | tolerance | s |", "|---|---|---|---|---|---|---|"]
    lines += dict.fromkeys(row(test, each) for test, each in found)
    return "\n".join([*lines, ""]), all(each.error <= each.tolerance for _, each in found)


def main() -> int:
    """Run the tests, write the page."""
    listener = Listener()
    near.listener = listener.hear
    options = ["-q", "-p", "no:cacheprovider", "-n", "0", "--full", "-k", "not implicit_cases"]
    pytest.main([*options, str(REFERENCE)], plugins=[listener])
    near.listener = None
    tests = list(listener.tests.values())
    if not any(test.found for test in tests):
        print("nothing was compared: the page stays as it is")
        return 1
    names = sorted({case for test in tests for case, _ in test.found})
    sections = {name: section(name, tests) for name in names}
    planned = json.loads((REFERENCE / "not_yet.json").read_text(encoding="utf-8"))
    parts = [HEAD]
    for letter, (page, title, what) in FAMILIES.items():
        family = [name for name in names if name.startswith(letter)]
        parts += [f"## [{title}]({page}.md)\n\n{what}\n", "| case | holds | comparisons | largest error / tolerance |",
                  "|---|---|---|---|"]  # fmt: skip
        for name in family:
            text, holds = sections[name]
            found = [each for test in tests for case, each in test.found if case == name]
            worst = max(each.error / each.tolerance for each in found)
            heading = text.splitlines()[0].removeprefix("## ")
            verdict = "yes" if holds else "**no**"
            parts.append(f"| [{heading}]({page}.md#{anchor(heading)}) | {verdict} | {len(found)} | {worst:.1e} |")
        parts.append("")
        texts = [f"# Validation: {title}\n\n{what}\n\n{FAMILY_NOTE}", *(sections[name][0] for name in family)]
        (DOCS / "validation" / f"{page}.md").write_text("\n".join(texts), encoding="utf-8")
    waiting = [
        f"| {short} {title} | {what} |"
        for short, (title, what) in planned.items()
        if not any(n.startswith(short + "_") for n in names)
    ]
    if waiting:
        parts += ["## Not yet within reach", "", "| case | what it needs |", "|---|---|", *waiting, ""]
    (DOCS / "validation" / "index.md").write_text("\n".join(parts), encoding="utf-8")
    failed = [test.name for test in tests if test.failed]
    print(
        f"{len(sections)} cases, {sum(len(t.found) for t in tests)} comparisons; tests that failed: {failed or 'none'}"
    )
    return 1 if failed or not all(holds for _, holds in sections.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
