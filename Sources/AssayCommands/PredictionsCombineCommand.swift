package import ArgumentParser
import AssayCore
package import AssayMetrics
import AssayStore
import AssayWorkflows

/// `assay predictions combine`: makes one run of several.
package struct PredictionsCombineCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "combine",
    abstract: "Make one run of several: an ensemble, or test-time variants.",
    discussion: """
      The runs must be of one task on one dataset. The new run has the samples that all of them have predicted; \
      classes are joined by name. It is evaluated like any run, and its settings name the runs and weights.

      Classification and multi-label classification: the weighted mean of each class's score. Segmentation: the \
      weighted mean of the probability maps, cell by cell, for models with the same input. Detection: weighted box \
      fusion; boxes of one class that overlap become one.

      Test-time variants: predict with --flip makes a second run, and combine averages both.
      """)

  @Argument(help: ArgumentHelp("The runs.", valueName: "run"))
  package var runs: [String]

  @Option(help: "The new run's name.")
  package var name: String

  @Option(
    help: ArgumentHelp(
      "The weight of each run, separated by commas. Default: equal.", valueName: "numbers"))
  package var weights: String?

  @Option(help: "Detection: the IoU above which boxes are merged. Default: 0.55.")
  package var iou: Double?

  @Option(help: "Detection: the minimum score of a box. Default: 0.")
  package var minScore: Double?

  @Option(
    help:
      "Detection: the score of a merged box. mean: lower for boxes that few runs have; max: the largest. Default: mean."
  )
  package var fusedScore: WeightedBoxFusion.Score?

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { progress in
      if let iou {
        guard (0...1).contains(iou) else { throw ValidationError("--iou must be from 0 to 1") }
      }
      if let minScore {
        guard minScore.isFinite else {
          throw ValidationError("--min-score must be a finite number")
        }
      }
      var request = RunCombination.Request(runs, name: name)
      request.weights = try (weights?.split(separator: ",", omittingEmptySubsequences: false) ?? [])
        .map { text in
          guard let weight = Double(text.filter { $0 != " " }), weight > 0, weight.isFinite else {
            throw CombineError.badWeight(String(text))
          }
          return weight
        }
      request.iou = iou
      request.leastScore = minScore
      request.score = fusedScore
      let catalog = try CorrectedCatalog.open(
        options.catalogPath, .readWrite, reportingTo: progress
      ).catalog
      let work = RunCombination(
        catalog: catalog, programVersion: ProgramVersion.number, progress: progress)
      return PredictionsCombineResult(summary: try work.run(request))
    }
  }
}

extension WeightedBoxFusion.Score: ExpressibleByArgument {}

/// The result of `assay predictions combine`.
struct PredictionsCombineResult: CommandResult {
  let summary: RunCombination.Summary

  var json: JSONValue {
    [
      "run": .string(summary.run.name), "task": .string(summary.run.task.rawValue),
      "combined": .bool(summary.isNew), "view": .string(summary.run.view),
      "n": JSONValue(summary.run.total), "left_out": JSONValue(summary.leftOut),
      "runs": .array(
        summary.parts.map { ["run": .string($0.run), "weight": .number($0.weight)] }),
      "classes": .array(summary.run.classes.map { .string($0) }),
      "notes": .array(summary.notes.map { .string($0) }),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let run = summary.run
    let samples = Counted.text(run.done, "sample", "samples")
    let parts = summary.parts.map { part in
      Terminal.safe(part.run) + (part.weight == 1 ? "" : " × \(part.weight)")
    }
    var lines = [
      (summary.isNew ? "" : "already combined: ")
        + "\(parts.joined(separator: " + ")) → \(run.name), \(samples)"
    ]
    if summary.leftOut > 0 {
      lines.append(
        Counted.text(summary.leftOut, "sample", "samples")
          + " left out: not predicted by all of the runs")
    }
    lines += summary.notes.map(Terminal.safe)
    lines.append(
      NextStep.line(
        forRun: run.name, hasGroundTruth: summary.hasGroundTruth && summary.hasSharedClass))
    return lines.joined(separator: "\n")
  }
}
