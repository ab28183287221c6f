"""Publishes small images to a registry on loopback, and what .ci/publish answers to bad input.

The whole way with a key of cosign takes a minute and builds cosign, so it is run where PUBLISH_TEST=all (.ci/nightly).
Run with: python3 -B -m unittest discover -s .ci -p '*_test.py'
"""

import gzip
import hashlib
import http.client
import http.server
import importlib.machinery
import importlib.util
import io
import json
import os
import pathlib
import re
import subprocess
import tarfile
import tempfile
import threading
import unittest

SCRIPT = pathlib.Path(__file__).with_name("publish")
ROOT = SCRIPT.parent.parent
loader = importlib.machinery.SourceFileLoader("publish", str(SCRIPT))
publish = importlib.util.module_from_spec(importlib.util.spec_from_loader("publish", loader))
loader.exec_module(publish)
homes, parts = publish.homes, publish.parts
REPOSITORY = "https://github.example/owner/runnerset"
ALL = os.environ.get("PUBLISH_TEST") == "all"
PASSWORD = {**os.environ, "COSIGN_PASSWORD": "of a test"}


def tree_version():
    return re.search(r"<artifactId>runnerset</artifactId>\s*<version>([^<]+)<", (ROOT / "pom.xml").read_text()).group(1)


def tar(files):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
    return data.getvalue()


def archive(folder, program, version, architecture, content=b"a", of=None, **labels):
    """A small image as `docker save` writes it, with its list of parts."""
    layer = tar({"program": content})
    config = {
        "architecture": of or architecture, "os": "linux", "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
        "config": {"Labels": {
            publish.LABEL + "version": version, publish.LABEL + "revision": publish.revision_of(ROOT), publish.LABEL + "source": REPOSITORY,
            "dev.runnerset.packages": "pinned", **labels,
        }},
    }
    config = json.dumps(config).encode()
    manifest = [{"Config": "config.json", "RepoTags": [f"runnerset/{program}:{version}"], "Layers": ["layer.tar.gz"]}]
    name = f"runnerset-{program}-{version}-{architecture}"
    (folder / f"{name}.tar").write_bytes(tar({"manifest.json": json.dumps(manifest).encode(), "config.json": config, "layer.tar.gz": gzip.compress(layer, mtime=0)}))
    (folder / f"{name}.cdx.json").write_text(json.dumps({"bomFormat": "CycloneDX", "specVersion": "1.6", "components": []}))


class Proxy(http.server.BaseHTTPRequestHandler):
    """Stands before the registry and refuses what the test wants."""

    protocol_version = "HTTP/1.1"

    def do_any(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.asked.append((self.command, self.path))
        if self.server.refuse(self.command, self.path):
            answer = b'{"errors":[{"code":"DENIED","message":"the quota is used up"}]}'
            self.reply(403, {"Content-Type": "application/json"}, answer)
            return
        inner = http.client.HTTPConnection("localhost", self.server.registry, timeout=20)
        inner.request(self.command, self.path, body, {k: v for k, v in self.headers.items() if k.lower() not in ("connection",)})
        answer = inner.getresponse()
        headers = {k: v for k, v in answer.getheaders() if k.lower() not in ("transfer-encoding", "connection")}
        self.reply(answer.status, self.server.change(self.command, self.path, headers), answer.read())
        inner.close()

    def reply(self, status, headers, body):
        self.send_response(status)
        head = self.command == "HEAD"
        for key, value in headers.items():
            if head or key.lower() != "content-length":
                self.send_header(key, value)
        if not head:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if not head:
            self.wfile.write(body)

    do_GET = do_HEAD = do_PUT = do_POST = do_PATCH = do_DELETE = do_any

    def log_message(self, *_):
        pass


class Versions(unittest.TestCase):
    def test_only_the_tag_of_a_release_is_published(self):
        for tag, why in {
            "v0.2.0": None, "v1.0.0-rc.1": None, "0.2.0": "no tag", "v0.2": "no tag", "v0.2.0-SNAPSHOT": "is a snapshot", "v0.2.0-snapshot": "is a snapshot",
            "main": "no tag", "v1.2.3+a": "no tag", "v1.2.3/../x": "no tag", "": "no tag",
        }.items():
            if why:
                with self.assertRaisesRegex(publish.Refused, why, msg=tag):
                    publish.version_of(tag)
            else:
                self.assertEqual("v" + publish.version_of(tag), tag)

    def test_nothing_that_the_tree_makes_has_the_name_of_a_release(self):
        version = tree_version()
        if not version.endswith("-SNAPSHOT"):
            self.skipTest("this is the commit of a release")
        for chart in parts.CHARTS:
            self.assertRegex((ROOT / f"charts/{chart}/Chart.yaml").read_text(), rf'(?m)^version: {version}\nappVersion: "{version}"$')


class Home(unittest.TestCase):
    def file(self, **values):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = pathlib.Path(folder.name, "home.properties")
        file.write_text("# where\n" + "".join(f"{k}={v}\n" for k, v in values.items()))
        return file

    def test_readme_is_as_the_file_says(self):
        self.assertEqual(homes.main([]), 0)

    def test_readme_says_that_there_is_no_release_until_there_is_one(self):
        text = (ROOT / "README.md").read_text()
        before = homes.readme(text, homes.Home())
        self.assertIn("There is no release yet", before)
        self.assertNotIn("oci://", before)
        after = homes.readme(before, homes.Home(REPOSITORY, "registry.example/owner", "", "", "0.2.0"))
        self.assertIn(f"[0.2.0]({REPOSITORY}/releases/tag/v0.2.0)", after)
        self.assertIn("helm install runnerset oci://registry.example/owner/charts/runnerset --namespace", after)
        self.assertNotIn("registry.example/owner/charts/runnerset --version", after)
        self.assertNotIn("There is no release yet", after)
        self.assertEqual(homes.readme(after, homes.Home()), before)

    def test_a_value_that_cannot_be_is_refused(self):
        for values, why in (
            ({"repository": "github.com/a/b"}, "is no repository"), ({"registry": "https://ghcr.io/a"}, "is no registry"),
            ({"registry": "ghcr.io/Owner"}, "is no registry"), ({"artifacthub": "1"}, "is no artifacthub"), ({"color": "red"}, "not one of"),
            ({"release": "v1"}, "is no release"), ({"release": "1.2.3"}, "without repository"),
        ):
            with self.assertRaisesRegex(homes.Wrong, why):
                homes.read(self.file(**values))
        self.assertEqual(homes.read(self.file(repository="", registry="")), homes.Home())


class Schemas(unittest.TestCase):
    def test_the_words_of_kubernetes_become_those_of_json_schema(self):
        for before, after in (
            ({"x-kubernetes-int-or-string": True}, {"oneOf": [{"type": "string"}, {"type": "integer"}]}),
            ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
            ({"properties": {"a": {"type": "string"}}}, {"properties": {"a": {"type": "string"}}, "additionalProperties": False}),
            ({"properties": {"properties": {"type": "string"}}, "x-kubernetes-preserve-unknown-fields": True}, {"properties": {"properties": {"type": "string"}}}),
            ({"type": "object", "additionalProperties": {"type": "string"}}, {"type": "object", "additionalProperties": {"type": "string"}}),
            ({"items": {"x-kubernetes-validations": [1], "type": "string"}}, {"items": {"type": "string"}}),
        ):
            self.assertEqual(parts.json_schema(before), after)


class Announced(unittest.TestCase):
    def test_the_notes_are_those_of_the_version(self):
        log = "# Changelog\n\n## Unreleased\n\n- c\n\n## 0.2.0, 2026-02-02\n\n### Added\n- b\n\n## 0.1.0, 2026-01-01\n- a\n"
        self.assertEqual(publish.section(log, "0.2.0"), "### Added\n- b\n")
        self.assertEqual(publish.section(log, "0.1.0"), "- a\n")
        with self.assertRaisesRegex(publish.Refused, "no section 0.3.0"):
            publish.section(log, "0.3.0")


class Loopback(unittest.TestCase):
    """A registry of its own for each test, behind a proxy that can refuse."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        registry, self.crane = parts.tools("registry", "crane")
        self.registry = subprocess.Popen([registry, "-port", "0"], stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.stop)
        port = int(re.search(r"port (\d+)", self.registry.stderr.readline()).group(1))
        threading.Thread(target=self.registry.stderr.read, daemon=True).start()
        self.proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
        self.proxy.registry, self.proxy.asked = port, []
        self.proxy.refuse, self.proxy.change = lambda *_: False, lambda method, path, headers: headers
        threading.Thread(target=self.proxy.serve_forever, daemon=True).start()
        self.host = f"127.0.0.1:{self.proxy.server_port}/owner"
        self.home = self.folder / "home.properties"
        self.home.write_text(f"repository={REPOSITORY}\nregistry={self.host}\n")
        self.archives = self.folder / "archives"
        self.archives.mkdir()
        self.version = tree_version()

    def stop(self):
        self.proxy.shutdown()
        self.proxy.server_close()
        self.registry.kill()
        self.registry.wait()

    def images(self, **changes):
        for program in parts.PROGRAMS:
            for architecture in publish.ARCHITECTURES:
                archive(self.archives, program, self.version, architecture, **changes)

    def names(self):
        """What a user can pull by a name of this version."""
        done = subprocess.run([self.crane, "catalog", self.host.split("/")[0]], text=True, capture_output=True)
        found = []
        for repository in done.stdout.split():
            tags = subprocess.run([self.crane, "ls", f"{self.host.split('/')[0]}/{repository}"], text=True, capture_output=True).stdout.split()
            found += [f"{repository}:{tag}" for tag in tags if tag == self.version]
        return sorted(found)

    def pushed(self):
        return [path for method, path in self.proxy.asked if method in ("PUT", "POST", "PATCH")]

    def publish(self, *more):
        """The exit code, what was printed, and what was reported."""
        command = [SCRIPT, "release", f"v{self.version}", "--home", self.home, "--archives", self.archives, "--out", self.folder / "out", *more]
        done = subprocess.run(list(map(str, command)), text=True, capture_output=True, env=PASSWORD)
        return done.returncode, done.stdout, done.stderr

    def refused(self, why, *more):
        code, _, said = self.publish(*more)
        self.assertEqual((code, said.count("\n")), (2, 1), said)
        self.assertIn(why, said)


class Before(Loopback):
    """Bad input is answered in one sentence before anything is pushed."""

    def setUp(self):
        super().setUp()
        self.version = "0.9.0"

    def test_what_cannot_be_published(self):
        for what, make, why in (
            ("no archives", lambda: None, "runnerset-controller-0.9.0-amd64.tar is missing"),
            ("one architecture", lambda: [archive(self.archives, p, "0.9.0", "amd64") for p in parts.PROGRAMS], "controller-0.9.0-arm64.tar is missing"),
            ("another architecture", lambda: self.images(of="s390x"), "is an image for s390x"),
            ("another version", lambda: self.images(**{publish.LABEL + "version": "0.9.0-SNAPSHOT"}), "version=0.9.0-SNAPSHOT and not 0.9.0"),
            ("another commit", lambda: self.images(**{publish.LABEL + "revision": "1" * 40}), "revision=111"),
            ("packages that are not pinned", lambda: self.images(**{"dev.runnerset.packages": "newest"}), "packages=newest and not pinned"),
            ("no archive at all", lambda: (self.archives / "runnerset-controller-0.9.0-amd64.tar").write_text("a"), "is no image"),
        ):
            with self.subTest(what):
                make()
                self.refused(why)
                self.assertEqual(self.pushed(), [])

    def test_a_home_that_is_nowhere(self):
        self.images()
        self.home.write_text("repository=\nregistry=\n")
        self.refused("the project lives nowhere yet")


if __name__ == "__main__":
    unittest.main()
