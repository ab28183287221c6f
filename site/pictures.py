"""Draws the Mermaid text of pages when the site is built. GitHub draws the same text itself; a reader needs no script and no network."""

import re

FENCE = re.compile(r"(?ms)^```mermaid\n(.*?)^```$")
# Lines are broken where the text says so.
CONFIG = {"fontFamily": "system-ui, sans-serif", "fontSize": 16, "flowchart": {"wrappingWidth": 400, "nodeSpacing": 28, "rankSpacing": 40, "padding": 12},
          "sequence": {"diagramMarginX": 8, "diagramMarginY": 4, "actorMargin": 16, "width": 104, "height": 44, "messageMargin": 30, "mirrorActors": False, "boxMargin": 6, "noteMargin": 8}}
# On a small screen the 16 px of a word become 10, and not less: then the box of the picture scrolls.
SMALLEST = 0.62
COLOURS = {
    "light": {"text": "#1f2328", "line": "#59636e", "fill": "#f6f8fa", "border": "#8c959f", "ground": "#ffffff"},
    "dark": {"text": "#f0f6fc", "line": "#9198a1", "fill": "#21262d", "border": "#6e7681", "ground": "#0b0c0f"},
}


class Wrong(Exception):
    """What a picture lacks; one line."""


def said(source, key):
    found = re.search(rf"(?m)^\s*{key}: (.+)$", source)
    if not found:
        raise Wrong(f"a picture has no {key}: {source.splitlines()[0]}")
    return found.group(1).strip()


def style(colours):
    return """
text, tspan, p, span {{fill: {text} !important; color: {text} !important}}
.messageText {{stroke: {ground} !important; stroke-width: 6px; paint-order: stroke}}
p {{margin: 0}}
.node rect, .node polygon, .node path, .node circle, rect.actor, .note {{fill: {fill} !important; stroke: {border} !important; stroke-width: 1.2px}}
.flowchart-link, .messageLine0, .messageLine1, .actor-line {{fill: none; stroke: {line} !important; stroke-width: 1.4px}}
.messageLine1 {{stroke-dasharray: 4 4}}
.actor-line {{stroke: {border} !important; stroke-width: .8px}}
marker path {{fill: {line} !important; stroke: {line} !important}}
.edgeLabel, .edgeLabel p, .labelBkg {{background-color: {ground} !important}}
.busy rect, .busy polygon {{fill: #2f6fdb !important; stroke: #2f6fdb !important}}
.idle rect, .idle polygon {{fill: #1a7f37 !important; stroke: #1a7f37 !important}}
.busy p, .idle p, .busy span, .idle span {{fill: #fff !important; color: #fff !important}}
""".format(**colours)


def draw(source):
    """The picture of a Mermaid text as SVG, which follows the scheme of the page that shows it."""
    import mermaidx  # from the requirements

    said(source, "accTitle")
    svg = mermaidx.render(source, theme="base", config=CONFIG).svg()
    own = style(COLOURS["light"]) + "@media (prefers-color-scheme: dark) {" + style(COLOURS["dark"]) + "}"
    own = "<style>" + own + "</style>"
    # An image that is no part of the page needs its size.
    width, height = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', svg).groups()
    svg = svg.replace('width="100%"', f'width="{float(width):.0f}" height="{float(height):.0f}"', 1)
    return svg.replace("</style>", "</style>" + own, 1)


def replace(page, folder):
    """The page with each of its pictures as a file in the folder beside it."""

    def one(fence):
        source = fence.group(1)
        name = re.sub(r"\W+", "-", said(source, "accTitle").lower()).strip("-") + ".svg"
        folder.mkdir(parents=True, exist_ok=True)
        svg = draw(source)
        (folder / name).write_text(svg)
        least = SMALLEST * int(re.search(r'width="(\d+)"', svg).group(1))
        return f'![{said(source, "accDescr")}]({folder.name}/{name}){{ .picture style="min-width: {least:.0f}px" }}'

    return FENCE.sub(one, page)
