"""Load test of a review server, compared with plain SQLite: `review_load.py ASSAY [--saves N] [--seconds S]`.

Creates its own images and masks in a temporary folder, starts `ASSAY review` on them, signs in, and measures
from outside, over the socket, in one run:
- a bare commit: one row with a payload as large as the server's, `journal_mode=DELETE`, `synchronous=EXTRA`, with
  Python's sqlite3 in the same folder; alternating with
- a save: the POST of a region of about 100 KB of run lengths, until the response; the difference is the server's share;
- pages, JSON, thumbnails and images: 8 clients that together send 50 requests per second, for a minute, while one more
  saves a stroke every second; the server's resident memory before and after.
Standard library only. Prints a table; with --json PATH writes the numbers.
"""
import argparse
import http.client
import json
import math
import os
import random
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time
import uuid
import zlib

WIDTH, HEIGHT, CLIENTS, RATE = 960, 640, 8, 50


def png(width, height, seed):
    """A gray image with some noise."""
    grain = random.Random(seed).randbytes(width * height)
    rows = b"".join(
        b"\0" + bytes((x * 255 // width + (g & 15)) & 255 for x, g in enumerate(grain[y * width:(y + 1) * width]))
        for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b""))


def compressed(runs):
    """COCO's string of run lengths (rleToString of pycocotools)."""
    out = []
    for place, run in enumerate(runs):
        rest = run - (runs[place - 2] if place > 2 else 0)
        while True:
            bits = rest & 31
            rest >>= 5
            more = rest != (-1 if bits & 16 else 0)
            out.append(chr((bits | 32 if more else bits) + 48))
            if not more:
                break
    return "".join(out)


def region(seed, holes=100):
    """Run lengths of one connected region: every other column is whole, the others have about `holes` holes each.

    With 100 its string has about 100 KB.
    """
    draw, runs, isset = random.Random(seed), [0, 0], True
    mean = max(3, HEIGHT // holes)

    def put(length, value):
        nonlocal isset
        if value == isset:
            runs[-1] += length
        else:
            runs.append(length)
            isset = value

    for x in range(WIDTH):
        y = 0
        while y < HEIGHT:
            length = HEIGHT if x % 2 == 0 else draw.randint(1, 2 * mean - 3)
            length = min(length, HEIGHT - y)
            put(length, True)
            y += length
            if x % 2 and y < HEIGHT:
                put(1, False)
                y += 1
    return compressed(runs)


def dataset(folder, pictures):
    """A COCO dataset with one square object in each image; every eighth image is the same."""
    os.makedirs(folder + "/images")
    images, annotations = [], []
    drawn = [png(WIDTH, HEIGHT, number) for number in range(8)]
    for number in range(1, pictures + 1):
        name = f"{number:04}.png"
        with open(f"{folder}/images/{name}", "wb") as file:
            file.write(drawn[number % 8])
        images.append({"id": number, "file_name": name, "width": WIDTH, "height": HEIGHT})
        annotations.append({
            "id": number, "image_id": number, "category_id": 1, "iscrowd": 0, "area": 22500, "bbox": [50, 50, 150, 150],
            "segmentation": [[50, 50, 200, 50, 200, 200, 50, 200]]})
    with open(folder + "/instances.json", "w", encoding="utf-8") as file:
        json.dump({"images": images, "annotations": annotations, "categories": [{"id": 1, "name": "person"}]}, file)


class Client:
    """One connection that is kept open."""

    def __init__(self, port, cookie=None):
        self.port, self.cookie, self.line = port, cookie, None

    def ask(self, method, path, body=None, **headers):
        """(status, seconds, headers, body)"""
        if self.line is None:
            self.line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Origin": f"http://127.0.0.1:{self.port}", "Sec-Fetch-Site": "same-origin", **headers}
        if self.cookie:
            headers["Cookie"] = self.cookie
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        start = time.perf_counter()
        self.line.request(method, path, data, headers)
        answer = self.line.getresponse()
        content = answer.read()
        return answer.status, time.perf_counter() - start, answer.headers, content


def save(client, session, sample, head, members, visit):
    body = {"ledger": session["ledger"], "author": session["author"], "uuid": str(uuid.uuid4()), "visit": visit,
            "kind": "mask", "category": "person", "size": [HEIGHT, WIDTH], **members}
    status, seconds, _, content = client.ask(
        "POST", f"/api/samples/{sample}/corrections", body, **{"If-Match": f'"{head}"' if head else "none"})
    if status != 201:
        sys.exit(f"a save was answered with {status}: {content[:300]}")
    return seconds, json.loads(content)["sequence"]


def quantiles(values):
    ordered = sorted(values)
    pick = lambda share: ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000
    return {"n": len(ordered), "p50": pick(.5), "p99": pick(.99), "max": ordered[-1] * 1000}


def resident(process):
    with open(f"/proc/{process}/status", encoding="ascii") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) / 1024


def processor(process):
    """The processor time used by a process in seconds, which does not depend on the load of the machine."""
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure_saves(folder, client, session, samples, process):
    """Alternating bare commits and saves."""
    bare = sqlite3.connect(folder + "/bare.db", isolation_level=None)
    bare.execute("PRAGMA journal_mode=DELETE")
    bare.execute("PRAGMA synchronous=EXTRA")
    bare.execute("CREATE TABLE entry (sequence INTEGER PRIMARY KEY, uuid TEXT UNIQUE, payload TEXT, hash BLOB) STRICT")
    ledger = sqlite3.connect(f"file:{folder}/bench.ledger.db?mode=ro", uri=True)
    regions = [region(seed) for seed in range(8)]
    visit, took = str(uuid.uuid4()), {"bare": [], "save": []}
    payload, spent = 100_000, 0
    for turn, sample in enumerate(samples):
        # Like the page: a sample is opened before it is corrected.
        client.ask("GET", f"/api/samples/{sample}")
        before = processor(process)
        seconds, _ = save(client, session, sample, None, {"counts": regions[turn % 8]}, visit)
        if turn >= 8:
            spent += processor(process) - before
        if turn == 0:
            payload = ledger.execute("SELECT max(length(payload)) FROM correction").fetchone()[0]
        text = "x" * payload
        start = time.perf_counter()
        bare.execute("BEGIN IMMEDIATE")
        bare.execute("INSERT INTO entry (uuid, payload, hash) VALUES (?, ?, ?)", (str(uuid.uuid4()), text, b"0" * 32))
        bare.execute("COMMIT")
        commit = time.perf_counter() - start
        # The first ones warm up.
        if turn >= 8:
            took["bare"].append(commit)
            took["save"].append(seconds)
    sizes = [row[0] for row in ledger.execute("SELECT length(payload) FROM correction")]
    return took, {"counts": len(regions[0]), "payload": sum(sizes) / len(sizes), "processor_ms": spent / len(took["save"]) * 1000}


def measure_load(port, cookie, session, samples, spare, seconds):
    """8 clients with 50 requests per second, and one that saves."""
    kinds = {"page": "/", "script": "/app/app.js", "queue": "/api/queue?from=0&limit=50", "sample": "/api/samples/{}",
             "thumbnail": "/api/samples/{}/thumbnail", "image": "/api/samples/{}/image", "session": "/api/session"}
    took = {kind: [] for kind in kinds}
    took["save"] = []
    lock, stop = threading.Lock(), time.perf_counter() + seconds

    def reader(number):
        client, draw = Client(port, cookie), random.Random(number)
        due = time.perf_counter() + number / RATE
        while due < stop:
            time.sleep(max(0, due - time.perf_counter()))
            kind = draw.choice(list(kinds))
            status, spent, _, content = client.ask("GET", kinds[kind].format(draw.choice(samples)))
            if status != 200:
                sys.exit(f"{kind} was answered with {status}: {content[:300]}")
            with lock:
                took[kind].append(spent)
            due += CLIENTS / RATE

    def writer():
        client, visit = Client(port, cookie), str(uuid.uuid4())
        due = time.perf_counter()
        for number, sample in enumerate(spare):
            time.sleep(max(0, due - time.perf_counter()))
            if due >= stop:
                break
            took["save"].append(save(client, session, sample, None, {"counts": region(number, 2)}, visit)[0])
            due += 1

    threads = [threading.Thread(target=reader, args=(i,)) for i in range(CLIENTS)] + [threading.Thread(target=writer)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return took


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("assay")
    parser.add_argument("--saves", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--json")
    chosen = parser.parse_args()
    program = os.path.abspath(chosen.assay)
    folder = tempfile.mkdtemp(prefix="review-load-")
    server = None
    try:
        total = chosen.saves + 8 + math.ceil(chosen.seconds) + 1
        if total > 500:
            sys.exit("saves and seconds together are at most 491: so many samples the queue gives at a time")
        dataset(folder + "/set", total)
        run = lambda *words: subprocess.run([program, *words, "--db", folder + "/bench.db"], check=True, capture_output=True)
        run("import", folder + "/set/instances.json", "--images", folder + "/set/images", "--name", "set")
        server = subprocess.Popen(
            [program, "review", "set", "--order", "random", "--author", "bench", "--db", folder + "/bench.db"],
            stdout=subprocess.PIPE, text=True)
        for line in server.stdout:
            link = re.search(r"http://127\.0\.0\.1:(\d+)/#token=(\S+)", line)
            if link:
                break
        else:
            sys.exit("the server printed no link")
        threading.Thread(target=server.stdout.read, daemon=True).start()
        client = Client(int(link.group(1)))
        status, _, headers, _ = client.ask("POST", "/api/session", {"token": link.group(2)})
        if status != 204:
            sys.exit(f"signing in was answered with {status}")
        client.cookie = headers["Set-Cookie"].split(";")[0]
        session = json.loads(client.ask("GET", "/api/session")[3])
        samples = [item["sample"] for item in json.loads(client.ask("GET", "/api/queue?limit=500")[3])["items"]]
        first = chosen.saves + 8
        took, sizes = measure_saves(folder, client, session, samples[:first], server.pid)
        bare, saves = quantiles(took["bare"]), quantiles(took["save"])
        before = resident(server.pid)
        load = measure_load(client.port, client.cookie, session, samples, samples[first:], chosen.seconds)
        after = resident(server.pid)
        result = {
            "sizes": sizes, "bare": bare, "save": saves, "above": {key: saves[key] - bare[key] for key in ("p50", "p99")},
            "load": {kind: quantiles(values) for kind, values in load.items() if values},
            "all": quantiles([value for kind, values in load.items() if kind != "save" for value in values]),
            "resident_mb": {"before": before, "after": after}}
        print(f"mask of {sizes['counts']:,} characters, payload {sizes['payload']:,.0f} bytes on average")
        print("processor time of the server a save: {processor_ms:.1f} ms".format(**sizes))
        for name in ("bare", "save"):
            print("{:<10} n {n:>5}  p50 {p50:7.2f} ms  p99 {p99:7.2f} ms  max {max:7.2f} ms".format(name, **result[name]))
        print("above      p50 {p50:7.2f} ms (limit 15)  p99 {p99:7.2f} ms (limit 60)".format(**result["above"]))
        for kind, numbers in list(result["load"].items()) + [("all reads", result["all"])]:
            print("{:<10} n {n:>5}  p50 {p50:7.2f} ms  p99 {p99:7.2f} ms  max {max:7.2f} ms".format(kind, **numbers))
        print(f"resident   {before:.0f} MB before the minute, {after:.0f} MB after")
        if chosen.json:
            with open(chosen.json, "w", encoding="utf-8") as file:
                json.dump(result, file, indent=2)
    finally:
        if server:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
