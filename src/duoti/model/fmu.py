"""Models of other tools as FMUs (co-simulation): stepped beside a model, at communication points."""

from __future__ import annotations

import shutil
import threading
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from duoti.model.checks.parameters import number_fault, shown
from duoti.model.controller import Controller, add_controller
from duoti.model.errors import did_you_mean
from duoti.model.model import Model
from duoti.strict import Strict

NUMBERS = ("Real", "Float64", "Float32", "Integer", "Enumeration", "Boolean", "Int8", "Int16", "Int32", "Int64",
           "UInt8", "UInt16", "UInt32", "UInt64")  # fmt: skip
"""Types of variables that a number can be given for."""


class FMUError(RuntimeError):
    """An FMU that cannot be read, or a step that it refused."""


class FMU(Strict):
    """An FMU in a model: a sampled function, and the states that hold its outputs."""

    def __init__(self, name: str, controller: Controller, given: Mapping[str, Any]):
        self.name, self.controller, self.given = name, controller, dict(given)

    def generated(self) -> dict[str, tuple[str, ...]]:
        """Names of the elements that it is made of, by section."""
        return self.controller.generated()

    def __repr__(self) -> str:
        return f"<FMU {self.name!r}: {Path(self.given['file']).name}, every {self.given['period']:g} s>"


def add_fmu(
    model: Model,
    name: str,
    file: str | Path,
    inputs: Mapping[str, str],
    outputs: Mapping[str, str],
    period: float,
    parameters: Mapping[str, Any] | None,
    start: float,
) -> FMU:
    """See `Model.add_fmu`."""
    who = f"FMU {name!r}"
    mappings: dict[str, Any] = {"inputs": inputs, "outputs": outputs, "parameters": parameters or {}}
    for what, given in mappings.items():
        if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in cast("Mapping[Any, Any]", given)):
            raise TypeError(f"{who}: {what}={shown(given)}; give a mapping of names")
    if not outputs:
        raise ValueError(f'{who}: outputs is empty; give states and variables of the FMU, such as {{"torque": "y"}}')
    if not number_fault(period) and period <= 0.0:
        raise ValueError(f"{who}: period={period:g}; it must be positive [s]")
    part = Component(name, file, tuple(inputs), tuple(outputs.values()), dict(parameters or {}), float(start))
    quantities = ("t", *inputs.values())
    controller = add_controller(model, name, part, quantities, dict.fromkeys(outputs, 0.0), period, start)
    described = {"file": str(file), "inputs": dict(inputs), "outputs": dict(outputs), "period": period,
             "parameters": dict(parameters) if parameters else None, "start": start}  # fmt: skip
    return FMU(name, controller, described)


class Component:
    """The FMU as a function of the time and its inputs: each call steps it to that time, and returns its outputs.

    In the call at t_k it steps from t_(k-1) with the inputs of that time, then takes those of t_k for the next step.
    Each thread has an instance of its own; a call at the first time of a run begins again.
    """

    def __init__(
        self, name: str, file: str | Path, inputs: Sequence[str], outputs: Sequence[str],
        parameters: Mapping[str, Any], start: float,
    ):  # fmt: skip
        self.name, self.file, self.start = name, Path(file), start
        self.__name__ = f"FMU {name}"  # in messages on functions
        self.inputs, self.outputs, self.parameters = tuple(inputs), tuple(outputs), dict(parameters)
        self._check()
        self._local = threading.local()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Component) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.name, self.file))

    def _key(self) -> tuple[Any, ...]:
        return self.name, self.file, self.inputs, self.outputs, self.parameters, self.start

    def __deepcopy__(self, memo: dict[int, Any]) -> Component:
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key != "_local"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._local = threading.local()

    def _error(self, text: str) -> FMUError:
        return FMUError(f"FMU {self.name!r} ({self.file.name}): {text}")

    def _check(self) -> None:
        """Read the description and report all faults of what was asked for at once."""
        description = self._description()
        faults: list[str] = []
        if description.fmiVersion.startswith("1"):
            faults.append(f"it is of FMI {description.fmiVersion}; 2.0 and 3.0 are known")
        if description.coSimulation is None:
            faults.append("it has no co-simulation interface, only model exchange; export it for co-simulation")
        variables = {each.name: each for each in description.modelVariables}
        asked = [("input", each) for each in self.inputs] + [("output", each) for each in self.outputs]
        asked += [("parameter", each) for each in self.parameters]
        for kind, each in asked:
            variable = variables.get(each)
            if variable is None:
                same = [key for key, value in variables.items() if value.causality == kind]
                known = f" Its {kind}s: {', '.join(same[:20])}." if same else f" It has no {kind}s."
                faults.append(f"it has no variable {each!r}.{did_you_mean(each, variables)}{known}")
            elif kind == "input" and variable.causality != "input":
                faults.append(f"{each!r} is no input of it (causality {variable.causality})")
            elif variable.type not in NUMBERS and kind != "parameter":
                faults.append(f"{each!r} is of the type {variable.type}; numbers can be exchanged")
            elif getattr(variable, "dimensions", None):
                faults.append(f"{each!r} is an array; single numbers can be exchanged")
            elif kind == "parameter" and variable.type in NUMBERS and (why := number_fault(self.parameters[each])):
                faults.append(f"parameter {each!r} is {shown(self.parameters[each])}; {why}")
        if faults:
            raise self._error("; ".join(faults))
        self._variables = {each: variables[each] for _, each in asked}
        self._fmi = description.fmiVersion

    def _description(self) -> Any:
        if not self.file.exists():
            raise self._error(f"there is no file {str(self.file)!r}")
        fmpy = _fmpy()
        try:
            return fmpy.read_model_description(str(self.file))
        except Exception as error:  # of a zip file, of XML, of FMPy's own checks
            raise self._error(f"its description cannot be read: {error}") from error

    def __call__(self, t: float, *values: float) -> Any:
        running: _Running | None = getattr(self._local, "running", None)
        if running is None or t <= running.first:
            if running is not None:
                running.close()
            running = self._local.running = _Running(self, t)
            weakref.finalize(running, shutil.rmtree, running.folder, ignore_errors=True)
            running.initialise(values)
        elif t < running.t:
            raise self._error(
                f"it is at t = {running.t:.9g} s and cannot go back to {t:.9g} s: runs with it begin at their start, "
                "and are not restored"
            )
        elif t > running.t:
            running.step(t)
            running.put(values)
        found = running.values()
        return found if len(self.outputs) > 1 else found[0]


class _Running:
    """An instance in the middle of a run."""

    def __init__(self, part: Component, t: float):
        fmpy = _fmpy()
        self.part, self.first, self.t = part, t, t
        self.old = part._fmi.startswith("2")  # pyright: ignore[reportPrivateUsage]
        self.folder = fmpy.extract(str(part.file))
        description = fmpy.read_model_description(self.folder)
        if self.old:
            from fmpy.fmi2 import FMU2Slave as Slave
        else:
            from fmpy.fmi3 import FMU3Slave as Slave
        identifier = description.coSimulation.modelIdentifier
        self.slave: Any = Slave(
            guid=description.guid, unzipDirectory=self.folder, modelIdentifier=identifier, instanceName=part.name
        )
        self._done(self.slave.instantiate)

    def _done(self, call: Any, *arguments: Any, **named: Any) -> Any:
        try:
            return call(*arguments, **named)
        except Exception as error:  # FMPy's own, or the library's
            name = getattr(call, "__name__", "a call")
            raise self.part._error(f"{name} failed at t = {self.t:.9g} s: {error}") from error  # pyright: ignore[reportPrivateUsage]

    def initialise(self, values: Sequence[float]) -> None:
        """With parameters and inputs, at the first time."""
        slave, part = self.slave, self.part
        for each, value in part.parameters.items():
            self._set(each, value)
        if self.old:
            self._done(slave.setupExperiment, startTime=self.t)
            self._done(slave.enterInitializationMode)
        else:
            self._done(slave.enterInitializationMode, startTime=self.t)
        self.put(values)
        self._done(slave.exitInitializationMode)

    def step(self, t: float) -> None:
        """To the time t."""
        step = t - self.t
        if self.old:
            self._done(self.slave.doStep, currentCommunicationPoint=self.t, communicationStepSize=step)
        else:
            found = self._done(self.slave.doStep, currentCommunicationPoint=self.t, communicationStepSize=step)
            if isinstance(found, tuple) and bool(found[1]):  # terminateSimulation
                raise self.part._error(f"it asked to end the simulation at t = {t:.9g} s")  # pyright: ignore[reportPrivateUsage]
        self.t = t

    def put(self, values: Sequence[float]) -> None:
        """Inputs for the next step."""
        for each, value in zip(self.part.inputs, values, strict=True):
            self._set(each, value)

    def _set(self, name: str, value: Any) -> None:
        variable = self.part._variables[name]  # pyright: ignore[reportPrivateUsage]
        kind = str({"Enumeration": "Integer"}.get(variable.type, variable.type) if self.old else variable.type)
        if kind in ("Integer", "Boolean") or kind.startswith(("Int", "UInt")):
            value = round(value)
        elif kind in ("Real", "Float32", "Float64"):
            value = float(value)
        self._done(getattr(self.slave, f"set{kind}"), [variable.valueReference], [value])

    def values(self) -> Sequence[float]:
        """All outputs."""
        found: list[float] = []
        for each in self.part.outputs:
            variable = self.part._variables[each]  # pyright: ignore[reportPrivateUsage]
            kind = {"Enumeration": "Integer"}.get(variable.type, variable.type) if self.old else variable.type
            found.append(float(self._done(getattr(self.slave, f"get{kind}"), [variable.valueReference])[0]))
        return tuple(found)

    def close(self) -> None:
        """Free the library's memory."""
        self._done(self.slave.terminate)
        self._done(self.slave.freeInstance)
        shutil.rmtree(self.folder, ignore_errors=True)


def _fmpy() -> Any:
    try:
        import fmpy
        import fmpy.fmi2  # pyright: ignore[reportUnusedImport]
        import fmpy.fmi3  # pyright: ignore[reportUnusedImport]
    except ImportError as error:
        raise ImportError('an FMU is run by FMPy: pip install "duoti[fmu]"') from error
    return fmpy
