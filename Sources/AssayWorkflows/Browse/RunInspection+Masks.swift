import AssayCore
import AssayMetrics
package import AssayStore

extension SemanticSegmentation: InspectedTask {
  package static let scatterField: String? = "iou"

  package static func changes(
    from first: String, to second: String
  ) -> (worse: String, better: String) {
    ("\(second).iou < \(first).iou", "\(second).iou > \(first).iou")
  }

  /// The number of bins of the histogram of IoUs.
  private static let bins = 20

  package static func inspection(
    of run: EvaluatedRun<Self>, _ details: SegmentationDetails, in catalog: Catalog
  ) throws -> RunInspection {
    let (name, subject, task) = (run.run.name, run.evaluationSubject, run.run.task)
    let scores = details.scores.samples.map(\.iou)
    var inspection = RunInspection { filter in
      guard filter.outcome == nil else {
        throw InspectionError.otherOutcome(filter.outcome?.rawValue ?? "", run: name, task)
      }
      let field = "\(subject).iou"
      let terms = filter.isBounded ? filter.terms(of: field) : ["\(field) >= 0"]
      guard let category = filter.category ?? filter.truth else {
        let indices = scores.indices.filter { index in
          scores[index].map { filter.contains($0) } ?? false
        }
        return RunInspection.Choice(
          indices: indices, expressions: [terms.joined(separator: " and ")])
      }
      return RunInspection.Choice(
        indices: nil,
        expressions: [
          (["count(\(QueryWords.spelled(category))) > 0"] + terms).joined(separator: " and ")
        ])
    }
    var counts = Array(repeating: 0, count: bins)
    for score in scores.compactMap(\.self) {
      let bin = (0..<bins).last { score >= Double($0) / Double(bins) } ?? 0
      counts[bin] += 1
    }
    inspection.members = [
      .init("sample_iou", .array(counts.map { JSONValue($0) })),
      .init("without_iou", JSONValue(scores.count { $0 == nil })),
    ]
    return inspection
  }
}
