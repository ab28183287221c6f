"""Which version .ci/previous builds, and what it answers where there is none. Run with: python3 -m unittest discover -s .ci -p '*_test.py'"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("previous")
# in place of the compiler: code that says so cannot be compiled
JAVAC = """#!/bin/sh
for last; do :; done
! xargs grep -l 'no such library' <"${last#@}" >&2
"""


class Previous(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.repository = self.folder / "repository"
        self.git("init", "-q", "-b", "main", str(self.repository), at=self.folder)
        self.write(".ci/previous", SCRIPT.read_text()).chmod(0o755)
        self.write(".ci/left-out", "# none\n")
        self.write(".gitignore", "target/\n")
        self.write("charts/runnerset/files/crds/a.yaml", "kind: A\n")
        self.write("pom.xml", "<project/>")
        self.write("controller/pom.xml", "<project/>")
        self.first = self.code("one")

    def git(self, *words, at=None):
        settings = ("-c", "user.name=a", "-c", "user.email=a@example", "-c", "commit.gpgsign=false", "-c", "protocol.file.allow=always")
        done = subprocess.run(["git", *settings, *words], cwd=at or self.repository, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def write(self, path, text):
        file = self.repository / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "a change")
        return self.git("rev-parse", "HEAD")

    def code(self, text):
        self.write("controller/src/main/java/A.java", text)
        return self.commit()

    def previous(self, *words, at=None):
        """Exit code, the commit that was built, and what was reported."""
        at = at or self.repository
        java = self.folder / "bin" / "java"
        java.parent.mkdir(exist_ok=True)
        java.with_name("javac").write_text(JAVAC)
        java.with_name("javac").chmod(0o755)
        launch = at / "demo/target/launch"
        if not launch.exists():
            launch.parent.mkdir(parents=True)
            launch.write_text(f"{java}\n{at}/demo/target/classes:/libraries/a.jar\n")
        environment = dict(os.environ, XDG_CACHE_HOME=str(self.folder / "cache"), GIT_CONFIG_GLOBAL=os.devnull)
        done = subprocess.run([at / ".ci/previous", *words], capture_output=True, text=True, env=environment)
        folder = pathlib.Path(done.stdout.strip()) if done.stdout.strip() else None
        if folder:
            self.assertEqual((folder / "class-path").read_text(), f"{folder}/classes:/libraries/a.jar\n")
            self.assertEqual((folder / "crds.yaml").read_text(), "---\nkind: A\n")
        return done.returncode, folder.name[:40] if folder else None, done.stderr

    def assert_none(self, words, answer):
        self.assertEqual(answer[:2], (4, None), answer)
        self.assertIn(words, answer[2])

    def test_the_commit_before_the_last_change_of_code(self):
        self.code("two")
        self.write("README.md", "no code")
        self.commit()
        self.assertEqual(self.previous()[:2], (0, self.first))
        self.assertEqual(self.previous()[2], "", "found, not built again")

    def test_the_last_commit_where_code_is_not_committed(self):
        second = self.code("two")
        self.write("controller/src/main/java/B.java", "new")
        self.assertEqual(self.previous()[:2], (0, second))

    def test_the_newest_tag_comes_first(self):
        self.git("tag", "v0.1.0")
        self.code("two")
        self.code("three")
        self.assertEqual(self.previous()[:2], (0, self.first))

    def test_the_next_one_where_a_version_does_not_do(self):
        tagged = self.code("no such library")
        self.git("tag", "v0.1.0")
        third = self.code("three")
        self.code("four")
        status, commit, told = self.previous()
        self.assertEqual((status, commit), (0, third))
        self.assertIn(f"the code of {tagged} cannot be compiled", told)
        self.write(".ci/left-out", f"{third} it loses jobs\n")
        self.assert_none(f"{third} is left out: it loses jobs", self.previous())
        self.assertEqual(self.previous(third)[:2], (0, third), "asked for")

    def test_a_first_commit(self):
        self.assert_none(f"there is no commit before {self.first}", self.previous())

    def test_no_repository(self):
        shutil.rmtree(self.repository / ".git")
        self.assert_none("git tells no commit", self.previous())

    def test_a_shallow_clone(self):
        second = self.code("two")
        clone = self.folder / "clone"
        self.git("clone", "-q", "--depth=1", f"file://{self.repository}", str(clone), at=self.folder)
        self.assert_none(f"the commit before {second} is not in this clone: git fetch --unshallow", self.previous(at=clone))
        self.assert_none("git fetch --unshallow", self.previous(self.first, at=clone))
        self.git("fetch", "-q", "--unshallow", at=clone)
        self.assertEqual(self.previous(at=clone)[:2], (0, self.first))

    def test_a_build_that_is_missing_or_older_than_its_poms(self):
        self.code("two")
        self.previous()
        launch = self.repository / "demo/target/launch"
        os.utime(launch, (1, 1))
        self.assertEqual(self.previous()[0], 3)
        launch.unlink()
        done = subprocess.run([self.repository / ".ci/previous"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertIn("build first", done.stderr)


if __name__ == "__main__":
    unittest.main()
