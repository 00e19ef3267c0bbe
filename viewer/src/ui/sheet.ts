/** A drawing in a panel: zoomed, shifted by dragging, over the whole page. */
import type { App } from "../app";
import { h, icon, ICONS } from "./dom";
import { say, type Word } from "./text";

const MOST_SCALE = 1.3;
const CLICK = 4; // pixels that the pointer may move during a click

export class Sheet {
  readonly element = h("div", { class: "diagram" });
  protected svg: SVGSVGElement | null = null;
  /** True after the pointer has shifted the drawing: what follows is no click. */
  protected shifted = false;
  /** Smaller it cannot be read: names of 9 pixels. */
  protected readonly leastScale: number = 0.75;
  /** How high its panel is, as the style sheet says it. */
  readonly height: string = "min(212px, 27vh)";
  /** By how much more than to fit; the user's choice. */
  private scale = 1;

  constructor(protected readonly app: App) {}

  /** Put in a drawing that Python made, which escapes all names; without its `left out`. */
  protected put(text: string, leftOut: string): SVGSVGElement {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    if (leftOut) for (const part of parsed.querySelectorAll(leftOut)) part.remove();
    this.svg = document.importNode(parsed, true) as unknown as SVGSVGElement;
    this.element.append(this.svg);
    this.shift();
    new ResizeObserver(() => this.fit()).observe(this.element);
    return this.svg;
  }

  zoom(factor: number): void {
    this.scale = factor ? Math.min(6, Math.max(0.25, this.scale * factor)) : 1;
    this.fit();
  }

  /** Width and height of what is shown now, and where it begins. */
  protected extent(): { x: number; y: number; width: number; height: number } {
    return { x: 0, y: 0, width: 1, height: 1 };
  }

  /** The whole drawing in sight, as long as it stays legible. */
  fit(): void {
    if (!this.svg || !this.element.clientWidth) return;
    const { x, y, width, height } = this.extent();
    this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    const room = Math.min((this.element.clientWidth - 12) / width, (this.element.clientHeight - 12) / height);
    const scale = this.scale * Math.min(MOST_SCALE, Math.max(this.leastScale, room));
    this.svg.setAttribute("width", String(width * scale));
    this.svg.setAttribute("height", String(height * scale));
  }

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

  /** Bring a part of the drawing into sight. */
  protected reveal(part: Element): void {
    const box = part.getBoundingClientRect();
    const frame = this.element.getBoundingClientRect();
    if (box.left < frame.left || box.right > frame.right) this.element.scrollLeft += box.left - frame.left - frame.width / 2;
    if (box.top < frame.top || box.bottom > frame.bottom) this.element.scrollTop += box.top - frame.top - frame.height / 2;
  }
}

/** Buttons of a panel with drawings; `now` is the one in sight. */
export function sheetButtons(app: App, now: () => Sheet, enlarge: () => void): HTMLElement[] {
  const button = (word: Word, path: string, act: () => void, id: string) => {
    const element = h("button", { class: "icon", id, onclick: act }, icon(path));
    const name = () => {
      element.title = say(word);
      element.setAttribute("aria-label", say(word));
    };
    name();
    app.on("language", name);
    return element;
  };
  return [
    button("smaller", ICONS.minus, () => now().zoom(1 / 1.25), "diagram-smaller"),
    button("larger", ICONS.plus, () => now().zoom(1.25), "diagram-larger"),
    button("fit", ICONS.target, () => now().zoom(0), "diagram-fit"),
    button("enlarge", ICONS.enlarge, enlarge, "diagram-enlarge"),
  ];
}
