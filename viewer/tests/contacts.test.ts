import { describe, expect, it } from "vitest";
import type { ChannelHead, Document, Model, RunNumbers } from "../src/document";
import { Run } from "../src/run";
import { ContactMark, stateAt } from "../src/scene/contacts";
import { LIGHT } from "../src/scene/palette";

/** Three instants: open, sliding with two points, sticking with one. */
function sliding(): Run {
  const contact = { name: "floor", kind: "rigid_contact", text: "", planes: [] };
  const model = { bodies: [{ name: "ground" }], joints: [], contacts: [contact] } as unknown as Model;
  const run = new Run({ models: [model] } as unknown as Document, { name: "r", model: 0 } as RunNumbers);
  const head = (what: string, size: number): ChannelHead => ({ name: `floor.${what}`, unit: "N", of: "contact", item: "floor", what, letters: [], size });
  run.setHeads([head("force", 3), head("point", 3), head("state", 1)]);
  run.append([0, 1, 2], [], [0, 0, 0, 0, 0, 0, 0, 1, 0, 8, 2, 0, 0, 2, 0, 0, 10, 3, 0, 0, 1]);
  Object.assign(run, {
    touching: new Map([["floor", { first: 0, count: 2 }]]), pointColumns: 8,
    points: new Float64Array([0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 1, 3, 0, 0, 1, 4, 0, 0, 1, 0, 0, 0, 0]),
  });
  return run;
}

describe("a contact", () => {
  it("changes its state at once", () => {
    const run = sliding();
    expect([0, 0.9, 1, 1.9, 2].map((t) => stateAt(run, "floor", t))).toEqual(["open", "open", "sliding", "sliding", "sticking"]);
  });

  it("has the points that touch, which go along while they do", () => {
    const run = sliding();
    expect(run.touchingAt("floor", 0.5)).toEqual([]);
    expect(run.touchingAt("floor", 1)).toEqual([[2, 0, 0], [3, 0, 0]]);
    expect(run.touchingAt("floor", 1.5)).toEqual([[3, 0, 0], [3, 0, 0]]); // the first goes on, the second ends
    expect(run.touchingAt("floor", 2)).toEqual([[4, 0, 0]]);
  });

  it("has an arrow at its point, as long as the force", () => {
    const run = sliding();
    const mark = new ContactMark(run, run.model.contacts[0]);
    mark.move(2, LIGHT, false, 10, 0.5, 0.02);
    expect(mark.arrow.object.position.toArray()).toEqual([3, 0, 0]);
    expect(mark.touching).toBe(1);
    expect(mark.where(2)!.toArray()).toEqual([3, 0, 0]);
    expect(mark.where(0)).toBeNull();
  });
});
