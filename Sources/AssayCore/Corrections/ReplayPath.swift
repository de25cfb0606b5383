/// One path through a sample's entries: which of them count, and the resulting ground truth.
///
/// Entries are appended; an undo returns to a saved state and replays from there without the undone
/// entry.
struct ReplayPath: Sendable {
  /// The ground truth before the first of successive entries of a visit.
  struct Segment: Sendable {
    var visit: String
    var before: ReplayState
  }

  private struct Progress: Sendable {
    var state: ReplayState
    var segments: [Segment] = []
  }

  /// The reason why an entry of the path was skipped.
  enum Skip: Sendable {
    case unknown
    case unreadable
    case missing
    case otherTask
    case foreign
  }

  /// The number of entries between two saved states.
  private static let stride = 16

  /// Indices into the chain's steps.
  private(set) var steps: [Int] = []
  private var undone: [Bool] = []
  /// The reason why each was skipped; `nil` if it was not.
  private(set) var skips: [Skip?] = []
  private var progress: Progress
  /// The progress before every sixteenth entry.
  private var kept: [Progress] = []

  var state: ReplayState { progress.state }
  var segments: [Segment] { progress.segments }

  init(_ imported: ImportedTruth) { progress = Progress(state: ReplayState(imported)) }

  /// Returns whether the step at a position of the path counts.
  func isActive(_ position: Int) -> Bool { !undone[position] && skips[position] == nil }

  /// Returns whether a later step of the path undid the one at a position.
  func isUndone(_ position: Int) -> Bool { undone[position] }

  mutating func append(_ step: Int, _ context: inout ReplayContext) {
    let position = steps.count
    steps.append(step)
    undone.append(false)
    skips.append(nil)
    switch context.chain.steps[step].operation {
    case .success(.undo(let uuid)): toggle(uuid, to: false, at: position, &context)
    case .success(.redo(let uuid)): toggle(uuid, to: true, at: position, &context)
    default: apply(position, &context)
    }
  }

  /// Deactivates or reactivates an earlier entry.
  private mutating func toggle(
    _ uuid: String, to value: Bool, at position: Int, _ context: inout ReplayContext
  ) {
    keep(position)
    guard !context.chain.steps[steps[position]].isForeign else {
      skips[position] = .foreign
      return
    }
    guard let step = context.chain.step(uuid: uuid), let target = place(of: step),
      target < position, context.chain.steps[step].isToggled
    else {
      skips[position] = .missing
      return
    }
    guard undone[target] == value else { return }
    undone[target] = !value
    let start = target / Self.stride
    progress = kept[start]
    kept.removeLast(kept.count - start)
    for place in start * Self.stride...position { apply(place, &context) }
  }

  private func place(of step: Int) -> Int? {
    // Steps ascend within a path.
    var (low, high) = (0, steps.count)
    while low < high {
      let middle = (low + high) / 2
      if steps[middle] < step { low = middle + 1 } else { high = middle }
    }
    return low < steps.count && steps[low] == step ? low : nil
  }

  private mutating func keep(_ position: Int) {
    if position == kept.count * Self.stride { kept.append(progress) }
  }

  private mutating func apply(_ position: Int, _ context: inout ReplayContext) {
    keep(position)
    let step = context.chain.steps[steps[position]]
    guard !step.isForeign else {
      skips[position] = .foreign
      return
    }
    switch step.operation {
    case .failure(.unknown): skips[position] = .unknown
    case .failure(.unreadable): skips[position] = .unreadable
    case .success(.undo), .success(.redo): break
    case .success(let operation):
      skips[position] = nil
      if undone[position] { return }
      if context.isIncluded(steps[position]) {
        // It is there already; applied again, it could add an object twice or change another one.
        if step.remarks.isDone { progress.state.leftOut = nil }
        return
      }
      if operation.changesTruth, progress.segments.last?.visit != step.entry.visit {
        progress.segments.append(Segment(visit: step.entry.visit, before: progress.state))
      }
      let size = progress.state.size
      do throws(ReplayState.Failure) {
        try progress.state.apply(operation, of: step, &context)
      } catch {
        progress.state.size = size
        skips[position] =
          switch error {
          case .otherSize: .unreadable
          case .missing: .missing
          case .otherTask: .otherTask
          }
      }
    }
  }
}

extension CorrectionChain.Step {
  /// True if an undo can name it.
  fileprivate var isToggled: Bool {
    guard !isForeign, case .success(let operation) = operation else { return false }
    switch operation {
    case .undo, .redo: return false
    default: return true
    }
  }
}

extension CorrectionOperation {
  /// True if it can change the labels or objects.
  var changesContent: Bool {
    switch self {
    case .leaveOut, .accept: false
    default: changesTruth
    }
  }

  /// True if it can change the ground truth, or whether the sample counts.
  var changesTruth: Bool {
    switch self {
    case .label, .addLabel, .removeLabel, .labels, .category, .region, .object, .outline,
      .attributes, .add, .remove, .regions, .objects, .branch, .merge, .leaveOut, .accept:
      true
    case .unsure, .skip, .undo, .redo, .edit, .nothing: false
    }
  }
}
