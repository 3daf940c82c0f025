"""A browser without a window, driven over a pipe by Chromium's DevTools protocol: to look at Home Assistant's pages and
take pictures of them. Needs the package chromium-headless-shell."""

import base64
import json
import os
import pathlib
import shutil
import subprocess

from . import processes


class Browser:
    """One page in a headless Chromium, of this size in pixels. Use it with `with`."""

    def __init__(self, width, height):
        self.size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._number, self._session, self._rest = 0, None, b""

    def __enter__(self):
        program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        if not program:
            raise RuntimeError("no browser is installed (package chromium-headless-shell)")
        from_us, self._to = os.pipe()
        self._from, to_us = os.pipe()
        # It reads what it is told from descriptor 3, and answers at 4.
        words = [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
                 "--user-data-dir=" + str(processes.temporary_folder("browser"))]
        self._child = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "sh", "-c", f'exec "$@" 3<&{from_us} 4>&{to_us}', "sh", *words],
            pass_fds=(from_us, to_us), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(to_us)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Emulation.setDeviceMetricsOverride", **self.size)
        return self

    def __exit__(self, *_):
        self._child.kill()
        self._child.wait(10)
        os.close(self._to)
        os.close(self._from)

    def call(self, method, **params):
        """One command; its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def _next(self):
        while b"\0" not in self._rest:
            chunk = os.read(self._from, 1 << 16)
            if not chunk:
                raise RuntimeError("the browser has ended")
            self._rest += chunk
        line, self._rest = self._rest.split(b"\0", 1)
        return json.loads(line)

    def go(self, url):
        """Open a page."""
        self.call("Page.navigate", url=url)

    def evaluate(self, script):
        """The value of an expression on the page."""
        return self.call("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def picture(self, path):
        """Take a PNG of what is to be seen."""
        data = self.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
