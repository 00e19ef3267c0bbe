"""Results as JSON, one file for each commit, and the page that is made of them: docs/benchmarks.md with its figure."""

from __future__ import annotations

import json
import platform
import subprocess
from dataclasses import asdict
from html import escape
from math import ceil, floor, log10
from pathlib import Path
from typing import Any

from benchmarks.harness import CASES, Row, all_cases

REPOSITORY = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).parent / "results"
PAGE = REPOSITORY / "docs" / "benchmarks.md"
FIGURE = REPOSITORY / "docs" / "pictures" / "benchmarks.svg"
BEGIN, END = "<!-- table: made by python -m benchmarks -->", "<!-- end of the table -->"


# ------------------------------------------------------------------------------------------------------------- results


def commit() -> tuple[str, bool]:
    """The commit of this checkout, and whether files differ from it."""

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=REPOSITORY, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", "src")
    return git("rev-parse", "--short=10", "HEAD") or "unknown", bool(changed)


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def write_results(rows: list[Row], file: Path | None = None) -> Path:
    """Write rows to a file, otherwise to that of the commit; rows of other cases that are there stay."""
    name, changed = commit()
    file = file or RESULTS / f"{name}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    before = json.loads(file.read_text("utf-8"))["rows"] if file.exists() else []
    kept = {row["name"]: row for row in before} | {row.name: asdict(row) for row in rows}
    found = {
        "commit": name, "sources_changed": changed, "processor": processor(), "python": platform.python_version(),
        "rows": list(kept.values()),
    }  # fmt: skip
    file.write_text(json.dumps(rounded(found), indent=1) + "\n", "utf-8")
    return file


def rounded(value: Any) -> Any:
    """Numbers with four digits."""
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def newest() -> dict[str, Row]:
    """The newest row with a ratio of each case, over all files of results."""
    rows: dict[str, Row] = {}
    for file in sorted(RESULTS.glob("*.json"), key=lambda each: (latest(each), each.name)):
        for found in json.loads(file.read_text("utf-8"))["rows"]:
            row = Row(**found)
            if row.ratio is not None and (row.name not in rows or row.date >= rows[row.name].date):
                rows[row.name] = row
    return rows


def latest(file: Path) -> str:
    return max((row["date"] for row in json.loads(file.read_text("utf-8"))["rows"]), default="")


# --------------------------------------------------------------------------------------------------------------- words


def time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def number(value: float) -> str:
    mantissa, _, exponent = f"{value:.0e}".partition("e")
    return "0" if value == 0 else f"{mantissa}e{int(exponent)}"


def errors(row: Row) -> str:
    """Of both sides, or how far their results are apart."""
    unit = f" {row.unit}" if row.unit else ""
    ours, theirs = row.ours.get("error"), row.theirs.get("error")
    if ours is not None and theirs is not None:
        return f"{number(ours)} / {number(theirs)}{unit}"
    if row.differ is not None:
        return f"agree to {number(row.differ)}{unit}"
    return "" if ours is None else f"{number(ours)}{unit}"


def ratio(value: float) -> str:
    return f"{value:.0f}" if value >= 20 else f"{value:.1f}" if value >= 2 else f"{value:.2f}"


# ---------------------------------------------------------------------------------------------------------------- page


def table(rows: list[Row]) -> str:
    lines = [
        "| case | peer | ratio | error: duoti / peer | target | date |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        assert row.ratio is not None
        goal = "" if row.target is None else f"{row.target:g}" if row.met else f"{row.target:g}, missed"
        peer = f"{row.peer} {row.version}" if row.version.count(",") == 0 else row.peer
        lines.append(f"| {row.name} | {peer} | {ratio(row.ratio)} | {errors(row)} | {goal} | {row.date} |")
    return "\n".join(lines)


def make() -> None:
    """Replace the table of the page, and draw the figure."""
    found = newest()
    rows = [found[name] for name, case in all_cases().items() if case.shown and name in found]
    without = [name for name, case in CASES.items() if case.shown and name not in found]
    text = PAGE.read_text("utf-8")
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    more = "\n\nNot measured yet:\n\n" + "\n".join(f"- {name}" for name in without) if without else ""
    PAGE.write_text(f"{head}{BEGIN}\n{table(rows)}{more}\n{END}{tail}", "utf-8")
    FIGURE.write_text(figure(rows), "utf-8")


COLOURS = {
    "Pinocchio": "#4e79a7", "MuJoCo": "#f28e2b", "Exudyn": "#59a14f", "IDA": "#b07aa1", "scikit-fem, SciPy": "#9c755f",
    "NumPy": "#76b7b2", "Numba": "#edc948", "PythonFMU3": "#e15759",
}  # fmt: skip


def figure(rows: list[Row]) -> str:
    """Bars of the ratios on a logarithmic axis, from 1 to the right where duoti is faster."""
    left, right, high, top, width = 340, 60, 21, 66, 880
    ratios = [row.ratio for row in rows if row.ratio]
    first, last = floor(2 * log10(min([*ratios, 0.5]))) / 2, ceil(2 * log10(max([*ratios, 10.0]))) / 2

    def x(value: float) -> float:
        return left + (width - left - right) * (log10(value) - first) / (last - first)

    height = top + high * len(rows) + 44
    font = 'font-family="Helvetica, Arial, sans-serif"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'{font} font-size="12.5">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{left}" y="20" font-size="15" font-weight="bold">Time of the peer / time of duoti</text>',
        f'<text x="{x(1.0) - 8:.1f}" y="{height - 26}" text-anchor="end" font-size="11" fill="#777">peer faster</text>',
        f'<text x="{x(1.0) + 8:.1f}" y="{height - 26}" font-size="11" fill="#777">duoti faster</text>',
    ]
    at = left
    for peer in dict.fromkeys(row.peer for row in rows):
        parts.append(f'<rect x="{at}" y="31" width="11" height="11" fill="{COLOURS[peer]}"/>')
        parts.append(f'<text x="{at + 16}" y="41" fill="#444">{escape(peer)}</text>')
        at += 34 + 7 * len(peer)
    for power in range(ceil(2 * first), floor(2 * last) + 1):
        if power % 2:
            continue
        value = 10.0 ** (power / 2)
        bold = power == 0
        parts.append(
            f'<line x1="{x(value):.1f}" x2="{x(value):.1f}" y1="{top - 8}" y2="{height - 24}" '
            f'stroke="{"#222" if bold else "#d8d8d8"}" stroke-width="{1.4 if bold else 1}"/>'
        )
        parts.append(f'<text x="{x(value):.1f}" y="{height - 8}" text-anchor="middle" fill="#444">{value:g}</text>')
    for k, row in enumerate(rows):
        assert row.ratio is not None
        y = top + high * k
        start, end = sorted((x(1.0), x(row.ratio)))
        parts.append(f'<text x="{left - 10}" y="{y + 12}" text-anchor="end" fill="#222">{escape(row.name)}</text>')
        parts.append(
            f'<rect x="{start:.1f}" y="{y + 1}" width="{max(end - start, 1):.1f}" height="{high - 7}" '
            f'fill="{COLOURS[row.peer]}"/>'
        )
        parts.append(f'<text x="{max(end, x(1.0)) + 6:.1f}" y="{y + 12}" fill="#222">{ratio(row.ratio)}</text>')
    parts.append("</svg>")
    return "\n".join(parts) + "\n"
