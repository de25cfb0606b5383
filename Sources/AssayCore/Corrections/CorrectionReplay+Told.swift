/// What is told about the entries.
extension CorrectionReplay {
  /// All entries in ascending sequence, and what became of them.
  package var history: [HistoryItem] {
    var isActive = [Bool](repeating: false, count: context.chain.steps.count)
    for (position, step) in run.steps.enumerated() { isActive[step] = run.isActive(position) }
    return context.chain.steps.enumerated().map { index, step in
      HistoryItem(
        entry: step.entry, remarks: step.remarks, isActive: isActive[index],
        isConflict: context.chain.branch(of: index) != nil)
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
      guard let head = open.last, let last = branch.last else { continue }
      let state = context.state(after: last) ?? run.state
      conflicts.append(
        ConflictBranch(
          entries: open, head: head.sequence, forkedFrom: entries[0].parent, label: state.label,
          labels: state.labels, objects: annotated(state), leftOut: state.leftOut))
    }
    return conflicts
  }

  func skipped() -> SkippedEntries {
    var skipped = SkippedEntries()
    for reason in run.skips {
      switch reason {
      case .unknown: skipped.unknown += 1
      case .unreadable: skipped.unreadable += 1
      case .missing: skipped.missing += 1
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
