"""Asking a promptable model: clicks, boxes, what is saved, and what is said while it computes."""

from canvas_case import CanvasCase, box
from case import main


class Segments(CanvasCase):
    """The editor alone: the answer is a square around each point, and the box."""

    def lab_with(self, **more):
        page = self.lab(**more)
        page.evaluate("lab.canvas.focus()")
        self.key(page, "!")
        return page

    def click(self, page, x, y, **more):
        page.drag([self.at(page, x, y)], **more)
        self.rest(page)

    def says(self, page, words):
        page.until("lab.told.filter(([what]) => what === 'say').map(one => one[1]).join('\\n')", wanted=lambda text: words in (text or ""))

    def asked(self, page, count):
        page.until("lab.told.filter(([what]) => what === 'segment').length === %d" % count)
        self.says(page, "Proposed")
        return self.told(page, "segment")[-1]

    def test_clicks_refine_and_enter_makes_a_new_object(self):
        page = self.lab_with()
        self.click(page, 12.5, 12.5)
        question = self.asked(page, 1)
        [point] = question["points"]
        self.assertAlmostEqual(point["x"], 12.5, delta=0.1)
        self.assertTrue(point["object"])
        self.assertNotIn("box", question)
        self.says(page, "estimate of its IoU 0.87")
        self.click(page, 24.5, 12.5)
        self.click(page, 14.5, 12.5, modifiers=1)
        question = self.asked(page, 3)
        self.assertEqual([one["object"] for one in question["points"]], [True, True, False])
        page.shot("segment-clicks")
        self.key(page, "Ctrl+Z")
        self.assertEqual(len(self.asked(page, 4)["points"]), 2)
        self.assertEqual(self.told(page, "change"), [])
        self.key(page, "Enter")
        found = self.last(page)
        self.assertEqual((found["kind"], found["category"]), ("add", "disc"))
        self.assertEqual(found["pixels"], box(9, 9, 17, 17) | box(21, 9, 29, 17))
        self.key(page, "Ctrl+Z")
        self.assertEqual(page.evaluate("lab.canvas.objects.items.length"), 0)

    def test_a_box_and_a_click(self):
        page = self.lab_with()
        page.drag([self.at(page, 10, 5), self.at(page, 20, 15), self.at(page, 25, 20)])
        question = self.asked(page, 1)
        for value, wanted in zip(question["box"], [10, 5, 15, 15]):
            self.assertAlmostEqual(value, wanted, delta=0.1)
        self.assertEqual(question["points"], [])
        self.click(page, 12.5, 8.5, modifiers=1)
        question = self.asked(page, 2)
        self.assertEqual(([one["object"] for one in question["points"]], len(question["box"])), ([False], 4))
        self.key(page, "Escape")
        self.says(page, "Proposal canceled")
        self.key(page, "Enter")
        self.assertEqual(self.told(page, "change"), [])

    def test_the_selected_object_gets_the_mask(self):
        page = self.lab_with(objects=[("a", "disc", box(11, 6, 15, 10), False)])
        self.key(page, "Tab")
        self.click(page, 12.5, 12.5)
        self.asked(page, 1)
        self.key(page, "Enter")
        found = self.last(page)
        self.assertEqual((found["kind"], found["target"], found["pixels"]), ("mask", "a", box(9, 9, 17, 17)))

    def test_it_says_that_it_computes_and_forgets_late_answers(self):
        page = self.lab_with()
        page.evaluate("void (lab.gate = new Promise((done) => { lab.open = done; }))")
        self.click(page, 12.5, 12.5)
        page.until("document.querySelector('.canvas-foot').innerText", wanted=lambda text: "computing…" in text)
        page.shot("segment-computing")
        self.key(page, "Enter")
        self.says(page, "has not answered yet")
        self.key(page, "Escape")
        page.evaluate("void lab.open()")
        self.rest(page)
        self.assertFalse(page.evaluate("lab.canvas.isDrawing"))
        self.key(page, "Enter")
        self.assertEqual(self.told(page, "change"), [])

    def test_failures_and_wrong_clicks_are_said(self):
        page = self.lab_with()
        self.click(page, 12.5, 12.5, modifiers=1)
        self.says(page, "Click the object first")
        self.assertEqual(self.told(page, "segment"), [])
        page.evaluate("void (lab.fault = 'noAnswer')")
        self.click(page, 12.5, 12.5)
        self.says(page, "No answer of the model: the model cannot be read")
        self.assertFalse(page.evaluate("lab.canvas.isDrawing"))

    def test_without_a_model_the_tool_says_how_to_add_one(self):
        page = self.lab_with(noSegmenter=True)
        self.click(page, 12.5, 12.5)
        self.says(page, "assay model add ENCODER --decoder DECODER")
        self.assertEqual(self.told(page, "segment"), [])

    def test_the_keyboard_alone(self):
        page = self.lab_with()
        self.key(page, "k", "Space")
        self.asked(page, 1)
        self.key(page, "Shift+ArrowRight", "Ctrl+Space")
        question = self.asked(page, 2)
        self.assertEqual([one["object"] for one in question["points"]], [True, False])
        self.key(page, "Enter")
        self.assertEqual(self.last(page)["kind"], "add")

    def test_the_states_at_every_size_light_and_dark(self):
        page = self.lab_with(picture="disc", size=(120, 160))
        page.drag([self.at(page, 40, 20), self.at(page, 80, 60), self.at(page, 120, 100)])
        self.asked(page, 1)
        self.click(page, 125, 60)
        self.click(page, 50, 30, modifiers=1)
        self.asked(page, 3)
        for width, height in ((1400, 900), (390, 844)):
            page.resize(width, height)
            for is_dark in (False, True):
                page.dark(is_dark)
                self.rest(page)
                page.shot("segment-%d-%s" % (width, "dark" if is_dark else "light"))
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)


if __name__ == "__main__":
    main()
