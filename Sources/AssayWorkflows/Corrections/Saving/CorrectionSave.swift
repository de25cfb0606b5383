package import AssayCore
package import AssayStore

/// A change of a sample, as the page or the command line submits it.
package struct CorrectionSave: Sendable {
  /// The kind of change.
  package enum Change: Sendable {
    /// The class of the whole image, by name.
    case label(String)
    /// One of a set of labels comes or goes, by the class's name.
    case addLabel(String)
    case removeLabel(String)
    /// All pixels of a class as they are after the change. `emptied` says that none of them is meant, `parts`
    /// what becomes of those that touch no instance.
    case region(category: String, after: Mask, emptied: Bool = false, parts: RegionParts = .each)
    /// The pixels of one object after the change.
    case object(target: CorrectionTarget, after: Mask, emptied: Bool = false)
    /// A new object.
    case add(category: String, Mask)
    case remove(target: CorrectionTarget)
    /// An object's class.
    case category(target: CorrectionTarget, String)
    /// The truth is right as it stands.
    case accept
    /// A run's prediction becomes the ground truth: its label, its mask, its objects; of one class or of all that the
    /// run knows. `score` is the least of the objects taken, ``RunCache/usualScore`` where it is `nil`, and of the
    /// labels taken, 0.5 where it is `nil`; `smallestShare` that of a
    /// mask's parts (``RegionParts/few(smallestShare:)``), 0.001 where it is `nil`. `dropsMasks` says that masks
    /// may be replaced by boxes, and that all objects of a class may go: else that is refused.
    case take(
      run: String, category: String? = nil, score: Double? = nil, smallestShare: Double? = nil,
      dropsMasks: Bool = false)
    /// The sample is left out, with the reason.
    case reject(String)
    case unsure
    /// The image cannot be used: the sample is left out.
    case bad(String? = nil)
    case skip
    /// Words alone: ``CorrectionSave/note``.
    case note
    /// The entry of this uuid no longer counts; `nil` for the last that does.
    case undo(String? = nil)
    /// The entry of this uuid counts again; `nil` for the last that was undone.
    case redo(String? = nil)
    /// Decides a conflict, named by the uuid of one of its entries.
    case keep(conflict: String, ConflictChoice)
  }

  /// From the client, in lower case: the same save twice is one entry.
  package var uuid: String
  /// Groups the saves of one opening of the sample; a uuid in lower case.
  package var visit: String
  /// The uuid of the ledger that the client means; `nil` where it has none other in mind.
  package var ledger: String?
  package var sample: SampleRecord
  /// The state that the client saw and changed.
  package var parent: CorrectionDraft.Parent
  package var author: String
  /// The tool: `editor`, `command line`.
  package var tool: String
  /// Active seconds since the visit's save before.
  package var seconds: Double?
  package var note: String?
  /// True if the person is done with the sample.
  package var done: Bool
  /// Uuids of conflicts that this decides on.
  package var resolves: [String]
  package var change: Change

  package init(
    uuid: String, visit: String, ledger: String? = nil, sample: SampleRecord,
    parent: CorrectionDraft.Parent = .head, author: String, tool: String, seconds: Double? = nil,
    note: String? = nil, done: Bool = false, resolves: [String] = [], change: Change
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
    self.change = change
  }
}

/// The result of a save.
package struct SaveOutcome: Sendable {
  /// As it is in the ledger; of a repeat as it was the first time.
  package var entry: LedgerEntry
  /// True if the ledger had it already.
  package var isRepeat: Bool
  /// True if it was made on a state that was no longer the last: it is kept beside the main branch.
  package var isConflict: Bool
  /// The sample as it is now.
  package var truth: EffectiveTruth

  package init(entry: LedgerEntry, isRepeat: Bool, isConflict: Bool, truth: EffectiveTruth) {
    self.entry = entry
    self.isRepeat = isRepeat
    self.isConflict = isConflict
    self.truth = truth
  }
}

/// The version of a conflict that is kept.
package enum ConflictChoice: String, Sendable, CaseIterable {
  /// The one that was saved beside the main branch.
  case this
  /// The main branch's.
  case head
}
