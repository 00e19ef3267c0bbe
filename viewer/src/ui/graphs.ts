/** The drawing of a bond graph: bonds as thick as the power that goes through them now. */
import type { App } from "../app";
import type { Graph, Model } from "../document";
import type { Channel } from "../run";
import { h } from "./dom";
import { Sheet } from "./sheet";
import { say } from "./text";

const THIN = 1.2; // pixels: of a bond without power
const THICK = 5;

/** Name of an element or bond of a graph, as results have it. */
export function itemName(graph: string, part: string): string {
  return graph ? `${graph}.${part}` : part;
}

export class GraphView extends Sheet {
  protected override readonly leastScale: number = 0.4;
  override readonly height: string = "min(430px, 50vh)";
  private readonly box: number[] = [0, 0, 1, 1];
  private readonly bonds: { line: SVGPathElement; channel: Channel }[] = [];

  constructor(
    app: App,
    readonly graph: Graph,
  ) {
    super(app);
    this.element.classList.add("paper");
    if (!graph.svg) {
      this.element.append(h("div", { class: "group" }, say("noDiagram")));
      return;
    }
    const svg = this.put(graph.svg, "rect, title");
    this.box = (svg.getAttribute("viewBox") ?? "0 0 1 1").split(" ").map(Number);
    svg.addEventListener("click", (event) => {
      const hit = !this.shifted && (event.target as Element).closest("[data-element]");
      if (hit) app.select({ kind: "graph", name: itemName(graph.name, hit.getAttribute("data-element")!) });
    });
    for (const part of svg.querySelectorAll("[data-bond]")) {
      const channel = this.powerOf(part.getAttribute("data-bond")!);
      if (channel) this.bonds.push({ line: part.querySelector("path")!, channel });
    }
    app.on("select", () => this.mark());
    app.on("time", () => this.flow());
    this.flow();
  }

  /** Its own power, or that of an element with one bond that has the bond's name. */
  private powerOf(bond: string): Channel | undefined {
    const channel = this.app.run.find("graph", itemName(this.graph.name, bond), "power");
    return channel?.size === 1 ? channel : undefined;
  }

  protected override extent(): { x: number; y: number; width: number; height: number } {
    const [x, y, width, height] = this.box;
    return { x, y, width, height };
  }

  /** The power of every bond now. */
  private flow(): void {
    const run = this.app.run;
    const most = Math.max(run.scaleOf("W"), 1e-300);
    for (const { line, channel } of this.bonds) {
      const power = Math.abs(run.at(channel, this.app.t)[0] ?? 0) / most;
      line.style.strokeWidth = String(THIN + (THICK - THIN) * Math.sqrt(Math.min(power, 1)));
    }
  }

  private mark(): void {
    const chosen = this.app.chosen;
    for (const part of this.svg?.querySelectorAll("[data-element]") ?? []) {
      const on = chosen?.kind === "graph" && itemName(this.graph.name, part.getAttribute("data-element")!) === chosen.name;
      part.classList.toggle("on", on);
      if (on) this.reveal(part);
    }
  }
}

/** A graph by itself, in place of a scene in which nothing is. */
export class WholeGraph extends GraphView {
  override readonly height: string = "auto";
}

/** True if a model is nothing but a graph: the program gave it a body to hold on to. */
export function isGraphAlone({ graphs }: Model): boolean {
  return graphs.length === 1 && graphs[0].name === "";
}

/** The drawings of a panel, one of them in sight. */
export class Sheets {
  readonly element = h("div", { class: "sheets" });
  private active = 0;
  private readonly tabs: HTMLElement[] = [];

  constructor(
    app: App,
    private readonly sheets: Sheet[],
    names: () => string[],
  ) {
    const bar = h("div", { class: "tabs", role: "tablist" });
    sheets.forEach((_, k) => {
      const tab = h("button", { role: "tab", id: `sheet-${k}`, onclick: () => this.show(k) });
      this.tabs.push(tab);
      bar.append(tab);
    });
    if (sheets.length > 1) this.element.append(bar);
    this.element.append(...sheets.map((sheet) => sheet.element));
    const label = () => names().forEach((name, k) => (this.tabs[k].textContent = name));
    label();
    app.on("language", label);
    this.show(0);
  }

  get now(): Sheet {
    return this.sheets[this.active];
  }

  show(number: number): void {
    this.active = number;
    this.sheets.forEach((sheet, k) => (sheet.element.hidden = k !== number));
    this.tabs.forEach((tab, k) => {
      tab.classList.toggle("on", k === number);
      tab.setAttribute("aria-selected", String(k === number));
    });
    const section = this.element.parentElement;
    if (section) section.style.height = this.now.height;
    this.now.fit();
  }
}
