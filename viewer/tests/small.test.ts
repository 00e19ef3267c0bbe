import { Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { niceLength, upAxis } from "../src/scene/stage";
import { short, steady } from "../src/ui/dom";
import { freePlace } from "../src/ui/overlay";
import { tickLabel, ticks } from "../src/ui/plots";
import { keyboard, say, sayKind, setLanguage } from "../src/ui/text";

describe("numbers in the page", () => {
  it("are short", () => {
    expect([0, 12.3456789, 1e-7, 123456, -0.5].map((x) => short(x))).toEqual(["0", "12.35", "1.00e-7", "1.23e5", "-0.5"]);
  });
  it("are steady, and zero where they are round-off", () => {
    expect([1.23456, 45.678, 456.78, 1e-15].map((x) => steady(x))).toEqual(["1.235", "45.68", "456.8", "0.000"]);
    expect(steady(1e-7, 100)).toBe("0.000");
    expect(steady(-0.5)).toBe("−0.500");
  });
});

describe("ticks", () => {
  it("are round and inside", () => {
    expect(ticks(0, 6, 5)).toEqual([0, 2, 4, 6]);
    expect(ticks(-0.31, 0.29, 4)).toEqual([-0.2, 0, 0.2]);
    for (const value of ticks(1.23e-5, 9.87e-5, 4)) expect(value).toBeGreaterThanOrEqual(1.23e-5);
  });
  it("do not fail on an empty range", () => {
    expect(ticks(3, 3, 4)).toEqual([3]);
  });
  it("of a small range are told apart", () => {
    expect(ticks(1.49999, 1.50003, 3).map(tickLabel)).toEqual(["1.5", "1.50002"]);
    expect(ticks(119000, 131000, 3).map(tickLabel)).toEqual(["1.2e5", "1.25e5", "1.3e5"]);
    expect(ticks(-4e-4, 4e-4, 4).map(tickLabel)).toEqual(["−4e−4", "−2e−4", "0", "2e−4", "4e−4"]);
    for (const span of [1e-1, 1e-3, 1e-6, 1e-9]) {
      const said = ticks(9.81, 9.81 * (1 + span), 4).map(tickLabel);
      expect(said.length).toBeGreaterThan(1);
      expect(new Set(said).size).toBe(said.length);
    }
  });
});

describe("the stage", () => {
  it("has round grid cells", () => {
    expect([0.07, 0.13, 0.34, 3.2, 8].map(niceLength)).toEqual([0.05, 0.1, 0.5, 5, 10]);
  });
  it("stands upright against gravity", () => {
    expect(upAxis([0, -9.81, 0])).toEqual(new Vector3(0, 1, 0));
    expect(upAxis([0, 0, 9.81])).toEqual(new Vector3(0, 0, -1));
    expect(upAxis([0, 0, 0])).toEqual(new Vector3(0, 0, 1));
  });
});

describe("languages", () => {
  it("say the same in two languages", () => {
    setLanguage("zh");
    expect(say("bodies")).toBe("物体");
    expect(sayKind("revolute")).toBe("转动铰");
    expect(keyboard()[0][1]).toBe("播放 / 暂停");
    setLanguage("en");
    expect(say("thinned", { shown: 5, all: 9 })).toBe("shown at 5 of 9 outputs");
    expect(sayKind("spring_damper")).toBe("spring damper");
  });
});

describe("names beside points", () => {
  const taken: { x: number; y: number; width: number }[] = [];
  it("never cover each other, and stay in the picture", () => {
    for (let k = 0; k < 40; k++) {
      const box = freePlace(100 + (k % 3), 100, 50, taken, 300);
      if (box) taken.push(box);
    }
    expect(taken.length).toBe(14); // two at each of seven lines; the others have no room
    for (const a of taken) {
      expect(a.x).toBeGreaterThanOrEqual(0);
      for (const b of taken) if (a !== b) expect(Math.abs(a.y - b.y) >= 13 || a.x >= b.x + b.width || b.x >= a.x + a.width).toBe(true);
    }
    expect(freePlace(290, 10, 50, [], 300)!.x).toBeLessThan(250);
  });
});
