"""Check of lookup tables: points that cannot make a curve."""

from __future__ import annotations

from typing import Any

from duoti.model.checks.findings import Findings
from duoti.model.checks.parameters import faults_of
from duoti.model.checks.registry import register_check
from duoti.model.checks.states import WORD
from duoti.model.element_id import ElementId, ElementKind
from duoti.model.laws.expressions import RESERVED
from duoti.model.model import Model
from duoti.spelling import with_article


@register_check("structure", order=130)
def check_tables(model: Model, found: Findings) -> None:
    """Add what is wrong with the tables."""
    for name, table in model.tables.items():
        who = ElementId("table", str(name))
        if not isinstance(name, str) or not WORD.fullmatch(name):  # pyright: ignore[reportUnnecessaryIsInstance]
            found.error("bad-name", (who,), f"a table has the name {name!r}",
                        "expressions read it by its name: one word of letters, digits and _, no digit first",
                        'give it a name such as "road"')  # fmt: skip
        elif name in RESERVED or name == "table":
            found.error("reserved-name", (who,), f"{who}: this name is kept for expressions",
                        remedy="choose another name")  # fmt: skip
        taken: dict[ElementKind, Any] = {"parameter": model.parameters, "state": model.states}
        for kind, names in taken.items():
            if name in names:
                found.error("name-clash", (who, ElementId(kind, name)), f"{who} has the name of {with_article(kind)}",
                            "a name must mean one thing", "rename one of them")  # fmt: skip
        for fault in faults_of(table):
            found.error("bad-table", (who,), f"{who}: {fault.text}", key=fault.key)
