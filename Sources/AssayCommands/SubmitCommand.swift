package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows
import Foundation

/// `assay submit`: gives the shards of a run to a batch system.
package struct SubmitCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "submit", abstract: "Submit the shards of a run to a batch system.",
    subcommands: [SubmitSlurmCommand.self])

  package init() {}
}

/// `assay submit slurm`: the jobs of Slurm.
package struct SubmitSlurmCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "slurm", abstract: "Submit jobs to Slurm.",
    subcommands: [SubmitSlurmPredictCommand.self])

  package init() {}
}

/// `assay submit slurm predict`: a job array of the shards, and a job that merges them.
package struct SubmitSlurmPredictCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "predict",
    abstract: "Run a model over a view as a Slurm job array, and merge the parts.",
    discussion: """
      Writes OUT/slurm/predict.sbatch and merge.sbatch and submits them: a task for each shard that is not \
      in OUT yet (assay predict --shard), and a merge that starts when all of them have succeeded. The same \
      command again submits what is missing then. The folder OUT, the catalog, the model and the images \
      must have the same paths on all nodes; set TMPDIR to a local disk.

      A task that ends with status 75 is requeued up to 5 times; a killed node requeues its tasks by itself \
      (--requeue). assay status OUT shows what is done; logs are in OUT/slurm.

      With --plan (assay plan predict) the tasks need the plan in place of the catalog, which only the merge \
      writes: that of --db, else the one that the plan was made with.
      """)

  @Argument(help: "The view: a dataset, DATASET/PART, or a saved view. Not with --plan.")
  package var view: String?

  @Option(help: "The model's name. Not with --plan.")
  package var model: String?

  @Option(help: ArgumentHelp("The number of shards.", valueName: "n"))
  package var shards: Int

  @Option(
    help: ArgumentHelp("The folder for the parts. Default: MODEL-VIEW.parts.", valueName: "dir"))
  package var out: String?

  @Option(help: "The run's name. Default: MODEL-VIEW.")
  package var name: String?

  @Option(help: ArgumentHelp("The partition. Default: the cluster's.", valueName: "name"))
  package var partition: String?

  @Flag(help: "Print the job files and the commands; write and submit nothing.")
  package var dryRun = false

  @OptionGroup package var settings: PredictSettingsOptions
  @OptionGroup package var planned: PlanOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    if planned.plan == nil {
      guard view != nil else { throw ValidationError("Missing expected argument '<view>'") }
      guard model != nil else {
        throw ValidationError("Missing expected argument '--model <model>'")
      }
    } else if view != nil || model != nil || !settings.areDefaults {
      throw ValidationError(
        "the plan has the view, the model and the settings; give --plan and --shards without them")
    }
    try planned.validate(isPlanned: planned.plan != nil)
    guard Shard(number: 1, of: shards) != nil else {
      throw ValidationError(
        "--shards is \(shards); it must be at least 1 and at most \(Shard.limit)")
    }
    if let partition, partition.isEmpty || partition.contains(where: { $0.isWhitespace }) {
      throw ValidationError("--partition is “\(partition)”; expected a name without blanks")
    }
  }

  package func run() throws {
    try options.perform { _ in
      let submitted = try submitted()
      let jobs = try jobs(submitted)
      if !dryRun { try checkCatalog(submitted) }
      guard !dryRun else { return SubmitResult(jobs: jobs, ids: nil) }
      if mkdir(jobs.folder, 0o777) != 0, errno != EEXIST {
        throw PartError.cannotWrite(
          path: jobs.folder, reason: String(cString: strerror(errno)), code: errno)
      }
      return SubmitResult(jobs: jobs, ids: try jobs.submit())
    }
  }

  /// The run to submit: from the plan, or from the arguments.
  private struct Submitted {
    var view: String
    var model: String
    /// The absolute path of the catalog.
    var db: String
    /// The command that makes a part, without its shard and its folder.
    var command: String

    var stem: String { model + "-" + view.replacing("/", with: "-") }
  }

  /// - Throws: ``PlanError``.
  private func submitted() throws -> Submitted {
    let db = URL(fileURLWithPath: options.catalogPath).path
    guard let path = planned.plan else {
      let (view, model) = (view ?? "", model ?? "")
      return Submitted(
        view: view, model: model, db: db,
        command: settings.shardCommand(view: view, model: model, db: db))
    }
    let plan = try CheckedPlan(path, programVersion: ProgramVersion.number)
    var words = ["assay", "predict", "--plan", plan.path]
    for place in planned.images { words += ["--images", place] }
    if let file = planned.modelFile { words += ["--model-file", file] }
    return Submitted(
      view: plan.view, model: plan.model, db: options.db == nil ? plan.catalog : db,
      command: words.map(ShellWord.quoted).joined(separator: " "))
  }

  /// Checks that the view and the model exist and that the run's name is free, before any shard is computed.
  ///
  /// - Throws: `StoreError`.
  private func checkCatalog(_ submitted: Submitted) throws {
    let catalog = try Catalog.open(submitted.db, .readOnly)
    _ = try catalog.resolve(submitted.view)
    _ = try catalog.model(named: submitted.model)
    let runName = name ?? submitted.stem
    if try catalog.findRun(named: runName) != nil { throw StoreError.nameTaken(.run, runName) }
  }

  private func jobs(_ submitted: Submitted) throws -> SlurmJobs {
    let runName = name ?? submitted.stem
    _ = try Name.checked(runName)
    let folder = URL(fileURLWithPath: out ?? submitted.stem + ".parts").path
    guard !folder.contains(where: { $0 == "\"" || $0 == "\\" || $0 == "%" || $0.isNewline }) else {
      throw SlurmError.path(folder)
    }
    let program = ShellWord.quoted(Self.programPath)
    let merge =
      "\(program) merge \(ShellWord.quoted(folder)) --name \(ShellWord.quoted(runName))"
      + " --db \(ShellWord.quoted(submitted.db))"
    return SlurmJobs(
      shards: shards, missing: try missing(in: folder), folder: folder,
      predict: program + submitted.command.dropFirst("assay".count), merge: merge,
      workingFolder: FileManager.default.currentDirectoryPath, partition: partition)
  }

  /// The shards that a folder does not have.
  ///
  /// - Throws: ``PartError/notWhole(folder:problems:)`` if there are parts of other runs, or damaged ones.
  private func missing(in path: String) throws -> [Int] {
    guard PartFolder.isFolder(path) else { return Array(1...shards) }
    let folder = try PartFolder(path)
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

/// The result of `assay submit slurm predict`.
struct SubmitResult: CommandResult {
  let jobs: SlurmJobs
  /// The ids of the jobs; `nil` if nothing was submitted.
  let ids: (predict: String?, merge: String)?

  private var commands: [[String]] {
    let array = jobs.predictCommand.map { [$0] } ?? []
    return array + [jobs.mergeCommand(after: ids.map(\.predict) ?? (array.isEmpty ? nil : "JOB"))]
  }

  var json: JSONValue {
    [
      "folder": .string(jobs.folder), "shards": JSONValue(jobs.shards),
      "missing": .array(jobs.missing.map { JSONValue($0) }),
      "submitted": .bool(ids != nil), "predict_job": JSONValue(ids?.predict),
      "merge_job": JSONValue(ids?.merge),
      "files": .object(
        (jobs.missing.isEmpty ? [] : [.init(jobs.predictPath, .string(jobs.predictText))])
          + [.init(jobs.mergePath, .string(jobs.mergeText))]),
      "commands": .array(commands.map { .string($0.joined(separator: " ")) }),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let missing = "\(jobs.missing.count) of \(Counted.text(jobs.shards, "shard", "shards"))"
    let folder = Terminal.safe(ShellWord.quoted(jobs.folder))
    if let ids {
      let array =
        ids.predict.map { "\(missing) submitted as job \($0), " } ?? "all shards are there, "
      return array + "the merge as job \(ids.merge)\nnext: assay status \(folder)"
    }
    var lines: [String] = []
    if !jobs.missing.isEmpty {
      lines += ["# \(jobs.predictPath)", jobs.predictText]
    }
    lines += ["# \(jobs.mergePath)", jobs.mergeText, "# \(missing) to submit:"]
    lines += commands.map { $0.map(ShellWord.quoted).joined(separator: " ") }
    return lines.joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false)
      .map { Terminal.safe(String($0)) }.joined(separator: "\n")
  }
}
