import { describe, expect, it } from "vitest";
import { unpack, unpackExact } from "../src/pack";
// made by duoti.view.pack: pack(), its own unpack(), and pack_exact()
import made from "./blocks.json";

describe("blocks made by Python", () => {
  it("come back as Python's own unpack gives them, to the last bit", async () => {
    const values = await unpack(made.block);
    expect(Array.from(values)).toEqual(made.values.flat());
  });

  it("keep times exactly", async () => {
    expect(Array.from(await unpackExact(made.exact))).toEqual(made.times);
  });

  it("may be empty", async () => {
    expect(await unpack({ rows: 0, columns: 3, step: [1, 1, 1], offset: [0, 0, 0], data: "" })).toHaveLength(0);
  });
});
