/** Right, below: the topology diagram; solid tree joints, dashed cut joints, one colour for each loop. */
import type { App } from "../app";
import { h } from "./dom";
import { Sheet } from "./sheet";
import { currentLanguage, say, sayKind } from "./text";

const ROOM_FOR_LEGEND = 330; // pixels
const MOST_OF_LOOP = 30; // joints that are named

export class Diagram extends Sheet {
  private size = [0, 0];
  private english: string[] | null = null;

  constructor(app: App) {
    super(app);
    const text = app.run.model.topology.svg;
    if (!text) {
      this.element.append(h("div", { class: "group" }, say("noDiagram")));
      return;
    }
    const svg = this.put(text, "style, rect:not([class])");
    this.size = [Number(svg.getAttribute("width")), Number(svg.getAttribute("height"))];
    svg.addEventListener("click", (event) => {
      if (this.shifted) return;
      const hit = (event.target as Element).closest("[data-body],[data-joint]");
      if (!hit) return;
      const body = hit.getAttribute("data-body");
      app.select(body !== null ? { kind: "body", name: body } : { kind: "joint", name: hit.getAttribute("data-joint")! });
    });
    app.on("select", () => this.mark());
    for (const text of svg.querySelectorAll("text.k")) text.setAttribute("data-kind", text.textContent ?? "");
    const translate = () => {
      for (const text of svg.querySelectorAll("text.k")) text.textContent = sayKind(text.getAttribute("data-kind")!);
      this.translate();
    };
    translate();
    app.on("language", translate);
  }

  /** Words of the drawing that are neither names nor kinds: the ground, and what stands below. */
  private translate(): void {
    const model = this.app.run.model;
    const ground = this.svg!.querySelector(`text[data-body="${CSS.escape(model.bodies[0].name)}"]`)?.firstChild;
    if (ground) ground.textContent = currentLanguage() === "en" ? model.bodies[0].name : say("ground");
    const texts = [...this.svg!.querySelectorAll(".legend text")];
    this.english ??= texts.map((text) => text.textContent ?? "");
    if (currentLanguage() === "en") texts.forEach((text, k) => (text.textContent = this.english![k]));
    else {
      const { cut, loops } = model.topology;
      const kinds = new Map(model.joints.map((joint) => [joint.name, joint.kind]));
      const counts = { bodies: model.bodies.length - 1, joints: model.joints.length, loops: loops.length };
      const lines = [...new Set(texts.map((text) => text.getAttribute("y")))]; // each is written twice, below as a halo
      texts.forEach((text) => {
        const k = lines.indexOf(text.getAttribute("y"));
        const loop = loops[k - 1];
        if (k === 0) text.textContent = say("counts", counts);
        else if (loop && k <= cut.length) {
          const joints = loop.joints.slice(0, MOST_OF_LOOP).join(" · ") + (loop.joints.length > MOST_OF_LOOP ? " …" : "");
          text.textContent = say("loopText", { cut: loop.cut, kind: sayKind(kinds.get(loop.cut) ?? ""), joints });
        }
      });
    }
  }

  protected override extent(): { x: number; y: number; width: number; height: number } {
    // the list of loops below the drawing is long: only where there is room for it
    const legend = this.svg!.querySelector(".legend");
    const wide = this.element.clientHeight > ROOM_FOR_LEGEND || !legend;
    const [width, height] = wide ? this.size : [Number(legend.getAttribute("data-right")), Number(legend.getAttribute("data-top"))];
    return { x: 0, y: 0, width, height };
  }

  private mark(): void {
    const chosen = this.app.chosen;
    let first: Element | null = null;
    for (const part of this.svg?.querySelectorAll("[data-body],[data-joint]") ?? []) {
      const on =
        (chosen?.kind === "body" && part.getAttribute("data-body") === chosen.name) ||
        (chosen?.kind === "joint" && part.getAttribute("data-joint") === chosen.name);
      part.classList.toggle("on", on);
      if (on) first ??= part;
    }
    if (first) this.reveal(first);
  }
}
