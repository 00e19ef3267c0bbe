"""`export_fmu`: a model as a functional mock-up unit (FMI 2.0 or 3.0), with co-simulation and model exchange."""

from __future__ import annotations

import hashlib
import re
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from xml.sax.saxutils import quoteattr

from duoti.analyses.export.linking import FLAGS, assembler, compiler, header, named, run, write_sources
from duoti.analyses.export.program import Program, Variable, make_program
from duoti.integrate import Solver, Tolerances
from duoti.strict import explained
from duoti.system.arrays import JUMPS
from duoti.version import __version__

PLATFORMS = {"2.0": "linux64", "3.0": "x86_64-linux"}
HEADERS = ("core.h", "derivatives.h", "fmi.h")


@dataclass(frozen=True)
class Exported:
    """What was exported.

    Attributes
    ----------
    path:
        The file or folder.
    inputs, outputs, parameters:
        Names of the variables.
    states:
        Names of the continuous states.
    solver:
        The solver of co-simulation.
    derivatives:
        Whether directional derivatives are provided; False for C libraries.
    no_derivatives:
        Why an FMU provides none.
    compiler:
        The C compiler that was used.
    processor:
        The level of processors that the machine code needs, such as "x86-64-v3".
    size:
        Bytes of the file, or of the library.
    """

    path: Path
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    parameters: tuple[str, ...]
    states: tuple[str, ...]
    solver: Solver
    derivatives: bool
    no_derivatives: str
    compiler: str
    processor: str
    size: int

    def __str__(self) -> str:
        lines = [
            f"written: {self.path} ({self.size / 1000:.0f} kB)",
            f"compiled by {self.compiler} for Linux on {self.processor}",
            f"co-simulation by {self.solver!r}",
            f"inputs: {', '.join(self.inputs) or 'none'}",
            f"outputs: {', '.join(self.outputs) or 'none'}",
            f"parameters: {', '.join(self.parameters) or 'none'}",
        ]
        if self.no_derivatives:
            lines.append(f"no directional derivatives: {self.no_derivatives}")
        return "\n".join(lines)


def exported(program: Program, path: Path, command: tuple[str, ...], size: int) -> Exported:
    """The record of an export."""
    names = [variable.name for variable in program.parameters]
    return Exported(
        path, tuple(names[: program.inputs]), tuple(v.name for v in program.outputs), tuple(names[program.inputs :]),
        tuple(v.name for v in program.states), program.solver, program.derivatives is not None,
        program.no_derivatives, named(command), program.level, size,
    )  # fmt: skip


@explained
def export_fmu(
    model: Any,
    path: str | Path,
    version: Literal["2.0", "3.0"] = "3.0",
    *,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
    parameters: Sequence[str] | None = None,
    solver: Solver | str | None = None,
) -> Exported:
    """Write a model as an FMU that needs neither Python nor duoti: machine code for Linux on x86-64.

    The FMU offers co-simulation, with a solver of duoti inside, and model exchange. Its sources are in it. All values
    are in SI units. A C compiler is needed, installed or by `pip install "duoti[export]"`.

    Raises `ExportError` with everything that cannot be exported: laws, controllers and jumps that are functions in
    Python, rigid contacts, dry friction and rigid stops.

    Parameters
    ----------
    model:
        A model or a compiled system.
    path:
        The file, such as "pendulum.fmu".
    version:
        "3.0" or "2.0", of the standard.
    inputs:
        Numbers that the importing tool drives: declared parameters that laws read ("u"), or numbers such as
        "gravity.z". They are constant during a communication step.
    outputs:
        Coordinates, rates, states, places and velocities ("A.angle", "tip.position"); by default all coordinates,
        rates and states.
    parameters:
        Numbers that may be changed, also during a run ("rod.mass", "spring.stiffness"); initial values ("A.q0") only
        before it. By default all declared parameters.
    solver:
        Of co-simulation: an explicit solver, `Radau`, `Rodas`, `GeneralisedAlpha` or `Moreau`. By default the choice of
        `choose_solver`, with `Radau` where that is `Auto`.
    """
    if version not in PLATFORMS:
        raise ValueError(f'version={version!r}: FMI has versions "2.0" and "3.0"')
    target = Path(path)
    if target.suffix.lower() != ".fmu":
        raise ValueError(f"path={str(path)!r}: the name of an FMU ends with .fmu")
    command = compiler()
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{target}: there is no folder {target.parent}; make it first")
    program = make_program(model, inputs, outputs, parameters, solver, derivatives=True)
    name = re.sub(r"\W", "_", program.system.model.name) or "model"
    name = name if name[0].isalpha() else f"m_{name}"
    text, code = assembler(program)
    digest = hashlib.sha256((header(program, "") + text + version).encode() + code).hexdigest()
    token = f"{{{digest[:8]}-{digest[8:12]}-{digest[12:16]}-{digest[16:20]}-{digest[20:32]}}}"
    description = _description_2(program, name, token) if version == "2.0" else _description_3(program, name, token)
    source = f"fmi{version[0]}.c"
    with tempfile.TemporaryDirectory() as folder:
        sources = Path(folder)
        write_sources(program, sources, (*HEADERS, source), token)
        run(*command, *FLAGS, "-shared", "-s", "-o", f"{name}.so", source, "kernels.s", "-lm", folder=sources)
        part = target.with_name(f"{target.name}.part")
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("modelDescription.xml", description)
            file.write(sources / f"{name}.so", f"binaries/{PLATFORMS[version]}/{name}.so")
            for each in (*HEADERS, "model.h", "kernels.s", "kernels.bin", source):
                file.write(sources / each, f"sources/{each}")
            file.writestr("documentation/index.html", _documentation(program, name, source))
        part.replace(target)
    return exported(program, target, command, target.stat().st_size)


def _documentation(program: Program, name: str, source: str) -> str:
    flags = " ".join(FLAGS)
    return (
        f"<!DOCTYPE html><html><head><title>{name}</title></head><body><h1>{name}</h1>"
        f"<p>Exported by duoti {__version__}. All values are in SI units. Co-simulation by {program.solver!r}.</p>"
        f"<p>The machine code needs Linux on {program.level}. The library is built from its sources by</p>"
        f"<pre>cc {flags} -shared -o {name}.so {source} kernels.s -lm</pre></body></html>\n"
    )


def _units(variables: Iterable[Variable]) -> list[str]:
    return sorted({v.unit for v in variables if v.unit})


def _all(program: Program) -> list[Variable]:
    return [*program.parameters, *program.outputs, *program.states, *_rates(program)]


def _rates(program: Program) -> list[Variable]:
    per = {"": "", "1": "1/s", "rad": "rad/s", "m": "m/s", "m/s": "m/s^2", "rad/s": "rad/s^2"}
    return [Variable(f"der(state.{v.name})", per.get(v.unit, ""), 0.0) for v in program.states]


# dimensions of the SI in the order of both standards' BaseUnit
_BASE = {
    "m": "m='1'", "rad": "rad='1'", "s": "s='1'", "kg": "kg='1'", "m/s": "m='1' s='-1'", "rad/s": "rad='1' s='-1'",
    "m/s^2": "m='1' s='-2'", "rad/s^2": "rad='1' s='-2'", "N": "kg='1' m='1' s='-2'", "N m": "kg='1' m='2' s='-2'",
    "N/m": "kg='1' s='-2'", "N s/m": "kg='1' s='-1'", "1/s": "s='-1'", "kg m^2": "kg='1' m='2'",
}  # fmt: skip


def _unit_definitions(program: Program) -> list[str]:
    names = _units([*_all(program), Variable("time", "s", 0.0)])
    found = [
        f"    <Unit name={quoteattr(name)}>"
        + (f"<BaseUnit {_BASE[name]}/>" if name in _BASE else "")
        + "</Unit>" for name in names
    ]  # fmt: skip
    return ["  <UnitDefinitions>", *found, "  </UnitDefinitions>"]


def _unit(variable: Variable) -> str:
    return f" unit={quoteattr(variable.unit)}" if variable.unit else ""


def _start(x: float) -> str:
    return f' start="{float(x)!r}"'


class _Numbers:
    """Value references, in the order of `core.h`."""

    def __init__(self, p: Program):
        self.settable = 1
        self.output = self.settable + len(p.parameters)
        self.state = self.output + len(p.outputs)
        self.rate = self.state + len(p.states)
        self.indicator = self.rate + len(p.states)


def _description_2(p: Program, name: str, token: str) -> str:
    at, lines = _Numbers(p), list[str]()

    def scalar(reference: int, text: str, attributes: str, real: str) -> None:
        lines.append(f'    <ScalarVariable name={quoteattr(text)} valueReference="{reference}" {attributes}>'
                     f"<Real{real}/></ScalarVariable>")  # fmt: skip

    scalar(0, "time", 'causality="independent" variability="continuous"', ' unit="s"')
    for k, v in enumerate(p.parameters):
        if k < p.inputs:
            scalar(at.settable + k, v.name, 'causality="input" variability="continuous"', _unit(v) + _start(v.start))
        else:
            kind = "fixed" if v.fixed else "tunable"
            scalar(at.settable + k, v.name, f'causality="parameter" variability="{kind}" initial="exact"',
                   _unit(v) + _start(v.start))  # fmt: skip
    for k, v in enumerate(p.outputs):
        scalar(at.output + k, v.name, 'causality="output" variability="continuous" initial="calculated"', _unit(v))
    reinit, computed = _reinit(p), _computed(p)
    for k, v in enumerate(p.states):
        initial = 'initial="calculated"' if k in computed else 'initial="exact"'
        scalar(at.state + k, f"state.{v.name}", f'causality="local" variability="continuous" {initial}',
               _unit(v) + ("" if k in computed else _start(v.start)) + reinit)  # fmt: skip
    for k, v in enumerate(_rates(p)):
        scalar(at.rate + k, v.name, 'causality="local" variability="continuous" initial="calculated"',
               f'{_unit(v)} derivative="{at.state + k + 1}"')  # fmt: skip
    outputs = [f'      <Unknown index="{at.output + k + 1}"/>' for k in range(len(p.outputs))]
    rates = [f'      <Unknown index="{at.rate + k + 1}"/>' for k in range(len(p.states))]
    initial = [f'      <Unknown index="{at.state + k + 1}"/>' for k in sorted(computed)]
    of_states = [
        f'      <Unknown index="{at.output + k + 1}"{_of_states(p, v.name, at.state + 1)}/>'
        for k, v in enumerate(p.outputs)
    ]
    structure = (
        _list("Outputs", of_states) + _list("Derivatives", rates) + _list("InitialUnknowns", outputs + initial + rates)
    )
    common = f'modelIdentifier="{name}" canGetAndSetFMUstate="true" canSerializeFMUstate="true"'
    common += ' providesDirectionalDerivative="true"' if p.derivatives else ""
    return "\n".join([
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<fmiModelDescription fmiVersion="2.0" modelName={quoteattr(p.system.model.name)} guid="{token}" '
        f'generationTool="duoti {__version__}" variableNamingConvention="flat" '
        f'numberOfEventIndicators="{len(p.events)}">',
        f'  <ModelExchange {common} completedIntegratorStepNotNeeded="{_truth(not _drifts(p))}"/>',
        f'  <CoSimulation {common} canHandleVariableCommunicationStepSize="true"/>',
        *_unit_definitions(p),
        _experiment(p),
        "  <ModelVariables>", *lines, "  </ModelVariables>",
        "  <ModelStructure>", *structure, "  </ModelStructure>",
        "</fmiModelDescription>", "",
    ])  # fmt: skip


def _list(name: str, items: list[str]) -> list[str]:
    return [f"    <{name}>", *items, f"    </{name}>"] if items else []


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _drifts(p: Program) -> bool:
    """Whether integration can leave closed loops, or unit quaternions."""
    return p.system.closures.rows > 0 or len(p.system.tree.quat_q) > 0


def _experiment(p: Program) -> str:
    """A run as in `duoti run`, with the tolerance of the solver."""
    described = {"startTime": 0.0}
    duration = p.system.model.tasks.get("simulate", {}).get("duration")
    if isinstance(duration, (int, float)) and duration > 0.0:
        described["stopTime"] = float(duration)
    if isinstance(p.solver, Tolerances) and p.solver.adaptive:
        described["tolerance"] = p.solver.rtol
    return f"  <DefaultExperiment {' '.join(f'{name}={str(value)!r}' for name, value in described.items())}/>"


def _reinit(p: Program) -> str:
    """For states that events set: jumps do, and what closes loops."""
    return ' reinit="true"' if _drifts(p) or any(action == JUMPS for action, _, _ in p.actions) else ""


def _computed(p: Program) -> set[int]:
    """States whose first values follow from parameters ("A.q0")."""
    return {place - p.places["Y"] for place in p.slot_words if 0 <= place - p.places["Y"] < len(p.states)}


def _of_states(p: Program, output: str, first: int) -> str:
    """Outputs depend on states, never directly on inputs: connected tools need no iteration."""
    names = [v.name for v in p.states]
    found = [names.index(output)] if output in names else range(len(names))
    return f' dependencies="{" ".join(str(first + k) for k in found)}"'


def _description_3(p: Program, name: str, token: str) -> str:
    at, lines = _Numbers(p), list[str]()

    def variable(reference: int, text: str, attributes: str) -> None:
        lines.append(f'    <Float64 name={quoteattr(text)} valueReference="{reference}" {attributes}/>')

    variable(0, "time", 'causality="independent" variability="continuous" unit="s"')
    for k, v in enumerate(p.parameters):
        if k < p.inputs:
            kind = 'causality="input" variability="continuous"'
        else:
            kind = f'causality="parameter" variability="{"fixed" if v.fixed else "tunable"}" initial="exact"'
        variable(at.settable + k, v.name, kind + _unit(v) + _start(v.start))
    for k, v in enumerate(p.outputs):
        variable(at.output + k, v.name, 'causality="output" variability="continuous" initial="calculated"' + _unit(v))
    kind, computed = f'causality="local" variability="continuous"{_reinit(p)}', _computed(p)
    for k, v in enumerate(p.states):
        start = ' initial="calculated"' if k in computed else ' initial="exact"' + _start(v.start)
        variable(at.state + k, f"state.{v.name}", kind + _unit(v) + start)
    for k, v in enumerate(_rates(p)):
        variable(at.rate + k, v.name, 'causality="local" variability="continuous" initial="calculated"'
                 f'{_unit(v)} derivative="{at.state + k}"')  # fmt: skip
    for k, event in enumerate(p.events):
        variable(at.indicator + k, f"event.{event}",
                 'causality="local" variability="continuous" initial="calculated"')  # fmt: skip
    structure = [
        f'    <Output valueReference="{at.output + k}"{_of_states(p, v.name, at.state)}/>'
        for k, v in enumerate(p.outputs)
    ]
    structure += [f'    <ContinuousStateDerivative valueReference="{at.rate + k}"/>' for k in range(len(p.states))]
    structure += [f'    <InitialUnknown valueReference="{at.output + k}"/>' for k in range(len(p.outputs))]
    structure += [f'    <InitialUnknown valueReference="{at.state + k}"/>' for k in sorted(computed)]
    structure += [f'    <InitialUnknown valueReference="{at.rate + k}"/>' for k in range(len(p.states))]
    structure += [f'    <EventIndicator valueReference="{at.indicator + k}"/>' for k in range(len(p.events))]
    common = f'modelIdentifier="{name}" canGetAndSetFMUState="true" canSerializeFMUState="true"'
    common += ' providesDirectionalDerivatives="true" providesAdjointDerivatives="true"' if p.derivatives else ""
    return "\n".join([
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<fmiModelDescription fmiVersion="3.0" modelName={quoteattr(p.system.model.name)} '
        f'instantiationToken="{token}" generationTool="duoti {__version__}" variableNamingConvention="flat">',
        f'  <ModelExchange {common} needsCompletedIntegratorStep="{_truth(_drifts(p))}"/>',
        f'  <CoSimulation {common} canHandleVariableCommunicationStepSize="true"/>',
        *_unit_definitions(p),
        _experiment(p),
        "  <ModelVariables>", *lines, "  </ModelVariables>",
        "  <ModelStructure>", *structure, "  </ModelStructure>",
        "</fmiModelDescription>", "",
    ])  # fmt: skip
