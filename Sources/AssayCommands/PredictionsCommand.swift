package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay predictions`: exports a run's predictions to a file, and imports a file as a run.
package struct PredictionsCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "predictions", abstract: "Import, export, combine and refine predictions.",
    subcommands: [
      PredictionsImportCommand.self, PredictionsExportCommand.self, PredictionsCombineCommand.self,
      PredictionsRefineCommand.self, PredictionsObjectsCommand.self,
    ])

  package init() {}
}

/// `assay predictions export`: writes a run to a file.
package struct PredictionsExportCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write a run's predictions to a file.",
    discussion: """
      csv, for classification: sample, then one column per class; importing it gives a bit-identical run. \
      A run without scores gives sample,prediction. \
      With --for oracle: truth, then one column per class, for programs without sample keys.

      coco, for segmentation and detection: COCO results (JSON). Masks: one per class and image at the run's \
      threshold as compressed RLE; the score is the mean probability inside; empty masks are left \
      out. Detections: each with its box or region and score; importing them gives a bit-identical \
      run. For a dataset without classes each result also has a category_name.

      npz, for runs of models whose manifest has an embedding: NumPy's archive with keys and embeddings \
      (float32, one row per sample).
      """)

  /// The file's format, as spelled after `--format`.
  package enum Format: String, CaseIterable, ExpressibleByArgument {
    case csv, coco, npz
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
    if format != .csv, purpose == .oracle {
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
    case .npz:
      try options.perform { progress in
        let catalog = try Catalog.open(options.catalogPath, .readOnly, reportingTo: progress)
        return EmbeddingsExportResult(
          summary: try EmbeddingsExport(catalog: catalog).export(
            runName, to: out, overwrite: force))
      }
    }
  }
}

/// The result of `assay predictions export --format npz`.
struct EmbeddingsExportResult: CommandResult {
  let summary: EmbeddingsExport.Summary

  var json: JSONValue {
    [
      "run": .string(summary.run), "file": .string(summary.path), "rows": JSONValue(summary.rows),
      "dimension": JSONValue(summary.dimension), "not_predicted": JSONValue(summary.notPredicted),
    ]
  }

  func text(in terminal: Terminal) -> String {
    var lines = [
      Counted.text(summary.rows, "embedding", "embeddings")
        + " of \(summary.dimension) values written to \(Terminal.safe(summary.path))"
    ]
    if summary.notPredicted > 0 {
      lines.append("samples of the run without prediction: \(summary.notPredicted)")
    }
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
