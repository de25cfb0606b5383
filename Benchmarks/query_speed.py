"""Speed of queries and tags on a generated catalog: Benchmarks/query_speed.py PROGRAM [SAMPLES] [TAGGED].

Makes a catalog of SAMPLES labeled images (embedded pixels) with two runs, times queries that
match patterns and compare fields, then tags TAGGED samples and times what follows. The catalog is
made with SQL, because an import and two predictions of this size take longer than what is measured.
"""

import os
import random
import resource
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

CLASSES = ["angry", "disgust", "fear", "happy", "neutral", "sad", "surprise"]


def generate(program, path, count):
    folder = os.path.dirname(path)
    source = os.path.join(folder, "faces.csv")
    with open(source, "w") as file:
        file.write("emotion,pixels,Usage\n")
        for label in range(7):
            pixels = " ".join(str(label) for _ in range(48 * 48))
            file.write(f"{label},{pixels},Training\n")
    subprocess.run([program, "import", source, "--name", "faces", "--db", path], check=True,
                   stdout=subprocess.DEVNULL)
    db = sqlite3.connect(path)
    db.execute("PRAGMA foreign_keys = OFF")
    rng = random.Random(15)
    categories = dict(db.execute("SELECT ordinal, id FROM category ORDER BY ordinal"))
    names = [n for (n,) in db.execute("SELECT name FROM category ORDER BY ordinal")]
    (first,) = db.execute("SELECT max(id) FROM sample").fetchone()
    (dataset, version) = db.execute("SELECT dataset, import FROM sample LIMIT 1").fetchone()
    (labels,) = db.execute("SELECT id FROM annotationSet").fetchone()
    ids = range(first + 1, count + 1)

    def key(i):
        return f"{'night' if i % 17 == 0 else 'day'}/{i:07d}.png"

    db.executemany(
        "INSERT INTO sample (id, dataset, key, sourceSplit, width, height, contentHash, import) "
        "VALUES (?, ?, ?, 'train', ?, ?, ?, ?)",
        ((i, dataset, key(i), 40 + i % 9, 44, f"{i:064x}", version) for i in ids))
    db.executemany(
        "INSERT INTO annotation (sample, annotationSet, ordinal, category, shape) "
        "VALUES (?, ?, 0, ?, 'label')",
        ((i, labels, categories[i % 7]) for i in ids))
    for run, name in enumerate(["a", "b"], start=1):
        db.execute(
            "INSERT INTO run (id, name, dataset, datasetVersion, view, settings, versions, "
            "samplesHash, createdAt) VALUES (?, ?, ?, 1, 'faces', '{}', '{}', '', '2026-01-01')",
            (run, name, dataset))
        db.executemany("INSERT INTO runClass VALUES (?, ?, ?)",
                       ((run, i, n) for i, n in enumerate(names)))
        db.executemany("INSERT INTO runSample (run, sample, position, status) VALUES (?, ?, ?, 'done')",
                       ((run, i, i) for i in ids))

        def rows():
            for i in ids:
                confidence = rng.uniform(0.3, 1)
                predicted = i % 7 if rng.random() < 0.7 else rng.randrange(7)
                yield (run, i, predicted, confidence, confidence / 2, struct.pack("<7f", *[0] * 7))

        db.executemany(
            "INSERT INTO prediction (run, sample, ordinal, class, confidence, margin, scores) "
            "VALUES (?, ?, 0, ?, ?, ?, ?)", rows())
    db.execute("UPDATE import SET accepted = ?", (count,))
    db.commit()
    db.close()


def timed(program, *arguments):
    """Wall time and processor time as text, and the first line of the output."""
    start = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, *arguments], check=True, capture_output=True, text=True,
                          env={**os.environ, "ASSAY_AUTHOR": "bench"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    wall = time.monotonic() - start
    return f"{wall:7.2f} s {used:7.2f} s CPU", done.stdout.strip().split("\n")[0]


def main():
    program = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    tagged = int(sys.argv[3]) if len(sys.argv) > 3 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bench.db")
        start = time.monotonic()
        generate(program, path, count)
        print(f"{count:,} samples made in {time.monotonic() - start:.0f} s")

        def query(expression):
            seconds, found = timed(
                program, "query", expression, "--in", "faces", "--count", "--db", path)
            print(f"{seconds}  {found:>9}  {expression}", flush=True)

        def queries(*expressions):
            for expression in expressions:
                query(expression)

        queries(
            "width = 44", "width < height", 'key like "*night*"', 'label like "*a*"',
            "label != run(a).label", "run(a).correct != run(b).correct",
            "run(a).label != run(b).label", "run(a).confidence > run(b).confidence")
        # Confidences are uniform from 0.3 to 1.
        seconds, found = timed(
            program, "tag", "faces", "hard", "--where",
            f"run(a).confidence > {1 - 0.7 * tagged / count:.6f}", "--db", path)
        print(f"{seconds}  {found}", flush=True)
        seconds, found = timed(program, "tags", "faces", "--db", path)
        print(f"{seconds}  {found} (first command after it: replays the entries)")
        queries("tag = hard", "not tag = hard", 'tag like "h*"', 'note like "*x*"')


if __name__ == "__main__":
    main()
