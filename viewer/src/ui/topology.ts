/** Right, below: the topology diagram; solid tree joints, dashed cut joints, one colour for each loop. */
import type { App } from "../app";
import { clear, h, icon, ICONS } from "./dom";
import { currentLanguage, say, sayKind, type Word } from "./text";

const LEAST_SCALE = 0.75; // names of 9 pixels; smaller ones cannot be read
const MOST_SCALE = 1.3;
const ROOM_FOR_LEGEND = 330; // pixels
const MOST_OF_LOOP = 30; // joints that are named
const CLICK = 4; // pixels that the pointer may move during a click

export class Diagram {
  readonly element = h("div", { class: "diagram" });
  private size = [0, 0];
  private svg: SVGSVGElement | null = null;
  private english: string[] | null = null;
  readonly buttons: HTMLElement[];
  /** By how much more than to fit; the user's choice. */
  private zoom = 1;

  constructor(
    private readonly app: App,
    private readonly enlarge: (on?: boolean) => void,
  ) {
    this.buttons = this.tools();
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
    this.size = [Number(this.svg.getAttribute("width")), Number(this.svg.getAttribute("height"))];
    this.element.append(this.svg);
    this.shift();
    this.svg.addEventListener("click", (event) => {
      if (this.shifted) return;
      const hit = (event.target as Element).closest("[data-body],[data-joint]");
      if (!hit) return;
      const body = hit.getAttribute("data-body");
      app.select(body !== null ? { kind: "body", name: body } : { kind: "joint", name: hit.getAttribute("data-joint")! });
    });
    app.on("select", () => this.mark());
    for (const text of this.svg.querySelectorAll("text.k")) text.setAttribute("data-kind", text.textContent ?? "");
    const translate = () => {
      for (const text of this.svg!.querySelectorAll("text.k")) text.textContent = sayKind(text.getAttribute("data-kind")!);
      this.translate();
    };
    translate();
    app.on("language", translate);
    new ResizeObserver(() => this.fit()).observe(this.element);
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

  private tools(): HTMLElement[] {
    const button = (word: Word, path: string, act: () => void, id: string) => {
      const element = h("button", { class: "icon", id, onclick: act }, icon(path));
      const name = () => {
        element.title = say(word);
        element.setAttribute("aria-label", say(word));
      };
      name();
      this.app.on("language", name);
      return element;
    };
    const zoom = (factor: number) => {
      this.zoom = factor ? Math.min(6, Math.max(0.25, this.zoom * factor)) : 1;
      this.fit();
    };
    return [
      button("smaller", ICONS.minus, () => zoom(1 / 1.25), "diagram-smaller"),
      button("larger", ICONS.plus, () => zoom(1.25), "diagram-larger"),
      button("fit", ICONS.target, () => zoom(0), "diagram-fit"),
      button("enlarge", ICONS.enlarge, () => this.enlarge(), "diagram-enlarge"),
    ];
  }

  private shifted = false;

  /** Drag to shift what does not fit. */
  private shift(): void {
    const box = this.element;
    box.addEventListener("pointerdown", (down) => {
      if (down.button !== 0 || down.pointerType === "touch") return; // fingers scroll by themselves
      this.shifted = false;
      const from = [box.scrollLeft, box.scrollTop];
      const go = (event: PointerEvent) => {
        const way = [event.clientX - down.clientX, event.clientY - down.clientY];
        if (Math.hypot(way[0], way[1]) > CLICK) this.shifted = true;
        box.scrollLeft = from[0] - way[0];
        box.scrollTop = from[1] - way[1];
      };
      const end = () => {
        window.removeEventListener("pointermove", go);
        window.removeEventListener("pointerup", end);
      };
      window.addEventListener("pointermove", go);
      window.addEventListener("pointerup", end);
    });
  }

  /** The whole diagram in sight, as long as it stays legible. */
  fit(): void {
    if (!this.svg) return;
    // the list of loops below the drawing is long: only where there is room for it
    const legend = this.svg.querySelector(".legend");
    const wide = this.element.clientHeight > ROOM_FOR_LEGEND || !legend;
    const [width, height] = wide ? this.size : [Number(legend.getAttribute("data-right")), Number(legend.getAttribute("data-top"))];
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const room = Math.min((this.element.clientWidth - 12) / width, (this.element.clientHeight - 12) / height);
    const scale = this.zoom * Math.min(MOST_SCALE, Math.max(LEAST_SCALE, room));
    this.svg.setAttribute("width", String(width * scale));
    this.svg.setAttribute("height", String(height * scale));
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
