/// The values that all replay paths over one sample's entries share.
struct ReplayContext: Sendable {
  let imported: ImportedTruth
  var chain = CorrectionChain()
  var masks: ImportedMasks
  /// The ground truth after steps on side branches, which can no longer change.
  private var states: [Int: ReplayState] = [:]
  private var depth = 0
  /// The image's hash, with which versions are replayed.
  var contentHash: String?
  /// The entries of independent versions, in ascending sequence.
  private(set) var independent: [LedgerEntry] = []
  /// The ground truth that the author of an entry of an independent version left, by uuid.
  private var versions: [String: ReplayState] = [:]

  /// The maximum depth of branches of branches.
  private static let depthLimit = 32

  init(_ imported: ImportedTruth) {
    self.imported = imported
    masks = ImportedMasks(imported)
  }

  /// The ground truth that the author of a step left; `nil` for branches nested too deeply.
  ///
  /// - Complexity: that of a replay up to the step.
  mutating func state(after step: Int) -> ReplayState? {
    if let state = states[step] { return state }
    guard depth < Self.depthLimit else { return nil }
    depth += 1
    defer { depth -= 1 }
    var run = ReplayPath(imported)
    for other in chain.path(to: step) { run.append(other, &self) }
    states[step] = run.state
    return run.state
  }
}

extension ReplayContext {
  /// Returns whether the imported ground truth includes the change of a step: one that counted when it was
  /// exported. Entries of conflicts and of independent versions do not count.
  func isIncluded(_ step: Int) -> Bool {
    guard let included = imported.includes,
      case .success(let operation) = chain.steps[step].operation
    else { return false }
    let entry = chain.steps[step].entry
    return entry.sequence <= included.sequence && operation.changesContent
      && chain.branch(of: step) == nil && IndependentVersion(entry) == nil
  }

  /// Keeps an entry of an independent version, to which an entry of the main branch can refer.
  mutating func append(independent entry: LedgerEntry) {
    guard entry.sequence > independent.last?.sequence ?? .min else { return }
    independent.append(entry)
  }

  /// The ground truth that the author of an entry on a side branch, or in an independent version,
  /// left; `nil` if there is no such entry before a sequence.
  mutating func state(ofBranch uuid: String, before sequence: Int64) -> ReplayState? {
    if let head = chain.step(uuid: uuid) {
      guard chain.branch(of: head) != nil, chain.steps[head].entry.sequence < sequence else {
        return nil
      }
      return state(after: head)
    }
    if let state = versions[uuid] { return state }
    guard let entry = independent.first(where: { $0.uuid == uuid }), entry.sequence < sequence,
      let version = IndependentVersion(entry)?.based(on: independent)
    else { return nil }
    var replay = CorrectionReplay(imported, contentHash: contentHash, version: version)
    let entries = (chain.steps.map(\.entry) + independent).sorted { $0.sequence < $1.sequence }
    for other in entries where other.sequence <= entry.sequence { replay.append(other) }
    versions[uuid] = replay.run.state
    return replay.run.state
  }
}

extension ReplayState {
  /// - Throws: ``Failure``; in that case nothing but the size is changed.
  mutating func apply(
    _ operation: CorrectionOperation, of step: CorrectionChain.Step, _ context: inout ReplayContext
  ) throws(Failure) {
    let entry = step.entry.uuid
    var occurrence = 0
    switch operation {
    case .label(let category):
      guard labels == nil else { throw .otherTask }
      label = category
    case .addLabel(let category):
      guard labels != nil else { throw .otherTask }
      labels?.insert(category)
    case .removeLabel(let category):
      guard labels != nil else { throw .otherTask }
      labels?.remove(category)
    case .labels(let categories):
      guard labels != nil else { throw .otherTask }
      labels = categories
    case .category(let target, let category):
      objects[try place(of: target)].object.category = category
    case .region(let category, let delta):
      try edit(
        region: category, delta, entry: entry, occurrence: &occurrence, &context.masks)
    case .object(let target, let delta): try edit(target, delta, &context.masks)
    case .outline(let target, let outline, let size):
      try edit(target, outline, size: size, imported: context.imported)
    case .attributes(let target, let fields):
      let place = try place(of: target)
      objects[place].object.set(fields)
    case .add(let object): try add(object, entry: entry, occurrence: 0, &context.masks)
    case .remove(let target): objects.remove(at: try place(of: target))
    case .regions(let regions):
      for (category, delta) in regions {
        try edit(
          region: category, delta, entry: entry, occurrence: &occurrence, &context.masks)
      }
    case .objects(let new, let categories):
      for size in new.compactMap(\.size) { try agree(on: size) }
      let replaced = categories.map(Set.init)
      // A prediction says nothing about labels of the image, lines and points.
      objects.removeAll {
        $0.object.shape.isRegion && replaced?.contains($0.object.category) ?? true
      }
      for object in new {
        try add(object, entry: entry, occurrence: occurrence, &context.masks)
        occurrence += 1
      }
    case .branch(let uuid):
      guard let state = context.state(ofBranch: uuid, before: step.entry.sequence) else {
        throw .missing
      }
      (label, labels, objects) = (state.label, state.labels, state.objects)
      leftOut = state.leftOut
      return
    case .merge(let uuid):
      let merge = BranchMerge(ofBranch: uuid, before: step.entry.sequence, &context)
      guard let merge else { throw .missing }
      try merge.apply(to: &self, &context)
      return
    case .leaveOut(let reason):
      leftOut = reason
      return
    case .accept:
      leftOut = nil
      return
    case .unsure, .skip, .undo, .redo, .edit, .nothing: return
    }
    // A reviewer who corrects a sample and marks it as done wants it to count.
    if step.remarks.isDone { leftOut = nil }
  }

  /// Returns whether both states have the same ground truth.
  func isSameTruth(as other: ReplayState) -> Bool {
    label == other.label && labels == other.labels && leftOut == other.leftOut
      && objects == other.objects
  }
}
