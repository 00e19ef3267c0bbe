import { Matrix4, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { Joint, Model, Motion } from "../src/document";
import { acrossJoint, isFree, motionPose, treePoses } from "../src/kinematics";
import { driveGlyph, jointAxes, jointGlyph } from "../src/scene/joints";
import made from "./motions.json";

const apply = (matrix: Matrix4, p: number[]) => new Vector3(...p).applyMatrix4(matrix).toArray();
const near = (a: number[], b: number[]) => a.forEach((x, i) => expect(x).toBeCloseTo(b[i], 12));
const turn = (at: number, ...axis: number[]): Motion => ({ at, twist: [...axis, 0, 0, 0] });
const slide = (at: number, ...axis: number[]): Motion => ({ at, twist: [0, 0, 0, ...axis] });
const Z = [0, 0, 1];

describe("elementary motions", () => {
  it("turn and slide as they should", () => {
    near(apply(motionPose(turn(0, ...Z), [Math.PI / 2]), [1, 0, 0]), [0, 1, 0]);
    near(apply(motionPose(slide(1, ...Z), [9, 0.3]), [1, 0, 0]), [1, 0, 0.3]);
    near(apply(motionPose({ at: 0, twist: [0, 0, 1, 0, 0, 0.1] }, [Math.PI]), [1, 0, 0]), [-1, 0, 0.1 * Math.PI]);
    near(apply(motionPose({ at: 0, twist: [0, 0, 2, 0, 0, 0] }, [Math.PI / 4]), [1, 0, 0]), [0, 1, 0]);
    near(apply(motionPose({ at: 1, twist: null }, [9, Math.SQRT1_2, 0, 0, Math.SQRT1_2]), [1, 0, 0]), [0, 1, 0]);
  });
  it("turn about an axis elsewhere", () => {
    near(apply(motionPose({ at: 0, twist: [0, 0, 1, 0, -1, 0.2] }, [Math.PI]), [0, 0, 0]), [2, 0, 0.2 * Math.PI]);
  });
});

describe("joints", () => {
  it("are where Python's laws put them", () => {
    expect(made.length).toBeGreaterThan(9);
    for (const { kind, motions, q, R, p } of made as { kind: string; motions: Motion[]; q: number[]; R: number[]; p: number[] }[]) {
      const e = acrossJoint(motions, q).elements; // by columns
      const found = [e[0], e[4], e[8], e[1], e[5], e[9], e[2], e[6], e[10], e[12], e[13], e[14]];
      [...R, ...p].forEach((x, i) => expect(found[i], kind).toBeCloseTo(x, 12));
    }
  });
});

const at = (x: number) => [x, 0, 0, 1, 0, 0, 0];
const joint = (name: string, parent: number, child: number, onParent: number[], onChild: number[], motions: Motion[] | null, kind = "revolute") =>
  ({ name, kind, parent, child, onParent, onChild, parts: [{ kind, law: [1, 0, 0, 0], coordinates: [] }], motions, loop: null, labels: [] }) as Joint;

describe("a tree", () => {
  const model = (motions: Motion[] | null) =>
    ({
      bodies: ["ground", "a", "b"].map((name) => ({ name })),
      joints: [joint("A", 0, 1, at(0), at(-0.5), motions), joint("B", 2, 1, at(-0.5), at(0.5), [turn(0, ...Z)])], // B points towards ground
      topology: {
        tree: [
          { joint: "A", inboard: "ground", outboard: "a", virtual: false },
          { joint: "B", inboard: "a", outboard: "b", virtual: false },
        ],
      },
    }) as unknown as Model;

  it("carries bodies outward, also through a joint that points inward", () => {
    const poses = treePoses(model([turn(0, ...Z)]), { A: [Math.PI / 2], B: [Math.PI / 2] });
    near(poses[1].slice(0, 3), [0, 0.5, 0]);
    // b is turned back by B, so it lies along x again, from the end of a
    near(poses[2].slice(0, 3), [0.5, 1, 0]);
    near(poses[2].slice(3), [1, 0, 0, 0]);
  });
  it("leaves a joint that it does not know where it stands", () => {
    const stands = [0, 0, 0, Math.SQRT1_2, 0, 0, Math.SQRT1_2];
    const poses = treePoses(model(null), { A: [0.123], B: [Math.PI / 2] }, { A: stands });
    near(poses[1].slice(0, 3), [0, 0.5, 0]);
    near(poses[2].slice(0, 3), [0.5, 1, 0]);
  });
});

describe("what is drawn of a joint", () => {
  const of = (...motions: Motion[]) => joint("J", 0, 1, at(0), at(0), motions);
  const axes = (j: Joint) => jointAxes(j).map(({ body, along }) => [body, ...along.toArray().map(Math.round)]);

  it("are its axes, on the body in which they stand still", () => {
    expect(axes(of(turn(0, ...Z)))).toEqual([[0, ...Z]]);
    expect(axes(of(slide(0, ...Z), turn(1, ...Z)))).toEqual([[0, ...Z]]); // cylindrical: one line
    expect(axes(of(turn(0, ...Z), turn(1, 1, 0, 0)))).toEqual([[0, ...Z], [1, 1, 0, 0]]); // universal
    expect(axes(of(turn(0, ...Z), turn(1, 0, 1, 0), turn(2, 1, 0, 0)))).toEqual([[0, ...Z], [1, 1, 0, 0]]); // gimbal
    expect(axes(of(slide(0, 1, 0, 0), slide(1, 0, 1, 0), turn(2, ...Z)))).toEqual([[1, ...Z]]); // planar: its normal
    expect(axes(of(slide(0, 1, 0, 0), turn(1, ...Z)))).toEqual([[0, 1, 0, 0], [1, ...Z]]); // a pin in a slot
    expect(axes(of({ at: 0, twist: null }))).toEqual([]);
    expect(axes(joint("J", 0, 1, at(0), at(0), null))).toEqual([]);
  });
  it("is a sign without direction for a type that is not known", () => {
    const glyph = jointGlyph(joint("J", 0, 1, at(0), at(0), null, "pin_in_slot"), 0.1, { joint: "#fff", axis: "#fff" }, [-1, 1]);
    expect(glyph.parent).toBeNull();
    glyph.child!.computeBoundingBox();
    near(glyph.child!.boundingBox!.max.toArray(), [0.17, 0.17, 0.17].map(Math.fround));
    const free = jointGlyph(joint("J", 0, 1, at(0), at(0), [], "free"), 0.1, { joint: "#fff", axis: "#fff" }, [-1, 1]);
    expect(free.child).toBeNull();
  });
  it("is the drive of the coordinate that is driven", () => {
    const slot = of(slide(0, 1, 0, 0), turn(1, ...Z));
    expect(driveGlyph(slot, 0, "joint_motor", 0.1)!.body).toBe(0);
    expect(driveGlyph(slot, 1, "joint_motor", 0.1)!.body).toBe(1);
    expect(driveGlyph(slot, -1, "joint_motor", 0.1)).toBeNull();
    expect(driveGlyph(joint("J", 0, 1, at(0), at(0), null), 0, "joint_motor", 0.1)).toBeNull();
  });
});

describe("joints that let all motions go", () => {
  it("are told from others: they have no reactions to draw", () => {
    const of = (motions: Motion[] | null) => isFree({ motions } as Joint);
    const slides = [slide(0, 1, 0, 0), slide(1, 0, 1, 0), slide(2, ...Z)];
    expect(of([...slides, { at: 3, twist: null }])).toBe(true);
    expect(of([...slides, turn(3, ...Z), turn(4, 1, 0, 0), turn(5, 0, 1, 0)])).toBe(true);
    expect(of(slides)).toBe(false);
    expect(of(null)).toBe(false);
  });
});
