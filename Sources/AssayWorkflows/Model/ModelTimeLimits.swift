import AssayInference

/// The limits of time of a model's process, checked by what its parent sees of it now and then.
///
/// Processor time is what a step may use up, so that a loaded machine costs a model nothing. A process that
/// uses none would never reach that limit: where a step is running and uses no processor time at all, or where
/// a signal has suspended the process, it is stopped after ``silence``. A process that waits outside of a step
/// (for a reader of its output, another writer of the catalog, a disk) is left alone, and so is one that a
/// debugger holds.
struct ModelTimeLimits {
  /// The parent's observation of the process.
  struct Observation {
    var steps: UInt64
    var threads: Int
    var isInStep: Bool
    var state: ModelProcess.State
    /// In seconds.
    var processorTime: Double
  }

  /// The shortest time without a sign of life, in seconds, for which a process is stopped: on a loaded machine
  /// a process that could run may get nothing for some seconds.
  static let leastSilence = 60

  /// The maximum time between two observations that counts. A parent that was suspended together
  /// with its child, as Ctrl-Z does, counts the child's silence only from then on.
  private static let longestGap = Duration.seconds(1)

  private let limits: ModelLimits
  private var steps: UInt64 = 0
  private var timeAtStep = 0.0
  private var lastTime = 0.0
  private var silent = Duration.zero

  /// The time without a sign of life, in seconds, for which a process is stopped.
  var silence: Int { max(Self.leastSilence, limits.seconds) }

  init(limits: ModelLimits) { self.limits = limits }

  /// Takes in an observation.
  ///
  /// - Parameter gap: the time since the one before.
  /// - Returns: why the process is to be stopped; `nil` where it is not.
  mutating func look(at now: Observation, after gap: Duration) -> SupervisedProcessError.Reason? {
    let isAlive = now.processorTime > lastTime || now.steps != steps
    lastTime = now.processorTime
    let isWaiting = now.state == .suspended || now.state == .usual && now.isInStep
    silent = isAlive || !isWaiting ? .zero : silent + min(gap, Self.longestGap)
    if silent >= .seconds(silence) {
      return now.state == .suspended ? .suspended(seconds: silence) : .idle(seconds: silence)
    }
    if now.steps != steps {
      (steps, timeAtStep) = (now.steps, now.processorTime)
    } else if now.processorTime - timeAtStep > Double(limits.seconds * now.threads) {
      return .time(seconds: limits.seconds)
    }
    return nil
  }
}
