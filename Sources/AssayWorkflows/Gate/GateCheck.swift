package import AssayCore
import AssayInference
import AssayMetrics
import AssayReports
package import AssayStore

/// Checks an evaluation against a gate expression.
package struct GateCheck {
  private let catalog: Catalog
  private let progress: any ProgressSink

  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// Evaluates a run and checks its metrics.
  ///
  /// - Parameters:
  ///   - run: RUN or RUN@EVALUATION.
  ///   - expression: `accuracy >= 0.58 and recall(disgust) >= base - 0.01`, for masks `mean_iou >=
  ///     0.7 and class_iou(person) >= base`, for objects `AP >= 0.3 and per_category_ap(person) >=
  ///     base`.
  ///   - base: the value of `base`: a RUN, or a file written by `assay evaluate --json` (a path
  ///     that exists, or ends in `.json`).
  ///   - settings: the evaluation settings; intervals are not computed.
  ///   - decision: a decision file, whose coverage and selective risk are computed for the run; `nil` for
  ///     the decision that the run was predicted with.
  /// - Throws: `ExpressionError` for an unknown key or class; ``GateError``, for example if the
  ///   base has other samples; ``EvaluationError``, `StoreError`.
  package func check(
    _ run: String, _ expression: String, base: String?, _ settings: EvaluationSettings,
    decision: String? = nil
  ) throws -> GateOutcome {
    let (gate, keyNotes) = Self.withPresentKeys(try GateExpression.parse(expression))
    guard !gate.needsBase || base != nil else { throw GateError.noBase(expression) }
    if let base, !gate.needsBase { throw GateError.unusedBase(base, expression) }
    var own = settings
    own.decision = try decision.map { try Self.decision($0, for: run, gate, in: catalog) }
    let evaluated = try self.evaluate(run, own)
    let numbers = evaluated.numbers
    for term in gate.terms { try numbers.check(term, in: gate.source) }
    guard gate.needsBase, let base else {
      return GateOutcome(
        subject: run, base: nil, terms: gate.terms.map { Self.outcome($0, numbers, nil) },
        notes: keyNotes + Self.directionNotes(gate) + settings.normalizationNotes
          + Self.leftOutNotes(evaluated) + Self.thresholdNotes(evaluated)
          + (try decisionNotes(gate, evaluated, own)))
    }
    let baseNumbers: GateNumbers
    var notes: [String]
    if Self.isFile(base) {
      baseNumbers = try read(base)
      notes = try fileNotes(evaluated, base, baseNumbers)
    } else {
      let reference = try RunReference(base, in: catalog)
      try SamplePairs.checkRuns((run, evaluated.run), (base, reference.run))
      let other = try evaluate(base, settings)
      baseNumbers = other.numbers
      notes = []
      try checkSamples(of: evaluated, other)
    }
    notes += try truthNotes(on: run, truth(of: run), base, baseNumbers.truth ?? truth(of: base))
    return GateOutcome(
      subject: run, base: base, terms: gate.terms.map { Self.outcome($0, numbers, baseNumbers) },
      notes: keyNotes + Self.directionNotes(gate) + notes + settings.normalizationNotes
        + Self.leftOutNotes(evaluated) + Self.thresholdNotes(evaluated)
        + (try decisionNotes(gate, evaluated, own)))
  }

  /// Notes on samples that the decision behind the metrics was made on.
  private func decisionNotes(
    _ gate: GateExpression, _ evaluated: Evaluated, _ settings: EvaluationSettings
  ) throws -> [String] {
    guard Self.usesDecision(gate),
      let decision = try settings.decision ?? evaluated.run.ownDecision()
    else { return [] }
    return decision.overlapNotes(evaluated.run, where: evaluated.numbers.filter, in: catalog)
  }

  /// Returns whether an expression has a metric of decisions.
  private static func usesDecision(_ gate: GateExpression) -> Bool {
    gate.terms.contains {
      [MetricKind.coverage, .selectiveRisk].map(\.rawValue).contains($0.metric.text)
    }
  }

  /// A decision file that the expression uses and that is for the run.
  ///
  /// - Throws: ``DecisionError``, ``GateError/unusedDecision(_:_:)``, `InferenceError`, `StoreError`.
  private static func decision(
    _ path: String, for name: String, _ gate: GateExpression, in catalog: Catalog
  ) throws -> DecisionFile {
    let decision = try DecisionFile.read(path).decision
    let run = try RunReference(name, in: catalog).run
    try decision.check(for: run, file: path)
    guard decision.method == .clopperPearson else {
      throw DecisionError.sets(file: path, what: "a gate")
    }
    guard usesDecision(gate) else {
      throw GateError.unusedDecision(path, gate.source)
    }
    return decision
  }

  /// The expression with former keys replaced by current ones, and a note on each replacement.
  private static func withPresentKeys(
    _ gate: GateExpression
  ) -> (gate: GateExpression, notes: [String]) {
    var (gate, notes) = (gate, [String]())
    for index in gate.terms.indices {
      let key = gate.terms[index].metric.text
      guard let present = MetricKind(key: key)?.rawValue ?? GateNumbers.renamedCounts[key],
        present != key
      else { continue }
      gate.terms[index].metric.text = present
      notes.append("\(key) is now called \(present); the next version will not accept \(key)")
    }
    return (gate, notes)
  }

  /// Notes on terms that worse values satisfy.
  private static func directionNotes(_ gate: GateExpression) -> [String] {
    gate.terms.compactMap { term in
      guard let kind = MetricKind(rawValue: term.metric.text),
        let isBetterHigher = kind.isBetterHigher
      else { return nil }
      let isMetByWorse =
        switch term.comparator {
        case .less, .lessOrEqual: isBetterHigher
        case .greater, .greaterOrEqual: !isBetterHigher
        case .equal, .notEqual: false
        }
      return isMetByWorse
        ? "worse values pass “\(term.text)”: for \(kind.rawValue), \(isBetterHigher ? "higher" : "lower") "
          + "values are better"
        : nil
    }
  }

  /// The ledger entry of the ground truth that a run is evaluated with; 0 for the imported ground
  /// truth.
  private func truth(of name: String) throws -> Int64 {
    guard !Self.isFile(name) else { return 0 }
    if let kept = try RunReference(name, in: catalog).evaluation { return kept.ledgerSequence ?? 0 }
    return catalog.truth.truth == nil ? 0 : try catalog.truthSequence() ?? 0
  }

  /// Rejects a base whose samples differ from those of the run.
  ///
  /// - Throws: ``EvaluationError/nothingShared(_:_:)``, ``GateError/otherSamples(_:)``.
  private func checkSamples(of evaluated: Evaluated, _ base: Evaluated) throws {
    let shared = try SamplePairs.places(
      (evaluated.name, evaluated.samples), (base.name, base.samples)
    )
    .count
    guard shared < evaluated.samples.count || shared < base.samples.count else { return }
    throw GateError.otherSamples(
      GateError.Samples(
        run: evaluated.name, base: base.name, view: evaluated.run.view, shared: shared,
        onlyRun: evaluated.samples.count - shared, onlyBase: base.samples.count - shared,
        leftOut: [evaluated, base].flatMap { side in
          side.leftOut.reasons.map { "left out of \(side.name): \($0)" }
        }))
  }

  /// Rejects a base file whose samples differ from those of the run, as far as the file identifies
  /// them.
  ///
  /// - Returns: a note if the file does not identify them.
  /// - Throws: ``GateError/otherTask(_:_:_:_:)``, ``GateError/otherSamples(_:)``,
  ///   ``GateError/otherSampleCount(_:_:_:_:view:)``, ``EvaluationError``, `StoreError`.
  private func fileNotes(
    _ evaluated: Evaluated, _ base: String, _ numbers: GateNumbers
  ) throws -> [String] {
    guard numbers.task == evaluated.run.task else {
      throw GateError.otherTask(evaluated.name, evaluated.run.task, base, numbers.task)
    }
    let known = try samples(of: numbers, base, evaluated)
    let own = Set(evaluated.samples.map(\.id))
    if let known {
      let shared = own.intersection(known).count
      guard shared > 0 else { throw EvaluationError.nothingShared(evaluated.name, base) }
      // If the file has as many samples as its view, the base covers all of them.
      let isWhole = numbers.count == known.count
      guard shared == own.count, !isWhole || shared == known.count else {
        throw GateError.otherSamples(
          GateError.Samples(
            run: evaluated.name, base: base, view: evaluated.run.view, shared: shared,
            onlyRun: own.count - shared,
            onlyBase: isWhole ? known.count - shared : nil,
            leftOut: evaluated.leftOut.reasons.map { "left out of \(evaluated.name): \($0)" }))
      }
      if isWhole { return [] }
    }
    if let count = numbers.count, count != own.count {
      throw GateError.otherSampleCount(
        evaluated.name, own.count, base, count, view: evaluated.run.view)
    }
    // The same view, without samples that every model leaves out.
    if let known, !evaluated.isStored, !evaluated.leftOut.dependsOnModel,
      known == samplesOfView(evaluated)
    {
      return []
    }
    return [
      "the base \(base) does not list its samples, so only their number is compared; give the base as a run "
        + "to compare the samples"
    ]
  }

  /// The samples of the view in a file that match its filter; `nil` if they are unknown in this
  /// catalog.
  ///
  /// - Throws: ``EvaluationError/otherDataset(_:dataset:_:otherDataset:)``.
  private func samples(
    of numbers: GateNumbers, _ base: String, _ evaluated: Evaluated
  ) throws(EvaluationError) -> Set<Int64>? {
    guard let view = numbers.view, let selection = try? catalog.resolve(view) else { return nil }
    guard selection.dataset.id == evaluated.run.dataset.id else {
      throw .otherDataset(
        evaluated.name, dataset: evaluated.run.dataset.name, base,
        otherDataset: selection.dataset.name)
    }
    // A filter that refers to runs of another catalog cannot be evaluated here.
    return (try? catalog.samples(in: selection, where: numbers.filter)).map {
      Set($0.map(\.id))
    }
  }

  /// The samples of a run's view that match the filter of its evaluation.
  private func samplesOfView(_ evaluated: Evaluated) -> Set<Int64>? {
    guard let selection = try? catalog.resolve(evaluated.run.view) else { return nil }
    return (try? catalog.samples(in: selection, where: evaluated.numbers.filter)).map {
      Set($0.map(\.id))
    }
  }

  private func truthNotes(
    on run: String, _ truth: Int64, _ base: String, _ other: Int64
  ) -> [String] {
    guard truth != other else { return [] }
    func words(_ sequence: Int64) -> String {
      sequence == 0
        ? "the imported ground truth" : "the ground truth corrected up to entry \(sequence)"
    }
    return [
      "\(run) is evaluated against \(words(truth)), the base \(base) against \(words(other)); the "
        + "corrections may cause part of the difference"
    ]
  }

  private static func isFile(_ name: String) -> Bool {
    name.hasSuffix(".json") || name.contains("/")
  }

  /// Notes on the samples that the metrics are not about because of the run. Those without a label are in no run's
  /// metrics.
  private static func leftOutNotes(_ evaluated: Evaluated) -> [String] {
    evaluated.leftOut.ofModel.reasons.map { "left out: \($0)" }
  }

  /// A note on the thresholds of a multi-label run if they are not the default.
  private static func thresholdNotes(_ evaluated: Evaluated) -> [String] {
    let usual = NumberText.short(LabelThresholds.usual)
    guard evaluated.run.task.output == .labels, evaluated.thresholds != usual else { return [] }
    return ["thresholds of \(evaluated.name): \(evaluated.thresholds)"]
  }

  /// An evaluated run: its metrics and its samples.
  private struct Evaluated {
    var name: String
    var run: RunRecord
    var numbers: GateNumbers
    var samples: [SampleRecord]
    /// The excluded samples; empty for a stored evaluation, which does not store them.
    var leftOut: LeftOutSamples
    var isStored: Bool
    /// The thresholds in words.
    var thresholds: String
  }

  private func evaluate(_ run: String, _ settings: EvaluationSettings) throws -> Evaluated {
    var settings = settings
    settings.intervals = false
    let reference = try RunReference(run, in: catalog)
    try settings.check(for: reference.run.task, run: run)
    return try evaluate(Tasks.type(of: reference.run.task), reference, settings, as: run)
  }

  private func evaluate<Task: EvaluatedTask>(
    _ task: Task.Type, _ reference: RunReference, _ settings: EvaluationSettings, as name: String
  ) throws -> Evaluated {
    let (evaluation, run) = try Evaluator<Task>(catalog: catalog, progress: progress)
      .evaluate(reference, settings)
    return Evaluated(
      name: name, run: run.run, numbers: try GateNumbers(evaluation.json(), path: name),
      samples: run.samples,
      leftOut: run.leftOut, isStored: reference.evaluation != nil,
      thresholds: evaluation.settings.thresholdWords)
  }

  private func read(_ name: String) throws -> GateNumbers {
    let tree = try DirectoryTree(name)
    guard tree.isSingleFile else {
      throw EvaluationError.noEvaluationFile(name, reason: "it is a folder")
    }
    let bytes = try tree.readAll(tree.name, limit: 8 << 20)
    do {
      return try GateNumbers(
        JSONValue(parsing: String(decoding: bytes, as: UTF8.self)), path: name)
    } catch let error as JSONError {
      throw EvaluationError.noEvaluationFile(name, reason: "\(error)")
    }
  }

  private static func outcome(
    _ term: GateExpression.Term, _ numbers: GateNumbers, _ base: GateNumbers?
  ) -> GateOutcome.Term {
    let value = numbers.value(of: term)
    let start = term.bound.isRelativeToBase ? base?.value(of: term) : 0
    let bound = start.map { $0 + term.bound.constant }
    var outcome = GateOutcome.Term(
      text: term.text, value: value, comparator: term.comparator.rawValue, bound: bound,
      isMet: false)
    if value == nil {
      outcome.reason = numbers.undefinedReason(term)
    } else if bound == nil {
      outcome.reason = "it is undefined in the base"
    }
    if let value, let bound { outcome.isMet = term.comparator.holds(value, bound) }
    return outcome
  }
}

/// An error that prevents a gate check.
package enum GateError: Error, Hashable, CustomStringConvertible {
  case noBase(String)
  /// A base that the expression does not use.
  case unusedBase(String, String)
  /// A decision that the expression does not use.
  case unusedDecision(String, String)
  /// A run, and a base file for a different task.
  case otherTask(String, ModelTask, String, ModelTask)
  /// A base with other samples than the run.
  case otherSamples(Samples)
  /// A run, a base file that does not list its samples, and the number of samples of each; the
  /// run's view.
  case otherSampleCount(String, Int, String, Int, view: String)

  /// The samples of a run and of its base.
  package struct Samples: Hashable, Sendable {
    package var run: String
    package var base: String
    /// The run's view.
    package var view: String
    /// The number of common samples.
    package var shared: Int
    /// The numbers of samples that only one of them has; for the base, `nil` if its file does not
    /// state it.
    package var onlyRun: Int
    package var onlyBase: Int?
    /// Notes on samples excluded from either, one sentence each.
    package var leftOut: [String]
  }

  package var description: String {
    switch self {
    case .noBase(let expression):
      "“\(expression)” uses base; specify it with --base RUN or --base FILE.json"
    case .unusedBase(let base, let expression):
      """
      “\(expression)” does not use base, so --base \(base) has no effect; use base in it \
      (AP >= base - 0.01), or omit --base
      """
    case .unusedDecision(let path, let expression):
      """
      “\(expression)” does not use coverage or selective_risk, so --decision \(path) has no effect; use one of \
      them (coverage >= 0.7), or omit --decision
      """
    case .otherTask(let run, let task, let base, let other):
      "\(run) is a run of \(task.rawValue) and \(base) an evaluation of \(other.rawValue); give a base of the "
        + "same task"
    case .otherSamples(let samples):
      ([
        """
        \(samples.run) and the base \(samples.base) are evaluated on different samples: \(samples.shared) in \
        both, \(samples.onlyRun) only in \(samples.run)\
        \(samples.onlyBase.map { ", \($0) only in \(samples.base)" } ?? ""); \(Self.nextStep(samples.view))
        """
      ] + samples.leftOut.map { "  " + $0 }).joined(separator: "\n")
    case .otherSampleCount(let run, let count, let base, let other, let view):
      "\(run) has \(count) samples and the base \(base) \(other), so they are evaluated on different samples; "
        + Self.nextStep(view)
    }
  }

  private static func nextStep(_ view: String) -> String {
    "evaluate the base on the same samples (\(view), with the same --where and --corrected)"
  }
}

extension ViewExpression.Comparator {
  /// The maximum difference between numbers that count as equal, relative for numbers above 1: a
  /// bound such as `base - 0.1` is a rounded difference, and a mean is a rounded sum.
  private static let tolerance = 1e-12

  /// Returns whether the comparison holds for two numbers.
  fileprivate func holds(_ first: Double, _ second: Double) -> Bool {
    let areEqual =
      first == second || abs(first - second) <= Self.tolerance * max(1, abs(second))
    return switch self {
    case .equal: areEqual
    case .notEqual: !areEqual
    case .less: first < second && !areEqual
    case .lessOrEqual: first < second || areEqual
    case .greater: first > second && !areEqual
    case .greaterOrEqual: first > second || areEqual
    }
  }
}
