"""What the tests of .ci/publish share: small images, and a registry on loopback behind a proxy that can refuse."""

import gzip
import hashlib
import http.client
import http.server
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import re
import subprocess
import tarfile
import tempfile
import threading
import unittest

SCRIPT = pathlib.Path(__file__).with_name("publish")
ROOT = SCRIPT.parent.parent
loader = importlib.machinery.SourceFileLoader("rehearse", str(pathlib.Path(__file__).with_name("rehearse-release")))
rehearse = importlib.util.module_from_spec(importlib.util.spec_from_loader("rehearse", loader))
loader.exec_module(rehearse)
publish = rehearse.script("publish")
homes, parts = publish.homes, publish.parts
REPOSITORY = rehearse.REPOSITORY
PASSWORD = rehearse.PASSWORD


def tree_version():
    return re.search(r"<artifactId>runnerset</artifactId>\s*<version>([^<]+)<", (ROOT / "pom.xml").read_text()).group(1)


def tar(files):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
    return data.getvalue()


def archive(folder, program, version, architecture, content=b"a", of=None, **labels):
    """A small image as `docker save` writes it, with its list of parts."""
    layer = tar({"program": content})
    config = {
        "architecture": of or architecture, "os": "linux", "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
        "config": {"Labels": {
            publish.LABEL + "version": version, publish.LABEL + "revision": publish.revision_of(ROOT), publish.LABEL + "source": REPOSITORY,
            "dev.runnerset.packages": "pinned", **labels,
        }},
    }
    config = json.dumps(config).encode()
    manifest = [{"Config": "config.json", "RepoTags": [f"runnerset/{program}:{version}"], "Layers": ["layer.tar.gz"]}]
    name = f"runnerset-{program}-{version}-{architecture}"
    (folder / f"{name}.tar").write_bytes(tar({"manifest.json": json.dumps(manifest).encode(), "config.json": config, "layer.tar.gz": gzip.compress(layer, mtime=0)}))
    (folder / f"{name}.cdx.json").write_text(json.dumps({"bomFormat": "CycloneDX", "specVersion": "1.6", "components": []}))


class Proxy(http.server.BaseHTTPRequestHandler):
    """Stands before the registry and refuses what the test wants."""

    protocol_version = "HTTP/1.1"

    def do_any(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.asked.append((self.command, self.path))
        if self.server.refuse(self.command, self.path):
            answer = b'{"errors":[{"code":"DENIED","message":"the quota is used up"}]}'
            self.reply(403, {"Content-Type": "application/json"}, answer)
            return
        inner = http.client.HTTPConnection("localhost", self.server.registry, timeout=20)
        inner.request(self.command, self.path, body, {k: v for k, v in self.headers.items() if k.lower() not in ("connection",)})
        answer = inner.getresponse()
        headers = {k: v for k, v in answer.getheaders() if k.lower() not in ("transfer-encoding", "connection")}
        self.reply(answer.status, self.server.change(self.command, self.path, headers), answer.read())
        inner.close()

    def reply(self, status, headers, body):
        self.send_response(status)
        head = self.command == "HEAD"
        for key, value in headers.items():
            if head or key.lower() != "content-length":
                self.send_header(key, value)
        if not head:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if not head:
            self.wfile.write(body)

    do_GET = do_HEAD = do_PUT = do_POST = do_PATCH = do_DELETE = do_any

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """A client that hangs up is no fault."""


class Loopback(unittest.TestCase):
    """A registry of its own for each test, behind a proxy that can refuse."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        registry, self.crane = parts.tools("registry", "crane")
        self.registry = rehearse.Registry(registry)
        self.addCleanup(self.stop)
        self.proxy = Server(("127.0.0.1", 0), Proxy)
        self.proxy.registry, self.proxy.asked = self.registry.port, []
        self.proxy.refuse, self.proxy.change = lambda *_: False, lambda method, path, headers: headers
        threading.Thread(target=self.proxy.serve_forever, daemon=True).start()
        self.host = f"127.0.0.1:{self.proxy.server_port}/owner"
        self.home = self.folder / "home.properties"
        self.home.write_text(f"repository={REPOSITORY}\nregistry={self.host}\n")
        self.archives = self.folder / "archives"
        self.archives.mkdir()
        self.version = tree_version()

    def stop(self):
        self.proxy.shutdown()
        self.proxy.server_close()
        self.registry.stop()

    def images(self, **changes):
        for program in parts.PROGRAMS:
            for architecture in publish.ARCHITECTURES:
                archive(self.archives, program, self.version, architecture, **changes)

    def names(self):
        """What a user can pull by a name of this version."""
        done = subprocess.run([self.crane, "catalog", self.host.split("/")[0]], text=True, capture_output=True)
        found = []
        for repository in done.stdout.split():
            tags = subprocess.run([self.crane, "ls", f"{self.host.split('/')[0]}/{repository}"], text=True, capture_output=True).stdout.split()
            found += [f"{repository}:{tag}" for tag in tags if tag == self.version]
        return sorted(found)

    def pushed(self):
        return [path for method, path in self.proxy.asked if method in ("PUT", "POST", "PATCH")]

    def publish(self, *more):
        """The exit code, what was printed, and what was reported."""
        command = [SCRIPT, "release", f"v{self.version}", "--home", self.home, "--archives", self.archives, "--out", self.folder / "out", *more]
        done = subprocess.run(list(map(str, command)), text=True, capture_output=True, env=PASSWORD)
        return done.returncode, done.stdout, done.stderr

    def refused(self, why, *more):
        code, _, said = self.publish(*more)
        self.assertEqual((code, said.count("\n")), (2, 1), said)
        self.assertIn(why, said)
