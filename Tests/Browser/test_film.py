"""Frames of a video in the editor: going from frame to frame, copying to the next one, boxes in between, and undo."""

import json
import math

from case import ProgramCase, main
from strokes import Strokes


class Film(Strokes, ProgramCase):
    """With the program: a task of CVAT with six frames and a box of track 0 in the first one."""

    task = "film"

    def shown(self):
        page = self.open(size=(1400, 900))
        self.go(page, 0)
        return page

    def frame(self, page):
        return page.evaluate("document.querySelector('.canvas-objects').innerText.match(/frame (\\d+)/)?.[1] ?? null")

    def at(self, page, number):
        page.until("document.querySelector('.canvas-objects').innerText", wanted=lambda text: "frame %d (" % number in text)
        page.until("document.title", wanted=lambda title: " of " in title)
        page.evaluate("document.querySelector('.canvas-stage').focus()")

    def go(self, page, number):
        page.until("document.querySelector('.canvas-objects').innerText", wanted=lambda text: "frame " in text)
        page.evaluate("document.querySelector('.canvas-stage').focus()")
        while int(self.frame(page)) != number:
            here = int(self.frame(page))
            page.key("Shift+PageDown" if here < number else "Shift+PageUp")
            self.at(page, here + (1 if here < number else -1))

    def foot(self, page, words):
        return page.until("document.querySelector('.canvas-foot').innerText", wanted=lambda text: words in text)

    def boxes(self, page):
        """The boxes of each frame, by the frame's number."""
        found = page.evaluate("""import('/app/api.js').then(async (api) => {
            const queue = await api.fetchQueue(0, 50); const all = [];
            for (const { sample } of queue.items) {
                const one = await api.fetchSample(sample);
                all.push([one.film.frame, one.objects.map(({ box, attributes }) => [box, attributes])]);
            }
            return all; })""")
        return dict((frame, objects) for frame, objects in found)

    def test_frames_copy_interpolation_and_undo(self):
        page = self.shown()
        page.key("Tab")
        # The object is in the first frame only; it is copied to the second one, which is opened.
        page.key("*")
        self.at(page, 1)
        self.foot(page, "copied, track 0")
        boxes = self.boxes(page)
        self.assertEqual(boxes[1][0][0], [4, 4, 10, 8])
        self.assertEqual((boxes[1][0][1]["track"], boxes[1][0][1]["frame"]), (0, 1))
        self.assertEqual(self.kinds(), ["add"])
        # It is there already.
        page.key("Shift+PageUp")
        self.at(page, 0)
        page.key("*")
        self.at(page, 1)
        self.foot(page, "already")
        self.assertEqual(self.kinds(), ["add"])
        page.key("Ctrl+Z")
        page.until(self.ask("'/api/status'") + ".then((one) => one.sequence)", wanted=lambda number: number == 2)
        self.assertEqual(self.boxes(page)[1], [])

    def test_copies_in_a_shared_queue_are_versions_of_their_author(self):
        page = self.shown()
        self.server.run("review", "film", "--name", "shared", "--overlap", "1", "--annotators", "anna,ben",
                        "--author", "anna")
        url = json.loads(self.server.run("review", "link", "shared", "--author", "anna", "--json"))["url"]
        anna = self.open("anna", self.browser.context(), url=url, size=(1400, 900))
        self.go(anna, 0)
        anna.key("Tab")
        anna.key("*")
        self.at(anna, 1)
        self.foot(anna, "copied, track 0")
        # It is in her version, and not in the ground truth that others see.
        self.assertEqual(len(self.boxes(anna)[1]), 1)
        self.assertEqual(self.boxes(page)[1], [])
        self.assertEqual([(e["kind"], e["author"]) for e in self.server.entries() if e["kind"] == "add"], [("add", "anna")])

    def test_boxes_between_two_frames_are_one_undo(self):
        page = self.shown()
        # The last frame gets a box of the track, 20 pixels to the right: drawn by a script, as another person would.
        page.evaluate("""import('/app/api.js').then(async (api) => {
            const session = await api.fetchSession(); const queue = await api.fetchQueue(0, 50);
            for (const { sample } of queue.items) {
                const one = await api.fetchSample(sample);
                if (one.film.frame !== 5) continue;
                await api.postCorrection({ sample, ledger: session.ledger, author: session.author, uuid: crypto.randomUUID(), parent: {},
                    body: { kind: "add", category: "disc", box: [24, 14, 10, 8], visit: crypto.randomUUID(), attributes: { track: 0 } } });
            } })""")
        self.go(page, 5)
        page.key("Tab")
        page.key("#")
        text = self.foot(page, "press # again")
        self.assertIn("Adds 4 boxes of disc in frames 1 to 4", text)
        self.assertEqual(len(self.server.entries()), 1)
        for width, height in ((1400, 900), (390, 844)):
            page.resize(width, height)
            for is_dark in (False, True):
                page.dark(is_dark)
                page.shot("film-%d-%s" % (width, "dark" if is_dark else "light"))
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
        page.resize(1400, 900)
        page.key("#")
        self.foot(page, "4 boxes added in frames 1 to 4")
        sequence = self.ask("'/api/status'") + ".then((one) => one.sequence)"
        page.until(sequence, wanted=lambda number: number == 5)
        boxes = self.boxes(page)
        self.assertEqual([boxes[number][0][0] for number in range(6)],
                         [[4, 4, 10, 8], [8, 6, 10, 8], [12, 8, 10, 8], [16, 10, 10, 8], [20, 12, 10, 8], [24, 14, 10, 8]])
        self.assertEqual({boxes[number][0][1]["track"] for number in range(6)}, {0})
        self.assertEqual(len({entry["visit"] for entry in self.server.entries()[1:]}), 1)
        # Nothing is left in between.
        page.key("#")
        self.foot(page, "No frames are between")
        page.reload()
        self.ready(page)
        self.go(page, 5)
        page.key("Ctrl+Z")
        self.foot(page, "4 boxes removed")
        page.until(sequence, wanted=lambda number: number == 9)
        boxes = self.boxes(page)
        self.assertEqual([len(boxes[number]) for number in range(6)], [1, 0, 0, 0, 0, 1])
        page.key("Ctrl+Shift+Z")
        self.foot(page, "4 boxes added")
        page.until(sequence, wanted=lambda number: number == 13)
        self.assertEqual([len(self.boxes(page)[number]) for number in range(6)], [1] * 6)
        self.server.run("corrections", "verify")
        self.assertEqual(self.sample(page)["conflicts"], [])

    def test_oriented_boxes_between_two_frames(self):
        page = self.shown()
        rings = {0: [4, 4, 14, 4, 14, 12, 4, 12], 5: [20, 8, 20, 18, 12, 18, 12, 8]}
        page.call("""(rings) => import('/app/api.js').then(async (api) => {
            const session = await api.fetchSession(); const queue = await api.fetchQueue(0, 50);
            for (const { sample } of queue.items) {
                const one = await api.fetchSample(sample); const ring = rings[one.film.frame];
                if (!ring) continue;
                await api.postCorrection({ sample, ledger: session.ledger, author: session.author, uuid: crypto.randomUUID(), parent: {},
                    body: { kind: "add", category: "disc", polygons: [ring], visit: crypto.randomUUID(), attributes: { track: 7 } } });
            } })""", rings)
        self.go(page, 5)
        page.key("Tab")
        page.key("#")
        self.foot(page, "Adds 4 boxes of disc in frames 1 to 4")
        page.key("#")
        self.foot(page, "4 boxes added in frames 1 to 4")
        page.until(self.ask("'/api/status'") + ".then((one) => one.sequence)", wanted=lambda number: number == 6)
        found = [one["polygons"][0] for one in self.polygons(page)]
        self.assertEqual(len(found), 4)
        for at, ring in enumerate(found):
            share = (at + 1) / 5
            # It turns from 0° to 90°, and its center moves from (9, 8) to (16, 13).
            self.assertAlmostEqual(sum(ring[0::2]) / 4, 9 + 7 * share, delta=0.01)
            self.assertAlmostEqual(sum(ring[1::2]) / 4, 8 + 5 * share, delta=0.01)
            self.assertAlmostEqual(math.degrees(math.atan2(ring[3] - ring[1], ring[2] - ring[0])), 90 * share, delta=0.1)
            self.assertAlmostEqual(math.hypot(ring[2] - ring[0], ring[3] - ring[1]), 10, delta=0.01)
        self.server.run("corrections", "verify")

    def polygons(self, page):
        """The objects of track 7 in the frames 1 to 4."""
        return page.evaluate("""import('/app/api.js').then(async (api) => {
            const queue = await api.fetchQueue(0, 50); const all = [];
            for (const { sample } of queue.items) {
                const one = await api.fetchSample(sample);
                if (one.film.frame < 1 || one.film.frame > 4) continue;
                all.push(...one.objects.filter(({ attributes }) => attributes?.track === 7).map((found) => [one.film.frame, found]));
            }
            return all.sort((one, other) => one[0] - other[0]).map(([, found]) => found); })""")

    def test_what_is_not_possible_is_said(self):
        page = self.shown()
        page.key("Shift+PageUp")
        self.foot(page, "first frame")
        page.key("*")
        self.foot(page, "Select the object")
        page.key("Tab")
        page.key("#")
        self.foot(page, "no earlier frame")
        self.go(page, 5)
        page.key("Shift+PageDown")
        self.foot(page, "last frame")
        self.assertEqual(self.server.entries(), [])

    def test_an_object_without_a_track_gets_one(self):
        page = self.shown()
        page.key("a")
        page.drag([self.place(page, 0.7, 0.7), self.place(page, 0.8, 0.8), self.place(page, 0.95, 0.9)])
        self.saved(page, 1)
        page.key("*")
        self.at(page, 1)
        self.foot(page, "copied, track")
        self.assertEqual(self.kinds(), ["add", "attributes", "add"])
        boxes = self.boxes(page)
        tracks = [boxes[number][-1][1]["track"] for number in (0, 1)]
        self.assertEqual(tracks[0], tracks[1])
        self.assertIsInstance(tracks[0], int)
        self.assertNotEqual(tracks[0], 0)


if __name__ == "__main__":
    main()
