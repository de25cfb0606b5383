package import ArgumentParser
package import AssayCore
import AssayStore
import AssayWorkflows

/// `assay predictions`: exports a run's predictions to a file, and imports a file as a run.
package struct PredictionsCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "predictions", abstract: "Import and export predictions.",
    subcommands: [PredictionsImportCommand.self, PredictionsExportCommand.self])

  package init() {}
}

/// `assay predictions import`: creates a run from a file.
package struct PredictionsImportCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Make a run from predictions of another program.",
    discussion: """
      Classification: a CSV file (or .csv.gz): sample, then one probability column per class. Samples \
      are given by key, classes by name. Without a sample column the rows must be the \
      view's samples in order. Each row must sum to 1 within rounding (0.001; with numbers of 3 to 6 decimals \
      half a unit of the last decimal per class, at most 0.05); scores that do not, such as sigmoid outputs \
      and percentages, need --normalize.

      Several labels per image (--task multilabel): the same file, but each score is a number from 0 to 1 of its \
      own, and the row need not sum to 1. Default for a dataset with several labels per image; the rows \
      themselves never decide the task.

      Detection: a JSON file of COCO results: a list of {image_id, category_id, bbox or \
      segmentation, score}. Images and categories are given by their ids in the dataset's source; images \
      not in the file have no detections. For a dataset without classes each result \
      also needs a category_name.
      """)

  @Argument(help: "The file, CSV or JSON.", completion: .file())
  package var file: String

  @Option(help: "The run's name.")
  package var name: String

  @Option(name: .customLong("in"), help: "The view of the samples.")
  package var view: String

  @Option(
    help:
      "The task of a CSV file: classification or multilabel. Default: from the dataset's labels.")
  package var task: ModelTask?

  @Flag(help: "Continue even if a CSV file lacks a class of the view.")
  package var ignoreMissing = false

  @Flag(help: "Divide each row of a CSV file by its sum; recorded in the run's settings.")
  package var normalize = false

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { progress in
      let catalog = try CorrectedCatalog.open(
        options.catalogPath, .readWrite, reportingTo: progress
      ).catalog
      let version = Assay.configuration.version
      if try DetectionsImport.isResults(file) {
        guard !ignoreMissing else {
          throw ValidationError("--ignore-missing is for CSV files; COCO results need no class")
        }
        guard !normalize else {
          throw ValidationError("--normalize is for CSV files; COCO results have one score each")
        }
        switch task?.output {
        case .objects, nil: break
        case .label, .labels, .masks:
          throw ValidationError("COCO results are detections; --task is for CSV files")
        }
        let work = DetectionsImport(
          catalog: catalog, programVersion: version, progress: progress)
        return AnyResult(
          DetectionsImportResult(summary: try work.run(file, name: name, view: view)))
      }
      let work = PredictionsImport(catalog: catalog, programVersion: version)
      return AnyResult(
        PredictionsImportResult(
          summary: try work.run(
            file, name: name, view: view, task: task, ignoreMissing: ignoreMissing,
            normalize: normalize)))
    }
  }
}

/// `assay predictions export`: writes a run to a file.
package struct PredictionsExportCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write a run's predictions to a file.",
    discussion: """
      csv, for classification: sample, then one column per class; importing it gives a bit-identical run. \
      With --for oracle: truth, then one column per class, for programs without sample keys.

      coco, for segmentation and detection: COCO results (JSON). Masks: one per class and image at the run's \
      threshold as compressed RLE; the score is the mean probability inside; empty masks are left \
      out. Detections: each with its box or region and score; importing them gives a bit-identical \
      run. For a dataset without classes each result also has a category_name.
      """)

  /// The file's format, as spelled after `--format`.
  package enum Format: String, CaseIterable, ExpressibleByArgument {
    case csv, coco
  }

  /// The program that a file is for, as spelled after `--for`.
  package enum Purpose: String, CaseIterable, ExpressibleByArgument {
    case assay, oracle
  }

  @Argument(help: ArgumentHelp("The run.", valueName: "run"))
  package var runName: String

  @Option(help: "The file format.")
  package var format: Format = .csv

  @Option(name: .customLong("for"), help: "The program that reads the file; for csv.")
  package var purpose: Purpose = .assay

  @Option(help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
  package var out: String

  @Flag(help: "Overwrite the file.")
  package var force = false

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    if format == .coco, purpose == .oracle {
      throw ValidationError("--for oracle is for --format csv")
    }
  }

  package func run() throws {
    switch format {
    case .csv:
      try options.perform { progress in
        let catalog = try Catalog.open(options.catalogPath, .readOnly, reportingTo: progress)
        let summary = try PredictionsExport(catalog: catalog).export(
          runName, for: purpose == .oracle ? .oracle : .assay, to: out, overwrite: force)
        return PredictionsExportResult(summary: summary)
      }
    case .coco:
      try options.perform { progress in
        let catalog = try Catalog.open(options.catalogPath, .readOnly, reportingTo: progress)
        let export = COCOResultsExport(catalog: catalog, progress: progress)
        return COCOResultsExportResult(
          summary: try export.export(runName, to: out, overwrite: force))
      }
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
    lines.append(NextStep.line(forRun: run.name, hasGroundTruth: summary.hasGroundTruth))
    return lines.joined(separator: "\n")
  }
}

/// The result of `assay predictions export`.
struct PredictionsExportResult: CommandResult {
  let summary: PredictionsExport.Summary

  var json: JSONValue {
    [
      "run": .string(summary.run), "file": .string(summary.path), "rows": JSONValue(summary.rows),
      "classes": .array(summary.classes.map { .string($0) }),
      "without_ground_truth": JSONValue(summary.withoutTruth),
      "not_predicted": JSONValue(summary.notPredicted),
    ]
  }

  func text(in terminal: Terminal) -> String {
    var lines = [
      Counted.text(summary.rows, "prediction", "predictions")
        + " written to \(Terminal.safe(summary.path))"
    ]
    if summary.withoutTruth > 0 {
      lines.append("left out without ground truth: \(summary.withoutTruth)")
    }
    if summary.notPredicted > 0 {
      lines.append("samples of the run without prediction: \(summary.notPredicted)")
    }
    return lines.joined(separator: "\n")
  }
}
