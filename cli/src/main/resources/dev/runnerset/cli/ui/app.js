// The page: keeps what the server sent, and shows the view that the address names.
import { render } from "/lib/preact.js";
import { h, Component, ask, redraw } from "/parts.js";
import { Fleet } from "/fleet.js";
import { SetView } from "/set.js";
import { RunnerView } from "/runner.js";

const POINTS = 240; // of a spark line: two minutes
const POINT_MILLIS = 500;

/** The view that the address names. */
function route() {
  const part = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  if (part[0] === "set" && part.length === 3) return { view: "set", set: part[1] + "/" + part[2] };
  if (part[0] === "runner" && part.length === 4) {
    return { view: "runner", set: part[1] + "/" + part[3], runner: part[1] + "/" + part[2] };
  }
  return { view: "fleet", set: "" };
}

class App extends Component {
  constructor() {
    super();
    this.sets = new Map();
    this.runners = new Map();
    this.points = new Map();
    this.skew = 0;
    this.state = { route: route(), notes: { banner: "", gaps: [] }, counters: {}, session: { buttons: [] }, lost: "", said: "", beat: 0 };
  }

  componentDidMount() {
    addEventListener("hashchange", () => this.go());
    addEventListener("keydown", (e) => this.key(e));
    this.open();
    setInterval(() => this.tick(), POINT_MILLIS);
    ask("/api/session").then((session) => session.buttons && this.setState({ session }));
  }

  go() {
    const next = route();
    const moved = next.set !== this.state.route.set;
    this.setState({ route: next }, () => {
      const head = document.querySelector("h1");
      if (head) head.focus();
      scrollTo(0, 0);
    });
    if (moved) this.open();
  }

  key(e) {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName);
    if (e.key === "/" && !typing && !e.ctrlKey && !e.metaKey) {
      const filter = document.querySelector("input[type=search]");
      if (filter) { e.preventDefault(); filter.focus(); }
    } else if (e.key === "Escape" && typing) {
      e.target.blur();
    }
  }

  /** One stream for the fleet, and the runners of the set that is shown. */
  open() {
    if (this.stream) this.stream.close();
    this.runners = new Map();
    const set = route().set;
    this.stream = new EventSource("/events" + (set ? "?set=" + encodeURIComponent(set) : ""));
    this.stream.onmessage = (e) => this.take(JSON.parse(e.data));
    this.stream.onopen = () => this.setState({ lost: "" });
    this.stream.onerror = () =>
      this.setState({ lost: "kubectl runnerset ui does not answer any more: start it again, and open the address that it prints. What is shown is old." });
  }

  take({ now, change, counters }) {
    this.skew = now - Date.now();
    if (change.isWhole) { this.sets.clear(); this.runners.clear(); }
    change.sets.forEach((card) => {
      this.sets.set(card.key, card);
      if (!this.points.has(card.key)) this.points.set(card.key, []);
    });
    change.gone.forEach((key) => { this.sets.delete(key); this.points.delete(key); });
    change.runners.forEach((row) => this.runners.set(row.key, row));
    change.goneRunners.forEach((key) => this.runners.delete(key));
    this.setState({ notes: change.notes, counters, known: true });
  }

  /** Adds a point to each line, also while nothing changes; ages are shown anew each second. */
  tick() {
    const at = this.now() / 1000;
    for (const [key, card] of this.sets) {
      const line = this.points.get(key);
      line.push([at, card.set.runners.busy, card.set.jobs.waiting]);
      if (line.length > POINTS) line.shift();
    }
    redraw();
    this.ticks = (this.ticks ?? 0) + 1;
    if (this.ticks % 2 === 0) this.setState({ beat: this.ticks });
  }

  now() { return Date.now() + this.skew; }

  async press(button, key) {
    const [namespace, name] = key ? key.split("/") : ["", ""];
    const form = new URLSearchParams({ button, namespace, name });
    try {
      const answer = await fetch("/api/press", { method: "POST", body: form.toString(), headers: { "X-Runnerset-Forgery": this.state.session.forgery } });
      const text = await answer.text();
      this.setState({ said: text.startsWith("{") ? JSON.parse(text).message : text });
    } catch (e) {
      this.setState({ said: "The page's server does not answer." });
    }
  }

  /** The buttons of a place; `of` names the thing where there are many. */
  buttons(place, key, of) {
    return this.state.session.buttons
      .filter((b) => b.place === place)
      .map((b) => h("button", { key: b.id, type: "button", "aria-label": of && b.label + ": " + of, onClick: () => (!b.question || confirm(b.question)) && this.press(b.id, key) }, b.label));
  }

  head() {
    const counters = Object.entries(this.state.counters);
    const fleet = this.buttons("FLEET");
    return h("header", null,
      h("a", { class: "home", href: "#/" }, "runnerset"),
      counters.length > 0 && h("dl", { class: "counters" }, counters.map(([label, n]) =>
        h("div", { key: label, class: label.includes("lost") ? (n > 0 ? "bad" : "good") : "" }, h("dt", null, label), h("dd", null, n)))),
      fleet.length > 0 && h("div", { class: "buttons", role: "group", "aria-label": "actions" }, fleet));
  }

  render(props, state) {
    const { route, notes } = state;
    const shared = { app: this, now: this.now(), beat: state.beat };
    const banner = state.lost || notes.banner;
    let view;
    if (!state.known) view = h("main", null, h("h1", { tabIndex: -1 }, "Sets of runners"), h("p", { class: "loading" }, "The page asks the cluster…"));
    else if (route.view === "set") view = h(SetView, { ...shared, card: this.sets.get(route.set), name: route.set, rows: [...this.runners.values()], points: this.points.get(route.set) ?? [] });
    else if (route.view === "runner") view = h(RunnerView, { ...shared, row: this.runners.get(route.runner), name: route.runner, set: route.set });
    else view = h(Fleet, { ...shared, sets: this.sets, points: this.points });
    return [
      this.head(),
      h("div", { class: "notes", role: "status", "aria-live": "polite" },
        banner && h("p", { class: "banner" }, banner),
        state.said && h("p", { class: "said" }, state.said, h("button", { type: "button", onClick: () => this.setState({ said: "" }) }, "Close"))),
      notes.gaps.map((gap) => h("p", { class: "gap", key: gap }, gap)),
      view,
    ];
  }
}

const page = document.getElementById("page");
page.replaceChildren();
render(h(App), page);
