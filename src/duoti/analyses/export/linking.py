"""From a program to a library: C and assembler sources, compiled by a C compiler of this machine."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from duoti.analyses.export.derivatives import Derivatives
from duoti.analyses.export.memory import MemoryImage
from duoti.analyses.export.program import ExportError, Program
from duoti.kernel.store.images import Parts

SOURCES = Path(__file__).parent / "sources"
FLAGS = ("-O2", "-std=gnu11", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off", "-Wno-unused-function")


def compiler() -> tuple[str, ...]:
    """The command of the C compiler: one that is installed, or that of the package ziglang."""
    for name in ("cc", "gcc", "clang"):
        if found := shutil.which(name):
            return (found,)
    if find_spec("ziglang") is not None:
        return (sys.executable, "-m", "ziglang", "cc")
    raise ExportError('no C compiler was found: install gcc or clang, or pip install "duoti[export]" (ziglang)')


def named(command: tuple[str, ...]) -> str:
    """The compiler in a word."""
    return "zig cc (ziglang)" if "ziglang" in command else Path(command[0]).name


def run(*command: str, folder: Path) -> None:
    """Run a command; ExportError with what it wrote, if it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ExportError(f"{' '.join(command)} failed:\n{done.stderr.strip() or done.stdout.strip()}")


def write_sources(program: Program, folder: Path, names: tuple[str, ...], token: str, prefix: str = "duoti") -> None:
    """The C sources, with what is the model's own: a header and assembler code; prefix: of the symbols in them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        shutil.copyfile(SOURCES / name, folder / name)
    (folder / "model.h").write_text(header(program, token, prefix), encoding="utf-8")
    text, code = assembler(program, prefix)
    (folder / "kernels.s").write_text(text, encoding="ascii")
    (folder / "kernels.bin").write_bytes(code)


def header(program: Program, token: str, prefix: str = "duoti") -> str:
    """The header with what is the model's own."""
    system, block, s = program.system, program.block, program.slots
    made = program.derivatives
    sizes = {
        "N_WORDS": len(block.words), "N_POINTERS": len(block.pointers), "N_CALLS": len(block.calls),
        "N_SETTABLE": len(program.parameters), "N_OUTPUTS": len(program.outputs), "N_X": len(program.states),
        "N_Y": len(program.state), "N_EVENTS": len(program.events), "N_SLOTS": len(s.place),
        "N_QUATERNIONS": len(system.tree.quat_q), "ADAPTIVE": int(program.numbers["adaptive"]),
        "LEAST_RTOL": _number(program.numbers["least_rtol"]), "DERIVATIVES": int(made is not None),
        "N_Q": system.nq, "N_V": system.nv, "N_ROWS": system.closures.rows,
    }  # fmt: skip
    level = program.level
    lines = ["/* Sizes and places of an exported model; written by duoti. */", "#include <stdint.h>"]
    places = {**sizes, **program.places, **(made.places if made else {})}
    lines += [f"#define {name} {value}" for name, value in places.items()]
    number = level[len("x86-64-v") :] if level.startswith("x86-64-v") else "1"
    lines += [f"#define LEVEL {number}", f'#define LEVEL_TEXT "{level}"', f'#define TOKEN "{token}"']
    terms = [*zip(s.parameter.tolist(), s.scale.tolist(), strict=True)]
    slots = [*zip(program.slot_words, s.offset.tolist(), s.first.tolist(), strict=False), (0, 0.0, len(terms))]
    hidden = '__attribute__((visibility("hidden")))'
    if prefix != "duoti":
        lines += [f"#define duoti_{each} {prefix}_{each}" for each in ("block", "pointers", "calls")]
    lines += [f"extern void {prefix}_k{k}(int64_t) {hidden};" for k in range(len(block.kernels))]
    last = len(block.kernels)
    lines += [
        f"extern int {prefix}_k{last}(void *, void *) {hidden};",
        f"extern int {prefix}_k{last + 1}(void *, void *) {hidden};",
        f"#define duoti_start {prefix}_k{last}",
        f"#define duoti_advance {prefix}_k{last + 1}",
        _table("void (*const duoti_kernels[])(int64_t)", [f"{prefix}_k{k}" for k in range(last)]),
        _table("const double duoti_starts[]", [_number(v.start) for v in program.parameters]),
        _table("const int duoti_fixed[]", [str(int(v.fixed)) for v in program.parameters]),
        _table("const int duoti_quaternions[]", [str(int(k)) for k in system.tree.quat_q]),
        _table("const int duoti_actions[][3]", [f"{{{a}, {d}, {s}}}" for a, d, s in program.actions], "{0, 0, 0}"),
        _table(
            "const struct { uint32_t place; double offset; int first; } duoti_slots[]",
            [f"{{{place}, {_number(offset)}, {first}}}" for place, offset, first in slots],
        ),
        _table(
            "const struct { int value; double scale; } duoti_terms[]",
            [f"{{{value}, {_number(scale)}}}" for value, scale in terms],
            "{0, 0.0}",
        ),
    ]
    return "\n".join([*lines, *(_derivatives(made) if made else ())]) + "\n"


def _derivatives(made: Derivatives) -> list[str]:
    """What `derivatives.h` needs; the names of its symbols need no prefix, since libraries in C do not have it."""
    block, hidden = made.block, '__attribute__((visibility("hidden")))'
    last = len(block.kernels)
    sizes = {"T_WORDS": len(block.words), "T_POINTERS": len(block.pointers), "T_CALLS": len(block.calls),
             "N_ENTRIES": len(made.jacobian)}  # fmt: skip
    return [
        *(f"#define {name} {value}" for name, value in sizes.items()),
        *(f"extern void duoti_t{k}(int64_t) {hidden};" for k in range(last + 2)),
        f"#define duoti_equations duoti_t{last}",
        f"#define duoti_observations duoti_t{last + 1}",
        _table("void (*const duoti_t_kernels[])(int64_t)", [f"duoti_t{k}" for k in range(last)]),
        _table("const int32_t duoti_t_slots[]", [str(k) for k in made.slots]),
        _table("const int duoti_t_entries[][2]", [f"{{{r}, {i}}}" for r, i in made.jacobian], "{0, 0}"),
    ]


def _number(x: float) -> str:
    return float(x).hex()


def _table(declaration: str, entries: list[str], empty: str = "0") -> str:
    return f"static {declaration} __attribute__((unused)) = {{{', '.join(entries or [empty])}}};"


def assembler(program: Program, prefix: str = "duoti") -> tuple[str, bytes]:
    """`kernels.s`, with the memory of the model, and `kernels.bin`, the machine code that it includes."""
    lines = ["# Machine code and memory of an exported model, for ELF on x86-64; written by duoti.", ".text"]
    code = bytearray()
    for k, parts in enumerate(program.kernels):
        lines += _code(f"{prefix}_k{k}", parts, code)
    for k, parts in enumerate(program.derivative_kernels):
        lines += _code(f"duoti_t{k}", parts, code)
    lines += [".section .rodata", *_memory(prefix, program.block)]
    if program.derivatives is not None:
        lines += _memory("duoti_t", program.derivatives.block)
    return "\n".join([*lines, '.section .note.GNU-stack,"",@progbits', ""]), bytes(code)


def _memory(prefix: str, block: MemoryImage) -> list[str]:
    return [
        *_data(f"{prefix}_block", block.words, "quad"),
        *_data(f"{prefix}_pointers", block.pointers, "long"),
        *_data(f"{prefix}_calls", np.array(block.calls, np.int64).reshape(-1), "long"),
    ]


def _code(name: str, parts: Parts, code: bytearray) -> list[str]:
    """A kernel, added to the code; its jumps to the C library are left to the linker."""
    body, here, jumps = parts.body, 0, dict(parts.stubs)
    begin = len(code)
    code += body
    lines = [".balign 64"]

    def include(stop: int) -> None:
        if stop > here:
            lines.append(f'.incbin "kernels.bin",{begin + here},{stop - here}')

    for place in sorted({*jumps, parts.entry}):
        include(place)
        here = place
        if place == parts.entry:
            lines += [f".globl {name}", f".hidden {name}", f".type {name}, @function", f"{name}:"]
        if place in jumps:
            lines.append(f"jmp {jumps[place]}@PLT")
            here = place + 5
    include(parts.slots if jumps else len(body))
    return lines


def _data(name: str, numbers: np.ndarray, kind: str) -> list[str]:
    lines = [".balign 64", f".globl {name}", f".hidden {name}", f"{name}:"]
    size = 8 if kind == "quad" else 4
    values = numbers.tolist() or [0]
    here = 0
    while here < len(values):
        zeros = here
        while zeros < len(values) and values[zeros] == 0:
            zeros += 1
        if zeros - here >= 4:
            lines.append(f".zero {size * (zeros - here)}")
            here = zeros
            continue
        some = values[here : here + 16]
        stop = next((i for i in range(4, len(some)) if not any(some[i : i + 4])), len(some))
        lines.append(f".{kind} {','.join(map(str, some[:stop]))}")
        here += stop
    return lines
