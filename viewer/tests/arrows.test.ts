import { Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { Arrow } from "../src/scene/arrows";

const seen = (arrow: Arrow) => arrow.object.children.map((mesh) => mesh.visible);

describe("an arrow", () => {
  it("is not seen before it has a vector, nor without a length", () => {
    for (const heads of [1, 2] as const) {
      const arrow = new Arrow(heads);
      const all = (visible: boolean) => new Array(1 + heads).fill(visible);
      expect(seen(arrow)).toEqual(all(false));
      arrow.set(new Vector3(), new Vector3(0, 0, 2), 0.1);
      expect(seen(arrow)).toEqual(all(true));
      for (const nothing of [0, NaN, Infinity]) {
        arrow.set(new Vector3(), new Vector3(nothing, 0, 0), 0.1);
        expect(seen(arrow)).toEqual(all(false));
      }
    }
  });
});
