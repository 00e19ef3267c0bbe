"""The pages, as Markdown."""

from __future__ import annotations

import inspect
import math
import os
import re
import textwrap
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from duoti.bond.elements import ELEMENT_TYPES
from duoti.model.constructor_schema import Field, fields_of
from reference_maker.channels import channels_of
from reference_maker.docstring import Docstring, attribute_docstrings, docstring_of, listed_items
from reference_maker.examples import example_of, yaml_of
from reference_maker.links import GUIDES, THEORIES
from reference_maker.registry import BY_NAME, GROUPS, Item, items, returned_class

DOCS = Path(__file__).parents[1]
BOND_ELEMENTS = tuple(ELEMENT_TYPES.values())
ELEMENTS = ("joints", "forces", "constraints", "contacts")
SETTINGS = ("solvers", "constraint_methods")
NOT_MADE = {
    "Energy", "Stats", "EventRecord", "ImpactRecord", "Part", "Result", "System", "Topology",
    "DrivenResult", "EnergyFlow", "Mode", "Loop", "Path", "Prediction", "TreeJoint",
    "Matrices", "NamedMatrix", "Principal", "ExtremeProduct", "ImportNote", "ImportNotes", "Finding", "ContactSolution",
}  # fmt: skip
"""Classes that functions return: nobody calls their constructors."""
WITHOUT_FILE = ("analyses", "files", "results")
"""Groups whose examples are shown as a model file only if the file does the analysis itself."""
MADE = "<!-- Made by docs/make_reference.py: edit the docstring or the example, not this page. -->"
VALUES = {
    "law": "number, expression or function", "laws": "numbers, expressions or a function", "numbers": "numbers",
    "true or false": "`True` or `False`", "whole number": "integer", "data": "", "parts": "joints",
    "coefficients": "mapping joint → number", "laws by name": "mapping name → law",
}  # fmt: skip


# ------------------------------------------------------------------------------------------------------- small things


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A table, without columns that are empty."""
    used = [k for k in range(len(head)) if k == 0 or any(row[k] for row in rows)]
    lines = [[head[k] for k in used], ["---"] * len(used), *([row[k] for k in used] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def cell(text: str) -> str:
    """A text that can stand in a table: bars in formulas and code would end the cell."""
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))


def default_of(value: Any, required: bool) -> str:
    """A default as Python writes it."""
    if required:
        return "required"
    if value is None:
        return "`None`"
    if isinstance(value, float) and math.isinf(value):
        return "`inf`"
    shown = f'"{value}"' if isinstance(value, str) else repr(value)
    return f"`{shown}`"


def shown_unit(unit: str) -> str:
    """A unit with small figures; "–" for none."""
    return "–" if unit == "1" else unit.replace("^2", "²").replace("^3", "³").replace("^4", "⁴")


def relative(target: str, page: str) -> str:
    """A link from a page below docs/reference to a file below docs."""
    return os.path.relpath(target, os.path.dirname(f"reference/{page}")).replace(os.sep, "/")


@cache
def _by_title() -> dict[str, Item]:
    found: dict[str, Item] = {}
    for item in items():
        found.setdefault(item.title, item)
        found[item.spelled] = item
    return found


@cache
def _by_id() -> dict[int, Item]:
    return {id(item.thing): item for item in items()}


CODE = re.compile(r"(```.*?```)", re.DOTALL)
NAMED = re.compile(r"(?<![\[\w])`((?:dt\.|duoti\.)?[A-Za-z_][\w.]*)(\(\))?`(?!\])")


def linked(text: str, item: Item) -> str:
    """`Name` of something that has a page becomes a link to it."""

    def link(found: re.Match[str]) -> str:
        name = found[1].replace("duoti.", "dt.")
        meant = _by_title().get(name)
        short = len(name) == 1 or (name.islower() and "_" not in name and not name.startswith("dt."))
        if meant is None or meant == item or name in _own_names(item.thing) or short:
            return found[0]
        return f"[{found[0]}]({relative(f'reference/{meant.path}', item.path)})"

    text = re.sub(r"(?<!`)``(?!`)", "`", text)
    return "".join(part if part.startswith("```") else NAMED.sub(link, part) for part in CODE.split(text))


def _own_names(thing: Any) -> set[str]:
    try:
        return set(inspect.signature(thing).parameters)
    except (TypeError, ValueError):
        return set()


def signature_of(thing: Any, name: str) -> str:
    """A call with the names of its parameters, over several lines if it is long."""
    try:
        parameters = [p for p in inspect.signature(thing).parameters.values() if p.name not in ("self", "cls")]
    except (TypeError, ValueError):
        return f"{name}(...)"
    parts: list[str] = []
    star = False
    for p in parameters:
        if p.kind is p.VAR_POSITIONAL:
            star = True
            parts.append(f"*{p.name}")
        elif p.kind is p.VAR_KEYWORD:
            parts.append(f"**{p.name}")
        else:
            if p.kind is p.KEYWORD_ONLY and not star:
                star = True
                parts.append("*")
            required = p.default is p.empty or (isinstance(p.default, float) and math.isnan(p.default))
            parts.append(p.name if required else f"{p.name}={default_of(p.default, False).strip('`')}")
    line = f"{name}({', '.join(parts)})"
    if len(line) <= 92:
        return line
    lines = textwrap.wrap(", ".join(parts), 88, initial_indent="    ", subsequent_indent="    ")
    return "\n".join([f"{name}(", *lines, ")"])


SPELLINGS = {" | None": "", "Any": "", "Sequence[": "list[", "Reals": "array", "ArrayLike": "array"}
"""Types in short."""


def annotation_of(parameter: inspect.Parameter) -> str:
    """The type of a parameter, in short."""
    text = parameter.annotation
    if text is parameter.empty:
        return ""
    text = text if isinstance(text, str) else getattr(text, "__name__", str(text))
    text = re.sub(r"^['\"](.*)['\"]$", r"\1", text)  # an annotation in quotes
    text = re.sub(r"Callable\[\[.*?\], [^\]]*\]", "function", text)
    text = re.sub(r"Literal\[(.*?)\]", lambda found: found[1].replace(", ", " | ").replace("'", '"'), text)
    for old, new in SPELLINGS.items():
        text = text.replace(old, new)
    text = re.sub(r"Mapping\[, \]|Mapping\[str, \]", "mapping", text).strip("| ")
    return " or ".join(f"`{part}`" for part in _members(text)) if text else ""


def _members(union: str) -> list[str]:
    """The members of `A | B[C | D]`: bars in brackets do not part them (in tables, code cannot hold a bar)."""
    found, depth = [""], 0
    for letter in union:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "|" and depth == 0:
            found.append("")
        else:
            found[-1] += "," if letter == "|" else letter
    return [part.strip() for part in found if part.strip()]


# -------------------------------------------------------------------------------------------------------------- a page


class Page:
    """The page of one item."""

    def __init__(self, item: Item):
        self.item = item
        self.parts: list[str] = []

    @cached_property
    def docstring(self) -> Docstring:
        """Of the thing itself."""
        return docstring_of(self.item.thing)

    def text(self) -> str:
        """The whole page."""
        item = self.item
        owner = item.spelled.split(".")[-2]
        self.parts = [f"# {owner}.{item.title}" if owner[0].isupper() else f"# {item.title}", MADE]
        if item.title not in NOT_MADE:
            self.parts.append(f"```py\n{signature_of(item.thing, item.spelled)}\n```")
        self.say(self.docstring.summary)
        self.picture()
        self.say(self.docstring.body)
        if item.group in (*ELEMENTS, *SETTINGS) or item.thing in BOND_ELEMENTS:
            self.settings()
        elif inspect.isclass(item.thing):
            self.class_parts(item.thing)
        else:
            self.function_parts()
        if item.group in ELEMENTS:
            self.channels()
        self.example()
        for name in ("Notes", "References"):
            if name in self.docstring.sections:
                self.parts.append(f"## {name}")
                self.say(self.docstring.sections[name])
        self.see_also()
        return "\n\n".join(part.strip("\n") for part in self.parts if part.strip()) + "\n"

    def say(self, text: str) -> None:
        """Text of a docstring."""
        if text:
            self.parts.append(linked(text, self.item))

    def picture(self) -> None:
        """The drawing, if there is one."""
        for ending in ("svg", "png"):
            path = f"pictures/reference/{self.item.group}/{self.item.name}.{ending}"
            if (DOCS / path).exists():
                self.parts.append(f"![{self.item.title}]({relative(path, self.item.path)})")
                return

    # ---------------------------------------------------------------------------------------------------- parameters

    def settings(self) -> None:
        """Parameters of an element, solver or method: kinds and units as model files know them."""
        cls = self.item.thing
        try:
            fields = fields_of(cls)
        except (TypeError, ValueError):
            fields = {}
        described = all_parameters(cls)
        rows = [self.row(field, described.get(name, "")) for name, field in fields.items()]
        self.parts.append("## Parameters")
        if not rows:
            self.parts.append("None.")
            return
        self.parts.append(table(("parameter", "value", "unit", "default", "meaning"), rows))

    def row(self, field: Field, text: str) -> tuple[str, ...]:
        """One line of the table of parameters."""
        unit = "of each state" if field.name == "atol" else shown_unit(field.unit)
        choices = _choices(self.item.thing, field.name)
        kind = choices or VALUES.get(field.kind, field.kind)
        return (
            f"`{field.name}`", cell(kind), unit, default_of(field.default, field.required),
            linked(cell(text), self.item),
        )  # fmt: skip

    def function_parts(self) -> None:
        """Parameters and what a function returns."""
        item = self.item
        rows = parameter_rows(item.thing, self.docstring, item)
        if rows:
            self.parts += ["## Parameters", table(("parameter", "type", "default", "meaning"), rows)]
        returned = returned_class(item.thing)
        text = self.docstring.sections.get("Returns", "")
        own_page = returned is not None and _by_title().get(returned.__name__)
        if returned is None and not text:
            return
        self.parts.append("## Returns")
        self.say(text)
        if own_page and own_page.thing is returned:
            if not text:
                self.parts.append(linked(f"A `{own_page.spelled}`.", item))
        elif returned is not None:
            doc = docstring_of(returned)
            self.parts.append(f"### {returned.__name__}")
            self.say(doc.summary)
            self.say(doc.body)
            self.members(returned, 4)

    def class_parts(self, cls: type) -> None:
        """Constructor, attributes, ways to make one, methods."""
        if issubclass(cls, Exception):
            return
        rows = parameter_rows(cls, self.docstring, self.item)
        shown = set(attribute_docstrings(cls))
        if self.item.title not in NOT_MADE and rows and not {row[0].strip("`") for row in rows} <= shown:
            self.parts += ["## Parameters", table(("parameter", "type", "default", "meaning"), rows)]
        for base in cls.__mro__[1:]:
            if page := _by_id().get(id(base)):
                link = f"[`{page.spelled}`]({relative(f'reference/{page.path}', self.item.path)})"
                self.parts.append(f"It has all that a {link} has, and more.")
        self.members(cls, 3)

    def members(self, cls: type, level: int) -> None:
        """Attributes and methods of a class."""
        hashes = "#" * (level - 1)
        attributes = attributes_of(cls, self.item)
        if attributes:
            self.parts += [f"{hashes} Attributes", table(("attribute", "meaning or type"), attributes)]
        methods = methods_of(cls)
        if not methods:
            return
        self.parts.append(f"{hashes} Methods")
        brief = len(methods) > 6
        if brief:
            rows = [(self.method_name(n, f), linked(cell(docstring_of(f).summary), self.item)) for n, f in methods]
            self.parts.append(table(("method", "meaning"), rows))
            details = [(n, f) for n, f in methods if docstring_of(f).body or docstring_of(f).parameters]
            details = [(n, f) for n, f in details if id(f) not in _by_id()]
        else:
            details = methods
        for name, function in details:
            doc = docstring_of(function)
            self.parts.append(f"{hashes}# `{name}`")
            self.parts.append(f"```py\n{signature_of(function, name)}\n```")
            self.say(doc.summary)
            self.say(doc.body)
            rows = parameter_rows(function, doc, self.item)
            if any(row[-1] for row in rows):
                self.parts.append(table(("parameter", "type", "default", "meaning"), rows))

    def method_name(self, name: str, function: Any) -> str:
        """The signature of a method, linked to its page if it has one."""
        spelled = _short(signature_of(function, name))
        if len(spelled) > 60:
            parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
            needed = [p.name for p in parameters if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
            spelled = f"{name}({', '.join([*needed, '...'])})"
        spelled = f"`.{spelled}`"
        page = _by_id().get(id(function))
        return f"[{spelled}]({relative(f'reference/{page.path}', self.item.path)})" if page else spelled

    # --------------------------------------------------------------------------------------------- channels, examples

    def channels(self) -> None:
        """The result channels."""
        example = example_of(self.item.group, self.item.name)
        if example is None or example.model is None:
            return
        name, found = channels_of(self.item.group, example.model, self.item.thing)
        rows = [(f'`r["{name}.{what}"]`', shown_unit(unit), str(size), meaning)
                for what, unit, size, meaning in found]  # fmt: skip
        self.parts += ["## Result channels", f"Of an element with the name `{name}`:"]
        self.parts.append(table(("channel", "unit", "numbers", "meaning"), rows))

    def example(self) -> None:
        """Python, what it prints, and the same as a model file."""
        example = example_of(self.item.group, self.item.name)
        if example is None:
            return
        self.parts.append("## Example")
        self.say(example.text)
        block = f"```python\n{example.code.rstrip()}\n```"
        if example.printed:
            block += f"\n\n```text\n{example.printed.rstrip()}\n```"
        self.parts.append(block)
        text = yaml_of(example)
        asked = self.item.group not in WITHOUT_FILE or bool(
            example.model and example.model.tasks and self.item.group == "analyses"
        )
        if text and asked:
            self.parts.append(f"The same as a model file:\n\n```yaml\n{text.rstrip()}\n```")

    def see_also(self) -> None:
        """Guide, theory, the group."""
        item, group = self.item, BY_NAME[self.item.group]
        guide = GUIDES.get(item.path.removesuffix(".md"), group.guide)
        theory = THEORIES.get(item.path.removesuffix(".md"), group.theory)
        links = [f"Guide: [{_title(guide)}]({relative(guide, item.path)})"] if guide else []
        links += [f"Theory: [{_title(theory)}]({relative(theory, item.path)})"] if theory else []
        links.append(f"[All {group.title[0].lower() + group.title[1:]}](index.md)")
        if text := self.docstring.sections.get("See also"):
            links.insert(0, linked(text, item))
        self.parts.append("## See also\n\n" + "\n".join(f"- {link}" for link in links))


def _short(signature: str) -> str:
    return " ".join(signature.split()).replace("( ", "(").replace(" )", ")").replace("|", "\\|")


def _title(path: str) -> str:
    """A readable name of a page that may not be written yet."""
    stem = path.rpartition("/")[2].removesuffix(".md")
    number, _, rest = stem.partition("_")
    words = (rest if number.isdigit() else stem).replace("_", " ")
    return (f"{int(number)} " if number.isdigit() else "") + words[:1].upper() + words[1:]


def _choices(cls: Any, name: str) -> str:
    parameter = inspect.signature(cls).parameters.get(name)
    annotation = parameter.annotation if parameter is not None else ""
    if isinstance(annotation, str) and annotation.startswith("Literal["):
        return annotation.removeprefix("Literal[").removesuffix("]").replace("'", '"').replace(", ", " or ")
    return ""


def all_parameters(cls: type) -> dict[str, str]:
    """Descriptions of the parameters of a class, those of its bases included."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.startswith("duoti"):
            found |= docstring_of(base).parameters
    return {**{name: text for name, (_, text) in attribute_docstrings(cls).items() if text}, **found}


def parameter_rows(function: Any, doc: Docstring, item: Item) -> list[tuple[str, ...]]:
    """(name, type, default, meaning) of each parameter."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    described = all_parameters(function) if inspect.isclass(function) else doc.parameters
    rows: list[tuple[str, ...]] = []
    for p in parameters:
        if p.name in ("self", "cls"):
            continue
        many = p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL)
        default = "" if many else default_of(p.default, p.default is p.empty)
        meaning = described.get(p.name, "") or COMMON.get(p.name, "")
        rows.append((f"`{p.name}`", cell(annotation_of(p)), cell(default), linked(cell(meaning), item)))
    return rows


COMMON = {
    "model": "A model or a compiled system.",
    "q": "Coordinates, in the order of `system.coordinate_names`; N rows for N states.",
    "v": "Velocities, in the order of `system.rate_names`.",
    "a": "Accelerations, in the order of `system.rate_names`.",
    "z": "First-order states; the initial values if not given.",
    "t": "Time [s].",
    "at": "The state, in place of q, v, z and t: an equilibrium, values by joint, or a row of a result.",
    "inputs": "Values by name, as `linearise` names inputs.",
    "path": "The file.",
    "allow_outside": "Whether other files outside its folder may be read.",
    "sequence": 'Axes of the three turns: "ZXZ" about moving axes, "zxz" about fixed ones.',
    "angles": "Euler angles [rad].",
    "rates": "Their rates [rad/s].",
    "accelerations": "Their second derivatives [rad/s²].",
    "omega": "Angular velocity [rad/s].",
    "omega_body": "Angular velocity in body axes [rad/s].",
    "alpha": "Angular acceleration [rad/s²].",
    "vector": "Rotation vector [rad].",
    "quaternion": "Unit quaternion, scalar first.",
    "marker": "A marker or a body.",
    "must_close": "Whether the state must satisfy loops and constraints.",
}
"""Meanings of parameters that many functions share."""


def attributes_of(cls: type, item: Item) -> list[tuple[str, str]]:
    """(name, meaning) of annotated attributes and properties."""
    found: dict[str, str] = {}
    described = all_parameters(cls)
    listed = listed_items(docstring_of(cls).sections.get("Attributes", ""))
    for name, (kind, text) in attribute_docstrings(cls).items():
        found[name] = text or described.get(name, "") or ", ".join(f"`{part}`" for part in _members(kind))
    found |= listed
    for name in dir(cls):
        member = inspect.getattr_static(cls, name)
        is_property = isinstance(member, property) or type(member).__name__ == "cached_property"
        if name.startswith("_") or not is_property or _shown_elsewhere(cls, name):
            continue
        getter = member.fget if isinstance(member, property) else member.func
        found[name] = found.get(name) or docstring_of(getter).summary
    return [(f"`{name}`", linked(cell(text), item)) for name, text in found.items() if text]


def _shown_elsewhere(cls: type, name: str) -> bool:
    """Whether a member comes from a base class that has a page of its own."""
    home = next((base for base in cls.__mro__ if name in vars(base)), cls)
    return home is not cls and id(home) in _by_id()


def methods_of(cls: type) -> list[tuple[str, Any]]:
    """Public methods, class methods first."""
    found: list[tuple[bool, str, Any]] = []
    for name in dir(cls):
        if name.startswith("_"):
            continue
        member = inspect.getattr_static(cls, name)
        function = getattr(cls, name)
        home = next((base for base in cls.__mro__ if name in vars(base)), cls)
        if not home.__module__.startswith("duoti") or _shown_elsewhere(cls, name):
            continue
        callable_ = isinstance(member, classmethod | staticmethod) or inspect.isfunction(member)
        if callable_ and inspect.getdoc(function):
            found.append((not isinstance(member, classmethod), name, function))
    found.sort(key=lambda each: (each[0], each[1]))
    return [(name, function) for _, name, function in found]


# -------------------------------------------------------------------------------------------------------------- index


def group_page(name: str) -> str:
    """The index of a group."""
    group = BY_NAME[name]
    rows = [(f"[`{item.spelled}`]({item.name}.md)", linked_summary(item)) for item in items() if item.group == name]
    parts = [f"# {group.title}", MADE, group.text, table(("name", "summary"), rows)]
    links = [f"Guide: [{_title(group.guide)}]({relative(group.guide, f'{name}/index.md')})"] if group.guide else []
    if group.theory:
        links.append(f"Theory: [{_title(group.theory)}]({relative(group.theory, f'{name}/index.md')})")
    parts.append("\n".join(f"- {link}" for link in [*links, "[All groups](../index.md)"]))
    return "\n\n".join(parts) + "\n"


def linked_summary(item: Item) -> str:
    """The summary, for a table."""
    return cell(docstring_of(item.thing).summary)


def index_page(file_pages: list[tuple[str, str]]) -> str:
    """All groups: those of a model and its analyses line by line, the others by names."""
    parts = [
        "# Reference", MADE,
        "One page for each type and function, made from docstrings and constructors. `help(dt.Revolute)` shows the "
        "same text. Units are SI; angles are in radians.",
    ]  # fmt: skip
    others: list[tuple[str, ...]] = []
    for group in GROUPS:
        own = [item for item in items() if item.group == group.name]
        if group.name in (*ELEMENTS, *SETTINGS, "analyses"):
            rows = [(f"[`{item.spelled}`]({item.path})", linked_summary(item)) for item in own]
            parts += [f"## [{group.title}]({group.name}/index.md)", table(("name", "summary"), rows)]
        else:
            names = ", ".join(f"[`{item.title}`]({item.path})" for item in own)
            others.append((f"[{group.title}]({group.name}/index.md)", names))
    parts += ["## More", table(("group", "pages"), others)]
    parts.append(f"## Keys of model files\n\n{', '.join(name for name, _ in file_pages)}")
    return "\n\n".join(parts) + "\n"
