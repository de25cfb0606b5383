/// The computation of the current ground truth from the import and the corrections.
///
/// A value type that takes entries one by one, so that one more entry does not require a full
/// replay; it performs no I/O. Entries that it cannot read are counted and skipped.
///
/// - The **main branch** consists of entries whose parent is the previous one (none for the first).
///   Every other entry is in **conflict**: it is reported and does not count until an entry of the
///   main branch names its uuid in `resolves`.
/// - **undo** and **redo** name an entry of the same branch; undone entries are omitted from the
///   replay.
/// - Entries made on an image with different content do not count.
/// - Entries of an ``IndependentVersion`` are skipped, unless the replay is of that version: then
///   those of the main branch after its base are.
package struct CorrectionReplay: Sendable {
  /// The imported ground truth, with which the replay starts.
  package let imported: ImportedTruth
  private let contentHash: String?
  /// The version to compute; `nil` for the ground truth that counts.
  package let version: IndependentVersion?
  var context: ReplayContext
  var run: ReplayPath
  /// The objects last returned, so that their pixels are packed only once.
  private var packed: [CorrectionTarget: (mask: Mask, object: AnnotatedObject)] = [:]

  /// - Parameter contentHash: the image's hash; `nil` if it is unknown, in which case entries are
  ///   not checked against it.
  /// - Parameter version: the version of one person; see ``IndependentVersion/based(on:)``.
  package init(
    _ imported: ImportedTruth, contentHash: String?, version: IndependentVersion? = nil
  ) {
    self.imported = imported
    self.contentHash = contentHash
    self.version = version
    context = ReplayContext(imported)
    context.contentHash = contentHash
    run = ReplayPath(imported)
  }

  /// Adds the sample's next entry; an entry that was already added changes nothing.
  ///
  /// - Complexity: that of the change itself; for an undo, that of all changes since the undone
  ///   entry.
  package mutating func append(_ entry: LedgerEntry) {
    let own = IndependentVersion(entry)
    if let version {
      guard own.map(version.isSame) ?? (entry.sequence <= version.base) else { return }
    } else if own != nil {
      return context.append(independent: entry)
    }
    guard let step = context.chain.append(entry, contentHash: contentHash),
      context.chain.branch(of: step) == nil
    else { return }
    run.append(step, &context)
  }

  /// The ground truth of a sample.
  ///
  /// - Parameters:
  ///   - entries: the sample's entries, in ascending sequence.
  ///   - sequence: the last entry to read; `nil` for all.
  package static func replay(
    _ imported: ImportedTruth, _ entries: some Sequence<LedgerEntry>, contentHash: String?,
    upTo sequence: Int64? = nil
  ) -> EffectiveTruth {
    var replay = CorrectionReplay(imported, contentHash: contentHash)
    for entry in entries where entry.sequence <= sequence ?? .max { replay.append(entry) }
    return replay.truth()
  }

  /// The sequence of the last added entry; `nil` if there is none.
  package var lastSequence: Int64? { context.chain.steps.last?.entry.sequence }

  /// The main branch's last entry; `nil` if there is none.
  package var head: Int64? { context.chain.head }

  /// The current ground truth.
  ///
  /// - Complexity: O(*n*) in the entries; only masks that changed since the last call are packed.
  package mutating func truth() -> EffectiveTruth {
    let history = history
    var truth = EffectiveTruth(
      label: run.state.label, labels: run.state.labels, objects: annotated(run.state),
      size: run.state.size, leftOut: run.state.leftOut, status: status(), conflicts: conflicts(),
      head: head,
      visits: visits(), history: history, skipped: skipped(), usedSequence: lastSequence,
      tags: tags, fields: fields)
    truth.isLabelMap = context.imported.isLabelMap
    return truth
  }

  /// The added entries, in ascending sequence.
  package var entries: [LedgerEntry] { context.chain.steps.map(\.entry) }

  /// The added entries of independent versions, in ascending sequence; none in a replay of one.
  package var independentEntries: [LedgerEntry] { context.independent }

  /// The last entry of the main branch among those with this identity of the sample; `nil` if there
  /// is none.
  package func head(under name: SampleIdentity) -> Int64? { context.chain.head(under: name) }

  /// The labels and objects as of an entry, as its author saw them.
  ///
  /// - Parameter sequence: the entry's sequence; `nil` for the import.
  /// - Returns: `nil` if there is no such entry.
  package mutating func content(after sequence: Int64?) -> ReplayedContent? {
    guard let state = state(after: sequence) else { return nil }
    return ReplayedContent(
      label: state.label, labels: state.labels, objects: annotated(state),
      leftOut: state.leftOut, size: state.size)
  }

  /// All pixels of a class as of an entry, as its author saw them; `nil` if there is no such entry,
  /// or the size is unknown. Objects with damaged geometry are omitted.
  package mutating func region(of category: String, after sequence: Int64?) -> Mask? {
    guard let state = state(after: sequence), let size = state.size else { return nil }
    return Mask.union(
      of: state.objects.filter { $0.object.category == category }
        .compactMap { $0.pixels(in: size, &context.masks)?.mask },
      size: size)
  }

  /// The pixels of an object; see ``region(of:after:)``. Also `nil` if there is no such object.
  package mutating func pixels(of target: CorrectionTarget, after sequence: Int64?) -> Mask? {
    guard let state = state(after: sequence), let size = state.size,
      let place = try? state.place(of: target)
    else { return nil }
    return state.objects[place].pixels(in: size, &context.masks)?.mask
  }

  private mutating func state(after sequence: Int64?) -> ReplayState? {
    if sequence == head { return run.state }
    guard let sequence else { return ReplayState(imported) }
    return context.chain.step(sequence: sequence).flatMap { context.state(after: $0) }
  }

  /// Returns whether an entry with this sequence was added.
  package func has(_ sequence: Int64) -> Bool { context.chain.step(sequence: sequence) != nil }

  /// The sequence of the sample's entry with a uuid; `nil` if it has no such entry.
  package func sequence(of uuid: String) -> Int64? {
    context.chain.step(uuid: uuid).map { context.chain.steps[$0].entry.sequence }
  }

  /// The complete side branch that contains an entry; `nil` if it is on none.
  package func branch(of uuid: String) -> [LedgerEntry]? {
    guard let step = context.chain.step(uuid: uuid), let branch = context.chain.branch(of: step)
    else { return nil }
    return context.chain.branches[branch].map { context.chain.steps[$0].entry }
  }

  mutating func annotated(_ state: ReplayState) -> [AnnotatedObject] {
    state.objects.map { object in
      guard let mask = object.mask?.mask else {
        return object.annotated(isChanged: !context.masks.isImported(object))
      }
      let target = object.object.target
      if let known = packed[target], known.mask == mask,
        known.object.category == object.object.category,
        known.object.attributes == object.object.attributes
      {
        return known.object
      }
      let result = object.annotated(isChanged: true)
      packed[target] = (mask, result)
      return result
    }
  }
}

/// The facts about the entries of a replay.
extension CorrectionReplay {
  /// All entries in ascending sequence, with their state.
  package var history: [HistoryItem] {
    var isActive = [Bool](repeating: false, count: context.chain.steps.count)
    var isUndone = isActive
    for (position, step) in run.steps.enumerated() {
      (isActive[step], isUndone[step]) = (run.isActive(position), run.isUndone(position))
    }
    let edits = sampleEdits
    for (index, edit) in edits {
      isActive[index] = edit.isActive
      isUndone[index] = !edit.isActive && !context.chain.steps[index].isForeign
    }
    return context.chain.steps.enumerated().map { index, step in
      HistoryItem(
        entry: step.entry, remarks: step.remarks, isActive: isActive[index],
        isUndone: isUndone[index],
        isConflict: context.chain.branch(of: index) != nil && edits[index] == nil,
        isIncluded: context.isIncluded(index))
    }
  }

  func status() -> ReviewStatus {
    var isChanged = false
    for position in run.steps.indices.reversed() where run.isActive(position) {
      let step = context.chain.steps[run.steps[position]]
      guard case .success(let operation) = step.operation else { continue }
      switch operation {
      case .accept: return .done
      case .leaveOut: return .leftOut
      case .unsure: return .unsure
      case .skip: return .skipped
      default: break
      }
      if step.remarks.isDone { return run.state.leftOut == nil ? .done : .leftOut }
      if operation.changesTruth { isChanged = true }
    }
    return isChanged ? .started : .open
  }

  mutating func conflicts() -> [ConflictBranch] {
    var resolved: Set<String> = []
    for position in run.steps.indices where run.isActive(position) {
      resolved.formUnion(context.chain.steps[run.steps[position]].remarks.resolves)
    }
    var conflicts: [ConflictBranch] = []
    for branch in context.chain.branches {
      let entries = branch.map { context.chain.steps[$0].entry }
      let open = entries.filter { !resolved.contains($0.uuid) }
      // Edits of tags and fields count on every branch, so a branch that contains nothing else needs no resolution.
      guard let head = open.last, let last = branch.last,
        !open.allSatisfy({ CorrectionKind(rawValue: $0.kind)?.isSampleEdit == true })
      else { continue }
      let state = context.state(after: last) ?? run.state
      conflicts.append(
        ConflictBranch(
          entries: open, head: head.sequence, forkedFrom: entries[0].parent, label: state.label,
          labels: state.labels, objects: annotated(state), leftOut: state.leftOut,
          obstacle: open.count == entries.count ? obstacle(of: head) : .revisesEarlier))
    }
    return conflicts
  }

  /// The reason why the branch that ends with an entry cannot be kept together with the main branch.
  private mutating func obstacle(of head: LedgerEntry) -> MergeObstacle? {
    BranchMerge(ofBranch: head.uuid, before: .max, &context)?.obstacle(besides: run, &context)
  }

  func skipped() -> SkippedEntries {
    var skipped = SkippedEntries()
    for reason in run.skips {
      switch reason {
      case .unknown: skipped.unknown += 1
      case .unreadable: skipped.unreadable += 1
      case .missing: skipped.missing += 1
      case .otherTask: skipped.otherTask += 1
      case .foreign: skipped.imageChanged += 1
      case nil: break
      }
    }
    return skipped
  }

  func visits() -> [VisitSummary] {
    let changed = VisitChanges(run).visits
    var visits: [VisitSummary] = []
    var places: [String: Int] = [:]
    for index in run.steps {
      let step = context.chain.steps[index]
      guard !step.isForeign else { continue }
      let visit = step.entry.visit
      let place =
        places[visit]
        ?? {
          visits.append(
            VisitSummary(
              visit: visit, author: step.remarks.author, firstTime: step.remarks.time,
              lastTime: nil, seconds: nil, entries: 0, isNetChange: changed.contains(visit)))
          return visits.count - 1
        }()
      places[visit] = place
      visits[place].entries += 1
      if let time = step.remarks.time { visits[place].lastTime = time }
      if let seconds = step.remarks.seconds {
        visits[place].seconds = (visits[place].seconds ?? 0) + seconds
      }
    }
    return visits
  }
}
