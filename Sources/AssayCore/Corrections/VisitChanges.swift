/// Finds the visits of a path that changed the ground truth, taking all their entries together.
///
/// A visit whose entries are consecutive is assessed by the ground truth before and after it. If
/// visits are interleaved, each is assessed per item (label, exclusion, every object): by the
/// item's state before the visit first changed it, and after the visit last changed it.
struct VisitChanges {
  private(set) var visits: Set<String> = []

  init(_ run: ReplayPath) {
    var stretches: [String: [(before: ReplayState, after: ReplayState)]] = [:]
    for (index, segment) in run.segments.enumerated() {
      let after = index + 1 < run.segments.count ? run.segments[index + 1].before : run.state
      if !segment.before.isSameTruth(as: after) {
        stretches[segment.visit, default: []].append((segment.before, after))
      }
    }
    for (visit, stretches) in stretches
    where stretches.count == 1 || Self.isNetChange(stretches) {
      visits.insert(visit)
    }
  }

  private enum ChangedItem: Hashable {
    case label
    /// A class in a set of labels.
    case labeled(String)
    case leftOut
    case object(CorrectionTarget)
  }

  private enum Value: Hashable {
    case text(String?)
    case object(ReplayedObject?)
  }

  private static func isNetChange(
    _ stretches: [(before: ReplayState, after: ReplayState)]
  ) -> Bool {
    var found: [ChangedItem: Value] = [:]
    var left: [ChangedItem: Value] = [:]
    for (before, after) in stretches {
      let old = values(before)
      let new = values(after)
      for thing in Set(old.keys).union(new.keys) {
        let first = old[thing] ?? .object(nil)
        let last = new[thing] ?? .object(nil)
        guard first != last else { continue }
        found[thing] = found[thing] ?? first
        left[thing] = last
      }
    }
    return found.contains { left[$0.key] != $0.value }
  }

  private static func values(_ state: ReplayState) -> [ChangedItem: Value] {
    var values: [ChangedItem: Value] = [
      .label: .text(state.label), .leftOut: .text(state.leftOut),
    ]
    for label in state.labels ?? [] { values[.labeled(label)] = .text(label) }
    for object in state.objects { values[.object(object.object.target)] = .object(object) }
    return values
  }
}
