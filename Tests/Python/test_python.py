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

    @needs_pandas
    def test_frames(self):
        import pandas as pd
        gt, dt = boxes()
        frame = pd.DataFrame(dt)
        self.assertEqual(assay.evaluate(gt, frame)["stats"], assay.evaluate(gt, dt)["stats"])
        loaded = assay.COCO(gt).loadRes(frame)
        self.assertEqual([one["bbox"] for one in loaded.dataset["annotations"]], [one["bbox"] for one in dt])
        # A member that only some results have.
        frame["keypoints"] = [None, float("nan")]
        self.assertEqual(assay.evaluate(gt, frame)["stats"], assay.evaluate(gt, dt)["stats"])
        with self.assertRaisesRegex(ValueError, "expected the columns image_id, .* found image_id, category_id, score"):
            assay.evaluate(gt, frame[["image_id", "category_id", "score"]])

    def test_frames_of_polars(self):
        class Frame:
            """What the package uses of polars.DataFrame."""
            def __init__(self, rows):
                self.columns, self.rows = list(rows[0]), rows

            def to_dicts(self):
                return [dict(one, segmentation=None) for one in self.rows]

        gt, dt = boxes()
        self.assertEqual(assay.evaluate(gt, Frame(dt))["stats"], assay.evaluate(gt, dt)["stats"])

    def test_a_program_that_is_not_assay(self):
        before = os.environ.get("ASSAY_PROGRAM")
        os.environ["ASSAY_PROGRAM"] = "/bin/echo"
        try:
            gt, dt = boxes()
            with self.assertRaisesRegex(assay.AssayError, "/bin/echo answered without JSON"):
                assay.evaluate(gt, dt)
        finally:
            os.environ["ASSAY_PROGRAM"] = before

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
        with self.assertRaisesRegex(ValueError, "'b,c' has a comma"):
            assay.evaluate("truth", "found", classes=["a", "b,c"])

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

    def test_keypoints(self):
        gt, _ = boxes()
        points = [12.5, 14, 2] * 17
        for one in gt["annotations"]:
            one.update(keypoints=points, num_keypoints=17)
        self.write("gt.json", gt)
        self.write("dt.json", [{"image_id": 7, "category_id": 2, "keypoints": [12.5, 14, 0.25] * 17, "score": 0.9}])
        self.run_in("import", "gt.json:coco", "--name", "set")
        self.run_in("predictions", "import", "dt.json", "--name", "r", "--in", "set")
        self.assertEqual(self.catalog().predictions("r")["keypoints"].tolist(), [[12.5, 14, 0.25] * 17])

    def test_words_that_begin_with_a_dash(self):
        gt, dt = boxes()
        self.write("gt.json", gt)
        self.run_in("import", "gt.json:coco", "--name", "set")
        catalog = self.catalog()
        for call in (catalog.query, catalog.show):
            with self.assertRaisesRegex(assay.AssayError, "expected a comparison"):
                call("--count")
        for call in (catalog.evaluate, lambda name: catalog.report(name, out=self.path("out"))):
            with self.assertRaisesRegex(assay.AssayError, "--help"):
                call("--help")

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
        self.assertEqual(len(catalog.predictions("r@default")), len(samples))
        for frame, numbers in [(catalog.scores("r"), ["value", "low", "high"]), (matches, ["confidence", "margin"])]:
            self.assertEqual({str(frame[name].dtype) for name in numbers}, {"float64"})
        self.assertEqual(str(catalog.query("width > 100000")["sample"].dtype), "object")
        # Predicted classes alone have no scores, and no rank but the first.
        self.write("labels.csv", "sample,prediction\n" + "".join(f"{key},{classes[0]}\n" for key in samples["sample"]))
        self.run_in("predictions", "import", "labels.csv", "--name", "labels", "--in", "set")
        catalog.evaluate("labels")
        alone = catalog.matches("labels")
        self.assertTrue(alone[["confidence", "margin"]].isna().all().all())
        self.assertEqual(alone["rank"].fillna(-1).tolist(), [1 if right else -1 for right in alone["correct"]])
        self.assertTrue(0 < alone["correct"].sum() < len(alone))
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
        matches = catalog.matches("r")
        self.assertEqual({str(matches[name].dtype) for name in matches.columns[1:-1]}, {"float64"})
        with self.assertRaisesRegex(assay.AssayError, "leaves no class"):
            catalog.evaluate("r", ignore=sorted(set(predictions["class"])))

    def test_missing_and_foreign_files(self):
        with self.assertRaisesRegex(FileNotFoundError, "assay import"):
            assay.Catalog(self.path("none.db"))
        self.write("empty.db", "")
        with self.assertRaisesRegex(assay.AssayError, "is empty"):
            assay.Catalog(self.path("empty.db"))
        self.assertEqual(os.path.getsize(self.path("empty.db")), 0)
        self.write("text.db", "no catalog")
        with self.assertRaises(assay.AssayError):
            assay.Catalog(self.path("text.db")).samples()


@needs_reference
class ReferenceTests(Folder):
    """`COCOeval` against pycocotools 2: all arrays, all matches and the printed lines."""

    def both(self, gt, dt, kind, change=lambda params: None, mixed=False, later=lambda run: None, stopped=False):
        """Both packages: `change` before evaluate(), `later` after it; `stopped` if pycocotools cannot summarize."""
        from pycocotools.coco import COCO
        from pycocotools.cocoeval import COCOeval
        import numpy as np
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
                later(one)
                one.accumulate()
                with contextlib.redirect_stdout(io.StringIO()) as text:
                    if stopped:
                        self.assertRaises(IndexError, one.summarize)
                        one.stats = np.zeros(0)
                    else:
                        one.summarize()
            found.append(one)
            texts.append("" if stopped else text.getvalue())
        self.compare(*found)
        self.compare_ious(*found)
        self.assertEqual(texts[0].rstrip(), texts[1].rstrip())
        return found[1]

    def compare(self, theirs, ours):
        import numpy as np
        self.assertEqual(theirs.stats.tobytes(), ours.stats.tobytes())
        for name in ("precision", "recall", "scores"):
            self.assertEqual(theirs.eval[name].shape, ours.eval[name].shape, name)
            self.assertTrue(np.array_equal(theirs.eval[name], ours.eval[name], equal_nan=True), name)
        self.assertEqual(list(theirs.eval["counts"]), list(ours.eval["counts"]))
        self.assertEqual(len(theirs.evalImgs), len(ours.evalImgs))
        for first, second in zip(theirs.evalImgs, ours.evalImgs):
            self.assertEqual(first is None, second is None)
            if first is None:
                continue
            self.assertEqual(list(first), list(second))
            for name, value in first.items():
                value, other = np.array(value), np.array(second[name])
                self.assertTrue(np.array_equal(value, other, equal_nan=value.dtype.kind == "f"), name)

    def compare_ious(self, theirs, ours):
        import numpy as np
        self.assertEqual(list(theirs.ious), list(ours.ious))
        for place, matrix in theirs.ious.items():
            self.assertEqual(np.shape(matrix), np.shape(ours.ious[place]), place)
            self.assertTrue(np.array_equal(matrix, ours.ious[place]), place)

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

    def some(self, kinds=("bbox", "segm")):
        """A few random sets that have results and several classes and images."""
        for kind in kinds:
            left = max(2, SEEDS // 8)
            for seed in range(FIRST, FIRST + 200):
                gt, dt, sigmas = self.document(seed, kind)
                if not left:
                    break
                if not dt or sigmas or len(gt["images"]) < 3 or kind != "keypoints" and len(gt["categories"]) < 3:
                    continue
                left -= 1
                yield kind, gt, dt

    def test_parameters_changed_after_evaluate(self):
        def images(run):
            run.params.imgIds = run.params.imgIds[:2]

        def classes(run):
            run.params.catIds = run.params.catIds[:2]

        def areas(run):
            run.params.areaRng, run.params.areaRngLbl = run.params.areaRng[:2], run.params.areaRngLbl[:2]

        def more(run):
            run.params.maxDets = [1, 10, 100, 300]

        def other_images(run):
            run.params.imgIds = run.params.imgIds[1:]

        def other_classes(run):
            run.params.catIds = run.params.catIds[-1:]

        def other_limits(run):
            run.params.maxDets = [1, 5, 100]

        def without_classes(run):
            run.params.useCats = 0

        for later in (images, classes, areas, more, other_images, other_classes, other_limits, without_classes):
            for kind, gt, dt in self.some():
                self.both(gt, dt, kind, later=later)

    def test_classes_taken_by_their_place_are_announced(self):
        gt, dt = boxes()
        coco = assay.COCO(gt)
        one = assay.COCOeval(coco, coco.loadRes(dt), "bbox")
        one.evaluate()
        one.params.catIds = [9]
        with self.assertWarnsRegex(assay.AssayWarning, "takes the first ones"):
            one.accumulate()
        one.params.catIds = [2]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            one.accumulate()

    def test_ids_that_the_ground_truth_does_not_list(self):
        for kind, gt, dt in self.some():
            known = sorted(one["id"] for one in gt["categories"])
            images = sorted(one["id"] for one in gt["images"])
            for classes in ([0, *known], [known[0], 9_999_999], [0, known[-1]]):
                def change(params, classes=classes):
                    params.catIds = classes
                    params.imgIds = [*images, 9_999_999, -5]

                self.both(gt, dt, kind, change)

    def test_recalls(self):
        import numpy as np
        # Those of torchmetrics have the precision of float32.
        for recalls in (np.linspace(0, 1, 101, dtype=np.float32).astype(float), np.linspace(0, 1, 11), [0.9, 0.1, 0.5]):
            def change(params, recalls=recalls):
                params.recThrs = recalls

            for kind, gt, dt in self.some(("bbox", "segm", "keypoints")):
                self.both(gt, dt, kind, change)

    def test_thresholds_ranges_and_limits(self):
        import numpy as np

        def thresholds(params):
            params.iouThrs = np.array([0.75, 0.5, 0.3])

        def areas(params):
            params.areaRng, params.areaRngLbl = params.areaRng[2:0:-1], params.areaRngLbl[2:0:-1]

        def limits(params):
            params.maxDets = [3, 1]

        for kind, gt, dt in self.some():
            self.both(gt, dt, kind, thresholds)
            self.both(gt, dt, kind, areas)
            self.both(gt, dt, kind, limits, stopped=True)

    def test_limits_of_keypoints(self):
        def limit(params):
            params.maxDets = [5]

        def limits(params):
            params.maxDets = [20, 5]

        for kind, gt, dt in self.some(("keypoints",)):
            self.both(gt, dt, kind, limit)
            self.both(gt, dt, kind, limits)

    def test_scores_that_are_no_numbers(self):
        for kind, gt, dt in self.some():
            self.both(gt, [dict(one, score=float("nan")) if place % 3 == 0 else one for place, one in enumerate(dt)],
                      kind)

    def test_boxes_of_keypoints(self):
        for _, gt, dt in self.some(("keypoints",)):
            dt = [{name: one[name] for name in ("image_id", "category_id", "keypoints", "score")} for one in dt]
            # Some are found.
            for annotation in gt["annotations"]:
                x, y = annotation["keypoints"][0::3], annotation["keypoints"][1::3]
                annotation["bbox"] = [min(x), min(y), max(x) - min(x), max(y) - min(y)]
                dt.append({name: annotation[name] for name in ("image_id", "category_id", "keypoints")} | {"score": 2})
            ours = self.both(gt, dt, "bbox")
            self.assertGreater(ours.stats[0], 0)
            self.assertAlmostEqual(assay.evaluate(gt, dt, iou_type="bbox")["AR100"], ours.stats[8])
            self.both(gt, dt, "bbox", mixed=True)

    def test_keypoints_of_an_object_with_the_id_0(self):
        for _, gt, dt in self.some(("keypoints",)):
            found = [{"image_id": one["image_id"], "category_id": one["category_id"], "keypoints": one["keypoints"],
                      "score": 2} for one in gt["annotations"]]
            for place, annotation in enumerate(gt["annotations"]):
                annotation["id"] = place
            dt = [{name: one[name] for name in ("image_id", "category_id", "keypoints", "score")} for one in dt]
            self.both(gt, dt + found, "keypoints")

    def test_areas_of_results_that_are_no_boxes(self):
        """torchmetrics evaluates boxes with the areas of masks."""
        from pycocotools.coco import COCO
        from pycocotools.cocoeval import COCOeval
        for _, gt, dt in self.some(("bbox",)):
            found = []
            for coco, evaluation in ((COCO, COCOeval), (assay.COCO, assay.COCOeval)):
                with contextlib.redirect_stdout(io.StringIO()):
                    truth = coco(self.write("gt.json", gt))
                    results = coco()
                    results.dataset = dict(gt, annotations=[
                        dict(one, id=place + 1, iscrowd=0, area=one["bbox"][2] * one["bbox"][3] * (0.1 + place % 7),
                             segmentation={"size": [9, 9], "counts": "ZZ"})
                        for place, one in enumerate(json.loads(json.dumps(dt)))])
                    results.createIndex()
                    run = evaluation(truth, results, "bbox")
                    run.evaluate()
                    run.accumulate()
                    run.summarize()
                found.append(run)
            self.compare(*found)

    def test_assigned_matches(self):
        """Evaluators for training, such as torchvision's, evaluate batches and join their matches."""
        import copy
        import numpy as np
        from pycocotools.coco import COCO
        from pycocotools.cocoeval import COCOeval
        for kind, gt, dt in self.some():
            found = []
            for coco, evaluation in ((COCO, COCOeval), (assay.COCO, assay.COCOeval)):
                with contextlib.redirect_stdout(io.StringIO()):
                    truth = coco(self.write("gt.json", gt))
                    run = evaluation(truth, iouType=kind)
                    images, matches = [], []
                    for image in truth.getImgIds():
                        results = [one for one in json.loads(json.dumps(dt)) if one["image_id"] == image]
                        run.cocoDt = coco.loadRes(truth, results) if results else coco()
                        if not results:
                            run.cocoDt.dataset["annotations"] = []
                        run.params.imgIds = [image]
                        run.evaluate()
                        images.append(image)
                        matches.append(np.asarray(run.evalImgs).reshape(-1, len(run.params.areaRng), 1))
                    order = np.argsort(images)
                    run.evalImgs = list(np.concatenate([matches[place] for place in order], 2).flatten())
                    run.params.imgIds = sorted(images)
                    run._paramsEval = copy.deepcopy(run.params)
                    run.accumulate()
                    run.summarize()
                found.append(run)
            self.compare(*found)

    def test_matches_that_were_edited(self):
        def edit(run):
            first = next(place for place, one in enumerate(run.evalImgs) if one is not None)
            run.evalImgs[first] = None

        for kind, gt, dt in self.some():
            self.both(gt, dt, kind, later=edit)

    def test_results_that_were_edited_after_loading(self):
        from pycocotools.coco import COCO
        from pycocotools.cocoeval import COCOeval
        gt, dt = boxes()
        found = []
        for coco, evaluation in ((COCO, COCOeval), (assay.COCO, assay.COCOeval)):
            with contextlib.redirect_stdout(io.StringIO()):
                truth = coco(self.write("gt.json", gt))
                results = truth.loadRes(self.write("dt.json", dt))
                results.dataset["annotations"] = [one for one in results.dataset["annotations"] if one["score"] < 0.85]
                results.createIndex()
                run = evaluation(truth, results, "bbox")
                run.evaluate()
                run.accumulate()
                run.summarize()
            found.append(run)
        self.compare(*found)

    def test_members_of_loaded_results(self):
        from pycocotools.coco import COCO
        for kind, gt, dt in self.some(("bbox", "segm", "keypoints")):
            if kind == "segm":
                dt = [one for one in dt if isinstance(one["segmentation"], dict)
                      and isinstance(one["segmentation"]["counts"], str)]
            if not dt:
                continue
            path = self.write("gt.json", gt)
            with contextlib.redirect_stdout(io.StringIO()):
                theirs = COCO(path).loadRes(json.loads(json.dumps(dt)))
            ours = assay.COCO(path).loadRes(dt)
            for first, second in zip(theirs.dataset["annotations"], ours.dataset["annotations"]):
                for name in ("id", "area", "bbox", "segmentation"):
                    self.assertEqual(name in first, name in second, name)
                    if name in first:
                        value = first[name].tolist() if hasattr(first[name], "tolist") else first[name]
                        self.assertEqual(value, second[name], (name, first, second))
            self.assertEqual(theirs.getAnnIds(areaRng=[100, 2000]), ours.getAnnIds(areaRng=[100, 2000]))
            self.assertEqual(ours.getAnnIds(iscrowd=0), [one["id"] for one in ours.dataset["annotations"]])

    def test_masks_of_annotations(self):
        import numpy as np
        from pycocotools.coco import COCO
        count = 0
        for _, gt, dt in self.some(("segm",)):
            path = self.write("gt.json", gt)
            with contextlib.redirect_stdout(io.StringIO()):
                theirs = COCO(path)
            ours = assay.COCO(path)
            for number, annotation in theirs.anns.items():
                try:
                    expected = theirs.annToMask(annotation)
                except Exception:
                    continue
                count += 1
                self.assertTrue(np.array_equal(expected, ours.annToMask(ours.anns[number])))
                self.assertEqual(theirs.annToRLE(annotation), ours.annToRLE(ours.anns[number]))
        self.assertGreater(count, 5)

    def test_run_lengths(self):
        import numpy as np
        from assay import _masks
        from pycocotools import mask
        random = np.random.default_rng(FIRST)
        for share in (0, 0.01, 0.2, 0.5, 0.99, 1):
            pixels = np.asfortranarray(random.random((37, 301)) < share, dtype=np.uint8)
            rle = mask.encode(pixels)
            lengths = _masks.runs(rle)
            self.assertEqual(_masks.area(lengths), mask.area(rle))
            self.assertEqual(_masks.box(lengths, 37), mask.toBbox(rle).tolist())
            self.assertTrue(np.array_equal(_masks.to_mask({"segmentation": rle}, (37, 301)), pixels))

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

        refused("areaRng", areaRng=[[0, 10]], areaRngLbl=["all"])
        refused("iouThrs", iouThrs=[])
        refused("useSegm", useSegm=1)
        with self.assertRaisesRegex(RuntimeError, "evaluate"):
            assay.COCOeval(coco, coco.loadRes(dt), "bbox").accumulate()
        one = assay.COCOeval(coco, coco.loadRes(dt), "bbox")
        one.evaluate()
        one.params.iouThrs = one.params.iouThrs[:2]
        with self.assertRaisesRegex(ValueError, "iouThrs was changed after evaluate"):
            one.accumulate()
        other = assay.Params("bbox")
        other.imgIds, other.catIds = [7], [2, 9, 10]
        one.accumulate(other)
        self.assertEqual(one.eval["params"], other)
        other.imgIds, other.areaRng = [7], [*other.areaRng, other.areaRng[0]]
        with self.assertRaisesRegex(ValueError, "areaRng .* is longer"):
            one.accumulate(other)

    def test_keypoints_without_classes_are_refused(self):
        gt = {"images": [{"id": 1}], "categories": [{"id": 1, "name": "person"}], "annotations": []}
        coco = assay.COCO(gt)
        dt = coco.loadRes([{"image_id": 1, "category_id": 1, "keypoints": [1, 2, 1] * 17, "score": 1}])
        one = assay.COCOeval(coco, dt, "keypoints")
        one.params.useCats = 0
        with self.assertRaisesRegex(ValueError, "useCats=0 is not supported for keypoints"):
            one.evaluate()
        with self.assertRaisesRegex(ValueError, "keypoints and no segmentation"):
            assay.COCOeval(coco, dt, "segm").evaluate()

    def test_polygons_need_pycocotools(self):
        code = ("import sys; sys.path.insert(0, sys.argv[1]); sys.modules['pycocotools'] = None\n"
                "import assay\n"
                "gt = assay.COCO({'images': [{'id': 1, 'width': 4, 'height': 3}], 'annotations': []})\n"
                "rle = {'size': [3, 4], 'counts': [3, 3, 6]}\n"
                "print(gt.annToMask({'image_id': 1, 'segmentation': rle}).tolist())\n"
                "try: gt.annToMask({'image_id': 1, 'segmentation': [[0, 0, 1, 0, 1, 1]]})\n"
                "except ImportError as error: print(error)")
        done = subprocess.run([sys.executable, "-c", code, os.path.join(ROOT, "Python")], capture_output=True, text=True)
        self.assertEqual(done.stdout.splitlines(), ["[[0, 1, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0]]",
                                                    "the mask of a polygon needs pycocotools: pip install pycocotools"],
                         done.stderr)

    def test_a_similarity_of_ones_own_is_not_called(self):
        class Own(assay.COCOeval):
            def computeIoU(self, image, category):
                raise AssertionError

        gt, dt = boxes()
        coco = assay.COCO(gt)
        with self.assertWarnsRegex(assay.AssayWarning, "computeIoU of Own is not called"):
            Own(coco, coco.loadRes(dt), "bbox").evaluate()
        with self.assertRaisesRegex(TypeError, "cocoDt is a list; expected a COCO"):
            assay.COCOeval(coco, dt, "bbox")

    def test_ids_that_objects_share(self):
        gt, dt = boxes()
        gt["annotations"].append(dict(gt["annotations"][0], bbox=[50, 50, 5, 5]))
        coco = assay.COCO(gt)
        with self.assertWarnsRegex(assay.AssayWarning, "share an id"):
            assay.COCOeval(coco, coco.loadRes(dt), "bbox").evaluate()

    def test_ground_truth_that_gzip_compressed(self):
        import gzip
        gt, _ = boxes()
        with gzip.open(self.path("gt.json.gz"), "wt") as file:
            json.dump(gt, file)
        self.assertEqual(assay.COCO(self.path("gt.json.gz")).dataset, gt)

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

    def test_the_notebook_runs(self):
        """With Jupyter's nbclient where it is installed, else cell by cell."""
        if importlib.util.find_spec("PIL") is None:
            self.skipTest("no pillow here")
        with open(os.path.join(ROOT, "Docs", "Notebook.ipynb"), encoding="utf-8") as file:
            notebook = json.load(file)
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        self.assertGreater(len(cells), 5)
        self.assertEqual([(cell["outputs"], cell["execution_count"]) for cell in cells], [([], None)] * len(cells))
        before = os.getcwd()
        os.chdir(self.folder)
        try:
            if all(importlib.util.find_spec(name) for name in ("nbclient", "nbformat", "ipykernel")):
                import nbclient
                import nbformat
                code = f"import sys; sys.path.insert(0, {os.path.join(ROOT, 'Python')!r})"
                notebook["cells"].insert(0, dict(cells[0], id="path", source=code))
                executed = nbclient.NotebookClient(nbformat.reads(json.dumps(notebook), 4), timeout=120).execute()
                images = [one for cell in executed["cells"] for one in cell.get("outputs", ())
                          if "data:image/png" in str(one.get("data", {}).get("text/html"))]
                self.assertEqual(len(images), 1)
            else:
                names = {}
                for number, cell in enumerate(cells):
                    with contextlib.redirect_stdout(io.StringIO()):
                        exec(compile("".join(cell["source"]), f"Docs/Notebook.ipynb cell {number}", "exec"), names)
        finally:
            os.chdir(before)
        self.assertEqual(os.listdir(self.folder), [])

    def test_the_wheel_and_the_guide_name_one_python(self):
        sys.path.insert(0, os.path.join(ROOT, "Scripts"))
        try:
            oldest = script("wheel").PYTHON
        finally:
            sys.path.pop(0)
        with open(os.path.join(ROOT, "Docs", "Python.md"), encoding="utf-8") as file:
            self.assertIn(f"Python {oldest} or newer", file.read())
        try:
            from importlib.metadata import metadata
            needed = metadata("openvino")["Requires-Python"]
        except ImportError:
            return
        self.assertEqual(needed, f">={oldest}")

    def test_every_public_name_is_documented(self):
        with open(os.path.join(ROOT, "Docs", "Python.md"), encoding="utf-8") as file:
            text = file.read()
        for name in assay.__all__:
            self.assertIn(f"assay.{name}", text)
        for name in [name for name in vars(assay.Catalog) if not name.startswith("_")]:
            self.assertIn(f"catalog.{name}(", text)


if __name__ == "__main__":
    unittest.main()
