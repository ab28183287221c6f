"""Where the project lives (home.properties), and the part of README.md that depends on it.

  python3 -B .ci/home.py           is README as the file says?
  python3 -B .ci/home.py --write   writes it
"""

import dataclasses
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
VALUES = {
    "repository": r"https://[\w.-]+(?::\d+)?(?:/[\w.-]+)+",
    "registry": r"[a-z0-9.-]+(?::\d+)?(?:/[a-z0-9._-]+)*",
    "site": r"https://\S+",
    "artifacthub": r"[0-9a-f-]{36}",
    "release": r"\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?",
}
SECTION = re.compile(r"(?s)(?<=\n## Install\n).*?(?=\nJobs with `runs-on)")
COMMANDS = """
```console
$ helm install runnerset {system} --namespace runnerset-system --create-namespace{registry}
$ kubectl create namespace ci
$ kubectl create secret generic github --namespace ci --from-literal=github_token="$GITHUB_TOKEN"
$ helm install linux {set} --namespace ci --set githubConfigUrl=https://github.com/my-org --set githubConfigSecret=github
```
"""
BEFORE = """
There is no release yet: build [the two images](docs/start/images.md) from this checkout and push them to a registry of yours.
Needed: Kubernetes 1.33 and Helm 3 or 4.
"""
AFTER = """
Needed: Kubernetes 1.33 and Helm 3 or 4. The newest release is [{release}]({repository}/releases/tag/v{release}): [verify it](docs/start/verify.md).
"""


class Wrong(Exception):
    """What is wrong with the file; one line."""


@dataclasses.dataclass(frozen=True)
class Home:
    repository: str = ""
    registry: str = ""
    site: str = ""
    artifacthub: str = ""
    release: str = ""

    def charts(self):
        return f"oci://{self.registry}/charts"

    def image(self, program):
        """As the chart names it: registry, then image.repository."""
        return f"{self.registry}/runnerset/{program}"


def read(file):
    values = {}
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        if not equals or key not in VALUES or key in values:
            raise Wrong(f"{file.name}, line {number}: not one of {', '.join(VALUES)}, or a second time")
        if value and not re.fullmatch(VALUES[key], value):
            raise Wrong(f"{file.name}, line {number}: '{value}' is no {key}")
        values[key] = value
    home = Home(**values)
    if home.release and not (home.repository and home.registry):
        raise Wrong(f"{file.name}: a release without repository and registry")
    return home


def with_release(text, version):
    """The text of the file with that release."""
    return re.sub(r"(?m)^release=.*$", f"release={version}", text)


def readme(text, home):
    """README with the lines that fit to the home."""
    if home.release:
        lines = AFTER.format(release=home.release, repository=home.repository)
        places = {"system": f"{home.charts()}/runnerset", "set": f"{home.charts()}/runnerset-set", "registry": ""}
    else:
        lines = BEFORE
        places = {"system": "charts/runnerset", "set": "charts/runnerset-set", "registry": " --set image.registry=registry.example"}
    if len(SECTION.findall(text)) != 1:
        raise Wrong("README.md has no section Install that ends before 'Jobs with `runs-on'")
    return SECTION.sub(lambda _: lines + COMMANDS.format(**places), text)


def main(arguments):
    file = ROOT / "README.md"
    try:
        now = readme(file.read_text(), read(ROOT / "home.properties"))
    except Wrong as wrong:
        print(f".ci/home.py: {wrong}", file=sys.stderr)
        return 2
    if arguments == ["--write"]:
        file.write_text(now)
    elif now != file.read_text():
        print(".ci/home.py: README.md is not as home.properties says: python3 -B .ci/home.py --write", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
