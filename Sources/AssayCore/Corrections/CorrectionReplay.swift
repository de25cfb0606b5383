/// From what was imported and what people did to the truth that counts.
///
/// A value that takes in entries one by one, so that one more does not cost them all; nothing is read or
/// written. What it cannot read it counts and passes over.
///
/// - The **main branch** is made of entries whose parent is the one before (none for the first). Every other
///   entry is in **conflict**: it is told and does not count, until an entry of the main branch names its
///   uuid in `resolves`.
/// - **undo** and **redo** name an entry of the same branch; what is undone is left out of the replay.
/// - Entries made on an image with another content do not count.
package struct CorrectionReplay: Sendable {
  /// The imported ground truth, with which the replay starts.
  package let imported: ImportedTruth
  private let contentHash: String?
  var context: ReplayContext
  var run: ReplayPath
  /// Objects as they were handed over last, so that their pixels are packed once.
  private var packed: [CorrectionTarget: (mask: Mask, object: AnnotatedObject)] = [:]

  /// - Parameter contentHash: the image's; `nil` where it is not known, and entries are not held against it.
  package init(_ imported: ImportedTruth, contentHash: String?) {
    self.imported = imported
    self.contentHash = contentHash
    context = ReplayContext(imported)
    run = ReplayPath(imported)
  }

  /// Takes in the sample's next entry; one that was taken in already changes nothing.
  ///
  /// - Complexity: that of the change itself; for an undo that of all changes since the one undone.
  package mutating func append(_ entry: LedgerEntry) {
    guard let step = context.chain.append(entry, contentHash: contentHash),
      context.chain.branch(of: step) == nil
    else { return }
    run.append(step, &context)
  }

  /// The truth of a sample.
  ///
  /// - Parameters:
  ///   - entries: the sample's, in ascending sequence.
  ///   - sequence: the last one that is read; `nil` for all.
  package static func replay(
    _ imported: ImportedTruth, _ entries: some Sequence<LedgerEntry>, contentHash: String?,
    upTo sequence: Int64? = nil
  ) -> EffectiveTruth {
    var replay = CorrectionReplay(imported, contentHash: contentHash)
    for entry in entries where entry.sequence <= sequence ?? .max { replay.append(entry) }
    return replay.truth()
  }

  /// The last entry that was taken in; `nil` where there was none.
  package var lastSequence: Int64? { context.chain.steps.last?.entry.sequence }

  /// The main branch's last entry; `nil` where there is none.
  package var head: Int64? { context.chain.head }

  /// The current ground truth.
  ///
  /// - Complexity: O(*n*) in the entries; masks are packed where they changed since the last time.
  package mutating func truth() -> EffectiveTruth {
    let history = history
    return EffectiveTruth(
      label: run.state.label, labels: run.state.labels, objects: annotated(run.state),
      size: run.state.size, leftOut: run.state.leftOut, status: status(), conflicts: conflicts(),
      head: head,
      visits: visits(), history: history, skipped: skipped(), usedSequence: lastSequence)
  }

  /// The entries that were taken in, in ascending sequence.
  package var entries: [LedgerEntry] { context.chain.steps.map(\.entry) }

  /// The last entry of the main branch among those that name the sample like this; `nil` where there is
  /// none.
  package func head(under name: SampleIdentity) -> Int64? { context.chain.head(under: name) }

  /// The labels and objects that somebody saw for whom an entry was the last.
  ///
  /// - Parameter sequence: an entry's; `nil` for what was imported.
  /// - Returns: `nil` where there is no such entry.
  package mutating func content(after sequence: Int64?) -> ReplayedContent? {
    guard let state = state(after: sequence) else { return nil }
    return ReplayedContent(
      label: state.label, labels: state.labels, objects: annotated(state),
      leftOut: state.leftOut, size: state.size)
  }

  /// All pixels of a class that somebody saw for whom an entry was the last; `nil` where there is no such
  /// entry, or no size is known. Objects whose geometry is damaged are left out.
  package mutating func region(of category: String, after sequence: Int64?) -> Mask? {
    guard let state = state(after: sequence), let size = state.size else { return nil }
    return Mask.union(
      of: state.objects.filter { $0.object.category == category }
        .compactMap { $0.pixels(in: size, &context.masks)?.mask },
      size: size)
  }

  /// The pixels of an object; see ``region(of:after:)``. `nil` also where there is no such object.
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

  /// Returns whether an entry of a sequence was taken in.
  package func has(_ sequence: Int64) -> Bool { context.chain.step(sequence: sequence) != nil }

  /// The sequence of an entry of the sample; `nil` where it has no such one.
  package func sequence(of uuid: String) -> Int64? {
    context.chain.step(uuid: uuid).map { context.chain.steps[$0].entry.sequence }
  }

  /// The branch beside the main one that an entry is of, whole; `nil` where it is of none.
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
        known.object.category == object.object.category
      {
        return known.object
      }
      let result = object.annotated(isChanged: true)
      packed[target] = (mask, result)
      return result
    }
  }
}
