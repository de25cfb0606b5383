#!/usr/bin/env python3
"""Speed of the app in chromium without a GPU: Benchmarks/page_speed.py PROGRAM FOLDER [SAMPLES …].

FOLDER has JPEGs (peers/make_folder.py writes small ones). For each number of SAMPLES, a dataset of hard links to them is
imported, `assay open` is started with an empty cache of thumbnails, and the following is measured:

    first picture     from the start of the program until the first tile shows its image, in a browser that is open
    scrolling         ten seconds of 60 pixels per frame: the time between frames, elements of the page, tiles without image
    jumps             to 40 places of the dataset: until all tiles in sight show their images
    thumbnails        requests for small images, and for JPEGs of 12 megapixels that the program writes, cold and warm
    memory            of the server after each 10,000 of 30,000 requests
    editor            from the key for the next sample until its image is drawn, with photographs of 640 pixels

Needs Pillow and a chromium.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "Tests", "Browser"))
from chromium import Chromium  # noqa: E402

SCROLL = """(frames) => new Promise((done) => {
  const list = document.querySelector('.tiles'), box = list.getBoundingClientRect();
  const gaps = []; let last = 0, count = 0, most = 0, shown = 0, empty = 0;
  const tick = (time) => {
    if (last) gaps.push(time - last);
    last = time;
    // Looking costs time, too: at every tenth frame.
    if (count % 10 === 0) most = Math.max(most, document.querySelectorAll('*').length);
    if (count % 10 === 0) for (const tile of document.querySelectorAll('img.tile')) {
      const own = tile.getBoundingClientRect();
      if (own.bottom < box.top || own.top > box.bottom) continue;
      shown += 1;
      if (!tile.complete || tile.naturalWidth === 0) empty += 1;
    }
    if (++count > frames) return done({ gaps, most, shown, empty });
    list.dispatchEvent(new WheelEvent('wheel', { deltaY: 60, cancelable: true, bubbles: true }));
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
})"""

# True once every tile in sight shows its image.
DRAWN = """(() => { const box = document.querySelector('.tiles')?.getBoundingClientRect();
  const tiles = [...document.querySelectorAll('img.tile')].filter((tile) => {
    const own = tile.getBoundingClientRect(); return own.bottom > box.top && own.top < box.bottom; });
  return tiles.length > 0 && tiles.every((tile) => tile.complete && tile.naturalWidth > 0); })()"""

JUMP = """(share) => new Promise((done) => { const list = document.querySelector('.tiles'); const start = performance.now();
  list.scrollTop = share * (list.scrollHeight - list.clientHeight); let frames = 0;
  const tick = () => (++frames > 2 && %s) ? done(performance.now() - start) : requestAnimationFrame(tick);
  requestAnimationFrame(tick); })""" % DRAWN


def share(values, part):
    values = sorted(values)
    return values[min(int(len(values) * part), len(values) - 1)]


def links(source, target, count):
    """Hard links to the JPEGs of a folder, a thousand in each folder."""
    files = sorted(os.path.join(place, name) for place, _, names in os.walk(source) for name in names
                   if name.lower().endswith(".jpg"))
    for number in range(count):
        if number % 1000 == 0:
            os.makedirs(os.path.join(target, f"{number // 1000:04}"))
        # ext4 takes 65,000 links to a file.
        os.link(files[number % len(files)], os.path.join(target, f"{number // 1000:04}", f"{number % 1000:03}.jpg"))


class Server:
    """`assay open` or `assay review`, and a client that is signed in."""

    def __init__(self, program, folder, *words):
        self.started = time.monotonic()
        cache = os.path.join(folder, "cache")
        shutil.rmtree(cache, ignore_errors=True)
        self.process = subprocess.Popen(
            [program, *words, "--db", os.path.join(folder, "x.db"), "--author", "bench"], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "ASSAY_CACHE": cache})
        link = None
        while link is None:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"{words} has ended")
            link = re.search(r"(http://\S+?)/#token=(\S+)", line)
        self.base, self.link, self.session = link[1], link[0], None
        self.program, self.folder = program, folder

    def sign_in(self):
        """A second client: a link of its own, as the page has used the first."""
        told = subprocess.run([self.program, "review", "link", "--author", "client", "--db",
                               os.path.join(self.folder, "x.db"), "--json"], capture_output=True, text=True, check=True)
        token = json.loads(told.stdout)["url"].split("token=")[1]
        self.session = json.loads(self.ask("/api/session", {"token": token}))["session"]

    def ask(self, path, body=None):
        request = urllib.request.Request(self.base + path, data=None if body is None else json.dumps(body).encode())
        request.add_header("Origin", self.base)
        if body is not None:
            request.add_header("Content-Type", "application/json")
        if self.session:
            request.add_header("Assay-Session", self.session)
        with urllib.request.urlopen(request) as answer:
            return answer.read()

    def timed(self, path):
        start = time.monotonic()
        self.ask(path)
        return (time.monotonic() - start) * 1000

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) // 1024

    def close(self):
        self.process.send_signal(2)
        self.process.wait()
        self.process.stdout.close()


def importing(program, folder, source, name):
    subprocess.run([program, "import", source + ":image-folder", "--name", name, "--db", os.path.join(folder, "x.db")],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def grid(program, source, count, browser):
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(source))) as folder:
        links(source, os.path.join(folder, "images"), count)
        importing(program, folder, os.path.join(folder, "images"), "d")
        subprocess.run([program, "ls", "--db", os.path.join(folder, "x.db")], check=True, stdout=subprocess.DEVNULL)
        page = browser.page(size=(1400, 900))
        server = Server(program, folder, "open", "d")
        page.send("Page.navigate", url=server.link)
        page.until("document.querySelector('img.tile')?.naturalWidth > 0", patience=60)
        first = time.monotonic() - server.started
        page.until(DRAWN)
        page.front()
        print(f"{count:,} samples: first picture after {first * 1000:.0f} ms", flush=True)
        found = page.call(SCROLL, 600)
        gaps = found["gaps"][5:]
        print(f"  scrolling: {1000 / share(gaps, 0.5):.0f} frames a second (median), {1000 / share(gaps, 0.95):.0f} (p95), "
              f"longest {max(gaps):.0f} ms; at most {found['most']} elements; "
              f"{100 * found['empty'] / found['shown']:.2f} % of the tiles in sight without their image", flush=True)
        jumps = [page.call(JUMP, random.Random(place).random()) for place in range(40)]
        print(f"  jumps: all images in sight after {share(jumps, 0.5):.0f} ms (median), {share(jumps, 0.95):.0f} ms (p95)",
              flush=True)
        server.sign_in()
        items = json.loads(server.ask("/api/browse/samples?view=d&limit=200&from=" + str(count // 2)))["items"]
        paths = [item["thumbnail"] for item in items]
        cold = [server.timed(path) for path in paths]
        warm = [server.timed(path) for path in paths * 5]
        print(f"  thumbnails of small images: cold p95 {share(cold, 0.95):.1f} ms, warm p95 {share(warm, 0.95):.1f} ms",
              flush=True)
        memory = [server.memory()]
        rng = random.Random(7)
        for request in range(30_000):
            if request % 3 == 0:
                server.ask(f"/api/browse/samples?view=d&limit=50&from={rng.randrange(count)}")
            else:
                server.ask(rng.choice(paths))
            if request % 10_000 == 9_999:
                memory.append(server.memory())
        print(f"  memory of the server: {memory[0]} MB, then after each 10,000 requests {memory[1:]} MB", flush=True)
        page.close()
        server.close()


def images(folder, count, size, quality=90):
    """Writes JPEGs of noise in two folders."""
    from PIL import Image
    for number in range(count):
        os.makedirs(os.path.join(folder, "ab"[number % 2]), exist_ok=True)
        noise = Image.effect_noise((size[0] // 8, size[1] // 8), 60 + number).convert("RGB")
        noise.resize(size, Image.BICUBIC).save(os.path.join(folder, "ab"[number % 2], f"{number:03}.jpg"), quality=quality)


def photographs(program, place, browser, count=40):
    with tempfile.TemporaryDirectory(dir=place) as folder:
        images(os.path.join(folder, "big"), count, (4000, 3000))
        importing(program, folder, os.path.join(folder, "big"), "d")
        server = Server(program, folder, "open", "d")
        server.sign_in()
        items = json.loads(server.ask("/api/browse/samples?view=d&limit=200"))["items"]
        paths = [item["thumbnail"] for item in items]
        cold = [server.timed(path) for path in paths]
        warm = [server.timed(path) for path in paths * 5]
        print(f"{count} JPEGs of 12 megapixels: thumbnails cold median {share(cold, 0.5):.0f} ms, p95 {share(cold, 0.95):.0f} ms, "
              f"warm p95 {share(warm, 0.95):.1f} ms", flush=True)
        server.close()
        images(os.path.join(folder, "usual"), count, (640, 480))
        importing(program, folder, os.path.join(folder, "usual"), "u")
        server = Server(program, folder, "review", "u")
        page = browser.page(server.link, size=(1400, 900))
        page.until("document.title", wanted=lambda title: title.startswith("1 of "))
        # The images of the neighbors are fetched ahead: a person looks at one for a while.
        times = []
        for number in range(2, count):
            time.sleep(1)
            times.append(page.call(
                """([title]) => new Promise((done) => { const start = performance.now();
                  document.activeElement?.blur();
                  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'l', bubbles: true }));
                  const tick = () => document.title.startsWith(title)
                    ? requestAnimationFrame(() => done(performance.now() - start)) : requestAnimationFrame(tick); tick(); })""",
                [f"{number} of "]))
        print(f"  editor, next sample: median {share(times, 0.5):.0f} ms, p95 {share(times, 0.95):.0f} ms", flush=True)
        page.close()
        server.close()


def main():
    program, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    browser = Chromium(width=1400, height=900)
    try:
        photographs(program, os.path.dirname(source), browser)
        for count in [int(text) for text in sys.argv[3:]] or [100_000, 1_000_000]:
            grid(program, source, count, browser)
    finally:
        browser.close()


if __name__ == "__main__":
    main()
