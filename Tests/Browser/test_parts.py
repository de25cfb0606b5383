"""Splitting an object with separate parts, and merging two objects of a class."""

from canvas_case import CanvasCase, box
from case import ProgramCase, main


class Parts(CanvasCase):
    """The editor alone, with an image of 40 × 30 pixels."""

    LEFT = [2, 2, 10, 2, 10, 10, 2, 10]
    RIGHT = [20, 4, 36, 4, 36, 20, 20, 20]
    INSIDE = [24, 8, 28, 8, 28, 12, 24, 12]

    def lab_with(self, **more):
        page = self.lab(**more)
        page.evaluate("lab.canvas.focus()")
        self.key(page, "v", "Tab")
        return page

    def objects(self, page):
        return page.evaluate("lab.canvas.objects.items.map((one) => [one.target, one.category, one.isPolygon, one.area])")

    def kinds(self, page):
        return [one["kind"] for one in self.told(page, "change")]

    def says(self, page):
        return self.told(page, "say")[-1]

    def masks(self, *regions, crowd=False):
        return [[str(number), "disc", region, crowd] for number, region in enumerate(regions)]

    def test_a_mask_is_split_into_its_parts_and_one_undo_takes_it_back(self):
        page = self.lab_with(objects=self.masks(box(2, 2, 6, 6) | box(10, 2, 20, 12) | box(30, 20, 33, 22)))
        before = self.objects(page)
        self.key(page, "Shift+X")
        self.assertEqual(self.kinds(page), ["mask", "add", "add"])
        self.assertEqual([one[3] for one in self.objects(page)], [100, 16, 6])
        self.assertEqual(self.objects(page)[0][0], "0")
        self.assertIn("split into 3 objects", self.says(page))
        self.key(page, "Ctrl+Z")
        self.assertEqual(self.objects(page), before)
        self.assertEqual([one["uuid"] for one in self.told(page, "undo")], ["entry-3", "entry-2", "entry-1"])
        self.key(page, "Ctrl+Shift+Z")
        self.assertEqual([one[3] for one in self.objects(page)], [100, 16, 6])
        self.assertEqual([one["uuid"] for one in self.told(page, "redo")], ["entry-1", "entry-2", "entry-3"])

    def test_a_polygon_is_split_and_what_overlaps_stays_together(self):
        page = self.lab_with(polygons=[["b", "disc", [self.LEFT, self.RIGHT, self.INSIDE]]])
        self.key(page, "Shift+X")
        self.assertEqual(self.kinds(page), ["outline", "add"])
        first, second = self.told(page, "change")
        self.assertEqual((first["target"], first["polygons"]), ("b", [self.RIGHT, self.INSIDE]))
        self.assertEqual(second["polygons"], [self.LEFT])
        self.assertEqual([one[2] for one in self.objects(page)], [True, True])
        self.key(page, "Shift+X")
        self.assertIn("has only one part", self.says(page))
        self.key(page, "Ctrl+Z")
        self.assertEqual(page.evaluate("lab.canvas.objects.items.map((one) => one.polygons)"), [[self.LEFT, self.RIGHT, self.INSIDE]])

    def test_polygons_are_merged_with_their_vertices(self):
        page = self.lab_with(polygons=[["b", "disc", [self.LEFT]], ["c", "disc", [self.RIGHT]], ["d", "ring", [self.INSIDE]]])
        self.key(page, "Shift+J")
        self.assertIn("is marked", self.says(page))
        self.assertIn("marked", page.text(".canvas-list"))
        self.key(page, "Tab", "Tab", "Shift+J")
        self.assertIn("of two classes", self.says(page))
        self.key(page, "Shift+Tab", "Shift+J")
        self.assertEqual(self.kinds(page), ["remove", "outline"])
        self.assertEqual(self.last(page)["polygons"], [self.LEFT, self.RIGHT])
        self.assertIn("disc 1: merged with disc 2, 320 pixels now", self.says(page))
        self.key(page, "Ctrl+Z")
        self.assertEqual(len(self.objects(page)), 3)
        self.assertNotIn("marked", page.text(".canvas-list"))

    def test_a_mask_and_a_polygon_are_merged_into_a_mask(self):
        page = self.lab_with(objects=self.masks(box(2, 20, 6, 24)), polygons=[["c", "disc", [self.LEFT]]])
        self.key(page, "Shift+J", "Tab", "Shift+J")
        self.assertEqual(self.kinds(page), ["remove", "mask"])
        self.assertEqual([one[1:] for one in self.objects(page)], [["disc", False, 80]])

    def test_what_cannot_be_split_or_merged_says_why(self):
        page = self.lab_with(boxes=[["b", "disc", [5, 5, 10, 8]]])
        self.key(page, "Shift+X", "Shift+J")
        self.assertIn("cannot be merged", self.says(page))
        page = self.lab_with(objects=self.masks(box(2, 2, 6, 6) | box(10, 2, 20, 12), crowd=True))
        self.key(page, "Shift+X")
        self.assertIn("A crowd is not split", self.says(page))
        self.key(page, "Shift+J")
        self.assertEqual(self.told(page, "change"), [])
        page = self.lab_with(objects=self.masks({(x, y) for x in range(0, 40, 2) for y in range(0, 30, 2)}))
        self.key(page, "Shift+X")
        self.assertIn("300 parts, more than 50", self.says(page))
        self.assertEqual(self.told(page, "change"), [])

    def test_escape_and_the_same_key_again_unmark(self):
        page = self.lab_with(polygons=[["b", "disc", [self.LEFT]], ["c", "disc", [self.RIGHT]]])
        self.key(page, "Shift+J", "Escape", "Tab", "Shift+J", "Shift+J")
        self.assertIn("Merging canceled", self.says(page))
        self.assertEqual(self.told(page, "change"), [])
        # The marked object was removed by somebody else: the next one is marked in its place.
        self.key(page, "Shift+J")
        page.evaluate("""lab.canvas.show({ head: 2, objects: [{ target: "b", category: "disc", shape: "polygon",
            polygons: [[2, 2, 10, 2, 10, 10, 2, 10]] }] })""")
        self.key(page, "Tab", "Shift+J")
        self.assertIn("is marked", self.says(page))
        self.assertEqual(self.told(page, "change"), [])


class Program(ProgramCase):
    """Splitting and merging with the program: the browser shows what the server has."""

    task = "polygons"

    def objects(self, page):
        """The polygons of each object of the sample, as the server has them."""
        found = page.evaluate(self.ask("'/api/samples/1'"))["objects"]
        return sorted(one["polygons"] for one in found)

    def test_split_and_merge_are_saved_and_undone_here_and_after_a_reload(self):
        page = self.open()
        page.click(".entry[data-sample='1']")
        page.until("document.querySelector('#place').innerText", wanted=lambda text: "0000" in text)
        page.evaluate("document.querySelector('.canvas-stage').focus()")
        before = self.objects(page)
        for key in ("Tab", "Tab", "Shift+X"):
            page.key(key)
        self.saved(page, 2)
        self.assertEqual(self.kinds(), ["outline", "add"])
        split = self.objects(page)
        self.assertEqual([len(one) for one in split], [1, 1, 1, 1])
        page.key("Ctrl+Z")
        self.saved(page, 4)
        self.assertEqual(self.objects(page), before)
        page.key("Ctrl+Shift+Z")
        self.saved(page, 6)
        self.assertEqual(self.objects(page), split)
        # The new object is merged into the first one.
        for key in ("Shift+Tab", "Shift+J", "Tab", "Shift+J"):
            page.key(key)
        self.saved(page, 8)
        self.assertEqual([len(one) for one in self.objects(page)].count(2), 1)
        page.reload()
        self.ready(page)
        # The two entries of the merge are one step, then those of the split.
        page.key("Ctrl+Z")
        self.saved(page, 10)
        self.assertEqual(self.objects(page), split)
        page.reload()
        self.ready(page)
        page.key("Ctrl+Z")
        self.saved(page, 12)
        self.assertEqual(self.objects(page), before)
        page.key("Ctrl+Shift+Z")
        self.saved(page, 14)
        self.assertEqual(self.objects(page), split)
        self.server.run("corrections", "verify")


if __name__ == "__main__":
    main()
