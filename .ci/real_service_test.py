"""The decisions of .ci/real-service, its calls, and how it ends. Run with: python3 -B -m unittest discover -s .ci -p '*_test.py'"""

import base64
import http.server
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import github_rest as rest  # noqa: E402 beside this file
import real_service as rules  # noqa: E402
import real_service_run  # noqa: E402

SCRIPT = HERE / "real-service"
TOKEN = "ghs_0123456789abcdefghij"


def job(status="completed", conclusion="success", runner="r1", name="job (1)"):
    return {"name": name, "status": status, "conclusion": conclusion if status == "completed" else None, "runner_name": runner}


def jobs(text):
    """`r1 r2! r3~ -`: succeeded, failed, running, waiting; each by its runner."""
    kinds = {"!": ("completed", "failure"), "~": ("in_progress", None)}
    return [job("queued", runner=None) if w == "-" else job(*kinds.get(w[-1], ("completed", "success")), w.rstrip("!~")) for w in text.split()]


class Decisions(unittest.TestCase):
    def test_jobs_succeed_each_by_a_runner_of_its_own(self):
        for text, count, result in (
            ("", 2, False), ("r1", 2, False), ("r1 -", 2, False), ("r1 r2~", 2, False), ("r1 r2", 2, True),
            ("r1 r2!", 2, "ended as failure, on the runner r2"), ("r1! -", 2, "ended as failure"), ("r1 r1", 2, "2 jobs ran on 1 runners"),
        ):
            if isinstance(result, str):
                with self.assertRaisesRegex(rules.Failed, result, msg=text):
                    rules.all_succeeded(jobs(text), count)
            else:
                self.assertEqual(rules.all_succeeded(jobs(text), count), result, text)

    def test_the_busy_runners_are_known_once_all_jobs_run(self):
        for text, result in (("r1~ r2~ -", None), ("r1~ r2~ r3~", {"r1", "r2", "r3"}), ("r1~ r2~ r3", None)):
            self.assertEqual(rules.busy_runners(jobs(text), 3), result, text)

    def test_the_surplus_is_what_is_registered_and_idle(self):
        for registered, busy, result in (("abc", "ab", None), ("abcde", "abc", {"d", "e"}), ("abcde", "abx", None), ("abcdef", "abc", None)):
            self.assertEqual(rules.surplus(set(registered), set(busy), 5), result, registered)

    def test_a_run_is_found_by_its_title(self):
        runs = [{"id": i, "display_title": t} for i, t in ((1, "a"), (2, "b"), (3, "b"))]
        self.assertEqual(rules.run_of(runs, "a")["id"], 1)
        self.assertIsNone(rules.run_of(runs, "c"))
        with self.assertRaises(rules.Failed):
            rules.run_of(runs, "b")

    def test_open_runs_are_of_this_run_alone(self):
        runs = [{"display_title": t, "status": s} for t, s in (("real-1 a", "queued"), ("real-1 b", "completed"), ("real-2 a", "queued"), (None, "queued"))]
        self.assertEqual(rules.open_runs(runs, "real-1 "), runs[:1])

    def test_a_lost_job_ends_as_failed_or_cancelled(self):
        for status, conclusion, result in (("in_progress", None, False), ("completed", "failure", True), ("completed", "cancelled", True)):
            self.assertEqual(rules.lost({"status": status, "conclusion": conclusion}), result)
        with self.assertRaisesRegex(rules.Failed, "ended as success"):
            rules.lost({"status": "completed", "conclusion": "success"})

    def test_the_event_is_of_the_set_and_names_the_runner(self):
        def event(reason="JobLost", name="set", message="the job was lost with runner r1"):
            return {"reason": reason, "involvedObject": {"name": name}, "message": message}

        self.assertIn("r1", rules.lost_event([event()], "set", "r1"))
        for other in (event(reason="ScaledUp"), event(name="r1"), event(message="with runner r2")):
            self.assertIsNone(rules.lost_event([other], "set", "r1"))

    def test_a_result_that_is_no_success_is_one(self):
        for status, result in (({}, None), ({"jobResult": "succeeded"}, None), ({"jobResult": "canceled"}, "canceled"), ({"jobResult": "failed"}, "failed")):
            self.assertEqual(rules.unfinished({"status": status}), result)

    def test_ready_counts_for_the_spec_of_now(self):
        def item(status, seen, generation=2):
            return {"metadata": {"generation": generation}, "status": {"conditions": [{"type": "Ready", "status": status, "observedGeneration": seen}]}}

        for each, result in ((item("True", 2), True), (item("True", 1), False), (item("False", 2), False), ({"metadata": {}}, False)):
            self.assertEqual(rules.is_ready(each), result)

    def test_what_kubernetes_keeps_is_not_left_over(self):
        kept = ["configmap/kube-root-ca.crt", "serviceaccount/default", "secret/github"]
        self.assertEqual(rules.left(kept), [])
        self.assertEqual(rules.left([*kept, "pod/a", "role.rbac.authorization.k8s.io/b"]), ["pod/a", "role.rbac.authorization.k8s.io/b"])

    def test_waits_are_from_creation_to_start(self):
        seen = [{"created_at": "2026-01-01T00:00:00Z", "started_at": f"2026-01-01T00:00:{s}Z"} for s in ("02", "04.5000001", "09")]
        self.assertEqual(rules.waited(seen), {"p50_seconds": 4.5, "max_seconds": 9.0})

    def test_patience_ends_at_its_deadline_and_says_what_it_saw(self):
        now = [0.0]
        patience = rules.Patience(5, lambda: now[0], lambda s: now.__setitem__(0, now[0] + s))
        self.assertEqual(patience.until("x", 10, lambda: now[0] == 10 and "there"), "there")
        with self.assertRaisesRegex(rules.Failed, "^not within 20 s: y; so far none$"):
            patience.until("y", 20, lambda: None, lambda: "so far none")
        self.assertEqual(now, [30.0])


class Calls(unittest.TestCase):
    def test_the_scope_of_a_url(self):
        for url, scope in {
            "https://github.com/org": "orgs/org", "https://github.com/o/r/": "repos/o/r", "http://127.0.0.1:1/o": "orgs/o", "https://x.ghe.com/o": "orgs/o",
            "https://github.com/enterprises/e": None, "https://github.com": None, "github.com/o": None, "https://github.com/a/b/c": None, "": None,
        }.items():
            self.assertEqual(rest.scope_of(url), scope, url)

    def test_secrets_are_in_no_text(self):
        secrets = rest.Secrets()
        secrets.add("of-a-user")
        for text in (
            "of-a-user", base64.b64encode(b"of-a-user").decode(), TOKEN, "github_pat_11AAAAAAA0123456789", "Bearer abc.def",
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiIxIn0.c2ln",
            base64.b64encode(b'{".runner": "e30=", ".credentials": "e30="}').decode(),
        ):
            cleaned = secrets.cleaned(f'"a": "{text}", "b": 1')
            self.assertNotIn(text.removeprefix("Bearer "), cleaned)
            self.assertRegex(cleaned, r'^"a": "(Bearer )?\*\*\*", "b": 1$')
        self.assertEqual(secrets.cleaned("real-1a2b3c-x7 eyJ"), "real-1a2b3c-x7 eyJ")

    def test_a_jwt_is_signed_by_the_key_and_lives_less_than_ten_minutes(self):
        with tempfile.TemporaryDirectory() as folder:
            key, public, signature = (pathlib.Path(folder, name) for name in ("key", "public", "signature"))
            subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, capture_output=True)
            subprocess.run(["openssl", "rsa", "-in", key, "-pubout", "-out", public], check=True, capture_output=True)
            text, _, signed = rest.App("42", "7", key.read_text()).jwt(1_000_000).rpartition(".")
            signature.write_bytes(base64.urlsafe_b64decode(signed + "=="))
            check = subprocess.run(["openssl", "dgst", "-sha256", "-verify", public, "-signature", signature], input=text.encode(), capture_output=True)
            self.assertEqual(check.returncode, 0)
            claims = json.loads(base64.urlsafe_b64decode(text.split(".")[1] + "=="))
            self.assertEqual(claims, {"iat": 999_940, "exp": 1_000_480, "iss": "42"})
        with self.assertRaisesRegex(rest.RestError, "no RSA key"):
            rest.App("42", "7", "no key").jwt(0)

    def test_how_long_to_wait(self):
        for status, headers, pause in (
            (500, {}, 3), (502, {}, 3), (404, {}, None), (403, {}, None), (403, {"Retry-After": "60"}, 60), (429, {"Retry-After": "7"}, 7),
            (403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "130"}, 31), (403, {"X-RateLimit-Remaining": "9", "X-RateLimit-Reset": "130"}, None),
        ):
            self.assertEqual(rest.pause_of(status, headers, 100), pause, (status, headers))

    def answering(self, *answers, **more):
        pauses, sent, left = [], [], list(answers)
        caller = rest.Rest("http://x", rest.Secrets(), clock=lambda: 1_000_000, pause=pauses.append, **more)

        def once(method, path, body, authorization):
            sent.append((method, path, authorization))
            status, answer = left.pop(0)
            return status, {}, json.dumps(answer).encode() if status else "reset"

        caller.once = once
        return caller, sent, pauses

    def test_reads_are_sent_again_and_changes_are_not(self):
        caller, sent, pauses = self.answering((502, {}), (0, None), (200, {"a": 1}), token=TOKEN)
        self.assertEqual((caller.call("GET", "/x"), len(sent), pauses), ({"a": 1}, 3, [3, 3]))
        caller, sent, _ = self.answering((502, {"message": f"down {TOKEN}"}), token=TOKEN)
        with self.assertRaisesRegex(rest.RestError, r"^POST /x answered 502: down \*\*\*$"):
            caller.call("POST", "/x?y=1")
        self.assertEqual(len(sent), 1)

    def test_a_list_has_all_its_pages(self):
        caller, sent, _ = self.answering((200, {"jobs": list(range(100))}), (200, {"jobs": [100]}), token=TOKEN)
        self.assertEqual(len(caller.list("/x", "jobs", filter="latest")), 101)
        self.assertEqual([path for _, path, _ in sent], ["/x?filter=latest&per_page=100&page=1", "/x?filter=latest&per_page=100&page=2"])

    def test_the_token_of_an_app_is_renewed_before_its_end(self):
        app = type("App", (), {"installation": "7", "jwt": lambda self, now: "jwt"})()
        first, second = ({"token": f"{TOKEN}{i}", "expires_at": f"1970-01-12T{at}:00Z"} for i, at in ((1, "13:50"), (2, "15:00")))
        caller, sent, _ = self.answering((201, first), (200, {}), (201, second), (200, {}), (200, {}), app=app)
        for _ in range(3):
            caller.call("GET", "/x")
        self.assertEqual([a for _, _, a in sent], ["Bearer jwt", f"Bearer {TOKEN}1", "Bearer jwt", f"Bearer {TOKEN}2", f"Bearer {TOKEN}2"])
        self.assertNotIn(TOKEN, caller.secrets.cleaned(f"{TOKEN}1 {TOKEN}2"))


class Reports(unittest.TestCase):
    def report(self, *failures):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        report = rules.Report(folder, rest.Secrets(), {"service": "https://github.com/o", "steps": 2})
        report.steps += [rules.Step(f"step{i}", "", 1.25, f, {"runners": 3}) for i, f in enumerate(failures)]
        return report

    def test_a_run_has_passed_with_all_its_steps_and_nothing_left(self):
        for failures, left, passed in ((("", ""), [], True), (("",), [], False), ((), [], False), (("", "x"), [], False), (("", ""), ["the set: x"], False)):
            report = self.report(*failures)
            report.not_cleaned += left
            self.assertEqual(report.passed(), passed, (failures, left))

    def test_the_page_names_the_step_that_failed_without_secrets(self):
        report = self.report("", f"refused | {TOKEN}")
        report.not_cleaned.append("the set: held")
        report.write()
        page = (report.folder / "report.md").read_text()
        for line in ("**failed**", "| 1 step0 | passed | 1.2 | runners 3 |", "| 2 step1 | failed | 1.2 | refused \\| *** |", "- the set: held"):
            self.assertIn(line, page)
        self.assertEqual(json.loads((report.folder / "report.json").read_text())["run"][1]["failure"], "refused | ***")


class Bounds(unittest.TestCase):
    def test_each_step_has_a_deadline(self):
        steps = real_service_run.Run.steps(type("Any", (), {"__getattr__": lambda self, name: None})())
        self.assertEqual([*steps, "clean-up"], list(real_service_run.DEADLINES))

    def test_the_jobs_that_it_asks_for_are_in_the_workflow(self):
        text = (HERE.parent / ".github/workflows" / real_service_run.WORKFLOW).read_text()
        self.assertEqual(re.findall(r"'(\d+)'", re.search(r"options: \[(.*)\]", text).group(1)), ["1", str(real_service_run.LONG), str(real_service_run.JOBS)])
        matrix = json.loads(re.search(r"fromJSON\('(.*?)'\)", text).group(1))
        self.assertEqual({int(k): len(v) for k, v in matrix.items()}, {1: 1, 3: 3, 10: 10})
        self.assertEqual(re.findall(r"^      ([\w-]+):$", text, re.M)[:4], ["runs-on", "count", "seconds", "title"])


FAKE = '''#!/usr/bin/env python3
import json, os, pathlib, sys
folder, words = pathlib.Path(__file__).parent, sys.argv[1:]
line = " ".join([pathlib.Path(sys.argv[0]).name, *words])
with open(folder / "log", "a") as log:
    log.write(line + "\\n")
if "REAL_SERVICE_TOKEN" in os.environ:
    sys.exit("a child has the credentials")
if words[:3] == ["create", "-f", "-"]:
    (folder / "secret").write_text(sys.stdin.read())
refused = (folder / "refuse").read_text() if (folder / "refuse").exists() else None
if refused and refused in line:
    sys.exit("refused: " + refused)
set = {"metadata": {"name": "s"}, "status": {"conditions": [{"type": "Ready", "status": "True"}]}}
if words[0] == "list":
    print("\\n".join(l.split()[3] for l in (folder / "log").read_text().splitlines() if l.startswith("helm upgrade") and words[2] in l))
elif words[0] == "version":
    print(json.dumps({"serverVersion": {"gitVersion": "v1.33.0"}}))
elif words[:2] == ["get", "autoscalingrunnersets.runnerset.dev"]:
    print(json.dumps(set))
elif words[-2:] == ["-o", "json"]:
    print(json.dumps({"items": []}))
'''


class Service(http.server.BaseHTTPRequestHandler):
    """One run that stays queued until it is cancelled, and one runner until it is deleted."""

    def do_any(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0)) if self.command == "GET" else self.change()
        server = self.server
        if self.command == "GET":
            self.reply(200, {"workflow_runs": server.runs, "jobs": server.jobs, "runners": server.runners})

    def change(self):
        server, body = self.server, json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        server.changes.append(f"{self.command} {self.path}")
        if self.path.endswith("/dispatches"):
            server.runs = [{"id": 5, "display_title": body["inputs"]["title"], "status": "queued", "conclusion": None}]
            server.runners = [{"id": 9, "name": body["inputs"]["runs-on"] + "-abc"}, {"id": 10, "name": "of-somebody"}]
            self.reply(204, None)
        elif self.path.endswith("/cancel"):
            server.runs[0].update(status="completed", conclusion="cancelled")
            self.reply(202, {})
        else:
            server.runners = [r for r in server.runners if not self.path.endswith(f"/{r['id']}")]
            self.reply(204, None)

    def reply(self, status, body):
        self.send_response(status)
        text = b"" if body is None else json.dumps(body).encode()
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_DELETE = do_any

    def log_message(self, *_):
        pass


class Ends(unittest.TestCase):
    """The whole script, with a kubectl and a helm that do nothing: however it ends, all is undone."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in ("kubectl", "helm"):
            (self.folder / name).write_text(FAKE)
            (self.folder / name).chmod(0o755)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
        self.server.runs, self.server.runners, self.server.jobs, self.server.changes = [], [], [], []
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def start(self, *more):
        address = f"http://127.0.0.1:{self.server.server_port}"
        command = [SCRIPT, "here", "--url", f"{address}/o", "--repository", "o/r", "--api", address, "--every", "0.05", "--out", self.folder / "out", *more]
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "REAL_SERVICE_TOKEN": TOKEN}
        process = subprocess.Popen(list(map(str, command)), env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(process.kill)
        return process

    def ended(self, process):
        printed = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, 1, printed)
        files = {file.name: file.read_text() for file in (self.folder / "out").iterdir()}
        for name, text in [*files.items(), ("output", printed), ("log", self.log())]:
            self.assertNotIn(TOKEN, text, name)
        return json.loads(files["report.json"]), files

    def log(self):
        return (self.folder / "log").read_text()

    def undone(self):
        name = re.search(r"create namespace (real-\w+)-set", self.log()).group(1)
        self.assertEqual([c for c in self.server.changes if "dispatches" not in c], ["POST /repos/o/r/actions/runs/5/cancel", "DELETE /orgs/o/actions/runners/9"])
        for line in (
            f"kubectl delete autoscalingrunnersets.runnerset.dev --all -n {name}-set", f"helm uninstall {name} -n {name}-set",
            f"helm uninstall runnerset -n {name}-system", f"kubectl delete namespace {name}-set {name}-listener {name}-system",
        ):
            self.assertIn(line, self.log())

    def test_after_a_step_that_failed(self):
        report, files = self.ended(self.start("--deadline", "jobs=1"))
        self.assertEqual([(s["name"], s["failure"][:40]) for s in report["run"]], [("install", ""), ("jobs", "not within 1 s: 10 jobs succeed; 0 of 10")])
        self.assertEqual((report["not_cleaned"], report["kubernetes"]), ([], "v1.33.0"))
        self.assertLessEqual({"objects.yaml", "pods.yaml", "events.txt", "controller.log", "listener.log"}, set(files))
        self.undone()
        self.assertIn(TOKEN, (self.folder / "secret").read_text())

    def test_after_a_signal(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number):
                self.server.changes.clear()
                (self.folder / "log").write_text("")
                process = self.start()
                end = time.monotonic() + 30
                while not self.server.changes and time.monotonic() < end:
                    time.sleep(0.05)
                process.send_signal(number)
                report, _ = self.ended(process)
                self.assertEqual(report["run"][-1]["failure"], f"the run was stopped: {number.name}")
                self.undone()

    def test_what_is_not_undone_is_said_and_the_rest_is_undone(self):
        (self.folder / "refuse").write_text("uninstall runnerset")
        report, _ = self.ended(self.start("--deadline", "jobs=1"))
        self.assertEqual(len(report["not_cleaned"]), 1)
        self.assertTrue(report["not_cleaned"][0].startswith("the system: helm uninstall runnerset: refused"), report["not_cleaned"])
        self.undone()

    def test_a_cluster_that_has_runnerset_is_left_alone(self):
        (self.folder / "kubectl").write_text(FAKE + '\nif words[:2] == ["get", "crds"]:\n    print("customresourcedefinition.apiextensions.k8s.io/ephemeralrunners.runnerset.dev")\n')
        report, _ = self.ended(self.start())
        self.assertIn("has runnerset already", report["run"][0]["failure"])
        self.assertNotIn("delete", self.log())
        self.assertEqual(self.server.changes, [])

    def test_what_cannot_begin_is_one_line(self):
        for environment, words, why in (
            ({}, ["--url", "https://github.com/o", "--repository", "o/r"], "credentials are either"),
            ({"REAL_SERVICE_TOKEN": TOKEN, "REAL_SERVICE_APP_ID": "1"}, ["--url", "https://github.com/o", "--repository", "o/r"], "credentials are either"),
            ({"REAL_SERVICE_APP_KEY_FILE": "/none"}, ["--url", "https://github.com/o", "--repository", "o/r"], "the key of the App cannot be read"),
            ({}, ["--url", "https://github.com/enterprises/e", "--repository", "o/r"], "no URL of an organization or a repository"),
            ({}, ["--url", "https://github.com/o", "--repository", "o"], "no repository OWNER/NAME"),
        ):
            clean = {k: v for k, v in os.environ.items() if not k.startswith("REAL_SERVICE_")}
            done = subprocess.run([SCRIPT, "here", *words], text=True, capture_output=True, env={**clean, **environment})
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
            self.assertIn(why, done.stderr)


if __name__ == "__main__":
    unittest.main()
