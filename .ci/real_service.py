"""What .ci/real-service decides and reports: no call is made here."""

import dataclasses
import datetime
import json
import statistics
import time

from github_rest import time_of

GROUP = "runnerset.dev"
KINDS = ("autoscalingrunnersets", "ephemeralrunnersets", "ephemeralrunners", "autoscalinglisteners")
# what helm, Kubernetes and the run itself keep in the namespace of a set
KEPT = ("configmap/kube-root-ca.crt", "serviceaccount/default", "secret/github")


class Failed(Exception):
    """Why a step failed; one sentence."""


class Stopped(BaseException):
    """The run was asked to end. Nothing but the clean-up catches it."""


# --- what is seen ---------------------------------------------------------------------------------------------------------------


def condition(item, kind):
    """A condition of an object; an empty one if it has none."""
    return next((c for c in item.get("status", {}).get("conditions", []) if c["type"] == kind), {})


def is_ready(item):
    """A condition of before the last change of the spec counts for nothing."""
    found = condition(item, "Ready")
    return found.get("status") == "True" and found.get("observedGeneration", 0) in (0, item["metadata"].get("generation", 0))


def said(item):
    found = condition(item, "Ready")
    return f"Ready is {found.get('status', 'absent')} {found.get('reason', '')}: {found.get('message', '')}".strip(": ")


def run_of(runs, title):
    """The run that a dispatch began: the answer to a dispatch names none, so its title does. None while no list has it."""
    found = [run for run in runs if run.get("display_title") == title]
    if len(found) > 1:
        raise Failed(f"{len(found)} runs have the title {title}")
    return found[0] if found else None


def open_runs(runs, prefix):
    """The runs of titles that begin so and have not ended."""
    return [run for run in runs if str(run.get("display_title")).startswith(prefix) and run["status"] != "completed"]


def all_succeeded(jobs, count, apart=True):
    """Whether so many jobs have ended. Failed at the first that ended otherwise than with success, or if two had one runner."""
    for job in jobs:
        if job["status"] == "completed" and job["conclusion"] != "success":
            raise Failed(f"the job {job['name']} ended as {job['conclusion']}, on the runner {job.get('runner_name') or 'of nobody'}")
    if len(jobs) < count or any(job["status"] != "completed" for job in jobs):
        return False
    runners = {job["runner_name"] for job in jobs}
    if apart and len(runners) != len(jobs):
        raise Failed(f"{len(jobs)} jobs ran on {len(runners)} runners: a runner has one job")
    return True


def lost(run):
    """Whether the run of a lost job has ended as it must; Failed if it ended otherwise."""
    if run["status"] != "completed":
        return False
    if run["conclusion"] not in ("failure", "cancelled"):
        raise Failed(f"the job of the lost runner ended as {run['conclusion']}")
    return True


def busy_runners(jobs, count):
    """The runners of so many jobs that run now; none while fewer do."""
    running = {job["runner_name"] for job in jobs if job["status"] == "in_progress" and job.get("runner_name")}
    return running if len(running) == count else None


def surplus(registered, busy, count):
    """The idle ones of so many registered runners, the busy ones among them; none while it is not so."""
    return registered - busy if len(registered) == count and busy <= registered else None


def lost_event(events, name, runner):
    """The message of the event JobLost on the object of that name that names the runner; none without one."""
    found = [e for e in events if e["reason"] == "JobLost" and e["involvedObject"]["name"] == name and runner in e.get("message", "")]
    return found[0]["message"] if found else None


def unfinished(record):
    """The result of the job of a runner, if it was not success; none without."""
    result = record.get("status", {}).get("jobResult", "")
    return result if result not in ("", "succeeded", "success") else None


def left(names):
    """The objects, as kubectl names them, that a set has left in its namespace."""
    return sorted(n for n in names if n.replace(".rbac.authorization.k8s.io", "") not in KEPT)


def waits(jobs):
    """How long each job waited for a runner, in seconds."""
    return [max(0.0, (time_of(j["started_at"]) - time_of(j["created_at"])).total_seconds()) for j in jobs]


def waited(jobs):
    seconds = waits(jobs)
    return {"p50_seconds": round(statistics.median(seconds), 1), "max_seconds": round(max(seconds), 1)}


# --- time -----------------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Patience:
    """Waits for what is to come, up to a deadline."""

    every: float
    clock: object = time.monotonic
    pause: object = time.sleep

    def until(self, what, seconds, probe, otherwise=lambda: ""):
        """What the probe answers once that is something. Failed after so many seconds, with what it looks like then."""
        end = self.clock() + seconds
        while True:
            found = probe()
            if found:
                return found
            if self.clock() >= end:
                why = otherwise()
                raise Failed(f"not within {seconds:g} s: {what}" + (f"; {why}" if why else ""))
            self.pause(self.every)


# --- the report -----------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Step:
    name: str
    began: str
    seconds: float = 0
    failure: str = ""
    seen: dict = dataclasses.field(default_factory=dict)


class Report:
    """What a run has shown. Written after each step, so that one that is killed has one, too."""

    def __init__(self, folder, secrets, about):
        self.folder, self.secrets, self.about = folder, secrets, about
        self.steps, self.not_cleaned = [], []
        folder.mkdir(parents=True, exist_ok=True)

    def passed(self):
        return bool(self.steps) and not self.not_cleaned and not any(s.failure for s in self.steps) and len(self.steps) == self.about["steps"]

    def json(self):
        return {**self.about, "passed": self.passed(), "run": [dataclasses.asdict(s) for s in self.steps], "not_cleaned": self.not_cleaned}

    def markdown(self):
        about = {k: v for k, v in self.about.items() if k != "steps"}
        lines = [f"# A run against {about['service']}", "", "**passed**" if self.passed() else "**failed**", ""]
        lines += [f"- {key.replace('_', ' ')}: {value}" for key, value in about.items() if value]
        lines += ["", "| step | result | seconds | what was seen |", "|---|---|---|---|"]
        for number, step in enumerate(self.steps, 1):
            seen = "; ".join(f"{key.replace('_', ' ')} {value}" for key, value in step.seen.items())
            lines.append(f"| {number} {step.name} | {'failed' if step.failure else 'passed'} | {step.seconds:.1f} | {cell(step.failure or seen)} |")
        if self.not_cleaned:
            lines += ["", "Not cleaned up:", "", *(f"- {cell(each)}" for each in self.not_cleaned)]
        return "\n".join(lines) + "\n"

    def write(self):
        self.keep("report.json", json.dumps(self.json(), indent=1) + "\n")
        self.keep("report.md", self.markdown())

    def keep(self, name, text):
        """Writes a file of the report, without secrets."""
        (self.folder / name).write_text(self.secrets.cleaned(text))


def cell(text):
    return " ".join(str(text).split()).replace("|", "\\|")


def now_text():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
