"""What the workflows may do, and that a broken one is found. Run with: python3 -B -m unittest discover -s .ci -p '*_test.py'"""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
GITHUB = ROOT / ".github"
USES = re.compile(r"^[ \t]*(?:-[ \t]+)?uses:[ \t]*(.+?)[ \t]*$", re.M)
PINNED = re.compile(r"[\w.-]+(?:/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
RUN = re.compile(r"^[ \t]*(?:-[ \t]+)?run:[ \t]*(\S.*?)(?: #.*)?$", re.M)
# a job of .ci/real-service sleeps on a runner without a checkout
SLEEP = 'sleep "$JOB_SECONDS"'
ONE_SCRIPT = re.compile(r'(?:sudo -E env "PATH=\$PATH" )?(\.ci/[\w-]+)(?: [a-z]+)?(?: "\$GITHUB_REF_NAME")?')
# which job may write what, beside the `contents: read` of all; another grant is a row here, with its reason in the workflow
GRANTS = {
    "codeql": {"analyze": {"contents: read", "security-events: write"}},
    "release": {"publish": {"contents: write", "packages: write", "id-token: write", "attestations: write"}},
    "scorecard": {"analyze": {"contents: read", "security-events: write", "id-token: write"}},
    "site": {"deploy": {"pages: write", "id-token: write"}},
}


def yaml_files():
    return sorted(p for p in GITHUB.rglob("*") if p.suffix in (".yml", ".yaml"))


def workflows():
    return sorted((GITHUB / "workflows").glob("*.yml"))


def unpinned(text):
    """The actions that a tag or branch may change: all that lack a full hash or its version, but for actions of this repository."""
    return [use for use in USES.findall(text) if not use.startswith("./") and not PINNED.fullmatch(use)]


def not_one_script(text):
    """The commands that are more than a call of one script of .ci."""
    return [run for run in RUN.findall(text) if run != SLEEP and not ONE_SCRIPT.fullmatch(run)]


def grants(text):
    """What each job may do beyond the workflow, by the job's name; `*` is the workflow."""
    found, job, inside = {}, "*", None
    for line in text.splitlines():
        depth, words = len(line) - len(line.lstrip()), line.split(" #")[0].strip()
        if inside is not None and words and depth <= inside:
            inside = None
        if inside is not None and words:
            found.setdefault(job, set()).add(words)
        if depth == 2 and words.endswith(":"):
            job = words[:-1]
        if words.startswith("permissions:"):
            inside = depth
            job = "*" if depth == 0 else job
            if words != "permissions:":
                found.setdefault(job, set()).add(words.partition(":")[2].strip())
    return found


def lint(folder):
    actionlint, shellcheck = (
        subprocess.run([ROOT / ".ci/tools", tool], text=True, stdout=subprocess.PIPE).stdout.strip() for tool in ("actionlint", "shellcheck")
    )
    if not actionlint or not shellcheck:
        raise unittest.SkipTest("actionlint and shellcheck cannot be had here: .ci/tools says why")
    files = sorted((folder / "workflows").glob("*.yml"))
    return subprocess.run([actionlint, "-no-color", "-shellcheck", shellcheck, *files], cwd=ROOT, text=True, capture_output=True)


class Rules(unittest.TestCase):
    """Each rule, with what breaks it."""

    def test_an_action_without_its_full_hash_is_found(self):
        full = "3d3c42e5aac5ba805825da76410c181273ba90b1"
        for use, good in {
            f"a/b@{full} # v7.0.1": True, f"a/b/c@{full} # v7.0.1": True, "./.github/actions/build-tools": True,
            "a/b@v7": False, "a/b@main": False, "a/b": False, f"a/b@{full}": False, f"a/b@{full} # main": False,
            f"a/b@{full[:39]} # v7.0.1": False, f"a/b@{full[:7]} # v7.0.1": False, f"a/b@{full.upper()} # v7.0.1": False,
            "docker://alpine:3": False,
        }.items():
            self.assertEqual(unpinned(f"steps:\n  - uses: {use}\n") == [], good, use)
            self.assertEqual(unpinned(f"steps:\n  - id: x\n    uses: {use}\n") == [], good, use)

    def test_a_command_that_is_no_call_of_one_script_is_found(self):
        for run, good in {
            ".ci/run": True, '.ci/publish release "$GITHUB_REF_NAME"': True, 'sudo -E env "PATH=$PATH" .ci/nightly': True,
            SLEEP: True, ".ci/run # why": True, 'sleep "$OTHER"': False, "mvn verify": False, ".ci/run && echo": False, ".ci/publish ${{ github.ref }}": False, "|": False, "curl https://a | sh": False,
        }.items():
            self.assertEqual(not_one_script(f"steps:\n  - run: {run}\n") == [], good, run)

    def test_permissions_are_read_by_job(self):
        text = "on: push\npermissions:\n  contents: read\njobs:\n  a:\n    permissions:\n      packages: write # why\n    steps: []\n  b:\n    permissions: write-all\n"
        self.assertEqual(grants(text), {"*": {"contents: read"}, "a": {"packages: write"}, "b": {"write-all"}})


class Workflows(unittest.TestCase):
    def test_each_action_has_its_full_hash_and_version(self):
        used = [(p.name, use) for p in yaml_files() for use in USES.findall(p.read_text())]
        self.assertGreater(len(used), 15)
        self.assertEqual([(p.name, u) for p in yaml_files() for u in unpinned(p.read_text())], [])

    def test_an_action_has_one_version_everywhere(self):
        hashes = {}
        for path in yaml_files():
            for use in USES.findall(path.read_text()):
                if "@" in use:
                    repository = "/".join(use.split("@")[0].split("/")[:2])
                    hashes.setdefault(repository, set()).add(use.split("@")[1])
        self.assertEqual({r: h for r, h in hashes.items() if len(h) > 1}, {})

    def test_each_command_is_one_script_that_is_there(self):
        called = set()
        for path in workflows():
            self.assertEqual(not_one_script(path.read_text()), [], path.name)
            called |= {ONE_SCRIPT.fullmatch(run).group(1) for run in RUN.findall(path.read_text()) if run != SLEEP}
        self.assertGreater(len(called), 3)
        for script in called:
            self.assertTrue((ROOT / script).stat().st_mode & 0o100, script)

    def test_no_job_may_do_more_than_it_needs(self):
        for path in workflows():
            found = grants(path.read_text())
            self.assertEqual(found.pop("*", None), {"contents: read"}, path.name)
            self.assertEqual(found, GRANTS.get(path.stem, {}), path.name)

    def test_no_workflow_gives_a_fork_more_than_a_reader_has(self):
        for path in workflows():
            text = path.read_text()
            self.assertNotIn("pull_request_target", text, path.name)
            self.assertNotIn("workflow_run", text, path.name)
            self.assertEqual(text.count("uses: actions/checkout@"), text.count("persist-credentials: false"), path.name)
            self.assertEqual(len(re.findall(r"^    runs-on:", text, re.M)), len(re.findall(r"^    timeout-minutes:", text, re.M)), path.name)

    def test_the_key_of_the_app_is_in_one_job_that_no_pull_request_starts(self):
        having = [p for p in workflows() if "REAL_SERVICE_APP_KEY" in p.read_text()]
        self.assertEqual([p.name for p in having], ["real-service.yml"])
        text = having[0].read_text()
        begun_by = re.findall(r"^  (\w+):", text.partition("\non:\n")[2].partition("\npermissions:")[0], re.M)
        self.assertEqual(begun_by, ["schedule", "workflow_dispatch"])
        for line in ("    environment: real-service", "    if: vars.REAL_SERVICE_URL != ''", "      - if: always()"):
            self.assertIn(line, text)

    def test_actionlint_finds_nothing(self):
        done = lint(GITHUB)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_actionlint_and_shellcheck_find_what_is_broken(self):
        for before, after, found in (
            ("runs-on: ubuntu-24.04", "runs-on: ubuntu-24.99", "label \"ubuntu-24.99\" is unknown"),
            ("${{ github.ref }}", "${{ github.reff }}", "property \"reff\" is not defined"),
            ("- run: .ci/run", "- run: .ci/run $GITHUB_REF_NAME", "SC2086"),
            ("- run: .ci/run", "- run: .ci/run ${{ github.head_ref }}", "is potentially untrusted"),
        ):
            with tempfile.TemporaryDirectory() as folder:
                copy = pathlib.Path(folder, ".github")
                shutil.copytree(GITHUB, copy)
                ci = copy / "workflows/ci.yml"
                self.assertIn(before, ci.read_text())
                ci.write_text(ci.read_text().replace(before, after))
                done = lint(copy)
                self.assertNotEqual(done.returncode, 0, after)
                self.assertIn(found, done.stdout)


class Scripts(unittest.TestCase):
    def test_shellcheck_finds_nothing_in_the_scripts_that_workflows_run(self):
        shellcheck = subprocess.run([ROOT / ".ci/tools", "shellcheck"], text=True, stdout=subprocess.PIPE).stdout.strip()
        if not shellcheck:
            self.skipTest("shellcheck cannot be had here: .ci/tools says why")
        scripts = [p for p in (*(ROOT / ".ci").iterdir(), ROOT / "site/build", ROOT / "test-cluster/build", ROOT / "images/packages", ROOT / "runnerset")
                   if p.is_file() and p.read_text().startswith("#!/usr/bin/env bash")]
        self.assertGreater(len(scripts), 7)
        done = subprocess.run([shellcheck, *scripts], text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""))


class Forms(unittest.TestCase):
    def test_a_fault_says_what_a_report_needs(self):
        text = (GITHUB / "ISSUE_TEMPLATE/fault.yml").read_text()
        required = re.findall(r"^    id: (\w+)\n(?:(?!  - type).*\n)*?    validations: \{required: true\}", text, re.M)
        self.assertEqual(required, ["seen", "steps", "sets", "version", "cluster", "service"])

    def test_dependabot_follows_each_kind_of_dependency(self):
        text = (GITHUB / "dependabot.yml").read_text()
        self.assertEqual(re.findall(r"package-ecosystem: (\S+)", text), ["github-actions", "maven", "gomod", "pip"])
        for folder in re.findall(r"/[\w/.-]+", "\n".join(l for l in text.splitlines() if "director" in l)):
            self.assertTrue((ROOT / folder.lstrip("/")).is_dir(), folder)


if __name__ == "__main__":
    unittest.main()
