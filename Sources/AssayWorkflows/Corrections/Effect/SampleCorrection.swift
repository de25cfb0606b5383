import AssayCore

/// The changes of one sample's ground truth, and the time they took.
package struct SampleCorrection: Hashable, Sendable {
  /// The label as imported and as it is now, by name; `nil` without one.
  package var labelBefore: String?
  package var labelAfter: String?
  /// Labels added to a set and labels removed from it, in the order of the classes.
  package var labelsAdded: [String] = []
  package var labelsRemoved: [String] = []
  /// The changes of objects.
  package var objects = ObjectTruthChange()
  /// Visits with a net change.
  package var corrections = 0
  /// Entries of the ledger, whatever they are.
  package var entries = 0
  /// The authors of the corrections, in the order of their first entry.
  package var authors: [String] = []
  /// Active seconds.
  package var seconds = 0.0
  /// The last entry of the ledger about it.
  package var lastEntry: Int64?

  package init() {}

  /// Whether the label is another one.
  package var isRelabeled: Bool { labelBefore != labelAfter }

  /// True if the set of labels is another one.
  package var hasOtherLabels: Bool { !labelsAdded.isEmpty || !labelsRemoved.isEmpty }

  /// True if the truth is another one than the imported.
  package var isChanged: Bool {
    isRelabeled || hasOtherLabels || objects != ObjectTruthChange()
  }
}

/// The difference of a sample's regions and boxes between the imported and the corrected ground
/// truth.
package struct ObjectTruthChange: Hashable, Sendable {
  /// A category whose pixels changed.
  package struct Region: Hashable, Sendable {
    package var category: String
    /// The overlap of the region before and after as intersection over union, in 0...1; 0 where one of them
    /// is empty.
    package var iou: Double
    /// Pixels that it gained and lost.
    package var added: Int
    package var removed: Int
  }

  /// In the order of the taxonomy; boxes alone count as their rectangles.
  package var regions: [Region] = []
  /// Objects that were not there before, that are gone, and that are there with another shape, category or
  /// crowd flag.
  package var added = 0
  package var removed = 0
  package var changed = 0

  package init() {}
}
