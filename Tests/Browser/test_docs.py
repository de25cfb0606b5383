"""The documents as a site: every page from disk, also in a narrow window, and the search."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from case import INSTALL, main
from chromium import Chromium, find

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "Scripts", "docs")


def render(script, folder):
    return subprocess.run([sys.executable, script, folder], capture_output=True, text=True)


class Site(unittest.TestCase):
    """The site in a browser; rendered once."""

    @classmethod
    def setUpClass(cls):
        if find() is None:
            raise unittest.SkipTest(INSTALL)
        cls.folder = tempfile.mkdtemp()
        made = render(SCRIPT, cls.folder)
        if made.returncode:
            shutil.rmtree(cls.folder)
            raise AssertionError(made.stderr)
        cls.pages = sorted(name for name in os.listdir(cls.folder) if name.endswith(".html"))
        cls.browser = Chromium()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        shutil.rmtree(cls.folder)

    def open(self, name, size=(1280, 800), dark=False):
        page = self.browser.page(size=size)
        self.addCleanup(page.close)
        page.dark(dark)
        page.go("file://%s/%s" % (self.folder, name))
        return page

    def test_every_page_fits_windows_of_1280_and_390_pixels_and_loads_nothing_from_elsewhere(self):
        self.assertGreater(len(self.pages), 15)
        for size in ((1280, 800), (390, 844)):
            for name in self.pages:
                page = self.open(name, size, dark=size[0] == 390)
                wide = page.evaluate("document.documentElement.scrollWidth")
                self.assertLessEqual(wide, size[0], name)
                self.assertNotIn("\0", page.words())
                missing = page.evaluate("[...document.images].filter(i => !i.naturalWidth).map(i => i.src)")
                self.assertEqual(missing, [], name)
                self.assertEqual([url for url in page.requests if not url.startswith("file:")], [])
                self.assertEqual(page.problems, [], name)
                page.shot("docs-%d-%s" % (size[0], name[:-len(".html")]))

    def test_the_text_has_enough_contrast_in_light_and_dark(self):
        contrast = """() => { const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(v => v / 255)
            .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
          const back = getComputedStyle(document.body).backgroundColor;
          return ['p', 'main a', 'nav h2', 'td', 'nav a'].map(s => {
            const e = document.querySelector(s); const ink = getComputedStyle(e).color;
            const [a, b] = [light(ink), light(back)].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05); }); }"""
        backs = []
        for dark in (False, True):
            page = self.open("index.html", dark=dark)
            self.assertGreater(min(page.call(contrast)), 4.5)
            backs.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        self.assertNotEqual(*backs)

    def test_search_finds_a_section_and_enter_opens_it(self):
        page = self.open("index.html")
        page.key("/")
        page.type("box-units")
        page.until("document.querySelectorAll('#results a').length")
        page.shot("docs-search")
        self.assertIn("Models: Manifest keys", page.text("#results"))
        before = page.loads
        page.key("Enter")
        page.until("location.href", wanted=lambda url: "models.html#" in url)
        page.until("document.readyState", wanted=lambda state: state == "complete")
        self.assertGreaterEqual(page.loads, before)
        self.assertIn("box-units", page.words())

    def test_search_takes_what_is_typed_as_text(self):
        page = self.open("index.html")
        page.key("/")
        page.type("<img src=x>")
        page.until("document.querySelector('#results .none')?.innerText", wanted=lambda says: says == "No results")
        page.key("Escape")
        self.assertTrue(page.evaluate("document.querySelector('#results').hidden"))


class Rendering(unittest.TestCase):
    """The script's output for a document, without a browser."""

    def render(self, readme, status=0):
        """The body of the first page of a repository that has only a README and a guide."""
        root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, root)
        for path, text in (("README.md", readme), ("Docs/Guide.md", "# Guide\n\n## A part\n\nText.\n"),
                           ("CHANGELOG.md", "# Changelog\n"), ("Benchmarks/README.md", "# Benchmarks\n")):
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        os.mkdir(os.path.join(root, "Scripts"))
        script = shutil.copy(SCRIPT, os.path.join(root, "Scripts", "docs"))
        made = render(script, os.path.join(root, "out"))
        self.assertEqual(made.returncode, status, made.stderr)
        if status:
            return made.stderr
        with open(os.path.join(root, "out", "index.html"), encoding="utf-8") as file:
            return re.search(r"<main id=\"main\">\n(.*)\n</main>", file.read(), re.S)[1]

    def test_markup_in_text_and_code_is_shown_and_not_run(self):
        body = self.render("# T\n\n<script>a & b</script> `<b>` **x < y**\n\n```\n<i>&amp;\n```\n")
        self.assertIn("&lt;script&gt;a &amp; b&lt;/script&gt; <code>&lt;b&gt;</code> <strong>x &lt; y</strong>", body)
        self.assertIn("<code>&lt;i&gt;&amp;amp;</code>", body)

    def test_tables_lists_and_links(self):
        body = self.render("# T\n\n| a | b |\n|---|--:|\n| `x` | 1 \\| 2 |\n\n- one\n  more\n- [two](Docs/Guide.md#a-part)\n")
        self.assertIn("<td><code>x</code></td><td class=number>1 | 2</td>", body)
        self.assertIn('<ul><li>one more</li><li><a href="guide.html#a-part">two</a></li></ul>', body)

    def test_a_link_that_leads_nowhere_ends_the_command(self):
        self.assertIn("README.md: Docs/None.md is no file", self.render("# T\n\n[x](Docs/None.md)\n", status=1))
        self.assertIn("Docs/Guide.md has no #b", self.render("# T\n\n[x](Docs/Guide.md#b)\n", status=1))


if __name__ == "__main__":
    main()
