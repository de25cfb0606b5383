"""The choice between the imported and the corrected ground truth on the browse page (`assay open`)."""

import json

from case import main
from servers import OpenServer
from test_browse import BrowsePage

CHOICE = "document.querySelector('#truth')"
# The ground truth is blue; the images of these datasets are gray. Without captions and corners.
BLUE = """[...document.querySelectorAll('.row canvas')].reduce((sum, c) => { const {data} = c.getContext('2d')
    .getImageData(0, 0, c.width, c.height - 24 * devicePixelRatio); for (let i = 0; i < data.length; i += 4)
    if (data[i + 3] > 200 && data[i] < 40 && data[i + 2] > 140) sum += 1; return sum; }, 0)"""
ALTS = "[...document.querySelectorAll('.row:not([hidden]) .tile:not([hidden])')].map(t => t.alt)"
COPIED = "document.querySelector('.panel pre:not([hidden])')?.innerText"


class TruthPage(BrowsePage):
    def choose(self, page, value):
        page.evaluate("(s => { s.value = '%s'; s.dispatchEvent(new Event('change')); })(%s)" % (value, CHOICE))

    def shown(self, page, value):
        """Waits until the page shows a ground truth, with the address."""
        page.until("[%s.value, new URLSearchParams(location.hash.slice(8)).get('truth') ?? 'imported']" % CHOICE,
                   wanted=lambda found: found == [value, value])
        self.ready(page)

    def add(self, *words):
        self.server.run("corrections", "add", *words, "--author", "ben")

    def copied(self, page, label):
        page.evaluate("[...document.querySelectorAll('.panel button')].find(b => b.innerText === '%s').click()" % label)
        return page.until(COPIED)


class Boxes(TruthPage):
    """Frames without annotations."""

    task = "fresh"

    def test_a_drawn_box_is_in_the_grid(self):
        page = self.open(size=(1400, 900))
        # Nothing was corrected: there is nothing to choose.
        self.assertTrue(page.evaluate("document.querySelector('.truth-choice').hidden"))
        self.add("--sample", "fresh:2.png", "--box", "8,8,24,20", "--category", "disc")
        self.add("--sample", "fresh:4.png", "--reject", "blurred")
        page.click(".browse-head #where")
        self.query(page, "width > 1")
        page.until("!document.querySelector('.truth-choice').hidden")
        self.shown(page, "imported")
        self.assertEqual(page.evaluate("%s.innerText" % CHOICE).split("\n"), ["imported", "corrected (2 samples)"])
        self.assertEqual(page.evaluate(BLUE), 0)
        self.choose(page, "corrected")
        self.shown(page, "corrected")
        page.until(BLUE, wanted=lambda pixels: pixels > 20)
        page.until(ALTS, wanted=lambda alts: [one for one in alts if one.endswith(", corrected")] == ["2.png: 2.png, corrected", "4.png: left out 4.png, corrected"])
        # The facet of classes counts it, and its term selects it.
        page.until("document.querySelector('.value[data-term=\"count(disc) > 0\"] .count')?.innerText === '1'")
        page.click(".value[data-term='count(disc) > 0']")
        self.count(page, "1 of 6")
        page.evaluate("history.back()")
        self.count(page, "6 samples")
        self.shown(page, "corrected")
        page.evaluate("history.back()")
        self.shown(page, "imported")
        page.until(BLUE, wanted=lambda pixels: pixels == 0)
        page.evaluate("history.forward()")
        self.shown(page, "corrected")
        page.evaluate("location.reload()")
        page.until("document.readyState === 'complete' && %s?.value === 'corrected'" % CHOICE)
        self.ready(page)
        page.until(BLUE, wanted=lambda pixels: pixels > 20)
        # What somebody draws meanwhile is in the next answer.
        self.add("--sample", "fresh:0.png", "--box", "4,4,30,30", "--category", "ring")
        self.choose(page, "imported")
        self.shown(page, "imported")
        self.choose(page, "corrected")
        self.shown(page, "corrected")
        self.assertIn("corrected (3 samples)", page.evaluate("%s.innerText" % CHOICE))
        page.until("document.querySelector('.value[data-term=\"count(ring) > 0\"] .count')?.innerText === '1'")

    def test_the_page_of_a_sample_says_that_it_was_corrected(self):
        self.add("--sample", "fresh:0.png", "--box", "8,8,24,20", "--category", "disc")
        self.add("--sample", "fresh:1.png", "--reject", "blurred")
        page = self.open(size=(1400, 900))
        self.choose(page, "corrected")
        self.shown(page, "corrected")
        self.grid(page)
        page.key("Home")
        page.key("Enter")
        self.assertEqual(self.sample(page), "0.png")
        self.assertEqual(page.text(".sample-page .title .sign"), "corrected")
        self.assertEqual(page.evaluate("[...document.querySelectorAll('.mark-row .name')].map(e => e.innerText)"), ["disc"])
        page.shot("truth-sample")
        page.key("ArrowRight")
        page.until("document.querySelector('.sample-page .title .sign').innerText === 'corrected, left out'")
        self.assertIn("Left out of evaluations and exports: blurred.", page.text(".sample-side"))
        page.key("ArrowRight")
        page.until("document.querySelector('.sample-page .title .sign').hidden")

    def test_commands_have_the_option(self):
        self.add("--sample", "fresh:2.png", "--box", "8,8,24,20", "--category", "disc")
        page = self.open(size=(1400, 900))
        self.choose(page, "corrected")
        self.shown(page, "corrected")
        self.query(page, "count(disc) > 0")
        self.count(page, "1 of 6")
        page.evaluate("[...document.querySelectorAll('.opener')].find(b => b.innerText.startsWith('Export')).click()")
        command = self.copied(page, "Copy as command")
        self.assertEqual(command, "assay query 'count(disc) > 0' --in fresh --corrected")
        self.assertIn("2.png", self.server.run("query", "count(disc) > 0", "--in", "fresh", "--corrected"))
        page.evaluate("[...document.querySelectorAll('.panel button')].find(b => b.innerText === 'Copy as SQL').click()")
        page.until("document.querySelector('.panel .says').innerText.includes('no --corrected')"
                   " && document.querySelector('.panel pre').innerText.startsWith('SELECT')")
        statement = page.evaluate("document.querySelector('.panel pre').innerText")
        self.assertIn("2.png", self.server.run("sql", statement))
        page.key("Escape")
        # Tags go to the samples of the shown ground truth.
        self.grid(page)
        page.key("Ctrl+A")
        page.until("document.querySelector('.selected-count').innerText === 'All 1 selected'")
        page.click(".tag-opener")
        page.type("drawn")
        self.assertIn("assay tag fresh drawn --where 'count(disc) > 0' --corrected", page.evaluate("""
            import('/app/tag-words.js').then(m => m.queryCommand('tag',
                { view: 'fresh', where: 'count(disc) > 0', isCorrected: true }, 'drawn'))"""))
        page.key("Enter")
        page.until("document.querySelector('.selection-bar .says').innerText", wanted=lambda text: text.startswith("Tagged 1 sample"))
        self.assertEqual(self.server.run("query", "tag = drawn", "--in", "fresh", "--count").strip(), "1")

    def test_a_query_that_is_not_valid_with_the_other_leaves_the_page(self):
        self.add("--sample", "fresh:2.png", "--box", "8,8,24,20", "--category", "disc")
        page = self.open(size=(1400, 900))
        self.query(page, "label = disc")
        self.count(page, "0 of 6")
        self.choose(page, "corrected")
        page.until("document.querySelector('#where-problem').innerText.includes('count(disc) > 0')")
        page.until("%s.value === 'imported'" % CHOICE)
        self.assertNotIn("truth=", page.evaluate("location.hash"))

    def test_windows_of_all_sizes_in_light_and_dark(self):
        self.add("--sample", "fresh:0.png", "--box", "8,8,24,20", "--category", "disc")
        self.add("--sample", "fresh:1.png", "--box", "4,4,30,24", "--category", "ring")
        self.add("--sample", "fresh:3.png", "--reject", "blurred")
        for size in ((1400, 900), (1000, 700), (390, 844)):
            page = self.open(size=size, url=self.server.link() if size[0] == 1400 else self.server.address)
            self.choose(page, "corrected")
            self.shown(page, "corrected")
            for dark in (False, True):
                page.dark(dark)
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), size[0])
                page.until(ALTS, wanted=lambda alts: sum(one.endswith(", corrected") for one in alts) == 3)
                page.shot("truth-%d-%s" % (size[0], "dark" if dark else "light"))


class Results(TruthPage):
    """A detector's run over boxes."""

    task = "detect"

    def test_results_need_an_evaluation_of_the_corrected_ground_truth(self):
        run = "detector-1"
        self.server.run("evaluate", run)
        key = json.loads(self.server.run("query", "--in", "discs", "--limit", "1", "--json"))["samples"][0]["key"]
        self.add("--sample", "discs:" + key, "--box", "1,1,9,9", "--category", "disc")
        page = self.open(size=(1400, 900))
        note = "document.querySelector('.note:not([hidden])')?.innerText"
        self.assertIsNone(page.evaluate(note))
        self.choose(page, "corrected")
        self.shown(page, "corrected")
        page.until(note, wanted=lambda text: text == "No correct, wrong and missed objects of %s: it was not evaluated "
                   "with the corrected ground truth. assay evaluate %s --corrected" % (run, run))
        page.shot("truth-note")
        self.grid(page)
        page.key("Enter")
        self.sample(page)
        self.assertIn("assay evaluate %s --corrected" % run, page.text(".sample-side"))
        page.key("Escape")
        self.server.run("evaluate", run, "--corrected")
        self.choose(page, "imported")
        self.shown(page, "imported")
        self.choose(page, "corrected")
        self.shown(page, "corrected")
        page.until(note + " === undefined")
        self.grid(page)
        page.key("Enter")
        self.sample(page)
        page.until("document.querySelector('.sample-side').innerText.includes('IoU')")


class Start(TruthPage):
    task = "fresh"

    def test_the_option_begins_with_the_corrected_ground_truth(self):
        self.server.kill()
        self.add("--sample", "fresh:2.png", "--box", "8,8,24,20", "--category", "disc")

        class Corrected(OpenServer):
            def start(self):
                self.subject = [*self.subject[:1], "--corrected"]
                super(OpenServer, self).start()

        self.server.__class__ = Corrected
        self.server.start()
        page = self.open(size=(1400, 900))
        self.shown(page, "corrected")
        page.until(BLUE, wanted=lambda pixels: pixels > 20)


if __name__ == "__main__":
    main()
