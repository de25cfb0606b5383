import AssayCore
package import AssayMetrics
package import AssayStore

extension MultiLabelClassification: InspectedTask {
  package static let scatterField: String? = "wrong_labels"

  package static func changes(
    from first: String, to second: String
  ) -> (worse: String, better: String) {
    (
      "\(second).wrong_labels > \(first).wrong_labels",
      "\(second).wrong_labels < \(first).wrong_labels"
    )
  }

  package static func inspection(
    of run: EvaluatedRun<Self>, _ details: MultiLabelDetails, in catalog: Catalog
  ) throws -> RunInspection {
    let (name, subject, task) = (run.run.name, run.evaluationSubject, run.run.task)
    var inspection = RunInspection { filter in
      let category = try (filter.category ?? filter.truth).map {
        try EvaluatedRun<Self>.place(of: $0, in: details.classes, run: name)
      }
      func has(_ list: [Int]) -> Bool { category.map { list.contains($0) } ?? !list.isEmpty }
      let indices = try details.keys.indices.filter { index in
        let sample = details.sample(index)
        switch filter.outcome {
        case nil: return category == nil || has(sample.labels)
        case .right?: return sample.missed.isEmpty && sample.added.isEmpty
        case .wrong?: return !(sample.missed.isEmpty && sample.added.isEmpty)
        case .truePositive?: return has(sample.labels.filter { sample.predicted.contains($0) })
        case .falsePositive?: return has(sample.added)
        case .falseNegative?: return has(sample.missed)
        case let outcome?: throw InspectionError.otherOutcome(outcome.rawValue, run: name, task)
        }
      }
      let label = category.map { "label = \(QueryWords.spelled(details.classes[$0]))" }
      let term: String? =
        switch filter.outcome {
        case nil: "\(subject).wrong_labels >= 0"
        case .right?: "\(subject).wrong_labels = 0"
        case .wrong?: "\(subject).wrong_labels > 0"
        case .falsePositive?: "\(subject).added_labels > 0"
        case .falseNegative?: "\(subject).missed_labels > 0"
        default: nil
        }
      // With a class, a term about all labels of a sample selects the same only in some datasets.
      let both = [label, term].compactMap(\.self).joined(separator: " and ")
      let negated = label.map { "not \($0) and \(subject).added_labels > 0" }
      return RunInspection.Choice(
        indices: indices,
        expressions: [both] + (filter.outcome == .falsePositive ? [negated].compactMap(\.self) : [])
      )
    }
    inspection.members = [.init("sweep", sweep(details))]
    return inspection
  }

  /// The maximum number of classes whose counts at each threshold are sent.
  private static let sweptClasses = 1_000

  /// The counts at each threshold: of each class those of true positives and of predictions; `null` for too many classes.
  private static func sweep(_ details: MultiLabelDetails) -> JSONValue {
    guard details.classes.count <= sweptClasses else { return .null }
    let sweep = LabelSweep(details.tally)
    func list(_ counts: some Sequence<Int>) -> JSONValue { .array(counts.map { JSONValue($0) }) }
    return [
      "thresholds": .array(sweep.thresholds.map { .number($0) }),
      "truths": list(sweep.truths), "exact": list(sweep.exact),
      "hits": .array(details.classes.indices.map { list(sweep.hits(of: $0)) }),
      "predictions": .array(details.classes.indices.map { list(sweep.predictions(of: $0)) }),
    ]
  }
}
