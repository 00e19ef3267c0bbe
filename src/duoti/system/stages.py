"""What a workspace holds of the present state: noted and compared in the checked build (`DUOTI_CHECK=1`), else nothing.

`Work.stages[STATE]` counts the states (`kinematics.joint_sweep` begins one). The function that computes a quantity
copies this count to the place of the quantity; a function that needs it compares the two. So what was never computed
is found, and so is what belongs to an earlier state of the same workspace. In the normal build these functions are
empty and the array has no entries.
"""

from duoti.kernel import CHECK, KernelStageError, helper

STATE, POSES, VELOCITIES, BIASES, ARTICULATED, WRENCHES, REACTIONS, COLUMNS = range(8)
TANGENT, EQUATIONS, JACOBIAN, MASS = range(8, 12)
N_STAGES = 12 if CHECK else 0

if CHECK:

    @helper
    def new_state(w):
        """A state of motion begins; nothing that was computed before belongs to it."""
        w.stages[STATE] += 1

    @helper
    def computed(w, stage):
        """A quantity of the present state was computed."""
        w.stages[stage] = w.stages[STATE]

    @helper
    def used_up(w, stage):
        """A quantity was overwritten: it must be computed again before it is needed again."""
        w.stages[stage] = 0

    @helper
    def _missing(w, stage):
        return w.stages[STATE] == 0 or w.stages[stage] != w.stages[STATE]

    @helper
    def need_sweep(w):
        """X_PB, H, c."""
        if w.stages[STATE] == 0:
            raise KernelStageError("the joints have no state yet: call joint_sweep first")

    @helper
    def need_poses(w):
        """X_WB."""
        if _missing(w, POSES):
            raise KernelStageError("the poses X_WB are not those of this state: call world_poses first")

    @helper
    def need_velocities(w):
        """V."""
        if _missing(w, VELOCITIES):
            raise KernelStageError("the velocities V are not those of this state: call velocities first")

    @helper
    def need_biases(w):
        """C."""
        if _missing(w, BIASES):
            raise KernelStageError("the bias accelerations C are not those of this state: call velocities first")

    @helper
    def need_articulated(w):
        """P, Y."""
        if _missing(w, ARTICULATED):
            raise KernelStageError("P and Y are not those of this state: call aba_outward first")

    @helper
    def need_wrenches(w):
        """F of each body alone."""
        if _missing(w, WRENCHES):
            raise KernelStageError("the wrenches F are not those of this state: call rnea_outward first")

    @helper
    def need_reactions(w):
        """F through each joint."""
        if _missing(w, REACTIONS):
            raise KernelStageError("F is not the wrenches through joints in this state: call rnea_inward first")

    @helper
    def need_columns(w):
        """S_R."""
        if _missing(w, COLUMNS):
            raise KernelStageError("the columns S_R are not those of this state: call composite_bodies first")

    @helper
    def need_tangent(w):
        """S, Psi, V_W of `Tangent`."""
        if _missing(w, TANGENT):
            raise KernelStageError("S and Psi are not those of this state: call tangent_kinematics first")

    @helper
    def need_equations(w):
        """The rows of closures."""
        if _missing(w, EQUATIONS):
            raise KernelStageError(
                "the rows of closures are not those of this state: call evaluate_closures (RATES) first"
            )

    @helper
    def need_jacobian(w):
        """G, S_W."""
        if _missing(w, JACOBIAN):
            raise KernelStageError("the Jacobian G is not that of this state: call closure_jacobian first")

    @helper
    def need_mass(w):
        """M, not yet factorised."""
        if _missing(w, MASS):
            raise KernelStageError("M is not the mass matrix of this state: call packed_mass_matrix first")

else:

    @helper
    def _of_work(w):
        """Nothing."""

    @helper
    def _of_stage(w, stage):
        """Nothing."""

    new_state = need_sweep = need_poses = need_velocities = need_biases = need_articulated = need_wrenches = _of_work
    need_reactions = need_columns = need_tangent = need_equations = need_jacobian = need_mass = _of_work
    computed = used_up = _of_stage
