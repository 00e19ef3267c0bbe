"""Replace the words of this house by those of the field: identifiers by token, prose by phrase.

    python tools/words/apply.py [--root DIR] [--only WORD] [--check] [--list]

`identifiers.tsv` (word, old, new, scope) names whole Python identifiers; `phrases.tsv` (word, pattern, replacement,
scope) regular expressions for comments, docstrings, messages and Markdown. A second run changes nothing.

Identifiers are replaced as NAME tokens, in the braces of f-strings, and, when they cannot be mistaken for English (an
underscore inside or two humps), inside strings, comments and Markdown as well. Paths of modules are never touched:
files are renamed elsewhere. Scope is a list of conditions separated by `;`, all of which must hold:

    path~REGEX   the path below the root matches        path!REGEX   ... does not
    has~REGEX    the text of the file matches           has!REGEX    ... does not
    defined~REGEX  the file matches, or imports the identifier from one that does
    line~REGEX   the line matches                       before~REGEX the line up to the identifier matches
    attr         only behind a dot or as a keyword      name         not behind a dot
    strings      inside strings of identifiers too      md, py       (phrases) only there
    call         only where it is called or imported    raw          (phrases) within code and links, too
    literal      (phrases) the whole string is the pattern

A `-` in place of the new name says that the identifier was looked at and stays; the note gives the reason.
"""

from __future__ import annotations

import argparse
import io
import re
import sys
import tokenize
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
WIDTH = 120
PYTHON = ("src", "tests", "benchmarks", "docs")
SKIPPED = (
    "tools/",
    "tests/unit/test_words.py",
    "tests/meta/test_words.py",
    "docs/glossary.md",
    "CHANGELOG.md",
    "docs/history",
    "docs/validation",
)
NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
IDENTIFIERS_ONLY = re.compile(r"[A-Za-z_][\w ,()]*")
KEPT = re.compile(r"(``[^`]+``|`[^`\n]+`|\]\([^)\s]*\)|https?://\S+)")  # code and addresses: no prose
LITERAL = re.compile(r"(?P<prefix>[A-Za-z]*)(?P<quote>'''|\"\"\"|'|\")(?P<body>.*)(?P=quote)", re.S)


@dataclass
class Scope:
    """Where an entry of a table holds."""

    conditions: list[tuple[str, bool, re.Pattern[str]]] = field(default_factory=list)
    tokens: list[tuple[str, re.Pattern[str]]] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    defined: re.Pattern[str] | None = None
    inside: set[str] = field(default_factory=set)  # of `defined`: paths of the files that define or import it

    @classmethod
    def of(cls, text: str) -> Scope:
        """Read a scope as written in the tables."""
        made = cls()
        for part in filter(None, (p.strip() for p in text.split(";"))):
            if m := re.match(r"(line|before)~(.*)", part):
                made.tokens.append((m[1], re.compile(m[2])))
            elif m := re.match(r"defined~(.*)", part):
                made.defined = re.compile(m[1], re.M)
            elif m := re.match(r"(path|has)([~!])(.*)", part):
                made.conditions.append((m[1], m[2] == "~", re.compile(m[3], re.M)))
            else:
                made.flags.add(part)
        return made

    def holds(self, path: str, text: str) -> bool:
        """Whether a file is within it."""
        if self.defined is not None and path not in self.inside:
            return False
        return all(bool(p.search(path if k == "path" else text)) == wanted for k, wanted, p in self.conditions)


@dataclass
class Entry:
    """One line of a table."""

    word: str
    old: str
    new: str
    scope: Scope
    pattern: re.Pattern[str] | None = None


def read_table(name: str) -> list[Entry]:
    """Lines of a table, without comments."""
    found = []
    for number, line in enumerate((HERE / name).read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) < 3:
            sys.exit(f"{name}:{number}: fewer than three cells: {line!r}")
        found.append(Entry(cells[0], cells[1], cells[2], Scope.of(cells[3] if len(cells) > 3 else "")))
    return found


def find_users(entries: list[Entry], texts: dict[str, str]) -> None:
    """For entries with `defined~`: the files that define the identifier or import it, through packages too."""
    for e in entries:
        if e.scope.defined is None:
            continue
        inside = {p for p, text in texts.items() if p.endswith(".py") and e.scope.defined.search(text)}
        grown = True
        while grown:
            modules = {re.sub(r"^(src|tests|benchmarks)/|(/__init__)?\.pyi?$", "", p).replace("/", ".") for p in inside}
            if not modules:
                break
            names = "|".join(sorted(map(re.escape, modules)))
            imports = re.compile(rf"from (?:{names}) import (?:\([^)]*\b{e.old}\b|[^(\n]*\b{e.old}\b)")
            found = {p for p, text in texts.items() if p not in inside and e.old in text and imports.search(text)}
            grown = bool(found)
            inside |= found
        e.scope.inside = inside


def is_distinctive(name: str) -> bool:
    """Whether an identifier cannot be mistaken for an English word."""
    return "_" in name.strip("_") or bool(re.search(r"[a-z0-9][A-Z]", name))


@dataclass
class Words:
    """Both tables, of one word or of all."""

    names: dict[str, list[Entry]]
    phrases: list[Entry]
    modules: set[str]

    @classmethod
    def read(cls, root: Path, only: str | None) -> Words:
        """The tables."""
        names: dict[str, list[Entry]] = defaultdict(list)
        for e in read_table("identifiers.tsv"):
            if only is None or e.word == only:
                names[e.old].append(e)
        phrases = []
        for e in read_table("phrases.tsv"):
            if only is None or e.word == only:
                e.pattern = re.compile(e.old.replace(" ", r"(?:\s+|\s*\n\s*# )"), re.I if e.old.islower() else 0)
                phrases.append(e)
        modules = {p.stem for d in PYTHON for p in (root / d).rglob("*.py")}
        return cls(dict(names), phrases, modules)


class File:
    """One file with the entries that hold in it."""

    def __init__(self, words: Words, path: str, text: str) -> None:
        self.path, self.text = path, text
        self.names: dict[str, list[Entry]] = {}
        for old, entries in words.names.items():
            if old in text and (holds := [e for e in entries if e.scope.holds(path, text)]):
                self.names[old] = holds
        plain = {n: es[0].new for n, es in self.names.items() if es[0].new != "-" and not es[0].scope.tokens}
        self.plain = plain
        kind = "md" if path.endswith(".md") else "py"
        other = {"md": "py", "py": "md"}[kind]
        self.phrases = [e for e in words.phrases if other not in e.scope.flags and e.scope.holds(path, text)]
        self.literals = [e for e in self.phrases if "literal" in e.scope.flags]
        self.raw = [e for e in self.phrases if "raw" in e.scope.flags]
        self.phrases = [e for e in self.phrases if not {"literal", "raw"} & e.scope.flags]
        inside = [n for n in plain if is_distinctive(n) and n not in words.modules]
        self.inside = (
            re.compile(
                r"(?<![\w/])(?:" + "|".join(sorted(map(re.escape, inside), key=len, reverse=True)) + r")\b(?!\.py|/)"
            )
            if inside
            else None
        )
        self.collisions: list[str] = []

    # ------------------------------------------------------------------------------------------------ prose and names

    def prose(self, text: str) -> str:
        """Words of people, in which names of code may stand."""
        if self.inside is not None:
            text = self.inside.sub(lambda m: self.plain[m[0]], text)
        for e in self.raw:
            assert e.pattern is not None
            text = e.pattern.sub(e.new, text)
        pieces = KEPT.split(text)
        for e in self.phrases:
            assert e.pattern is not None
            pieces[::2] = [e.pattern.sub(lambda m, e=e: _like(m, e.new), piece) for piece in pieces[::2]]
        return "".join(pieces)

    def name(self, text: str, before: str, after: str, line: str = "", column: int = 0) -> str:
        """An identifier with the tokens around it and the line in which it stands."""
        self.by_place = False
        for e in self.names.get(text, ()):
            flags = e.scope.flags
            if "attr" in flags and before != "." and after != "=":
                continue
            if "name" in flags and before == ".":
                continue
            if "call" in flags and not (after == "(" or (before in ("import", ",", "from") and after != "=")):
                continue
            if all(p.search(line if k == "line" else line[:column]) for k, p in e.scope.tokens):
                self.by_place = bool(e.scope.tokens)  # which of several things it is was looked at
                return text if e.new == "-" else e.new
        return text

    def code(self, text: str) -> str:
        """An expression in the braces of an f-string."""
        out, end, before = [], 0, ""
        for m in re.finditer(r"[A-Za-z_][A-Za-z_0-9]*|'[^']*'|\"[^\"]*\"|\S", text):
            out.append(text[end : m.start()])
            piece = m[0]
            if NAME.fullmatch(piece):
                out.append(self.name(piece, before, "", text, m.start()))
            elif piece[0] in "'\"" and len(piece) > 1:
                out.append(piece[0] + self.body(piece[1:-1]) + piece[-1])
            else:
                out.append(piece)
            before, end = piece, m.end()
        return "".join([*out, text[end:]])

    def body(self, text: str) -> str:
        """The inside of a plain string."""
        for e in self.literals:
            assert e.pattern is not None
            if m := e.pattern.fullmatch(text):
                return m.expand(e.new)
        if IDENTIFIERS_ONLY.fullmatch(text):
            text = NAME.sub(lambda m: self._in_string(m[0]), text)
        return text if re.fullmatch(r"[\w.:/-]*", text) and not is_distinctive(text) else self.prose(text)

    def _in_string(self, text: str) -> str:
        found = (e for e in self.names.get(text, ()) if "strings" in e.scope.flags)
        return next((e.new for e in found if e.new != "-"), text)

    def string(self, text: str) -> str:
        """A literal with its quotes."""
        m = LITERAL.fullmatch(text)
        if m is None:
            return text
        body = m["body"]
        if "f" in m["prefix"].lower():
            done = "".join(self.code(p) if is_code else self.prose(p) for is_code, p in f_parts(body))
        else:
            done = self.body(body)
        return m["prefix"] + m["quote"] + done + m["quote"]

    # ------------------------------------------------------------------------------------------------------ whole files

    def replaced(self) -> str:
        """The text with all words replaced."""
        if not self.names and not self.phrases and not self.literals:
            return self.text
        if not self.path.endswith((".py", ".pyi")):
            return self.markdown()
        return self.python()

    def markdown(self) -> str:
        """Prose, with Python in fences."""
        out = []
        for n, piece in enumerate(re.split(r"(?m)^(```.*?^```)", self.text, flags=re.S | re.M)):
            if n % 2 and piece.startswith(("```python", "```py\n")):
                head, rest = piece.split("\n", 1)
                sub = rest.rsplit("```", 1)
                try:
                    out.append(head + "\n" + self.python(sub[0]) + "```" + sub[1])
                    continue
                except (tokenize.TokenError, IndentationError, SyntaxError):
                    pass
            out.append(self.prose(piece))
        return "".join(out)

    def python(self, text: str | None = None) -> str:
        """Tokens of Python."""
        text = self.text if text is None else text
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
        starts, lines = [0], text.splitlines()
        for line in text.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        out, end = [], 0
        present: Counter[str] = Counter()
        changed: dict[str, tuple[str, int]] = {}
        in_path = False  # of a module in an import
        first = True
        modules_here: set[str] = set()
        before = ""
        in_import = where = ""
        for k, t in enumerate(tokens):
            if t.type in (tokenize.NEWLINE, tokenize.ENCODING):
                first, in_path, in_import = True, False, ""
            elif t.type in (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT):
                pass
            elif first:
                first = False
                in_import = t.string if t.string in ("from", "import") else ""
                in_path, where = bool(in_import), ""
                if in_import:
                    before = t.string
                    continue
            if t.type == tokenize.OP and t.string == ";":
                first = True
            if in_import == "from" and t.string == "import":
                in_path = False
            elif in_path:
                where += t.string
            a = starts[t.start[0] - 1] + t.start[1] if t.type != tokenize.ENDMARKER else len(text)
            b = starts[t.end[0] - 1] + t.end[1] if t.type != tokenize.ENDMARKER else len(text)
            new = t.string
            if t.type == tokenize.NAME:
                after = tokens[k + 1].string if k + 1 < len(tokens) else ""
                if in_import == "from" and not in_path and (where + "." + t.string) in DOTTED:
                    modules_here.add(t.string)
                if not in_path and not (t.string in modules_here and before != "."):
                    new = self.name(t.string, before, after, lines[t.start[0] - 1], t.start[1])
                    if new != t.string and not self.by_place:
                        changed.setdefault(new, (t.string, t.start[0]))
                    elif new == t.string:
                        present[t.string] += 1
                before = t.string
            elif t.type == tokenize.STRING:
                new = self.string(t.string)
                before = ""
            elif t.type == tokenize.COMMENT:
                new = self.prose(t.string) if not re.match(r"# (noqa|type|pyright|fmt|ruff)\b", t.string) else t.string
            elif t.type not in (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT):
                before = t.string
            if new != t.string:
                out += [text[end:a], new]
                end = b
        for new, (old, line) in changed.items():
            if present[new]:
                self.collisions.append(
                    f"{self.path}:{line}: {old} -> {new}, which is used {present[new]} times already"
                )
        return wrapped("".join([*out, text[end:]]), text)


MODULES: set[str] = set()
DOTTED: set[str] = set()


def _like(m: re.Match[str], new: str) -> str:
    """A replacement, with a capital where the text had one, and the break of a line where it had one."""
    text = m.expand(new)
    if m[0][:1].isupper() and text[:1].islower():
        text = text[0].upper() + text[1:]
    breaks = re.search(r"\s*\n\s*(# )?", m[0])
    if breaks and "\n" not in text:
        text = breaks[0].join(text.rsplit(" ", 1)) if " " in text else text + breaks[0]
    return text


def f_parts(body: str) -> list[tuple[bool, str]]:
    """Pieces of the body of an f-string: (is code, text); braces belong to the text."""
    out: list[tuple[bool, str]] = []
    text, k = "", 0
    while k < len(body):
        c = body[k]
        if body[k : k + 2] in ("{{", "}}"):
            text += body[k : k + 2]
            k += 2
        elif c == "{":
            depth, j = 1, k + 1
            while j < len(body) and depth:
                depth += {"{": 1, "}": -1}.get(body[j], 0)
                j += 1
            inner = body[k + 1 : j - 1]
            out.append((False, text + "{"))
            out.append((True, inner))
            text, k = "}", j
        else:
            text += c
            k += 1
    out.append((False, text))
    return out


# ----------------------------------------------------------------------------------------------- lines that became long


def wrapped(text: str, was: str) -> str:
    """Break lines of prose that a longer word has made too long."""
    if text == was:
        return text
    lines, k = text.split("\n"), 0
    inside = string_lines(text)
    for n, line in enumerate(lines):
        if len(line) > WIDTH and n not in inside:
            for m in range(n, min(n + 60, len(lines))):
                if lines[m].endswith("  # fmt: skip"):
                    lines[m] = lines[m].removesuffix("  # fmt: skip")
                    break
                if m > n and re.match(r"\s*(def|class|for|if|return|while)\b", lines[m]):
                    break
    while k < len(lines):
        line = lines[k]
        if len(line) <= WIDTH or k > 200000:
            k += 1
            continue
        indent = line[: len(line) - len(line.lstrip())]
        if line.lstrip().startswith("# "):
            head, tail = cut(line, WIDTH)
            if not head.strip("# "):
                k += 1
                continue
            lines[k] = head
            following = lines[k + 1] if k + 1 < len(lines) else ""
            if following.startswith(indent + "# ") and not following.startswith((indent + "# -", indent + "#  ")):
                lines[k + 1] = indent + "# " + tail + " " + following[len(indent) + 2 :]
            else:
                lines.insert(k + 1, indent + "# " + tail)
                inside = shifted(inside, k + 1)
        elif k in inside:
            head, tail = cut(line, WIDTH)
            if not head.strip():
                k += 1
                continue
            following = lines[k + 1] if k + 1 < len(lines) else ""
            joins = (
                k + 1 in inside
                and following.strip()
                and following.strip() not in ('"""', "'''")
                and following.startswith(indent)
                and following[len(indent)] not in " -*>|"
                and not line.lstrip().startswith('"""')
            )
            joins = joins or (
                line.lstrip().startswith('"""')
                and k + 1 in inside
                and bool(following.strip())
                and following.strip() != '"""'
            )
            hang = indent
            if line.lstrip().startswith(("- ", "* ")):
                hang, joins = indent + "  ", False
            lines[k] = head
            if joins:
                lines[k + 1] = indent + tail + " " + following[len(indent) :]
            elif tail.endswith('"""') and line.lstrip().startswith('"""'):
                lines[k + 1 : k + 1] = [hang + tail[:-3].rstrip(), indent + '"""']
                inside = shifted(shifted(inside, k + 1), k + 2)
            else:
                lines.insert(k + 1, hang + tail)
                inside = shifted(inside, k + 1)
        elif "  # " in line and not re.search(r"# (noqa|type|pyright)", line):
            head, comment = line.rsplit("  # ", 1)
            lines[k : k + 1] = [indent + "# " + comment, head]
            inside = shifted(inside, k)
        elif m := re.fullmatch(r"(\s*)((?:\w+ ?[=(] ?\(?|return \(|\()?)([fFrRbB]{0,2})(\"|')(.*)\4([,)\]}:]*)", line):
            pre, opener, prefix, quote, body, close = m.groups()
            room = WIDTH - len(pre) - len(opener) - len(prefix) - 3
            at = safe_cut(body, room)
            if at <= 0 or quote in body.replace("\\" + quote, "") or (opener and not opener.rstrip().endswith("(")):
                k += 1
                continue
            lines[k : k + 1] = [
                f"{pre}{opener}{prefix}{quote}{body[:at]}{quote}",
                f"{pre}{prefix}{quote}{body[at:]}{quote}{close}",
            ]
            inside = shifted(inside, k + 1)
        k += 1
    return "\n".join(lines)


def safe_cut(body: str, room: int) -> int:
    """Where a string may be cut: behind a blank outside of braces."""
    depth, best = 0, -1
    for k, c in enumerate(body[:room]):
        depth += {"{": 1, "}": -1}.get(c, 0)
        if c == " " and not depth:
            best = k + 1
    return best


def cut(line: str, width: int) -> tuple[str, str]:
    """A line up to the last blank within the width, and the rest."""
    at = line.rfind(" ", 0, width + 1)
    while at > 0 and line[:at].count("`") % 2:
        at = line.rfind(" ", 0, at)
    return line[:at].rstrip(), line[at + 1 :]


def shifted(inside: set[int], at: int) -> set[int]:
    """Numbers of lines after one was put in, which belongs to its neighbour before it."""
    return {k + (k >= at) for k in inside} | ({at} if at - 1 in inside else set())


def string_lines(text: str) -> set[int]:
    """Lines (from 0) within strings of three quotes."""
    found: set[int] = set()
    for t in tokenize.generate_tokens(io.StringIO(text).readline):
        if t.type == tokenize.STRING and t.string.endswith(('"""', "'''")) and not t.string.startswith(("f", "r")):
            found.update(range(t.start[0] - 1, t.end[0]))
    return found


# ------------------------------------------------------------------------------------------------------------ the tree


def files(root: Path) -> list[Path]:
    """All files with words."""
    found = [p for d in PYTHON for ext in ("py", "pyi", "md") for p in (root / d).rglob(f"*.{ext}")]
    found += [root / n for n in ("README.md", "CONTRIBUTING.md")]
    return sorted(
        p
        for p in found
        if p.exists() and not p.relative_to(root).as_posix().startswith(SKIPPED) and p.name != "test_words.py"
    )


def main() -> int:
    """Apply or check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=HERE.parents[1])
    parser.add_argument("--only", help="one word")
    parser.add_argument("--check", action="store_true", help="change nothing; list what is left")
    parser.add_argument("--list", action="store_true", help="list the words")
    given = parser.parse_args()
    if given.list:
        print("\n".join(dict.fromkeys(e.word for t in ("identifiers.tsv", "phrases.tsv") for e in read_table(t))))
        return 0
    root = given.root.resolve()
    words = Words.read(root, given.only)
    for d in PYTHON:
        for p in (root / d).rglob("*.py"):
            MODULES.add(p.stem)
            DOTTED.add(".".join(p.relative_to(root / d).with_suffix("").parts))
            if p.name == "__init__.py":
                MODULES.add(p.parent.name)
                DOTTED.add(".".join(p.parent.relative_to(root / d).parts))
    changed, collisions, broken = [], [], []
    texts = {path.relative_to(root).as_posix(): path.read_text() for path in files(root)}
    find_users([e for entries in words.names.values() for e in entries], texts)
    for path in files(root):
        text = texts[path.relative_to(root).as_posix()]
        name = path.relative_to(root).as_posix()
        file = File(words, name, text)
        try:
            new = file.replaced()
        except (tokenize.TokenError, IndentationError) as error:
            broken.append(f"{name}: {error}")
            continue
        collisions += file.collisions
        if new != text:
            changed.append(name)
            if path.suffix in (".py", ".pyi"):
                try:
                    compile(new, name, "exec")
                except SyntaxError as error:
                    broken.append(f"{name}: {error}")
                    continue
            if not given.check:
                path.write_text(new)
    print(f"{len(changed)} files {'would change' if given.check else 'changed'}")
    if given.check:
        print("\n".join(f"  {n}" for n in changed))
    for title, found in (("COLLISION", collisions), ("BROKEN", broken)):
        print("\n".join(f"{title} {line}" for line in found), end="\n" if found else "")
    return 1 if broken or (given.check and changed) else 0


if __name__ == "__main__":
    raise SystemExit(main())
