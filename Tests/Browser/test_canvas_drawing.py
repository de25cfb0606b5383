"""Drawing with a mouse: every tool sets exactly the expected pixels."""

from canvas_case import CanvasCase, box, text
from case import main

RIM = box(10, 8, 20, 18) - box(12, 10, 18, 16)


class Drawing(CanvasCase):
    def test_a_brush_of_one_pixel_sets_one_pixel(self):
        page = self.lab()
        self.size_of_brush(page, 1)
        self.draw(page, (7, 5))
        self.assertEqual(self.last(page), {
            "kind": "mask", "target": None, "category": "disc", "size": [30, 40], "empty": False,
            "pixels": {(7, 5)}})

    def test_a_stroke_is_one_change_and_covers_its_line(self):
        page = self.lab()
        self.size_of_brush(page, 3)
        self.draw(page, (5, 5), (9, 5), (9, 5), (20, 5))
        self.assertEqual(len(self.told(page, "change")), 1)
        self.assertEqual(self.last(page)["pixels"], box(4, 4, 22, 7))

    def test_shift_and_click_draws_a_straight_line_from_the_last_strokes_end(self):
        page = self.lab()
        self.size_of_brush(page, 1)
        self.draw(page, (5, 5))
        self.draw(page, (15, 5), modifiers=8)
        self.assertEqual(self.last(page)["pixels"], box(5, 5, 16, 6))
        self.draw(page, (15, 9), modifiers=8)
        self.assertEqual(self.last(page)["pixels"], box(5, 5, 16, 6) | box(15, 5, 16, 10))

    def test_opening_another_sample_in_the_middle_of_a_stroke_saves_nothing_there(self):
        page = self.lab()
        self.key(page, "g")
        x, y = self.at(page, 12.5, 10.5)
        page.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        page.evaluate("""lab.canvas.open({ sample: { id: 2, key: "b", width: 40, height: 30 },
            state: { objects: [] }, image: lab.image, categories: ["disc"], mapURL: () => null })""")
        page.mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.rest(page)
        self.rest(page)
        self.assertEqual(self.told(page, "change"), [])

    def test_two_fingers_zoom_and_draw_nothing(self):
        page = self.lab()
        before = self.at(page, 10, 10)

        def touch(kind, *places):
            page.send("Input.dispatchTouchEvent", type=kind, touchPoints=[
                {"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)])

        touch("touchStart", (300, 300))
        touch("touchStart", (300, 300), (400, 300))
        for step in range(1, 6):
            touch("touchMove", (300 - 10 * step, 300), (400 + 10 * step, 300))
        touch("touchEnd")
        self.rest(page)
        self.assertEqual(self.told(page, "change"), [])
        self.assertNotEqual(self.at(page, 10, 10), before)
        self.key(page, "0")
        self.size_of_brush(page, 1)
        x, y = self.at(page, 5.5, 5.5)
        touch("touchStart", (x, y))
        touch("touchEnd")
        self.rest(page)
        self.assertEqual(self.last(page)["pixels"], {(5, 5)})

    def test_a_stroke_over_what_is_set_already_is_no_change(self):
        page = self.lab([["a", "disc", box(0, 0, 20, 20), False]])
        self.size_of_brush(page, 3)
        self.draw(page, (5, 5), (8, 8))
        self.assertEqual(self.told(page, "change"), [])

    def test_the_eraser_takes_away_and_alt_turns_the_brush_around(self):
        page = self.lab([["a", "disc", box(0, 0, 20, 20), False]])
        self.size_of_brush(page, 1)
        self.key(page, "e")
        self.draw(page, (3, 3))
        self.key(page, "b")
        self.draw(page, (5, 5), modifiers=1)
        x, y = self.at(page, 7.5, 7.5)
        page.mouse("mousePressed", x, y, button="right", buttons=2, clickCount=1)
        page.mouse("mouseReleased", x, y, button="right", clickCount=1)
        self.rest(page)
        self.assertEqual(self.last(page)["pixels"], box(0, 0, 20, 20) - {(3, 3), (5, 5), (7, 7)})

    def test_erasing_everything_says_that_it_is_empty(self):
        page = self.lab([["a", "disc", {(4, 4)}, False]])
        self.key(page, "e")
        self.draw(page, (4, 4))
        change = self.last(page)
        self.assertEqual((change["empty"], change["pixels"]), (True, set()))

    def test_escape_calls_a_stroke_off(self):
        page = self.lab()
        x, y = self.at(page, 5.5, 5.5)
        page.mouse("mouseMoved", x, y)
        page.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        page.mouse("mouseMoved", x + 40, y, button="left", buttons=1)
        self.key(page, "Escape")
        page.mouse("mouseReleased", x + 40, y, button="left", clickCount=1)
        self.rest(page)
        self.assertEqual(self.told(page, "change"), [])
        self.assertIn("0 pixels", page.text(".canvas-foot"))

    def test_a_polygon_holds_the_pixels_whose_centres_it_holds(self):
        page = self.lab()
        self.key(page, "p")
        for corner in ((4, 4), (14, 4), (14, 9), (4, 9)):
            page.drag([self.at(page, *corner)])
        self.assertEqual(self.told(page, "change"), [])
        self.key(page, "Enter")
        self.assertEqual(self.last(page)["pixels"], box(4, 4, 14, 9))
        self.key(page, "Shift+P")
        for corner in ((6, 0), (8, 0), (8, 29), (6, 29)):
            page.drag([self.at(page, *corner)])
        page.drag([self.at(page, 6, 0)])
        self.rest(page)
        self.assertEqual(self.last(page)["pixels"], box(4, 4, 14, 9) - box(6, 0, 8, 29))

    def test_backspace_takes_a_corner_back_and_escape_calls_the_polygon_off(self):
        page = self.lab()
        self.key(page, "p")
        for corner in ((4, 4), (14, 4), (14, 9), (30, 25)):
            page.drag([self.at(page, *corner)])
        self.key(page, "Backspace")
        page.drag([self.at(page, 4, 9)])
        self.key(page, "Enter")
        self.assertEqual(self.last(page)["pixels"], box(4, 4, 14, 9))
        for corner in ((20, 20), (30, 20), (30, 25)):
            page.drag([self.at(page, *corner)])
        self.key(page, "Escape", "Enter")
        self.assertEqual(len(self.told(page, "change")), 1)

    def test_fill_fills_inside_a_closed_outline_only(self):
        page = self.lab([["a", "disc", RIM, False]])
        self.key(page, "f")
        self.draw(page, (2, 2))
        self.assertEqual(self.told(page, "change"), [])
        self.assertIn("not closed", self.told(page, "say")[-1])
        self.draw(page, (14, 12))
        self.assertEqual(self.last(page)["pixels"], box(10, 8, 20, 18))
        self.draw(page, (14, 12), modifiers=1)
        self.assertEqual(self.last(page)["pixels"], set())

    def test_a_flood_takes_the_color_within_the_tolerance(self):
        page = self.lab()
        self.key(page, "g")
        page.call("() => lab.canvas.set('tolerance', 10)")
        self.draw(page, (12, 10))
        dark = box(10, 8, 30, 23) - box(20, 15, 25, 19)
        # The step of gray ends within a pixel: its border is excluded from the comparison.
        rim = box(19, 14, 26, 20) - box(21, 16, 24, 18) | box(9, 7, 31, 24) - box(11, 9, 29, 22)
        self.assertEqual(self.last(page)["pixels"] - rim, dark - rim)
        self.key(page, "Ctrl+Z")
        page.call("() => lab.canvas.set('tolerance', 20)")
        self.draw(page, (12, 10))
        self.assertEqual(self.last(page)["pixels"] - rim, box(10, 8, 30, 23) - rim)

    def test_dragging_a_flood_sideways_changes_the_tolerance(self):
        page = self.lab()
        self.key(page, "g")
        page.call("() => lab.canvas.set('tolerance', 0)")
        x, y = self.at(page, 12.5, 10.5)
        page.drag([(x, y), (x + 30, y), (x + 60, y)])
        self.rest(page)
        self.assertEqual(page.evaluate("lab.canvas.options.tolerance"), 18)
        self.assertIn((22, 17), self.last(page)["pixels"])
        self.assertEqual(len(self.told(page, "change")), 1)

    def test_the_shape_actions(self):
        page = self.lab([["a", "disc", RIM | {(1, 1)}, False]])
        for key, wanted in (
                ("Shift+F", box(10, 8, 20, 18) | {(1, 1)}), ("Shift+L", box(10, 8, 20, 18)),
                (">", box(9, 7, 21, 19)), ("<", box(10, 8, 20, 18))):
            self.key(page, key)
            self.assertEqual(self.last(page)["pixels"], wanted, key)
        self.key(page, "Shift+O")
        self.assertEqual(len(self.told(page, "change")), 4)
        self.assertIn("no change", self.told(page, "say")[-1])

    def test_a_shape_too_long_for_the_page_comes_from_the_worker_and_is_the_same(self):
        page = self.lab(size=[300, 300])
        counts = page.evaluate("""(async () => {
            const { compressed, maskFromBits } = await import("/app/run-lengths.js");
            const bits = Uint8Array.from({ length: 90000 }, (_, at) => (at * 7919 % 13 < 6 ? 1 : 0));
            const counts = compressed(maskFromBits(bits, 300, 300));
            lab.canvas.show({ objects: [{ target: "a", category: "disc", box: null, counts }] });
            return counts; })()""")
        for key, shape in (("Shift+C", "closed"), ("<", "eroded"), ("Shift+O", "opened")):
            changes = len(self.told(page, "change"))
            self.key(page, key)
            expected = page.call("""async (counts, shape) => {
                const { compressed, maskFromCompressed } = await import("/app/run-lengths.js");
                const shapes = await import("/app/morphology.js");
                return compressed(shapes[shape](maskFromCompressed(300, 300, counts), 1)); }""", counts, shape)
            if expected != counts:
                self.assertEqual(len(self.told(page, "change")), changes + 1, shape)
                self.assertEqual(self.told(page, "change")[-1]["counts"], expected, shape)
            counts = expected

    def test_start_from_the_model_its_map_and_the_truth(self):
        model = box(5, 5, 25, 25)
        run = {"name": "r", "maps": [], "boxes": [],
               "masks": [{"category": "disc", "counts": text(model, self.size)}]}
        page = self.lab([["a", "disc", RIM, False]], run)
        self.key(page, "Shift+M")
        self.assertEqual(self.last(page)["pixels"], model)
        self.key(page, "Shift+T")
        self.assertEqual(self.last(page)["pixels"], RIM)
        self.key(page, "Shift+Delete")
        self.assertTrue(self.last(page)["empty"])

    def test_a_threshold_cuts_the_models_map(self):
        # q = 255 − 6x: at 0.6 the pixels of at least 153 are those up to x = 17.
        values = [max(255 - 6 * x, 0) for _ in range(30) for x in range(40)]
        run = {"name": "r", "maps": ["disc"], "boxes": [], "masks": []}
        page = self.lab(run=run, map=values)
        page.call("() => lab.canvas.set('threshold', 0.6)")
        self.key(page, "Shift+M")
        self.assertEqual(self.last(page)["pixels"], box(0, 0, 18, 30))
        self.key(page, ".")
        self.assertEqual(page.evaluate("lab.canvas.options.threshold"), 0.62)
        self.key(page, "Shift+M")
        self.assertEqual(self.last(page)["pixels"], box(0, 0, 17, 30))


if __name__ == "__main__":
    main()
