"""Several people in one queue: shared samples that each corrects alone, parts, decisions between versions, the end of a
queue, and several queues on one server."""

import json

from case import ProgramCase, main
from strokes import Strokes


def choice(name):
    return "document.querySelector('.queue-choice')?.value === '%s'" % name


class People(Strokes, ProgramCase):

    task = "label"

    def part(self, *arguments):
        """Makes a queue; returns the link of the running server to it."""
        said = self.server.run("review", *arguments, "--author", "anna")
        self.assertIn("served by the running server", said)
        return next(line for line in said.splitlines() if "#token=" in line).split()[-1]

    def queue(self, name, author, **options):
        url = json.loads(self.server.run("review", "link", name, "--author", author, "--json"))["url"]
        return self.open(author, self.browser.context(), url=url, **options)

    def counts(self, page):
        return page.text("#counts")

    def work(self, page, keys):
        """Decides one sample after the other by keys, waiting for each next one."""
        for key in keys:
            before = page.evaluate("document.title")
            page.key(key)
            page.until("document.title !== %s || document.body.dataset.side === 'done'" % json.dumps(before))
        page.until("document.querySelector('#state').dataset.kind === 'saved'")

    def test_each_works_on_shared_samples_alone(self):
        self.part("fer-1", "--limit", "4", "--overlap", "1", "--annotators", "anna,ben", "--name", "both")
        anna = self.queue("both", "anna")
        ben = self.queue("both", "ben")
        self.assertIn("independent of ben", anna.text("#place"))
        # Both have the first sample open, and neither is told of the other.
        for page in (anna, ben):
            page.until("document.title.startsWith('1 of 4')")
            self.assertIsNone(page.evaluate("document.querySelector('.entry[data-held]')"))
        anna.shot("people-shared")
        before = ben.text(".entry[data-position='0'] .reason")
        anna.key("1")
        anna.until("document.title.startsWith('2 of 4')")
        anna.until("document.querySelector('#state').dataset.kind === 'saved'")
        # Ben's page asks every two seconds; its next answer has nothing of anna.
        ben.key("2")
        ben.until("document.title.startsWith('2 of 4')")
        ben.until("document.querySelector('#state').dataset.kind === 'saved'")
        ben.reload()
        ben.until("document.title.includes(' of 4')")
        history = ben.evaluate("""import('/app/api.js').then((api) => api.fetchSample(
            document.querySelector('.entry[data-position=\\'0\\']').dataset.sample)).then((one) => one.history.map(
            (entry) => entry.author))""")
        self.assertEqual(history, ["ben"])
        self.assertNotEqual(ben.text(".entry[data-position='0'] .reason"), before)
        self.assertEqual({e["independent"] for e in self.server.entries()}, {"both"})
        self.assertEqual([e["format"] for e in self.server.entries()], [2, 2])
        # Another ledger takes both as versions, without a conflict.
        self.server.run("corrections", "export", "versions.jsonl")
        catalog, self.server.catalog = self.server.catalog, self.server.catalog + ".other"
        self.server.run("import", self.server.folder + "/faces.csv:fer", "--name", "faces")
        self.server.run("corrections", "import", "versions.jsonl")
        listed = json.loads(self.server.run("corrections", "ls", "--json"))
        self.assertEqual((listed["independent"], listed["samples"], listed["conflicts"]), (1, 0, 0))
        key = self.server.entries()[0]["key"]
        shown = json.loads(self.server.run("corrections", "show", "faces:" + key, "--json"))
        self.assertEqual([one["author"] for one in shown["versions"]], ["anna", "ben"])
        self.assertNotEqual(shown["versions"][0]["label"], shown["versions"][1]["label"])
        self.server.catalog = catalog
        # The ground truth that counts has neither.
        self.assertIn("0 done", self.server.run("review", "status", "both").splitlines()[1])

    def test_agreement_consensus_and_a_third_person_decides(self):
        self.part("fer-1", "--limit", "3", "--overlap", "1", "--annotators", "anna,ben", "--name", "both")
        anna = self.queue("both", "anna")
        ben = self.queue("both", "ben")
        self.work(anna, ["Enter", "Enter", "1"])
        anna.until("document.body.dataset.side === 'done'")
        self.assertIn("ben has 3 of 3 left", anna.text("#side"))
        self.assertIn("Your part is finished (ben has 3 left).", anna.text("#spoken"))
        self.work(ben, ["Enter", "Enter", "2"])
        ben.until("document.body.dataset.side === 'done'")
        self.assertIn("assay review consensus both", ben.text("#side"))
        ben.shot("people-part-done")
        report = json.loads(self.server.run("agreement", "both", "--json"))
        self.assertEqual((report["samples"], report["people"]), (3, ["anna", "ben"]))
        self.assertAlmostEqual(report["scores"]["observed"]["value"], 2 / 3)
        said = json.loads(self.server.run("review", "consensus", "both", "--author", "carla", "--json"))
        self.assertEqual((said["equal"], said["adjudication"]), (2, "both-adjudication"))
        carla = self.queue("both-adjudication", "carla", size=(1400, 900))
        carla.until("document.querySelectorAll('.versions [data-version]').length === 2")
        self.assertIn("anna", carla.text("#side"))
        carla.shot("people-versions")
        carla.click("[data-version='ben']")
        carla.until("document.body.dataset.side === 'done'")
        entry = self.server.entries()[-1]
        self.assertEqual((entry["kind"], entry["author"], entry["consensus"]["rule"]), ("take", "carla", "adjudicated"))
        self.assertEqual([v["author"] for v in entry["consensus"]["versions"]], ["anna", "ben"])
        self.assertEqual(entry["consensus"]["versions"][1]["entry"], entry["entry"])
        self.server.run("corrections", "verify")
        again = json.loads(self.server.run("review", "consensus", "both", "--json"))
        self.assertEqual((again["decided_before"], again["waiting"], again["to_adjudicate"]), (3, 0, []))

    def test_each_gets_a_part_and_what_is_left_goes_to_another(self):
        self.part("fer-1", "--limit", "6", "--assign", "anna,ben", "--name", "parts")
        anna = self.queue("parts", "anna")
        anna.until("document.querySelector('#counts').innerText.includes('3 left')")
        self.assertIn("ben 3 of 3 left", self.counts(anna))
        anna.shot("people-parts")
        self.work(anna, ["Enter", "Enter", "Enter"])
        anna.until("document.body.dataset.side === 'done'")
        self.assertIn("Your part is finished", anna.text("#side"))
        self.assertIn("ben has 3 of 3 left", anna.text("#side"))
        self.server.run("review", "assign", "parts", "--from", "ben", "--to", "anna")
        # The open page shows it without a reload.
        anna.until("document.querySelector('#counts').innerText.includes('3 left')")
        anna.until("document.querySelector('#spoken').innerText.includes('3 samples of yours left')")
        anna.reload()
        self.ready(anna)
        anna.until("document.querySelector('#counts').innerText.includes('3 left')")
        # The page opens at the last sample again, which is done.
        self.work(anna, ["Enter"] * 4)
        anna.until("document.querySelector('.done-view h2')?.innerText.includes('The queue is finished')")

    def test_the_end_says_what_was_done_and_what_is_next(self):
        self.part("fer-1", "--limit", "3", "--name", "short")
        page = self.queue("short", "anna", size=(1400, 900))
        label = page.text(".entry[data-position='0'] .truth")
        # Another label, unsure, accepted.
        names = page.evaluate("[...document.querySelectorAll('#tools button .label')].map((one) => one.innerText)")
        other = next(str(at + 1) for at, name in enumerate(names) if name != label)
        self.work(page, [other, "u", "Enter"])
        page.until("document.querySelector('.done-view') !== null")
        text = page.text("#side")
        for words in ("2 done", "1 corrected", "1 unsure", "assay evaluate fer-1 --corrected",
                      "assay export faces --to folder --out corrected --corrected --only-corrected",
                      "assay review faces --where 'unsure = true' --order random"):
            self.assertIn(words, text)
        self.assertNotIn("conflict", text)
        self.assertNotIn("consensus", text)
        page.shot("people-done")
        # The commands do what they say.
        self.server.run("evaluate", "fer-1")
        self.server.run("evaluate", "fer-1", "--corrected")
        self.server.run("export", "faces", "--to", "folder", "--out", "corrected", "--corrected", "--only-corrected")
        made = json.loads(self.server.run("review", "faces", "--where", "unsure = true", "--order", "random", "--json"))
        self.assertEqual(made["counts"]["total"], 1)
        # A key goes back to work.
        page.key("Ctrl+Z")
        page.until("document.title.startsWith('3 of 3')")

    def test_the_end_on_a_phone_and_in_the_dark(self):
        self.part("fer-1", "--limit", "1", "--name", "short")
        page = self.queue("short", "anna", size=(390, 844))
        page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        page.key("1")
        page.until("document.querySelector('.done-view') !== null")
        page.shot("people-done-phone")
        side, picture = page.box("#side"), page.box("#picture")
        self.assertGreaterEqual(picture[3], 80)
        self.assertLessEqual(side[0] + side[2], 391)
        self.assertTrue(page.evaluate("document.documentElement.scrollWidth <= 390"))

    def test_two_queues_on_one_server_share_the_leases(self):
        link = self.part("fer-1", "--limit", "5", "--name", "second")
        anna = self.open("anna", self.browser.context())
        first = anna.evaluate("document.querySelector('.entry[aria-current]').dataset.sample")
        self.assertTrue(anna.evaluate(choice("fer-1-uncertainty")))
        # Ben chooses the other queue: the sample that anna has open in hers is not handed to him.
        ben = self.queue("second", "ben")
        self.assertTrue(ben.evaluate(choice("second")))
        self.assertNotEqual(ben.evaluate("document.querySelector('.entry[aria-current]').dataset.sample"), first)
        ben.until("document.querySelector('.entry[data-held=anna]')?.dataset.sample === '%s'" % first)
        ben.shot("people-queues")
        # What he saves there is saved once, and his own link opens his queue.
        ben.key("1")
        ben.until("document.querySelector('#state').dataset.kind === 'saved'")
        self.assertEqual([e["author"] for e in self.server.entries()], ["ben"])
        anna.evaluate("(one => { one.value = 'second'; one.dispatchEvent(new Event('change')); })"
                      "(document.querySelector('.queue-choice'))")
        anna.until(choice("second"))
        self.ready(anna)
        self.assertIn("#review?queue=second", anna.evaluate("location.href"))
        self.assertNotIn("token", anna.evaluate("location.href"))
        other = self.open("anna", self.browser.context(), url=link)
        self.assertTrue(other.evaluate(choice("second")))

    def test_changes_of_a_queue_are_sent_to_it_from_another_one(self):
        self.part("fer-1", "--limit", "4", "--name", "second")
        page = self.queue("second", "anna")
        self.server.kill()
        page.key("1")
        self.says(page, "1 change kept here")
        # Left before the server is back: otherwise the page that made the change may send it itself.
        other = page.evaluate("location.href.split('#')[0]") + "#review?queue=fer-1-uncertainty"
        page.go("about:blank")
        self.server.start()
        page.go(other)
        page.until(choice("fer-1-uncertainty"))
        page.until("document.querySelector('#state').dataset.kind === 'saved'")
        self.assertEqual([e["kind"] for e in self.server.entries()], ["label"])

    def test_an_unknown_queue_is_named(self):
        page = self.open()
        page.evaluate("location.hash = '#review?queue=nothing'")
        page.reload()
        page.until("document.querySelector('#picture').innerText.includes('There is no queue nothing')")
        page.click("#picture a")
        self.ready(page)


class PeopleMasks(Strokes, ProgramCase):

    def test_versions_of_masks_are_shown_side_by_side(self):
        self.server.run("review", *self.server.subject[:1], "--list", "--limit", "1", "--overlap", "1", "--annotators",
                        "anna,ben", "--name", "both")
        for author, y in (("anna", 0.1), ("ben", 0.9)):
            url = json.loads(self.server.run("review", "link", "both", "--author", author, "--json"))["url"]
            page = self.open(author, self.browser.context(), url=url)
            self.stroke(page, 0.1, y)
            page.key("Enter")
            page.until("document.body.dataset.side === 'done'")
        report = json.loads(self.server.run("agreement", "both", "--json"))
        self.assertEqual(report["kind"], "regions")
        self.assertTrue(0 < report["scores"]["mean_iou"]["value"] < 1)
        said = json.loads(self.server.run("review", "consensus", "both", "--iou", "1", "--author", "carla", "--json"))
        self.assertEqual(len(said["to_adjudicate"]), 1)
        url = json.loads(self.server.run("review", "link", "both-adjudication", "--author", "carla", "--json"))["url"]
        carla = self.open("carla", self.browser.context(), url=url, size=(1400, 900))
        carla.until("document.querySelectorAll('.versions canvas').length === 2")
        carla.shot("people-mask-versions")
        carla.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        carla.shot("people-mask-versions-dark")
        carla.click("[data-version='anna']")
        carla.until("document.body.dataset.side === 'done'")
        objects = carla.evaluate(self.ask("'/api/queue?from=0&limit=1&review=both-adjudication'"))
        self.assertEqual(objects["items"][0]["status"], "done")
        self.server.run("corrections", "verify")


if __name__ == "__main__":
    main()
