"""Keypoints and fields of objects in the editor: points moved, placed and hidden, fields edited, and saved by the program."""

import json
import os

from canvas_case import CanvasCase
from case import ProgramCase, main
from strokes import Strokes

SKELETONS = {"disc": {"names": ["nose", "left eye", "right eye", "tail"], "edges": [[0, 1], [0, 2], [2, 3]]}}
FIELDS = {"occluded": {"type": "boolean", "values": []}, "pose": {"type": "text", "values": ["front", "left", "right"]},
          "track": {"type": "number", "values": []}}


class Keypoints(CanvasCase):
    """The editor alone, with an image of 40 × 30 pixels that is shown at a whole multiple of its size."""

    POINTS = [10, 8, 2, 14.125, 6, 1, 6, 6, 2, 0, 0, 0]

    def lab_with(self, points=None, **more):
        fields = {"keypoints": points or self.POINTS, "num_keypoints": 3, **more}
        page = self.lab(boxes=[["b", "disc", [4, 4, 14, 14]], ["c", "ring", [25, 5, 8, 8]]], attributes={"b": fields},
                        skeletons=SKELETONS)
        page.evaluate("lab.canvas.focus()")
        self.key(page, "Shift+D", "Tab")
        return page

    def click(self, page, *place, modifiers=0):
        page.drag([self.at(page, *place)], modifiers=modifiers)
        self.rest(page)

    def drag(self, page, start, end):
        page.drag([self.at(page, *start), self.at(page, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2), self.at(page, *end)])
        self.rest(page)

    def says(self, page):
        return self.told(page, "say")[-1]

    def points(self, page):
        return self.last(page)["attributes"]["keypoints"]

    def test_a_point_is_dragged_and_the_others_keep_their_numbers(self):
        page = self.lab_with()
        self.drag(page, (10, 8), (12, 9))
        found = self.last(page)
        self.assertEqual((found["kind"], found["target"], found["category"]), ("attributes", "b", "disc"))
        self.assertEqual(sorted(found["attributes"]), ["keypoints"])
        points = found["attributes"]["keypoints"]
        self.assertAlmostEqual(points[0], 12, delta=0.06)
        self.assertAlmostEqual(points[1], 9, delta=0.06)
        self.assertEqual(points[2:], self.POINTS[2:])
        self.assertIn("nose, 1 of 4, visible at 12", self.says(page))
        self.key(page, "Ctrl+Z")
        self.assertEqual(page.evaluate("lab.canvas.objects.items[0].keypoints"), self.POINTS)
        self.key(page, "Ctrl+Shift+Z")
        self.assertEqual(page.evaluate("lab.canvas.objects.items[0].keypoints"), points)
        self.drag(page, (12, 9), (90, 90))
        self.assertEqual(self.points(page)[:3], [40, 30, 2])

    def test_the_keyboard_alone_selects_moves_and_hides_points(self):
        page = self.lab_with()
        self.key(page, "Shift+N", "Shift+N")
        self.assertIn("disc 1: left eye, 2 of 4, hidden at 14.13, 6", self.says(page))
        self.assertIn("3 of 4 points", page.text(".canvas-list"))
        self.key(page, "ArrowRight")
        self.assertEqual(self.points(page)[3:6], [15.13, 6, 1])
        self.key(page, "Shift+ArrowDown")
        self.assertEqual(self.points(page)[3:6], [15.13, 16, 1])
        # Hidden, not labeled, visible again.
        self.key(page, "Shift+U")
        self.assertEqual(self.last(page)["attributes"], {"keypoints": [10, 8, 2, 0, 0, 0, 6, 6, 2, 0, 0, 0], "num_keypoints": 2})
        self.assertIn("left eye, 2 of 4, not labeled", self.says(page))
        changes = len(self.told(page, "change"))
        self.key(page, "ArrowRight")
        self.assertEqual(len(self.told(page, "change")), changes)
        self.key(page, "Shift+U")
        self.assertEqual(self.points(page)[3:6], [11, 11, 2])
        self.key(page, "Shift+U")
        self.assertEqual(self.points(page)[3:6], [11, 11, 1])
        self.key(page, "Shift+V")
        self.assertIn("nose, 1 of 4", self.says(page))
        self.key(page, "Escape", "ArrowRight")
        self.assertEqual(self.points(page)[3:6], [11, 11, 1])

    def test_delete_takes_the_selected_point_and_never_the_object(self):
        page = self.lab_with()
        self.key(page, "Shift+N", "Delete")
        self.assertEqual(self.points(page)[:3], [0, 0, 0])
        self.assertEqual(self.last(page)["kind"], "attributes")
        changes = len(self.told(page, "change"))
        self.key(page, "Delete")
        self.assertEqual(len(self.told(page, "change")), changes)
        self.assertIn("Esc, then Delete removes the whole object", self.says(page))
        self.key(page, "Escape", "Delete")
        self.assertEqual(self.last(page)["kind"], "remove")

    def test_a_point_that_is_not_labeled_is_placed_by_a_click_and_alt_changes_the_visibility(self):
        page = self.lab_with()
        self.key(page, "Shift+V")
        self.assertIn("tail, 4 of 4, not labeled; click its place", self.says(page))
        self.click(page, 30, 25)
        points = self.points(page)
        self.assertEqual(points[:9], self.POINTS[:9])
        self.assertEqual([round(value) for value in points[9:]], [30, 25, 2])
        self.click(page, 10, 8, modifiers=1)
        self.assertEqual(self.points(page)[:3], [10, 8, 1])
        # Another object is selected by a click where there is no point.
        self.click(page, 29, 9)
        self.assertIn("ring 1", page.text(".canvas-foot"))
        self.key(page, "Shift+N")
        self.assertIn("Select an object with keypoints", self.says(page))

    def test_points_that_are_none_are_left_alone(self):
        for points in ([1, 2], [1, 2, 3], ["x", 1, 2], {"a": 1}, [], [None, 1, 2]):
            page = self.lab(boxes=[["b", "disc", [4, 4, 14, 14]]], attributes={"b": {"keypoints": points}})
            page.evaluate("lab.canvas.focus()")
            self.key(page, "Shift+D", "Tab", "Shift+N", "Shift+U")
            self.assertEqual(self.told(page, "change"), [])
            self.pages.pop().close()

    def test_points_far_outside_are_kept_and_only_the_moved_one_changes(self):
        points = [-1e8, 5, 2, 1e8, 9e8, 2, 10, 10, 1]
        page = self.lab_with(points)
        self.key(page, "Shift+V", "ArrowLeft")
        self.assertEqual(self.points(page), [-1e8, 5, 2, 1e8, 9e8, 2, 9, 10, 1])

    def test_an_object_that_somebody_else_removed_is_not_changed(self):
        page = self.lab_with()
        page.mouse("mousePressed", *self.at(page, 10, 8), button="left", buttons=1, clickCount=1)
        page.mouse("mouseMoved", *self.at(page, 14, 9), button="left", buttons=1)
        page.evaluate("lab.canvas.show({ objects: [], head: 3 })")
        page.mouse("mouseReleased", *self.at(page, 14, 9), button="left", clickCount=1)
        self.rest(page)
        self.assertEqual(self.told(page, "change"), [])
        self.assertIn("in the meantime", self.says(page))

    def test_the_states_at_every_size_light_and_dark(self):
        page = self.lab_with()
        self.key(page, "Shift+N")
        for width, height in ((1400, 900), (1000, 700), (390, 844)):
            page.resize(width, height)
            for is_dark in (False, True):
                page.dark(is_dark)
                self.rest(page)
                page.shot("keypoints-%d-%s" % (width, "dark" if is_dark else "light"))


class Fields(CanvasCase):
    """The panel with the fields of the selected object."""

    OWN = {"occluded": False, "pose": "left", "area_ratio": 0.5, "parts": ["a", "b"], "<b>x</b>": "<i>y</i>"}

    def lab_with(self, own=None):
        page = self.lab(boxes=[["b", "disc", [4, 4, 14, 14]], ["c", "disc", [25, 5, 8, 8]]],
                        attributes={"b": self.OWN if own is None else own}, fields=FIELDS)
        page.evaluate("lab.canvas.focus()")
        self.key(page, "v", "Tab")
        return page

    def names(self, page):
        return page.evaluate("[...document.querySelectorAll('.canvas-field > span:first-child')].map((one) => one.innerText)")

    def enter(self, page, name, value):
        """Sets a field as a person does: the value changes, then the element says so."""
        page.call("""(name, value) => {
            const element = [...document.querySelectorAll('[data-field]')].find((one) => one.dataset.field === name);
            element.focus(); element.value = value; element.dispatchEvent(new Event('change')); }""", name, value)
        self.rest(page)

    def test_fields_are_shown_by_their_type_and_saved_one_by_one(self):
        page = self.lab_with()
        self.assertEqual(self.names(page), ["occluded", "pose", "area_ratio", "parts", "<b>x</b>", "track"])
        types = page.evaluate("[...document.querySelectorAll('[data-field]')].map((one) => one.type)")
        self.assertEqual(types, ["select-one", "text", "number", "text", "number"])
        self.enter(page, "occluded", "true")
        self.assertEqual(self.last(page), {
            "kind": "attributes", "target": "b", "category": "disc", "attributes": {"occluded": True}})
        self.enter(page, "pose", "right")
        self.assertEqual(self.last(page)["attributes"], {"pose": "right"})
        self.enter(page, "track", "12.5")
        self.assertEqual(self.last(page)["attributes"], {"track": 12.5})
        self.enter(page, "area_ratio", "")
        self.assertEqual(self.last(page)["attributes"], {"area_ratio": None})
        self.enter(page, "pose", "upside down")
        self.assertIn("(a new value)", self.told(page, "say")[-1])
        self.assertEqual(len(self.told(page, "change")), 5)
        self.enter(page, "pose", "upside down")
        self.assertEqual(len(self.told(page, "change")), 5)
        options = page.evaluate("[...document.querySelectorAll('datalist option')].map((one) => one.value)")
        self.assertEqual(options, ["front", "left", "right"])
        page.evaluate("lab.canvas.focus()")
        self.key(page, *["Ctrl+Z"] * 5)
        fields = page.evaluate("Object.fromEntries(lab.canvas.objects.items[0].fields)")
        self.assertEqual(fields, self.OWN)
        self.key(page, *["Ctrl+Shift+Z"] * 5)
        fields = page.evaluate("Object.fromEntries(lab.canvas.objects.items[0].fields)")
        self.assertEqual(fields, {"occluded": True, "pose": "upside down", "track": 12.5, "parts": ["a", "b"], "<b>x</b>": "<i>y</i>"})

    def test_the_keyboard_alone_edits_a_field_and_returns_to_the_image(self):
        page = self.lab_with()
        self.key(page, "Shift+W", "Tab")
        self.assertEqual(page.evaluate("document.activeElement.dataset.field"), "pose")
        page.key("Ctrl+A")
        page.type("front")
        self.key(page, "Enter")
        self.assertEqual(self.last(page)["attributes"], {"pose": "front"})
        # The keys of the image work again.
        page.until("!document.querySelector('.canvas-fields').contains(document.activeElement)")
        self.key(page, "Tab")
        self.assertIn("disc 2", page.text(".canvas-foot"))
        self.key(page, "Shift+W")
        self.assertEqual(page.evaluate("document.activeElement.dataset.field"), "occluded")

    def test_what_is_typed_is_saved_when_a_button_is_pressed_that_takes_no_focus(self):
        page = self.lab_with()
        page.evaluate("""document.body.append(Object.assign(document.createElement('button'), {
            id: 'beside', textContent: 'Beside', onmousedown: (event) => event.preventDefault(),
            style: 'position: fixed; left: 4px; bottom: 4px; z-index: 9' }))""")
        self.key(page, "Shift+W", "Tab")
        page.key("Ctrl+A")
        page.type("front")
        page.click("#beside")
        self.rest(page)
        self.assertEqual(self.last(page)["attributes"], {"pose": "front"})
        self.assertFalse(page.evaluate("document.querySelector('.canvas-fields').contains(document.activeElement)"))

    def test_what_is_no_number_is_not_saved(self):
        page = self.lab_with()
        self.enter(page, "area_ratio", "1e999")
        self.enter(page, "track", "NaN")
        self.assertEqual([one for one in self.told(page, "change") if one["attributes"].get("track")
                          or one["attributes"].get("area_ratio")], [])

    def test_an_object_that_somebody_else_removed_is_not_changed(self):
        page = self.lab_with()
        page.evaluate("""(() => { const kept = document.querySelector('[data-field=pose]');
            lab.canvas.show({ objects: [], head: 3 }); kept.value = 'front'; kept.dispatchEvent(new Event('change')); })()""")
        self.rest(page)
        self.assertEqual(self.told(page, "change"), [])
        self.assertIn("in the meantime", self.told(page, "say")[-1])
        self.assertTrue(page.evaluate("document.querySelector('.canvas-fields').hidden"))

    def test_names_of_properties_of_objects_are_names_of_fields(self):
        page = self.lab(boxes=[["b", "disc", [4, 4, 14, 14]]], fields={})
        page.call("""() => lab.canvas.show({ head: 1, objects: [JSON.parse(
            '{"target":"b","category":"disc","shape":"box","box":[4,4,14,14],'
            + '"attributes":{"__proto__":"p","constructor":"c","toString":1}}')] })""")
        page.evaluate("lab.canvas.focus()")
        self.key(page, "v", "Tab")
        self.assertEqual(self.names(page), ["__proto__", "constructor", "toString"])
        self.enter(page, "__proto__", "q")
        self.assertEqual(page.evaluate("JSON.stringify(lab.told.findLast(([what]) => what === 'change')[1].attributes)"),
                         '{"__proto__":"q"}')

    def test_the_states_at_every_size_light_and_dark(self):
        page = self.lab_with({**self.OWN, "a field with a very long name": "and a value that is far too long for its place"})
        for width, height in ((1400, 900), (1000, 700), (390, 844)):
            page.resize(width, height)
            for is_dark in (False, True):
                page.dark(is_dark)
                self.rest(page)
                page.shot("fields-%d-%s" % (width, "dark" if is_dark else "light"))
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)


class Program(Strokes, ProgramCase):
    """Keypoints and fields with the program, and the export."""

    task = "keypoints"

    def test_points_and_fields_are_saved_undone_after_a_reload_and_exported(self):
        page = self.open()
        before = self.sample(page)["objects"][0]["attributes"]
        page.evaluate("document.querySelector('.canvas-stage').focus()")
        for key in ("Shift+D", "Tab", "Shift+N", "ArrowRight"):
            page.key(key)
        self.saved(page, 1)
        moved = [before["keypoints"][0] + 1, *before["keypoints"][1:]]
        self.assertEqual(self.sample(page)["objects"][0]["attributes"]["keypoints"], moved)
        page.key("Shift+V")
        page.key("Shift+U")
        self.saved(page, 2)
        page.key("Shift+W")
        page.key("ArrowUp")
        self.saved(page, 3)
        for width, height in ((1400, 900), (1000, 700), (390, 844)):
            page.resize(width, height)
            for is_dark in (False, True):
                page.dark(is_dark)
                page.shot("keypoints-program-%d-%s" % (width, "dark" if is_dark else "light"))
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
        page.resize(1280, 800)
        self.assertEqual({entry["kind"] for entry in self.server.entries()}, {"attributes"})
        page.reload()
        self.ready(page)
        now = self.sample(page)["objects"][0]["attributes"]
        self.assertEqual((now["num_keypoints"], now["occluded"]), (3, True))
        entries = len(self.server.entries())
        page.key("Ctrl+Z")
        self.saved(page, entries + 1)
        self.server.run("corrections", "verify")
        out = os.path.join(self.server.folder, "out")
        self.server.run("export", "posed", "--to", "coco", "--out", out, "--corrected")
        with open(os.path.join(out, "annotations", "instances.json"), encoding="utf-8") as file:
            content = json.load(file)
        found = [one for one in content["annotations"] if one["image_id"] == self.sample(page)["sample"]["id"]][0]
        self.assertEqual(found["keypoints"][:6], moved[:6])
        self.assertEqual((found["keypoints"][8], found["num_keypoints"]), (2, 3))
        self.assertEqual(content["categories"][0]["skeleton"], [[1, 2], [2, 3]])


if __name__ == "__main__":
    main()
