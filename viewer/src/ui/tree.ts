/** Left: the mechanism as a list along its tree, what to show, which results. */
import type { App } from "../app";
import { isInner, LOOSE } from "../document";
import type { Chosen, Kind, Shown } from "../scene/mechanism";
import { RUN_COLOURS } from "../scene/palette";
import { clear, h } from "./dom";
import { say, sayKind, type Word } from "./text";

const DEEPEST = 7; // levels that are indented; a long chain would run out of the panel

/** A dot of several colours, as a body of several shapes. */
export function sectors(colours: string[]): string {
  if (colours.length === 1) return colours[0];
  const shown = colours.slice(0, 4);
  const at = (k: number) => `${Math.round((100 * k) / shown.length)}%`;
  return `conic-gradient(${shown.map((colour, k) => `${colour} ${at(k)} ${at(k + 1)}`).join(",")})`;
}

export class TreePanel {
  readonly element = h("div", { class: "scroll grow" });
  private readonly items: { chosen: Chosen; element: HTMLElement }[] = [];

  constructor(private readonly app: App) {
    this.build();
    app.on("select", () => this.mark());
    app.on("language", () => this.build());
  }

  private build(): void {
    clear(this.element);
    this.items.length = 0;
    const model = this.app.run.model;
    const list = h("ul", { class: "tree", role: "tree" });
    this.element.append(list);
    const colour = (index: number) => `background:${sectors(this.app.mechanisms[0].coloursOf(index))}`;
    const index = new Map(model.bodies.map((body, i) => [body.name, i]));
    const depth = new Map<string, number>([[model.bodies[0].name, 0]]);
    const outward = new Map<string, typeof model.topology.tree>();
    for (const row of model.topology.tree) outward.set(row.inboard, [...(outward.get(row.inboard) ?? []), row]);
    const kinds = new Map(model.joints.map((joint) => [joint.name, joint.kind]));
    const addBody = (name: string) => {
      const level = Math.min(depth.get(name)!, DEEPEST);
      const shown = index.get(name) === 0 ? say("ground") : name;
      this.add(list, { kind: "body", name }, h("span", { class: "dot", style: colour(index.get(name)!) }), shown, "", level);
    };
    addBody(model.bodies[0].name);
    const stack = [...(outward.get(model.bodies[0].name) ?? [])].reverse();
    while (stack.length) {
      const row = stack.pop()!;
      const level = depth.get(row.inboard)! + 1;
      depth.set(row.outboard, level);
      const body = model.bodies[index.get(row.outboard)!];
      if (isInner(body) && !outward.has(body.name)) continue; // nodes along beams: the beam stands for them
      if (!row.virtual && !(body.node && LOOSE.includes(kinds.get(row.joint) ?? ""))) {
        this.add(list, { kind: "joint", name: row.joint }, h("span", { class: "pin" }), row.joint, sayKind(kinds.get(row.joint) ?? ""), Math.min(level - 1, DEEPEST) + 0.5);
      }
      addBody(row.outboard);
      stack.push(...[...(outward.get(row.outboard) ?? [])].reverse());
    }
    this.group(list, "cut", "joint", model.topology.cut.map((name) => [name, kinds.get(name) ?? ""]), "pin");
    const inBeams = new Set(model.slender.flatMap((each) => each.elements));
    this.group(list, "beams", "beam", model.slender.map((each) => [each.name, each.kind]), "bar");
    this.group(list, "contacts", "contact", model.contacts.map((each) => [each.name, each.kind]), "bar");
    this.group(list, "forces", "force", model.forces.filter((each) => !inBeams.has(each.name)).map((each) => [each.name, each.kind]), "bar");
    this.group(list, "constraints", "constraint", model.constraints.map((each) => [each.name, each.kind]), "bar");
    this.group(list, "markers", "marker", model.markers.map((each) => [each.name, ""]), "cross");
    this.mark();
  }

  private group(list: HTMLElement, word: Word, kind: Kind, entries: [string, string][], sign: string): void {
    if (!entries.length) return;
    list.append(h("li", { class: "group" }, say(word)));
    for (const [name, type] of entries) {
      this.add(list, { kind, name }, h("span", { class: sign }, sign === "cross" ? "+" : ""), name, sayKind(type), 0);
    }
  }

  private add(list: HTMLElement, chosen: Chosen, sign: HTMLElement, name: string, kind: string, level: number): void {
    const element = h(
      "li",
      {
        class: "item", role: "treeitem", tabindex: 0, style: `padding-left:${10 + 11 * level}px`, title: name,
        "data-kind": chosen.kind, "data-name": chosen.name,
        onclick: () => this.app.select(chosen),
        onkeydown: (event: KeyboardEvent) => {
          if (event.key === "Enter") this.app.select(chosen);
        },
      },
      sign,
      h("span", { class: "name" }, name),
      kind ? h("span", { class: "kind" }, kind) : null,
    );
    this.items.push({ chosen, element });
    list.append(element);
  }

  private mark(): void {
    const now = this.app.chosen;
    for (const { chosen, element } of this.items) {
      const on = !!now && now.kind === chosen.kind && now.name === chosen.name;
      element.classList.toggle("on", on);
      if (on) element.scrollIntoView({ block: "nearest" });
    }
  }
}

/** Check boxes of what is drawn. */
export function showPanel(app: App): HTMLElement {
  const box = h("div", { class: "checks" });
  const build = () => {
    clear(box);
    const check = (word: Word, on: boolean, change: () => void, id: string) => {
      const input = h("input", { type: "checkbox", checked: on, id, onchange: change });
      box.append(h("label", { for: id }, input, say(word)));
    };
    for (const what of ["bodies", "joints", "springs", "traces", "reactions"] as (keyof Shown & Word)[]) {
      check(what, app.shown[what], () => app.toggle(what), `show-${what}`);
    }
    const touches = app.run.model.contacts.length > 0;
    if (touches) check("contacts", app.shown.contacts, () => app.toggle("contacts"), "show-contacts");
    check("grid", app.stage.floor.visible, () => toggleFloor(app), "show-grid");
    check("names", app.names, () => toggleNames(app), "show-names");
    check("shadows", app.stage.shadows, () => app.setShadows(!app.stage.shadows), "show-shadows");
    if (app.shown.reactions || (touches && app.shown.contacts)) {
      const mechanism = app.mechanisms[0];
      box.append(
        h("label", { class: "wide" }, say("arrowScale"),
          h("input", {
            type: "range", min: -2, max: 3, step: 0.1, value: Math.log2(mechanism.reactionScale),
            oninput: (event: InputEvent) => {
              mechanism.reactionScale = 2 ** Number((event.target as HTMLInputElement).value);
              app.redraw();
            },
          }),
        ),
      );
    }
  };
  build();
  app.on("show", build);
  app.on("language", build);
  return box;
}

export function toggleFloor(app: App): void {
  app.stage.floor.visible = app.stage.axes.visible = !app.stage.floor.visible;
  app.tell("show");
}

export function toggleNames(app: App): void {
  app.names = !app.names;
  app.tell("show");
}

/** Which of several results are drawn. */
export function runsPanel(app: App): HTMLElement {
  const box = h("div", { class: "runs" });
  app.runs.forEach((run, i) => {
    const colour = i === 0 ? "var(--muted)" : RUN_COLOURS[1 + ((i - 1) % (RUN_COLOURS.length - 1))];
    const input = h("input", {
      type: "checkbox", checked: run.visible, id: `run-${i}`,
      onchange: (event: InputEvent) => {
        run.visible = (event.target as HTMLInputElement).checked;
        app.tell("runs");
      },
    });
    box.append(h("label", { for: `run-${i}` }, input, h("span", { class: "swatch", style: `background:${colour}` }), run.name));
  });
  return box;
}
