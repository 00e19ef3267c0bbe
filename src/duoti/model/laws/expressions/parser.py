"""From text to tree. Nothing is ever executed: there are numbers, names, operators and listed functions.

precedence, loosest first       associates
or
and
not x
<  <=  >  >=  ==  !=            not at all: a < b < c is refused
+  -                            to the left
*  /                            to the left
-x  +x
^  **                           to the right; -x^2 is -(x^2), 2^-1 is allowed
"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from duoti.model.laws.expressions.errors import ExpressionError, Problem, quoted
from duoti.model.laws.expressions.lookup_table import Table

# The words of the expression language, and the tree an expression is parsed into.


MAX_LENGTH = 10_000  # characters
MAX_NESTING = 100  # brackets within brackets, signs and exponents included

CONSTANTS: dict[str, float] = {"pi": math.pi, "e": math.e, "tau": math.tau}
KEYWORDS = ("and", "or", "not")

# How a function is called. A name that ends with "..." stands for any number of further arguments.
SIGNATURES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"), ("x",)),
    **dict.fromkeys(("exp", "log", "log10", "sqrt", "abs", "sign", "floor"), ("x",)),
    **dict.fromkeys(("min", "max", "hypot"), ("a", "b", "...")),
    "atan2": ("y", "x"),
    "mod": ("a", "b"),
    "step": ("t", "t0", "h0", "t1", "h1"),
    "if": ("condition", "a", "b"),
    "clip": ("x", "low", "high"),
}

RESERVED = frozenset({*CONSTANTS, *KEYWORDS, *SIGNATURES})
"""Names that a model should not give to its parameters."""

Span = tuple[int, int]


def signature(function: str) -> str:
    """Return how a function is called, such as 'clip(x, low, high)'."""
    return f"{function}({', '.join(SIGNATURES[function])})"


@dataclass(frozen=True, slots=True)
class Number:
    """A number, written or computed."""

    value: float
    span: Span


@dataclass(frozen=True, slots=True)
class Name:
    """A value by name: `t`, `A.angle`, `arm.q[2]`."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator or function with its arguments; operators go by their sign, and `**` by `^`.

    `span` is where the operator or the function's name stands.
    """

    function: str
    arguments: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Lookup(Apply):
    """The value of a table, or a derivative of it; `function` is the name of the table."""

    table: Table
    order: int = 0

    @property
    def slope(self) -> Lookup | None:
        """The next derivative, None if it is zero everywhere."""
        if self.order >= self.table.degree:
            return None
        return Lookup(self.function, self.arguments, self.span, self.table, self.order + 1)


Node = Number | Name | Apply


MAX_RECURSION = 300  # calls within calls of the parser itself, well below Python's limit of 1000

TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
  | (?P<name>[^\W\d]\w*(?:\[[0-9]+\])?(?:\.[^\W\d]\w*(?:\[[0-9]+\])?)*)
  | (?P<text>"[^"]*"|'[^']*')
  | (?P<wrong>//|&&?|\|\|?)
  | (?P<sign>\*\*|<=|>=|==|!=|[-+*/^<>(),])
    """,
    re.VERBOSE,
)
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
BINDING = {"or": 1, "and": 2, **dict.fromkeys(COMPARISONS, 4), "+": 5, "-": 5, "*": 6, "/": 6, "^": 8}
NOT, COMPARE, SIGNED, POWER = 3, 4, 7, 8

INSTEAD = {
    "=": "to compare, write ==",
    "!": "write not",
    "&": "write and",
    "&&": "write and",
    "|": "write or",
    "||": "write or",
    "%": "write mod(a, b)",
    "//": "write floor(a/b)",
    "?": "write if(condition, a, b)",
    ".": "a name must stand on both sides of the dot",
    "[": "an index is a whole number right after a name, as in arm.q[2]",
    "]": "an index is a whole number right after a name, as in arm.q[2]",
    ";": "arguments are separated by commas",
    "\N{MINUS SIGN}": "write -",
    "\N{EN DASH}": "write -",
    "\N{MULTIPLICATION SIGN}": "write *",
    "\N{MIDDLE DOT}": "write *",
    "\N{DIVISION SIGN}": "write /",
    "\N{LESS-THAN OR EQUAL TO}": "write <=",
    "\N{GREATER-THAN OR EQUAL TO}": "write >=",
    "\N{NOT EQUAL TO}": "write !=",
    "\N{SUPERSCRIPT TWO}": "write ^2",
    "\N{SUPERSCRIPT THREE}": "write ^3",
    "\N{SQUARE ROOT}": "write sqrt(x)",
    "\N{DEGREE SIGN}": "angles are in radians: multiply by pi/180",
}


class Token(NamedTuple):
    """A word; `kind` is number, name, text (in quotation marks), end, or for signs and keywords the word itself."""

    kind: str
    text: str
    start: int
    stop: int

    @property
    def span(self) -> tuple[int, int]:
        """Where the word stands."""
        return self.start, self.stop


@lru_cache(maxsize=4096)
def parse(text: str) -> Node:
    """Return the tree of an expression; functions and names in it are not yet looked up."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(
            text, [Problem(MAX_LENGTH, MAX_LENGTH + 1, f"longer than {MAX_LENGTH} characters ({len(text)})")]
        )
    return _Parser(text).whole()


def tokenize(text: str) -> list[Token]:
    """Return the words of the text, the last of them of the kind 'end'."""
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None or match.lastgroup == "wrong":
            raise _strange(text, position, position + 1 if match is None else match.end())
        kind, word = str(match.lastgroup), match.group()
        if kind == "name":
            for offset, character in enumerate(word):  # \w also takes characters such as a superscript two
                if character not in ".[]" and not ("a" + character).isidentifier():
                    raise _strange(text, position + offset, position + offset + 1)
        if kind == "sign" or word in KEYWORDS:
            kind = "^" if word == "**" else word
        if kind != "space":
            tokens.append(Token(kind, word, position, match.end()))
        position = match.end()
    tokens.append(Token("end", "", len(text.rstrip()), len(text.rstrip()) + 1))
    return tokens


def _strange(text: str, start: int, stop: int) -> ExpressionError:
    """Error of characters outside the language, with what is written in their place."""
    found = text[start:stop]
    plain = unicodedata.normalize("NFKC", found)
    instead = INSTEAD.get(found, "")
    if not instead and plain != found and TOKEN.fullmatch(plain):  # full-width brackets and the like
        instead = f"write {plain.strip()}" if plain.strip() else "write an ordinary space"
    message = f"{quoted(found)} means nothing here" + (f"; {instead}" if instead else "")
    return ExpressionError(text, [Problem(start, stop, message)])


class _Parser:
    """A precedence climber over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokenize(text)
        self.position = 0
        self.nesting = 0
        self.recursion = 0

    @property
    def here(self) -> Token:
        return self.tokens[self.position]

    def advance(self) -> Token:
        token = self.here
        self.position += 1
        return token

    def fault(self, token: Token, message: str) -> ExpressionError:
        return ExpressionError(self.text, [Problem(token.start, token.stop, message)])

    def whole(self) -> Node:
        if self.here.kind == "end":
            raise self.fault(self.here, 'the expression is empty; write a number or, say, "10*sin(2*pi*t)"')
        node = self.expression(0)
        if self.here.kind != "end":
            raise self.unexpected()
        return node

    def unexpected(self) -> ExpressionError:
        """Error of a word that cannot follow a complete value."""
        token = self.here
        word, lower = quoted(token.text), token.text.lower()
        if token.kind == ")":
            return self.fault(token, 'no "(" for this ")"')
        if token.kind == ",":
            return self.fault(token, "a comma stands only between the arguments of a function; decimals have a point")
        if lower in ("if", "else", "then"):
            return self.fault(token, f"{word} cannot stand here; write if(condition, a, b)")
        if lower in KEYWORDS and token.kind == "name":
            return self.fault(token, f"{word} cannot stand here; write {lower}, in small letters")
        before = self.tokens[self.position - 1]
        if before.text in SIGNATURES:
            return self.fault(before, f"{before.text} is a function; write {signature(before.text)}")
        return self.fault(token, f"an operator is missing before {word}; a product is written with *")

    # ------------------------------------------------------------------------------------------------ grammar

    def expression(self, loosest: int) -> Node:
        """Read as far as operators bind tighter than `loosest`."""
        self.recursion += 1
        if self.recursion > MAX_RECURSION or self.nesting > MAX_NESTING:
            raise self.fault(self.here, f"nested too deeply; {MAX_NESTING} levels are allowed")
        left = self.operand(loosest)
        while (binding := BINDING.get(self.here.kind, 0)) > loosest:
            token = self.advance()
            if binding == POWER:
                right = self.nested(SIGNED - 1)  # to the right, and a sign may follow
            else:
                right = self.expression(binding)
            left = Apply(token.kind, (left, right), token.span)
            if binding == COMPARE and self.here.kind in COMPARISONS:
                raise self.fault(self.here, "comparisons cannot be chained; write a < b and b < c")
        self.recursion -= 1
        return left

    def nested(self, loosest: int) -> Node:
        """Read an expression one level deeper."""
        self.nesting += 1
        node = self.expression(loosest)
        self.nesting -= 1
        return node

    def operand(self, loosest: int) -> Node:
        token = self.advance()
        if token.kind == "number":
            value = float(token.text)
            if math.isinf(value):
                raise self.fault(token, "this number is too large; the largest is about 1.8e308")
            return Number(value, token.span)
        if token.kind == "name":
            return self.call(token) if self.here.kind == "(" else Name(token.text, token.span)
        if token.kind == "(":
            node = self.nested(0)
            self.close(token)
            return node
        if token.kind in ("-", "+"):
            node = self.nested(SIGNED - 1)
            return Apply("-", (node,), token.span) if token.kind == "-" else node
        if token.kind == "not":
            if loosest >= COMPARE:
                raise self.fault(token, '"not" binds loosely; put it in brackets: (not x)')
            return Apply("not", (self.nested(NOT - 1),), token.span)
        if token.kind == "end":
            raise self.fault(token, "the expression ends where a value should follow")
        if token.kind == "text":
            raise self.fault(token, f'{token.text} is a text, which stands only in table("name", x)')
        raise self.fault(token, f"a value is missing before {quoted(token.text)}")

    def call(self, name: Token) -> Node:
        opening = self.advance()
        arguments: list[Node] = []
        if name.text == "table" and self.here.kind == "text":  # table("road", t) is road(t)
            name = self.advance()
            if name.text[1:-1] in SIGNATURES:
                raise self.fault(name, f"{name.text[1:-1]} is a function, not a table")
            if self.tokens[self.position].kind != ",":
                raise self.fault(name, f"write table({name.text}, x), with what the table is read of")
            self.advance()
        if self.here.kind != ")":
            arguments.append(self.nested(0))
            while self.here.kind == ",":
                self.advance()
                arguments.append(self.nested(0))
        self.close(opening)
        return Apply(name.text.strip("\"'"), tuple(arguments), name.span)

    def close(self, opening: Token) -> None:
        if self.here.kind == "end":
            raise self.fault(opening, 'this "(" is never closed')
        if self.here.kind != ")":
            raise self.unexpected()
        self.advance()
