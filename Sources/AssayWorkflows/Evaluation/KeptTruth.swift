import AssayStore

/// The corrected truth that an evaluation is kept with.
package struct KeptTruth: Hashable, Sendable {
  /// The last entry of the ledger that it goes by; 0 where nothing was corrected yet.
  package var sequence: Int64
  /// True if that entry was requested, so that the ground truth does not follow the ledger.
  package var isFixed: Bool

  package init(sequence: Int64, isFixed: Bool) {
    self.sequence = sequence
    self.isFixed = isFixed
  }

  /// The choice and what came of it; `nil` where the imported truth was chosen.
  package init?(_ choice: TruthChoice, _ use: CorrectionStatus) {
    guard choice.corrected else { return nil }
    self.init(sequence: use.sequence ?? 0, isFixed: choice.at != nil)
  }

  /// The name of an evaluation that was given none: `default`, `corrected`, `corrected-112_threshold-0.4`.
  ///
  /// - Parameter parts: of what was asked for otherwise than usual.
  static func name(of parts: [String], _ truth: KeptTruth?) -> String {
    let first = truth.map { $0.isFixed ? "corrected-\($0.sequence)" : "corrected" }
    let all = [first].compactMap(\.self) + parts
    return all.isEmpty ? EvaluationRecord.defaultName : all.joined(separator: "_")
  }
}
