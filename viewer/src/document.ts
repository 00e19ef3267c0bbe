/** What Python puts into the page; see `duoti/view/scene.py` and `duoti/view/motion.py`. */

export type Vector = [number, number, number];
/** Position, then quaternion with the scalar first. */
export type PoseNumbers = number[];

export interface Block {
  rows: number;
  columns: number;
  step: number[];
  offset: number[];
  data: string;
}

export interface ExactBlock {
  count: number;
  data: string;
}

/** Corners of triangles, nine numbers each, as 32-bit floats. */
export interface MeshNumbers {
  corners: string;
}

/** A flexible body: nodes (3 each), triangles, displacements (3) and stresses (6) of every node for each mode; 32 bits each. */
export interface FlexibleNumbers {
  nodes: string;
  faces: string;
  modes: string;
  stresses?: string;
}

export interface Part {
  kind: string;
  pose: PoseNumbers;
  size: Record<string, number>;
  cavity?: boolean;
  /** A shape of a contact, beside those that the body has of its own. */
  faint?: boolean;
  /** A road or terrain of the ground: bodies are seen through it. */
  surface?: boolean;
  colour?: string;
  mesh?: MeshNumbers;
  flexible?: FlexibleNumbers;
}

export interface Body {
  name: string;
  mass: number | null;
  com: Vector;
  parts: Part[];
  links: number[][];
  /** A node of a beam or cable, which is drawn as a part of it. */
  node?: boolean;
}

/** Kinds of joints by which nodes of beams and cables are free. */
export const LOOSE = ["free", "composite", "translation"];

/** A node of a beam or cable between its ends, without a name that the user gave. */
export function isInner(body: Body): boolean {
  return !!body.node && /\.node\d+$/.test(body.name);
}

export interface Coordinate {
  name: string;
  rate: string;
  unit: string;
  rateUnit: string;
  nq: number;
  nv: number;
  quaternion: boolean;
}

export interface JointPart {
  kind: string;
  /** Rotation to the frame in which its symbol has its axis along z. */
  law: number[];
  coordinates: Coordinate[];
}

/** An elementary motion: a screw motion by a coordinate, twist angular first; or a rotation by a quaternion, without twist. */
export interface Motion {
  at: number;
  twist: number[] | null;
}

export interface Joint {
  name: string;
  kind: string;
  parent: number;
  child: number;
  onParent: PoseNumbers;
  onChild: PoseNumbers;
  parts: JointPart[];
  /** One after the other they make its pose; null if only its own law, in Python, can say it. */
  motions: Motion[] | null;
  loop: number | null;
  /** Of its coordinates, as in the names of channels: "angle", "position.x". */
  labels: string[];
  limits?: [number, number][];
}

export interface End {
  body: number;
  at: Vector;
}

export interface Marker {
  name: string;
  body: number;
  pose: PoseNumbers;
}

/** A point of a rope: a sheave of a radius, turned to a side about the axis ex x ey, or an eye of radius 0. */
export interface RopePoint {
  body: number;
  at: Vector;
  ex: Vector;
  ey: Vector;
  radius: number;
  side: number;
}

export interface Force {
  name: string;
  kind: string;
  text: string;
  ends?: End[];
  damped?: boolean;
  rest?: number;
  joint?: string;
  /** Of a rope: where it runs. */
  path?: RopePoint[];
  closed?: boolean;
  /** Number of the joint's coordinate on which it acts; -1 where that is no coordinate. */
  at?: number;
}

export interface Constraint {
  name: string;
  kind: string;
  text: string;
  ends: End[];
}

/** A beam or cable: elements in a row. */
export interface Slender {
  name: string;
  kind: "beam" | "cable";
  length: number;
  elements: string[];
  /** Both ends of each element. */
  ends: { body: number; pose: PoseNumbers }[];
  /** Sections: closed lines (y, z, y, z, ...), the outer one first; none of a cable that does not resist bending. */
  sections: number[][][];
  /** Number of the section at each of the ends. */
  section: number[];
}

export interface Contact {
  name: string;
  kind: string;
  text: string;
  planes: { body: number; pose: PoseNumbers }[];
}

/** A bond graph: its drawing, "" if it is too large for one. */
export interface Graph {
  name: string;
  svg: string;
}

export interface TreeRow {
  joint: string;
  inboard: string;
  outboard: string;
  virtual: boolean;
}

export interface Topology {
  tree: TreeRow[];
  cut: string[];
  loops: { cut: string; joints: string[] }[];
  svg: string;
}

export interface Model {
  name: string;
  gravity: Vector;
  bodies: Body[];
  joints: Joint[];
  markers: Marker[];
  forces: Force[];
  slender: Slender[];
  contacts: Contact[];
  graphs: Graph[];
  constraints: Constraint[];
  states: { name: string; unit: string }[];
  topology: Topology;
  notes: string[];
}

export interface ChannelHead {
  name: string;
  unit: string;
  of: "joint" | "body" | "marker" | "state" | "energy" | "force" | "contact" | "graph";
  item: string;
  what: string;
  letters: string[];
  size: number;
}

export interface AlongHead {
  name: string;
  what: string;
  unit: string;
  size: number;
}

export interface RunNumbers {
  name: string;
  model: number;
  ok: boolean;
  reason: string;
  solver: string;
  outputs: number;
  centre: Vector;
  size: number;
  /** Half the box around everything, along x, y, z. */
  half: Vector;
  t: ExactBlock;
  poses: Block;
  accuracy: { length: number; angle: number };
  events: { name: string; t: number }[];
  channels: { t: ExactBlock; heads: ChannelHead[]; block: Block };
  /** Points of contacts, x, y, z and 1 while it touches, at the instants of the channels. */
  touching?: { heads: { name: string; count: number }[]; block: Block };
  /** Quantities along beams and cables, at both ends of each element, at the instants of the channels. */
  along?: { heads: AlongHead[]; block: Block };
}

/** Where the joints of a model view stand, coordinate by coordinate. */
export interface Posture {
  q: Record<string, number[]>;
  /** Poses across the joints whose motion only Python can compute, where they stand. */
  across: Record<string, PoseNumbers>;
}

export interface Document {
  mode: "result" | "model" | "live";
  models: Model[];
  runs: RunNumbers[];
  version: string;
  posture?: Posture;
  /** Names of channels that the process which serves the page computes when asked. */
  more?: string[];
  /** True if the page can ask the process that served it. */
  served: boolean;
  options: Options;
}

export interface Options {
  theme?: "light" | "dark" | "auto";
  language?: "en" | "zh" | "auto";
  /** Camera preset to begin with. */
  camera?: string;
  /** How many times nearer than the whole fits. */
  zoom?: number;
  /** Names of channels to plot at the beginning. */
  plots?: string[][];
  /** Pictures for a file, taken by a browser without a window. */
  render?: RenderOptions;
  panels?: boolean;
  arrows?: boolean;
  labels?: boolean;
  follow?: string;
  /** The quantity by which beams are coloured at the beginning. */
  along?: string;
}

export interface RenderOptions {
  width: number;
  height: number;
  times: number[];
  clock: boolean;
}
