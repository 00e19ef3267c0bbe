"""Guide pages and theory chapters of single items, where they are not those of the group."""

from __future__ import annotations

_FRICTION = "guide/contact/friction.md"
_BEAMS, _FLEXIBLE = "guide/flexible/beams.md", "guide/flexible/flexible.md"
_INERTIA, _ROTATIONS = "guide/model/inertia.md", "guide/model/rotations.md"
_EQUILIBRIUM, _KINEMATICS = "guide/analyses/equilibrium.md", "guide/analyses/kinematics.md"
_DERIVATIVES, _PARAMETERS = "guide/analyses/derivatives.md", "guide/studies/parameters.md"

GUIDES: dict[str, str] = {
    "forces/joint_friction": _FRICTION,
    "forces/joint_stop": _FRICTION,
    "forces/one_way_clutch": _FRICTION,
    **dict.fromkeys(("forces/beam_element", "forces/beam_load", "forces/spectral_beam_element"), _BEAMS),
    "forces/thin_beam": "guide/flexible/cables.md",
    **dict.fromkeys(("forces/nodal_force", "forces/surface_pressure", "forces/surface_traction"), _FLEXIBLE),
    "contacts/compliant_contact": "guide/contact/compliant_contact.md",
    "contacts/rolling_contact": "guide/contact/wheels_on_rails.md",
    "solvers/moreau": "guide/contact/time_stepping.md",
    **dict.fromkeys(("analyses/simulate", "analyses/resume", "analyses/run_tasks"), "guide/simulate/simulating.md"),
    **dict.fromkeys(("analyses/choose_solver", "analyses/compare_solvers"), "guide/simulate/solvers.md"),
    "analyses/compare_constraint_methods": "guide/simulate/constraint_methods.md",
    **dict.fromkeys(("analyses/check", "analyses/finding"), "guide/model/checking.md"),
    **dict.fromkeys(("analyses/topology", "analyses/compile"), "guide/model/topology.md"),
    **dict.fromkeys(("analyses/assemble", "analyses/constraint_jacobian"), "guide/model/loops.md"),
    **dict.fromkeys(
        [f"analyses/{name}" for name in ("equilibrium", "equilibria", "equilibrium_path")], _EQUILIBRIUM),
    **dict.fromkeys(
        [f"analyses/{name}" for name in ("linearise", "lineariser", "natural_modes", "root_locus", "mode")],
        "guide/analyses/linearise.md"),
    "analyses/evaluator": "guide/analyses/evaluator.md",
    **dict.fromkeys(
        [f"analyses/{name}" for name in ("kinematics", "coupler_curve", "workspace", "inverse_kinematics",
                                         "trajectory")], _KINEMATICS),
    **dict.fromkeys(("analyses/required_forces", "analyses/gravity_compensation"), "guide/analyses/required_forces.md"),
    **dict.fromkeys(
        [f"analyses/{name}" for name in ("forward_dynamics_derivatives", "inverse_dynamics_derivatives",
                                         "marker_derivatives", "displace")], _DERIVATIVES),
    **dict.fromkeys(
        [f"analyses/{name}" for name in ("parameter_derivatives", "equilibrium_derivatives", "inertial_regressor",
                                         "base_parameters")], _PARAMETERS),
    **dict.fromkeys(
        [f"analyses/{name}" for name in ("study", "plot_study", "file_study", "grid", "normal", "uniform", "loguniform",
                                         "triangular", "choice", "samples", "explanation")],
        "guide/studies/parameter_studies.md"),
    "analyses/energy_flow": "guide/analyses/energy_flow.md",
    "results/energy_flow": "guide/analyses/energy_flow.md",
    "analyses/kane": "guide/analyses/kane.md",
    **dict.fromkeys(("analyses/contact_problem", "analyses/contact_solution"), "guide/contact/contact.md"),
    **dict.fromkeys(
        [f"analyses/{name}" for name in ("mechanism_graph", "mechanism_equations", "reactions_by_graph")],
        "guide/model/bond_graphs.md"),
    "model/inertia": _INERTIA,
    "model/rotation": _ROTATIONS,
    **dict.fromkeys(("model/state", "model/add_state", "model/add_vector_state", "model/add_second_order_system",
                     "model/event", "model/add_controller"), "guide/model/states.md"),
    **dict.fromkeys(("model/add_table", "model/function"), "guide/model/expressions.md"),
    **dict.fromkeys(("model/add_contact", "model/add_contacts"), "guide/contact/contact.md"),
    "model/shape": "guide/contact/contact_shapes.md",
    "model/add_beam": _BEAMS,
    "model/add_cable": "guide/flexible/cables.md",
    "model/add_segments": "guide/flexible/segments.md",
    "model/add_bond_graph": "guide/model/bond_graphs.md",
    **dict.fromkeys(("files/load_urdf", "files/load_mjcf", "files/save_urdf", "files/import_note"),
                    "guide/files/import.md"),
    **dict.fromkeys(("files/open_result", "results/save"), "guide/files/result_files.md"),
    **dict.fromkeys(("results/show", "results/film", "results/picture", "results/export_html"),
                    "guide/results/viewer.md"),
}  # fmt: skip
_DYNAMICS, _LOOPS = "theory/04_recursive_dynamics.md", "theory/06_loops.md"
_SENSITIVITIES, _CONTACT = "theory/14_sensitivities.md", "theory/08_impact_and_friction.md"
_STEPPING = "theory/09_complementarity_and_time_stepping.md"
_MODES, _BEAM_THEORY = "theory/11_component_modes_and_stiffening.md", "theory/12_beams.md"
THEORIES: dict[str, str] = {
    **dict.fromkeys(("forces/beam_element", "forces/beam_load", "forces/spectral_beam_element", "forces/thin_beam",
                     "model/add_beam", "model/add_cable"), _BEAM_THEORY),
    **dict.fromkeys(("forces/nodal_force", "forces/surface_pressure", "forces/surface_traction"), _MODES),
    **dict.fromkeys(("forces/joint_friction", "forces/joint_stop", "forces/one_way_clutch", "model/add_contact"),
                    _CONTACT),
    **dict.fromkeys(("constraints/knife_edge", "constraints/rolling_disc", "constraints/rolling_sphere"),
                    "theory/05_kane_and_jourdain.md"),
    "solvers/moreau": _STEPPING,
    **dict.fromkeys(
        [f"analyses/{name}" for name in ("accelerations", "inverse_dynamics", "mass_matrix", "generalised_forces",
                                         "jacobian", "energies", "momentum", "evaluator", "required_forces",
                                         "gravity_compensation", "simulate")], _DYNAMICS),
    **dict.fromkeys(
        [f"analyses/{name}" for name in ("assemble", "constraint_jacobian", "kinematics", "compare_constraint_methods",
                                         "coupler_curve", "inverse_kinematics")], _LOOPS),
    **dict.fromkeys(("analyses/topology", "analyses/compile"), "theory/02_topology.md"),
    **dict.fromkeys(("analyses/choose_solver", "analyses/compare_solvers"), "theory/07_integrators.md"),
    **dict.fromkeys(
        [f"analyses/{name}" for name in ("parameter_derivatives", "equilibrium_derivatives",
                                         "forward_dynamics_derivatives", "inverse_dynamics_derivatives",
                                         "marker_derivatives", "displace", "linearise")], _SENSITIVITIES),
    "analyses/kane": "theory/05_kane_and_jourdain.md",
    **dict.fromkeys(("analyses/contact_problem", "analyses/contact_solution"), _STEPPING),
    **dict.fromkeys(
        [f"analyses/{name}" for name in ("mechanism_graph", "mechanism_equations", "reactions_by_graph")],
        "theory/13_bond_graphs.md"),
    "model/rotation": "theory/03_rotations_and_joints.md",
    "model/inertia": _DYNAMICS,
    "model/add_bond_graph": "theory/13_bond_graphs.md",
}  # fmt: skip
