"""A stand-in for `assay review`: the same API over HTTP, so that the page can be tried without it.

    python3 mock_server.py --port 8700 [--journal FILE] [--task mask|label|detect] [--pages DIR]

Kept simple: no limits, no hardening; these are tested with the program itself. With a journal
every entry is on disk before the response, so it can be killed. `POST /stand-in` takes
{"drop": n, "hold": true, "fail": status, "expire": true} to simulate problems, for tests; during a hold
no request is answered, and the response contains the number of waiting requests.
"""

import argparse
import hashlib
import json
import os
import secrets
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import mock_demo
from mock_review import Refused

HERE = os.path.dirname(os.path.abspath(__file__))
PAGES = os.path.join(HERE, "..", "..", "Sources", "AssayReview", "Pages")
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".js": "text/javascript; charset=utf-8"}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
          "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
          "frame-ancestors 'none'")


class StandIn(ThreadingHTTPServer):
    """A review on one port."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, review, port, pages=PAGES, token=None, author="anna"):
        super().__init__(("127.0.0.1", port), Answer)
        self.review, self.pages = review, pages
        # Sessions survive a restart here as in the program: they are derived from the ledger.
        self.secret = hashlib.sha256(review.ledger.encode()).hexdigest()
        self.tokens = {"demo": author, "demo-bert": "bert"} if token is None else {token: author}
        self.lasting = token is None
        self.trouble = {"drop": 0, "hold": False, "fail": 0, "expire": False}
        self.turn, self.waiting = threading.Condition(), 0
        self.maps = {}
        # The sample that each author has open.
        self.held = {}
        # The time of all leases.
        self.since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())

    def handle_error(self, request, client_address):
        """A page that was closed before its response is not reported."""
        if not isinstance(sys.exc_info()[1], (BrokenPipeError, ConnectionResetError)):
            super().handle_error(request, client_address)

    def wait(self):
        """Waits while responses are held back."""
        with self.turn:
            self.waiting += 1
            self.turn.wait_for(lambda: not self.trouble["hold"])
            self.waiting -= 1

    def sign(self, author):
        mark = hashlib.sha256((self.secret + author).encode()).hexdigest()[:32]
        return "%s.%s.%s" % (self.review.ledger, author.encode().hex(), mark)

    def signature(self, number):
        """A signature that makes a thumbnail's address as good as a session, as an image request sends no header."""
        made = hashlib.sha256((self.secret + str(number)).encode()).hexdigest()[:32]
        return "%d.%s" % (time.time() + 86400, made)

    def author(self, session):
        parts = (session or "").split(".")
        if len(parts) != 3:
            return None
        author = bytes.fromhex(parts[1]).decode()
        return author if session == self.sign(author) and not self.trouble["expire"] else None

    def is_of_another(self, session):
        """Returns whether a session belongs to another ledger, whose server may come back to this address."""
        return session is not None and session.partition(".")[0] != self.review.ledger

    def take(self, number, author):
        """Assigns a sample to an author; returns the author who already has it, or None."""
        if self.held.setdefault(number, author) != author:
            return self.held[number]
        return None


class Answer(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", kind="application/json", headers=()):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-cache")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, status, code, message, **more):
        self.answer(status, {"error": code, "message": message, **more})

    def do_GET(self):
        path = urlsplit(self.path)
        if path.path == "/favicon.ico":
            return self.answer(204)
        if path.path == "/" or path.path.startswith("/app/"):
            name = "page.html" if path.path == "/" else path.path[5:]
            return self.file(name)
        parts = path.path.strip("/").split("/")
        query = {k: v[0] for k, v in parse_qs(path.query).items()}
        is_signed = parts[3:] == ["thumbnail"] and query.get("signature", "").partition(
            ".")[2] == self.server.signature(parts[2]).partition(".")[2]
        author = self.server.author(self.headers.get("Assay-Session"))
        if author is None and not is_signed:
            return self.refuse_signed_out()
        self.server.wait()
        review = self.server.review
        if parts == ["api", "session"]:
            run = next((s.run["name"] for s in review.samples.values() if s.run), None)
            return self.answer(200, {
                "ledger": review.ledger, "author": author, "set": "instances",
                "review": {"name": review.name, "subject": review.name, "order": "uncertainty",
                           "dataset": review.name, "task": review.task, "run": run,
                           "total": len(review.order)},
                "categories": review.categories, "version": "stand-in"})
        if parts == ["api", "queue"]:
            return self.answer(200, self.queue(query, author))
        if parts[:2] == ["api", "samples"] and len(parts) > 2 and parts[2].isdigit():
            sample = review.samples.get(int(parts[2]))
            if sample is None:
                return self.refuse(404, "noSuchSample", "No such sample in this review.")
            return self.sample(int(parts[2]), sample, parts[3:], author)
        return self.refuse(404, "notFound", "Nothing is here.")

    def refuse_signed_out(self):
        if self.server.is_of_another(self.headers.get("Assay-Session")):
            return self.refuse(409, "otherLedger", "This browser is signed in to another ledger.")
        return self.refuse(401, "signedOut", "This browser is not signed in.",
                           next="assay review link --author NAME")

    def file(self, name):
        path = os.path.join(self.server.pages, name)
        ending = os.path.splitext(name)[1]
        if os.path.basename(name) != name or ending not in TYPES or not os.path.exists(path):
            return self.refuse(404, "notFound", "No such file.")
        with open(path, "rb") as file:
            return self.answer(200, file.read(), TYPES[ending])

    def queue(self, query, author):
        review = self.server.review
        items, counts = [], dict.fromkeys(
            ("left", "done", "skipped", "unsure", "left_out", "conflicts"), 0)
        for position, number in enumerate(review.order):
            sample, state = review.samples[number], review.state(number)
            status = state["status"]
            counts["left" if status in ("open", "started") else status] += 1
            counts["conflicts"] += bool(state["conflicts"])
            items.append({"position": position, "sample": number, "key": sample.key,
                          "status": status, "score": sample.score, "reason": sample.reason,
                          "width": sample.width, "height": sample.height,
                          "label": state["label"], "predicted": (sample.run or {}).get("label"),
                          "conflicts": len(state["conflicts"]),
                          "held_by": self.held_by(number, author),
                          "held_since": self.server.since,
                          "thumbnail": "/api/samples/%d/thumbnail?signature=%s" % (
                              number, self.server.signature(number))})
        start = int(query.get("from", 0))
        chosen = items[start:start + int(query.get("limit", 50))]
        return {"total": len(items), "counts": counts, "items": chosen}

    def held_by(self, number, author):
        holder = self.server.held.get(number)
        return None if holder == author else holder

    def next(self, start, author):
        """The next remaining sample that no other author has open, wrapping around at the end."""
        review, held = self.server.review, 0
        places = list(range(start + 1, len(review.order))) + list(range(0, max(start, 0)))
        for position in places:
            number = review.order[position]
            if review.state(number)["status"] not in ("open", "started"):
                continue
            if self.server.take(number, author) is None:
                return {"position": position, "sample": number, "held": 0}
            held += 1
        return {"position": None, "sample": None, "held": held}

    def sample(self, number, sample, rest, author):
        if rest in (["image"], ["thumbnail"]):
            return self.answer(200, sample.picture, sample.kind, [("ETag", '"%d"' % number)])
        if len(rest) == 2 and rest[0] == "maps":
            made = self.server.maps.get((number, rest[1]))
            if made is None:
                made = mock_demo.probability_map(sample, rest[1])
                self.server.maps[number, rest[1]] = made
            if made is None:
                return self.refuse(404, "noMap", "The run kept no map of this category.")
            return self.answer(200, made, "application/octet-stream")
        if rest:
            return self.refuse(404, "notFound", "Nothing is here.")
        with self.server.review.lock:
            state = self.server.review.state(number)
        return self.answer(200, {
            "sample": {"id": number, "key": sample.key, "dataset": self.server.review.name,
                       "split": "val", "width": sample.width, "height": sample.height},
            "run": sample.run, "image_changed": False,
            "held_by": self.server.take(number, author), "held_since": self.server.since, **state})

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length) or b"{}")
        trouble = self.server.trouble
        if self.path == "/stand-in":
            with self.server.turn:
                trouble.update(body)
                self.server.turn.notify_all()
                return self.answer(200, {**trouble, "held": self.server.waiting})
        if self.path == "/api/session":
            author = self.server.tokens.get(body.get("token"))
            if author is None:
                return self.refuse(401, "usedToken",
                                   "This link has already been used or is too old.",
                                   next="assay review link --author NAME")
            if not self.server.lasting:
                del self.server.tokens[body["token"]]
            trouble["expire"] = False
            return self.answer(200, {"session": self.server.sign(author), "author": author,
                                     "ledger": self.server.review.ledger})
        author = self.server.author(self.headers.get("Assay-Session"))
        if author is None:
            return self.refuse_signed_out()
        parts = urlsplit(self.path).path.strip("/").split("/")
        # These requests are made at any time, so problems are not simulated for them.
        if parts == ["api", "watch"]:
            return self.answer(200, self.watch(body, author))
        if parts[:2] == ["api", "samples"] and parts[3:] == ["lease"]:
            return self.answer(200, self.lease(int(parts[2]), body["take"], author))
        if parts == ["api", "session", "author"]:
            return self.answer(200, {"session": self.server.sign(body["author"].strip()),
                                     "author": body["author"].strip(),
                                     "ledger": self.server.review.ledger})
        self.server.wait()
        if trouble["fail"]:
            return self.refuse(trouble["fail"], "trouble", "The stand-in was told to fail.")
        if parts == ["api", "queue", "next"]:
            with self.server.review.lock:
                return self.answer(200, self.next(body["from"], author))
        if parts[:2] != ["api", "samples"] or parts[3:] != ["corrections"]:
            return self.refuse(404, "notFound", "Nothing is here.")
        try:
            status, answer = self.save(int(parts[2]), body, author)
        except Refused as refused:
            return self.refuse(refused.status, refused.code, str(refused))
        if trouble["drop"]:
            trouble["drop"] -= 1
            self.close_connection = True
            return self.connection.close()
        return self.answer(status, answer)

    def lease(self, number, take, author):
        """Takes a sample over, or ends the author's lease of it."""
        if take:
            self.server.held[number] = author
        elif self.server.held.get(number) == author:
            del self.server.held[number]
        return {"sample": number, "taken": take}

    def watch(self, body, author):
        """What other authors have open, and the last entries of the open sample."""
        review, number, changed = self.server.review, body["sample"], None
        with review.lock:
            if number is not None:
                if body["active"]:
                    self.server.take(number, author)
                changed = self.ends(review.state(number))
            opened = [{"sample": one, "author": who, "since": self.server.since}
                      for one, who in sorted(self.server.held.items()) if who != author]
        return {"sequence": 0, "open": opened, "changed": changed}

    def ends(self, state):
        """The last entry of the main branch and of the latest conflict."""
        entries = {entry["sequence"]: entry for entry in state["history"]}

        def told(sequence):
            entry = entries.get(sequence)
            return entry and {name: entry[name] for name in (
                "sequence", "author", "time")}
        last = max((one["sequence"] for one in state["conflicts"]), default=None)
        return {"status": state["status"], "head": told(state["head"]), "conflict": told(last),
                "conflicts": len(state["conflicts"])}

    def save(self, number, body, author):
        review = self.server.review
        if body.get("ledger") != review.ledger:
            raise Refused(409, "otherLedger", "This stroke belongs to another ledger.")
        if body.get("author", author) != author:
            raise Refused(409, "otherAuthor", "This stroke is by %s." % body["author"])
        if number not in review.samples:
            raise Refused(404, "noSuchSample", "No such sample in this review.")
        match = (self.headers.get("If-Match") or "").strip('"')
        if not match:
            raise Refused(428, "parentNeeded", "Say with If-Match which entry was the last.")
        parent = None if match == "none" else int(match) if match.isdigit() else match
        with review.lock:
            entry, repeat = review.append(number, parent, body, author)
            state = review.state(number)
        answer = {"sequence": entry["sequence"], "uuid": entry["uuid"], "hash": "00",
                  "time": entry["time"], "status": state["status"], "head": state["head"]}
        if any(h["uuid"] == entry["uuid"] and h["conflict"] for h in state["history"]):
            return 409, {"error": "conflict", "kept": True, "state": state, **answer}
        if "state=1" in self.path or body["kind"] in ("undo", "redo", "take", "keep", "add",
                                                      "remove"):
            answer["state"] = state
        return 200 if repeat else 201, answer


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--journal")
    parser.add_argument("--task", choices=("mask", "label", "detect"), default="mask")
    parser.add_argument("--pages", default=PAGES)
    parser.add_argument("--name")
    parser.add_argument("--author", default="anna")
    parser.add_argument("--token", default=None)
    chosen = parser.parse_args()
    review = mock_demo.review(chosen.task, chosen.name, chosen.journal)
    server = StandIn(review, chosen.port, chosen.pages,
                     chosen.token or (secrets.token_hex(8) if chosen.token == "" else None),
                     chosen.author)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    token = next(iter(server.tokens))
    print("http://127.0.0.1:%d/#token=%s" % (server.server_address[1], token), flush=True)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
