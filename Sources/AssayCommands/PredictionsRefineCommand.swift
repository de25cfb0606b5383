package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay predictions refine`: makes a run with refined masks.
package struct PredictionsRefineCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "refine",
    abstract: "Make a run of another one whose masks are refined.",
    discussion: """
      The run is a segmentation run of one class, or a detection run with regions. Its masks are changed by the steps \
      in the order given, and stored under the new name, so that both runs can be evaluated and compared:

      open:N      removes what is thinner than 2·N + 1 pixels
      close:N     fills narrower gaps
      holes       fills holes
      largest     keeps the largest part
      guided:R    moves the border to edges of the image: a guided filter with windows of 2·R + 1 pixels; \
      guided:R:E sets its epsilon, 0.0001 by default
      grabcut:N   decides the pixels up to N pixels from the border anew, by the colors and edges of the image

      The new run has masks and no probability maps: it has no other threshold than that of the first one.
      """)

  @Argument(help: ArgumentHelp("The run.", valueName: "run"))
  package var runName: String

  @Option(help: "The new run's name.")
  package var name: String

  @Option(
    help: ArgumentHelp(
      "The steps: \(MaskRefinement.spellings), with commas between them.", valueName: "steps"))
  package var steps: String

  @Option(help: "Number of threads. Default: one per core.")
  package var workers: Int?

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    _ = try MaskRefinement.parse(steps, option: "--steps")
    if let workers, workers < 1 { throw ValidationError("--workers must be at least 1") }
  }

  package func run() throws {
    try options.perform { progress in
      var request = RunRefinement.Request(
        run: runName, name: name, steps: try MaskRefinement.parse(steps, option: "--steps"))
      request.workers = workers
      let catalog = try CorrectedCatalog.open(
        options.catalogPath, .readWrite, reportingTo: progress
      ).catalog
      let work = RunRefinement(
        catalog: catalog, programVersion: Assay.configuration.version, progress: progress)
      return PredictionsRefineResult(summary: try work.run(request), steps: request.steps)
    }
  }
}

extension MaskRefinement {
  /// Reads the steps of an option.
  static func parse(_ text: String, option: String) throws(ValidationError) -> [MaskRefinement] {
    do throws(UnknownStep) {
      return try list(text)
    } catch {
      throw ValidationError("\(option): \(error)")
    }
  }
}

/// The result of `assay predictions refine`.
struct PredictionsRefineResult: CommandResult {
  let summary: RunRefinement.Summary
  let steps: [MaskRefinement]

  var json: JSONValue {
    [
      "run": .string(summary.run.name), "task": .string(summary.run.task.rawValue),
      "source": .string(summary.source.name), "refined": .bool(summary.isNew),
      "steps": .array(steps.map { .string($0.text) }), "n": JSONValue(summary.run.total),
      "masks": summary.isNew ? JSONValue(summary.masks) : .null,
      "changed": summary.isNew ? JSONValue(summary.changed) : .null,
      "emptied": summary.isNew ? JSONValue(summary.emptied) : .null,
    ]
  }

  func text(in terminal: Terminal) -> String {
    let run = Terminal.safe(summary.run.name)
    let samples = Counted.text(summary.run.done, "sample", "samples")
    let title = "\(Terminal.safe(summary.source.name)) → \(run), \(samples)"
    guard summary.isNew else {
      return "already refined: \(title)\n"
        + NextStep.line(forRun: summary.run.name, hasGroundTruth: summary.hasGroundTruth)
    }
    var lines = [
      "\(title) in \(Fixed.text(summary.seconds, places: 1)) s",
      "\(summary.changed) of \(Counted.text(summary.masks, "mask", "masks")) changed"
        + (summary.emptied > 0 ? ", \(summary.emptied) have no pixel left" : ""),
    ]
    lines.append(
      summary.hasGroundTruth
        ? "next: assay evaluate \(run), assay compare \(Terminal.safe(summary.source.name)) \(run)"
        : NextStep.line(forRun: summary.run.name, hasGroundTruth: false))
    return lines.joined(separator: "\n")
  }
}
