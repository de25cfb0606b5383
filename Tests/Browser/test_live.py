"""The Live page (`assay live`) with a camera that plays a small video, which the test writes."""

import json
import os
import sqlite3
import tempfile
import unittest

from case import BrowserCase, main
from chromium import Chromium
from servers import LiveServer

WIDTH, HEIGHT, FRAMES = 320, 240, 30
MASK = """task: segmentation
input: {width: 4, height: 4, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
classes: [block]
"""
LABEL = """task: classification
input: {width: 2, height: 2, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
classes: [bright, dark]
activation: softmax
"""


def write_video(path):
    """A white block of 80 × 120 pixels that moves to the right over black."""
    with open(path, "wb") as file:
        file.write(b"YUV4MPEG2 W%d H%d F30:1 Ip A1:1 C420jpeg\n" % (WIDTH, HEIGHT))
        for number in range(FRAMES):
            left = 8 * number
            row = bytes(235 if left <= x < left + 80 else 16 for x in range(WIDTH))
            file.write(b"FRAME\n" + bytes([16]) * (60 * WIDTH) + row * 120 + bytes([16]) * (60 * WIDTH)
                       + bytes([128]) * (2 * (WIDTH // 2) * (HEIGHT // 2)))


class Live(BrowserCase):
    model, manifest, options = "mask_nchw.onnx", MASK, ()
    flags = ("--use-fake-ui-for-media-stream",)

    @classmethod
    def setUpClass(cls):
        program = os.environ.get("ASSAY_PROGRAM")
        if not program or not LiveServer.is_there(program):
            raise unittest.SkipTest("no program with the command live: $ASSAY_PROGRAM (make build)")
        super().setUpClass()
        cls.browser.close()
        cls.videos = tempfile.TemporaryDirectory()
        video = os.path.join(cls.videos.name, "camera.y4m")
        write_video(video)
        cls.browser = Chromium(flags=("--use-fake-device-for-media-stream", "--use-file-for-fake-video-capture=" + video, *cls.flags))

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.videos.cleanup()

    def begin(self):
        return LiveServer(self.model, self.manifest, *self.options)

    def ready(self, page, number=None):
        page.until("document.body.dataset.page", wanted=lambda name: name == "live")

    def frame(self, page, more_than=0):
        """Waits for an answer; returns its number."""
        return page.until("""Number((/^([\\d,]+) ·/.exec([...document.querySelectorAll('#live-numbers dd')][3]?.innerText) ?? [0, '0'])[1].replace(',', ''))""",
                          wanted=lambda found: found > more_than)

    def paused(self, page):
        """Pauses, and waits until the frame that was on its way is answered."""
        page.key("Space")
        page.until("document.querySelector('#live-picture').dataset.state", wanted=lambda found: found == "paused")

    def count(self, page, words):
        return page.until("document.querySelector('#live-count').innerText", wanted=lambda text: words in text)

    def run_of(self, name):
        """The view of a run, and its numbers of samples and of predicted ones."""
        connection = sqlite3.connect(self.server.catalog)
        try:
            return connection.execute("""SELECT r.view, (SELECT count(*) FROM runSample WHERE run = r.id),
                (SELECT count(*) FROM maskPrediction WHERE run = r.id) FROM run r WHERE r.name = ?""", [name]).fetchone()
        finally:
            connection.close()

    def samples(self, name="live"):
        """The samples of a dataset, read without the program: key and attributes."""
        connection = sqlite3.connect(self.server.catalog)
        try:
            rows = connection.execute("""SELECT s.key, s.attributes FROM sample s JOIN dataset d ON d.id = s.dataset
                WHERE d.name = ? AND s.retired = 0 ORDER BY s.key""", [name]).fetchall()
        finally:
            connection.close()
        return [(key, json.loads(attributes)) for key, attributes in rows]


class Masks(Live):
    def test_frames_are_answered_and_drawn_and_one_at_a_time(self):
        page = self.open()
        first = self.frame(page)
        self.assertGreater(self.frame(page, first + 5), first)
        # The block is brighter than the threshold of the mask, so the mask's color is somewhere on the picture.
        page.until("""(context => { const c = context.canvas; const d = context.getImageData(0, 0, c.width, c.height).data;
            let n = 0; for (let i = 0; i < d.length; i += 4) if (d[i] > d[i + 2] + 40) n += 1; return n; })(
            document.querySelector('#live-picture').getContext('2d'))""", wanted=lambda colored: colored > 500)
        self.assertIn("block", page.text("#live-answers"))
        self.assertEqual(page.evaluate("[document.querySelector('#live-picture').width, document.querySelector('#live-picture').height].join()"), "%d,%d" % (WIDTH, HEIGHT))

    def test_pause_and_step(self):
        page = self.open()
        self.frame(page)
        self.paused(page)
        before = self.frame(page)
        page.evaluate("new Promise(done => setTimeout(done, 300))")
        self.assertEqual(self.frame(page), before)
        page.key(".")
        self.assertEqual(self.frame(page, before), before + 1)
        page.key("Space")
        self.frame(page, before + 3)

    def test_captured_frames_are_samples_with_time_reason_and_prediction(self):
        page = self.open()
        self.frame(page)
        self.paused(page)
        page.key("s")
        self.count(page, "1 captured into live")
        # The same frame is not stored twice.
        page.key("s")
        self.count(page, "was captured before")
        page.key(".")
        page.until("document.querySelector('#live-step').disabled === false")
        page.key("Space")
        page.key("r")
        self.count(page, "captured into live")
        page.until("Number((/^([\\d,]+) captured/.exec(document.querySelector('#live-count').innerText) ?? [0, 0])[1])", wanted=lambda found: found >= 3)
        page.key("r")
        page.until("document.querySelector('#live-record').getAttribute('aria-pressed')", wanted=lambda found: found == "false")
        page.key("Space")
        last = self.server.stop()
        found = self.samples()
        self.assertGreaterEqual(len(found), 3)
        self.assertEqual([key for key, _ in found], ["%08d.jpg" % number for number in range(len(found))])
        key, fields = found[0]
        self.assertEqual(fields["reason"], "by hand")
        self.assertEqual(fields["model"], "m")
        self.assertEqual(found[-1][1]["reason"], "recorded")
        self.assertLessEqual(found[0][1]["time"], found[-1][1]["time"])
        # Its predictions are a run of the frames of this session, which is a view.
        view = "live-" + "".join(c for c in fields["track"] if c.isalnum())
        self.assertIn("m-" + view, " ".join(filter(None, last)))
        self.assertEqual(self.run_of("m-" + view), (view, len(found), len(found)))
        self.allowed = ("Failed to fetch", "ERR_CONNECTION")

    def test_a_capture_survives_a_kill(self):
        page = self.open()
        self.frame(page)
        page.key("s")
        self.count(page, "1 captured into live")
        self.server.kill()
        self.allowed = ("Failed to fetch", "ERR_CONNECTION")
        page.until("document.querySelector('#live-message').innerText", wanted=lambda text: "does not respond" in text)
        self.server.start()
        # The page goes on by itself.
        page.until("document.querySelector('#live-message').innerText", wanted=lambda text: text == "")
        page.key("s")
        self.count(page, "captured into live")
        self.server.stop()
        self.assertEqual([key for key, _ in self.samples()][:2], ["00000000.jpg", "00000001.jpg"])

    def test_windows_of_all_sizes_in_light_and_dark(self):
        page = self.open()
        self.frame(page)
        for width, height in ((1400, 900), (1000, 700), (390, 844)):
            page.resize(width, height)
            for is_dark in (False, True):
                page.dark(is_dark)
                self.frame(page, self.frame(page))
                page.shot("live-%d-%s" % (width, "dark" if is_dark else "light"))
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)


class Labels(Live):
    model, manifest = "logits.onnx", LABEL
    options = ("--capture", "hard", "--capture-below", "0.9", "--capture-every", "0")

    def test_scores_are_listed_and_a_rule_captures(self):
        page = self.open()
        self.frame(page)
        page.until("document.querySelector('#live-answers').innerText", wanted=lambda text: "dark" in text and "bright" in text and "%" in text)
        self.assertIn("below 90 %", page.text("#live-rules"))
        self.count(page, "captured into hard")
        page.key("Space")
        self.server.stop()
        self.allowed = ("Failed to fetch", "ERR_CONNECTION")
        fields = self.samples("hard")[0][1]
        self.assertTrue(fields["reason"].startswith("score 0."), fields)
        self.assertIn(fields["predicted"]["label"], ("bright", "dark"))


class Stream(Live):
    """A stream on standard input in place of the camera."""

    def begin(self):
        read, self.writer = os.pipe()
        server = LiveServer.__new__(LiveServer)
        server.stdin = read
        server.__init__(self.model, self.manifest, "-")
        os.close(read)
        return server

    def test_frames_of_the_stream_are_shown_and_its_end_is_said(self):
        with open(os.path.join(self.videos.name, "camera.y4m"), "rb") as file:
            whole = file.read()
        into = self.writer
        header = whole.index(b"\n") + 1
        size = (len(whole) - header) // FRAMES
        page = self.open()
        page.until("document.querySelector('#live-message').innerText", wanted=lambda text: "Waiting for the stream" in text)
        os.write(into, whole[:header])
        rest = memoryview(whole)[header:header + 3 * size]
        while rest:
            rest = rest[os.write(into, rest):]
        self.frame(page)
        page.until("document.querySelector('#live-message').parentElement.hidden || document.querySelector('#live-message').innerText.includes('Waiting')")
        page.key("s")
        self.count(page, "1 captured into live")
        # The stream is cut in a frame.
        os.write(into, whole[header + 3 * size:header + 3 * size + 100])
        os.close(into)
        page.until("document.querySelector('#live-message').innerText", wanted=lambda text: "ended after 3 frames" in text and "ends in the frame" in text)
        self.server.stop()
        self.assertEqual([key for key, _ in self.samples()], ["00000000.jpg"])
        self.allowed = ("Failed to fetch", "ERR_CONNECTION")


class Denied(Live):
    flags = ("--deny-permission-prompts",)

    def test_without_permission_the_page_says_what_to_do(self):
        page = self.open()
        page.until("document.querySelector('#live-message').innerText", wanted=lambda text: "Allow it in the address bar" in text)
        self.assertTrue(page.evaluate("!document.querySelector('#live-start').hidden"))
        self.assertEqual(self.server.process.poll(), None)


if __name__ == "__main__":
    main()
