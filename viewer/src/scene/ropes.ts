/** Ropes over sheaves and through eyes: a thin tube along the spans and arcs, and a ring for each sheave. */
import { BufferAttribute, BufferGeometry, Mesh, MeshStandardMaterial, TorusGeometry, Vector3 } from "three";
import type { RopePoint } from "../document";

const ROUND = 6; // corners of the tube
const ARC = 24; // points of an arc
const STEPS = 60; // of the search for tangents: it halves its error at least, unless sheaves nearly touch

/** A point of the rope in the world: its centre and two axes in the plane of its sheave. */
export interface PlacedPoint {
  centre: Vector3;
  ex: Vector3;
  ey: Vector3;
  radius: number;
  side: number;
}

function angleTowards(point: PlacedPoint, target: Vector3, turn: number): number {
  const to = target.clone().sub(point.centre);
  const [x, y] = [to.dot(point.ex), to.dot(point.ey)];
  return Math.atan2(y, x) - turn * Math.acos(Math.min(1, point.radius / Math.max(Math.hypot(x, y), 1e-300)));
}

function onRim(point: PlacedPoint, angle: number): Vector3 {
  const { centre, ex, ey, radius } = point;
  return centre.clone().addScaledVector(ex, radius * Math.cos(angle)).addScaledVector(ey, radius * Math.sin(angle));
}

/** Angles at which the rope leaves a and reaches b. */
export function tangent(a: PlacedPoint, b: PlacedPoint): [number, number] {
  let [out, into] = [0, 0];
  let q = b.centre;
  for (let n = 0; n < STEPS; n++) {
    if (a.radius > 0) out = angleTowards(a, q, a.side);
    const p = onRim(a, out);
    if (b.radius > 0) into = angleTowards(b, p, -b.side);
    const next = onRim(b, into);
    if (next.distanceTo(q) < 1e-9 * (1 + next.length())) break;
    q = next;
  }
  return [out, into];
}

/** The rope as a line, with the same number of points at any time. */
export function ropeLine(points: PlacedPoint[], closed: boolean): Vector3[] {
  const spans = closed ? points.length : points.length - 1;
  const angles = Array.from({ length: spans }, (_, k) => tangent(points[k], points[(k + 1) % points.length]));
  const line: Vector3[] = [];
  for (let k = 0; k < points.length; k++) {
    const point = points[k];
    const out = angles[k]?.[0];
    const into = angles[k > 0 ? k - 1 : closed ? spans - 1 : -1]?.[1];
    if (point.radius === 0 || out === undefined || into === undefined) {
      line.push(onRim(point, out ?? into ?? 0));
      continue;
    }
    const from = -Math.PI / 2;
    const turn = 2 * Math.PI;
    const whole = (((point.side * (out - into) - from) % turn) + turn) % turn;
    const arc = whole + from;
    for (let i = 0; i <= ARC; i++) line.push(onRim(point, into + (point.side * arc * i) / ARC));
  }
  if (closed) line.push(line[0].clone());
  return line;
}

export class RopeTube {
  readonly mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  readonly rings: Mesh<TorusGeometry, MeshStandardMaterial>[] = [];
  private count = 0;

  constructor(
    readonly points: RopePoint[],
    readonly closed: boolean,
    readonly thickness: number,
    opacity: number,
  ) {
    const material = new MeshStandardMaterial({ roughness: 0.6, metalness: 0.1 });
    if (opacity < 1) Object.assign(material, { transparent: true, opacity });
    this.mesh = new Mesh(new BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
    for (const point of points) {
      if (point.radius === 0) continue;
      const radius = Math.max(point.radius - thickness, 0.5 * point.radius);
      const ring = new Mesh(new TorusGeometry(radius, thickness, 8, 48), material);
      this.rings.push(ring);
      this.mesh.add(ring);
    }
  }

  setColour(colour: string): void {
    this.mesh.material.color.set(colour);
  }

  /** Draw it where its points are. */
  move(placed: PlacedPoint[]): void {
    this.tube(ropeLine(placed, this.closed));
    let n = 0;
    for (const { centre, ex, ey, radius } of placed) {
      if (radius === 0) continue;
      const ring = this.rings[n++];
      ring.matrixAutoUpdate = false;
      ring.matrix.makeBasis(ex, ey, new Vector3().crossVectors(ex, ey)).setPosition(centre);
      ring.matrixWorldNeedsUpdate = true;
    }
  }

  private tube(line: Vector3[]): void {
    const geometry = this.mesh.geometry;
    if (this.count !== line.length) {
      this.count = line.length;
      geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * ROUND * line.length), 3));
      geometry.setAttribute("normal", new BufferAttribute(new Float32Array(3 * ROUND * line.length), 3));
      const faces: number[] = [];
      for (let k = 0; k + 1 < line.length; k++) {
        for (let i = 0; i < ROUND; i++) {
          const [a, b] = [k * ROUND + i, k * ROUND + ((i + 1) % ROUND)];
          faces.push(a, b, a + ROUND, b, b + ROUND, a + ROUND);
        }
      }
      geometry.setIndex(faces);
    }
    const position = geometry.getAttribute("position") as BufferAttribute;
    const normal = geometry.getAttribute("normal") as BufferAttribute;
    const [along, u, v, n] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
    line.forEach((point, k) => {
      along.subVectors(line[Math.min(k + 1, line.length - 1)], line[Math.max(k - 1, 0)]).normalize();
      // the same direction across for the whole line, as far as possible: no twist between its points
      u.set(0, 1, 0).addScaledVector(along, -along.y);
      if (u.lengthSq() < 1e-3) u.set(1, 0, 0).addScaledVector(along, -along.x);
      u.normalize();
      v.crossVectors(along, u);
      for (let i = 0; i < ROUND; i++) {
        const angle = (2 * Math.PI * i) / ROUND;
        n.copy(u).multiplyScalar(Math.cos(angle)).addScaledVector(v, Math.sin(angle));
        normal.setXYZ(k * ROUND + i, n.x, n.y, n.z);
        n.multiplyScalar(this.thickness).add(point);
        position.setXYZ(k * ROUND + i, n.x, n.y, n.z);
      }
    });
    position.needsUpdate = normal.needsUpdate = true;
  }
}
