/** Right, below: the topology diagram; solid tree joints, dashed cut joints, one colour for each loop. */
import type { App } from "../app";
import { clear, h } from "./dom";
import { say, sayKind } from "./text";

export class Diagram {
  readonly element = h("div", { class: "diagram" });
  private width = 0;
  private height = 0;
  private svg: SVGSVGElement | null = null;
  whole = true;

  constructor(private readonly app: App) {
    clear(this.element);
    const text = app.run.model.topology.svg;
    if (!text) {
      this.element.append(h("div", { class: "group" }, say("noDiagram")));
      return;
    }
    // the drawing is made by duoti.topology, which escapes all names
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    for (const part of parsed.querySelectorAll("style, rect:not([class])")) part.remove();
    this.svg = document.importNode(parsed, true) as unknown as SVGSVGElement;
    this.width = Number(this.svg.getAttribute("width"));
    this.height = Number(this.svg.getAttribute("height"));
    this.element.append(this.svg);
    this.svg.addEventListener("click", (event) => {
      const hit = (event.target as Element).closest("[data-body],[data-joint]");
      if (!hit) return;
      const body = hit.getAttribute("data-body");
      app.select(body !== null ? { kind: "body", name: body } : { kind: "joint", name: hit.getAttribute("data-joint")! });
    });
    app.on("select", () => this.mark());
    for (const text of this.svg.querySelectorAll("text.k")) text.setAttribute("data-kind", text.textContent ?? "");
    const translate = () => {
      for (const text of this.svg!.querySelectorAll("text.k")) text.textContent = sayKind(text.getAttribute("data-kind")!);
    };
    translate();
    app.on("language", translate);
    new ResizeObserver(() => this.fit()).observe(this.element);
  }

  /** The whole diagram in sight, as long as it stays legible. */
  fit(): void {
    if (!this.svg) return;
    const room = Math.min((this.element.clientWidth - 12) / this.width, (this.element.clientHeight - 12) / this.height);
    const scale = this.whole ? Math.min(1.15, Math.max(0.62, room)) : 1;
    this.svg.setAttribute("width", String(this.width * scale));
    this.svg.setAttribute("height", String(this.height * scale));
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
    if (!first) return;
    const box = first.getBoundingClientRect();
    const frame = this.element.getBoundingClientRect();
    if (box.left < frame.left || box.right > frame.right) this.element.scrollLeft += box.left - frame.left - frame.width / 2;
    if (box.top < frame.top || box.bottom > frame.bottom) this.element.scrollTop += box.top - frame.top - frame.height / 2;
  }
}
