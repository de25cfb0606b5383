package import AssayCore
import AssayFormats
import AssayMetrics

extension DetectionEvaluation {
  /// The evaluation as `assay evaluate --json` prints it: plain numbers under the keys of `MetricKind`.
  package var json: JSONValue {
    var members: [JSONValue.Member] = []
    switch subject {
    case .run(let run, let model, let view):
      members += [
        .init("run", .string(run)), .init("evaluation", JSONValue(name)),
        .init("model", JSONValue(model)), .init("view", .string(view)),
      ]
    case .files(let truth, let results, _):
      members += [.init("gt", .string(truth)), .init("dt", .string(results))]
    }
    members += [
      .init("task", .string(ModelTask.detection.rawValue)),
      .init("iou_type", .string(matching.overlap.rawValue)), .init("n", JSONValue(count)),
      .init("truths", JSONValue(truths)), .init("detections", JSONValue(detections)),
    ]
    members += DetectionScoresJSON(scores, errors, classes: classes).namedMembers
    members += [
      .init("settings", settings.json(of: .detection)),
      .init(
        "slices",
        .array(
          slices.map { slice in
            .object(
              [
                .init("by", .string(slice.by)), .init("value", .string(slice.value)),
                .init("n", JSONValue(slice.count)),
              ] + DetectionScoresJSON(slice.scores, nil, classes: classes).members)
          })),
      .init("notes", .array(notes.map { .string($0) })),
    ]
    return .object(members)
  }

  /// The samples with what was found in them as CSV, in ascending order of their ids in the source; undefined
  /// numbers are empty.
  package var samplesCSV: String {
    var text = "sample,truths,detections,true_positives,false_positives,false_negatives,"
    text += "precision,recall,class_errors,place_errors,both_errors,duplicates,"
    text += "background_errors,missed\n"
    for (key, sample) in zip(keys, counts) {
      let numbers = [
        sample.truths, sample.detections, sample.truePositives, sample.falsePositives,
        sample.falseNegatives,
      ].map(String.init)
      let shares = [sample.precision, sample.recall].map { $0.map { "\($0)" } ?? "" }
      let errors = DetectionErrorKind.allCases.map { String(sample.errors[$0] ?? 0) }
      text += CSVText.field(key) + ","
      text += (numbers + shares + errors).joined(separator: ",") + "\n"
    }
    return text
  }
}
