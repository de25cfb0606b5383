"""The Runs page with the program (`assay open`): numbers equal to the commands', and the samples behind them."""

import json
import os
import unittest

from case import BrowserCase, main
from servers import OpenServer

NO_PROGRAM = "no program with the command open: $ASSAY_PROGRAM (make build)"


class RunsPage(BrowserCase):
    """Steps that the tests share."""

    @classmethod
    def setUpClass(cls):
        program = os.environ.get("ASSAY_PROGRAM")
        if not program or not OpenServer.is_there(program):
            raise unittest.SkipTest(NO_PROGRAM)
        super().setUpClass()

    def begin(self):
        server = OpenServer(self.task)
        self.run_name = server.subject[0]
        if self.evaluates:
            self.expected = json.loads(server.run("evaluate", self.run_name, "--json"))
            # The state of the ledger is no number of the run.
            self.expected.pop("corrections")
        return server

    evaluates = True

    def ready(self, page, number=None):
        page.until("document.querySelector('.tile') !== null || document.querySelector('.say') !== null")

    def runs(self, hash_text=None):
        """Opens the Runs page."""
        page = self.open()
        page.evaluate("location.hash = %s" % json.dumps(hash_text or "#runs?run=" + self.run_name))
        page.until("document.body?.dataset.page === 'runs' && document.querySelector('main.runs .part, main.runs .say') !== null")
        return page

    def numbers(self, page):
        """The evaluation that the page shows."""
        return page.evaluate("import('/app/runs-api.js').then(api => api.fetchRun(%s))" % json.dumps(self.run_name))

    def opened(self, page, selector):
        """Clicks a count; returns the count, the number of samples that the grid found, and the query."""
        shown = int(page.text(selector).replace(",", ""))
        page.click(selector)
        page.until("document.body?.dataset.page === 'browse' && document.querySelector('#sample-count b') !== null")
        found = int(page.until("document.querySelector('#sample-count b')?.innerText").replace(",", ""))
        return shown, found, page.evaluate("document.querySelector('#where').value")


class Labels(RunsPage):
    task = "label"

    def test_the_numbers_are_those_of_evaluate(self):
        page = self.runs()
        shown = self.numbers(page)["evaluation"]
        for key, value in self.expected.items():
            self.assertEqual(shown.get(key), value, key)
        self.assertIn("%.3f" % self.expected["accuracy"], page.text(".figures"))
        for part in ("wrong", "classes", "confusion", "accept-part", "reliability"):
            self.assertTrue(page.text("#" + part), part)
        page.shot("runs-labels")
        page.dark()
        page.shot("runs-labels-dark")
        page.dark(False)
        page.resize(390, 800)
        page.shot("runs-labels-phone")
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390)

    def test_counts_open_exactly_their_samples(self):
        page = self.runs()
        shown, found, query = self.opened(page, "#wrong p button")
        self.assertEqual((shown, query), (found, "run(fer-1).correct = false"))
        self.assertEqual(found, self.expected["n"] - sum(row[i] for i, row in enumerate(self.expected["confusion"])))

    def test_back_shows_the_numbers_where_they_were_left(self):
        page = self.runs()
        page.resize(1000, 400)
        page.evaluate("document.querySelector('#wrong p button').scrollIntoView({block: 'start'})")
        page.box("#wrong p button")
        scrolled = "document.querySelector('main.runs').scrollTop"
        left = page.evaluate(scrolled)
        self.assertGreater(left, 0)
        self.opened(page, "#wrong p button")
        page.evaluate("history.back()")
        page.until("document.body?.dataset.page === 'runs' && document.querySelector('main.runs .part') !== null")
        page.until(scrolled, wanted=lambda place: abs(place - left) < 2)

    def test_a_cell_of_the_matrix_opens_its_samples(self):
        page = self.runs()
        # Arrow keys choose the first cell that is not 0.
        cells = [(r, c) for r, row in enumerate(self.expected["confusion"]) for c, n in enumerate(row) if n]
        row, column = cells[0]
        page.evaluate("document.querySelector('canvas.matrix').focus()")
        for _ in range(row):
            page.key("ArrowDown")
        for _ in range(column):
            page.key("ArrowRight")
        page.key("Enter")
        page.until("document.body?.dataset.page === 'browse' && document.querySelector('#sample-count b') !== null")
        self.assertEqual(int(page.text("#sample-count b")), self.expected["confusion"][row][column])

    def test_the_threshold_changes_coverage_and_accuracy(self):
        page = self.runs()
        before = page.text("#accept-said")
        page.evaluate("""(s => { s.value = 120; s.dispatchEvent(new Event('input')); })(document.querySelector('#accept'))""")
        after = page.text("#accept-said")
        self.assertNotEqual(before, after)
        self.assertIn("Confidence ≥ 0.6", after)
        page.until("location.hash.includes('accept=0.6')")
        shown, found, query = self.opened(page, "#accept-said button")
        self.assertEqual(shown, found)
        self.assertIn("run(fer-1).confidence >= 0.6", query)


class Evaluations(RunsPage):
    task = "label"

    def test_another_evaluation_of_the_run_is_chosen_and_stays_in_the_address(self):
        where = "label in (happy, sad)"
        self.server.run("evaluate", "fer-1", "--as", "sure", "--where", where, "--by", "category")
        expected = json.loads(self.server.run("evaluate", "fer-1@sure", "--json"))
        expected.pop("corrections")
        self.assertNotEqual(expected["n"], self.expected["n"])
        page = self.runs()
        self.assertEqual(page.evaluate("[...document.querySelectorAll('#evaluation option')].map(o => o.value)"), ["default", "sure"])
        page.evaluate("(s => { s.value = 'sure'; s.dispatchEvent(new Event('change')); })(document.querySelector('#evaluation'))")
        said = page.until("document.querySelector('#headline .muted')?.innerText", wanted=lambda text: text and "fer-1@sure" in text)
        self.assertIn(where, said)
        self.assertIn("evaluation=sure", page.evaluate("location.hash"))
        self.assertIn("%.3f" % expected["accuracy"], page.text(".figures"))
        self.assertEqual(page.evaluate("document.querySelectorAll('#slices tbody tr').length"), len(expected["slices"]))
        page.shot("runs-evaluation")
        page.resize(390, 800)
        page.shot("runs-evaluation-phone")
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390)
        page.reload()
        page.until("document.querySelector('#headline .muted')?.innerText", wanted=lambda text: text and "fer-1@sure" in text)
        wrong = expected["n"] - sum(row[i] for i, row in enumerate(expected["confusion"]))
        shown, found, _ = self.opened(page, "#wrong p button:last-of-type")
        self.assertEqual((shown, found), (expected["n"] - wrong, shown))


class Unevaluated(RunsPage):
    task = "label"
    evaluates = False

    def test_a_run_without_evaluation_has_the_next_step(self):
        page = self.runs()
        self.assertIn("assay evaluate fer-1", page.text(".say pre"))
        self.server.run("evaluate", "fer-1")
        page.reload()
        page.until("document.querySelector('#headline') !== null")


class Objects(RunsPage):
    task = "detect"

    def test_the_counts_follow_the_sliders(self):
        page = self.runs()
        page.until("document.querySelector('#counts-at') !== null")
        shown = self.numbers(page)["evaluation"]
        for key, value in self.expected.items():
            self.assertEqual(shown.get(key), value, key)
        counts = "[...document.querySelectorAll('#counts-at dd')].slice(0, 3).map(one => Number(one.innerText))"
        working = self.expected["working"]
        own = [working["true_positives"], working["false_positives"], working["false_negatives"]]
        self.assertEqual(page.evaluate(counts), own)
        page.shot("runs-objects")
        page.evaluate("(s => { s.value = 0.85; s.dispatchEvent(new Event('input')); })(document.querySelector('#score'))")
        page.until(counts, wanted=lambda now: now != own)
        shown, found, query = self.opened(page, "#counts-at div:nth-child(3) button")
        self.assertIn("score: 0.85).false_negatives > 0", query)
        # One object per image.
        self.assertEqual(shown, found)

    def test_a_class_opens_its_samples(self):
        page = self.runs()
        page.until("document.querySelector('#classes tbody tr') !== null")
        place = page.evaluate("""[...document.querySelectorAll('#classes tbody tr')].findIndex(
            row => row.cells[4].querySelector('button')) + 1""")
        self.assertGreater(place, 0)
        shown, found, query = self.opened(page, "#classes tbody tr:nth-child(%d) td:nth-child(5) button" % place)
        self.assertIn("class: ring", query)
        self.assertEqual(shown, found)


class Sets(RunsPage):
    task = "sets"

    def test_the_labels_have_their_counts(self):
        page = self.runs()
        shown = self.numbers(page)["evaluation"]
        for key, value in self.expected.items():
            self.assertEqual(shown.get(key), value, key)
        shown, found, _ = self.opened(page, "#wrong p button")
        self.assertEqual(shown, found)

    def test_the_threshold_changes_counts_and_curve(self):
        page = self.runs()

        def figures():
            return page.evaluate("""Object.fromEntries([...document.querySelectorAll('#counts-at > div')].map(
                d => [d.querySelector('dt').innerText, d.querySelector('dd').innerText]))""")

        def whole(numbers):
            counts = numbers["counts"]
            return {"Correct labels": sum(one["tp"] for one in counts), "Added labels": sum(one["fp"] for one in counts),
                    "Missed labels": sum(one["fn"] for one in counts),
                    "Samples with all labels correct": round(numbers["n"] * numbers["subset_accuracy"])}

        def check(numbers):
            shown = figures()
            for name, value in whole(numbers).items():
                self.assertEqual(shown[name], str(value), name)
            for name, key in [("Micro F1", "micro_f1"), ("Macro F1", "macro_f1"), ("Micro recall", "micro_recall")]:
                self.assertEqual(shown[name], f"{numbers[key]:.3f}", name)

        check(self.numbers(page)["evaluation"])
        self.assertTrue(page.evaluate("document.querySelector('#point button').disabled"))
        before = page.evaluate("document.querySelector('#curves .mark').getAttribute('cx')")
        for threshold in [0.3, 0.83]:
            page.evaluate("""(step => { const s = document.querySelector('#score'); s.value = step; s.dispatchEvent(new Event('input')); })(%d)"""
                          % round(100 * threshold))
            page.until(f"location.hash.includes('score={threshold}')")
            check(json.loads(self.server.run("evaluate", self.run_name, "--threshold", str(threshold), "--json")))
        self.assertNotEqual(page.evaluate("document.querySelector('#curves .mark').getAttribute('cx')"), before)
        self.assertIn("--threshold 0.83", page.text("#point .muted"))
        page.shot("runs-sets")
        page.click("#point button")
        page.until("!location.hash.includes('score=')")
        check(self.numbers(page)["evaluation"])


class Two(RunsPage):
    task = "label"

    def begin(self):
        server = super().begin()
        scores = os.path.join(server.folder, "scores.csv")
        with open(scores, encoding="utf-8") as file:
            lines = file.read().splitlines()
        # A second model that mixes up the first two classes.
        changed = [lines[0]]
        for line in lines[1:]:
            cells = line.split(",")
            cells[1], cells[2] = cells[2], cells[1]
            changed.append(",".join(cells))
        path = os.path.join(server.folder, "second.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(changed) + "\n")
        server.run("predictions", "import", path, "--name", "fer-2", "--in", "faces")
        server.run("evaluate", "fer-2")
        self.compared = json.loads(server.run("compare", "fer-1@default", "fer-2@default", "--json"))
        return server

    def test_the_differences_are_those_of_compare(self):
        page = self.runs("#runs?run=fer-1&with=fer-2")
        answer = page.evaluate("import('/app/runs-api.js').then(api => api.fetchComparison('fer-1', 'fer-2'))")
        for key in ("differences", "mcnemar", "mcnemar_by_class", "n", "classes", "notes"):
            self.assertEqual(answer["comparison"].get(key), self.compared[key], key)
        self.assertEqual(answer["worse"]["count"], len(self.compared["regressions"]))
        self.assertEqual(answer["better"]["count"], len(self.compared["improvements"]))
        page.until("document.querySelectorAll('.side .thumb').length > 0")
        page.shot("runs-comparison")
        shown, found, query = self.opened(page, ".side h3 button")
        self.assertEqual(shown, found)
        self.assertIn("run(fer-2).correct", query)


if __name__ == "__main__":
    main()
