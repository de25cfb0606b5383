package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows
import Foundation

/// `assay predict`: runs a model over a view.
package struct PredictCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "predict", abstract: "Run a model over a view and store its predictions.",
    discussion: """
      Results are bit-identical for every --batch and --workers; every run computes some \
      samples a second time, alone, on a newly compiled model, and stops if a bit differs. After an \
      interrupt the same command resumes; finished samples are not computed again.

      For a segmentation model the run stores each image's probability maps, in 8 bits at the \
      model's output size: masks at any threshold are derived from them later. For a detector it stores the \
      boxes in the original images' pixels, each with the scores of all classes; the model's \
      manifest sets the minimum score and the IoU of the NMS.

      The model runs in a separate process with limits on memory, CPU time and open files. If \
      it exceeds one, or hangs, it is stopped with an error; finished samples are kept.

      With --shard the catalog is only read, and the result is a file of its own (a part) that other machines \
      can make: assay merge joins all parts into the same run that one machine would make. The status is 75 \
      after a failure that may pass (a full or failing disk, a locked catalog, an interrupt): the same command can be \
      tried again. With --plan (assay plan predict) the shard is computed without a catalog: the plan has the view, the \
      model and the settings.
      """)

  @Argument(help: "The view: a dataset, DATASET/PART, or a saved view. Not with --plan.")
  package var view: String?

  @Option(help: "The model's name. Not with --plan.")
  package var model: String?

  @Option(help: "The run's name. Default: MODEL-VIEW.")
  package var name: String?

  @Option(help: ArgumentHelp("The batch size. Default: the fastest.", valueName: "n"))
  package var batch: Int?

  @Option(
    help: ArgumentHelp(
      "Threads, each with its own copy of the model. Default: one per core.", valueName: "n"))
  package var workers: Int?

  @OptionGroup package var settings: PredictSettingsOptions
  @OptionGroup package var parts: PartOptions
  @OptionGroup package var planned: PlanOptions
  @OptionGroup package var limits: ModelLimitOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    if planned.plan == nil {
      _ = try request()
    } else {
      try validatePlan()
    }
    try planned.validate(isPlanned: planned.plan != nil)
    guard parts.shard == nil || name == nil else {
      throw ValidationError("a part has no name; give the run's --name to assay merge")
    }
    for (option, value, most) in [
      ("batch", batch, 4096), ("workers", workers, 1024),
    ] {
      if let value, !(1...most).contains(value) {
        throw ValidationError(
          "--\(option) is \(value); it must be at least 1 and at most \(most)")
      }
    }
  }

  private func validatePlan() throws {
    guard parts.shard != nil else {
      throw ValidationError("--plan needs --shard I/N and --out DIR")
    }
    guard view == nil, model == nil, settings.areDefaults, options.db == nil else {
      throw ValidationError(
        "the plan has the view, the model, the settings and the catalog; give --plan, --shard and --out without them"
      )
    }
  }

  private func request() throws -> PredictRequest {
    guard let view else { throw ValidationError("Missing expected argument '<view>'") }
    guard let model else { throw ValidationError("Missing expected argument '--model <model>'") }
    var request = PredictRequest(
      view: view, model: model, programVersion: ProgramVersion.number)
    try settings.apply(to: &request)
    request.name = name
    request.batch = batch
    request.workers = workers
    let db = options.catalogPath == "assay.db" ? nil : options.catalogPath
    request.part = parts.request(settings.shardCommand(view: view, model: model, db: db))
    return request
  }

  package func run() throws {
    if let plan = planned.plan { return try runPlanned(plan) }
    let request = try request()
    let isPart = request.part != nil
    try options.perform(
      status: { isPart && TransientFailure.isOne($0) ? TransientFailure.status : nil }
    ) { progress in
      try limits.enterChild()
      let catalog = try CorrectedCatalog.open(
        options.catalogPath, isPart ? .unchanged : .readWrite, reportingTo: progress
      ).catalog
      let summary = try Prediction(request, catalog: catalog, progress: progress).run()
      return summary.part.map { AnyResult(PartResult(summary: summary, part: $0)) }
        ?? AnyResult(PredictResult(summary: summary))
    }
  }

  private func runPlanned(_ plan: String) throws {
    try options.perform(
      status: { TransientFailure.isOne($0) ? TransientFailure.status : nil }
    ) { progress in
      try limits.enterChild()
      guard let shard = parts.shard.flatMap({ Shard($0) }), let out = parts.out else {
        throw ValidationError("--plan needs --shard I/N and --out DIR")
      }
      var request = PlannedRequest(
        plan: plan, shard: shard, folder: out, programVersion: ProgramVersion.number)
      request.images = planned.images
      request.modelFile = planned.modelFile
      request.batch = batch
      request.workers = workers
      let summary = try PlannedPrediction(request, progress: progress).run()
      return summary.part.map { AnyResult(PartResult(summary: summary, part: $0)) }
        ?? AnyResult(PredictResult(summary: summary))
    }
  }
}
