"""Cutting objects out of the image: the box, the strokes, what is saved, and the program's own proposal."""

import os

import runlengths
from canvas_case import CanvasCase, box
from case import ProgramCase, main
from strokes import Strokes


class Cutouts(CanvasCase):
    """The editor alone: the proposal is the box without its border, with the strokes."""

    def lab_with(self, **more):
        page = self.lab(**more)
        page.evaluate("lab.canvas.focus()")
        self.size_of_brush(page, 4)
        self.key(page, "Shift+Q")
        return page

    def drag(self, page, start, end, **more):
        page.drag([self.at(page, *start), self.at(page, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2), self.at(page, *end)], **more)
        self.rest(page)

    def says(self, page, words):
        page.until("lab.told.filter(([what]) => what === 'say').map(one => one[1]).join('\\n')", wanted=lambda text: words in (text or ""))

    def asked(self, page):
        return self.told(page, "cutout")

    def propose(self, page):
        self.drag(page, (10, 5), (25, 20))
        self.says(page, "Proposed")

    def test_a_box_is_dragged_and_enter_makes_a_new_object(self):
        page = self.lab_with()
        self.propose(page)
        [question] = self.asked(page)
        for value, wanted in zip(question["box"], [10, 5, 15, 15]):
            self.assertAlmostEqual(value, wanted, delta=0.1)
        self.assertEqual(question["strokes"], [])
        self.assertNotIn("counts", question)
        self.assertEqual(self.told(page, "change"), [])
        page.shot("cutout-proposal")
        self.key(page, "Enter")
        found = self.last(page)
        self.assertEqual((found["kind"], found["category"]), ("add", "disc"))
        self.assertTrue(box(12, 7, 23, 18) <= found["pixels"] <= box(10, 5, 25, 20))
        self.assertEqual(len(self.told(page, "change")), 1)
        self.key(page, "Ctrl+Z")
        self.assertEqual(page.evaluate("lab.canvas.objects.items.length"), 0)
        self.key(page, "Ctrl+Shift+Z")
        self.assertEqual(page.evaluate("lab.canvas.objects.items.length"), 1)

    def test_strokes_refine_the_proposal_and_undo_removes_them(self):
        page = self.lab_with()
        self.propose(page)
        self.drag(page, (28, 10), (32, 10))
        self.says(page, "Proposed")
        page.until("lab.told.filter(([what]) => what === 'cutout').length === 2")
        self.drag(page, (15, 10), (18, 10), modifiers=1)
        page.until("lab.told.filter(([what]) => what === 'cutout').length === 3")
        strokes = self.asked(page)[-1]["strokes"]
        self.assertEqual([(one["object"], one["radius"]) for one in strokes], [(True, 2), (False, 2)])
        self.assertGreaterEqual(len(strokes[0]["points"]), 4)
        page.shot("cutout-strokes")
        self.key(page, "Ctrl+Z")
        page.until("lab.told.filter(([what]) => what === 'cutout').length === 4")
        self.assertEqual(len(self.asked(page)[-1]["strokes"]), 1)
        self.says(page, "Proposed")
        self.key(page, "Enter")
        found = self.last(page)["pixels"]
        self.assertTrue(box(28, 9, 32, 11) <= found and box(15, 9, 18, 11) <= found)
        self.assertEqual(self.told(page, "undo"), [])

    def test_escape_and_another_tool_drop_the_proposal(self):
        page = self.lab_with()
        for leave in ("Escape", "b", "Ctrl+Z", "Backspace"):
            self.key(page, "Shift+Q")
            self.propose(page)
            self.key(page, leave)
            self.assertFalse(page.evaluate("lab.canvas.isDrawing"))
            self.key(page, "Enter")
        self.assertEqual(self.told(page, "change"), [])

    def test_the_mask_of_the_selected_object_is_the_start_and_changes(self):
        page = self.lab_with(objects=[("a", "disc", box(11, 6, 15, 10), False)])
        self.key(page, "Tab")
        self.propose(page)
        self.assertIn("counts", self.asked(page)[0])
        self.assertEqual(self.asked(page)[0]["size"], [30, 40])
        self.key(page, "Enter")
        found = self.last(page)
        self.assertEqual((found["kind"], found["target"]), ("mask", "a"))
        # Another selection is no reason to change another object.
        self.propose(page)
        self.key(page, "2", "Enter")
        self.says(page, "Another object is selected")
        self.assertEqual(len(self.told(page, "change")), 1)

    def test_an_object_that_somebody_else_changed_stays(self):
        page = self.lab_with(objects=[("a", "disc", box(11, 6, 15, 10), False)])
        self.key(page, "Tab")
        self.propose(page)
        page.evaluate("lab.canvas.show({ objects: [], head: 3 })")
        self.key(page, "Enter")
        self.says(page, "in the meantime")
        self.assertEqual(self.told(page, "change"), [])

    def test_a_box_stays_a_box_and_the_cutout_is_a_new_object(self):
        page = self.lab_with(boxes=[("b", "disc", [4, 4, 14, 14])])
        self.key(page, "Tab")
        self.propose(page)
        self.key(page, "Enter")
        self.assertEqual(self.last(page)["kind"], "add")
        self.assertTrue(page.evaluate("lab.canvas.objects.find('b').isBox"))

    def test_a_line_on_an_object_begins_too(self):
        page = self.lab_with()
        self.drag(page, (15, 12), (22, 12), modifiers=8)
        self.says(page, "Proposed")
        [question] = self.asked(page)
        self.assertEqual([one["object"] for one in question["strokes"]], [True])
        left, top, width, height = question["box"]
        self.assertTrue(left < 12 and top < 9 and left + width > 25 and top + height > 15)

    def test_an_answer_that_is_late_is_forgotten(self):
        page = self.lab_with()
        page.evaluate("void (lab.gate = new Promise((done) => { lab.open = done; }))")
        self.drag(page, (10, 5), (25, 20))
        self.key(page, "Enter")
        self.says(page, "not there yet")
        self.key(page, "Escape")
        page.evaluate("void lab.open()")
        self.rest(page)
        self.assertFalse(page.evaluate("lab.canvas.isDrawing"))
        self.key(page, "Enter")
        self.assertEqual(self.told(page, "change"), [])

    def test_what_the_server_refuses_is_said_and_can_be_mended(self):
        page = self.lab_with()
        page.evaluate("void (lab.fault = 'noCutout')")
        self.drag(page, (1, 1), (39, 29))
        self.says(page, "No cut-out: no background is left")
        self.assertTrue(page.evaluate("lab.canvas.isDrawing"))
        self.key(page, "Enter")
        self.says(page, "Nothing is cut out")
        page.evaluate("void (lab.fault = null)")
        self.drag(page, (3, 3), (3, 8), modifiers=1)
        self.says(page, "Proposed")
        self.key(page, "Escape")
        page.evaluate("void (lab.fault = 'busy')")
        self.drag(page, (10, 5), (25, 20))
        self.says(page, "No cut-out")
        self.assertFalse(page.evaluate("lab.canvas.isDrawing"))
        self.assertEqual(self.told(page, "change"), [])

    def test_the_keyboard_alone_cuts_out(self):
        page = self.lab_with()
        self.key(page, "k", *["Shift+ArrowUp"] * 1, "Shift+Space", *["Shift+ArrowRight", "Shift+ArrowDown"], "Space")
        self.says(page, "Pen up") if not self.asked(page) else None
        page.until("lab.told.filter(([what]) => what === 'cutout').length === 1")
        page.until("lab.told.some(([what, text]) => what === 'say' && text.startsWith('Proposed'))")
        self.key(page, "Enter")
        self.assertEqual(self.last(page)["kind"], "add")

    def test_a_click_selects_and_a_small_box_is_no_question(self):
        page = self.lab_with(objects=[("a", "ring", box(11, 6, 15, 10), False)])
        page.drag([self.at(page, 12, 8)])
        self.rest(page)
        self.assertEqual(page.evaluate("lab.canvas.selected"), "a")
        self.drag(page, (20, 20), (21.5, 28))
        self.says(page, "too small")
        self.assertEqual(self.asked(page), [])

    def test_the_states_at_every_size_light_and_dark(self):
        page = self.lab_with(picture="disc", size=(120, 160))
        self.size_of_brush(page, 8)
        self.drag(page, (30, 12), (130, 108))
        self.says(page, "Proposed")
        self.drag(page, (135, 30), (140, 60))
        self.drag(page, (40, 30), (60, 30), modifiers=1)
        for width, height in ((1400, 900), (390, 844)):
            page.resize(width, height)
            for is_dark in (False, True):
                page.dark(is_dark)
                self.rest(page)
                page.shot("cutout-%d-%s" % (width, "dark" if is_dark else "light"))
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)


class Program(Strokes, ProgramCase):
    """With the program: the server's proposal, the ledger, undo after a reload."""

    task = "mask"

    def test_the_object_of_a_box_is_saved_and_taken_back(self):
        page = self.open()
        state = self.sample(page)
        size = [state["sample"]["height"], state["sample"]["width"]]
        before = len(state["objects"])
        truth = runlengths.bits(state["objects"][0]["counts"], size)
        page.evaluate("document.querySelector('.canvas-stage').focus()")
        page.key("Shift+Q")
        left, top, width, height = state["objects"][0]["box"]
        places = page.call("""([x, y, width, height]) => import('/app/app.js').then(() => {
            const stage = document.querySelector('.canvas-stage'); const box = stage.getBoundingClientRect();
            return [box.left, box.top, box.width, box.height]; })""", [left, top, width, height])
        # The image is fitted at a whole multiple of its pixels, in the middle.
        scale = min((places[2] - 16) / size[1], (places[3] - 16) / size[0])
        scale = int(scale) if scale >= 2 else scale
        x0, y0 = places[0] + (places[2] - size[1] * scale) / 2, places[1] + (places[3] - size[0] * scale) / 2
        margin = 8
        corner = (x0 + max(left - margin, 1) * scale, y0 + max(top - margin, 1) * scale)
        end = (x0 + min(left + width + margin, size[1] - 1) * scale, y0 + min(top + height + margin, size[0] - 1) * scale)
        page.drag([corner, ((corner[0] + end[0]) / 2, (corner[1] + end[1]) / 2), end])
        page.until("document.querySelector('.canvas-foot').innerText", wanted=lambda text: "Proposed" in text)
        page.shot("cutout-program")
        self.assertEqual(self.server.entries(), [])
        page.key("Enter")
        self.saved(page, 1)
        self.assertEqual(self.kinds(), ["add"])
        found = self.sample(page)["objects"]
        self.assertEqual(len(found), before + 1)
        own = runlengths.bits(found[-1]["counts"], size)
        both, either = runlengths.area(own & truth), runlengths.area(own | truth)
        # A disc of one color in a gradient; how good cut-outs are is tested against OpenCV's.
        self.assertGreater(both / either, 0.5)
        page.reload()
        self.ready(page)
        page.key("Ctrl+Z")
        self.saved(page, 2)
        self.assertEqual(len(self.sample(page)["objects"]), before)
        self.server.run("corrections", "verify")


if __name__ == "__main__":
    main()
