import { Color, MeshStandardMaterial, Quaternion, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { Slender } from "../src/document";
import { heat } from "../src/scene/flexible";
import { bent, SlenderMesh, type Place } from "../src/scene/slender";

const turned = (angle: number) => new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), angle);
const place = (x: number, y: number, angle = 0): Place => ({ at: new Vector3(x, y, 0), turn: turned(angle) });

/** A strip of 0.2 by 0.1 in two elements, or a cable without a section. */
function strip(sections: number[][][] = [[[-0.1, -0.05, 0.1, -0.05, 0.1, 0.05, -0.1, 0.05]]]): SlenderMesh {
  const end = (body: number) => ({ body, pose: [0, 0, 0, 1, 0, 0, 0] });
  const numbers: Slender = {
    name: "strip", kind: sections.length ? "beam" : "cable", length: 2, elements: ["a", "b"],
    ends: [end(1), end(2), end(2), end(3)], sections, section: [0, 0, 0, 0],
  };
  return new SlenderMesh(numbers, new MeshStandardMaterial(), "#808080", 0.05);
}

describe("a beam", () => {
  it("is a circle between two frames of a circle", () => {
    const quarter = bent(place(0, 0), place(1, 1, Math.PI / 2), 0.5); // about (0, 1), radius 1
    expect(quarter.at.x).toBeCloseTo(Math.SQRT1_2, 12);
    expect(quarter.at.y).toBeCloseTo(1 - Math.SQRT1_2, 12);
    expect(quarter.turn.angleTo(turned(Math.PI / 4))).toBeCloseTo(0, 7);
    const straight = bent(place(0, 0), place(3, 0), 1 / 3);
    expect(straight.at.toArray()).toEqual([1, 0, 0]);
  });

  it("has the section that it was given, with sharp edges and closed ends", () => {
    const beam = strip();
    beam.bend([place(0, 0), place(1, 0), place(1, 0), place(2, 0)]);
    const { position, normal } = beam.mesh.geometry.attributes;
    const at = Array.from({ length: position.count }, (_, i) => new Vector3().fromBufferAttribute(position, i));
    expect(Math.max(...at.map((p) => p.y))).toBeCloseTo(0.1);
    expect(Math.min(...at.map((p) => p.z))).toBeCloseTo(-0.05);
    expect([Math.min(...at.map((p) => p.x)), Math.max(...at.map((p) => p.x))]).toEqual([0, 2]);
    // the volume that its triangles enclose, all turned outward
    const index = beam.mesh.geometry.index!.array;
    let volume = 0;
    for (let i = 0; i < index.length; i += 3) volume += at[index[i]].dot(at[index[i + 1]].clone().cross(at[index[i + 2]])) / 6;
    expect(volume).toBeCloseTo(0.2 * 0.1 * 2);
    for (let i = 0; i < normal.count; i++) {
      const n = new Vector3().fromBufferAttribute(normal, i);
      expect(Math.max(Math.abs(n.x), Math.abs(n.y), Math.abs(n.z))).toBeCloseTo(1); // along an axis: no edge is rounded
      if (Math.abs(n.x) < 0.5) expect(n.dot(at[i])).toBeGreaterThan(0);
    }
  });

  it("keeps holes open", () => {
    const ring = (r: number) => Array.from({ length: 48 }, (_, k) => [r * Math.cos((2 * Math.PI * k) / 48), r * Math.sin((2 * Math.PI * k) / 48)]).flat();
    const tube = strip([[ring(0.1), ring(0.08)]]);
    tube.bend([place(0, 0), place(1, 0), place(1, 0), place(2, 0)]);
    const { position } = tube.mesh.geometry.attributes;
    const at = Array.from({ length: position.count }, (_, i) => new Vector3().fromBufferAttribute(position, i));
    const index = tube.mesh.geometry.index!.array;
    let volume = 0;
    for (let i = 0; i < index.length; i += 3) volume += at[index[i]].dot(at[index[i + 1]].clone().cross(at[index[i + 2]])) / 6;
    const polygon = (r: number) => 24 * r * r * Math.sin((2 * Math.PI) / 48);
    expect(volume).toBeCloseTo(2 * (polygon(0.1) - polygon(0.08)), 5);
  });

  it("is coloured along itself, and back", () => {
    const beam = strip();
    beam.bend([place(0, 0), place(1, 0), place(1, 0), place(2, 0)]);
    beam.paint([0, 5, 5, 10], 0, 10);
    const colours = beam.mesh.geometry.attributes.color.array;
    const [cold, hot] = [heat(0, new Color()), heat(1, new Color())];
    expect(colours[0]).toBeCloseTo(cold.r);
    expect(colours[colours.length - 3]).toBeCloseTo(hot.r);
    beam.paint(null, 0, 1);
    expect(colours[0]).toBeCloseTo(new Color("#808080").r);
  });
});

describe("a cable", () => {
  it("goes through its nodes, round and smooth", () => {
    const cable = strip([]);
    const nodes = [place(0, 0), place(1, -0.5), place(1, -0.5), place(2, 0)];
    cable.bend(nodes);
    const { position } = cable.mesh.geometry.attributes;
    for (const node of nodes) {
      const near = Array.from({ length: position.count }, (_, i) => new Vector3().fromBufferAttribute(position, i).distanceTo(node.at));
      expect(Math.min(...near)).toBeCloseTo(0.05, 5);
    }
  });
});
