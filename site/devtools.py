"""A headless Chromium, driven by the DevTools protocol over its pipe; nothing but the standard library."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile

PATIENCE = 60
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def found():
    """The browser of this machine, or none."""
    return os.environ.get("CHROMIUM") or next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One page of one browser; used as a context."""

    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(prefix="site-")
        to_browser, self.out = os.pipe()
        self.back, from_browser = os.pipe()
        # The protocol has the descriptors 3 and 4.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "-", program, "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run", "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", "about:blank"],
            pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.last, self.rest, self.events, self.requests, self.session = 0, b"", [], [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Network.enable")
        # Each page is one that nobody has seen before: the scheme is what the system asks for.
        self.call("Page.addScriptToEvaluateOnNewDocument", source="try { localStorage.clear() } catch (none) {}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.out)
        self.process.terminate()
        self.process.wait(20)
        os.close(self.back)
        self.profile.cleanup()

    def _next(self):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.back], [], [], PATIENCE)
            more = os.read(self.back, 1 << 20) if ready else b""
            if not more:
                raise RuntimeError("the browser has ended" if ready else f"the browser has not answered for {PATIENCE} s")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def _event(self, message):
        self.events.append(message.get("method"))
        if message.get("method") == "Network.requestWillBeSent":
            self.requests.append(message["params"]["request"]["url"])

    def call(self, method, **arguments):
        self.last += 1
        message = {"id": self.last, "method": method, "params": arguments} | ({"sessionId": self.session} if self.session else {})
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self.last:
            self._event(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def show(self, url, width, height, scheme):
        self._go("about:blank")
        self.requests.clear()
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}])
        self._go(url)
        self.run("document.fonts.ready.then(() => new Promise(done => setTimeout(done, 300)))")

    def _go(self, url):
        self.events.clear()
        self.call("Page.navigate", url=url)
        while "Page.loadEventFired" not in self.events:
            self._event(self._next())

    def run(self, script):
        """The value of a script of the page, of its promise if it is one."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", str(answer["exceptionDetails"])))
        return answer["result"].get("value")

    def picture(self, file, most=2400):
        """A picture of the page, of its first pixels if it is longer than that."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], most), "scale": 1}
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"]))
