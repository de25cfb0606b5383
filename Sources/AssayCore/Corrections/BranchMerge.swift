/// The reason why both versions of a conflict cannot be kept.
package enum MergeObstacle: Hashable, Sendable {
  /// A version replaces or excludes the sample as a whole, so no change of the other is left.
  case replacesAll
  /// A version undoes an entry that both had seen, or refers to another branch.
  case revisesEarlier
  /// Both changed the same pixels, the same object or the label: the result depends on the order. The
  /// classes of these objects, sorted; without any, the label.
  case overlap([String])

  /// The reason in words, for a sentence that says what cannot be done.
  package var text: String {
    switch self {
    case .replacesAll: "one version replaces or excludes the sample as a whole"
    case .revisesEarlier: "one version undoes or resolves earlier changes"
    case .overlap([]): "both versions set the label"
    case .overlap(let classes):
      "both versions change the same pixels or objects of \(classes.joined(separator: ", "))"
    }
  }
}

/// The changes of a conflict's branch, applied to the main branch.
///
/// Two versions can be kept together if their changes commute: the main branch's changes since the fork
/// after those of the branch, and the other way round, give the same ground truth. In addition, no new
/// object of one may share pixels with a new object of the same class of the other; for boxes, an IoU
/// of 0.5 or more counts as the same object.
struct BranchMerge {
  /// The minimum IoU of two new boxes of a class that are taken for one object.
  static let sameBox = 0.5
  /// The maximum number of pairs of new objects to compare; beyond it, both versions are not kept.
  private static let pairLimit = 1_000_000

  /// The active steps of the branch that change the ground truth or the exclusion.
  let steps: [Int]

  /// - Parameter uuid: the uuid of an entry of the branch; entries after it are not included.
  /// - Returns: `nil` if no branch has the entry.
  init?(ofBranch uuid: String, before sequence: Int64, _ context: inout ReplayContext) {
    guard let last = context.chain.step(uuid: uuid), context.chain.branch(of: last) != nil,
      context.chain.steps[last].entry.sequence < sequence
    else { return nil }
    var run = ReplayPath(context.imported)
    for step in context.chain.path(to: last) { run.append(step, &context) }
    steps = run.steps.indices.filter { run.isActive($0) }.map { run.steps[$0] }
      .filter { context.chain.branch(of: $0) != nil }
  }

  /// Applies the changes.
  ///
  /// - Throws: ``ReplayState/Failure`` if one of them has no effect on this state; in that case the state is
  ///   unchanged.
  func apply(
    to state: inout ReplayState, _ context: inout ReplayContext
  ) throws(ReplayState.Failure) {
    var changed = state
    try Self.apply(steps, to: &changed, &context)
    // An object twice: the changes are already there.
    let targets = Set(changed.objects.map(\.object.target))
    guard targets.count == changed.objects.count else { throw .missing }
    state = changed
  }

  private static func apply(
    _ steps: [Int], to state: inout ReplayState, _ context: inout ReplayContext
  ) throws(ReplayState.Failure) {
    var changed = state
    for index in steps {
      let step = context.chain.steps[index]
      guard case .success(let operation) = step.operation, operation.mergeability != .never else {
        throw .missing
      }
      try changed.apply(operation, of: step, &context)
    }
    state = changed
  }

  /// The reason why the branch cannot be kept together with the main branch; `nil` if it can.
  ///
  /// - Parameter main: the path of the main branch.
  /// - Complexity: that of four replays of the changes since the fork.
  func obstacle(besides main: ReplayPath, _ context: inout ReplayContext) -> MergeObstacle? {
    guard let first = steps.first, let branch = context.chain.branch(of: first),
      let root = context.chain.branches[branch].first
    else { return nil }
    let fork = context.chain.steps[root].entry.parent
    // The fork must be on the main branch, so that both versions began with one state.
    var base = ReplayState(context.imported)
    if let fork {
      guard let step = context.chain.step(sequence: fork), context.chain.branch(of: step) == nil,
        let state = context.state(after: step)
      else { return .revisesEarlier }
      base = state
    }
    let mine = main.steps.indices.filter {
      main.isActive($0) && context.chain.steps[main.steps[$0]].entry.sequence > fork ?? .min
    }.map { main.steps[$0] }
    for step in mine {
      guard case .success(let operation) = context.chain.steps[step].operation,
        operation.mergeability == .never
      else { continue }
      return .replacesAll
    }
    for step in steps {
      guard case .success(let operation) = context.chain.steps[step].operation else { continue }
      switch operation.mergeability {
      case .never: return .replacesAll
      case .mainOnly: return .revisesEarlier
      case .always: break
      }
    }
    var ours = base
    var theirs = base
    do throws(ReplayState.Failure) {
      try Self.apply(mine, to: &ours, &context)
      try Self.apply(steps, to: &theirs, &context)
    } catch {
      return .revisesEarlier
    }
    guard ours.isSameTruth(as: main.state), let last = steps.last,
      let left = context.state(after: context.chain.branches[branch].last ?? last),
      theirs.isSameTruth(as: left)
    else { return .revisesEarlier }
    var one = ours
    var other = theirs
    let isApplied = (try? apply(to: &one, &context)) != nil
    let isReversed = (try? Self.apply(mine, to: &other, &context)) != nil
    guard isApplied, isReversed, one.hasSameContent(as: other) else {
      return .overlap(Self.differing(base, ours, theirs))
    }
    let same = Self.sameObjects(base, ours, theirs, &context.masks)
    return same.isEmpty ? nil : .overlap(same)
  }

  /// The classes of objects that both versions changed; of all changed objects if they changed none in common; none if
  /// only the label differs.
  private static func differing(
    _ base: ReplayState, _ ours: ReplayState, _ theirs: ReplayState
  ) -> [String] {
    func changed(_ state: ReplayState) -> [CorrectionTarget: String] {
      let before = Set(base.objects)
      let after = Set(state.objects)
      var classes: [CorrectionTarget: String] = [:]
      for object in before.subtracting(after).union(after.subtracting(before)) {
        classes[object.object.target] = object.object.category
      }
      return classes
    }
    let (one, other) = (changed(ours), changed(theirs))
    let common = one.filter { other[$0.key] != nil }
    let classes = common.isEmpty ? Array(one.values) + other.values : Array(common.values)
    return Set(classes).sorted()
  }

  /// The classes of which both versions have drawn the same new object.
  private static func sameObjects(
    _ base: ReplayState, _ ours: ReplayState, _ theirs: ReplayState, _ masks: inout ImportedMasks
  ) -> [String] {
    let known = Set(base.objects.map(\.object.target))
    let one = ours.objects.filter { !known.contains($0.object.target) }
    let other = theirs.objects.filter { !known.contains($0.object.target) }
    guard one.count * other.count <= pairLimit else {
      return Set(one.map(\.object.category)).sorted()
    }
    var classes: Set<String> = []
    for mine in one {
      for theirs in other
      where theirs.object.category == mine.object.category
        && !classes.contains(mine.object.category)
      {
        if mine.isSame(as: theirs, size: ours.size ?? base.size, &masks) {
          classes.insert(mine.object.category)
        }
      }
    }
    return classes.sorted()
  }
}

extension ReplayedObject {
  /// Returns whether two new objects are taken for one: boxes by IoU, others by a shared pixel.
  fileprivate func isSame(
    as other: ReplayedObject, size: ImageSize?, _ masks: inout ImportedMasks
  ) -> Bool {
    if mask == nil, other.mask == nil, object.shape == .box, other.object.shape == .box {
      guard let one = object.box, let two = other.object.box else { return false }
      let width = min(one.x + one.width, two.x + two.width) - max(one.x, two.x)
      let height = min(one.y + one.height, two.y + two.height) - max(one.y, two.y)
      guard width > 0, height > 0 else { return false }
      let shared = width * height
      return shared / (one.area + two.area - shared) >= BranchMerge.sameBox
    }
    guard let size, let one = pixels(in: size, &masks), let two = other.pixels(in: size, &masks)
    else { return false }
    return one.isNear(two) && !one.mask.intersection(two.mask).isEmpty
  }
}

extension ReplayState {
  /// Returns whether both have the same ground truth, in whatever order the objects were made.
  fileprivate func hasSameContent(as other: ReplayState) -> Bool {
    label == other.label && labels == other.labels && leftOut == other.leftOut
      && objects.count == other.objects.count && Set(objects) == Set(other.objects)
  }
}

extension CorrectionOperation {
  enum Mergeability {
    case always
    /// On the main branch only.
    case mainOnly
    case never
  }

  /// The branches on which an operation can be kept together with changes of another: it changes single items.
  var mergeability: Mergeability {
    switch self {
    case .label, .addLabel, .removeLabel, .category, .region, .object, .outline, .attributes, .add,
      .remove, .regions, .accept, .unsure, .skip, .undo, .redo, .edit, .nothing:
      .always
    case .merge: .mainOnly
    case .labels, .objects, .branch, .leaveOut: .never
    }
  }
}
