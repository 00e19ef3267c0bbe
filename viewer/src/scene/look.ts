/** How bodies are seen: how transparent they are, and where they are cut open. */
import { DoubleSide, FrontSide, Plane, Vector3, type Box3, type Mesh, type MeshStandardMaterial } from "three";

/** A plane across an axis of the world; what lies beyond it is not drawn. */
export interface Section {
  axis: 0 | 1 | 2;
  /** From the lower to the upper end of the box around everything. */
  part: number;
  /** The lower side is taken away. */
  flip: boolean;
}

/** How flexible bodies are bent and coloured. */
export interface Bending {
  /** Deformations are drawn so many times as large. */
  scale: number;
  colour: "body" | "displacement" | "stress";
  /** A mode that swings, in place of the motion; -1: the motion. */
  mode: number;
}

export interface Look {
  bending: Bending;
  /** The quantity by which beams and cables are coloured; "" for none. */
  along: string;
  /** Of all bodies, and of single ones in addition. */
  opacity: number;
  own: Map<string, number>;
  section: Section | null;
}

/** Where a section cuts [m]. */
export function sectionAt(section: Section, box: Box3): number {
  const [low, high] = [box.min.getComponent(section.axis), box.max.getComponent(section.axis)];
  return low + section.part * (high - low);
}

/** The plane of a section; what has a positive distance from it stays. */
export function planeOf(section: Section | null, box: Box3): Plane | null {
  if (!section) return null;
  const sign = section.flip ? 1 : -1;
  return new Plane(new Vector3().setComponent(section.axis, sign), -sign * sectionAt(section, box));
}

/** Draw meshes of a body with an opacity (times the one that they were made with), cut by a plane. */
export function applyLook(meshes: Mesh[], opacity: number, plane: Plane | null): void {
  for (const mesh of meshes) {
    const material = mesh.material as MeshStandardMaterial;
    mesh.userData.opacity ??= material.opacity;
    material.opacity = mesh.userData.opacity * opacity;
    material.transparent = material.opacity < 1;
    material.depthWrite = opacity === 1 && !mesh.userData.surface; // what is inside would not be drawn
    material.clippingPlanes = plane ? [plane] : null;
    material.clipShadows = true;
    material.side = plane ? DoubleSide : FrontSide;
    material.needsUpdate = true;
  }
}
