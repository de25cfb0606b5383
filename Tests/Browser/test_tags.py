"""Tags on the browse page with the program (`assay open`): selecting samples, tagging them, and tags of a sample."""

import json
import os
import unittest

from case import BrowserCase, main
from servers import OpenServer

NO_PROGRAM = "no program with the command open: $ASSAY_PROGRAM (make build)"
SELECTED = """[...document.querySelectorAll('.row:not([hidden]) .tile:not([hidden])[aria-selected=true]')]
    .map(t => t.position).sort((a, b) => a - b)"""


class Tags(BrowserCase):
    """Six images of a detector's dataset."""

    task = "detect"

    @classmethod
    def setUpClass(cls):
        program = os.environ.get("ASSAY_PROGRAM")
        if not program or not OpenServer.is_there(program):
            raise unittest.SkipTest(NO_PROGRAM)
        super().setUpClass()

    def begin(self):
        return OpenServer(self.task)

    def ready(self, page, number=None):
        """Waits until all thumbnails in sight are shown and the facets are counted."""
        page.until("""(tiles => tiles.length > 0 && tiles.every(t => t.classList.contains('loaded')))(
            [...document.querySelectorAll('.row:not([hidden]) .tile:not([hidden])')])""")
        page.until("document.querySelector('#facets').hidden || document.querySelector('.facet') !== null")

    def grid(self, page):
        page.evaluate("document.querySelector('.tiles').focus()")

    def selected(self, page, positions):
        page.until(SELECTED, wanted=lambda found: found == positions)

    def number(self, page, words):
        page.until("document.querySelector('.selection-bar:not([hidden]) .selected-count')?.innerText ?? ''",
                   wanted=lambda text: text == words)

    def says(self, page, words):
        page.until("document.querySelector('.selection-bar:not([hidden]) > .says')?.innerText ?? ''",
                   wanted=lambda text: words in text)

    def facet(self, page, counts):
        """Waits until the facet of tags has these counts."""
        page.until("""Object.fromEntries([...document.querySelectorAll('[data-term^="tag = "]')].map(
            b => [b.querySelector('.name').innerText, b.querySelector('.count').innerText]))""",
                   wanted=lambda found: found == counts)

    def boxed(self, page, position, held=0):
        """Clicks on the checkbox of a tile."""
        x, y = page.evaluate("""(t => [t.getBoundingClientRect().x + 10, t.parentElement.getBoundingClientRect().y + 14])(
            document.querySelector('#tile-%d'))""" % position)
        page.drag([(x, y)], modifiers=held)

    def fill(self, page, text):
        page.until("document.activeElement.matches('.tag-form input')")
        page.evaluate("document.activeElement.select()")
        page.type(text)

    def tags(self):
        """The counts of the program."""
        return {one["tag"]: one["samples"] for one in json.loads(self.server.run("tags", "discs", "--json"))["tags"]}

    def query(self, page, text):
        page.click("#where")
        page.evaluate("document.querySelector('#where').select()")
        page.type(text)
        page.key("Enter")

    # ---- selecting ----

    def test_a_click_on_the_checkbox_selects_and_a_second_one_does_not(self):
        page = self.open()
        page.shot("tags-none")
        self.boxed(page, 1)
        self.number(page, "1 selected")
        self.selected(page, [1])
        self.assertTrue(page.evaluate("document.querySelector('.sample-page').hidden"))
        self.boxed(page, 3)
        self.selected(page, [1, 3])
        page.shot("tags-selected")
        self.boxed(page, 1)
        self.selected(page, [3])
        self.boxed(page, 3)
        page.until("document.querySelector('.selection-bar').hidden")
        self.assertEqual(page.text("[aria-live].unseen"), "Nothing selected")

    def test_with_a_mouse_the_checkbox_is_where_the_pointer_or_the_focus_is(self):
        page = self.open()
        page.send("Page.addScriptToEvaluateOnNewDocument", source="""(own => { window.matchMedia = query => query === '(hover: none)'
            ? { matches: false } : own.call(window, query); })(window.matchMedia)""")
        page.reload()
        self.ready(page)
        # In the middle of a checkbox nothing else is drawn on these images.
        boxes = """[...document.querySelectorAll('.tile:not([hidden])')].filter(t => { const c = t.parentElement.querySelector('canvas');
            const x = t.getBoundingClientRect().x - c.getBoundingClientRect().x + 12;
            return c.getContext('2d').getImageData(x, 12, 1, 1).data[3] > 0; }).map(t => t.position).sort()"""
        self.assertEqual(page.evaluate(boxes), [])
        x, y, width, height = page.box("#tile-2")
        page.mouse("mouseMoved", x + width / 2, y + height / 2)
        page.until(boxes, wanted=lambda found: found == [2])
        page.mouse("mouseMoved", x + width / 2, 5)
        page.until(boxes, wanted=lambda found: found == [])
        self.grid(page)
        page.until(boxes, wanted=lambda found: found == [0])
        page.key("ArrowRight")
        page.until(boxes, wanted=lambda found: found == [1])
        page.key("x")
        page.until(boxes, wanted=lambda found: found == [0, 1, 2, 3, 4, 5])

    def test_shift_selects_a_range_which_can_become_smaller(self):
        page = self.open()
        self.boxed(page, 1)
        self.selected(page, [1])
        self.boxed(page, 4, held=8)
        self.selected(page, [1, 2, 3, 4])
        self.boxed(page, 2, held=8)
        self.selected(page, [1, 2])
        self.boxed(page, 0, held=8)
        self.selected(page, [0, 1])

    def test_the_keyboard_alone_selects_tags_and_removes(self):
        page = self.open()
        self.grid(page)
        page.key("ArrowRight")
        page.key("x")
        self.selected(page, [1])
        page.key("Shift+ArrowRight")
        page.key("Shift+ArrowRight")
        self.selected(page, [1, 2, 3])
        page.key("Shift+ArrowLeft")
        self.selected(page, [1, 2])
        page.key("ArrowRight")
        page.key("ArrowRight")
        page.key("Space")
        self.selected(page, [1, 2, 4])
        self.assertEqual(page.text("[aria-live].unseen"), "3 selected")
        page.key("t")
        self.assertEqual(page.until("document.querySelector('.tag-form:not([hidden]) label')?.innerText"), "Tag 3 samples")
        self.fill(page, "hard")
        page.key("Enter")
        self.says(page, "Tagged 3 samples as hard.")
        self.facet(page, {"hard": "3"})
        self.assertTrue(page.evaluate("document.activeElement.matches('.tiles')"))
        self.assertEqual(self.tags(), {"hard": 3})
        page.key("x")
        self.selected(page, [1, 2])
        page.key("t")
        # The tag is completed: its count is in the list.
        self.fill(page, "ha")
        page.until("document.querySelector('.tag-options li')?.getAttribute('aria-label')", wanted=lambda text: text == "hard, 3 samples")
        page.key("ArrowDown")
        page.key("Enter")
        self.assertEqual(page.evaluate("document.activeElement.value"), "hard")
        page.key("Tab")
        self.assertEqual(page.evaluate("document.activeElement.getAttribute('aria-label')"), "Samples or objects")
        page.key("Tab")
        page.key("Tab")
        self.assertEqual(page.evaluate("document.activeElement.innerText"), "Remove tag")
        page.key("Enter")
        self.says(page, "Removed hard from 2 samples.")
        self.facet(page, {"hard": "1"})
        page.key("Escape")
        page.until("document.querySelector('.selection-bar').hidden")
        self.assertEqual(page.evaluate(SELECTED), [])
        self.assertEqual(self.tags(), {"hard": 1})

    def test_all_of_a_query_is_sent_as_the_query(self):
        page = self.open()
        self.query(page, "width > 1")
        page.until("location.hash.includes('where=')")
        self.ready(page)
        self.grid(page)
        page.key("Ctrl+A")
        self.number(page, "All 6 selected")
        self.assertIn("All 6 samples of this query", page.text("[aria-live].unseen"))
        page.key("t")
        self.fill(page, "-odd 'name'")
        page.evaluate("[...document.querySelectorAll('.selection-bar .tag-form button')].find(b => b.innerText === 'Copy as command').click()")
        command = page.until("document.querySelector('.selection-bar .tag-form pre')?.innerText")
        self.assertEqual(command, "assay tag --where 'width > 1' -- discs '-odd '\\''name'\\'''")
        self.fill_again(page, "wide")
        page.shot("tags-form")
        page.key("Enter")
        self.says(page, "Tagged 6 samples as wide.")
        self.facet(page, {"wide": "6"})
        # One of all can be removed from the selection.
        self.boxed(page, 2)
        self.number(page, "5 selected")
        self.selected(page, [0, 1, 3, 4, 5])

    def fill_again(self, page, text):
        page.evaluate("document.querySelector('.selection-bar .tag-form input').focus()")
        self.fill(page, text)

    def test_the_command_for_some_samples_names_their_keys(self):
        page = self.open()
        self.boxed(page, 0)
        self.boxed(page, 2)
        self.selected(page, [0, 2])
        page.click(".selection-bar .tag-opener")
        self.fill(page, "night shots")
        page.evaluate("[...document.querySelectorAll('.selection-bar .tag-form button')].find(b => b.innerText === 'Copy as command').click()")
        command = page.until("document.querySelector('.selection-bar .tag-form pre')?.innerText")
        self.assertEqual(command, """assay tag discs 'night shots' --where 'key in ("0000.png", "0002.png")'""")
        self.server.run("tag", "discs", "night shots", "--where", 'key in ("0000.png", "0002.png")')
        self.assertEqual(self.tags(), {"night shots": 2})

    def test_the_selection_survives_scrolling_and_sorting_and_ends_with_the_query(self):
        page = self.open(size=(700, 500))
        page.evaluate("location.hash = location.hash + '&size=480'")
        page.until("document.querySelector('.tile').getBoundingClientRect().width > 300")
        self.grid(page)
        page.key("x")
        self.number(page, "1 selected")
        page.key("End")
        page.until("document.querySelector('#tile-5') !== null && document.querySelector('#tile-0') === null")
        page.key("Home")
        self.selected(page, [0])
        page.evaluate("(s => { s.value = 'width'; s.dispatchEvent(new Event('change')); })(document.querySelector('#sort'))")
        page.until("location.hash.includes('sort=width')")
        self.number(page, "1 selected")
        self.query(page, "width > 1")
        page.until("location.hash.includes('where=')")
        page.until("document.querySelector('.selection-bar').hidden")

    def test_nothing_moves_when_the_bar_appears(self):
        page = self.open(size=(1000, 500))
        before = page.box("#tile-4")
        self.boxed(page, 4)
        self.number(page, "1 selected")
        self.assertEqual(page.box("#tile-4"), before)

    # ---- tags ----

    def test_a_tag_that_is_there_is_told_and_a_wrong_name_is_refused(self):
        page = self.open()
        self.boxed(page, 0)
        page.key("t")
        self.fill(page, "hard")
        page.key("Enter")
        self.says(page, "Tagged 1 sample as hard.")
        page.key("t")
        self.fill(page, "hard")
        page.key("Enter")
        self.says(page, "The sample has the tag hard already.")
        page.key("t")
        page.until("document.activeElement.matches('.tag-form input')")
        page.key("Enter")
        self.assertIn("Enter the name", page.text(".selection-bar .tag-form .says"))
        self.fill(page, "x" * 101)
        page.key("Enter")
        self.assertIn("at most 100", page.text(".selection-bar .tag-form .says"))
        page.key("Escape")
        page.until("document.querySelector('.selection-bar .tag-form').hidden")
        self.selected(page, [0])
        self.assertEqual([one["kind"] for one in self.server.entries()], ["tag"])

    def test_a_query_that_selects_others_meanwhile_is_refused_with_the_new_number(self):
        page = self.open()
        self.server.run("tag", "discs", "day", "--where", 'key in ("0000.png", "0001.png")')
        self.query(page, "tag = day")
        page.until("location.hash.includes('where=')")
        page.until("document.querySelector('#sample-count').innerText", wanted=lambda text: text == "2 of 6")
        self.grid(page)
        page.key("Ctrl+A")
        self.number(page, "All 2 selected")
        self.server.run("tag", "discs", "day", "--where", 'key = "0002.png"')
        page.key("t")
        self.fill(page, "seen")
        page.key("Enter")
        page.until("document.querySelector('.selection-bar .tag-form .says').innerText",
                   wanted=lambda text: "selects 3 samples now, not 2" in text)
        self.number(page, "All 3 selected")
        page.key("Enter")
        self.says(page, "Tagged 3 samples as seen.")
        self.assertEqual(self.tags(), {"day": 3, "seen": 3})

    def test_a_query_about_the_tag_is_fetched_again(self):
        page = self.open()
        self.server.run("tag", "discs", "day")
        self.query(page, "tag = day")
        page.until("document.querySelector('#where').value === 'tag = day' && location.hash.includes('where=')")
        self.ready(page)
        self.boxed(page, 1)
        self.number(page, "1 selected")
        page.key("t")
        self.fill(page, "day")
        page.evaluate("[...document.querySelectorAll('.selection-bar .tag-form button')].find(b => b.innerText === 'Remove tag').click()")
        page.until("document.querySelector('#sample-count').innerText", wanted=lambda text: text == "5 of 6")
        self.says(page, "Removed day from 1 sample.")
        self.assertEqual(page.evaluate(SELECTED), [])

    def test_a_lost_answer_makes_no_second_entry(self):
        page = self.open()
        self.boxed(page, 0)
        page.key("t")
        self.fill(page, "hard")
        # The first answer is lost after the server has saved.
        page.evaluate("""(fetched => { let isFirst = true; window.fetch = async (path, options) => {
            const answer = await fetched(path, options);
            if (isFirst && String(path).includes('/tags')) { isFirst = false; throw new TypeError('lost'); }
            return answer; }; })(window.fetch)""")
        page.key("Enter")
        self.says(page, "Tagged 1 sample as hard.")
        self.assertEqual([one["kind"] for one in self.server.entries()], ["tag"])

    def test_a_server_that_is_gone_is_said(self):
        page = self.open()
        self.boxed(page, 0)
        page.key("t")
        self.fill(page, "hard")
        page.offline()
        page.key("Enter")
        page.until("document.querySelector('.selection-bar .tag-form .says').innerText", wanted=lambda text: "does not respond" in text)
        page.offline(False)
        page.key("Enter")
        self.says(page, "Tagged 1 sample as hard.")

    def test_the_page_of_a_sample_adds_and_removes_tags(self):
        page = self.open()
        self.grid(page)
        page.key("Enter")
        page.until("document.querySelector('.sample-page:not([hidden]) .sample-tags') !== null")
        page.key("t")
        # These are keys of the page, too.
        self.fill(page, "1-0+t")
        page.key("Enter")
        page.until("[...document.querySelectorAll('.sample-tags .tag span')].map(e => e.innerText).join()", wanted=lambda text: text == "1-0+t")
        page.key("t")
        self.fill(page, "hard")
        page.key("Enter")
        page.until("document.querySelectorAll('.sample-tags .tag').length", wanted=lambda number: number == 2)
        self.assertIn("Tagged 1 sample as hard.", page.text(".sample-tags"))
        page.until("document.querySelector('.corrections')?.innerText.includes('tag hard anna')")
        page.shot("tags-sample")
        page.click("[aria-label='Remove the tag 1-0+t']")
        page.until("[...document.querySelectorAll('.sample-tags .tag span')].map(e => e.innerText).join()", wanted=lambda text: text == "hard")
        page.reload()
        page.until("[...document.querySelectorAll('.sample-tags .tag span')].map(e => e.innerText).join()", wanted=lambda text: text == "hard")
        page.key("Escape")
        page.until("document.querySelector('.sample-page').hidden")
        self.facet(page, {"hard": "1"})
        page.click("[data-term='tag = hard']")
        page.until("document.querySelector('#sample-count').innerText", wanted=lambda text: text == "1 of 6")

    def test_tags_of_the_command_line_are_shown_without_a_restart(self):
        page = self.open()
        self.boxed(page, 0)
        page.key("t")
        self.fill(page, "hard")
        page.key("Enter")
        self.facet(page, {"hard": "1"})
        self.server.run("tag", "discs", "hard")
        self.query(page, "tag = hard")
        page.until("document.querySelector('#sample-count').innerText", wanted=lambda text: text == "6 samples")
        self.assertEqual(len(self.server.entries()), 6)

    def test_windows_of_all_sizes_in_light_and_dark(self):
        for size in ((1400, 900), (1000, 700), (390, 844)):
            page = self.open(size=size, url=self.server.link() if size[0] == 1400 else self.server.address)
            self.grid(page)
            page.key("x")
            page.key("Shift+ArrowRight")
            self.number(page, "2 selected")
            page.key("t")
            self.fill(page, "hard")
            if size[0] == 1400:
                page.key("Enter")
                self.says(page, "Tagged")
                page.key("t")
                self.fill(page, "ha")
            for dark in (False, True):
                page.dark(dark)
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), size[0])
                page.shot("tags-%d-%s" % (size[0], "dark" if dark else "light"))
            self.assertLessEqual(page.evaluate("document.querySelectorAll('*').length"), 440)
            page.key("Escape")
            page.key("Enter")
            page.until("document.querySelector('.sample-page:not([hidden]) .sample-tags') !== null")
            page.key("t")
            self.fill(page, "ha")
            for dark in (False, True):
                page.dark(dark)
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), size[0])
                page.shot("tags-sample-%d-%s" % (size[0], "dark" if dark else "light"))

    def test_everything_has_a_name_for_a_screen_reader(self):
        page = self.open()
        nameless = """[...document.querySelectorAll('button, input, [role=listbox], form, section')].filter(
            e => !e.closest('[hidden]') && !(e.textContent?.trim() || e.getAttribute('aria-label') || e.labels?.length))
            .map(e => e.outerHTML.slice(0, 120))"""
        self.boxed(page, 0)
        page.key("t")
        page.until("document.activeElement.matches('.tag-form input')")
        self.assertEqual(page.evaluate(nameless), [])
        self.assertEqual(page.evaluate("document.querySelector('.tiles').ariaMultiSelectable"), "true")
        page.key("Escape")
        self.grid(page)
        page.key("Enter")
        page.until("document.querySelector('.sample-page:not([hidden]) .sample-tags') !== null")
        page.key("t")
        self.assertEqual(page.evaluate(nameless), [])

    def test_a_finger_on_the_checkbox_selects(self):
        page = self.open(size=(390, 844))
        page.send("Emulation.setTouchEmulationEnabled", enabled=True)
        x, y, _, _ = page.box("#tile-1")
        page.front()
        for kind, points in (("touchStart", [{"x": x + 20, "y": y + 20}]), ("touchEnd", [])):
            page.send("Input.dispatchTouchEvent", type=kind, touchPoints=points)
        self.selected(page, [1])


if __name__ == "__main__":
    main()
