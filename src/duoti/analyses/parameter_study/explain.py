"""What a study will do, in words, before it does it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from duoti.analyses.parameter_study.digest import digest
from duoti.analyses.parameter_study.engine import study_key
from duoti.analyses.parameter_study.measures import Measure
from duoti.analyses.parameter_study.store import RunStore
from duoti.analyses.parameter_study.study import SAMPLE, Explanation
from duoti.analyses.simulate.outputs import in_bytes


def explain(study: Any, executor: Any, store: str | Path | None) -> Explanation:
    """See `Study.explain`."""
    runs, done = len(study), 0
    if store is not None and Path(store).exists():
        points, key = study.points(), study_key(study._job)
        columns = {name: np.asarray(each).tolist() for name, each in points.items()}
        with RunStore(store) as kept:
            keys = [digest(key, {name: columns[name][k] for name in columns}) for k in range(runs)]
            done = len(kept.read(list(dict.fromkeys(keys))))
    workers = study._workers(executor)
    each = study._time_one()
    seconds = max(runs - done, 0) * each / max(min(workers, runs), 1)
    memory, of_run = study._memory()
    shape = " x ".join(f"{length} {name}" for name, length in study.dimensions.items())
    lines = [f"study of {study._system.model.name!r}: {runs} runs ({shape})"]
    if store is not None:
        lines.append(f"  in the store  {done} of {runs}")
    lines.append(f"  one run       {_seconds(each)}, {len(study._job.times)} outputs, {study._choice.solver!r}")
    lines.append(f"  all runs      about {_seconds(seconds)} on {workers} worker{'s' if workers > 1 else ''}")
    lines.append(f"  memory        {in_bytes(memory)} of results, {in_bytes(of_run)} of states for each run at work")
    lines.append("  varies")
    wide = max(len(name) for name in study.names)
    for name in study.names:
        unit = f" [{study._units[name]}]" if study._units[name] else ""
        lines.append(f"    {name.ljust(wide)}  {_values(study, name)}{unit}")
    if study._drawn:
        lines.append(f"    {SAMPLE.ljust(wide)}  {study.sampling}, seed {study.seed}")
    lines.append("  keeps")
    wide = max(len(name) for name in study.measures)
    for name, measure in study._job.measures.items():
        if isinstance(measure, Measure):
            unit = f" [{measure.unit}]" if measure.unit else ""
            series = f", {len(study._job.times)} times" if measure.is_series else ""
            lines.append(f"    {name.ljust(wide)}  {measure.text}{unit}{series}")
        else:
            lines.append(f"    {name.ljust(wide)}  {getattr(measure, '__name__', repr(measure))}(result)")
    return Explanation(runs, done, study.dimensions, each, workers, seconds, memory, "\n".join(lines))


def _values(study: Any, name: str) -> str:
    if name in study._drawn:
        return repr(study._drawn[name])
    values = study._axes[name] if name in study._axes else study._given[name]
    if len(values) <= 5 or values.dtype.kind not in "fiu":
        return ", ".join(f"{x:g}" if values.dtype.kind in "fiu" else str(x) for x in values.tolist())
    kind = "given samples" if name in study._given else "values"
    return f"{len(values)} {kind} from {values.min():g} to {values.max():g}"


def _seconds(value: float) -> str:
    if value < 1e-3:
        return f"{1e6 * value:.2g} us"
    if value < 1.0:
        return f"{1e3 * value:.3g} ms"
    if value < 120.0:
        return f"{value:.1f} s"
    return f"{value / 60:.0f} min" if value < 7200.0 else f"{value / 3600:.1f} h"
