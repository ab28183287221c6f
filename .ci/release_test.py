"""The decisions of .ci/release, and what it answers to bad input. Run with: python3 -m unittest discover -s .ci -p '*_test.py'"""

import importlib.machinery
import importlib.util
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("release")
loader = importlib.machinery.SourceFileLoader("release", str(SCRIPT))
release = importlib.util.module_from_spec(importlib.util.spec_from_loader("release", loader))
loader.exec_module(release)


class Versions(unittest.TestCase):
    def test_versions_are_semantic(self):
        for version, good in {
            "0.1.0": True, "1.2.3": True, "10.20.30": True, "1.2.3-rc.1": True, "1.2.3-alpha": True,
            "v1.2.3": False, "1.2": False, "1.2.3.4": False, "01.2.3": False, "1.2.3-": False, "1.2.3 ": False, "": False,
            "1.2.3\n": False, "../../x": False, "1.2.3+build": False,
        }.items():
            self.assertEqual(release.is_semver(version), good, repr(version))

    def test_versions_have_an_order(self):
        ordered = ["0.9.9", "0.10.0", "1.0.0-alpha", "1.0.0-rc.1", "1.0.0-rc.2", "1.0.0-rc.10", "1.0.0", "1.0.1"]
        for i, one in enumerate(ordered):
            for j, other in enumerate(ordered):
                self.assertEqual(release.order(one) < release.order(other), i < j, (one, other))

    def test_the_next_version_is_the_next_minor_one(self):
        for version, following in {"0.1.0": "0.2.0", "1.4.2": "1.5.0", "1.0.0-rc.1": "1.0.0"}.items():
            self.assertEqual(release.following(version), following)

    def test_only_whole_versions_are_changed(self):
        for before, after in {
            "controller:0.1.0": "controller:0.2.0", "controller-0.1.0-amd64.tar": "controller-0.2.0-amd64.tar", "runnerset-0.1.0.tgz": "runnerset-0.2.0.tgz", 'version: "0.1.0"': 'version: "0.2.0"',
            "Version 0.1.0.": "Version 0.2.0.", "10.1.0": "10.1.0", "0.1.0.1": "0.1.0.1", "0.1.0-rc.1": "0.1.0-rc.1", "0.1.01": "0.1.01", "1.0.1.0": "1.0.1.0",
        }.items():
            self.assertEqual(release.moved_version(before, "0.1.0", "0.2.0"), after)


class Changelog(unittest.TestCase):
    def test_what_was_unreleased_stands_under_the_version(self):
        self.assertEqual(
            release.moved_changelog("# Changelog\n\n## Unreleased\n\n### Added\n- a\n\n## 0.1.0, 2026-01-01\n", "0.2.0", "2026-02-02"),
            "# Changelog\n\n## Unreleased\n\n## 0.2.0, 2026-02-02\n\n### Added\n- a\n\n## 0.1.0, 2026-01-01\n",
        )

    def test_nothing_unreleased_is_refused(self):
        for text in ("# Changelog\n", "## Unreleased\n", "## Unreleased\n\n## 0.1.0, 2026-01-01\n- a\n"):
            with self.assertRaises(release.Refused, msg=repr(text)):
                release.moved_changelog(text, "0.2.0", "2026-02-02")


class Input(unittest.TestCase):
    """Bad input is answered in one line, before anything is done."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        (self.tree / "pom.xml").write_text("<artifactId>runnerset</artifactId>\n<version>0.1.0-SNAPSHOT</version>")
        for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@invalid", "commit", "-qm", "a"]):
            subprocess.run(["git", *command], cwd=self.tree, check=True)
        subprocess.run(["git", "tag", "v0.3.0"], cwd=self.tree, check=True)

    def test_the_versions(self):
        for version, following, why in (
            ("1.2", "1.3.0", "no version"), ("v1.2.3", "1.3.0", "no version"), ("0.2.0", "next", "no version"), ("0.0.9", "0.2.0", "older than 0.1.0"),
            ("0.2.0", "0.2.0", "does not follow"), ("0.2.0", "0.1.9", "does not follow"), ("0.3.0", "0.4.0", "tag v0.3.0 is there already"),
        ):
            with self.assertRaisesRegex(release.Refused, why):
                release.check(version, following, self.tree, False)
        for version, following in (("0.1.0", "0.2.0"), ("0.1.0-rc.1", "0.1.0"), ("0.2.0", "0.3.0"), ("1.0.0", "1.0.1")):
            release.check(version, following, self.tree, False)

    def test_a_dirty_tree_is_refused_but_for_a_dry_run(self):
        (self.tree / "new").write_text("")
        with self.assertRaisesRegex(release.Refused, "not committed"):
            release.check("0.2.0", "0.3.0", self.tree, False)
        release.check("0.2.0", "0.3.0", self.tree, True)

    def test_the_answer_is_one_line(self):
        run = subprocess.run([SCRIPT, "v1"], text=True, capture_output=True)
        self.assertEqual((run.returncode, run.stdout, run.stderr.count("\n")), (2, "", 1))


if __name__ == "__main__":
    unittest.main()
