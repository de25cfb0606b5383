"""Sixty payloads in every text that reaches the page: none is executed, each is shown literally."""

import threading
import uuid

import mock_demo
import runlengths
from case import BrowserCase, main
from mock_review import Review
from mock_server import StandIn
from payloads import PAYLOADS

TEXTS = [text for _, text in PAYLOADS]
FOREIGN = "script:not([src]), iframe, object, embed, base, video, [onerror], [onload], .harm, #side style"


class Inside:
    """A stand-in in this process, whose review a test can modify."""

    def __init__(self, review):
        self.server = StandIn(review, 0)
        self.server.tokens = {"t%d" % i: text for i, text in enumerate(TEXTS)}
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = "http://127.0.0.1:%d/" % self.server.server_address[1]

    def link(self, author=0):
        return self.address + "#token=t%d" % (author if isinstance(author, int) else 0)

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def entry(review, number, kind, parent, author, **more):
    """Adds an entry as if a user had saved it."""
    body = {"uuid": str(uuid.uuid4()), "visit": str(uuid.uuid4()), "kind": kind, **more}
    review.append(number, parent, body, author)
    return body["uuid"]


class Injection(BrowserCase):

    def begin(self):
        return Inside(self.review())

    def harmless(self, page, text):
        found = page.call("""s => [window.harmed, [...document.querySelectorAll(s)].map(
            e => e.outerHTML.slice(0, 120))]""", FOREIGN)
        self.assertEqual(found, [None, []], text)

    def at_home(self, page):
        away = [u for u in page.requests
                if not u.startswith(self.server.address) and not u.startswith("about:")]
        self.assertEqual(away, [], "a request left this server")
        self.assertEqual(page.dialogs, [])


class InLabels(Injection):

    def review(self):
        samples = []
        for number, text in enumerate(TEXTS):
            sample = mock_demo.portrait(number)
            sample.key, sample.reason, sample.label = text, text, text
            said = TEXTS[(number + 1) % len(TEXTS)]
            sample.run.update(name=text, label=said, scores=[{"category": said, "score": 0.5}])
            samples.append(sample)
        review = Review("x", "classification", TEXTS, samples)
        for number, text in enumerate(TEXTS):
            entry(review, 101 + number, "note", None, text, note=text)
        return review

    def test_names_keys_classes_reasons_notes_and_authors(self):
        page = self.open(url="about:blank", ready=False)
        for number, (name, text) in enumerate(PAYLOADS):
            with self.subTest(name):
                self.server.server.review.name = text
                page.go("about:blank")
                page.go(self.server.link(number))
                self.ready(page)
                shown = page.evaluate("""[...document.querySelectorAll(
                    '#review, #place .key, .caption .truth, .class .label')].map(e => e.textContent)""")
                self.assertIn("%s · %s" % (text, text), shown)
                self.assertIn(text, shown, "as a class")
                self.harmless(page, text)
                self.at_home(page)

    def test_walking_through_all_samples(self):
        page = self.open()
        for number, text in enumerate(TEXTS):
            self.ready(page, number + 1)
            self.assertEqual(page.evaluate("document.querySelector('#place .key').textContent"), text)
            self.assertEqual(page.evaluate(
                "document.querySelector('.caption .truth').textContent"), "label: " + text)
            self.assertEqual(page.evaluate(
                "document.querySelector('#spoken').textContent"), "Note: " + text)
            self.assertIn(text, page.evaluate(
                "document.querySelector('[data-position=\"%d\"] button').title" % number))
            self.harmless(page, text)
            if number == 0:
                page.shot("payloads-labels")
            page.key("l")
        self.at_home(page)

    def test_what_a_person_types(self):
        page = self.open()
        for number, text in enumerate(TEXTS[:40]):
            page.key("n")
            page.type(text)
            page.key("Enter")
            page.until("document.querySelector('#spoken').textContent === 'Note saved.'")
            page.key("l")
            self.ready(page, number + 2)
            page.key("j")
            self.ready(page, number + 1)
            page.until("document.querySelector('#spoken').textContent.startsWith('Note: ')")
            self.harmless(page, text)
            page.key("l")
            self.ready(page, number + 2)
        self.at_home(page)


class InMasks(Injection):

    def review(self):
        samples = []
        for number, text in enumerate(TEXTS):
            sample = mock_demo.disc(number % 12)
            sample.key = sample.reason = text
            sample.objects[0]["category"] = text
            sample.run["masks"][0]["category"] = text
            sample.run["maps"] = [text]
            samples.append(sample)
        review = Review("x", "segmentation", TEXTS, samples)
        counts = runlengths.encode(runlengths.ellipse([120, 160], (80, 60), (20, 20)))
        for number, text in enumerate(TEXTS):
            for who in (text, "bert"):
                # Both are based on the same state: the second is a conflict.
                entry(review, 101 + number, "mask", None, who, category=text, counts=counts,
                      size=[120, 160])
        return review

    def test_categories_objects_and_authors_of_conflicts(self):
        page = self.open()
        for number, text in enumerate(TEXTS):
            self.ready(page, number + 1)
            self.says(page, "conflict")
            self.assertEqual(page.evaluate("document.querySelector('#place .key').textContent"), text)
            self.assertIn("Other version: bert", page.text("#side"))
            self.assertIn("Current version: %s," % ("you" if number == 0 else text), page.evaluate(
                "document.querySelector('#side').textContent"))
            self.assertIn(text, page.evaluate("document.querySelector('.canvas').textContent"))
            self.harmless(page, text)
            if number == 0:
                page.shot("payloads-masks")
            page.key("l")
        self.at_home(page)


if __name__ == "__main__":
    main()
