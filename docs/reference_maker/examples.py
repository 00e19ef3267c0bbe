"""The examples of the pages: `docs/reference_examples/GROUP/NAME.py`, run, and written as a model file."""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import re
import tempfile
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

import duoti as dt
from duoti.analyses.simulate.named_options import CONSTRAINT_METHODS, SOLVERS
from duoti.analyses.study.registry import ANALYSES, TASKS, analysis_fields
from duoti.formats import from_text, to_text
from duoti.formats.yaml.values import INERTIAS

FOLDER = Path(__file__).parents[1] / "reference_examples"
MODEL = "m"
"""The name that examples give to their model."""


@dataclass
class Example:
    """What it shows, its code, what it prints, and what it made."""

    text: str
    code: str
    printed: str
    names: dict[str, Any]

    @property
    def model(self) -> dt.Model | None:
        """The model of the example, if it has one."""
        found = self.names.get(MODEL)
        return found if isinstance(found, dt.Model) else None


def path_of(group: str, name: str) -> Path:
    """The file of an example."""
    return FOLDER / group / f"{name}.py"


@cache
def example_of(group: str, name: str) -> Example | None:
    """The example of a page, run; None if there is none."""
    path = path_of(group, name)
    if not path.exists():
        return None
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    text = ast.get_docstring(tree) or ""
    code = source.partition('"""\n')[2].strip("\n") + "\n" if text else source
    names: dict[str, Any] = {"__name__": "example"}
    printed = io.StringIO()
    with (
        tempfile.TemporaryDirectory() as folder,  # for the files that examples write
        contextlib.chdir(folder),
        contextlib.redirect_stdout(printed),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        exec(compile(source, str(path), "exec"), names)
    return Example(text, code, printed.getvalue(), names)


# ------------------------------------------------------------------------------------------------------- model files


def yaml_of(example: Example) -> str:
    """The model of an example as a model file, with the analysis that the example does; "" if it has none."""
    model = example.model
    if model is None:
        return ""
    calls = [node for node in ast.walk(ast.parse(example.code)) if isinstance(node, ast.Call)]
    for call in calls:
        _add_task(model, call)
    try:
        plain = to_text(model)
    except dt.ModelError:  # Python functions
        return ""
    pretty = _with_inertias(plain, calls)
    return pretty if same(from_text(pretty), model) else plain


def same(loaded: dt.Model, model: dt.Model) -> bool:
    """Whether a model that was loaded has the numbers of another one."""
    loaded.sources.clear()  # how the file wrote them
    return _numbers(yaml.safe_load(to_text(loaded))) == _numbers(yaml.safe_load(to_text(model)))


def _numbers(data: Any) -> Any:
    """The data with all numbers as floats of fifteen digits."""
    if isinstance(data, dict):
        return {str(key): _numbers(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_numbers(value) for value in data]
    is_number = isinstance(data, int | float) and not isinstance(data, bool)
    return float(f"{data:.14g}") if is_number else data


def _name_of(call: ast.Call) -> str:
    name = ast.unparse(call.func)
    return name.removeprefix("dt.").removeprefix("analyses.") if name.startswith("dt.") else ""


def _add_task(model: dt.Model, call: ast.Call) -> None:
    """`dt.simulate(m, duration=2.0, solver=dt.RK4(step=0.01))` as the section `simulate:` of a file."""
    kind = {"compare_constraint_methods": "compare_treatments"}.get(_name_of(call), _name_of(call))
    if kind not in ANALYSES or not call.args or ast.unparse(call.args[0]) != MODEL:
        return
    try:
        bound = _bound(ANALYSES[kind], call)
    except ValueError:
        return
    bound = {key: value for key, value in bound.items() if key != "model"}
    if set(bound) - set(analysis_fields(kind)):
        return
    if kind in TASKS:
        model.tasks.setdefault(kind, bound)
    else:
        model.tasks.setdefault("analyses", {}).setdefault(kind, {"type": kind, **bound})


def _bound(function: Any, call: ast.Call) -> dict[str, Any]:
    """Arguments of a call by name, as plain data; ValueError if some are not."""
    names = [p for p in inspect.signature(function).parameters if p not in ("self", "cls")]
    if len(call.args) > len(names):
        raise ValueError("too many arguments")
    given = {**dict(zip(names, call.args, strict=False)), **{k.arg: k.value for k in call.keywords}}
    return {str(name): _plain(node) for name, node in given.items() if name != "model"}


def _plain(node: ast.AST) -> Any:
    if isinstance(node, ast.Call):
        name = _name_of(node)
        for types in (SOLVERS, CONSTRAINT_METHODS):
            for kind in types:
                if types[kind].__name__ == name:
                    given = _bound(types[kind], node)
                    return {"type": kind, **given} if given else kind
        raise ValueError(name)
    if isinstance(node, ast.List):
        return [_plain(each) for each in node.elts]
    return ast.literal_eval(node)


def _with_inertias(text: str, calls: list[ast.Call]) -> str:
    """`inertia: {rod: {mass: 1.0, length: 1.0, axis: z}}` in place of the numbers, as the example wrote it."""
    text = re.sub(r"inertia: \{mass: (\S+), matrix: \[0\.0, 0\.0, 0\.0\]\}", r"inertia: {point: {mass: \1}}", text)
    for call in calls:
        if ast.unparse(call.func) != f"{MODEL}.add_body" or len(call.args) < 2:
            continue
        name, inertia = call.args[:2]
        if not isinstance(name, ast.Constant) or not isinstance(inertia, ast.Call):
            continue
        kind = _name_of(inertia).removeprefix("Inertia.")
        if kind not in INERTIAS:
            continue
        try:
            given = _bound(INERTIAS[kind], inertia)
        except ValueError:
            continue
        inner = ", ".join(f"{key}: {_flow(value)}" for key, value in given.items())
        block = re.compile(
            rf"^  {re.escape(str(name.value))}:\n    inertia:(?:\n(?:      .*\n)+| \{{.*\n)", re.MULTILINE
        )
        text = block.sub(f"  {name.value}:\n    inertia: {{{kind}: {{{inner}}}}}\n", text)
        line = re.compile(rf"^(  {re.escape(str(name.value))}:\n)((?:    .*\n)+)", re.MULTILINE)
        text = line.sub(_on_one_line, text, count=1)
    return text


def _on_one_line(found: re.Match[str]) -> str:
    inner = ", ".join(line.strip() for line in found[2].splitlines())
    one = f"{found[1].rstrip()} {{{inner}}}\n"
    return one if len(one) <= 120 and "\n      " not in found[2] else found[0]


def _flow(value: Any) -> str:
    if isinstance(value, tuple | list):
        return f"[{', '.join(_flow(each) for each in value)}]"
    return str(value).lower() if isinstance(value, bool) else str(value)
