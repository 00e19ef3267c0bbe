/** Begin: read the document in the page, build the scene and the panels around it, start the clock. */
import { Vector3 } from "three";
import { App } from "./app";
import type { Document } from "./document";
import { watch } from "./live";
import { renderAll } from "./render";
import { Run } from "./run";
import type { Chosen } from "./scene/mechanism";
import { PRESETS, type Preset } from "./scene/stage";
import { h } from "./ui/dom";
import { Page } from "./ui/layout";
import { pick } from "./ui/overlay";
import css from "./ui/style.css?inline";
import { currentLanguage, say, setLanguage } from "./ui/text";

/** For tests: what the page shows, in numbers. */
export interface Hook {
  ready: boolean;
  state(): Record<string, unknown>;
  project(kind: Chosen["kind"], name: string): { x: number; y: number; visible: boolean } | null;
  world(kind: Chosen["kind"], name: string): number[] | null;
  pick(x: number, y: number): Chosen | null;
  setTime(t: number): void;
  /** Draws what has changed, now and not with the next picture; what the page says of places is always settled. */
  settle(): void;
  /** Where the viewer stands, in numbers that need no graphics to check. */
  camera(): { position: number[]; target: number[]; up: number[]; fieldOfView: number; width: number; height: number };
  frameTimes(): number[];
}

async function begin(): Promise<void> {
  document.head.append(h("style", {}, css));
  const source = document.getElementById("duoti-document")!;
  const data = JSON.parse(source.textContent!) as Document;
  const { options } = data;
  const chinese = options.language === "zh" || (options.language !== "en" && navigator.language.startsWith("zh"));
  setLanguage(chinese ? "zh" : "en");
  document.documentElement.lang = currentLanguage();

  const canvas = h("canvas", { tabindex: 0, "aria-label": say("scene") });
  const runs = await Promise.all(data.runs.map((numbers) => Run.open(data, numbers)));
  const app = new App(data, runs, canvas);
  app.on("theme", () => document.documentElement.classList.toggle("dark", app.dark));
  if (options.arrows) app.shown.reactions = true;
  if (options.labels) app.names = true;
  if (options.along) app.look.along = options.along;
  const page = new Page(app, canvas, options);
  app.applyLook();
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  app.setDark(options.theme === "dark" || (options.theme !== "light" && system.matches));
  if (options.theme !== "dark" && options.theme !== "light") system.addEventListener("change", () => app.setDark(system.matches));

  if (options.render) {
    const { width, height } = options.render;
    page.resize();
    app.stage.resize(width, height, 1);
  }
  const preset = PRESETS.find((name) => name === options.camera) as Preset | undefined;
  app.preset(preset ?? "iso");
  if (options.zoom && options.zoom !== 1) app.stage.zoom(1 / options.zoom);
  if (options.follow) app.follow({ kind: "body", name: options.follow });

  let last = performance.now();
  const turn = (now: number) => {
    app.tick((now - last) / 1000);
    last = now;
    page.after();
    requestAnimationFrame(turn);
  };
  app.draw();
  page.plots.draw();

  const hook: Hook = {
    ready: true,
    state: () => ({
      t: app.t, start: app.start, end: app.end, playing: app.playing, speed: app.speed, repeat: app.repeat, dark: app.dark,
      language: currentLanguage(), chosen: app.chosen, followed: app.followed, shown: app.shown, plots: page.plots.names,
      frames: app.run.count, mode: data.mode, runs: app.runs.map((run) => run.name), q: page.sliders?.q,
      width: app.stage.width, height: app.stage.height, notice: page.notice.textContent,
      measured: app.measure.way?.toArray() ?? null, along: app.look.along,
    }),
    settle: () => app.settle(),
    world: (kind, name) => {
      app.settle();
      return app.mechanisms[0].whereIs({ kind, name })?.toArray() ?? null;
    },
    project: (kind, name) => {
      app.settle();
      const where = app.mechanisms[0].whereIs({ kind, name });
      return where && app.stage.project(where as Vector3);
    },
    pick: (x, y) => {
      app.settle();
      return pick(app, x, y);
    },
    setTime: (t) => {
      app.setPlaying(false);
      app.setTime(t);
      app.draw();
    },
    camera: () => {
      app.settle();
      return {
        position: app.stage.camera.position.toArray(), target: app.stage.controls.target.toArray(), up: app.stage.up.toArray(),
        fieldOfView: app.stage.camera.fov, width: app.stage.width, height: app.stage.height,
      };
    },
    frameTimes: () => [...app.frameTimes],
  };
  Object.assign(window, { duoti: hook });

  if (options.render) {
    await renderAll(app, options.render);
    return;
  }
  if (data.mode === "live") watch(app, (text) => page.say(text));
  if (data.served) stayInTouch();
  requestAnimationFrame(turn);
}

const EVERY = 20_000; // milliseconds; in the background browsers make it a minute

/** The process that serves the page goes on while one is open. A page that comes back from the browser's memory is another one.
 *
 * A browser that dies says no farewell: the greeting is repeated, and a page that has long been silent is gone. */
function stayInTouch(): void {
  let name = "";
  const greet = () => navigator.sendBeacon(`hello/${name}`);
  const hello = () => {
    name = Math.random().toString(36).slice(2);
    greet();
  };
  window.setInterval(greet, EVERY);
  document.addEventListener("freeze", () => navigator.sendBeacon(`rest/${name}`)); // the browser stops all timers of the page
  document.addEventListener("resume", greet);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && greet());
  window.addEventListener("pagehide", () => navigator.sendBeacon(`bye/${name}`));
  window.addEventListener("pageshow", (event) => event.persisted && hello());
  hello();
}

begin().catch((error: unknown) => {
  console.error(error);
  document.body.append(h("p", { style: "padding:2em;font-family:sans-serif" }, `${say("cannotShow")}: ${String(error)}`));
});
