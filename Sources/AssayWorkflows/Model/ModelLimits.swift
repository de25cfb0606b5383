import AssayCore
import AssayInference
import Foundation

/// The resource limits of the process that reads and runs a model.
///
/// A model file is a program: a few hundred bytes can request all memory, or run forever.
package struct ModelLimits: Hashable, Sendable {
  /// The maximum number of bytes of writable memory.
  package var memory: Int
  /// The maximum processor time in seconds of one step on each thread: reading the model, compiling
  /// it, running it on one batch.
  package var seconds: Int
  /// The maximum number of open files.
  package var files: Int
  /// True for a process that serves requests: only time in steps counts, and after an interrupt it gets
  /// ``servingGrace`` to finish, and as long again after each step of its model.
  package var isServing = false

  /// The time in seconds that an interrupted server gets for requests in progress, or for the next step of its model.
  static let servingGrace = 20

  /// - Parameters:
  ///   - memory: `nil` for ``defaultMemory``.
  ///   - seconds: at least 1; `nil` for ``defaultSeconds``.
  ///   - files: at least ``leastFiles``; `nil` for ``defaultFiles``.
  package init(memory: Int? = nil, seconds: Int? = nil, files: Int? = nil) {
    self.memory = memory ?? Self.defaultMemory
    self.seconds = seconds ?? Self.defaultSeconds
    self.files = files ?? Self.defaultFiles
  }

  package static let defaultSeconds = 300
  package static let defaultFiles = 1024
  /// The minimum number of files that the catalog, the images and OpenVINO need.
  package static let leastFiles = 64
  /// The minimum memory with which OpenVINO starts.
  package static let leastMemory = 128 << 20

  /// Half of the machine's memory, or of the control group's limit if that is smaller.
  package static var defaultMemory: Int {
    let machine = Int(clamping: ProcessInfo.processInfo.physicalMemory)
    return max(leastMemory, min(machine, controlGroupMemory ?? machine) / 2)
  }

  /// The memory limit of the process's control group; `nil` if there is none.
  private static var controlGroupMemory: Int? {
    var least: Int?
    let group = text("/proc/self/cgroup").split(separator: "\n").first { $0.hasPrefix("0::/") }
    var folder = "/sys/fs/cgroup" + (group.map { String($0.dropFirst(3)) } ?? "")
    while folder.count >= "/sys/fs/cgroup".count {
      if let limit = Int(
        text(folder + "/memory.max").trimmingCharacters(in: .whitespacesAndNewlines))
      {
        least = min(least ?? limit, limit)
      }
      folder = folder.parentFolder
    }
    return least
  }

  private static func text(_ path: String) -> String {
    let bytes = try? FileHandle(forReadingAtPath: path)?.readToEnd()
    return String(decoding: bytes ?? Data(), as: UTF8.self)
  }
}
