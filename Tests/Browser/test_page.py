"""The page itself: nothing from other hosts, nothing inline, room for the image, keys without clashes."""

import os
import re

from case import BrowserCase, main
from mock_server import PAGES

SIZES = [(1920, 1080), (1280, 800), (900, 600), (600, 700)]

# The lowest contrast of all visible text with its background: [ratio, text].
CONTRAST = """(() => {
  const parts = c => { const v = c.match(/[\\d.]+/g).map(Number);
    return /^color/.test(c) ? [...v.slice(-(v.length > 3 && c.includes('/') ? 4 : 3)).map((x, i) => i < 3 ? x * 255 : x)] : v; };
  const over = (top, below) => { const a = top[3] ?? 1; return [0, 1, 2].map(i => top[i] * a + below[i] * (1 - a)); };
  const light = c => { const [r, g, b] = c.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = e => { if (!e) return [255, 255, 255]; const c = parts(getComputedStyle(e).backgroundColor);
    return (c[3] ?? 1) === 1 ? c : over(c, ground(e.parentElement)); };
  const dim = e => (e ? Number(getComputedStyle(e).opacity) * dim(e.parentElement) : 1);
  return [...document.querySelectorAll('body *')].filter(e => e.checkVisibility({ visibilityProperty: true })
      && !e.closest(':disabled, .unseen, noscript, option, label:has(:disabled)')
      && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => {
    const below = ground(e), top = parts(getComputedStyle(e).color); top[3] = (top[3] ?? 1) * dim(e);
    const a = light(over(top, below)), b = light(below);
    return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.className + ' ' + e.innerText.slice(0, 40)]; })
  .sort((a, b) => a[0] - b[0])[0]; })()"""

COVERED = """() => {
  const picture = document.querySelector('.canvas-stage, .face').getBoundingClientRect();
  const stage = document.querySelector('#picture');
  const points = [[0.02, 0.02], [0.5, 0.5], [0.98, 0.02], [0.02, 0.98], [0.98, 0.98]];
  return points.map(([x, y]) => document.elementFromPoint(picture.left + x * picture.width,
    picture.top + y * picture.height)).filter(e => !e || !stage.contains(e)).map(e => e?.outerHTML.slice(0, 80) ?? 'nothing');
}"""


def sources():
    for name in sorted(os.listdir(PAGES)):
        with open(os.path.join(PAGES, name), encoding="utf-8") as file:
            yield name, file.read()


class Sources(BrowserCase):
    """Checks that do not need a browser."""

    @classmethod
    def setUpClass(cls):
        pass

    @classmethod
    def tearDownClass(cls):
        pass

    def setUp(self):
        self.pages = []

    def test_no_text_becomes_markup_or_code(self):
        for name, text in sources():
            for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(",
                         "new Function", "setAttribute(\"style\"", "srcdoc", "DOMParser"):
                self.assertNotIn(word, text, name)

    def test_no_address_but_the_servers_own(self):
        for name, text in sources():
            # The name of SVG's namespace is no address: nothing is loaded from there.
            text = text.replace('"http://www.w3.org/2000/svg"', "")
            found = re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]+", re.sub(r"(?m)^\s*(//|///|/?\*).*$", "", text))
            self.assertEqual(found, [], name)

    def test_the_page_has_no_inline_script_style_or_handler(self):
        page = dict(sources())["page.html"]
        self.assertEqual(re.findall(r"<script(?![^>]*\bsrc=)", page), [])
        self.assertEqual(re.findall(r"<style|\sstyle=|\son[a-z]+=", page), [])

    def test_files_stay_small(self):
        for name, text in sources():
            self.assertLess(text.count("\n"), 400, name)


class Masks(BrowserCase):
    mode = "masks"

    def test_the_picture_has_the_room_at_every_size(self):
        page = self.open()
        for width, height in SIZES:
            with self.subTest(size=(width, height)):
                page.resize(width, height)
                page.until("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(true))))")
                page.shot("%s-%d" % (self.mode, width))
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
                self.assertLessEqual(page.evaluate("document.documentElement.scrollHeight"), height)
                self.assertEqual(page.call(COVERED), [])
                _, _, wide, high = page.box("#picture")
                self.assertGreater(wide * high / (width * height), 0.4 if width >= 900 else 0.3)
                left, top, wide, high = page.box("#state")
                self.assertLessEqual(left + wide, width)
                self.assertLessEqual(top + high, 60)

    def test_nothing_covers_the_picture(self):
        page = self.open()
        for key in ("?", "r", "Escape", "n", "Escape", "Shift+G", "Escape", "?"):
            page.key(key)
            page.until("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(true))))")
            self.assertEqual(page.call(COVERED), [], key)

    def test_nothing_moves_by_itself(self):
        page = self.open()
        places = """[...document.querySelectorAll('header, nav, main, section, #state, button')].map(
            e => { const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height].join() }).join(' ')"""
        page.until("document.readyState === 'complete' && document.querySelectorAll('.entry img').length > 0"
                   " && [...document.querySelectorAll('.entry img')].every(e => e.complete)")
        before = page.evaluate(places)
        # Ninety frames, however long they take here.
        page.evaluate("""new Promise(done => { let frames = 0;
            const tick = () => ((frames += 1) < 90 ? requestAnimationFrame(tick) : done());
            requestAnimationFrame(tick); })""")
        self.assertEqual(page.evaluate(places), before)
        self.assertEqual(page.evaluate("document.getAnimations().length"), 0)

    def test_every_key_means_one_thing(self):
        page = self.open()
        doubles = page.evaluate("""Promise.all([import('/app/keys.js'), import('/app/tools.js')]).then(
            ([k, t]) => k.clashes([...k.decisions, ...k.moves, ...k.others], [...t.tools, ...t.actions]))""")
        self.assertEqual(doubles, [])

    def test_everything_has_a_name_for_a_screen_reader(self):
        page = self.open()
        nameless = page.evaluate("""[...document.querySelectorAll(
            'button, input, select, summary, canvas[role], [role=application]')].filter(
            e => !(e.textContent?.trim() || e.getAttribute('aria-label') || e.labels?.length
                   || e.getAttribute('title') || e.closest('[aria-hidden]'))).map(e => e.outerHTML.slice(0, 120))""")
        self.assertEqual(nameless, [])
        self.assertEqual(page.evaluate("document.querySelector('#state').getAttribute('role')"), "status")
        self.assertEqual(page.evaluate("document.querySelectorAll('main').length"), 1)

    def test_every_button_says_its_key(self):
        page = self.open()
        without = page.evaluate("""[...document.querySelectorAll('#tools button, #decide button, #more button')]
            .filter(e => !e.querySelector('kbd')).map(e => e.innerText)""")
        self.assertEqual(without, [])

    def test_f6_walks_from_part_to_part(self):
        page = self.open()
        seen = []
        for _ in range(5):
            page.key("F6")
            seen.append(page.evaluate(
                "document.activeElement.closest('#picture, #tools, #decide, #more, #queue')?.id"))
        self.assertEqual(sorted(seen), ["decide", "more", "picture", "queue", "tools"])

    def test_dark_and_light_have_contrast(self):
        page = self.open()
        for is_dark in (False, True):
            page.dark(is_dark)
            for key in ("?", "?", "r", "Escape"):
                page.key(key)
                worst = page.evaluate(CONTRAST)
                self.assertGreaterEqual(worst[0], 4.5, (worst, "dark" if is_dark else "light"))
            page.shot("%s-%s" % (self.mode, "dark" if is_dark else "light"))

    def test_tools_are_in_groups_and_each_has_an_icon_of_its_own(self):
        if self.mode != "masks":
            self.skipTest("label mode has no tools")
        page = self.open()
        groups = page.evaluate("[...document.querySelectorAll('#tools summary')].map(e => e.innerText)")
        self.assertEqual(groups, ["Draw", "History", "Start", "Shape", "Objects", "View"])
        icons = page.evaluate("""[...document.querySelectorAll('#tools button')].map(
            e => e.querySelector('svg[aria-hidden=true] path')?.getAttribute('d'))""")
        self.assertNotIn(None, icons)
        missing = page.evaluate("""Promise.all([import('/app/icons.js'), import('/app/tools.js')]).then(([i, t]) =>
            [...t.tools, ...t.actions].map(one => one.id).filter(id => !i.hasIcon(id)))""")
        self.assertEqual(missing, [])
        self.assertEqual(len(set(icons)), len(icons))
        page.resize(390, 844)
        width = page.box("#tools")[2]
        self.assertLess(width, 90)
        self.assertGreaterEqual(page.box("#picture")[2], 300)

    def test_on_a_phone_the_head_has_the_whole_key_of_the_sample(self):
        page = self.open(size=(390, 844))
        whole = """(() => { const place = document.querySelector('#place'), key = place.querySelector('.key');
            const box = key.getBoundingClientRect(), around = place.getBoundingClientRect();
            return key.innerText !== '' && place.scrollWidth <= place.clientWidth && place.scrollHeight <= place.clientHeight
              && box.right <= around.right + 1 && box.bottom <= around.bottom + 1; })()"""
        self.assertTrue(page.evaluate(whole))
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390)
        self.assertGreater(page.box("#picture")[3], 400)

    def test_only_the_sliders_of_the_active_tool_are_shown_and_the_picture_stays(self):
        if self.mode != "masks":
            self.skipTest("label mode has no tools")
        page = self.open()
        sliders = """[...document.querySelectorAll('.canvas-setting')].filter(e => e.checkVisibility(
            { visibilityProperty: true })).map(e => e.querySelector('span').innerText)"""
        common = ["Model threshold", "Opacity", "Smallest part"]
        for size in ((1400, 900), (1000, 700), (390, 844)):
            page.resize(*size)
            page.key("b")
            page.until("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(true))))")
            place = page.box(".canvas-stage")
            for key, own in (("g", ["Flood fill tolerance"]), ("e", ["Brush size"]), ("p", []), ("h", []), ("v", []),
                             ("b", ["Brush size"])):
                page.key(key)
                self.assertEqual(page.until(sliders, wanted=lambda now: set(now) == set(own + common)), own + common)
                self.assertEqual(page.box(".canvas-stage"), place, (size, key))


class Labels(Masks):
    task, mode = "label", "labels"

    def test_every_key_means_one_thing(self):
        page = self.open()
        keys = page.evaluate("""import('/app/keys.js').then(k => [...k.decisions, ...k.moves, ...k.others]
            .flatMap(one => [one.labelKey ?? one.key, ...(one.also ?? [])]))""")
        self.assertEqual(sorted(keys), sorted(set(keys)))


if __name__ == "__main__":
    main()
