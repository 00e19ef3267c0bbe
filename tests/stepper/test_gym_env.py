"""Environments of gymnasium."""

from __future__ import annotations

import re

import numpy as np
import pytest

import duoti as dt

gymnasium = pytest.importorskip("gymnasium")


def cart_pole() -> dt.Model:
    m = dt.Model("cart-pole", gravity=(0, 0, -9.81), parameters={"u": 0.0})
    m.add_body("cart", dt.Inertia.box(1.0, size=(0.3, 0.2, 0.1)))
    m.add_body("pole", dt.Inertia.rod(0.1, length=1.0, axis="z"), position=(0, 0, 0.5))
    m.add_joint("slide", dt.Prismatic("x"), m.ground, "cart")
    m.add_joint("hinge", dt.Revolute("y"), "cart", "pole", at=(0, 0, 0))
    m.add_force("motor", dt.JointTorque("slide", "u"))
    return m


def environment(**more):
    given = {
        "actions": {"u": (-10.0, 10.0)},
        "observations": ["slide.position", "hinge.angle", "slide.velocity", "hinge.rate"],
        "reward": "1 - hinge.angle^2 - 0.001*u^2", "step": 0.02, "duration": 2.0,
        "terminated": "abs(hinge.angle) - 0.2",
        "initial": {"hinge": (-0.05, 0.05), "slide.v": (-0.1, 0.1)},
    }  # fmt: skip
    return dt.gym_env(cart_pole(), **{**given, **more})


# advice for learning, such as bounds of [-1, 1]
@pytest.mark.filterwarnings("ignore:.*WARN:UserWarning")
@pytest.mark.parametrize("more", [{}, {"render_mode": "rgb_array", "size": (160, 120)}], ids=["plain", "pictures"])
def test_check_env(more):
    from gymnasium.utils.env_checker import check_env

    env = environment(**more)
    check_env(env, skip_render_check=not more)  # raises where the environment breaks the rules of gymnasium
    assert env.observation_space.shape == (4,)


def test_an_episode_is_a_simulation():
    env = environment(initial=None, terminated=None)
    seen, _ = env.reset(seed=1)
    assert np.array_equal(seen, np.zeros(4))
    rewards = []
    for _ in range(100):
        seen, reward, terminated, truncated, info = env.step(np.array([1.0]))
        rewards.append(reward)
        assert not terminated
    assert truncated
    assert info["t"] == 2.0
    model = cart_pole()
    model.parameters["u"] = 1.0
    r = dt.simulate(model, 2.0, outputs=0.02, rtol=1e-9, atol=1e-11)
    assert np.allclose(seen, [r[n][-1] for n in ("slide.position", "hinge.angle", "slide.velocity", "hinge.rate")],
                       rtol=0, atol=1e-4)  # fmt: skip
    assert rewards == pytest.approx(1 - r["hinge.angle"][1:] ** 2 - 0.001, abs=1e-3)


def test_seeds():
    """The same seed, the same episode; initial values are drawn from their ranges."""
    env = environment()
    starts = [env.reset(seed=seed)[0] for seed in (3, 4, 3)]
    assert np.array_equal(starts[0], starts[2])
    assert not np.array_equal(starts[0], starts[1])
    drawn = np.array([env.reset()[0] for _ in range(50)])
    assert np.all(np.abs(drawn[:, 1]) <= 0.05)
    assert np.all(np.abs(drawn[:, 2]) <= 0.1)
    assert np.ptp(drawn[:, 1]) > 0.05


def test_the_end_of_an_episode():
    env = environment()
    env.reset(seed=0)
    for _ in range(100):
        seen, _, terminated, _, _ = env.step(np.array([10.0]))
        if terminated:
            break
    assert abs(seen[1]) > 0.2
    env.reset()


def test_functions_and_slow_channels():
    """Rewards as functions, reactions among the observations, actions without bounds by the name of a joint."""
    env = dt.gym_env(
        cart_pole(), ["slide"], ["hinge.angle", "hinge.reaction_force"], lambda seen, action, s: s.t + action[0],
        step=0.02, duration=0.1, terminated=lambda seen, action: seen[0] > 10.0, solver=dt.RK4(step=0.01),
    )  # fmt: skip
    seen, _ = env.reset()
    assert seen.shape == (4,)
    assert seen[3] == pytest.approx(0.1 * 9.81)
    seen, reward, *_ = env.step(np.array([2.0]))
    assert reward == pytest.approx(2.02)


def test_an_accelerometer_among_the_observations():
    """What it reads follows the action."""
    m = cart_pole()
    m.add_sensor("imu", dt.Accelerometer("cart", period=0.02))
    env = dt.gym_env(m, {"u": (-10.0, 10.0)}, ["imu", "slide.velocity"], "0", step=0.02, duration=1.0, initial=None)
    env.reset(seed=0)
    for u in (1.0, -3.0, 2.0):
        before = env.unwrapped.stepper["slide.velocity"]
        seen, *_ = env.step(np.array([u]))
        assert seen[0] == pytest.approx((seen[3] - before) / 0.02, rel=0.02)


def test_refusals():
    with pytest.raises(ValueError, match="whole number"):
        environment(duration=0.05)
    with pytest.raises(ValueError, match="below"):
        environment(actions={"u": (1.0, -1.0)})
    with pytest.raises(dt.errors.ParameterError, match="nosuch"):
        environment(actions={"nosuch": (-1.0, 1.0)})
    with pytest.raises(dt.errors.ChannelError, match="nosuch"):
        environment(observations=["nosuch.angle"])
    with pytest.raises(ValueError, match="rgb_array"):
        environment(render_mode="human")


@pytest.mark.parametrize(
    ("more", "part"),
    [
        ({"initial": {"hing": (0, 1)}}, "hing"),
        ({"initial": {"hinge": 0.1}}, "give (low, high)"),
        ({"initial": {"hinge": (1, 0)}}, "give (low, high)"),
        ({"reward": "pole.position"}, "3 components"),
        ({"terminated": "pole.position"}, "3 components"),
        ({"reward": "-hinge.reaction_force.x"}, "in an environment in a function of (observation, action, stepper)"),
        ({"reward": "-hinge.reaction_forc.x"}, 'unknown name "hinge.reaction_forc.x"'),
    ],
)
def test_what_is_refused_when_the_environment_is_made(more, part):
    with pytest.raises((ValueError, dt.errors.ChannelError), match=re.escape(part)):
        environment(**more)


def test_an_action_of_another_length():
    env = environment()
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"give 1 number.*u"):
        env.step([1.0, 2.0])
