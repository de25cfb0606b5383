"""Boxes in the editor: drawn, moved, resized, nudged by keys, taken from a detector, undone, and saved by the program."""

import json
import os

from canvas_case import CanvasCase, box, text
from case import ProgramCase, main
from strokes import Strokes


class Boxes(CanvasCase):
    """The editor alone, with an image of 40 × 30 pixels that is shown at a whole multiple of its size."""

    BOX = [5, 5, 10.25, 8]

    def lab_with(self, *boxes, run=None):
        page = self.lab(run=run, boxes=boxes or [["b", "disc", self.BOX]])
        self.key(page, "a")
        return page

    def drag(self, page, start, end):
        page.drag([self.at(page, *start), self.at(page, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2), self.at(page, *end)])
        self.rest(page)

    def chosen(self, page):
        page.drag([self.at(page, 9, 9)])
        self.rest(page)

    def boxes(self, page):
        return page.evaluate("lab.canvas.objects.items.map((one) => one.box)")

    def test_a_drag_draws_a_box_of_the_class(self):
        page = self.lab_with()
        self.key(page, "2")
        self.drag(page, (20, 10), (32.5, 22))
        self.assertEqual(self.last(page), {"kind": "add", "category": "ring", "box": [20, 10, 12.5, 12]})
        self.assertIn("ring 1: box 20, 10, 12.5 × 12", self.told(page, "say")[-1])
        # The new box is selected: its corner can be dragged at once. From the right to the left, and out of the image.
        self.drag(page, (32.5, 22), (60, 60))
        self.assertEqual(self.last(page), {
            "kind": "outline", "target": '{"entry":"entry-1"}', "category": "ring", "box": [20, 10, 20, 20]})
        self.drag(page, (4, 29), (1, 20))
        self.assertEqual(self.last(page), {"kind": "add", "category": "ring", "box": [1, 20, 3, 9]})

    def test_the_eight_handles_move_only_their_edges(self):
        for at, to, wanted in [
                ((5, 5), (3, 2), [3, 2, 12.25, 11]), ((10, 5), (12, 2), [5, 2, 10.25, 11]),
                ((15.25, 5), (18, 7), [5, 7, 13, 6]), ((15.25, 9), (18, 2), [5, 5, 13, 8]),
                ((15.25, 13), (18, 15), [5, 5, 13, 10]), ((10, 13), (2, 15), [5, 5, 10.25, 10]),
                ((5, 13), (7, 15), [7, 5, 8.25, 10]), ((5, 9), (7, 15), [7, 5, 8.25, 8]),
                # Past the opposite corner, the box turns over.
                ((5, 5), (20.25, 15), [15.25, 13, 5, 2])]:
            page = self.lab_with()
            self.chosen(page)
            self.drag(page, at, to)
            found = self.last(page)
            self.assertEqual((found["kind"], found["target"]), ("outline", "b"))
            for value, number in zip(found["box"], wanted):
                self.assertAlmostEqual(value, number, delta=0.06, msg="%s %s %s" % (at, to, found["box"]))
            self.pages.pop().close()

    def test_the_inside_moves_it_and_it_keeps_its_size_at_the_border(self):
        page = self.lab_with()
        self.chosen(page)
        self.drag(page, (9, 9), (12, 8))
        self.assertEqual(self.last(page)["box"], [8, 4, 10.25, 8])
        self.drag(page, (12, 8), (50, 50))
        self.assertEqual(self.last(page)["box"], [29.75, 22, 10.25, 8])
        self.key(page, "Ctrl+Z")
        self.assertEqual(self.boxes(page), [[8, 4, 10.25, 8]])
        self.key(page, "Ctrl+Z")
        self.assertEqual(self.boxes(page), [self.BOX])
        self.key(page, "Ctrl+Shift+Z", "Ctrl+Shift+Z")
        self.assertEqual(self.boxes(page), [[29.75, 22, 10.25, 8]])
        self.assertEqual([one["uuid"] for one in self.told(page, "undo")], ["entry-2", "entry-1"])

    def test_arrow_keys_move_it_one_change_for_each_press(self):
        page = self.lab_with()
        self.chosen(page)
        self.key(page, "ArrowRight")
        self.assertEqual(self.last(page)["box"], [6, 5, 10.25, 8])
        self.key(page, "Shift+ArrowDown")
        self.assertEqual(self.last(page)["box"], [6, 15, 10.25, 8])
        self.key(page, "Ctrl+ArrowLeft")
        self.assertEqual(self.last(page)["box"], [6, 15, 9.25, 8])
        self.assertEqual(len(self.told(page, "change")), 3)
        # Without a selected box, arrows move the image.
        self.key(page, "w", "ArrowRight")
        self.assertEqual(len(self.told(page, "change")), 3)

    def test_escape_ends_a_drag_without_a_change(self):
        page = self.lab_with()
        self.chosen(page)
        page.mouse("mousePressed", *self.at(page, 9, 9), button="left", buttons=1, clickCount=1)
        page.mouse("mouseMoved", *self.at(page, 20, 20), button="left", buttons=1)
        self.key(page, "Escape")
        page.mouse("mouseReleased", *self.at(page, 20, 20), button="left", clickCount=1)
        self.rest(page)
        self.assertEqual(self.told(page, "change"), [])
        self.assertEqual(self.boxes(page), [self.BOX])

    def test_a_click_selects_and_a_tiny_box_is_not_added(self):
        page = self.lab_with(["b", "disc", self.BOX], ["c", "ring", [7, 7, 3, 3]])
        self.chosen(page)
        self.assertIn("ring 1: a box of 3 × 3", page.text(".canvas-foot"))
        self.drag(page, (25, 20), (25.5, 20.6))
        self.assertEqual(self.told(page, "change"), [])
        self.assertIn("smaller than a pixel", self.told(page, "say")[-1])

    def test_class_and_deletion_of_a_box(self):
        page = self.lab_with()
        self.chosen(page)
        page.call("() => { const menu = document.querySelector('[aria-label=\"Class of the selected object\"]');"
                  " menu.value = 'ring'; menu.dispatchEvent(new Event('change')); }")
        self.assertEqual(self.last(page), {"kind": "category", "target": "b", "category": "ring"})
        self.key(page, "Delete")
        self.assertEqual(self.last(page), {"kind": "remove", "target": "b", "category": "ring"})
        self.key(page, "Ctrl+Z")
        self.assertEqual(self.boxes(page), [self.BOX])

    def test_one_detection_is_taken(self):
        run = {"name": "d", "masks": [], "maps": [], "score": 0.5, "taken": [], "boxes": [
            {"category": "ring", "confidence": 0.8, "box": [20.5, 10, 10, 8], "counts": None},
            {"category": "disc", "confidence": 0.9, "box": [18, 8, 20, 20], "counts": None}]}
        page = self.lab_with(run=run)
        page.mouse("mouseMoved", *self.at(page, 25, 14))
        self.key(page, "Shift+I")
        self.assertEqual(self.last(page), {"kind": "add", "category": "ring", "box": [20.5, 10, 10, 8]})
        self.key(page, "Shift+I")
        self.assertIn("already", self.told(page, "say")[-1])
        page.mouse("mouseMoved", *self.at(page, 2, 2))
        self.key(page, "Shift+I")
        self.assertIn("Point at a detection", self.told(page, "say")[-1])
        self.assertEqual(len(self.told(page, "change")), 1)
        # The class to draw is the one that was chosen, not that of the detection.
        self.drag(page, (30, 2), (35, 7))
        self.assertEqual(self.last(page)["category"], "disc")
        self.assertEqual(len(self.told(page, "change")), 2)
        before = len(self.boxes(page))
        self.key(page, "Ctrl+Z", "Ctrl+Z")
        self.assertEqual(len(self.boxes(page)), before - 2)
        self.key(page, "Ctrl+Shift+Z")
        self.assertEqual(len(self.boxes(page)), before - 1)

    def test_all_detections_of_a_class_are_taken_at_once(self):
        def one(category, confidence, box, counts=None):
            return {"category": category, "confidence": confidence, "box": box, "counts": counts}
        run = {"name": "d", "masks": [], "maps": [], "score": 0.5, "taken": [], "boxes": [
            one("disc", 0.9, [18, 8, 20, 20]), one("ring", 0.8, [20.5, 10, 10, 8]),
            # Nearly the object that is there.
            one("disc", 0.7, [self.BOX[0] + 1, *self.BOX[1:]]), one("disc", 0.6, [2, 30, 5, 6]), one("disc", 0.3, [40, 30, 5, 5])]}
        page = self.lab_with(["b", "disc", self.BOX], run=run)
        self.key(page, "%")
        changes = self.told(page, "change")
        self.assertEqual([(each["kind"], each["category"], each["box"]) for each in changes],
                         [("add", "disc", [18, 8, 20, 20]), ("add", "disc", [2, 30, 5, 6])])
        self.assertEqual(self.told(page, "say")[-1],
                         "disc: 2 detections of at least 0.50 taken from the run; 1 left out, which overlap objects that are there")
        self.key(page, "%")
        self.assertIn("All 3 detections of disc are in the ground truth already", self.told(page, "say")[-1])
        self.assertEqual(len(self.told(page, "change")), 2)
        # One step.
        self.key(page, "Ctrl+Z")
        self.assertEqual(self.boxes(page), [self.BOX])
        self.key(page, "Ctrl+Shift+Z")
        self.assertEqual(len(self.boxes(page)), 3)

    def test_masks_of_detections_are_taken_as_masks(self):
        first, second = box(1, 1, 6, 4), box(20, 20, 30, 28)
        run = {"name": "d", "masks": [], "maps": [], "score": 0.5, "taken": [], "boxes": [
            {"category": "ring", "confidence": 0.9, "box": [1, 1, 5, 3], "counts": text(first, self.size)},
            {"category": "disc", "confidence": 0.8, "box": [20, 20, 10, 8], "counts": text(second, self.size)}]}
        page = self.lab_with(run=run)
        self.key(page, "%")
        change = self.last(page)
        self.assertEqual((change["kind"], change["category"], change["pixels"]), ("add", "disc", second))
        page.mouse("mouseMoved", *self.at(page, 3, 2))
        self.key(page, "Shift+I")
        change = self.last(page)
        self.assertEqual((change["kind"], change["category"], change["pixels"]), ("add", "ring", first))
        self.assertIn("ring 1: taken from the run, 0.90", self.told(page, "say")[-1])
        # The class to draw stays.
        self.drag(page, (30, 2), (35, 7))
        self.assertEqual(self.last(page)["category"], "disc")

    def test_the_keyboard_alone_draws_a_box(self):
        page = self.lab_with(["b", "disc", [30, 2, 5, 5]])
        self.key(page, "k", "Shift+Space", *["ArrowRight"] * 4, *["ArrowDown"] * 3, "Space")
        change = self.last(page)
        self.assertEqual((change["kind"], change["box"][2:]), ("add", [4, 3]))

    def test_the_states_at_every_size_light_and_dark(self):
        page = self.lab_with()
        self.chosen(page)
        for width, height in ((1400, 900), (1000, 700), (390, 844)):
            page.resize(width, height)
            for is_dark in (False, True):
                page.dark(is_dark)
                self.rest(page)
                page.shot("boxes-%d-%s" % (width, "dark" if is_dark else "light"))


class Program(Strokes, ProgramCase):
    """Boxes with the program: a dataset of boxes, a detector's review, and the export."""

    task = "boxes"

    def test_boxes_are_drawn_moved_undone_after_a_reload_and_exported(self):
        page = self.open()
        before = self.sample(page)["objects"]
        self.assertEqual([one["shape"] for one in before], ["box"])
        # A review of a detector starts with the box tool.
        page.drag([self.place(page, 0.9, 0.1), self.place(page, 1.0, 0.2), self.place(page, 1.2, 0.4)])
        self.saved(page, 1)
        page.key("ArrowRight")
        self.saved(page, 2)
        self.assertEqual(self.kinds(), ["add", "outline"])
        made = self.sample(page)["objects"][1]
        drawn = self.server.entries()[0]["box"]
        self.assertEqual(made["box"], [drawn[0] + 1, *drawn[1:]])
        page.shot("boxes-program")
        page.reload()
        self.ready(page)
        page.key("Ctrl+Z")
        self.saved(page, 3)
        self.assertEqual(self.sample(page)["objects"][1]["box"], drawn)
        page.key("Shift+I")
        page.key("Enter")
        self.saved(page, 4)
        # Boxes in place of boxes are asked for.
        page.key("t")
        page.until("document.body.innerText", wanted=lambda words: "Using the prediction will replace " in words and "Keep ground truth" in words)
        page.key("Escape")
        self.server.run("corrections", "verify")
        self.server.run("export", "boxed", "--to", "coco", "--out", os.path.join(self.server.folder, "out"), "--corrected")
        with open(os.path.join(self.server.folder, "out", "annotations", "instances.json"), encoding="utf-8") as file:
            self.assertIn(drawn, [one["bbox"] for one in json.load(file)["annotations"]])


if __name__ == "__main__":
    main()
