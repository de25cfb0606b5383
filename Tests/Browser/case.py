"""The base of all browser tests: a browser, a server, a signed-in page.

A test fails on any error in a page's console, except network responses; errors that a test provokes
are listed in `allowed`.
"""

import os
import shutil
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from chromium import PATIENCE, Chromium, find  # noqa: E402
from servers import AssayServer, StandInServer  # noqa: E402

INSTALL = "no chromium is installed: Scripts/test_browser --install"


class BrowserCase(unittest.TestCase):
    """One browser per class, one server and fresh storage per test."""

    task = "mask"

    @classmethod
    def setUpClass(cls):
        if find() is None:
            raise unittest.SkipTest(INSTALL)
        cls.browser = Chromium()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def setUp(self):
        self.allowed = ()
        self.pages = []
        self.server = self.begin()
        self.addCleanup(self.end)
        self.context = self.browser.context()

    def begin(self):
        return StandInServer(self.task)

    def end(self):
        self.server.close()
        folder = getattr(self.server, "folder", None)
        if folder:
            shutil.rmtree(folder, ignore_errors=True)

    def tearDown(self):
        problems = [p for page in self.pages for p in page.problems
                    if not any(allowed in p for allowed in self.allowed)]
        for page in self.pages:
            page.close()
        self.assertEqual(problems, [], "errors in the page's console")

    def open(self, author="anna", context=None, url=None, size=None, ready=True, number=None):
        """Opens a signed-in page with a sample: the one with a number in the queue, from 1."""
        page = self.browser.page(url or self.server.link(author), context or self.context, size)
        self.pages.append(page)
        if ready:
            self.ready(page)
        if number is not None:
            page.click(".entry[data-position='%d']" % (number - 1))
            self.ready(page, number)
        return page

    def ask(self, path):
        """An expression for the server's response to a GET of the page."""
        return "import('/app/api.js').then(api => api.request(%s)).then(one => one.answer)" % path

    def ready(self, page, number=None):
        """Waits until a sample is open: the one with a number in the queue, from 1."""
        page.until("document.title", wanted=lambda title: title.startswith(
            "%d of " % number) if number else " of " in title)

    def saved(self, page, entry=None):
        """Waits until the state line shows a save (with an entry's number); returns its text."""
        return page.until("document.querySelector('#state .text')?.innerText", wanted=lambda says:
                          (says or "").startswith("saved ")
                          and (entry is None or says.endswith("entry %d" % entry)))

    def state(self, page):
        return page.text("#state")

    def says(self, page, words, patience=PATIENCE):
        """Waits until the state line shows a text and what it says is in the browser's storage."""
        line = page.until("(line => [line.innerText, line.ariaBusy])(document.querySelector('#state'))", patience,
                          wanted=lambda line: words in line[0] and line[1] != "true")
        return line[0]

    def kinds(self):
        """The kinds of the stored entries."""
        return [entry["kind"] for entry in self.server.entries()]


class ProgramCase(BrowserCase):
    """Tests with the program's own server."""

    @classmethod
    def setUpClass(cls):
        if not os.environ.get("ASSAY_PROGRAM"):
            raise unittest.SkipTest("no program: $ASSAY_PROGRAM (make build)")
        super().setUpClass()

    def begin(self):
        return AssayServer(self.task)

    def sample(self, page):
        """The server's current ground truth of the open sample."""
        return page.evaluate("""import('/app/api.js').then((api) => api.fetchSample(
            document.querySelector('.entry[aria-current]').dataset.sample))""")


def main():
    unittest.main(verbosity=2)
