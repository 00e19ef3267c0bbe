"""The sections of a model, in one list: where elements of each kind are kept, in a model and in its file.

Who reads, writes, copies, checks or describes models goes through this list. A further section is a `Section` with the
type of its elements, registered in the file of that type (`register_section`): its keys in files are the parameters of
the type's constructor. `Model` then has an attribute of the section's name, and files a key.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from duoti.spelling import with_article

ElementKind = Literal[
    "body", "marker", "joint", "force", "constraint", "contact", "event", "state", "parameter", "table", "submodel",
    "beam", "cable", "segments", "second_order_system", "controller", "fmu", "task", "bond_graph",
    "sensor", "step",
]  # fmt: skip


@dataclass(frozen=True)
class Section:
    """Where elements of a kind are kept, by name."""

    name: str
    """The key in a model file, and the attribute of `Model`."""
    kind: str
    """The kind of its elements in an `ElementId`."""
    one: str = ""
    """What messages call an element; by default the kind with an article."""
    refuses: bool = False
    """Whether the model looks at an element when it is added, and refuses it if something is wrong."""
    assembled: bool = False
    """Whether its elements become others, which a file could hold as well."""
    referred: bool = True
    """Whether an element of the file is in the model under its own name, by which others may refer to it."""
    element: type | None = None
    """Of a further section: the type of its elements, a class whose constructor says which keys they have."""

    @property
    def title(self) -> str:
        """What messages call an element."""
        return self.one or with_article(self.kind.replace("_", " "))

    @property
    def method(self) -> str:
        """The method of `Model` that adds an element."""
        return f"add_{self.kind}"

    def of(self, model: Any) -> dict[str, Any]:
        """The elements in a model; none in one that was made before the section was registered."""
        return vars(model).get(self.name, {})


ALL: dict[str, Section] = {
    each.name: each
    for each in (
        Section("tables", "table"),
        Section("bodies", "body"),
        Section("markers", "marker"),
        Section("beams", "beam", refuses=True),
        Section("submodels", "submodel", "a sub-model", referred=False),
        Section("joints", "joint"),
        Section("cables", "cable", refuses=True, assembled=True),
        Section("segments", "segments", "segments", refuses=True, assembled=True),
        Section("forces", "force"),
        Section("constraints", "constraint"),
        Section("contacts", "contact", referred=False),  # one element may become several
        Section("states", "state", referred=False),  # a vector becomes its components
        Section("second_order_systems", "second_order_system", "a second-order system", refuses=True, assembled=True),
        Section("events", "event", referred=False),
        Section("controllers", "controller", refuses=True, assembled=True),
        Section("fmus", "fmu", refuses=True, assembled=True),
        Section("bond_graphs", "bond_graph", referred=False),
    )
}
"""All sections by name, in the order in which files are read and written."""

HEAD = ("duoti", "name", "gravity", "parameters", "include", "ground", "materials", "sections")
"""Keys of a file that are neither sections of elements nor tasks."""
TASKS = (
    "check", "topology", "simulate", "compare_solvers", "compare_treatments", "analyses", "study", "outputs", "plots",
)  # fmt: skip
"""What a file may ask for; `duoti.analyses.study.tasks` knows what they mean."""

SECTIONS: dict[ElementKind, str] = {"parameter": "parameters"}
"""The section of a model file in which each kind of element stands; a task is a section of its own, and a step of a run
is in none."""
KINDS: dict[str, ElementKind] = {"parameters": "parameter"}
"""The kind of the elements in each section."""


def _note(section: Section) -> None:
    kind: Any = section.kind
    SECTIONS[kind] = section.name
    KINDS[section.name] = kind


for _section in ALL.values():
    _note(_section)


def register_section(section: Section) -> Section:
    """Add a section to the list; models that are made from then on have it, and files may."""
    if section.element is None:
        raise ValueError(f'section "{section.name}" needs the type of its elements: element=')
    if section.name in (*HEAD, *ALL, *TASKS) or section.kind in (*SECTIONS, "task", "step"):
        raise ValueError(f'there is a section "{section.name}", or a kind "{section.kind}", already')
    ALL[section.name] = section
    _note(section)
    return section


def unregister_section(section: Section) -> None:
    """Take a further section out of the list again."""
    del ALL[section.name], KINDS[section.name]
    SECTIONS.pop(section.kind)  # pyright: ignore[reportArgumentType, reportCallIssue]


def further_sections() -> list[Section]:
    """The sections that are described by the type of their elements alone."""
    return [section for section in ALL.values() if section.element is not None]
