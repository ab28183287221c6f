// What the views share. Every text goes through h(), which makes text nodes of strings: nothing
// here, and nothing that it shows, is ever read as HTML.
import { h, Component } from "/lib/preact.js";
import uPlot from "/lib/uplot.js";

export { h, Component };

/** A length of time in one unit: 42s, 7m, 3h, 2d. */
export function age(millis) {
  const s = Math.max(0, Math.floor(millis / 1000));
  if (s < 120) return s + "s";
  if (s < 7200) return Math.floor(s / 60) + "m";
  if (s < 172800) return Math.floor(s / 3600) + "h";
  return Math.floor(s / 86400) + "d";
}

/** How long ago a time of the cluster was; empty without one. */
export function since(time, now) {
  return time ? age(now - Date.parse(time)) : "";
}

export const plural = (n, one, many) => n + " " + (n === 1 ? one : many);

/** The address of a view inside the page. */
export const setLink = (key) => "#/set/" + key.split("/").map(encodeURIComponent).join("/");
export const runnerLink = (row) =>
  "#/runner/" + [...row.key.split("/"), row.set.split("/")[1]].map(encodeURIComponent).join("/");

/** A link to a page of GitHub; text alone where the URL is no web address. */
export function external(url, text) {
  return /^https?:\/\//.test(url)
    ? h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, text)
    : text;
}

/** A word with the colour of its tone. */
export const tag = (tone, word) => h("span", { class: "tag " + tone }, word);

/** Runners by what they do, as counts of the status. */
export function counts(set) {
  const r = set.runners;
  return { busy: r.busy, idle: r.idle, starting: r.pending - r.stuck, stuck: r.stuck, finished: r.finished };
}

/** What limits a set: the places that it takes jobs for, else its maximum; 0 for no limit. */
export const limit = (set) => set.capacity.advertised ?? set.capacity.maxRunners ?? 0;

/** A bar of the runners of a set against what limits it. */
export function bar(set) {
  const c = counts(set);
  const shown = [
    ["busy", c.busy, "busy"],
    ["good", c.idle, "idle"],
    ["warn", c.starting, "starting"],
    ["bad", c.stuck, "stuck"],
  ].filter((part) => part[1] > 0);
  const most = Math.max(limit(set), c.busy + c.idle + c.starting + c.stuck, 1);
  const words = shown.map((part) => part[1] + " " + part[2]).join(", ") || "no runners";
  const of = limit(set) ? " of " + limit(set) + " places" : "";
  return h("div", { class: "bar", role: "img", "aria-label": words + of },
    shown.map((part) => h("span", { class: part[0], key: part[2], style: { width: (100 * part[1]) / most + "%" } })));
}

/** The counts of a set in words, each with its colour. */
export function legend(set) {
  const c = counts(set);
  return h("ul", { class: "legend" },
    [["busy", c.busy, "busy"], ["good", c.idle, "idle"], ["warn", c.starting, "starting"], ["bad", c.stuck, "stuck"]]
      .filter((part) => part[1] > 0 || part[0] !== "bad")
      .map((part) => h("li", { key: part[2] }, h("i", { class: part[0] }), part[1] + " " + part[2])));
}

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const drawn = new Set();

/** Draws each line that can be seen, with the points that it has now. */
export const redraw = () => drawn.forEach((spark) => spark.plot.setData(data(spark.props.points)));

/** A line of busy runners and waiting jobs since the page opened; drawn only while it can be seen. */
export class Spark extends Component {
  shouldComponentUpdate() { return false; }
  componentDidMount() {
    this.seen = new IntersectionObserver((entries) => {
      const visible = entries[entries.length - 1].isIntersecting;
      if (visible && !this.plot) this.draw();
      if (!visible && this.plot) this.undraw();
    });
    this.seen.observe(this.base);
  }
  componentWillUnmount() {
    this.seen.disconnect();
    this.undraw();
  }
  draw() {
    const line = (name) => ({ stroke: () => colour(name), width: 1.5, points: { show: false } });
    this.plot = new uPlot({
      width: Math.max(80, this.base.clientWidth),
      height: this.props.height,
      cursor: { show: false },
      legend: { show: false },
      axes: [{ show: false }, { show: false }],
      scales: { x: { time: false }, y: { range: (u, min, max) => [0, Math.max(4, max)] } },
      series: [{}, line("--busy-line"), line("--warn-line")],
    }, data(this.props.points), this.base);
    drawn.add(this);
  }
  undraw() {
    drawn.delete(this);
    if (this.plot) this.plot.destroy();
    this.plot = null;
  }
  render(props) {
    return h("div", { class: "spark", role: "img", "aria-label": props.label, style: { height: props.height + "px" } });
  }
}

function data(points) {
  return [points.map((p) => p[0]), points.map((p) => p[1]), points.map((p) => p[2])];
}

/** Reads a part of the page's server; the answer, or what is wrong as {message}. */
export async function ask(path) {
  try {
    const answer = await fetch(path, { cache: "no-store" });
    if (answer.status === 403) return { message: await answer.text() };
    return await answer.json();
  } catch (e) {
    return { message: "kubectl runnerset ui does not answer: start it again." };
  }
}

/** Loads what it shows when it appears, and again when its `when` changes. */
export class Loaded extends Component {
  componentDidMount() { this.load(); }
  componentDidUpdate(before) {
    if (before.path !== this.props.path) this.setState({ found: null });
    if (before.path !== this.props.path || before.when !== this.props.when) this.later();
  }
  componentWillUnmount() { clearTimeout(this.timer); this.gone = true; }
  later() {
    if (this.timer) return;
    this.timer = setTimeout(() => { this.timer = 0; this.load(); }, this.props.pause ?? 0);
  }
  async load() {
    const path = this.props.path;
    const found = await ask(path);
    if (!this.gone && path === this.props.path) this.setState({ found });
  }
  render(props, state) {
    if (!state.found) return h("p", { class: "dim" }, "…");
    return state.found.message !== undefined && !props.own
      ? h("p", { class: "gap" }, state.found.message)
      : props.show(state.found);
  }
}

/** Events of the cluster, the newest first. */
export function eventTable(found, now) {
  if (found.gap) return h("p", { class: "gap" }, found.gap);
  if (!found.events.length) return h("p", { class: "dim" }, "No events: the cluster keeps them for an hour.");
  return h("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "events" },
    h("table", null,
      h("thead", null, h("tr", null, ["Age", "Reason", "Message"].map((t) => h("th", { scope: "col" }, t)))),
      h("tbody", null, found.events.map((e) => h("tr", null,
        h("td", { class: "num" }, since(e.at, now)),
        h("td", null, tag(e.type === "Warning" ? "warn" : "dim", e.reason)),
        h("td", null, e.message + (e.count > 1 ? " (" + e.count + "×)" : "")))))));
}
