"""Builds the site: gathers the pages, fills in the navigation, builds, and looks at the result."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT / ".ci"))

import checks
import consoles
import home
import pictures

SOURCE = HERE / "target/source"
OUT = HERE / "target/html"
CONFIG = HERE / "target/mkdocs.yml"
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
# Pages that the site has elsewhere than the repository.
MOVED = {pathlib.Path("site/start.md"): pathlib.Path("index.md"), pathlib.Path("README.md"): pathlib.Path("overview.md")}
MOST_ENTRIES = 7


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


def moved(text, page):
    """The text of a page with links that fit to where the site has it and what it links to."""
    at = MOVED.get(page, page)

    def one(link):
        target = link.group(1)
        path = pathlib.Path(os.path.normpath(page.parent / urllib.parse.unquote(target)))
        if (at == page and path not in MOVED) or not (ROOT / path).exists():
            return link.group()
        return link.group().replace(target, os.path.relpath(MOVED.get(path, path), at.parent), 1)

    return LINK.sub(one, text)


def gather(every_page):
    """Copies what the site is made of; the folders that it lists itself are returned."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    targets = {t for p in every_page for t in linked(p)}
    folders = {t for t in targets if (ROOT / t).is_dir() and not (ROOT / t / "README.md").exists()}
    files = {t for t in targets if (ROOT / t).is_file()}
    for file in sorted({*every_page, *files, *(f for folder in folders for f in below(folder))}):
        to = SOURCE / MOVED.get(file, file)
        to.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".md":
            to.write_text(pictures.replace(moved((ROOT / file).read_text(), file), to.parent / "pictures"))
        else:
            shutil.copyfile(ROOT / file, to)
    shutil.copyfile(HERE / "site.css", SOURCE / "site.css")
    for folder in folders:
        names = [f.relative_to(folder).as_posix() for f in below(folder)]
        (SOURCE / folder / "README.md").write_text(f"# {folder}\n\n" + "".join(f"- [{n}]({n})\n" for n in names))
    return folders


def indexed(named):
    """Pages that an index of their own folder links to: the navigation has the index alone."""
    for index in map(pathlib.PurePath, named):
        if index.name == "README.md" and (ROOT / index).is_file():
            yield from (str(index.parent / t) for t in LINK.findall((ROOT / index).read_text()) if "/" not in t)


def names(entries):
    for entry in entries:
        for value in entry.values() if isinstance(entry, dict) else [entry]:
            yield from names(value) if isinstance(value, list) else [value]


def of_home(place):
    """What depends on where the project lives; without a repository no page has a link to edit it."""
    found = {"site_url": place.site.rstrip("/") + "/"} if place.site else {}
    return found | ({"repo_url": place.repository, "edit_uri": "edit/main/"} if place.repository else {})


def state():
    """Which state of the project the pages describe: its version, and the commit where git knows it."""
    version = re.search(r"<version>(.+?)</version>", (ROOT / "pom.xml").read_text()).group(1)
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], text=True, capture_output=True)
    return f"runnerset {version}" + (f", commit {commit.stdout.strip()}" if commit.returncode == 0 else "")


def too_long(entries, name):
    """Levels of the navigation that nobody takes in at one glance."""
    if len(entries) > MOST_ENTRIES:
        yield f"'{name}' of the navigation has {len(entries)} entries; at most {MOST_ENTRIES}: group them (nav in site/mkdocs.yml)"
    for entry in entries:
        for below_it, value in entry.items():
            yield from too_long(value, below_it) if isinstance(value, list) else ()


def sited(entries):
    """The navigation with the paths of the site."""
    return [{k: sited(v) if isinstance(v, list) else str(MOVED.get(pathlib.Path(v), v)) for k, v in e.items()} for e in entries]


def configure(every_page, place):
    import yaml  # from the requirements

    text = (HERE / "mkdocs.yml").read_text()
    head, nav = text.split("\nnav:\n")
    nav = yaml.safe_load("nav:\n" + nav)["nav"]
    filled = {"docs_dir": "source", "site_dir": "html", "copyright": state(), "nav": sited(nav)} | of_home(place)
    CONFIG.write_text(f"{head}\n" + yaml.safe_dump(filled, sort_keys=False))
    named = set(names(nav))
    found = named | set(indexed(named))
    print(f"site: {len(named)} pages in the navigation")
    return [
        *(f"{p} is neither in the navigation (nav in site/mkdocs.yml) nor in the index of its folder" for p in every_page if str(p) not in found),
        *(f"site/mkdocs.yml names {n}, which is not there" for n in sorted(named) if not (ROOT / n).is_file()),
        *too_long(nav, "the first level"),
    ]


def finish(edit, listed):
    """Each page with the commands that its buttons copy, and with a link to edit the file of the repository that it is made of.

    The link to the repository stays a link: as a component it would ask GitHub for stars and forks, at each page.
    """
    of_repository = {str(to): str(page) for page, to in MOVED.items()}
    lists = {f"{folder}/README.md" for folder in listed}

    def edited(link):
        return "" if link[1] in lists else link.group().replace(edit + link[1], edit + of_repository.get(link[1], link[1]))

    for file in OUT.rglob("*.html"):
        text = consoles.finished(file.read_text())
        if edit:
            text = text.replace(' data-md-component="source"', "")
            text = re.sub(rf'(?s)<a href="{re.escape(edit)}([^"]*)"[^>]*rel="edit">.*?</a>', edited, text)
        file.write_text(text)


def main(engine):
    every_page = pages()
    try:
        place = home.read(ROOT / "home.properties")
        listed = gather(every_page)
    except (home.Wrong, pictures.Wrong) as wrong:
        print(f"site: {wrong}", file=sys.stderr)
        return 1
    faults = configure(every_page, place)
    if not faults:
        shutil.rmtree(OUT, ignore_errors=True)
        subprocess.run([engine, "build", "--clean", "--strict", "-f", str(CONFIG)], check=True)
        edit = f"{place.repository}/edit/main/" if place.repository else ""
        finish(edit, listed)
        faults = checks.faults(OUT, edit, ROOT, listed)
    for fault in faults:
        print("site: " + fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
