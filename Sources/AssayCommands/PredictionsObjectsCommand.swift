package import ArgumentParser
import AssayCore
import AssayImaging
import AssayStore
import AssayWorkflows

/// `assay predictions objects`: makes a detection run of a segmentation run.
package struct PredictionsObjectsCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "objects",
    abstract: "Make objects of the masks of a segmentation run.",
    discussion: """
      Each connected part of a mask becomes a detection with its region; its score is the mean probability inside of it. \
      The new run is evaluated like a detector's, with --iou-type segm by its regions.

      --separate divides objects that touch, by a watershed on the distance to the background: two parts are two objects \
      if the neck between them is narrower than 0.7 of the narrower part (--neck), unless that one is narrower than half \
      of the other, as a limb is (--limb).
      """)

  @Argument(help: ArgumentHelp("The run.", valueName: "run"))
  package var runName: String

  @Option(help: "The new run's name.")
  package var name: String

  @Flag(help: "Divide objects that touch.")
  package var separate = false

  @Option(
    help: ArgumentHelp(
      "The width of a neck, as a fraction of the narrower part's, from which both parts are one. Default: 0.7.",
      valueName: "fraction"))
  package var neck: Double?

  @Option(
    help: ArgumentHelp(
      "The width of a part, as a fraction of the other's, below which both are one. Default: 0.5.",
      valueName: "fraction"))
  package var limb: Double?

  @Option(help: ArgumentHelp("Leave out objects with fewer pixels.", valueName: "n"))
  package var minArea = 1

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    for (option, value) in [("neck", neck), ("limb", limb)] {
      guard let value else { continue }
      guard separate else { throw ValidationError("--\(option) is part of --separate") }
      guard (0...1).contains(value) else {
        throw ValidationError("--\(option) is \(value); it must be from 0 to 1")
      }
    }
    guard minArea >= 1 else { throw ValidationError("--min-area must be at least 1") }
  }

  package func run() throws {
    try options.perform { progress in
      var separation: MaskSeparation?
      if separate {
        var rule = MaskSeparation()
        rule.neck = neck ?? rule.neck
        rule.limb = limb ?? rule.limb
        separation = rule
      }
      let catalog = try CorrectedCatalog.open(
        options.catalogPath, .readWrite, reportingTo: progress
      ).catalog
      let work = RunObjects(
        catalog: catalog, programVersion: Assay.configuration.version, progress: progress)
      return PredictionsObjectsResult(
        summary: try work.run(
          RunObjects.Request(run: runName, name: name, separation: separation, minArea: minArea)))
    }
  }
}

/// The result of `assay predictions objects`.
struct PredictionsObjectsResult: CommandResult {
  let summary: RunObjects.Summary

  var json: JSONValue {
    [
      "run": .string(summary.run.name), "task": .string(summary.run.task.rawValue),
      "source": .string(summary.source.name), "made": .bool(summary.isNew),
      "n": JSONValue(summary.run.total),
      "objects": summary.isNew ? JSONValue(summary.objects) : .null,
      "parts": summary.isNew ? JSONValue(summary.parts) : .null,
      "too_small": summary.isNew ? JSONValue(summary.tooSmall) : .null,
      "has_scores": .bool(summary.hasScores),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let run = Terminal.safe(summary.run.name)
    let samples = Counted.text(summary.run.done, "sample", "samples")
    var lines = [
      (summary.isNew ? "" : "already made: ")
        + "\(Terminal.safe(summary.source.name)) → \(run), \(samples)"
    ]
    if summary.isNew {
      lines.append(
        Counted.text(summary.objects, "object", "objects") + " of "
          + Counted.text(summary.parts, "connected part", "connected parts")
          + (summary.tooSmall > 0 ? ", \(summary.tooSmall) left out as too small" : ""))
    }
    if !summary.hasScores {
      lines.append(
        "the run has no probabilities, so every score is 1; of a refined run make objects before refining, and refine those"
      )
    }
    lines.append(
      summary.hasGroundTruth
        ? "next: assay evaluate \(run) --iou-type segm"
        : NextStep.line(forRun: summary.run.name, hasGroundTruth: false))
    return lines.joined(separator: "\n")
  }
}
