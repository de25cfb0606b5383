import AssayCore
import AssayStore
import Foundation

/// The end of the log of a task, which Slurm, Ray or Spark started.
package struct ShardLog: Sendable {
  /// The number of the shard; `nil` for the log of the merge.
  package let shard: Int?
  /// The path of the log.
  package let path: String
  /// The last lines that are not empty, without the one about the exit status.
  package let lines: [String]
  /// The exit status of the task's last try; `nil` if it is running, or was killed.
  package let status: Int32?
  /// The time of the last change, in nanoseconds since 1970.
  fileprivate let modified: Int64

  /// The folders of the logs in a folder for parts: those of `assay submit slurm`, and of the recipes for Ray and
  /// Spark.
  static func folders(in path: String) -> [String] {
    [SlurmJobs.jobFolder(of: path), path + "/ray", path + "/spark"]
  }

  /// The paths of the logs in a folder, by shard: `predict-3.log`, `check-3.log`.
  static func paths(in folder: String) -> [Int: String] {
    guard let names = try? OpenFolder(folder).names() else { return [:] }
    var paths: [Int: String] = [:]
    for name in names {
      guard let match = name.wholeMatch(of: /([a-z]+)-([0-9]{1,6})\.log/),
        PartWork(rawValue: String(match.1)) != nil, let shard = Int(match.2)
      else { continue }
      paths[shard] = folder + "/" + name
    }
    return paths
  }

  /// The number of bytes at the end of a log that are read.
  private static let tail = 16_384
  /// The number of lines.
  private static let count = 3
  /// The largest number of characters of a line.
  private static let width = 300

  /// The line that a task writes at its end, as the shell makes it.
  static func endLine(status: String) -> String { "assay: the task ended with status \(status)" }

  /// Reads the end of a log; `nil` if there is none.
  init?(_ path: String, shard: Int?) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    modified = facts.st_mtim.nanoseconds
    let size = Int(facts.st_size)
    let length = min(size, Self.tail)
    var bytes = [UInt8](repeating: 0, count: length)
    let count = bytes.withUnsafeMutableBytes {
      pread(file, $0.baseAddress, length, off_t(size - length))
    }
    guard count >= 0 else { return nil }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    var lines = text.split(whereSeparator: \.isNewline).map {
      $0.trimmingCharacters(in: .whitespaces)
    }.filter { !$0.isEmpty }
    // Cut at the front.
    if size > length { lines = Array(lines.dropFirst()) }
    let start = Self.endLine(status: "")
    status = lines.last.flatMap { $0.hasPrefix(start) ? Int32($0.dropFirst(start.count)) : nil }
    lines.removeAll { $0.hasPrefix(start) }
    self.lines = lines.suffix(Self.count).map { String($0.prefix(Self.width)) }
    self.path = path
    self.shard = shard
  }

  /// The state of the task in words.
  package var state: String {
    if let status {
      let retry = status == TransientFailure.status ? ": the same command may succeed later" : ""
      return "ended with status \(status)" + retry
    }
    return shard == nil ? "no exit status" : "running or killed"
  }
}

extension PartFolder {
  /// The largest number of logs that are read.
  private static let logLimit = 20

  /// The logs of the shards that are missing, or while nothing says how many there are, all; of a complete folder
  /// that of the merge.
  package var logs: [ShardLog] {
    let paths = ShardLog.folders(in: path).map(ShardLog.paths)
    let numbers = count == nil ? Set(paths.flatMap(\.keys)).sorted() : missing.map(\.number)
    guard !numbers.isEmpty else {
      let folder = SlurmJobs.jobFolder(of: path)
      let merge = ShardLog(folder + "/" + SlurmJobs.mergeLog, shard: nil)
      return merge.map { $0.lines.isEmpty ? [] : [$0] } ?? []
    }
    let logs = numbers.lazy.compactMap { number in
      paths.compactMap { $0[number] }.compactMap { ShardLog($0, shard: number) }
        .max { $0.modified < $1.modified }
    }
    return Array(logs.prefix(Self.logLimit))
  }
}
