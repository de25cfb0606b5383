"""The scissors: lines that follow edges, their anchors, and what they become."""

import math

from canvas_case import CanvasCase, box
from case import main


class Scissors(CanvasCase):
    """The editor alone, with a dark square at 10 … 30 × 8 … 22 or with a disc in noise."""

    def lab_with(self, **more):
        page = self.lab(**more)
        page.evaluate("lab.canvas.focus()")
        self.key(page, "Shift+Y")
        return page

    def says(self, page, words):
        page.until("lab.told.filter(([what]) => what === 'say').map(one => one[1]).join('\\n')", wanted=lambda text: words in (text or ""))

    def anchor(self, page, number, x, y, **more):
        page.drag([self.at(page, x, y)], **more)
        self.says(page, "Anchor %d" % number)
        self.rest(page)

    def square(self, page):
        for number, (x, y) in enumerate(((10, 8), (29.5, 8), (29.5, 21.5), (10, 21.5)), 1):
            self.anchor(page, number, x, y)

    def test_ways_along_edges_are_those_of_the_paper(self):
        page = self.lab()
        found = page.call("""async () => {
            const { wireField, wirePath, noWay, ways } = await import('/app/live-wire.js');
            const [width, height] = [60, 40];
            const rgba = new Uint8ClampedArray(4 * width * height);
            // Bright above a line that goes up and down.
            for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
                const value = y < 20 + 8 * Math.sin(x / 8) ? 200 : 60;
                rgba.set([value, value, value, 255], 4 * (y * width + x));
            }
            const field = wireField({ rgba, width, height }, 0, 20, 100);
            const path = wirePath(field, 59, Math.round(20 + 8 * Math.sin(59 / 8)));
            const off = Math.max(...path.map(([x, y]) => Math.abs(y + 0.5 - (20 + 8 * Math.sin((x + 0.5) / 8)))));
            const steps = path.every(([x, y], at) => at === 0 || Math.max(Math.abs(x - path[at - 1][0]), Math.abs(y - path[at - 1][1])) === 1);
            const reached = field.ways.filter((way) => way === noWay).length;
            // An image without edges has straight lines.
            const flat = wireField({ rgba: new Uint8ClampedArray(4 * 900).fill(9), width: 30, height: 30 }, 2, 3, 10);
            const line = wirePath(flat, 12, 3);
            // A window at the border of a larger image, and one pixel.
            const part = wireField({ rgba, width, height }, 59, 39, 5);
            const one = wireField({ rgba: new Uint8ClampedArray(4), width: 1, height: 1 }, 0, 0, 256, 8);
            return { off, steps, reached, length: path.length, line, part: [part.left, part.top, part.width, part.height],
                start: wirePath(field, 0, 20), one: wirePath(one, 0, 0) };
        }""")
        self.assertLess(found["off"], 1.6)
        self.assertTrue(found["steps"])
        self.assertEqual(found["reached"], 1)
        self.assertGreaterEqual(found["length"], 59)
        self.assertEqual(len(found["line"]), 10)
        self.assertEqual(found["part"], [54, 34, 6, 6])
        self.assertEqual((found["start"], found["one"]), ([], []))

    def test_a_window_takes_less_than_a_second_and_reaches_every_pixel(self):
        page = self.lab()
        found = page.call("""async () => {
            const { wireField, noWay } = await import('/app/live-wire.js');
            const [width, height] = [700, 600];
            const rgba = new Uint8ClampedArray(4 * width * height).map((_, at) => (at * 2654435761) % 255);
            const field = wireField({ rgba, width, height }, 350, 300, 256);
            return [field.width * field.height, field.ways.filter((way) => way === noWay).length];
        }""")
        self.assertEqual(found, [513 * 513, 1])

    def test_the_square_becomes_pixels_where_there_are_masks(self):
        page = self.lab_with()
        self.square(page)
        page.shot("scissors-square")
        self.key(page, "Enter")
        page.until("lab.told.some(([what]) => what === 'change')")
        found = self.last(page)
        self.assertEqual(found["kind"], "mask")
        self.assertTrue(box(12, 10, 28, 20) <= found["pixels"] <= box(8, 6, 32, 24))
        # Clicks are three pixels off the edge, and the line is not.
        self.key(page, "Ctrl+Z")
        for number, (x, y) in enumerate(((11.5, 9.5), (28, 9.5), (28, 20), (11.5, 20)), 1):
            self.anchor(page, number, x, y)
        page.drag([self.at(page, 11.5, 9.5)])
        page.until("lab.told.filter(([what]) => what === 'change').length === 2")
        self.assertTrue(box(11, 9, 29, 21) <= self.last(page)["pixels"] <= box(9, 7, 31, 23))

    def test_where_there_are_polygons_it_is_one_with_few_vertices(self):
        page = self.lab_with(keepsPolygons=True)
        self.square(page)
        self.key(page, "Enter")
        page.until("lab.told.some(([what]) => what === 'change')")
        found = self.last(page)
        self.assertEqual((found["kind"], found["category"], len(found["polygons"])), ("add", "disc", 1))
        ring = found["polygons"][0]
        self.assertLess(len(ring), 40)
        self.assertTrue(all(8 <= x <= 32 for x in ring[0::2]) and all(6 <= y <= 24 for y in ring[1::2]))
        self.assertTrue(page.evaluate("lab.canvas.objects.items[0].isPolygon"))

    def test_a_disc_in_noise_is_followed(self):
        page = self.lab_with(picture="disc", size=(90, 120), keepsPolygons=True)
        places = [(60 + 31 * math.cos(angle), 45 + 29 * math.sin(angle)) for angle in (0.3, 1.9, 3.4, 5.0)]
        for number, (x, y) in enumerate(places, 1):
            self.anchor(page, number, x, y)
        page.mouse("mouseMoved", *self.at(page, 88, 40))
        self.rest(page)
        for width, height in ((1400, 900), (390, 844)):
            page.resize(width, height)
            for is_dark in (False, True):
                page.dark(is_dark)
                self.rest(page)
                page.mouse("mouseMoved", *self.at(page, 88, 40))
                self.rest(page)
                page.shot("scissors-%d-%s" % (width, "dark" if is_dark else "light"))
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
        self.key(page, "Enter")
        page.until("lab.told.some(([what]) => what === 'change')")
        ring = self.last(page)["polygons"][0]
        off = [abs(math.hypot(x - 60, y - 45) - 30) for x, y in zip(ring[0::2], ring[1::2])]
        self.assertLess(sorted(off)[len(off) // 2], 1.5)
        self.assertLess(max(off), 5)

    def test_backspace_undo_and_escape_take_anchors_back(self):
        page = self.lab_with()
        for number, (x, y) in enumerate(((10, 8), (29.5, 8), (29.5, 21.5)), 1):
            self.anchor(page, number, x, y)
        self.key(page, "Backspace")
        self.anchor(page, 3, 29.5, 21.5)
        self.key(page, "Ctrl+Z", "Ctrl+Z")
        self.anchor(page, 2, 29.5, 8)
        self.key(page, "Escape")
        self.assertFalse(page.evaluate("lab.canvas.isDrawing"))
        self.anchor(page, 1, 12, 8)
        self.key(page, "Backspace")
        self.assertFalse(page.evaluate("lab.canvas.isDrawing"))
        self.key(page, "Enter")
        self.assertEqual(self.told(page, "change"), [])

    def test_two_anchors_are_no_polygon_and_another_tool_drops_them(self):
        page = self.lab_with()
        self.anchor(page, 1, 2, 2)
        self.key(page, "Enter")
        self.says(page, "at least three corners")
        self.key(page, "p")
        self.assertFalse(page.evaluate("lab.canvas.isDrawing"))
        self.assertEqual(self.told(page, "change"), [])

    def test_alt_draws_a_straight_line(self):
        page = self.lab_with()
        self.anchor(page, 1, 2.5, 25.5, modifiers=1)
        for number, (x, y) in enumerate(((2.5, 2.5), (38.5, 2.5), (38.5, 25.5)), 2):
            self.anchor(page, number, x, y, modifiers=1)
        page.drag([self.at(page, 2.5, 25.5)], modifiers=1)
        page.until("lab.told.some(([what]) => what === 'change')")
        self.assertTrue(box(4, 4, 37, 8) <= self.last(page)["pixels"])

    def test_fast_clicks_wait_for_their_turn(self):
        page = self.lab_with()
        for x, y in ((10, 8), (29.5, 8), (29.5, 21.5), (10, 21.5)):
            page.drag([self.at(page, x, y)])
        page.key("Enter")
        page.until("lab.told.some(([what]) => what === 'change')")
        self.assertTrue(box(12, 10, 28, 20) <= self.last(page)["pixels"] <= box(8, 6, 32, 24))

    def test_the_keyboard_alone_cuts_along_edges(self):
        page = self.lab_with()
        self.key(page, "k", "Shift+ArrowLeft", "Space")
        self.says(page, "Anchor 1")
        self.key(page, "Shift+ArrowRight", "Shift+ArrowRight", "Space")
        self.says(page, "Anchor 2")
        self.key(page, "Shift+ArrowUp", "Space")
        self.says(page, "Anchor 3")
        self.key(page, "Enter")
        page.until("lab.told.some(([what]) => what === 'change')")
        self.assertEqual(self.last(page)["kind"], "mask")

    def test_a_class_with_boxes_is_not_drawn_over(self):
        page = self.lab_with(boxes=[("b", "disc", [4, 4, 14, 14])])
        page.drag([self.at(page, 20, 8)])
        self.says(page, "has boxes")
        self.assertFalse(page.evaluate("lab.canvas.isDrawing"))


if __name__ == "__main__":
    main()
