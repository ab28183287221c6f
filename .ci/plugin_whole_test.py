"""kubectl runnerset as a person installs it: the archive of this machine, unpacked, found by kubectl, against the in-process API server.
PLUGIN_TEST=all: in .ci/nightly. Run with: PLUGIN_TEST=all python3 -B -m unittest discover -s .ci -p 'plugin_whole_test.py'"""

import json
import os
import pathlib
import re
import subprocess
import tarfile
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
LARGEST = 45_000_000
SET = """
apiVersion: runnerset.dev/v1alpha1
kind: AutoScalingRunnerSet
metadata: {name: NAME, namespace: default}
spec: {githubConfigUrl: "https://github.com/my-org", githubConfigSecret: {name: github}, template: {spec: {containers: [{name: runner, image: a}]}}}
"""
READING = ("status", "runners", "jobs", "capacity", "history", "schedule", "status -o json", "status -A", "why linux-1", "doctor", "top --once")


@unittest.skipUnless(os.environ.get("PLUGIN_TEST") == "all", "takes minutes: .ci/nightly runs it")
class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = pathlib.Path(cls.scratch.name)
        subprocess.run([ROOT / ".ci/plugin", "snapshot", "--archives", cls.folder], check=True)
        (cls.archive,) = cls.folder.glob("*.tar.gz")
        with tarfile.open(cls.archive) as tar:
            tar.extractall(cls.folder, filter="tar")
        cls.program = cls.folder / "kubectl-runnerset"
        kubectl = subprocess.run([ROOT / "test-cluster/build"], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
        (cls.folder / "kinds.yaml").write_text(
            subprocess.run([ROOT / "runnerset", "crds"], check=True, text=True, stdout=subprocess.PIPE).stdout
            + "".join("---" + SET.replace("NAME", f"linux-{n}") for n in range(300))
        )
        cls.kubeconfig = cls.folder / "kubeconfig"
        server = subprocess.Popen(
            [ROOT / "runnerset", "simulator", "apiserver", "--apply", cls.folder / "kinds.yaml", "--kubeconfig", cls.kubeconfig],
            stdout=subprocess.DEVNULL,
        )
        cls.addClassCleanup(server.wait)
        cls.addClassCleanup(server.terminate)
        cls.path = {"PATH": f"{cls.program}:{kubectl}:{os.environ['PATH']}", "KUBECONFIG": str(cls.kubeconfig), "HOME": cls.scratch.name}
        until = time.monotonic() + 60
        while not cls.kubeconfig.exists() or cls.run_it("kubectl", "get", "namespaces").returncode:
            if time.monotonic() > until:
                raise AssertionError("the API server does not answer")
            time.sleep(0.5)

    @classmethod
    def run_it(cls, *command, env=()):
        return subprocess.run(list(map(str, command)), text=True, capture_output=True, env={**cls.path, **dict(env)}, stdin=subprocess.DEVNULL)

    def test_the_archive_is_small(self):
        print(f"\narchive: {self.archive.stat().st_size} bytes")
        self.assertLess(self.archive.stat().st_size, LARGEST)

    def test_kubectl_finds_it_and_completes_its_commands(self):
        self.assertIn("kubectl-runnerset", self.run_it("kubectl", "plugin", "list").stdout)
        self.assertRegex(self.run_it("kubectl", "runnerset", "--version").stdout, r"\d+\.\d+\.\d+")
        self.assertIn("capacity\n", self.run_it("kubectl", "__complete", "runnerset", "cap").stdout)

    def test_it_works_through_a_link(self):
        link = self.folder / "linked"
        link.symlink_to(self.program / "kubectl-runnerset")
        self.assertEqual(self.run_it(link, "status", "-n", "default").returncode, 0)

    def test_each_command_that_reads_runs_with_the_libraries_of_the_archive(self):
        for words in READING:
            with self.subTest(words):
                shown = self.run_it("kubectl", "runnerset", *words.split())
                self.assertNotRegex(shown.stdout + shown.stderr, r"NoClassDef|ClassNotFound|fault of the program")
                self.assertIn(shown.returncode, (0, 1), shown.stderr)

    def test_a_set_is_paused(self):
        self.assertEqual(self.run_it("kubectl", "runnerset", "pause", "linux-7", "--yes").returncode, 0)
        mode = self.run_it("kubectl", "get", "ars", "linux-7", "-o", "jsonpath={.spec.mode}").stdout
        self.assertEqual(mode, "Paused")

    def test_what_it_takes(self):
        for words in ("--help", "status"):
            started = time.monotonic()
            shown = self.run_it("kubectl", "runnerset", *words.split())
            print(f"\n{words}: {time.monotonic() - started:.2f} s, with kubectl")
            self.assertEqual(shown.returncode, 0)
        sets = json.loads(self.run_it("kubectl", "runnerset", "status", "-o", "json").stdout)
        self.assertEqual(len(sets), 300)

    def test_a_cluster_that_cannot_be_used_is_one_sentence(self):
        for config, words in {
            "{": "no valid kubeconfig", "": "no valid kubeconfig", "clusters: []": "has no current-context",
            self.kubeconfig.read_text().replace("127.0.0.1", "127.0.0.2", 1).replace(re.search(r":(\d+)\n", self.kubeconfig.read_text()).group(1), "1"): "No API server answers",
        }.items():
            file = self.folder / "other"
            file.write_text(config)
            shown = self.run_it(self.program / "kubectl-runnerset", "status", env={"KUBECONFIG": str(file)})
            self.assertEqual(shown.returncode, 1)
            self.assertEqual(len(shown.stderr.strip().splitlines()), 1, shown.stderr)
            self.assertIn(words, shown.stderr)

    def test_a_pipe_that_closes_ends_it(self):
        line = f"{self.program}/kubectl-runnerset status -o json | head -1"
        shown = subprocess.run(["sh", "-c", line], text=True, capture_output=True, env=self.path)
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
