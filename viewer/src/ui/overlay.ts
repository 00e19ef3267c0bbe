/** Over the scene: names, the little cross of axes, the tip under the pointer, picking. */
import { Raycaster, Vector2, Vector3 } from "three";
import type { App } from "../app";
import type { Chosen } from "../scene/mechanism";
import { h } from "./dom";
import { say } from "./text";

const LINE = 14; // height of a line of a name, in pixels, and ...
const GAP = 4; // ... between two of them side by side
const CLICK = 5; // pixels that the pointer may move during a click
const AXIS_COLOURS = ["#d1495b", "#3f9b5f", "#3b73c4"];

/** What is drawn at a point of the canvas, the nearest first. */
export function pick(app: App, x: number, y: number): Chosen | null {
  return hitAt(app, x, y)?.chosen ?? null;
}

/** The same with the point that is hit, and the body on which it lies; of a joint, its own point. */
export function hitAt(app: App, x: number, y: number): { chosen: Chosen; body: number; point: Vector3 } | null {
  const caster = new Raycaster();
  const point = new Vector2((x / app.stage.width) * 2 - 1, 1 - (y / app.stage.height) * 2);
  caster.setFromCamera(point, app.stage.camera);
  caster.params.Points.threshold = 0.01 * app.stage.size;
  const hits = caster.intersectObjects(app.mechanisms[0].targets, true);
  const { plane } = app;
  const [mechanism] = app.mechanisms;
  for (const hit of hits) {
    if (!isShown(hit.object)) continue;
    const chosen = hit.object.userData.chosen as Chosen | undefined;
    if (!chosen || chosen.kind === "marker") continue;
    if (chosen.kind === "body" && plane && plane.distanceToPoint(hit.point) < 0) continue; // it is cut away
    const { bodies, joints } = app.run.model;
    const joint = chosen.kind === "joint" && joints.find((each) => each.name === chosen.name);
    if (joint) return { chosen, body: joint.child, point: mechanism.worldPoint(joint.child, joint.onChild) };
    return { chosen, body: Math.max(0, bodies.findIndex((each) => chosen.kind === "body" && each.name === chosen.name)), point: hit.point };
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
    if (down && Math.hypot(up.x - down.x, up.y - down.y) < CLICK) {
      const hit = hitAt(app, up.x, up.y);
      if (!app.measure.on) app.select(hit?.chosen ?? null);
      else if (hit) {
        app.measure.add(hit.body, hit.point);
        app.redraw();
      }
    }
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

interface Label {
  chosen: Chosen;
  element: HTMLElement;
  width: number;
}

interface Box {
  x: number;
  y: number;
  width: number;
}

/** Places for a name beside a point, the best first: on its right, on its left, then line by line below and above. */
const ROWS = [0, 1, -1, 2, -2, 3, -3];

/** The first place beside a point in which a name covers no other one; null if there is none. */
export function freePlace(x: number, y: number, width: number, taken: Box[], right: number): Box | null {
  for (const row of ROWS) {
    for (const left of [x + 7, x - 7 - width]) {
      const box = { x: left, y: y - LINE / 2 + row * LINE, width };
      if (left < 0 || left + width > right) continue;
      const covers = (other: Box) => Math.abs(other.y - box.y) < LINE && box.x < other.x + other.width + GAP && other.x < box.x + width + GAP;
      if (!taken.some(covers)) return box;
    }
  }
  return null;
}

/** Names beside bodies and joints; one that has no room is left out, and comes when it is chosen. */
export class Names {
  readonly element = h("div");
  private readonly labels: Label[] = [];

  constructor(private readonly app: App) {
    const model = app.run.model;
    const pen = document.createElement("canvas").getContext("2d")!;
    pen.font = "11px system-ui, sans-serif";
    const add = (chosen: Chosen) => {
      const element = h("div", { class: `label ${chosen.kind}` }, chosen.name);
      this.labels.push({ chosen, element, width: pen.measureText(chosen.name).width });
      this.element.append(element);
    };
    for (const body of model.bodies.slice(1)) add({ kind: "body", name: body.name });
    for (const joint of model.joints) if (joint.kind !== "free") add({ kind: "joint", name: joint.name });
    for (const marker of model.markers) add({ kind: "marker", name: marker.name });
  }

  place(): void {
    this.element.hidden = !this.app.names;
    if (!this.app.names) return;
    const { chosen: first } = this.app;
    const isFirst = ({ chosen }: Label) => chosen.kind === first?.kind && chosen.name === first.name;
    const taken: Box[] = [];
    for (const label of [...this.labels.filter(isFirst), ...this.labels.filter((each) => !isFirst(each))]) {
      const where = this.app.mechanisms[0].whereIs(label.chosen);
      const p = where && this.app.stage.project(where);
      const box = p?.visible ? freePlace(p.x, p.y - (label.chosen.kind === "joint" ? 10 : 0), label.width, taken, this.app.stage.width) : null;
      label.element.hidden = !box;
      if (!box) continue;
      taken.push(box);
      label.element.style.transform = `translate(${box.x.toFixed(1)}px, ${box.y.toFixed(1)}px)`;
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
