import AssayStore

/// By whose truth a report's numbers are, in words.
struct ReportTruth {
  private let isKept: Bool
  /// The last entry of the ledger that the numbers go by; `nil` for the imported truth.
  private let sequence: Int64?
  private let use: CorrectionStatus

  /// - Parameters:
  ///   - evaluation: the stored one that the numbers are from; `nil` where the run was judged just now.
  ///   - use: what there is to say about corrections, of all datasets.
  init(_ evaluation: EvaluationRecord?, _ run: RunRecord, _ use: CorrectionStatus) {
    isKept = evaluation != nil
    self.use = use.of(run.dataset.name)
    if let evaluation {
      sequence = evaluation.ledgerSequence
    } else {
      sequence = use.used ? use.sequence ?? 0 : nil
    }
  }

  /// Beneath the headline, where the truth is a corrected one.
  var line: String? {
    guard let sequence else { return nil }
    guard sequence > 0 else {
      return "Evaluated against the corrected ground truth; nothing is corrected yet."
    }
    var text = "Evaluated against the ground truth corrected up to entry \(sequence) of the ledger"
    if use.used, use.sequence == sequence, let counts = countsText { text += ": \(counts)" }
    return text + "."
  }

  /// The warnings to read before the numbers: there are corrections that the numbers do not use, or there is a problem
  /// with the ledger.
  var warnings: [String] {
    if sequence == nil {
      var other = use
      other.used = false
      guard use.exist > 0 else { return use.problem.map { [$0] } ?? [] }
      return other.remarks
    }
    return use.problem.map { [$0] } ?? []
  }

  /// The truth as a fact: `the labels as imported`.
  ///
  /// - Parameter what: what is judged: `labels`, `regions`, `objects`.
  func fact(_ what: String, kept: String) -> String {
    let source = isKept ? kept : "the \(what)"
    guard let sequence else { return isKept ? source : source + " as imported" }
    return source + (isKept ? "," : " as") + " corrected up to entry \(sequence) of the ledger"
  }

  /// The number of corrections, and whether they are used; `nil` if there is no ledger, or if the numbers use other
  /// corrections than the current ones.
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
