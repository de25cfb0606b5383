package import ArgumentParser
import AssayWorkflows

/// The options that decide which samples are evaluated and how; shared by `evaluate`, `compare` and
/// `gate`.
package struct EvaluateOptions: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Evaluate only samples that match this expression.", valueName: "expr"))
  package var filter: String?

  @Option(
    help: ArgumentHelp(
      "Classification: the minimum probability of an answer; other samples count as not answered.",
      valueName: "p"))
  package var accept: Double?

  @Option(
    help: ArgumentHelp(
      "Classification: the minimum margin between the two largest probabilities of an answer.",
      valueName: "m"))
  package var margin: Double?

  @Flag(help: "Leave out samples whose class has no scores.")
  package var ignoreMissing = false

  @Flag(
    help:
      "Classification: divide each row of scores by its sum. Without it, rows must sum to 1.")
  package var normalize = false

  package init() {}

  package func validate() throws {
    for (name, value) in [("accept", accept), ("margin", margin)] {
      if let value, !(0...1).contains(value) {
        throw ValidationError("--\(name) is \(value); it must be from 0 to 1")
      }
    }
  }

  /// The settings in the form that the workflows expect.
  var settings: EvaluationSettings {
    var settings = EvaluationSettings()
    settings.filter = filter
    settings.accept = accept
    settings.margin = margin
    settings.ignoresMissing = ignoreMissing
    settings.normalizes = normalize
    return settings
  }
}

/// The options for intervals: whether they are computed, and from which seed.
package struct IntervalOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help: "Compute 95 % CIs. Default: for runs of up to 20,000 samples; not for files.")
  package var intervals: Bool?

  @Option(help: ArgumentHelp("The seed of the bootstrap for the intervals.", valueName: "n"))
  package var seed: UInt64 = 0

  package init() {}

  func apply(to settings: inout EvaluationSettings) {
    settings.intervals = intervals
    settings.seed = seed
  }
}
