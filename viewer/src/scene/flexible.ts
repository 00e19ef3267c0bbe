/** The surface of a flexible body: bent by its modal coordinates, coloured by what happens to it. */
import { BufferAttribute, BufferGeometry, Color, Mesh, type MeshStandardMaterial } from "three";
import type { FlexibleNumbers } from "../document";
import { fromBase64 } from "../pack";

const STOPS = ["#30407a", "#2f8fb3", "#4fb783", "#e3c74f", "#c8402f"].map((each) => new Color(each));
const SWING = 0.1; // of the body's size: how far a mode that is shown by itself moves

/** From blue (0) to red (1). */
export function heat(part: number, out: Color): Color {
  const x = Math.min(Math.max(part, 0), 1) * (STOPS.length - 1);
  const k = Math.min(Math.floor(x), STOPS.length - 2);
  return out.copy(STOPS[k]).lerp(STOPS[k + 1], x - k);
}

/** Von Mises of xx, yy, zz, xy, yz, zx. */
export function vonMises(s: ArrayLike<number>, at = 0): number {
  const [x, y, z, a, b, c] = [s[at], s[at + 1], s[at + 2], s[at + 3], s[at + 4], s[at + 5]];
  return Math.sqrt(0.5 * ((x - y) ** 2 + (y - z) ** 2 + (z - x) ** 2) + 3 * (a * a + b * b + c * c));
}

export class FlexibleMesh {
  readonly mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  /** Number of modes. */
  readonly count: number;
  private readonly nodes: Float32Array;
  private readonly modes: Float32Array;
  private readonly stresses: Float32Array | null;
  private readonly moved: Float32Array;
  private readonly stress: Float32Array;
  private readonly own: Color;
  private painted = false;

  constructor(numbers: FlexibleNumbers, material: MeshStandardMaterial, colour: string) {
    this.nodes = new Float32Array(fromBase64(numbers.nodes).buffer);
    this.modes = new Float32Array(fromBase64(numbers.modes).buffer);
    this.stresses = numbers.stresses ? new Float32Array(fromBase64(numbers.stresses).buffer) : null;
    this.count = this.modes.length / this.nodes.length;
    this.moved = new Float32Array(this.nodes.length);
    this.stress = new Float32Array(this.stresses ? 2 * this.nodes.length : 0);
    this.own = new Color(colour);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(this.nodes.slice(), 3));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(this.nodes.length), 3));
    geometry.setIndex(new BufferAttribute(new Uint32Array(fromBase64(numbers.faces).buffer), 1));
    geometry.computeVertexNormals();
    this.mesh = new Mesh(geometry, material);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false; // its box changes as it bends
    this.paint(() => this.own);
  }

  /** True if it can be coloured by stress. */
  get stressed(): boolean {
    return this.stresses !== null;
  }

  /** Sum of the fields of unit modal coordinates. */
  private sum(fields: Float32Array, eta: ArrayLike<number>, out: Float32Array): void {
    out.fill(0);
    for (let j = 0; j < this.count; j++) {
      const x = eta[j];
      if (x === 0) continue;
      const first = j * out.length;
      for (let i = 0; i < out.length; i++) out[i] += x * fields[first + i];
    }
  }

  /** The value at every node, largest of all nodes. */
  largest(eta: ArrayLike<number>, what: "displacement" | "stress"): number {
    this.evaluate(eta, what);
    let most = 0;
    for (let a = 0; a < this.nodes.length / 3; a++) most = Math.max(most, this.value(a, what));
    return most;
  }

  private evaluate(eta: ArrayLike<number>, what: "displacement" | "stress"): void {
    if (what === "stress" && this.stresses) this.sum(this.stresses, eta, this.stress);
    else this.sum(this.modes, eta, this.moved);
  }

  private value(node: number, what: "displacement" | "stress"): number {
    if (what === "stress" && this.stresses) return vonMises(this.stress, 6 * node);
    return Math.hypot(this.moved[3 * node], this.moved[3 * node + 1], this.moved[3 * node + 2]);
  }

  /** The amplitude with which a mode is seen well. */
  swing(mode: number): number {
    const unit = Array.from({ length: this.count }, (_, j) => (j === mode ? 1 : 0));
    const box = [0, 1, 2].map((k) => {
      let [low, high] = [Infinity, -Infinity];
      for (let i = k; i < this.nodes.length; i += 3) [low, high] = [Math.min(low, this.nodes[i]), Math.max(high, this.nodes[i])];
      return high - low;
    });
    return (SWING * Math.hypot(...box)) / (this.largest(unit, "displacement") || 1);
  }

  /** The largest value while a mode swings. */
  largestOf(mode: number, what: "displacement" | "stress"): number {
    return this.largest(Array.from({ length: this.count }, (_, j) => (j === mode ? this.swing(mode) : 0)), what);
  }

  /** Bend it, and colour it: `most` is the value of the warmest colour. */
  bend(eta: ArrayLike<number>, scale: number, colour: "body" | "displacement" | "stress", most: number): void {
    const geometry = this.mesh.geometry;
    if (colour === "stress") this.evaluate(eta, "stress");
    this.evaluate(eta, "displacement");
    const position = geometry.attributes.position.array as Float32Array;
    for (let i = 0; i < position.length; i++) position[i] = this.nodes[i] + scale * this.moved[i];
    geometry.attributes.position.needsUpdate = true;
    geometry.computeVertexNormals();
    geometry.boundingSphere = geometry.boundingBox = null;
    if (colour !== "body") {
      const out = new Color();
      this.paint((node) => heat(most > 0 ? this.value(node, colour) / most : 0, out));
      this.painted = true;
    } else if (this.painted) {
      this.paint(() => this.own);
      this.painted = false;
    }
  }

  private paint(colourOf: (node: number) => Color): void {
    const colours = this.mesh.geometry.attributes.color.array as Float32Array;
    for (let node = 0; node < colours.length / 3; node++) colourOf(node).toArray(colours, 3 * node);
    this.mesh.geometry.attributes.color.needsUpdate = true;
  }
}
