"""What .ci/plugin and the manifest for krew answer to bad input. Run with: python3 -B -m unittest discover -s .ci -p '*_test.py'"""

import importlib.machinery
import importlib.util
import pathlib
import re
import tempfile
import unittest
import unittest.mock

import krew
from artefacts import Refused

HERE = pathlib.Path(__file__).resolve().parent
LOADER = importlib.machinery.SourceFileLoader("plugin", str(HERE / "plugin"))
plugin = importlib.util.module_from_spec(importlib.util.spec_from_loader("plugin", LOADER))
LOADER.exec_module(plugin)


class Plugin(unittest.TestCase):
    def test_only_the_commit_of_a_tag_makes_an_archive_of_a_release(self):
        for tag, why in {"v0.0.1": "the poms have the version", "0.2.0": "no tag", "main": "no tag", None: "no tag"}.items():
            with unittest.mock.patch("sys.stderr") as err:
                self.assertEqual(plugin.main(["archive"] + ([tag] if tag else [])), 2, msg=tag)
            self.assertRegex("".join(c.args[0] for c in err.write.call_args_list), why)

    def test_a_platform_without_a_plugin_is_named(self):
        with unittest.mock.patch("platform.system", lambda: "Plan9"), self.assertRaisesRegex(Refused, "plan9-.* is none of the platforms"):
            plugin.this_platform()

    def test_two_archives_of_the_same_files_are_equal(self):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch, "in")
            folder.mkdir()
            (folder / "a").write_text("text")
            first, second = pathlib.Path(scratch, "1"), pathlib.Path(scratch, "2")
            plugin.packed(folder, first)
            (folder / "a").touch()
            plugin.packed(folder, second)
            self.assertEqual(first.read_bytes(), second.read_bytes())


class Krew(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def archive(self, platform):
        (self.folder / f"kubectl-runnerset-0.2.0-{platform}.tar.gz").write_text(platform)

    def test_a_release_has_the_plugin_for_all_platforms_or_for_none(self):
        self.assertEqual(krew.archives(self.folder, "0.2.0"), {})
        self.archive("linux-amd64")
        with self.assertRaisesRegex(Refused, "kubectl-runnerset-0.2.0-linux-arm64.tar.gz.*is missing"):
            krew.archives(self.folder, "0.2.0")

    def test_the_manifest_has_each_platform_with_the_hash_of_its_archive(self):
        for platform in krew.PLATFORMS:
            self.archive(platform)
        text = krew.manifest(krew.archives(self.folder, "0.2.0"), "0.2.0", "https://github.com/owner/name")
        self.assertEqual(len(re.findall(r"sha256: [0-9a-f]{64}", text)), 6)
        self.assertEqual(len(set(re.findall(r"sha256: (\S+)", text))), 6)
        self.assertIn("uri: https://github.com/owner/name/releases/download/v0.2.0/kubectl-runnerset-0.2.0-darwin-arm64.tar.gz", text)
        self.assertIn("bin: kubectl-runnerset.cmd", text)


if __name__ == "__main__":
    unittest.main()
