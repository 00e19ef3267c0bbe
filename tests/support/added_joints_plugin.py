"""For `pytest -p support.added_joints_plugin`: the joint types of `added_joints` are there from the start."""

from support.with_added_joints import look_there

look_there()
