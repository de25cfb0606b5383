import AssayStore

extension Catalog {
  /// The same catalog, reading the ground truth with the corrections of its mirror of the ledger.
  ///
  /// - Returns: `nil` without a ledger, and for a catalog that cannot be written: its corrections would stay those of
  ///   the time when it was opened.
  /// - Throws: `StoreError`.
  func readingCorrected() throws -> Catalog? {
    guard let marks = truth.marks, truth.mirror == nil else { return nil }
    return try reading(TruthSource(marks: marks, truth: marks))
  }
}
