"""Frames of a video in the editor: going from frame to frame, copying to the next one, boxes in between, and undo."""

import json
import math

from case import ProgramCase, main
from strokes import Strokes


class Frames(Strokes):
    """What the tests of frames share."""

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


class Film(Frames, ProgramCase):
    """With the program: a task of CVAT with six frames and a box of track 0 in the first one."""

    task = "film"

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


class Fresh(Frames, ProgramCase):
    """Frames that were imported without annotations: classes and task are stated at the import."""

    task = "fresh"

    def draw(self, page, start, end):
        page.drag([self.place(page, *start), self.place(page, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2),
                   self.place(page, *end)])

    def track(self, page):
        return page.evaluate("document.querySelector('.canvas-track select').selectedOptions[0].textContent")

    def tracked(self, page):
        """A track with boxes in the frames 0 and 4, and interpolated ones between."""
        self.draw(page, (0.1, 0.1), (0.4, 0.4))
        self.saved(page, 1)
        self.assertEqual(self.track(page), "new objects: none")
        page.key("$")
        self.foot(page, "disc: new track")
        self.saved(page, 2)
        self.go(page, 4)
        self.draw(page, (0.5, 0.5), (0.8, 0.8))
        self.foot(page, "joins track")
        self.saved(page, 3)
        page.key("#")
        self.foot(page, "Adds 3 boxes of disc in frames 1 to 3")
        page.key("#")
        self.foot(page, "3 boxes added in frames 1 to 3")
        page.until(self.ask("'/api/status'") + ".then((one) => one.sequence)", wanted=lambda number: number == 6)

    def test_a_drawn_object_joins_the_track_and_the_gap_is_filled(self):
        page = self.shown()
        # The queue has the frames in their order, and boxes are drawn at once.
        keys = page.evaluate("import('/app/api.js').then((api) => api.fetchQueue(0, 50)).then((one) => one.items.map((item) => item.key))")
        self.assertEqual(keys, ["%d.png" % number for number in range(6)])
        self.assertEqual(page.evaluate("document.querySelector('[data-tool=box]').ariaPressed"), "true")
        self.tracked(page)
        boxes = self.boxes(page)
        tracks = {boxes[number][0][1]["track"] for number in range(5)}
        self.assertEqual(len(tracks), 1)
        self.assertEqual(boxes[5], [])
        left = [boxes[number][0][0][0] for number in range(5)]
        self.assertEqual(left, sorted(left))
        self.assertIn("disc, track %d" % tracks.pop(), self.track(page))
        # The frame has an object of the track: the next one begins another one.
        self.draw(page, (0.1, 0.7), (0.3, 0.9))
        self.foot(page, "new track")
        self.saved(page, 7)
        boxes = self.boxes(page)
        self.assertEqual(len({one[1]["track"] for one in boxes[4]}), 2)
        # Undone and done again, it has its track.
        page.key("Ctrl+Z")
        page.key("Ctrl+Shift+Z")
        self.saved(page, 9)
        self.assertEqual(self.boxes(page)[4], boxes[4])
        self.assertIn("track", page.text(".canvas-list"))

    def test_undo_leaves_what_was_undone_or_changed_by_hand(self):
        page = self.shown()
        self.tracked(page)
        self.go(page, 2)
        page.key("Ctrl+Z")
        self.saved(page, 7)
        self.go(page, 3)
        page.key("Tab")
        page.key("ArrowRight")
        self.saved(page, 8)
        moved = self.boxes(page)[3]
        self.go(page, 4)
        page.key("Ctrl+Z")
        self.foot(page, "1 box removed from the frames in between; 1 undone before, 1 kept because changed since")
        page.until(self.ask("'/api/status'") + ".then((one) => one.sequence)", wanted=lambda number: number == 9)
        boxes = self.boxes(page)
        self.assertEqual([len(boxes[number]) for number in range(6)], [1, 0, 0, 1, 1, 0])
        self.assertEqual(boxes[3], moved)
        self.says(page, "saved ")
        page.key("Ctrl+Shift+Z")
        self.foot(page, "1 box added to the frames in between; 1 left as undone, 1 there already")
        page.until(self.ask("'/api/status'") + ".then((one) => one.sequence)", wanted=lambda number: number == 10)
        self.assertEqual([len(self.boxes(page)[number]) for number in range(6)], [1, 1, 0, 1, 1, 0])
        self.server.run("corrections", "verify")

    def test_the_page_has_the_command_for_a_missing_class(self):
        page = self.shown()
        self.assertFalse(page.evaluate("document.querySelector('.class-hint').open"))
        page.evaluate("document.querySelector('.class-hint').open = true")
        command = page.text(".class-hint code")
        self.assertIn("--name fresh --classes disc,ring,NEW --task detection --replace", command)
        self.draw(page, (0.1, 0.1), (0.4, 0.4))
        self.saved(page, 1)
        # The command works, and keeps the box.
        self.server.run(*command.replace("NEW", "square").split()[1:])
        self.assertTrue(self.server.run("query", "count(disc) = 1", "--in", "fresh", "--corrected", "--count").startswith("1"))

    def test_the_page_fits_into_narrow_windows(self):
        page = self.shown()
        self.tracked(page)
        for width, height in ((390, 844), (768, 1024), (1280, 800)):
            page.resize(width, height)
            for is_dark in (False, True):
                page.dark(is_dark)
                page.shot("fresh-%d-%s" % (width, "dark" if is_dark else "light"))
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
                for place in ("#head", ".canvas-objects", ".canvas-foot"):
                    self.assertLessEqual(page.evaluate("document.querySelector('%s').scrollWidth - document.querySelector('%s').clientWidth" % (place, place)), 1, place)


class FreshLong(Frames, ProgramCase):
    """Names that are longer than a narrow window."""

    task = "fresh-long"

    def test_long_names_stay_inside_the_window(self):
        self.server.run("review", "fresh", "--name", "another-queue-of-the-same-film", "--order", "random", "--author", "anna")
        page = self.open("maximiliane.von-und-zu-lerchenfeld", size=(1280, 800))
        self.go(page, 0)
        page.drag([self.place(page, at, at) for at in (0.2, 0.4, 0.6)])
        self.saved(page, 1)
        for width, height in ((390, 844), (768, 1024), (1280, 800)):
            page.resize(width, height)
            for is_dark in (False, True):
                page.dark(is_dark)
                page.shot("long-%d-%s" % (width, "dark" if is_dark else "light"))
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
                self.assertEqual(self.outside(page), [])

    def outside(self, page):
        """What is cut off by the window or covers its neighbors: texts without room that have no ellipsis and no scroll bar."""
        return page.evaluate("""[...document.querySelectorAll('#head *, .canvas-objects *, .canvas-foot *, #decide *, #foot *')].filter((one) => {
            const box = one.getBoundingClientRect(), style = getComputedStyle(one);
            if (!box.width || !box.height || style.visibility === 'hidden' || one.closest('select, .canvas-list')) return false;
            if (box.right > innerWidth + 1 || box.left < -1) return true;
            return style.overflowX === 'visible' && style.display !== 'inline' && one.scrollWidth > one.clientWidth + 1;
        }).map((one) => one.className + ' ' + one.textContent.slice(0, 60))""")


class FreshMasks(Frames, ProgramCase):
    """Frames without annotations that get masks."""

    task = "fresh-masks"

    def test_masks_are_drawn(self):
        page = self.shown()
        self.assertEqual(page.evaluate("document.querySelector('[data-tool=brush]').ariaPressed"), "true")
        self.stroke(page)
        self.saved(page, 1)
        self.assertEqual(self.kinds(), ["mask"])


class FreshLabels(ProgramCase):
    """Frames without annotations that get labels."""

    task = "fresh-labels"

    def test_labels_are_set(self):
        page = self.open()
        self.assertIn("--classes disc,ring,NEW --task classification", page.evaluate("document.querySelector('.class-hint code').textContent"))
        page.key("2")
        self.ready(page, 2)
        page.until(self.ask("'/api/status'") + ".then((one) => one.sequence)", wanted=lambda number: number == 1)
        self.assertTrue(self.server.run("query", "label = ring", "--in", "fresh", "--corrected", "--count").startswith("1"))


class FreshSets(ProgramCase):
    """Frames without annotations that get sets of labels."""

    task = "fresh-sets"

    def test_sets_of_labels_are_set(self):
        page = self.open()
        page.key("1")
        page.key("2")
        page.until(self.ask("'/api/status'") + ".then((one) => one.sequence)", wanted=lambda number: number == 2)
        self.assertEqual(self.sample(page)["labels"], ["disc", "ring"])


class Unnamed(ProgramCase):
    """Frames without classes."""

    task = "unnamed"

    def test_the_page_says_how_to_name_classes(self):
        page = self.open()
        self.assertIn("This dataset has no classes yet", page.text("#tools"))
        self.assertIn("--name fresh --classes NEW --task classification --replace", page.text(".class-hint code"))


if __name__ == "__main__":
    main()
