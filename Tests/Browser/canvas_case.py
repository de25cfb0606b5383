"""The base of all tests of the mask editor: the editor alone, and masks as sets of pixels."""

import os

import runlengths
from case import BrowserCase

HERE = os.path.dirname(os.path.abspath(__file__))


def pixels(text, size):
    """The (x, y) of the pixels of a COCO string."""
    found, place, (height, _) = set(), 0, size
    for index, run in enumerate(runlengths.decode(text)):
        if index % 2:
            found.update(((place + i) // height, (place + i) % height) for i in range(run))
        place += run
    return found


def text(wanted, size):
    """The COCO string of a set of (x, y)."""
    height, width = size
    runs, value, length = [], False, 0
    for place in range(width * height):
        is_in = (place // height, place % height) in wanted
        if is_in != value:
            runs.append(length)
            value, length = is_in, 0
        length += 1
    return runlengths.encode(runs + [length])


def box(left, top, right, bottom):
    return {(x, y) for x in range(left, right) for y in range(top, bottom)}


class CanvasCase(BrowserCase):
    """The editor with an image of 40 × 30 pixels and the categories disc and ring."""

    size = [30, 40]

    def lab(self, objects=None, run=None, window=(1000, 700), size=None, categories=("disc", "ring"),
            boxes=(), polygons=(), attributes=None, **more):
        """A page that contains only the editor."""
        height, width = self.now = size or self.size
        page = self.browser.page(self.server.address, self.context, window)
        self.pages.append(page)
        # The page's own text is present: it has finished loading.
        page.until("document.querySelector('#picture .say h2') !== null")
        with open(os.path.join(HERE, "canvas_stage.js"), encoding="utf-8") as file:
            source = file.read()
        told = [{"target": target, "category": category, "crowd": crowd, "shape": "mask",
                 "box": [0, 0, width, height], "counts": text(mask, self.now), "changed": False}
                for target, category, mask, crowd in objects or []]
        told += [{"target": target, "category": category, "crowd": False, "shape": "box", "box": place,
                  "counts": None, "changed": False} for target, category, place in boxes]
        told += [{"target": target, "category": category, "crowd": False, "shape": "polygon", "polygons": rings,
                  "changed": False} for target, category, rings in polygons]
        for one in told:
            one["attributes"] = (attributes or {}).get(one["target"])
        page.call(source[source.index("async"):], {
            "width": width, "height": height, "objects": told, "run": run,
            "categories": list(categories), **more})
        return page

    def at(self, page, *place):
        """The position of an image point in the window."""
        return tuple(page.call("(x, y) => lab.canvas.clientPlace(x, y)", *place))

    def draw(self, page, *places, **more):
        """Draws through the centers of pixels."""
        page.drag([self.at(page, x + 0.5, y + 0.5) for x, y in places], **more)
        self.rest(page)

    def rest(self, page):
        """Waits for pending work and for the next frame."""
        page.evaluate("""(async () => { while (lab.canvas.busy) await lab.canvas.busy;
            await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))); })()""")

    def key(self, page, *names):
        for name in names:
            page.key(name)
        self.rest(page)

    def told(self, page, name):
        """The values of the host calls with a name."""
        return [value for what, value in page.evaluate("lab.told") if what == name]

    def last(self, page):
        """The last change, with its pixels instead of its counts."""
        change = self.told(page, "change")[-1]
        if "counts" in change:
            change["pixels"] = pixels(change.pop("counts"), change["size"])
        return change

    def size_of_brush(self, page, size):
        page.call("size => lab.canvas.set('brushSize', size)", size)
