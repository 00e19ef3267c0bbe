/** Below: play, pause, step, repeat, speed, and the time to drag. */
import { SPEEDS, type App } from "../app";
import { clear, h, icon, ICONS, short } from "./dom";
import { say, type Word } from "./text";

const STEPS = 100_000; // of the slider

export function timeline(app: App): HTMLElement {
  const footer = h("footer");
  const build = () => {
    clear(footer);
    const button = (word: Word, path: string, act: () => void, id: string) =>
      h("button", { class: "icon", title: say(word), "aria-label": say(word), onclick: act, id }, icon(path));
    const play = button("play", ICONS.play, () => app.setPlaying(!app.playing), "play");
    const repeat = button("loop", ICONS.loop, () => {
      app.repeat = !app.repeat;
      app.tell("play");
    }, "repeat");
    const slider = h("input", {
      type: "range", min: 0, max: STEPS, step: 1, value: 0, id: "scrub", "aria-label": say("time"),
      oninput: () => {
        app.setPlaying(false);
        app.setTime(app.start + (Number(slider.value) / STEPS) * (app.end - app.start));
      },
    });
    const track = h("div", { class: "track" }, slider);
    const placeEvents = () => {
      for (const old of track.querySelectorAll(".event")) old.remove();
      const span = app.end - app.start || 1;
      for (const event of app.run.numbers.events) {
        const part = (event.t - app.start) / span;
        const title = `${event.name}, t = ${short(event.t, 6)} s`;
        track.append(h("div", { class: "event", style: `left:calc(8px + ${part} * (100% - 16px))`, title }));
      }
    };
    placeEvents();
    const speed = h("select", {
      title: say("speed"), "aria-label": say("speed"), id: "speed",
      onchange: () => app.setSpeed(Number(speed.value)),
    });
    for (const s of SPEEDS) speed.append(h("option", { value: s }, `${s}×`));
    const clock = h("div", { class: "clock" });
    const digits = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(Math.max(app.end - app.start, 1e-9)))));
    const showTime = () => {
      const span = app.end - app.start;
      slider.value = String(span > 0 ? Math.round(((app.t - app.start) / span) * STEPS) : 0);
      clear(clock);
      clock.append(h("b", {}, app.t.toFixed(digits)), ` / ${app.end.toFixed(digits)} s`);
    };
    const showPlay = () => {
      clear(play);
      play.append(icon(app.playing ? ICONS.pause : ICONS.play));
      play.title = say(app.playing ? "pause" : "play");
      repeat.classList.toggle("on", app.repeat);
      speed.value = String(app.speed);
    };
    footer.append(
      button("first", ICONS.first, () => app.setTime(app.start), "first"),
      button("back", ICONS.back, () => app.step(-1), "back"),
      play,
      button("forward", ICONS.forward, () => app.step(1), "forward"),
      button("last", ICONS.last, () => app.setTime(app.end), "last"),
      repeat, speed, track, clock,
    );
    showTime();
    showPlay();
    update.time = showTime;
    update.play = showPlay;
    update.data = () => {
      placeEvents();
      showTime();
    };
  };
  const update = { time: () => {}, play: () => {}, data: () => {} };
  build();
  app.on("time", () => update.time());
  app.on("play", () => update.play());
  app.on("data", () => update.data());
  app.on("language", build);
  return footer;
}
