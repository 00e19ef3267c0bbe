"""The command: `python -m benchmarks --help`."""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

from benchmarks import against, page
from benchmarks.harness import Row, all_cases, measure


def told(row: Row) -> str:
    """One line about a case."""
    if row.ratio is None:
        taken = f" ({page.time(row.ours['seconds'])})" if row.ours.get("seconds") else ""
        return f"{row.name:46} {row.peer:18} {row.note}{taken}"
    goal = "" if row.target is None else f"target {row.target:g} {'met' if row.met else 'MISSED'}"
    return (
        f"{row.name:46} {row.peer:18} {row.ratio:8.2f}  ({row.low:.2f} to {row.high:.2f}, {row.rounds} rounds; "
        f"duoti {page.time(row.ours['seconds'])})  {page.errors(row):24} {goal}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Speed of duoti beside other packages.")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="cases whose names contain this")
    parser.add_argument("--all", action="store_true", help="every case, not only those of the page")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write results here, and leave the page alone")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=30.0, help="no more rounds of a case after so long")
    parser.add_argument("--against", type=Path, metavar="PATH", help="compare with another checkout of duoti instead")
    parser.add_argument("--list", action="store_true", help="name the cases")
    parser.add_argument("--page", action="store_true", help="only make the page anew from the results")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    cases = all_cases()
    wanted = {name: each for name, each in cases.items() if each.shown or given.all or given.list}
    if given.only:
        wanted = {name: each for name, each in cases.items() if any(part in name for part in given.only)}
    if not wanted:
        parser.error(f"there is no case {', '.join(given.only)}; there are: {'; '.join(cases)}")
    if given.list:
        for name, each in wanted.items():
            print(f"{name:50} {each.peer:18} {'' if each.target is None else f'>= {each.target:g}'}")
        return 0
    if given.serve:
        against.serve(wanted)
        return 0
    if given.against:
        return 0 if against.compare(given.against, wanted, given.rounds, given.seconds) else 1
    if given.page:
        page.make()
        return 0
    rows: list[Row] = []
    for each in wanted.values():
        rows.append(measure(each, given.rounds, given.seconds))
        print(told(rows[-1]), flush=True)
    page.write_results(rows, given.json)
    if given.json is None:
        page.make()
    return 0 if all(row.note.startswith(("not", "no peer")) or (row.met and not row.note) for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
