package import AssayCore

/// Undo, redo and conflicts: changes that refer to other entries.
extension LedgerEntryBuilder {
  private var key: String { sample.identity.key }

  /// The uuid of the entry to undo.
  ///
  /// - Parameter uuid: `nil` for the last entry of the main branch that counts.
  func undone(_ uuid: String?) throws -> String {
    let history = sample.replay.history.filter { !$0.isConflict }
    guard let uuid else {
      let last = history.last {
        $0.isActive && !$0.isIncluded
          && CorrectionKind(rawValue: $0.entry.kind)?.isUndone == true
      }
      guard let last else { throw CorrectionError.nothingToUndo(key: key) }
      return last.entry.uuid
    }
    let item = try item(uuid)
    if !item.isConflict, item.isUndone {
      throw CorrectionError.alreadyUndone(sequence: item.entry.sequence)
    }
    return uuid
  }

  /// The uuid of the entry to redo.
  ///
  /// - Parameter uuid: `nil` for the entry undone last, if nothing was changed since.
  func redone(_ uuid: String?) throws -> String {
    let history = sample.replay.history.filter { !$0.isConflict && $0.isActive }
    guard let uuid else {
      var undone: [String] = []
      for item in history {
        switch CorrectionKind(rawValue: item.entry.kind) {
        case .undo: if let entry = item.entry.named { undone.append(entry) }
        case .redo: if let entry = item.entry.named { undone.removeAll { $0 == entry } }
        case let kind?: if kind.changesTruth { undone = [] }
        case nil: break
        }
      }
      guard let last = undone.last else { throw CorrectionError.nothingToRedo(key: key) }
      return last
    }
    let item = try item(uuid)
    if !item.isConflict, !item.isUndone {
      throw CorrectionError.notUndone(sequence: item.entry.sequence)
    }
    return uuid
  }

  private func item(_ uuid: String) throws -> HistoryItem {
    guard let item = sample.replay.history.first(where: { $0.entry.uuid == uuid }) else {
      throw CorrectionError.unknownEntry(uuid, key: key)
    }
    switch CorrectionKind(rawValue: item.entry.kind) {
    case .undo, .redo, .adopt, nil:
      throw CorrectionError.cannotUndo(sequence: item.entry.sequence, kind: item.entry.kind)
    default:
      guard !item.isIncluded else {
        throw CorrectionError.included(sequence: item.entry.sequence, key: key)
      }
      return item
    }
  }

  /// Resolves a conflict: applies to the whole branch of the entry.
  mutating func keep(_ conflict: String, _ choice: ConflictChoice) throws -> LedgerEntryContent {
    guard let branch = sample.replay.branch(of: conflict), let head = branch.last,
      let found = sample.replay.truth().conflicts.first(where: { $0.head == head.sequence })
    else { throw CorrectionError.noConflict(conflict, key: key) }
    let kind: CorrectionKind
    switch choice {
    case .this: kind = .take
    case .head: kind = .note
    case .both:
      if let obstacle = found.obstacle { throw CorrectionError.cannotMerge(obstacle, key: key) }
      kind = .merge
    }
    var entry = LedgerEntryContent(
      target: .sample, kind: kind,
      members: [.init("keep", .string(choice.rawValue))], resolves: branch.map(\.uuid))
    if choice != .head { entry.members.append(.init("entry", .string(head.uuid))) }
    return entry
  }
}

extension LedgerEntry {
  /// The uuid of the entry that an undo, a redo or a conflict resolution refers to.
  package var named: String? {
    (try? JSONValue(parsing: payload))?["entry"]?.text
  }
}
