"""An image of 4,000 × 3,000 pixels: a stroke redraws only its own rectangle, and every action ends. bench_canvas.py
measures the time."""

from canvas_case import CanvasCase
from case import main
from large import TRUTH

# Counts the pixels that are drawn to the screen's layers.
COUNT = """(() => {
  window.put = 0;
  const own = CanvasRenderingContext2D.prototype.putImageData;
  CanvasRenderingContext2D.prototype.putImageData = function (image, ...place) {
    window.put += image.width * image.height;
    return own.call(this, image, ...place);
  };
})()"""

ACT = "async (id) => { await lab.canvas.act(id); while (lab.canvas.busy) await lab.canvas.busy; }"


class Large(CanvasCase):
    def test_a_stroke_on_twelve_megapixels_draws_its_own_rectangle_alone(self):
        page = self.lab(size=[3000, 4000], window=(1280, 800))
        page.call(TRUTH)
        page.evaluate(COUNT)
        self.size_of_brush(page, 20)
        x, y, width, height = page.box(".canvas-stage")
        page.evaluate("put = 0")
        page.drag([(x + width / 2 + 2 * step, y + height / 2) for step in range(20)], modifiers=1)
        self.rest(page)
        drawn = page.evaluate("put")
        self.assertGreater(drawn, 0)
        # Forty screen pixels are crossed in at most 22 frames of a few hundred pixels each.
        self.assertLess(drawn, width * height / 4)
        page.evaluate("put = 0")
        page.key("o")
        self.rest(page)
        self.assertGreaterEqual(page.evaluate("put"), int(width) * int(height) * 0.9)

    def test_every_action_on_twelve_megapixels_ends_and_can_be_undone(self):
        page = self.lab(size=[3000, 4000], window=(1280, 800))
        page.call(TRUTH)
        area = "lab.canvas.objects.region('disc').spans.reduce((sum, one, at) => sum + (at % 2 ? one : -one), 0)"
        before = page.evaluate(area)
        self.assertGreater(before, 1e6)
        for action in ("fill-holes", "keep-largest", "open", "close", "grow", "shrink"):
            changes = len(self.told(page, "change"))
            page.call(ACT, action)
            self.rest(page)
            if len(self.told(page, "change")) > changes:
                page.key("Ctrl+Z")
                self.rest(page)
            self.assertEqual(page.evaluate(area), before, action)
        self.assertGreater(len(self.told(page, "change")), 3)


if __name__ == "__main__":
    main()
