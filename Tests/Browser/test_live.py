"""The Live page (`assay live`) with a camera that plays a small video, which the test writes."""

import glob
import json
import math
import os
import re
import sqlite3
import tempfile
import unittest

from case import BrowserCase, main
from chromium import Chromium
from servers import LiveServer

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUTSIDE = os.environ.get("ASSAY_OUTSIDE", os.path.join(ROOT, "..", "shared", "data"))
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
        video = cls.camera(cls.videos.name)
        cls.browser = Chromium(flags=("--use-fake-device-for-media-stream", "--use-file-for-fake-video-capture=" + video, *cls.flags))

    @classmethod
    def camera(cls, folder):
        """Writes what the camera plays, and returns its path."""
        path = os.path.join(folder, "camera.y4m")
        write_video(path)
        return path

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

    def test_a_turned_frame_is_shown_sent_and_captured_turned(self):
        page = self.open()
        self.frame(page)
        size = "[document.querySelector('#live-picture')?.width, document.querySelector('#live-picture')?.height].join()"
        self.assertEqual(page.evaluate(size), "320,240")
        self.assertIn("4 × 4 pixels, stretched to 1.33 of the height", page.text("#live-input-words"))
        page.key("t")
        page.until(size, wanted=lambda text: text == "240,320")
        self.assertEqual(page.text("output[for=live-turn]"), "90°")
        page.until("document.querySelector('#live-input-words').innerText", wanted=lambda text: "stretched to 1.33 of the width" in text)
        self.paused(page)
        page.key("s")
        self.count(page, "1 captured into live")
        # The choice is kept, and the fourth turn is none.
        page.reload()
        page.until(size, wanted=lambda text: text == "240,320")
        for degrees in (180, 270, 0):
            page.evaluate("document.querySelector('#live-turn').click()")
            self.assertEqual(page.text("output[for=live-turn]"), "%d°" % degrees)
        page.until(size, wanted=lambda text: text == "320,240")
        self.server.stop()
        self.allowed = ("Failed to fetch", "ERR_CONNECTION")
        connection = sqlite3.connect(self.server.catalog)
        try:
            self.assertEqual(connection.execute("SELECT width, height FROM sample").fetchall(), [(240, 320)])
        finally:
            connection.close()

    def test_turned_pixels_are_those_of_the_picture(self):
        page = self.open()
        found = page.evaluate("""import('/app/live-camera.js').then(({turn}) => [0, 1, 2, 3].map(quarters => {
            const from = new OffscreenCanvas(3, 2); const pixels = from.getContext('2d').createImageData(3, 2);
            for (let i = 0; i < 6; i += 1) pixels.data.set([10 * i + 5, 0, 0, 255], 4 * i);
            from.getContext('2d').putImageData(pixels, 0, 0);
            const to = new OffscreenCanvas(...(quarters % 2 ? [2, 3] : [3, 2])); const context = to.getContext('2d');
            context.setTransform(...turn(quarters, 3, 2)); context.drawImage(from, 0, 0);
            return [...context.getImageData(0, 0, to.width, to.height).data].filter((_, i) => i % 4 === 0).map(v => (v - 5) / 10);
        }))""")
        self.assertEqual(found, [[0, 1, 2, 3, 4, 5], [3, 0, 4, 1, 5, 2], [5, 4, 3, 2, 1, 0], [2, 5, 1, 4, 0, 3]])

    def test_the_model_input_is_said_in_words(self):
        page = self.open()
        def words(seen, size):
            return page.evaluate("import('/app/live-input.js').then(m => m.inputWords(%s, {width: %d, height: %d}))" % (json.dumps(seen), *size))
        boxed = {"input": [416, 416], "fill": 114, "crop": [0, 0, 640, 480]}
        self.assertEqual(words({**boxed, "position": [0, 0, 416, 312]}, (640, 480)), "416 × 416 pixels, a bar of 104 below")
        self.assertEqual(words({**boxed, "position": [0, 52, 416, 312]}, (640, 480)), "416 × 416 pixels, bars of 52 above and below")
        self.assertEqual(words({**boxed, "crop": [0, 0, 480, 640], "position": [52, 0, 312, 416]}, (480, 640)), "416 × 416 pixels, bars of 52 at the left and right")
        self.assertEqual(words({"input": [224, 224], "fill": 0, "crop": [80, 0, 480, 480], "position": [0, 0, 224, 224]}, (640, 480)),
                         "224 × 224 pixels, the left and right edges cut off")
        self.assertEqual(words({"input": [224, 224], "fill": 0, "crop": [0, 0, 640, 480], "position": [-59, -16, 341, 256]}, (640, 480)),
                         "224 × 224 pixels, the left and right edges cut off, the upper and lower edges cut off")
        self.assertEqual(words({"input": [300, 300], "fill": 0, "crop": [0, 0, 300, 300], "position": [0, 0, 300, 300]}, (300, 300)), "300 × 300 pixels")

    def test_no_more_frames_a_second_than_wanted(self):
        page = self.open()
        self.frame(page)
        page.evaluate("(e => { e.value = 2; e.dispatchEvent(new Event('input')); })(document.querySelector('#live-rate'))")
        self.assertEqual(page.text("output[for=live-rate]"), "2 a second")
        # The frame that was on its way has the old rate.
        first = self.frame(page, self.frame(page, self.frame(page)))
        begin = page.evaluate("performance.now()")
        self.frame(page, first + 3)
        # Between the first and the fourth frame there are three whole waits, of which one had begun.
        self.assertGreater(page.evaluate("performance.now()") - begin, 2 * 500)

    def test_a_camera_that_goes_away_is_said_and_can_be_started_again(self):
        page = self.open()
        self.frame(page)
        page.evaluate("""(media => { const open = media.getUserMedia.bind(media);
            media.getUserMedia = async (wanted) => window.opened = await open(wanted); })(navigator.mediaDevices)""")
        page.evaluate("document.querySelector('#live-size').dispatchEvent(new Event('change'))")
        self.frame(page, page.until("window.opened ? 1 : 0") and self.frame(page))
        # What a browser does when a camera is unplugged.
        page.evaluate("(track => { track.stop(); track.dispatchEvent(new Event('ended')); })(window.opened.getVideoTracks()[0])")
        page.until("document.querySelector('#live-message').innerText", wanted=lambda text: "The camera went away" in text)
        self.assertTrue(page.evaluate("document.querySelector('#live-capture').disabled"))
        before = self.frame(page)
        page.click("#live-start")
        self.frame(page, before)
        self.assertEqual(page.text("#live-message"), "")

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


class Smoothed(Live):
    model, manifest = "logits.onnx", LABEL

    def test_scores_follow_with_the_stated_time_constant(self):
        page = self.open()
        self.frame(page)
        found = page.evaluate("""import('/app/live-stats.js').then(({Smoothing}) => { const s = new Smoothing(400);
            const all = [[[1, 0], 0], [[0, 1], 100], [[0, 1], 500], [[0, 1], 500]].map(([scores, now]) => [...s.add(scores, now)]);
            s.reset(); return [...all, s.add([0.25, 0.75], 900)]; })""")
        first = math.exp(-0.25)
        second = first * math.exp(-1)
        for scores, wanted in zip(found, [1, first, second, second, 0.25]):
            self.assertAlmostEqual(scores[0], wanted, places=12)
            self.assertAlmostEqual(scores[1], 1 - wanted, places=12)
        # Both scores of a frame add up to one, smoothed or not.
        shares = "[...document.querySelectorAll('#live-answers .share')].map(e => parseInt(e.innerText)).reduce((a, b) => a + b, 0)"
        for _ in range(2):
            page.click("#live-smooth")
            self.frame(page, self.frame(page))
            self.assertIn(page.evaluate(shares), (99, 100, 101))


class Pair(Live):
    """Two models of which one calls dark what the other calls bright."""

    model, manifest = "logits.onnx", LABEL
    options = ("--disagree", "other", "--capture", "pairs", "--capture-every", "0")

    def begin(self):
        class Server(LiveServer):
            def prepare(self):
                with open(os.path.join(self.folder, "other.yaml"), "w") as file:
                    file.write(LABEL.replace("[bright, dark]", "[dark, bright]"))
                self.add("logits.onnx", "other.yaml", "other")
        return Server(self.model, self.manifest, *self.options)

    def test_frames_on_which_they_disagree_are_captured(self):
        page = self.open()
        self.frame(page)
        self.assertIn("compared with other", page.text("#live-what"))
        self.assertIn("other sees other classes", page.text("#live-rules"))
        self.count(page, "captured into pairs")
        self.server.stop()
        self.allowed = ("Failed to fetch", "ERR_CONNECTION")
        fields = self.samples("pairs")[0][1]
        self.assertRegex(fields["reason"], "^m: (dark; other: bright|bright; other: dark)$")
        # Both models have a run of the captured frames.
        view = "pairs-" + "".join(c for c in fields["track"] if c.isalnum())
        for name in ("m", "other"):
            self.assertEqual(self.run_of(name + "-" + view)[0], view)


class Film(Live):
    """The camera plays the shared film, photographs instead of a drawn block."""

    model, manifest = "mask_nchw.onnx", MASK
    frames = sorted(glob.glob(os.path.join(OUTSIDE, "frames", "*.jpg")))

    @classmethod
    def setUpClass(cls):
        if not cls.frames:
            raise unittest.SkipTest("no shared film")
        super().setUpClass()

    @classmethod
    def camera(cls, folder):
        path = os.path.join(folder, "camera.mjpeg")
        with open(path, "wb") as file:
            for name in cls.frames:
                with open(name, "rb") as frame:
                    file.write(frame.read())
        return path

    def test_its_frames_are_answered_and_captured_in_their_size(self):
        page = self.open()
        self.frame(page, self.frame(page) + len(self.frames) // 2)
        width, height = page.evaluate("[document.querySelector('#live-picture').width, document.querySelector('#live-picture').height]")
        page.shot("live-film")
        self.paused(page)
        page.key("s")
        self.count(page, "1 captured into live")
        self.server.stop()
        self.allowed = ("Failed to fetch", "ERR_CONNECTION")
        connection = sqlite3.connect(self.server.catalog)
        try:
            self.assertEqual(connection.execute("SELECT width, height FROM sample").fetchall(), [(width, height)])
        finally:
            connection.close()


class Stream(Live):
    """A stream on standard input in place of the camera."""

    source = ("-", "--model", "m")

    def begin(self):
        read, self.writer = os.pipe()
        source = self.source

        class Server(LiveServer):
            stdin = read

            def prepare(self):
                self.subject = source

        server = Server(self.model, self.manifest)
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


class Faces(Stream):
    """The pipeline `faces` on a shared portrait, which comes as a stream."""

    portrait = os.path.join(OUTSIDE, "faces", "face_3.jpg")
    models = os.path.join(ROOT, ".deps", "models")

    @classmethod
    def setUpClass(cls):
        names = ("face_detection_full_range_sparse.tflite", "face_landmark.tflite", "emotion_model_quantized.tflite")
        if not os.path.exists(cls.portrait) or not all(os.path.exists(os.path.join(cls.models, name)) for name in names):
            raise unittest.SkipTest("no shared portrait, or no models of faces: Scripts/models faces fer")
        super().setUpClass()

    @property
    def source(self):
        return ("-", "--pipeline", "faces", "--models", self.models)

    def test_frames_of_the_stream_are_shown_and_its_end_is_said(self):
        page = self.open()
        page.until("document.querySelector('#live-message').innerText", wanted=lambda text: "Waiting for the stream" in text)
        with open(self.portrait, "rb") as file:
            frames = memoryview(file.read() * 2)
        while frames:
            frames = frames[os.write(self.writer, frames):]
        self.frame(page)
        # A face has the expression that the classifier gave it.
        page.until("document.querySelector('#live-answers').innerText", wanted=lambda text: re.search("angry|disgust|fear|happy|neutral|sad|surprise", text))
        self.assertIn("pipeline", page.text("#live-what"))
        self.assertRegex(page.text("#live-input-words"), "^[0-9]+ × [0-9]+ pixels")
        page.shot("live-faces")
        os.close(self.writer)
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
