"""A pendulum from SDFormat."""

from pathlib import Path

import duoti as dt

Path("pendulum.sdf").write_text("""<sdf version="1.9"><model name="pendulum">
<link name="rod"><pose>0 0 -0.5 0 0 0</pose><inertial><mass>1</mass>
  <inertia><ixx>0.083</ixx><iyy>0.083</iyy><izz>0.001</izz></inertia></inertial></link>
<joint name="pivot" type="revolute"><pose>0 0 0.5 0 0 0</pose><parent>world</parent><child>rod</child>
  <axis><xyz>0 1 0</xyz><dynamics><damping>0.1</damping></dynamics></axis></joint>
</model></sdf>""")
m = dt.load("pendulum.sdf")
print(m)
