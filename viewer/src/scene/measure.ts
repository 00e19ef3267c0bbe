/** The distance between two points that the user has clicked; each stays on its body while that moves. */
import { BufferGeometry, Group, Line, LineBasicMaterial, Points, PointsMaterial, Vector3 } from "three";
import type { Mechanism } from "./mechanism";

export interface Held {
  body: number;
  /** In the body's frame. */
  at: Vector3;
}

export class Measure {
  readonly object = new Group();
  readonly held: Held[] = [];
  on = false;
  private readonly geometry = new BufferGeometry();
  private readonly line = new Line(this.geometry, new LineBasicMaterial({ depthTest: false, transparent: true }));
  private readonly dots = new Points(this.geometry, new PointsMaterial({ size: 9, sizeAttenuation: false, depthTest: false, transparent: true }));

  constructor(private readonly mechanism: Mechanism) {
    for (const part of [this.line, this.dots]) {
      part.renderOrder = 6;
      part.frustumCulled = false;
      part.raycast = () => {};
      this.object.add(part);
    }
    this.object.visible = false;
  }

  setColour(colour: string): void {
    this.line.material.color.set(colour);
    this.dots.material.color.set(colour);
  }

  /** One more point of a body, in the world; a third one begins anew. */
  add(body: number, point: Vector3): void {
    if (this.held.length === 2) this.held.length = 0;
    const frame = this.mechanism.bodies[body];
    this.held.push({ body, at: point.clone().sub(frame.position).applyQuaternion(frame.quaternion.clone().invert()) });
  }

  clear(): void {
    this.held.length = 0;
  }

  /** Where the points are now. */
  get points(): Vector3[] {
    return this.held.map(({ body, at }) => this.mechanism.worldPoint(body, at.toArray()));
  }

  /** From the first point to the second; null until both are there. */
  get way(): Vector3 | null {
    const [a, b] = this.points;
    return a && b ? b.sub(a) : null;
  }

  move(): void {
    const points = this.points;
    this.object.visible = points.length > 0;
    if (points.length) this.geometry.setFromPoints(points.length === 1 ? [points[0], points[0]] : points);
  }
}
