/** The way a marker has gone, as a line that is faint where it is long ago. */
import { Color, Vector2, type InterleavedBufferAttribute } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { locate, type Run } from "../run";

const MOST_POINTS = 1500;

export class Trace {
  readonly object: Line2;
  wanted = true;
  private points: Float32Array = new Float32Array(0);
  private times: Float64Array = new Float64Array(0);
  private made = -1;
  private drawn = -1;
  private readonly material = new LineMaterial({ linewidth: 2, vertexColors: true, transparent: true, opacity: 0.9 });
  private colour = new Color();
  private fade = new Color();

  constructor(
    readonly run: Run,
    readonly body: number,
    readonly at: [number, number, number],
    readonly name: string,
  ) {
    this.object = new Line2(new LineGeometry(), this.material);
    this.object.frustumCulled = false;
    this.object.userData.chosen = { kind: "marker", name };
  }

  setColour(colour: string, background: string): void {
    this.colour.set(colour);
    this.fade.set(background);
    this.drawn = -1;
  }

  setResolution(width: number, height: number): void {
    this.material.resolution = new Vector2(width, height);
  }

  private make(): void {
    const run = this.run;
    const every = Math.max(1, Math.ceil(run.count / MOST_POINTS));
    const rows: number[] = [];
    for (let n = 0; n < run.count; n += every) rows.push(n);
    if (run.count && rows[rows.length - 1] !== run.count - 1) rows.push(run.count - 1);
    this.points = new Float32Array(3 * rows.length);
    this.times = new Float64Array(rows.length);
    const [x, y, z] = this.at;
    rows.forEach((n, i) => {
      const k = n * 7 * run.bodies + 7 * (this.body - 1);
      const [px, py, pz, qw, qx, qy, qz] = Array.from(run.poses.subarray(k, k + 7));
      const [tx, ty, tz] = [2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)];
      this.points[3 * i] = px + x + qw * tx + qy * tz - qz * ty;
      this.points[3 * i + 1] = py + y + qw * ty + qz * tx - qx * tz;
      this.points[3 * i + 2] = pz + z + qw * tz + qx * ty - qy * tx;
      this.times[i] = run.t[n];
    });
    this.made = run.count;
    this.object.geometry.dispose();
    const geometry = new LineGeometry();
    if (rows.length > 1) {
      geometry.setPositions(this.points);
      geometry.setColors(new Float32Array(this.points.length));
    }
    this.object.geometry = geometry;
  }

  /** Draw the way up to a time; the whole way, faint, comes first. */
  upTo(t: number): void {
    if (this.made !== this.run.count) {
      this.make();
      this.drawn = -1;
    }
    const count = this.times.length;
    const { index, part } = locate(this.times, count, t);
    const shown = count < 2 ? 0 : index + (part >= 1 ? 2 : 1);
    if (shown === this.drawn) return;
    this.drawn = shown;
    if (count < 2) return;
    const { geometry } = this.object;
    geometry.instanceCount = Math.max(0, shown - 1);
    if (shown < 2) return;
    const now = this.times[shown - 1];
    const span = Math.max(1e-12, this.times[count - 1] - this.times[0]);
    const mixed = new Color();
    const buffer = (geometry.attributes.instanceColorStart as InterleavedBufferAttribute).data; // six numbers a piece
    for (let i = 0; i < shown; i++) {
      const age = (now - this.times[i]) / span;
      mixed.copy(this.colour).lerp(this.fade, Math.min(0.82, 1.4 * age));
      if (i < shown - 1) buffer.array.set([mixed.r, mixed.g, mixed.b], 6 * i);
      if (i > 0) buffer.array.set([mixed.r, mixed.g, mixed.b], 6 * i - 3);
    }
    buffer.needsUpdate = true;
  }
}
