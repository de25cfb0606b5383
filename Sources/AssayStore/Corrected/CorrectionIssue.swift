/// Corrections that do not apply as they stand, and why.
package struct CorrectionIssue: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// The image is another one than the one that was corrected; not applied.
    case imageChanged
    /// The image is found under another key now; applied.
    case moved
    /// There is no such sample any more; not applied.
    case orphaned
    /// The image cannot be read to tell whether it is the same; not applied.
    case unreadable
    /// The dataset has no such class any more; what names it is left out.
    case unknownClass

    /// True if the corrections take effect all the same.
    package var isApplied: Bool { self == .moved }
  }

  package var kind: Kind
  /// As the entries name them.
  package var dataset: String
  package var key: String
  /// The sample's row id; `nil` where there is none.
  package var sample: Int64?
  /// The entries that it is about.
  package var entries: Int
  /// The problem, and the next step.
  package var message: String

  package init(
    kind: Kind, dataset: String, key: String, sample: Int64?, entries: Int, message: String
  ) {
    self.kind = kind
    self.dataset = dataset
    self.key = key
    self.sample = sample
    self.entries = entries
    self.message = message
  }
}
