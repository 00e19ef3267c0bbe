"""How flexible bodies are made of beams, meshes and matrices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from duoti.flexible.recipe import Recipe
from duoti.flexible.reduction.reduced import Display, Interface, Reduced
from duoti.strict import explained_constructors

if TYPE_CHECKING:  # imported when a body is made: every model knows `Flexible`, few have one
    from duoti.flexible.body import Flexible
    from duoti.flexible.mesh.mesh import Mesh
    from duoti.flexible.reduction.reduction import Method, Reduction
    from duoti.flexible.structure.structure import Structure


@explained_constructors
class FlexibleMakers:
    """Constructors of `Flexible`."""

    @classmethod
    def from_beam(
        cls,
        beam: Any,
        length: float,
        elements: int,
        modes: int,
        interfaces: Mapping[str, Any] | None = None,
        damping_ratio: float | ArrayLike = 0.0,
        stiffening: bool = True,
    ) -> Flexible:
        """A straight beam from the body's origin along x, with small deformations.

        Parameters
        ----------
        beam:
            Section and material (`dt.Beam`).
        length:
            Length [m].
        elements:
            Number of Timoshenko elements of equal length.
        modes:
            Number of modes with all interfaces held, besides the static shapes of the interfaces.
        interfaces:
            Names → numbers of nodes, or {"x": place} [m]; by default "start" and "end".
        damping_ratio:
            Ratio of critical damping, of all modes or of each.
        stiffening:
            Whether loads change the stiffness (geometric stiffness).
        """
        from duoti.flexible.reduction.reduction import Reduction
        from duoti.flexible.structure.beam import BeamStructure

        places = {"start": "start", "end": "end"} if interfaces is None else dict(interfaces)
        recipe = Recipe(
            "beam",
            {
                "beam": beam,
                "length": length,
                "elements": elements,
                "modes": modes,
                "interfaces": interfaces,
                "damping_ratio": damping_ratio,
                "stiffening": stiffening,
            },
        )
        reduction = Reduction(BeamStructure(beam, length, elements), places, modes)
        return cls._made(reduction, damping_ratio, stiffening, recipe)

    @classmethod
    def from_mesh(
        cls,
        mesh: Mesh,
        material: Any,
        interfaces: Mapping[str, Any],
        modes: int,
        damping_ratio: float | ArrayLike = 0.0,
        method: Method = "craig-bampton",
        loads: Mapping[str, Any] | None = None,
        stiffening: bool = True,
    ) -> Flexible:
        """A solid of finite elements in the body's frame, with small deformations.

        Parameters
        ----------
        mesh:
            The mesh.
        material:
            A `dt.Material`, or one for each region of the mesh by name.
        interfaces:
            Names → nodes where joints, forces and markers act, as `Mesh.select` takes them, or a
            `dt.flexible.Attachment`. The first is the frame of the body.
        modes:
            Number of normal modes besides the static shapes of the interfaces.
        damping_ratio:
            Ratio of critical damping, of all modes or of each.
        method:
            "craig-bampton" (modes with interfaces held) or "free-interface" (free modes and responses to unit loads).
        loads:
            Names → forces (nodes, 3), or {"pressure": nodes}: their static shapes are added.
        stiffening:
            Whether loads change the stiffness (geometric stiffness).
        """
        from duoti.flexible.reduction.reduction import Reduction
        from duoti.flexible.structure.solid import SolidStructure

        recipe = Recipe(
            "mesh",
            {
                "mesh": mesh,
                "material": material,
                "interfaces": interfaces,
                "modes": modes,
                "damping_ratio": damping_ratio,
                "method": method,
                "loads": loads,
                "stiffening": stiffening,
            },
        )
        structure = SolidStructure(mesh, material)
        forces = {name: structure.load(each) for name, each in (loads or {}).items()}
        return cls._made(Reduction(structure, interfaces, modes, method, forces), damping_ratio, stiffening, recipe)

    @classmethod
    def from_matrices(
        cls,
        mass: Any,
        stiffness: Any,
        nodes: ArrayLike,
        interfaces: Mapping[str, Any],
        modes: int,
        damping_ratio: float | ArrayLike = 0.0,
        faces: ArrayLike | None = None,
        method: Method = "craig-bampton",
        loads: Mapping[str, ArrayLike] | None = None,
    ) -> Flexible:
        """A body from the matrices of another program (Abaqus, Ansys, Nastran), in SI units.

        There is no geometric stiffness: matrices do not tell stresses.

        Parameters
        ----------
        mass, stiffness:
            Matrices of the free structure: dense, sparse, or names of Matrix Market files. The rows belong to the
            nodes, three displacements each, or three displacements and three rotations.
        nodes:
            Positions (N, 3) [m].
        interfaces:
            Names → numbers of nodes from 0, or a `dt.flexible.Attachment`.
        modes:
            Number of normal modes besides the static shapes of the interfaces.
        damping_ratio:
            Ratio of critical damping, of all modes or of each.
        faces:
            Triangles (F, 3) to draw.
        method, loads:
            As for `from_mesh`; loads by forces on the rows.
        """
        from duoti.flexible.reduction.matrices import MatrixStructure
        from duoti.flexible.reduction.reduction import Reduction

        recipe = Recipe(
            "matrices",
            {
                "mass": mass,
                "stiffness": stiffness,
                "nodes": nodes,
                "interfaces": interfaces,
                "modes": modes,
                "damping_ratio": damping_ratio,
                "faces": faces,
                "method": method,
                "loads": loads,
            },
        )
        reduction = Reduction(MatrixStructure(mass, stiffness, nodes, faces), interfaces, modes, method, loads)
        return cls._made(reduction, damping_ratio, False, recipe)

    @classmethod
    def from_structure(
        cls,
        structure: Structure,
        interfaces: Mapping[str, Any],
        modes: int,
        damping_ratio: float | ArrayLike = 0.0,
        method: Method = "craig-bampton",
        loads: Mapping[str, ArrayLike] | None = None,
        stiffening: bool = True,
    ) -> Flexible:
        """Of a `dt.flexible.Structure` that is there already; model files keep the numbers of the reduced body.

        loads: names with forces on its nodes (nodes, 3 or 6), whose static shapes are added; others as `from_mesh`.
        """
        from duoti.flexible.reduction.reduction import Reduction

        return cls._made(Reduction(structure, interfaces, modes, method, loads), damping_ratio, stiffening, None)

    @classmethod
    def from_numbers(
        cls,
        moments: ArrayLike,
        stiffness: ArrayLike,
        damping: ArrayLike | None = None,
        interfaces: Mapping[str, Mapping[str, Any]] | None = None,
        geometric: Mapping[str, Any] | None = None,
        nodes: ArrayLike | None = None,
        faces: ArrayLike | None = None,
        mode_shapes: ArrayLike | None = None,
        mode_stresses: ArrayLike | None = None,
        length: float = 0.0,
        stiffening: bool = True,
    ) -> Flexible:
        """A body in n modal coordinates by its numbers, from any program that reduces structures.

        Parameters
        ----------
        moments:
            Products of the fields 1, x, y, z and the components of each mode, over the mass (4 + 3n, 4 + 3n).
        stiffness, damping:
            Modal matrices (n, n).
        interfaces:
            Names → position (3), rotation (3, 3), displacement and rotation (3, n) of unit modal coordinates.
        geometric:
            Stiffness (n, n) of unit loads by their labels.
        nodes, faces, mode_shapes, mode_stresses:
            (N, 3), (F, 3), (N, 3, n), (N, 6, n), for results and pictures.
        length:
            Length [m] that deflections are compared with.
        """
        import numpy as np

        from duoti.flexible.structure.moments import Moments

        body = Moments(np.asarray(moments, dtype=float))
        n = body.n
        places = {name: _interface(name, each, n) for name, each in (interfaces or {}).items()}
        display = None
        if nodes is not None and mode_shapes is not None:
            triangles = np.zeros((0, 3), dtype=np.int64) if faces is None else np.asarray(faces, dtype=np.int64)
            stresses = None if mode_stresses is None else np.asarray(mode_stresses, dtype=float)
            display = Display(np.asarray(nodes, dtype=float), triangles, np.asarray(mode_shapes, dtype=float), stresses)
        reduced = Reduced(
            body,
            np.asarray(stiffness, dtype=float).reshape(n, n),
            np.zeros((n, n)) if damping is None else np.asarray(damping, dtype=float).reshape(n, n),
            places,
            {label: np.asarray(K, dtype=float) for label, K in (geometric or {}).items()},
            display,
            length,
        )
        return cls(reduced, stiffening=stiffening)  # pyright: ignore

    def numbers(self) -> dict[str, Any]:
        """The arguments of `from_numbers` for this body."""
        body: Reduced = self.reduced  # pyright: ignore
        shown = body.display
        parts = ("position", "rotation", "displacement", "turn")
        places = {name: {p: getattr(each, p) for p in parts} for name, each in body.interfaces.items()}
        return {
            "moments": body.moments.gram,
            "stiffness": body.stiffness,
            "damping": body.damping,
            "interfaces": places or None,
            "geometric": dict(body.geometric) or None,
            "nodes": None if shown is None else shown.nodes,
            "faces": None if shown is None else shown.faces,
            "mode_shapes": None if shown is None else shown.modes,
            "mode_stresses": None if shown is None else shown.stresses,
            "length": body.length,
            "stiffening": self.stiffening,  # pyright: ignore
        }

    @classmethod
    def _made(cls, reduction: Reduction, damping_ratio: Any, stiffening: bool, recipe: Any) -> Flexible:
        made: Any = cls(reduction.reduced(damping_ratio, stiffening), stiffening=stiffening, recipe=recipe)  # pyright: ignore
        made.reduction = reduction
        return made


def _interface(name: str, given: Any, n: int) -> Interface:
    import numpy as np

    if not isinstance(given, Mapping) or not {"position", "displacement", "turn"}.issubset(given):
        raise ValueError(
            f"interface {name!r}: position, displacement and turn are needed (and rotation, if not that of the body)"
        )
    moved = (np.asarray(given[part], dtype=float).reshape(3, n) for part in ("displacement", "turn"))
    return Interface(given["position"], given.get("rotation", np.eye(3)), *moved)
