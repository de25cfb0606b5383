package import AssayCore
package import AssayStore

/// A change to a sample, as submitted by the browser page or the command line.
package struct CorrectionSave: Sendable {
  /// The kind of change.
  package enum Change: Sendable {
    /// The class of the whole image, by name.
    case label(String)
    /// Adds or removes one of a set of labels, by class name.
    case addLabel(String)
    case removeLabel(String)
    /// All pixels of a class after the change. `emptied` confirms that none are left on purpose;
    /// `parts` selects the handling of parts that touch no instance.
    case region(category: String, after: Mask, emptied: Bool = false, parts: RegionParts = .each)
    /// The pixels of one object after the change.
    case object(target: CorrectionTarget, after: Mask, emptied: Bool = false)
    /// A new object, with its fields.
    case add(category: String, Mask, fields: [JSONValue.Member] = [])
    /// A new object given by coordinates, with its fields.
    case draw(category: String, ObjectOutline, fields: [JSONValue.Member] = [])
    /// The box or the polygons of an object after the change.
    case outline(target: CorrectionTarget, ObjectOutline)
    /// Fields of an object to set: its attributes, its keypoints. `null` removes one.
    case attributes(target: CorrectionTarget, [JSONValue.Member])
    case remove(target: CorrectionTarget)
    /// The class of an object.
    case category(target: CorrectionTarget, String)
    /// The ground truth is confirmed unchanged.
    case accept
    /// A run's prediction becomes the ground truth: its label, its mask or its objects, for one
    /// class or for all classes of the run. `score` is the minimum score of the objects taken
    /// (`nil`: ``RunCache/usualScore``) or of the labels taken (`nil`: 0.5). `smallestShare` is the
    /// minimum share of a mask's parts (``RegionParts/few(smallestShare:)``; `nil`: 0.001).
    /// `dropsMasks` confirms that boxes may replace masks and that all objects of a class may be
    /// removed; otherwise this is rejected.
    case take(
      run: String, category: String? = nil, score: Double? = nil, smallestShare: Double? = nil,
      dropsMasks: Bool = false)
    /// The sample is excluded, with a reason.
    case reject(String)
    case unsure
    /// The image is unusable: the sample is excluded.
    case bad(String? = nil)
    case skip
    /// A note without a change: ``CorrectionSave/note``.
    case note
    /// The entry with this uuid no longer counts; `nil` for the last entry that counts.
    case undo(String? = nil)
    /// The entry with this uuid counts again; `nil` for the one undone last.
    case redo(String? = nil)
    /// Resolves a conflict, identified by the uuid of one of its entries.
    case keep(conflict: String, ConflictChoice)
    /// One of the independent versions of the sample becomes the ground truth, or for sets of labels
    /// those that most people gave.
    case agree(Agreed)
  }

  /// A lowercase uuid chosen by the client: sending a save twice gives one entry.
  package var uuid: String
  /// The visit, a lowercase uuid. It groups the saves made during one opening of the sample.
  package var visit: String
  /// The uuid of the ledger that the client expects; `nil` for any.
  package var ledger: String?
  package var sample: SampleRecord
  /// The state that the client saw and changed.
  package var parent: CorrectionDraft.Parent
  package var author: String
  /// The tool: `editor`, `command line`.
  package var tool: String
  /// Active time in seconds since the previous save of the visit.
  package var seconds: Double?
  package var note: String?
  /// True if the user is done with the sample.
  package var done: Bool
  /// The uuids of the conflicts that this save resolves.
  package var resolves: [String]
  /// The version of the sample that is changed, the author's own; `nil` for the ground truth that
  /// counts.
  package var version: IndependentVersion?
  package var change: Change

  package init(
    uuid: String, visit: String, ledger: String? = nil, sample: SampleRecord,
    parent: CorrectionDraft.Parent = .head, author: String, tool: String, seconds: Double? = nil,
    note: String? = nil, done: Bool = false, resolves: [String] = [],
    version: IndependentVersion? = nil, change: Change
  ) {
    self.uuid = uuid
    self.visit = visit
    self.ledger = ledger
    self.sample = sample
    self.parent = parent
    self.author = author
    self.tool = tool
    self.seconds = seconds
    self.note = note
    self.done = done
    self.resolves = resolves
    self.version = version
    self.change = change
  }
}

/// The result of a save.
package struct SaveOutcome: Sendable {
  /// The entry as stored in the ledger; for a repeated save, the original entry.
  package var entry: LedgerEntry
  /// True if the ledger already had the entry.
  package var isRepeat: Bool
  /// True if the save was based on an outdated state: it is kept outside the main branch.
  package var isConflict: Bool
  /// The current ground truth of the sample.
  package var truth: EffectiveTruth

  package init(entry: LedgerEntry, isRepeat: Bool, isConflict: Bool, truth: EffectiveTruth) {
    self.entry = entry
    self.isRepeat = isRepeat
    self.isConflict = isConflict
    self.truth = truth
  }
}

/// A ground truth that is made of the independent versions of a sample.
package struct Agreed: Hashable, Sendable {
  /// The reason why it becomes the ground truth. The raw value is stored.
  package enum Rule: String, CaseIterable, Sendable {
    /// All versions are equal.
    case equal
    /// More than half of the versions are equal.
    case majority
    /// A person chose it.
    case adjudicated
  }

  /// One version, by its last entry.
  package struct Version: Hashable, Sendable {
    package var author: String
    package var entry: String

    package init(author: String, entry: String) {
      self.author = author
      self.entry = entry
    }
  }

  package var review: String
  package var rule: Rule
  /// The versions that it rests on, by author.
  package var versions: [Version]
  /// The index of the version that is taken; `nil` if `labels` are.
  package var taken: Int?
  /// The labels that more than half of the people gave.
  package var labels: Set<String>?

  package init(
    review: String, rule: Rule, versions: [Version], taken: Int?, labels: Set<String>? = nil
  ) {
    self.review = review
    self.rule = rule
    self.versions = versions
    self.taken = taken
    self.labels = labels
  }
}

/// The version to keep when a conflict is resolved.
package enum ConflictChoice: String, Sendable, CaseIterable {
  /// The version that was saved outside the main branch.
  case this
  /// The version on the main branch.
  case head
  /// The changes of both, if they do not overlap (``ConflictBranch/obstacle``).
  case both
}
