"""The functions of a source file, each as a digest of what it says: the same for all versions of Python.

What a function says is its syntax tree without docstrings, annotations, decorators and places. The tree is written down
here, not by `ast.dump`, which differs between versions of Python: fields that a version does not have are those that
are empty.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from typing import Any, NamedTuple

WHOLE = "0:"
"""Name of the whole file in its table."""

_LEFT_OUT = frozenset(("ctx", "kind", "type_comment", "annotation", "returns", "decorator_list", "type_params"))
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_FUNCTIONS = (*_DEFINITIONS, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class FunctionSyntax(NamedTuple):
    """What a function says."""

    digest: str
    names: tuple[str, ...]
    """Names from outside that it mentions, with what is read of them: `math.sin`."""


def table_of(text: str) -> dict[str, FunctionSyntax]:
    """The functions of a file by line and name, as code objects have them; and the whole file."""
    tree = ast.parse(text)
    found: dict[str, list[FunctionSyntax]] = {WHOLE: [FunctionSyntax(_digest([tree]), ())]}
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS):
            found.setdefault(_key(node), []).append(_of(node))
    return {key: _together(each) for key, each in found.items()}


def place_of(code: Any) -> str:
    """The name of a code object in the table of its file."""
    return f"{code.co_firstlineno}:{code.co_name}"


def _key(node: Any) -> str:
    if isinstance(node, ast.Lambda):
        return f"{node.lineno}:<lambda>"
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    return f"{first}:{node.name}"


def _together(all_of: list[FunctionSyntax]) -> FunctionSyntax:
    """Functions of a line that cannot be told apart."""
    if len(all_of) == 1:
        return all_of[0]
    digest = hashlib.sha256(" ".join(each.digest for each in all_of).encode()).hexdigest()[:32]
    return FunctionSyntax(digest, tuple(sorted({name for each in all_of for name in each.names})))


def _of(node: Any) -> FunctionSyntax:
    body = node.body if isinstance(node.body, list) else [node.body]
    return FunctionSyntax(_digest([node.args, _without_docstring(body)]), tuple(sorted(_outside(node))))


def _digest(trees: list[Any]) -> str:
    return hashlib.sha256("".join(_written(trees)).encode()).hexdigest()[:32]


def _without_docstring(body: list[Any]) -> list[Any]:
    first = body[0] if body else None
    is_text = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    return body[1:] if is_text else body


def _written(value: Any) -> Iterator[str]:
    """A tree as text."""
    if isinstance(value, list):
        yield "["
        for each in value:
            yield from _written(each)
            yield ","
        yield "]"
    elif isinstance(value, ast.AST):
        yield type(value).__name__ + "("
        for name in sorted(value._fields):
            inside = getattr(value, name, None)
            if (
                name == "body"
                and isinstance(inside, list)
                and isinstance(value, (*_DEFINITIONS, ast.ClassDef, ast.Module))
            ):
                inside = _without_docstring(inside)
            if name not in _LEFT_OUT and inside is not None and inside != []:
                yield name + "="
                yield from _written(inside)
        yield ")"
    else:
        yield f"{type(value).__name__} {value!a};"


def _outside(function: Any) -> set[str]:
    """Names that a function reads and does not bind itself."""
    read: set[str] = set()
    bound: set[str] = set()
    outer: set[str] = set()

    def arguments(of: Any) -> None:
        every = [*of.posonlyargs, *of.args, *of.kwonlyargs, of.vararg, of.kwarg]
        bound.update(each.arg for each in every if each is not None)

    def visit(node: Any, own: bool) -> None:
        if isinstance(node, ast.Attribute):
            path, base = [node.attr], node.value
            while isinstance(base, ast.Attribute):
                path, base = [base.attr, *path], base.value
            if isinstance(base, ast.Name):
                read.add(".".join([base.id, *path]))
                return
            visit(base, own)
        elif isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                read.add(node.id)
            elif own:
                bound.add(node.id)
        elif isinstance(node, ast.Global):
            outer.update(node.names)
        elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)):  # a scope of its own
            if own and not isinstance(node, ast.Lambda):
                bound.add(node.name)
            for each in ast.iter_child_nodes(node):
                visit(each, False)
        else:
            if own and isinstance(node, ast.alias):
                bound.add(node.asname or node.name.partition(".")[0])
            inside = own and not isinstance(node, _COMPREHENSIONS)
            for name, value in ast.iter_fields(node):
                if name != "annotation":
                    for each in value if isinstance(value, list) else [value]:
                        if isinstance(each, ast.AST):
                            visit(each, inside)

    arguments(function.args)
    for each in [*function.args.defaults, *filter(None, function.args.kw_defaults)]:
        visit(each, False)
    for each in function.body if isinstance(function.body, list) else [function.body]:
        visit(each, True)
    return {name for name in read if name.partition(".")[0] not in bound - outer}


def written(table: dict[str, FunctionSyntax]) -> str:
    """A table as text, a line for each function."""
    return "\n".join(" ".join([key, each.digest, *each.names]) for key, each in table.items())


def read(text: str) -> dict[str, FunctionSyntax]:
    """The table that `written` wrote."""
    rows = [line.split(" ") for line in text.split("\n")]
    return {row[0]: FunctionSyntax(row[1], tuple(row[2:])) for row in rows}
