"""What must hold for the pages as they were built: links, anchors, pictures, what a block copies, where a page can be edited."""

import html.parser
import urllib.parse

import consoles


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.edits, self.fetched, self.ids, self.blind, self.copies, self.consoles = [], [], [], set(), [], [], 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids |= {v for k, v in attrs.items() if k in ("id", "name") and v}
        if tag == "a" and attrs.get("rel") == "edit":
            self.edits.append(attrs["href"])
        elif tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        elif attrs.get("src") or (tag == "link" and attrs.get("rel") not in ("canonical", "prev", "next")):
            self.fetched.append(attrs.get("src") or attrs.get("href"))
        if tag == "img" and not attrs.get("alt"):
            self.blind.append(attrs.get("src"))
        if "language-console" in (attrs.get("class") or ""):
            self.consoles += 1
            self.copies += [attrs["data-copy"]] if attrs.get("data-copy") else []


def of_page(page):
    """The faults of a page by itself."""
    yield from (f"the page fetches {link} from another host" for link in page.fetched if "://" in link or link.startswith("//"))
    yield from (f"the picture {picture} has no words for one who cannot see it" for picture in page.blind)
    if len(page.copies) != page.consoles:
        yield f"{page.consoles - len(page.copies)} blocks of a console have no command to copy"
    yield from (f"a copy begins with a prompt: {copy}" for copy in page.copies if copy.startswith(consoles.PROMPT))


def of_edits(page, edit, root):
    """A page can be edited where the project lives; without a place it has no such link."""
    if len(page.edits) != (1 if edit else 0):
        yield f"{len(page.edits)} links to edit the page, though home.properties has {'a' if edit else 'no'} repository"
    elif edit and not (page.edits[0].startswith(edit) and (root / page.edits[0].removeprefix(edit)).is_file()):
        yield f"{page.edits[0]} is no file of the repository"


def of_links(file, built):
    """Links of a page that lead to no page or to no anchor of it."""
    for link in built[file].links:
        path, fragment = urllib.parse.urldefrag(link)
        if ":" in path or path.startswith("//"):
            continue
        target = (file.parent / urllib.parse.unquote(path)).resolve() if path else file
        target = target / "index.html" if target.is_dir() else target
        if not target.is_file():
            yield f"{link} leads nowhere"
        elif fragment and target in built and urllib.parse.unquote(fragment) not in built[target].ids:
            yield f"{link} names no anchor of that page"


def faults(out, edit, root, listed):
    built = {file: Page(file.read_text()) for file in out.rglob("*.html") if file.name != "404.html"}
    found = set() if any(page.copies for page in built.values()) else {"no page has a console block that names what it copies"}
    for file, page in built.items():
        where = file.parent.relative_to(out)
        for fault in (*of_page(page), *of_edits(page, "" if where in listed else edit, root), *of_links(file, built)):
            found.add(f"{where}: {fault}")
    print(f"site: {len(built)} pages, {sum(len(p.links) for p in built.values())} links, {sum(len(p.copies) for p in built.values())} copies looked at")
    return sorted(found)
