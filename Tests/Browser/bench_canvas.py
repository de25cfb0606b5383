"""Measures the speed of the mask editor on an image of 4,000 × 3,000 pixels and prints it; no time is an error.

    Scripts/test_browser bench_canvas
"""

import json
import math

from canvas_case import CanvasCase
from case import main
from large import TRUTH

# The duration of each frame's own work, and the time between frames.
WATCH = """(() => {
  window.spent = []; window.gaps = []; let last = 0;
  const own = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (run) => own((time) => {
    const start = performance.now(); run(time); spent.push(performance.now() - start); });
  const tick = (time) => { if (last) gaps.push(time - last); last = time; own(tick); };
  own(tick);
})()"""

ACT = """async (id) => { const start = performance.now(); await lab.canvas.act(id);
  while (lab.canvas.busy) await lab.canvas.busy;
  return performance.now() - start; }"""


def share(values, part):
    return sorted(values)[min(int(len(values) * part), len(values) - 1)]


class Speed(CanvasCase):
    def stroke(self, page, size, steps=90, erases=False):
        self.size_of_brush(page, size)
        page.evaluate("spent.length = gaps.length = lab.times.length = 0")
        x, y, width, height = page.box(".canvas-stage")
        page.drag([(x + width / 2 + 150 * math.cos(i / 8), y + height / 2 + 150 * math.sin(i / 8))
                   for i in range(steps)], modifiers=1 if erases else 0)
        self.rest(page)
        spent, gaps, times = (page.evaluate(name) for name in ("spent", "gaps", "lab.times"))
        return {"frame work p95 ms": round(share(spent, 0.95), 1), "frame p95 ms": round(share(gaps, 0.95), 1),
                "longest ms": round(max(gaps), 1), "stroke end to change ms": round(times[-1], 1)}

    def test_twelve_megapixels(self):
        page = self.lab(size=[3000, 4000], window=(1280, 800))
        found = {"show": {"ms": round(page.call(TRUTH))}}
        page.evaluate(WATCH)
        found["fit, brush 20"] = self.stroke(page, 20)
        found["fit, brush 400"] = self.stroke(page, 400)
        page.key("Shift+Z")
        found["100 %, brush 400"] = self.stroke(page, 400)
        for _ in range(4):
            page.key("+")
        found["400 %, brush 60"] = self.stroke(page, 60, erases=True)
        page.key("0")
        # Panning and zooming draw the whole stage.
        page.evaluate("spent.length = gaps.length = 0")
        x, y, width, height = page.box(".canvas-stage")
        for _ in range(3):
            page.key("+")
        page.drag([(x + width / 2 + 3 * i, y + height / 2) for i in range(60)], button="middle")
        found["pan"] = {"frame work p95 ms": round(share(page.evaluate("spent"), 0.95), 1),
                        "frame p95 ms": round(share(page.evaluate("gaps"), 0.95), 1)}
        for action in ("fill-holes", "keep-largest", "open", "close", "grow", "shrink", "from-truth"):
            page.evaluate("gaps.length = 0")
            took = page.call(ACT, action)
            self.rest(page)
            found[action] = {"ms": round(took), "longest ms": round(max(page.evaluate("gaps")))}
        page.key("g")
        page.evaluate("gaps.length = 0")
        for _ in range(2):
            start = page.evaluate("performance.now()")
            page.drag([self.at(page, 100, 100)])
            self.rest(page)
            found["flood"] = {"ms": round(page.evaluate("performance.now()") - start),
                              "longest ms": round(max(page.evaluate("gaps")))}
        page.key("Ctrl+Z")
        self.rest(page)
        print("\n" + "\n".join("%-18s %s" % (name, json.dumps(value)) for name, value in found.items()))


if __name__ == "__main__":
    main()
