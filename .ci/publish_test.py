"""Publishes small images to a registry on loopback, and what .ci/publish answers to bad input.

The whole way with a key of cosign takes a minute and builds cosign, so it is run where PUBLISH_TEST=all (.ci/nightly).
Run with: python3 -B -m unittest discover -s .ci -p '*_test.py'
"""

import argparse
import base64
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
import shutil
import subprocess
import tarfile
import tempfile
import threading
import unittest
import unittest.mock

SCRIPT = pathlib.Path(__file__).with_name("publish")
ROOT = SCRIPT.parent.parent
loader = importlib.machinery.SourceFileLoader("rehearse", str(SCRIPT.with_name("rehearse-release")))
rehearse = importlib.util.module_from_spec(importlib.util.spec_from_loader("rehearse", loader))
loader.exec_module(rehearse)
publish = rehearse.script("publish")
homes, parts = publish.homes, publish.parts
REPOSITORY = rehearse.REPOSITORY
ALL = os.environ.get("PUBLISH_TEST") == "all"
PASSWORD = rehearse.PASSWORD


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


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """A client that hangs up is no fault."""


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


    def test_the_schema_of_a_set_takes_the_readmes_set_and_refuses_a_wrong_one(self):
        helm, = parts.tools("helm3")
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            parts.schemas(ROOT, folder / "schemas", helm)
            (folder / "chart").mkdir()
            (folder / "chart/Chart.yaml").write_text("apiVersion: v2\nname: a\nversion: 0.0.0\n")
            # helm holds values to a schema, so here a set is the values
            shutil.copy2(folder / "schemas/runnerset.dev/autoscalingrunnerset_v1alpha1.json", folder / "chart/values.schema.json")
            good = re.search(r"(?s)```yaml\n(.*?)```", (ROOT / "README.md").read_text()).group(1)
            for before, after, why in (
                ("", "", None), ("maxRunners: 100", "maxRunners: many", "maxRunners"), ("maxRunners: 100", "maxRuners: 100", "maxRuners"),
                ("kind: AutoScalingRunnerSet", "kind: Set", "kind"), ("minRunners: 2", "minRunners: -1", "minRunners"),
            ):
                (folder / "set.yaml").write_text(good.replace(before, after))
                good_one, _, said = publish.attempt(helm, "template", "a", folder / "chart", "-f", folder / "set.yaml")
                self.assertEqual(good_one, why is None, after + said)


class Announced(unittest.TestCase):
    def test_the_notes_are_those_of_the_version(self):
        log = "# Changelog\n\n## Unreleased\n\n- c\n\n## 0.2.0, 2026-02-02\n\n### Added\n- b\n\n## 0.1.0, 2026-01-01\n- a\n"
        self.assertEqual(publish.section(log, "0.2.0"), "### Added\n- b\n")
        self.assertEqual(publish.section(log, "0.1.0"), "- a\n")
        with self.assertRaisesRegex(publish.Refused, "no section 0.3.0"):
            publish.section(log, "0.3.0")

    def test_a_release_is_announced_once_with_its_files_and_notes(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / "CHANGELOG.md").write_text("## 0.9.0, 2026-01-01\n- what is new\n")
        gh = folder / "gh"
        gh.write_text(f'#!/bin/sh\nif [ "$2" = view ]; then exec test -f {folder}/made; fi\necho "$@" >{folder}/made; cat >>{folder}/made\n')
        gh.chmod(0o755)
        self.enterContext(unittest.mock.patch.object(publish, "ROOT", folder))
        self.enterContext(unittest.mock.patch.dict(os.environ, {"PATH": f"{folder}:{os.environ['PATH']}"}))
        options, home = argparse.Namespace(tag="v0.9.0", out=folder / "out"), homes.Home(repository=REPOSITORY)
        with self.assertRaisesRegex(publish.Refused, "has no SHA256SUMS"):
            publish.announce(options, home)
        (folder / "out/0.9.0").mkdir(parents=True)
        (folder / "out/0.9.0/SHA256SUMS").write_text("")
        publish.announce(options, home)
        made = (folder / "made").read_text()
        for words in ("release create v0.9.0", "out/0.9.0/SHA256SUMS", f"--repo {REPOSITORY} --verify-tag", "- what is new"):
            self.assertIn(words, made)
        self.assertNotIn("--prerelease", made)
        with self.assertRaisesRegex(publish.Refused, "exists already on GitHub"):
            publish.announce(options, home)


class Loopback(unittest.TestCase):
    """A registry of its own for each test, behind a proxy that can refuse."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        registry, self.crane = parts.tools("registry", "crane")
        self.registry = rehearse.Registry(registry)
        self.addCleanup(self.stop)
        self.proxy = Server(("127.0.0.1", 0), Proxy)
        self.proxy.registry, self.proxy.asked = self.registry.port, []
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
        self.registry.stop()

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


class Pushed(Loopback):
    """Images alone, without signatures: crane and the registry."""

    def setUp(self):
        super().setUp()
        self.images()
        self.read = publish.Registry(self.crane)
        self.one = publish.Archive(self.archives, "controller", self.version, "amd64")
        self.repository = f"{self.host}/runnerset/controller"

    def test_an_image_is_pushed_by_its_digest_and_no_name_is_given(self):
        digest = self.read.push(self.one, self.repository)
        self.assertEqual(self.read.digest_of(f"{self.repository}@{digest}"), digest)
        self.assertEqual(self.names(), [])
        count = len(self.pushed())
        self.assertEqual(self.read.push(self.one, self.repository), digest)
        self.assertEqual(len(self.pushed()), count, "what is there is not pushed again")

    def test_a_digest_that_does_not_match_is_refused(self):
        digest = self.read.push(self.one, self.repository)
        other = "sha256:" + "0" * 64
        self.proxy.change = lambda method, path, headers: {**headers, **({"Docker-Content-Digest": other} if method == "HEAD" and path.endswith("/build-1") else {})}
        with self.assertRaisesRegex(publish.Refused, f"the registry has {other} as .*:build-1, and sha256:.* was pushed"):
            self.read.index(self.repository, [digest], "build-1")
        self.assertEqual(self.names(), [])

    def test_a_registry_that_refuses_is_one_sentence(self):
        self.proxy.refuse = lambda method, path: method in ("PUT", "POST", "PATCH")
        with self.assertRaisesRegex(publish.Refused, "the registry refused runnerset-controller-.*DENIED: the quota is used up"):
            self.read.push(self.one, self.repository)
        self.proxy.refuse = lambda method, path: True
        with self.assertRaisesRegex(publish.Refused, "does not say what .* is: "):
            self.read.digest_of(f"{self.repository}:1")

    def test_a_name_that_has_other_images_is_refused(self):
        home = homes.read(self.home)
        digest = self.read.push(self.one, self.repository)
        self.read.name(self.repository, self.read.index(self.repository, [digest], "build-1"), "0.9.0")
        publish.refuse_other(self.read, home, "0.9.0", "controller", [digest])
        publish.refuse_other(self.read, home, "0.9.1", "controller", [])
        with self.assertRaisesRegex(publish.Refused, "controller:0.9.0 exists already, with other images"):
            publish.refuse_other(self.read, home, "0.9.0", "controller", [digest, "sha256:" + "0" * 64])


@unittest.skipUnless(ALL, "builds cosign, and takes minutes: .ci/nightly runs it (PUBLISH_TEST=all)")
class Whole(Loopback):
    """A copy of the tree with the version of a release is published, with a key in place of a workflow's identity."""

    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.tree = rehearse.tree_of_release(folder / "tree")
        cls.cosign, cls.helm4, cls.helm3 = parts.tools("cosign", "helm", "helm3")
        cls.right, cls.wrong = (rehearse.key_pair(cls.cosign, folder / key) for key in ("right", "wrong"))

    def setUp(self):
        super().setUp()
        self.version = "0.9.0"
        self.images(**{publish.LABEL + "revision": publish.revision_of(self.tree)})
        with self.home.open("a") as file:
            file.write("artifacthub=12345678-1234-1234-1234-123456789abc\n")

    def publish(self, *more):
        command = [self.tree / ".ci/publish", "release", "v0.9.0", "--home", self.home, "--archives", self.archives, "--out", self.folder / "out", *more]
        if "--key" not in more:
            command += ["--key", self.right]
        done = subprocess.run(list(map(str, command)), text=True, capture_output=True, env=PASSWORD)
        return done.returncode, done.stdout, done.stderr

    def verify(self, reference, key=None):
        public = (key or self.right).with_suffix(".pub")
        command = [self.cosign, "verify", "--key", public, "--insecure-ignore-tlog=true", reference]
        return subprocess.run(command, text=True, capture_output=True).returncode == 0

    def all_names(self):
        return sorted(f"owner/{name}:0.9.0" for name in ("runnerset/controller", "runnerset/listener", "charts/runnerset", "charts/runnerset-set"))

    def digest(self, name):
        return publish.Registry(self.crane).digest_of(f"{self.host}/{name}:0.9.0")

    def test_a_release_can_be_pulled_and_verified_by_whom_it_is_for(self):
        code, said, wrong = self.publish()
        self.assertEqual((code, wrong), (0, ""))
        self.assertEqual(self.names(), self.all_names())
        out = self.folder / "out/0.9.0"
        digests = {p: self.digest(f"runnerset/{p}") for p in parts.PROGRAMS}

        for name in self.all_names():
            reference = f"{self.host.split('/')[0]}/{name}"
            self.assertTrue(self.verify(reference), name)
            self.assertFalse(self.verify(reference, self.wrong), f"{name}, with another key")
        for program, digest in digests.items():
            index = publish.Registry(self.crane).manifest(f"{self.host}/runnerset/{program}@{digest}")
            self.assertEqual([m["platform"]["architecture"] for m in index["manifests"]], ["amd64", "arm64"])
            for one in index["manifests"]:
                self.assertTrue(self.verify(f"{self.host}/runnerset/{program}@{one['digest']}"), one)
                self.attested(f"{self.host}/runnerset/{program}@{one['digest']}", "cyclonedx")
            statement = self.attested(f"{self.host}/runnerset/{program}@{digest}", "slsaprovenance1")
            self.assertEqual(statement["subject"][0]["digest"]["sha256"], digest.removeprefix("sha256:"))
            built = statement["predicate"]["buildDefinition"]["resolvedDependencies"][0]["digest"]["gitCommit"]
            self.assertEqual(built, publish.revision_of(self.tree))

        for helm in (self.helm3, self.helm4):
            with self.subTest(str(helm)):
                chart = f"oci://{self.host}/charts/runnerset"
                made = self.run_helm(helm, "template", "runnerset", chart, "--version", "0.9.0", "-n", "runnerset-system", "--plain-http")
                for program, digest in digests.items():
                    self.assertIn(f"image: {self.host}/runnerset/{program}@{digest}\n", made)
                self.assertIn("imagePullPolicy: IfNotPresent", made)
                shown = self.run_helm(helm, "show", "chart", chart, "--version", "0.9.0", "--plain-http")
                for words in (f"home: {REPOSITORY}", "artifacthub.io/images", digests["listener"], "artifacthub.io/crds", 'artifacthub.io/prerelease: "false"'):
                    self.assertIn(words, shown)
                made = self.run_helm(
                    helm, "template", "linux", f"oci://{self.host}/charts/runnerset-set", "--version", "0.9.0", "--plain-http", *parts.values_for("runnerset-set"))
                self.assertIn("kind: AutoScalingRunnerSet", made)

        for program, digest in digests.items():
            self.assertIn(f"@{digest}", (out / "install.yaml").read_text())
        self.assertEqual(subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=out).returncode, 0)
        self.assertEqual(sorted(p.name for p in out.iterdir()), sorted([
            "SHA256SUMS", "SHA256SUMS.sigstore.json", "crds.yaml", "install.yaml", "provenance.json", "runnerset-0.9.0.tgz", "runnerset-set-0.9.0.tgz",
            "schemas-0.9.0.tar.gz", *(f"runnerset-{p}-0.9.0-{a}.cdx.json" for p in parts.PROGRAMS for a in publish.ARCHITECTURES)]))
        for key, good in ((self.right, True), (self.wrong, False)):
            done = subprocess.run([
                self.cosign, "verify-blob", "--key", key.with_suffix(".pub"), "--insecure-ignore-tlog=true", "--bundle", out / "SHA256SUMS.sigstore.json", out / "SHA256SUMS",
            ], capture_output=True)
            self.assertEqual(done.returncode == 0, good)

        for chart in parts.CHARTS:
            layer, = publish.Registry(self.crane).manifest(f"{self.host}/charts/{chart}:artifacthub.io")["layers"]
            self.assertEqual(layer["mediaType"], "application/vnd.cncf.artifacthub.repository-metadata.layer.v1.yaml")

        # the commands of the page, as a user types them beside the files
        page = (ROOT / "docs/start/verify.md").read_text().partition("## A release with a key")[2].partition("\n## ")[0]
        commands = re.findall(r"^\$ (.+)$", page, re.M)
        self.assertEqual(len(commands), 5)
        (out / "cosign.pub").write_text(self.right.with_suffix(".pub").read_text())
        for command in commands:
            done = subprocess.run(["bash", "-c", command], cwd=out, text=True, capture_output=True, env={
                **os.environ, "PATH": f"{self.cosign.parent}:{os.environ['PATH']}", "REGISTRY": self.host, "VERSION": "0.9.0"})
            self.assertEqual(done.returncode, 0, command + done.stderr)

        # once more: what is there stays, and has the digests that it had
        before = {name: self.digest(name.removeprefix("owner/").removesuffix(":0.9.0")) for name in self.all_names()}
        code, said, wrong = self.publish()
        self.assertEqual((code, wrong), (0, ""))
        self.assertIn("found and signed", said)
        self.assertEqual({name: self.digest(name.removeprefix("owner/").removesuffix(":0.9.0")) for name in before}, before)

        # a name is given once
        self.images(content=b"b", **{publish.LABEL + "revision": publish.revision_of(self.tree)})
        self.refused("exists already, with other images: a name is given once")
        self.assertEqual(self.digest("runnerset/controller"), digests["controller"])

        # somebody moves the name to other images: the signature is that of the former ones
        other = publish.Registry(self.crane).push(publish.Archive(self.archives, "controller", "0.9.0", "amd64"), f"{self.host}/runnerset/controller")
        publish.Registry(self.crane).name(f"{self.host}/runnerset/controller", other, "0.9.0")
        self.assertFalse(self.verify(f"{self.host}/runnerset/controller:0.9.0"))
        self.assertTrue(self.verify(f"{self.host}/runnerset/controller@{digests['controller']}"), "the chart names the digest")

    def test_a_release_that_is_cut_short_has_no_name_and_is_completed_by_the_next_run(self):
        for what, refuse, why in (
            ("the second program", lambda method, path: method != "GET" and method != "HEAD" and "/runnerset/listener/" in path, "refused runnerset-listener"),
            ("an index", lambda method, path: method == "PUT" and "/runnerset/listener/manifests/build-" in path, "refused the index"),
            ("a signature", lambda method, path: method == "PUT" and "/manifests/sha256-" in path, "was not signed"),
            ("a name", lambda method, path: method == "PUT" and "/runnerset/controller/manifests/0.9.0" in path, "refused the name"),
        ):
            with self.subTest(what):
                self.proxy.refuse = refuse
                self.refused(why)
                self.assertEqual(self.names(), [])
        self.proxy.refuse = lambda method, path: method == "PUT" and "/charts/" in path
        self.refused("the registry refused the chart runnerset")
        self.assertEqual([n for n in self.names() if "charts" in n], [], "no chart names images that nobody can verify")
        self.proxy.refuse = lambda *_: False
        self.assertEqual(self.publish()[0], 0)
        self.assertEqual(self.names(), self.all_names())
        self.assertTrue(self.verify(f"{self.host}/charts/runnerset:0.9.0"))

    def test_a_key_that_cannot_sign_leaves_nothing_with_a_name(self):
        broken = self.folder / "broken.key"
        broken.write_text("no key")
        broken.with_suffix(".pub").write_text(self.right.with_suffix(".pub").read_text())
        self.refused("was not signed", "--key", broken)
        # the private part of another pair: it signs, and the signature does not hold
        mixed = self.folder / "mixed.key"
        mixed.write_bytes(self.wrong.read_bytes())
        mixed.with_suffix(".pub").write_text(self.right.with_suffix(".pub").read_text())
        self.refused("the signature of", "--key", mixed)
        self.assertEqual(self.names(), [])

    def attested(self, reference, kind):
        command = [self.cosign, "verify-attestation", "--type", kind, "--key", self.right.with_suffix(".pub"), "--insecure-ignore-tlog=true", reference]
        done = subprocess.run(command, text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(base64.b64decode(json.loads(done.stdout.splitlines()[0])["payload"]))

    def run_helm(self, helm, *words):
        home = self.folder / "helm"
        places = {f"HELM_{name}_HOME": str(home / name) for name in ("CACHE", "CONFIG", "DATA")}
        done = subprocess.run([helm, *words], text=True, capture_output=True, env={**os.environ, **places})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout


if __name__ == "__main__":
    unittest.main()
