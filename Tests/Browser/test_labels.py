"""Label mode: number keys, the model's prediction, decisions."""

from case import BrowserCase, main


class Labels(BrowserCase):
    task = "label"

    def label(self, page):
        return page.text(".caption .truth")

    def test_a_number_key_labels_saves_and_goes_on(self):
        page = self.open()
        self.assertEqual(self.label(page), "label: angry")
        page.key("4")
        self.ready(page, 2)
        self.saved(page, 1)
        self.assertEqual([(e["kind"], e["category"], e["done"]) for e in self.server.entries()],
                         [("label", "happy", True)])
        self.assertIn("done", page.text("[data-position='0']"))
        self.assertIn("23 left · 1 done", page.text("#counts"))
        page.shot("labels")

    def test_a_key_pressed_before_the_next_picture_is_there_labels_nothing(self):
        page = self.open()
        self.server.trouble(hold=True)
        page.key("4")
        page.key("3")
        page.key("Enter")
        page.until("document.querySelector('#spoken').innerText.startsWith('The next image is still loading')")
        self.server.trouble(hold=False)
        self.ready(page, 2)
        page.key("5")
        self.ready(page, 3)
        self.saved(page, 2)
        self.assertEqual([(e["sample"], e["category"]) for e in self.server.entries()],
                         [(101, "happy"), (102, "sad")])

    def test_a_key_pressed_on_the_way_to_another_picture_does_not_relabel_the_one_before(self):
        page = self.open()
        self.server.trouble(hold=True)
        for move in ("l", "l", "j"):
            page.key(move)
            for key in ("4", "Enter", "t", "u", "s", "b", "Ctrl+Z"):
                page.key(key)
        self.server.trouble(hold=False)
        self.ready(page, 2)
        page.key("5")
        self.ready(page, 3)
        self.saved(page, 1)
        self.assertEqual([(e["sample"], e["kind"]) for e in self.server.entries()], [(102, "label")])

    def test_a_key_pressed_before_the_first_picture_is_there_does_nothing(self):
        self.server.trouble(hold=True)
        page = self.open(ready=False)
        self.server.until_held(1)
        for key in ("4", "Enter", "t"):
            page.key(key)
        self.server.trouble(hold=False)
        self.ready(page, 1)
        page.key("l")
        self.ready(page, 2)
        page.key("u")
        self.ready(page, 3)
        self.saved(page, 1)
        self.assertEqual([(e["sample"], e["kind"]) for e in self.server.entries()], [(102, "unsure")])

    def test_number_keys_behind_the_last_sample_label_nothing(self):
        page = self.open()
        for number in range(1, 25):
            self.ready(page, number)
            page.key("4")
        page.until("document.querySelector('#spoken').innerText.includes('The queue is finished.')")
        self.saved(page, 24)
        page.key("5")
        page.until("document.querySelector('#spoken').innerText.includes('The queue is finished; key ignored.')")
        self.assertEqual(self.label(page), "label: happy")
        # After undoing the label or going back, a sample is open again.
        page.key("Ctrl+Z")
        self.saved(page, 25)
        page.key("5")
        # Not only saved: until the page has searched for a next sample, a key press shows a wait message.
        page.until("document.querySelector('#spoken').innerText.includes('The queue is finished.')")
        self.saved(page, 26)
        page.key("6")
        page.until("document.querySelector('#spoken').innerText.includes('The queue is finished; key ignored.')")
        page.key("j")
        self.ready(page, 23)
        page.key("6")
        self.saved(page, 27)
        self.assertEqual([(e["sample"], e["kind"], e.get("category")) for e in self.server.entries()[24:]],
                         [(124, "undo", None), (124, "label", "sad"), (123, "label", "surprise")])

    def finish(self, page):
        """Labels all 24 samples."""
        for number in range(1, 25):
            self.ready(page, number)
            page.key("4")
        page.until("document.querySelector('#spoken').innerText.includes('The queue is finished.')")
        self.saved(page, 24)

    def test_decision_keys_behind_the_last_sample_decide_nothing(self):
        page = self.open()
        self.finish(page)
        for key in ("t", "Enter", "u", "s", "b", "r", "5"):
            page.key("?")
            page.key("?")
            page.key(key)
            page.until("document.querySelector('#spoken').innerText.includes('The queue is finished; key ignored.')")
            self.assertIsNone(page.text("#words"))
        self.assertEqual(self.label(page), "label: happy")
        # A reload changes nothing in that.
        page.reload()
        self.ready(page, 24)
        page.until("document.querySelector('#spoken').innerText.includes('The queue is finished.')")
        page.key("t")
        page.key("3")
        page.until("document.querySelector('#spoken').innerText.includes('key ignored')")
        self.assertEqual(len(self.server.entries()), 24)
        # A click means the open sample.
        page.click(".class:nth-child(3)")
        self.saved(page, 25)
        self.assertEqual(self.server.entries()[24]["category"], "fear")

    def test_without_going_on_the_key_after_the_last_next_labels_nothing(self):
        page = self.open()
        page.key("Shift+G")
        page.type("24")
        page.key("Enter")
        self.ready(page, 24)
        page.key("Shift+A")
        page.key("l")
        page.until("document.querySelector('#spoken').innerText === 'This is the last sample.'")
        page.key("4")
        self.saved(page, 1)
        page.key("5")
        self.saved(page, 2)
        page.key("l")
        page.key("6")
        page.key("t")
        page.until("document.querySelector('#spoken').innerText.includes('key ignored')")
        self.assertEqual([e["category"] for e in self.server.entries()], ["happy", "sad"])

    def test_undo_after_a_reload_reaches_the_samples_decided_before(self):
        page = self.open()
        for number, key in ((1, "4"), (2, "Enter"), (3, "u")):
            self.ready(page, number)
            page.key(key)
        self.ready(page, 4)
        self.saved(page, 3)
        page.reload()
        self.ready(page, 4)
        entry = 3
        for number in (3, 2, 1):
            page.key("Ctrl+Z")
            self.ready(page, number)
            page.until("document.querySelector('#spoken').innerText.startsWith('Back at %d.')" % number)
            entry += 1
            page.key("Ctrl+Z")
            self.saved(page, entry)
        page.key("Ctrl+Z")
        page.until("document.querySelector('#spoken').innerText === 'Nothing to undo.'")
        self.assertEqual(self.label(page), "label: angry")
        self.assertEqual([(e["sample"], e["kind"]) for e in self.server.entries()][3:],
                         [(103, "undo"), (102, "undo"), (101, "undo")])

    def test_undo_of_another_review_is_not_reached(self):
        page = self.open()
        page.key("4")
        self.ready(page, 2)
        self.saved(page, 1)
        # As if the review had been made anew with another order.
        page.evaluate("""Object.keys(localStorage).filter((name) => name.startsWith('assay-trail-')).forEach((name) =>
            localStorage.setItem(name, JSON.stringify([{ position: 0, sample: 999 }])))""")
        page.reload()
        self.ready(page, 2)
        page.key("Ctrl+Z")
        page.until("document.querySelector('#spoken').innerText === 'Nothing to undo.'")
        self.assertEqual(self.kinds(), ["label"])

    def test_the_film_strip_shows_the_label_and_what_the_model_predicts(self):
        page = self.open()
        lines = "[...document.querySelectorAll('.entry .reason')].slice(0, 3).map(e => e.innerText)"
        self.assertEqual(page.evaluate(lines), ["angry → disgust", "disgust → sad", "fear → angry"])
        self.assertIn("margin 0.00", page.evaluate("document.querySelector('.entry').title"))
        page.key("2")
        self.saved(page, 1)
        page.until(lines, wanted=lambda now: now[0] == "disgust")

    def test_the_film_strip_is_walked_and_opened_by_keys(self):
        page = self.open()
        page.evaluate("document.querySelector('.entry[aria-current]').focus()")
        focused = "document.activeElement.dataset.position"
        self.assertEqual(page.evaluate("document.querySelectorAll('.entry[tabindex=\"0\"]').length"), 1)
        for key, position in (("ArrowRight", "1"), ("ArrowRight", "2"), ("ArrowLeft", "1"), ("End", "23"), ("Home", "0"),
                              ("ArrowLeft", "0"), ("ArrowRight", "1")):
            page.key(key)
            page.until(focused, wanted=lambda now: now == position)
        page.key("Enter")
        self.ready(page, 2)
        page.until(focused, wanted=lambda now: now == "1")
        self.assertEqual(self.server.entries(), [])

    def test_a_small_face_opens_at_a_size_at_which_it_can_be_recognized(self):
        page = self.open(size=(1400, 900))
        x, y, width, height = page.box(".face")
        room = page.box(".room")
        self.assertEqual((width, height), (288, 288))
        self.assertLess(height, 0.5 * room[3])

    def test_the_number_and_the_key_of_a_sample_do_not_read_as_one(self):
        page = self.open()
        key = page.text("#place .key")
        self.assertTrue(key.isdigit())
        self.assertTrue(page.text("#place").startswith("1 of 24 · sample %s " % key), page.text("#place"))
        page.resize(390, 844)
        self.assertTrue(page.text("#place").startswith("1 of 24 · sample %s" % key), page.text("#place"))

    def test_large_numbers_have_separators(self):
        page = self.open()
        words = page.evaluate("""import('/app/queue.js').then(({ Queue }) => {
            const counted = document.createElement('p');
            const queue = new Queue(document.createElement('div'), counted, () => {});
            queue.total = 20771;
            queue.counts = { left: 19770, done: 1001 };
            queue.draw();
            return Promise.all(['20,771', '20771', '#1,234', '2,0771', '20,772'].map((text) => {
              queue.fetch = async () => {};
              return queue.find(text); })).then((found) => [counted.textContent, found]); })""")
        self.assertEqual(words, ["19,770 left · 1,001 done", [20770, 20770, 1233, None, None]])

    def test_every_class_button_has_its_key_and_the_models_confidence(self):
        page = self.open()
        buttons = page.evaluate(
            "[...document.querySelectorAll('.class')].map(e => e.innerText.split('\\n'))")
        self.assertEqual([b[1] for b in buttons], list("1234567"))
        self.assertEqual(buttons[1], ["disgust", "2", "0.62"])
        self.assertEqual(page.text(".caption .said").strip(), "· model: disgust 0.62")

    def test_a_class_that_is_a_digit_has_that_key(self):
        page = self.open()
        keys = page.evaluate("""import('/app/labels.js').then(({ labelKeys }) =>
            [[...'0123456789'], ['other', '3', 'none'], [...'abcdefghijk']].map(labelKeys))""")
        self.assertEqual(keys, [list("0123456789"), ["1", "3", "2"], [*"1234567890", None]])

    def test_a_face_is_shown_at_whole_multiples_of_its_pixels(self):
        page = self.open()
        for size in ((1280, 800), (900, 600), (600, 700)):
            page.resize(*size)
            for key in ("+", "+", "-"):
                page.key(key)
                width = page.evaluate("document.querySelector('.face').getBoundingClientRect().width")
                self.assertEqual(width % 48, 0, "at %s: %s" % (size, width))
                self.assertGreaterEqual(width, 48)
            self.assertEqual(page.evaluate(
                "getComputedStyle(document.querySelector('.face')).imageRendering"), "pixelated")

    def test_unsure_bad_reject_skip_and_note_are_kept(self):
        page = self.open()
        page.key("u")
        self.ready(page, 2)
        page.key("b")
        self.ready(page, 3)
        page.key("r")
        page.type("two faces")
        page.key("Enter")
        self.ready(page, 4)
        page.key("s")
        self.ready(page, 5)
        page.key("n")
        page.type("look again")
        page.key("Enter")
        self.saved(page, 5)
        entries = self.server.entries()
        self.assertEqual([e["kind"] for e in entries], ["unsure", "bad", "reject", "skip", "note"])
        self.assertEqual(entries[2]["reason"], "two faces")
        self.assertEqual(entries[4]["note"], "look again")
        self.assertIn("20 left · 0 done · 1 skipped · 1 unsure · 2 excluded", page.text("#counts"))
        self.assertTrue(all(e["seconds"] >= 0 for e in entries))

    def test_a_question_can_be_left_and_letters_in_it_are_letters(self):
        page = self.open()
        page.key("r")
        for letter in "sub":
            page.key(letter)
        self.assertEqual(page.evaluate("document.querySelector('#words').value"), "sub")
        page.key("Escape")
        self.assertIsNone(page.text("#words"))
        page.key("s")
        self.ready(page, 2)
        self.saved(page, 1)
        self.assertEqual(self.kinds(), ["skip"])

    def test_accept_and_take(self):
        page = self.open()
        page.key("Enter")
        self.ready(page, 2)
        page.key("t")
        self.ready(page, 3)
        self.saved(page, 2)
        entries = self.server.entries()
        self.assertEqual([e["kind"] for e in entries], ["accept", "take"])
        self.assertEqual(entries[1]["run"], "fer-1")
        page.key("j")
        self.ready(page, 2)
        self.assertEqual(self.label(page), "label: sad")

    def test_undo_after_coming_back_and_after_a_reload(self):
        page = self.open()
        page.key("4")
        self.ready(page, 2)
        page.key("j")
        self.ready(page, 1)
        self.assertEqual(self.label(page), "label: happy")
        self.saved(page, 1)
        page.reload()
        self.ready(page, 1)
        page.key("Ctrl+Z")
        page.until("document.querySelector('.caption .truth').innerText === 'label: angry'")
        self.saved(page, 2)
        page.reload()
        self.ready(page, 1)
        page.key("Ctrl+Shift+Z")
        page.until("document.querySelector('.caption .truth').innerText === 'label: happy'")
        self.assertEqual(self.kinds(), ["label", "undo", "redo"])

    def test_undo_leads_back_to_what_was_decided_just_before(self):
        page = self.open()
        page.key("4")
        self.ready(page, 2)
        self.saved(page, 1)
        page.key("Ctrl+Z")
        self.ready(page, 1)
        page.until("document.querySelector('#spoken').innerText.startsWith('Back at 1.')")
        self.assertEqual(self.label(page), "label: happy")
        page.key("Ctrl+Z")
        page.until("document.querySelector('.caption .truth').innerText === 'label: angry'")
        self.saved(page, 2)
        page.key("l")
        self.ready(page, 2)
        page.key("Ctrl+Z")
        page.until("document.querySelector('#spoken').innerText === 'Nothing to undo.'")
        self.assertEqual(self.kinds(), ["label", "undo"])

    def test_a_decision_stays_where_going_on_is_switched_off(self):
        page = self.open()
        page.key("Shift+A")
        page.key("3")
        self.saved(page, 1)
        self.assertEqual(self.label(page), "label: fear")
        self.assertTrue(page.evaluate("document.title").startswith("1 of"))
        page.key("5")
        self.saved(page, 2)
        self.assertEqual(self.label(page), "label: sad")
        page.key("Ctrl+Z")
        page.until("document.querySelector('.caption .truth').innerText === 'label: fear'")

    def test_two_labels_in_conflict_and_keeping_mine(self):
        anna = self.open()
        bert = self.open("bert", self.browser.context(), number=1)
        for page in (anna, bert):
            page.key("Shift+A")
        bert.key("3")
        self.saved(bert, 1)
        anna.key("4")
        self.says(anna, "conflict")
        self.assertEqual(self.label(anna), "label: happy")
        self.assertIn("label: happy", anna.text("#side"))
        self.assertIn("label: fear", anna.text("#side"))
        anna.shot("labels-conflict")
        anna.click("[data-keep='this']")
        self.saved(anna, 3)
        self.assertEqual(self.label(anna), "label: happy")
        bert.reload()
        self.ready(bert)
        # Anna has that sample open, so bert got another one; he goes back to it.
        bert.click("button[data-position='0']")
        bert.until("document.querySelector('.caption .truth').innerText === 'label: happy'")

    def test_a_conflict_is_told_after_going_on(self):
        anna = self.open()
        bert = self.open("bert", self.browser.context(), number=1)
        bert.key("3")
        self.saved(bert, 1)
        anna.key("4")
        # Bert has the second sample open.
        self.ready(anna, 3)
        anna.until("document.querySelector('#spoken').innerText.startsWith('Conflict at 1')")
        anna.key("j")
        anna.key("j")
        self.says(anna, "conflict")

    def test_go_to_by_number_and_by_key(self):
        page = self.open()
        page.key("Shift+G")
        page.type("24")
        page.key("Enter")
        self.ready(page, 24)
        page.key("l")
        page.until("document.querySelector('#spoken').innerText === 'This is the last sample.'")
        page.click("[data-position='22'] button")
        self.ready(page, 23)
        page.key("Shift+G")
        page.type("no such")
        page.key("Enter")
        page.until("document.querySelector('#spoken').innerText.includes('No sample no such')")

    def test_the_present_sample_is_in_sight_after_a_reload(self):
        page = self.open(size=(900, 700))
        page.key("Shift+G")
        page.type("24")
        page.key("Enter")
        self.ready(page, 24)
        page.reload()
        self.ready(page, 24)
        left, right = page.until("""(e => e && [e.getBoundingClientRect().left,
            e.getBoundingClientRect().right])(document.querySelector('.entry[aria-current]'))""")
        self.assertTrue(0 <= left and right <= 900, (left, right))

    def test_a_key_pressed_thrice_goes_three_on(self):
        page = self.open()
        for key, number in (("l", 4), ("j", 1)):
            self.server.trouble(hold=True)
            for _ in range(3):
                page.key(key)
            self.server.trouble(hold=False)
            self.ready(page, number)

    def test_all_keys_are_shown_beside_the_picture(self):
        page = self.open()
        face = page.box(".face")
        page.key("?")
        side = page.box("#side")
        face = page.box(".face")
        self.assertLessEqual(face[0] + face[2], side[0], "the panel covers the picture")
        text = page.text("#side")
        for words in ("Accept", "Unsure", "Bad image", "Go to", "Undo", "happy"):
            self.assertIn(words, text)
        page.shot("labels-help")
        page.key("?")
        self.assertTrue(page.evaluate("document.querySelector('#side').hidden"))

    def test_dark_and_narrow(self):
        page = self.open(size=(600, 700))
        page.dark()
        self.assertEqual(page.evaluate("getComputedStyle(document.body).backgroundColor"),
                         "rgb(20, 23, 27)")
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 600)
        x, _, width, _ = page.box("#state")
        self.assertLessEqual(x + width, 600)
        page.shot("labels-dark-600")


if __name__ == "__main__":
    main()
