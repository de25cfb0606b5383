import AssayCore

/// What people changed in one sample's truth, and what that took.
package struct SampleCorrection: Hashable, Sendable {
  /// The label as imported and as it is now, by name; `nil` without one.
  package var labelBefore: String?
  package var labelAfter: String?
  /// Labels that came to a set, and that went from it, in the order of the classes.
  package var labelsAdded: [String] = []
  package var labelsRemoved: [String] = []
  /// Where objects were changed.
  package var objects = ObjectTruthChange()
  /// Visits with a net change.
  package var corrections = 0
  /// Entries of the ledger, whatever they are.
  package var entries = 0
  /// Who made them, in the order of their first entry.
  package var authors: [String] = []
  /// Active seconds.
  package var seconds = 0.0
  /// The last entry of the ledger about it.
  package var lastEntry: Int64?

  package init() {}

  /// Whether the label is another one.
  package var isRelabelled: Bool { labelBefore != labelAfter }

  /// Whether a set of labels is another one.
  package var hasOtherLabels: Bool { !labelsAdded.isEmpty || !labelsRemoved.isEmpty }

  /// Whether the truth is another one than the imported.
  package var isChanged: Bool {
    isRelabelled || hasOtherLabels || objects != ObjectTruthChange()
  }
}

/// How a sample's regions and boxes differ between the imported truth and the corrected one.
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
