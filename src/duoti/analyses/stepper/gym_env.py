"""`gym_env`: a model as an environment of gymnasium, for reinforcement learning."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.analyses.stepper.reader import is_readable
from duoti.analyses.stepper.stepper import Stepper
from duoti.integrate import Solver
from duoti.model.errors import MissingPackageError
from duoti.model.model import Model
from duoti.results.result import Result
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.system import System

if TYPE_CHECKING:
    import gymnasium

WHOLE = 1e-9  # part of a step by which the duration may miss a whole number of them


@explained
def gym_env(
    model: Model | System,
    actions: Sequence[str] | Mapping[str, tuple[float, float]],
    observations: Sequence[str],
    reward: str | Callable[..., float],
    step: float,
    duration: float,
    *,
    terminated: str | Callable[..., bool] | None = None,
    initial: Mapping[str, tuple[float, float]] | Callable[..., Any] | None = None,
    solver: Solver | str | None = None,
    render_mode: str | None = None,
    size: tuple[int, int] = (640, 480),
) -> gymnasium.Env[Any, Any]:
    """An environment of gymnasium whose steps are those of a `Stepper`. Needs `pip install "duoti[gym]"`.

    An action is held for a step. An episode is terminated by the condition, by a terminal event, or if a step fails;
    it is truncated at the end of the duration. `env.unwrapped.stepper` is the stepper. Angles are not wrapped.

    Parameters
    ----------
    model:
        A model or a compiled system.
    actions:
        Names as for `Stepper.set` → lowest and highest value; names alone are unbounded.
    observations:
        Channels, or expressions of quantities.
    reward:
        Of a step, as it ends: an expression such as "-A.angle^2 - 0.01*motor^2", or a function of (observation,
        action) or (observation, action, stepper).
    step:
        Time between actions [s].
    duration:
        Of an episode [s], a whole number of steps.
    terminated:
        An expression that ends the episode as soon as it is positive, such as "abs(A.angle) - 0.2", or a function
        as for the reward that returns whether it ends.
    initial:
        Ranges of initial values of joints and states by name, from which `reset` draws evenly; or a function of
        the random generator that returns a state as `Stepper.reset` takes it. By default the state of the model.
    solver:
        As for `Stepper`.
    render_mode:
        "rgb_array" for pictures by `env.render()`; needs matplotlib.
    size:
        Width and height of these pictures in pixels.
    """
    return _class()(
        Stepper(model, solver), actions, observations, reward, step, duration, terminated, initial, render_mode, size
    )


@cache
def _class() -> Any:
    try:
        import gymnasium
    except ImportError:
        raise MissingPackageError('environments need gymnasium: pip install "duoti[gym]"') from None

    class MultibodyEnv(gymnasium.Env[Any, Any]):
        """A multibody model as an environment."""

        metadata = {"render_modes": ["rgb_array"], "render_fps": 50}  # noqa: RUF012

        def __init__(
            self, stepper: Stepper, actions: Any, observations: Any, reward: Any, step: float, duration: float,
            terminated: Any, initial: Any, render_mode: str | None, size: tuple[int, int],
        ):  # fmt: skip
            if render_mode not in (None, "rgb_array"):
                raise ValueError(f'render_mode={render_mode!r}: the only one is "rgb_array"')
            self.stepper, self.render_mode, self.h = stepper, render_mode, float(step)
            self.steps = _whole(step, duration)
            self.metadata = {**self.metadata, "render_fps": max(1, round(1.0 / self.h))}
            self._low, self._high = low, high = _bounds(actions)
            self.action_space = gymnasium.spaces.Box(low, high, dtype=np.float64)
            self._act = _actor(stepper, list(actions))
            self._observe = _Observer(stepper, observations)
            count = len(self._observe.names)
            self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (count,), dtype=np.float64)
            self._reward = _function(stepper, reward, "reward")
            self._ends = None if terminated is None else _function(stepper, terminated, "terminated")
            self._initial, self._size, self._count = _initial(stepper, initial), size, 0
            self._still: Any = None

        def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
            super().reset(seed=seed)
            state = (options or {}).get("state")
            if state is None and self._initial is not None:
                state = self._initial(self.np_random)
            self.stepper.reset(state)
            self._count = 0
            return self._observe(), {"t": self.stepper.t}

        def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
            chosen = np.clip(np.asarray(action, dtype=float), self._low, self._high)
            self._act(chosen)
            reached = self.stepper.step(self.h)
            self._count += 1
            seen = self._observe()
            reward = float(self._reward(seen, chosen))
            ended = not reached or (self._ends is not None and bool(self._ends(seen, chosen) > 0.0))
            info = {"t": self.stepper.t} if reached else {"t": self.stepper.t, "reason": self.stepper.reason}
            return seen, reward, ended, self._count >= self.steps, info

        def render(self) -> Any:
            if self.render_mode is None:
                gymnasium.logger.warn('make the environment with render_mode="rgb_array"')
                return None
            if self._still is None:
                from duoti.view.images.still import Still

                self._still = Still(self._size)
            s = self.stepper
            state = np.concatenate([s.q, s.v, s.z, np.zeros(2)])[None]
            return self._still.pixels(_result(s, state))

    return MultibodyEnv


def _actor(stepper: Stepper, names: list[str]) -> Callable[[Reals], None]:
    """A function that holds the numbers of an action."""
    if stepper.can_hold(names):
        inputs = stepper.inputs(names)

        def write(values: Reals) -> None:
            inputs[:] = values

        return write
    return lambda values: stepper.set(dict(zip(names, values.tolist(), strict=True)))


def _result(stepper: Stepper, states: Reals) -> Result:
    from duoti.results.records import Stats

    stats = Stats("", 0, 0, 0, 0.0)
    return Result(stepper.system, np.array([stepper.t]), states, True, "", stats)


def _whole(step: Any, duration: Any) -> int:
    if not (isinstance(step, int | float) and 0 < step < math.inf):
        raise ValueError(f"step={step!r}: give a positive time in seconds")
    if not (isinstance(duration, int | float) and step <= duration < math.inf):
        raise ValueError(f"duration={duration!r}: give a time in seconds, at least one step")
    count = round(duration / step)
    if abs(count * step - duration) > WHOLE * step * count:
        raise ValueError(f"duration={duration:g} is no whole number of steps of {step:g} s")
    return count


def _bounds(actions: Any) -> tuple[Reals, Reals]:
    if isinstance(actions, str) or not len(actions):
        raise TypeError(f'actions={actions!r}: give names, or {{"motor": (-1.0, 1.0)}}')
    limits = actions.values() if isinstance(actions, Mapping) else [(-np.inf, np.inf)] * len(actions)
    try:
        low, high = np.array([(float(a), float(b)) for a, b in limits]).T
    except (TypeError, ValueError):
        raise TypeError(f"actions={actions!r}: give a lowest and a highest value for each") from None
    if not np.all(low < high):
        raise ValueError(f"actions={actions!r}: the lowest value must be below the highest")
    return low, high


class _Observer:
    """Reads channels: compiled where laws can read them, the others as `stepper[name]`."""

    def __init__(self, stepper: Stepper, names: Sequence[str]):
        if isinstance(names, str) or not len(names):
            raise TypeError(f'observations={names!r}: give a list such as ["A.angle", "A.rate"]')
        self.stepper = stepper
        channels = set(stepper.channels)
        slow = [name for name in names if name in channels and not is_readable(stepper.system.model, name)]
        self.names, self._parts = list[str](), list[Any]()
        for name in names:
            if name in slow:
                count = np.size(stepper[name])
                self.names += [name] if count == 1 else [f"{name}[{k}]" for k in range(count)]
                self._parts.append(name)
            else:
                read = stepper.reader([name])
                self.names += read.names
                self._parts.append(read)
        if not slow:
            self._parts = [stepper.reader(names)]

    def __call__(self) -> Reals:
        found = [np.atleast_1d(self.stepper[each] if isinstance(each, str) else each()) for each in self._parts]
        return np.concatenate(found) if len(found) > 1 else found[0].copy()


def _function(stepper: Stepper, given: Any, what: str) -> Callable[[Any, Any], Any]:
    """A function of observation and action."""
    if isinstance(given, str):
        read = stepper.reader([given])
        return lambda seen, action: read()[0]
    if not callable(given):
        raise TypeError(f"{what}={given!r}: give an expression, or a function of (observation, action)")
    try:
        count = len(inspect.signature(given).parameters)
    except (TypeError, ValueError):
        count = 2
    return (lambda seen, action: given(seen, action, stepper)) if count == 3 else given


def _initial(stepper: Stepper, given: Any) -> Callable[[Any], Any] | None:
    """A function of the random generator that returns a state."""
    if given is None or callable(given):
        return given
    system = stepper.system
    names = {name: k for k, name in enumerate(system.rate_names)}
    for joint, layout in system.joints.items():
        ends = [""] if len(layout.v) == 1 else [f"[{i}]" for i in range(len(layout.v))]
        names |= {f"{joint}.v{end}": int(k) for end, k in zip(ends, layout.v, strict=True)}
    rates = {name: names[name] for name in given if name in names}
    values = {name: bounds for name, bounds in given.items() if name not in rates}

    def draw(generator: Any) -> Any:
        named = {name: float(generator.uniform(*bounds)) for name, bounds in values.items()}
        if not rates:
            return named
        from duoti.analyses.states.at import instant

        found = instant(system, named)
        v = found.v.copy()
        for name, k in rates.items():
            v[k] = generator.uniform(*given[name])
        return (found.q, v, found.z) if len(found.z) else (found.q, v)

    draw(np.random.default_rng(0))  # refuses names that are none
    return draw
