/** Which plots a page begins with: what moves, and curves of very different size apart. */
import { isInner } from "../document";
import type { Channel, Run } from "../run";
import { componentNames } from "./inspector";

const MOST_LINES = 6; // in a plot
const MOST_PLOTS = 4;
/** A curve that takes less of a plot's height than this looks flat. */
const LEAST_HEIGHT = 1 / 8;
/** What varies by less than this part of the largest number of its unit is round-off, or stands still. */
const STILL = 1e-5;
const SAME_CURVE = 0.01; // of its height
const ROWS = 600; // looked at to tell the range of a curve

interface Curve {
  name: string;
  unit: string;
  low: number;
  high: number;
  /** Where it stands in the model. */
  order: number;
  /** Some of its values, to tell it from others. */
  values: number[];
}

interface Group {
  curves: Curve[];
  low: number;
  high: number;
}

const span = (range: { low: number; high: number }) => range.high - range.low;

/** The columns of a channel that vary. */
function moving(run: Run, channel: Channel, order: number): Curve[] {
  const names = componentNames(channel);
  const every = Math.max(1, Math.floor(run.channelCount / ROWS));
  return names
    .map((name, k) => {
      const curve: Curve = { name, unit: channel.unit, low: Infinity, high: -Infinity, order: order + k / (names.length + 1), values: [] };
      for (let n = 0; n < run.channelCount; n += every) {
        const y = run.values[n * run.columns + channel.first + k];
        curve.low = Math.min(curve.low, y);
        curve.high = Math.max(curve.high, y);
        curve.values.push(y);
      }
      return curve;
    })
    .filter((curve) => span(curve) > STILL * Math.max(Math.abs(curve.low), Math.abs(curve.high), 1e-3 * run.scaleOf(channel.unit)));
}

/** Whether two curves would lie on each other: those of the left and the right side, say. */
function coincide(a: Curve, b: Curve): boolean {
  const near = SAME_CURVE * Math.max(span(a), span(b));
  return a.values.every((value, n) => Math.abs(value - b.values[n]) <= near);
}

/** Curves of one unit in plots in which none of them looks flat or lies on another, the largest first. */
export function groupsOf(curves: Curve[]): Group[] {
  const groups: Group[] = [];
  for (const curve of [...curves].sort((a, b) => span(b) - span(a) || a.order - b.order)) {
    if (groups.some((group) => group.curves.some((other) => coincide(curve, other)))) continue;
    const fits = groups.find((group) => {
      const height = Math.max(group.high, curve.high) - Math.min(group.low, curve.low);
      return group.curves.length < MOST_LINES && [...group.curves, curve].every((each) => span(each) >= LEAST_HEIGHT * height);
    });
    if (fits) {
      fits.curves.push(curve);
      fits.low = Math.min(fits.low, curve.low);
      fits.high = Math.max(fits.high, curve.high);
    } else groups.push({ curves: [curve], low: curve.low, high: curve.high });
  }
  for (const group of groups) group.curves.sort((a, b) => a.order - b.order);
  return groups;
}

/** Plots of what varies among some channels: one of each unit, then the further ones. */
function plotsOf(run: Run, wanted: (channel: Channel) => boolean, most: number): string[][] {
  const byUnit = new Map<string, Curve[]>();
  run.channels.forEach((channel, order) => {
    if (wanted(channel)) byUnit.set(channel.unit, [...(byUnit.get(channel.unit) ?? []), ...moving(run, channel, order)]);
  });
  const ranked = [...byUnit.values()].flatMap((curves) => groupsOf(curves).map((group, rank) => ({ group, rank })));
  ranked.sort((a, b) => a.rank - b.rank || a.group.curves[0].order - b.group.curves[0].order);
  return ranked.slice(0, Math.max(0, most)).map(({ group }) => group.curves.map((curve) => curve.name));
}

/** Energies that vary, with the total where it does not flatten them. */
function energyPlot(run: Run): string[][] {
  const total = run.find("energy", "energy", "total");
  if (!total) return [];
  const parts = ["kinetic", "gravity", "elastic", "supplied", "dissipated"];
  const curves = run.channels.flatMap((channel, order) => (channel.of === "energy" && parts.includes(channel.what) ? moving(run, channel, order) : []));
  // against the energies themselves: a hundredth of a per cent is no exchange that one could see
  const large = curves.filter((curve) => span(curve) > 1e-3 * run.scaleOf("J"));
  const [group] = groupsOf(large);
  if (!group) return [];
  if (group.curves.length < Math.min(2, large.length)) return []; // one alone, of several that exchange, says little
  const names = group.curves.map((curve) => curve.name);
  const values = Array.from({ length: run.channelCount }, (_, n) => run.values[n * run.columns + total.first]);
  const height = values.reduce((top, y) => Math.max(top, y), group.high) - values.reduce((low, y) => Math.min(low, y), group.low);
  return [group.curves.every((curve) => span(curve) >= LEAST_HEIGHT * height) ? [...names, "energy.total"] : names];
}

/** Plots to begin with: coordinates of joints and states that vary; where there are hardly any, rates, ways of markers and
 * bodies; then energies. If nothing moves at all, the coordinates as they stand. */
export function firstPlots(run: Run): string[][] {
  const energies = energyPlot(run);
  const most = MOST_PLOTS - energies.length;
  const turning = new Set(run.channels.filter((each) => each.of === "joint" && each.what === "rotation").map((each) => each.item));
  const { bodies, joints } = run.model;
  const inner = new Set(bodies.filter(isInner).map((body) => body.name));
  const held = new Set(joints.filter((joint) => bodies[joint.child]?.node).map((joint) => joint.name));
  const nodal = (c: Channel) => (c.of === "joint" && held.has(c.item)) || (c.of === "body" && inner.has(c.item));
  const all: ((channel: Channel) => boolean)[] = [
    (c) => (c.of === "joint" && (["angle", "position"].includes(c.what) || (c.what === "angular_velocity" && turning.has(c.item)))) || c.of === "state",
    (c) => c.of === "marker" && c.what === "position",
    (c) => c.of === "body" && c.what === "position",
    (c) => c.of === "joint" && ["rate", "velocity"].includes(c.what),
  ];
  const steps = all.map((wanted) => (c: Channel) => !nodal(c) && wanted(c));
  const plots: string[][] = [];
  for (const wanted of steps) if (plots.length < Math.min(2, most)) plots.push(...plotsOf(run, wanted, Math.min(plots.length ? 2 : most, most - plots.length)));
  plots.push(...energies);
  if (plots.length) return plots;
  const still = run.channels.filter((c) => c.of === "joint" && ["angle", "position"].includes(c.what));
  return still.length ? [still.filter((c) => c.unit === still[0].unit).flatMap(componentNames).slice(0, MOST_LINES)] : [];
}
