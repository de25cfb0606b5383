"""Speed of the browse page's requests on a generated catalog: Benchmarks/browse_speed.py PROGRAM [SAMPLES …].

Makes a catalog of SAMPLES labeled images with two runs (query_speed.py), starts `assay open`, and times what the page
asks for: the first facets, which read the columns of the dataset; facets of queries; pages of the grid.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

import query_speed


class Page:
    """A signed-in client of `assay open`."""

    def __init__(self, program, catalog):
        started = time.time()
        self.process = subprocess.Popen([program, "open", "faces", "a", "b", "--db", catalog, "--author", "bench"],
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        link = None
        while link is None:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("assay open has ended")
            link = re.search(r"(http://\S+?)/#token=(\S+)", line)
        self.base, self.session = link[1], None
        self.session = self.ask("/api/session", {"token": link[2]})["session"]
        self.start = time.time() - started

    def ask(self, path, body=None, **query):
        if query:
            path += "?" + urllib.parse.urlencode(query)
        request = urllib.request.Request(self.base + path, data=None if body is None else json.dumps(body).encode())
        request.add_header("Origin", self.base)
        if body is not None:
            request.add_header("Content-Type", "application/json")
        if self.session:
            request.add_header("Assay-Session", self.session)
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read())

    def timed(self, path, **query):
        started = time.time()
        answer = self.ask(path, **query)
        return (time.time() - started) * 1000, answer

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) // 1024


def main():
    program = os.path.abspath(sys.argv[1])
    for count in [int(n) for n in sys.argv[2:]] or [100_000, 1_000_000]:
        with tempfile.TemporaryDirectory() as folder:
            catalog = os.path.join(folder, "x.db")
            query_speed.generate(program, catalog, count)
            page = Page(program, catalog)
            print(f"{count:,} samples: signed in after {page.start * 1000:.0f} ms")
            print(f"  first page of the grid   {page.timed('/api/browse/samples', view='faces', limit=200)[0]:7.0f} ms")
            print(f"  first facets             "
                  f"{page.timed('/api/browse/facets', view='faces', where='', runs='a,b')[0]:7.0f} ms")
            for where in ["label = happy", "label = happy and width = 44", "run(a).correct = false",
                          "run(a).correct != run(b).correct", 'key like "*night*"']:
                search, found = page.timed("/api/browse/samples", view="faces", where=where, limit=200)
                facets, _ = page.timed("/api/browse/facets", view="faces", where=where, runs="a,b")
                print(f"  {where:34} search {search:6.0f} ms, then facets {facets:5.0f} ms, {found['total']:,} found")
            alone = {field: page.timed("/api/browse/facets", view="faces", where="", runs="a,b", only=field)[0]
                     for field in ["label", "run(a).label"]}
            print(f"  one facet of all samples: label {alone['label']:.0f} ms, run(a).label {alone['run(a).label']:.0f} ms")
            pages = [page.timed("/api/browse/samples", view="faces", limit=200,
                                **{"from": place * count // 50})[0] for place in range(50)]
            print(f"  50 pages of the grid: median {statistics.median(pages):.1f} ms, largest {max(pages):.1f} ms")
            for sort in ["width", "random", "run(a).confidence"]:
                print(f"  sorted by {sort:18} {page.timed('/api/browse/samples', view='faces', sort=sort, limit=200)[0]:6.0f} ms")
            print(f"  memory of the server {page.memory()} MB")
            page.process.send_signal(2)
            page.process.wait()


if __name__ == "__main__":
    main()
