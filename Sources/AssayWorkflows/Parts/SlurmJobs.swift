import AssayCore
package import AssayStore
import Foundation

/// The Slurm jobs that compute the missing shards of some work and join its parts.
package struct SlurmJobs: Sendable {
  /// The work.
  package var work: PartWork
  /// The number of shards.
  package var shards: Int
  /// The shards to compute, ascending.
  package var missing: [Int]
  /// The absolute path of the folder for the parts.
  package var folder: String
  /// The command that makes a part, without its shard and its folder.
  package var compute: String
  /// The command that joins the parts.
  package var merge: String
  /// The folder in which the commands run.
  package var workingFolder: String
  /// The partition; `nil` for the cluster's default.
  package var partition: String?

  package init(
    work: PartWork, shards: Int, missing: [Int], folder: String, compute: String, merge: String,
    workingFolder: String, partition: String?
  ) {
    self.work = work
    self.shards = shards
    self.missing = missing
    self.folder = folder
    self.compute = compute
    self.merge = merge
    self.workingFolder = workingFolder
    self.partition = partition
  }

  /// The folder for the job files and their logs.
  package var jobFolder: String { Self.jobFolder(of: folder) }

  /// The folder for the job files and their logs, of a folder for parts.
  static func jobFolder(of folder: String) -> String { folder + "/slurm" }

  /// The name of the log of the merge.
  static let mergeLog = "merge.log"

  /// The number of shards that the job file in a folder for parts computes; `nil` if there is none.
  static func shards(in folder: String) -> Int? {
    guard let job = try? OpenFolder(jobFolder(of: folder)) else { return nil }
    for work in PartWork.allCases {
      if let bytes = job.read(jobFile(of: work), limit: 1 << 20),
        let match = String(decoding: bytes, as: UTF8.self)
          .firstMatch(of: /--shard "\$SLURM_ARRAY_TASK_ID\/([0-9]{1,6})"/),
        let count = Int(match.1), Shard(number: 1, of: count) != nil
      {
        return count
      }
    }
    return nil
  }

  /// The name of the job file of the shards.
  private static func jobFile(of work: PartWork) -> String { work.rawValue + ".sbatch" }

  package var computePath: String { jobFolder + "/" + Self.jobFile(of: work) }
  package var mergePath: String { jobFolder + "/merge.sbatch" }

  /// The number of times that a task is tried again after a failure that may pass.
  private static let retries = 5

  /// The missing shards as `--array` takes them: `1-3,7`.
  package var array: String {
    var ranges: [ClosedRange<Int>] = []
    for number in missing {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges.map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
    }.joined(separator: ",")
  }

  /// The job array of the missing shards.
  package var computeText: String {
    """
    #!/bin/sh
    \(head("assay-\(work.rawValue)", log: "\(work.rawValue)-%a.log"))
    #SBATCH --array=\(array)
    #SBATCH --requeue
    #SBATCH --open-mode=append
    cd \(ShellWord.quoted(workingFolder)) || exit 2
    \(compute) --quiet --shard "$SLURM_ARRAY_TASK_ID/\(shards)" --out \(ShellWord.quoted(folder))
    status=$?
    [ "$status" -eq 0 ] || echo "\(ShardLog.endLine(status: "$status"))"
    # 75: the same command may succeed later. RequeueExit=75 in slurm.conf does the same.
    if [ "$status" -eq 75 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt \(Self.retries) ]; then
      scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
    fi
    exit "$status"

    """
  }

  /// The job that merges the parts.
  package var mergeText: String {
    """
    #!/bin/sh
    \(head("assay-merge", log: Self.mergeLog))
    #SBATCH --open-mode=append
    cd \(ShellWord.quoted(workingFolder)) || exit 2
    exec \(merge) --quiet

    """
  }

  private func head(_ name: String, log: String) -> String {
    // sbatch reads these lines without a shell.
    var lines = [
      "#SBATCH --job-name=\(name)", "#SBATCH --output=\"\(jobFolder)/\(log)\"",
    ]
    if let partition { lines.append("#SBATCH --partition=\(partition)") }
    return lines.joined(separator: "\n")
  }

  /// The command that submits the array; `nil` if no shard is missing.
  package var computeCommand: [String]? {
    missing.isEmpty ? nil : ["sbatch", "--parsable", computePath]
  }

  /// The command that submits the merge.
  ///
  /// - Parameter job: the array's id; `nil` if no shard is missing.
  package func mergeCommand(after job: String?) -> [String] {
    let dependency = job.map { ["--dependency=afterok:\($0)", "--kill-on-invalid-dep=yes"] } ?? []
    return ["sbatch", "--parsable"] + dependency + [mergePath]
  }

  /// Writes the job files and submits them.
  ///
  /// - Returns: the ids of the array (`nil` if no shard is missing) and of the merge.
  /// - Throws: ``SlurmError``, `FileFailure`.
  package func submit() throws -> (array: String?, merge: String) {
    let target = try OpenFolder(folder).folder("slurm", creating: true)
    if computeCommand != nil {
      try target.write(Array(computeText.utf8), as: Self.jobFile(of: work))
    }
    try target.write(Array(mergeText.utf8), as: "merge.sbatch")
    let job = try computeCommand.map(Self.run)
    return (job, try Self.run(mergeCommand(after: job)))
  }

  /// Runs sbatch and returns the job's id.
  private static func run(_ words: [String]) throws(SlurmError) -> String {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = output
    process.standardError = errors
    do { try process.run() } catch { throw .failed(words, reason: "\(error)") }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let message = String(
      decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    // With several clusters the id is followed by the cluster's name.
    let id = text.prefix { $0.isNumber }
    guard process.terminationStatus == 0, !id.isEmpty else {
      throw .failed(words, reason: message.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    return String(id)
  }
}

/// A job that was not submitted.
package enum SlurmError: Error, CustomStringConvertible {
  case failed([String], reason: String)
  /// A path that a line of a job file cannot contain.
  case path(String)

  package var description: String {
    switch self {
    case .failed(let words, let reason):
      "\(words.joined(separator: " ")) failed: \(reason.isEmpty ? "no job id" : reason)"
    case .path(let path):
      "the path \(path) has characters that lines of sbatch files cannot contain; choose another --out"
    }
  }
}
