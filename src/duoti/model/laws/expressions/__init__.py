"""Expressions that users write into models, such as `-k*A.angle - c*A.rate`.

`compile_expression` turns text into a `Program`, a few integers and numbers that the kernel `evaluate` works
off. No expression is ever executed as Python, and none needs a compiler of its own. `derivatives` gives the
programs of an expression's derivatives with respect to one of its names.
"""

from duoti.model.laws.expressions.compile import compile_expression, with_constants
from duoti.model.laws.expressions.derivative import derivative, derivatives
from duoti.model.laws.expressions.errors import ExpressionError
from duoti.model.laws.expressions.lookup_table import Table
from duoti.model.laws.expressions.machine import evaluate
from duoti.model.laws.expressions.parser import RESERVED
from duoti.model.laws.expressions.program import Program, link

__all__ = [
    "RESERVED",
    "ExpressionError",
    "Program",
    "Table",
    "compile_expression",
    "derivative",
    "derivatives",
    "evaluate",
    "link",
    "with_constants",
]
