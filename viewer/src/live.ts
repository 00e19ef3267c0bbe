/** A simulation that is still going on: asks for what is new twice a second. */
import type { App } from "./app";
import type { ChannelHead } from "./document";
import { floats } from "./pack";
import { say } from "./ui/text";

interface News {
  first: number;
  t: string;
  poses: string;
  values: string;
  heads: ChannelHead[];
  events: { name: string; t: number }[];
  done: boolean;
  ok: boolean;
  reason: string;
}

const EVERY = 400; // milliseconds

export function watch(app: App, notify: (text: string) => void): void {
  const run = app.run;
  const ask = async () => {
    try {
      const answer = await fetch(`live?after=${run.count}`, { cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      const news = (await answer.json()) as News;
      if (!run.columns) run.setHeads(news.heads);
      const t = floats(news.t);
      if (t.length && news.first === run.count) {
        const atEnd = app.t >= app.end || run.count === 0;
        run.append(t, floats(news.poses), floats(news.values));
        Object.assign(run.numbers, { outputs: run.count, events: news.events, ok: news.ok, reason: news.reason });
        if (atEnd && !app.playing) app.setTime(app.end);
        app.tell("data");
      }
      notify("");
      if (news.done) {
        run.numbers.reason = news.reason;
        run.numbers.ok = news.ok;
        app.document.mode = "result";
        app.tell("data");
        return;
      }
    } catch {
      notify(say("closed"));
      return;
    }
    setTimeout(ask, EVERY);
  };
  void ask();
}
