package import AssayCore
import AssayStore

/// The review state of a sample.
package struct ReviewState: Hashable, Sendable {
  package var status: ReviewStatus
  /// The number of conflicting branches of corrections that are not resolved.
  package var conflicts: Int

  package init(status: ReviewStatus, conflicts: Int = 0) {
    self.status = status
    self.conflicts = conflicts
  }

  /// The state of a sample that was never opened.
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
  /// True if there is still something to do: the sample is open or started.
  package var isLeft: Bool { self == .open || self == .started }
}

/// The numbers of samples of a review by state.
package struct ReviewCounts: Hashable, Sendable {
  /// The number of samples that are open or started.
  package private(set) var left = 0
  /// The number of samples among them that are started.
  package private(set) var started = 0
  package private(set) var done = 0
  package private(set) var skipped = 0
  package private(set) var unsure = 0
  /// The number of excluded samples: rejected samples and unusable images.
  package private(set) var leftOut = 0
  /// The number of samples with conflicting corrections; they are also included in the other
  /// counts.
  package private(set) var conflicts = 0

  package init() {}

  package var total: Int { left + done + skipped + unsure + leftOut }

  package mutating func add(_ state: ReviewState) { change(state, by: 1) }

  package mutating func remove(_ state: ReviewState) { change(state, by: -1) }

  /// Adds other counts.
  package mutating func merge(_ other: ReviewCounts) {
    left += other.left
    started += other.started
    done += other.done
    skipped += other.skipped
    unsure += other.unsure
    leftOut += other.leftOut
    conflicts += other.conflicts
  }

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

  /// The members common to all outputs of a queue.
  package var json: JSONValue {
    [
      "total": JSONValue(total), "left": JSONValue(left), "started": JSONValue(started),
      "done": JSONValue(done), "skipped": JSONValue(skipped), "unsure": JSONValue(unsure),
      "left_out": JSONValue(leftOut), "conflicts": JSONValue(conflicts),
    ]
  }
}
