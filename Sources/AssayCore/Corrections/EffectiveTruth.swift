/// The ground truth of a sample after all active corrections, with a report on them.
package struct EffectiveTruth: Hashable, Sendable {
  /// The class of the whole image.
  package var label: String?
  /// The classes of the whole image in a multi-label dataset; `nil` in others.
  package var labels: Set<String>?
  /// The source's objects in order, then those that users created, in order of creation.
  package var objects: [AnnotatedObject]
  /// The image's size; `nil` if neither the source nor a correction has it.
  package var size: ImageSize?
  /// The reason why the sample is excluded from evaluation and export; `nil` if it is not.
  package var leftOut: String?
  package var status: ReviewStatus
  /// The unresolved conflicts, oldest first.
  package var conflicts: [ConflictBranch]
  /// The main branch's last entry, the parent of the next one; `nil` if there is none.
  package var head: Int64?
  /// The main branch by visits, in the order of their first entries.
  package var visits: [VisitSummary]
  /// All entries in ascending sequence.
  package var history: [HistoryItem]
  /// The number of entries that were skipped, by reason.
  package var skipped: SkippedEntries
  /// The last entry that was read; `nil` if there was none.
  package var usedSequence: Int64?
  /// The tags of the sample, sorted. They are no part of the ground truth.
  package var tags: [String]
  /// The custom fields that people set, sorted by name; `null` for one that was removed. They are no part of the ground
  /// truth.
  package var fields: [JSONValue.Member]
  /// True if a pixel has at most one class; see ``ImportedTruth/isLabelMap``.
  package var isLabelMap = false

  /// The number of corrections: visits with a net change.
  package var corrections: Int { visits.count(where: \.isNetChange) }

  /// The last active note; `nil` if there is none.
  package var note: String? {
    history.last { $0.isActive && !$0.isConflict && $0.remarks.note != nil }?.remarks.note
  }

  package init(
    label: String?, labels: Set<String>? = nil, objects: [AnnotatedObject], size: ImageSize?,
    leftOut: String?, status: ReviewStatus, conflicts: [ConflictBranch], head: Int64?,
    visits: [VisitSummary],
    history: [HistoryItem], skipped: SkippedEntries, usedSequence: Int64?, tags: [String] = [],
    fields: [JSONValue.Member] = []
  ) {
    self.label = label
    self.labels = labels
    self.objects = objects
    self.size = size
    self.leftOut = leftOut
    self.status = status
    self.conflicts = conflicts
    self.head = head
    self.visits = visits
    self.history = history
    self.skipped = skipped
    self.usedSequence = usedSequence
    self.tags = tags
    self.fields = fields
  }

  /// All pixels of a class; `nil` if the size is unknown. Objects with damaged geometry are
  /// omitted.
  package func region(of category: String) -> Mask? {
    guard let size else { return nil }
    return Mask.union(
      of: objects.filter { $0.category == category }.compactMap { try? $0.mask(in: size) },
      size: size)
  }
}

/// Entries that were saved on an outdated state: kept and reported, but not applied.
package struct ConflictBranch: Hashable, Sendable {
  /// In order; resolved entries are omitted.
  package var entries: [LedgerEntry]
  /// The last of the entries.
  package var head: Int64
  /// The entry on which the first was made; `nil` if its author saw the imported ground truth.
  package var forkedFrom: Int64?
  /// The ground truth that the branch's author left.
  package var label: String?
  package var labels: Set<String>?
  package var objects: [AnnotatedObject]
  package var leftOut: String?
  /// The reason why the branch and the main branch cannot be kept together; `nil` if they can.
  package var obstacle: MergeObstacle?

  package init(
    entries: [LedgerEntry], head: Int64, forkedFrom: Int64?, label: String?,
    labels: Set<String>? = nil, objects: [AnnotatedObject], leftOut: String?,
    obstacle: MergeObstacle?
  ) {
    self.entries = entries
    self.head = head
    self.forkedFrom = forkedFrom
    self.label = label
    self.labels = labels
    self.objects = objects
    self.leftOut = leftOut
    self.obstacle = obstacle
  }
}

/// One opening of a sample by one person.
package struct VisitSummary: Hashable, Sendable {
  package var visit: String
  package var author: String
  /// The times of its first and its last entry, as in the payload (`2026-11-21T14:40:05Z`).
  package var firstTime: String?
  package var lastTime: String?
  /// The active seconds of all its entries; `nil` if none of them has any.
  package var seconds: Double?
  /// The number of its main-branch entries, including undone ones.
  package var entries: Int
  /// True if it changed the ground truth (or whether the sample counts); changes that it undid
  /// itself do not count.
  package var isNetChange: Bool

  package init(
    visit: String, author: String, firstTime: String?, lastTime: String?, seconds: Double?,
    entries: Int, isNetChange: Bool
  ) {
    self.visit = visit
    self.author = author
    self.firstTime = firstTime
    self.lastTime = lastTime
    self.seconds = seconds
    self.entries = entries
    self.isNetChange = isNetChange
  }
}

/// An entry and its state.
package struct HistoryItem: Hashable, Sendable {
  package var entry: LedgerEntry
  /// The members of its payload besides the change.
  package var remarks: CorrectionMetadata
  /// True if it counts: not undone, readable, and made for this image.
  package var isActive: Bool
  /// True if a later entry undid it; false for entries that do not count for another reason.
  package var isUndone: Bool
  /// True if it is on a side branch, resolved or not.
  package var isConflict: Bool
  /// True if the imported ground truth includes its change, so that it can be neither undone nor
  /// redone.
  package var isIncluded: Bool

  package init(
    entry: LedgerEntry, remarks: CorrectionMetadata, isActive: Bool, isUndone: Bool,
    isConflict: Bool, isIncluded: Bool = false
  ) {
    self.isUndone = isUndone
    self.isIncluded = isIncluded
    self.entry = entry
    self.remarks = remarks
    self.isActive = isActive
    self.isConflict = isConflict
  }
}

extension EffectiveTruth {
  /// The ground truth without the labels and objects of some classes, and the names of these.
  ///
  /// - Parameter isKept: false for a class that the dataset does not have.
  package func keeping(
    _ isKept: (String) -> Bool
  ) -> (truth: EffectiveTruth, leftOut: Set<String>) {
    let names = Set([label].compactMap(\.self)).union(labels ?? []).union(objects.map(\.category))
    let leftOut = names.filter { !isKept($0) }
    guard !leftOut.isEmpty else { return (self, leftOut) }
    var kept = self
    kept.label = label.flatMap { leftOut.contains($0) ? nil : $0 }
    kept.labels = labels?.subtracting(leftOut)
    kept.objects = objects.filter { !leftOut.contains($0.category) }
    return (kept, leftOut)
  }
}

/// The numbers of skipped entries, by reason.
package struct SkippedEntries: Hashable, Sendable {
  /// Kinds and formats from a later version.
  package var unknown = 0
  /// Payloads and targets that cannot be read, or masks whose size differs from the image's.
  package var unreadable = 0
  /// Entries about an object or an entry that does not exist or no longer exists.
  package var missing = 0
  /// Entries that state one label for a sample that has a set of labels, or vice versa: the dataset was imported again
  /// for another task.
  package var otherTask = 0
  /// Entries made on an image with different content.
  package var imageChanged = 0

  package init() {}

  package var total: Int { unknown + unreadable + missing + otherTask + imageChanged }
}
