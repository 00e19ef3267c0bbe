/** Where the bodies of a tree are for given joint coordinates: the sliders of a model view. */
import { Matrix4, Quaternion, Vector3 } from "three";
import type { Joint, JointPart, Model } from "./document";
import { matrixOf } from "./scene/shapes";

const ONE = new Vector3(1, 1, 1);

/** Pose of a simple joint's frame M in its frame F, axis along z, as the laws in `duoti/model/joints` say. */
export function lawPose(part: JointPart, q: ArrayLike<number>, at: number): Matrix4 {
  const turn = (axis: Vector3, angle: number) => new Matrix4().makeRotationAxis(axis, angle);
  const x = new Vector3(1, 0, 0);
  const z = new Vector3(0, 0, 1);
  switch (part.kind) {
    case "revolute":
      return turn(z, q[at]);
    case "prismatic":
      return new Matrix4().makeTranslation(0, 0, q[at]);
    case "screw": // the parameter is the advance per radian
      return new Matrix4().makeTranslation(0, 0, part.parameters[0] * q[at]).multiply(turn(z, q[at]));
    case "universal":
      return turn(z, q[at]).multiply(turn(x, q[at + 1]));
    case "spherical":
      return new Matrix4().makeRotationFromQuaternion(quaternion(q, at));
    case "free":
      return new Matrix4().compose(new Vector3(q[at], q[at + 1], q[at + 2]), quaternion(q, at + 3), ONE);
    case "fixed":
      return new Matrix4();
    default:
      return ordered(part, q, at);
  }
}

function quaternion(q: ArrayLike<number>, at: number): Quaternion {
  return new Quaternion(q[at + 1], q[at + 2], q[at + 3], q[at]).normalize();
}

/** Cylindrical: angle and position along z, in the order of the coordinates. Planar: x, y, then the angle. */
function ordered(part: JointPart, q: ArrayLike<number>, at: number): Matrix4 {
  const shift = new Vector3();
  let angle = 0;
  let k = at;
  for (const c of part.coordinates) {
    if (c.name === "angle") angle = q[k];
    else if (c.nq === 2) shift.set(q[k], q[k + 1], 0);
    else shift.set(0, 0, q[k]);
    k += c.nq;
  }
  return new Matrix4().makeTranslation(shift).multiply(new Matrix4().makeRotationZ(angle));
}

/** Pose of the child's joint frame in the parent's, axes as the user gave them. */
export function acrossJoint(joint: Joint, q: ArrayLike<number>): Matrix4 {
  const across = new Matrix4();
  let at = 0;
  for (const part of joint.parts) {
    const [w, x, y, z] = part.law;
    const law = new Matrix4().makeRotationFromQuaternion(new Quaternion(x, y, z, w));
    across.multiply(law).multiply(lawPose(part, q, at)).multiply(law.clone().invert());
    at += part.coordinates.reduce((sum, c) => sum + c.nq, 0);
  }
  return across;
}

/** Poses (position, quaternion with the scalar first) of all bodies of a tree. */
export function treePoses(model: Model, q: Record<string, ArrayLike<number>>): number[][] {
  const index = new Map(model.bodies.map((body, i) => [body.name, i]));
  const joints = new Map(model.joints.map((joint) => [joint.name, joint]));
  const world: Matrix4[] = model.bodies.map(() => new Matrix4());
  for (const row of model.topology.tree) {
    const joint = joints.get(row.joint);
    if (!joint) continue; // a free joint that the program added: the body stays at its reference place
    const inboard = index.get(row.inboard)!;
    const outboard = index.get(row.outboard)!;
    const across = matrixOf(joint.onParent).multiply(acrossJoint(joint, q[joint.name])).multiply(matrixOf(joint.onChild).invert());
    world[outboard] = world[inboard].clone().multiply(joint.parent === inboard ? across : across.invert());
  }
  return world.map((matrix) => {
    const p = new Vector3();
    const turn = new Quaternion();
    matrix.decompose(p, turn, new Vector3());
    return [p.x, p.y, p.z, turn.w, turn.x, turn.y, turn.z];
  });
}
