/* What site/look asks of a page; each answer is a list of faults, or a value. */
const shown = element => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && element.getClientRects().length > 0;
const words = element => element.textContent.trim().slice(0, 40);

const look = {
  sideways: () => {
    const most = document.documentElement.clientWidth;
    return document.documentElement.scrollWidth > most ? [`the page is ${document.documentElement.scrollWidth} px wide in ${most}`] : [];
  },

  /* Identifiers, and in first columns commands, that go on in a second line. */
  broken: () => [...document.querySelectorAll("td code")]
    .filter(code => shown(code) && (code.closest("td:first-child") || /^[\w.]+$/.test(code.textContent)) && code.getClientRects().length > 1)
    .map(code => `breaks in its column: ${words(code)}`),

  boxes: () => [...document.querySelectorAll(".md-content pre, .md-content table, .md-content img")]
    .filter(shown)
    .filter(box => (box.closest(".md-typeset__scrollwrap") ?? box.closest("p, pre, table") ?? box).getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .map(box => `leaves the page: ${box.tagName} ${words(box)}`),

  /* Levels of the menu and of the tabs that a reader can see at the same time. */
  levels: () => [...document.querySelectorAll(".md-nav--primary .md-nav__list, .md-tabs__list")]
    .map(list => [...list.children].filter(entry => !entry.closest(".md-nav--secondary")).length)
    .filter(count => count > 7)
    .map(count => `a level of the menu has ${count} entries`),

  entries: () => document.querySelectorAll(".md-nav--primary .md-nav__link[href]:not(.md-nav--secondary *)").length,
  seen: () => [...document.querySelectorAll(".md-nav--primary .md-nav__link, .md-tabs__link")].filter(link => !link.closest(".md-nav--secondary") && shown(link)).length,

  /* Contrast of text with what is behind it, by WCAG 2: 4.5, and 3 where it is large. A picture is looked at as a part of the page. */
  contrast: async () => {
    for (const picture of document.querySelectorAll('img.picture[src$=".svg"]')) {
      const drawn = document.createElement("div");
      drawn.attachShadow({ mode: "open" }).innerHTML = await (await fetch(picture.src)).text();
      picture.after(drawn);
    }
    const parts = colour => { const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number); return [r, g, b, a]; };
    const rgb = colour => { const c = document.createElement("canvas").getContext("2d", { willReadFrequently: true }); c.fillStyle = colour; c.fillRect(0, 0, 1, 1); const d = c.getImageData(0, 0, 1, 1).data; return [d[0], d[1], d[2], d[3] / 255]; };
    const over = (top, ground) => [0, 1, 2].map(i => top[i] * top[3] + ground[i] * (1 - top[3]));
    const light = colour => colour.map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
    const colours = new Map();
    const known = colour => colours.get(colour) ?? colours.set(colour, /^rgba?\(/.test(colour) ? parts(colour) : rgb(colour)).get(colour);
    const ground = element => {
      const layers = [];
      for (let e = element; e; e = e.parentElement) layers.push(known(getComputedStyle(e).backgroundColor));
      return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
    };
    const found = new Map();
    const shape = element => element.closest(".node")?.querySelector("rect, polygon") ?? element.closest("g")?.querySelector(":scope > rect.actor, :scope > rect.note, :scope > rect.card");
    for (const drawn of document.querySelectorAll(".picture + div")) {
      for (const element of drawn.shadowRoot.querySelectorAll("text:not(:has(tspan)), tspan:not(:has(tspan)), p")) {
        const style = getComputedStyle(element), box = shape(element);
        const behind = box ? known(getComputedStyle(box).fill).slice(0, 3) : ground(drawn);
        const text = over(known(element.matches("p") ? style.color : style.fill), behind);
        const [high, low] = [light(text), light(behind)].sort((a, b) => b - a);
        if ((high + .05) / (low + .05) < 4.5) found.set(words(element), `contrast ${((high + .05) / (low + .05)).toFixed(2)} of "${words(element)}" in a picture (${text} on ${behind})`);
      }
      drawn.remove();
    }
    for (const element of document.querySelectorAll(".md-content *, .md-sidebar *, .md-tabs *, .md-footer *")) {
      if (![...element.childNodes].some(node => node.nodeType === 3 && node.data.trim()) || !shown(element) || element.closest("svg, .headerlink, .md-top")) continue;
      const style = getComputedStyle(element), size = parseFloat(style.fontSize);
      const behind = ground(element), text = over(known(style.color), behind);
      const [high, low] = [light(text), light(behind)].sort((a, b) => b - a);
      const ratio = (high + .05) / (low + .05);
      const needed = size >= 24 || (size >= 18.6 && style.fontWeight >= 700) ? 3 : 4.5;
      if (ratio < needed) found.set(`${element.tagName}.${element.className} ${style.color}`, `contrast ${ratio.toFixed(2)} of "${words(element)}" (${element.tagName.toLowerCase()}.${element.className}, ${style.color} on ${behind.map(Math.round)})`);
    }
    return [...found.values()];
  },

  /* What the button of a block puts on the clipboard, beside what the block shows. */
  copies: async () => {
    const found = [];
    for (const block of [...document.querySelectorAll(".language-console")].slice(0, 3)) {
      const button = block.querySelector("[data-clipboard-target], .md-clipboard, .md-code__button[data-md-type=copy]");
      if (!button) { found.push("a block has no button to copy it"); continue; }
      await navigator.clipboard.writeText("");
      button.click();
      await new Promise(done => setTimeout(done, 200));
      const copied = (await navigator.clipboard.readText()).trim();
      if (!copied || copied !== (block.dataset.copy ?? "").trim() || /^\$ /m.test(copied)) found.push(`a block copies: ${copied.slice(0, 60)}`);
    }
    return found;
  },

  start: () => {
    const pictures = document.querySelectorAll(".md-content img").length, questions = document.querySelectorAll(".questions li a").length;
    return pictures === 1 && questions === 4 ? [] : [`the start page has ${pictures} pictures and ${questions} questions`];
  },
};
