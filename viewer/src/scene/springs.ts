/** Elements between two points: springs as coils, dampers as a sleeve on a rod, anything else as a thin rod. */
import { Mesh, MeshStandardMaterial, Quaternion, Vector3 } from "three";
import type { End } from "../document";
import { helix } from "./joints";
import { cylinder, merged, painted } from "./shapes";

const Z = new Vector3(0, 0, 1);

export function springLike(kind: string): boolean {
  return kind === "spring_damper" || kind === "table_spring";
}

export class Link {
  readonly mesh: Mesh;

  constructor(
    readonly a: End,
    readonly b: End,
    coil: boolean,
    damped: boolean,
    radius: number,
    opacity: number,
  ) {
    const shapes = [];
    if (coil) {
      // unit length along z, stretched to the length of the spring
      shapes.push(helix(1.5 * radius, 0.84, 9, 0.26 * radius).translate(0, 0, 0.5));
      shapes.push(cylinder(0.26 * radius, 0.09, 8).translate(1.5 * radius, 0, 0.045));
      shapes.push(cylinder(0.26 * radius, 0.09, 8).translate(1.5 * radius, 0, 0.955));
    } else {
      shapes.push(cylinder(0.28 * radius, 1, 10).translate(0, 0, 0.5));
    }
    if (coil && damped) {
      shapes.push(cylinder(0.3 * radius, 1, 10).translate(0, 0, 0.5), cylinder(0.7 * radius, 0.5, 16).translate(0, 0, 0.32));
    }
    const material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.5, metalness: 0.1 });
    if (opacity < 1) Object.assign(material, { transparent: true, opacity });
    this.mesh = new Mesh(merged(shapes.map((shape) => painted(shape, "#ffffff")))!, material);
    this.mesh.castShadow = true;
  }

  setColour(colour: string): void {
    (this.mesh.material as MeshStandardMaterial).color.set(colour);
  }

  stretch(from: Vector3, to: Vector3): void {
    const along = to.clone().sub(from);
    const length = along.length();
    this.mesh.position.copy(from);
    this.mesh.scale.set(1, 1, Math.max(length, 1e-9));
    if (length > 0) this.mesh.quaternion.copy(new Quaternion().setFromUnitVectors(Z, along.divideScalar(length)));
  }
}
