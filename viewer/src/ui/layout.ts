/** The page: panels around the scene, keyboard, theme, language. */
import type { App } from "../app";
import type { Options } from "../document";
import { PRESETS } from "../scene/stage";
import { clear, h, icon, ICONS, short } from "./dom";
import { firstPlots } from "./first_plots";
import { Inspector } from "./inspector";
import { gridNote, Names, picking, Triad } from "./overlay";
import { PlotPanel } from "./plots";
import { SliderPanel } from "./sliders";
import { currentLanguage, keyboard, say, setLanguage, type Word } from "./text";
import { timeline } from "./timeline";
import { Distance, lookPanel, savePicture, Scale } from "./tools";
import { GraphView, isGraphAlone, Sheets, WholeGraph } from "./graphs";
import { sheetButtons } from "./sheet";
import { Diagram } from "./topology";
import { runsPanel, showPanel, toggleFloor, toggleNames, TreePanel } from "./tree";

const ENOUGH_TO_PLOT = 40; // instants of a run that goes on

export class Page {
  readonly left = h("aside", { class: "left" });
  readonly right = h("aside", { class: "right" });
  readonly notice = h("div", { class: "notice", role: "status" });
  readonly plots: PlotPanel;
  readonly sliders: SliderPanel | null;
  private readonly names: Names;
  private readonly triad: Triad;
  private readonly distance: Distance;
  private readonly main: HTMLElement;
  /** As in the style sheet. */
  private readonly narrow = window.matchMedia("(max-width: 700px)");

  constructor(
    readonly app: App,
    canvas: HTMLCanvasElement,
    readonly options: Options,
  ) {
    const isModel = app.document.mode === "model";
    const tip = h("div", { class: "tip", hidden: true });
    this.names = new Names(app);
    this.triad = new Triad(app);
    this.distance = new Distance(app);
    this.main = h("main", {}, canvas, this.names.element, this.triad.element, gridNote(app), this.distance.element, new Scale(app).element, this.views(), tip, this.notice);
    picking(app, canvas, tip);

    this.plots = new PlotPanel(app, (text) => this.say(text));
    this.sliders = isModel ? new SliderPanel(app, (text) => this.say(text)) : null;
    this.buildLeft();
    this.buildRight(isModel);
    document.body.append(this.header(), this.left, this.main, this.right, isModel ? h("footer", { hidden: true }) : timeline(app));
    if (isModel) document.body.style.gridTemplateRows = "40px 1fr 0";

    for (const names of options.plots ?? firstPlots(app.run).reverse()) this.plots.add(names);
    if (app.document.mode === "live" && !options.plots) this.plotWhenMoving();
    this.keys();
    new ResizeObserver(() => this.resize()).observe(this.main);
    if (options.panels === false) document.body.classList.add("bare");
    if (window.innerWidth < 820) this.left.classList.add("hidden");
    this.narrow.addEventListener("change", () => {
      if (this.narrow.matches && !this.right.classList.contains("hidden")) this.left.classList.add("hidden");
    });
    this.resize();
  }

  /** Of a run that has just begun, nothing has moved yet. */
  private plotWhenMoving(): void {
    let begun = false;
    this.app.on("data", () => {
      if (begun || (this.app.run.count < ENOUGH_TO_PLOT && this.app.document.mode === "live")) return;
      begun = true;
      this.plots.fill();
      if (!this.plots.plots.length) for (const names of firstPlots(this.app.run).reverse()) this.plots.add(names);
    });
  }

  say(text: string): void {
    this.notice.textContent = text;
  }

  private views(): HTMLElement {
    const box = h("div", { class: "views" });
    const words: Record<string, Word> = { iso: "iso", front: "front", right: "right_view", top: "top" };
    const build = () => {
      clear(box);
      for (const name of PRESETS) box.append(h("button", { id: `view-${name}`, onclick: () => this.app.preset(name) }, say(words[name])));
    };
    build();
    this.app.on("language", build);
    return box;
  }

  private header(): HTMLElement {
    const header = h("header");
    const build = () => {
      clear(header);
      const { model, numbers } = this.app.run;
      const count = (n: number, one: Word, many: Word) => `${n} ${say(n === 1 ? one : many)}`;
      const facts = isGraphAlone(model) ? [say("bondGraph")] : [count(model.bodies.length - 1, "body", "bodies"), count(model.joints.length, "joint", "joints")];
      if (this.app.document.mode !== "model" && !isGraphAlone(model)) {
        if (numbers.outputs > this.app.run.count) facts.push(say("thinned", { shown: this.app.run.count, all: numbers.outputs }));
        facts.push(say("accuracy", { length: short(numbers.accuracy.length, 1) }));
      }
      const button = (word: Word, path: string, act: () => void, id: string) =>
        h("button", { class: "icon", title: say(word), "aria-label": say(word), onclick: act, id }, icon(path));
      const state = numbers.ok ? null : h("span", { class: "bad", title: numbers.reason }, `${say("failed")}: ${numbers.reason}`);
      const ruler = button("measure", ICONS.ruler, () => this.app.setMeasuring(!this.app.measure.on), "measure");
      ruler.classList.toggle("on", this.app.measure.on);
      header.append(
        button("left", ICONS.left, () => this.togglePanel(this.left), "toggle-left"),
        h("h1", {}, model.name),
        h("span", { class: "facts" }, facts.join(" · "), state ? " · " : null, state),
        ruler,
        button("savePicture", ICONS.camera, () => this.savePicture(), "picture"),
        h("button", { onclick: () => this.switchLanguage(), id: "language" }, say("language")),
        button("theme", ICONS.theme, () => this.app.setDark(!this.app.dark), "theme"),
        button("help", ICONS.help, () => this.help(), "help"),
        button("right", ICONS.right, () => this.togglePanel(this.right), "toggle-right"),
      );
    };
    build();
    this.app.on("language", build);
    this.app.on("data", build);
    this.app.on("measure", build);
    return header;
  }

  private section(word: Word, content: HTMLElement, style = "", extra: HTMLElement[] = []): HTMLElement {
    const title = h("span", {}, say(word));
    this.app.on("language", () => (title.textContent = say(word)));
    const fold = h("button", { class: "fold", "aria-expanded": "true", onclick: () => {
      const folded = section.classList.toggle("folded");
      fold.setAttribute("aria-expanded", String(!folded));
    } }, icon(ICONS.fold), title);
    const section = h("section", { style, id: `section-${word}` }, h("h2", {}, fold, h("span", { class: "space" }), ...extra), content);
    return section;
  }

  private buildLeft(): void {
    const tree = new TreePanel(this.app);
    this.left.append(this.section("mechanism", tree.element, "flex:1"));
    if (this.app.runs.length > 1) this.left.append(this.section("results", runsPanel(this.app)));
    this.left.append(this.section("show", showPanel(this.app)), this.section("look", lookPanel(this.app)), this.grip(this.left, 1));
  }

  private buildRight(isModel: boolean): void {
    const inspector = new Inspector(this.app, (names) => this.plots.add(names));
    const { graphs } = this.app.run.model;
    const alone = isGraphAlone(this.app.run.model);
    const drawn = alone ? [new WholeGraph(this.app, graphs[0])] : [new Diagram(this.app), ...graphs.map((graph) => new GraphView(this.app, graph))];
    const names = () => (alone ? [say("bondGraph")] : [say("topology"), ...graphs.map((graph) => graph.name)]);
    const sheets = new Sheets(this.app, drawn, names);
    const buttons = sheetButtons(this.app, () => sheets.now, () => this.enlarge(low));
    const low = this.section(alone ? "bondGraph" : "topology", sheets.element, `height:${sheets.now.height}`, alone ? buttons.slice(0, -1) : buttons);
    if (alone) {
      drawn[0].element.classList.add("over");
      this.main.append(drawn[0].element);
      this.left.classList.add("hidden");
    }
    this.right.append(this.section("selection", inspector.element, "flex:none"));
    if (isModel) this.right.append(this.section("joints_sliders", this.sliders!.element, "flex:1", [this.sliders!.reset]));
    else this.right.append(this.section("plots", this.plots.element, "flex:1"));
    this.right.append(this.rowGrip(low), low, this.grip(this.right, -1));
  }

  /** A bar to drag the width of a panel with. */
  private grip(panel: HTMLElement, sign: 1 | -1): HTMLElement {
    const bar = h("div", { class: "grip" });
    dragged(bar, (dx, _, start) => (panel.style.width = `${Math.min(Math.max(150, start + sign * dx), 0.6 * window.innerWidth)}px`), () => panel.offsetWidth);
    return bar;
  }

  private rowGrip(panel: HTMLElement): HTMLElement {
    const bar = h("div", { class: "hgrip" });
    dragged(bar, (_, dy, start) => (panel.style.height = `${Math.min(Math.max(60, start - dy), 0.7 * window.innerHeight)}px`), () => panel.offsetHeight);
    return bar;
  }

  /** The diagram over the whole page, or back in its panel. */
  private enlarge(section: HTMLElement): void {
    section.classList.toggle("enlarged");
  }

  /** In a narrow window there is room for one panel. */
  private togglePanel(panel: HTMLElement): void {
    const shown = !panel.classList.toggle("hidden");
    if (shown && this.narrow.matches) this.otherOf(panel).classList.add("hidden");
  }

  private otherOf(panel: HTMLElement): HTMLElement {
    return panel === this.left ? this.right : this.left;
  }

  private savePicture(): void {
    savePicture(this.app).catch((error: unknown) => this.say(String(error)));
  }

  switchLanguage(): void {
    setLanguage(currentLanguage() === "en" ? "zh" : "en");
    document.documentElement.lang = currentLanguage();
    this.app.tell("language");
  }

  private help(): void {
    const rows = keyboard().map(([key, text]) => h("tr", {}, h("td", {}, h("kbd", {}, key)), h("td", {}, text)));
    const version = `duoti ${this.app.document.version}`;
    const { numbers } = this.app.run;
    const about = this.app.document.mode === "model" ? version : `${version} · ${numbers.solver} · ${numbers.reason}`;
    const notes = this.app.run.model.notes.map((note) => h("p", {}, note));
    const box = h("div", { class: "help", role: "dialog", onclick: () => box.remove() }, h("div", {}, h("table", {}, ...rows), h("p", {}, about), ...notes));
    document.body.append(box);
  }

  private keys(): void {
    const app = this.app;
    const acts: Record<string, (event: KeyboardEvent) => void> = {
      " ": () => app.setPlaying(!app.playing),
      ArrowLeft: (event) => app.step(event.shiftKey ? -10 : -1),
      ArrowRight: (event) => app.step(event.shiftKey ? 10 : 1),
      Home: () => app.setTime(app.start),
      End: () => app.setTime(app.end),
      "[": () => app.changeSpeed(-1),
      "]": () => app.changeSpeed(1),
      l: () => {
        app.repeat = !app.repeat;
        app.tell("play");
      },
      1: () => app.preset("iso"),
      2: () => app.preset("front"),
      3: () => app.preset("right"),
      4: () => app.preset("top"),
      f: () => app.follow(app.followed ? null : app.chosen),
      "+": () => app.stage.zoom(0.85),
      "=": () => app.stage.zoom(0.85),
      "-": () => app.stage.zoom(1 / 0.85),
      b: () => app.toggle("bodies"),
      j: () => app.toggle("joints"),
      s: () => app.toggle("springs"),
      t: () => app.toggle("traces"),
      r: () => app.toggle("reactions"),
      k: () => app.toggle("contacts"),
      g: () => toggleFloor(app),
      n: () => toggleNames(app),
      d: () => app.setDark(!app.dark),
      p: () => {
        const hide = !this.left.classList.contains("hidden") || !this.right.classList.contains("hidden");
        for (const panel of [this.left, this.right]) panel.classList.toggle("hidden", hide || (panel === this.left && this.narrow.matches));
      },
      m: () => app.setMeasuring(!app.measure.on),
      c: () => this.savePicture(),
      z: () => this.switchLanguage(),
      "?": () => this.help(),
      Escape: () => {
        const open = document.querySelector(".help");
        const enlarged = document.querySelector(".enlarged");
        if (open) open.remove();
        else if (enlarged) enlarged.classList.remove("enlarged");
        else if (app.measure.on) app.setMeasuring(false);
        else app.select(null);
      },
    };
    window.addEventListener("keydown", (event) => {
      const target = event.target as HTMLElement;
      const writes = target instanceof HTMLInputElement && target.type !== "range" && target.type !== "checkbox";
      if (event.ctrlKey || event.metaKey || event.altKey || writes || target instanceof HTMLSelectElement) return;
      if (event.key === " " && target instanceof HTMLButtonElement) return;
      const act = acts[event.key] ?? acts[event.key.toLowerCase()];
      if (!act || (this.app.document.mode === "model" && (event.key === " " || event.key.startsWith("Arrow")))) return;
      event.preventDefault();
      act(event);
      app.redraw();
    });
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.main;
    this.app.stage.resize(clientWidth, clientHeight, Math.min(window.devicePixelRatio || 1, 2));
    for (const mechanism of this.app.mechanisms) for (const trace of mechanism.traces) trace.setResolution(clientWidth, clientHeight);
    this.app.redraw();
  }

  /** After each picture. */
  after(): void {
    this.names.place();
    this.triad.place();
    this.distance.place();
  }
}

/** Calls back with the way the pointer went, and what `begin` said when it was pressed. */
function dragged(bar: HTMLElement, move: (dx: number, dy: number, start: number) => void, begin: () => number): void {
  bar.addEventListener("pointerdown", (down) => {
    bar.setPointerCapture(down.pointerId);
    bar.classList.add("held");
    const start = begin();
    const go = (event: PointerEvent) => move(event.clientX - down.clientX, event.clientY - down.clientY, start);
    bar.addEventListener("pointermove", go);
    bar.addEventListener("pointerup", () => {
      bar.classList.remove("held");
      bar.removeEventListener("pointermove", go);
    }, { once: true });
  });
}
