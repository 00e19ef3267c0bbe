/** Where the bodies of a tree are for given joint coordinates: the sliders of a model view.
 *
 * No kind of joint is known here: Python says of which elementary motions a joint is made (`duoti/model/motions.py`). */
import { Matrix4, Quaternion, Vector3 } from "three";
import type { Joint, Model, Motion, PoseNumbers } from "./document";
import { matrixOf } from "./scene/shapes";

const ONE = new Vector3(1, 1, 1);

/** Pose after a motion: exp(twist q), or the rotation of the quaternion at that place. */
export function motionPose({ at, twist }: Motion, q: ArrayLike<number>): Matrix4 {
  if (!twist) {
    const turn = new Quaternion(q[at + 1], q[at + 2], q[at + 3], q[at]).normalize();
    return new Matrix4().makeRotationFromQuaternion(turn);
  }
  const w = new Vector3(twist[0], twist[1], twist[2]);
  const v = new Vector3(twist[3], twist[4], twist[5]);
  const square = w.lengthSq();
  if (square === 0) return new Matrix4().makeTranslation(v.multiplyScalar(q[at]));
  const turn = new Quaternion().setFromAxisAngle(w.clone().normalize(), Math.sqrt(square) * q[at]);
  const aside = w.clone().cross(v);
  const p = aside.clone().sub(aside.clone().applyQuaternion(turn)).addScaledVector(w, w.dot(v) * q[at]).divideScalar(square);
  return new Matrix4().compose(p, turn, ONE);
}

/** Pose of the child's joint frame in the parent's, axes as the user gave them. */
export function acrossJoint(motions: Motion[], q: ArrayLike<number>): Matrix4 {
  return motions.reduce((across, motion) => across.multiply(motionPose(motion, q)), new Matrix4());
}

/** Poses (position, quaternion with the scalar first) of all bodies of a tree.
 *
 * Joints without motions stay as `fixed` says. */
export function treePoses(model: Model, q: Record<string, ArrayLike<number>>, fixed: Record<string, PoseNumbers> = {}): number[][] {
  const index = new Map(model.bodies.map((body, i) => [body.name, i]));
  const joints = new Map(model.joints.map((joint) => [joint.name, joint]));
  const world: Matrix4[] = model.bodies.map(() => new Matrix4());
  for (const row of model.topology.tree) {
    const joint = joints.get(row.joint);
    if (!joint) continue; // a free joint that the program added: the body stays at its reference place
    const inboard = index.get(row.inboard)!;
    const outboard = index.get(row.outboard)!;
    const moved = joint.motions ? acrossJoint(joint.motions, q[joint.name]) : matrixOf(fixed[joint.name]);
    const across = matrixOf(joint.onParent).multiply(moved).multiply(matrixOf(joint.onChild).invert());
    world[outboard] = world[inboard].clone().multiply(joint.parent === inboard ? across : across.invert());
  }
  return world.map((matrix) => {
    const p = new Vector3();
    const turn = new Quaternion();
    matrix.decompose(p, turn, new Vector3());
    return [p.x, p.y, p.z, turn.w, turn.x, turn.y, turn.z];
  });
}

export interface Line {
  from: Vector3;
  along: Vector3;
  turns: boolean;
}

const PARALLEL = 1e-9;

/** Axis of a motion in the joint's frame; of a shift, through the joint's point. */
export function axisOf({ twist }: Motion): Line | null {
  if (!twist) return null;
  const w = new Vector3(twist[0], twist[1], twist[2]);
  const v = new Vector3(twist[3], twist[4], twist[5]);
  const square = w.lengthSq();
  if (square > 0) return { from: w.clone().cross(v).divideScalar(square), along: w.normalize(), turns: true };
  return v.lengthSq() > 0 ? { from: new Vector3(), along: v.normalize(), turns: false } : null;
}

export function sameLine(a: Line, b: Line): boolean {
  const apart = b.from.clone().sub(a.from).cross(a.along).length();
  return a.along.clone().cross(b.along).length() < PARALLEL && apart < PARALLEL;
}

/** Whether a motion leaves a line where it is. */
function keeps(motion: Motion, line: Line): boolean {
  const axis = axisOf(motion);
  if (!axis) return false;
  return axis.turns ? sameLine(axis, line) : axis.along.clone().cross(line.along).length() < PARALLEL;
}

/** Whether a joint lets all six motions go: what is computed of its reactions is round-off. */
export function isFree(joint: Joint): boolean {
  return (joint.motions ?? []).reduce((freedoms, { twist }) => freedoms + (twist ? 1 : 3), 0) === 6;
}

/** On which side of a joint the axis of its motion number k stands still; null if the motions on both sides move it. */
export function sideOf(joint: Joint, k: number): "parent" | "child" | null {
  const motions = joint.motions ?? [];
  const line = motions[k] ? axisOf(motions[k]) : null;
  if (!line) return null;
  if (motions.slice(0, k).every((motion) => keeps(motion, line))) return "parent";
  return motions.slice(k + 1).every((motion) => keeps(motion, line)) ? "child" : null;
}
