package import AssayCore
import AssayInference
import AssayMetrics
package import AssayStore

/// The result of a decision on the predictions of a run.
package struct AppliedDecision: Sendable {
  /// The counts of a class or of all predictions.
  package struct Part: Sendable, Hashable {
    /// The class; `nil` for all.
    package var category: String?
    /// The number of predictions; with prediction sets the number of samples, of a true class those of
    /// the class.
    package var count = 0
    /// The number of predictions with ground truth; with prediction sets of labeled samples.
    package var labeled = 0
    /// The number of accepted predictions; with prediction sets of samples whose set has one class.
    package var accepted = 0
    /// The number of accepted predictions with ground truth, and of errors among them; with prediction
    /// sets of labeled samples, and of those whose set does not contain the true class.
    package var checked = 0
    package var errors = 0
    /// The number of classes in all sets.
    package var members = 0

    /// The share of accepted predictions; `nil` without any.
    package var coverage: Double? { count == 0 ? nil : Double(accepted) / Double(count) }
    /// The share of errors; `nil` if nothing is checked.
    package var risk: Double? { checked == 0 ? nil : Double(errors) / Double(checked) }
    /// The 95 % interval of the risk (Clopper–Pearson).
    package var interval: ClosedRange<Double>? { ClopperPearson.interval(errors, in: checked) }
    /// The mean number of classes of a set; `nil` without samples.
    package var meanSize: Double? { count == 0 ? nil : Double(members) / Double(count) }
  }

  package var run: String
  package var file: String
  package var promise: String
  /// The promised risk.
  package var risk: Double
  package var isConformal: Bool
  package var filter: String?
  /// The number of samples, and of those with a label.
  package var samples = 0
  package var labeled = 0
  package var whole = Part()
  package var parts: [Part] = []
  package var notes: [String] = []

  /// True if the promise is about each class on its own.
  package var isPerClass = false

  /// The parts that the promise is about.
  package var promised: [Part] { isPerClass ? parts : [whole] }
}

/// Applies a decision to the predictions of a run.
package struct DecisionApplication {
  private let catalog: Catalog

  package init(catalog: Catalog) { self.catalog = catalog }

  /// - Parameters:
  ///   - name: RUN.
  ///   - path: the decision file; `nil` for the decision that the run was predicted with.
  /// - Throws: ``DecisionError``, `InferenceError`, ``EvaluationError``, `StoreError`.
  package func apply(
    _ path: String?, to name: String, where filter: String?
  ) throws -> AppliedDecision {
    let run = try RunReference(name, in: catalog).run
    let file = path ?? "the decision of run \(run.name)"
    guard let decision = try path.map({ try DecisionFile.read($0).decision }) ?? run.ownDecision()
    else { throw DecisionError.noDecision(run: run.name) }
    try decision.check(for: run, file: file)
    let samples = try DecisionSamples(of: run, where: filter, in: catalog)
    var applied = AppliedDecision(
      run: run.name, file: file, promise: decision.promise, risk: decision.risk,
      isConformal: decision.method == .conformal, filter: filter)
    (applied.samples, applied.labeled) = (samples.count, samples.labeled)
    applied.isPerClass = decision.scope == .category
    applied.notes = samples.notes
    if samples.labeled > 0 {
      applied.notes += decision.overlapNotes(run, where: filter, in: catalog)
    }
    if decision.method == .conformal {
      count(sets: decision, run, samples, in: &applied)
    } else {
      count(decision, run, samples, in: &applied)
    }
    if samples.labeled < samples.count {
      applied.notes.append(
        samples.labeled == 0
          ? "the samples have no label: only the coverage is known"
          : "\(samples.count - samples.labeled) of \(samples.count) samples have no label: they count for the coverage only"
      )
    }
    return applied
  }

  private func count(
    _ decision: DecisionFile, _ run: RunRecord, _ samples: DecisionSamples,
    in applied: inout AppliedDecision
  ) {
    let rule = decision.acceptance(of: run.classes)
    var parts = run.classes.map { AppliedDecision.Part(category: $0) }
    for prediction in samples.predictions {
      let place = prediction.category
      parts[place].count += 1
      parts[place].labeled += prediction.isCorrect == nil ? 0 : 1
      guard rule.accepts(place, score: Double(prediction.score)) else { continue }
      parts[place].accepted += 1
      guard let isCorrect = prediction.isCorrect else { continue }
      parts[place].checked += 1
      parts[place].errors += isCorrect ? 0 : 1
    }
    applied.parts = parts
    for part in parts {
      applied.whole.count += part.count
      applied.whole.labeled += part.labeled
      applied.whole.accepted += part.accepted
      applied.whole.checked += part.checked
      applied.whole.errors += part.errors
    }
  }

  private func count(
    sets decision: DecisionFile, _ run: RunRecord, _ samples: DecisionSamples,
    in applied: inout AppliedDecision
  ) {
    let rule = decision.acceptance(of: run.classes)
    var parts = run.classes.map { AppliedDecision.Part(category: $0) }
    for row in samples.rows {
      let members = row.scores.indices.filter {
        rule.accepts($0, score: Double(min(1, row.scores[$0])))
      }
      func add(to part: inout AppliedDecision.Part) {
        part.count += 1
        part.accepted += members.count == 1 ? 1 : 0
        part.members += members.count
        guard let truth = row.truth else { return }
        part.labeled += 1
        part.checked += 1
        part.errors += members.contains(truth) ? 0 : 1
      }
      add(to: &applied.whole)
      if let truth = row.truth, truth >= 0 { add(to: &parts[truth]) }
    }
    applied.parts = parts
  }
}

extension AppliedDecision {
  /// The result as `assay decide apply --json` prints it.
  package var json: JSONValue {
    .object(
      [
        .init("run", .string(run)), .init("decision", .string(file)),
        .init("method", .string(isConformal ? "conformal" : "clopper-pearson")),
        .init("promise", .string(promise)), .init("risk", .number(risk)),
        .init("where", JSONValue(filter)), .init("n", JSONValue(samples)),
        .init("labeled", JSONValue(labeled)),
      ] + members(of: whole) + [
        .init(
          "classes",
          .array(
            parts.map { .object([.init("class", JSONValue($0.category))] + members(of: $0)) })),
        .init("notes", .array(notes.map { .string($0) })),
      ])
  }

  private func members(of part: Part) -> [JSONValue.Member] {
    let interval = part.interval.map {
      JSONValue.array([.number($0.lowerBound), .number($0.upperBound)])
    }
    let counts: [JSONValue.Member] =
      isConformal
      ? [
        .init("sets", JSONValue(part.count)), .init("single", JSONValue(part.accepted)),
        .init("mean_set_size", JSONValue(part.meanSize)),
        .init("set_coverage", JSONValue(part.risk.map { 1 - $0 })),
      ]
      : [
        .init("predictions", JSONValue(part.count)), .init("accepted", JSONValue(part.accepted)),
        .init("coverage", JSONValue(part.coverage)), .init("selective_risk", JSONValue(part.risk)),
      ]
    return counts + [
      .init("checked", JSONValue(part.checked)), .init("errors", JSONValue(part.errors)),
      .init("interval", interval ?? .null),
    ]
  }
}
