/** The state of the page, and who is told when it changes. */
import { Box3, Vector3, type Plane } from "three";
import type { Document } from "./document";
import { Run } from "./run";
import { Mechanism, type Chosen, type Shown } from "./scene/mechanism";
import { planeOf, type Look } from "./scene/look";
import { Measure } from "./scene/measure";
import { DARK, LIGHT, type Theme } from "./scene/palette";
import { Stage, type Preset } from "./scene/stage";

export type Event = "time" | "select" | "theme" | "language" | "runs" | "show" | "play" | "data" | "follow" | "measure" | "look";

const FRAMES_TO_JUDGE = 12;
const SLOW = 45; // milliseconds from one picture to the next
export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];

export class App {
  readonly stage: Stage;
  readonly mechanisms: Mechanism[];
  t: number;
  playing = false;
  repeat = true;
  speed = 1;
  chosen: Chosen | null = null;
  followed: Chosen | null = null;
  dark = false;
  shown: Shown = { bodies: true, joints: true, springs: true, traces: true, reactions: false, contacts: true };
  names = false;
  readonly look: Look = { bending: { scale: 1, colour: "body", mode: -1 }, along: "", opacity: 1, own: new Map(), section: null };
  readonly measure: Measure;
  private dirty = true;
  private readonly listeners = new Map<Event, (() => void)[]>();
  private lastFollowed = new Vector3();
  /** Milliseconds from one picture to the next, while one follows the other. */
  readonly frameTimes: number[] = [];
  private drew = false;
  /** Shadows go where pictures come too slowly, unless the user wants them. */
  private patient = true;

  constructor(
    readonly document: Document,
    readonly runs: Run[],
    canvas: HTMLCanvasElement,
  ) {
    const { centre, size, box, flat } = bounds(runs);
    const keep = !!document.options.render;
    this.stage = new Stage(canvas, centre, size, runs[0].model.gravity, box, flat, keep);
    this.mechanisms = runs.map((run, i) => new Mechanism(run, i, size, LIGHT));
    for (const mechanism of this.mechanisms) this.stage.scene.add(mechanism.group);
    if (runs[0].model.bodies[0].parts.some((part) => part.surface)) this.stage.noFloorShadow();
    this.measure = new Measure(this.mechanisms[0]);
    this.stage.scene.add(this.measure.object);
    this.t = this.start;
    const duration = this.end - this.start;
    if (duration > 0 && (duration < 2 || duration > 40)) {
      this.speed = SPEEDS.reduce((best, s) =>
        Math.abs(Math.log(duration / s / 8)) < Math.abs(Math.log(duration / best / 8)) ? s : best,
      );
    }
    this.stage.controls.addEventListener("change", () => this.redraw());
  }

  get run(): Run {
    return this.runs[0];
  }

  get theme(): Theme {
    return this.dark ? DARK : LIGHT;
  }

  get start(): number {
    return Math.min(...this.runs.map((run) => run.start));
  }

  get end(): number {
    return Math.max(...this.runs.map((run) => run.end));
  }

  on(event: Event, listener: () => void): void {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
  }

  tell(event: Event): void {
    for (const listener of this.listeners.get(event) ?? []) listener();
    this.redraw();
  }

  redraw(): void {
    this.dirty = true;
  }

  setTime(t: number): void {
    const clamped = Math.min(Math.max(t, this.start), this.end);
    if (clamped === this.t) return;
    this.t = clamped;
    this.tell("time");
  }

  /** To the next or an earlier output. */
  step(count: number): void {
    this.setPlaying(false);
    const times = this.run.t;
    const n = this.run.count;
    let k = 0;
    while (k < n - 1 && times[k] < this.t - 1e-12 * Math.abs(this.t)) k++;
    const target = Math.min(Math.max(times[k] === this.t || count < 0 ? k + count : k + count - 1, 0), n - 1);
    this.setTime(times[target]);
  }

  setPlaying(on: boolean): void {
    if (on && this.t >= this.end) this.setTime(this.start);
    this.playing = on && this.end > this.start;
    this.tell("play");
  }

  changeSpeed(way: 1 | -1): void {
    const next = way > 0 ? SPEEDS.find((s) => s > this.speed * 1.001) : SPEEDS.findLast((s) => s < this.speed / 1.001);
    if (next) this.setSpeed(next);
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.tell("play");
  }

  select(chosen: Chosen | null): void {
    this.chosen = chosen;
    for (const mechanism of this.mechanisms) mechanism.highlight(chosen);
    this.tell("select");
  }

  follow(chosen: Chosen | null): void {
    this.followed = chosen;
    if (chosen) {
      const here = this.mechanisms[0].whereIs(chosen);
      if (here) {
        this.stage.carry(here.clone().sub(this.stage.controls.target));
        this.lastFollowed = here;
      }
    }
    this.tell("follow");
  }

  setDark(dark: boolean): void {
    this.dark = dark;
    this.stage.setTheme(this.theme);
    this.measure.setColour(this.theme.measure);
    for (const mechanism of this.mechanisms) {
      mechanism.setTheme(this.theme);
      mechanism.highlight(this.chosen);
    }
    this.tell("theme");
  }

  toggle(what: keyof Shown): void {
    this.shown[what] = !this.shown[what];
    this.tell("show");
  }

  /** The plane that cuts bodies open, if there is one. */
  get plane(): Plane | null {
    return planeOf(this.look.section, this.stage.box);
  }

  /** Draw bodies as `look` says now. */
  applyLook(): void {
    const { plane } = this;
    for (const mechanism of this.mechanisms) mechanism.setLook(this.look, plane);
    this.redraw();
  }

  /** Clicks choose, or give points between which to measure. */
  setMeasuring(on: boolean): void {
    this.measure.on = on;
    this.measure.clear();
    this.tell("measure");
  }

  preset(name: Preset): void {
    this.followed = null;
    this.stage.preset(name);
    this.tell("follow");
  }

  /** Put everything where it is now, and draw. */
  draw(): void {
    for (const mechanism of this.mechanisms) {
      mechanism.show(this.shown);
      mechanism.move(this.t);
    }
    if (this.followed) {
      const here = this.mechanisms[0].whereIs(this.followed);
      if (here) {
        this.stage.carry(here.clone().sub(this.lastFollowed));
        this.lastFollowed = here;
      }
    }
    this.measure.move();
    this.stage.render();
  }

  /** Draws now what the next turn of the clock would draw, if anything has changed. */
  settle(): void {
    if (!this.dirty) return;
    this.dirty = false;
    this.draw();
  }

  /** One turn of the clock; `seconds` since the last one. */
  tick(seconds: number): void {
    if (this.playing) {
      let t = this.t + Math.min(seconds, 0.1) * this.speed;
      if (t >= this.end) {
        if (this.repeat && this.document.mode !== "live") t = this.start + ((t - this.start) % (this.end - this.start));
        else {
          t = this.end;
          if (this.document.mode !== "live") this.playing = false;
        }
      }
      this.setTime(t);
      if (!this.playing) this.tell("play");
    }
    if (this.stage.controls.update()) this.dirty = true;
    const follows = this.drew;
    this.drew = this.dirty;
    if (!this.dirty) return;
    this.dirty = false;
    this.draw();
    if (!follows) return;
    this.frameTimes.push(1000 * seconds);
    if (this.frameTimes.length > 600) this.frameTimes.shift();
    this.hurry();
  }

  private hurry(): void {
    if (!this.patient || !this.stage.shadows || this.frameTimes.length < FRAMES_TO_JUDGE) return;
    this.patient = false;
    const sorted = [...this.frameTimes].sort((a, b) => a - b);
    if (sorted[sorted.length >> 1] < SLOW) return;
    this.stage.setShadows(false);
    this.tell("show");
  }

  /** The user's own choice stays. */
  setShadows(on: boolean): void {
    this.patient = false;
    this.stage.setShadows(on);
    this.tell("show");
  }
}

/** Middle, size and box of everything that any run draws, and the normal of the plane in which it all moves. */
function bounds(runs: Run[]): { centre: Vector3; size: number; box: Box3; flat: Vector3 | null } {
  const box = new Box3();
  for (const { numbers } of runs) {
    const centre = new Vector3(...numbers.centre);
    const half = new Vector3(...numbers.half);
    box.expandByPoint(centre.clone().sub(half)).expandByPoint(centre.add(half));
  }
  const extent = box.getSize(new Vector3());
  return {
    centre: box.getCenter(new Vector3()),
    size: extent.length() || 1,
    box,
    flat: flatNormal(runs),
  };
}

/** The coordinate axis along which no body ever moves, if there is exactly one. */
export function flatNormal(runs: Run[]): Vector3 | null {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const moved = [0, 0, 0];
  let span = 0;
  for (const run of runs) {
    const width = 7 * run.bodies;
    for (let body = 0; body < run.bodies; body++) {
      for (let k = 0; k < 3; k++) {
        low[k] = Infinity;
        high[k] = -Infinity;
      }
      for (let n = 0; n < run.count; n += Math.max(1, run.count >> 7)) {
        for (let k = 0; k < 3; k++) {
          const x = run.poses[n * width + 7 * body + k];
          low[k] = Math.min(low[k], x);
          high[k] = Math.max(high[k], x);
        }
      }
      for (let k = 0; k < 3; k++) {
        moved[k] = Math.max(moved[k], high[k] - low[k]);
        span = Math.max(span, moved[k]);
      }
    }
  }
  const still = [0, 1, 2].filter((k) => moved[k] <= 1e-4 * span);
  return span > 0 && still.length === 1 ? new Vector3().setComponent(still[0], 1) : null;
}
