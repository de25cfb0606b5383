package import AssayCore
import AssayFormats
import AssayMetrics

extension SegmentationEvaluation {
  /// The evaluation as `assay evaluate --json` prints it: plain numbers under the keys of `MetricKind`.
  package var json: JSONValue {
    var members: [JSONValue.Member] = []
    switch subject {
    case .run(let run, let model, let view):
      members += [
        .init("run", .string(run)), .init("evaluation", JSONValue(name)),
        .init("model", JSONValue(model)), .init("view", .string(view)),
      ]
    case .files(let truth, let predictions, _):
      members += [.init("gt", .string(truth)), .init("dt", .string(predictions))]
    }
    members.append(.init("task", .string(ModelTask.segmentation.rawValue)))
    members += SegmentationScoresJSON(scores).members
    if let baseline {
      members.append(
        .init(
          "baseline", ["class": .string(baseline.name), "value": .number(baseline.value)]))
    }
    if let sweep { members += [.init("sweep", sweep.json), .init("best", sweep.bestJSON)] }
    members += [
      .init("threshold", JSONValue(settings.masks.threshold)),
      .init("settings", settings.json(of: .segmentation)),
      .init(
        "slices",
        .array(
          slices.map { slice in
            .object(
              [.init("by", .string(slice.by)), .init("value", .string(slice.value))]
                + SegmentationScoresJSON(slice.scores).members)
          })),
      .init("notes", .array(notes.map { .string($0) })),
    ]
    return .object(members)
  }

  /// The samples with their scores as CSV, in the order of the run; undefined numbers are empty.
  package var samplesCSV: String {
    var text =
      "sample,iou,dice,precision,recall,pixel_accuracy,boundary_iou,centre_offset,unsureness\n"
    for (index, key) in keys.enumerated() {
      let score = scores.samples[index]
      let trait = index < traits.count ? traits[index] : SampleTraits()
      let numbers = [
        score.iou, score.dice, score.precision, score.recall, score.pixelAccuracy,
        score.boundaryIoU, trait.centreOffset, trait.unsureness,
      ]
      text +=
        CSVText.field(key) + ","
        + numbers.map { $0.map { "\($0)" } ?? "" }
        .joined(separator: ",") + "\n"
    }
    return text
  }
}
