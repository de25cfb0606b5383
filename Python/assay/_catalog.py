"""`Catalog`: the samples, predictions and scores of an assay catalog as pandas frames."""
import base64
import html
import json
import os
import sqlite3
import tempfile

from ._program import AssayError, numpy, options, pandas, run, run_json

# The words of `assay evaluate` for the errors that the catalog keeps.
_ERRORS = {"class": "classification", "place": "localization"}


class Catalog:
    """A catalog file, with its corrections. Nothing is kept open between calls."""

    def __init__(self, path="assay.db"):
        self.path = os.path.abspath(os.fspath(path))
        if not os.path.isfile(self.path):
            raise FileNotFoundError(f"{self.path} does not exist; assay import DATA --name NAME makes a catalog")
        if os.path.getsize(self.path) == 0:
            raise AssayError(f"{self.path} is empty; assay import DATA --name NAME makes a catalog")

    def __repr__(self):
        return f"assay.Catalog({self.path!r})"

    def _ask(self, *arguments, words=()):
        """The answer of a command. `words` are expressions and names, which may begin with a dash."""
        return run_json(*arguments, "--db", self.path, words=words)

    def _select(self, sql, arguments=()):
        """The rows of a statement as a frame. The columns are read with sqlite3, as Docs/Design.md documents them."""
        pd = pandas()
        connection = sqlite3.connect("file:" + self.path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
                                     + "?mode=ro", uri=True, timeout=30)
        try:
            cursor = connection.execute(sql, arguments)
            return pd.DataFrame.from_records(cursor.fetchall(), columns=[one[0] for one in cursor.description])
        except sqlite3.DatabaseError as error:
            raise AssayError(f"{self.path}: {error}; assay doctor --db FILE examines it") from error
        finally:
            connection.close()

    def _run(self, name):
        """The id, the task and the classes of a run, RUN or RUN@EVALUATION."""
        answer = self._ask("show", f"run:{name.partition('@')[0]}")
        row = self._select("SELECT id, task FROM run WHERE name = ?", [answer["run"]["name"]])
        return int(row["id"][0]), row["task"][0], answer["classes"]

    def _evaluation(self, name):
        """The id and the task of a run's stored evaluation; RUN is RUN@default."""
        plain, _, evaluation = name.partition("@")
        self._ask("show", f"run:{plain}")
        rows = self._select(
            "SELECT evaluation.id, run.task FROM evaluation JOIN run ON run.id = evaluation.run "
            "WHERE run.name = ? AND evaluation.name = ?", [plain, evaluation or "default"])
        if rows.empty:
            raise AssayError(f"the run {plain} has no evaluation “{evaluation or 'default'}”; "
                             f"catalog.evaluate({plain!r}) makes one")
        return int(rows["id"][0]), rows["task"][0]

    def samples(self, dataset=None, corrected=False):
        """All samples, of one dataset, view or part, or of all datasets."""
        pd = pandas()
        if dataset is not None:
            return self.query(None, dataset=dataset, corrected=corrected)
        names = [one["name"] for one in self._ask("ls", "datasets")["datasets"]]
        frames = [self.query(None, dataset=name, corrected=corrected) for name in names]
        if not frames:
            return self._samples([], "")
        return pd.concat(frames, ignore_index=True)

    def query(self, expression, dataset=None, sort=None, descending=False, limit=None, corrected=False, at=None):
        """The samples that match an expression of the view language (Docs/Queries.md)."""
        arguments = options({"in": dataset, "sort": sort, "descending": descending, "limit": limit,
                             "corrected": corrected, "at": at})
        answer = self._ask("query", *arguments, words=[expression] if expression else [])
        return self._samples(answer["samples"], answer["dataset"])

    @staticmethod
    def _samples(rows, dataset):
        pd = pandas()
        names = ["dataset", "sample", "split", "label", "labels", "width", "height", "location", "objects"]
        columns = {name: [] for name in names}
        for row in rows:
            columns["dataset"].append(dataset)
            columns["sample"].append(row["key"])
            for name in ("split", "label", "labels", "width", "height", "location"):
                columns[name].append(row.get(name))
            regions = row.get("regions")
            columns["objects"].append(None if regions is None else {one["category"]: one["count"] for one in regions})
        for name in ("frame", "time", "track"):
            if any(name in row for row in rows):
                names.append(name)
                columns[name] = [row.get(name) for row in rows]
        frame = pd.DataFrame(columns, columns=names)
        # Without rows there is nothing that pandas could see the types from.
        return frame if rows else frame.astype({name: object for name in names if name not in ("width", "height")})

    def predictions(self, run):
        """The predictions of a run; the columns depend on its task."""
        number, task, classes = self._run(run)
        if task == "detection":
            frame = self._select(
                "SELECT sample.key AS sample, runClass.name AS class, confidence AS score, x, y, "
                "detection.width AS width, detection.height AS height, area, "
                "detection.ordinal AS detection, keypoints FROM detection JOIN runSample USING (run, sample) "
                "JOIN sample ON sample.id = detection.sample "
                "JOIN runClass ON runClass.run = detection.run AND runClass.ordinal = detection.class "
                "WHERE detection.run = ? ORDER BY position, detection.ordinal", [number])
            numbers = ("score", "x", "y", "width", "height", "area")
            frame = frame.astype({name: float for name in numbers} | {"detection": "int64"})
            return _with_keypoints(frame)
        if task == "segmentation":
            return self._select(
                "SELECT sample.key AS sample, runClass.name AS class, area, meanInside AS mean_probability "
                "FROM maskPrediction JOIN runSample USING (run, sample) "
                "JOIN sample ON sample.id = maskPrediction.sample "
                "JOIN runClass ON runClass.run = maskPrediction.run AND runClass.ordinal = maskPrediction.class "
                "WHERE maskPrediction.run = ? ORDER BY position, maskPrediction.class", [number]).astype(
                {"area": float, "mean_probability": float})
        return self._scored(number, classes, task)

    def _scored(self, run, classes, task):
        np = numpy()
        frame = self._select(
            "SELECT sample.key AS sample, runClass.name AS prediction, confidence, margin, scores FROM prediction "
            "JOIN runSample USING (run, sample) JOIN sample ON sample.id = prediction.sample "
            "JOIN runClass ON runClass.run = prediction.run AND runClass.ordinal = prediction.class "
            "WHERE prediction.run = ? ORDER BY position, prediction.ordinal", [run])
        blobs = frame.pop("scores")
        if task == "multilabel":
            frame = frame[["sample"]].copy()
        if len(blobs) and not any(len(one) for one in blobs):
            # Predicted classes without scores.
            return frame.assign(confidence=np.nan, margin=np.nan)
        scores = np.frombuffer(b"".join(blobs), dtype="<f4").reshape(len(frame), len(classes))
        pd = pandas()
        return pd.concat([frame, pd.DataFrame(scores, columns=[f"score_{name}" for name in classes])], axis=1)

    def scores(self, run):
        """The metrics of a stored evaluation, RUN or RUN@EVALUATION, with intervals: a row per metric, class, slice."""
        evaluation, _ = self._evaluation(run)
        return self._select(
            "SELECT metric, category AS class, slice, value, low, high, n, defined, total FROM score "
            "WHERE evaluation = ? ORDER BY id", [evaluation]).astype({"value": float, "low": float, "high": float})

    def matches(self, run):
        """The results per sample of a stored evaluation; the columns depend on the task."""
        evaluation, task = self._evaluation(run)
        if task == "detection":
            return self._matches(evaluation)
        if task == "segmentation":
            frame = self._select(
                "SELECT sample.key AS sample, iou, dice, pixelAccuracy AS pixel_accuracy, boundaryIoU AS boundary_iou, "
                "hausdorff95, precision, recall, unsureness AS uncertainty, centreOffset AS center_offset, "
                "void AS ignored_pixels FROM pixelTally JOIN sample ON sample.id = pixelTally.sample "
                "WHERE evaluation = ? ORDER BY sample.key", [evaluation])
            return frame.astype({name: float for name in frame.columns if name not in ("sample", "ignored_pixels")})
        if task == "multilabel":
            return self._select(
                "SELECT sample.key AS sample, missed, added, rankingLoss AS ranking_loss FROM labelTally "
                "JOIN sample ON sample.id = labelTally.sample WHERE evaluation = ? ORDER BY sample.key", [evaluation])
        frame = self._select(
            "SELECT sample.key AS sample, t.name AS truth, p.name AS prediction, rank, confidence, margin, "
            "truth = predicted AS correct FROM tally JOIN sample ON sample.id = tally.sample "
            "JOIN evaluationClass t ON t.evaluation = tally.evaluation AND t.ordinal = truth "
            "LEFT JOIN evaluationClass p ON p.evaluation = tally.evaluation AND p.ordinal = predicted "
            "WHERE tally.evaluation = ? ORDER BY sample.key", [evaluation])
        frame = frame.astype({"correct": bool, "confidence": float, "margin": float, "rank": "Int64"})
        scored = self._select(
            "SELECT 1 FROM prediction JOIN evaluation USING (run) WHERE evaluation.id = ? AND length(scores) > 0 LIMIT 1",
            [evaluation])
        if scored.empty:
            # Predicted classes without scores have no order but the first place.
            frame[["confidence", "margin"]] = float("nan")
            frame.loc[~frame["correct"], "rank"] = None
        return frame

    def _matches(self, evaluation):
        kept = self._select("SELECT iouThresholds, workingIoU FROM evaluation WHERE id = ?", [evaluation])
        working = float(kept["workingIoU"][0])
        # The working IoU is one of the stored thresholds, within rounding.
        bit = [abs(one - working) <= 1e-9 for one in json.loads(kept["iouThresholds"][0])].index(True)
        frame = self._select(
            "SELECT sample.key AS sample, evaluationClass.name AS class, confidence AS score, iou, "
            "CASE WHEN ignored >> :bit & 1 THEN 'ignored' WHEN prediction IS NULL THEN 'false negative' "
            "WHEN matched >> :bit & 1 THEN 'true positive' ELSE 'false positive' END AS result, error, "
            "prediction AS detection, annotation FROM match JOIN sample ON sample.id = match.sample "
            "JOIN evaluationClass ON evaluationClass.evaluation = match.evaluation "
            "AND evaluationClass.ordinal = match.class "
            "WHERE match.evaluation = :evaluation ORDER BY sample.key, match.ordinal",
            {"bit": bit, "evaluation": evaluation})
        frame["error"] = [_ERRORS.get(one, one) for one in frame["error"]]
        return frame.astype({"score": float, "iou": float, "detection": "Int64", "annotation": "Int64"})

    def evaluate(self, run, **settings):
        """Evaluates a run, stores the evaluation, and returns `assay evaluate --json` as a dictionary.

        Options of the command are given by name: `where="split = val"`, `as_="val"`, `corrected=True`.
        """
        return self._ask("evaluate", *options(settings), words=[run])

    def report(self, *runs, out, **settings):
        """Writes the report of a run, or the comparison of two; returns the paths of the pages."""
        answer = self._ask("report", *options(dict(settings, out=os.path.abspath(os.fspath(out)))), words=runs)
        return _paths(answer)

    def show(self, expression=None, dataset=None, run=None, sort=None, descending=False, limit=20, corrected=False):
        """A sheet with the images of the samples that match, with annotations and a run's predictions: in a notebook
        it is displayed."""
        words = [expression] if expression else []
        count = self._ask("query", *options({"in": dataset, "corrected": corrected}), "--count", words=words)["count"]
        if not count:
            return Sheet(expression, 0, [], None)
        with tempfile.TemporaryDirectory(prefix="assay-") as folder:
            sheet = os.path.join(folder, "sheet.png")
            arguments = options({"in": dataset, "run": run, "sort": sort, "descending": descending, "limit": limit,
                                  "corrected": corrected, "show": sheet})
            answer = self._ask("query", *arguments, words=words)
            with open(sheet, "rb") as file:
                return Sheet(expression, count, [one["key"] for one in answer["samples"]], file.read())


def _with_keypoints(frame):
    """A frame whose keypoints are lists of x, y and score; without the column if no detection has any."""
    blobs = frame.pop("keypoints")
    if blobs.notna().any():
        np = numpy()
        frame["keypoints"] = [None if one is None else np.frombuffer(one, dtype="<f8").tolist() for one in blobs]
    return frame


def _paths(answer):
    """The pages of a report."""
    if "reports" in answer:
        return [os.path.abspath(one["path"]) for one in answer["reports"]]
    return [os.path.abspath(answer["path"])]


class Sheet:
    """Images on one sheet: `png` has its bytes, `samples` the keys, `count` the number of samples that match."""

    def __init__(self, expression, count, samples, png):
        self.expression = expression
        self.count = count
        self.samples = samples
        self.png = png

    def __repr__(self):
        return f"<{len(self.samples)} of {self.count} samples: {self.expression or 'all'}>"

    def _repr_html_(self):
        title = html.escape(f"{len(self.samples)} of {self.count} samples: {self.expression or 'all'}")
        if self.png is None:
            return f"<p>{title}</p>"
        image = base64.b64encode(self.png).decode("ascii")
        return (f'<figure><img alt="{title}" src="data:image/png;base64,{image}">'
                f"<figcaption>{title}</figcaption></figure>")

    def save(self, path):
        """Writes the sheet as a PNG file."""
        if self.png is None:
            raise ValueError("no sample matches, so there is no sheet")
        with open(path, "wb") as file:
            file.write(self.png)
