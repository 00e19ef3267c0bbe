"""A pendulum that is to be held up by a torque."""

import numpy as np

import duoti as dt

m = dt.Model("pendulum", parameters={"u": 0.0})
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, 0.5))
m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
m.add_force("motor", dt.JointTorque("A", "u"))

env = dt.gym_env(
    m, {"u": (-10.0, 10.0)}, ["A.angle", "A.rate"], "-A.angle^2 - 0.01*u^2", step=0.02, duration=2.0,
    terminated="abs(A.angle) - 1", initial={"A": (-0.2, 0.2)},
)  # fmt: skip
observation, _ = env.reset(seed=0)
total, ended = 0.0, False
while not ended:
    action = np.array([-20.0 * observation[0] - 4.0 * observation[1]])
    observation, reward, terminated, truncated, _ = env.step(action)
    total, ended = total + reward, terminated or truncated
print(truncated, abs(observation[0]) < 1e-2)
