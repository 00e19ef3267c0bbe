"""The study that a file asks for."""

import duoti as dt

oscillator = dt.formats.from_text("""
duoti: 1
name: oscillator
bodies:
  block: {inertia: {point: {mass: 2.0}}}
joints:
  x: {type: prismatic, axis: x, between: [ground, block], q0: 0.1}
forces:
  spring: {type: joint_spring, joint: x, stiffness: 18.0}
study:
  duration: 3 s
  parameters:
    spring.stiffness: {grid: [10 N/m, 30 N/m, 3]}
  measures:
    fastest: max(abs(x.velocity))
""")
study = dt.analyses.file_study(oscillator)
print(study.run()["fastest"].values.round(3))
