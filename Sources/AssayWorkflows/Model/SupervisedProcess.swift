import AssayCore
package import AssayInference
import Foundation

/// Work with a model in a child process that its parent monitors.
///
/// The child does all the work and prints the result; the parent waits, forwards interrupts, stops
/// a child that exceeds its limits, and reports the reason if the child did not exit normally.
package struct SupervisedProcess: Sendable {
  /// The time, in seconds, that an interrupted child gets to store its results.
  private var grace: Duration { .seconds(limits.isServing ? ModelLimits.servingGrace : 1) }
  /// The interval between observations of a child, in milliseconds. Its exit is noticed
  /// immediately.
  private static let tick: Int32 = 50

  private let limits: ModelLimits
  private let child: ModelProcess.Child
  private let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameter now: the clock for measuring the child's inactivity.
  init(
    limits: ModelLimits, child: ModelProcess.Child,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.limits = limits
    self.child = child
    self.now = now
  }

  /// Continues in a child process.
  ///
  /// - Returns: `nil` in the child, immediately; in the parent the child's exit status, after the
  ///   child has ended.
  /// - Throws: in the parent: ``Interrupted``, ``SupervisedProcessError``, `InferenceError` if no
  ///   child can be created.
  package static func enterChild(_ limits: ModelLimits) throws -> Int32? {
    guard let child = try ModelProcess.fork(memory: limits.memory, files: limits.files) else {
      return nil
    }
    return try SupervisedProcess(limits: limits, child: child).wait()
  }

  /// Waits for the child to end, as in ``enterChild(_:)``.
  func wait() throws -> Int32 {
    var peak = 0
    var asked: ContinuousClock.Instant?
    var steps: UInt64 = 0
    var watch = ModelTimeLimits(limits: limits)
    var stop: SupervisedProcessError.Reason?
    var seen = now()
    while !hasEnded(within: Self.tick) {
      peak = max(peak, ModelProcess.memory(of: child.id) ?? 0)
      if Interruption.isRequested {
        ModelProcess.interrupt()
        let report = ModelProcess.report
        let isWorking = limits.isServing && report.steps != steps
        steps = report.steps
        let start = isWorking ? ContinuousClock.now : asked ?? ContinuousClock.now
        asked = start
        if ContinuousClock.now - start > grace { kill(child.id, SIGKILL) }
        continue
      }
      let before = seen
      seen = now()
      guard let time = ModelProcess.processorTime(of: child.id) else { continue }
      let report = ModelProcess.report
      let excess = watch.look(
        at: ModelTimeLimits.Observation(
          steps: report.steps, threads: report.threads, isInStep: report.isInStep,
          state: ModelProcess.state(of: child.id), processorTime: time), after: seen - before)
      if let excess, stop == nil {
        stop = excess
        kill(child.id, SIGKILL)
      }
    }
    var status: Int32 = 0
    while waitpid(child.id, &status, 0) < 0, errno == EINTR {}
    close(child.alive)
    let signal = status & 0x7F
    if signal == 0 { return status >> 8 & 0xFF }
    let report = ModelProcess.report
    if asked != nil { throw Interrupted(kept: report.kept) }
    // If a closed pipe ended the child, the parent ends in the same way.
    if signal == SIGPIPE { endBySignal(SIGPIPE) }
    throw SupervisedProcessError(
      reason: stop ?? .signal(signal, memory: peak, limit: limits.memory), stage: report.stage,
      kept: report.kept)
  }

  /// Waits up to this many milliseconds for the child to end, less if a signal arrives.
  private func hasEnded(within milliseconds: Int32) -> Bool {
    var end = pollfd(fd: child.alive, events: Int16(POLLIN), revents: 0)
    return poll(&end, 1, milliseconds) > 0
  }

  private func endBySignal(_ number: Int32) {
    signal(number, SIG_DFL)
    raise(number)
  }
}

/// The reason why work with a model was stopped.
package struct SupervisedProcessError: Error, Hashable {
  package enum Reason: Hashable, Sendable {
    /// One step exceeded the limit of processor time.
    case time(seconds: Int)
    /// The process was suspended by a signal for this many seconds.
    case suspended(seconds: Int)
    /// One step used no processor time for this many seconds.
    case idle(seconds: Int)
    /// The process was ended by a signal; with its observed peak memory, and the limit.
    case signal(Int32, memory: Int, limit: Int)
  }

  package var reason: Reason
  package var stage: ModelProcess.Step
  /// A sentence about the saved results; empty if there are none.
  package var kept: String
}

extension SupervisedProcessError: CustomStringConvertible {
  package var description: String {
    let kept =
      self.kept.isEmpty ? "" : ". \(self.kept.prefix(1).uppercased())\(self.kept.dropFirst())"
    switch reason {
    case .time(let seconds):
      return
        "the model was stopped \(stageText): one step took more than \(seconds) s of CPU time"
        + " per thread. If you trust the file and it is only slow, allow more with --max-seconds"
        + kept
    case .suspended(let seconds):
      return
        "the model was stopped \(stageText): a signal such as SIGSTOP had suspended its process for"
        + " \(seconds) s. Run the command again, or allow more with --max-seconds" + kept
    case .idle(let seconds):
      return
        "the model was stopped \(stageText): one step used no CPU time for \(seconds) s."
        + " If it waits for a slow disk, or for a runner that needs longer, allow more with --max-seconds"
        + kept
    case .signal(let number, let memory, let limit):
      let name = "signal \(number), \(String(cString: strsignal(number)))"
      // Near the limit: the last allocation request is not included in the observed memory.
      if number != SIGKILL, memory > limit / 2 {
        return
          "the model was stopped \(stageText): it exceeded the memory limit of"
          + " \(ByteText.text(limit)) (\(name)). If you trust the file, allow more with --max-memory"
          + kept
      }
      return "the process that runs the model ended \(stageText) (\(name))"
        + (number == SIGKILL
          ? "; the system does that when memory runs out: set a lower --max-memory, or fewer --workers"
          : "; it used \(ByteText.text(memory)) of its memory limit of \(ByteText.text(limit))."
            + " If you trust the file, try a larger --max-memory")
        + kept
    }
  }

  private var stageText: String {
    switch stage {
    case .idle: "before it was read"
    case .reading: "while it was read"
    case .compiling: "while it was compiled"
    case .running: "while it ran"
    }
  }
}
