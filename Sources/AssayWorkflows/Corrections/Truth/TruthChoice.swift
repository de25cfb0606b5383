/// The ground truth that a command uses: the imported or the corrected one.
package struct TruthChoice: Hashable, Sendable {
  package static let imported = TruthChoice(corrected: false)
  /// The corrected ground truth as of the ledger's last entry.
  package static let corrected = TruthChoice(corrected: true)

  package var corrected: Bool
  /// The ledger entry that the ground truth is as of; `nil` for the last one.
  package var at: Int64?

  package init(corrected: Bool, at: Int64? = nil) {
    self.corrected = corrected
    self.at = at
  }
}
