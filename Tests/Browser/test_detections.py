"""A detector's review: its boxes are drawn, and accepting them never removes masks without confirmation."""

import re

import runlengths
from canvas_case import CanvasCase, box, text
from case import BrowserCase, ProgramCase, main
from strokes import Strokes

TRUTH, MODEL = [0, 114, 178], [213, 94, 0]
COLOURS = """(x, y, reach) => { const stage = document.querySelector('.canvas-stage');
    const context = document.querySelector('.canvas-marks').getContext('2d');
    const [left, top] = lab.canvas.clientPlace(x, y);
    const box = stage.getBoundingClientRect();
    const data = context.getImageData(left - box.left - reach, top - box.top - reach, 2 * reach + 1, 2 * reach + 1).data;
    const found = new Set();
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) found.add([...data.slice(i, i + 3)].join());
    return [...found]; }"""


def detection(category, confidence, place):
    return {"category": category, "confidence": confidence, "box": place, "counts": None}


def detector(*boxes, taken=()):
    return {"name": "d", "masks": [], "maps": [], "score": 0.5, "boxes": list(boxes), "taken": list(taken)}


class Drawn(CanvasCase):
    """The editor alone."""

    def colors(self, page, x, y, reach=2):
        return [[int(one) for one in found.split(",")] for found in page.call(COLOURS, x, y, reach)]

    def test_detections_are_drawn_in_vermilion_with_class_and_confidence_and_the_truth_in_blue(self):
        page = self.lab([["a", "disc", box(4, 12, 14, 22), False]],
                        detector(detection("disc", 0.91, [20, 12, 10, 8]), detection("ring", 0.05, [33, 3, 4, 4])))
        self.assertIn(MODEL, self.colors(page, 25, 20))
        self.assertIn(TRUTH, self.colors(page, 4, 17, 8))
        # The text above the box is black on orange; below half the score nothing is drawn.
        self.assertIn([0, 0, 0], self.colors(page, 22, 11.5, 9))
        self.assertNotIn(MODEL, self.colors(page, 33, 5, 3))
        page.shot("detections-drawn")
        page.key("m")
        self.rest(page)
        self.assertNotIn(MODEL, self.colors(page, 25, 20))

    def test_a_box_can_be_chosen_and_deleted_and_a_stroke_does_not_take_it_away(self):
        page = self.lab(run=detector(), boxes=[["b", "disc", [5, 5, 10, 8]]])
        self.size_of_brush(page, 3)
        self.draw(page, (30, 20))
        self.assertEqual(self.told(page, "change"), [])
        self.assertIn("the box tool (A) draws and moves them", self.told(page, "say")[-1])
        self.key(page, "Shift+Delete", "Shift+F")
        self.assertEqual(self.told(page, "change"), [])
        self.key(page, "v")
        page.drag([self.at(page, 35, 25)])
        self.rest(page)
        self.assertIn("Drag with the box tool (A) to draw a box", self.told(page, "say")[-1])
        page.drag([self.at(page, 8.5, 8.5)])
        self.rest(page)
        self.assertIn("disc 1: a box of 10 × 8", page.text(".canvas-foot"))
        self.key(page, "Delete")
        self.assertEqual(self.last(page), {"kind": "remove", "target": "b", "category": "disc"})

    def test_a_new_object_is_drawn_beside_boxes(self):
        page = self.lab(run=detector(), boxes=[["b", "disc", [5, 5, 10, 8]]])
        self.size_of_brush(page, 1)
        self.key(page, "i")
        self.draw(page, (30, 20))
        self.assertEqual((self.last(page)["kind"], self.last(page)["pixels"]), ("add", {(30, 20)}))

    def test_the_models_start_says_that_there_are_boxes_and_no_mask(self):
        page = self.lab([["a", "disc", box(4, 12, 14, 22), False]], detector(detection("disc", 0.9, [1, 1, 5, 5])))
        self.key(page, "Shift+M")
        self.assertEqual(self.told(page, "say")[-1], "The run has boxes but no mask of disc")


class Parts(CanvasCase):
    """The model's mask in the editor alone: specks."""

    size = [60, 60]
    BODY, SPECKS, FAR = box(0, 0, 41, 30), {(x, 58) for x in range(0, 60, 4)}, box(50, 2, 53, 5) | box(50, 20, 53, 23)

    def lab_with(self, objects):
        run = {"name": "r", "maps": [], "boxes": [], "masks": [
            {"category": "disc", "counts": text(self.BODY | self.SPECKS | self.FAR, self.size)}]}
        return self.lab(objects, run)

    def test_no_speck_of_the_models_mask_becomes_an_object(self):
        page = self.lab_with([["a", "disc", box(0, 0, 40, 30), False]])
        self.key(page, "Shift+M")
        change = self.last(page)
        self.assertEqual(change["pixels"], self.BODY | self.FAR)
        self.assertEqual(change["instance_area"], 123)
        self.assertIn("without 15 small parts (15 pixels)", self.told(page, "say")[-1])
        areas = "lab.canvas.objects.items.map((one) => one.area)"
        self.assertEqual(page.evaluate(areas), [len(self.BODY), 18])
        self.key(page, "Ctrl+Z")
        self.assertEqual(page.evaluate(areas), [1200])
        self.key(page, "Ctrl+Shift+Z")
        self.assertEqual(page.evaluate(areas), [len(self.BODY), 18])

    def test_the_smallest_part_can_be_set_and_is_remembered(self):
        page = self.lab_with([["a", "disc", box(0, 0, 40, 30), False]])
        page.call("() => lab.canvas.set('smallestPart', 0)")
        self.key(page, "Shift+M")
        self.assertEqual(self.last(page)["pixels"], self.BODY | self.FAR | self.SPECKS)
        self.assertEqual(page.evaluate("lab.canvas.objects.items.length"), 2)
        self.key(page, *["'"] * 3)
        self.assertEqual(page.evaluate("lab.canvas.options.smallestPart"), 0.15)
        page.call("() => lab.canvas.set('smallestPart', 1)")
        self.key(page, "Ctrl+Z", "Shift+M")
        self.assertEqual(self.last(page)["pixels"], self.BODY)
        again = self.lab_with([])
        self.assertEqual(again.evaluate("lab.canvas.options.smallestPart"), 1)

    def test_a_part_over_an_object_stays_its_own_however_small(self):
        page = self.lab_with([["a", "disc", box(0, 0, 40, 30), False], ["b", "disc", {(4, 58), (4, 59)}, False]])
        self.key(page, "Shift+M")
        self.assertEqual(self.last(page)["pixels"], self.BODY | self.FAR | {(4, 58)})
        self.assertEqual(page.evaluate("lab.canvas.objects.find('b').area"), 1)

    def test_what_a_person_draws_makes_an_object_of_each_part_as_before(self):
        page = self.lab([["a", "disc", box(0, 0, 40, 30), False]])
        self.size_of_brush(page, 1)
        self.draw(page, (50, 50))
        self.draw(page, (55, 50))
        self.assertNotIn("instance_area", self.last(page))
        self.assertEqual(page.evaluate("lab.canvas.objects.items.map((one) => one.area)"), [1200, 1, 1])


class Taken(Strokes, BrowserCase):
    """The complete page with the stand-in."""

    task = "detect"

    def question(self, page):
        return page.text("#decide .confirm p")

    def test_taking_boxes_for_masks_asks_and_says_what_goes(self):
        page = self.open(size=(1400, 900))
        page.key("t")
        self.assertEqual(self.question(page), "Using the prediction will replace 2 masks of disc with 2 boxes, "
                         "which have no pixels.")
        page.shot("detections-question")
        # Enter is pressed by habit: it keeps the ground truth.
        page.key("Enter")
        page.until("document.querySelector('#spoken').innerText.startsWith('Prediction not used')")
        self.assertIsNone(self.question(page))
        page.key("t")
        page.key("Escape")
        page.until("document.querySelector('#decide .confirm') === null")
        self.assertEqual(self.server.entries(), [])
        self.assertEqual(len(self.shown(page)["objects"]), 2)
        page.key("t")
        page.key("y")
        self.saved(page, 1)
        entry = self.server.entries()[0]
        self.assertEqual((entry["kind"], entry["confirmed"], entry["smallest_share"]), ("take", True, 0.001))
        page.until("document.querySelectorAll('.canvas-small').length >= 2")
        self.assertEqual([o["shape"] for o in self.shown(page)["objects"]], ["box"] * 3)
        page.shot("detections-taken")
        page.key("Ctrl+Z")
        self.saved(page, 2)
        self.assertEqual([o["shape"] for o in self.shown(page)["objects"]], ["mask"] * 2)

    def test_predictions_of_classes_that_the_dataset_lacks_are_not_copied(self):
        page = self.open()
        for number in (2, 3, 4):
            page.key("l")
            self.ready(page, number)
        page.key("t")
        page.until("document.querySelector('#spoken').innerText",
                   wanted=lambda words: words.startswith("The dataset has none of the predicted classes: laptop."))
        self.assertIsNone(self.question(page))
        page.key("u")
        self.saved(page, 1)
        self.assertEqual(self.kinds(), ["unsure"])

    def test_boxes_for_boxes_are_asked_for_and_lose_nothing(self):
        page = self.open()
        page.key("l")
        self.ready(page, 2)
        page.key("t")
        page.until("document.querySelector('#decide .confirm p')?.innerText ?? ''",
                   wanted=lambda words: re.search(r"will replace \d+ box(es)? of \w+ with \d+ box", words))
        self.assertEqual(self.server.entries(), [])
        page.key("y")
        self.saved(page, 1)
        self.assertNotIn("confirmed", self.server.entries()[0])

    def test_the_question_is_left_by_going_on(self):
        page = self.open()
        page.key("t")
        page.key("l")
        self.ready(page, 2)
        self.assertIsNone(self.question(page))
        page.key("y")
        page.key("u")
        self.saved(page, 1)
        self.assertEqual(self.kinds(), ["unsure"])

    def test_it_is_said_how_boxes_are_drawn(self):
        page = self.open()
        self.assertIn("Drag with the box tool (A) to draw a box", page.text("#spoken"))
        page.key("v")
        page.drag([self.place(page, 1.4, -0.9)])
        page.until("document.querySelector('.canvas-foot').innerText.includes('Drag with the box tool (A)')")

    def test_the_states_at_every_size_light_and_dark(self):
        page = self.open()
        for width, height in ((1400, 900), (1000, 700), (390, 844)):
            page.resize(width, height)
            for is_dark in (False, True):
                page.dark(is_dark)
                page.key("t")
                page.until("document.querySelector('#decide .confirm') !== null")
                page.until("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(true))))")
                page.shot("detections-%d-%s" % (width, "dark" if is_dark else "light"))
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
                left, top, wide, high = page.box("#decide .confirm [data-answer='no']")
                self.assertLessEqual(left + wide, width)
                page.key("Escape")
                page.until("document.querySelector('#decide .confirm') === null")


class Program(Strokes, ProgramCase):
    """The page with the program itself."""

    task = "detect"

    def save(self, page, **body):
        """(status, code, message) of a save that bypasses the page."""
        return page.call("""async (body) => {
            const api = await import('/app/api.js');
            const { ledger, author } = await api.fetchSession();
            const id = document.querySelector('.entry[aria-current]').dataset.sample;
            const uuids = { uuid: crypto.randomUUID(), visit: crypto.randomUUID() };
            return api.request(`/api/samples/${id}/corrections`, { method: 'POST', headers: { 'If-Match': 'none' },
              body: { ledger, author, ...uuids, ...body } }).then(({ status }) => [status, null, null],
              ({ status, code, message }) => [status, code, message]); }""", body)

    def test_a_take_that_loses_masks_is_refused_by_the_program_and_asked_by_the_page(self):
        page = self.open()
        status, code, message = self.save(page, kind="take", run="detector-1")
        self.assertEqual((status, code), (422, "takeLoses"))
        self.assertRegex(message, "replace 1 mask of “disc” with 1 box, which has no pixels")
        self.assertEqual(self.server.entries(), [])
        page.key("t")
        self.assertIn("replace 1 mask of disc with 1 box, which has no pixels", page.text("#decide .confirm p"))
        page.key("y")
        self.saved(page, 1)
        state = self.sample(page)
        self.assertEqual({o["shape"] for o in state["objects"]}, {"box"})
        self.assertEqual(len(state["objects"]), sum(t["boxes"] for t in state["run"]["taken"]))
        page.shot("program-detections")
        # No stroke removes the boxes.
        page.key("b")
        self.stroke(page, 0.1, 0.1)
        page.until("document.querySelector('.canvas-foot').innerText.includes('the box tool (A) draws and moves them')")
        page.key("Ctrl+Z")
        self.saved(page, 2)
        self.assertEqual([o["shape"] for o in self.sample(page)["objects"]], ["mask"])
        self.assertEqual(self.kinds(), ["take", "undo"])
        self.server.run("corrections", "verify")

    def test_the_models_region_makes_the_same_objects_in_the_page_and_in_the_program(self):
        page = self.open()
        size = [120, 160]
        height = size[0]
        truth = runlengths.bits(self.sample(page)["objects"][0]["counts"], size)
        specks = sum(1 << (2 + 4 * i) * height + 2 + 3 * k for i in range(4) for k in range(2))
        status, code, _ = self.save(page, kind="mask", category="disc", size=size, instance_area=100,
                                    counts=runlengths.text_of(truth | specks, size))
        self.assertEqual((status, code), (201, None))
        areas = [runlengths.area(runlengths.bits(o["counts"], size)) for o in self.sample(page)["objects"]]
        self.assertEqual(areas, [runlengths.area(truth), runlengths.area(specks)])


if __name__ == "__main__":
    main()
