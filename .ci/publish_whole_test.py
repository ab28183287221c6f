"""A whole release to a registry on loopback, with a key of cosign. It builds cosign and takes minutes, so it runs where
PUBLISH_TEST=all: in .ci/nightly. Run with: PUBLISH_TEST=all python3 -B -m unittest discover -s .ci -p 'publish_whole_test.py'"""

import base64
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from loopback import PASSWORD, REPOSITORY, ROOT, Loopback, parts, publish, rehearse


@unittest.skipUnless(os.environ.get("PUBLISH_TEST") == "all", "builds cosign, and takes minutes: .ci/nightly runs it (PUBLISH_TEST=all)")
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
                for words in (f"home: {REPOSITORY}", f"icon: {REPOSITORY}/raw/v0.9.0/", "artifacthub.io/images", digests["listener"], "artifacthub.io/crds", 'artifacthub.io/prerelease: "false"'):
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
