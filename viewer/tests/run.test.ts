import { describe, expect, it } from "vitest";
import type { Document, Model, RunNumbers } from "../src/document";
import { between, locate, Run } from "../src/run";

const model = { bodies: [{ name: "ground" }, { name: "a" }], joints: [] } as unknown as Model;
const newRun = () => {
  const run = new Run({ models: [model] } as unknown as Document, { name: "r", model: 0 } as RunNumbers);
  run.setHeads([
    { name: "a.x", unit: "m", of: "body", item: "a", what: "x", letters: [], size: 1 },
    { name: "a.v", unit: "m/s", of: "body", item: "a", what: "v", letters: ["x", "y"], size: 2 },
  ]);
  return run;
};

describe("locate", () => {
  const times = [0, 1, 3];
  it("finds the interval and the part of it", () => {
    expect(locate(times, 3, 2)).toEqual({ index: 1, part: 0.5 });
    expect(locate(times, 3, 1)).toEqual({ index: 1, part: 0 });
  });
  it("stays at the ends", () => {
    expect(locate(times, 3, -5)).toEqual({ index: 0, part: 0 });
    expect(locate(times, 3, 9)).toEqual({ index: 1, part: 1 });
    expect(locate([2], 1, 9)).toEqual({ index: 0, part: 0 });
  });
});

describe("between", () => {
  it("keeps quaternions of unit length and takes the short way", () => {
    const out: number[] = [];
    const a = [0, 0, 0, 1, 0, 0, 0];
    const b = [2, 4, 6, -Math.cos(0.1), -Math.sin(0.1), 0, 0]; // the same turn as +cos, +sin
    between(a, 0, b, 0, 0.5, out);
    expect(out.slice(0, 3)).toEqual([1, 2, 3]);
    expect(Math.hypot(...out.slice(3))).toBeCloseTo(1, 14);
    expect(out[4]).toBeCloseTo(Math.sin(0.05), 6);
  });
});

describe("a run that grows", () => {
  it("gives poses and values between the instants that it has", () => {
    const run = newRun();
    run.append([0, 1], [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0], [1, 10, 20, 3, 30, 40]);
    run.append([2], [4, 0, 0, 1, 0, 0, 0], [5, 50, 60]);
    expect(run.count).toBe(3);
    expect(run.end).toBe(2);
    expect(run.pose(1, 1.5, []).slice(0, 3)).toEqual([3, 0, 0]);
    expect(run.pose(0, 1.5, []).slice(0, 4)).toEqual([0, 0, 0, 1]);
    expect(run.at(run.channel("a.v")!, 0.5)).toEqual([20, 30]);
    expect(run.scaleOf("m/s")).toBe(60);
  });
  it("takes another channel later", () => {
    const run = newRun();
    run.append([0, 1], [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0], [1, 10, 20, 3, 30, 40]);
    run.addChannel({ name: "b", unit: "m", of: "body", item: "b", what: "", letters: [], size: 1 }, [7, 9]);
    expect(run.at(run.channel("b")!, 0.5)).toEqual([8]);
    expect(run.at(run.channel("a.v")!, 1)).toEqual([30, 40]);
  });
  it("survives many additions", () => {
    const run = newRun();
    for (let n = 0; n < 3000; n++) run.append([n], [n, 0, 0, 1, 0, 0, 0], [n, 0, 0]);
    expect(run.pose(1, 2500.25, [])[0]).toBeCloseTo(2500.25, 9);
    expect(run.at(run.channel("a.x")!, 1234)).toEqual([1234]);
  });
});
