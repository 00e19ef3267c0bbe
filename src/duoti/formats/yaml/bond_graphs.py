"""Bond graphs in model files, both ways.

bond_graphs:
  drive:
    parameters: {L: 0.2}
    elements:
      U: {type: Se, value: 240}
      i: {type: "1"}
      L: {type: I, inertia: L}
      shaft: {type: Port}
    bonds: [[U, i], [i, L], [i, shaft]]
    ports: {shaft: J1}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from duoti.formats.key_path import KeyPath
from duoti.formats.yaml.encode import CannotSaveError, plain, typed_data
from duoti.formats.yaml.nodes import Table
from duoti.formats.yaml.simple_values import BAD
from duoti.model.constructor_schema import Field

if TYPE_CHECKING:  # imported when there are graphs: every reader of files knows this module
    from duoti.bond.graph import Graph
    from duoti.formats.yaml.read import Reader
    from duoti.model.model import Model

GRAPH = {
    "parameters": Field("parameters", "data", False, None),
    "elements": Field("elements", "data"),
    "graphs": Field("graphs", "data", False, None),
    "bonds": Field("bonds", "data"),
    "domains": Field("domains", "data", False, None),
}
"""Keys of a graph; its elements have a `type` and the parameters of this type."""
COUPLED = {**GRAPH, "title": Field("title", "text", False, None), "ports": Field("ports", "data", False, None)}
"""Keys of a graph in a model."""


def add_bond_graph(reader: Reader, model: Model, name: str, table: Table, path: KeyPath) -> None:
    """Read a graph with its connections."""
    from duoti.bond.ports import connection

    for key in table.entries:
        if key not in COUPLED:
            reader.values.unknown(table, key, path, COUPLED, "a bond graph")
    graph = _graph(reader, name, table, path)
    ports: Any = _data(reader, table, path, "ports") or {}
    title: Any = _data(reader, table, path, "title")
    if graph is None or ports is BAD:
        return
    graph.name = title if isinstance(title, str) else name
    if not isinstance(ports, Mapping):
        reader.values.fault(table, path, "ports is a mapping from the graph's ports to joints or markers", key="ports")
        return
    for port, given in ports.items():
        try:
            connection(given)
        except (ValueError, TypeError) as error:
            reader.values.fault(table, path / "ports" / port, str(error))
    model.add_bond_graph(name, graph, dict(ports))


def _data(reader: Reader, table: Table, path: KeyPath, key: str) -> Any:
    node = table.entries.get(key)
    return None if node is None else reader.values.value(node, path / key, COUPLED[key])


def _graph(reader: Reader, name: str, table: Table, path: KeyPath) -> Graph | None:
    from duoti.bond.elements import ELEMENT_TYPES
    from duoti.bond.graph import Graph

    values = reader.values
    parameters: Any = _data(reader, table, path, "parameters") or {}
    g = Graph(name, {} if parameters is BAD else parameters)
    good = parameters is not BAD
    for key in ("elements", "graphs"):
        inner = table.entries.get(key)
        if inner is None:
            continue
        if not isinstance(inner, Table):
            values.fault(inner, path / key, "a mapping {name: {...}} is needed")
            good = False
            continue
        for each, node in inner.entries.items():
            here = path / key / each
            if not isinstance(node, Table):
                values.fault(node, here, "a mapping {type: R, ...} is needed")
                good = False
            elif key == "graphs":
                part = _graph(reader, each, node, here)
                good &= part is not None
                if part is not None:
                    g.add(each, part)
            else:
                element = values.typed(node, here, ELEMENT_TYPES, "bond graph element")
                good &= element is not BAD
                if element is not BAD:
                    g.add(each, element)
    bonds = _data(reader, table, path, "bonds")
    if bonds is None or bonds is BAD or not isinstance(bonds, list | tuple):
        if bonds is not BAD:
            values.fault(table, path, "a graph needs bonds: a list of pairs [from, to]", key="bonds")
        return None
    for bond in bonds:
        ends = [each.strip() for each in bond.split("->")] if isinstance(bond, str) else bond
        if (
            not isinstance(ends, list | tuple)
            or not 2 <= len(ends) <= 3
            or not all(isinstance(each, str) for each in ends)
        ):
            values.fault(table.entries["bonds"], path / "bonds", f"{bond!r} is no bond: write [from, to]")
            good = False
            continue
        g.bond(*ends)
    domains: Any = _data(reader, table, path, "domains") or {}
    if domains is not BAD and not isinstance(domains, Mapping):
        values.fault(table, path, "domains is a mapping from elements to electric, rotation, ...", key="domains")
        domains = BAD
    g.domains = {} if domains is BAD else {str(each): str(domain) for each, domain in domains.items()}
    return g if good and domains is not BAD else None


def graph_data(coupled: Any) -> dict[str, Any]:
    """A graph in a model as plain data."""
    from duoti.bond.ports import written

    found = _graph_data(coupled.graph)
    if coupled.graph.name != coupled.name:
        found["title"] = str(coupled.graph.name)
    if coupled.ports:
        found["ports"] = {str(name): written(given) for name, given in coupled.ports.items()}
    return found


def _graph_data(g: Graph) -> dict[str, Any]:
    if g.duplicates:
        raise CannotSaveError(f'the name "{g.duplicates[0]}" is taken twice')
    found: dict[str, Any] = {"parameters": plain(g.parameters)} if g.parameters else {}
    found["elements"] = {name: typed_data(element) for name, element in g.elements.items()}
    if g.subgraphs:
        found["graphs"] = {name: _graph_data(part) for name, part in g.subgraphs.items()}
    if g.domains:
        found["domains"] = dict(g.domains)
    found["bonds"] = [[start, end, *([name] if name else [])] for start, end, name in g.bonds]
    return found
