"""One page in the browser: navigate, evaluate, real mouse and keys, screenshots, its console log."""

import json
import os
import time

from chromium import PATIENCE, BrowserError, picture

# $ASSAY_SLOW: the factor by which the page runs slower; each response then takes 25 ms more per unit. It reveals tests
# that press a key before the page is ready for it.
SLOW = int(os.environ.get("ASSAY_SLOW", 1))

# Names of keys that are not characters: (code, number).
KEYS = {"Enter": ("Enter", 13), "Escape": ("Escape", 27), "Tab": ("Tab", 9),
        "Backspace": ("Backspace", 8), "Delete": ("Delete", 46), "Space": ("Space", 32),
        "ArrowLeft": ("ArrowLeft", 37), "ArrowUp": ("ArrowUp", 38),
        "ArrowRight": ("ArrowRight", 39), "ArrowDown": ("ArrowDown", 40),
        "F6": ("F6", 117), "PageUp": ("PageUp", 33), "PageDown": ("PageDown", 34),
        "Home": ("Home", 36), "End": ("End", 35)}
MODIFIERS = {"Alt": 1, "Ctrl": 2, "Meta": 4, "Shift": 8}


class Page:
    """A page. `problems` are the errors in its console, except network responses."""

    def __init__(self, browser, target, session):
        self.browser, self.target, self.session = browser, target, session
        self.problems, self.requests, self.loads, self.dialogs = [], [], 0, []

    def start(self, size):
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(domain + ".enable")
        self.resize(*size)
        if SLOW > 1:
            self.send("Emulation.setCPUThrottlingRate", rate=SLOW)
            self.send("Network.emulateNetworkConditions", offline=False, latency=25 * SLOW,
                      downloadThroughput=-1, uploadThroughput=-1)

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def heard(self, method, event):
        if method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            thrown = details.get("exception", {}).get("description") or details.get("text")
            self.problems.append("exception: %s" % thrown)
        elif method == "Runtime.consoleAPICalled" and event["type"] in ("error", "assert"):
            texts = [str(a.get("value", a.get("description"))) for a in event["args"]]
            self.problems.append("console: " + " ".join(texts))
        elif method == "Log.entryAdded" and event["entry"]["level"] == "error":
            entry = event["entry"]
            if entry["source"] != "network":
                self.problems.append("%s: %s" % (entry["source"], entry["text"]))
        elif method == "Page.loadEventFired":
            self.loads += 1
        elif method == "Network.requestWillBeSent":
            self.requests.append(event["request"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.dialogs.append(event["message"])
            self.browser.post("Page.handleJavaScriptDialog", self.session, accept=True)

    def go(self, url, patience=PATIENCE):
        """Opens an address and waits until the page is loaded."""
        self.load(lambda: self.send("Page.navigate", url=url), patience,
                  same=self.evaluate("location.href.split('#')[0]") == url.split("#")[0])

    def reload(self, patience=PATIENCE):
        self.load(lambda: self.send_when_active("Page.reload", patience), patience)

    def send_when_active(self, method, patience=PATIENCE):
        """Sends what needs an active page; one that is just being navigated is none, and answers so."""
        end = time.monotonic() + patience
        while True:
            try:
                return self.send(method)
            except BrowserError as error:
                if "active page" not in str(error) or time.monotonic() > end:
                    raise
            time.sleep(0.04)

    def load(self, start, patience, same=False):
        before = self.loads
        start()
        if same:
            return
        with self.browser.turn:
            if not self.browser.turn.wait_for(lambda: self.loads > before, patience):
                raise BrowserError("the page did not load in %d s" % patience)

    def evaluate(self, expression):
        """The value of a JavaScript expression; a promise is awaited."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True, userGesture=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError("%s\n  in %s" % (details.get("exception", {}).get(
                "description", details["text"]), expression[:200]))
        return answer["result"].get("value")

    def call(self, function, *arguments):
        """Calls a JavaScript function with values."""
        return self.evaluate("(%s)(%s)" % (function, ", ".join(map(json.dumps, arguments))))

    def until(self, expression, patience=PATIENCE, wanted=None):
        """Waits until an expression is true; returns its value. The error shows its last value."""
        end, value = time.monotonic() + patience, None
        while time.monotonic() < end:
            try:
                value = self.evaluate(expression)
            except BrowserError as error:
                # The answer of a page that is just being left.
                if "navigated" not in str(error):
                    raise
                time.sleep(0.04)
                continue
            if value if wanted is None else wanted(value):
                return value
            time.sleep(0.04)
        raise BrowserError("not in %d s: %s\n  it is: %r\n  the page: %s\n  problems: %s" % (
            patience, expression[:300], value, self.words()[:400], self.problems))

    def words(self):
        """The page's visible text."""
        return self.evaluate("document.body ? document.body.innerText : ''") or ""

    def text(self, selector):
        return self.call("s => document.querySelector(s)?.innerText ?? null", selector)

    def box(self, selector):
        """(x, y, width, height) of an element, which must exist and have a size."""
        box = self.call("""s => { const e = document.querySelector(s); if (!e) return null;
            e.scrollIntoView({block: 'nearest', inline: 'nearest'});
            const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; }""",
                        selector)
        if not box or not box[2] or not box[3]:
            raise BrowserError("nothing to see at %s: %s" % (selector, box))
        return box

    def click(self, selector):
        """A real click at the center of an element."""
        x, y, width, height = self.box(selector)
        self.drag([(x + width / 2, y + height / 2)])

    def front(self):
        """Brings the page to the front: input and painting are slow in a background page."""
        if self.browser.in_front is not self:
            self.send("Page.bringToFront")
            self.browser.in_front = self

    def mouse(self, kind, x, y, **more):
        self.front()
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, points, modifiers=0, button="left"):
        """Presses the button at the first point, moves through all, and releases it."""
        first, last = points[0], points[-1]
        held = {"button": button, "buttons": 1 if button == "left" else 4, "modifiers": modifiers}
        self.mouse("mouseMoved", *first, modifiers=modifiers)
        self.mouse("mousePressed", *first, clickCount=1, **held)
        for point in points[1:]:
            self.mouse("mouseMoved", *point, **held)
        self.mouse("mouseReleased", *last, clickCount=1, button=button, modifiers=modifiers)

    def key(self, name):
        """A real key: "b", "Enter", "Ctrl+Z", "Shift+F", "?"."""
        self.front()
        *held, key = name.split("+") if name != "+" else ["+"]
        bits = sum(MODIFIERS[one] for one in held)
        if len(key) == 1 and key.isalpha():
            key = key.upper() if "Shift" in held else key.lower()
            code, number = "Key" + key.upper(), ord(key.upper())
        elif key.isdigit():
            code, number = "Digit" + key, ord(key)
        else:
            code, number = KEYS.get(key, ("", 0))
        parameters = {"key": " " if key == "Space" else key, "code": code, "modifiers": bits,
                      "windowsVirtualKeyCode": number}
        plain = not bits & ~MODIFIERS["Shift"]
        typed = {"Enter": "\r", "Space": " "}.get(key, key if len(key) == 1 else None)
        if plain and typed:
            parameters["text"] = typed
        self.send("Input.dispatchKeyEvent", type="keyDown" if plain and typed else "rawKeyDown",
                  **parameters)
        parameters.pop("text", None)
        self.send("Input.dispatchKeyEvent", type="keyUp", **parameters)

    def type(self, text):
        self.send("Input.insertText", text=text)

    def resize(self, width, height):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def dark(self, is_dark=True):
        self.send("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}])

    def offline(self, is_offline=True):
        self.send("Network.emulateNetworkConditions", offline=is_offline, latency=0,
                  downloadThroughput=-1, uploadThroughput=-1)

    def shot(self, name):
        """A screenshot into $ASSAY_SCREENSHOTS, if it is set."""
        folder = os.environ.get("ASSAY_SCREENSHOTS")
        self.front()
        data = self.send("Page.captureScreenshot", format="png")["data"]
        if folder:
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, name + ".png"), "wb") as file:
                file.write(picture(data))
        return data

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)
        self.browser.pages.pop(self.session, None)
