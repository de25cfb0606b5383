"""The Python package against the program, against pycocotools, and the examples of Docs/Python.md.

Run by Scripts/test_python with $ASSAY_PROGRAM. Without pycocotools its comparisons are skipped, without pandas the
frames.
"""
import contextlib
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings
from importlib.machinery import SourceFileLoader

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FIXTURES = os.path.join(ROOT, "Tests", "Fixtures")
sys.dont_write_bytecode = True
for folder in (os.path.join(ROOT, "Python"), os.path.join(FIXTURES, "metrics"),
               os.path.join(FIXTURES, "coco-keypoints")):
    sys.path.insert(0, folder)

import assay  # noqa: E402

HAS = {name: importlib.util.find_spec(name) is not None for name in ("numpy", "pandas", "pycocotools")}
needs_pandas = unittest.skipUnless(HAS["pandas"] and HAS["numpy"], "no pandas here")
needs_numpy = unittest.skipUnless(HAS["numpy"], "no numpy here")
needs_reference = unittest.skipUnless(HAS["pycocotools"] and HAS["numpy"], "no pycocotools here")
SEEDS = int(os.environ.get("ASSAY_SEEDS", "25"))
FIRST = int(os.environ.get("ASSAY_FIRST_SEED", "0"))
EXAMPLE = os.path.join(FIXTURES, "detect", "example")
OUTSIDE = os.environ.get("ASSAY_OUTSIDE", os.path.join(ROOT, "..", "shared", "data"))


def script(name):
    """A script of Scripts as a module."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_loader(name, SourceFileLoader(name, os.path.join(ROOT, "Scripts", name)))
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


class Folder(unittest.TestCase):
    """A test in a temporary folder of its own."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="assay-python-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, value):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(value if isinstance(value, str) else json.dumps(value))
        return self.path(name)


def boxes():
    """One image with two objects of two classes; one of them is found."""
    gt = {"images": [{"id": 7, "width": 100, "height": 100, "file_name": "a.png"}],
          "categories": [{"id": 2, "name": "cat"}, {"id": 9, "name": "dog"}],
          "annotations": [
              {"id": 5, "image_id": 7, "category_id": 2, "bbox": [10, 10, 20, 20], "area": 400, "iscrowd": 0},
              {"id": 6, "image_id": 7, "category_id": 9, "bbox": [60, 10, 20, 20], "area": 400, "iscrowd": 0}]}
    dt = [{"image_id": 7, "category_id": 2, "bbox": [10, 10, 20, 20], "score": 0.9},
          {"image_id": 7, "category_id": 2, "bbox": [60, 10, 20, 20], "score": 0.8}]
    return gt, dt


class EvaluateTests(Folder):
    def test_paths_and_values_give_the_same_numbers(self):
        gt, dt = boxes()
        ours = assay.evaluate(gt, dt, iou_type="bbox")
        self.assertEqual((round(ours["AP"], 9), ours["APl"], ours["AR1"]), (0.5, None, 0.5))
        paths = assay.evaluate(self.write("gt.json", gt), self.write("dt.json", dt), iou_type="bbox")
        self.assertEqual(paths["stats"], ours["stats"])
        coco = assay.COCO(gt)
        self.assertEqual(assay.evaluate(gt=coco, dt=coco.loadRes(dt), iou_type="bbox")["stats"], ours["stats"])

    @needs_numpy
    def test_arrays(self):
        import numpy as np
        gt, dt = boxes()
        array = np.array([[one["image_id"], *one["bbox"], one["score"], one["category_id"]] for one in dt])
        self.assertEqual(assay.evaluate(gt, array)["stats"], assay.evaluate(gt, dt)["stats"])
        with self.assertRaisesRegex(ValueError, r"\(N, 7\)"):
            assay.evaluate(gt, array[:, :6])
        # Values of numpy inside of dictionaries.
        odd = [dict(one, score=np.float64(one["score"]), bbox=np.array(one["bbox"])) for one in dt]
        self.assertEqual(assay.evaluate(gt, odd)["stats"], assay.evaluate(gt, dt)["stats"])

    def test_settings_are_options_of_the_command(self):
        gt, dt = boxes()
        value = assay.evaluate(gt, dt, max_dets=[1, 5], iou_thresholds=[0.5])
        self.assertEqual(value["settings"]["max_dets"], [1, 5])
        self.assertEqual(value["settings"]["iou_thresholds"], [0.5])

    def test_refusals(self):
        gt, dt = boxes()
        with self.assertRaisesRegex(ValueError, "expected bbox, segm or keypoints"):
            assay.evaluate(gt, dt, iou_type="box")
        with self.assertRaisesRegex(assay.AssayError, "no result has a 'segmentation'") as caught:
            assay.evaluate(gt, dt, iou_type="segm")
        self.assertEqual(caught.exception.status, 2)
        with self.assertRaisesRegex(TypeError, "expected a path"):
            assay.evaluate(3, dt)
        with self.assertRaisesRegex(TypeError, "expected a path"):
            assay.evaluate(gt, {"a": 1})

    def test_no_temporary_file_stays(self):
        gt, dt = boxes()
        before = os.environ.get("TMPDIR")
        os.environ["TMPDIR"] = self.folder
        tempfile.tempdir = None
        try:
            assay.evaluate(gt, dt)
            with self.assertRaises(assay.AssayError):
                assay.evaluate(gt, dt, iou_type="segm")
        finally:
            os.environ.pop("TMPDIR") if before is None else os.environ.update(TMPDIR=before)
            tempfile.tempdir = None
        self.assertEqual(os.listdir(self.folder), [])


class LightnessTests(Folder):
    def test_the_command_loads_no_heavy_module(self):
        code = ("import sys; sys.path.insert(0, sys.argv[1]); import assay, assay._launcher\n"
                "heavy = {'numpy', 'pandas', 'openvino', 'json', 'subprocess', 'sqlite3'} & set(sys.modules)\n"
                "print(sorted(heavy))")
        done = subprocess.run([sys.executable, "-S", "-c", code, os.path.join(ROOT, "Python")], capture_output=True,
                              text=True)
        self.assertEqual(done.stdout.strip(), "[]", done.stderr)

    def test_the_launcher_passes_arguments_and_status(self):
        code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from assay._launcher import main; sys.exit(main())"
        start = [sys.executable, "-c", code, os.path.join(ROOT, "Python")]
        self.assertEqual(subprocess.run([*start, "--version"], capture_output=True, text=True).stdout,
                         assay.run("--version"))
        done = subprocess.run([*start, "show", "x", "--db", self.path("no.db")], capture_output=True)
        self.assertEqual(done.returncode, 2)
        broken = dict(os.environ, ASSAY_PROGRAM=self.path("missing"))
        done = subprocess.run([*start, "--version"], capture_output=True, text=True, env=broken)
        self.assertEqual(done.returncode, 2)
        self.assertIn("correct ASSAY_PROGRAM", done.stderr)

    def test_openvino_is_found_without_importing_it(self):
        from assay import _launcher
        libraries = os.path.join(self.folder, "openvino", "libs")
        os.makedirs(libraries)
        path, here = sys.path[:], _launcher._HERE
        try:
            sys.path[:] = [self.folder]
            _launcher._HERE = self.path("elsewhere/assay")
            self.assertEqual(_launcher.openvino_folder(), libraries)
            variables = _launcher.environment(_launcher.PACKAGED)
            if not os.environ.get("ASSAY_OPENVINO"):
                self.assertEqual(variables["ASSAY_OPENVINO"], libraries)
            sys.path[:] = []
            self.assertIsNone(_launcher.openvino_folder())
        finally:
            sys.path[:], _launcher._HERE = path, here
        self.assertNotIn("openvino", sys.modules)

    def test_without_pandas_the_error_says_what_to_install(self):
        code = ("import sys; sys.path.insert(0, sys.argv[1]); sys.modules['pandas'] = None\n"
                "from assay._program import pandas\n"
                "try: pandas()\n"
                "except ImportError as error: print(error)")
        done = subprocess.run([sys.executable, "-c", code, os.path.join(ROOT, "Python")], capture_output=True,
                              text=True)
        self.assertEqual(done.stdout.strip(), "this needs pandas: pip install 'assay[pandas]'", done.stderr)


@needs_pandas
class CatalogTests(Folder):
    def catalog(self):
        return assay.Catalog(self.path("assay.db"))

    def run_in(self, *arguments):
        return assay.run(*arguments, "--db", self.path("assay.db"), cwd=self.folder)

    def test_detection(self):
        gt, dt = boxes()
        self.write("gt.json", gt)
        self.write("dt.json", dt)
        self.run_in("import", "gt.json:coco", "--name", "set")
        self.run_in("predictions", "import", "dt.json", "--name", "r", "--in", "set")
        catalog = self.catalog()
        with self.assertRaisesRegex(assay.AssayError, r"catalog.evaluate\('r'\) makes one"):
            catalog.scores("r")
        value = catalog.evaluate("r")
        self.assertAlmostEqual(value["AP"], 0.5)
        samples = catalog.samples()
        self.assertEqual(list(samples.columns), ["dataset", "sample", "split", "label", "labels", "width", "height",
                                                 "location", "objects"])
        self.assertEqual(samples["objects"][0], {"cat": 1, "dog": 1})
        predictions = catalog.predictions("r")
        self.assertEqual(predictions["class"].tolist(), ["cat", "cat"])
        self.assertEqual(predictions[["score", "x", "y", "width", "height"]].values.tolist(),
                         [[0.9, 10, 10, 20, 20], [0.8, 60, 10, 20, 20]])
        scores = catalog.scores("r")
        self.assertEqual(scores[scores.metric == "AP"]["value"].tolist(), [value["AP"]])
        self.assertEqual(scores[(scores.metric == "per_category_ap") & (scores["class"] == "cat")]["value"].tolist(),
                         [value["per_category_ap"]["cat"]])
        matches = catalog.matches("r")
        self.assertEqual(matches["result"].value_counts().to_dict(),
                         {"true positive": 1, "false positive": 1, "false negative": 1})
        self.assertEqual(matches[matches.result == "false positive"]["error"].tolist(), ["classification"])
        self.assertEqual(len(catalog.query("run(r).false_positives > 0")), 1)
        self.assertEqual(len(catalog.query("run(r).false_positives > 1")), 0)
        pages = catalog.report("r", out=self.path("report"))
        self.assertTrue(pages[0].endswith("report.html") and os.path.exists(pages[0]), pages)
        with self.assertRaisesRegex(assay.AssayError, "unknown name run:nope"):
            catalog.matches("nope")
        with self.assertRaisesRegex(assay.AssayError, "expected|unknown|query"):
            catalog.query("count(cat) >")

    def test_classification(self):
        shutil.copytree(os.path.join(FIXTURES, "image-folder", "classes"), self.path("images"))
        self.run_in("import", "images", "--name", "set")
        catalog = self.catalog()
        samples = catalog.samples("set")
        classes = sorted(set(samples["label"]))
        rows = ["sample," + ",".join(classes)]
        for place, key in enumerate(samples["sample"]):
            rows.append(f"{key}," + ",".join("0.75" if k == place % len(classes) else str(0.25 / (len(classes) - 1))
                                             for k in range(len(classes))))
        self.write("scores.csv", "\n".join(rows) + "\n")
        self.run_in("predictions", "import", "scores.csv", "--name", "r", "--in", "set")
        predictions = catalog.predictions("r")
        names = [f"score_{name}" for name in classes]
        self.assertEqual(set(predictions.columns), {"sample", "prediction", "confidence", "margin", *names})
        self.assertEqual(predictions["prediction"].tolist(),
                         [classes[place % len(classes)] for place in range(len(samples))])
        self.assertEqual(predictions[names].max(axis=1).tolist(), [0.75] * len(samples))
        value = catalog.evaluate("r")
        matches = catalog.matches("r")
        self.assertEqual(matches["correct"].mean(), value["accuracy"])
        self.assertEqual(matches["correct"].tolist(), (matches["truth"] == matches["prediction"]).tolist())
        sheet = catalog.show(f"label = {classes[0]}")
        self.assertTrue(sheet.png.startswith(b"\x89PNG"))
        self.assertIn("data:image/png;base64,", sheet._repr_html_())
        sheet.save(self.path("sheet.png"))
        nothing = catalog.show("width > 100000")
        self.assertIsNone(nothing.png)
        self.assertEqual(nothing.count, 0)

    def test_multilabel(self):
        shutil.copytree(os.path.join(FIXTURES, "multilabel-csv"), self.path("set"))
        self.run_in("import", "set/columns.csv", "--name", "set")
        catalog = self.catalog()
        samples = catalog.samples()
        self.assertEqual(samples["labels"].tolist()[1], ["cat", "traffic light"])
        keys = samples["sample"]
        self.write("scores.csv", "sample,cat,dog,traffic light\n" + "".join(f"{key},0.75,0.5,0\n" for key in keys))
        self.run_in("predictions", "import", "scores.csv", "--name", "r", "--in", "set")
        predictions = catalog.predictions("r")
        self.assertEqual(list(predictions.columns), ["sample", "score_cat", "score_dog", "score_traffic light"])
        self.assertEqual(predictions["score_cat"].tolist(), [0.75] * len(keys))
        catalog.evaluate("r")
        matches = catalog.matches("r")
        self.assertEqual(list(matches.columns), ["sample", "missed", "added", "ranking_loss"])
        self.assertEqual(len(matches), len(keys))

    def test_masks(self):
        from_fixture = os.path.join(FIXTURES, "outside-predictions", "predicted-masks")
        truth = os.path.join(FIXTURES, "outside-predictions", "masks")
        if not (os.path.isdir(from_fixture) and os.path.isdir(truth)):
            self.skipTest("no masks")
        self.run_in("import", truth, "--name", "set")
        self.run_in("predictions", "import", from_fixture, "--name", "r", "--in", "set")
        catalog = self.catalog()
        predictions = catalog.predictions("r")
        self.assertEqual(list(predictions.columns), ["sample", "class", "area", "mean_probability"])
        self.assertGreater(len(predictions), 0)
        catalog.evaluate("r")
        self.assertIn("iou", catalog.matches("r").columns)

    def test_missing_and_foreign_files(self):
        with self.assertRaisesRegex(FileNotFoundError, "assay import"):
            assay.Catalog(self.path("none.db"))
        self.write("text.db", "no catalog")
        with self.assertRaises(assay.AssayError):
            assay.Catalog(self.path("text.db")).samples()


@needs_reference
class ReferenceTests(Folder):
    """`COCOeval` against pycocotools 2: all arrays, all matches and the printed lines."""

    def both(self, gt, dt, kind, change=lambda params: None, mixed=False):
        from pycocotools.coco import COCO
        from pycocotools.cocoeval import COCOeval
        found, texts = [], []
        for coco, evaluation in ((COCO, COCOeval), (assay.COCO, assay.COCOeval)):
            with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if mixed:
                    coco = COCO
                truth = coco(self.write("gt.json", gt))
                one = evaluation(truth, truth.loadRes(self.write("dt.json", dt)), kind)
                change(one.params)
                one.evaluate()
                one.accumulate()
                with contextlib.redirect_stdout(io.StringIO()) as text:
                    one.summarize()
            found.append(one)
            texts.append(text.getvalue())
        self.compare(*found)
        self.assertEqual(texts[0].rstrip(), texts[1].rstrip())
        return found[1]

    def compare(self, theirs, ours):
        import numpy as np
        self.assertEqual(theirs.stats.tobytes(), ours.stats.tobytes())
        for name in ("precision", "recall", "scores"):
            self.assertTrue(np.array_equal(theirs.eval[name], ours.eval[name]), name)
        self.assertEqual(list(theirs.eval["counts"]), list(ours.eval["counts"]))
        self.assertEqual(len(theirs.evalImgs), len(ours.evalImgs))
        for first, second in zip(theirs.evalImgs, ours.evalImgs):
            self.assertEqual(first is None, second is None)
            if first is None:
                continue
            self.assertEqual(list(first), list(second))
            for name, value in first.items():
                self.assertTrue(np.array_equal(np.array(value), np.array(second[name])), name)

    @classmethod
    def document(cls, seed, kind):
        if kind == "keypoints":
            import fuzz
            return fuzz.made(seed)
        import random_coco
        return (*random_coco.documents(random_coco.make(seed, kind), kind, script("differential").segmentations(seed)),
                None)

    def random(self, kind, mixed=False):
        import numpy as np
        for seed in range(FIRST, FIRST + SEEDS):
            gt, dt, sigmas = self.document(seed, kind)
            if not dt:
                continue

            def change(params):
                if sigmas:
                    params.kpt_oks_sigmas = np.array(sigmas)

            with self.subTest(kind=kind, seed=seed):
                self.both(gt, dt, kind, change, mixed)

    def test_random_boxes(self):
        self.random("bbox")

    def test_random_regions(self):
        self.random("segm")

    def test_random_keypoints(self):
        self.random("keypoints")

    def test_objects_of_pycocotools(self):
        for kind in ("bbox", "segm", "keypoints"):
            self.random(kind, mixed=True)

    def test_parameters(self):
        import numpy as np

        def images(params):
            params.imgIds = params.imgIds[::2]

        def classes(params):
            params.catIds = params.catIds[:1]

        def one_class(params):
            params.useCats = 0

        def thresholds(params):
            params.iouThrs = np.array([0.3, 0.5, 0.75])

        def limits(params):
            params.maxDets = [2, 5, 300]

        for change in (images, classes, one_class, limits, thresholds):
            for seed in range(FIRST, FIRST + max(3, SEEDS // 5)):
                for kind in ("bbox", "segm"):
                    gt, dt, _ = self.document(seed, kind)
                    with self.subTest(change=change.__name__, kind=kind, seed=seed):
                        self.both(gt, dt, kind, change)

    def test_shared_sample(self):
        folder = os.path.join(OUTSIDE, "coco", "val2014_100")
        if not os.path.isdir(folder):
            self.skipTest("no shared COCO sample")
        for kind in ("bbox", "segm"):
            with open(os.path.join(folder, "instances_val2014_100.json"), encoding="utf-8") as file:
                gt = json.load(file)
            with open(os.path.join(folder, f"instances_val2014_fake{kind}100_results.json"), encoding="utf-8") as file:
                dt = json.load(file)
            ours = self.both(gt, dt, kind)
            value = assay.evaluate(gt, dt, iou_type=kind)
            self.assertEqual([value[name] for name in ("AP", "AP50", "AP75")], ours.stats[:3].tolist())


@needs_numpy
class COCOevalTests(Folder):
    def test_what_is_not_supported_is_refused(self):
        gt, dt = boxes()
        coco = assay.COCO(gt)

        def refused(pattern, **values):
            one = assay.COCOeval(coco, coco.loadRes(dt), "bbox")
            for name, value in values.items():
                setattr(one.params, name, value)
            with self.assertRaisesRegex(ValueError, pattern):
                one.evaluate()

        refused("recThrs", recThrs=[0, 0.5, 1])
        refused("areaRng", areaRng=[[0, 10]], areaRngLbl=["all"])
        refused("iouThrs", iouThrs=[0.75, 0.5])
        refused("maxDets", maxDets=[1, 10])
        with self.assertRaisesRegex(RuntimeError, "evaluate"):
            assay.COCOeval(coco, coco.loadRes(dt), "bbox").accumulate()
        one = assay.COCOeval(coco, coco.loadRes(dt), "bbox")
        one.evaluate()
        other = assay.Params("bbox")
        with self.assertRaisesRegex(ValueError, "other parameters"):
            one.accumulate(other)

    def test_results_of_unknown_images(self):
        gt, dt = boxes()
        with self.assertRaisesRegex(ValueError, "does not have"):
            assay.COCO(gt).loadRes([dict(dt[0], image_id=99)])

    def test_index(self):
        gt, dt = boxes()
        coco = assay.COCO(gt)
        self.assertEqual(coco.getAnnIds(catIds=[9]), [6])
        self.assertEqual(coco.getAnnIds(imgIds=7, areaRng=[0, 10]), [])
        self.assertEqual(coco.getCatIds(catNms="dog"), [9])
        self.assertEqual(coco.getImgIds(catIds=[2, 9]), [7])
        self.assertEqual(coco.loadCats(9)[0]["name"], "dog")
        self.assertEqual(coco.loadRes(dt).loadAnns([2])[0]["score"], 0.8)


@needs_pandas
class DocumentTests(Folder):
    def test_the_examples_run_in_order(self):
        with open(os.path.join(ROOT, "Docs", "Python.md"), encoding="utf-8") as file:
            text = file.read()
        examples = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        self.assertGreater(len(examples), 3)
        for name, file in (("instances.json", "instances.json"), ("results.json", "bbox.json")):
            shutil.copy(os.path.join(EXAMPLE, file), self.path(name))
        assay.run("import", "instances.json:coco", "--name", "photos", "--db", "assay.db", cwd=self.folder)
        assay.run("predictions", "import", "results.json", "--name", "r1", "--in", "photos", "--db", "assay.db",
                  cwd=self.folder)
        before = os.getcwd()
        os.chdir(self.folder)
        names = {}
        try:
            for number, code in enumerate(examples):
                with self.subTest(example=number), contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(code, f"Docs/Python.md example {number}", "exec"), names)
        finally:
            os.chdir(before)

    def test_every_public_name_is_documented(self):
        with open(os.path.join(ROOT, "Docs", "Python.md"), encoding="utf-8") as file:
            text = file.read()
        for name in assay.__all__:
            self.assertIn(f"assay.{name}", text)
        for name in [name for name in vars(assay.Catalog) if not name.startswith("_")]:
            self.assertIn(f"catalog.{name}(", text)


if __name__ == "__main__":
    unittest.main()
