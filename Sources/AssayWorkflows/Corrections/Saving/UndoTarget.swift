package import AssayCore
package import AssayStore

/// Finds the entry that `assay corrections undo` refers to.
package struct UndoTarget {
  private let service: CorrectionService

  /// The number of entries that are read at a time, starting with the last one.
  private static let stretch: Int64 = 256

  package init(_ service: CorrectionService) { self.service = service }

  /// The current sample that an entry is about.
  ///
  /// - Throws: ``CorrectionError/unknownSample(key:dataset:suggestion:)`` if it no longer exists.
  package func sample(of entry: LedgerEntry) throws -> SampleRecord {
    guard let name = SampleName("\(entry.sample.dataset):\(entry.sample.key)"),
      try service.catalog.findDataset(named: name.dataset) != nil
    else {
      throw CorrectionError.unknownSample(
        key: entry.sample.key, dataset: entry.sample.dataset, suggestion: nil)
    }
    return try service.sample(name)
  }

  /// The entry with a sequence number.
  ///
  /// - Throws: ``UndoTargetError/noEntry(_:last:)``.
  package func entry(_ sequence: Int64) throws -> LedgerEntry {
    guard sequence > 0, let entry = try service.ledger.entry(sequence: sequence) else {
      throw UndoTargetError.noEntry(sequence, last: try service.ledger.head().sequence)
    }
    return entry
  }

  /// The author's last entry that counts, or the one they undid last.
  ///
  /// - Parameters:
  ///   - sample: the sample to restrict the search to; `nil` for any.
  ///   - isUndone: true to look for undone entries.
  /// - Throws: ``UndoTargetError/nothing(author:sample:isRedo:)``.
  package func last(
    by author: String, of sample: SampleName?, isUndone: Bool
  ) throws -> LedgerEntry {
    var end = try service.ledger.head().sequence
    while end > 0 {
      let entries = try service.ledger.entries(
        after: max(0, end - Self.stretch), upTo: end, dataset: sample?.dataset, key: sample?.key)
      for entry in entries.reversed() where entry.remarks.author == author {
        let isUndo = entry.kind == CorrectionKind.undo.rawValue
        let isMeant =
          isUndone ? isUndo : CorrectionKind(rawValue: entry.kind)?.isUndone == true
        guard isMeant, let record = try? self.sample(of: entry) else { continue }
        let uuid = isUndone ? entry.named : entry.uuid
        let item = try service.truth(of: record).history.first { $0.entry.uuid == uuid }
        if let item, !item.isConflict, !item.isIncluded, item.isActive != isUndone {
          return item.entry
        }
      }
      end -= Self.stretch
    }
    throw UndoTargetError.nothing(
      author: author, sample: sample.map { "\($0.dataset):\($0.key)" }, isRedo: isUndone)
  }
}

/// The reasons why there is no entry to undo.
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
      "nothing to \(isRedo ? "redo" : "undo") by \(author)" + (sample.map { " in \($0)" } ?? "")
        + "; give the number of an entry (`assay corrections show DATASET:KEY` lists them), or the author "
        + "with --author"
    }
  }
}
