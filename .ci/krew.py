"""The manifest by which krew installs kubectl runnerset, from the archives of a release."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
from artefacts import Refused, sha256  # noqa: E402 beside this file

PLATFORMS = ("linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64", "windows-arm64")
HEAD = """apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: runnerset
spec:
  version: v{version}
  homepage: {repository}
  shortDescription: Shows and steers sets of GitHub Actions runners
  description: |
    Shows sets of ephemeral GitHub Actions runners at a glance, says why a set, a
    runner or a job does not work, pauses, resumes and drains sets, and opens a
    live page, all with your own rights in the cluster.
  platforms:
"""
PLATFORM = """  - selector:
      matchLabels: {{os: {os}, arch: {arch}}}
    uri: {repository}/releases/download/v{version}/{file}
    sha256: {sha256}
    files:
    - {{from: "kubectl-runnerset/*", to: .}}
    bin: {bin}
"""


def archives(folder, version):
    """The archives of all platforms, or none at all. Refused if some are missing."""
    files = {p: folder / f"kubectl-runnerset-{version}-{p}.tar.gz" for p in PLATFORMS}
    missing = [file.name for file in files.values() if not file.is_file()]
    if len(missing) == len(files):
        return {}
    if missing:
        raise Refused(f"{', '.join(missing)} is missing: a release has the plugin for all platforms, or for none")
    return files


def manifest(files, version, repository):
    """The manifest in YAML."""
    text = HEAD.format(version=version, repository=repository)
    for name, file in files.items():
        system, arch = name.split("-")
        program = "kubectl-runnerset.cmd" if system == "windows" else "kubectl-runnerset"
        text += PLATFORM.format(os=system, arch=arch, repository=repository, version=version, file=file.name, sha256=sha256(file), bin=program)
    return text
