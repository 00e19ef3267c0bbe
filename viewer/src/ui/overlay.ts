/** Over the scene: names, the little cross of axes, the tip under the pointer, picking. */
import { Raycaster, Vector2, Vector3 } from "three";
import type { App } from "../app";
import type { Chosen } from "../scene/mechanism";
import { h } from "./dom";
import { say } from "./text";

const LETTER = 6.5; // width of a letter of a name, in pixels, and ...
const LINE = 13; // ... height of a line
const CLICK = 5; // pixels that the pointer may move during a click
const AXIS_COLOURS = ["#d1495b", "#3f9b5f", "#3b73c4"];

/** What is drawn at a point of the canvas, the nearest first. */
export function pick(app: App, x: number, y: number): Chosen | null {
  const caster = new Raycaster();
  const point = new Vector2((x / app.stage.width) * 2 - 1, 1 - (y / app.stage.height) * 2);
  caster.setFromCamera(point, app.stage.camera);
  caster.params.Points.threshold = 0.01 * app.stage.size;
  const hits = caster.intersectObjects(app.mechanisms[0].targets, true);
  for (const hit of hits) {
    if (!isShown(hit.object)) continue;
    const chosen = hit.object.userData.chosen as Chosen | undefined;
    if (chosen && chosen.kind !== "marker") return chosen;
  }
  return null;
}

function isShown(object: { visible: boolean; parent: unknown } | null): boolean {
  for (let o = object; o; o = o.parent as typeof object) if (!o.visible) return false;
  return true;
}

export function picking(app: App, canvas: HTMLCanvasElement, tip: HTMLElement): void {
  let down: { x: number; y: number } | null = null;
  const at = (event: PointerEvent) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  canvas.addEventListener("pointerdown", (event) => (down = at(event)));
  canvas.addEventListener("pointerup", (event) => {
    const up = at(event);
    if (down && Math.hypot(up.x - down.x, up.y - down.y) < CLICK) app.select(pick(app, up.x, up.y));
    down = null;
  });
  canvas.addEventListener("dblclick", () => {
    if (app.chosen) app.follow(app.chosen);
  });
  let waiting = false;
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons || waiting || app.playing) {
      tip.hidden = true;
      return;
    }
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      const here = at(event);
      const chosen = pick(app, here.x, here.y);
      tip.hidden = !chosen;
      if (!chosen) return;
      tip.textContent = chosen.name;
      tip.style.left = `${here.x + 12}px`;
      tip.style.top = `${here.y + 10}px`;
    });
  });
  canvas.addEventListener("pointerleave", () => (tip.hidden = true));
}

/** Names beside bodies and joints. */
export class Names {
  readonly element = h("div");
  private readonly labels: { chosen: Chosen; element: HTMLElement }[] = [];

  constructor(private readonly app: App) {
    const model = app.run.model;
    const add = (chosen: Chosen) => {
      const element = h("div", { class: `label ${chosen.kind}` }, chosen.name);
      this.labels.push({ chosen, element });
      this.element.append(element);
    };
    for (const body of model.bodies.slice(1)) add({ kind: "body", name: body.name });
    for (const joint of model.joints) if (joint.kind !== "free") add({ kind: "joint", name: joint.name });
    for (const marker of model.markers) add({ kind: "marker", name: marker.name });
  }

  place(): void {
    this.element.hidden = !this.app.names;
    if (!this.app.names) return;
    const taken: { x: number; y: number; width: number }[] = [];
    for (const { chosen, element } of this.labels) {
      const where = this.app.mechanisms[0].whereIs(chosen);
      const p = where && this.app.stage.project(where);
      element.hidden = !p?.visible;
      if (!p?.visible) continue;
      const label = { x: p.x + 7, y: p.y - (chosen.kind === "joint" ? 18 : 7), width: LETTER * chosen.name.length };
      const covers = (other: typeof label) =>
        Math.abs(other.y - label.y) < LINE && label.x < other.x + other.width && other.x < label.x + label.width;
      for (let tries = 0; tries < 6 && taken.some(covers); tries++) label.y += LINE;
      taken.push(label);
      element.style.transform = `translate(${label.x.toFixed(1)}px, ${label.y.toFixed(1)}px)`;
    }
  }
}

/** The directions of x, y and z in a corner. */
export class Triad {
  readonly element: SVGSVGElement;
  private readonly lines: SVGLineElement[] = [];
  private readonly letters: SVGTextElement[] = [];

  constructor(private readonly app: App) {
    const make = <K extends keyof SVGElementTagNameMap>(tag: K) => document.createElementNS("http://www.w3.org/2000/svg", tag);
    this.element = make("svg");
    this.element.setAttribute("class", "triad");
    this.element.setAttribute("viewBox", "-31 -31 62 62");
    AXIS_COLOURS.forEach((colour, k) => {
      const line = make("line");
      line.setAttribute("stroke", colour);
      line.setAttribute("stroke-width", "2");
      line.setAttribute("stroke-linecap", "round");
      const letter = make("text");
      letter.textContent = "xyz"[k];
      letter.setAttribute("fill", colour);
      letter.setAttribute("text-anchor", "middle");
      letter.setAttribute("dominant-baseline", "central");
      this.lines.push(line);
      this.letters.push(letter);
      this.element.append(line, letter);
    });
  }

  place(): void {
    const turn = this.app.stage.camera.quaternion.clone().invert();
    for (let k = 0; k < 3; k++) {
      const v = new Vector3().setComponent(k, 1).applyQuaternion(turn);
      this.lines[k].setAttribute("x2", (17 * v.x).toFixed(2));
      this.lines[k].setAttribute("y2", (-17 * v.y).toFixed(2));
      this.letters[k].setAttribute("x", (25 * v.x).toFixed(2));
      this.letters[k].setAttribute("y", (-25 * v.y).toFixed(2));
    }
  }
}

/** A length in a unit that suits it. */
export function lengthText(metres: number): string {
  if (metres >= 1e4) return `${Number((metres / 1000).toPrecision(6))} km`;
  if (metres < 0.01) return `${Number((metres * 1000).toPrecision(6))} mm`;
  return `${metres} m`;
}

export function gridNote(app: App): HTMLElement {
  const element = h("div", { class: "scale" });
  const update = () => {
    element.hidden = !app.stage.floor.visible;
    element.textContent = `${say("gridCell")} ${lengthText(app.stage.cell)}`;
  };
  update();
  app.on("show", update);
  app.on("language", update);
  return element;
}
