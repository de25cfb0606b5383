#!/usr/bin/env python3
"""Makes a ledger of corrections from the description in Sources/AssayStore/Ledger, without assay.

    make_ledger.py make DIR      writes DIR/golden.ledger and DIR/golden.json (its rows and hashes)
    make_ledger.py check FILE    walks the chain of any ledger; prints its count and last hash, or what is wrong

Made with Python 3.11.7, its hashlib, json and sqlite3 (SQLite 3.40.1). Standard library only.
"""
import hashlib
import json
import os
import sqlite3
import struct
import sys

LEDGER = "6f1c0f64-3c1e-4d35-9a53-0d6b9f1f8a11"
APPEND_ONLY = "BEGIN\n  SELECT RAISE(ABORT, 'the ledger is append-only');\nEND"
SCHEMA = [
    "CREATE TABLE ledger (\n  uuid TEXT NOT NULL,\n  createdAt TEXT NOT NULL\n) STRICT",
    """CREATE TABLE correction (
  sequence INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE,
  format INTEGER NOT NULL,
  dataset TEXT NOT NULL,
  key TEXT NOT NULL,
  contentHash TEXT NOT NULL,
  target TEXT NOT NULL,
  kind TEXT NOT NULL,
  visit TEXT NOT NULL,
  parent INTEGER,
  payload TEXT NOT NULL,
  previousHash BLOB NOT NULL,
  hash BLOB NOT NULL
) STRICT""",
    "CREATE INDEX correctionSample ON correction (dataset, key)",
    """CREATE TRIGGER ledgerInsert BEFORE INSERT ON ledger
WHEN EXISTS (SELECT 1 FROM ledger)
BEGIN
  SELECT RAISE(ABORT, 'a ledger has one row');
END""",
    "CREATE TRIGGER ledgerUpdate BEFORE UPDATE ON ledger\n" + APPEND_ONLY,
    "CREATE TRIGGER ledgerDelete BEFORE DELETE ON ledger\n" + APPEND_ONLY,
    """CREATE TRIGGER correctionInsert BEFORE INSERT ON correction
WHEN NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM correction)
  OR EXISTS (SELECT 1 FROM correction WHERE uuid = NEW.uuid)
BEGIN
  SELECT RAISE(ABORT, 'the ledger takes the next sequence and a new uuid only');
END""",
    "CREATE TRIGGER correctionUpdate BEFORE UPDATE ON correction\n" + APPEND_ONLY,
    "CREATE TRIGGER correctionDelete BEFORE DELETE ON correction\n" + APPEND_ONLY,
]
COLUMNS = ("sequence uuid format dataset key contentHash target kind visit parent payload "
           "previousHash hash").split()
HASHED = ("previousHash format sequence uuid dataset key contentHash target kind visit parent "
          "payload").split()


def field(value):
    """Eight bytes little-endian with the length, then the bytes; NULL is the length 2**64 - 1 alone."""
    if value is None:
        return struct.pack("<Q", 2**64 - 1)
    if isinstance(value, int):
        value = str(value)
    if isinstance(value, str):
        value = value.encode("utf-8")
    return struct.pack("<Q", len(value)) + value


def chain(row):
    return hashlib.sha256(b"".join(field(row[name]) for name in HASHED)).digest()


def canonical(payload):
    return json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def rows():
    """Seven entries: labels and masks, a conflict (6 follows 1, as 3 does), another sample, a kind and format
    of a later version, texts beyond ASCII in both spellings of e with an accent."""
    visit = "11111111-2222-4333-8444-55555555555%d"
    file_hash = hashlib.sha256(b"an image").hexdigest()
    region = canonical({"category": "person", "set": "instances"})
    made = "0a7d3c51-90c2-4a8b-8f6e-00000000000%d"
    author = {"author": "anna", "tool": "editor", "time": "2026-11-21T14:40:05Z"}
    table = [
        ("faces", "17", "label", "label", 1, None, dict(author, category="happy", before="sad", seconds=4.5)),
        ("coco", "val/caf\u00e9.jpg", region, "mask", 2, None,
         dict(author, size=[3, 4], added="11:", area=12, category="person", before="")),
        ("faces", "17", "sample", "accept", 1, 1, dict(author, done=True)),
        ("coco", "val/cafe\u0301.jpg", "sample", "note", 2, None, dict(author, note="\u201eso\u201c \U0001f600 \\ \"\t")),
        ("coco", "val/caf\u00e9.jpg", canonical({"entry": made % 2}), "later-kind", 2, 2, {}),
        ("faces", "17", "label", "label", 3, 1, dict(author, author="ben", category="angry")),
        ("faces", "17", "sample", "unsure", 1, 3, dict(author, author="anna <b>")),
    ]
    previous = hashlib.sha256(LEDGER.encode("ascii")).digest()
    for i, (dataset, key, target, kind, nth, parent, payload) in enumerate(table):
        row = dict(sequence=i + 1, uuid=made % (i + 1), format=2 if kind == "later-kind" else 1,
                   dataset=dataset, key=key, contentHash=file_hash, target=target, kind=kind,
                   visit=visit % nth, parent=parent, payload=canonical(payload), previousHash=previous)
        row["hash"] = previous = chain(row)
        yield row


def make(folder):
    path = os.path.join(folder, "golden.ledger")
    if os.path.exists(path):
        os.remove(path)
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA page_size = 4096")
    database.execute("BEGIN")
    for statement in SCHEMA:
        database.execute(statement)
    database.execute("INSERT INTO ledger VALUES (?, ?)", (LEDGER, "2026-11-21T14:40:00Z"))
    database.execute("PRAGMA application_id = %d" % int.from_bytes(b"aslg", "big"))
    database.execute("PRAGMA user_version = 1")
    table = list(rows())
    for row in table:
        database.execute("INSERT INTO correction VALUES (%s)" % ", ".join("?" * 13), [row[c] for c in COLUMNS])
    database.execute("COMMIT")
    database.close()
    golden = {
        "tool": "Python %s hashlib, %s" % (sys.version.split()[0], os.path.basename(__file__)),
        "ledger": LEDGER,
        "first": table[0]["previousHash"].hex(),
        "input1": b"".join(field(table[0][name]) for name in HASHED).hex(),
        "rows": [{name: value.hex() if isinstance(value, bytes) else value for name, value in row.items()}
                 for row in table],
    }
    with open(os.path.join(folder, "golden.json"), "w", encoding="utf-8") as out:
        json.dump(golden, out, indent=1, ensure_ascii=True)
        out.write("\n")


def check(path):
    database = sqlite3.connect(path)
    database.text_factory = bytes
    uuid, = database.execute("SELECT uuid FROM ledger").fetchone()
    previous, count = hashlib.sha256(uuid).digest(), 0
    for values in database.execute("SELECT %s FROM correction ORDER BY sequence" % ", ".join(COLUMNS)):
        row = dict(zip(COLUMNS, values))
        count += 1
        if row["sequence"] != count or row["previousHash"] != previous or row["hash"] != chain(row):
            sys.exit("broken at entry %d" % row["sequence"])
        previous = row["hash"]
    print(count, previous.hex())


if __name__ == "__main__":
    {"make": make, "check": check}[sys.argv[1]](sys.argv[2])
