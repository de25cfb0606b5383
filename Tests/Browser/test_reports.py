"""Reports from disk: nothing is fetched, images are enlarged by mouse and keys, queries are copied."""

import base64
import json
import os
import shlex
import shutil
import subprocess
import tempfile
import unittest

from case import INSTALL, main
from chromium import Chromium, find
from pictures import png

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, "Tests", "Fixtures", "goldens", "data")
PROGRAM = os.environ.get("ASSAY_PROGRAM")

OPEN = "document.querySelector('dialog').open"
CAPTION = "document.querySelector('dialog p').innerText"
COMMANDS = [
    ["import", "faces.csv", "--name", "faces"], ["import", "street", "--name", "street"],
    ["predictions", "import", "r1.csv", "--name", "r1", "--in", "faces"],
    ["predictions", "import", "r2.csv", "--name", "r2", "--in", "faces"],
    ["predictions", "import", "d1.json", "--name", "d1", "--in", "street"], ["evaluate", "d1"],
    ["report", "r1", "--out", "r1", "--gate", "accuracy >= 0.99"], ["report", "d1", "--out", "d1"],
    ["report", "r1", "r2", "--out", "pair"]]


@unittest.skipUnless(PROGRAM, "no program")
class Reports(unittest.TestCase):
    """Three pages, made once."""

    @classmethod
    def setUpClass(cls):
        if find() is None:
            raise unittest.SkipTest(INSTALL)
        cls.folder = tempfile.mkdtemp()
        shutil.copytree(DATA, cls.folder, dirs_exist_ok=True)
        for command in COMMANDS:
            made = subprocess.run([PROGRAM, *command], cwd=cls.folder, capture_output=True, text=True)
            if made.returncode:
                shutil.rmtree(cls.folder)
                raise AssertionError(made.stderr)
        cls.browser = Chromium()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        shutil.rmtree(cls.folder)

    def open(self, name, size=(1400, 900)):
        page = self.browser.page(size=size)
        self.addCleanup(page.close)
        page.go("file://%s/%s/report.html" % (self.folder, name))
        return page

    def test_each_page_fits_windows_of_1400_1000_and_390_pixels_and_fetches_nothing(self):
        for name in ("r1", "d1", "pair"):
            for width in (1400, 1000, 390):
                page = self.open(name, (width, 900))
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width, name)
                away = [url for url in page.requests if not url.startswith(("file:", "data:"))]
                self.assertEqual((away, page.problems), ([], []), name)
                shown = page.evaluate("getComputedStyle(document.querySelector('.contents')).display") == "block"
                self.assertEqual(shown, width == 1400)

    def test_the_contents_stay_in_view(self):
        page = self.open("r1")
        page.evaluate("scrollTo(0, 2000)")
        x, y, width, height = page.evaluate(
            "(b => [b.x, b.y, b.width, b.height])(document.querySelector('.contents').getBoundingClientRect())")
        self.assertTrue(0 <= y < 100 and height > 50, (x, y, width, height))

    def test_a_click_enlarges_an_image_and_keys_go_on(self):
        for name, section in (("r1", "mistakes"), ("d1", "worst"), ("pair", "regressions")):
            page = self.open(name)
            page.click("#%s .enlarge" % section)
            self.assertTrue(page.evaluate(OPEN), name)
            first = page.evaluate(CAPTION)
            page.key("ArrowRight")
            second = page.evaluate(CAPTION)
            self.assertNotEqual(first, second, name)
            page.key("ArrowLeft")
            self.assertEqual(page.evaluate(CAPTION), first)
            size = page.evaluate("(b => [b.width, b.height])(document.querySelector('dialog').getBoundingClientRect())")
            self.assertTrue(size[0] <= 1400 and size[1] <= 900, size)
            page.key("Escape")
            self.assertFalse(page.evaluate(OPEN), name)
            # By keys alone: the image is a button that has the focus again.
            page.key("Enter")
            self.assertTrue(page.evaluate(OPEN), name)
            self.assertEqual(page.problems, [])

    def test_the_caption_of_an_enlarged_image_has_the_key_once(self):
        page = self.open("r1")
        page.click("#mistakes .enlarge")
        key = page.text("#mistakes .sample-key")
        self.assertEqual(page.evaluate(CAPTION).split().count(key), 1)

    def test_buttons_copy_the_query_and_the_command(self):
        page = self.open("r1")
        page.click("#mistakes .query summary")
        page.evaluate("document.addEventListener('copy', e => { window.copied = String(getSelection()); })")
        page.evaluate("""Object.defineProperty(navigator, "clipboard", {configurable: true, value:
            {writeText: async text => { window.copied = text; }}})""")
        for number, text in ((1, "run(r1).correct = false"),
                             (2, "assay open r1 --where 'run(r1).correct = false'")):
            page.click("#mistakes .query div:nth-of-type(%d) button" % number)
            self.assertEqual(page.until("window.copied"), text)
            page.evaluate("window.copied = null")
        # Without a clipboard the text is selected and copied as before.
        page.evaluate("""Object.defineProperty(navigator, "clipboard", {configurable: true, value: undefined})""")
        page.click("#mistakes .query div:nth-of-type(1) button")
        self.assertEqual(page.until("window.copied"), "run(r1).correct = false")

    def test_the_head_has_the_verdict_of_the_gate(self):
        head = self.open("r1").text(".head")
        for words in ("Dataset", "faces", "Samples", "Date of the run", "failed: 0 of 1 check passed"):
            self.assertIn(words, head)


MANIFEST = """task: segmentation
input: {width: 4, height: 4, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
classes: [block]
"""
SHOWN = "[...document.querySelectorAll('.shot-picture')].map(e => !e.hidden)"


@unittest.skipUnless(PROGRAM, "no program")
class ActionShots(unittest.TestCase):
    """The page of an action shot: a white block that moves to the right over a gray background."""

    @classmethod
    def setUpClass(cls):
        if find() is None:
            raise unittest.SkipTest(INSTALL)
        cls.folder = tempfile.mkdtemp()
        film = os.path.join(cls.folder, "film")
        os.makedirs(film)
        cls.names = ["%d.png" % n for n in range(1, 6)] + ["-a b,c'd.png"]
        for number, name in enumerate(cls.names):
            place = 2 + 5 * number
            row = [255 if place <= x < place + 10 else 40 for x in range(40)]
            rows = [row if 10 <= y < 30 else [40] * 40 for y in range(40)]
            with open(os.path.join(film, name), "wb") as file:
                file.write(png(40, 40, [bytes(v for x in r for v in (x, x, x)) for r in rows]))
        with open(os.path.join(cls.folder, "mask.yaml"), "w", encoding="utf-8") as file:
            file.write(MANIFEST)
        cls.run_program("model", "add", os.path.join(ROOT, "Tests", "Fixtures", "models", "mask_nchw.onnx"),
                        "--manifest", "mask.yaml", "--name", "mask")
        cls.made = json.loads(cls.run_program(
            "actionshot", "film", "--model", "mask", "--out", "shot.png", "--report", "shot.html", "--json"))
        cls.browser = Chromium()

    @classmethod
    def run_program(cls, *words):
        made = subprocess.run([PROGRAM, *words], cwd=cls.folder, capture_output=True, text=True)
        if made.returncode:
            raise AssertionError(made.stderr)
        return made.stdout

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        shutil.rmtree(cls.folder)

    def open(self, width=1000):
        page = self.browser.page(size=(width, 900))
        self.addCleanup(page.close)
        page.go("file://%s/shot.html" % self.folder)
        return page

    def test_the_page_fits_each_window_and_has_no_error(self):
        for width in (1400, 700, 390):
            page = self.open(width)
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
            self.assertEqual(page.problems, [])
            self.assertEqual(page.evaluate(SHOWN), [True, False])

    def test_other_frames_are_drawn_at_once_and_the_command_makes_the_same_picture(self):
        page = self.open()
        count = page.evaluate("document.querySelectorAll('.frame input').length")
        self.assertEqual(count, 6)
        page.evaluate("document.querySelectorAll('.frame input').forEach(e => { if (e.checked) e.click(); })")
        self.assertEqual(page.evaluate(SHOWN), [True, False])
        for name in (self.names[0], self.names[-1]):
            page.evaluate("[...document.querySelectorAll('.frame input')].find(e => e.value === %s).click()"
                          % json.dumps(name))
        self.assertEqual(page.evaluate(SHOWN), [False, True])
        command = page.evaluate("document.querySelector('.shot-command code').textContent")
        self.assertEqual(page.evaluate("document.querySelectorAll('.shot-command button').length"), 1)
        words = shlex.split(command)
        self.assertEqual(words[0], "assay")
        self.run_program(*words[1:], "--force")
        # Both blocks are there, the older one fainter, as in the picture of the program.
        with open(os.path.join(self.folder, "shot.png"), "rb") as file:
            data = "data:image/png;base64," + base64.b64encode(file.read()).decode()
        page.evaluate("""(async () => { const image = new Image(); image.src = %s; await image.decode();
            const context = new OffscreenCanvas(40, 40).getContext("2d"); context.drawImage(image, 0, 0);
            window.row = [...context.getImageData(0, 20, 40, 1).data].filter((_, i) => i %% 4 === 0); })()"""
                      % json.dumps(data))
        row = page.until("window.row")
        drawn = page.evaluate("""[...document.querySelector("canvas").getContext("2d").getImageData(0, 20, 40, 1).data]
            .filter((_, i) => i % 4 === 0)""")
        self.assertLess(max(abs(one - other) for one, other in zip(row, drawn)), 12)
        self.assertGreater(max(row), 200)
        self.assertGreater(len([value for value in row if 60 < value < 200]), 3)
        self.assertEqual(page.problems, [])


if __name__ == "__main__":
    main()
