"""What the columns of a state are: names and units."""

from __future__ import annotations

from dataclasses import dataclass

from duoti.model.errors import ChannelError, did_you_mean
from duoti.model.joints.free import Free
from duoti.results.errors import ResultFileError
from duoti.system.system import System

WORK_COLUMNS = ("work supplied", "energy dissipated")


@dataclass(frozen=True)
class ResultLayout:
    """Columns of the state: nq coordinates, nv velocities, nz first-order states, two works."""

    model: str
    """Name of the model."""
    columns: list[str]
    units: list[str]
    nq: int
    nv: int
    nz: int

    @classmethod
    def of(cls, system: System) -> ResultLayout:
        """Of a system; the columns of joints that the program added bear the name of their body."""
        names = [*system.coordinate_names, *system.rate_names, *system.state_names, *WORK_COLUMNS]
        units = [""] * (system.nq + system.nv) + [state.unit for state in system.model.states.values()] + ["J", "J"]
        joints = system.model.joints
        layouts = [
            (joints[name].joint, joint_layout, "")
            for name, joint_layout in system.joints.items()
            if joint_layout.closure < 0
        ]
        layouts += [(Free(), joint_layout, body) for body, joint_layout in system.virtual.items()]
        for joint, joint_layout, body in layouts:
            in_q = [c.unit for c in joint.coordinates for _ in range(c.nq)]
            in_v = [c.rate_unit for c in joint.coordinates for _ in range(c.nv)]
            for label, indices, of_joint in (("q", joint_layout.q, in_q), ("v", system.nq + joint_layout.v, in_v)):
                for i, index in enumerate(indices):
                    units[index] = of_joint[i]
                    if body:
                        names[index] = f"body:{body}.{label}[{i}]"
        return cls(system.model.name, names, units, system.nq, system.nv, system.nz)

    def column(self, name: str) -> int:
        """Number of a column."""
        if name not in self.columns:
            raise ChannelError(
                f'there is no column "{name}", and without the model there is nothing else.'
                f"{did_you_mean(name, self.columns)}"
            )
        return self.columns.index(name)


@dataclass(frozen=True)
class MissingModel:
    """In place of the system of a file whose model is not at hand."""

    path: str
    reason: str

    def __call__(self) -> System:
        """Say so."""
        raise ResultFileError(
            f"{self.path}: this needs the model, which the file does not have ({self.reason}); give it: "
            f"open_result({self.path!r}, model=...). Without it there are t, q, v, z, events and columns of the state"
        )
