"""Polygons in the editor: vertices moved, added, removed, simplified, drawn, undone, and saved by the program."""

import glob
import json
import os

from canvas_case import CanvasCase
from case import BrowserCase, ProgramCase, main
from strokes import Strokes

HERE = os.path.dirname(os.path.abspath(__file__))


class Values(BrowserCase):
    def test_the_pixels_of_polygons_are_those_of_pycocotools(self):
        page = self.browser.page(self.server.address, self.context)
        self.pages.append(page)
        with open(os.path.join(HERE, "goldens", "polygon_goldens.json"), encoding="utf-8") as file:
            cases = json.load(file)
        found = page.call("""async (cases) => {
            const { polygonsMask } = await import('/app/polygon-fill.js');
            const { compressed } = await import('/app/run-lengths.js');
            return cases.map(({ rings, width, height }) => compressed(polygonsMask(rings, width, height)));
        }""", cases)
        self.assertGreater(len(cases), 40)
        for case, counts in zip(cases, found):
            self.assertEqual(counts, case["counts"], case)

    def test_simplifying_keeps_the_tolerance_and_three_vertices(self):
        page = self.browser.page(self.server.address, self.context)
        self.pages.append(page)
        found = page.call("""async () => {
            const { simplified } = await import('/app/rings.js');
            const circle = (count) => Array.from({ length: count }, (_, at) => (
                [50 + 40 * Math.cos(at / count * 2 * Math.PI), 50 + 40 * Math.sin(at / count * 2 * Math.PI)])).flat();
            const far = (x, y, ring) => {
                let least = Infinity;
                for (let at = 0; at < ring.length; at += 2) {
                    const next = (at + 2) % ring.length;
                    const [x0, y0, x1, y1] = [ring[at], ring[at + 1], ring[next], ring[next + 1]];
                    const [dx, dy] = [x1 - x0, y1 - y0];
                    const share = Math.min(Math.max(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1), 0), 1);
                    least = Math.min(least, Math.hypot(x0 + share * dx - x, y0 + share * dy - y));
                }
                return least;
            };
            const results = [];
            for (const tolerance of [0.25, 1, 5, 30, 100]) {
                const before = circle(1000);
                const [after] = simplified([before], tolerance);
                let most = 0;
                for (let at = 0; at < before.length; at += 2) most = Math.max(most, far(before[at], before[at + 1], after));
                const isSubset = after.every((value) => before.includes(value));
                results.push([tolerance, after.length / 2, most, isSubset]);
            }
            const line = simplified([[0, 0, 5, 5, 10, 10, 5, 5]], 1);
            const square = simplified([[0, 0, 5, 0, 10, 0, 10, 10, 0, 10]], 0.25);
            const start = performance.now();
            const large = simplified([circle(10000)], 0.5)[0].length / 2;
            return { results, line, square, large, time: performance.now() - start };
        }""")
        for tolerance, count, most, is_subset in found["results"]:
            self.assertGreaterEqual(count, 3)
            self.assertLessEqual(most, tolerance if count > 3 else 100)
            self.assertTrue(is_subset)
        counts = [count for _, count, _, _ in found["results"]]
        self.assertEqual(counts, sorted(counts, reverse=True))
        self.assertLess(counts[1], 60)
        self.assertGreaterEqual(len(found["line"][0]), 6)
        self.assertEqual(found["square"], [[0, 0, 10, 0, 10, 10, 0, 10]])
        self.assertLess(found["large"], 100)


class Polygons(CanvasCase):
    """The editor alone, with an image of 40 × 30 pixels that is shown at a whole multiple of its size."""

    RING = [10, 5, 25.125, 5, 25, 20, 10, 20.5]

    def lab_with(self, *polygons, tool="p", **more):
        page = self.lab(polygons=polygons or [["b", "disc", [self.RING]]], **more)
        page.evaluate("lab.canvas.focus()")
        self.key(page, tool, "Tab")
        return page

    def drag(self, page, start, end):
        page.drag([self.at(page, *start), self.at(page, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2), self.at(page, *end)])
        self.rest(page)

    def click(self, page, *place):
        page.drag([self.at(page, *place)])
        self.rest(page)

    def rings(self, page, number=0):
        return page.call("(number) => lab.canvas.objects.items[number]?.polygons", number)

    def says(self, page):
        return self.told(page, "say")[-1]

    def close_to(self, ring, wanted):
        self.assertEqual(len(ring), len(wanted), ring)
        for value, number in zip(ring, wanted):
            self.assertAlmostEqual(value, number, delta=0.08, msg=str(ring))

    def test_a_vertex_is_dragged_and_the_others_keep_their_numbers(self):
        page = self.lab_with()
        self.drag(page, (25, 20), (30, 24))
        found = self.last(page)
        self.assertEqual((found["kind"], found["target"], found["category"]), ("outline", "b", "disc"))
        ring = found["polygons"][0]
        self.close_to(ring, [10, 5, 25.125, 5, 30, 24, 10, 20.5])
        self.assertEqual(ring[:4] + ring[6:], [10, 5, 25.125, 5, 10, 20.5])
        self.assertIn("vertex 3 of 4", self.says(page))
        # Out of the image: the vertex stays at its border.
        self.drag(page, (30, 24), (80, 60))
        self.close_to(self.rings(page)[0], [10, 5, 25.125, 5, 40, 30, 10, 20.5])
        self.key(page, "Ctrl+Z", "Ctrl+Z")
        self.assertEqual(self.rings(page), [self.RING])
        self.key(page, "Ctrl+Shift+Z")
        self.assertEqual(self.rings(page), [ring])
        self.assertEqual([one["uuid"] for one in self.told(page, "undo")], ["entry-2", "entry-1"])
        self.assertEqual(self.told(page, "redo")[-1]["uuid"], "entry-1")

    def test_a_click_on_an_edge_adds_a_vertex_and_delete_removes_it(self):
        page = self.lab_with()
        self.click(page, 17.5, 5)
        ring = self.last(page)["polygons"][0]
        self.close_to(ring, [10, 5, 17.5, 5, 25.125, 5, 25, 20, 10, 20.5])
        self.key(page, "Delete")
        self.assertEqual(self.last(page)["polygons"], [self.RING])
        self.key(page, "Backspace")
        self.assertEqual(len(self.last(page)["polygons"][0]), 6)
        changes = len(self.told(page, "change"))
        self.key(page, "Delete")
        self.assertIn("keeps three vertices", self.says(page))
        self.assertEqual(len(self.told(page, "change")), changes)
        self.key(page, "Escape", "Delete")
        self.assertEqual(self.last(page)["kind"], "remove")
        self.key(page, "Ctrl+Z")
        self.assertEqual(len(self.rings(page)[0]), 6)

    def test_the_inside_moves_the_polygon_up_to_the_border(self):
        page = self.lab_with()
        self.drag(page, (15, 10), (17, 11))
        self.close_to(self.last(page)["polygons"][0], [12, 6, 27.13, 6, 27, 21, 12, 21.5])
        self.drag(page, (17, 11), (60, 60))
        ring = self.last(page)["polygons"][0]
        self.assertEqual((max(ring[0::2]), max(ring[1::2])), (40, 30))

    def test_the_keyboard_alone_selects_moves_adds_and_removes_vertices(self):
        page = self.lab_with()
        self.key(page, "Shift+N")
        self.assertIn("disc 1: vertex 1 of 4 at 10, 5", self.says(page))
        self.key(page, "Shift+N", "ArrowRight")
        self.assertEqual(self.last(page)["polygons"], [[10, 5, 26.13, 5, 25, 20, 10, 20.5]])
        self.key(page, "Shift+ArrowDown")
        self.assertEqual(self.last(page)["polygons"], [[10, 5, 26.13, 15, 25, 20, 10, 20.5]])
        self.key(page, "Shift+V", "Shift+V")
        self.assertIn("vertex 4 of 4", self.says(page))
        self.key(page, "Shift+E")
        self.assertEqual(self.last(page)["polygons"], [[10, 5, 26.13, 15, 25, 20, 10, 20.5, 10, 12.75]])
        self.key(page, "Delete", "Escape", "ArrowLeft")
        self.assertEqual(self.last(page)["polygons"], [[9, 5, 25.13, 15, 24, 20, 9, 20.5]])
        self.assertEqual(len(self.told(page, "change")), 5)
        # With the keyboard's cursor: Space holds what is under it.
        self.key(page, "k")
        at = page.evaluate("document.querySelector('.canvas-place').innerText")
        x, y = [int(part) for part in at.split(", ")]
        self.key(page, *["ArrowLeft"] * (x - 9), *["ArrowUp"] * (y - 5), "Shift+Space", "ArrowLeft", "ArrowLeft", "Space")
        ring = self.last(page)["polygons"][0]
        self.assertEqual(ring[2:], [25.13, 15, 24, 20, 9, 20.5])
        self.assertLess(ring[0], 9)

    def test_a_held_arrow_is_one_change_that_a_decision_or_another_object_does_not_lose(self):
        page = self.lab_with(["b", "disc", [self.RING]], ["c", "disc", [[30, 2, 36, 2, 36, 8]]])
        down = {"key": "ArrowRight", "code": "ArrowRight", "windowsVirtualKeyCode": 39}
        for _ in range(3):
            page.send("Input.dispatchKeyEvent", type="rawKeyDown", **down)
        self.rest(page)
        self.assertEqual(self.told(page, "change"), [])
        page.evaluate("lab.canvas.finish()")
        self.assertEqual([one["polygons"][0][0] for one in self.told(page, "change")], [13])
        page.send("Input.dispatchKeyEvent", type="rawKeyDown", **down)
        self.key(page, "Tab")
        self.assertEqual([(one["target"], one["polygons"][0][0]) for one in self.told(page, "change")], [("b", 13), ("b", 14)])
        page.send("Input.dispatchKeyEvent", type="keyUp", **down)
        self.assertEqual(len(self.told(page, "change")), 2)

    def test_keys_during_a_drag_lose_neither_the_drag_nor_the_key(self):
        page = self.lab_with()
        self.key(page, "Shift+N")
        page.mouse("mousePressed", *self.at(page, 25, 20), button="left", buttons=1, clickCount=1)
        page.mouse("mouseMoved", *self.at(page, 30, 24), button="left", buttons=1)
        # An arrow key does nothing while the pointer holds the polygon; Delete ends the drag first.
        self.key(page, "ArrowRight", "Delete")
        page.mouse("mouseReleased", *self.at(page, 30, 24), button="left", clickCount=1)
        self.rest(page)
        moved, removed = [one["polygons"][0] for one in self.told(page, "change")]
        self.close_to(moved, [10, 5, 25.125, 5, 30, 24, 10, 20.5])
        self.close_to(removed, [10, 5, 25.125, 5, 10, 20.5])

    def test_simplifying_says_the_numbers_before_and_after(self):
        ring = [10, 5, 15, 5.1, 20, 5, 25, 5, 25, 20, 10, 20]
        page = self.lab_with(["b", "disc", [ring, [30, 2, 33, 2.4, 36, 2, 36, 8]]])
        page.call("() => lab.canvas.set('simplifyTolerance', 0.25)")
        self.assertIn("At 0.25 px: 10 → 8 vertices", self.says(page))
        self.key(page, "Shift+S")
        self.assertEqual(self.last(page)["polygons"],
                         [[10, 5, 25, 5, 25, 20, 10, 20], [30, 2, 33, 2.4, 36, 2, 36, 8]])
        self.assertIn("simplified at 0.25 px, 10 → 8 vertices", self.says(page))
        changes = len(self.told(page, "change"))
        self.key(page, "Shift+S")
        self.assertIn("No vertex is within 0.25 px", self.says(page))
        self.assertEqual(len(self.told(page, "change")), changes)
        self.key(page, '"', '"')
        self.assertIn("px", page.text(".canvas-bar"))

    def test_the_polygon_tool_draws_objects_with_vertices_where_there_are_polygons(self):
        page = self.lab_with()
        for x, y in ((28, 22), (38, 22), (38, 28.5)):
            self.click(page, x, y)
        self.key(page, "Enter")
        found = self.last(page)
        self.assertEqual((found["kind"], found["category"]), ("add", "disc"))
        self.close_to(found["polygons"][0], [28, 22, 38, 22, 38, 28.5])
        self.assertIn("disc 2: polygon of 3 vertices", self.says(page))
        # It is selected, and the next one is another object.
        self.drag(page, (38, 22), (36, 20))
        self.assertEqual(self.last(page)["target"], '{"entry":"entry-1"}')
        self.key(page, "2")
        for x, y in ((2, 2), (7, 2), (-0.5, 9)):
            self.click(page, x, y)
        self.click(page, 2, 2)
        found = self.last(page)
        self.assertEqual((found["kind"], found["category"]), ("add", "ring"))
        self.close_to(found["polygons"][0], [2, 2, 7, 2, 0, 9])
        # One without a pixel is not added.
        changes = len(self.told(page, "change"))
        self.key(page, "i")
        for x, y in ((20.3, 26), (20.6, 26), (20.6, 26.2)):
            self.click(page, x, y)
        self.key(page, "Enter")
        self.assertIn("must have a pixel inside the image", self.says(page))
        self.assertEqual(len(self.told(page, "change")), changes)
        self.key(page, "Ctrl+Z")
        self.assertEqual(page.evaluate("lab.canvas.objects.items.length"), 2)

    def test_where_there_are_masks_the_polygon_tool_adds_pixels(self):
        page = self.lab()
        self.key(page, "p")
        for x, y in ((2, 2), (12, 2), (12, 12)):
            self.click(page, x, y)
        self.key(page, "Enter")
        self.assertEqual(self.last(page)["kind"], "mask")

    def test_a_stroke_makes_it_a_mask_and_undo_a_polygon_again(self):
        page = self.lab_with()
        self.key(page, "b")
        self.draw(page, (30, 25), (32, 25))
        self.assertEqual(self.last(page)["kind"], "mask")
        self.assertIn("1 polygon is a mask now", self.says(page))
        self.key(page, "p", "Shift+N")
        self.assertIn("Select an object with vertices", self.says(page))
        self.key(page, "Ctrl+Z", "Shift+N")
        self.assertIn("vertex 1 of 4", self.says(page))
        # The whole class: the object that the stroke touches is a mask, the other one stays a polygon.
        page = self.lab_with(["b", "disc", [self.RING]], ["c", "disc", [[30, 2, 36, 2, 36, 8, 30, 8]]])
        self.key(page, "b", "w")
        page.call("() => lab.canvas.set('brushSize', 3)")
        self.draw(page, (33, 9), (33, 10))
        self.assertEqual(page.evaluate("lab.canvas.objects.items.map((one) => one.isPolygon)"), [True, False])
        self.key(page, "Ctrl+Z")
        self.assertEqual(page.evaluate("lab.canvas.objects.items.map((one) => one.isPolygon)"), [True, True])

    def test_start_from_ground_truth_restores_the_vertices(self):
        page = self.lab_with()
        self.drag(page, (25, 20), (30, 24))
        self.key(page, "Shift+T")
        self.assertEqual(self.last(page)["polygons"], [self.RING])

    def test_escape_ends_a_drag_without_a_change(self):
        page = self.lab_with()
        page.mouse("mousePressed", *self.at(page, 25, 20), button="left", buttons=1, clickCount=1)
        page.mouse("mouseMoved", *self.at(page, 30, 24), button="left", buttons=1)
        self.key(page, "Escape")
        page.mouse("mouseReleased", *self.at(page, 30, 24), button="left", clickCount=1)
        self.rest(page)
        self.assertEqual(self.told(page, "change"), [])
        self.assertEqual(self.rings(page), [self.RING])

    def test_a_vertex_far_outside_stays_and_does_not_go_further_out(self):
        page = self.lab_with(["b", "disc", [[-100000000, 5, 25, 5, 25, 20, 10, 9000.123]]])
        self.drag(page, (25, 20), (26, 20))
        ring = self.last(page)["polygons"][0]
        self.assertEqual((ring[0], ring[1], ring[6], ring[7]), (-100000000, 5, 10, 9000.123))
        self.key(page, "Escape", "ArrowRight")
        self.assertEqual(self.last(page)["polygons"][0][0], -99999999)
        page.shot("polygons-outside")

    def test_an_object_that_somebody_else_removed_during_a_drag_is_not_changed(self):
        page = self.lab_with()
        page.mouse("mousePressed", *self.at(page, 25, 20), button="left", buttons=1, clickCount=1)
        page.mouse("mouseMoved", *self.at(page, 30, 24), button="left", buttons=1)
        page.evaluate("lab.canvas.show({ objects: [], head: 3 })")
        page.mouse("mouseMoved", *self.at(page, 31, 24), button="left", buttons=1)
        page.mouse("mouseReleased", *self.at(page, 31, 24), button="left", clickCount=1)
        self.rest(page)
        self.assertEqual(self.told(page, "change"), [])
        self.assertIn("in the meantime", self.says(page))

    def test_ten_thousand_vertices_are_drawn_dragged_and_simplified(self):
        page = self.lab(size=(1200, 1600), polygons=[["b", "disc", "circle"]])
        page.evaluate("lab.canvas.focus()")
        self.key(page, "p", "Tab", "Shift+N")
        self.assertIn("of 10000", self.says(page))
        self.key(page, *["ArrowRight"] * 5)
        self.assertEqual([len(one["polygons"][0]) for one in self.told(page, "change")], [20000] * 5)
        self.key(page, "Shift+S")
        self.assertIn("10000 → ", self.says(page))
        self.assertLess(len(self.last(page)["polygons"][0]) / 2, 200)

    def test_the_states_at_every_size_light_and_dark(self):
        page = self.lab_with(["b", "disc", [self.RING, [28, 3, 36, 4, 33, 12]]], ["c", "ring", [[2, 22, 7, 22, 7, 28]]])
        self.key(page, "Shift+N", "Shift+N")
        for width, height in ((1400, 900), (1000, 700), (390, 844)):
            page.resize(width, height)
            for is_dark in (False, True):
                page.dark(is_dark)
                self.rest(page)
                page.shot("polygons-%d-%s" % (width, "dark" if is_dark else "light"))
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)


class Program(Strokes, ProgramCase):
    """Polygons with the program: a dataset of polygons, a review, two people, and the exports."""

    task = "polygons"

    def shown(self, sample=1, **more):
        """A page with a sample, by its number in the dataset."""
        page = self.open(**more)
        # A click on the sample that is open opens it again, and keys are pressed meanwhile.
        if page.evaluate("document.querySelector('.entry[aria-current]').dataset.sample") != str(sample):
            page.click(".entry[data-sample='%d']" % sample)
        page.until("document.querySelector('.entry[aria-current]').dataset.sample", wanted=lambda at: at == str(sample))
        page.until("document.querySelector('#place').innerText", wanted=lambda text: "%04d" % (sample - 1) in text)
        page.evaluate("document.querySelector('.canvas-stage').focus()")
        return page

    def size(self, page):
        sample = self.sample(page)["sample"]
        return [sample["width"], sample["height"]]

    def exported(self, form, name):
        out = os.path.join(self.server.folder, "out-" + form)
        self.server.run("export", "outlined", "--to", form, "--out", out, "--corrected")
        [path] = glob.glob(os.path.join(out, "**", name), recursive=True)
        with open(path, encoding="utf-8") as file:
            return file.read()

    def agrees(self, page):
        """The browser's pixels of each object are those of the server."""
        found = page.call("""async (objects, size) => {
            const { polygonsMask } = await import('/app/polygon-fill.js');
            const { compressed } = await import('/app/run-lengths.js');
            return objects.map((one) => compressed(polygonsMask(one.polygons, ...size))); }""",
                          self.sample(page)["objects"], self.size(page))
        self.assertEqual(found, [one["counts"] for one in self.sample(page)["objects"]])

    def test_vertices_are_moved_drawn_undone_after_a_reload_and_exported(self):
        page = self.shown()
        before = self.sample(page)["objects"]
        self.assertEqual([one["shape"] for one in before], ["polygon"] * 3)
        self.assertEqual([len(one["polygons"]) for one in before], [1, 2, 1])
        self.agrees(page)
        # A review of polygons starts with the polygon tool.
        page.key("Tab")
        page.key("Shift+N")
        page.key("ArrowRight")
        self.saved(page, 1)
        self.assertEqual(self.kinds(), ["outline"])
        moved = self.sample(page)["objects"][0]
        source = before[0]["polygons"][0]
        wanted = [[9.13, *source[1:]]]
        self.assertEqual(moved["polygons"], wanted)
        self.assertEqual(self.server.entries()[0]["polygons"], wanted)
        page.shot("polygons-program")
        page.reload()
        self.ready(page)
        page.key("Ctrl+Z")
        self.saved(page, 2)
        self.assertEqual(self.sample(page)["objects"][0]["polygons"], before[0]["polygons"])
        page.key("Ctrl+Shift+Z")
        self.saved(page, 3)
        for x, y in ((0.2, 1.1), (0.5, 1.1), (0.5, 1.3)):
            page.drag([self.place(page, x, y)])
        page.key("Enter")
        self.saved(page, 4)
        drawn = self.sample(page)["objects"][3]
        self.assertEqual((drawn["shape"], len(drawn["polygons"][0])), ("polygon", 6))
        self.agrees(page)
        page.key("Enter")
        self.saved(page, 5)
        self.server.run("corrections", "verify")
        content = json.loads(self.exported("coco", "instances.json"))
        found = [one["segmentation"] for one in content["annotations"] if one["image_id"] == 1]
        self.assertIn(wanted, found)
        self.assertIn(drawn["polygons"], found)
        lines = self.exported("yolo", "0000.txt").splitlines()
        width, height = self.size(page)
        sides = [width, height] * (len(wanted[0]) // 2)
        found = [[float(value) for value in line.split()[1:]] for line in lines]
        self.assertTrue(any(len(one) == len(wanted[0]) and all(
            abs(value * side - number) < 0.01 for value, side, number in zip(one, sides, wanted[0])) for one in found), lines)

    def test_two_people_move_vertices_of_one_polygon(self):
        anna = self.shown()
        for key in ("Tab", "Shift+N"):
            anna.key(key)
        ben = self.shown(author="ben", context=self.browser.context())
        for key in ("Tab", "Shift+N"):
            ben.key(key)
        anna.key("ArrowRight")
        self.saved(anna, 1)
        ben.key("ArrowLeft")
        self.says(ben, "conflict")
        state = self.sample(ben)
        self.assertEqual(len(state["conflicts"]), 1)
        mine, other = state["objects"][0]["polygons"][0], state["conflicts"][0]["objects"][0]["polygons"][0]
        self.assertEqual((round(mine[0] - other[0], 6), mine[1:]), (2, other[1:]))
        ben.key("Shift+K")
        self.saved(ben, 3)
        self.assertEqual(self.sample(ben)["objects"][0]["polygons"][0], other)

    def test_a_stroke_is_not_lost_when_the_server_stops(self):
        self.allowed = ("Failed to load", "ERR_CONNECTION")
        page = self.shown()
        for key in ("Tab", "Shift+N"):
            page.key(key)
        self.server.kill()
        page.key("ArrowRight")
        self.says(page, "1")
        page.key("ArrowRight")
        self.server.start()
        self.saved(page, 2)
        self.assertEqual(self.kinds(), ["outline", "outline"])

    def test_two_thousand_vertices_are_saved(self):
        page = self.shown(2)
        self.assertEqual(len(self.sample(page)["objects"][0]["polygons"][0]), 4000)
        for key in ("Tab", "Shift+N", "ArrowDown"):
            page.key(key)
        self.saved(page, 1)
        self.assertEqual(len(self.server.entries()[0]["polygons"][0]), 4000)
        self.agrees(page)

    def test_coordinates_far_outside_have_the_same_pixels_in_the_browser(self):
        page = self.shown(3)
        self.agrees(page)


if __name__ == "__main__":
    main()
