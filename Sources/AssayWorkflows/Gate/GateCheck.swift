import AssayCore
package import AssayStore

/// Holds an evaluation against a gate expression.
package struct GateCheck {
  private let catalog: Catalog

  package init(catalog: Catalog) { self.catalog = catalog }

  /// Judges a run and compares its numbers.
  ///
  /// - Parameters:
  ///   - run: RUN or RUN@EVALUATION.
  ///   - expression: `accuracy >= 0.58 and recall(disgust) >= base - 0.01`.
  ///   - base: what `base` stands for: a RUN, or a file that `assay evaluate --json` wrote (a path that
  ///     exists, or ends in `.json`).
  ///   - settings: with what thresholds to abstain; intervals are not made.
  /// - Throws: `ExpressionError` for an unknown key or class; ``GateError/noBase(_:)``;
  ///   ``EvaluationError``, `StoreError`.
  package func check(
    _ run: String, _ expression: String, base: String?, _ settings: EvaluationSettings
  ) throws -> GateOutcome {
    let gate = try GateExpression.parse(expression)
    guard !gate.needsBase || base != nil else { throw GateError.noBase(expression) }
    let numbers = try self.numbers(of: run, settings)
    for term in gate.terms { try numbers.check(term, in: gate.source) }
    let baseNumbers = try gate.needsBase ? base.map { try self.base($0, settings) } : nil
    return GateOutcome(
      subject: run, base: gate.needsBase ? base : nil,
      terms: gate.terms.map { Self.outcome($0, numbers, baseNumbers) })
  }

  private func numbers(of run: String, _ settings: EvaluationSettings) throws -> GateNumbers {
    var settings = settings
    settings.intervals = false
    let evaluation = try RunEvaluation(catalog: catalog).evaluate(run, settings).evaluation
    return try GateNumbers(evaluation.json(), path: run)
  }

  private func base(_ name: String, _ settings: EvaluationSettings) throws -> GateNumbers {
    guard name.hasSuffix(".json") || name.contains("/") else {
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
      outcome.reason = undefinedReason(term)
    } else if bound == nil {
      outcome.reason = "it is undefined in the base"
    }
    if let value, let bound { outcome.isMet = term.comparator.holds(value, bound) }
    return outcome
  }

  private static func undefinedReason(_ term: GateExpression.Term) -> String {
    switch MetricKind(rawValue: term.metric.text) {
    case .answered, .answeredAccuracy, .meanAccepted:
      "it is undefined without --accept or --margin"
    case .precision: "it is undefined: the class was never predicted"
    case .recall, .f1, .auroc, .averagePrecision: "it is undefined: the class has no samples"
    case .top2, .top3, .top5: "it is undefined: there are not more classes than that"
    default: "it is undefined for these samples"
    }
  }
}

/// Why a gate was not held against anything.
package enum GateError: Error, Hashable, CustomStringConvertible {
  case noBase(String)

  package var description: String {
    switch self {
    case .noBase(let expression):
      "“\(expression)” compares with base; say what that is with --base RUN or --base FILE.json"
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
