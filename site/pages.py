"""Builds the site: gathers the pages, fills in the navigation, builds, and looks at each link of the result."""

import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
SOURCE = HERE / "target/source"
OUT = HERE / "target/html"
CONFIG = HERE / "target/mkdocs.yml"
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def pages():
    """Every page of the repository, as a path from its root."""
    found = []
    for folder, below, files in os.walk(ROOT):
        below[:] = sorted(b for b in below if b not in ("target", "src", "node_modules") and not b.startswith("."))
        found += [pathlib.Path(folder, f).relative_to(ROOT) for f in sorted(files) if f.endswith(".md")]
    return found


def linked(page):
    """What a page links to in the repository and that is no page: files are served as they are, folders as a list."""
    for target in LINK.findall((ROOT / page).read_text()):
        path = pathlib.Path(os.path.normpath(page.parent / urllib.parse.unquote(target)))
        if "://" not in target and not target.endswith(".md") and (ROOT / path).exists():
            yield path


def below(folder):
    return [f.relative_to(ROOT) for f in sorted((ROOT / folder).rglob("*")) if f.is_file() and "target" not in f.parts and not f.name.startswith(".")]


def gather(every_page):
    shutil.rmtree(SOURCE, ignore_errors=True)
    targets = {t for p in every_page for t in linked(p)}
    folders = {t for t in targets if (ROOT / t).is_dir() and not (ROOT / t / "README.md").exists()}
    files = {t for t in targets if (ROOT / t).is_file()}
    for file in sorted({*every_page, *files, *(f for folder in folders for f in below(folder))}):
        to = SOURCE / file
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, to)
    for folder in folders:
        names = [f.relative_to(folder).as_posix() for f in below(folder)]
        (SOURCE / folder / "README.md").write_text(f"# {folder}\n\n" + "".join(f"- [{n}]({n})\n" for n in names))


def indexed(named):
    """Pages that an index of their own folder links to: the navigation has the index alone."""
    for index in map(pathlib.PurePath, named):
        if index.name == "README.md" and (ROOT / index).is_file():
            yield from (str(index.parent / t) for t in LINK.findall((ROOT / index).read_text()) if "/" not in t)


def names(entries):
    for entry in entries:
        for value in entry.values() if isinstance(entry, dict) else [entry]:
            yield from names(value) if isinstance(value, list) else [value]


def configure(every_page):
    import yaml  # from the requirements

    text = (HERE / "mkdocs.yml").read_text()
    head, nav = text.split("\nnav:\n")
    nav = yaml.safe_load("nav:\n" + nav)["nav"]
    CONFIG.write_text(f"{head}\ndocs_dir: source\nsite_dir: html\n" + yaml.safe_dump({"nav": nav}, sort_keys=False))
    named = set(names(nav))
    found = named | set(indexed(named))
    return [f"{p} is neither in the navigation (nav in site/mkdocs.yml) nor in the index of its folder" for p in every_page if str(p) not in found] + [
        f"site/mkdocs.yml names {n}, which is not there" for n in sorted(named) if not (ROOT / n).is_file()
    ]


class Page(html.parser.HTMLParser):
    def __init__(self, file):
        super().__init__()
        self.links, self.fetched, self.ids = [], [], set()
        self.feed(file.read_text())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids |= {v for k, v in attrs.items() if k in ("id", "name") and v}
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        elif attrs.get("src") or (tag == "link" and attrs.get("rel") != "canonical"):
            self.fetched.append(attrs.get("src") or attrs.get("href"))


def broken_links():
    built = {file: Page(file) for file in OUT.rglob("*.html") if file.name != "404.html"}
    for file, page in built.items():
        where = file.parent.relative_to(OUT)
        for link in page.fetched:
            if "://" in link or link.startswith("//"):
                yield f"{where}: the page fetches {link} from another host"
        for link in page.links:
            path, fragment = urllib.parse.urldefrag(link)
            if ":" in path or path.startswith("//"):
                continue
            target = (file.parent / urllib.parse.unquote(path)).resolve() if path else file
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                yield f"{where}: {link} leads nowhere"
            elif fragment and target in built and urllib.parse.unquote(fragment) not in built[target].ids:
                yield f"{where}: {link} names no anchor of that page"
    print(f"site: {len(built)} pages, {sum(len(p.links) for p in built.values())} links looked at")


def main(engine):
    every_page = pages()
    gather(every_page)
    faults = configure(every_page)
    if not faults:
        shutil.rmtree(OUT, ignore_errors=True)
        subprocess.run([engine, "build", "--clean", "--strict", "-f", str(CONFIG)], check=True)
        faults = sorted(set(broken_links()))
    for fault in faults:
        print("site: " + fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
