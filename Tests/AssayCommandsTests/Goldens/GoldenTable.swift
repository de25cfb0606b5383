/// All golden files except those of the preparation: a new case is a new row.
///
/// ``GoldenCatalog`` creates the runs and stored evaluations; the files are in
/// `Tests/Fixtures/goldens/data`.
enum GoldenTable {
  static let all = labels + labelSets + masks + objects + corrected

  /// Classification: r1 and r2 over `faces`, raw (divided by the rows' sums), partial (40 of 66 samples),
  /// nobored (no column for one class), p over images without labels.
  static let labels = GoldenCase.cases(
    "labels",
    [
      ("evaluate", "evaluate r1", [.text, .narrow, .json]),
      ("evaluate-by-category", "evaluate r1 --no-intervals --by category", [.text]),
      ("evaluate-by-partition", "evaluate r1 --by fit-held", [.json]),
      ("evaluate-abstaining", "evaluate r1 --accept 0.45 --margin 0.1 --seed 3", [.text, .json]),
      (
        "evaluate-undefined", "evaluate r1 --where 'split = test' --as test --no-intervals",
        [.text, .json]
      ),
      (
        "evaluate-zero-division",
        "evaluate r1 --where 'split = test' --as test --no-intervals --zero-division 0", [.json]
      ),
      ("evaluate-stored", "evaluate r1@train", [.json]),
      ("evaluate-normalized", "evaluate raw --no-intervals", [.text]),
      ("evaluate-partial", "evaluate partial", [.text]),
      ("evaluate-missing-class", "evaluate nobored", [.text]),
      ("evaluate-ignore-missing", "evaluate nobored --ignore-missing --no-intervals", [.text]),
      ("evaluate-unlabeled", "evaluate p", [.text]),
      ("evaluate-other-task", "evaluate r1 --fill-holes", [.text]),
      (
        "files", "evaluate --gt big-truth.csv --dt big-scores.csv --intervals",
        [.text, .json]
      ),
      (
        "files-undefined",
        "evaluate --gt evaluate/undefined.truth.csv --dt evaluate/undefined.scores.csv",
        [.json]
      ),
      ("files-not-normalized", "evaluate --gt faces-truth.csv --dt sigmoid.csv", [.text]),
      (
        "files-normalized", "evaluate --gt faces-truth.csv --dt sigmoid.csv --normalize",
        [.text]
      ),
      ("compare", "compare r1 r2", [.text, .narrow, .json]),
      ("compare-no-intervals", "compare r1 raw --no-intervals --out diff", [.text]),
      ("compare-partial", "compare r1 partial", [.text]),
      ("compare-stored", "compare r1@train r2", [.json]),
      ("compare-classes", "compare r1 nobored", [.text]),
      (
        "gate-passed", "gate r1 'accuracy >= 0.7 and recall(happy) > 0.5 and n = 64'",
        [.text, .json]
      ),
      ("gate-failed", "gate r1 'accuracy >= 0.9 and f1(bored) >= 0.9'", [.text]),
      (
        "gate-undefined", "gate r1 'recall(bored) >= 0.1' --where 'split = test'", [.text]
      ),
      ("gate-stored", "gate r1@train 'accuracy >= 0.6'", [.text]),
      ("gate-base", "gate r1 'accuracy >= base + 0.5' --base r2", [.text, .json]),
      ("gate-base-file", "gate r2 'accuracy >= base' --base base-labels.json", [.text]),
      ("gate-other-samples", "gate r1 'accuracy >= base' --base r1@train", [.text]),
      ("gate-unknown-key", "gate r1 'acuracy >= 0.5'", [.text]),
      ("report", "report r1 --out o", [.text]),
      ("report-stored", "report r1@train", [.json]),
      ("report-unlabeled", "report p --out o", [.text]),
      (
        "report-gate", "report r1 --gate 'accuracy >= 0.7 and recall(happy) > 0.99'", [.json]
      ),
      ("report-pair", "report r1 r2 --out o", [.text]),
      ("stats", "stats faces", [.text, .json]),
      ("query", "query --in faces 'run(r1).correct = false and run(r1).confidence > 0.4'", [.text]),
      (
        "query-fields",
        "query --in faces 'run(r1).correct != run(r2).correct and not key like \"*1*\"'",
        [.text, .json]
      ),
      ("query-kinds", "query --in faces 'label = run(r1).confidence'", [.text]),
      ("show", "show r1", [.text]),
      ("export", "predictions export r1 --out o.csv --for oracle", [.text]),
    ])

  /// Multi-label classification: m1, m2 (50 of 60 images, no column for fog) and m0 (no column for dog) over `scenes`.
  static let labelSets = GoldenCase.cases(
    "label-sets", on: .labelSets,
    [
      ("evaluate", "evaluate m1", [.text, .narrow, .json]),
      ("evaluate-threshold", "evaluate m1 --threshold 0.6 --samples s.csv", [.text]),
      ("evaluate-by-split", "evaluate m1 --by split --no-intervals", [.text, .json]),
      ("evaluate-by-category", "evaluate m1 --by category --no-intervals", [.text]),
      ("evaluate-where", "evaluate m1 --where 'label = dog' --as dogs", [.text]),
      ("evaluate-stored", "evaluate m1@threshold-0.4", [.json]),
      ("evaluate-missing-class", "evaluate m0", [.text]),
      ("evaluate-ignore-missing", "evaluate m0 --ignore-missing", [.text]),
      ("evaluate-other-task", "evaluate m1 --normalize", [.text]),
      ("import-above-1", "predictions import mbad.csv --name mbad --in scenes", [.text]),
      ("compare", "compare m1 m2", [.text, .narrow, .json]),
      ("compare-thresholds", "compare m1@threshold-0.4 m2", [.text]),
      ("gate-passed", "gate m1 'mean_average_precision >= 0.5 and f1(dog) > 0.3'", [.text]),
      ("gate-failed", "gate m1 'hamming_loss <= base - 0.5' --base m2", [.text, .json]),
      ("report", "report m1 --out o", [.text]),
      ("report-stored", "report m1@threshold-0.4", [.json]),
      ("report-pair", "report m1 m2 --out o", [.text]),
      ("query", "query --in scenes 'label = dog and label = person'", [.text]),
      ("query-wrong", "query --in scenes 'run(m1@threshold-0.4).wrong_labels > 1'", [.text]),
      ("query-other-field", "query --in scenes 'run(m1).correct = false'", [.text]),
      ("stats", "stats scenes", [.text, .json]),
      ("show", "show m1", [.text]),
      ("export", "predictions export m1 --out o.csv", [.text]),
    ])

  /// Segmentation: s1 and s2 keep probability maps of one class, s3 the masks of two classes and a background,
  /// es is over images without annotations.
  static let masks = GoldenCase.cases(
    "masks",
    [
      ("evaluate", "evaluate s1", [.text, .narrow, .json]),
      ("evaluate-classes", "evaluate s3 --by split", [.text, .json]),
      ("evaluate-no-intervals", "evaluate s2 --no-intervals --no-boundary", [.text]),
      (
        "evaluate-undefined", "evaluate s3 --where 'count(car) = 0' --as none", [.text, .json]
      ),
      ("evaluate-empty-zero", "evaluate s3 --empty zero --no-intervals", [.text]),
      (
        "evaluate-cleanup",
        "evaluate s1 --threshold 0.6 --open 1 --close 1 --fill-holes --largest-component "
          + "--min-area 9 --no-intervals --samples s.csv", [.text]
      ),
      ("evaluate-sweep", "evaluate s1 --sweep 0.3..0.8:0.1 --no-intervals", [.text, .json]),
      ("evaluate-ignore", "evaluate s3 --ignore person --no-intervals", [.text]),
      ("evaluate-stored", "evaluate s1@threshold-0.4", [.json]),
      ("evaluate-stored-otherwise", "evaluate s1@threshold-0.4 --open 1", [.text]),
      ("evaluate-no-maps", "evaluate s3 --threshold 0.3", [.text]),
      ("evaluate-unlabeled", "evaluate es", [.text]),
      ("evaluate-other-task", "evaluate s1 --accept 0.5", [.text]),
      (
        "files-labels",
        "evaluate --gt segmentation/labels/gt --dt segmentation/labels/pred --classes 5 "
          + "--task segmentation", [.text, .json]
      ),
      (
        "files-binary",
        "evaluate --gt segmentation/binary/gt --dt segmentation/binary/pred --samples s.csv",
        [.json]
      ),
      (
        "files-coco",
        "evaluate --gt segmentation/coco-truth.json --dt segmentation/coco-results.json "
          + "--task segmentation --classes person", [.text]
      ),
      ("compare", "compare s1 s2", [.text, .narrow, .json]),
      ("compare-classes", "compare s1 s3 --no-intervals", [.text]),
      ("gate-passed", "gate s2 'mean_iou >= 0.3 and class_iou(car) > 0.3'", [.text]),
      ("gate-failed", "gate s1 'mean_iou >= base + 0.01' --base s2", [.text, .json]),
      ("report", "report s1 --out o", [.text]),
      ("report-classes", "report s3 --out o", [.text]),
      ("report-unlabeled", "report es --out o", [.text]),
      ("report-pair", "report s1 s2 --out o", [.text]),
      ("query", "query --sort 'run(s1).iou' --limit 3 --in street", [.text]),
      ("stats", "stats street", [.text, .json]),
    ])

  /// Detection: d1, d2 and d4 have boxes, d3 regions; e is over images without annotations.
  static let objects = GoldenCase.cases(
    "objects",
    [
      ("evaluate", "evaluate d1", [.text, .narrow, .json]),
      ("evaluate-regions", "evaluate d3", [.json]),
      ("evaluate-regions-as-boxes", "evaluate d3 --iou-type bbox --no-intervals", [.text]),
      (
        "evaluate-settings",
        "evaluate d2 --iou-thresholds 0.5,0.75 --max-dets 1,2,3 --iou 0.6 --score 0.5 "
          + "--no-intervals --samples s.csv", [.text, .json]
      ),
      ("evaluate-compat", "evaluate d1 --compat pycocotools --no-intervals", [.text]),
      ("evaluate-by-split", "evaluate d2 --by split --no-intervals", [.json]),
      ("evaluate-missing-class", "evaluate d4 --where 'count(bus) = 0' --as few", [.text]),
      (
        "evaluate-undefined",
        "evaluate d1 --where 'count(car) = 0 and count(person) = 0' --as none", [.json]
      ),
      ("evaluate-stored", "evaluate d1@strict", [.json]),
      ("evaluate-stored-otherwise", "evaluate d1@strict --score 0.1", [.text]),
      ("evaluate-unlabeled", "evaluate e", [.text]),
      ("evaluate-other-task", "evaluate d1 --threshold 0.5", [.text]),
      ("files", "evaluate --gt instances.json --dt d1.json", [.text, .json]),
      ("files-intervals", "evaluate --gt instances.json --dt d3.json --intervals", [.text]),
      ("files-odd", "evaluate --gt odd-gt.json --dt odd-dt.json", [.text, .json]),
      (
        "files-odd-compat", "evaluate --gt odd-gt.json --dt odd-dt.json --compat pycocotools",
        [.json]
      ),
      ("files-swapped", "evaluate --gt d1.json --dt instances.json", [.text]),
      ("files-cut", "evaluate --gt instances.json --dt cut.json", [.text]),
      ("compare", "compare d1 d2", [.text, .narrow, .json]),
      ("compare-regions", "compare d1 d3 --no-intervals", [.text]),
      ("compare-classes", "compare d1 d4 --no-intervals", [.text]),
      ("compare-stored", "compare d1@strict d2", [.text]),
      ("gate-passed", "gate d2 'AP >= 0.3 and per_category_ap(car) >= 0.3'", [.text]),
      ("gate-failed", "gate d1 'AP >= base - 0.01 and APm > 0.1' --base d2", [.text, .json]),
      ("gate-stored", "gate d1@strict 'AP50 >= 0.4'", [.text]),
      ("report", "report d1 --out o", [.text]),
      ("report-regions", "report d3", [.json]),
      ("report-unlabeled", "report e --out o", [.text]),
      ("report-pair", "report d1 d2 --out o", [.text]),
      (
        "query",
        "query --in street 'run(d1@strict).false_positives > 1 or run(d1@strict).missed > 2'",
        [.text]
      ),
      ("export", "predictions export d4 --format coco --out o.json", [.text]),
    ])

  /// The catalog with corrected labels, regions and objects.
  static let corrected = GoldenCase.cases(
    "corrected", on: .corrected,
    [
      ("labels-not-used", "evaluate r1 --no-intervals", [.text]),
      ("labels", "evaluate r1 --corrected", [.text, .json]),
      ("labels-at", "evaluate r1 --corrected --at 2 --no-intervals", [.text]),
      ("labels-stored", "evaluate r1@corrected", [.json]),
      ("labels-compare", "compare r1 r2 --corrected --no-intervals", [.text]),
      ("labels-gate", "gate r1 'accuracy >= base' --base r1@corrected", [.text]),
      ("labels-report", "report r1 --corrected --out o", [.text]),
      ("masks", "evaluate s3 --corrected", [.text, .json]),
      ("masks-stored", "evaluate s1@corrected", [.text]),
      ("masks-compare", "compare s1 s2 --corrected --no-intervals", [.text]),
      ("masks-report", "report s1@corrected", [.json]),
      ("objects", "evaluate d1 --corrected", [.text, .json]),
      ("objects-stored", "evaluate d1@corrected", [.text]),
      ("objects-compare", "compare d1@corrected d2", [.text]),
      ("objects-gate", "gate d2 'AP >= base' --base d1@corrected --corrected", [.text]),
      ("objects-report", "report d1 --corrected", [.json]),
      ("stats", "stats street --corrected", [.text]),
    ])
}
