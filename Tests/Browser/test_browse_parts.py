"""Parts of the browse page that need no server: terms of a query, the scaled scrollbar, outlines of masks, addresses."""

from case import BrowserCase, main


class Parts(BrowserCase):
    """Modules of the page, called with values."""

    def module(self, name, expression):
        page = self.pages[0] if self.pages else self.open()
        return page.evaluate("import('/app/%s.js').then(m => %s)" % (name, expression))

    def test_a_term_is_added_and_removed_as_a_conjunct(self):
        added = lambda where, term: self.module("conjuncts", "m.withTerm(%r, %r)" % (where, term))  # noqa: E731
        removed = lambda where, term: self.module("conjuncts", "m.withoutTerm(%r, %r)" % (where, term))  # noqa: E731
        self.assertEqual(added("", "label = cat"), "label = cat")
        self.assertEqual(added("width > 1", "label = cat"), "width > 1 and label = cat")
        self.assertEqual(added("width > 1 or height > 1", "label = cat"), "(width > 1 or height > 1) and label = cat")
        self.assertEqual(added("label = cat", "label = cat"), "label = cat")
        self.assertEqual(removed("width > 1 and label = cat and height > 1", "label = cat"), "width > 1 and height > 1")
        # A term inside an alternative or in parentheses is not a conjunct.
        self.assertEqual(removed("label = cat or width > 1", "label = cat"), "label = cat or width > 1")
        self.assertEqual(removed("(label = cat or width > 1) and height > 1", "label = cat"),
                         "(label = cat or width > 1) and height > 1")

    def test_values_of_a_field_are_chosen_beside_each_other(self):
        members = lambda where: self.module("conjuncts", "m.membersIn(%r, 'label')" % where)  # noqa: E731
        changed = lambda where, values: self.module("conjuncts", "m.withMembers(%r, 'label', %r)" % (where, values))  # noqa: E731
        self.assertEqual(members("width > 1 and label = cat"), ["cat"])
        self.assertEqual(members('label in (cat, "a, (b)")'), ["cat", '"a, (b)"'])
        for where in ["", "label != cat", "label = cat or width > 1", "label in (a) or label in (b)", "labels = 2", "not label = cat"]:
            self.assertEqual(members(where), [], where)
        self.assertEqual(changed("label = cat and width > 1", ["cat", "dog"]), "label in (cat, dog) and width > 1")
        self.assertEqual(changed('width > 1 and label in (cat, "a b")', ['"a b"']), 'width > 1 and label = "a b"')
        self.assertEqual(changed("label in (cat, dog)", []), "")
        self.assertEqual(changed("label = cat or width > 1", ["dog"]), "(label = cat or width > 1) and label = dog")

    def test_words_in_names_and_quotes_join_nothing(self):
        self.assertEqual(self.module("conjuncts", "m.withoutTerm('label = \"salt and pepper\" and width > 1', 'width > 1')"),
                         'label = "salt and pepper"')
        self.assertEqual(self.module("conjuncts", "m.withTerm('label = \"black or white\"', 'width > 1')"),
                         'label = "black or white" and width > 1')
        self.assertEqual(self.module("conjuncts", "m.withTerm('tag = day-or-night', 'width > 1')"), "tag = day-or-night and width > 1")

    def test_a_range_replaces_the_range_before_it(self):
        ranged = "m.withRange('width in 1..2 and label = cat', 'width in LOW..HIGH', %s)"
        self.assertEqual(self.module("conjuncts", ranged % "'3', '4'"), "label = cat and width in 3..4")
        self.assertEqual(self.module("conjuncts", ranged % "null, null"), "label = cat")

    def test_one_bound_is_a_comparison_and_a_second_one_makes_a_range(self):
        ranged = "m.withRange(%r, 'run(c-1).iou in LOW..HIGH', %s)"
        self.assertEqual(self.module("conjuncts", ranged % ("label = cat", "'0.5', null")), "label = cat and run(c-1).iou >= 0.5")
        self.assertEqual(self.module("conjuncts", ranged % ("run(c-1).iou >= 0.5 and label = cat", "null, '1e-7'")),
                         "label = cat and run(c-1).iou <= 1e-7")
        self.assertEqual(self.module("conjuncts", ranged % ("run(c-1).iou >= 0.5 and run(c-1).iou <= 1", "'-0.5', '2'")),
                         "run(c-1).iou in -0.5..2")
        bounds = "m.boundsIn(%r, 'run(c-1).iou in LOW..HIGH')"
        self.assertEqual(self.module("conjuncts", bounds % "width > 3 and run(c-1).iou >= 0.25"), {"low": "0.25", "high": None})
        self.assertEqual(self.module("conjuncts", bounds % "run(c-1).iou in 0.25..1.5e3"), {"low": "0.25", "high": "1.5e3"})
        self.assertEqual(self.module("conjuncts", bounds % "run(cx1).iou >= 3"), {"low": None, "high": None})

    def test_bounds_of_a_histogram_leave_out_nothing_between_them(self):
        bounds = lambda low, high, share: self.module("histogram", """(() => { const [low, high, count] = [%r, %r, 20];
            const each = (high - low) / count;
            const bins = Array.from({ length: count }, (_, i) => ({ low: low + i * each, high: i === count - 1 ? high : low + i * each + each, count: 1 }));
            return m.boundsOf({ low, high, bins }, %s); })()""" % (low, high, share))  # noqa: E731
        self.assertEqual(bounds(0.0123456789, 0.6205432109, "0.5, 1"), {"low": "0.316", "high": None})
        self.assertEqual(bounds(0.0123456789, 0.6205432109, "0, 0.5"), {"low": None, "high": "0.317"})
        # A click on the last bar and on the first.
        last = bounds(0.0123456789, 0.6205432109, "0.99, 0.99")
        self.assertEqual((round(float(last["low"]), 10), last["high"]), (0.5901333343, None))
        self.assertEqual(bounds(0.0123456789, 0.6205432109, "0.01, 0.01")["low"], None)
        whole = "m.boundsOf({ low: 0, high: 5, bins: [0, 1, 2, 3, 4, 5].map(n => ({ low: n, high: n, count: 1 })) }, %s)"
        self.assertEqual(self.module("histogram", whole % "2.2 / 6, 2.8 / 6"), {"low": "2", "high": "2"})
        self.assertEqual(self.module("histogram", whole % "2.2 / 6, 4.1 / 6"), {"low": "2", "high": "4"})

    def test_keypoints_have_the_color_of_their_object_their_skeleton_and_rings_for_hidden_ones(self):
        # Pixels: a visible point, a hidden one, the middle of their edge, a point that is not labeled, and a score of 0.4.
        pixels = self.module("mark-drawing", """(() => { const canvas = document.createElement('canvas');
            [canvas.width, canvas.height] = [200, 100];
            const context = canvas.getContext('2d');
            const one = (isTruth, keypoints, y) => ({ mark: { class: 'disc', box: [0, 0, 200, 100], keypoints }, source: { isTruth },
                color: '#00ff00', ink: '#000', dash: [], edges: [[0, 1], [1, 2]] });
            m.drawMarks(context, [one(true, [40, 30, 2, 120, 30, 1, 0, 0, 0]), one(false, [40, 70, 0.4, 120, 70, 1, 0, 0, 0])],
                { x: 0, y: 0, scale: 1, width: 200, height: 100 }, { off: ['boxes', 'labels'], line: 2, font: 0 });
            const isGreen = (x, y) => { const [r, g, b, a] = context.getImageData(x, y, 1, 1).data; return g > 200 && r < 60 && b < 60 && a > 200; };
            return [isGreen(40, 32), isGreen(121, 31), isGreen(80, 30), isGreen(0, 0), isGreen(40, 72), isGreen(120, 67)]; })()""")
        self.assertEqual(pixels, [True, False, True, False, True, True])
        words = lambda points, truth: self.module("sample-details", "m.keypointsText(%s, %s)" % (points, truth))  # noqa: E731
        self.assertEqual(words("[5, 5, 2, 6, 6, 1, 7, 7, 1, 0, 0, 0]", "true"), "3 of 4 keypoints, 2 hidden")
        self.assertEqual(words("[5, 5, 1]", "false"), "1 keypoint")

    def test_the_list_has_the_scores_of_masks_and_the_missed_classes(self):
        text = self.module("sample-details", """(() => { const source = { name: 'run seg', run: 'seg', title: 'seg', isTruth: false, dash: [] };
            const mark = { class: 'sky', mask: { width: 1, height: 1, counts: [0, 1] } };
            const detail = { key: 'k', dataset: 'd', runs: [{ name: 'seg', masks: { iou: 0.625, dice: 0.75, uncertainty: null,
                classes: [{ class: 'sky', iou: 0.5, dice: 0.667, missed: false }, { class: 'pole', iou: 0, dice: 0, missed: true }] } }] };
            const { view } = m.detailsView(detail, [{ source, own: { regions: [mark], objects: [] }, hiddenCount: 0,
                marks: [{ mark, source, color: 'red', dash: [], isRegion: true }] }], {});
            return [...view.querySelectorAll('.mask-scores, .mark-row .detail, .mask-missed')].map(e => e.textContent); })()""")
        self.assertEqual(text, ["IoU 0.63 · Dice 0.75", "IoU 0.50 · Dice 0.67", "Missed: pole"])

    def test_a_scaled_scrollbar_reaches_each_row_and_small_steps_stay_exact(self):
        moves = self.module("scroll-map", """(() => { const map = new m.ScrollMap(); map.resize(200_000_000, 800);
            const seen = { spacer: map.spacer, isScaled: map.isScaled };
            map.scrolled(100); seen.step = map.position;
            map.lastTop = 0; map.scrolled(map.spacer - 800); seen.end = map.position; seen.last = map.end;
            map.moveTo(123_456_789); const { top } = map; map.lastTop = top; map.scrolled(top + 7); seen.exact = map.position;
            map.moveTo(-5); seen.first = map.position; return seen; })()""")
        self.assertEqual(moves, {"spacer": 8000000, "isScaled": True, "step": 100, "end": 199999200, "last": 199999200,
                                 "exact": 123456796, "first": 0})

    def test_a_short_list_is_not_scaled(self):
        self.assertEqual(self.module("scroll-map", """(() => { const map = new m.ScrollMap(); map.resize(5000, 800);
            map.scrolled(4100); return [map.isScaled, map.position, map.top]; })()"""), [False, 4100, 4100])

    def test_an_outline_contains_the_pixels_of_its_mask(self):
        # A ring with a hole, and a pixel that touches it only at a corner.
        found = self.module("mask-outline", """import('/app/run-lengths.js').then(r => {
            const rows = ['.####..', '.#..#..', '.####..', '.....#.', '.......'];
            const [width, height] = [7, 5];
            const bits = new Uint8Array(width * height);
            rows.forEach((row, y) => [...row].forEach((c, x) => { bits[x * height + y] = c === '#' ? 1 : 0; }));
            const mask = { width, height, counts: r.countsOf(r.maskFromBits(bits, width, height)) };
            const path = m.outlineOf(mask);
            const context = document.createElement('canvas').getContext('2d');
            return rows.map((row, y) => [...row].map((_, x) => context.isPointInPath(path, x + 0.5, y + 0.5) ? '#' : '.').join('')); })""")
        self.assertEqual(found, [".####..", ".#..#..", ".####..", ".....#.", "......."])

    def test_a_mask_whose_runs_do_not_fit_has_no_outline(self):
        self.assertIsNone(self.module("mask-outline", "m.outlineOf({ width: 3, height: 3, counts: [4, 9] })"))

    def test_a_state_survives_its_address(self):
        state = self.module("browse-state", """(() => { const state = { ...m.readState('', { view: 'coco', runs: ['a'] }),
            where: 'label = "é, & #" and width > 3', runs: ['a,b', 'c'], sort: 'run(a).iou', descending: true, at: 12, sample: '7',
            hidden: ['truth'], off: ['masks'], score: 0.25, results: ['fp'], classes: ['a b', 'x,y'], color: 'class', size: 96, beside: true,
            isCorrected: true };
            const again = m.readState(m.hashOf(state), { view: 'other', runs: ['z'] });
            return [JSON.stringify(state) === JSON.stringify(again), again.classes]; })()""")
        self.assertEqual(state, [True, ["a b", "x,y"]])

    def test_an_address_out_of_range_is_corrected(self):
        self.assertEqual(self.module("browse-state", """(s => [s.size, s.score, s.at, s.results, s.color])(
            m.readState('#browse?view=v&size=9999&score=7&at=-3&results=fp,none&color=red', { view: 'coco' }))"""),
            [480, 1, 0, ["fp"], "source"])


if __name__ == "__main__":
    main()
