"""`export_c`: a model as a C library that steps without Python and without allocation."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from duoti.analyses.export.fmu import Exported, exported
from duoti.analyses.export.linking import FLAGS, compiler, run, write_sources
from duoti.analyses.export.program import Program, Variable, make_program
from duoti.integrate import Solver
from duoti.strict import explained
from duoti.version import __version__

KEYWORDS = frozenset((
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float",
    "for", "goto", "if", "inline", "int", "long", "main", "register", "restrict", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while",
))  # fmt: skip
"""What no type of C can be called."""


@explained
def export_c(
    model: Any,
    folder: str | Path,
    *,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
    parameters: Sequence[str] | None = None,
    solver: Solver | str | None = None,
) -> Exported:
    """Write a model as a C library for Linux on x86-64: header, static library, its sources, and a `main.c` that runs.

    A step allocates nothing and calls nothing but the C library's mathematics; with a solver of constant step, such as
    `dt.RK4(step=0.001)`, it always does the same work. All values are in SI units.

    Raises `ExportError` with everything that cannot be exported, as `export_fmu` does.

    Parameters
    ----------
    model:
        A model or a compiled system.
    folder:
        Where to write; it is made if need be.
    inputs, outputs, parameters, solver:
        As for `export_fmu`.
    """
    command = compiler()
    program = make_program(model, inputs, outputs, parameters, solver)
    name = re.sub(r"\W", "_", program.system.model.name, flags=re.ASCII).lower().strip("_") or "model"
    name = name if name[0].isalpha() and name not in KEYWORDS else f"m_{name}"
    target = Path(folder)
    write_sources(program, target / "sources", ("core.h", "library.c"), "", f"duoti_{name}")
    (target / f"{name}.h").write_text(_header(program, name), encoding="utf-8")
    (target / "main.c").write_text(_example(program, name), encoding="utf-8")
    sources = target / "sources"
    run(*command, *FLAGS, f"-DMODEL={name}", "-c", "library.c", "-o", "library.o", folder=sources)
    run(*command, "-c", "kernels.s", "-o", "kernels.o", folder=sources)
    library = target / f"lib{name}.a"
    library.unlink(missing_ok=True)
    archiver = (*command[:-1], "ar") if "ziglang" in command else (shutil.which("ar") or "ar",)
    run(*archiver, "rcs", str(library.resolve()), "library.o", "kernels.o", folder=sources)
    for each in ("library.o", "kernels.o"):
        (sources / each).unlink()
    return exported(program, target, command, library.stat().st_size)


def _in_comment(text: str) -> str:
    """A name that ends no comment of C."""
    return " ".join(text.replace("*/", "* /").split())


def _names(kind: str, name: str, variables: Sequence[Variable]) -> list[str]:
    """An enumeration, whose entries are numbers of variables."""
    upper, used, lines = name.upper(), set[str](), list[str]()
    for k, variable in enumerate(variables):
        text = re.sub(r"\W+", "_", variable.name, flags=re.ASCII).strip("_") or str(k)
        text = text if text not in used else f"{text}_{k}"
        used.add(text)
        unit = f" [{variable.unit}]" if variable.unit else ""
        lines.append(f"    {upper}_{kind}_{text} = {k}, /* {_in_comment(variable.name)}{unit} */")
    return ["enum {", *lines, f"    {upper}_{kind}S = {len(variables)}", "};"]


def _header(p: Program, name: str) -> str:
    guard = f"{name.upper()}_H"
    settable = _names("SET", name, p.parameters)
    return "\n".join([
        f"/* {_in_comment(p.system.model.name)}: written by duoti {__version__}. SI units; solver {p.solver!r}.",
        f" * Link with lib{name}.a and -lm. Each instance is for one thread at a time; instances share nothing. */",
        f"#ifndef {guard}", f"#define {guard}", "#include <stddef.h>",
        "#ifdef __cplusplus", 'extern "C" {', "#endif", "",
        f"/* What {name}_set changes: inputs first, then parameters. */", *settable, "",
        "/* Outputs. */", *_names("OUTPUT", name, p.outputs), "",
        "/* State: q, v, z. */", *_names("STATE", name, p.states), "",
        f"typedef struct {name} {name};", "",
        "/* An instance in memory of one's own: so many bytes, at an address that 64 divides. NULL if the processor",
        f" * lacks instructions ({p.level}). Nothing else allocates but _new. */",
        f"size_t {name}_bytes(void);", f"{name} *{name}_make(void *memory);", f"{name} *{name}_new(void);",
        f"void {name}_free({name} *m); /* what _new made */", "",
        "/* Back to the values and the initial state of the model. */", f"void {name}_reset({name} *m);",
        "/* Begin at a time, with the values set so far; 0, or -1 if there is no consistent start. */",
        f"int {name}_start({name} *m, double t);",
        "/* Advance by h seconds: 0; 1 if a terminal event ended the run before; negative if it failed (_reason). */",
        f"int {name}_step({name} *m, double h);", f"const char *{name}_reason(int status);",
        f"double {name}_time(const {name} *m);", "",
        "/* Inputs and parameters, which are held until they are set again; -1 if a value cannot be set (initial",
        " * values after the start, numbers that are not finite). */",
        f"int {name}_set({name} *m, int which, double value);", f"double {name}_get(const {name} *m, int which);", "",
        "/* Valid until the next call. */", f"const double *{name}_outputs({name} *m);",
        f"const double *{name}_state({name} *m);",
        f"const double *{name}_rates({name} *m); /* their derivatives by time */",
        f"void {name}_set_state({name} *m, double t, const double *x);", "",
        "/* Everything that the motion depends on, as bytes without addresses: a restored run goes on bit for bit. */",
        f"size_t {name}_saved_bytes(void);", f"void {name}_save(const {name} *m, void *bytes);",
        f"void {name}_restore({name} *m, const void *bytes);", "", "#ifdef __cplusplus", "}", "#endif", "#endif", "",
    ])  # fmt: skip


def _example(p: Program, name: str) -> str:
    titles = "".join(f",{variable.name}" for variable in p.outputs)
    return f"""/* Runs the model for a second and writes its outputs. Build: cc main.c lib{name}.a -lm -o main */
#include <stdio.h>

#include "{name}.h"

int main(void) {{
    {name} *m = {name}_new();
    if (!m || {name}_start(m, 0.0)) return 1;
    puts("time{titles}");
    for (int k = 0; k <= 100; k++) {{
        const double *y = {name}_outputs(m);
        printf("%.6g", {name}_time(m));
        for (int i = 0; i < {name.upper()}_OUTPUTS; i++) printf(",%.17g", y[i]);
        puts("");
        int status = {name}_step(m, 0.01);
        if (status) {{
            if (status < 0) fprintf(stderr, "%s\\n", {name}_reason(status));
            break;
        }}
    }}
    {name}_free(m);
    return 0;
}}
"""
