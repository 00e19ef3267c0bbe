/** Geometry of the parts of bodies. Every function gives triangles in the frame of the part, its axis along z. */
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  LatheGeometry,
  Matrix4,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector2,
  Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Part } from "../document";
import { fromBase64 } from "../pack";

const ROUND = 40;
const THIN = 1e-4; // a plate without height is drawn this thick, as part of its other edges

export function matrixOf(pose: ArrayLike<number>): Matrix4 {
  return new Matrix4().compose(
    new Vector3(pose[0], pose[1], pose[2]),
    new Quaternion(pose[4], pose[5], pose[6], pose[3]),
    new Vector3(1, 1, 1),
  );
}

function upright(geometry: BufferGeometry): BufferGeometry {
  return geometry.rotateX(Math.PI / 2); // three's axis is y, ours is z
}

export function cylinder(radius: number, length: number, segments = ROUND): BufferGeometry {
  return upright(new CylinderGeometry(radius, radius, length, segments));
}

export function ball(radius: number, segments = ROUND): BufferGeometry {
  return new SphereGeometry(radius, segments, segments / 2);
}

/** A rod from one point to another, with round ends. */
export function rodBetween(a: Vector3, b: Vector3, radius: number): BufferGeometry {
  const along = b.clone().sub(a);
  const geometry = upright(new CapsuleGeometry(radius, along.length(), 6, 16));
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), along.clone().normalize());
  return geometry.applyMatrix4(
    new Matrix4().compose(a.clone().add(b).multiplyScalar(0.5), turn, new Vector3(1, 1, 1)),
  );
}

/** Geometry of one part; `thickness` is the radius of what has none of its own (a thin rod). */
export function partGeometry(part: Part, thickness: number): BufferGeometry {
  const d = part.size;
  switch (part.kind) {
    case "box": {
      const least = THIN * Math.max(d.size_x, d.size_y, d.size_z, thickness);
      return new BoxGeometry(Math.max(d.size_x, least), Math.max(d.size_y, least), Math.max(d.size_z, least));
    }
    case "sphere":
    case "shell":
      return ball(d.radius);
    case "cylinder":
      return cylinder(Math.max(d.radius, THIN * d.length), Math.max(d.length, THIN * d.radius));
    case "disc":
      return cylinder(d.radius, 0.02 * d.radius);
    case "hollow_cylinder":
      return ring(d.inner_radius, Math.max(d.outer_radius, d.inner_radius * 1.01), d.length);
    case "capsule":
      return upright(new CapsuleGeometry(d.radius, d.length, 12, ROUND));
    case "rod":
      return upright(new CapsuleGeometry(thickness, Math.max(d.length, thickness), 6, 20));
    case "cone": // its centre of mass, a quarter of the height above the base, is the origin
      return upright(new ConeGeometry(d.radius, d.height, ROUND)).translate(0, 0, d.height / 4);
    case "ellipsoid":
      return ball(1).scale(d.semi_x, d.semi_y, d.semi_z);
    case "torus":
      return new TorusGeometry(d.ring_radius, Math.max(d.tube_radius, THIN * d.ring_radius), 20, 64);
    case "mesh":
      return meshGeometry(part);
    default:
      return ball(thickness * 2);
  }
}

function ring(inner: number, outer: number, length: number): BufferGeometry {
  const h = length / 2;
  const outline = [
    [inner, -h],
    [outer, -h],
    [outer, h],
    [inner, h],
    [inner, -h],
  ].map(([x, y]) => new Vector2(x, y));
  // each face by itself, so that its normals stay sharp at the edges
  const faces = outline.slice(1).map((end, i) => new LatheGeometry([outline[i], end], ROUND));
  return upright(mergeGeometries(faces)!);
}

/** Flat faces: files of machines have edges. */
function meshGeometry(part: Part): BufferGeometry {
  const geometry = new BufferGeometry();
  if (!part.mesh) return geometry;
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(fromBase64(part.mesh.corners).buffer), 3));
  geometry.computeVertexNormals();
  return geometry;
}

export function painted(geometry: BufferGeometry, colour: string): BufferGeometry {
  const plain = geometry;
  if (!plain.index) plain.setIndex(Array.from({ length: plain.attributes.position.count }, (_, i) => i));
  for (const name of Object.keys(plain.attributes)) {
    if (name !== "position" && name !== "normal") plain.deleteAttribute(name);
  }
  const count = plain.attributes.position.count;
  const rgb = new Color(colour);
  const colours = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) colours.set([rgb.r, rgb.g, rgb.b], 3 * i);
  plain.setAttribute("color", new BufferAttribute(colours, 3));
  return plain;
}

/** One geometry of many, so that a body is one call to the graphics card. */
export function merged(geometries: BufferGeometry[]): BufferGeometry | null {
  return geometries.length ? mergeGeometries(geometries) : null;
}
