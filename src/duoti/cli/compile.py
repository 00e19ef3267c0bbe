"""`duoti compile`: make all kernels now, for machines that shall never wait for them, and for wheels."""

from __future__ import annotations

import importlib
import importlib.util
import os
import pkgutil
import time
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from duoti.cli.exits import guarded

MOMENT = 1e-3  # s: how long the runs of the tour last
WITH_KERNELS = ("duoti.elements", "duoti.dynamics", "duoti.integrate")


@guarded
def compile(
    into: Annotated[
        Path | None, typer.Option(help="Folder for the machine code; by default the user's cache folder.")
    ] = None,
    levels: Annotated[
        str | None, typer.Option(help="Levels of processors, separated by commas; by default that of this one.")
    ] = None,
) -> None:
    """Compile all kernels now, so that no later run has to."""
    if into is not None:
        into.mkdir(parents=True, exist_ok=True)
        os.environ["DUOTI_CACHE"] = str(into)
    if levels is not None:
        os.environ["DUOTI_LEVELS"] = levels
    from duoti.kernel import JIT, store

    if not JIT:
        raise typer.BadParameter("DUOTI_JIT=0 is set: nothing is compiled")
    folder = store.user_folder()
    if folder is None:
        raise typer.Exit(1)
    began = time.perf_counter()
    compile_all()
    files = list(folder.iterdir())
    size = sum(file.stat().st_size for file in files) / 1e6
    typer.echo(f"{len(files)} kernels, {size:.1f} MB, in {time.perf_counter() - began:.0f} s: {folder}")


def compile_all() -> None:
    """Compile all entries, and what a tour of short runs calls."""
    import duoti
    from duoti.kernel import prepare
    from duoti.kernel.functions import ENTRY, REGISTRY

    for info in pkgutil.walk_packages(duoti.__path__, "duoti."):
        if info.name.startswith(WITH_KERNELS):
            importlib.import_module(info.name)
    prepare([(each, "") for each in REGISTRY.values() if each.role == ENTRY])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # runs as short as these may end in a warning
        for run in tour():
            run()


def tour() -> Iterator[Any]:
    """Short runs that together call every kernel that Python calls."""
    import numpy as np

    import duoti as dt
    from duoti.examples import find_example

    def model(name: str) -> dt.Model:
        return dt.load(find_example(name).file)

    solvers: list[Any] = [dt.DOPRI5(), dt.Radau(), dt.GeneralisedAlpha(), "auto"]
    if importlib.util.find_spec("sksundae"):
        solvers.append(dt.IDA())

    def simulated(name: str, **settings: Any) -> Any:
        return partial(dt.simulate, model(name), MOMENT, outputs=MOMENT, **settings)

    for name in ("double_pendulum", "slider_crank", "governor", "rolling_coin"):
        for solver in solvers:
            run = simulated(name, solver=solver)
            yield lambda run=run: _look(run())
    for method in (dt.Baumgarte(), dt.Penalty(), dt.AugmentedLagrangian(), dt.NullSpace(), dt.CoordinatePartitioning()):
        yield simulated("four_bar", constraints=method)

    def at_an_instant() -> None:
        system = dt.compile(model("robot_arm"))
        q, v = system.initial_state()
        dt.mass_matrix(system, q)
        dt.accelerations(system, q, v)
        dt.inverse_dynamics(system, q, v, np.zeros(system.nv))
        dt.generalised_forces(system, q, v)
        dt.jacobian(system, next(iter(system.bodies)), q)
        dt.energies(system, q, v)
        dt.momentum(system, q, v)
        dt.forward_dynamics_derivatives(system, q, v)
        dt.inverse_dynamics_derivatives(system, q, v, np.zeros(system.nv))
        dt.Lineariser(system)(q, v)

    def at_rest() -> None:
        for name in ("suspension", "rolling_coin", "slider_crank", "driver_in_cab"):
            system = dt.compile(model(name))
            dt.linearise(system)
            dt.equilibrium(system)

    yield at_an_instant
    yield at_rest


def _look(r: Any) -> None:
    """Ask for what is computed when it is asked for."""
    r.summary()
    assert r.singularities is not None
    joint = next(iter(r.system.joints))
    assert r[f"{joint}.reaction_force"] is not None
