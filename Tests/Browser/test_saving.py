"""Saving masks: the outbox, a killed server, undo after a reload, an empty mask."""

from case import BrowserCase, main
from strokes import Strokes


class Saving(Strokes, BrowserCase):
    def test_a_stroke_is_saved_and_says_so_only_then(self):
        page = self.open()
        before = self.total(page)
        self.server.trouble(hold=True)
        self.stroke(page)
        self.server.until_held(1)
        self.says(page, "saving")
        self.assertEqual(self.masks(), [])
        self.server.trouble(hold=False)
        self.saved(page, 1)
        self.assertGreater(self.total(page), before)
        entry = self.masks()[0]
        self.assertEqual(entry["size"], [120, 160])
        self.assertEqual(entry["parent"], None)
        page.shot("masks-saved")

    def test_strokes_hang_on_each_other_and_undo_goes_back_to_the_start(self):
        page = self.open()
        before = self.total(page)
        for y in (0.1, 0.5, 0.9):
            self.stroke(page, 0.1, y)
        self.saved(page, 3)
        entries = self.server.entries()
        self.assertEqual([e["parent"] for e in entries], [None, entries[0]["uuid"], entries[1]["uuid"]])
        self.assertEqual(len({e["visit"] for e in entries}), 1)
        for _ in range(3):
            page.key("Ctrl+Z")
        self.saved(page, 6)
        self.assertEqual(self.total(page), before)
        self.assertEqual([e["entry"] for e in self.server.entries()[3:]],
                         [e["uuid"] for e in reversed(entries)])
        page.key("Ctrl+Shift+Z")
        self.saved(page, 7)
        self.assertEqual(self.server.entries()[6]["entry"], entries[0]["uuid"])

    def test_undo_and_redo_work_after_a_reload(self):
        page = self.open()
        before = self.total(page)
        self.stroke(page, 0.1, 0.1)
        self.saved(page, 1)
        middle = self.total(page)
        self.stroke(page, 0.1, 0.9)
        self.saved(page, 2)
        after = self.total(page)
        page.reload()
        self.ready(page, 1)
        page.key("Ctrl+Z")
        self.saved(page, 3)
        self.assertEqual(self.total(page), middle)
        page.key("Ctrl+Z")
        self.saved(page, 4)
        self.assertEqual(self.total(page), before)
        page.key("Ctrl+Z")
        page.until("document.querySelector('#spoken').innerText === 'Nothing to undo.'")
        page.reload()
        self.ready(page, 1)
        page.key("Ctrl+Shift+Z")
        self.saved(page, 5)
        page.key("Ctrl+Y")
        self.saved(page, 6)
        self.assertEqual(self.total(page), after)
        self.assertEqual(self.kinds(), ["mask", "mask", "undo", "undo", "redo", "redo"])

    def test_a_killed_server_loses_nothing_and_gets_each_stroke_once(self):
        page = self.open()
        self.stroke(page, 0.1, 0.1)
        self.saved(page, 1)
        self.server.kill()
        for y in (0.3, 0.5, 0.7):
            self.stroke(page, 0.1, y)
        self.says(page, "not saved: server gone, 3 changes kept here")
        page.shot("masks-server-gone")
        self.server.start()
        self.saved(page, 4)
        self.stroke(page, 0.1, 0.9)
        self.saved(page, 5)
        uuids = [e["uuid"] for e in self.server.entries()]
        self.assertEqual(len(uuids), len(set(uuids)))
        parents = [e["parent"] for e in self.server.entries()]
        self.assertEqual(parents, [None] + uuids[:-1])

    def test_a_decision_without_the_server_does_not_end_the_queue(self):
        page = self.open()
        self.server.kill()
        self.stroke(page, 0.1, 0.2)
        page.key("Enter")
        page.until("document.querySelector('#spoken').innerText", wanted=lambda text: "does not respond" in text)
        self.assertNotIn("finished", page.evaluate("document.querySelector('#spoken').innerText"))
        self.server.start()
        self.saved(page, 2)
        page.key("Enter")
        page.until("document.querySelector('#spoken').innerText", wanted=lambda text: text.startswith("Accepted"))
        self.assertEqual(self.kinds()[:2], ["mask", "accept"])

    def test_six_kills_while_a_person_draws(self):
        page = self.open()
        for turn in range(6):
            self.stroke(page, 0.1 + 0.1 * turn, 0.2)
            self.server.kill()
            self.stroke(page, 0.1 + 0.1 * turn, 0.8)
            self.server.start()
        page.until("document.querySelector('#state').dataset.kind === 'saved'")
        entries = self.server.entries()
        uuids = [e["uuid"] for e in entries]
        self.assertEqual(len(uuids), 12)
        self.assertEqual([e["parent"] for e in entries], [None] + uuids[:-1])

    def test_strokes_of_a_dead_server_are_sent_after_a_reload(self):
        page = self.open()
        self.server.kill()
        self.stroke(page, 0.1, 0.2)
        self.stroke(page, 0.1, 0.6)
        self.says(page, "2 changes kept here")
        # Left before the server is back: otherwise the page that made the changes may send them itself.
        address = page.evaluate("location.href")
        page.go("about:blank")
        self.server.start()
        page.go(address)
        self.ready(page, 1)
        page.until("document.querySelector('#state').dataset.kind === 'saved'")
        self.assertEqual(self.kinds(), ["mask", "mask"])

    def test_lost_answers_make_no_second_entry(self):
        page = self.open()
        self.server.trouble(drop=2)
        self.stroke(page, 0.1, 0.2)
        self.stroke(page, 0.1, 0.6)
        self.saved(page, 2)
        self.assertEqual(len(self.server.entries()), 2)

    def test_an_empty_mask_needs_saying_so(self):
        page = self.open()
        page.key("Shift+Delete")
        self.says(page, "disc is empty now")
        page.shot("masks-empty-question")
        self.assertEqual(self.server.entries(), [])
        page.key("Enter")
        page.until("document.querySelector('#spoken').innerText.includes('empty')")
        page.key("Ctrl+Z")
        self.says(page, "nothing to save")
        page.key("Shift+Delete")
        self.says(page, "disc is empty now")
        page.key("y")
        self.saved(page, 1)
        self.assertIs(self.masks()[0]["empty"], True)
        self.assertEqual(self.total(page), 0)

    def test_the_question_about_an_empty_mask_outlives_a_reload(self):
        page = self.open()
        page.key("Shift+Delete")
        self.says(page, "disc is empty now")
        page.reload()
        self.ready(page, 1)
        self.says(page, "leaves disc empty")
        self.assertEqual(self.server.entries(), [])
        page.key("y")
        self.saved(page, 1)
        page.until(self.ask("'/api/samples/101'") + ".then(s => s.objects.length === 0)")

    def test_drawing_again_answers_the_question(self):
        page = self.open()
        page.key("Shift+Delete")
        self.says(page, "disc is empty now")
        self.stroke(page)
        self.saved(page, 1)
        self.assertNotIn("empty", self.masks()[0])
        self.assertEqual(len(self.server.entries()), 1)

    def test_hidden_is_not_deleted(self):
        page = self.open()
        before = self.total(page)
        page.key("Shift+H")
        page.key("l")
        self.ready(page, 2)
        page.key("j")
        self.ready(page, 1)
        self.assertEqual(self.server.entries(), [])
        self.assertEqual(self.total(page), before)

    def test_undo_takes_a_decision_back_before_the_stroke(self):
        page = self.open()
        page.key("Shift+A")
        self.stroke(page)
        page.key("u")
        self.saved(page, 2)
        page.key("Ctrl+Z")
        self.saved(page, 3)
        page.key("Ctrl+Z")
        self.saved(page, 4)
        entries = self.server.entries()
        self.assertEqual([e["entry"] for e in entries[2:]], [entries[1]["uuid"], entries[0]["uuid"]])

    def test_taking_the_models_mask_shows_it_and_can_be_undone(self):
        page = self.open()
        before = self.total(page)
        page.key("t")
        self.saved(page, 1)
        taken = self.total(page)
        self.assertEqual(self.server.entries()[0]["run"], "segmenter-1")
        page.key("Ctrl+Z")
        self.saved(page, 2)
        self.assertEqual(self.total(page), before)
        page.key("Ctrl+Shift+Z")
        self.saved(page, 3)
        self.assertEqual(self.total(page), taken)

    def test_taking_a_mask_that_adds_objects_asks_and_says_how_many(self):
        page = self.open()
        page.click(".entry[data-position='7']")
        self.ready(page, 8)
        objects = self.ask("'/api/samples/108'")
        before = page.evaluate(objects)["objects"]
        page.key("t")
        self.assertEqual(page.text("#decide .confirm p"),
                         "Using the prediction will add 2 objects to the one of disc.")
        page.key("Enter")
        page.until("document.querySelector('#spoken').innerText.startsWith('Prediction not used')")
        self.assertEqual(self.server.entries(), [])
        page.key("t")
        page.key("y")
        self.saved(page, 1)
        entry = self.server.entries()[0]
        self.assertEqual((entry["kind"], entry.get("confirmed"), entry["smallest_share"]), ("take", None, 0.001))
        self.assertNotEqual(page.evaluate(objects)["objects"], before)

    def test_undo_after_a_reload_reaches_the_sample_accepted_before(self):
        page = self.open()
        self.stroke(page)
        self.saved(page, 1)
        page.key("Enter")
        self.ready(page, 2)
        self.saved(page, 2)
        page.reload()
        self.ready(page, 2)
        page.key("Ctrl+Z")
        self.ready(page, 1)
        page.key("Ctrl+Z")
        self.saved(page, 3)
        page.key("Ctrl+Z")
        self.saved(page, 4)
        self.assertEqual(self.kinds(), ["mask", "accept", "undo", "undo"])

    def test_a_stroke_on_the_last_sample_can_be_accepted_after_the_queue_is_finished(self):
        page = self.open()
        for number in range(1, 13):
            self.ready(page, number)
            page.key("Enter")
        page.until("document.querySelector('#spoken').innerText.includes('The queue is finished.')")
        self.saved(page, 12)
        page.key("Enter")
        page.until("document.querySelector('#spoken').innerText.includes('key ignored')")
        self.stroke(page, 0.1, 0.1)
        self.saved(page, 13)
        page.key("Enter")
        self.saved(page, 14)
        self.assertEqual(self.kinds()[12:], ["mask", "accept"])

    def test_the_chosen_class_stays_on_pictures_that_have_none_of_it_and_after_a_reload(self):
        page = self.open()
        chosen = "document.querySelector('.canvas-category select').value"
        page.evaluate("""(() => { const select = document.querySelector('.canvas-category select');
            select.value = 'ring'; select.dispatchEvent(new Event('change')); })()""")
        page.key("l")
        self.ready(page, 2)
        self.assertEqual(page.evaluate(chosen), "ring")
        page.reload()
        self.ready(page, 2)
        self.assertEqual(page.evaluate(chosen), "ring")
        self.stroke(page)
        self.saved(page, 1)
        self.assertEqual(self.masks()[0]["category"], "ring")

    def test_a_class_chosen_on_the_way_to_a_picture_is_drawn_with_there(self):
        page = self.open()
        self.server.trouble(hold=True)
        page.key("l")
        page.key("2")
        self.server.trouble(hold=False)
        self.ready(page, 2)
        self.stroke(page)
        self.saved(page, 1)
        self.assertEqual([(e["sample"], e["category"]) for e in self.server.entries()], [(102, "ring")])

    def test_a_key_pressed_on_the_way_to_another_picture_does_not_change_the_one_before(self):
        page = self.open()
        self.server.trouble(hold=True)
        page.key("l")
        for key in ("Shift+Delete", "Shift+M", "Enter", "t", "Delete"):
            page.key(key)
        page.until("document.querySelector('#spoken').innerText.startsWith('The next image is still loading')")
        self.server.trouble(hold=False)
        self.ready(page, 2)
        self.stroke(page)
        self.saved(page, 1)
        self.assertEqual([(e["kind"], e["sample"]) for e in self.server.entries()], [("mask", 102)])

    def test_who_moved_the_threshold_takes_what_is_seen(self):
        page = self.open()
        value = "document.querySelector('input[aria-label=\"Model threshold\"] + output').innerText"
        self.assertEqual(page.evaluate(value), "as in run")
        x, y, width, height = page.box("input[aria-label='Model threshold']")
        page.drag([(x + width / 2, y + height / 2), (x + 0.3 * width, y + height / 2)])
        self.assertLess(float(page.evaluate(value)), 0.45)
        page.key("t")
        self.saved(page, 1)
        page.key("l")
        self.ready(page, 2)
        self.assertEqual(page.evaluate(value), "as in run")
        page.key("t")
        self.saved(page, 2)
        self.assertEqual(self.kinds(), ["mask", "take"])

    def test_a_refused_stroke_is_kept_until_it_is_given_up(self):
        page = self.open()
        self.server.trouble(fail=422)
        self.stroke(page)
        self.says(page, "refused")
        page.shot("masks-refused")
        page.reload()
        page.until("document.querySelector('#state').innerText.includes('refused')")
        self.server.trouble(fail=0)
        page.click("[data-action='insist']")
        page.until("document.querySelector('#state').dataset.kind === 'saved'")
        self.assertEqual(self.kinds(), ["mask"])

    def test_no_room_on_the_servers_disk_is_said_and_tried_again(self):
        page = self.open()
        self.server.trouble(fail=507)
        self.stroke(page)
        self.says(page, "told to fail")
        self.server.trouble(fail=0)
        page.click("[data-action='retry']")
        self.saved(page, 1)


if __name__ == "__main__":
    main()
