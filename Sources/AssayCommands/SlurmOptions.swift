package import ArgumentParser
import AssayCore
package import AssayStore
import AssayWorkflows
import Foundation

/// The options of all jobs of Slurm.
package struct SlurmOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The number of shards.", valueName: "n"))
  package var shards: Int

  @Option(
    help: ArgumentHelp(
      "The folder for the parts. Default: the names of what is computed, with .parts.",
      valueName: "dir"))
  package var out: String?

  @Option(help: ArgumentHelp("The partition. Default: the cluster's.", valueName: "name"))
  package var partition: String?

  @Flag(help: "Print the job files and the commands; write and submit nothing.")
  package var dryRun = false

  package init() {}

  package func validate() throws {
    guard Shard(number: 1, of: shards) != nil else {
      throw ValidationError(
        "--shards is \(shards); it must be at least 1 and at most \(Shard.limit)")
    }
    if let partition, partition.isEmpty || partition.contains(where: { $0.isWhitespace }) {
      throw ValidationError("--partition is “\(partition)”; expected a name without blanks")
    }
  }

  /// The word of a joining command that stands for the folder with the parts.
  static let folderWord = "{parts}"

  /// The jobs of the shards that the folder does not have.
  ///
  /// - Parameters:
  ///   - stem: the start of the folder's name if there is no --out.
  ///   - command: the command that makes a part, without its shard and its folder; its first word is `assay`.
  ///   - joining: the words after the program of the command that joins the parts.
  /// - Throws: ``SlurmError/path(_:)``, ``PartError``, `StoreError`.
  func jobs(
    _ work: PartWork, stem: String, command: String, joining: [String]
  ) throws -> SlurmJobs {
    let folder = URL(fileURLWithPath: out ?? stem + ".parts").path
    guard !folder.contains(where: { $0 == "\"" || $0 == "\\" || $0 == "%" || $0.isNewline }) else {
      throw SlurmError.path(folder)
    }
    let program = ShellWord.quoted(Self.programPath)
    let words = joining.map { $0 == Self.folderWord ? folder : $0 }.map(ShellWord.quoted)
    return SlurmJobs(
      work: work, shards: shards, missing: try missing(work, in: folder), folder: folder,
      compute: program + command.dropFirst("assay".count),
      merge: ([program] + words).joined(separator: " "),
      workingFolder: FileManager.default.currentDirectoryPath, partition: partition)
  }

  /// Returns whether names are looked up in a catalog: always to submit, and in a dry run if the catalog is there.
  func checksNames(in catalog: String) -> Bool {
    !dryRun || FileManager.default.fileExists(atPath: catalog)
  }

  /// Submits the jobs of a check or of statistics of a view.
  ///
  /// - Parameters:
  ///   - own: the options of the command that makes a part.
  ///   - joining: the options of the command that joins the parts.
  /// - Throws: ``PartError``, ``SlurmError``, `FileFailure`, `StoreError`, also for an unknown view.
  func submit(
    _ work: PartWork, of view: String, own: [String], joining: [String], _ options: GlobalOptions
  ) throws -> SubmitResult {
    let path = URL(fileURLWithPath: options.catalogPath).path
    let command = work == .check ? "check" : "stats"
    let jobs = try jobs(
      work, stem: command + "-" + view.replacing("/", with: "-"),
      command: (["assay", command, view] + own + ["--db", path]).map(ShellWord.quoted)
        .joined(separator: " "),
      joining: [command, Self.folderWord] + joining + ["--db", path])
    if checksNames(in: path) { _ = try Catalog.open(path, .readOnly).resolve(view) }
    return try submit(jobs)
  }

  /// Submits the jobs, unless --dry-run is given.
  ///
  /// - Throws: ``PartError/cannotWrite(path:reason:code:)``, ``SlurmError``, `FileFailure`.
  func submit(_ jobs: SlurmJobs) throws -> SubmitResult {
    guard !dryRun else { return SubmitResult(jobs: jobs, ids: nil) }
    try PartFolder.make(jobs.folder)
    return SubmitResult(jobs: jobs, ids: try jobs.submit())
  }

  /// The shards that a folder does not have.
  ///
  /// - Throws: ``PartError/notWhole(folder:problems:)`` if there are parts of other work, or damaged ones.
  private func missing(_ work: PartWork, in path: String) throws -> [Int] {
    guard PartFolder.isFolder(path) else { return Array(1...shards) }
    let folder = try PartFolder(path)
    if let found = folder.parts.first?.file.identity, found.work != work {
      throw PartError.otherWork(folder: path, found)
    }
    // Without parts the job file of an earlier submission may state another number.
    guard !folder.parts.isEmpty || !folder.unusable.isEmpty, let count = folder.count else {
      return Array(1...shards)
    }
    var problems = folder.conflicts
    if count != shards {
      problems.append("the parts are shards of \(count), not of \(shards)")
    }
    guard problems.isEmpty else { throw PartError.notWhole(folder: path, problems: problems) }
    return folder.missing.map(\.number)
  }

  private static var programPath: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "assay"
  }
}

/// The result of `assay submit slurm`.
struct SubmitResult: CommandResult {
  let jobs: SlurmJobs
  /// The ids of the jobs; `nil` if nothing was submitted.
  let ids: (array: String?, merge: String)?

  private var commands: [[String]] {
    let array = jobs.computeCommand.map { [$0] } ?? []
    return array + [jobs.mergeCommand(after: ids.map(\.array) ?? (array.isEmpty ? nil : "JOB"))]
  }

  var json: JSONValue {
    [
      "folder": .string(jobs.folder), "shards": JSONValue(jobs.shards),
      "missing": .array(jobs.missing.map { JSONValue($0) }),
      "submitted": .bool(ids != nil), "\(jobs.work.rawValue)_job": JSONValue(ids?.array),
      "merge_job": JSONValue(ids?.merge),
      "files": .object(
        (jobs.missing.isEmpty ? [] : [.init(jobs.computePath, .string(jobs.computeText))])
          + [.init(jobs.mergePath, .string(jobs.mergeText))]),
      "commands": .array(commands.map { .string($0.joined(separator: " ")) }),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let missing = "\(jobs.missing.count) of \(Counted.text(jobs.shards, "shard", "shards"))"
    let folder = Terminal.safe(ShellWord.quoted(jobs.folder))
    if let ids {
      let array =
        ids.array.map { "\(missing) submitted as job \($0), " } ?? "all shards are there, "
      return array + "the merge as job \(ids.merge)\nnext: assay status \(folder)"
    }
    var lines: [String] = []
    if !jobs.missing.isEmpty {
      lines += ["# \(jobs.computePath)", jobs.computeText]
    }
    lines += ["# \(jobs.mergePath)", jobs.mergeText, "# \(missing) to submit:"]
    lines += commands.map { $0.map(ShellWord.quoted).joined(separator: " ") }
    return lines.joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false)
      .map { Terminal.safe(String($0)) }.joined(separator: "\n")
  }
}
