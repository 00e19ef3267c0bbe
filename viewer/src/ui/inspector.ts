/** Right, above: what is chosen, with its numbers at this instant. */
import type { App } from "../app";
import type { Channel } from "../run";
import { stateAt } from "../scene/contacts";
import { clear, h, icon, ICONS, short, steady } from "./dom";
import { say, sayIfKnown, sayKind } from "./text";

export class Inspector {
  readonly element = h("div", { class: "info" });
  private refresh: (() => void)[] = [];

  constructor(
    private readonly app: App,
    private readonly plot: (channels: string[]) => void,
  ) {
    this.build();
    app.on("select", () => this.build());
    app.on("language", () => this.build());
    app.on("follow", () => this.build());
    app.on("time", () => this.refresh.forEach((update) => update()));
    app.on("data", () => this.refresh.forEach((update) => update()));
  }

  private build(): void {
    clear(this.element);
    this.refresh = [];
    const chosen = this.app.chosen;
    if (!chosen) {
      this.element.append(h("div", { class: "empty" }, say("nothing")));
      return;
    }
    const model = this.app.run.model;
    const table = h("table");
    const title = h("div", { class: "title" }, h("b", {}, chosen.name));
    this.element.append(title, table);
    const followed = this.app.followed;
    const isFollowed = followed?.kind === chosen.kind && followed.name === chosen.name;
    const follow = h("button", {
      class: isFollowed ? "on" : "", id: "follow", title: say("follow"),
      onclick: () => this.app.follow(isFollowed ? null : chosen),
    }, icon(ICONS.target));
    if (chosen.kind === "body") {
      const index = model.bodies.findIndex((body) => body.name === chosen.name);
      const body = model.bodies[index];
      title.append(h("span", {}, index === 0 ? say("ground") : say("body")), index > 0 ? follow : "");
      if (body.parts.length || index > 0) this.opacity(table, body.name);
      if (body.mass !== null) this.fixed(table, say("mass"), short(body.mass, 6), "kg");
      if (index > 0) {
        this.live(table, say("position"), "m", () => Array.from(this.app.mechanisms[0].bodies[index].position.toArray()));
        for (const what of ["velocity", "angular_velocity"]) this.channel(table, "body", chosen.name, what);
      }
    } else if (chosen.kind === "graph") {
      title.append(h("span", {}, say("bondGraph")));
      for (const channel of this.app.run.channels) {
        if (channel.of === "graph" && channel.item === chosen.name) this.channel(table, "graph", chosen.name, channel.what);
        else if (channel.of === "state" && channel.name.startsWith(`${chosen.name}.`)) this.channel(table, "state", channel.item, channel.what, channel.name.slice(chosen.name.length + 1));
      }
    } else if (chosen.kind === "contact") {
      const contact = model.contacts.find((each) => each.name === chosen.name);
      const mark = this.app.mechanisms[0].contacts.find((each) => each.contact === contact);
      if (!contact || !mark) return;
      title.append(h("span", {}, sayKind(contact.kind)));
      const state = h("td", { class: "text", colspan: 3, id: "contact-state" });
      const update = () => (state.textContent = `${say(stateAt(this.app.run, contact.name, this.app.t))}, ${say("touching", { count: this.app.run.touchingAt(contact.name, this.app.t).length })}`);
      update();
      this.refresh.push(update);
      table.append(h("tr", {}, h("td", {}, say("state")), state));
      for (const what of ["gap", "normal_force", "force", "slip_speed", "point"]) this.channel(table, "contact", contact.name, what);
      table.append(h("tr", {}, h("td", {}, say("numbers")), h("td", { class: "text", colspan: 3 }, contact.text)));
    } else if (chosen.kind === "beam") {
      const beam = model.slender.find((each) => each.name === chosen.name);
      if (!beam) return;
      title.append(h("span", {}, sayKind(beam.kind)), follow);
      this.fixed(table, say("length"), short(beam.length, 6), "m");
      this.fixed(table, say("elements"), String(beam.elements.length), "");
      for (const { name, what, unit } of this.app.run.along) {
        if (name === beam.name) this.live(table, sayIfKnown(what), unit, () => range(this.app.run.alongAt(name, what, this.app.t) ?? []), () => this.app.run.alongRange(what)!.high);
      }
    } else if (chosen.kind === "joint") {
      const joint = model.joints.find((each) => each.name === chosen.name);
      if (!joint) return;
      title.append(h("span", {}, sayKind(joint.kind)), follow);
      this.fixed(table, say("between"), `${model.bodies[joint.parent].name} – ${model.bodies[joint.child].name}`, "");
      if (joint.loop !== null) this.fixed(table, say("loopOf"), say("cut"), "");
      const names = joint.parts.flatMap((part) => part.coordinates);
      for (const what of new Set([...names.map((c) => c.name), ...names.map((c) => c.rate)])) this.channel(table, "joint", joint.name, what);
      for (const what of ["reaction_force", "reaction_torque"]) this.channel(table, "joint", joint.name, what);
    } else if (chosen.kind === "marker") {
      const marker = model.markers.find((each) => each.name === chosen.name);
      if (!marker) return;
      title.append(h("span", {}, `${say("marker")}, ${say("on")} ${model.bodies[marker.body].name}`), follow);
      const mechanism = this.app.mechanisms[0];
      this.live(table, say("position"), "m", () => mechanism.worldPoint(marker.body, marker.pose).toArray());
      const trace = mechanism.traces.find((each) => each.name === marker.name);
      if (trace) {
        const input = h("input", { type: "checkbox", checked: trace.wanted, onchange: () => {
          trace.wanted = !trace.wanted;
          this.app.tell("show");
        } });
        table.append(h("tr", {}, h("td", {}, say("traces")), h("td", {}, input)));
      }
    } else {
      const element = [...model.forces, ...model.constraints].find((each) => each.name === chosen.name);
      if (!element) return;
      title.append(h("span", {}, sayKind(element.kind)));
      if (element.ends?.length) {
        this.fixed(table, say("between"), element.ends.map((end) => model.bodies[end.body].name).join(" – "), "");
      }
      if ("joint" in element && element.joint) this.fixed(table, say("joint"), element.joint, "");
      if (element.text) table.append(h("tr", {}, h("td", {}, say("numbers")), h("td", { class: "text", colspan: 3 }, element.text)));
      for (const channel of this.app.run.channels) {
        if (channel.of === "force" && channel.item === element.name) this.channel(table, "force", element.name, channel.what);
      }
    }
  }

  private fixed(table: HTMLElement, name: string, value: string, unit: string): void {
    table.append(h("tr", {}, h("td", {}, name), h("td", { class: "value" }, value), h("td", { class: "unit" }, unit), h("td")));
  }

  /** How much of what is behind a body is seen through it. */
  private opacity(table: HTMLElement, body: string): void {
    const { look } = this.app;
    const input = h("input", { type: "range", id: "body-opacity", min: 0.05, max: 1, step: 0.01, value: look.own.get(body) ?? 1, "aria-label": say("opacity"), oninput: () => {
      look.own.set(body, Number(input.value));
      this.app.applyLook();
    } });
    table.append(h("tr", {}, h("td", {}, say("opacity")), h("td", { colspan: 2 }, input), h("td")));
  }

  private channel(table: HTMLElement, of: string, item: string, what: string, shown = what): void {
    const run = this.app.run;
    const channel = run.find(of, item, what);
    if (!channel) return;
    const row = this.live(table, sayIfKnown(shown), channel.unit === "1" ? "" : channel.unit, () => run.at(channel, this.app.t), () => run.scaleOf(channel.unit));
    row.append(h("td", { class: "act" }, h("button", { onclick: () => this.plot(componentNames(channel)), "data-plot": channel.name }, say("plot"))));
  }

  private live(table: HTMLElement, name: string, unit: string, read: () => number[], scale = () => 0): HTMLElement {
    const cell = h("td", { class: "value" });
    const update = () => {
      const values = read();
      while (cell.children.length < values.length) cell.append(h("span"));
      values.forEach((value, i) => ((cell.children[i] as HTMLElement).textContent = steady(value, scale())));
    };
    update();
    this.refresh.push(update);
    const row = h("tr", {}, h("td", {}, name), cell, h("td", { class: "unit" }, unit));
    table.append(row);
    return row;
  }
}

/** The least and the largest. */
function range(values: number[]): number[] {
  return values.length ? [Math.min(...values), Math.max(...values)] : [];
}

/** Names of the columns of a channel: "A.angle", or "A.reaction_force.x", ... */
export function componentNames(channel: Channel): string[] {
  if (channel.size === 1) return [channel.name];
  return Array.from({ length: channel.size }, (_, k) => (channel.letters[k] ? `${channel.name}.${channel.letters[k]}` : `${channel.name}[${k}]`));
}
