// All sets, what hurts most first.
import { h, Component, Spark, bar, legend, limit, plural, setLink, since, tag } from "/parts.js";

/** What hurts most first: by rank, by waiting jobs, by name; the same order as the command line. */
function worstFirst(a, b) {
  return a.rank - b.rank || b.set.jobs.waiting - a.set.jobs.waiting || (a.key < b.key ? -1 : 1);
}

class Card extends Component {
  shouldComponentUpdate(next) {
    const ages = next.card.set.jobs.waiting && next.card.set.jobs.waitingSince;
    return next.card.version !== this.props.card.version || (ages && next.beat !== this.props.beat);
  }
  render({ card, points, now }) {
    const set = card.set;
    const waiting = set.jobs.waiting;
    const waitingSince = set.jobs.waitingSince;
    const places = limit(set);
    return h("li", { class: "card " + card.tone },
      h("h2", null, h("a", { href: setLink(card.key) }, set.name.name), h("small", null, set.name.namespace)),
      tag(card.tone, set.health.reason || "Ready"),
      bar(set),
      legend(set),
      h("p", { class: "facts" },
        waiting ? h("b", null, plural(waiting, "job waits", "jobs wait")) : "no job waits",
        waiting && waitingSince ? ", for " + since(waitingSince, now) : "",
        places ? " · takes " + places + (set.capacity.limitedBy ? ", limited by " + set.capacity.limitedBy : "") : ""),
      h(Spark, { points, height: 32, label: "busy runners and waiting jobs since the page opened" }),
      set.health.sentence && h("p", { class: "sentence " + card.tone }, set.health.sentence));
  }
}

export class Fleet extends Component {
  constructor() {
    super();
    this.state = { filter: "" };
  }
  componentDidMount() { document.title = "Sets of runners · runnerset"; }
  render({ sets, points, now, beat }, { filter }) {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const all = [...sets.values()];
    const shown = all
      .filter((card) => words.every((w) => (card.key + " " + card.set.health.reason + " " + card.set.health.level).toLowerCase().includes(w)))
      .sort(worstFirst);
    const sum = (f) => shown.reduce((n, card) => n + f(card.set), 0);
    return h("main", null,
      h("h1", { tabIndex: -1 }, "Sets of runners"),
      h("div", { class: "tools" },
        h("label", null, "Filter (key /) ", h("input", { type: "search", value: filter, placeholder: "name or reason", "aria-keyshortcuts": "/", onInput: (e) => this.setState({ filter: e.target.value }) })),
        h("p", { class: "facts" },
          plural(shown.length, "set", "sets") + " · " + sum((s) => s.runners.busy) + " busy · " + sum((s) => s.runners.idle) + " idle · " + plural(sum((s) => s.jobs.waiting), "job waits", "jobs wait"))),
      shown.length
        ? h("ul", { class: "cards" }, shown.map((card) => h(Card, { key: card.key, card, now, beat, points: points.get(card.key) ?? [] })))
        : h("p", null, all.length ? "No set matches the filter." : "There is no set here yet: docs/start/install.md says how to make one."));
  }
}
