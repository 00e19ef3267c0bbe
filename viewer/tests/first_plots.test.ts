import { describe, expect, it } from "vitest";
import type { ChannelHead, Document, Model, RunNumbers } from "../src/document";
import { Run } from "../src/run";
import { firstPlots } from "../src/ui/first_plots";

const COUNT = 50;
type Row = [name: string, unit: string, of: ChannelHead["of"], ...columns: ((s: number) => number)[]];

/** A run of 50 instants; s goes from 0 to 1. */
function runOf(...rows: Row[]): Run {
  const model = { bodies: [{ name: "ground" }], joints: [] } as unknown as Model;
  const run = new Run({ models: [model] } as unknown as Document, { name: "r", model: 0 } as RunNumbers);
  run.setHeads(
    rows.map(([name, unit, of, ...columns]) => {
      const [item, what = ""] = name.split(".");
      return { name, unit, of, item, what, letters: columns.length > 1 ? ["x", "y", "z"].slice(0, columns.length) : [], size: columns.length };
    }),
  );
  const instants = Array.from({ length: COUNT }, (_, n) => n / (COUNT - 1));
  run.append(instants, [], instants.flatMap((s) => rows.flatMap(([, , , ...columns]) => columns.map((f) => f(s)))));
  return run;
}

const swing = (size: number, about = 0) => (s: number) => about + size * Math.sin(2 * Math.PI * s);
const still = (value: number) => () => value;

describe("the plots of a page to begin with", () => {
  it("leave out what stands still", () => {
    const run = runOf(["A.angle", "rad", "joint", swing(1)], ["B.angle", "rad", "joint", still(0.3)], ["C.angle", "rad", "joint", (s) => 1e-9 * s]);
    expect(firstPlots(run)[0]).toEqual(["A.angle"]);
  });
  it("give a curve that would flatten the others a plot of its own", () => {
    const run = runOf(
      ["A.angle", "rad", "joint", swing(0.5)],
      ["wheel.angle", "rad", "joint", (s) => 100 * s],
      ["B.angle", "rad", "joint", swing(0.4)],
      ["C.angle", "rad", "joint", swing(0.3, 0.2)],
    );
    expect(firstPlots(run)).toEqual([["wheel.angle"], ["A.angle", "B.angle", "C.angle"]]);
  });
  it("part curves that move little about places far apart", () => {
    const run = runOf(["A.position", "m", "joint", swing(1, 1000)], ["B.position", "m", "joint", swing(1)]);
    expect(firstPlots(run)).toEqual([["A.position"], ["B.position"]]);
  });
  it("draw a curve once that several channels share", () => {
    const run = runOf(["left.angle", "rad", "joint", swing(1)], ["right.angle", "rad", "joint", swing(1.001)], ["B.angle", "rad", "joint", swing(0.5)]);
    expect(firstPlots(run)).toEqual([["right.angle", "B.angle"]]);
  });
  it("leave out energies that are constant, and show others with their total", () => {
    const energies = (e: (s: number) => number): Row[] => [
      ["energy.kinetic", "J", "energy", e],
      ["energy.gravity", "J", "energy", (s) => 5 - e(s)],
      ["energy.elastic", "J", "energy", still(0)],
      ["energy.total", "J", "energy", still(5)],
    ];
    expect(firstPlots(runOf(["A.angle", "rad", "joint", swing(1)], ...energies(still(2))))).toEqual([["A.angle"]]);
    const plots = firstPlots(runOf(["A.angle", "rad", "joint", swing(1)], ...energies(swing(1, 2))));
    expect(plots[1]).toEqual(["energy.kinetic", "energy.gravity", "energy.total"]);
  });
  it("take what turns and where it goes if there are no angles", () => {
    const run = runOf(
      ["top.rotation", "1", "joint", swing(1), swing(1), swing(1), swing(1)],
      ["top.angular_velocity", "rad/s", "joint", swing(1), swing(-1), still(50)],
      ["tip.position", "m", "marker", swing(0.1), swing(0.2), still(0.2)],
    );
    expect(firstPlots(run)).toEqual([["top.angular_velocity.x", "top.angular_velocity.y"], ["tip.position.x", "tip.position.y"]]);
  });
  it("show the coordinates if nothing moves", () => {
    expect(firstPlots(runOf(["A.angle", "rad", "joint", still(1)]))).toEqual([["A.angle"]]);
    expect(firstPlots(runOf())).toEqual([]);
  });
});
