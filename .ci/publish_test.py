"""What .ci/publish answers to bad input, and what it pushes to a registry on loopback. Run with: python3 -B -m unittest discover -s .ci -p '*_test.py'"""

import argparse
import os
import pathlib
import re
import shutil
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree

from loopback import REPOSITORY, ROOT, Loopback, archive, homes, parts, publish, tree_version


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


class Description(unittest.TestCase):
    """What `helm show chart` says of a released chart."""

    def keys(self, chart, home=None):
        text = (ROOT / f"charts/{chart}/Chart.yaml").read_text()
        if home:
            text = parts.described(text, chart, "0.9.0", parts.Pins(home, dict.fromkeys(parts.PROGRAMS, "sha256:" + "0" * 64)))
        return dict(re.findall(r"(?m)^(\w+): ?(.*)$", text))

    def test_both_charts_get_home_sources_and_icon(self):
        for chart in parts.CHARTS:
            made = self.keys(chart, homes.Home(REPOSITORY, "registry.example/owner"))
            self.assertEqual((made["home"], made["sources"]), (REPOSITORY, f"[{REPOSITORY}]"))
            self.assertEqual(made["icon"], f"{REPOSITORY}/raw/v0.9.0/{parts.ICON}")
            self.assertEqual(self.keys(chart, homes.Home(REPOSITORY, site="https://site.example"))["home"], "https://site.example")
            self.assertTrue({"home", "sources", "icon"}.isdisjoint(self.keys(chart)), "the tree lives nowhere yet")

    def test_the_icon_is_a_picture_without_parts_from_elsewhere(self):
        icon = (ROOT / parts.ICON).read_text()
        self.assertEqual(xml.etree.ElementTree.fromstring(icon).tag, "{http://www.w3.org/2000/svg}svg")
        self.assertNotRegex(icon.replace("http://www.w3.org/2000/svg", ""), r"https?:|href|<script")
        self.assertLess(len(icon), 2_000)

    def test_both_charts_need_the_same_kubernetes_and_have_a_page(self):
        versions = {self.keys(chart)["kubeVersion"] for chart in parts.CHARTS}
        self.assertEqual(versions, {'">=1.33.0-0"'})
        for chart in parts.CHARTS:
            self.assertIn("Needed: Kubernetes 1.33 or newer, Helm 3 or 4.", (ROOT / f"charts/{chart}/README.md").read_text())


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


if __name__ == "__main__":
    unittest.main()
