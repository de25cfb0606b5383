#!/usr/bin/env python3
"""Measures what a run in shards costs: plan, shards, status, evaluation of the parts, merge; seconds, memory and bytes.

    Benchmarks/shard_cost.py [--program PATH] [--samples N] [--shards N] [--folder DIR] [--keep]

The images are random pixels of 2×2 in a CSV, the model is Tests/Fixtures/models/tiny.onnx with two classes: what is
measured is everything but reading images and computing a model. The same run is made with the catalog, with a plan and without
shards; the rows of the merged run must be those of the run without shards. Python's standard library only.
"""
import argparse
import json
import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MANIFEST = """task: classification
input: {width: 2, height: 2, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
activation: none
classes: ["0", "1"]
"""


class Cost:
    """The sum of the costs of several commands."""

    def __init__(self):
        self.wall, self.processor, self.memory, self.runs = 0.0, 0.0, 0, 0

    def run(self, *command):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        text = done.stdout.read()
        _, status, usage = os.wait4(done.pid, 0)
        done.returncode = os.waitstatus_to_exitcode(status)
        if done.returncode:
            sys.exit(f"{' '.join(command)} ended with {done.returncode}: {text}")
        self.wall += time.monotonic() - start
        # Of the process and of those that it waited for: the model runs in a process of its own.
        self.processor += usage.ru_utime + usage.ru_stime
        self.memory = max(self.memory, usage.ru_maxrss)
        self.runs += 1
        return text


def rows(path, run):
    """A hash of all rows of a run."""
    base = sqlite3.connect(path)
    query = ("SELECT s.sample, s.position, s.status, p.class, p.confidence, p.margin, p.scores FROM runSample s "
             "JOIN prediction p ON p.run = s.run AND p.sample = s.sample "
             "WHERE s.run = (SELECT id FROM run WHERE name = ?) ORDER BY s.sample")
    count, value = 0, 0
    for row in base.execute(query, [run]):
        value = hash((value, row))
        count += 1
    return count, value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, "assay"))
    parser.add_argument("--samples", type=int, default=200_000)
    parser.add_argument("--shards", type=int, default=16)
    parser.add_argument("--folder", help="on the disk to measure; default: a temporary folder")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    os.environ.setdefault("ASSAY_OPENVINO", os.path.join(ROOT, ".deps", "openvino", "libs"))
    folder = os.path.abspath(tempfile.mkdtemp(prefix="shard-cost-", dir=options.folder))
    os.chdir(folder)
    source = random.Random(1)
    with open("tiny.csv", "w") as file:
        file.write("label,pixels\n")
        for number in range(options.samples):
            bits = source.getrandbits(32)
            file.write(f"{number % 2},{bits & 255} {bits >> 8 & 255} {bits >> 16 & 255} {bits >> 24}\n")
    with open("m.yaml", "w") as file:
        file.write(MANIFEST)
    table = []

    def measured(name, *commands, size=None):
        cost = Cost()
        for command in commands:
            cost.run(program, *command, "--json")
        bytes_ = sum(os.path.getsize(path) for path in size() if os.path.exists(path)) if size else None
        table.append((name, cost, bytes_))
        print(f"{name}: {cost.wall:.1f} s, {cost.processor:.1f} s processor time, {cost.memory / 1024:.0f} MiB"
              + (f", {bytes_ / 1e6:.1f} MB, {bytes_ / options.samples:.0f} bytes per sample" if bytes_ else ""), flush=True)

    def parts(name):
        return lambda: [os.path.join(name, file) for file in os.listdir(name) if file.endswith(".db")]

    measured("import", ["import", "tiny.csv", "--name", "t"], size=lambda: ["assay.db"])
    Cost().run(program, "model", "add", os.path.join(ROOT, "Tests/Fixtures/models/tiny.onnx"), "--manifest", "m.yaml",
               "--name", "m")
    shards = [f"{number}/{options.shards}" for number in range(1, options.shards + 1)]
    measured(f"{options.shards} shards with the catalog", *(
        ["predict", "t", "--model", "m", "--shard", one, "--out", "parts"] for one in shards), size=parts("parts"))
    measured("plan", ["plan", "predict", "t", "--model", "m", "--out", "plan"], size=lambda: ["plan"])
    measured(f"{options.shards} shards with the plan", *(
        ["predict", "--plan", "plan", "--shard", one, "--out", "planned"] for one in shards), size=parts("planned"))
    measured("status", ["status", "parts"])
    measured("evaluate without a merge", ["evaluate", "parts"])
    measured("merge", ["merge", "planned", "--name", "merged"])
    measured("predict without shards", ["predict", "t", "--model", "m", "--name", "whole"])
    merged, whole = rows("assay.db", "merged"), rows("assay.db", "whole")
    print(json.dumps({"rows": merged[0], "equal": merged == whole}))
    if merged != whole:
        sys.exit("the merged run has other rows")
    if options.keep:
        print(folder)
    else:
        os.chdir("/")
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
