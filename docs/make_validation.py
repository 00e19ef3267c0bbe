"""Make docs/validation/index.md and its plots: `python docs/make_validation.py`.

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

Problems with known answers, each built from the public interface as a user would build it. The numbers come from
closed forms, published tables and independent programs; the source stands with each. `python docs/make_validation.py`
runs them all and writes this page; the tests of the package assert the same numbers within the same tolerances
(`tests/reference`), many of them with other solvers and coordinates too.

Where many numbers are compared, *reference* and *duoti* are those that differ most. The time is that of the whole test,
with the model built and compiled, on one shared processor.
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


def draw(name: str, series: list[near.Comparison]) -> bool:
    """A plot of what is compared over time: lines are ours, dots the reference."""
    shown = [each for each in series if each.times is not None and 5 <= len(each.times) <= 5000][:2]
    shown = [each for each in shown if np.ptp(each.wanted) > 0]
    if not shown:
        return False
    figure, axes = plt.subplots(1, len(shown), figsize=(4.2 * len(shown), 2.4), squeeze=False)
    for ax, each in zip(axes[0], shown, strict=True):
        got, wanted = (
            np.reshape(np.broadcast_to(x, each.got.shape), (len(each.times), -1)) for x in (each.got, each.wanted)
        )
        for k in range(min(3, got.shape[1])):
            (line,) = ax.plot(each.times, got[:, k], lw=1.2)
            some = slice(None, None, max(1, len(each.times) // 40))
            ax.plot(each.times[some], wanted[some, k], "o", ms=3, mfc="none", color=line.get_color())
        ax.set_title(each.quantity[:60], fontsize=7, family="monospace")
        ax.set_xlabel("t [s]", fontsize=7)
        ax.tick_params(labelsize=7)
        ax.grid(alpha=0.3)
    figure.tight_layout()
    PICTURES.mkdir(parents=True, exist_ok=True)
    figure.savefig(PICTURES / f"{name}.png", dpi=80)
    plt.close(figure)
    return True


def worst_of(test: Test, name: str) -> list[near.Comparison]:
    """Of every quantity that a test compared for a case, the comparison that came nearest to its tolerance."""
    worst: dict[str, near.Comparison] = {}
    for case, each in test.found:
        if case == name:
            known = worst.get(each.quantity)
            if known is None or each.error / each.tolerance > known.error / known.tolerance:
                worst[each.quantity] = each
    return list(worst.values())


def section(name: str, tests: list[Test]) -> tuple[str, bool]:
    """The part of the page about one case, and whether all of it holds."""
    (path,) = cases.DATA.glob(f"{name}.json")
    data = json.loads(path.read_text(encoding="utf-8"))
    lines = [
        f"### {name.partition('_')[0]}: {data['name']}",
        "",
        f"{data['statement']}",
        "",
        f"*Source*: {data['source']}",
        "",
    ]
    found = [(test, each) for test in tests for case, each in test.found if case == name]
    if draw(name, [each for _, each in found]):
        lines += [f"![{name}](../pictures/validation/{name}.png)", ""]
    lines += ["| quantity | variant | reference | duoti | error | tolerance | s |", "|---|---|---|---|---|---|---|"]
    lines += dict.fromkeys(row(test, each) for test, each in found)
    return "\n".join([*lines, ""]), all(each.error <= each.tolerance for _, each in found)


def main() -> int:
    """Run the tests, write the page."""
    listener = Listener()
    near.listener = listener.hear
    options = ["-q", "-p", "no:cacheprovider", "-n", "0", "-k", "not implicit_cases"]
    pytest.main([*options, str(REFERENCE)], plugins=[listener])
    near.listener = None
    tests = list(listener.tests.values())
    if not any(test.found for test in tests):
        print("nothing was compared: the page stays as it is")
        return 1
    names = sorted({case for test in tests for case, _ in test.found})
    sections = {name: section(name, tests) for name in names}
    planned = json.loads((REFERENCE / "not_yet.json").read_text(encoding="utf-8"))
    table = ["| case | holds | comparisons | largest error / tolerance |", "|---|---|---|---|"]
    for name, (_, holds) in sections.items():
        found = [each for test in tests for case, each in test.found if case == name]
        worst = max(each.error / each.tolerance for each in found)
        short, title = name.partition("_")[0], sections[name][0].splitlines()[0].partition(": ")[2]
        table.append(f"| {short} {title} | {'yes' if holds else '**no**'} | {len(found)} | {worst:.1e} |")
    waiting = [
        f"| {short} {title} | {what} |"
        for short, (title, what) in planned.items()
        if not any(n.startswith(short + "_") for n in names)
    ]
    parts = [HEAD, *table, ""]
    if waiting:
        parts += ["## Not yet within reach", "", "| case | what it needs |", "|---|---|", *waiting, ""]
    parts += ["## Case by case", "", *(text for text, _ in sections.values())]
    (DOCS / "validation" / "index.md").write_text("\n".join(parts), encoding="utf-8")
    failed = [test.name for test in tests if test.failed]
    print(
        f"{len(sections)} cases, {sum(len(t.found) for t in tests)} comparisons; tests that failed: {failed or 'none'}"
    )
    return 1 if failed or not all(holds for _, holds in sections.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
