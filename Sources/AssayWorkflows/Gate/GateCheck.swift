import AssayCore
package import AssayStore

/// Holds an evaluation against a gate expression.
package struct GateCheck {
  private let catalog: Catalog
  private let progress: any ProgressSink

  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// Judges a run and compares its numbers.
  ///
  /// - Parameters:
  ///   - run: RUN or RUN@EVALUATION.
  ///   - expression: `accuracy >= 0.58 and recall(disgust) >= base - 0.01`, of masks
  ///     `mean_iou >= 0.7 and class_iou(person) >= base`, of objects
  ///     `AP >= 0.3 and per_category_ap(person) >= base`.
  ///   - base: what `base` stands for: a RUN, or a file that `assay evaluate --json` wrote (a path that
  ///     exists, or ends in `.json`).
  ///   - settings: how to judge; intervals are not made.
  /// - Throws: `ExpressionError` for an unknown key or class; ``GateError``;
  ///   ``EvaluationError``, `StoreError`.
  package func check(
    _ run: String, _ expression: String, base: String?, _ settings: EvaluationSettings
  ) throws -> GateOutcome {
    let gate = try GateExpression.parse(expression)
    guard !gate.needsBase || base != nil else { throw GateError.noBase(expression) }
    if let base, !gate.needsBase { throw GateError.unusedBase(base, expression) }
    let numbers = try self.numbers(of: run, settings)
    for term in gate.terms { try numbers.check(term, in: gate.source) }
    let baseNumbers = try gate.needsBase ? base.map { try self.base($0, settings) } : nil
    var outcome = GateOutcome(
      subject: run, base: gate.needsBase ? base : nil,
      terms: gate.terms.map { Self.outcome($0, numbers, baseNumbers) })
    if gate.needsBase, let base {
      outcome.notes = try notes(
        on: run, truth(of: run), base, baseNumbers?.truth ?? truth(of: base))
    }
    return outcome
  }

  /// By which entry of the ledger a run is judged; 0 for the imported truth.
  private func truth(of name: String) throws -> Int64 {
    guard !Self.isFile(name) else { return 0 }
    if let kept = try RunReference(name, in: catalog).evaluation { return kept.ledgerSequence ?? 0 }
    return catalog.truth.truth == nil ? 0 : try catalog.truthSequence() ?? 0
  }

  private func notes(
    on run: String, _ truth: Int64, _ base: String, _ other: Int64
  ) -> [String] {
    guard truth != other else { return [] }
    func words(_ sequence: Int64) -> String {
      sequence == 0 ? "the imported truth" : "the truth as corrected up to entry \(sequence)"
    }
    return [
      "\(run) is judged by \(words(truth)), the base \(base) by \(words(other)): part of what lies "
        + "between them may be the corrections'"
    ]
  }

  private static func isFile(_ name: String) -> Bool {
    name.hasSuffix(".json") || name.contains("/")
  }

  private func numbers(of run: String, _ settings: EvaluationSettings) throws -> GateNumbers {
    var settings = settings
    settings.intervals = false
    let reference = try RunReference(run, in: catalog)
    try settings.check(for: reference.run.task, run: run)
    let json =
      switch reference.run.task {
      case .classification:
        try RunEvaluation(catalog: catalog).evaluate(run, settings).evaluation.json()
      case .detection:
        try RunDetection(catalog: catalog, progress: progress).evaluate(reference, settings)
          .evaluation.json
      case .segmentation:
        try RunSegmentation(catalog: catalog, progress: progress).evaluate(reference, settings)
          .evaluation.json
      }
    return try GateNumbers(json, path: run)
  }

  private func base(_ name: String, _ settings: EvaluationSettings) throws -> GateNumbers {
    guard Self.isFile(name) else {
      return try numbers(of: name, settings)
    }
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

/// Why a gate was not held against anything.
package enum GateError: Error, Hashable, CustomStringConvertible {
  case noBase(String)
  /// A base that nothing is compared with.
  case unusedBase(String, String)

  package var description: String {
    switch self {
    case .noBase(let expression):
      "“\(expression)” compares with base; say what that is with --base RUN or --base FILE.json"
    case .unusedBase(let base, let expression):
      """
      “\(expression)” compares nothing with base, so --base \(base) would change nothing; write base in it \
      (AP >= base - 0.01), or leave --base out
      """
    }
  }
}

extension ViewExpression.Comparator {
  /// Whether two numbers compare so.
  fileprivate func holds(_ first: Double, _ second: Double) -> Bool {
    switch self {
    case .equal: first == second
    case .notEqual: first != second
    case .less: first < second
    case .lessOrEqual: first <= second
    case .greater: first > second
    case .greaterOrEqual: first >= second
    }
  }
}
