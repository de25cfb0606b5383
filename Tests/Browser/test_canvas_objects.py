"""Objects and categories: selecting, creating, deleting, hiding; undo and redo; the server's responses."""

from canvas_case import CanvasCase, box, text
from case import main

LEFT, RIGHT, RING = box(2, 2, 10, 10), box(12, 2, 20, 10), box(25, 15, 35, 25)
OBJECTS = [["left", "disc", LEFT, False], ["right", "disc", RIGHT, False],
           ["ring", "ring", RING, False]]


class Objects(CanvasCase):
    def begin_drawing(self, objects=OBJECTS):
        page = self.lab(objects)
        self.size_of_brush(page, 1)
        return page

    def choose(self, page, *place):
        x, y = self.at(page, *place)
        page.drag([(x, y)], modifiers=2)
        self.rest(page)

    def test_a_click_chooses_an_object_and_a_stroke_changes_it_alone(self):
        page = self.begin_drawing()
        self.choose(page, 14.5, 5.5)
        self.assertIn("disc 2", page.text(".canvas-foot"))
        self.draw(page, (30, 2))
        change = self.last(page)
        self.assertEqual((change["target"], change["category"]), ("right", "disc"))
        self.assertEqual(change["pixels"], RIGHT | {(30, 2)})

    def test_tab_walks_through_the_objects_and_then_leaves(self):
        page = self.begin_drawing()
        page.evaluate("lab.canvas.focus()")
        for words in ("disc 1", "disc 2", "ring 1"):
            self.key(page, "Tab")
            self.assertIn(words, page.text(".canvas-foot"))
        self.key(page, "Shift+Tab")
        self.assertIn("disc 2", page.text(".canvas-foot"))
        self.key(page, "Tab", "Tab")
        self.assertFalse(page.evaluate("document.activeElement === lab.canvas.element"))

    def test_the_list_and_digits_choose_too(self):
        page = self.begin_drawing()
        self.key(page, "2")
        self.draw(page, (0, 0))
        self.assertEqual(self.last(page)["pixels"], RING | {(0, 0)})
        page.click("[data-key='left']")
        self.draw(page, (0, 5))
        self.assertEqual((self.last(page)["target"], self.last(page)["pixels"]),
                         ("left", LEFT | {(0, 5)}))
        self.key(page, "w")
        self.draw(page, (39, 0))
        self.assertEqual((self.last(page)["target"], self.last(page)["pixels"]),
                         (None, LEFT | RIGHT | {(0, 5), (39, 0)}))

    def test_a_category_edit_reaches_the_objects_it_touches(self):
        page = self.begin_drawing()
        # A bridge below both: ten columns of it touch the left disc, the right one only two.
        self.size_of_brush(page, 3)
        self.draw(page, (11, 11), (3, 11))
        self.assertEqual(len(self.told(page, "change")), 1)
        self.choose(page, 5.5, 5.5)
        self.size_of_brush(page, 1)
        self.draw(page, (0, 29))
        left = LEFT | (box(2, 10, 13, 13) - RIGHT) | {(0, 29)}
        self.assertEqual(self.last(page)["pixels"], left)

    def test_a_new_object_is_an_add_and_further_strokes_are_its_own(self):
        page = self.begin_drawing()
        self.key(page, "i")
        self.draw(page, (30, 5))
        change = self.last(page)
        self.assertEqual((change["kind"], change["category"], change["pixels"]),
                         ("add", "disc", {(30, 5)}))
        self.draw(page, (32, 5))
        change = self.last(page)
        self.assertEqual((change["kind"], change["target"], change["pixels"]),
                         ("mask", '{"entry":"entry-1"}', {(30, 5), (32, 5)}))
        self.key(page, "Ctrl+Z", "Ctrl+Z")
        self.assertEqual(self.told(page, "undo"), [{"uuid": "entry-2"}, {"uuid": "entry-1"}])
        self.assertIn("new disc: 0 pixels", page.text(".canvas-foot"))
        self.key(page, "Ctrl+Shift+Z", "Ctrl+Shift+Z")
        self.assertEqual(self.told(page, "redo"), [{"uuid": "entry-1"}, {"uuid": "entry-2"}])
        self.draw(page, (34, 5))
        self.assertEqual(self.last(page)["pixels"], {(30, 5), (32, 5), (34, 5)})

    def test_deleting_an_object_and_back(self):
        page = self.begin_drawing()
        self.key(page, "Delete")
        self.assertEqual(self.told(page, "change"), [])
        self.choose(page, 14.5, 5.5)
        self.key(page, "Delete")
        self.assertEqual(self.last(page), {"kind": "remove", "target": "right", "category": "disc"})
        self.draw(page, (0, 0))
        self.assertEqual(self.last(page)["pixels"], LEFT | {(0, 0)})
        self.key(page, "Ctrl+Z", "Ctrl+Z")
        self.key(page, "w")
        self.draw(page, (0, 1))
        self.assertEqual(self.last(page)["pixels"], LEFT | RIGHT | {(0, 1)})

    def test_an_object_can_be_of_another_category(self):
        page = self.begin_drawing()
        self.choose(page, 14.5, 5.5)
        page.evaluate("""(() => { const s = document.querySelector('.canvas-move select');
            s.value = 'ring'; s.dispatchEvent(new Event('change')); })()""")
        self.rest(page)
        self.assertEqual(self.last(page), {"kind": "category", "target": "right", "category": "ring"})
        self.key(page, "w")
        self.draw(page, (0, 1))
        self.assertEqual(self.last(page)["pixels"], RING | RIGHT | {(0, 1)})

    def test_a_category_chosen_while_no_picture_is_open_is_drawn_in_the_next_one(self):
        page = self.begin_drawing()
        page.evaluate("""(() => { lab.canvas.close(); lab.canvas.setCategory("ring"); lab.canvas.open({
            sample: { id: 2, key: "b", width: 40, height: 30 }, state: { objects: [] }, image: lab.image,
            categories: ["disc", "ring"], mapURL: () => null }); })()""")
        self.rest(page)
        self.draw(page, (3, 3))
        self.assertEqual(self.last(page)["category"], "ring")

    def test_undo_and_redo_without_end(self):
        page = self.begin_drawing([])
        states = [set()]
        for step in range(25):
            self.draw(page, (step, step), (step + 3, step))
            states.append(self.last(page)["pixels"])
        for step in range(25):
            self.key(page, "Ctrl+Z")
        self.assertEqual(len(self.told(page, "undo")), 25)
        self.assertIn(": 0 pixels", page.text(".canvas-foot"))
        self.key(page, *["Ctrl+Shift+Z"] * 12)
        self.assertIn(": %d pixels" % len(states[12]), page.text(".canvas-foot"))
        self.draw(page, (39, 29))
        self.assertEqual(self.last(page)["pixels"], states[12] | {(39, 29)})
        self.key(page, "Ctrl+Y")
        self.assertEqual(self.told(page, "redo")[-1], None)

    def test_undo_reaches_the_mask_it_was_made_on(self):
        page = self.begin_drawing()
        self.draw(page, (0, 0))
        self.key(page, "2")
        self.draw(page, (39, 29))
        self.key(page, "Ctrl+Z", "Ctrl+Z")
        self.assertIn("disc, all instances: %d" % len(LEFT | RIGHT), page.text(".canvas-foot"))
        self.key(page, "Ctrl+Z")
        self.assertEqual(self.told(page, "undo")[-1], None)

    def test_in_a_label_map_a_stroke_takes_pixels_from_other_classes(self):
        page = self.lab(OBJECTS, labelMap=True)
        self.size_of_brush(page, 1)
        stroke = {(x, 20) for x in range(20, 40)}
        self.draw(page, (20, 20), (39, 20))
        self.assertEqual(self.last(page)["pixels"], LEFT | RIGHT | stroke)
        self.key(page, "2")
        self.assertIn("ring all instances: %d" % len(RING - stroke), page.text(".canvas-foot").replace(",", ""))
        # Back: a pixel of the disc becomes one of the ring.
        self.draw(page, (25, 20))
        self.assertEqual(self.last(page)["pixels"], RING - stroke | {(25, 20)})
        self.key(page, "Ctrl+Z", "Ctrl+Z")
        self.assertIn("disc all instances: %d" % len(LEFT | RIGHT), page.text(".canvas-foot").replace(",", ""))
        self.key(page, "2")
        self.assertIn("ring all instances: %d" % len(RING), page.text(".canvas-foot").replace(",", ""))
        # Elsewhere classes share pixels.
        page = self.begin_drawing()
        self.draw(page, (20, 20), (39, 20))
        self.key(page, "2")
        self.assertIn("ring all instances: %d" % len(RING), page.text(".canvas-foot").replace(",", ""))

    def test_a_new_object_of_a_label_map_takes_pixels_too(self):
        page = self.lab([["all", "disc", box(0, 0, 40, 30), False]], labelMap=True)
        self.size_of_brush(page, 1)
        row = {(x, 0) for x in range(40)}
        self.key(page, "i")
        self.draw(page, (0, 0), (39, 0))
        self.assertEqual((self.last(page)["kind"], self.last(page)["pixels"]), ("add", row))
        page.click("[data-key='all']")
        self.rest(page)
        self.assertIn("disc 1: 1160", page.text(".canvas-foot").replace(",", ""))
        self.key(page, "Ctrl+Z")
        page.click("[data-key='all']")
        self.rest(page)
        self.assertIn("disc 1: 1200", page.text(".canvas-foot").replace(",", ""))

    def test_hidden_is_not_deleted_and_drawing_shows_it_again(self):
        page = self.begin_drawing()
        self.key(page, "Shift+H")
        self.assertEqual(self.told(page, "change"), [])
        self.assertEqual(self.told(page, "hidden"), [{"category": "disc", "isHidden": True}])
        self.draw(page, (0, 0))
        self.assertEqual(self.last(page)["pixels"], LEFT | RIGHT | {(0, 0)})
        self.assertEqual(self.told(page, "hidden")[-1], {"category": "disc", "isHidden": False})

    def test_the_servers_state_replaces_what_is_shown(self):
        page = self.begin_drawing()
        self.draw(page, (0, 0))
        state = {"objects": [{"target": "left", "category": "disc", "crowd": False, "box": None,
                              "counts": text(RING, self.size), "changed": True}]}
        page.call("state => lab.canvas.show(state)", state)
        self.draw(page, (1, 0))
        self.assertEqual(self.last(page)["pixels"], RING | {(1, 0)})
        self.assertFalse(page.evaluate("lab.canvas.undo() && lab.canvas.undo()"))

    def test_the_servers_state_that_is_the_same_keeps_undo(self):
        page = self.begin_drawing([["left", "disc", LEFT, False]])
        self.draw(page, (10, 5))
        state = {"objects": [{"target": "left", "category": "disc", "crowd": False, "box": None,
                              "counts": text(LEFT | {(10, 5)}, self.size), "changed": True}]}
        page.call("state => lab.canvas.show(state)", state)
        self.assertTrue(page.evaluate("lab.canvas.undo()"))
        self.rest(page)
        self.assertIn("%d pixels" % len(LEFT), page.text(".canvas-foot"))


if __name__ == "__main__":
    main()
