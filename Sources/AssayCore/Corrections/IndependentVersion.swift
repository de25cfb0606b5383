/// One person's own version of a sample that several people correct in a review without seeing each
/// other's work.
///
/// It starts from the ground truth as of the entry ``base`` and contains only that person's entries
/// for that review. Such entries have the format ``entryFormat`` and the member `independent`; they
/// count for nobody else until an entry of the main branch takes the version.
package struct IndependentVersion: Hashable, Sendable {
  /// The format of the entries: versions of assay that do not know it skip them and count them.
  package static let entryFormat: Int64 = 2

  /// The name of the review.
  package var review: String
  package var author: String
  /// The last entry of the ledger that the version starts from; 0 for the imported ground truth.
  package var base: Int64

  package init(review: String, author: String, base: Int64 = 0) {
    self.review = review
    self.author = author
    self.base = base
  }

  /// The version that an entry belongs to, with the entry's own parent as base; `nil` for an entry
  /// that is no part of an independent version.
  package init?(_ entry: LedgerEntry) {
    guard entry.isIndependent, let payload = try? JSONValue(parsing: entry.payload),
      let review = payload["independent"]?.text
    else { return nil }
    self.init(
      review: review, author: CorrectionMetadata(payload).author, base: entry.parent ?? 0)
  }

  /// Returns whether both are of one person in one review, whatever they start from.
  package func isSame(as other: IndependentVersion) -> Bool {
    review == other.review && author == other.author
  }

  /// This version with the base that its first entry states; unchanged if it has no entry.
  ///
  /// - Parameter entries: the entries of the sample, in ascending sequence.
  package func based(on entries: [LedgerEntry]) -> IndependentVersion {
    var version = self
    let first = entries.first { IndependentVersion($0).map(isSame) ?? false }
    if let first { version.base = first.parent ?? 0 }
    return version
  }
}

extension LedgerEntry {
  /// True if it belongs to an ``IndependentVersion``.
  package var isIndependent: Bool { format == IndependentVersion.entryFormat }
}
