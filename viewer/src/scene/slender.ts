/** Beams as bodies of their section, swept along the axis that their elements bend; cables as round lines through their nodes. */
import { BufferAttribute, BufferGeometry, Color, Mesh, Quaternion, ShapeUtils, Vector2, Vector3, type MeshStandardMaterial } from "three";
import type { Slender } from "../document";
import { heat } from "./flexible";

const SHARP = Math.cos(Math.PI / 6); // edges of a section that turn by more stay sharp
const RINGS = 120; // along a beam, about
const SIDES = 12; // of a cable

/** Rotation vector of a unit quaternion. */
export function logarithm(q: Quaternion, out: Vector3): Vector3 {
  const sign = q.w < 0 ? -1 : 1;
  const size = Math.hypot(q.x, q.y, q.z);
  const factor = size < 1e-9 ? 2 : (2 * Math.atan2(size, sign * q.w)) / size;
  return out.set(q.x, q.y, q.z).multiplyScalar(sign * factor);
}

/** J(theta) u: the way along an arc that turns by theta and leaves with u; and J^-1. */
export function arc(theta: Vector3, u: Vector3): Vector3 {
  const x = theta.length();
  const [a, b] = x < 1e-4 ? [0.5 - (x * x) / 24, 1 / 6 - (x * x) / 120] : [(1 - Math.cos(x)) / (x * x), (x - Math.sin(x)) / (x * x * x)];
  const w = theta.clone().cross(u);
  return u.clone().addScaledVector(w, a).addScaledVector(theta.clone().cross(w), b);
}

export function unbent(theta: Vector3, p: Vector3): Vector3 {
  const x = theta.length();
  const c = x < 1e-3 ? 1 / 12 + (x * x) / 720 : (1 - x / 2 / Math.tan(x / 2)) / (x * x);
  const w = theta.clone().cross(p);
  return p.clone().addScaledVector(w, -0.5).addScaledVector(theta.clone().cross(w), c);
}

/** A point of the axis and the axes of the section there. */
export interface Place {
  at: Vector3;
  turn: Quaternion;
}

/** Between two frames, along the arc of constant curvature and twist (exponential coordinates). */
export function bent(a: Place, b: Place, part: number): Place {
  const back = a.turn.clone().invert();
  const theta = logarithm(back.clone().multiply(b.turn), new Vector3());
  const u = unbent(theta, b.at.clone().sub(a.at).applyQuaternion(back));
  theta.multiplyScalar(part);
  const angle = theta.length();
  const turn = angle < 1e-12 ? new Quaternion() : new Quaternion().setFromAxisAngle(theta.clone().divideScalar(angle), angle);
  return { at: arc(theta, u.multiplyScalar(part)).applyQuaternion(a.turn).add(a.at), turn: a.turn.clone().multiply(turn) };
}

/** A closed line of a section as vertices with normals; corners are there twice. */
interface Line {
  /** y, z of the vertices, and of their normals. */
  places: number[];
  normals: number[];
  /** Pairs of vertices that are edges. */
  edges: number[];
}

function lineOf(points: number[], reverse: boolean): Line {
  const count = points.length / 2;
  const at = (k: number) => new Vector2(points[2 * ((k + count) % count)], points[2 * ((k + count) % count) + 1]);
  const order = Array.from({ length: count }, (_, k) => (reverse ? count - 1 - k : k));
  const corner = order.map((k) => at(k));
  const normal = corner.map((p, k) => {
    const d = corner[(k + 1) % count].clone().sub(p).normalize();
    return new Vector2(d.y, -d.x); // of the edge from k, outward if it goes round to the left
  });
  const line: Line = { places: [], normals: [], edges: [] };
  const put = (p: Vector2, n: Vector2) => {
    line.places.push(p.x, p.y);
    line.normals.push(n.x, n.y);
    return line.places.length / 2 - 1;
  };
  const smooth = corner.map((_, k) => normal[k].dot(normal[(k + count - 1) % count]) > SHARP);
  const first: number[] = [];
  const last: number[] = [];
  corner.forEach((p, k) => {
    const before = normal[(k + count - 1) % count];
    if (smooth[k]) first[k] = last[k] = put(p, normal[k].clone().add(before).normalize());
    else [last[k], first[k]] = [put(p, before), put(p, normal[k])];
  });
  corner.forEach((_, k) => line.edges.push(first[k], last[(k + 1) % count]));
  return line;
}

const area = (points: number[]) => {
  let sum = 0;
  for (let k = 0; k < points.length; k += 2) {
    const n = (k + 2) % points.length;
    sum += points[k] * points[n + 1] - points[n] * points[k + 1];
  }
  return sum / 2;
};

/** A section: its lines, the outer one to the left, holes to the right; and triangles of its face. */
class Face {
  readonly lines: Line[];
  readonly places: number[];
  readonly normals: number[];
  readonly edges: number[] = [];
  readonly corners: number[] = [];
  readonly triangles: number[] = [];

  constructor(lines: number[][]) {
    this.lines = lines.map((points, k) => lineOf(points, area(points) > 0 === k > 0));
    this.places = this.lines.flatMap((line) => line.places);
    this.normals = this.lines.flatMap((line) => line.normals);
    let first = 0;
    for (const line of this.lines) {
      this.edges.push(...line.edges.map((k) => first + k));
      first += line.places.length / 2;
    }
    const shapes = lines.map((points) => Array.from({ length: points.length / 2 }, (_, k) => new Vector2(points[2 * k], points[2 * k + 1])));
    this.corners.push(...lines.flat());
    const turned = area(lines[0]) < 0 ? -1 : 1; // triangulateShape keeps the sense of the outline
    for (const [a, b, c] of ShapeUtils.triangulateShape(shapes[0], shapes.slice(1))) this.triangles.push(a, turned > 0 ? b : c, turned > 0 ? c : b);
  }
}

function circle(radius: number): number[] {
  return Array.from({ length: SIDES }, (_, k) => [radius * Math.cos((2 * Math.PI * k) / SIDES), radius * Math.sin((2 * Math.PI * k) / SIDES)]).flat();
}

export class SlenderMesh {
  readonly mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  private readonly faces: Face[];
  private readonly pieces: number;
  private readonly perRing: number;
  private readonly own: Color;
  /** Number of the element and part of it, of every vertex. */
  private readonly where: { element: number; part: number }[] = [];
  private readonly position: Float32Array;
  private readonly normal: Float32Array;
  private readonly colours: Float32Array;
  private painted = false;

  constructor(
    readonly numbers: Slender,
    material: MeshStandardMaterial,
    colour: string,
    radius: number,
  ) {
    const count = numbers.elements.length;
    this.own = new Color(colour);
    this.faces = numbers.sections.length ? numbers.sections.map((lines) => new Face(lines)) : [new Face([circle(radius)])];
    this.pieces = Math.min(8, Math.max(2, Math.round(RINGS / count)));
    this.perRing = this.faces[0].places.length / 2;
    const { corners, triangles, edges } = this.faces[0];
    const rings = count * (this.pieces + 1);
    const caps = this.closed ? 0 : corners.length / 2;
    const vertices = rings * this.perRing + 2 * caps;
    this.position = new Float32Array(3 * vertices);
    this.normal = new Float32Array(3 * vertices);
    this.colours = new Float32Array(3 * vertices);
    const index: number[] = [];
    for (let e = 0; e < count; e++) {
      for (let k = 0; k <= this.pieces; k++) {
        for (let i = 0; i < this.perRing; i++) this.where.push({ element: e, part: k / this.pieces });
        if (k === this.pieces) continue;
        const low = (e * (this.pieces + 1) + k) * this.perRing;
        const high = low + this.perRing;
        for (let i = 0; i < edges.length; i += 2) {
          const [a, b] = [edges[i], edges[i + 1]];
          index.push(low + a, low + b, high + b, low + a, high + b, high + a);
        }
      }
    }
    for (const [end, element] of [[0, 0], [1, count - 1]]) {
      const first = this.where.length;
      for (let i = 0; i < caps; i++) this.where.push({ element, part: end });
      if (caps) for (let i = 0; i < triangles.length; i += 3) index.push(first + triangles[i], first + triangles[i + (end ? 1 : 2)], first + triangles[i + (end ? 2 : 1)]);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(this.position, 3));
    geometry.setAttribute("normal", new BufferAttribute(this.normal, 3));
    geometry.setAttribute("color", new BufferAttribute(this.colours, 3));
    geometry.setIndex(index);
    this.mesh = new Mesh(geometry, material);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false; // its box changes as it bends
    this.paint(null, 0, 1);
  }

  /** A ring ends where it begins. */
  get closed(): boolean {
    const { ends } = this.numbers;
    return ends.length > 2 && ends[0].body === ends[ends.length - 1].body && ends[0].body !== 0;
  }

  private face(end: number): Face {
    const face = this.faces[this.numbers.section[end] ?? 0];
    return face.places.length === this.faces[0].places.length ? face : this.faces[0];
  }

  /** Bend it: `places` are those of the two ends of each element. */
  bend(places: Place[]): void {
    const along = this.numbers.sections.length ? (e: number, part: number) => bent(places[2 * e], places[2 * e + 1], part) : hanging(places);
    const ring = (first: number, at: Place, e: number, part: number) => {
      const [a, b] = [this.face(2 * e), this.face(2 * e + 1)];
      for (let i = 0; i < this.perRing; i++) {
        const y = a.places[2 * i] + part * (b.places[2 * i] - a.places[2 * i]);
        const z = a.places[2 * i + 1] + part * (b.places[2 * i + 1] - a.places[2 * i + 1]);
        point.set(0, y, z).applyQuaternion(at.turn).add(at.at).toArray(this.position, 3 * (first + i));
        point.set(0, a.normals[2 * i], a.normals[2 * i + 1]).applyQuaternion(at.turn).toArray(this.normal, 3 * (first + i));
      }
    };
    const point = new Vector3();
    const count = this.numbers.elements.length;
    let first = 0;
    const ends: Place[] = [];
    for (let e = 0; e < count; e++) {
      for (let k = 0; k <= this.pieces; k++) {
        const at = along(e, k / this.pieces);
        if (e === 0 && k === 0) ends[0] = at;
        if (e === count - 1 && k === this.pieces) ends[1] = at;
        ring(first, at, e, k / this.pieces);
        first += this.perRing;
      }
    }
    if (!this.closed) {
      for (const end of [0, 1]) {
        const { corners } = this.face(end ? 2 * count - 1 : 0);
        const { at, turn } = ends[end];
        for (let i = 0; i < corners.length; i += 2) {
          point.set(0, corners[i], corners[i + 1]).applyQuaternion(turn).add(at).toArray(this.position, 3 * first);
          point.set(end ? 1 : -1, 0, 0).applyQuaternion(turn).toArray(this.normal, 3 * first);
          first++;
        }
      }
    }
    const { attributes } = this.mesh.geometry;
    attributes.position.needsUpdate = attributes.normal.needsUpdate = true;
    this.mesh.geometry.boundingSphere = this.mesh.geometry.boundingBox = null;
  }

  /** Colour it by values at both ends of each element, from `low` (blue) to `high` (red); null: as it is. */
  paint(values: ArrayLike<number> | null, low: number, high: number): void {
    if (!values && this.painted === false && this.colours[0] === this.own.r) return;
    const out = new Color();
    const span = high - low || 1;
    this.where.forEach(({ element, part }, i) => {
      if (values) heat((values[2 * element] + part * (values[2 * element + 1] - values[2 * element]) - low) / span, out);
      else out.copy(this.own);
      out.toArray(this.colours, 3 * i);
    });
    this.painted = !!values;
    this.mesh.geometry.attributes.color.needsUpdate = true;
  }

  /** The middle of its axis, of the places of its ends. */
  middle(places: Place[]): Vector3 {
    const e = this.numbers.elements.length >> 1;
    return places[2 * e].at.clone();
  }
}

/** A smooth line through the nodes of a cable, whose sections turn as little as they can. */
function hanging(places: Place[]): (e: number, part: number) => Place {
  const nodes = [places[0].at, ...places.filter((_, k) => k % 2).map((each) => each.at)];
  const slope = nodes.map((_, k) => nodes[Math.min(k + 1, nodes.length - 1)].clone().sub(nodes[Math.max(k - 1, 0)]).multiplyScalar(k && k < nodes.length - 1 ? 0.5 : 1));
  let turn: Quaternion | null = null;
  return (e, part) => {
    const [a, b, m, n] = [nodes[e], nodes[e + 1], slope[e], slope[e + 1]];
    const [s, r] = [part, 1 - part];
    const at = a.clone().multiplyScalar((1 + 2 * s) * r * r).addScaledVector(m, s * r * r).addScaledVector(b, s * s * (3 - 2 * s)).addScaledVector(n, -s * s * r);
    const way = b.clone().sub(a).multiplyScalar(6 * s * r).addScaledVector(m, r * (1 - 3 * s)).addScaledVector(n, s * (3 * s - 2)).normalize();
    const x = new Vector3(1, 0, 0);
    if (way.lengthSq() > 0) {
      turn ??= new Quaternion();
      const least = new Quaternion().setFromUnitVectors(x.applyQuaternion(turn), way);
      turn = least.multiply(turn).normalize();
    }
    return { at, turn: (turn ?? new Quaternion()).clone() };
  };
}
