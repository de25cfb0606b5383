import AssayCore
package import AssayMetrics
package import AssayStore

extension ImageClassification: InspectedTask {
  package static let scatterField: String? = nil

  package static func changes(
    from first: String, to second: String
  ) -> (worse: String, better: String) {
    (
      "\(first).correct = true and \(second).correct = false",
      "\(first).correct = false and \(second).correct = true"
    )
  }

  /// The number of steps of the accept threshold in 0...1.
  private static let steps = 200

  package static func inspection(
    of run: EvaluatedRun<Self>, _ details: ClassificationScores, in catalog: Catalog
  ) throws -> RunInspection {
    let tally = run.content.tally
    let (classes, name, subject, task) = (
      run.content.evaluatedClasses, run.run.name, run.subject, run.run.task
    )
    let truths = tally.truths.map(Int.init)
    let predictions = tally.predictions.map(Int.init)
    let confidences = tally.confidences
    var inspection = RunInspection { filter in
      let truth = try filter.truth.map {
        try EvaluatedRun<Self>.place(of: $0, in: classes, run: name)
      }
      let predicted = try filter.predicted.map {
        try EvaluatedRun<Self>.place(of: $0, in: classes, run: name)
      }
      var terms: [String] = []
      if let truth { terms.append("label = \(QueryWords.spelled(classes[truth]))") }
      if let predicted {
        terms.append("\(subject).label = \(QueryWords.spelled(classes[predicted]))")
      }
      switch filter.outcome {
      case .right?: terms.append("\(subject).correct = true")
      case .wrong?: terms.append("\(subject).correct = false")
      case nil: break
      case let outcome?: throw InspectionError.otherOutcome(outcome.rawValue, run: name, task)
      }
      terms += filter.terms(of: "\(subject).confidence")
      // Samples without a label have predictions, too, and are not evaluated.
      let labeled = "(\(subject).correct = true or \(subject).correct = false)"
      let isLabeled = truth != nil || filter.outcome != nil
      let indices = truths.indices.filter { index in
        truth.map { truths[index] == $0 } ?? true
          && predicted.map { predictions[index] == $0 } ?? true
          && filter.outcome.map { ($0 == .right) == (truths[index] == predictions[index]) } ?? true
          && (!filter.isBounded || filter.contains(confidences[index]))
      }
      let whole = (isLabeled ? terms : terms + [labeled]).joined(separator: " and ")
      return RunInspection.Choice(indices: indices, expressions: [whole])
    }
    guard tally.hasProbabilities else { return inspection }
    // Counts of each threshold from the confidences, the most confident first.
    let order = confidences.indices.sorted { confidences[$0] > confidences[$1] }
    var (answered, right, next) = (0, 0, 0)
    var rows: [JSONValue] = []
    for step in (0...steps).reversed() {
      let threshold = Double(step) / Double(steps)
      while next < order.count, confidences[order[next]] >= threshold {
        answered += 1
        if truths[order[next]] == predictions[order[next]] { right += 1 }
        next += 1
      }
      rows.append([.number(threshold), JSONValue(answered), JSONValue(right)])
    }
    inspection.members = [.init("accept", .array(rows.reversed()))]
    return inspection
  }
}
