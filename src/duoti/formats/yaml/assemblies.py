"""States that are vectors in model files: `x: {rate: ["x[1]", "-4*x[0]"], initial: [1, 0]}`.

Each component becomes an element of its own, "x[0]", "x[1]", ..., as `Model.add_vector_state` makes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from duoti.formats.key_path import KeyPath
from duoti.formats.yaml.nodes import Items, Node, Table
from duoti.model.checks.findings import SourceLocation

LISTS = ("rate", "initial")
"""Keys that may be lists, one entry for each component; others hold for all of them."""


def with_components(
    section: str, elements: Table, fault: Callable[[SourceLocation, KeyPath, str], None]
) -> Iterator[tuple[str, Node, SourceLocation]]:
    """Name, content and place of the elements of a section, vectors of states taken apart."""
    for name, node in elements.entries.items():
        place = elements.line_of(name)
        lists = {key: node.entries.get(key) for key in LISTS} if isinstance(node, Table) else {}
        vectors = {key: each for key, each in lists.items() if isinstance(each, Items)}
        if section != "states" or not isinstance(node, Table) or not vectors:
            yield name, node, place
            continue
        sizes = [len(each.items) for each in vectors.values()]
        if len(set(sizes)) > 1 or not sizes[0]:
            counts = " and ".join(f"{key} has {len(each.items)}" for key, each in vectors.items())
            fault(place, KeyPath((section, name)), f"{counts} components; give as many of each, at least one")
            continue
        for k in range(sizes[0]):
            own: dict[str, Node] = {
                key: vectors[key].items[k] if key in vectors else each for key, each in node.entries.items()
            }
            yield f"{name}[{k}]", Table(own, place, node.keys, node.damaged), place
