"""The files of a release that are made of the tree: charts, plain manifests, JSON schemas, checksums.

  python3 -B .ci/artefacts.py schemas FOLDER      the schemas of kinds and values alone
"""

import contextlib
import dataclasses
import hashlib
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
GROUP = "runnerset.dev"
PROGRAMS = ("controller", "listener")
CHARTS = ("runnerset", "runnerset-set")
ICON = "docs/pictures/icon.svg"
TO_JSON = '{{ range $path, $_ := .Files.Glob "kinds/*.yaml" }}\n---\n{{ $.Files.Get $path | fromYaml | toRawJson }}\n{{ end }}'


class Refused(Exception):
    """Why there is no release; one line."""


@dataclasses.dataclass(frozen=True)
class Pins:
    """What a published chart names: where the images are, by the digests of their indexes, and where the project lives."""

    home: object
    digests: dict


def sh(*command, cwd, quiet=False, **more):
    """What a command printed, without the ends of its lines where not quiet. Refused if it fails."""
    try:
        run = subprocess.run(list(map(str, command)), cwd=cwd, check=True, text=True, stdout=subprocess.PIPE, **more)
    except FileNotFoundError:
        raise Refused(f"{command[0]} is needed") from None
    except subprocess.CalledProcessError as e:
        raise Refused(f"{' '.join(map(str, command))} ended with {e.returncode}") from None
    return run.stdout if quiet else run.stdout.strip()


def values_for(chart):
    """The values without which a chart does not render."""
    if chart != "runnerset-set":
        return []
    return ["--set", "githubConfigUrl=https://github.com/my-org,githubConfigSecret=github"]


def replaced(text, pattern, by, what):
    after, count = re.subn(pattern, by, text, count=1, flags=re.M)
    if count != 1:
        raise Refused(f"{what} cannot be pinned: it has no line as {pattern}")
    return after


def pinned_values(text, pins, version, what):
    """The values of the system chart with registry, digests and the address of the pages."""
    text = replaced(text, r'^  runbooks: ""$', f'  runbooks: "{pins.home.repository}/blob/v{version}"', what)
    text = replaced(text, r'^  registry: ""$', f'  registry: "{pins.home.registry}"', what)
    text = replaced(text, r'^  digest: ""$', f'  digest: "{pins.digests["controller"]}"', what)
    return replaced(text, r'^    digest: ""$', f'    digest: "{pins.digests["listener"]}"', what)


def described(text, chart, version, pins):
    """Chart.yaml with what Artifact Hub and `helm show chart` say of the project; its last key is `annotations`."""
    home = pins.home
    lines = [text.rstrip("\n"), f'  artifacthub.io/prerelease: "{str("-" in version).lower()}"']
    if chart == "runnerset":
        lines.append("  artifacthub.io/images: |")
        lines += [f"    - name: {p}\n      image: {home.image(p)}@{pins.digests[p]}" for p in PROGRAMS]
    lines += ["  artifacthub.io/links: |", f"    - name: changelog\n      url: {home.repository}/blob/v{version}/CHANGELOG.md"]
    lines += [f"    - name: verify\n      url: {home.repository}/blob/v{version}/docs/start/verify.md"]
    lines += [f"home: {home.site or home.repository}", f"sources: [{home.repository}]", f"icon: {home.repository}/raw/v{version}/{ICON}", ""]
    return "\n".join(lines)


@contextlib.contextmanager
def chart_folder(tree, chart, version, pins):
    """The folder of a chart: that of the tree, or a copy with the pins."""
    folder = tree / "charts" / chart
    if pins is None:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="chart-") as temporary:
        copy = pathlib.Path(temporary, chart)
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("testdata"))
        if chart == "runnerset":
            for file in (copy / "values.yaml", copy / "files/values.yaml"):
                file.write_text(pinned_values(file.read_text(), pins, version, f"charts/{chart}/{file.relative_to(copy)}"))
            notes = copy / "templates/NOTES.txt"
            notes.write_text(replaced(notes.read_text(), r"helm install linux charts/", f"helm install linux {pins.home.charts()}/", "NOTES.txt"))
        about = copy / "Chart.yaml"
        about.write_text(described(about.read_text(), chart, version, pins))
        yield copy


def charts(tree, version, out, helm, pins=None):
    """Writes the package of each chart, with the pins if there are any."""
    for chart in CHARTS:
        with chart_folder(tree, chart, version, pins) as folder:
            sh(helm, "lint", "--strict", folder, *values_for(chart), cwd=tree)
            sh(helm, "package", folder, "--destination", out, cwd=tree)
        if not (out / f"{chart}-{version}.tgz").is_file():
            raise Refused(f"the package of charts/{chart} has another version than {version}")


def manifests(tree, version, out, helm):
    """Writes install.yaml and crds.yaml, as the packaged chart renders them."""
    package = out / f"runnerset-{version}.tgz"
    text = sh(helm, "template", "runnerset", package, "--namespace", "runnerset-system", "--skip-tests", cwd=tree, quiet=True)
    namespace = "" if "\n  name: runnerset-system\n" in text else "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: runnerset-system\n---\n"
    (out / "install.yaml").write_text(namespace + text)
    crds = [part for part in re.split(r"^---\n", text, flags=re.M) if re.search(r"^kind: \"?CustomResourceDefinition\"?$", part, re.M)]
    if len(crds) != 4 or not re.search(rf":{re.escape(version)}\b|@sha256:", text):
        raise Refused(f"the chart renders {len(crds)} CRDs instead of 4, or images of another version than {version}")
    (out / "crds.yaml").write_text("---\n".join(crds))


def json_schema(node):
    """A schema of a kind in the words of JSON Schema: editors and validators know no x-kubernetes words."""
    if isinstance(node, list):
        return [json_schema(each) for each in node]
    if not isinstance(node, dict):
        return node
    if node.get("x-kubernetes-int-or-string"):
        return {**({"description": node["description"]} if "description" in node else {}), "oneOf": [{"type": "string"}, {"type": "integer"}]}
    schema = {}
    for key, value in node.items():
        if key == "properties":
            schema[key] = {name: json_schema(each) for name, each in value.items()}
        elif not key.startswith("x-kubernetes-") and key != "nullable":
            schema[key] = json_schema(value)
    if "properties" in node and "additionalProperties" not in node and not node.get("x-kubernetes-preserve-unknown-fields"):
        schema["additionalProperties"] = False
    if node.get("nullable") and isinstance(node.get("type"), str):
        schema["type"] = [node["type"], "null"]
    return schema


def schemas(tree, out, helm):
    """Writes the JSON schemas: of the kinds as GROUP/KIND_VERSION.json, of the values as CHART.values.json. The number of files."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="schemas-") as temporary:
        chart = pathlib.Path(temporary, "schemas")
        (chart / "templates").mkdir(parents=True)
        shutil.copytree(tree / "charts/runnerset/files/crds", chart / "kinds")
        (chart / "Chart.yaml").write_text("apiVersion: v2\nname: schemas\nversion: 0.0.0\n")
        (chart / "templates/all.yaml").write_text(TO_JSON)
        text = sh(helm, "template", "schemas", chart, cwd=tree, quiet=True)
    written = 0
    for line in text.splitlines():
        if not line.startswith("{"):
            continue
        spec = json.loads(line)["spec"]
        for version in spec["versions"]:
            schema = json_schema(version["schema"]["openAPIV3Schema"])
            # the parts of each object, which no kind repeats
            schema["properties"] |= {
                "apiVersion": {"enum": [f"{GROUP}/{version['name']}"]}, "kind": {"enum": [spec["names"]["kind"]]}, "metadata": {"type": "object"},
            }
            schema = {"$schema": "http://json-schema.org/draft-07/schema#", **schema, "required": ["apiVersion", "kind", "metadata", *schema.get("required", [])]}
            file = out / GROUP / f"{spec['names']['kind'].lower()}_{version['name']}.json"
            file.parent.mkdir(exist_ok=True)
            file.write_text(json.dumps(schema, indent=1) + "\n")
            written += 1
    if written != 4:
        raise Refused(f"there are {written} schemas of kinds instead of 4")
    for chart in CHARTS:
        shutil.copy2(tree / "charts" / chart / "values.schema.json", out / f"{chart}.values.json")
    return written + len(CHARTS)


def schema_archive(tree, version, out, helm):
    """The schemas as one file; equal schemas give equal bytes but for the compression's own header."""
    with tempfile.TemporaryDirectory(prefix="schemas-") as temporary:
        folder = pathlib.Path(temporary)
        schemas(tree, folder, helm)
        with tarfile.open(out / f"schemas-{version}.tar.gz", "w:gz") as archive:
            for file in sorted(p for p in folder.rglob("*") if p.is_file()):
                entry = tarfile.TarInfo(file.relative_to(folder).as_posix())
                data = file.read_bytes()
                entry.size, entry.mode = len(data), 0o644
                archive.addfile(entry, io.BytesIO(data))


def sha256(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def checksums(out):
    sums = [f"{sha256(f)}  {f.name}\n" for f in sorted(out.iterdir()) if f.is_file() and not f.name.startswith("SHA256SUMS")]
    (out / "SHA256SUMS").write_text("".join(sums))


def tools(*names):
    """The paths of programs that .ci/tools builds."""
    return [pathlib.Path(line) for line in sh(ROOT / ".ci/tools", *names, cwd=ROOT).splitlines()]


def main(arguments):
    try:
        if len(arguments) != 2 or arguments[0] != "schemas":
            raise Refused("usage: schemas FOLDER")
        print(f"artefacts: {schemas(ROOT, pathlib.Path(arguments[1]), tools('helm')[0])} schemas")
        return 0
    except Refused as refused:
        print(f".ci/artefacts.py: {refused}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
