import AssayInference

/// The time limits of a model's process, checked with periodic observations by its parent.
///
/// Steps are limited by processor time, so that a loaded machine does not affect them. A process
/// that uses no processor time would never reach that limit: if a step is running without using
/// processor time, or if a signal has suspended the process, it is stopped after ``silence``. A
/// process that waits outside of a step (for a reader of its output, another writer of the catalog,
/// a disk) is not stopped, nor is one that is stopped by a debugger.
struct ModelTimeLimits {
  /// The parent's observation of the process.
  struct Observation {
    var steps: UInt64
    var threads: Int
    var isInStep: Bool
    var state: ModelProcess.State
    /// The processor time in seconds.
    var processorTime: Double
  }

  /// The minimum time without activity, in seconds, after which a process is stopped: on a loaded
  /// machine, a runnable process may get no processor time for some seconds.
  static let leastSilence = 60

  /// The maximum counted time between two observations. If the parent was suspended together with
  /// its child, as by Ctrl-Z, the child's inactivity is counted only from then on.
  private static let longestGap = Duration.seconds(1)

  private let limits: ModelLimits
  private var steps: UInt64 = 0
  private var timeAtStep = 0.0
  private var lastTime = 0.0
  private var silent = Duration.zero

  /// The time without activity, in seconds, after which a process is stopped.
  var silence: Int { max(Self.leastSilence, limits.seconds) }

  init(limits: ModelLimits) { self.limits = limits }

  /// Processes an observation.
  ///
  /// - Parameter gap: the time since the previous observation.
  /// - Returns: the reason to stop the process; `nil` to let it run.
  mutating func look(at now: Observation, after gap: Duration) -> SupervisedProcessError.Reason? {
    let isAlive = now.processorTime > lastTime || now.steps != steps
    lastTime = now.processorTime
    let isWaiting = now.state == .suspended || now.state == .usual && now.isInStep
    silent = isAlive || !isWaiting ? .zero : silent + min(gap, Self.longestGap)
    if silent >= .seconds(silence) {
      return now.state == .suspended ? .suspended(seconds: silence) : .idle(seconds: silence)
    }
    if now.steps != steps || limits.isServing && !now.isInStep {
      (steps, timeAtStep) = (now.steps, now.processorTime)
    } else if now.processorTime - timeAtStep > Double(limits.seconds * now.threads) {
      return .time(seconds: limits.seconds)
    }
    return nil
  }
}
