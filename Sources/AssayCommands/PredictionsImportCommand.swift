package import ArgumentParser
package import AssayCore
import AssayStore
package import AssayWorkflows

/// `assay predictions import`: creates a run from a file.
package struct PredictionsImportCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Make a run from predictions of another program.",
    discussion: """
      Classification: a table (CSV, .csv.gz, Parquet) or a NumPy array (.npy, .npz).

      Table: sample, then one probability column per class. Samples are given by key, classes by name. A key \
      may also be a path to the same file: with more or fewer folders, \\ for /, or without the suffix, if \
      exactly one sample fits. Without a sample column the rows must be the view's samples in order. Each row \
      must sum to 1 within rounding (0.001; with numbers of 3 to 6 decimals half a unit of the last decimal per \
      class, at most 0.05); scores that do not, such as sigmoid outputs and percentages, need --normalize, and \
      logits --logits.

      Array: scores with the shape (samples, classes), or class numbers with the shape (samples,). --classes \
      states the order of the classes, --keys the samples of the rows.

      Predicted classes without scores: a column prediction, or --label-column. Accuracy, F1 and the confusion \
      matrix are evaluated; what needs probabilities is undefined.

      Several labels per image (--task multilabel): the same files, but each score is a number from 0 to 1 of its \
      own, and the row need not sum to 1. Default for a dataset with several labels per image; the rows \
      themselves never decide the task.

      Segmentation: a folder of PNGs with the number of each pixel's class, one per image with the image's name. \
      Without --classes the numbers are those of the dataset's source.

      Detection: a JSON file of COCO results: a list of {image_id, category_id, bbox or \
      segmentation, score}. Images and categories are given by their ids in the dataset's source; images \
      not in the file have no detections. For a dataset without classes each result \
      also needs a category_name. Also: Ultralytics' predictions.json (image_id is a file name without suffix) and \
      its folder of labels (save_txt, save_conf), the tables and JSON of supervision's sinks, and FiftyOne's \
      labels.json.
      """)

  @Argument(help: "The file or folder.", completion: .file())
  package var file: String

  @Option(help: "The run's name.")
  package var name: String

  @Option(name: .customLong("in"), help: "The view of the samples.")
  package var view: String

  @Option(
    help:
      "The task of a table or an array: classification or multilabel. Default: from the dataset's labels."
  )
  package var task: ModelTask?

  @Flag(help: "Continue even if a table or an array lacks a class of the view.")
  package var ignoreMissing = false

  @Flag(help: "Divide each row of a table or an array by its sum; recorded in the run's settings.")
  package var normalize = false

  @Option(
    help: ArgumentHelp(
      "The scores are logits: compute probabilities from them in 64 bits.", valueName: "function"))
  package var logits: LogitActivation?

  @OptionGroup package var columns: PredictionColumnOptions

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { progress in
      let catalog = try CorrectedCatalog.open(
        options.catalogPath, .readWrite, reportingTo: progress
      ).catalog
      let version = ProgramVersion.number
      switch try OutsidePredictions.kind(
        of: file, hasClassNumbers: columns.classNumbers != nil)
      {
      case .scores:
        let work = PredictionsImport(
          catalog: catalog, programVersion: version, progress: progress)
        return AnyResult(PredictionsImportResult(summary: try work.run(try request())))
      case .cocoResults:
        try refuseTableOptions(of: "COCO results", kept: [])
        try checkTask(.objects, "COCO results are detections")
        let work = DetectionsImport(
          catalog: catalog, programVersion: version, progress: progress)
        return AnyResult(
          DetectionsImportResult(summary: try work.run(file, name: name, view: view)))
      case .detections(let format):
        try refuseTableOptions(
          of: format.title,
          kept: ["--key-column", "--classes", "--class-numbers", "--match-names"])
        try checkTask(.objects, "\(format.title) are detections")
        let work = OutsideDetectionsImport(
          catalog: catalog, programVersion: version, progress: progress)
        return AnyResult(
          OutsideDetectionsImportResult(summary: try work.run(try request(), format)))
      case .masks:
        try refuseTableOptions(
          of: "masks", kept: ["--classes", "--class-numbers", "--match-names"])
        try checkTask(.masks, "a folder of masks is a segmentation")
        let work = MaskFolderImport(
          catalog: catalog, programVersion: version, progress: progress)
        return AnyResult(MaskFolderImportResult(summary: try work.run(try request())))
      }
    }
  }

  private func request() throws -> PredictionsImport.Request {
    var request = PredictionsImport.Request(file, name: name, view: view)
    request.task = task
    request.ignoreMissing = ignoreMissing
    request.normalize = normalize
    request.logits = logits
    request.keys = columns.keys
    request.matchesNames = columns.matchNames
    request.options = try columns.options()
    return request
  }

  private func checkTask(_ output: TaskOutput, _ what: String) throws {
    guard let task, task.output != output else { return }
    throw ValidationError("\(what); --task is for tables and arrays")
  }

  /// - Parameter kept: the options that the kind of file has.
  private func refuseTableOptions(of kind: String, kept: [String]) throws {
    var given = columns.given
    if ignoreMissing { given.append("--ignore-missing") }
    if normalize { given.append("--normalize") }
    if logits != nil { given.append("--logits") }
    if let option = given.first(where: { !kept.contains($0) }) {
      throw ValidationError("\(option) does not apply to \(kind); omit it")
    }
  }
}

/// The result of `assay predictions import`.
struct PredictionsImportResult: CommandResult {
  let summary: PredictionsImport.Summary

  var json: JSONValue {
    [
      "run": .string(summary.run.name), "task": .string(summary.run.task.rawValue),
      "imported": .bool(summary.isNew),
      "view": .string(summary.run.view), "n": JSONValue(summary.run.total),
      "absent": JSONValue(summary.absent), "by_order": .bool(summary.isByOrder),
      "normalized": .bool(summary.isNormalized),
      "merged_scores": JSONValue(summary.mergedScores),
      "labels_only": .bool(summary.run.isLabelsOnly),
      "notes": .array(summary.notes.map { .string($0) }),
      "classes": .array(summary.run.classes.map { .string($0) }),
      "missing": .array(
        summary.missing.map { ["category": .string($0.name), "samples": JSONValue($0.samples)] }),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let run = summary.run
    var lines = [
      summary.isNew
        ? Counted.text(run.done, "prediction", "predictions") + " imported into the run \(run.name)"
        : "already imported: the run \(run.name), "
          + Counted.text(run.done, "prediction", "predictions")
    ]
    if run.task.output == .labels {
      lines.append(
        "multi-label classification: each score counts on its own, and rows need not sum to 1")
    }
    if summary.isByOrder {
      lines.append("the file has no sample column: rows were joined by their order")
    }
    if summary.isNormalized { lines.append("each row was divided by its sum (--normalize)") }
    if summary.mergedScores > 0 {
      lines.append(
        "\(Counted.text(summary.mergedScores, "score equals", "scores equal")) another one of the class only after "
          + "rounding to 32 bits: AUROC and AP may differ slightly from those of the file "
          + "(evaluate --gt --dt --normalize)")
    }
    lines += summary.notes
    if run.isLabelsOnly {
      lines.append(
        "predicted classes without scores: accuracy, F1 and the confusion matrix can be evaluated; what needs "
          + "probabilities is undefined")
    }
    if summary.absent > 0 {
      lines.append(
        Counted.text(summary.absent, "sample", "samples") + " of \(run.view) "
          + (summary.absent == 1 ? "is" : "are") + " not in the file")
    }
    if !summary.missing.isEmpty {
      lines.append(
        "the file has no class for: "
          + summary.missing.map {
            Terminal.safe($0.name) + " (" + Counted.text($0.samples, "sample", "samples") + ")"
          }
          .joined(separator: ", "))
    }
    if !summary.hasGroundTruth {
      lines.append(
        "\(run.dataset.name) has no ground truth for \(run.task.rawValue): it cannot be evaluated"
          + " against")
    }
    lines.append(
      NextStep.line(
        forRun: run.name, hasGroundTruth: summary.hasGroundTruth && summary.hasSharedClass))
    return lines.joined(separator: "\n")
  }
}
