"""What `calling` offers, in plain Python (`DUOTI_JIT=0`)."""

from __future__ import annotations

import ast
import ctypes
import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from duoti.kernel.faults import KernelIndexError
from duoti.kernel.packing import CONTEXTS, ContextType

_ENTRIES: dict[int, Callable[..., Any]] = {}


def call_address(address: int, x: int, y: int) -> None:
    """Call a C function `void f(const double *x, double *y)` at an address; x and y are addresses too."""
    ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(int(address))(x, y)


def call_entry(address: int, context: int) -> None:
    """Call the entry at an address with a context."""
    _ENTRIES[int(address)](context)


run_entry = call_entry


def unpack(context: int, kind: ContextType) -> Any:
    """The arguments that were packed into a context, or the first ones, if `kind` has no more."""
    return CONTEXTS[int(context)][: kind.count]


def entry_address(entry: Any) -> int:
    """A number under which plain Python finds the entry."""
    _ENTRIES[id(entry)] = entry
    return id(entry)


def entry_caller(entry: Any, context: int) -> Callable[[], None]:
    """A function that calls an entry with this context."""
    return lambda: entry(context)


def prepare(wanted: Any) -> None:
    """Nothing is compiled in plain Python."""


# Kernels as plain Python (`DUOTI_JIT=0`): a computed index that is negative is an error, as it is one when compiled.
#
# NumPy would count it from behind and so hide the mistake. Each subscript that is not a constant gets a look at its
# sign; an index beyond the end is NumPy's own IndexError. Lines stay what they are, for breakpoints.


_NAME = "_duoti_from_the_front"


def from_the_front(index: Any) -> Any:
    """The index itself, if it counts from the front."""
    if type(index) is tuple:
        for each in index:
            from_the_front(each)
    elif type(index) is slice:
        from_the_front(index.start or 0)
        from_the_front(index.stop or 0)
    elif index < 0:
        raise KernelIndexError(f"index {index} was computed: in kernels only a constant may count from behind (a[-1])")
    return index


def with_signs_checked(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that does the same, but for negative indices; itself, if its source is not at hand."""
    code = function.__code__
    made = _codes(code.co_filename).get((code.co_name, code.co_firstlineno))
    if made is None or made.co_freevars != code.co_freevars:
        return function
    function.__globals__[_NAME] = from_the_front
    checked = FunctionType(
        made, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )  # fmt: skip
    return functools.update_wrapper(checked, function, ("__module__", "__qualname__", "__doc__"), ())


@functools.cache
def _codes(file: str) -> dict[tuple[str, int], CodeType]:
    """All functions of a file with their subscripts changed, by name and first line."""
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError):
        return {}
    changed = ast.fix_missing_locations(_Subscripts(tree).visit(tree))
    whole = compile(changed, file, "exec", dont_inherit=True)
    return {(each.co_name, each.co_firstlineno): each for each in _inside(whole)}


def _inside(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _inside(each)


class _Subscripts(ast.NodeTransformer):
    """Puts a look at the sign around indices that are computed. Names of the module are constants to its kernels."""

    def __init__(self, module: ast.Module):
        self.constants: set[str] = set()
        for each in module.body:
            if isinstance(each, ast.ImportFrom):
                self.constants.update(alias.asname or alias.name for alias in each.names)
            elif isinstance(each, ast.Assign):
                names = [name for target in each.targets for name in ast.walk(target)]
                self.constants.update(name.id for name in names if isinstance(name, ast.Name))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """An element or a slice."""
        self.generic_visit(node)
        node.slice = self._looked_at(node.slice)
        return node

    def _looked_at(self, index: ast.expr) -> ast.expr:
        if isinstance(index, ast.Tuple):
            index.elts = [self._looked_at(each) for each in index.elts]
        elif isinstance(index, ast.Slice):
            index.lower = index.lower and self._looked_at(index.lower)
            index.upper = index.upper and self._looked_at(index.upper)
        elif not self._is_constant(index):
            call = ast.Call(ast.Name(_NAME, ast.Load()), [index], [])
            return ast.copy_location(call, index)
        return index

    def _is_constant(self, index: ast.expr) -> bool:
        if isinstance(index, ast.UnaryOp):
            index = index.operand
        return isinstance(index, ast.Constant) or (isinstance(index, ast.Name) and index.id in self.constants)
