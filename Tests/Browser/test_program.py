"""The page with the program itself: behavior that the stand-in only simulates is checked in the real ledger."""

import json
import os
import subprocess

from case import ProgramCase, main
from servers import Collector, Tunnel, ask
from strokes import Strokes


class Program(Strokes, ProgramCase):

    def verify(self):
        self.server.run("corrections", "verify")

    def sample(self, page):
        """The server's current ground truth of the open sample."""
        return page.evaluate(self.ask("""'/api/samples/' + document.querySelector(
            '.entry[aria-current]').dataset.sample"""))


class ProgramTeam(Program):

    def test_two_people_see_each_other_and_are_told_of_changes(self):
        first = self.open()
        second = self.open(context=self.browser.context())
        second.click("#head .name")
        second.evaluate("document.querySelector('#words').value = 'Carla'")
        second.key("Enter")
        second.until("document.querySelector('#head .name')?.innerText === 'Carla'")
        second.until("document.querySelector('.entry[data-held]') !== null")
        place = second.evaluate("document.querySelector('.entry[data-held]').dataset.position")
        second.click(".entry[data-position='%s']" % place)
        second.until("document.querySelector('[data-action=takeOver]') !== null")
        self.stroke(first, 0.1, 0.1)
        self.saved(first, 1)
        self.says(second, "changed this sample")
        second.click("[data-action='takeOver']")
        second.click("[data-answer='yes']")
        first.until("document.querySelector('#spoken').innerText.includes('Carla has taken over')")
        self.stroke(second, 0.1, 0.9)
        self.says(second, "conflict")
        self.says(first, "conflict: Carla changed this sample too")
        self.verify()
        # A tab that the browser's protocol closes can end before its last request is sent.
        second.go("about:blank")
        first.until("!document.querySelector('.entry[data-held]')")


class ProgramMasks(Program):

    def test_draw_undo_reload_undo_and_redo(self):
        page = self.open()
        before = self.sample(page)["objects"]
        self.stroke(page, 0.1, 0.1)
        self.saved(page, 1)
        first = self.sample(page)["objects"]
        self.stroke(page, 0.1, 0.9)
        self.saved(page, 2)
        page.key("Ctrl+Z")
        self.saved(page, 3)
        self.assertEqual(self.sample(page)["objects"], first)
        page.reload()
        self.ready(page)
        page.key("Ctrl+Z")
        self.saved(page, 4)
        self.assertEqual(self.sample(page)["objects"], before)
        page.key("Ctrl+Shift+Z")
        self.saved(page, 5)
        self.assertEqual(self.sample(page)["objects"], first)
        self.assertEqual(self.kinds(), ["mask", "mask", "undo", "undo", "redo"])
        self.verify()
        page.shot("program-masks")

    def test_a_killed_server_loses_nothing(self):
        page = self.open()
        self.stroke(page, 0.1, 0.1)
        self.saved(page, 1)
        self.server.kill()
        self.stroke(page, 0.1, 0.4)
        self.stroke(page, 0.1, 0.7)
        self.says(page, "not saved: server gone, 2 changes kept here")
        self.server.start()
        self.saved(page, 3)
        self.stroke(page, 0.1, 0.9)
        self.saved(page, 4)
        entries = self.server.entries()
        self.assertEqual([e["parent"] for e in entries], [None, 1, 2, 3])
        self.assertEqual(len({e["uuid"] for e in entries}), 4)
        self.verify()

    def conflict(self, version):
        """Anna and Bert draw from the same state; Anna keeps one of the two versions."""
        anna = self.open("anna")
        bert = self.open("bert", self.browser.context(), number=1)
        self.stroke(bert, 0.1, 0.1)
        self.saved(bert, 1)
        self.stroke(anna, 0.1, 0.9)
        self.says(anna, "conflict")
        anna.until("document.querySelectorAll('.conflicts .version').length === 2")
        anna.shot("program-conflict")
        mine = self.sample(anna)["conflicts"][0]["objects"]
        theirs = self.sample(anna)["objects"]
        self.assertNotEqual(mine, theirs)
        anna.click("[data-keep='%s']" % version)
        self.saved(anna)
        state = self.sample(anna)
        self.assertEqual(state["conflicts"], [])
        wanted = mine if version == "this" else theirs
        self.assertEqual(sorted(o["counts"] for o in state["objects"]),
                         sorted(o["counts"] for o in wanted))
        self.stroke(anna, 0.5, 0.5)
        self.saved(anna)
        self.assertEqual(self.sample(anna)["conflicts"], [])
        self.verify()

    def test_a_conflict_between_two_pages_is_settled_by_keeping_mine(self):
        self.conflict("this")

    def test_a_conflict_between_two_pages_is_settled_by_keeping_theirs(self):
        self.conflict("head")

    def test_a_conflict_between_two_pages_is_settled_by_keeping_both(self):
        anna = self.open("anna")
        bert = self.open("bert", self.browser.context(), number=1)
        self.stroke(bert, 0.1, 0.1)
        self.saved(bert, 1)
        self.stroke(anna, 0.1, 0.9)
        self.says(anna, "conflict")
        anna.until("document.querySelectorAll('.conflicts .version').length === 2")
        self.assertIn("do not overlap", anna.text("#side"))
        self.assertIn("only in the other version", anna.text("#side .differences"))
        anna.shot("program-conflict-both")
        anna.key("&")
        self.saved(anna)
        state = self.sample(anna)
        self.assertEqual(state["conflicts"], [])
        self.assertEqual(state["history"][-1]["kind"], "merge")
        anna.key("Ctrl+Z")
        self.says(anna, "conflict")
        self.verify()

    def test_an_empty_mask_and_a_hidden_category(self):
        page = self.open()
        page.key("Shift+H")
        page.key("Shift+H")
        page.key("Shift+Delete")
        self.says(page, "disc is empty now")
        self.assertEqual(self.server.entries(), [])
        page.key("y")
        self.saved(page, 1)
        self.assertIs(self.server.entries()[0]["empty"], True)
        self.assertEqual(self.sample(page)["objects"], [])

    def test_objects_are_made_changed_and_deleted(self):
        page = self.open()
        page.key("i")
        self.stroke(page, 0.1, 0.1)
        self.saved(page, 1)
        self.stroke(page, 0.1, 0.2)
        self.saved(page, 2)
        self.assertEqual(len(self.sample(page)["objects"]), 2)
        page.key("Delete")
        self.saved(page, 3)
        self.assertEqual(len(self.sample(page)["objects"]), 1)
        self.assertEqual(self.kinds(), ["add", "mask", "remove"])
        for entry, number in ((4, 2), (5, 2), (6, 1)):
            page.key("Ctrl+Z")
            self.saved(page, entry)
            self.assertEqual(len(self.sample(page)["objects"]), number)
        self.verify()

    def test_decisions_leave_the_queue(self):
        page = self.open()
        for number, key in enumerate(("Enter", "u", "Shift+B", "s"), start=1):
            page.key(key)
            self.saved(page, number)
            self.ready(page, number + 1)
        page.key("r")
        page.type("too dark")
        page.key("Enter")
        self.saved(page, 5)
        self.ready(page, 6)
        self.assertEqual(self.kinds(), ["accept", "unsure", "bad", "skip", "reject"])
        self.assertIn("1 left · 1 done · 1 skipped · 1 unsure · 2 excluded", page.text("#counts"))
        page.reload()
        self.ready(page)
        self.assertIn("1 left · 1 done", page.text("#counts"))

    def test_a_used_link_and_a_new_one(self):
        link = self.server.link()
        page = self.open(url=link)
        other = self.open(url=link, context=self.browser.context(), ready=False)
        other.until("document.body.innerText.includes('already been used')")
        self.assertIn("assay review link --author", other.words())
        other.click("#link")
        other.type(self.server.link("bert"))
        other.key("Enter")
        self.ready(other)
        self.assertIn("bert", other.text("#review"))
        self.server.kill()
        self.server.start()
        page.reload()
        self.ready(page)

    def test_what_the_browser_sends_to_another_port_is_worth_nothing(self):
        page = self.open()
        session = page.evaluate("import('/app/api.js').then(api => api.fetchSession())")
        sample = page.evaluate("document.querySelector('.entry[aria-current]').dataset.sample")
        self.stroke(page, 0.1, 0.1)
        self.saved(page, 1)
        # Eight cookies with the name that was formerly used for sessions, and a thief who collects every header.
        thief = Collector([("assay_" + session["ledger"], "junk%d.junk" % n) for n in range(8)])
        self.addCleanup(thief.close)
        page.go(thief.address)
        page.until("document.readyState === 'complete'")
        page.go(thief.address + "once-more")
        while len([path for path, _ in thief.requests if path == "/again"]) < 2:
            page.evaluate("1")
        body = json.dumps({
            "ledger": session["ledger"], "author": "anna", "kind": "accept",
            "uuid": "22222222-2222-4222-8222-222222222222",
            "visit": "33333333-3333-4333-8333-333333333333"}).encode()
        own = {"Origin": self.server.address.rstrip("/"), "Host": self.server.address[7:-1],
               "Sec-Fetch-Site": "same-origin"}
        for _, headers in thief.requests:
            stolen = {**headers, **own}
            self.assertEqual(ask(self.server.address + "api/session", stolen), 401)
            self.assertEqual(ask(
                self.server.address + "api/samples/%s/corrections" % sample,
                {**stolen, "Content-Type": "application/json", "If-Match": "none"}, body), 401)
        page.go(self.server.address)
        self.ready(page)
        self.assertIn("anna", page.text("#review"))
        self.assertEqual(len(self.server.entries()), 1)

    def test_a_tunnel_with_another_port_gets_a_page_that_says_what_to_do(self):
        tunnel = Tunnel(self.server.port)
        self.addCleanup(tunnel.close)
        link = self.server.link().replace(":%d/" % self.server.port, ":%d/" % tunnel.port)
        page = self.open(url=link, ready=False)
        page.until("document.body.innerText.includes('This tunnel uses another port')")
        words = page.words()
        self.assertIn("ssh -L %d:127.0.0.1:%d HOST" % (self.server.port, self.server.port), words)
        self.assertIn("--allow-host 127.0.0.1:%d" % tunnel.port, words)
        self.assertNotIn("{", words)
        page.shot("program-tunnel")
        # The same link, not yet used, works where the page says.
        self.ready(self.open(url=link.replace(":%d/" % tunnel.port, ":%d/" % self.server.port)))

    def test_a_save_to_another_ledger_is_refused(self):
        page = self.open()
        answer = page.evaluate("""import('/app/api.js').then(api => fetch('/api/samples/' + document.querySelector(
            '.entry[aria-current]').dataset.sample + '/corrections', {method: 'POST',
            headers: {'Content-Type': 'application/json', 'If-Match': 'none', ...api.sessionHeader()},
            body: JSON.stringify({ledger: '11111111-1111-1111-1111-111111111111', author: 'anna',
              uuid: '22222222-2222-4222-8222-222222222222', visit: '33333333-3333-4333-8333-333333333333',
              kind: 'accept'})})).then(async r => [r.status, (await r.json()).error])""")
        self.assertEqual(answer, [409, "otherLedger"])
        self.assertEqual(self.server.entries(), [])

    def test_what_the_command_line_says_beside_the_running_server(self):
        page = self.open()
        key = page.text("#place .key")
        self.stroke(page, 0.1, 0.1)
        self.saved(page, 1)
        self.server.run("corrections", "undo", "1", "--author", "carl")
        self.stroke(page, 0.1, 0.5)
        self.says(page, "conflict")
        self.assertIn("discs:" + key, self.server.run("corrections", "ls"))
        self.verify()


class ProgramLabels(Program):
    task = "label"

    def test_labels_by_number_keys_with_what_the_model_said(self):
        page = self.open()
        self.assertRegex(page.text(".caption .said"), r"model: \w+ 0\.\d\d")
        keys = page.evaluate("[...document.querySelectorAll('.class .label')].map(e => e.innerText)")
        strip = page.evaluate("[...document.querySelectorAll('.entry .reason')].map(e => e.innerText)")
        self.assertTrue(any(" → " in line for line in strip), strip)
        for line in strip:
            self.assertRegex(line, r"^\w+( → \w+)?$")
        page.key("4")
        self.saved(page, 1)
        self.ready(page, 2)
        entry = self.server.entries()[0]
        self.assertEqual((entry["kind"], entry["category"], entry["done"]), ("label", keys[3], True))
        page.key("t")
        self.saved(page, 2)
        self.ready(page, 3)
        page.key("Enter")
        self.saved(page, 3)
        self.ready(page, 4)
        page.key("j")
        self.ready(page, 3)
        page.key("j")
        self.ready(page, 2)
        page.key("Ctrl+Z")
        self.saved(page, 4)
        self.assertEqual(self.kinds(), ["label", "take", "accept", "undo"])
        self.verify()
        page.shot("program-labels")

    def test_an_export_by_view_says_which_samples_corrections_moved_out(self):
        self.server.run("view", "save", "angry-faces", "--in", "faces", "--where", "label = angry")
        page = self.open()
        # The queue has several of them: the first one that is open is relabeled.
        while page.text(".caption .truth") != "label: angry":
            number = int(page.evaluate("document.title").split(" ")[0])
            page.key("l")
            self.ready(page, number + 1)
        key = page.text("#place .key")
        page.key("4")
        self.saved(page, 1)
        done = subprocess.run(
            [self.server.program, "export", "angry-faces", "--to", "fer", "--out", "o", "--corrected", "--db",
             self.server.catalog], cwd=self.server.folder, text=True, capture_output=True, check=True)
        self.assertIn("note: corrections moved 1 sample (%s) out of angry-faces: not exported" % key, done.stderr)
        with open(os.path.join(self.server.folder, "o", "manifest.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["moved_out_of_view"], [key])


if __name__ == "__main__":
    main()
