/** Pictures for a file: draws the wanted instants and hands each to the process that asked for them. */
import type { App } from "./app";
import type { RenderOptions } from "./document";

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
    const picture = await new Promise<Blob | null>((done) => flat.toBlob(done, "image/png"));
    await fetch(`picture/${k}`, { method: "POST", body: picture });
  }
  await fetch("done", { method: "POST" });
}
