import AssayStore

/// The corrected ground truth that an evaluation is stored with.
package struct KeptTruth: Hashable, Sendable {
  /// The last ledger entry that it includes; 0 if there were no corrections yet.
  package var sequence: Int64
  /// True if that entry was requested, so that the ground truth does not follow the ledger.
  package var isFixed: Bool

  package init(sequence: Int64, isFixed: Bool) {
    self.sequence = sequence
    self.isFixed = isFixed
  }

  /// The ground truth from the choice and its result; `nil` if the imported ground truth was
  /// chosen.
  package init?(_ choice: TruthChoice, _ use: CorrectionStatus) {
    guard choice.corrected else { return nil }
    self.init(sequence: use.sequence ?? 0, isFixed: choice.at != nil)
  }

  /// The default name of an evaluation: `default`, `corrected`, `corrected-112_threshold-0.4`.
  ///
  /// - Parameter parts: the parts for non-default settings.
  static func name(of parts: [String], _ truth: KeptTruth?) -> String {
    let first = truth.map { $0.isFixed ? "corrected-\($0.sequence)" : "corrected" }
    let all = [first].compactMap(\.self) + parts
    return all.isEmpty ? EvaluationRecord.defaultName : all.joined(separator: "_")
  }
}
