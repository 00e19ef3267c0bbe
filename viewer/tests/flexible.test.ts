import { Color, MeshStandardMaterial } from "three";
import { describe, expect, it } from "vitest";
import { FlexibleMesh, heat, vonMises } from "../src/scene/flexible";

const base64 = (bytes: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(bytes)));
const floats = (...values: number[]) => base64(new Float32Array(values).buffer);

/** A triangle with two modes: one moves its last corner along z, the other stretches it along x. */
function triangle(): FlexibleMesh {
  const numbers = {
    nodes: floats(0, 0, 0, 1, 0, 0, 0, 1, 0),
    faces: base64(new Uint32Array([0, 1, 2]).buffer),
    modes: floats(0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0),
    stresses: floats(...new Array(18).fill(0), ...[100, 0, 0, 0, 0, 0], ...[0, 0, 0, 10, 0, 0], ...new Array(6).fill(0)),
  };
  return new FlexibleMesh(numbers, new MeshStandardMaterial(), "#808080");
}

describe("a flexible body", () => {
  it("is bent by its modes, as large as wanted", () => {
    const body = triangle();
    expect(body.count).toBe(2);
    body.bend([0.5, 0.25], 10, "body", 1);
    expect([...body.mesh.geometry.attributes.position.array]).toEqual([0, 0, 0, 6, 0, 0, 0, 1, 5]);
  });

  it("knows its largest displacement and stress", () => {
    const body = triangle();
    expect(body.largest([0.5, 0.1], "displacement")).toBeCloseTo(0.5);
    expect(body.largest([0, 2], "stress")).toBeCloseTo(200);
    expect(vonMises([0, 0, 0, 10, 0, 0])).toBeCloseTo(10 * Math.sqrt(3));
    expect(body.swing(1)).toBeCloseTo((0.1 * Math.SQRT2) / 2);
  });

  it("is coloured from blue to red, and back", () => {
    const body = triangle();
    body.bend([0, 1], 1, "stress", 100);
    const hot = heat(1, new Color());
    const colours = body.mesh.geometry.attributes.color.array;
    expect([...colours.slice(0, 3)].map((x, k) => x - hot.toArray()[k]).every((d) => Math.abs(d) < 1e-6)).toBe(true);
    body.bend([0, 1], 1, "body", 1);
    expect(colours[0]).toBeCloseTo(new Color("#808080").r);
  });
});
