"""The decorators. A function under one of them becomes a `Compiled`, which finds its machine code when it is called."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from types import CellType, FunctionType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

JIT: bool = os.environ.get("DUOTI_JIT", "1") != "0"
"""False when kernels run as plain Python (`DUOTI_JIT=0`)."""

CHECK: bool = os.environ.get("DUOTI_CHECK", "0") != "0"
"""True when every index of a kernel is compared with its bounds (`DUOTI_CHECK=1`)."""

COMPILER: str = os.environ.get("DUOTI_COMPILER", "")
"""How kernels are compiled: "plain" by what Numba documents (`numba_private`), otherwise faster."""
if COMPILER not in ("", "plain"):
    raise ValueError(f'DUOTI_COMPILER={COMPILER!r}: the only choice is "plain"')
if COMPILER and CHECK:
    raise ValueError("DUOTI_CHECK=1 needs the usual compiler: leave out DUOTI_COMPILER")

# "contract" allows fused multiply-add, "nsz" ignores the sign of zero. NaN and infinity keep their meaning:
# the checks for them must survive.
FASTMATH = ("contract", "nsz")
OPTIONS: dict[str, Any] = {"fastmath": set(FASTMATH), "error_model": "numpy", "nogil": True}
"""Options of Numba for every kernel."""

KERNEL, ENTRY, PART, HELPER = "kernel", "entry", "part", "helper"

REGISTRY: dict[str, Compiled] = {}
"""Kernels and entries by name, for the process that compiles side by side."""

OVERLOADED: dict[Callable[..., Any], tuple[Any, ...]] = {}
"""Ordinary functions that kernels may call, and what stands for them there: see `overloaded`, `for_kernels`."""

ON_DEMAND: list[Callable[[], object]] = []
"""What makes all those entries of the package that are otherwise made when they are needed: see `on_demand`."""

LATER: list[Callable[[], None]] = []
"""What is to be done as soon as Numba is there."""


class Compiled:
    """A function under a decorator."""

    def __init__(self, function: Callable[..., Any], role: str, name: str = "", hot: bool = True):
        self.py_func = function
        self.role = role
        self.hot = hot and not CHECK  # worth the compiler's full effort
        self.name = name or f"{function.__module__}.{function.__qualname__}"
        self.__doc__, self.__name__, self.__module__ = function.__doc__, function.__name__, function.__module__
        self.__wrapped__ = function
        self.declared: tuple[str, ...] = ()  # types of arguments with which Python calls it, as texts
        self._calls: dict[str, Callable[[list[int]], Any]] = {}
        self._dispatcher: Any = None
        if role in (KERNEL, ENTRY):
            REGISTRY[self.name] = self

    def __call__(self, *arguments: Any) -> Any:
        """Call a kernel from Python."""
        from duoti.kernel import calling as entries
        from duoti.kernel import packing

        if self.role != KERNEL:
            raise TypeError(f"{self.name} is compiled into kernels; Python can call only its py_func")
        words, kinds = packing.flatten(arguments)
        found = self._calls.get(kinds)
        if found is None:
            found = self._calls[kinds] = entries.callable_of(self, kinds)
        return found(words)

    @property
    def dispatcher(self) -> Any:
        """Numba's function for this one."""
        if self._dispatcher is None:
            from duoti.kernel.compile import compiler

            self._dispatcher = compiler.dispatcher_of(self)
        return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        """How Numba finds the function when a kernel mentions it."""
        return self.dispatcher._numba_type_

    def __repr__(self) -> str:
        return f"<{self.role} {self.name}>"

    def __reduce__(self) -> Any:
        return _by_name, (self.__module__, self.py_func.__qualname__)


def _by_name(module: str, name: str) -> Any:
    import importlib
    from operator import attrgetter

    return attrgetter(name)(importlib.import_module(module))


def _marked(function: F, role: str, name: str = "", hot: bool = True) -> F:
    if JIT:
        return Compiled(function, role, name, hot)  # pyright: ignore[reportReturnType]
    from duoti.kernel.interpreted import with_signs_checked

    return with_signs_checked(function)  # pyright: ignore[reportReturnType]


def kernel(*given: Any) -> Any:
    """Compile a function of arrays and numbers.

        @kernel("tree work d1 d1 d2")

    The texts are the types of arguments that the package calls it with (`packing.declared_signature`): for these it
    ships the machine code. For other types, and without a text, it is compiled when it is called.
    """
    return _kernel(given, hot=True)


def cold_kernel(*given: Any) -> Any:
    """The same for what is outside the inner loops (results, set-up): LLVM spends half the time on it."""
    return _kernel(given, hot=False)


def _kernel(given: tuple[Any, ...], hot: bool) -> Any:
    if len(given) == 1 and callable(given[0]):
        return _marked(given[0], KERNEL, hot=hot)

    def mark(function: Any) -> Any:
        made = _marked(function, KERNEL, hot=hot)
        if isinstance(made, Compiled):
            made.declared = given
        return made

    return mark


def part(function: F) -> F:
    """Compile a part of kernels: a larger function that only kernels call."""
    return _marked(function, PART)


def helper(function: F) -> F:
    """Compile a small function that is always inlined into the kernels that call it."""
    return _marked(function, HELPER)


def entry(function: F, name: str = "") -> F:
    """Compile an entry: a kernel `f(context)` that others call by its address.

    A kernel that calls another one has all of the other's code compiled into it again. Where that would make
    compilation slow (the integrators call the dynamics, the dynamics call the force elements), the callee is an entry:
    it is compiled once and finds its arguments in a context, a block of memory into which `pack` wrote them. The call
    costs about 10 ns.

    `name` is for entries that a function makes, from the law of a type for example; it must be unique. For the process
    that compiles side by side, they must be made when their module is imported; what is made later, for a type of the
    user's, is compiled in this process.
    """
    if name:
        function.__name__ = function.__qualname__ = name.rpartition(".")[2]  # in messages
    return _marked(function, ENTRY, name)


def cold_entry(function: F) -> F:
    """The same for what is called now and then: see `cold_kernel`."""
    return _marked(function, ENTRY, hot=False)


def on_demand(make_all: F) -> F:
    """Register what makes all entries that a module otherwise makes when it needs them, for `build.all_kernels`."""
    ON_DEMAND.append(make_all)
    return make_all


def subclasses_of_package(cls: type[Any]) -> list[Any]:
    """All classes of the package under one."""
    found: list[Any] = []
    for each in cls.__subclasses__():
        found += [each] if each.__module__.startswith("duoti.") else []
        found += subclasses_of_package(each)
    return list(dict.fromkeys(found))


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """A helper as plain Python, with all that it calls, for use where nothing is to be compiled."""
    inside = getattr(function, "py_func", None)
    if inside is None:
        return function
    if function not in _PLAIN:
        names = {name: inside.__globals__[name] for name in inside.__code__.co_names if name in inside.__globals__}
        filled = {name: plain(value) for name, value in names.items() if isinstance(value, Compiled)}
        cells = tuple(
            CellType(plain(cell.cell_contents)) if isinstance(cell.cell_contents, Compiled) else cell
            for cell in inside.__closure__ or ()
        )
        _PLAIN[function] = FunctionType(
            inside.__code__, {**inside.__globals__, **filled}, inside.__name__, inside.__defaults__, cells
        )
    return _PLAIN[function]


_PLAIN: dict[Callable[..., Any], Callable[..., Any]] = {}


def fold(laws: Sequence[Callable[..., Any]], otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """One function `f(code, *args)` that calls `laws[code](*args)`, without a hand-kept list of cases.

    The laws become one inlined if-chain, as fast as a switch written by hand. `otherwise(*args)` is called for any
    other code; it names the arguments and must return the same type as the laws.
    """
    plain = getattr(otherwise, "py_func", otherwise)
    arguments = ", ".join(plain.__code__.co_varnames[: plain.__code__.co_argcount])
    lines = [f"def choose(code, {arguments}):"]
    lines += [f"    if code == {i}:\n        return law{i}({arguments})" for i in range(len(laws))]
    lines += [f"    return otherwise({arguments})"]
    namespace: dict[str, Any] = {f"law{i}": law for i, law in enumerate(laws)} | {"otherwise": otherwise}
    namespace["__name__"] = plain.__module__
    from duoti.kernel.store.sources import remember_text

    exec(remember_text("\n".join(lines), "fold"), namespace)  # our own text: numbers, and the names of arguments
    return _marked(namespace["choose"], HELPER)


# ----------------------------------------------------------------------- ordinary functions that kernels may call, too


def when_compiling(action: Callable[[], None]) -> None:
    """Do something when Numba is imported, or now if it is."""
    if not JIT:
        return
    if _numba_is_here:
        action()
    else:
        LATER.append(action)


_numba_is_here: list[bool] = []


def _inlined() -> Any:
    """Options of Numba for these functions. They are lowered its usual way, but for the checks of a checked build."""
    options = {**OPTIONS, "forceinline": True}
    if CHECK:
        from duoti.kernel.compile.numba_patches import PIPELINE

        options["pipeline_class"] = PIPELINE
    return options


def for_kernels(function: F) -> F:
    """Let kernels call a function, inlined, that stays an ordinary one for Python."""
    OVERLOADED[function] = (function,)

    def register() -> None:
        from numba.extending import register_jitable

        register_jitable(**_inlined())(function)

    when_compiling(register)
    return function


def overloaded(
    function: F,
    real: Callable[..., Any],
    complex: Callable[..., Any] | None = None,
    choose: Callable[..., bool] | None = None,
    lanes: Callable[..., Any] | None = None,
) -> F:
    """Let kernels call a function that Python spells differently: `real`, or `complex` if a complex number is given.

    `choose` decides instead: called with a bool for each argument, whether it is complex. `lanes`: for lanes.
    """
    OVERLOADED[function] = tuple(each for each in (real, complex, lanes) if each is not None)

    def register() -> None:
        from numba import types
        from numba.extending import overload

        from duoti.kernel.compile.lanes import LANES

        def typed(*arguments: Any) -> Any:
            if lanes is not None and LANES in arguments:
                return lanes
            given = [isinstance(argument, types.Complex) for argument in arguments]
            wanted = complex is not None and (choose(*given) if choose else any(given))
            return complex if wanted else real

        names = ", ".join(real.__code__.co_varnames[: real.__code__.co_argcount])
        space: dict[str, Any] = {"typed": typed}
        exec(f"def chosen({names}):\n    return typed({names})\n", space)  # Numba compares the names of arguments
        overload(function, jit_options=_inlined())(space["chosen"])

    when_compiling(register)
    return function
