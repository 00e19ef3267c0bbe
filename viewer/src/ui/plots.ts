/** Plots of channels beside the scene, with the time of the scene as a cursor that can be dragged. */
import type { App } from "../app";
import type { ChannelHead } from "../document";
import { floats } from "../pack";
import { locate, type Run } from "../run";
import { LINES_DARK, LINES_LIGHT } from "../scene/palette";
import { clear, h, icon, ICONS, steady } from "./dom";
import { componentNames } from "./inspector";
import { say } from "./text";

interface Line {
  name: string;
  unit: string;
  runs: { run: Run; column: number }[];
}

/** Round numbers between two bounds, about `count` of them. */
export function ticks(low: number, high: number, count: number): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const raw = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((k) => k * power >= raw * 0.999)!;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.min(last - first + 1, 50) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** A tick in all digits it has: ticks are round, and those of a small range differ in the last digits only. */
export function tickLabel(value: number): string {
  const size = Math.abs(value);
  const text = size >= 1e5 || (size > 0 && size < 1e-3) ? value.toExponential().replace("e+", "e") : String(value);
  return text.replaceAll("-", "−");
}

/** Room for ticks and unit; more where ticks do not fit into it. */
const LEFT = 52;
const GAP = 6;
const UNIT = 16;
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 20;

class Plot {
  readonly element = h("div", { class: "plot" });
  private readonly canvas = h("canvas");
  private readonly legend = h("div", { class: "legend" });
  private readonly values: HTMLElement[] = [];
  private range: [number, number] = [0, 1];
  private left = LEFT;

  constructor(
    readonly app: App,
    readonly lines: Line[],
    private readonly drop: (plot: Plot) => void,
  ) {
    this.element.append(
      this.legend,
      this.canvas,
      h("button", { class: "drop", title: say("remove"), onclick: () => drop(this) }, icon(ICONS.close)),
    );
    const seek = (event: PointerEvent) => {
      const box = this.canvas.getBoundingClientRect();
      const part = (event.clientX - box.left - this.left) / (box.width - this.left - RIGHT);
      app.setPlaying(false);
      app.setTime(app.start + part * (app.end - app.start));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) seek(event);
    });
    this.buildLegend();
  }

  private buildLegend(): void {
    clear(this.legend);
    this.values.length = 0;
    const colours = this.app.dark ? LINES_DARK : LINES_LIGHT;
    this.lines.forEach((line, i) => {
      const value = h("span", { class: "value" });
      this.values.push(value);
      this.legend.append(
        h("span", { class: "entry", "data-line": line.name },
          h("span", { class: "swatch", style: `background:${colours[i % colours.length]}` }),
          line.name,
          value,
          this.lines.length > 1
            ? h("button", { title: say("remove"), onclick: () => {
                this.lines.splice(this.lines.indexOf(line), 1);
                this.buildLegend();
                this.draw();
              } }, icon(ICONS.close))
            : null,
        ),
      );
    });
  }

  get unit(): string {
    return this.lines[0]?.unit ?? "";
  }

  add(line: Line): void {
    if (this.lines.some((each) => each.name === line.name)) return;
    this.lines.push(line);
    this.buildLegend();
    this.draw();
  }

  retheme(): void {
    this.buildLegend();
    this.draw();
  }

  private setRange(): void {
    let low = Infinity;
    let high = -Infinity;
    for (const line of this.lines) {
      for (const { run, column } of line.runs) {
        if (!run.visible) continue;
        for (let n = 0; n < run.channelCount; n++) {
          const y = run.values[n * run.columns + column];
          if (y < low) low = y;
          if (y > high) high = y;
        }
      }
    }
    if (!(low <= high)) [low, high] = [0, 1];
    const scale = Math.max(Math.abs(low), Math.abs(high));
    if (high - low <= 1e-9 * scale || high === low) {
      const room = scale > 0 ? 0.1 * scale : 1;
      [low, high] = [low - room, high + room];
    }
    const room = 0.06 * (high - low);
    this.range = [low - room, high + room];
  }

  /** The picture without the cursor, kept as long as nothing in it changes. */
  private readonly base = document.createElement("canvas");
  private baseOf = "";

  draw(): void {
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    if (!width || !height) return;
    const ratio = window.devicePixelRatio || 1;
    const counts = this.app.runs.map((run) => (run.visible ? run.channelCount : -1));
    const now = JSON.stringify([width, height, ratio, this.app.dark, this.app.end, counts, this.lines.map((line) => line.name)]);
    if (now !== this.baseOf) {
      this.baseOf = now;
      this.drawBase(width, height, ratio);
      this.canvas.width = this.base.width;
      this.canvas.height = this.base.height;
    }
    const c = this.canvas.getContext("2d")!;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, this.canvas.width, this.canvas.height);
    c.drawImage(this.base, 0, 0);
    c.scale(ratio, ratio);
    this.drawCursor(c, width, height);
  }

  private scales(width: number, height: number): { x: (t: number) => number; y: (v: number) => number; inner: number; tall: number } {
    const [low, high] = this.range;
    const { start, end } = this.app;
    const span = end - start || 1;
    const inner = width - this.left - RIGHT;
    const tall = height - TOP - BOTTOM;
    const x = (t: number) => this.left + ((t - start) / span) * inner;
    const y = (v: number) => TOP + (1 - (v - low) / (high - low)) * tall;
    return { x, y, inner, tall };
  }

  private drawCursor(c: CanvasRenderingContext2D, width: number, height: number): void {
    const { x, y, tall } = this.scales(width, height);
    const colours = this.app.dark ? LINES_DARK : LINES_LIGHT;
    c.strokeStyle = this.app.theme.select;
    c.lineWidth = 1.4;
    c.beginPath();
    c.moveTo(x(this.app.t), TOP - 2);
    c.lineTo(x(this.app.t), TOP + tall);
    c.stroke();
    this.lines.forEach((line, i) => {
      const { run, column } = line.runs[0];
      const now = value(run, column, this.app.t);
      c.fillStyle = colours[i % colours.length];
      c.beginPath();
      c.arc(x(this.app.t), y(now), 2.8, 0, 2 * Math.PI);
      c.fill();
      if (this.values[i]) this.values[i].textContent = steady(now, run.scaleOf(line.unit));
    });
  }

  private drawBase(width: number, height: number, ratio: number): void {
    this.base.width = Math.round(width * ratio);
    this.base.height = Math.round(height * ratio);
    const c = this.base.getContext("2d")!;
    c.scale(ratio, ratio);
    const theme = this.app.theme;
    const colours = this.app.dark ? LINES_DARK : LINES_LIGHT;
    this.setRange();
    const [low, high] = this.range;
    const { start, end } = this.app;
    const span = end - start || 1;
    c.font = "11px system-ui, sans-serif";
    const most = (height - TOP - BOTTOM) / 30;
    const rough = ticks(low, high, most);
    const values = rough.length > 1 ? rough : ticks(low, high, 2 * most);
    const widest = Math.max(...values.map((value) => c.measureText(tickLabel(value)).width));
    this.left = widest > LEFT - GAP ? Math.ceil(widest) + GAP + UNIT : LEFT;
    this.canvas.dataset.left = String(this.left);
    const { x, y, inner, tall } = this.scales(width, height);
    c.fillStyle = theme.muted;
    c.strokeStyle = theme.grid;
    c.lineWidth = 1;
    c.textAlign = "right";
    c.textBaseline = "middle";
    for (const value of values) {
      c.globalAlpha = value === 0 ? 0.55 : 0.16;
      c.beginPath();
      c.moveTo(this.left, Math.round(y(value)) + 0.5);
      c.lineTo(width - RIGHT, Math.round(y(value)) + 0.5);
      c.stroke();
      c.globalAlpha = 1;
      c.fillText(tickLabel(value), this.left - GAP, y(value));
    }
    c.textBaseline = "top";
    for (const t of ticks(start, end, inner / 70)) {
      c.globalAlpha = 0.16;
      c.beginPath();
      c.moveTo(Math.round(x(t)) + 0.5, TOP);
      c.lineTo(Math.round(x(t)) + 0.5, TOP + tall);
      c.stroke();
      c.globalAlpha = 1;
      c.textAlign = t >= end - 0.02 * span ? "right" : "center";
      c.fillText(tickLabel(t), x(t), TOP + tall + 5);
    }
    c.save();
    c.translate(9, TOP + tall / 2);
    c.rotate(-Math.PI / 2);
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillText(this.unit === "1" ? "" : this.unit, 0, 0);
    c.restore();
    c.save();
    c.beginPath();
    c.rect(this.left, TOP - 2, inner, tall + 4);
    c.clip();
    c.lineJoin = "round";
    this.lines.forEach((line, i) => {
      line.runs.forEach(({ run, column }, k) => {
        if (!run.visible) return;
        c.strokeStyle = colours[i % colours.length];
        c.lineWidth = k ? 1.3 : 1.6;
        c.setLineDash(k ? [5 - (k % 3), 3] : []);
        c.globalAlpha = k ? 0.85 : 1;
        this.stroke(c, run, column, x, y, inner);
      });
    });
    c.setLineDash([]);
    c.globalAlpha = 1;
    c.restore();
  }

  /** A line; where there are more points than pixels, the smallest and largest of each pixel. */
  private stroke(c: CanvasRenderingContext2D, run: Run, column: number, x: (t: number) => number, y: (v: number) => number, inner: number): void {
    const count = run.channelCount;
    c.beginPath();
    if (count <= 3 * inner) {
      for (let n = 0; n < count; n++) c.lineTo(x(run.channelT[n]), y(run.values[n * run.columns + column]));
    } else {
      let n = 0;
      while (n < count) {
        const pixel = Math.floor(x(run.channelT[n]));
        let low = Infinity;
        let high = -Infinity;
        const enter = run.values[n * run.columns + column];
        let leave = enter;
        while (n < count && Math.floor(x(run.channelT[n])) === pixel) {
          leave = run.values[n * run.columns + column];
          low = Math.min(low, leave);
          high = Math.max(high, leave);
          n++;
        }
        for (const v of [enter, low, high, leave]) c.lineTo(pixel, y(v));
      }
    }
    c.stroke();
  }

  close(): void {
    this.drop(this);
  }
}

function value(run: Run, column: number, t: number): number {
  if (!run.channelCount) return NaN;
  const { index, part } = locate(run.channelT, run.channelCount, t);
  const a = run.values[index * run.columns + column];
  const b = run.values[Math.min(index + 1, run.channelCount - 1) * run.columns + column];
  return a + part * (b - a);
}

export class PlotPanel {
  readonly element = h("div", { class: "scroll grow" });
  private readonly list = h("div");
  private readonly choice = h("datalist", { id: "channels" });
  private readonly input: HTMLInputElement;
  readonly plots: Plot[] = [];

  constructor(
    private readonly app: App,
    private readonly notify: (text: string) => void,
  ) {
    this.input = h("input", {
      list: "channels", id: "channel", placeholder: say("addChannel"), "aria-label": say("addChannel"), autocomplete: "off",
      onchange: () => this.take(),
    });
    this.element.append(h("div", { class: "add" }, this.input, this.choice), this.list);
    this.fill();
    const redraw = () => this.draw();
    for (const event of ["time", "runs", "data"] as const) app.on(event, redraw);
    app.on("theme", () => this.plots.forEach((plot) => plot.retheme()));
    app.on("language", () => {
      this.input.placeholder = say("addChannel");
      this.draw();
    });
    new ResizeObserver(redraw).observe(this.element);
  }

  /** The names to choose from. */
  fill(): void {
    clear(this.choice);
    for (const channel of this.app.run.channels) {
      const names = componentNames(channel);
      if (names.length > 1) this.choice.append(h("option", { value: channel.name }));
      for (const name of names) this.choice.append(h("option", { value: name }));
    }
    for (const name of this.app.document.more ?? []) this.choice.append(h("option", { value: name }));
  }

  /** What was written into the field: one component, or all of a channel. */
  private take(): void {
    const name = this.input.value.trim();
    const channel = this.app.run.channel(name);
    const names = channel ? componentNames(channel) : [name];
    if (this.add(names)) this.input.value = "";
    else void this.fetch(name);
  }

  /** A channel that is not in the page, from the process that serves it. */
  private async fetch(name: string): Promise<void> {
    this.notify("");
    if (!name) return;
    if (!this.app.document.served || this.app.document.mode !== "result") return this.notify(`${say("noChannel")}: ${name}`);
    try {
      const answer = await fetch(`channel?name=${encodeURIComponent(name)}`);
      if (!answer.ok) return this.notify(await answer.text());
      const said = (await answer.json()) as { run: number; head: ChannelHead; values: string }[];
      for (const { run, head, values } of said) this.app.runs[run].addChannel(head, floats(values));
      this.input.value = "";
      this.add(componentNames(this.app.run.channel(said[0].head.name)!));
    } catch {
      this.notify(say("closed"));
    }
  }

  private line(name: string): Line | null {
    const runs: Line["runs"] = [];
    let unit = "";
    for (const run of this.app.runs) {
      for (const channel of run.channels) {
        const k = componentNames(channel).indexOf(name);
        if (k < 0) continue;
        runs.push({ run, column: channel.first + k });
        unit = channel.unit;
        break;
      }
    }
    return runs.length ? { name, unit, runs } : null;
  }

  /** A new plot of some columns; false if there is none of these names. */
  add(names: string[]): boolean {
    const lines = names.map((name) => this.line(name)).filter((line) => line !== null);
    if (!lines.length) return false;
    const same = (plot: Plot) => plot.lines.length === lines.length && plot.lines.every((line, i) => line.name === lines[i].name);
    const there = this.plots.find(same);
    if (there) {
      there.element.scrollIntoView({ block: "nearest" });
      return true;
    }
    const plot = new Plot(this.app, lines, (gone) => this.remove(gone));
    this.plots.unshift(plot);
    this.list.prepend(plot.element);
    plot.draw();
    return true;
  }

  remove(plot: Plot): void {
    this.plots.splice(this.plots.indexOf(plot), 1);
    plot.element.remove();
  }

  draw(): void {
    for (const plot of this.plots) plot.draw();
  }

  get names(): string[][] {
    return this.plots.map((plot) => plot.lines.map((line) => line.name));
  }
}
