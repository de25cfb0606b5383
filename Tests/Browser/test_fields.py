"""Custom fields on the browse page with the program (`assay open`): setting them for a selection and for a sample."""

import json
import os
import shlex
import unittest

from case import BrowserCase, main
from servers import OpenServer

NO_PROGRAM = "no program with the command open: $ASSAY_PROGRAM (make build)"


class Fields(BrowserCase):
    """Six images of a detector's dataset."""

    task = "detect"

    @classmethod
    def setUpClass(cls):
        program = os.environ.get("ASSAY_PROGRAM")
        if not program or not OpenServer.is_there(program):
            raise unittest.SkipTest(NO_PROGRAM)
        super().setUpClass()

    def begin(self):
        return OpenServer(self.task)

    def ready(self, page, number=None):
        """Waits until all thumbnails in sight are shown and the facets are counted."""
        page.until("""(tiles => tiles.length > 0 && tiles.every(t => t.classList.contains('loaded')))(
            [...document.querySelectorAll('.row:not([hidden]) .tile:not([hidden])')])""")
        page.until("document.querySelector('#facets').hidden || document.querySelector('.facet') !== null")

    def says(self, page, words):
        page.until("document.querySelector('.selection-bar:not([hidden]) > .says')?.innerText ?? ''",
                   wanted=lambda text: words in text)

    def facet(self, page, name, counts):
        """Waits until the facet of a field has these counts."""
        page.until("""Object.fromEntries([...document.querySelectorAll('[data-term^="field(%s) = "]')].map(
            b => [b.querySelector('.name').innerText, b.querySelector('.count').innerText]))""" % name,
                   wanted=lambda found: found == counts)

    def fields(self):
        """The samples of each field, of the program."""
        return {one["name"]: one["samples"] for one in json.loads(self.server.run("fields", "discs", "--json"))["fields"]}

    def write(self, page, name, value):
        page.until("document.activeElement.matches('.tag-form:not([hidden]) input[role=combobox]')")
        page.evaluate("document.activeElement.select()")
        page.type(name)
        page.key("Tab")
        page.until("document.activeElement.getAttribute('aria-label') === 'Value'")
        page.evaluate("document.activeElement.select()")
        page.type(value)

    def select(self, page, number):
        page.evaluate("document.querySelector('.tiles').focus()")
        page.key("Home")
        page.key("x")
        for _ in range(number - 1):
            page.key("Shift+ArrowRight")
        page.until("document.querySelector('.selection-bar:not([hidden]) .selected-count')?.innerText ?? ''",
                   wanted=lambda text: text == f"{number} selected")

    def test_the_keyboard_alone_sets_a_field_of_a_selection_and_the_facet_filters_by_it(self):
        page = self.open()
        self.select(page, 3)
        page.key("f")
        self.assertEqual(page.until("document.querySelector('.tag-form:not([hidden]) label')?.innerText"), "Set a field of 3 samples")
        self.write(page, "light", "dim")
        page.shot("field-form")
        page.key("Enter")
        self.says(page, "Set light = dim for 3 samples.")
        self.facet(page, "light", {"dim": "3"})
        self.assertEqual(self.fields(), {"light": 3})
        page.shot("field-facet")
        page.click('[data-term="field(light) = dim"]')
        page.until("document.querySelector('#where').value", wanted=lambda text: text == "field(light) = dim")
        page.until("document.querySelectorAll('.row:not([hidden]) .tile:not([hidden])').length", wanted=lambda n: n == 3)

    def test_numbers_are_a_histogram_and_the_command_is_copied(self):
        page = self.open()
        self.select(page, 2)
        page.key("f")
        self.write(page, "distance", "2.5")
        page.click(".selection-bar .tag-form:not([hidden]) .plain")
        shown = page.until("document.querySelector('.selection-bar .tag-form:not([hidden]) pre:not([hidden])')?.innerText")
        self.assertTrue(shown.startswith("assay field discs distance=2.5 --where 'key in ("), shown)
        page.evaluate("document.querySelector('.selection-bar .tag-form:not([hidden]) .main').click()")
        self.says(page, "Set distance = 2.5 for 2 samples.")
        self.select(page, 1)
        page.key("f")
        self.write(page, "distance", "10")
        page.key("Enter")
        self.says(page, "Set distance = 10 for 1 sample.")
        page.until("""[...document.querySelectorAll('.facet summary')].some(s => s.innerText === 'distance')""")
        self.assertEqual(json.loads(self.server.run("query", "field(distance) > 5", "--in", "discs", "--json"))["count"], 1)

    def test_a_value_is_needed_and_a_reserved_name_is_refused(self):
        page = self.open()
        self.select(page, 1)
        page.key("f")
        self.write(page, "light", "")
        page.key("Enter")
        page.until("document.querySelector('.tag-form:not([hidden]) > .says').innerText", wanted=lambda text: text == "Enter a value.")
        self.write_name(page, "time")
        self.write(page, "time", "3")
        page.key("Enter")
        page.until("document.querySelector('.tag-form:not([hidden]) > .says').innerText", wanted=lambda text: "video" in text)
        self.assertEqual(self.fields(), {})

    def write_name(self, page, name):
        page.evaluate("document.querySelector('.tag-form:not([hidden]) input[role=combobox]').focus()")

    def test_the_objects_of_a_selection_get_a_field_or_a_tag(self):
        page = self.open()
        self.select(page, 3)
        page.key("t")
        page.until("document.activeElement.matches('.tag-form:not([hidden]) input[role=combobox]')")
        page.type("hard")
        form = ".selection-bar .tag-form:not([hidden])"
        page.evaluate(f"""(what => {{ what.value = 'objects'; what.dispatchEvent(new Event('change')); }})(
            document.querySelector('{form} .object-choice select'))""")
        page.evaluate(f"document.querySelector('{form} .object-choice input').focus()")
        page.type("width > 0")
        page.shot("tag-objects")
        page.click(f"{form} .plain")
        command = page.until(f"document.querySelector('{form} pre:not([hidden])')?.innerText")
        self.assertTrue(command.startswith("assay tag discs hard --where 'key in ("), command)
        self.assertTrue(command.endswith("--objects 'width > 0'"), command)
        page.evaluate(f"document.querySelector('{form} .main').click()")
        self.says(page, "They are in the corrected ground truth.")
        found = json.loads(self.server.run("query", "objects(hard = true) > 0", "--in", "discs", "--corrected", "--json"))
        self.assertEqual(found["count"], 3)
        self.assertEqual(json.loads(self.server.run("tags", "discs", "--json"))["tags"], [])
        # The same again changes nothing, and a wrong condition is said.
        self.assertEqual(self.server.run(*shlex.split(command)[1:]).splitlines()[0], "nothing to save")
        page.key("t")
        page.until("document.activeElement.matches('.tag-form:not([hidden]) input[role=combobox]')")
        page.type("hard")
        page.evaluate(f"""(what => {{ what.value = 'objects'; what.dispatchEvent(new Event('change')); }})(
            document.querySelector('{form} .object-choice select'))""")
        page.evaluate(f"document.querySelector('{form} .object-choice input').focus()")
        page.type("widht > 0")
        page.key("Enter")
        page.until(f"document.querySelector('{form} > .says').innerText", wanted=lambda text: "widht" in text)

    def test_the_open_sample_shows_sets_and_removes_a_field(self):
        page = self.open()
        page.evaluate("document.querySelector('.tiles').focus()")
        page.key("Home")
        page.key("Enter")
        page.until("document.querySelector('.sample-page:not([hidden]) .sample-fields') !== null")
        page.key("f")
        self.write(page, "weather", "heavy rain")
        page.key("Enter")
        page.until("document.querySelector('.sample-fields .tag span')?.innerText", wanted=lambda text: text == "weather = heavy rain")
        page.shot("field-sample")
        self.assertEqual(self.fields(), {"weather": 1})
        page.until("[...document.querySelectorAll('.corrections li')].some(li => li.innerText.includes('weather'))")
        page.click(".sample-fields .tag button")
        page.until("document.querySelector('.sample-fields .tag span')?.innerText", wanted=lambda text: text == "weather removed")
        self.assertEqual(self.fields(), {})


if __name__ == "__main__":
    main()
