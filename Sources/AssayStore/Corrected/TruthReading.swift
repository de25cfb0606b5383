/// Whose truth a catalog reads: the imported one, or one of the states that its mirror of the ledger keeps.
package struct TruthSource: Hashable, Sendable {
  /// The imported truth, of a catalog without a ledger: nothing was ever corrected.
  package static let imported = TruthSource(marks: nil, truth: nil)

  /// The state that says what people did to a sample (`corrected = true`), by row id; `nil` where there is
  /// none.
  package var marks: Int64?
  /// The state whose labels and regions are read in place of the imported ones; `nil` for these.
  package var truth: Int64?
  /// The file that has the states, where it is not the catalog itself.
  package var mirror: String?

  package init(marks: Int64?, truth: Int64?, mirror: String? = nil) {
    self.marks = marks
    self.truth = truth
    self.mirror = mirror
  }
}
