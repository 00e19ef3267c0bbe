/** An arrow for a force (one head) or a torque (two heads). */
import { ConeGeometry, Group, Mesh, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { cylinder } from "./shapes";

const Z = new Vector3(0, 0, 1);

export class Arrow {
  readonly object = new Group();
  private readonly shaft: Mesh;
  private readonly heads: Mesh[] = [];
  private readonly material = new MeshBasicMaterial({ transparent: true, opacity: 0.9, depthTest: false });

  constructor(heads: 1 | 2) {
    this.shaft = new Mesh(cylinder(1, 1, 12).translate(0, 0, 0.5), this.material);
    this.object.add(this.shaft); // before everything: an arrow inside a body would say nothing
    this.shaft.renderOrder = 5;
    for (let i = 0; i < heads; i++) {
      const head = new Mesh(new ConeGeometry(1, 1, 18).rotateX(Math.PI / 2).translate(0, 0, -0.5), this.material);
      head.renderOrder = 5;
      this.heads.push(head);
      this.object.add(head);
    }
    this.show(false); // until its vector is known: a model that has not moved has none
  }

  private show(visible: boolean): void {
    for (const mesh of [this.shaft, ...this.heads]) mesh.visible = visible;
  }

  /** What a click on it means. */
  choose(chosen: { kind: string; name: string }): void {
    for (const mesh of [this.shaft, ...this.heads]) mesh.userData.chosen = chosen;
  }

  setColour(colour: string): void {
    this.material.color.set(colour);
  }

  set(from: Vector3, vector: Vector3, radius: number): void {
    const length = vector.length();
    const tiny = length < 0.05 * radius || !Number.isFinite(length);
    this.show(!tiny);
    if (tiny) return;
    this.object.position.copy(from);
    this.object.quaternion.copy(new Quaternion().setFromUnitVectors(Z, vector.clone().divideScalar(length)));
    const thick = Math.min(0.34 * radius, 0.08 * length);
    const head = Math.min(2.6 * radius, 0.5 * length);
    this.shaft.scale.set(thick, thick, Math.max(length - 0.9 * head, 1e-9));
    this.heads.forEach((cone, i) => {
      cone.scale.set(0.34 * head, 0.34 * head, head);
      cone.position.set(0, 0, length - 0.62 * head * i);
    });
  }
}
