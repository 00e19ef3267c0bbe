/** The stage: renderer, lights, floor with grid and axes, camera with its presets. Knows nothing of mechanisms. */
import {
  AmbientLight,
  ArrowHelper,
  Box3,
  Color,
  DirectionalLight,
  DoubleSide,
  Group,
  HemisphereLight,
  Mesh,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  Quaternion,
  Scene,
  ShaderMaterial,
  ShadowMaterial,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Theme } from "./palette";

export const PRESETS = ["iso", "front", "right", "top"] as const;
export type Preset = (typeof PRESETS)[number];

const FIELD_OF_VIEW = 32;
const FILLED = 0.84; // of the picture, by the box around everything

/** A length of the form 1, 2, 5 times a power of ten. */
export function niceLength(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  const digit = [1, 2, 5, 10].reduce((best, k) =>
    Math.abs(Math.log((k * power) / length)) < Math.abs(Math.log((best * power) / length)) ? k : best,
  );
  return digit * power;
}

/** The coordinate axis that points most against gravity; z where there is none. */
export function upAxis(gravity: ArrayLike<number>): Vector3 {
  const g = Array.from(gravity);
  const strongest = [2, 1, 0].reduce((best, k) => (Math.abs(g[k]) > Math.abs(g[best]) ? k : best));
  const up = new Vector3();
  up.setComponent(strongest, g[strongest] > 0 ? -1 : 1);
  return up;
}

function corners(box: Box3): Vector3[] {
  const { min, max } = box;
  return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z));
}

const GRID_VERTEX = `
varying vec3 world;
void main() {
  vec4 p = modelMatrix * vec4(position, 1.0);
  world = (vec4(position, 1.0)).xyz;
  gl_Position = projectionMatrix * viewMatrix * p;
}`;

// lines one pixel wide at any distance, fainter far away; every fifth stronger
const GRID_FRAGMENT = `
uniform vec3 colour;
uniform float cell;
uniform float reach;
uniform float strength;
varying vec3 world;
float lines(float spacing) {
  vec2 at = world.xy / spacing;
  vec2 width = fwidth(at);
  vec2 distance = abs(fract(at - 0.5) - 0.5) / max(width, vec2(1e-6));
  float line = 1.0 - min(min(distance.x, distance.y), 1.0);
  return line * (1.0 - smoothstep(0.15, 0.6, max(width.x, width.y)));
}
void main() {
  float fade = 1.0 - smoothstep(0.25, 1.0, length(world.xy) / reach);
  float line = max(0.55 * lines(cell), lines(5.0 * cell));
  gl_FragColor = vec4(colour, line * fade * strength);
  if (gl_FragColor.a < 0.004) discard;
  #include <colorspace_fragment>
}`;

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  readonly renderer: WebGLRenderer;
  readonly controls: OrbitControls;
  readonly up: Vector3;
  readonly floor = new Group();
  readonly axes = new Group();
  readonly cell: number;
  private readonly sun = new DirectionalLight("#ffffff", 1.9);
  /** From where the viewer stands, so that no side is ever black. */
  private readonly lamp = new DirectionalLight("#ffffff", 0.9);
  private readonly sky = new HemisphereLight("#ffffff", "#aaaaaa", 2.1);
  private readonly grid: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly shadow: Mesh<PlaneGeometry, ShadowMaterial>;
  /** Direction to the viewer for the preset "iso", and for a flat motion the one at right angles to it. */
  private readonly home: Vector3;
  /** Whether shadows fall on the floor; not below a road, which is seen through. */
  private floorShadow = true;
  /** From where everything was last brought into sight; null once the user has moved the camera. */
  private preferred: Vector3 | null = null;
  width = 1;
  height = 1;

  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly centre: Vector3,
    readonly size: number,
    gravity: ArrayLike<number>,
    readonly box: Box3,
    flat: Vector3 | null,
    keepPicture: boolean,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: keepPicture });
    this.renderer.shadowMap.enabled = true;
    this.renderer.localClippingEnabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.up = upAxis(gravity);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("start", () => (this.preferred = null));

    const side = this.side();
    const forward = new Vector3().crossVectors(this.up, side);
    // from the front, the right and above; nearly along the normal where everything moves in one upright plane
    this.home = forward.clone().negate().addScaledVector(side, 0.62).addScaledVector(this.up, 0.48).normalize();
    if (flat && Math.abs(flat.dot(this.up)) < 0.5) {
      const normal = flat.clone().multiplyScalar(flat.dot(this.home) < 0 ? -1 : 1);
      const across = new Vector3().crossVectors(this.up, normal);
      this.home = normal.addScaledVector(across, 0.22).addScaledVector(this.up, 0.2).normalize();
    }

    this.scene.add(this.sky, new AmbientLight("#ffffff", 0.55), this.sun, this.sun.target, this.lamp, this.lamp.target, this.floor, this.axes);
    this.sun.castShadow = true;
    const fine = keepPicture ? 2048 : 1024;
    this.sun.shadow.mapSize.set(fine, fine);
    this.sun.shadow.bias = -0.001;
    this.sun.shadow.normalBias = 0.007 * size;
    this.sun.shadow.radius = 4;
    const reach = 0.75 * size;
    const frustum = this.sun.shadow.camera;
    frustum.left = frustum.bottom = -reach;
    frustum.right = frustum.top = reach;
    frustum.near = 0.1 * size;
    frustum.far = 4 * size;
    this.sun.position.copy(centre).addScaledVector(this.up, 1.6 * size).addScaledVector(side, 0.7 * size).addScaledVector(forward, -0.5 * size);
    this.sun.target.position.copy(centre);

    this.cell = niceLength(size / 12);
    this.grid = new Mesh(
      new PlaneGeometry(1, 1),
      new ShaderMaterial({
        vertexShader: GRID_VERTEX,
        fragmentShader: GRID_FRAGMENT,
        transparent: true,
        depthWrite: false,
        side: DoubleSide,
        uniforms: {
          colour: { value: new Color() },
          cell: { value: this.cell },
          reach: { value: 2.2 * size },
          strength: { value: 0.5 },
        },
      }),
    );
    this.shadow = new Mesh(new PlaneGeometry(6 * size, 6 * size), new ShadowMaterial({ opacity: 0.16, depthWrite: false }));
    this.shadow.receiveShadow = true;
    this.grid.geometry = new PlaneGeometry(4.6 * size, 4.6 * size);
    this.floor.add(this.shadow, this.grid);
    this.floor.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), this.up);
    this.setFloor(box);
    this.buildAxes(0.9 * this.cell);
    this.preset("iso");
  }

  /** A horizontal axis: x, or y where x is up. */
  private side(): Vector3 {
    return Math.abs(this.up.x) > 0.5 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
  }

  /** The floor lies at zero if nothing is below it, and otherwise below everything. */
  private setFloor(box: Box3): void {
    const low = Math.min(...[box.min, box.max].map((corner) => corner.dot(this.up)));
    const level = low >= -1e-3 * this.size ? 0 : Math.floor((low - 0.02 * this.size) / this.cell) * this.cell;
    const origin = this.centre.clone().addScaledVector(this.up, level - this.centre.dot(this.up));
    // whole cells from the world's origin, so that the lines are at round coordinates
    const inverse = this.floor.quaternion.clone().invert();
    const local = origin.clone().applyQuaternion(inverse);
    local.x = Math.round(local.x / (5 * this.cell)) * 5 * this.cell;
    local.y = Math.round(local.y / (5 * this.cell)) * 5 * this.cell;
    this.floor.position.copy(local.applyQuaternion(this.floor.quaternion));
  }

  private buildAxes(length: number): void {
    const colours = ["#d1495b", "#3f9b5f", "#3b73c4"];
    colours.forEach((colour, k) => {
      const direction = new Vector3().setComponent(k, 1);
      this.axes.add(new ArrowHelper(direction, new Vector3(), length, colour, 0.22 * length, 0.11 * length));
    });
  }

  setTheme(theme: Theme): void {
    this.scene.background = new Color(theme.background);
    this.sky.color.set(theme.sky);
    this.sky.groundColor.set(theme.soil);
    this.grid.material.uniforms.colour.value.set(theme.grid);
    const dark = new Color(theme.background).getHSL({ h: 0, s: 0, l: 0 }).l < 0.5;
    this.shadow.material.opacity = dark ? 0.3 : 0.16;
    this.grid.material.uniforms.strength.value = dark ? 0.34 : 0.42;
  }

  setShadows(on: boolean): void {
    this.sun.castShadow = on;
    this.shadow.visible = on && this.floorShadow;
  }

  noFloorShadow(): void {
    this.floorShadow = this.shadow.visible = false;
  }

  get shadows(): boolean {
    return this.sun.castShadow;
  }

  resize(width: number, height: number, pixelRatio: number): void {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.renderer.setPixelRatio(pixelRatio);
    this.renderer.setSize(this.width, this.height, false);
    this.camera.aspect = this.width / this.height;
    this.camera.updateProjectionMatrix();
    if (this.preferred) this.lookFrom(this.preferred); // a panel that opens must not hide what was in sight
  }

  /** Look from a side, so that everything that ever moves is in sight. */
  preset(name: Preset): void {
    const side = this.side();
    const forward = new Vector3().crossVectors(this.up, side);
    const directions: Record<Preset, Vector3> = {
      iso: this.home,
      front: forward.clone().negate(),
      right: side,
      top: this.up.clone().addScaledVector(forward, -1e-3).normalize(),
    };
    this.lookFrom(directions[name]);
  }

  /** Stand so far away in a direction that the box around everything just fits, and look at its middle. */
  lookFrom(direction: Vector3): void {
    this.preferred = direction;
    const tall = Math.tan((FIELD_OF_VIEW / 2) * (Math.PI / 180)) * FILLED;
    const wide = tall * this.camera.aspect;
    const right = new Vector3().crossVectors(this.up, direction).normalize();
    const over = new Vector3().crossVectors(direction, right);
    const seen = corners(this.box).map((corner) => {
      const p = corner.sub(this.centre);
      return { x: p.dot(right), y: p.dot(over), z: p.dot(direction) };
    });
    const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
    const [x, y] = [middle(seen.map((p) => p.x)), middle(seen.map((p) => p.y))];
    const fits = seen.map((p) => p.z + Math.max(Math.abs(p.x - x) / wide, Math.abs(p.y - y) / tall));
    const distance = Math.max(...fits, 0.05 * this.size);
    const target = this.centre.clone().addScaledVector(right, x).addScaledVector(over, y);
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(direction, distance);
    this.camera.near = distance / 200;
    this.camera.far = distance + 40 * this.size;
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  /** Move camera and target along with something. */
  carry(shift: Vector3): void {
    this.preferred = null;
    this.camera.position.add(shift);
    this.controls.target.add(shift);
  }

  zoom(factor: number): void {
    this.preferred = null;
    const arm = this.camera.position.clone().sub(this.controls.target);
    this.camera.position.copy(this.controls.target).addScaledVector(arm, factor);
  }

  orbit(angle: number): void {
    this.preferred = null;
    const arm = this.camera.position.clone().sub(this.controls.target);
    arm.applyQuaternion(new Quaternion().setFromAxisAngle(this.up, angle));
    this.camera.position.copy(this.controls.target).add(arm);
  }

  /** Pixels from the upper left corner of the canvas, and whether it is before the camera. */
  project(point: Vector3): { x: number; y: number; visible: boolean } {
    this.camera.updateMatrixWorld();
    const p = point.clone().project(this.camera);
    return { x: ((p.x + 1) / 2) * this.width, y: ((1 - p.y) / 2) * this.height, visible: p.z < 1 && p.z > -1 };
  }

  render(): void {
    this.lamp.position.copy(this.camera.position);
    this.lamp.target.position.copy(this.controls.target);
    this.renderer.render(this.scene, this.camera);
  }
}
