/** Contacts: the force of a on b, the points that touch, and the planes that bodies lie on. */
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  Points,
  PointsMaterial,
  Vector3,
} from "three";
import type { Contact } from "../document";
import type { Run } from "../run";
import { Arrow } from "./arrows";
import type { Theme } from "./palette";
import { matrixOf } from "./shapes";

/** States of a contact, by their numbers in results. */
export const STATES = ["open", "sticking", "sliding"] as const;
export type State = (typeof STATES)[number];

/** The state at a time; it does not change gradually. */
export function stateAt(run: Run, name: string, t: number): State {
  const channel = run.find("contact", name, "state");
  return STATES[channel ? Math.round(run.before(channel, t)) : 0] ?? "open";
}

export class ContactMark {
  readonly object = new Group();
  readonly arrow = new Arrow(1);
  private readonly dots: Points<BufferGeometry, PointsMaterial>;
  private readonly places: Float32Array;

  constructor(
    private readonly run: Run,
    readonly contact: Contact,
  ) {
    const count = run.touchingCount(contact.name);
    this.places = new Float32Array(3 * count);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(this.places, 3));
    this.dots = new Points(geometry, new PointsMaterial({ size: 8, sizeAttenuation: false, depthTest: false, transparent: true, opacity: 0.95 }));
    this.dots.material.onBeforeCompile = (shader) => {
      shader.fragmentShader = shader.fragmentShader.replace("void main() {", "void main() {\n  if (length(gl_PointCoord - 0.5) > 0.5) discard;"); // round
    };
    this.dots.frustumCulled = false;
    this.dots.renderOrder = 4;
    this.dots.raycast = () => {};
    this.arrow.choose({ kind: "contact", name: contact.name });
    this.object.add(this.dots, this.arrow.object);
  }

  /** How many points touch now. */
  touching = 0;

  move(t: number, theme: Theme, chosen: boolean, longest: number, length: number, radius: number): void {
    const points = this.run.touchingAt(this.contact.name, t);
    this.touching = points.length;
    points.forEach((point, k) => this.places.set(point, 3 * k));
    this.dots.geometry.setDrawRange(0, points.length);
    this.dots.geometry.attributes.position.needsUpdate = true;
    const colour = chosen ? theme.select : stateAt(this.run, this.contact.name, t) === "sliding" ? theme.slide : theme.stick;
    this.dots.material.color.set(colour);
    this.arrow.setColour(colour);
    const force = this.run.find("contact", this.contact.name, "force");
    const place = this.run.find("contact", this.contact.name, "point");
    const vector = force && place ? new Vector3(...this.run.at(force, t)) : new Vector3();
    this.arrow.set(place ? new Vector3(...this.run.at(place, t)) : new Vector3(), vector.multiplyScalar(longest > 0 ? length / longest : 0), radius);
  }

  /** Where it acts, or where a point touches; null while it is open. */
  where(t: number): Vector3 | null {
    const [first] = this.run.touchingAt(this.contact.name, t);
    const place = this.run.find("contact", this.contact.name, "point");
    if (place && stateAt(this.run, this.contact.name, t) !== "open") return new Vector3(...this.run.at(place, t));
    return first ? new Vector3(...first) : null;
  }
}

/** A piece of the plane z = 0 of a frame. */
export function planePiece(pose: ArrayLike<number>, size: number): Mesh<BufferGeometry, MeshStandardMaterial> {
  const material = new MeshStandardMaterial({ transparent: true, opacity: 0.22, side: DoubleSide, depthWrite: false, roughness: 0.9 });
  const mesh = new Mesh(new PlaneGeometry(size, size).applyMatrix4(matrixOf(pose)), material);
  mesh.renderOrder = 1;
  mesh.raycast = () => {};
  return mesh;
}

/** A shape that stands in a contact, over what the body has of its own: translucent, with its edges. */
export function faintPart(geometry: BufferGeometry, colour: string): Group {
  const group = new Group();
  const skin = new MeshStandardMaterial({ color: colour, transparent: true, opacity: 0.24, depthWrite: false, roughness: 0.9 });
  const edges = new LineSegments(new EdgesGeometry(geometry, 24), new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.7 }));
  group.add(new Mesh(geometry, skin), edges);
  for (const child of group.children) {
    child.renderOrder = 1;
    child.raycast = () => {};
  }
  return group;
}
