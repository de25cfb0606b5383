package import AssayCore
import AssayStore

/// The review state of a sample.
package struct ReviewState: Hashable, Sendable {
  package var status: ReviewStatus
  /// Branches of corrections that were made side by side with others, and are not settled.
  package var conflicts: Int

  package init(status: ReviewStatus, conflicts: Int = 0) {
    self.status = status
    self.conflicts = conflicts
  }

  /// Nobody has looked at it.
  package static let open = ReviewState(status: .open)

  /// The state after its corrections.
  package init(_ truth: EffectiveTruth) {
    self.init(status: truth.status, conflicts: truth.conflicts.count)
  }

  init(_ mark: ReviewMarks.Mark) {
    self.init(status: mark.status, conflicts: mark.conflicts)
  }
}

extension ReviewStatus {
  /// True if there is still something to do: nobody has looked at it, or somebody has not finished.
  package var isLeft: Bool { self == .open || self == .started }
}

/// The numbers of samples of a review by state.
package struct ReviewCounts: Hashable, Sendable {
  /// Nobody has looked at them, or somebody has not finished.
  package private(set) var left = 0
  /// Of these the ones that somebody has begun with.
  package private(set) var started = 0
  package private(set) var done = 0
  package private(set) var skipped = 0
  package private(set) var unsure = 0
  /// Rejected, or bad images.
  package private(set) var leftOut = 0
  /// With corrections that contradict each other; they are among the others, too.
  package private(set) var conflicts = 0

  package init() {}

  package var total: Int { left + done + skipped + unsure + leftOut }

  package mutating func add(_ state: ReviewState) { change(state, by: 1) }

  package mutating func remove(_ state: ReviewState) { change(state, by: -1) }

  private mutating func change(_ state: ReviewState, by step: Int) {
    switch state.status {
    case .open: left += step
    case .started:
      left += step
      started += step
    case .done: done += step
    case .skipped: skipped += step
    case .unsure: unsure += step
    case .leftOut: leftOut += step
    }
    if state.conflicts > 0 { conflicts += step }
  }

  /// The members that every output of a queue has.
  package var json: JSONValue {
    [
      "total": JSONValue(total), "left": JSONValue(left), "started": JSONValue(started),
      "done": JSONValue(done), "skipped": JSONValue(skipped), "unsure": JSONValue(unsure),
      "left_out": JSONValue(leftOut), "conflicts": JSONValue(conflicts),
    ]
  }
}
