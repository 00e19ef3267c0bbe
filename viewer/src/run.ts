/** A motion: poses and channels over time, and what they are between two instants. */
import type { AlongHead, ChannelHead, Document, Model, RunNumbers } from "./document";
import { unpack, unpackExact } from "./pack";

/** Where a time lies among sorted instants: between `index` and `index + 1`, `part` of the way. */
export interface Place {
  index: number;
  part: number;
}

export function locate(times: ArrayLike<number>, count: number, t: number): Place {
  if (count < 2 || !(t > times[0])) return { index: 0, part: 0 };
  if (t >= times[count - 1]) return { index: count - 2, part: 1 };
  let low = 0;
  let high = count - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  const span = times[high] - times[low];
  return { index: low, part: span > 0 ? (t - times[low]) / span : 0 };
}

/** Pose between two others: position along the line, quaternion along the arc (normalised chord: frames are near). */
export function between(a: ArrayLike<number>, ia: number, b: ArrayLike<number>, ib: number, s: number, out: number[]): void {
  for (let k = 0; k < 3; k++) out[k] = a[ia + k] + s * (b[ib + k] - a[ia + k]);
  let dot = 0;
  for (let k = 3; k < 7; k++) dot += a[ia + k] * b[ib + k];
  const sign = dot < 0 ? -1 : 1;
  let norm = 0;
  for (let k = 3; k < 7; k++) {
    out[k] = (1 - s) * a[ia + k] + s * sign * b[ib + k];
    norm += out[k] * out[k];
  }
  norm = Math.sqrt(norm) || 1;
  for (let k = 3; k < 7; k++) out[k] /= norm;
}

export interface Channel extends ChannelHead {
  first: number;
}

export class Run {
  name: string;
  readonly model: Model;
  readonly modelIndex: number;
  readonly numbers: RunNumbers;
  /** Number of bodies without ground. */
  readonly bodies: number;
  visible = true;
  count = 0;
  t = new Float64Array(0);
  poses = new Float64Array(0);
  channelT = new Float64Array(0);
  channelCount = 0;
  values = new Float64Array(0);
  columns = 0;
  channels: Channel[] = [];
  /** Quantities along beams. */
  along: (AlongHead & { first: number })[] = [];
  private alongValues = new Float64Array(0);
  private alongColumns = 0;
  private readonly touching = new Map<string, { first: number; count: number }>();
  private points = new Float64Array(0);
  private pointColumns = 0;

  constructor(document: Document, numbers: RunNumbers) {
    this.numbers = numbers;
    this.name = numbers.name;
    this.modelIndex = numbers.model;
    this.model = document.models[numbers.model];
    this.bodies = this.model.bodies.length - 1;
  }

  static async open(document: Document, numbers: RunNumbers): Promise<Run> {
    const run = new Run(document, numbers);
    [run.t, run.poses, run.channelT, run.values] = await Promise.all([
      unpackExact(numbers.t),
      unpack(numbers.poses),
      unpackExact(numbers.channels.t),
      unpack(numbers.channels.block),
    ]);
    run.count = run.t.length;
    run.channelCount = run.channelT.length;
    run.setHeads(numbers.channels.heads);
    if (numbers.touching) {
      run.points = await unpack(numbers.touching.block);
      run.pointColumns = numbers.touching.block.columns;
      let first = 0;
      for (const { name, count } of numbers.touching.heads) {
        run.touching.set(name, { first, count });
        first += 4 * count;
      }
    }
    if (numbers.along) {
      run.alongValues = await unpack(numbers.along.block);
      run.alongColumns = numbers.along.block.columns;
      let first = 0;
      for (const head of numbers.along.heads) {
        run.along.push({ ...head, first });
        first += head.size;
      }
    }
    return run;
  }

  setHeads(heads: ChannelHead[]): void {
    let first = 0;
    this.channels = heads.map((head) => {
      const channel = { ...head, first };
      first += head.size;
      return channel;
    });
    this.columns = first;
  }

  get start(): number {
    return this.count ? this.t[0] : 0;
  }

  get end(): number {
    return this.count ? this.t[this.count - 1] : 0;
  }

  /** Pose of a body (0 is ground) at a time. */
  pose(body: number, t: number, out: number[]): number[] {
    if (body === 0 || this.count === 0) {
      out[0] = out[1] = out[2] = out[4] = out[5] = out[6] = 0;
      out[3] = 1;
      return out;
    }
    const { index, part } = locate(this.t, this.count, t);
    const width = 7 * this.bodies;
    const at = index * width + 7 * (body - 1);
    between(this.poses, at, this.poses, this.count < 2 ? at : at + width, part, out);
    return out;
  }

  channel(name: string): Channel | undefined {
    return this.channels.find((each) => each.name === name);
  }

  find(of: string, item: string, what: string): Channel | undefined {
    return this.channels.find((each) => each.of === of && each.item === item && each.what === what);
  }

  private readonly scales = new Map<string, { count: number; value: number }>();

  /** The largest number of all channels of a unit: what is tiny against it is round-off. */
  scaleOf(unit: string): number {
    const known = this.scales.get(unit);
    if (known?.count === this.channelCount) return known.value;
    let value = 0;
    const every = Math.max(1, this.channelCount >> 8);
    for (const channel of this.channels) {
      if (channel.unit !== unit) continue;
      for (let n = 0; n < this.channelCount; n += every) {
        for (let k = 0; k < channel.size; k++) value = Math.max(value, Math.abs(this.values[n * this.columns + channel.first + k]));
      }
    }
    this.scales.set(unit, { count: this.channelCount, value });
    return value;
  }

  /** Values of a channel at a time. */
  at(channel: Channel, t: number): number[] {
    if (!this.channelCount) return [];
    const { index, part } = locate(this.channelT, this.channelCount, t);
    const next = Math.min(index + 1, this.channelCount - 1);
    return Array.from({ length: channel.size }, (_, k) => {
      const a = this.values[index * this.columns + channel.first + k];
      const b = this.values[next * this.columns + channel.first + k];
      return a + part * (b - a);
    });
  }

  /** A number that does not change gradually, as it was at the last instant of the channels. */
  before(channel: Channel, t: number): number {
    const { index, part } = locate(this.channelT, this.channelCount, t);
    return this.values[Math.min(part < 1 ? index : index + 1, this.channelCount - 1) * this.columns + channel.first];
  }

  /** How many points of a contact may touch. */
  touchingCount(name: string): number {
    return this.touching.get(name)?.count ?? 0;
  }

  /** The points of a contact that touch at a time. */
  touchingAt(name: string, t: number): number[][] {
    const head = this.touching.get(name);
    if (!head || !this.channelCount) return [];
    const { index, part } = locate(this.channelT, this.channelCount, t);
    const next = Math.min(index + 1, this.channelCount - 1);
    const found: number[][] = [];
    for (let k = 0; k < head.count; k++) {
      const a = index * this.pointColumns + head.first + 4 * k;
      const b = next * this.pointColumns + head.first + 4 * k;
      const [now, then] = [this.points[a + 3] > 0.5, this.points[b + 3] > 0.5];
      if (part < 1 ? !now : !then) continue;
      const share = now && then ? part : part < 1 ? 0 : 1;
      found.push([0, 1, 2].map((i) => this.points[a + i] + share * (this.points[b + i] - this.points[a + i])));
    }
    return found;
  }

  /** A quantity along a beam at a time, at both ends of each element; null if there is none. */
  alongAt(name: string, what: string, t: number): number[] | null {
    const head = this.along.find((each) => each.name === name && each.what === what);
    if (!head || !this.channelCount) return null;
    const { index, part } = locate(this.channelT, this.channelCount, t);
    const next = Math.min(index + 1, this.channelCount - 1);
    return Array.from({ length: head.size }, (_, k) => {
      const a = this.alongValues[index * this.alongColumns + head.first + k];
      const b = this.alongValues[next * this.alongColumns + head.first + k];
      return a + part * (b - a);
    });
  }

  private readonly ranges = new Map<string, { low: number; high: number; unit: string } | null>();

  /** The least and largest value of a quantity along all beams, over the whole run. */
  alongRange(what: string): { low: number; high: number; unit: string } | null {
    const known = this.ranges.get(what);
    if (known !== undefined) return known;
    let [low, high, unit] = [Infinity, -Infinity, ""];
    for (const head of this.along) {
      if (head.what !== what) continue;
      unit = head.unit;
      for (let n = 0; n < this.alongValues.length / this.alongColumns; n++) {
        for (let k = 0; k < head.size; k++) {
          const value = this.alongValues[n * this.alongColumns + head.first + k];
          low = Math.min(low, value);
          high = Math.max(high, value);
        }
      }
    }
    const found = high >= low ? { low, high, unit } : null;
    this.ranges.set(what, found);
    return found;
  }

  /** A channel that came later; one row of values for each instant of the channels. */
  addChannel(head: ChannelHead, more: ArrayLike<number>): void {
    const columns = this.columns + head.size;
    const values = new Float64Array(this.channelCount * columns);
    for (let n = 0; n < this.channelCount; n++) {
      for (let k = 0; k < this.columns; k++) values[n * columns + k] = this.values[n * this.columns + k];
      for (let k = 0; k < head.size; k++) values[n * columns + this.columns + k] = more[n * head.size + k];
    }
    this.channels.push({ ...head, first: this.columns });
    this.values = values;
    this.columns = columns;
  }

  /** Add instants to the end, while a simulation goes on. */
  append(t: ArrayLike<number>, poses: ArrayLike<number>, values: ArrayLike<number>): void {
    this.t = joined(this.t, this.count, t);
    this.poses = joined(this.poses, this.count * 7 * this.bodies, poses);
    this.values = joined(this.values, this.channelCount * this.columns, values);
    this.count += t.length;
    this.channelT = this.t;
    this.channelCount = this.count;
  }
}

/** The first `used` numbers and then the new ones, in an array with room to grow. */
function joined(old: Float64Array<ArrayBuffer>, used: number, more: ArrayLike<number>): Float64Array<ArrayBuffer> {
  let target = old;
  if (used + more.length > old.length) {
    target = new Float64Array(Math.max(1024, 2 * (used + more.length)));
    target.set(old.subarray(0, used));
  }
  target.set(more, used);
  return target;
}
