"""Attributes and elements of MJCF: which are read, and which have no part in the motion of rigid bodies.

Attributes that are in neither list are noted as left out. What MuJoCo's soft contacts need (margins, parameters of the
solver) is among the second kind: that is noted once for the whole file.
"""

from __future__ import annotations

from functools import cache

ORIENTATION = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
_SOLVER = "solref solimp margin gap solimplimit solreflimit solimpfriction solreffriction solmix"

READ: dict[str, str] = {
    "compiler": "angle coordinate autolimits balanceinertia boundinertia boundmass eulerseq inertiafromgeom "
    "inertiagrouprange meshdir assetdir settotalmass strippath",
    "option": "gravity wind density viscosity actuatorgroupdisable",
    "flag": "actuation clampctrl damper spring passive equality gravity",
    "default": "class",
    "body": "name childclass pos gravcomp mocap quat axisangle euler xyaxes zaxis",
    "frame": "name childclass pos quat axisangle euler xyaxes zaxis",
    "attach": "model body prefix name",
    "model": "name file content_type",
    "replicate": "count offset euler sep",
    "inertial": "pos mass diaginertia fullinertia quat axisangle euler xyaxes zaxis",
    "joint": "name class type pos axis range limited ref springref stiffness damping armature "
    "frictionloss springdamper actuatorfrclimited actuatorfrcrange actuatorgravcomp",
    "freejoint": "name",
    "geom": "name class type pos quat axisangle euler xyaxes zaxis fromto size mass density mesh hfield material rgba "
    "group shellinertia contype conaffinity condim priority friction",
    "site": "name class pos quat axisangle euler xyaxes zaxis fromto",
    "mesh": "name class file scale refpos refquat inertia vertex face",
    "hfield": "name file nrow ncol size elevation",
    "material": "name class rgba",
    "connect": "name class active body1 body2 anchor site1 site2",
    "weld": "name class active body1 body2 anchor relpose site1 site2",
    "equality joint": "name class active joint1 joint2 polycoef",
    "equality tendon": "name class active tendon1 tendon2 polycoef",
    "fixed": "name class stiffness damping springlength frictionloss armature actuatorfrclimited actuatorfrcrange "
    "limited range",
    "spatial": "name class stiffness damping springlength frictionloss armature actuatorfrclimited actuatorfrcrange "
    "limited range",
    "actuator": "name class joint jointinparent tendon gear ctrllimited ctrlrange forcelimited forcerange actlimited "
    "actrange dyntype gaintype biastype dynprm gainprm biasprm kp kv dampratio timeconst bias area diameter group "
    "inheritrange site",
    "key": "name time qpos qvel act ctrl mpos mquat",
    "pair": "name class geom1 geom2 condim friction",
    "exclude": "name body1 body2",
}
HARMLESS: dict[str, str] = {
    "compiler": "alignfree discardvisual fitaabb fusestatic saveinertial savecanonical savecompiled texturedir "
    "usethread convexhull exactmeshinertia conflict passthrough",
    "option": "timestep integrator ccd_iterations ccd_tolerance cone impratio iterations jacobian "
    "ls_iterations ls_tolerance magnetic noslip_iterations noslip_tolerance o_friction o_margin o_solimp o_solref "
    "sdf_initpoints sdf_iterations sleep_tolerance solver tolerance apirate collision mpr_iterations mpr_tolerance",
    "flag": "autoreset constraint contact diagexact energy eulerdamp filterparent frictionloss fwdinv "
    "invdiscrete ipc island limit midphase multiccd nativeccd override refsafe sensor sensornoise sleep speculative "
    "warmstart",
    "body": "user fuse simple sleep",
    "joint": f"group user {_SOLVER}",
    "freejoint": "group align",
    "geom": f"user fitscale castshadow surfacevel adhesion fluidshape fluidcoef {_SOLVER}",
    "site": "group material rgba size type user mesh",
    "mesh": "maxhullvert smoothnormal normal texcoord content_type material",
    "hfield": "content_type",
    "material": "texture texrepeat texuniform emission specular shininess reflectance metallic roughness",
    "connect": _SOLVER,
    "weld": f"torquescale {_SOLVER}",
    "equality joint": _SOLVER,
    "equality tendon": _SOLVER,
    "fixed": f"group user width material rgba {_SOLVER}",
    "spatial": f"group user width material rgba {_SOLVER}",
    "actuator": "user lengthrange actdim actearly cranklength",
    "key": "",
    "pair": _SOLVER,
}
UNSUPPORTED: dict[str, str] = {
    "joint": "springyield",
    "fixed": "springyield",
    "spatial": "springyield",
    "actuator": "armature damping delay ffrange input interp nsample velrange refsite slidersite cranksite body plugin",
}
"""Attributes of MuJoCo that change the motion and have no counterpart here."""
SECTIONS = (
    "compiler", "option", "size", "visual", "statistic", "default", "custom", "asset", "worldbody", "contact",
    "deformable", "equality", "tendon", "actuator", "sensor", "keyframe", "extension",
)  # fmt: skip
UNUSED_SECTIONS = {
    "custom": "user data are left out",
}
BODY_CHILDREN = (
    "inertial", "joint", "freejoint", "geom", "site", "camera", "light", "body", "frame", "replicate", "plugin",
    "composite", "flexcomp", "attach",
)  # fmt: skip
OTHER_ACTUATORS = ("muscle", "adhesion", "plugin", "dcmotor")
OTHER_DEFAULTS = ("default", "camera", "light", "hfield", "texture", "flex", "sensor", "skin")
ACTUATORS = ("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder")


@cache
def known(kind: str) -> frozenset[str]:
    """All attributes that MuJoCo knows: read here, harmless, or not supported."""
    return frozenset((*READ.get(kind, "").split(), *HARMLESS.get(kind, "").split(), *UNSUPPORTED.get(kind, "").split()))


@cache
def unsupported(kind: str) -> tuple[str, ...]:
    """Those that change the motion and have no counterpart here."""
    return tuple(UNSUPPORTED.get(kind, "").split())
