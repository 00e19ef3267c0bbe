/** What is drawn of one run: bodies, joints, springs, traces, arrows; moved to any instant. */
import {
  BufferGeometry,
  Color,
  GreaterDepth,
  Group,
  LineDashedMaterial,
  LineSegments,
  Material,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Object3D,
  Plane,
  Points,
  PointsMaterial,
  Quaternion,
  Vector3,
} from "three";
import { LOOSE, type Body, type End, type Joint, type Model, type Motion } from "../document";
import type { Run } from "../run";
import { isFree } from "../kinematics";
import { Arrow } from "./arrows";
import { ContactMark, faintPart, planePiece } from "./contacts";
import { driveGlyph, jointAxes, jointGlyph } from "./joints";
import { FlexibleMesh } from "./flexible";
import { applyLook, type Bending, type Look } from "./look";
import { BODY_COLOURS, GROUND_COLOUR, RUN_COLOURS, type Theme } from "./palette";
import { SlenderMesh, type Place } from "./slender";
import { ball, matrixOf, merged, painted, partGeometry, rodBetween } from "./shapes";
import { RopeTube, type PlacedPoint } from "./ropes";
import { Link, springLike } from "./springs";
import { Trace } from "./traces";

export type Kind = "body" | "joint" | "force" | "constraint" | "marker" | "beam" | "contact" | "graph";

export interface Chosen {
  kind: Kind;
  name: string;
}

export interface Shown {
  bodies: boolean;
  joints: boolean;
  springs: boolean;
  traces: boolean;
  reactions: boolean;
  contacts: boolean;
}

const NEXT_TO_NOTHING = 1e-9;
const TINY = 0.004; // part of the scene's size below which a body is also a dot
const MOST_SEEN_THROUGH = 40; // joints that are also drawn where bodies hide them, and ...
const SWINGS = 4; // of a mode that is shown by itself, in the time of a run
const SURFACE_OPACITY = 0.7; // of roads and terrain
const MOST_WITH_AXES = 40; // ... whose axes are all drawn

/** Radius of a pin: small against the bodies, and against the scene. */
export function pinRadius(model: Model, size: number): number {
  const lengths = model.bodies
    .slice(1)
    .map((body) => bodyLength(model, body))
    .filter((length) => length > 0)
    .sort((a, b) => a - b);
  const middle = lengths.length ? lengths[lengths.length >> 1] : 0.2 * size;
  return Math.min(0.011 * size, 0.13 * middle);
}

function bodyLength(model: Model, body: Body): number {
  const index = model.bodies.indexOf(body);
  const points = body.links.flatMap((link) => [link.slice(0, 3), link.slice(3, 6)]);
  for (const joint of model.joints) {
    if (joint.child === index) points.push(joint.onChild.slice(0, 3));
    if (joint.parent === index) points.push(joint.onParent.slice(0, 3));
  }
  let longest = 0;
  for (const part of body.parts) longest = Math.max(longest, ...Object.entries(part.size).map(([name, value]) => (name.includes("radius") ? 2 * value : name.startsWith("scale") ? 0 : value)));
  for (const a of points) for (const b of points) longest = Math.max(longest, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
  return longest;
}

export class Mechanism {
  readonly group = new Group();
  readonly bodies: Group[] = [];
  readonly solids = new Map<string, Mesh[]>();
  private readonly pins = new Map<string, Mesh[]>();
  private readonly hidden: { mesh: Mesh; faint: Mesh<BufferGeometry, MeshBasicMaterial> }[] = [];
  readonly flexibles: { name: string; shape: FlexibleMesh }[] = [];
  private bending: Bending = { scale: 1, colour: "body", mode: -1 };
  readonly slender: SlenderMesh[] = [];
  readonly contacts: ContactMark[] = [];
  private readonly planes: ReturnType<typeof planePiece>[] = [];
  private chosenContact = "";
  private along = "";
  private readonly dots: Points[] = [];
  private readonly axisLines: LineSegments[] = [];
  private readonly outlines: Group[] = [];
  private readonly links: Link[] = [];
  private readonly ropes: RopeTube[] = [];
  private readonly drives: Mesh[] = [];
  readonly traces: Trace[] = [];
  private readonly forces: { joint: number; force: Arrow; torque: Arrow }[] = [];
  private readonly pushes: { name: string; what: "force" | "torque"; end: End; arrow: Arrow }[] = [];
  readonly radius: number;
  private readonly ghost: boolean;
  private readonly pose: number[] = new Array(7).fill(0);
  private readonly materials: Material[] = [];
  reactionScale = 1;
  private theme!: Theme;
  private chosenJoint = "";

  constructor(
    readonly run: Run,
    readonly number: number,
    readonly size: number,
    theme: Theme,
  ) {
    this.ghost = number > 0;
    this.radius = pinRadius(run.model, size);
    this.theme = theme;
    run.model.bodies.forEach((body, index) => this.addBody(body, index));
    this.addSlender();
    this.addJoints();
    this.addLinks();
    this.addRopes();
    this.addDrives();
    this.addTraces();
    this.addArrows();
    this.addContacts();
    this.setTheme(theme);
  }

  private material(): MeshStandardMaterial {
    const material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.62, metalness: 0.05 });
    if (this.ghost) Object.assign(material, { transparent: true, opacity: 0.38, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 4 });
    this.materials.push(material);
    return material;
  }

  colourOf(index: number): string {
    if (this.ghost) return RUN_COLOURS[1 + ((this.number - 1) % (RUN_COLOURS.length - 1))];
    return index === 0 ? GROUND_COLOUR : BODY_COLOURS[(index - 1) % BODY_COLOURS.length];
  }

  /** The colours in which a body is drawn, those of its shapes before its own. */
  coloursOf(index: number): string[] {
    const solid = this.run.model.bodies[index].parts.filter((part) => !part.cavity && !part.faint);
    const own = this.colourOf(index);
    if (this.ghost || !solid.length) return [own];
    return [...new Set(solid.map((part) => `#${new Color(part.colour || own).getHexString()}`))];
  }

  private addBody(body: Body, index: number): void {
    const frame = new Group();
    this.bodies.push(frame);
    this.group.add(frame);
    const thickness = 0.62 * this.radius;
    const colour = this.colourOf(index);
    const solid: BufferGeometry[] = [];
    const hollow: BufferGeometry[] = [];
    const surfaces: BufferGeometry[] = [];
    const hasCavity = body.parts.some((part) => part.cavity);
    const meshes: Mesh[] = [];
    for (const part of body.parts) {
      if (part.flexible) {
        const shape = new FlexibleMesh(part.flexible, this.material(), this.ghost ? colour : part.colour || colour);
        shape.mesh.userData.chosen = { kind: "body", name: body.name } satisfies Chosen;
        this.flexibles.push({ name: body.name, shape });
        frame.add(shape.mesh);
        meshes.push(shape.mesh);
        continue;
      }
      if (body.node && !part.faint) continue; // drawn as a part of its beam
      const geometry = partGeometry(part, thickness).applyMatrix4(matrixOf(part.pose));
      if (part.faint) {
        const outline = faintPart(geometry, this.ghost ? colour : part.colour || colour);
        this.outlines.push(outline);
        frame.add(outline);
        continue;
      }
      if (part.surface) surfaces.push(painted(geometry, this.ghost ? colour : part.colour || colour));
      else if (part.cavity) hollow.push(painted(geometry, new Color(colour).multiplyScalar(0.45).getStyle()));
      else solid.push(painted(geometry, this.ghost ? colour : part.colour || colour));
    }
    if (body.node) {
      this.solids.set(body.name, meshes);
      return;
    }
    const grey = this.ghost ? colour : this.theme.link;
    for (const [x, y, z, u, v, w] of body.links) {
      const a = new Vector3(x, y, z);
      const b = new Vector3(u, v, w);
      if (a.distanceTo(b) > NEXT_TO_NOTHING * this.size) solid.push(painted(rodBetween(a, b, 0.45 * thickness), body.parts.length ? grey : colour));
    }
    if (index > 0 && !body.parts.length) {
      solid.push(painted(ball(1.5 * this.radius).translate(...body.com), colour));
    }
    if (index > 0 && bodyLength(this.run.model, body) < TINY * this.size) frame.add(this.dot(body, colour));
    for (const [geometries, inside] of [[solid, false], [hollow, true]] as const) {
      const geometry = merged(geometries);
      if (!geometry) continue;
      const material = this.material();
      if (hasCavity) Object.assign(material, { transparent: true, opacity: inside ? 0.75 : 0.5 });
      const mesh = new Mesh(geometry, material);
      mesh.castShadow = !inside;
      mesh.receiveShadow = true;
      mesh.renderOrder = inside ? 0 : hasCavity ? 1 : 0;
      mesh.userData.chosen = { kind: "body", name: body.name } satisfies Chosen;
      frame.add(mesh);
      meshes.push(mesh);
    }
    const ground = this.ghost ? null : merged(surfaces); // once, however many runs there are
    if (ground) meshes.push(this.addSurface(frame, ground, body.name));
    this.solids.set(body.name, meshes);
  }

  /** A road or terrain. It may lie between the camera and what moves on it, so that it is seen through. */
  private addSurface(frame: Group, geometry: BufferGeometry, name: string): Mesh {
    const material = this.material();
    Object.assign(material, { transparent: true, opacity: SURFACE_OPACITY, depthWrite: false });
    const mesh = new Mesh(geometry, material);
    mesh.receiveShadow = true;
    mesh.renderOrder = -1; // below all that moves
    mesh.userData.chosen = { kind: "body", name } satisfies Chosen;
    mesh.userData.surface = true;
    frame.add(mesh);
    return mesh;
  }

  private addSlender(): void {
    this.run.model.slender.forEach((numbers, k) => {
      const colour = this.ghost ? this.colourOf(1) : BODY_COLOURS[(this.run.model.bodies.filter((body) => !body.node).length - 1 + k) % BODY_COLOURS.length];
      const shape = new SlenderMesh(numbers, this.material(), colour, 0.3 * this.radius);
      shape.mesh.userData.chosen = { kind: "beam", name: numbers.name } satisfies Chosen;
      this.slender.push(shape);
      this.group.add(shape.mesh);
      this.solids.set(`beam:${numbers.name}`, [shape.mesh]);
    });
  }

  /** Where the ends of the elements of a beam are. */
  private placesOf({ numbers }: SlenderMesh): Place[] {
    return numbers.ends.map(({ body, pose }) => ({
      at: this.worldPoint(body, pose),
      turn: this.bodies[body].quaternion.clone().multiply(new Quaternion(pose[4], pose[5], pose[6], pose[3])),
    }));
  }

  /** A body too small for the scene (a satellite about the Earth) is at least a dot. */
  private dot(body: Body, colour: string): Points {
    const geometry = new BufferGeometry().setFromPoints([new Vector3(...body.com)]);
    const dot = new Points(geometry, new PointsMaterial({ color: colour, size: 8, sizeAttenuation: false }));
    dot.userData.chosen = { kind: "body", name: body.name } satisfies Chosen;
    this.dots.push(dot);
    return dot;
  }

  private addJoints(): void {
    const colours = { joint: "#ffffff", axis: "#ffffff" };
    for (const joint of this.run.model.joints) {
      if (this.run.model.bodies[joint.child].node && LOOSE.includes(joint.kind)) {
        this.pins.set(joint.name, []);
        continue; // as free as a node of a beam is
      }
      const glyph = jointGlyph(joint, this.radius, colours, this.slideOf(joint));
      const meshes: Mesh[] = [];
      for (const [geometry, body] of [
        [glyph.parent, joint.parent],
        [glyph.child, joint.child],
      ] as const) {
        if (!geometry) continue;
        const mesh = new Mesh(geometry, this.material());
        mesh.castShadow = true;
        mesh.userData.chosen = { kind: "joint", name: joint.name } satisfies Chosen;
        this.bodies[body].add(mesh);
        meshes.push(mesh);
        if (!this.ghost && this.run.model.joints.length <= MOST_SEEN_THROUGH) this.bodies[body].add(this.seenThrough(mesh));
      }
      this.pins.set(joint.name, meshes);
      if (this.ghost) continue;
      for (const { body, from, along } of jointAxes(joint)) {
        const reach = 7.5 * this.radius;
        const geometry = new BufferGeometry().setFromPoints([
          from.clone().addScaledVector(along, -reach),
          from.clone().addScaledVector(along, reach),
        ]);
        const material = new LineDashedMaterial({ dashSize: 1.1 * this.radius, gapSize: 0.7 * this.radius });
        const line = new LineSegments(geometry, material);
        line.computeLineDistances();
        this.bodies[body].add(line);
        line.userData.joint = joint.name;
        this.axisLines.push(line);
      }
    }
  }

  /** The same, faintly, where a body hides it. */
  private seenThrough(mesh: Mesh): Mesh<BufferGeometry, MeshBasicMaterial> {
    const material = new MeshBasicMaterial({ transparent: true, opacity: 0.26, depthFunc: GreaterDepth, depthWrite: false });
    const faint = new Mesh(mesh.geometry, material);
    faint.renderOrder = 2;
    faint.raycast = () => {};
    this.hidden.push({ mesh, faint });
    return faint;
  }

  /** How far a joint slides along the axis of its symbol, from its lowest to its highest position. */
  private slideOf(joint: Joint): [number, number] {
    const reach = 2.5 * this.radius;
    const none: [number, number] = [-reach, reach];
    if (joint.parts.length > 1) return none;
    const [{ law, coordinates }] = joint.parts;
    const axis = new Vector3(0, 0, 1).applyQuaternion(new Quaternion(law[1], law[2], law[3], law[0]));
    const advance = ({ twist }: Motion) => (twist ? axis.dot(new Vector3(twist[3], twist[4], twist[5])) : 0);
    const motion = joint.motions?.find((each) => Math.abs(advance(each)) > NEXT_TO_NOTHING);
    if (!motion) return none;
    let first = 0;
    const coordinate = coordinates.find((each) => motion.at < (first += each.nq))!;
    const column = motion.at - (first - coordinate.nq);
    const channel = this.run.find("joint", joint.name, coordinate.name);
    if (!channel || channel.size !== coordinate.nq) return none;
    const scale = advance(motion);
    let [low, high] = [0, 0];
    for (let n = 0; n < this.run.channelCount; n++) {
      const x = scale * this.run.values[n * this.run.columns + channel.first + column];
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
    return [low - reach, high + reach];
  }

  private addLinks(): void {
    const inBeams = new Set(this.run.model.slender.flatMap((each) => each.elements));
    for (const [kind, elements] of [["force", this.run.model.forces], ["constraint", this.run.model.constraints]] as const) {
      for (const element of elements) {
        if (kind === "force" && inBeams.has(element.name)) continue;
        const drawn = kind === "force" ? element.kind !== "point_gravity" : element.kind === "distance";
        if (!drawn || !element.ends || element.ends.length !== 2) continue;
        const coil = kind === "force" && springLike(element.kind);
        const damped = "damped" in element && !!element.damped;
        const link = new Link(element.ends[0], element.ends[1], coil, damped, this.radius, this.ghost ? 0.4 : 1);
        link.mesh.userData.chosen = { kind, name: element.name } satisfies Chosen;
        this.links.push(link);
        this.group.add(link.mesh);
      }
    }
  }

  private addRopes(): void {
    for (const force of this.run.model.forces) {
      if (!force.path) continue;
      const rope = new RopeTube(force.path, !!force.closed, 0.3 * this.radius, this.ghost ? 0.4 : 1);
      rope.mesh.userData.chosen = { kind: "force", name: force.name } satisfies Chosen;
      this.ropes.push(rope);
      this.group.add(rope.mesh);
    }
  }

  private placed(rope: RopeTube): PlacedPoint[] {
    return rope.points.map(({ body, at, ex, ey, radius, side }) => {
      const centre = this.worldPoint(body, at);
      const axis = (e: [number, number, number]) => this.worldPoint(body, [at[0] + e[0], at[1] + e[1], at[2] + e[2]]).sub(centre);
      return { centre, ex: axis(ex), ey: axis(ey), radius, side };
    });
  }

  /** Motors, torques and springs in joints. */
  private addDrives(): void {
    if (this.ghost) return;
    for (const force of this.run.model.forces) {
      const joint = this.run.model.joints.find((each) => each.name === force.joint);
      if (!joint || !["joint_torque", "joint_motor", "joint_spring"].includes(force.kind)) continue;
      const glyph = driveGlyph(joint, force.at ?? -1, force.kind, this.radius);
      if (!glyph) continue;
      const mesh = new Mesh(glyph.geometry, this.material());
      mesh.userData.chosen = { kind: "force", name: force.name } satisfies Chosen;
      this.bodies[glyph.body].add(mesh);
      this.drives.push(mesh);
    }
  }

  private addTraces(): void {
    const count = this.run.model.markers.length;
    this.run.model.markers.forEach((marker, i) => {
      if (marker.body === 0) return;
      const trace = new Trace(this.run, marker.body, marker.pose.slice(0, 3) as [number, number, number], marker.name);
      trace.wanted = count <= 4 || i === count - 1;
      this.traces.push(trace);
      this.group.add(trace.object);
    });
  }

  private addArrows(): void {
    if (this.ghost) return;
    this.run.model.joints.forEach((_, joint) => {
      const force = new Arrow(1);
      const torque = new Arrow(2);
      this.forces.push({ joint, force, torque });
      this.group.add(force.object, torque.object);
    });
    for (const element of this.run.model.forces) {
      const what = element.kind === "applied_force" ? "force" : element.kind === "applied_torque" ? "torque" : null;
      if (!what || element.ends?.length !== 1) continue;
      const arrow = new Arrow(what === "force" ? 1 : 2);
      arrow.choose({ kind: "force", name: element.name });
      this.pushes.push({ name: element.name, what, end: element.ends[0], arrow });
      this.group.add(arrow.object);
    }
  }

  private addContacts(): void {
    if (this.ghost) return;
    for (const contact of this.run.model.contacts) {
      const mark = new ContactMark(this.run, contact);
      this.contacts.push(mark);
      this.group.add(mark.object);
      for (const { body, pose } of contact.planes) {
        const piece = planePiece(pose, 1.3 * this.size);
        this.planes.push(piece);
        this.bodies[body].add(piece);
      }
    }
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    for (const [name, meshes] of this.pins) {
      const joint = this.run.model.joints.find((each) => each.name === name)!;
      for (const mesh of meshes) {
        (mesh.material as MeshStandardMaterial).color.set(this.ghost ? this.colourOf(1) : theme.joint);
        mesh.userData.loop = joint.loop;
      }
    }
    for (const { faint } of this.hidden) faint.material.color.set(theme.seen);
    for (const line of this.axisLines) (line.material as LineDashedMaterial).color.set(theme.axis);
    for (const link of this.links) link.setColour(this.ghost ? this.colourOf(1) : theme.spring);
    for (const rope of this.ropes) rope.setColour(this.ghost ? this.colourOf(1) : theme.spring);
    for (const trace of this.traces) trace.setColour(this.ghost ? this.colourOf(1) : theme.trace, theme.background);
    for (const { force, torque } of this.forces) {
      force.setColour(theme.force);
      torque.setColour(theme.torque);
    }
    for (const { arrow } of this.pushes) arrow.setColour(theme.push);
    for (const mesh of this.drives) (mesh.material as MeshStandardMaterial).color.set(theme.push);
    for (const piece of this.planes) piece.material.color.set(theme.soil);
  }

  show(what: Shown): void {
    this.group.visible = this.run.visible;
    for (const meshes of this.solids.values()) for (const mesh of meshes) mesh.visible = what.bodies;
    for (const dot of this.dots) dot.visible = what.bodies;
    for (const meshes of this.pins.values()) for (const mesh of meshes) mesh.visible = what.joints;
    for (const { faint } of this.hidden) faint.visible = what.joints && what.bodies;
    // of many joints only the axes of the chosen one: all of them would be a thicket, and slow
    const few = this.run.model.joints.length <= MOST_WITH_AXES;
    for (const line of this.axisLines) line.visible = what.joints && (few || line.userData.joint === this.chosenJoint);
    for (const mark of this.contacts) mark.object.visible = what.contacts;
    for (const piece of [...this.planes, ...this.outlines]) piece.visible = what.contacts && what.bodies;
    for (const link of this.links) link.mesh.visible = what.springs;
    for (const rope of this.ropes) rope.mesh.visible = what.springs;
    for (const mesh of this.drives) mesh.visible = what.springs;
    for (const trace of this.traces) trace.object.visible = what.traces && trace.wanted;
    for (const { arrow } of this.pushes) arrow.object.visible = what.springs;
    for (const { force, torque } of this.forces) force.object.visible = torque.object.visible = what.reactions;
  }

  /** Bodies transparent or cut open; joints and springs inside them stay. */
  setLook(look: Look, plane: Plane | null): void {
    this.bending = look.bending;
    this.along = look.along;
    for (const [name, meshes] of this.solids) applyLook(meshes, look.opacity * (look.own.get(name) ?? 1), plane);
  }

  /** Mark what is chosen, and dim nothing else: the eye finds a warm colour by itself. */
  highlight(chosen: Chosen | null): void {
    this.chosenJoint = chosen?.kind === "joint" ? chosen.name : "";
    this.chosenContact = chosen?.kind === "contact" ? chosen.name : "";
    const warm = new Color(this.theme.select);
    const mark = (meshes: Mesh[], on: boolean) => {
      for (const mesh of meshes) {
        const material = mesh.material as MeshStandardMaterial;
        material.emissive.copy(on ? warm : new Color(0));
        material.emissiveIntensity = on ? 0.7 : 1;
      }
    };
    for (const [name, meshes] of this.solids) {
      mark(meshes, (chosen?.kind === "body" && chosen.name === name) || (chosen?.kind === "beam" && `beam:${chosen.name}` === name));
    }
    for (const [name, meshes] of this.pins) mark(meshes, chosen?.kind === "joint" && chosen.name === name);
    for (const { mesh, faint } of this.hidden) {
      const own = mesh.userData.chosen as Chosen;
      const on = chosen?.kind === own.kind && chosen.name === own.name;
      faint.material.color.set(on ? this.theme.select : this.theme.seen);
      faint.material.opacity = on ? 0.7 : 0.26;
    }
    for (const link of this.links) {
      const own = link.mesh.userData.chosen as Chosen;
      mark([link.mesh], chosen?.kind === own.kind && chosen.name === own.name);
    }
    for (const mesh of this.drives) {
      const own = mesh.userData.chosen as Chosen;
      mark([mesh], chosen?.kind === own.kind && chosen.name === own.name);
    }
    for (const { name, arrow } of this.pushes) {
      arrow.setColour(chosen?.kind === "force" && chosen.name === name ? this.theme.select : this.theme.push);
    }
  }

  private now = 0;

  move(t: number): void {
    this.now = t;
    for (let i = 1; i < this.bodies.length; i++) {
      this.run.pose(i, t, this.pose);
      this.place(i, this.pose);
    }
    this.bend(t);
    this.follow(t);
  }

  /** Flexible bodies as their modal coordinates say, or swinging in one of their modes. */
  private bend(t: number): void {
    const range = this.along ? this.run.alongRange(this.along) : null;
    for (const shape of this.slender) {
      shape.bend(this.placesOf(shape));
      shape.mesh.material.emissiveIntensity = range ? 0 : 0.7; // the warm colour of what is chosen would spoil the scale
      shape.paint(range && !this.ghost ? this.run.alongAt(shape.numbers.name, this.along, t) : null, range?.low ?? 0, range?.high ?? 1);
    }
    const { scale, colour, mode } = this.bending;
    for (const { name, shape } of this.flexibles) {
      const channel = this.run.find("body", name, "modes");
      const eta = channel ? this.run.at(channel, t) : new Array<number>(shape.count).fill(0);
      if (mode >= 0) {
        const span = this.run.end - this.run.start || 1;
        eta.fill(0);
        if (mode < shape.count) eta[mode] = shape.swing(mode) * Math.sin((2 * Math.PI * SWINGS * (t - this.run.start)) / span);
        shape.bend(eta, 1, colour, colour === "body" ? 1 : shape.largestOf(mode, colour));
      } else shape.bend(eta, scale, colour, colour === "body" ? 1 : this.largestBent(name, shape, colour));
    }
  }

  private readonly bent = new Map<string, number>();

  /** The largest displacement or stress of a flexible body among instants of the run. */
  largestBent(name: string, shape: FlexibleMesh, what: "displacement" | "stress"): number {
    const channel = this.run.find("body", name, "modes");
    const key = `${name} ${what} ${this.run.channelCount}`;
    const known = this.bent.get(key);
    if (known !== undefined || !channel) return known ?? 1;
    let largest = 0;
    const every = Math.max(1, Math.floor(this.run.channelCount / 100));
    for (let n = 0; n < this.run.channelCount; n += every) {
      const first = n * this.run.columns + channel.first;
      largest = Math.max(largest, shape.largest(this.run.values.subarray(first, first + channel.size), what));
    }
    this.bent.set(key, largest);
    return largest;
  }

  place(body: number, pose: ArrayLike<number>): void {
    const frame = this.bodies[body];
    frame.position.set(pose[0], pose[1], pose[2]);
    frame.quaternion.set(pose[4], pose[5], pose[6], pose[3]);
  }

  /** What hangs on the bodies: springs, traces, arrows. */
  follow(t: number): void {
    for (const link of this.links) {
      link.stretch(this.worldPoint(link.a.body, link.a.at), this.worldPoint(link.b.body, link.b.at));
    }
    for (const rope of this.ropes) rope.move(this.placed(rope));
    for (const trace of this.traces) if (trace.object.visible) trace.upTo(t);
    for (const { joint, force, torque } of this.forces) {
      if (force.object.visible) this.moveArrows(joint, force, torque, t);
    }
    for (const mark of this.contacts) {
      if (!mark.object.visible) continue;
      const chosen = mark.contact.name === this.chosenContact;
      mark.move(t, this.theme, chosen, this.largest("force", "contact"), 0.22 * this.size * this.reactionScale, this.radius);
    }
    for (const { name, what, end, arrow } of this.pushes) {
      const channel = this.run.find("force", name, what);
      if (!arrow.object.visible || !channel) continue;
      const vector = new Vector3(...this.run.at(channel, t));
      const longest = this.largest(what);
      arrow.set(this.worldPoint(end.body, end.at), vector.multiplyScalar(longest > 0 ? (0.2 * this.size) / longest : 0), this.radius);
    }
  }

  private moveArrows(number: number, force: Arrow, torque: Arrow, t: number): void {
    const joint = this.run.model.joints[number];
    const at = this.worldPoint(joint.child, joint.onChild);
    for (const [arrow, what] of [[force, "reaction_force"], [torque, "reaction_torque"]] as const) {
      const channel = this.run.find("joint", joint.name, what);
      const vector = channel && !isFree(joint) ? new Vector3(...this.run.at(channel, t)) : new Vector3();
      const longest = this.largest(what);
      arrow.set(at, vector.multiplyScalar(longest > 0 ? (0.22 * this.size * this.reactionScale) / longest : 0), this.radius);
    }
  }

  private readonly largestOf = new Map<string, { count: number; value: number }>();

  /** A size that nearly all reactions of a kind stay below: one blow must not make all other arrows vanish. */
  private largest(what: string, of = ""): number {
    const key = `${of} ${what}`;
    const known = this.largestOf.get(key);
    const run = this.run;
    if (known && known.count === run.channelCount) return known.value;
    const sizes: number[] = [];
    const free = new Set(run.model.joints.filter(isFree).map((joint) => joint.name));
    for (const channel of run.channels) {
      if (channel.what !== what || channel.size !== 3 || (of ? channel.of !== of : channel.of === "contact")) continue;
      if (channel.of === "joint" && free.has(channel.item)) continue;
      const every = Math.max(1, Math.floor(run.channelCount / 500));
      for (let n = 0; n < run.channelCount; n += every) {
        const k = n * run.columns + channel.first;
        const size = Math.hypot(run.values[k], run.values[k + 1], run.values[k + 2]);
        if (!of || size > 0) sizes.push(size); // contacts are open most of the time
      }
    }
    sizes.sort((a, b) => a - b);
    const value = sizes.length ? sizes[Math.floor(0.98 * (sizes.length - 1))] : 0;
    this.largestOf.set(key, { count: run.channelCount, value });
    return value;
  }

  worldPoint(body: number, at: ArrayLike<number>): Vector3 {
    const frame = this.bodies[body];
    return new Vector3(at[0], at[1], at[2]).applyQuaternion(frame.quaternion).add(frame.position);
  }

  /** Where a thing is: a body's centre of mass, a joint's or marker's point, the middle of a spring. */
  whereIs(chosen: Chosen): Vector3 | null {
    const model = this.run.model;
    if (chosen.kind === "body") {
      const index = model.bodies.findIndex((body) => body.name === chosen.name);
      return index < 0 ? null : this.worldPoint(index, model.bodies[index].com);
    }
    if (chosen.kind === "joint") {
      const joint = model.joints.find((each) => each.name === chosen.name);
      return joint ? this.worldPoint(joint.child, joint.onChild) : null;
    }
    if (chosen.kind === "contact") {
      return this.contacts.find((mark) => mark.contact.name === chosen.name)?.where(this.now) ?? null;
    }
    if (chosen.kind === "beam") {
      const shape = this.slender.find((each) => each.numbers.name === chosen.name);
      return shape ? shape.middle(this.placesOf(shape)) : null;
    }
    if (chosen.kind === "marker") {
      const marker = model.markers.find((each) => each.name === chosen.name);
      return marker ? this.worldPoint(marker.body, marker.pose) : null;
    }
    const ends = [...model.forces, ...model.constraints].find((each) => each.name === chosen.name)?.ends;
    if (!ends?.length) return null;
    const points = ends.map((end) => this.worldPoint(end.body, end.at));
    return points.reduce((sum, p) => sum.add(p), new Vector3()).divideScalar(points.length);
  }

  orientation(body: number): Quaternion {
    return this.bodies[body].quaternion;
  }

  /** Everything that can be hit by a click. */
  get targets(): Object3D[] {
    return this.run.visible ? [this.group] : [];
  }
}
