/** Joints drawn by type: what turns or slides with the parent, and what with the child, each in its body's frame. */
import { BoxGeometry, BufferGeometry, ConeGeometry, Matrix4, OctahedronGeometry, Quaternion, TorusGeometry, TubeGeometry, Vector3, Curve } from "three";
import type { Joint, JointPart } from "../document";
import { axisOf, sameLine, sideOf, type Line } from "../kinematics";
import { ball as roundBall, cylinder as roundCylinder, matrixOf, merged, painted } from "./shapes";

// joints are small on the screen and there are many of them
const ball = (radius: number) => roundBall(radius, 20);
const cylinder = (radius: number, length: number, segments = 20) => roundCylinder(radius, length, segments);

export interface Glyph {
  parent: BufferGeometry | null;
  child: BufferGeometry | null;
}

export interface JointColours {
  joint: string;
  axis: string;
}

class Helix extends Curve<Vector3> {
  constructor(
    readonly radius: number,
    readonly length: number,
    readonly turns: number,
  ) {
    super();
  }

  override getPoint(s: number, target = new Vector3()): Vector3 {
    const a = 2 * Math.PI * this.turns * s;
    return target.set(this.radius * Math.cos(a), this.radius * Math.sin(a), this.length * (s - 0.5));
  }
}

export function helix(radius: number, length: number, turns: number, wire: number): BufferGeometry {
  return new TubeGeometry(new Helix(radius, length, turns), Math.round(24 * turns), wire, 7);
}

/** Shapes of a simple joint with its axis along z (second axis of a universal joint: x); r is the radius of its pin.
 * A rail reaches as far as the joint ever slides. */
function simple(part: JointPart, r: number, colour: string, [low, high]: [number, number]): Glyph {
  const length = high - low + 6 * r;
  const middle = (low + high) / 2;
  const paint = (...shapes: BufferGeometry[]) => merged(shapes.map((shape) => painted(shape, colour)));
  switch (part.kind) {
    case "revolute":
      return {
        parent: paint(cylinder(1.45 * r, 0.45 * r).translate(0, 0, 1.15 * r), cylinder(1.45 * r, 0.45 * r).translate(0, 0, -1.15 * r)),
        child: paint(cylinder(0.95 * r, 3.4 * r)),
      };
    case "prismatic":
      return {
        parent: paint(new BoxGeometry(0.8 * r, 0.8 * r, length).translate(0, 0, middle)),
        child: paint(new BoxGeometry(2.4 * r, 2.4 * r, 3.2 * r)),
      };
    case "cylindrical":
      return { parent: paint(cylinder(0.5 * r, length).translate(0, 0, middle)), child: paint(cylinder(1.4 * r, 3.2 * r)) };
    case "screw":
      return {
        parent: paint(
          cylinder(0.5 * r, length).translate(0, 0, middle),
          helix(0.72 * r, length, Math.min(60, Math.ceil(length / (1.2 * r))), 0.2 * r).translate(0, 0, middle),
        ),
        child: paint(cylinder(1.5 * r, 2.4 * r, 6)),
      };
    case "universal":
      return {
        parent: paint(cylinder(0.6 * r, 4.6 * r), ball(1.05 * r)),
        child: paint(cylinder(0.6 * r, 4.6 * r).rotateY(Math.PI / 2)),
      };
    case "spherical":
      return { parent: paint(new TorusGeometry(1.3 * r, 0.28 * r, 10, 32).translate(0, 0, 0)), child: paint(ball(1.35 * r)) };
    case "planar":
      return { parent: paint(new BoxGeometry(9 * r, 9 * r, 0.25 * r)), child: paint(cylinder(1.5 * r, 0.9 * r)) };
    case "fixed":
      return { parent: null, child: paint(new BoxGeometry(1.7 * r, 1.7 * r, 1.7 * r)) };
    case "free": // nothing holds the body
      return { parent: null, child: null };
    default: // a type that is not known here: a sign that says nothing about its motion
      return { parent: null, child: paint(new OctahedronGeometry(1.7 * r)) };
  }
}

function placed(geometry: BufferGeometry | null, pose: Matrix4): BufferGeometry | null {
  return geometry ? geometry.applyMatrix4(pose) : null;
}

function lawMatrix(part: JointPart): Matrix4 {
  const [w, x, y, z] = part.law;
  return new Matrix4().makeRotationFromQuaternion(new Quaternion(x, y, z, w));
}

/** Glyph of a joint, in the frames of its parent and child. Of a composite one: its first and its last part. */
export function jointGlyph(joint: Joint, r: number, colours: JointColours, slide: [number, number]): Glyph {
  const onParent = matrixOf(joint.onParent);
  const onChild = matrixOf(joint.onChild);
  const first = joint.parts[0];
  const last = joint.parts[joint.parts.length - 1];
  const one = simple(first, r, colours.joint, slide);
  if (joint.parts.length === 1) {
    const law = lawMatrix(first);
    return {
      parent: placed(one.parent, onParent.clone().multiply(law)),
      child: placed(one.child, onChild.clone().multiply(law)),
    };
  }
  const whole = (glyph: Glyph) => merged([glyph.parent, glyph.child].filter((each) => each !== null));
  return {
    parent: placed(whole(one), onParent.clone().multiply(lawMatrix(first))),
    child: placed(whole(simple(last, 0.85 * r, colours.joint, slide)), onChild.clone().multiply(lawMatrix(last))),
  };
}

export interface AxisOnBody extends Line {
  body: number;
  /** Of the joint, on that body. */
  frame: Matrix4;
}

/** Axis of a joint's motion number k, in the frame of the body in which it stands still; null if there is none. */
function axisOnBody(joint: Joint, k: number): AxisOnBody | null {
  const side = sideOf(joint, k);
  if (!side) return null;
  const frame = matrixOf(side === "parent" ? joint.onParent : joint.onChild);
  const { from, along, turns } = axisOf(joint.motions![k])!;
  const body = side === "parent" ? joint.parent : joint.child;
  return { body, frame, turns, from: from.applyMatrix4(frame), along: along.transformDirection(frame) };
}

/** The axes of a joint that are drawn: those about which it turns, and the one along which it slides. */
export function jointAxes(joint: Joint): AxisOnBody[] {
  const found: AxisOnBody[] = [];
  const motions = joint.motions ?? [];
  const slides = motions.filter((motion) => axisOf(motion)?.turns === false).length;
  motions.forEach((_, k) => {
    const axis = axisOnBody(joint, k);
    if (!axis || (!axis.turns && slides > 1)) return; // a plane or a space has no axis of its own
    if (!found.some((other) => other.body === axis.body && sameLine(other, axis))) found.push(axis);
  });
  return found;
}

/** What drives a coordinate of a joint, around its axis: a bent arrow for a torque or motor, a spiral for a spring; straight
 * where it slides. */
export function driveGlyph(joint: Joint, at: number, kind: string, r: number): { geometry: BufferGeometry; body: number } | null {
  const axis = axisOnBody(joint, joint.motions?.findIndex((motion) => motion.twist && motion.at === at) ?? -1);
  if (!axis) return null;
  const { turns } = axis;
  const arrow = kind === "joint_torque" || kind === "joint_motor";
  const shapes: BufferGeometry[] = [];
  if (arrow && turns) {
    const bend = 1.5 * Math.PI;
    shapes.push(new TorusGeometry(3 * r, 0.24 * r, 8, 36, bend));
    const head = new ConeGeometry(0.75 * r, 1.7 * r, 14).translate(0, 0.5 * r, 0); // points along the arc where it ends
    shapes.push(head.translate(3 * r, 0, 0).rotateZ(bend));
  } else if (arrow) {
    shapes.push(cylinder(0.24 * r, 5 * r, 8).translate(2.4 * r, 0, 0));
    shapes.push(new ConeGeometry(0.75 * r, 1.7 * r, 14).rotateX(Math.PI / 2).translate(2.4 * r, 0, 3 * r));
  } else if (turns) {
    shapes.push(new TubeGeometry(new Spiral(1.6 * r, 3 * r, 2.5), 80, 0.2 * r, 6));
  } else {
    shapes.push(helix(1.9 * r, 6 * r, 6, 0.2 * r));
  }
  const geometry = merged(shapes.map((shape) => painted(shape, "#ffffff")));
  return geometry && { geometry: geometry.applyMatrix4(poseAlong(joint, axis)), body: axis.body };
}

/** A frame with z along an axis; that of a part of the joint if it has one. */
function poseAlong(joint: Joint, axis: AxisOnBody): Matrix4 {
  const z = new Vector3(0, 0, 1);
  for (const part of joint.parts) {
    const pose = axis.frame.clone().multiply(lawMatrix(part));
    if (z.clone().transformDirection(pose).dot(axis.along) > 1 - 1e-9) return pose.setPosition(axis.from);
  }
  return new Matrix4().compose(axis.from, new Quaternion().setFromUnitVectors(z, axis.along), new Vector3(1, 1, 1));
}

class Spiral extends Curve<Vector3> {
  constructor(
    readonly inner: number,
    readonly outer: number,
    readonly turns: number,
  ) {
    super();
  }

  override getPoint(s: number, target = new Vector3()): Vector3 {
    const a = 2 * Math.PI * this.turns * s;
    const radius = this.inner + s * (this.outer - this.inner);
    return target.set(radius * Math.cos(a), radius * Math.sin(a), 0);
  }
}
