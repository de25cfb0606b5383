"""The mask editor's pure functions against goldens/mask_goldens.json (pycocotools, scipy)."""

import json
import os

from case import BrowserCase, main

HERE = os.path.dirname(os.path.abspath(__file__))


class Values(BrowserCase):
    def test_run_lengths_shapes_polygons_strokes_floods_and_maps_are_the_goldens(self):
        page = self.browser.page(self.server.address, self.context)
        self.pages.append(page)
        with open(os.path.join(HERE, "mask_checks.js"), encoding="utf-8") as file:
            source = file.read().replace("export async function", "async function")
        with open(os.path.join(HERE, "goldens", "mask_goldens.json"), encoding="utf-8") as file:
            goldens = json.load(file)
        found = page.call("async (goldens) => { %s\n return check(goldens, '/app/'); }" % source,
                          goldens)
        self.assertEqual(found["failures"], [])
        self.assertGreater(found["checks"], 200)


if __name__ == "__main__":
    main()
