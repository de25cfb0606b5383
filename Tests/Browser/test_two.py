"""Two pages on one sample, two tabs of one browser, two authors, two ledgers, signing in again."""

from case import BrowserCase, main
from servers import StandInServer
from strokes import Strokes


class Two(Strokes, BrowserCase):

    def conflict(self):
        """Anna and Bert open the first sample; Bert saves, then Anna."""
        anna = self.open("anna")
        bert = self.open("bert", self.browser.context(), number=1)
        self.stroke(bert, 0.1, 0.1)
        self.saved(bert, 1)
        self.stroke(anna, 0.1, 0.9)
        self.says(anna, "conflict")
        return anna, bert

    def test_a_conflict_keeps_and_shows_both_versions(self):
        anna, _ = self.conflict()
        anna.until("document.querySelectorAll('.conflicts .version').length === 2")
        entries = self.server.entries()
        self.assertEqual([e["author"] for e in entries], ["bert", "anna"])
        text = anna.text("#side")
        self.assertIn("Other version: you", text)
        self.assertIn("Current version: bert", text)
        picture, side = anna.box("#picture"), anna.box("#side")
        self.assertLessEqual(picture[0] + picture[2], side[0])
        anna.shot("conflict")
        anna.key("x")
        anna.until("document.querySelector('#spoken').innerText.includes('Current version.')")
        anna.shot("conflict-blink")
        anna.key("x")
        anna.until("document.querySelector('#spoken').innerText.includes('Other version.')")
        anna.click("#side h2 button")
        anna.key("q")
        self.assertIn("Other version: you", anna.text("#side"))

    def test_keep_mine(self):
        anna, _ = self.conflict()
        anna.click("[data-keep='this']")
        self.saved(anna, 3)
        keep = self.server.entries()[2]
        self.assertEqual((keep["kind"], keep["version"], keep["conflict"]),
                         ("keep", "this", self.server.entries()[1]["uuid"]))
        self.assertTrue(anna.evaluate("document.querySelector('#side').hidden"))
        self.stroke(anna, 0.4, 0.5)
        self.saved(anna, 4)
        self.assertEqual(self.server.entries()[3]["parent"], keep["uuid"])

    def test_keep_what_the_picture_shows_by_keys(self):
        anna, _ = self.conflict()
        anna.key("x")
        anna.key("Shift+K")
        self.saved(anna, 3)
        self.assertEqual(self.server.entries()[2]["version"], "head")

    def test_keep_theirs(self):
        anna, _ = self.conflict()
        anna.click("[data-keep='head']")
        self.saved(anna, 3)
        self.stroke(anna, 0.4, 0.5)
        self.saved(anna, 4)
        self.assertFalse(any(h["conflict"] for h in self.shown(anna)["history"][2:]))

    def test_drawing_on_and_undo_in_a_conflict_stay_with_ones_own_version(self):
        anna, _ = self.conflict()
        self.stroke(anna, 0.4, 0.5)
        anna.until(self.ask("'/api/samples/101'") + ".then(s => s.history.length === 3)")
        anna.key("Ctrl+Z")
        anna.until(self.ask("'/api/samples/101'") + ".then(s => s.history.length === 4)")
        entries = self.server.entries()
        self.assertEqual(entries[2]["parent"], entries[1]["uuid"])
        self.assertEqual(entries[3]["entry"], entries[2]["uuid"])

    def test_who_opens_a_sample_in_conflict_is_told(self):
        self.conflict()
        carl = self.open("bert", self.browser.context(), number=1)
        self.says(carl, "conflict")
        self.assertIn("Other version: anna", carl.text("#side"))
        self.assertIn("1 in conflict", carl.text("#counts"))

    def test_two_tabs_of_one_browser_send_each_stroke_once(self):
        first = self.open()
        second = self.open(url=self.server.address)
        second.key("l")
        self.ready(second, 2)
        self.server.kill()
        self.stroke(first, 0.1, 0.1)
        self.stroke(second, 0.1, 0.5)
        self.stroke(first, 0.1, 0.9)
        self.says(first, "3 changes kept here")
        self.says(second, "3 changes kept here")
        self.server.start()
        for page in (first, second):
            page.until("document.querySelector('#state').dataset.kind === 'saved'")
        entries = self.server.entries()
        self.assertEqual(sorted(e["sample"] for e in entries), [101, 101, 102])
        posts = [u for page in (first, second) for u in page.requests if "corrections" in u]
        self.assertGreaterEqual(len(posts), 3)

    def test_a_change_in_another_tab_is_said_not_shown_by_itself(self):
        first = self.open()
        second = self.open(url=self.server.address)
        self.stroke(second, 0.1, 0.1)
        self.saved(second, 1)
        self.says(first, "changed in another tab")
        first.click("[data-action='reopen']")
        self.saved(first)
        self.stroke(first, 0.1, 0.5)
        self.saved(first, 2)

    def test_a_closed_browser_sends_when_it_is_opened_again(self):
        from chromium import Chromium
        browser = Chromium()
        self.addCleanup(browser.close)
        page = browser.page(self.server.link())
        self.ready(page)
        self.server.kill()
        self.stroke(page, 0.1, 0.5)
        self.says(page, "1 change kept here")
        browser.own_profile = False
        browser.kill()
        self.server.start()
        again = Chromium(browser.profile)
        again.own_profile = True
        self.addCleanup(again.close)
        # A new session may not be on its disk yet; the stroke is.
        page = again.page(self.server.link())
        page.until("document.querySelector('#state')?.dataset.kind === 'saved'")
        self.assertEqual([e["kind"] for e in self.server.entries()], ["mask"])
        self.assertEqual(page.problems, [])


class Handing(Strokes, BrowserCase):

    def number(self, page):
        return int(page.evaluate("document.title").split()[0])

    def test_two_people_are_not_handed_the_same_sample(self):
        anna = self.open("anna")
        bert = self.open("bert", self.browser.context())
        self.assertEqual((self.number(anna), self.number(bert)), (1, 2))
        anna.key("Enter")
        self.ready(anna, 3)
        bert.key("Enter")
        self.ready(bert, 4)
        self.saved(anna)
        self.saved(bert)

    def test_who_opens_what_another_has_open_is_told(self):
        self.open("anna")
        bert = self.open("bert", self.browser.context(), number=1)
        self.assertIn("anna also has this sample open", bert.text("#spoken"))

    def test_the_strip_shows_who_has_what_open_and_leaving_ends_it(self):
        anna = self.open("anna")
        bert = self.open("bert", self.browser.context())
        bert.until("document.querySelector('.entry[data-position=\\'0\\']')?.dataset.held === 'anna'")
        self.assertIn("open by anna since", bert.evaluate(
            "document.querySelector('.entry[data-position=\\'0\\']').title"))
        bert.shot("held")
        anna.click(".entry[data-position='2']")
        self.ready(anna, 3)
        bert.until("document.querySelector('.entry[data-position=\\'2\\']')?.dataset.held === 'anna'")
        bert.until("!document.querySelector('.entry[data-position=\\'0\\']').dataset.held")
        anna.close()
        self.pages.remove(anna)
        bert.until("!document.querySelector('.entry[data-held]')")

    def test_taking_over_asks_and_tells_the_other(self):
        anna = self.open("anna")
        bert = self.open("bert", self.browser.context(), number=1)
        bert.click("[data-action='takeOver']")
        self.assertIn("anna has had this sample open since", bert.text("#decide"))
        bert.shot("take-over")
        bert.click("[data-answer='no']")
        self.assertIn("anna has had this sample open since", bert.text("#notes"))
        bert.click("[data-action='takeOver']")
        bert.click("[data-answer='yes']")
        bert.until("document.querySelector('#notes').innerText === ''")
        anna.until("document.querySelector('#spoken').innerText.includes('bert has taken over')")
        self.assertIn("bert has had this sample open since", anna.text("#notes"))
        anna.shot("taken-over")

    def test_both_are_told_of_a_change_and_of_a_conflict_without_saving(self):
        anna = self.open("anna")
        bert = self.open("bert", self.browser.context(), number=1)
        self.stroke(bert, 0.1, 0.1)
        self.saved(bert, 1)
        self.says(anna, "bert changed this sample")
        anna.shot("changed")
        self.stroke(anna, 0.1, 0.9)
        self.says(anna, "conflict")
        self.says(bert, "conflict: anna changed this sample too")
        bert.shot("told-of-conflict")
        bert.click("[data-action='reopen']")
        bert.until("document.querySelectorAll('.conflicts .version').length === 2")

    def test_another_name_is_kept_and_what_is_saved_carries_it(self):
        page = self.open("anna")
        page.click("#head .name")
        page.click("#words")
        page.evaluate("document.querySelector('#words').value = ''")
        page.type("Carla")
        page.key("Enter")
        page.until("document.querySelector('#head .name')?.innerText === 'Carla'")
        self.ready(page)
        self.stroke(page, 0.1, 0.2)
        self.saved(page, 1)
        self.assertEqual([e["author"] for e in self.server.entries()], ["Carla"])
        page.reload()
        self.ready(page)
        self.assertIn("Carla", page.text("#review"))


class Sessions(Strokes, BrowserCase):

    def test_no_cookie_is_set_and_a_second_tab_is_signed_in(self):
        page = self.open()
        cookies = page.send("Network.getCookies", urls=[self.server.address])["cookies"]
        self.assertEqual(cookies, [])
        again = self.open(url=self.server.address)
        self.assertIn("anna", again.text("#review"))
        page.until("""[...document.querySelectorAll('.entry img')].some(
            one => one.complete && one.naturalWidth > 0)""")

    def test_the_token_leaves_the_address_and_is_posted_once(self):
        page = self.open()
        self.assertEqual(page.evaluate("location.href"), self.server.address)
        self.assertEqual(len([u for u in page.requests if u.endswith("/api/session")]), 2)
        self.assertFalse([u for u in page.requests if "demo" in u.partition("#")[0]])
        page.reload()
        self.ready(page)

    def test_who_is_not_signed_in_is_told_what_to_type(self):
        page = self.open(url=self.server.address, ready=False)
        page.until("document.body.innerText.includes('assay review link --author')")
        self.assertNotIn("is no longer valid", page.words())
        page.shot("sign-in")
        page.click("#link")
        page.type(self.server.link())
        page.key("Enter")
        self.ready(page)

    def test_a_used_link_is_explained(self):
        page = self.open(url=self.server.address + "#token=used", ready=False)
        page.until("document.body.innerText.includes('This link has already been used')")
        self.assertIn("assay review link --author", page.words())
        page.evaluate("location.hash = '#token=demo'")
        self.ready(page)

    def test_a_session_that_ended_keeps_the_strokes_and_sends_them_after_signing_in(self):
        page = self.open()
        self.server.trouble(expire=True)
        self.stroke(page, 0.1, 0.2)
        self.says(page, "not saved: signed out, 1 change kept here")
        page.click("[data-action='signIn']")
        self.assertIn("assay review link --author anna", page.text("#side"))
        page.shot("signed-out")
        page.click("#link")
        page.type("demo")
        page.key("Enter")
        self.saved(page, 1)
        self.assertTrue(page.evaluate("document.querySelector('#side').hidden"))

    def test_a_new_link_in_the_same_tab_signs_in_again(self):
        page = self.open()
        self.server.trouble(expire=True)
        self.stroke(page, 0.1, 0.2)
        self.says(page, "signed out")
        page.evaluate("location.hash = '#token=demo'")
        self.saved(page, 1)

    def test_strokes_of_another_author_are_told_and_never_sent(self):
        page = self.open("anna")
        self.server.kill()
        self.stroke(page, 0.1, 0.2)
        self.says(page, "1 change kept here")
        page.close()
        self.pages.remove(page)
        self.server.start()
        other = self.open("bert")
        other.until("document.querySelector('#notes').innerText.includes('1 change by anna')")
        # Bert's own stroke comes after hers in the outbox: when it is saved, hers was skipped.
        other.key("l")
        self.ready(other, 2)
        self.stroke(other, 0.1, 0.6)
        self.saved(other, 1)
        self.assertEqual([e["author"] for e in self.server.entries()], ["bert"])
        self.assertIn("1 change by anna", other.text("#notes"))
        other.shot("other-author")
        self.open("anna")
        other.until(self.ask("'/api/samples/101'") + ".then(s => s.history.length === 1)")
        self.assertEqual([e["author"] for e in self.server.entries()], ["bert", "anna"])

    def test_a_tab_whose_browser_is_signed_in_as_another_keeps_its_strokes(self):
        anna = self.open("anna")
        bert = self.open("bert")
        self.stroke(anna, 0.1, 0.2)
        self.says(anna, "not saved: this browser is signed in as somebody else now, 1 change kept here")
        self.assertEqual(self.server.entries(), [])
        bert.close()
        self.pages.remove(bert)
        anna.evaluate("location.hash = '#token=demo'")
        self.saved(anna, 1)
        self.assertEqual(self.server.entries()[0]["author"], "anna")

    def test_strokes_of_another_ledger_at_the_same_address_are_never_sent(self):
        page = self.open()
        self.server.kill()
        self.stroke(page, 0.1, 0.2)
        self.says(page, "1 change kept here")
        other = StandInServer("mask", "another", port=self.server.port)
        self.addCleanup(other.close)
        # The open page belongs to the first ledger: it waits for that one's server.
        self.says(page, "the server of another ledger is at this address now")
        # From another page, so that the link loads the page: a reload during sign-in would use it up.
        page.go("about:blank")
        page.go(other.link())
        self.ready(page)
        page.until("document.querySelector('#notes').innerText.includes('1 change of another ledger')")
        # A stroke of this ledger is sent, and nothing else.
        self.stroke(page, 0.1, 0.6)
        self.saved(page, 1)
        self.assertEqual(len(other.entries()), 1)
        self.assertIn("1 change of another ledger", page.text("#notes"))
        page.shot("other-ledger")

    def test_two_ledgers_one_after_the_other_at_one_address(self):
        other = StandInServer("mask", "another")
        self.addCleanup(other.close)
        other.kill()
        # The browser has a session for both, so that only the ledger's uuid distinguishes them.
        self.server.kill()
        other.command[other.command.index("--port") + 1] = str(self.server.port)
        other.start()
        page = self.open(url=other.link().replace(str(other.port), str(self.server.port)))
        other.kill()
        self.server.start()
        mine = self.open()
        self.server.kill()
        other.start()
        self.stroke(mine, 0.1, 0.2)
        self.says(mine, "the server of another ledger is at this address now, 1 change kept here")
        self.assertEqual(other.entries(), [])
        other.kill()
        self.server.start()
        self.saved(mine, 1)
        page.close()
        self.pages.remove(page)

    def test_a_save_that_names_another_ledger_is_refused(self):
        page = self.open()
        answer = page.evaluate("""import('/app/api.js').then(api => fetch('/api/samples/101/corrections', {
            method: 'POST',
            headers: {'Content-Type': 'application/json', 'If-Match': 'none', ...api.sessionHeader()},
            body: JSON.stringify({ledger: '11111111-1111-1111-1111-111111111111', author: 'anna',
              uuid: '22222222-2222-4222-8222-222222222222', visit: '33333333-3333-4333-8333-333333333333',
              kind: 'accept'})})).then(async r => [r.status, (await r.json()).error])""")
        self.assertEqual(answer, [409, "otherLedger"])

    def test_a_browser_that_keeps_nothing_says_so(self):
        page = self.browser.page("about:blank", self.context)
        self.pages.append(page)
        page.send("Page.addScriptToEvaluateOnNewDocument", source="""
            IDBFactory.prototype.open = function () { throw new DOMException('no', 'SecurityError'); };""")
        page.go(self.server.link())
        self.ready(page)
        self.assertIn("only in this tab", page.text("#notes"))
        self.stroke(page, 0.1, 0.2)
        self.saved(page, 1)
        self.server.kill()
        self.stroke(page, 0.1, 0.6)
        self.says(page, "1 change kept in this tab only")
        self.server.start()
        self.saved(page, 2)


if __name__ == "__main__":
    main()
