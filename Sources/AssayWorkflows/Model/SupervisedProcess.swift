import AssayCore
package import AssayInference
import Foundation

/// Work with a model in a child process, which its parent watches.
///
/// The child does the whole work and prints what came of it; the parent waits, passes interrupts on, stops
/// a child that goes past its limits, and says what happened to one that did not end by itself.
package struct SupervisedProcess: Sendable {
  /// The processor time, in seconds, that a stopped child gets to store what it has.
  private static let grace = Duration.seconds(1)
  /// The interval between observations of a child, in milliseconds. Its end is noticed at once.
  private static let tick: Int32 = 50

  private let limits: ModelLimits
  private let child: ModelProcess.Child
  private let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameter now: the time that the child's silence is measured by.
  init(
    limits: ModelLimits, child: ModelProcess.Child,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.limits = limits
    self.child = child
    self.now = now
  }

  /// Goes on in a child process.
  ///
  /// - Returns: in the child, at once; in the parent once the child has ended, with the child's exit status.
  ///   `nil` in the child.
  /// - Throws: in the parent: ``Interrupted``, ``SupervisedProcessError``, `InferenceError` where no child can be
  ///   made.
  package static func enterChild(_ limits: ModelLimits) throws -> Int32? {
    guard let child = try ModelProcess.fork(memory: limits.memory, files: limits.files) else {
      return nil
    }
    return try SupervisedProcess(limits: limits, child: child).wait()
  }

  /// Waits for the child's end, as ``enterChild(_:)`` does.
  func wait() throws -> Int32 {
    var peak = 0
    var asked: ContinuousClock.Instant?
    var watch = ModelTimeLimits(limits: limits)
    var stop: SupervisedProcessError.Reason?
    var seen = now()
    while !hasEnded(within: Self.tick) {
      peak = max(peak, ModelProcess.memory(of: child.id) ?? 0)
      if Interruption.isRequested {
        ModelProcess.interrupt()
        let start = asked ?? ContinuousClock.now
        asked = start
        if ContinuousClock.now - start > Self.grace { kill(child.id, SIGKILL) }
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
    // A closed pipe that ends the child ends the parent in the same way.
    if signal == SIGPIPE { endBySignal(SIGPIPE) }
    throw SupervisedProcessError(
      reason: stop ?? .signal(signal, memory: peak, limit: limits.memory), stage: report.stage,
      kept: report.kept)
  }

  /// Waits for the child's end for so many milliseconds, less where a signal comes.
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
    /// One step went past the limit of processor time.
    case time(seconds: Int)
    /// The process was suspended by a signal for so many seconds.
    case suspended(seconds: Int)
    /// One step used no processor time for so many seconds.
    case idle(seconds: Int)
    /// The process was ended by a signal; with the most memory that it was seen to have, and its limit.
    case signal(Int32, memory: Int, limit: Int)
  }

  package var reason: Reason
  package var stage: ModelProcess.Step
  /// A sentence about the results that are kept; empty for none.
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
        + " If it waits for a slow disk, allow more with --max-seconds" + kept
    case .signal(let number, let memory, let limit):
      let name = "signal \(number), \(String(cString: strsignal(number)))"
      // Near the limit: what was asked for last is not counted.
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
