import COpenVINO
import Foundation

/// The child process in which models are read and run, and its reports to its parent.
///
/// Calls of OpenVINO are counted automatically; ``threads`` and ``keep(_:)`` are for code that
/// distributes the work. In any other process they do nothing.
package enum ModelProcess {
  /// The current step of a child.
  package enum Step: Int32, Sendable {
    case idle = 0
    case reading, compiling, running
  }

  /// The progress that a child has reported.
  package struct Report: Sendable {
    /// The calls of OpenVINO that have returned.
    package var steps: UInt64
    /// The number of threads that work concurrently, at least 1.
    package var threads: Int
    package var stage: Step
    /// True if a call of OpenVINO has begun and not returned.
    package var isInStep: Bool
    /// A sentence about the results that are kept; empty if there is nothing to report.
    package var kept: String
  }

  /// A child, as seen by its parent.
  package struct Child: Sendable {
    /// Its process id.
    package let id: Int32
    /// A descriptor that reaches end of file once the child has ended.
    package let alive: Int32

    package init(id: Int32, alive: Int32) {
      self.id = id
      self.alive = alive
    }
  }

  /// The state of a process.
  package enum State: Sendable {
    /// The process is running, waiting, or has ended.
    case usual
    /// A signal, such as SIGSTOP, suspended the process.
    case suspended
    /// A debugger holds the process.
    case traced
  }

  /// Forks a child with its own limits.
  ///
  /// - Parameters:
  ///   - memory: the maximum writable memory in bytes.
  ///   - files: the maximum number of open files.
  /// - Returns: `nil` in the child.
  /// - Throws: ``InferenceError/noProcess(reason:)``. A process with other threads is not forked.
  package static func fork(memory: Int, files: Int) throws(InferenceError) -> Child? {
    var limits = assay_process_limits(
      memory: UInt64(max(0, memory)), files: UInt64(max(0, files)))
    var alive: Int32 = -1
    var id: Int32 = -1
    do throws(OpenVINOFault) {
      id = try OpenVINOFault.checked { error, capacity in
        let id = assay_process_fork(&limits, &alive, error, capacity)
        return id < 0 ? nil : id
      }
    } catch {
      throw .noProcess(reason: error.text)
    }
    return id == 0 ? nil : Child(id: id, alive: alive)
  }

  /// The progress that the child has reported so far.
  package static var report: Report {
    var report = assay_process_report()
    assay_process_read(&report)
    let kept = withUnsafeBytes(of: report.kept) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return Report(
      steps: report.steps, threads: Int(report.threads),
      stage: Step(rawValue: report.stage) ?? .idle, isInStep: report.running > 0, kept: kept)
  }

  /// Requests that the child stop between two steps.
  package static func interrupt() { assay_process_interrupt() }

  /// True if this process is a child and its parent requested a stop.
  package static var isInterrupted: Bool { assay_process_is_interrupted() }

  /// Sets the number of threads that work concurrently from now on: each has the full CPU time
  /// limit.
  package static func setThreads(_ count: Int) {
    assay_process_set_threads(Int32(clamping: count))
  }

  /// Sets the text that reports what is kept if this process is stopped: at most 1,023 bytes.
  package static func keep(_ text: String) { assay_process_set_kept(text) }

  /// The processor time that a process has used, in seconds; `nil` if the process is gone.
  package static func processorTime(of process: Int32) -> Double? {
    let time = assay_process_time(process)
    return time < 0 ? nil : Double(time) * 1e-9
  }

  /// The state of a process; ``State/usual`` if unknown.
  package static func state(of process: Int32) -> State {
    switch UInt8(bitPattern: assay_process_state(process)) {
    case UInt8(ascii: "T"): .suspended
    case UInt8(ascii: "t"): .traced
    default: .usual
    }
  }

  /// The writable memory of a process in bytes; `nil` if the process is gone.
  package static func memory(of process: Int32) -> Int? {
    let memory = assay_process_memory(process)
    return memory < 0 ? nil : Int(memory)
  }

  /// The limit on this process's writable memory in bytes; `nil` if there is no limit.
  package static var memoryLimit: Int? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0,
      limit.rlim_cur < rlim_t(Int.max)
    else { return nil }
    return Int(limit.rlim_cur)
  }
}
