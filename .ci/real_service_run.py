"""The steps of .ci/real-service, the commands and calls that they are made of, and what undoes them."""

import json
import os
import subprocess
import time
import traceback

import real_service as rules
from github_rest import RestError, scope_of
from real_service import Failed, Step, Stopped

WORKFLOW = "real-service-jobs.yml"
# the lock of a dead runner's job lapses after 10 minutes (docs/protocol.md 3.17)
DEADLINES = {"install": 420, "jobs": 900, "scale-down": 900, "lost-runner": 1500, "deletion": 600, "clean-up": 900}
JOBS, MOST, LONG = 10, 5, 3
COMMAND_SECONDS = 300


class Refused(Exception):
    """Why no run can begin; one line."""


def say(line):
    print("real-service: " + line, flush=True)


class Shell:
    """Commands, with one kubeconfig."""

    def __init__(self, secrets):
        self.secrets, self.environment = secrets, dict(os.environ)
        for name in [n for n in self.environment if n.startswith("REAL_SERVICE_")]:
            del self.environment[name]

    def attempt(self, *command, seconds=COMMAND_SECONDS, stdin=None):
        """Whether it succeeded, and what it printed."""
        try:
            run = subprocess.run(list(map(str, command)), text=True, capture_output=True, timeout=seconds, env=self.environment,
                                 **({"stdin": subprocess.DEVNULL} if stdin is None else {"input": stdin}))
        except FileNotFoundError:
            raise Refused(f"{command[0]} is needed") from None
        except subprocess.TimeoutExpired:
            return False, f"it did not end within {seconds:g} s"
        return run.returncode == 0, run.stdout if run.returncode == 0 else self.secrets.cleaned((run.stderr.strip() or run.stdout.strip())[-2000:])

    def done(self, *command, **more):
        good, printed = self.attempt(*command, **more)
        if not good:
            raise Failed(f"{' '.join(map(str, command[:3]))}: {' '.join(printed.split())}")
        return printed

    def objects(self, *words):
        return json.loads(self.done("kubectl", "get", *words, "-o", "json"))["items"]


class Kind:
    """A cluster of this run."""

    def __init__(self, shell, name, image):
        self.shell, self.name, self.image = shell, name, image

    def make(self, folder, archives):
        self.shell.environment["KUBECONFIG"] = str(folder / "kubeconfig")
        image = ["--image", self.image] if self.image else []
        say("makes a cluster with kind")
        self.shell.done("kind", "create", "cluster", "--name", self.name, "--wait", "180s", *image, seconds=600)
        for archive in archives:
            self.shell.done("kind", "load", "image-archive", archive, "--name", self.name)

    def remove(self):
        self.shell.done("kind", "delete", "cluster", "--name", self.name)


class Run:
    """The steps, and what makes them undone."""

    def __init__(self, options, shell, rest, report, patience, folder):
        self.options, self.shell, self.rest, self.report, self.patience, self.folder = options, shell, rest, report, patience, folder
        self.name = options.name
        self.system, self.listeners, self.team = (f"{self.name}-{part}" for part in ("system", "listener", "set"))
        self.scope = scope_of(options.url)
        self.deadlines = {**DEADLINES, **options.deadline}
        self.dispatched, self.installed = 0, False
        self.begun = time.time()

    # what the steps are made of

    def install(self, release, namespace, chart, values, *more):
        """Installs a chart, or changes what is installed."""
        file = self.folder / f"{release}.json"
        file.write_text(json.dumps(values))
        charts = self.options.charts
        pinned = ["--version", self.options.version] if self.options.version else []
        plain = ["--plain-http"] if charts.startswith("oci://127.0.0.1:") else []
        self.shell.done("helm", "upgrade", "--install", release, f"{charts}/{chart}", "--namespace", namespace, "--values", file, *pinned, *plain,
                        *more, seconds=self.deadlines["install"] + 30)

    def size(self, least):
        """Installs the set with so many idle runners at least, or changes that."""
        group = {"runnerGroup": self.options.group} if self.options.group else {}
        self.install(self.name, self.team, "runnerset-set", {
            "githubConfigUrl": self.options.url, "githubConfigSecret": "github", "minRunners": least, "maxRunners": MOST, **group,
            "controllerServiceAccount": {"namespace": self.system},
        })

    def set(self):
        return json.loads(self.shell.done("kubectl", "get", "autoscalingrunnersets.runnerset.dev", self.name, "-n", self.team, "-o", "json"))

    def registered(self):
        """The runners of this run that the service has, by name."""
        found = self.rest.list(f"/{self.scope}/actions/runners", "runners")
        return {r["name"]: r["id"] for r in found if r["name"].startswith(self.name + "-")}

    def records(self):
        return {r["metadata"]["name"] for r in self.shell.objects("ephemeralrunners.runnerset.dev", "-n", self.team)}

    def dispatch(self, what, count, seconds):
        """Starts a run of jobs; its number."""
        title = f"{self.name} {what}"
        inputs = {"runs-on": self.name, "count": str(count), "seconds": str(seconds), "title": title}
        self.dispatched += 1
        self.rest.call("POST", f"{self.actions()}/workflows/{WORKFLOW}/dispatches", {"ref": self.options.ref, "inputs": inputs})
        return self.patience.until(f"the run '{title}' is listed", 120, lambda: rules.run_of(self.runs(), title))["id"]

    def actions(self):
        return f"/repos/{self.options.repository}/actions"

    def runs(self):
        """All that was dispatched since this began; clocks may differ by 10 minutes."""
        since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.begun - 600))
        return self.rest.list(f"{self.actions()}/runs", "workflow_runs", event="workflow_dispatch", created=f">={since}")

    def jobs(self, run):
        return self.rest.list(f"{self.actions()}/runs/{run}/jobs", "jobs", filter="latest")

    def succeed(self, run, count, seconds):
        """The jobs of a run once all have succeeded."""
        seen = []

        def over():
            seen[:] = self.jobs(run)
            return rules.all_succeeded(seen, count)

        def otherwise():
            ended = sum(j["status"] == "completed" for j in seen)
            return f"{ended} of {count} jobs have ended; {rules.said(self.set())}"

        self.patience.until(f"{count} jobs succeed", seconds, over, otherwise)
        return list(seen)

    # the steps

    def step_install(self, seen):
        for crd in self.shell.done("kubectl", "get", "crds", "-o", "name").split():
            if crd.endswith("." + rules.GROUP):
                raise Failed("the cluster has runnerset already: a run needs one without, and removes what it installs")
        self.installed = True
        values = {"listener": {"namespace": self.listeners}, "crds": {"keep": False}, "allowedHosts": self.options.allowed_host}
        self.install("runnerset", self.make_namespace(self.system), "runnerset", values, "--wait", "--timeout", f"{self.deadlines['install']}s")
        self.make_namespace(self.team)
        secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "github", "namespace": self.team}, "stringData": self.options.credentials}
        self.shell.done("kubectl", "create", "-f", "-", stdin=json.dumps(secret))
        self.size(0)
        self.patience.until("the set is ready", self.deadlines["install"], lambda: rules.is_ready(self.set()), lambda: rules.said(self.set()))
        seen["set"] = self.name

    def make_namespace(self, name):
        self.shell.done("kubectl", "create", "namespace", name)
        return name

    def step_jobs(self, seen):
        run = self.dispatch("ten jobs", JOBS, self.options.short_job)
        jobs = self.succeed(run, JOBS, self.deadlines["jobs"])
        seen.update(jobs=len(jobs), runners=len({j["runner_name"] for j in jobs}), **{f"wait_{k}": v for k, v in rules.waited(jobs).items()})

    def step_scale_down(self, seen):
        end = self.deadlines["scale-down"]
        self.size(MOST)
        run = self.dispatch("scale-down", LONG, self.options.long_job)
        busy = self.patience.until(f"{LONG} jobs run", end, lambda: rules.busy_runners(self.jobs(run), LONG), lambda: rules.said(self.set()))
        idle = self.patience.until(f"{MOST} runners are registered", end, lambda: rules.surplus(set(self.registered()), busy, MOST))
        began = time.monotonic()
        self.size(0)
        self.patience.until("the idle runners are gone", end, lambda: not (idle & set(self.registered()) or idle & self.records()))
        seen.update(idle_runners=len(idle), gone_after_seconds=round(time.monotonic() - began, 1))
        # had the jobs ended before, no runner would have been chosen among busy ones
        if rules.busy_runners(self.jobs(run), LONG) != busy:
            raise Failed("a job ended before the idle runners were gone: --long-job is too short to show anything")
        jobs = self.succeed(run, LONG, self.options.long_job + end)
        seen["jobs_succeeded"] = len(jobs)

    def step_lost_runner(self, seen):
        end = self.deadlines["lost-runner"]
        run = self.dispatch("lost runner", 1, self.options.long_job)
        runner, = self.patience.until("the job runs", end, lambda: rules.busy_runners(self.jobs(run), 1), lambda: rules.said(self.set()))
        # the mark comes with a message: without it the set knows of no job
        record = ("kubectl", "get", "ephemeralrunners.runnerset.dev", runner, "-n", self.team, "-o", "json")
        self.patience.until("the runner is marked", 60, lambda: json.loads(self.shell.done(*record)).get("status", {}).get("jobId"))
        began = time.monotonic()
        self.shell.done("kubectl", "annotate", "pod", runner, "-n", self.team, "runnerset.dev/force-delete=true")
        self.shell.done("kubectl", "delete", "pod", runner, "-n", self.team, "--grace-period=0", "--force", "--wait=false")
        reported = self.patience.until("the set reports the lost job", end, lambda: self.reported(runner))
        seen.update(reported_after_seconds=round(time.monotonic() - began, 1), **reported)
        ended = self.patience.until("the service ends the lost job", end, lambda: self.ended(run))
        seen.update(ended_as=ended["conclusion"], ended_after_seconds=round(time.monotonic() - began, 1))
        self.succeed(self.dispatch("the next job", 1, self.options.short_job), 1, end)
        seen["next_job"] = "succeeded"

    def reported(self, runner):
        """What the set says of a job that was lost: the event, or how the runner said in its last second that the job ended."""
        event = rules.lost_event(self.shell.objects("events", "-n", self.team), self.name, runner)
        if event:
            return {"event_JobLost": event}
        results = [rules.unfinished(r) for r in self.shell.objects("ephemeralrunners.runnerset.dev", "-n", self.team) if r["metadata"]["name"] == runner]
        return {"job_result": results[0]} if results and results[0] else None

    def ended(self, run):
        found = self.rest.call("GET", f"{self.actions()}/runs/{run}")
        return found if rules.lost(found) else None

    def step_deletion(self, seen):
        end = self.deadlines["deletion"]
        began = time.monotonic()
        self.shell.done("helm", "uninstall", self.name, "-n", self.team, "--wait", "--timeout", f"{end}s", seconds=end + 30)
        self.patience.until("nothing is left in the namespace of the set", end, lambda: not self.left(), lambda: f"there are {', '.join(self.left())}")
        self.patience.until("no runner is registered", end, lambda: not self.registered(), lambda: f"there are {', '.join(self.registered())}")
        seen["set_gone_after_seconds"] = round(time.monotonic() - began, 1)
        self.shell.done("helm", "uninstall", "runnerset", "-n", self.system, "--wait", "--timeout", f"{end}s", seconds=end + 30)
        seen["left"] = "nothing"

    def left(self):
        ours = [f"{kind}.{rules.GROUP}" for kind in rules.KINDS]
        kinds = ",".join([*ours, "pods", "secrets", "configmaps", "serviceaccounts", "roles", "rolebindings", "poddisruptionbudgets"])
        return rules.left(self.shell.done("kubectl", "get", kinds, "-n", self.team, "-o", "name").split())

    def steps(self):
        return {"install": self.step_install, "jobs": self.step_jobs, "scale-down": self.step_scale_down,
                "lost-runner": self.step_lost_runner, "deletion": self.step_deletion}

    def carry_out(self):
        """Runs step after step up to the first that fails."""
        for name, act in self.steps().items():
            step, began = Step(name, rules.now_text()), time.monotonic()
            self.report.steps.append(step)
            say(f"{name} begins")
            try:
                act(step.seen)
            except (Failed, RestError) as e:
                step.failure = self.rest.secrets.cleaned(str(e))
            except Stopped as e:
                step.failure = f"the run was stopped: {e}"
                raise
            except Exception as e:  # noqa: BLE001 a fault of this script is a failure of the step, and is cleaned up after
                traceback.print_exc()
                step.failure = self.rest.secrets.cleaned(f"{type(e).__name__}: {e}")
            finally:
                step.seconds = round(time.monotonic() - began, 1)
                self.report.write()
            say(f"{name} {'failed: ' + step.failure if step.failure else 'passed'} after {step.seconds} s")
            if step.failure:
                return

    # the end

    def evidence(self):
        """Keeps what explains a failure: logs, our kinds, pods and events. No secrets are read."""
        kinds = ",".join(f"{kind}.{rules.GROUP}" for kind in rules.KINDS)
        for name, command in {
            "objects.yaml": ("kubectl", "get", kinds, "-A", "-o", "yaml"),
            "pods.yaml": ("kubectl", "get", "pods", "-A", "-o", "yaml"),
            "events.txt": ("kubectl", "get", "events", "-A", "--sort-by=.lastTimestamp", "-o", "wide"),
            "controller.log": ("kubectl", "logs", "-n", self.system, "-l", "app.kubernetes.io/component=controller", "--prefix", "--tail=5000"),
            "listener.log": ("kubectl", "logs", "-n", self.listeners, "-l", "app.kubernetes.io/component=listener", "--prefix", "--tail=5000"),
        }.items():
            self.report.keep(name, self.shell.attempt(*command)[1])

    def clean_up(self, cluster):
        """Undoes all that is left of the run; each act whether or not the ones before it succeeded."""
        acts = [("the runs", self.cancel_runs)] if self.dispatched else []
        if self.installed:
            acts += [("the set", self.remove_set), ("the system", self.remove_system)]
            acts += [("the registrations", self.remove_registrations), ("the namespaces", self.remove_namespaces)]
        if cluster:
            acts.append(("the cluster", cluster.remove))
        for what, act in acts:
            try:
                act()
            except (Failed, RestError, Refused) as e:
                self.report.not_cleaned.append(f"{what}: {e}")
            except Exception as e:  # noqa: BLE001 the others are still to be undone
                self.report.not_cleaned.append(f"{what}: {type(e).__name__}: {e}")

    def cancel_runs(self):
        def none_open():
            for run in rules.open_runs(self.runs(), self.name + " "):
                try:
                    self.rest.call("POST", f"{self.actions()}/runs/{run['id']}/cancel")
                except RestError as e:
                    if e.status != 409 and e.status < 500:  # it has ended meanwhile, or the next look tries again
                        raise
            return not rules.open_runs(self.runs(), self.name + " ")

        self.patience.until("all runs have ended", self.deadlines["clean-up"], none_open)

    def releases(self, namespace):
        return self.shell.done("helm", "list", "-n", namespace, "-q", "--all").split()

    def remove_set(self):
        if not self.has_kinds():
            return
        kind = "autoscalingrunnersets.runnerset.dev"
        gone, why = self.shell.attempt("kubectl", "delete", kind, "--all", "-n", self.team, "--timeout", "120s", seconds=150)
        if not gone:
            # its jobs are cancelled: what holds it now is what this run is to show, and no reason to leave it
            self.shell.done("kubectl", "annotate", kind, "--all", "-n", self.team, "runnerset.dev/force-delete=true")
            self.shell.done("kubectl", "delete", kind, "--all", "-n", self.team, "--timeout", "60s")
            say(f"the set was forced: {' '.join(why.split())}")
        if self.name in self.releases(self.team):
            self.shell.done("helm", "uninstall", self.name, "-n", self.team, "--wait", "--timeout", "120s")

    def has_kinds(self):
        return self.shell.attempt("kubectl", "get", f"crd/autoscalingrunnersets.{rules.GROUP}")[0]

    def remove_system(self):
        if "runnerset" in self.releases(self.system):
            self.shell.done("helm", "uninstall", "runnerset", "-n", self.system, "--wait", "--timeout", "120s")

    def remove_registrations(self):
        """A runner that had a job may be registered until the service has ended that."""
        def none_left():
            for number in self.registered().values():
                try:
                    self.rest.call("DELETE", f"/{self.scope}/actions/runners/{number}")
                except RestError as e:
                    if e.status not in (404, 422) and e.status < 500:
                        raise
            return not self.registered()

        self.patience.until("no runner is registered", self.deadlines["clean-up"], none_left)

    def remove_namespaces(self):
        self.shell.done("kubectl", "delete", "namespace", self.team, self.listeners, self.system, "--ignore-not-found", "--timeout", "180s")
