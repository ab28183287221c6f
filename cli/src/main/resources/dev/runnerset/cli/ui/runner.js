// One runner: its life, its job, what is known of its end, and its log on demand.
import { h, Component, Loaded, age, eventTable, external, setLink, since, tag } from "/parts.js";
import { life, phases } from "/set.js";

const PAUSE = 2000;

/** A value of the evidence as lists and words; what is unknown is shown as it is. */
function tree(value) {
  if (Array.isArray(value)) return h("ul", null, value.map((v, i) => h("li", { key: i }, tree(v))));
  if (value && typeof value === "object") {
    return h("dl", { class: "tree" }, Object.entries(value).map(([k, v]) => h("div", { key: k }, h("dt", null, k), h("dd", null, tree(v)))));
  }
  const text = String(value);
  return text.includes("\n") ? h("pre", { tabIndex: 0 }, text) : text;
}

export class RunnerView extends Component {
  constructor() {
    super();
    this.state = { log: 0 };
  }
  componentDidMount() { document.title = this.props.name + " · runnerset"; }

  job(runner, now) {
    const job = runner.job;
    if (!job) return h("p", { class: "dim" }, "It has no job.");
    return h("dl", { class: "tree" },
      h("div", null, h("dt", null, "job"), h("dd", null, external(job.runUrl, job.name))),
      h("div", null, h("dt", null, "repository"), h("dd", null, job.repository || "unknown")),
      job.startedAt && h("div", null, h("dt", null, "began"), h("dd", null, since(job.startedAt, now) + " ago")),
      job.result && h("div", null, h("dt", null, "result"), h("dd", null, job.result)),
      job.lostBy && h("div", null, h("dt", null, "lost by"), h("dd", null, tag("bad", job.lostBy))));
  }

  render({ app, row, name, set, now }, state) {
    const back = h("nav", { "aria-label": "where you are" }, h("a", { href: "#/" }, "All sets"), " / ", h("a", { href: setLink(set) }, set));
    const [namespace, short] = name.split("/");
    const query = "?namespace=" + encodeURIComponent(namespace) + "&name=" + encodeURIComponent(short);
    if (!row) {
      return h("main", null, back, h("h1", { tabIndex: -1 }, short), h("p", null, "This runner is gone: a runner runs one job, and goes."),
        h("h2", null, "Events"), h(Loaded, { path: "/api/runner-events" + query, show: (found) => eventTable(found, now) }));
    }
    const r = row.runner;
    const from = Date.parse(r.timeline.created ?? 0) || now;
    const to = r.timeline.finished ? Date.parse(r.timeline.finished) : now;
    return h("main", null, back,
      h("h1", { tabIndex: -1 }, r.name, " ", tag(row.tone, row.state)),
      h("p", { class: "facts" }, (r.node ? "on the node " + r.node : "on no node yet") + " · made " + since(r.timeline.created, now) + " ago"),
      r.why && h("p", { class: "sentence " + row.tone }, r.why),
      h("div", { class: "buttons", role: "group", "aria-label": "actions" }, app.buttons("RUNNER", row.key), r.node && app.buttons("NODE", "/" + r.node)),
      h("h2", null, "Life"), life(r, from, to, now),
      h("ol", { class: "steps" }, phases(r, to).map((p) => h("li", { key: p[0] }, h("i", { class: "step-" + p[0] }), p[1] + " for " + age(p[3] - p[2])))),
      h("h2", null, "Job"), this.job(r, now),
      row.state === "failed" && [h("h2", null, "Evidence"),
        h(Loaded, { own: true, path: "/api/evidence" + query, when: row.state, show: (found) => found.reason === undefined ? h("p", { class: "dim" }, found.message ?? "Nothing was kept.") : tree(found) })],
      h("h2", null, "Events"), h(Loaded, { path: "/api/runner-events" + query, when: row.state, pause: PAUSE, show: (found) => eventTable(found, now) }),
      h("h2", null, "Log"),
      h("button", { type: "button", onClick: () => this.setState({ log: state.log + 1 }) }, state.log ? "Read the last lines again" : "Read the last lines"),
      state.log > 0 && h(Loaded, { path: "/api/log" + query, when: state.log, show: (found) => found.gap ? h("p", { class: "gap" }, found.gap) : h("pre", { tabIndex: 0 }, found.text || "The log is empty.") }));
  }
}
