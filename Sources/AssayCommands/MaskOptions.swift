package import ArgumentParser
package import AssayMetrics
import AssayWorkflows

/// The options that decide how the masks of a run are made and judged; `evaluate`, `compare` and `gate`
/// share them.
package struct MaskOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The minimum probability that sets a pixel (default: the run's own), or of a multi-label run "
        + "the minimum score that predicts a class (default: 0.5).", valueName: "t"))
  package var threshold: Double?

  @Option(
    name: .customLong("open"),
    help: ArgumentHelp("First erode, then dilate so often: drops what is thin.", valueName: "n"))
  package var opening: Int?

  @Option(
    name: .customLong("close"),
    help: ArgumentHelp("Then dilate, then erode so often: closes gaps.", valueName: "n"))
  package var closing: Int?

  @Flag(help: "Then set the pixels that a mask encloses.")
  package var fillHoles = false

  @Flag(help: "Then keep only the largest connected piece.")
  package var largestComponent = false

  @Option(
    name: .customLong("min-area"),
    help: ArgumentHelp("Then drop pieces of fewer pixels.", valueName: "n"))
  package var minimumArea: Int?

  @Option(
    help: ArgumentHelp(
      "What a class scores in a sample where truth and prediction have none of it.",
      valueName: "undefined|one|zero"))
  package var empty: EmptyRule = .undefined

  @Option(
    help: ArgumentHelp(
      "Leave out the regions of this class of the dataset; may be repeated.", valueName: "class"))
  package var ignore: [String] = []

  @Flag(name: .customLong("no-boundary"), help: "Do without boundary IoU: faster.")
  package var noBoundary = false

  package init() {}

  package func validate() throws {
    if let threshold, !(0...1).contains(threshold) {
      throw ValidationError("--threshold is \(threshold); it is a probability, from 0 to 1")
    }
    for (name, value) in [("open", opening), ("close", closing)] {
      if let value, !(0...1000).contains(value) {
        throw ValidationError("--\(name) is \(value); it is a number of steps, from 0 to 1000")
      }
    }
    if let minimumArea, minimumArea < 0 {
      throw ValidationError("--min-area is \(minimumArea); it is a number of pixels, from 0 on")
    }
  }

  func apply(to settings: inout EvaluationSettings) {
    settings.masks.threshold = threshold
    settings.masks.cleanup.opening = opening ?? 0
    settings.masks.cleanup.closing = closing ?? 0
    settings.masks.cleanup.fillsHoles = fillHoles
    settings.masks.cleanup.keepsLargest = largestComponent
    settings.masks.cleanup.minimumArea = minimumArea ?? 0
    settings.masks.empty = empty
    settings.masks.ignored = ignore
    settings.masks.hasBoundary = !noBoundary
  }
}

extension EmptyRule: ExpressibleByArgument {}
