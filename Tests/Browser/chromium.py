"""Chromium without a window, driven over its DevTools protocol through two pipes.

Only the standard library: `--remote-debugging-pipe` reads JSON messages terminated by a zero byte from
file descriptor 3 and responds on 4, so that no web socket is needed.
"""

import base64
import fcntl
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time

# The time limit of a test for expected events, in seconds, after which it fails instead of hanging forever: no test
# measures with it, and no machine is too slow for it. $ASSAY_PATIENCE sets another limit, for fixing a test.
PATIENCE = int(os.environ.get("ASSAY_PATIENCE", 600))

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class BrowserError(Exception):
    """The browser did not do what was requested."""


def find():
    """The path of an installed browser, or None. $ASSAY_BROWSER comes first."""
    named = os.environ.get("ASSAY_BROWSER")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


class Chromium:
    """One browser with its own profile; `close` ends it normally, `kill` like a crash."""

    def __init__(self, profile=None, width=1280, height=800, flags=()):
        path = find()
        if path is None:
            raise BrowserError("no chromium is installed")
        self.own_profile = profile is None
        self.profile = profile or tempfile.mkdtemp(prefix="assay-browser-")
        to_read, self.out = (self.high(end) for end in os.pipe())
        self.into, to_write = (self.high(end) for end in os.pipe())

        def place():
            os.dup2(to_read, 3)
            os.dup2(to_write, 4)

        self.process = subprocess.Popen(
            [path, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
             "--no-first-run", "--disable-background-networking", "--disable-sync",
             "--disable-extensions", "--disable-component-update", "--mute-audio",
             "--disable-features=Translate,OptimizationHints,MediaRouter,SpareRendererForSitePerProcess,"
             "WebUIOmniboxPopup,WebUIOmniboxAimPopup",
             *flags, "--user-data-dir=" + self.profile, "--window-size=%d,%d" % (width, height),
             "about:blank"],
            preexec_fn=place, pass_fds=(3, 4), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(to_read)
        os.close(to_write)
        self.size, self.in_front = (width, height), None
        self.count, self.answers, self.pages = 0, {}, {}
        self.turn, self.writing, self.ended = threading.Condition(), threading.Lock(), False
        threading.Thread(target=self.listen, daemon=True).start()
        self.send("Browser.getVersion")

    @staticmethod
    def high(descriptor):
        """A copy of the descriptor far above 3 and 4, which the child's own use."""
        copy = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 20)
        os.close(descriptor)
        return copy

    def listen(self):
        waiting = b""
        while True:
            try:
                some = os.read(self.into, 1 << 16)
            except OSError:
                some = b""
            if not some:
                with self.turn:
                    self.ended = True
                    self.turn.notify_all()
                return
            waiting += some
            *whole, waiting = waiting.split(b"\0")
            for text in whole:
                self.take(json.loads(text))

    def take(self, message):
        with self.turn:
            if "id" in message:
                self.answers[message["id"]] = message
            else:
                page = self.pages.get(message.get("sessionId"))
                if page is not None:
                    page.heard(message["method"], message.get("params", {}))
            self.turn.notify_all()

    def post(self, method, session=None, **parameters):
        """Sends a command; returns its number."""
        with self.writing:
            self.count += 1
            message = {"id": self.count, "method": method, "params": parameters}
            if session:
                message["sessionId"] = session
            view = memoryview(json.dumps(message).encode() + b"\0")
            while view:
                view = view[os.write(self.out, view):]
            return message["id"]

    def send(self, method, session=None, patience=PATIENCE, **parameters):
        """Sends a command and waits for its result."""
        number = self.post(method, session, **parameters)
        with self.turn:
            self.turn.wait_for(lambda: number in self.answers or self.ended, patience)
            answer = self.answers.pop(number, None)
        if answer is None:
            raise BrowserError("%s: %s" % (method, "the browser is gone" if self.ended else
                                           "no answer in %d s" % patience))
        if "error" in answer:
            raise BrowserError("%s: %s" % (method, answer["error"].get("message")))
        return answer.get("result", {})

    def context(self):
        """A separate browser context, without the stored data of others."""
        return self.send("Target.createBrowserContext")["browserContextId"]

    def page(self, url="about:blank", context=None, size=None):
        """A new page."""
        # Imported late: page.py needs BrowserError.
        from page import Page
        parameters = {"browserContextId": context} if context else {}
        target = self.send("Target.createTarget", url="about:blank", **parameters)["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, target, session)
        self.pages[session] = self.in_front = page
        page.start(size or self.size)
        if url != "about:blank":
            page.go(url)
        return page

    def kill(self):
        """Kills it like a power failure; the profile is kept."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        for end in (self.out, self.into):
            try:
                os.close(end)
            except OSError:
                pass

    def close(self):
        """Closes it normally, so that its storage is on disk; removes its own profile."""
        try:
            self.post("Browser.close")
            self.process.wait(PATIENCE)
        except (OSError, subprocess.TimeoutExpired):
            pass
        self.kill()
        if self.own_profile:
            for _ in range(20):
                shutil.rmtree(self.profile, ignore_errors=True)
                if not os.path.exists(self.profile):
                    break
                time.sleep(0.1)


def picture(data):
    """The bytes in a screenshot's response."""
    return base64.b64decode(data)
