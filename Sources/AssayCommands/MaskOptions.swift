package import ArgumentParser
package import AssayMetrics
import AssayWorkflows

/// The options that decide how the masks of a run are made and evaluated; shared by `evaluate`,
/// `compare` and `gate`.
package struct MaskOptions: ParsableArguments {
  @Option(
    name: .customLong("open"),
    help: ArgumentHelp("Erode, then dilate, n times: removes thin structures.", valueName: "n"))
  package var opening: Int?

  @Option(
    name: .customLong("close"),
    help: ArgumentHelp("Then dilate, then erode, n times: closes gaps.", valueName: "n"))
  package var closing: Int?

  @Flag(help: "Then fill the holes of a mask.")
  package var fillHoles = false

  @Flag(help: "Then keep only the largest connected component.")
  package var largestComponent = false

  @Option(
    name: .customLong("min-area"),
    help: ArgumentHelp("Then remove components with fewer pixels.", valueName: "n"))
  package var minimumArea: Int?

  @Option(
    help: ArgumentHelp(
      "The score of a class in a sample if neither ground truth nor prediction contains it.",
      valueName: "undefined|one|zero"))
  package var empty: EmptyRule = .undefined

  @Option(
    help: ArgumentHelp(
      "Ignore the regions of this class of the dataset; may be repeated.", valueName: "class"))
  package var ignore: [String] = []

  @Flag(name: .customLong("no-boundary"), help: "Skip boundary IoU and HD95: faster.")
  package var noBoundary = false

  package init() {}

  package func validate() throws {
    for (name, value) in [("open", opening), ("close", closing)] {
      if let value, !(0...1000).contains(value) {
        throw ValidationError("--\(name) is \(value); it must be from 0 to 1000")
      }
    }
    if let minimumArea, minimumArea < 0 {
      throw ValidationError("--min-area is \(minimumArea); it must be 0 or more")
    }
  }

  func apply(to settings: inout EvaluationSettings) {
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
