package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows
import Foundation

/// `assay submit`: gives shards to a batch system.
package struct SubmitCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "submit", abstract: "Submit shards to a batch system.",
    subcommands: [SubmitSlurmCommand.self])

  package init() {}
}

/// `assay submit slurm`: the jobs of Slurm.
package struct SubmitSlurmCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "slurm", abstract: "Submit jobs to Slurm.",
    subcommands: [
      SubmitSlurmPredictCommand.self, SubmitSlurmCheckCommand.self, SubmitSlurmStatsCommand.self,
      SubmitSlurmScanCommand.self,
    ])

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

  @Option(help: "The run's name. Default: MODEL-VIEW.")
  package var name: String?

  @OptionGroup package var slurm: SlurmOptions
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
  }

  package func run() throws {
    try options.perform { _ in
      let submitted = try submitted()
      let runName = name ?? submitted.stem
      _ = try Name.checked(runName)
      let jobs = try slurm.jobs(
        .prediction, stem: submitted.stem, command: submitted.command,
        joining: [
          "merge", SlurmOptions.folderWord, "--name", runName, "--db", submitted.db,
        ])
      if slurm.checksNames(in: submitted.db) { try checkCatalog(submitted) }
      return try slurm.submit(jobs)
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
}
