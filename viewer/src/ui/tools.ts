/** Tools on the scene: how bodies are seen, distances, a picture of what is shown. */
import type { App } from "../app";
import { sectionAt, type Section } from "../scene/look";
import { Color } from "three";
import { heat } from "../scene/flexible";
import { clear, h, short, steady } from "./dom";
import { say, sayIfKnown, type Word } from "./text";

/** Opacity of the bodies, and a plane that cuts them open. */
export function lookPanel(app: App): HTMLElement {
  const box = h("div", { class: "look" });
  const build = () => {
    clear(box);
    const { look } = app;
    const range = (id: string, value: number, low: number, act: (value: number) => void) => {
      const input = h("input", { type: "range", id, min: low, max: 1, step: 0.01, value, "aria-label": say(id as Word), oninput: () => act(Number(input.value)) });
      return input;
    };
    const where = h("span", { class: "number" });
    const tell = () => (where.textContent = look.section ? `${"xyz"[look.section.axis]} = ${short(sectionAt(look.section, app.stage.box), 3)} m` : "");
    const choice = h("select", { id: "section", "aria-label": say("section"), onchange: () => {
      const axis = "xyz".indexOf(choice.value);
      look.section = axis < 0 ? null : { axis: axis as Section["axis"], part: look.section?.part ?? 0.5, flip: look.section?.flip ?? false };
      app.applyLook();
      build();
    } }, h("option", { value: "" }, say("none")), ...["x", "y", "z"].map((axis) => h("option", { value: axis }, axis)));
    choice.value = look.section ? "xyz"[look.section.axis] : "";
    box.append(
      h("span", {}, say("opacity")), range("opacity", look.opacity, 0.1, (value) => {
        look.opacity = value;
        app.applyLook();
      }), h("span"),
      h("span", {}, say("section")), choice, where,
    );
    const flexible = app.mechanisms[0].flexibles;
    if (flexible.length) {
      const { bending } = look;
      const pick = (id: Word, values: [string, string][], now: string, act: (value: string) => void) => {
        const select = h("select", { id, "aria-label": say(id), onchange: () => {
          act(select.value);
          app.applyLook();
          build();
        } }, ...values.map(([value, text]) => h("option", { value }, text)));
        select.value = now;
        return [h("span", {}, say(id)), select];
      };
      const scales = ["1", "2", "5", "10", "20", "50", "100", "200", "500", "1000"];
      const modes = Math.max(...flexible.map(({ shape }) => shape.count));
      const most = bending.colour === "body" || bending.mode >= 0 ? "" : flexible.map(({ name, shape }) => short(app.mechanisms[0].largestBent(name, shape, bending.colour as "stress") / (bending.colour === "stress" ? 1e6 : 1), 4)).join(", ");
      const colours: [string, string][] = [["body", say("ofTheBody")], ["displacement", say("displacement")]];
      if (flexible.some(({ shape }) => shape.stressed)) colours.push(["stress", say("stress")]);
      box.append(
        ...pick("deformation", scales.map((each) => [each, `× ${each}`]), String(bending.scale), (value) => (bending.scale = Number(value))), h("span"),
        ...pick("colourBy", colours, bending.colour, (value) => (bending.colour = value as typeof bending.colour)),
        h("span"),
        ...(most ? [h("span"), h("span", { class: "number", id: "bent-most" }, `≤ ${most} ${bending.colour === "stress" ? "MPa" : "m"}`), h("span")] : []),
        ...pick("shape", [["-1", say("motion")], ...Array.from({ length: modes }, (_, k): [string, string] => [String(k), `${say("mode")} ${k}`])], String(bending.mode), (value) => (bending.mode = Number(value))), h("span"),
      );
    }
    const known = [...new Set(app.run.along.map((head) => head.what))];
    if (known.length) {
      const select = h("select", { id: "along", "aria-label": say("beamColour"), onchange: () => {
        look.along = select.value;
        app.applyLook();
        app.tell("look");
      } }, h("option", { value: "" }, say("ofTheBody")), ...known.map((what) => h("option", { value: what }, sayIfKnown(what))));
      select.value = look.along;
      box.append(h("span", {}, say("beamColour")), select, h("span"));
    }
    if (look.section) {
      const flip = h("button", { id: "section-flip", onclick: () => {
        look.section!.flip = !look.section!.flip;
        app.applyLook();
      } }, say("flip"));
      box.append(h("span"), range("sectionAt", look.section.part, 0, (value) => {
        look.section!.part = value;
        app.applyLook();
        tell();
      }), flip);
    }
    tell();
  };
  build();
  app.on("language", build);
  return box;
}

const TICKS = 5;

/** What the colours of beams mean: a title, colours from the least value up, numbers from the largest down. */
export function scaleOf({ look, run }: App): { title: string; stops: string[]; ticks: string[] } | null {
  const range = look.along ? run.alongRange(look.along) : null;
  if (!range) return null;
  const unit = range.unit === "Pa" ? 1e6 : 1;
  const out = new Color();
  const largest = Math.max(Math.abs(range.low), Math.abs(range.high)) / unit;
  return {
    title: `${sayIfKnown(look.along)} [${unit > 1 ? "MPa" : range.unit}]`,
    stops: Array.from({ length: 9 }, (_, k) => heat(k / 8, out).getStyle()),
    ticks: Array.from({ length: TICKS }, (_, k) => steady((range.low + ((range.high - range.low) * (TICKS - 1 - k)) / (TICKS - 1)) / unit, largest)),
  };
}

/** The same, beside the scene. */
export class Scale {
  readonly element = h("div", { class: "colours", hidden: true });

  constructor(private readonly app: App) {
    this.build();
    app.on("look", () => this.build());
    app.on("language", () => this.build());
  }

  private build(): void {
    clear(this.element);
    const found = scaleOf(this.app);
    this.element.hidden = !found;
    if (!found) return;
    this.element.append(
      h("div", { class: "what" }, found.title),
      h("div", { class: "ramp" },
        h("div", { class: "bar", style: `background:linear-gradient(to top,${found.stops.join(",")})` }),
        h("div", { class: "ticks" }, ...found.ticks.map((text) => h("span", {}, text)))),
    );
  }
}

/** The distance beside its line. */
export class Distance {
  readonly element = h("div", { class: "distance", hidden: true });

  constructor(private readonly app: App) {}

  place(): void {
    const { measure, stage } = this.app;
    const { way, points } = measure;
    this.element.hidden = !measure.on && !way;
    if (this.element.hidden) return;
    const steps = way && ["x", "y", "z"].map((axis, k) => `Δ${axis} ${short(way.getComponent(k), 4)}`.replace("-", "−")).join("  ");
    const text = way ? `${short(way.length(), 5)} m  (${steps})` : say(points.length ? "secondPoint" : "firstPoint");
    if (this.element.textContent !== text) this.element.textContent = text;
    const middle = way && stage.project(points[0].clone().add(points[1]).divideScalar(2));
    this.element.classList.toggle("fixed", !middle?.visible);
    this.element.style.transform = middle?.visible ? `translate(${(middle.x + 10).toFixed(1)}px, ${(middle.y + 8).toFixed(1)}px)` : "";
  }
}

/** What the scene shows, as a PNG. */
export async function picture(app: App): Promise<Blob> {
  const done = new Promise<Blob | null>((resolve) => {
    app.draw(); // the canvas keeps its picture until the browser has shown it: read it before
    app.stage.canvas.toBlob(resolve, "image/png");
  });
  const blob = await done;
  if (!blob) throw new Error("the browser gives no picture of the scene");
  return blob;
}

export async function savePicture(app: App): Promise<void> {
  const address = URL.createObjectURL(await picture(app));
  const name = app.run.model.name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "_") || "duoti";
  const time = app.document.mode === "model" ? "" : `_${short(app.t, 6)}s`;
  h("a", { href: address, download: `${name}${time}.png` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
