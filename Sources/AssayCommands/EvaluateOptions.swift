package import ArgumentParser
import AssayWorkflows

/// The options that decide which samples are judged and how; `evaluate`, `compare` and `gate` share them.
package struct EvaluateOptions: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Judge only samples for which this holds.", valueName: "expr"))
  package var filter: String?

  @Option(
    help: ArgumentHelp(
      "Answer only where the largest probability is at least this.", valueName: "p"))
  package var accept: Double?

  @Option(
    help: ArgumentHelp(
      "Answer only where the largest probability leads the second by at least this.",
      valueName: "m"))
  package var margin: Double?

  @Flag(help: "Leave out samples whose class has no scores.")
  package var ignoreMissing = false

  @Flag(
    help: "Divide each row of scores by its sum. Without it a row whose sum is not 1 is refused.")
  package var normalize = false

  package init() {}

  package func validate() throws {
    for (name, value) in [("accept", accept), ("margin", margin)] {
      if let value, !(0...1).contains(value) {
        throw ValidationError("--\(name) is \(value); it is a probability, from 0 to 1")
      }
    }
  }

  /// As the workflows want them.
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
    help: "95 % intervals. Default: up to 20,000 samples of a run; of files where asked for.")
  package var intervals: Bool?

  @Option(help: ArgumentHelp("The seed of the bootstrap behind the intervals.", valueName: "n"))
  package var seed: UInt64 = 0

  package init() {}

  func apply(to settings: inout EvaluationSettings) {
    settings.intervals = intervals
    settings.seed = seed
  }
}
