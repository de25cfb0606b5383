package import AssayCore
package import AssayStore

/// Finds the entry that `assay corrections undo` means.
package struct UndoTarget {
  private let desk: CorrectionService

  /// Entries that are read at a time, from the last one on.
  private static let stretch: Int64 = 256

  package init(_ desk: CorrectionService) { self.desk = desk }

  /// The sample that an entry is about, as it is now.
  ///
  /// - Throws: ``CorrectionError/unknownSample(key:dataset:suggestion:)`` where it is gone.
  package func sample(of entry: LedgerEntry) throws -> SampleRecord {
    guard let name = SampleName("\(entry.sample.dataset):\(entry.sample.key)"),
      try desk.catalog.findDataset(named: name.dataset) != nil
    else {
      throw CorrectionError.unknownSample(
        key: entry.sample.key, dataset: entry.sample.dataset, suggestion: nil)
    }
    return try desk.sample(name)
  }

  /// The entry of a sequence.
  ///
  /// - Throws: ``UndoTargetError/noEntry(_:last:)``.
  package func entry(_ sequence: Int64) throws -> LedgerEntry {
    guard sequence > 0, let entry = try desk.ledger.entry(sequence: sequence) else {
      throw UndoTargetError.noEntry(sequence, last: try desk.ledger.head().sequence)
    }
    return entry
  }

  /// The last entry that somebody made and that counts; or the one that they undid last.
  ///
  /// - Parameters:
  ///   - sample: only of this one; `nil` for any.
  ///   - isUndone: whether to look for what was undone.
  /// - Throws: ``UndoTargetError/nothing(author:sample:isRedo:)``.
  package func last(
    by author: String, of sample: SampleName?, isUndone: Bool
  ) throws -> LedgerEntry {
    var end = try desk.ledger.head().sequence
    while end > 0 {
      let entries = try desk.ledger.entries(
        after: max(0, end - Self.stretch), upTo: end, dataset: sample?.dataset, key: sample?.key)
      for entry in entries.reversed() where entry.remarks.author == author {
        let isUndo = entry.kind == CorrectionKind.undo.rawValue
        let isMeant =
          isUndone ? isUndo : CorrectionKind(rawValue: entry.kind)?.isUndone == true
        guard isMeant, let record = try? self.sample(of: entry) else { continue }
        let uuid = isUndone ? entry.named : entry.uuid
        let item = try desk.truth(of: record).history.first { $0.entry.uuid == uuid }
        if let item, !item.isConflict, item.isActive != isUndone { return item.entry }
      }
      end -= Self.stretch
    }
    throw UndoTargetError.nothing(
      author: author, sample: sample.map { "\($0.dataset):\($0.key)" }, isRedo: isUndone)
  }
}

/// Why there is no entry to undo.
package enum UndoTargetError: Error, Hashable {
  case noEntry(Int64, last: Int64)
  case nothing(author: String, sample: String?, isRedo: Bool)
}

extension UndoTargetError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noEntry(let sequence, let last):
      "there is no entry \(sequence)"
        + (last == 0 ? "; the ledger is empty" : "; the last one is \(last)")
    case .nothing(let author, let sample, let isRedo):
      "nothing to \(isRedo ? "redo" : "undo") by \(author)" + (sample.map { " of \($0)" } ?? "")
        + "; name an entry by its number (`assay corrections show DATASET:KEY` lists them), or say who "
        + "with --author"
    }
  }
}
