"""The browse page with the program (`assay open`): grid, query, facets, sample page, addresses, keys."""

import json
import os
import unittest

import datasets
from case import BrowserCase, main
from servers import OpenServer

NO_PROGRAM = "no program with the command open: $ASSAY_PROGRAM (make build)"
CURRENT = "document.querySelector('.tile.current')?.position"


class BrowsePage(BrowserCase):
    """Steps that the tests share."""

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
        page.until("""document.querySelector('#facets').hidden
            || document.querySelector('.facet') !== null && document.querySelector('#facets[aria-busy], #facets [aria-busy]') === null""")

    def count(self, page, words):
        page.until("document.querySelector('#sample-count')?.innerText", wanted=lambda text: text == words)

    def total(self, page):
        return page.evaluate("Number(document.querySelector('.tile').getAttribute('aria-setsize'))")

    def query(self, page, text):
        """Replaces the expression and applies it."""
        page.click("#where")
        page.evaluate("document.querySelector('#where').select()")
        page.type(text)
        page.key("Enter")

    def grid(self, page):
        page.evaluate("document.querySelector('.tiles').focus()")

    def sample(self, page):
        """Waits until the page of a sample shows its list; returns the sample's key."""
        page.until("document.querySelector('.sample-page:not([hidden]) .details') !== null")
        page.until("document.querySelector('.sample-side').ariaBusy !== 'true'")
        return page.text("#sample-name")


class Detections(BrowsePage):
    task = "detect"

    def test_the_grid_shows_images_with_marks(self):
        page = self.open()
        self.count(page, "%d samples" % self.total(page))
        sizes = page.evaluate("[...document.querySelectorAll('.tile:not([hidden])')].map(t => t.naturalWidth)")
        self.assertTrue(sizes and all(sizes), sizes)
        # The ground truth is blue; the images of this dataset are gray.
        blue = """[...document.querySelectorAll('.row canvas')].reduce((sum, c) => { const {data} = c.getContext('2d')
            .getImageData(0, 0, c.width, c.height - 24 * devicePixelRatio); for (let i = 0; i < data.length; i += 4)
            if (data[i + 3] > 200 && data[i] < 40 && data[i + 2] > 140) sum += 1; return sum; }, 0)"""
        page.until(blue, wanted=lambda pixels: pixels > 50)
        page.shot("browse-grid")
        page.click(".browse-tools [data-source=truth]")
        page.until(blue, wanted=lambda pixels: pixels == 0)
        self.assertIn("hidden=truth", page.evaluate("location.hash"))

    def test_a_click_on_a_facet_adds_its_term_and_a_second_click_removes_it(self):
        page = self.open()
        total = self.total(page)
        term = page.evaluate("document.querySelector('.value').dataset.term")
        page.click(".value")
        page.until("document.querySelector('#where').value", wanted=lambda text: text == term)
        page.until("document.querySelector('.value[aria-pressed=true]')?.dataset.term", wanted=lambda text: text == term)
        page.until("document.querySelector('#sample-count').innerText.includes('sample') || "
                   "/^[0-9,]+ of %d$/.test(document.querySelector('#sample-count').innerText)" % total)
        page.click(".value[aria-pressed=true]")
        page.until("document.querySelector('#where').value === ''")
        self.count(page, "%d samples" % total)

    def test_a_facet_is_joined_with_and_and_an_alternative_gets_parentheses(self):
        page = self.open()
        self.query(page, "width > 1 or height > 1")
        page.until("location.hash.includes('height')")
        self.ready(page)
        term = page.evaluate("document.querySelector('.value').dataset.term")
        page.click(".value")
        page.until("document.querySelector('#where').value",
                   wanted=lambda text: text == "(width > 1 or height > 1) and " + term)

    def test_a_wrong_expression_shows_the_message_at_its_place_and_keeps_the_grid(self):
        page = self.open()
        total = self.total(page)
        self.query(page, "width > 1 and widht = 3")
        page.until("document.querySelector('#where-problem').hidden === false")
        says = page.text("#where-problem")
        self.assertIn("widht", says)
        self.assertIn("at character 15", says)
        self.assertEqual(page.text(".mirror mark"), "widht")
        self.assertEqual(page.evaluate("document.querySelector('#where').selectionStart"), 14)
        self.assertEqual(page.evaluate("document.querySelector('#where').ariaInvalid"), "true")
        self.assertEqual(self.total(page), total)
        self.assertNotIn("widht", page.evaluate("location.hash"))
        page.shot("browse-wrong-expression")

    def test_completion_inserts_a_field(self):
        page = self.open()
        page.click("#where")
        page.type("wid")
        page.until("document.querySelector('#completions [role=option]')?.innerText.startsWith('width')")
        page.key("ArrowDown")
        page.key("Enter")
        page.until("document.querySelector('#where').value.startsWith('width')")

    def test_no_match_says_how_to_go_on(self):
        page = self.open()
        total = self.total(page)
        self.query(page, "width > 99999")
        page.until("document.querySelector('.message:not([hidden]) h2')?.innerText === 'No samples match the query'")
        self.count(page, "0 of %d" % total)
        page.click(".message button")
        self.count(page, "%d samples" % total)

    def test_enter_opens_a_sample_arrows_go_on_and_escape_closes(self):
        page = self.open()
        self.grid(page)
        page.key("Home")
        page.key("Enter")
        first = self.sample(page)
        self.assertTrue(page.evaluate("document.activeElement.closest('.sample-page') !== null"))
        self.assertGreater(page.evaluate("document.querySelectorAll('.mark-row').length"), 0)
        page.shot("browse-sample")
        page.key("ArrowRight")
        page.until("document.querySelector('#sample-name').innerText", wanted=lambda name: name != first)
        self.sample(page)
        page.key("ArrowLeft")
        page.until("document.querySelector('#sample-name').innerText", wanted=lambda name: name == first)
        page.key("ArrowRight")
        page.until("document.querySelector('#sample-name').innerText", wanted=lambda name: name != first)
        page.key("Escape")
        page.until("document.querySelector('.sample-page').hidden")
        self.assertEqual(page.evaluate(CURRENT), 1)
        self.assertTrue(page.evaluate("document.activeElement.matches('.tiles')"))
        self.assertNotIn("sample=", page.evaluate("location.hash"))

    def test_keys_zoom_the_image_to_its_pixels_and_fit_it_again(self):
        page = self.open()
        self.grid(page)
        page.key("Enter")
        self.sample(page)
        fitted = page.text(".percent")
        page.key("1")
        page.until("document.querySelector('.percent').innerText", wanted=lambda text: text == "100 %")
        page.key("+")
        page.until("document.querySelector('.percent').innerText", wanted=lambda text: text == "150 %")
        page.key("0")
        page.until("document.querySelector('.percent').innerText", wanted=lambda text: text == fitted)

    def test_ground_truth_and_run_side_by_side_have_one_zoom(self):
        page = self.open()
        self.grid(page)
        page.key("Enter")
        self.sample(page)
        self.assertEqual(page.text(".pane-titles"), "")
        page.key("s")
        page.until("document.querySelectorAll('.pane-titles span').length === 2")
        self.assertIn("beside=1", page.evaluate("location.hash"))
        page.key("+")
        page.key("+")
        # The image in both halves is the same, at its zoom; the marks above differ.
        halves = """(name => { const canvas = document.querySelectorAll('.picture-stage canvas')[name];
            const half = Math.floor(canvas.width / 2), context = canvas.getContext('2d');
            const of = left => context.getImageData(left, 0, half - 4, canvas.height).data;
            const [one, two] = [of(2), of(Math.round(canvas.width / 2) + 2)];
            return [one.some(value => value > 0), one.every((value, at) => value === two[at])]; })(%d)"""
        page.until(halves % 0, wanted=lambda found: found == [True, True])
        page.until(halves % 1, wanted=lambda found: found == [True, False])
        page.shot("browse-beside")
        page.key("s")
        page.until("document.querySelectorAll('.pane-titles span').length === 0")

    def test_a_row_of_the_list_and_its_object_are_highlighted_together(self):
        page = self.open()
        self.grid(page)
        page.key("Enter")
        self.sample(page)
        page.evaluate("document.querySelector('.mark-row').focus()")
        page.until("document.querySelector('.mark-row').classList.contains('hot')")
        page.evaluate("document.querySelector('.mark-row').click()")
        x, y, width, height = page.box(".picture-stage")
        page.evaluate("document.activeElement.blur()")
        # The object fills most of the image now: its middle is under the pointer.
        page.mouse("mouseMoved", x + width / 2, y + height / 2)
        page.until("document.querySelector('.mark-row.hot') !== null")

    def test_arrows_home_and_end_move_the_current_sample(self):
        page = self.open()
        last = self.total(page) - 1
        self.grid(page)
        for key, position in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0)):
            page.key(key)
            self.assertEqual(page.evaluate(CURRENT), position, key)
        self.assertEqual(page.evaluate("document.querySelector('.tiles').getAttribute('aria-activedescendant')"), "tile-0")

    def test_reload_back_and_forward_keep_the_place(self):
        page = self.open()
        total = self.total(page)
        self.query(page, "width > 1")
        page.until("location.hash.includes('where=')")
        self.ready(page)
        self.grid(page)
        page.key("Enter")
        key = self.sample(page)
        page.reload()
        self.assertEqual(self.sample(page), key)
        self.assertEqual(page.evaluate("document.querySelector('#where').value"), "width > 1")
        page.evaluate("history.back()")
        page.until("document.querySelector('.sample-page').hidden")
        page.evaluate("history.back()")
        page.until("document.querySelector('#where').value === ''")
        self.count(page, "%d samples" % total)
        page.evaluate("history.forward()")
        page.until("document.querySelector('#where').value === 'width > 1'")

    def test_sorting_shows_the_value_and_turns_around(self):
        page = self.open()
        page.evaluate("""(s => { s.value = 'width'; s.dispatchEvent(new Event('change')); })(document.querySelector('#sort'))""")
        page.until("location.hash.includes('sort=width')")
        page.until("document.querySelector('.direction').hidden === false")
        page.click(".direction")
        page.until("location.hash.includes('descending=1')")
        self.ready(page)

    def test_samples_are_sorted_by_texts_and_a_refused_order_is_said_beside_it(self):
        page = self.open()
        page.evaluate("(s => { s.value = 'key'; s.dispatchEvent(new Event('change')); })(document.querySelector('#sort'))")
        page.until("location.hash.includes('sort=key')")
        page.click(".direction")
        page.until("location.hash.includes('descending=1')")
        page.until("document.querySelector('.tile').alt.startsWith('0005.png')")
        # Detectors without an evaluation have no numbers of one.
        sorts = page.evaluate("[...document.querySelectorAll('#sort option')].map(o => o.value)")
        self.assertFalse([one for one in sorts if "precision" in one or "true_positives" in one], sorts)
        page.evaluate("(s => { s.value = '\\0'; s.dispatchEvent(new Event('change')); })(document.querySelector('#sort'))")
        page.evaluate("(f => { f.value = 'field(zz)'; f.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' })); })"
                      "(document.querySelector('.other-field'))")
        page.until("document.querySelector('.sort-problem:not([hidden])')?.innerText.includes('field(zz)')")
        self.assertTrue(page.evaluate("document.querySelector('#where-problem').hidden"))
        self.assertEqual(page.evaluate("document.querySelector('#sort').value"), "key")
        # An address with such an order, and with a run that there is not.
        page.evaluate("location.hash = '#browse?view=discs&sort=field(zz)&runs=nosuch'")
        page.until("document.querySelector('.sort-problem:not([hidden])') !== null && document.querySelector('#sort').value === ''")
        page.until("document.querySelector('.note:not([hidden])')?.innerText === 'There is no run nosuch.'")
        self.ready(page)
        page.shot("browse-sort-problem")

    def test_facets_count_objects_aspect_and_errors(self):
        self.server.run("evaluate", "detector-1")
        page = self.open()
        fields = page.evaluate(self.ask("'/api/browse/facets?view=discs&runs=detector-1'") + ".then(({facets}) => facets.map(f => f.field))")
        # Images of one size and one object each have no histogram of them.
        self.assertIn("run(detector-1).background_errors", fields)
        self.query(page, "objects() = 1 and aspect in 1.3..1.4")
        self.count(page, "%d samples" % self.total(page))

    def test_a_view_is_saved_and_a_taken_name_is_refused(self):
        page = self.open()
        self.query(page, "width > 1")
        page.until("location.hash.includes('where=')")
        for words in ("Saved as wide.", "wide"):
            page.click(".popover:has(#panel-export) .opener")
            page.click("#view-name")
            page.type("wide")
            page.key("Enter")
            page.until("document.querySelector('#panel-export .says').innerText", wanted=lambda text: words in text)
            page.key("Escape")
        self.assertIn("wide", page.evaluate("[...document.querySelector('#view').options].map(o => o.value)"))

    def test_the_command_can_be_copied(self):
        page = self.open()
        self.query(page, "width > 1")
        page.until("location.hash.includes('where=')")
        page.click(".popover:has(#panel-export) .opener")
        page.click("#panel-export .buttons button")
        page.until("document.querySelector('#panel-export pre').innerText", wanted=lambda text: "assay query" in text and "width > 1" in text)

    def test_open_panels_follow_the_query_and_the_view(self):
        page = self.open()
        total = self.total(page)
        self.query(page, "count(disc) > 0")
        where = "new URLSearchParams(location.hash.split('?')[1]).get('where')"
        page.until(where, wanted=lambda text: text == "count(disc) > 0")
        self.query(page, "count(ring) > 0")
        page.until(where, wanted=lambda text: text == "count(ring) > 0")
        page.click("[aria-controls=panel-export]")
        page.evaluate("navigator.clipboard.writeText = () => Promise.resolve()")
        copying = "document.querySelector('#panel-export .buttons button').click()"
        shown = "document.querySelector('#panel-export pre:not([hidden])')?.textContent"
        page.evaluate(copying)
        page.until(shown, wanted=lambda text: text and "count(ring) > 0" in text)
        page.evaluate("document.querySelector('#view-name').value = 'followed'")
        page.evaluate("history.back()")
        page.until("document.querySelector('#where').value", wanted=lambda text: text == "count(disc) > 0")
        # What was shown is not the query's any more; what was typed stays.
        self.assertIsNone(page.evaluate(shown))
        page.evaluate(copying)
        page.until(shown, wanted=lambda text: text and "count(disc) > 0" in text)
        page.evaluate("document.querySelector('.save-view').requestSubmit()")
        page.until("document.querySelector('.says').innerText", wanted=lambda text: text == "Saved as followed.")
        self.assertEqual(json.loads(self.server.run("query", "--in", "followed", "--json"))["count"], total)
        # The other panel has the minimum score of the address.
        page.click("[aria-controls=panel-show]")
        page.evaluate("location.hash = '#browse?view=discs&score=0.55'")
        self.count(page, "%d samples" % total)
        page.until("document.querySelector('#least-score')?.value === '0.55'")

    def test_what_is_typed_and_not_applied_is_not_exported_or_corrected(self):
        page = self.open()
        page.click("#where")
        page.type("width > 1")
        page.click(".browse-tools .correct")
        page.until("document.querySelector('.browse-tools .correcting .says').innerText.includes('not applied')")
        page.click("[aria-controls=panel-export]")
        page.click("#panel-export .buttons button")
        page.until("document.querySelector('#panel-export .says').innerText.includes('not applied')")
        self.assertTrue(page.evaluate("document.querySelector('#panel-export pre').hidden"))
        page.click("#where")
        page.key("Escape")
        page.click("[aria-controls=panel-export]")
        page.click("#panel-export .buttons button")
        page.until("document.querySelector('#panel-export pre').innerText.includes('assay query')")
        self.server.run("review", "status")

    def test_the_samples_of_a_query_are_corrected_from_the_one_that_is_open(self):
        page = self.open()
        self.query(page, "width > 1")
        page.until("location.hash.includes('where=')")
        self.ready(page)
        self.grid(page)
        page.key("Home")
        page.key("ArrowRight")
        page.key("Enter")
        key = self.sample(page)
        number = page.evaluate("new URLSearchParams(location.hash.split('?')[1]).get('sample')")
        page.shot("browse-correct")
        page.click(".sample-page .correct")
        page.until("document.querySelector('.entry[aria-current]')?.dataset.sample === '%s'" % number)
        page.until("document.title", wanted=lambda title: " of " in title)
        self.assertRegex(page.evaluate("location.hash"), r"^#review\?queue=[^&]+$")
        self.assertTrue(key)
        queues = json.loads(self.server.run("review", "status", "--json"))
        # The same samples again are the same queue.
        page.evaluate("history.back()")
        self.sample(page)
        page.click(".sample-page .correct")
        page.until("document.querySelector('.entry[aria-current]')?.dataset.sample === '%s'" % number)
        self.assertEqual(len(json.loads(self.server.run("review", "status", "--json"))), len(queues))

    def test_a_query_with_other_thresholds_says_that_the_results_are_those_of_the_evaluation(self):
        self.server.run("evaluate", "detector-1")
        page = self.open()
        self.query(page, "run(detector-1, iou: 0.75, score: 0.5).false_positives >= 0")
        page.until("location.hash.includes('where=')")
        self.ready(page)
        self.grid(page)
        page.key("Enter")
        self.sample(page)
        self.assertIn("counts with run(detector-1, iou: 0.75, score: 0.5)", page.text(".sample-side [role=note]"))

    def test_a_server_that_is_gone_is_said_and_the_person_tries_again(self):
        page = self.open()
        page.offline()
        self.query(page, "width > 1")
        page.until("document.querySelector('.alert:not([hidden])')?.innerText.includes('does not respond')")
        page.offline(False)
        page.click(".alert button")
        page.until("location.hash.includes('where=')")
        self.ready(page)

    def test_windows_of_all_sizes_in_light_and_dark(self):
        for size in ((1400, 900), (1000, 700), (390, 844)):
            page = self.open(size=size, url=self.server.link() if size[0] == 1400 else self.server.address)
            for dark in (False, True):
                page.dark(dark)
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), size[0])
                page.shot("browse-%d-%s" % (size[0], "dark" if dark else "light"))
            self.assertLessEqual(page.evaluate("document.querySelectorAll('*').length"), 400)

    def test_a_window_that_becomes_narrow_closes_the_filters(self):
        page = self.open(size=(1400, 900))
        hidden = "document.querySelector('#facets').hidden"
        self.assertFalse(page.evaluate(hidden))
        self.grid(page)
        page.key("Enter")
        self.sample(page)
        page.resize(390, 844)
        page.until(hidden)
        covered = """(() => { const { left, width, bottom } = document.querySelector('.sample-page').getBoundingClientRect();
            return document.elementFromPoint(left + width / 2, bottom - 100).closest('.sample-page') !== null; })()"""
        self.assertTrue(page.evaluate(covered))
        page.shot("browse-narrowed")
        page.key("Escape")
        self.assertTrue(page.evaluate(hidden))
        page.resize(1400, 900)
        page.until("!" + hidden)

    def test_everything_has_a_name_for_a_screen_reader(self):
        page = self.open()
        nameless = """[...document.querySelectorAll('button, input, select, summary, img, [role=listbox], [role=img]')].filter(
            e => !e.closest('[hidden]') && !(e.textContent?.trim() || e.getAttribute('aria-label') || e.labels?.length || e.alt))
            .map(e => e.outerHTML.slice(0, 120))"""
        self.assertEqual(page.evaluate(nameless), [])
        self.grid(page)
        page.key("Enter")
        self.sample(page)
        self.assertEqual(page.evaluate(nameless), [])
        self.assertEqual(page.evaluate("document.querySelectorAll('main').length"), 1)


class Labels(BrowsePage):
    task = "label"

    def test_a_second_value_of_a_field_is_chosen_beside_the_first(self):
        page = self.open()
        total = self.total(page)
        facet = "[...document.querySelectorAll('.facet')].find(f => f.querySelector('summary').innerText === 'Class')"
        values = facet + ".querySelectorAll('.value')"
        terms = page.evaluate("[...%s].map(v => v.dataset.term)" % values)
        counts = page.evaluate("[...%s].map(v => Number(v.querySelector('.count').innerText.replaceAll(',', '')))" % values)
        self.assertGreater(len(terms), 2)
        page.evaluate("%s[1].click()" % values)
        page.until("document.querySelector('#where').value", wanted=lambda text: text == terms[1])
        self.count(page, "%d of %d" % (counts[1], total))
        # The other values stay, with the counts that they have without the choice.
        page.until("document.querySelector('#facets[aria-busy]') === null")
        self.assertEqual(page.evaluate("[...%s].map(v => v.dataset.term)" % values), terms)
        page.evaluate("%s[0].click()" % values)
        names = [term.split(" = ")[1] for term in terms]
        page.until("document.querySelector('#where').value", wanted=lambda text: text == "label in (%s, %s)" % (names[1], names[0]))
        self.count(page, "%d of %d" % (counts[0] + counts[1], total))
        page.until("[...%s].filter(v => v.ariaPressed === 'true').length === 2" % values)
        page.until("document.querySelector('#facets[aria-busy]') === null")
        page.shot("browse-two-values")
        page.evaluate("%s[1].click()" % values)
        page.until("document.querySelector('#where').value", wanted=lambda text: text == terms[0])
        self.count(page, "%d of %d" % (counts[0], total))
        # Right and wrong take each other's place.
        rights = "[...document.querySelectorAll('.facet')].find(f => f.querySelector('summary').innerText.endsWith('right or wrong'))"
        page.evaluate("(f => { f.open = true; })(%s)" % rights)
        page.until("%s.querySelectorAll('.value').length === 2" % rights)
        for word in ["true", "false"]:
            page.evaluate("%s.querySelector('[data-term$=\"%s\"]').click()" % (rights, word))
            page.until("document.querySelector('#where').value.endsWith('.correct = %s')" % word)
            page.until("document.querySelector('#facets[aria-busy]') === null")
        self.assertEqual(page.evaluate("document.querySelector('#where').value.match(/correct/g).length"), 1)

    def test_an_address_with_an_invalid_query_shows_the_error_and_no_samples(self):
        page = self.open()
        page.evaluate("location.hash = location.hash + '&where=labl%20%3D%20happy'")
        page.until("document.body?.innerText.includes('The query is invalid')")
        self.assertEqual(page.evaluate("document.querySelectorAll('.row:not([hidden]) .tile.loaded').length"), 0)
        self.assertEqual(page.evaluate("document.querySelector('#where').value"), "labl = happy")
        page.evaluate("history.back()")
        self.ready(page)

    def test_one_end_of_a_histogram_is_one_bound_and_a_bar_contains_its_samples(self):
        page = self.open()
        total = self.total(page)
        histogram = "[...document.querySelectorAll('.facet')].find(f => f.innerText.startsWith('fer-1: confidence'))"
        page.until(histogram + " !== undefined")
        page.evaluate("(f => { if (!f.open) f.querySelector('summary').click(); f.scrollIntoView(); })(%s)" % histogram)
        page.until(histogram + ".querySelector('canvas') !== null")
        field = histogram + ".querySelector('[name=low]')"
        page.evaluate("(f => { f.value = '0.5'; f.dispatchEvent(new Event('change', { bubbles: true })); })(%s)" % field)
        page.until("document.querySelector('#where').value", wanted=lambda text: text == "run(fer-1).confidence >= 0.5")
        self.ready(page)
        page.until(field + "?.value", wanted=lambda text: text == "0.5")
        page.shot("browse-histogram")
        page.evaluate("[...%s.querySelectorAll('button')].find(b => b.innerText === 'Clear').click()" % histogram)
        self.count(page, "%d samples" % total)
        self.ready(page)
        # A click on each bar selects its samples, of which the bounds are not rounded.
        facet = page.evaluate(self.ask("'/api/browse/facets?view=faces&runs=fer-1'")
                              + ".then(({facets}) => facets.find(f => f.field === 'run(fer-1).confidence'))")
        for number, each in enumerate(facet["bins"]):
            if each["count"] == 0:
                continue
            page.evaluate("""(c => { const box = c.getBoundingClientRect();
                const at = { clientX: box.left + box.width * (%d + 0.5) / %d, clientY: box.top + 9, pointerId: 1, button: 0, bubbles: true };
                c.setPointerCapture = () => {}; c.dispatchEvent(new PointerEvent('pointerdown', at)); c.dispatchEvent(new PointerEvent('pointerup', at)); })(
                %s.querySelector('canvas'))""" % (number, len(facet["bins"]), histogram))
            page.until("document.querySelector('#where').value.includes('confidence')")
            self.count(page, "%d of %d" % (each["count"], total))
            self.ready(page)
            page.evaluate("[...%s.querySelectorAll('button')].find(b => b.innerText === 'Clear').click()" % histogram)
            self.count(page, "%d samples" % total)
            self.ready(page)

    def test_the_sample_page_shows_label_prediction_and_probabilities(self):
        page = self.open()
        self.grid(page)
        page.key("Enter")
        self.sample(page)
        self.assertTrue(page.text("[data-source=truth] .whole-label b"))
        self.assertTrue(page.text("[data-source^=run] .whole-label b"))
        scores = page.evaluate("[...document.querySelectorAll('.probabilities .score')].map(e => Number(e.innerText))")
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.assertGreater(len(scores), 1)

    def test_small_images_are_shown_at_whole_multiples_of_their_pixels(self):
        page = self.open()
        shares = page.evaluate("""[...document.querySelectorAll('.tile.loaded')].map(
            t => t.getBoundingClientRect().width / t.naturalWidth)""")
        self.assertTrue(all(share == int(share) and share >= 2 for share in shares), shares)


class Keypoints(BrowsePage):
    task = "keypoints"

    def test_keypoints_are_counted_in_the_list_and_drawn_with_the_skeleton_of_the_class(self):
        page = self.open()
        skeletons = page.evaluate(self.ask("'/api/browse'") + ".then(({datasets}) => datasets[0].skeletons)")
        self.assertEqual(skeletons["disc"]["edges"], [[0, 1], [1, 2]])
        self.grid(page)
        page.key("Home")
        page.key("Enter")
        self.sample(page)
        self.assertIn("2 of 3 keypoints, 1 hidden", page.text(".mark-row .detail"))
        self.assertNotIn("num_keypoints", page.text(".mark-row .detail"))
        page.shot("browse-keypoints")


class Running(BrowsePage):
    """What other commands add to a running server: links to other views, and queues."""

    task = "detect"

    def link_of(self, *arguments):
        """Runs a command; returns its text and the link that it prints."""
        said = self.server.run(*arguments)
        return said, next(line for line in said.splitlines() if "#token=" in line).split()[-1]

    def test_a_second_open_makes_a_link_to_its_view_runs_and_query(self):
        first = self.open()
        datasets.faces(self.server)
        said, link = self.link_of("open", "fer-1", "--where", "label in (happy, sad) and width > 1", "--author", "zoe")
        self.assertIn("faces with fer-1, where label in (happy, sad) and width > 1, is served by the running server at http", said)
        page = self.open("zoe", self.browser.context(), url=link, ready=False)
        page.until("document.querySelector('#where')?.value", wanted=lambda text: text == "label in (happy, sad) and width > 1")
        self.count(page, "6 of 24")
        self.assertEqual(page.evaluate("document.querySelector('#view').value"), "faces")
        page.until("document.querySelector('[data-source=\"run fer-1\"]') !== null")
        self.assertNotIn("token", page.evaluate("location.href"))
        # The link of a tab that shows another view.
        _, again = self.link_of("open", "faces", "--author", "anna")
        first.evaluate("location.href = %r" % again)
        first.until("document.querySelector('#view')?.value === 'faces'")
        self.count(first, "24 samples")
        # In the editor, too.
        _, editor = self.link_of("review", "detector-1", "--name", "first", "--author", "anna")
        first.evaluate("location.href = %r" % editor)
        first.until("document.querySelector('.entry[aria-current]') !== null")
        _, again = self.link_of("open", "faces", "--author", "anna")
        first.evaluate("location.href = %r" % again)
        first.until("document.querySelector('#view')?.value === 'faces'")

    def test_queues_are_found_from_the_grid_and_back_shows_the_one_of_the_address(self):
        page = self.open()
        self.assertFalse(page.evaluate("document.querySelector('.review-link[href*=queue]') !== null"))
        page.evaluate("location.hash = '#review'")
        page.until("document.querySelector('.say')?.innerText.includes('There are no queues yet')")
        page.evaluate("location.hash = '#browse'")
        page.until("document.querySelector('.tile') !== null")
        self.server.run("review", "detector-1", "--name", "first", "--author", "anna")
        page.reload()
        self.ready(page)
        page.click(".browse-head .review-link[href*=queue]")
        queue = "document.querySelector('.entry[aria-current]') !== null && document.querySelector('#review').innerText.includes('%s')"
        page.until(queue % "first")
        # Without a name the only one is meant.
        page.evaluate("location.hash = '#browse'")
        page.until("document.querySelector('.tile') !== null")
        page.evaluate("location.hash = '#review'")
        page.until(queue % "first")
        self.assertEqual(page.evaluate("location.hash"), "#review?queue=first")
        self.server.run("review", "discs", "--name", "second", "--author", "anna")
        page.evaluate("location.hash = '#browse'")
        page.until("document.querySelector('.tile') !== null")
        self.grid(page)
        page.key("Home")
        page.key("Enter")
        self.sample(page)
        self.assertEqual(page.text(".sample-page .review-link"), "Queues")
        page.shot("browse-queues-link")
        page.click(".sample-page .review-link")
        page.until("document.querySelectorAll('.queue-list a').length === 2")
        page.shot("browse-queues")
        page.click(".queue-list a[href$=second]")
        chosen = "document.querySelector('.queue-choice')?.value === '%s' && document.querySelector('.entry[aria-current]') !== null"
        page.until(chosen % "second")
        page.evaluate("(one => { one.value = 'first'; one.dispatchEvent(new Event('change')); })"
                      "(document.querySelector('.queue-choice'))")
        page.until(chosen % "first")
        page.evaluate("history.back()")
        page.until(chosen % "second")
        page.evaluate("history.back()")
        page.until("document.querySelectorAll('.queue-list a').length === 2")


class Checked(BrowsePage):
    task = "twins"

    def test_the_sample_page_shows_duplicates_and_opens_them(self):
        page = self.open()
        self.grid(page)
        page.key("Enter")
        self.assertEqual(self.sample(page), "disc/a.png")
        self.assertIn("assay check twins", page.text(".details"))
        self.server.run("check", "twins", "--only", "exactDuplicate,nearDuplicate")
        page.reload()
        self.assertEqual(self.sample(page), "disc/a.png")
        self.assertNotIn("assay check twins", page.text(".details"))
        self.assertEqual(page.text(".finding h3"), "Exact duplicates")
        page.until("document.querySelector('.finding img')?.naturalWidth > 0")
        self.assertEqual(page.text(".finding .name"), "copy of a.png")
        page.shot("browse-duplicates")
        page.click(".finding button")
        page.until("document.querySelector('#sample-name').innerText", wanted=lambda name: name == "disc/copy of a.png")
        self.sample(page)
        self.assertEqual(page.text(".finding .name"), "a.png")
        page.evaluate("history.back()")
        page.until("document.querySelector('#sample-name').innerText", wanted=lambda name: name == "disc/a.png")


    def test_the_grid_is_sorted_by_similarity_to_the_open_sample(self):
        page = self.open()
        self.grid(page)
        page.key("Enter")
        self.assertEqual(self.sample(page), "disc/a.png")
        page.click(".similar button")
        page.until("document.querySelector('.sample-page').hidden")
        page.until("document.querySelector('#sort').value", wanted=lambda field: field == 'similarity(emb, "disc/a.png")')
        order = "[...document.querySelectorAll('.row:not([hidden]) .tile:not([hidden])')].map(t => t.alt)"
        names = page.until(order, wanted=lambda all: len(all) == 3 and "copy" in all[1])
        self.assertIn("disc/a.png", names[0])
        self.assertIn("disc/b.png", names[2])
        # The first image was there before, without a number.
        numbers = "[...document.querySelectorAll('.row:not([hidden]) .tile:not([hidden])')].map(t => t.item.value)"
        self.assertEqual([round(number, 6) for number in page.evaluate(numbers)], [1, 1, 0.96])
        page.shot("browse-similar")
        page.evaluate("history.back()")
        self.assertEqual(self.sample(page), "disc/a.png")


if __name__ == "__main__":
    main()
