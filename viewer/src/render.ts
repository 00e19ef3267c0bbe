/** Pictures for a file: draws the wanted instants and hands each to the process that asked for them. */
import type { App } from "./app";
import type { RenderOptions } from "./document";
import type { Kind } from "./scene/mechanism";
import { scaleOf } from "./ui/tools";

export async function renderAll(app: App, options: RenderOptions): Promise<void> {
  const flat = document.createElement("canvas");
  flat.width = options.width;
  flat.height = options.height;
  const c = flat.getContext("2d")!;
  for (let k = 0; k < options.times.length; k++) {
    app.setTime(options.times[k]);
    app.draw();
    c.drawImage(app.stage.canvas, 0, 0, flat.width, flat.height);
    if (options.clock) {
      c.font = `${Math.round(flat.height / 42)}px system-ui, sans-serif`;
      c.fillStyle = app.theme.muted;
      c.fillText(`${app.run.model.name}   t = ${app.t.toFixed(3)} s`, flat.height / 40, flat.height - flat.height / 40);
    }
    if (app.names) names(app, c, flat.height);
    scale(app, c, flat.width, flat.height);
    const picture = await new Promise<Blob | null>((done) => flat.toBlob(done, "image/png"));
    await fetch(`picture/${k}`, { method: "POST", body: picture });
  }
  await fetch("done", { method: "POST" });
}

/** What the colours of beams mean. */
function scale(app: App, c: CanvasRenderingContext2D, width: number, height: number): void {
  const found = scaleOf(app);
  if (!found) return;
  const small = Math.max(10, Math.round(height / 45));
  const [high, left, top] = [0.3 * height, width - 6.5 * small, 0.08 * height];
  const ramp = c.createLinearGradient(0, top + high, 0, top);
  found.stops.forEach((colour, k) => ramp.addColorStop(k / (found.stops.length - 1), colour));
  c.fillStyle = ramp;
  c.fillRect(left, top, small, high);
  c.font = `${small}px system-ui, sans-serif`;
  c.fillStyle = app.theme.text;
  found.ticks.forEach((text, k) => c.fillText(text, left + 1.4 * small, top + (k * high) / (found.ticks.length - 1) + 0.35 * small));
  c.textAlign = "right";
  c.fillText(found.title, width - small, top - 0.8 * small);
  c.textAlign = "left";
}

/** Names of bodies, joints and markers, beside them. */
function names(app: App, c: CanvasRenderingContext2D, height: number): void {
  const { model } = app.run;
  const small = Math.max(10, Math.round(height / 55));
  c.font = `${small}px system-ui, sans-serif`;
  c.lineWidth = 3;
  c.strokeStyle = app.theme.background;
  const write = (kind: Kind, name: string, colour: string, up: number) => {
    const where = app.mechanisms[0].whereIs({ kind, name });
    const p = where && app.stage.project(where);
    if (!p?.visible) return;
    c.strokeText(name, p.x + 0.6 * small, p.y - up);
    c.fillStyle = colour;
    c.fillText(name, p.x + 0.6 * small, p.y - up);
  };
  for (const joint of model.joints) if (joint.kind !== "free") write("joint", joint.name, app.theme.muted, 0.8 * small);
  for (const marker of model.markers) write("marker", marker.name, app.theme.muted, 0);
  for (const body of model.bodies.slice(1)) write("body", body.name, app.theme.text, -0.3 * small);
}
