import { Matrix4, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { JointPart, Model } from "../src/document";
import { lawPose, treePoses } from "../src/kinematics";

const part = (kind: string, coordinates: [string, number][], parameters: number[] = []): JointPart => ({
  kind,
  law: [1, 0, 0, 0],
  parameters,
  coordinates: coordinates.map(([name, nq]) => ({ name, nq, nv: nq, rate: "", unit: "", rateUnit: "", quaternion: false })),
});
const apply = (matrix: Matrix4, p: number[]) => new Vector3(...p).applyMatrix4(matrix).toArray();
const near = (a: number[], b: number[]) => a.forEach((x, i) => expect(x).toBeCloseTo(b[i], 12));

describe("laws of the joints", () => {
  it("turn and slide as they should", () => {
    near(apply(lawPose(part("revolute", [["angle", 1]]), [Math.PI / 2], 0), [1, 0, 0]), [0, 1, 0]);
    near(apply(lawPose(part("prismatic", [["position", 1]]), [0.3], 0), [1, 0, 0]), [1, 0, 0.3]);
    near(apply(lawPose(part("screw", [["angle", 1]], [0.1]), [Math.PI], 0), [1, 0, 0]), [-1, 0, 0.1 * Math.PI]);
    near(apply(lawPose(part("cylindrical", [["position", 1], ["angle", 1]]), [0.5, Math.PI / 2], 0), [1, 0, 0]), [0, 1, 0.5]);
    near(apply(lawPose(part("planar", [["position", 2], ["angle", 1]]), [1, 2, Math.PI / 2], 0), [1, 0, 0]), [1, 3, 0]);
    near(apply(lawPose(part("universal", [["angle", 2]]), [Math.PI / 2, Math.PI / 2], 0), [0, 1, 0]), [0, 0, 1]);
    near(apply(lawPose(part("free", [["position", 3], ["rotation", 4]]), [1, 2, 3, Math.SQRT1_2, 0, 0, Math.SQRT1_2], 0), [1, 0, 0]), [1, 3, 3]);
  });
});

describe("a tree", () => {
  const at = (x: number) => [x, 0, 0, 1, 0, 0, 0];
  const joint = (name: string, parent: number, child: number, onParent: number[], onChild: number[]) => ({
    name, kind: "revolute", parent, child, onParent, onChild, parts: [part("revolute", [["angle", 1]])], loop: null,
  });
  const model = {
    bodies: ["ground", "a", "b"].map((name) => ({ name })),
    joints: [joint("A", 0, 1, at(0), at(-0.5)), joint("B", 2, 1, at(-0.5), at(0.5))], // B points towards ground
    topology: {
      tree: [
        { joint: "A", inboard: "ground", outboard: "a", virtual: false },
        { joint: "B", inboard: "a", outboard: "b", virtual: false },
      ],
    },
  } as unknown as Model;

  it("carries bodies outward, also through a joint that points inward", () => {
    const poses = treePoses(model, { A: [Math.PI / 2], B: [Math.PI / 2] });
    near(poses[1].slice(0, 3), [0, 0.5, 0]);
    // b is turned back by B, so it lies along x again, from the end of a
    near(poses[2].slice(0, 3), [0.5, 1, 0]);
    near(poses[2].slice(3), [1, 0, 0, 0]);
  });
});
