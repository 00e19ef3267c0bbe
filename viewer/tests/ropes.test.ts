import { Vector3 } from "three";
import { expect, test } from "vitest";
import { ropeLine, tangent, type PlacedPoint } from "../src/scene/ropes";

function at(x: number, z: number, radius: number, side: number): PlacedPoint {
  // axis y: from z to x
  return { centre: new Vector3(x, 0, z), ex: new Vector3(0, 0, 1), ey: new Vector3(1, 0, 0), radius, side };
}

function length(line: Vector3[]): number {
  return line.slice(1).reduce((sum, point, k) => sum + point.distanceTo(line[k]), 0);
}

test("a rope over a sheave has straight sides and half a circle", () => {
  const points = [at(-0.5, -2, 0, 1), at(0, 0, 0.5, 1), at(0.5, -2, 0, 1)];
  const line = ropeLine(points, false);
  expect(length(line)).toBeCloseTo(4 + 0.5 * Math.PI, 2); // an arc of 24 chords
  expect(Math.max(...line.map((point) => point.z))).toBeCloseTo(0.5, 3);
});

test("an open belt and a crossed one", () => {
  const [r, R, d] = [0.05, 0.15, 0.4];
  const open = ropeLine([at(0, 0, r, 1), at(d, 0, R, 1)], true);
  const lean = Math.asin((R - r) / d);
  expect(length(open)).toBeCloseTo(2 * d * Math.cos(lean) + r * (Math.PI - 2 * lean) + R * (Math.PI + 2 * lean), 2);
  const crossed = ropeLine([at(0, 0, r, 1), at(d, 0, R, -1)], true);
  const cross = Math.asin((R + r) / d);
  expect(length(crossed)).toBeCloseTo(2 * d * Math.cos(cross) + (r + R) * (Math.PI + 2 * cross), 2);
});

test("tangents touch both sheaves", () => {
  const [a, b] = [at(0, 0, 0.3, 1), at(2, 1, 0.7, -1)];
  const [out, into] = tangent(a, b);
  const rim = (p: PlacedPoint, angle: number) =>
    p.centre.clone().addScaledVector(p.ex, p.radius * Math.cos(angle)).addScaledVector(p.ey, p.radius * Math.sin(angle));
  const [p, q] = [rim(a, out), rim(b, into)];
  const along = q.clone().sub(p).normalize();
  expect(along.dot(p.clone().sub(a.centre))).toBeCloseTo(0, 6);
  expect(along.dot(q.clone().sub(b.centre))).toBeCloseTo(0, 6);
});
