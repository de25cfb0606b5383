"""Viewing: zoom, pan, outlines and fills, blinking, the keyboard cursor, the messages."""

from canvas_case import CanvasCase, box, text
from case import main

SQUARE = box(10, 8, 20, 18)
TRUTH, MODEL = [0, 114, 178], [213, 94, 0]


class View(CanvasCase):
    def color(self, page, x, y, layer="masks"):
        """[red, green, blue, alpha] of a layer at a point of the image."""
        return page.call("""(x, y, layer) => { const [left, top] = lab.canvas.clientPlace(x, y);
            const box = lab.canvas.element.getBoundingClientRect();
            const context = document.querySelector('.canvas-' + layer).getContext('2d');
            return [...context.getImageData(left - box.left, top - box.top, 1, 1).data]; }""",
                         x, y, layer)

    def zoom(self, page):
        return page.text(".canvas-foot").split()[-2]

    def test_outline_and_fill_are_blue_and_the_models_outline_vermilion(self):
        model = box(14, 8, 24, 18)
        run = {"name": "r", "maps": [], "boxes": [],
               "masks": [{"category": "disc", "counts": text(model, self.size)}]}
        page = self.lab([["a", "disc", SQUARE, False]], run)
        self.assertEqual(self.color(page, 10.05, 12.5), TRUTH + [255])
        self.assertEqual(self.color(page, 12.5, 12.5)[3], round(255 * 0.35))
        # Outside the model's mask, at its edge, and not in the ground truth.
        self.assertEqual(self.color(page, 24.05, 12.5), MODEL + [255])
        self.assertEqual(self.color(page, 30.5, 12.5)[3], 0)
        self.key(page, "o")
        self.assertEqual(self.color(page, 12.5, 12.5)[3], 0)
        self.key(page, "m")
        self.assertEqual(self.color(page, 24.05, 12.5)[3], 0)
        self.key(page, "o", ")")
        self.assertEqual(self.color(page, 12.5, 12.5)[3], round(255 * 0.4))

    def test_a_stroke_redraws_just_as_a_whole_drawing_does(self):
        page = self.lab([["a", "disc", SQUARE, False], ["b", "ring", box(0, 0, 40, 4), False]])
        self.size_of_brush(page, 5)
        self.draw(page, (5, 3), (25, 20), (38, 2))
        drawn = "document.querySelector('.canvas-masks').toDataURL()"
        after = page.evaluate(drawn)
        self.key(page, "o", "o")
        self.assertEqual(page.evaluate(drawn), after)

    def test_zooming_to_the_pixel_shows_squares_and_a_grid(self):
        page = self.lab([["a", "disc", SQUARE, False]])
        page.mouse("mouseMoved", *self.at(page, 10.2, 8.2))
        self.key(page, *["+"] * 12)
        self.assertEqual(self.zoom(page), "6400")
        # One pixel has one color: the image's dark square begins at (10, 7.5).
        shades = {tuple(self.color(page, 10 + part / 10, 9.5, "picture")) for part in range(1, 10)}
        self.assertEqual(shades, {(32, 32, 32, 255)})
        self.assertGreater(self.color(page, 11.005, 9.5, "marks")[3], 0)
        self.assertEqual(self.color(page, 11.5, 9.5, "marks")[3], 0)
        self.size_of_brush(page, 1)
        self.draw(page, (9, 9))
        self.assertEqual(self.last(page)["pixels"], SQUARE | {(9, 9)})
        page.shot("canvas-pixels")
        self.key(page, "0")
        self.assertLess(int(self.zoom(page)), 3000)
        self.key(page, "z")
        left, top = self.at(page, 9, 8)
        right, bottom = self.at(page, 20, 18)
        x, y, width, height = page.box(".canvas-stage")
        self.assertTrue(x < left and right < x + width and y < top and bottom < y + height)

    def test_what_is_under_the_pointer_stays_there_when_zooming(self):
        page = self.lab()
        place = self.at(page, 10, 10)
        page.mouse("mouseMoved", *place)
        page.mouse("mouseWheel", *place, deltaX=0, deltaY=-300)
        self.rest(page)
        now = self.at(page, 10, 10)
        self.assertAlmostEqual(place[0], now[0], delta=0.5)
        self.assertAlmostEqual(place[1], now[1], delta=0.5)
        page.mouse("mouseWheel", *place, deltaX=0, deltaY=-120, modifiers=8)
        self.rest(page)
        self.assertGreater(page.evaluate("lab.canvas.options.brushSize"), 20)

    def test_arrows_space_and_the_middle_button_move_the_picture(self):
        page = self.lab()
        x, y = self.at(page, 10, 10)
        self.key(page, "+", "ArrowRight")
        self.assertLess(self.at(page, 10, 10)[0], x + 400)
        before = self.at(page, 10, 10)
        page.drag([(500, 300), (540, 320)], button="middle")
        self.rest(page)
        after = self.at(page, 10, 10)
        self.assertEqual([round(b - a) for a, b in zip(before, after)], [40, 20])
        page.send("Input.dispatchKeyEvent", type="keyDown", key=" ", code="Space", text=" ")
        page.drag([(500, 300), (480, 300)])
        page.send("Input.dispatchKeyEvent", type="keyUp", key=" ", code="Space")
        self.rest(page)
        self.assertEqual(round(self.at(page, 10, 10)[0] - after[0]), -20)
        self.assertEqual(self.told(page, "change"), [])

    def test_holding_a_key_shows_before_and_the_picture_alone(self):
        page = self.lab([["a", "disc", SQUARE, False]])
        self.size_of_brush(page, 5)
        self.draw(page, (30, 20))
        self.assertGreater(self.color(page, 30.5, 20.5)[3], 0)
        page.send("Input.dispatchKeyEvent", type="keyDown", key="c", code="KeyC", text="c")
        self.rest(page)
        self.assertEqual(self.color(page, 30.5, 20.5)[3], 0)
        self.assertGreater(self.color(page, 12.5, 12.5)[3], 0)
        page.send("Input.dispatchKeyEvent", type="keyUp", key="c", code="KeyC")
        self.rest(page)
        self.assertGreater(self.color(page, 30.5, 20.5)[3], 0)
        page.send("Input.dispatchKeyEvent", type="keyDown", key="d", code="KeyD", text="d")
        hidden = "getComputedStyle(document.querySelector('.canvas-masks')).visibility"
        self.assertEqual(page.evaluate(hidden), "hidden")
        page.send("Input.dispatchKeyEvent", type="keyUp", key="d", code="KeyD")
        self.assertEqual(page.evaluate(hidden), "visible")

    def test_the_keyboard_paints_and_sets_corners(self):
        page = self.lab()
        self.size_of_brush(page, 1)
        self.key(page, "k")
        self.key(page, *["ArrowLeft"] * 3, "ArrowUp", "Space")
        self.assertEqual(self.last(page)["pixels"], {(17, 14)})
        # Shift and Space keep the pen down until the next Space.
        self.key(page, "Shift+Space", "ArrowRight", "ArrowRight", "ArrowDown", "Space")
        self.assertEqual(self.last(page)["pixels"], {(17, 14), (18, 14), (19, 14), (19, 15)})
        self.key(page, "p", "Space", "Shift+ArrowRight", "Space", "Shift+ArrowDown", "Space", "Enter")
        self.assertGreater(len(self.last(page)["pixels"]), 40)
        self.assertEqual(len(self.told(page, "change")), 3)
        page.shot("canvas-cursor")
        self.key(page, "Escape")
        self.assertIn("Keyboard cursor off", self.told(page, "say"))

    def test_everything_has_a_name_and_says_what_it_did(self):
        page = self.lab([["a", "disc", SQUARE, False]])
        nameless = page.evaluate("""[...document.querySelectorAll('button, input, select, [role=application]')]
            .filter(e => !(e.ariaLabel || e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML)""")
        self.assertEqual(nameless, [])
        self.assertEqual(page.evaluate("lab.canvas.element.getAttribute('aria-label')"),
                         "Mask editor, a.png, 40 by 30 pixels")
        self.key(page, "Shift+F", ">", "Ctrl+Z", "]")
        self.assertEqual(self.told(page, "say"), [
            "Fill holes: no change", "disc, all instances: grow, 144 pixels now", "Undone",
            "Brush size 23 px"])

    def test_every_tool_and_action_has_a_key_of_its_own(self):
        page = self.lab()
        keys = page.evaluate("[...lab.canvas.tools, ...lab.canvas.actions].map(one => one.key)")
        self.assertTrue(all(keys))
        self.assertEqual(len(set(keys)), len(keys))

    def test_a_smaller_window_and_the_dark_keep_everything_in_sight(self):
        page = self.lab([["a", "disc", SQUARE, False]], window=(700, 500))
        page.dark()
        self.rest(page)
        page.shot("canvas-dark-small")
        self.assertEqual(page.evaluate("""[...document.querySelectorAll('.canvas *')].filter(e => {
            const b = e.getBoundingClientRect();
            return b.width && (b.right > innerWidth + 1 || b.bottom > innerHeight + 1)
                && !e.closest('.canvas-stage, .canvas-list'); }).map(e => e.className)"""), [])


if __name__ == "__main__":
    main()
