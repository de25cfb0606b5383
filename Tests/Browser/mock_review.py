"""A stand-in for a review: samples, entries in order, replay. Simpler than the program.

It follows these real rules: entries are appended and never changed; the same uuid twice is one
entry; a parent that is not the main branch's last entry is a conflict, stored but not applied;
undo and redo are entries. Instances of a region edit are joined without checking which ones touch.
"""

import json
import os
import threading
import time
import uuid as uuids

import runlengths

CHANGES = ("label", "mask", "add", "remove", "category", "accept", "take", "reject", "unsure",
           "bad", "skip")
STATUS = {"accept": "done", "reject": "left_out", "bad": "left_out", "unsure": "unsure",
          "skip": "skipped"}


class Refused(Exception):
    """An error response: status, code, message."""

    def __init__(self, status, code, message):
        super().__init__(message)
        self.status, self.code = status, code


class Sample:
    """One image with its imported ground truth and the run's predictions."""

    def __init__(self, key, width, height, picture, kind, label=None, objects=(), run=None,
                 reason="", score=None):
        self.key, self.width, self.height = key, width, height
        self.picture, self.kind = picture, kind
        self.label, self.objects, self.run = label, list(objects), run
        self.reason, self.score, self.entries = reason, score, []
        self.shown = None

    @property
    def size(self):
        return [self.height, self.width]


class Review:
    """The samples of one review and the ledger of their corrections."""

    def __init__(self, name, task, categories, samples, ledger=None, journal=None):
        self.name, self.task, self.categories = name, task, categories
        self.samples = dict(enumerate(samples, start=101))
        self.ledger = ledger or str(uuids.UUID(int=0xA55A << 64 | sum(map(ord, name))))
        self.order, self.entries, self.lock = list(self.samples), [], threading.RLock()
        self.journal = None
        if journal:
            if os.path.exists(journal):
                with open(journal, encoding="utf-8") as lines:
                    for line in filter(None, map(str.strip, lines)):
                        self.keep(json.loads(line))
            self.journal = open(journal, "a", encoding="utf-8")

    def keep(self, entry):
        self.entries.append(entry)
        self.samples[entry["sample"]].entries.append(entry)

    def append(self, number, parent, body, author):
        """Stores one correction. Returns (entry, is a repeat)."""
        with self.lock:
            sample = self.samples[number]
            for entry in self.entries:
                if entry["uuid"] == body["uuid"]:
                    return entry, True
            self.check(sample, body)
            last = {e["uuid"] for e in sample.entries}
            if isinstance(parent, int):
                parent = next((e["uuid"] for e in sample.entries if e["sequence"] == parent), "?")
            if parent is not None and parent not in last:
                raise Refused(409, "unknownParent", "The entry before is not in this ledger.")
            entry = {"sequence": len(self.entries) + 1, "sample": number, "parent": parent,
                     "author": author, "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                     **{k: v for k, v in body.items() if k not in ("ledger", "author")}}
            if entry["kind"] in ("undo", "redo") and not entry.get("entry"):
                entry["entry"] = self.last_to(entry["kind"], sample)
            self.keep(entry)
            if self.journal:
                self.journal.write(json.dumps(entry) + "\n")
                self.journal.flush()
                os.fsync(self.journal.fileno())
            return entry, False

    def check(self, sample, body):
        if body.get("kind") not in CHANGES + ("note", "undo", "redo", "keep"):
            raise Refused(422, "unknownKind", "No such kind of correction.")
        if body.get("category") and body["category"] not in self.categories:
            raise Refused(422, "unknownCategory", "No such category.")
        if body["kind"] in ("mask", "add"):
            if body.get("size") != sample.size:
                raise Refused(422, "wrongSize", "The mask has not the picture's size.")
            try:
                mask = runlengths.bits(body.get("counts", ""), sample.size)
            except ValueError as problem:
                raise Refused(422, "unreadableMask", str(problem))
            if not mask and not body.get("empty"):
                raise Refused(422, "emptyUnsaid", "The mask is empty; say so with empty: true.")
        run = sample.run or {}
        if body["kind"] == "take" and run.get("taken") and not body.get("confirmed"):
            _, objects, _ = self.replay(sample, self.main(sample)[0])
            for told in run["taken"]:
                own = [o for o in objects if o["category"] == told["category"]]
                masks = sum(bool(o["bits"]) for o in own)
                if own and not told["masks"] and (not told["boxes"] or masks):
                    raise Refused(422, "takeLoses", "Masks would be lost; say so with confirmed: true.")

    def last_to(self, kind, sample):
        active = self.activity(sample)
        chosen = [e["uuid"] for e in self.main(sample)[0]
                  if e["kind"] in CHANGES and active[e["uuid"]] == (kind == "undo")]
        if not chosen:
            raise Refused(422, "nothingToUndo", "Nothing is there to %s." % kind)
        return chosen[-1] if kind == "undo" else chosen[0]

    @staticmethod
    def main(sample):
        """(entries of the main branch, {first uuid of a conflict: its entries})."""
        main, branches, branch_of, head = [], {}, {}, None
        for entry in sample.entries:
            if entry["parent"] == head:
                main.append(entry)
                head = entry["uuid"]
                if entry["kind"] == "keep":
                    branches.pop(entry.get("conflict"), None)
            else:
                first = branch_of.get(entry["parent"], entry["uuid"])
                branch_of[entry["uuid"]] = first
                branches.setdefault(first, []).append(entry)
        return main, branches

    @staticmethod
    def activity(sample):
        active = {e["uuid"]: True for e in sample.entries}
        for entry in sample.entries:
            if entry["kind"] in ("undo", "redo") and entry.get("entry") in active:
                active[entry["entry"]] = entry["kind"] == "redo"
        return active

    def replay(self, sample, entries):
        """(label, objects, status) after `entries`."""
        active = self.activity(sample)
        label, status = sample.label, "open"
        objects = [dict(o) for o in sample.objects]
        for entry in entries:
            kind = entry["kind"]
            if not active[entry["uuid"]] or kind in ("undo", "redo", "note"):
                continue
            before = label, [dict(o) for o in objects]
            if kind == "label":
                label = entry.get("category")
            elif kind == "mask":
                objects = self.mask(sample, objects, entry)
            elif kind == "add":
                objects.append(made(entry, sample))
            elif kind == "remove":
                objects = [o for o in objects if o["target"] != entry.get("target")]
            elif kind == "category":
                for one in objects:
                    if one["target"] == entry.get("target"):
                        one["category"] = entry.get("category")
            elif kind == "take" and sample.run:
                label = sample.run.get("label", label)
                known = [told["category"] for told in sample.run.get("taken", [])]
                objects = [o for o in objects if o["category"] not in known]
                objects += [{"target": json.dumps({"entry": entry["uuid"], "occurrence": n} if n
                                                  else {"entry": entry["uuid"]}, separators=(",", ":")),
                             "category": one["category"], "crowd": False, "bits": 0,
                             "box": one["box"], "changed": True, "source_id": None}
                            for n, one in enumerate(sample.run["boxes"])
                            if one["confidence"] >= sample.run.get("score", 2)]
                for taken in sample.run.get("masks", []):
                    after = {**entry, "category": taken["category"], "counts": taken["counts"]}
                    if entry.get("category") in (None, taken["category"]):
                        objects = self.mask(sample, objects, after)
            elif kind == "keep" and entry.get("version") == "this":
                branch = [e for e in sample.entries if e["uuid"] == entry.get("conflict")]
                follow = {e["uuid"] for e in branch}
                for other in sample.entries:
                    if other["parent"] in follow:
                        follow.add(other["uuid"])
                        branch.append(other)
                for one in branch:
                    if one["kind"] == "mask":
                        objects = self.mask(sample, objects, one)
                    elif one["kind"] == "label":
                        label = one.get("category")
            status = STATUS.get(kind, "started") if kind != "keep" else status
            if entry.get("done") and status == "started":
                status = "done"
            if kind in STATUS and kind not in ("accept",):
                label, objects = before
        return label, objects, status

    @staticmethod
    def mask(sample, objects, entry):
        """Sets a region's or an object's new mask: cuts removed pixels, joins added ones."""
        after = runlengths.bits(entry["counts"], sample.size)
        target, category = entry.get("target"), entry.get("category")
        chosen = [o for o in objects
                  if (o["target"] == target if target else o["category"] == category)]
        added = after
        for one in chosen:
            if one["bits"] & after != one["bits"] or target:
                one["bits"] &= after
                one["changed"] = True
            added &= ~one["bits"]
        whole = [o for o in chosen if not o["crowd"]]
        if added and whole:
            whole[0]["bits"] |= added
            whole[0]["changed"] = True
        elif added:
            objects = objects + [made({**entry, "bits": added}, sample)]
        return [o for o in objects if o["bits"] or o.get("box")]

    def state(self, number):
        """The state as defined by the API, for the main branch."""
        sample = self.samples[number]
        if sample.shown and sample.shown[0] == len(sample.entries):
            return sample.shown[1]
        main, branches = self.main(sample)
        label, objects, status = self.replay(sample, main)
        active, on_main = self.activity(sample), {e["uuid"] for e in main}
        resolved = {e.get("conflict") for e in main if e["kind"] == "keep"}
        history = [{"sequence": e["sequence"], "uuid": e["uuid"], "kind": e["kind"],
                    "target": e.get("target"), "category": e.get("category"),
                    "author": e["author"], "time": e["time"], "visit": e.get("visit"),
                    "active": active[e["uuid"]], "conflict": e["uuid"] not in on_main}
                   for e in sample.entries]
        conflicts = []
        for first, branch in branches.items():
            if first in resolved:
                continue
            upto = [e for e in main if e["sequence"] < branch[0]["sequence"]
                    and (branch[0]["parent"] is not None)]
            names = [e["uuid"] for e in upto]
            parent = branch[0]["parent"]
            upto = upto[:names.index(parent) + 1] if parent in names else []
            theirs = self.replay(sample, upto + branch)
            conflicts.append({"uuid": first, "sequence": branch[0]["sequence"],
                              "author": branch[0]["author"], "time": branch[0]["time"],
                              "label": theirs[0], "objects": shown(theirs[1], sample)})
        notes = [e.get("note") for e in main if e.get("note")]
        state = {"label": label, "objects": shown(objects, sample), "status": status,
                 "head": main[-1]["sequence"] if main else None, "history": history,
                 "conflicts": conflicts, "note": notes[-1] if notes else None}
        sample.shown = len(sample.entries), state
        return state


def made(entry, sample):
    mask = entry.get("bits") or runlengths.bits(entry["counts"], sample.size)
    return {"target": entry["uuid"], "category": entry.get("category"),
            "crowd": bool(entry.get("crowd")), "bits": mask, "changed": True, "source_id": None}


def shown(objects, sample):
    """Objects in the format of the API."""
    return [{"target": o["target"], "category": o["category"], "crowd": o["crowd"],
             "shape": "mask" if o["bits"] else "box",
             "box": runlengths.box(o["bits"], sample.size) if o["bits"] else o.get("box"),
             "counts": runlengths.text_of(o["bits"], sample.size) if o["bits"] else None,
             "changed": o.get("changed", False), "source_id": o.get("source_id")}
            for o in objects]
