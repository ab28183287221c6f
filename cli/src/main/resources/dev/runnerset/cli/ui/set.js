// One set: its runners in the order of time, and everything that the set says of itself.
import { h, Component, Loaded, Spark, bar, eventTable, external, legend, plural, runnerLink, since, tag } from "/parts.js";

const STEPS = [["created", "waits for a node"], ["scheduled", "gets the image"], ["imagesPulled", "starts"], ["started", "idle"], ["jobStarted", "has a job"], ["finished", ""]];
const ROWS = 100;
const PAUSE = 2000;

/** The parts of a runner's life as [class, words, from, to], in milliseconds. */
export function phases(runner, now) {
  const times = STEPS.map(([field]) => (runner.timeline[field] ? Date.parse(runner.timeline[field]) : null));
  if (times[4] === null && runner.job && runner.job.startedAt) times[4] = Date.parse(runner.job.startedAt);
  const end = times[5] ?? now;
  const found = [];
  for (let i = 0; i < 5; i++) {
    if (times[i] === null) continue;
    const next = times.slice(i + 1).find((t) => t !== null) ?? end;
    if (next > times[i]) found.push([STEPS[i][0], STEPS[i][1], times[i], next]);
  }
  return found;
}

/** A runner's life as a bar on the common axis of time. */
export function life(runner, from, to, now) {
  const span = Math.max(1000, to - from);
  const parts = phases(runner, now);
  const words = parts.map((p) => p[1] + " for " + Math.round((p[3] - p[2]) / 1000) + " s").join(", ");
  return h("div", { class: "life", role: "img", "aria-label": words || "nothing is known yet" },
    parts.map((p) => h("span", { class: "step-" + p[0], key: p[0], title: p[1], style: { left: (100 * (Math.max(p[2], from) - from)) / span + "%", width: Math.max(0.4, (100 * (p[3] - Math.max(p[2], from))) / span) + "%" } })));
}

function key() {
  return h("ul", { class: "legend" }, STEPS.slice(0, 5).map((s) => h("li", { key: s[0] }, h("i", { class: "step-" + s[0] }), s[1])));
}

function section(title, ...inside) {
  const id = title.replace(/\W+/g, "-").toLowerCase();
  return h("section", { "aria-labelledby": id }, h("h2", { id }, title), ...inside);
}

function table(label, heads, rows) {
  return h("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": label },
    h("table", null,
      h("thead", null, h("tr", null, heads.map((t) => h("th", { scope: "col", key: t }, t)))),
      h("tbody", null, rows.map((cells, i) => h("tr", { key: i }, cells.map((c) => h("td", null, c)))))));
}

export class SetView extends Component {
  constructor() {
    super();
    this.state = { rows: ROWS };
  }
  componentDidMount() { document.title = this.props.name + " · runnerset"; }

  waterfall(rows, now) {
    if (!rows.length) return h("p", { class: "dim" }, "There is no runner now.");
    const made = (row) => Date.parse(row.runner.timeline.created ?? 0) || now;
    const sorted = [...rows].sort((a, b) => made(b) - made(a) || (a.key < b.key ? -1 : 1));
    const shown = sorted.slice(0, this.state.rows);
    const from = Math.min(...shown.map(made));
    return [
      key(),
      h("ul", { class: "waterfall" }, shown.map((row) => {
        const r = row.runner;
        return h("li", { key: row.key },
          h("a", { href: runnerLink(row) }, r.name),
          tag(row.tone, row.state),
          life(r, from, now, now),
          h("span", { class: "job", title: r.job ? "" : r.why }, r.job ? external(r.job.runUrl, r.job.name) : r.why),
          this.buttons(row));
      })),
      sorted.length > shown.length && h("button", { type: "button", onClick: () => this.setState({ rows: this.state.rows + ROWS }) }, "Show more of " + sorted.length),
    ];
  }

  /** What can be done with a runner; nothing on a page that only shows. */
  buttons(row) {
    const buttons = this.props.app.buttons("RUNNER", row.key, row.runner.name);
    return buttons.length > 0 && h("span", { class: "buttons small" }, buttons);
  }

  /** The nodes of the runners, where there is something to press. */
  nodes(rows) {
    const app = this.props.app;
    const names = [...new Set(rows.map((row) => row.runner.node).filter(Boolean))].sort();
    if (!app.buttons("NODE", "").length || !names.length) return null;
    return h("ul", { class: "nodes" }, names.map((name) => h("li", { key: name },
      h("span", null, name + ": " + plural(rows.filter((row) => row.runner.node === name).length, "runner", "runners")),
      h("span", { class: "buttons small" }, app.buttons("NODE", "/" + name, name)))));
  }

  jobs(rows, now) {
    const jobs = rows.filter((row) => row.runner.job);
    if (!jobs.length) return h("p", { class: "dim" }, "No runner has a job now.");
    return table("jobs", ["Job", "Repository", "Runner", "For", "Result"], jobs.slice(0, this.state.rows).map((row) => {
      const job = row.runner.job;
      return [
        external(job.runUrl, job.name), job.repository, h("a", { href: runnerLink(row) }, row.runner.name), since(job.startedAt, now),
        job.lostBy ? tag("bad", "lost: " + job.lostBy) : job.result || (row.state === "failed" ? "" : "runs"),
      ];
    }));
  }

  capacity(set) {
    const c = set.capacity;
    const rows = c.limits.map((l) => [l.reason === c.limitedBy ? tag("warn", l.reason) : l.reason, l.places, l.of ?? ""]);
    if (c.maxRunners !== null && c.maxRunners !== undefined) rows.unshift(["maxRunners", c.maxRunners, "spec"]);
    return [
      h("p", null, "Takes " + (c.advertised ?? "no") + " jobs at a time" + (c.limitedBy ? ", limited by " + c.limitedBy : "") + "."),
      rows.length > 0 && table("terms of the capacity", ["Term", "Places", "Of"], rows),
      c.placement && h("p", { class: "sentence" }, c.placement),
    ];
  }

  detail(found, now) {
    const open = (w) => found.schedule && found.schedule.active.includes(w.name);
    const [latest] = found.history;
    return [
      section("Conditions", h("ul", { class: "conditions" }, found.conditions.map((c) => h("li", { key: c.type, class: c.tone },
        h("p", null, tag(c.tone, c.type + " is " + c.status), " ", h("b", null, c.reason), " ", h("small", null, "for " + since(c.since, now))),
        c.message && h("p", null, c.message),
        c.todo && h("p", { class: "todo" }, "What to do: " + c.todo))))),
      found.windows.length > 0 && section("Schedule",
        table("windows", ["Window", "Open", "Start", "For", "Time zone", "Min", "Max"], found.windows.map((w) => [w.name, open(w) ? tag("good", "open") : "-", w.start, w.duration, w.timeZone, w.minRunners ?? "", w.maxRunners ?? ""])),
        found.schedule && h("p", null, "Now " + found.schedule.minRunners + " to " + found.schedule.maxRunners + " runners" + (found.schedule.nextChange ? "; next change: " + found.schedule.nextChange : "") + ".")),
      latest && section("Rollouts",
        latest.state !== "Completed" && h("p", null, "A rollout is under way for " + since(latest.startedTime, now) + (latest.reason ? ": " + latest.reason : "") + "."),
        table("rollouts", ["State", "Began", "Version", "Image", "Revision"], found.history.map((e) => [tag(e.state === "Completed" ? "good" : "warn", e.state), since(e.startedTime, now) + " ago", e.version, e.image, e.revision]))),
    ];
  }

  render({ card, name, rows, points, now }) {
    if (!card) return h("main", null, h("h1", { tabIndex: -1 }, name), h("p", null, "There is no such set (any more)."), h("p", null, h("a", { href: "#/" }, "All sets")));
    const set = card.set;
    const query = "?namespace=" + encodeURIComponent(set.name.namespace) + "&name=" + encodeURIComponent(set.name.name);
    return h("main", null,
      h("nav", { "aria-label": "where you are" }, h("a", { href: "#/" }, "All sets"), " / " + set.name.namespace),
      h("h1", { tabIndex: -1 }, set.name.name, " ", tag(card.tone, set.health.reason || "Ready")),
      h("p", { class: "facts" }, external(set.url, set.url), " · mode " + set.mode + " · " + (set.jobs.waiting ? plural(set.jobs.waiting, "job waits", "jobs wait") + (set.jobs.waitingSince ? ", for " + since(set.jobs.waitingSince, now) : "") : "no job waits")),
      set.health.sentence && h("p", { class: "sentence " + card.tone }, set.health.sentence),
      h("div", { class: "buttons", role: "group", "aria-label": "actions" }, this.props.app.buttons("SET", card.key)),
      bar(set), legend(set),
      h(Spark, { points, height: 80, label: "busy runners and waiting jobs since the page opened" }),
      h("ul", { class: "legend" }, h("li", null, h("i", { class: "line-busy" }), "busy runners"), h("li", null, h("i", { class: "line-wait" }), "waiting jobs, since the page opened")),
      section("Runners", this.nodes(rows), this.waterfall(rows, now)),
      section("Jobs", this.jobs(rows, now)),
      section("Capacity", this.capacity(set)),
      h(Loaded, { path: "/api/set" + query, when: card.version, show: (found) => this.detail(found, now) }),
      section("Events", h(Loaded, { path: "/api/set-events" + query, when: card.version, pause: PAUSE, show: (found) => eventTable(found, now) })));
  }
}
