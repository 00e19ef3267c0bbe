/** Sliders for the joint coordinates of a model; closed loops stay assembled. */
import type { App } from "../app";
import { isInner, LOOSE, type Joint } from "../document";
import { treePoses } from "../kinematics";
import { clear, h, steady } from "./dom";
import { say } from "./text";

interface Slider {
  joint: string;
  at: number;
  input: HTMLInputElement;
  number: HTMLElement;
}

export class SliderPanel {
  readonly element = h("div", { class: "scroll grow" });
  readonly reset: HTMLButtonElement;
  private sliders: Slider[] = [];
  private readonly first: Record<string, number[]>;
  q: Record<string, number[]>;
  private asking = false;
  private wanted: { joint: string; at: number; value: number } | null = null;
  /** Loops and constraints are assembled by the process that served the page. */
  private readonly isTree: boolean;
  /** Joints of which the page does not know how they move; that process does. */
  private readonly unknown: string[];
  /** True if the page itself computes where the bodies are. */
  private readonly here: boolean;

  constructor(
    private readonly app: App,
    private readonly notify: (text: string) => void,
  ) {
    const { model } = app.run;
    this.q = structuredClone(app.document.posture!.q);
    this.first = structuredClone(this.q);
    this.isTree = !model.topology.cut.length && !model.constraints.length && model.topology.tree.every((row) => !row.virtual);
    this.unknown = model.joints.filter((joint) => joint.loop === null && !joint.motions).map((joint) => joint.name);
    this.here = this.isTree && !(this.unknown.length && app.document.served);
    this.reset = h("button", { id: "reset", onclick: () => this.restore() }, say("reset"));
    this.build();
    app.on("language", () => this.build());
  }

  private build(): void {
    clear(this.element);
    this.sliders = [];
    this.reset.textContent = say("reset");
    const { served } = this.app.document;
    const grid = h("div", { class: "sliders" });
    if (!served && !this.isTree) grid.append(h("div", { class: "wide" }, say("needsServer")));
    else if (!served && this.unknown.length) grid.append(h("div", { class: "wide" }, say("ownLaw", { joints: this.unknown.join(", ") })));
    const reach = 0.5 * this.app.stage.size;
    for (const joint of this.app.run.model.joints) {
      if (joint.loop !== null) continue; // its coordinates follow from the others
      if (LOOSE.includes(joint.kind) && isInner(this.app.run.model.bodies[joint.child])) continue; // nodes along beams
      const usable = served || (this.isTree && joint.motions !== null);
      let at = 0;
      let rate = 0;
      for (const part of joint.parts) {
        for (const c of part.coordinates) {
          if (!c.quaternion) {
            for (let k = 0; k < c.nq; k++) {
              const range = this.range(joint, rate + k, c.unit === "rad" ? Math.PI : reach, this.first[joint.name][at + k]);
              this.add(grid, joint.name, at + k, c.unit, this.count(joint) > 1 ? `${joint.name}.${joint.labels[at + k]}` : joint.name, range, usable);
            }
          }
          at += c.nq;
          rate += c.nv;
        }
      }
    }
    this.element.append(grid);
    this.refresh();
  }

  private count(joint: Joint): number {
    return joint.parts.reduce((sum, part) => sum + part.coordinates.reduce((n, c) => n + c.nq, 0), 0);
  }

  private range(joint: Joint, rate: number, reach: number, now: number): [number, number] {
    const limits = joint.limits?.[rate];
    return limits ? [Math.min(limits[0], now), Math.max(limits[1], now)] : [now - reach, now + reach];
  }

  private add(grid: HTMLElement, joint: string, at: number, unit: string, label: string, range: [number, number], usable: boolean): void {
    const number = h("span", { class: "number" });
    const input = h("input", {
      type: "range", min: range[0], max: range[1], step: (range[1] - range[0]) / 1000, disabled: !usable,
      "data-joint": joint, "data-at": at, "aria-label": label,
      oninput: () => this.moved(joint, at, Number(input.value)),
    });
    this.sliders.push({ joint, at, input, number });
    const name = h("span", { class: "name", title: label, onclick: () => this.app.select({ kind: "joint", name: joint }) }, label);
    grid.append(name, input, number, h("span", { class: "unit" }, unit));
  }

  private refresh(): void {
    for (const { joint, at, input, number } of this.sliders) {
      const value = this.q[joint][at];
      if (document.activeElement !== input || !input.matches(":active")) input.value = String(value);
      number.textContent = steady(value);
    }
  }

  private moved(joint: string, at: number, value: number): void {
    if (this.here) {
      this.q[joint][at] = value;
      this.placeHere();
      return;
    }
    this.wanted = { joint, at, value };
    void this.ask();
  }

  /** One question at a time; what was wanted meanwhile is asked next. */
  private async ask(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    try {
      while (this.wanted) {
        const wanted = this.wanted;
        this.wanted = null;
        const answer = await fetch("pose", { method: "POST", body: JSON.stringify({ ...wanted, q: this.q }) });
        if (!answer.ok) throw new Error(String(answer.status));
        const said = (await answer.json()) as { q: Record<string, number[]>; poses: number[][]; closed: boolean };
        this.notify(said.closed ? "" : say("notAssembled"));
        this.q = said.q;
        this.place(said.poses);
      }
    } catch {
      this.notify(say("closed"));
    } finally {
      this.asking = false;
    }
  }

  private placeHere(): void {
    this.place(treePoses(this.app.run.model, this.q, this.app.document.posture!.across));
  }

  /** A model view is a run of one instant: its poses are those of the sliders. */
  private place(poses: number[][]): void {
    const run = this.app.run;
    for (let body = 1; body < poses.length; body++) run.poses.set(poses[body], 7 * (body - 1));
    this.refresh();
    this.app.tell("data");
  }

  private restore(): void {
    this.q = structuredClone(this.first);
    this.notify("");
    if (this.here) this.placeHere();
    else {
      const { joint, at } = this.sliders[0] ?? {};
      if (joint !== undefined) this.moved(joint, at, this.first[joint][at]);
    }
  }
}
