"""The types of what a context holds, the same for every system."""

from __future__ import annotations

from typing import Any, get_origin, get_type_hints

import numpy as np

from duoti.kernel import ContextType, name_types
from duoti.kernel.lanes import LANES
from duoti.system.allocation import allocate
from duoti.system.arrays import Closures, Group, Ints, Loads, Tree, allocate_dense, dense_size, freeze
from duoti.system.path_scratch import allocate_path_scratch
from duoti.system.tangent_arrays import allocate_tangent


def _example(
    cls: Any, matrices: dict[str, int], others: frozenset[str] = frozenset(), number: Any = np.complex128
) -> Any:
    """An instance with arrays of the right type and dimension, `others` of this number; sizes do not matter."""
    fields: dict[str, Any] = {}
    for name, hint in get_type_hints(cls).items():
        if hint in (int, float):
            fields[name] = hint(1)
        elif issubclass(get_origin(hint) or hint, tuple):
            fields[name] = _example(hint, matrices, others, number)
        else:
            shape = (1, matrices[name]) if name in matrices else (1,)
            real = number if name in others else np.float64
            fields[name] = np.zeros(shape, np.int64 if hint == Ints else real)
    made = cls(**fields)
    freeze(made)
    return made


TREE_MATRICES = {"X_PF": 12, "joint_parameters": 2, "inertia": 10, "H0": 6, "moves": 6}
LOADS_MATRICES = {"X_BM": 12, "integers": 1, "reals": 1, "tables": 6, "signals": 3, "law_signals": 2}

CLOSURES_MATRICES = {"markers": 2, "equation_axes": 3, "law": 3, "table": 2}


PERTURBED = frozenset(
    (
        "X_PF", "joint_parameters", "inertia", "rotor", "gravity", "H0", "X_BM", "reals", "parameter", "value",
        "term_c", "constants", "tables", "block_reals",
    )
)  # fmt: skip
"""The arrays of Tree, Loads and Closures that have a complex step in derivatives by parameters."""


def example_tree() -> Tree:
    """A tree of no use but for its types."""
    return _example(Tree, TREE_MATRICES)


def example_closures() -> Closures:
    """Closures of no use but for their types."""
    return _example(Closures, CLOSURES_MATRICES)


IN_LANES = frozenset(
    ("X_PF", "joint_parameters", "inertia", "rotor", "gravity", "H0", "X_BM", "reals", "constants")
)  # fmt: skip
"""The arrays of Tree and Loads that have a number of its own for each lane (`kernel.lanes`)."""


def _context(dtype: Any, others: frozenset[str] = frozenset()) -> tuple[Any, ...]:
    tree = _example(Tree, TREE_MATRICES, others, dtype)
    loads = _example(Loads, LOADS_MATRICES, others, dtype)
    closures = _example(Closures, CLOSURES_MATRICES, others, dtype)
    return tree, loads, closures, allocate(tree, loads, closures, dtype)


def _dense() -> tuple[Any, ...]:
    tree, closures = _example(Tree, TREE_MATRICES), _example(Closures, CLOSURES_MATRICES)
    return (allocate_dense(tree, closures, np.zeros(dense_size(tree, closures))),)


def _tangent(dtype: type = float) -> tuple[Any, ...]:
    tree, loads = _example(Tree, TREE_MATRICES), _example(Loads, LOADS_MATRICES)
    none = np.zeros(0, np.int64)
    tree = tree._replace(plain_q=none, plain_v=none, quat_q=none, quat_v=none)
    closures = _example(Closures, CLOSURES_MATRICES)
    return allocate_tangent(tree, closures, dtype), allocate_path_scratch(tree, loads, dtype=dtype)


REAL_CONTEXT = ContextType(lambda: _context(float))
COMPLEX_CONTEXT = ContextType(lambda: _context(complex))
PERTURBED_CONTEXT = ContextType(lambda: _context(complex, PERTURBED))
LANES_CONTEXT = ContextType(lambda: _context(LANES, IN_LANES))
DENSE_CONTEXT = ContextType(_dense)
TANGENT_CONTEXT = ContextType(_tangent)
PERTURBED_TANGENT_CONTEXT = ContextType(lambda: _tangent(complex))
REAL_TANGENTS = (REAL_CONTEXT, TANGENT_CONTEXT)
PERTURBED_TANGENTS = (PERTURBED_CONTEXT, PERTURBED_TANGENT_CONTEXT)
"""Both contexts of an entry with derivatives (`duoti.elements`)."""
GROUP_CONTEXT = ContextType(lambda: (Group(0, 0, 0),))

name_types(REAL_CONTEXT, "tree loads closures work")
name_types(COMPLEX_CONTEXT, "_ _ _ complex_work")
name_types(LANES_CONTEXT, "lanes_tree lanes_loads _ lanes_work")
name_types(TANGENT_CONTEXT, "tangent path")
name_types(PERTURBED_TANGENT_CONTEXT, "complex_tangent _")
