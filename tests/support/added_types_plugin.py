"""For `pytest -p support.added_types_plugin`: the types of the folder ADDED_TYPES are there from the start."""

import os

from support.added_types import look_there

look_there(os.environ["ADDED_TYPES"])
