"""Oriented boxes in the editor: shown, moved, resized along their axes, rotated, drawn, saved and exported."""

import glob
import json
import math
import os

from canvas_case import CanvasCase
from case import ProgramCase, main
from strokes import Strokes


def corners(x, y, width, height, angle):
    """The ring of a rectangle by its center and its angle in degrees."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return [value for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
            for value in (x + a * width / 2 * cos - b * height / 2 * sin, y + a * width / 2 * sin + b * height / 2 * cos)]


class Oriented(CanvasCase):
    """The editor alone, with an image of 40 × 30 pixels."""

    RING = corners(20, 15, 16, 8, 30)

    def lab_with(self, *polygons, **more):
        page = self.lab(polygons=polygons or [["b", "disc", [self.RING]]], **more)
        page.evaluate("lab.canvas.focus()")
        self.key(page, "Shift+R", "Tab")
        return page

    def drag(self, page, start, end):
        page.drag([self.at(page, *start), self.at(page, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2), self.at(page, *end)])
        self.rest(page)

    def says(self, page):
        return self.told(page, "say")[-1]

    def close_to(self, ring, wanted, delta=0.1):
        self.assertEqual(len(ring), len(wanted), ring)
        for value, number in zip(ring, wanted):
            self.assertAlmostEqual(value, number, delta=delta, msg=str((ring, wanted)))

    def point(self, along, down, ring=None):
        """A point of the box at shares along and across."""
        ax, ay, bx, by, cx, cy, dx, dy = ring or self.RING
        a, b = (along + 1) / 2, (down + 1) / 2
        return (ax + (bx - ax) * a + (dx - ax) * b, ay + (by - ay) * a + (dy - ay) * b)

    def test_the_arithmetic(self):
        page = self.lab()
        found = page.call("""async (rings) => {
            const { orientedBox, ringOfBox, degrees } = await import('/app/oriented-box.js');
            return rings.map((ring) => { const box = orientedBox([ring]); return box && [ringOfBox(box), degrees(box), box.width, box.height]; });
        }""", [corners(20, 15, 16, 8, angle) for angle in range(-180, 181, 15)]
            + [[0, 0, 0, 9, 20, 9, 20, 0], [0, 0, 20, 0, 26, 9, 6, 9], [5, 5, 5, 5, 9, 9, 9, 9], [0, 0, 100, 1.2, 99, 51, -1, 50], [0, 0, 1, 0, 1, 1]])
        for at, angle in enumerate(range(-180, 181, 15)):
            ring, degrees, width, height = found[at]
            self.close_to(ring, corners(20, 15, 16, 8, angle), 0.001)
            self.assertAlmostEqual((degrees - angle) % 180 % 179.999999, 0, delta=0.001)
            self.assertAlmostEqual(width, 16)
            self.assertAlmostEqual(height, 8)
        mirrored, skewed, flat, nearly, three = found[-5:]
        # The other order of corners stays.
        self.assertEqual(mirrored[0], [0, 0, 0, 9, 20, 9, 20, 0])
        self.assertIsNone(skewed)
        self.assertIsNone(flat)
        self.assertIsNone(three)
        self.assertIsNotNone(nearly)

    def test_a_box_between_two_turns_the_short_way_round(self):
        page = self.lab()
        rings = lambda *pairs: page.call("""async (pairs) => {
            const { boxInBetween, orientedBox, ringOfBox } = await import('/app/oriented-box.js');
            return pairs.map(([from, to, share]) => ringOfBox(boxInBetween(orientedBox([from]), orientedBox([to]), share)));
        }""", [list(pair) for pair in pairs])
        mirrored = lambda ring: ring[:2] + [value for at in (6, 4, 2) for value in ring[at:at + 2]]
        moved = [corners(x, y, wide, high, angle) for x, y, wide, high, angle in
                 ((10, 20, 16, 8, -20), (20, 24, 20, 6, 40), (15, 22, 18, 7, 10))]
        half, quarter = corners(10, 20, 16, 8, 160), corners(10, 20, 8, 16, 70)
        first, last, middle, from_half, from_quarter, from_mirror, over = rings(
            (moved[0], moved[1], 0), (moved[0], moved[1], 1), (moved[0], moved[1], 0.5), (half, moved[1], 0.5),
            (quarter, moved[1], 0.5), (mirrored(moved[0]), moved[1], 0.5),
            (corners(10, 20, 16, 8, 80), corners(10, 20, 16, 8, -80), 0.5))
        self.close_to(first, moved[0], 0.01)
        self.close_to(last, moved[1], 0.01)
        # The same rectangle with other first corners, or the other order, gives the same.
        for found in (middle, from_half, from_quarter, from_mirror):
            self.close_to(found, moved[2], 0.01)
        # From 80° to -80° it is 20° over the vertical, not 160° back.
        wanted = corners(10, 20, 16, 8, -90)
        self.assertTrue(all(min(abs(found - one) for one in wanted) < 0.01 for found in over), (over, wanted))

    def test_the_inside_moves_it_and_its_corners_stay_in_the_image(self):
        page = self.lab_with()
        self.drag(page, (20, 15), (22, 16))
        found = self.last(page)
        self.assertEqual((found["kind"], found["target"], found["category"]), ("outline", "b", "disc"))
        self.close_to(found["polygons"][0], corners(22, 16, 16, 8, 30))
        self.drag(page, (22, 16), (60, 60))
        ring = self.last(page)["polygons"][0]
        self.assertAlmostEqual(max(ring[0::2]), 40, delta=0.01)
        self.assertAlmostEqual(max(ring[1::2]), 30, delta=0.01)
        self.key(page, "Ctrl+Z", "Ctrl+Z")
        self.assertEqual(page.evaluate("lab.canvas.objects.items[0].polygons"), [self.RING])

    def test_handles_resize_it_along_its_own_axes(self):
        page = self.lab_with()
        cos, sin = math.cos(math.radians(30)), math.sin(math.radians(30))
        # The right side by 3 pixels along the axis; what is across does not count.
        x, y = self.point(1, 0)
        self.drag(page, (x, y), (x + 3 * cos - 2 * sin, y + 3 * sin + 2 * cos))
        self.close_to(self.last(page)["polygons"][0], corners(20 + 1.5 * cos, 15 + 1.5 * sin, 19, 8, 30))
        self.key(page, "Ctrl+Z")
        # A corner: both sides.
        x, y = self.point(-1, -1)
        self.drag(page, (x, y), (x + 2 * cos - 1 * sin, y + 2 * sin + 1 * cos))
        self.close_to(self.last(page)["polygons"][0],
                      corners(20 + cos - 0.5 * sin, 15 + sin + 0.5 * cos, 14, 7, 30))
        self.key(page, "Ctrl+Z")
        # Past the opposite side: it keeps a pixel.
        x, y = self.point(1, 0)
        self.drag(page, (x, y), (x - 18 * cos, y - 18 * sin))
        ring = self.last(page)["polygons"][0]
        self.assertAlmostEqual(math.hypot(ring[2] - ring[0], ring[3] - ring[1]), 1, delta=0.01)
        self.close_to(ring[0:2], self.RING[0:2], 0.01)

    def test_the_round_handle_rotates_it(self):
        page = self.lab_with()
        scale = page.call("() => { const [x0] = lab.canvas.clientPlace(0, 0), [x1] = lab.canvas.clientPlace(1, 0); return x1 - x0; }")
        far = 4 + 26 / scale
        def knob(angle):
            return (20 + far * math.sin(math.radians(angle)), 15 - far * math.cos(math.radians(angle)))
        self.drag(page, knob(30), knob(75))
        self.close_to(self.last(page)["polygons"][0], corners(20, 15, 16, 8, 75), 0.3)
        self.assertIn("rotated", self.says(page))
        self.assertIn("75", self.says(page))

    def test_keys_rotate_and_move_it_and_a_held_key_is_one_change(self):
        page = self.lab_with()
        self.key(page, "]")
        self.close_to(self.last(page)["polygons"][0], corners(20, 15, 16, 8, 31), 0.002)
        self.key(page, "}")
        self.close_to(self.last(page)["polygons"][0], corners(20, 15, 16, 8, 41), 0.003)
        self.key(page, "{", "[")
        self.close_to(self.last(page)["polygons"][0], corners(20, 15, 16, 8, 30), 0.004)
        self.key(page, "ArrowRight", "Shift+ArrowUp")
        ring = self.last(page)["polygons"][0]
        self.assertAlmostEqual(min(ring[1::2]), 0, delta=0.01)
        changes = len(self.told(page, "change"))
        for _ in range(5):
            page.send("Input.dispatchKeyEvent", type="rawKeyDown", key="ArrowDown", code="ArrowDown", windowsVirtualKeyCode=40)
        page.send("Input.dispatchKeyEvent", type="keyUp", key="ArrowDown", code="ArrowDown", windowsVirtualKeyCode=40)
        self.rest(page)
        self.assertEqual(len(self.told(page, "change")), changes + 1)
        # The brush keeps its keys with other tools.
        size = page.evaluate("lab.canvas.options.brushSize")
        self.key(page, "b", "]")
        self.assertGreater(page.evaluate("lab.canvas.options.brushSize"), size)
        self.assertEqual(len(self.told(page, "change")), changes + 1)

    def test_a_rotation_out_of_the_image_is_not_made(self):
        page = self.lab_with(["b", "disc", [[1, 1, 39, 1, 39, 6, 1, 6]]])
        self.key(page, "}")
        self.assertEqual(self.told(page, "change"), [])
        self.assertIn("inside the image", self.says(page))
        # A box that is outside already may stay there, and comes no further out.
        page = self.lab_with(["b", "disc", [[-5, 1, 15, 1, 15, 6, -5, 6]]])
        self.drag(page, (8, 3), (3, 3))
        self.assertEqual(self.told(page, "change"), [])
        self.drag(page, (8, 3), (10, 3))
        self.close_to(self.last(page)["polygons"][0], [-3, 1, 17, 1, 17, 6, -3, 6])

    def test_a_new_one_is_drawn_and_rotated(self):
        page = self.lab_with()
        self.drag(page, (2, 20), (10, 26))
        found = self.last(page)
        self.assertEqual((found["kind"], found["category"]), ("add", "disc"))
        self.close_to(found["polygons"][0], [2, 20, 10, 20, 10, 26, 2, 26])
        self.key(page, "}")
        self.assertEqual(self.last(page)["target"], '{"entry":"entry-1"}')
        self.close_to(self.last(page)["polygons"][0], corners(6, 23, 8, 6, 10))
        page.drag([self.at(page, 20, 15)])
        self.rest(page)
        self.assertEqual(page.evaluate("lab.canvas.selected"), "b")

    def test_other_polygons_have_no_handles(self):
        page = self.lab_with(["b", "disc", [[10, 5, 30, 5, 35, 20, 15, 20]]])
        self.key(page, "]")
        self.assertIn("Select an oriented box first", self.says(page))
        self.assertEqual(self.told(page, "change"), [])

    def test_an_object_that_somebody_else_changed_during_a_drag_stays(self):
        page = self.lab_with()
        page.mouse("mousePressed", *self.at(page, 20, 15), button="left", buttons=1, clickCount=1)
        page.mouse("mouseMoved", *self.at(page, 22, 17), button="left", buttons=1)
        page.evaluate("lab.canvas.show({ objects: [], head: 3 })")
        page.mouse("mouseMoved", *self.at(page, 23, 17), button="left", buttons=1)
        page.mouse("mouseReleased", *self.at(page, 23, 17), button="left", clickCount=1)
        self.rest(page)
        self.assertEqual(self.told(page, "change"), [])
        self.assertIn("in the meantime", self.says(page))

    def test_escape_ends_a_drag_without_a_change(self):
        page = self.lab_with()
        page.mouse("mousePressed", *self.at(page, 20, 15), button="left", buttons=1, clickCount=1)
        page.mouse("mouseMoved", *self.at(page, 22, 17), button="left", buttons=1)
        self.key(page, "Escape")
        page.mouse("mouseReleased", *self.at(page, 22, 17), button="left", clickCount=1)
        self.rest(page)
        self.assertEqual(self.told(page, "change"), [])

    def test_the_states_at_every_size_light_and_dark(self):
        page = self.lab_with(["b", "disc", [self.RING]], ["c", "ring", [corners(32, 24, 8, 5, -20)]])
        for width, height in ((1400, 900), (390, 844)):
            page.resize(width, height)
            for is_dark in (False, True):
                page.dark(is_dark)
                self.rest(page)
                page.shot("oriented-%d-%s" % (width, "dark" if is_dark else "light"))
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)


class Program(Strokes, ProgramCase):
    """With the program: labels of YOLO OBB, the ledger, and the export."""

    task = "oriented"

    def test_a_rotated_box_is_exported_to_yolo_as_it_is(self):
        page = self.open()
        state = self.sample(page)
        size = [state["sample"]["width"], state["sample"]["height"]]
        before = state["objects"][0]["polygons"]
        self.assertEqual(len(before[0]), 8)
        page.evaluate("document.querySelector('.canvas-stage').focus()")
        for key in ("Shift+R", "Tab", "}"):
            page.key(key)
        self.saved(page, 1)
        page.key("ArrowRight")
        self.saved(page, 2)
        self.assertEqual(self.kinds(), ["outline", "outline"])
        now = self.sample(page)["objects"][0]
        self.assertEqual((now["shape"], len(now["polygons"][0])), ("polygon", 8))
        page.shot("oriented-program")
        out = os.path.join(self.server.folder, "out")
        self.server.run("export", "oriented", "--to", "yolo", "--variant", "obb", "--out", out, "--corrected", "--verify")
        lines = []
        for path in glob.glob(os.path.join(out, "**", "*.txt"), recursive=True):
            with open(path, encoding="utf-8") as file:
                lines += [[float(one) for one in line.split()[1:]] for line in file if len(line.split()) == 9]
        wanted = [value / side for value, side in zip(now["polygons"][0], size * 4)]
        def far(line):
            points = list(zip(line[0::2], line[1::2]))
            own = list(zip(wanted[0::2], wanted[1::2]))
            return min(max(math.hypot(a[0] - b[0], a[1] - b[1]) for a, b in zip(points[at:] + points[:at], order))
                       for at in range(4) for order in (own, own[::-1]))
        self.assertLess(min(map(far, lines)), 0.001)
        page.reload()
        self.ready(page)
        page.key("Ctrl+Z")
        self.saved(page, 3)
        page.key("Ctrl+Z")
        self.saved(page, 4)
        self.assertEqual(self.sample(page)["objects"][0]["polygons"], before)
        self.server.run("corrections", "verify")
        self.assertTrue(json.loads(self.server.run("corrections", "ls", "--json")) is not None)


if __name__ == "__main__":
    main()
