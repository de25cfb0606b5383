"""Drawing with the real mouse, and the result on the server."""

import runlengths


class Strokes:
    """A mixin for a test case with a `server` and a page of masks."""

    def place(self, page, x, y):
        """The screen position of an image point, given as fractions of the stage's middle third."""
        left, top, width, height = page.box(".canvas-stage")
        side = min(width, height) / 3
        return left + width / 2 + (x - 0.5) * side, top + height / 2 + (y - 0.5) * side

    def stroke(self, page, x=0.5, y=0.5, length=0.3):
        """A real stroke with the current tool."""
        page.drag([self.place(page, x + length * step / 4, y) for step in range(5)])

    def masks(self):
        return [e for e in self.server.entries() if e["kind"] == "mask"]

    def shown(self, page):
        """The server's current ground truth of the first sample."""
        return page.evaluate(self.ask("'/api/samples/101'"))

    def total(self, page):
        state = self.shown(page)
        size = [state["sample"]["height"], state["sample"]["width"]]
        return sum(runlengths.area(runlengths.bits(o["counts"], size)) for o in state["objects"])
