import AssayStore

/// A description of the ground truth of a report's metrics.
struct ReportTruth {
  private let isKept: Bool
  /// The last ledger entry that the metrics include; `nil` for the imported ground truth.
  private let sequence: Int64?
  private let use: CorrectionStatus

  /// - Parameters:
  ///   - evaluation: the stored evaluation that the metrics are from; `nil` if the run was
  ///     evaluated for the report.
  ///   - use: the correction status of all datasets.
  init(_ evaluation: EvaluationRecord?, _ run: RunRecord, _ use: CorrectionStatus) {
    isKept = evaluation != nil
    self.use = use.of(run.dataset.name)
    if let evaluation {
      sequence = evaluation.ledgerSequence
    } else {
      sequence = use.used ? use.sequence ?? 0 : nil
    }
  }

  /// The line below the headline; `nil` for the imported ground truth.
  var line: String? {
    guard let sequence else { return nil }
    guard sequence > 0 else {
      return "Evaluated against the corrected ground truth; nothing is corrected yet."
    }
    var text = "Evaluated against the ground truth corrected up to entry \(sequence) of the ledger"
    if use.used, use.sequence == sequence, let counts = countsText { text += ": \(counts)" }
    return text + "."
  }

  /// The warnings to read before the metrics: the metrics do not include existing corrections, or
  /// there is a problem with the ledger.
  var warnings: [String] {
    if sequence == nil {
      var other = use
      other.used = false
      guard use.exist > 0 else { return use.problem.map { [$0] } ?? [] }
      return other.remarks
    }
    return use.problem.map { [$0] } ?? []
  }

  /// The ground truth as a fact: `the labels as imported`.
  ///
  /// - Parameter what: the evaluated annotations: `labels`, `regions`, `objects`.
  func fact(_ what: String, kept: String) -> String {
    let source = isKept ? kept : "the \(what)"
    guard let sequence else { return isKept ? source : source + " as imported" }
    return source + (isKept ? "," : " as") + " corrected up to entry \(sequence) of the ledger"
  }

  /// The number of corrections, and whether they are used; `nil` if there is no ledger, or if the
  /// metrics include other corrections than the current ones.
  var corrections: String? {
    guard use.hasLedger else { return nil }
    guard sequence != nil else { return "\(use.exist) exist, not used" }
    return countsText
  }

  private var countsText: String? {
    guard use.used, use.sequence == sequence else { return nil }
    let counts = use.counts
    func count(_ number: Int, _ one: String, _ several: String) -> String {
      "\(number) \(number == 1 ? one : several)"
    }
    var text =
      count(counts.corrections, "correction", "corrections") + " to "
      + count(counts.samples, "sample", "samples") + " of the dataset"
    if counts.leftOut > 0 { text += ", \(count(counts.leftOut, "sample", "samples")) left out" }
    return text
  }
}
