"""GitHub's REST API as .ci/real-service calls it: with a token, or as a GitHub App. The simulated service answers the same calls."""

import base64
import contextlib
import dataclasses
import datetime
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

CALL_SECONDS = 30
TRIES = 5
# GitHub asks for a pause in seconds; a longer one than this ends the call
MAX_PAUSE = 120
TOKEN_REST = datetime.timedelta(minutes=5)
# keys, tokens of GitHub, JWTs, and JIT configurations, which are JSON in base64
SECRET = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r"|\b(?:gh[a-z]_|github_pat_)\w{10,}|\bey[AIJ][\w+/=-]{16,}(?:\.[\w+/=-]+)*|(?<=Bearer )[^\s\"]+", re.S)


class RestError(Exception):
    """A call that was refused, or got no answer; one line."""

    def __init__(self, line, status=0):
        super().__init__(line)
        self.status = status


class Secrets:
    """What no report may have."""

    def __init__(self):
        self.values = set()

    def add(self, value):
        """Also in base64, as the cluster keeps it."""
        if value and len(value) >= 6:
            self.values |= {value, value.strip(), base64.b64encode(value.encode()).decode()}
        return value

    def cleaned(self, text):
        for value in sorted(self.values, key=len, reverse=True):
            text = text.replace(value, "***")
        return SECRET.sub("***", text)


def scope_of(config_url):
    """Where the runners of a config URL are in the API: orgs/ORG or repos/OWNER/NAME; none for an enterprise, which no App can serve."""
    path = urllib.parse.urlsplit(config_url)
    parts = [part for part in path.path.split("/") if part]
    if path.scheme not in ("http", "https") or not path.netloc or not 1 <= len(parts) <= 2 or parts[0] == "enterprises":
        return None
    return ("orgs/" if len(parts) == 1 else "repos/") + "/".join(parts)


def time_of(text):
    """The instant of an answer; parts of a second may be there."""
    return datetime.datetime.fromisoformat(re.sub(r"(\.\d{6})\d*", r"\1", text).replace("Z", "+00:00"))


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclasses.dataclass(frozen=True)
class App:
    """A GitHub App: its client id or number, its installation, and its RSA key in PEM."""

    issuer: str
    installation: str
    key: str

    def claims(self, now):
        """60 s back, since clocks differ; GitHub takes at most 10 minutes."""
        return {"iat": int(now) - 60, "exp": int(now) + 480, "iss": self.issuer}

    def jwt(self, now):
        parts = ({"alg": "RS256", "typ": "JWT"}, self.claims(now))
        text = ".".join(base64url(json.dumps(part).encode()) for part in parts)
        with key_file(self.key) as file:
            signed = subprocess.run(["openssl", "dgst", "-sha256", "-sign", file], input=text.encode(), capture_output=True)
        if signed.returncode != 0:
            raise RestError("the key of the App cannot sign: it is no RSA key in PEM")
        return f"{text}.{base64url(signed.stdout)}"


@contextlib.contextmanager
def key_file(key):
    """The key in a file that only this user can read; openssl takes it from nowhere else."""
    with tempfile.TemporaryDirectory(prefix="key-") as folder:
        path = pathlib.Path(folder, "key.pem")
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(key)
        yield str(path)


def pause_of(status, headers, now):
    """Seconds to wait before a call is sent again; none if that cannot help."""
    if status in (403, 429):
        if headers.get("Retry-After", "").isdigit():
            return int(headers["Retry-After"])
        if headers.get("X-RateLimit-Remaining") == "0" and headers.get("X-RateLimit-Reset", "").isdigit():
            return max(1, int(headers["X-RateLimit-Reset"]) - int(now) + 1)
        return None
    return 3 if status >= 500 else None


class Rest:
    """The API at an address, as one caller. Tokens of an App are made and renewed here."""

    def __init__(self, api, secrets, token=None, app=None, clock=time.time, pause=time.sleep):
        self.api, self.secrets, self.app = api.rstrip("/"), secrets, app
        self.clock, self.pause = clock, pause
        self.token, self.until = secrets.add(token), None

    def authorization(self):
        now = datetime.datetime.fromtimestamp(self.clock(), datetime.timezone.utc)
        if self.app and (self.until is None or now > self.until - TOKEN_REST):
            path = f"/app/installations/{self.app.installation}/access_tokens"
            answer = self.send("POST", path, None, f"Bearer {self.app.jwt(self.clock())}")[1]
            self.token, self.until = self.secrets.add(answer["token"]), time_of(answer["expires_at"])
        return f"Bearer {self.token}"

    def call(self, method, path, body=None):
        """The answer as JSON, none without a body. RestError if it is refused."""
        return self.send(method, path, body, self.authorization())[1]

    def list(self, path, field, **query):
        """All elements of a list, over its pages."""
        found, page = [], 1
        while True:
            asked = urllib.parse.urlencode({**query, "per_page": 100, "page": page})
            answer = self.call("GET", f"{path}?{asked}")
            found += answer[field]
            if len(answer[field]) < 100:
                return found
            page += 1

    def send(self, method, path, body, authorization):
        for left in reversed(range(TRIES)):
            status, headers, text = self.once(method, path, body, authorization)
            if status // 100 == 2:
                return headers, json.loads(text) if text else None
            # what changes something is not sent again unless it was refused for a limit
            repeat = status in (403, 429) or method == "GET"
            pause = (3 if status == 0 else pause_of(status, headers, self.clock())) if repeat else None
            if not left or pause is None or pause > MAX_PAUSE:
                break
            self.pause(pause)
        what = f"{method} {path.split('?')[0]}"
        if status == 0:
            raise RestError(f"{what} got no answer: {text}")
        raise RestError(self.secrets.cleaned(f"{what} answered {status}: {message_of(text)}"), status)

    def once(self, method, path, body, authorization):
        request = urllib.request.Request(self.api + path, method=method, data=None if body is None else json.dumps(body).encode(), headers={
            "Authorization": authorization, "Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28",
            "User-Agent": "runnerset-real-service", **({} if body is None else {"Content-Type": "application/json"}),
        })
        try:
            with urllib.request.urlopen(request, timeout=CALL_SECONDS) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as e:
            return e.code, e.headers, e.read()
        except OSError as e:
            return 0, {}, str(e)


def message_of(text):
    try:
        return str(json.loads(text)["message"]).splitlines()[0][:200]
    except (ValueError, KeyError, TypeError, IndexError):
        return "no message"
