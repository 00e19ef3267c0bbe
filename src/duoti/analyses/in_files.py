"""Analyses of compiled systems as model files ask for them: of a model, in its initial state."""

from __future__ import annotations

from duoti.analyses.kane import Kane, kane
from duoti.analyses.regressor import BaseParameters, base_parameters
from duoti.model.model import Model
from duoti.system.compiler import compile_model


def kane_of_model(model: Model, t: float = 0.0) -> Kane:
    """Kane's arrays in the model's initial state, assembled at the time t."""
    system = compile_model(model)
    return kane(system, *system.state(t=t), t=t)


def base_parameters_of_model(model: Model, states: int | None = None, seed: int = 0) -> BaseParameters:
    """Base inertial parameters of a tree, see `base_parameters`."""
    return base_parameters(compile_model(model), states, seed)
