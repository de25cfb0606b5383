package import ArgumentParser
import AssayStore
import AssayWorkflows

/// The options that decide which labels a multi-label run predicts and which pixels belong to a
/// mask; shared by `evaluate`, `compare` and `gate`.
package struct ThresholdOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Multi-label: the minimum score that predicts a class (default: 0.5). Masks: the minimum probability "
        + "that sets a pixel (default: the run's own).", valueName: "t"))
  package var threshold: Double?

  @Option(
    help: ArgumentHelp(
      "Multi-label: a CSV file with the columns class and threshold. Other classes use --threshold.",
      valueName: "file.csv"), completion: .file())
  package var thresholds: String?

  @Option(
    help: ArgumentHelp(
      "Multi-label: the thresholds with the best F1 of each class in this stored evaluation.",
      valueName: "run@evaluation"))
  package var thresholdsFrom: String?

  package init() {}

  package func validate() throws {
    if let threshold, !(0...1).contains(threshold) {
      throw ValidationError("--threshold is \(threshold); it is a probability, from 0 to 1")
    }
    if thresholds != nil, thresholdsFrom != nil {
      throw ValidationError("--thresholds and --thresholds-from: give one of them")
    }
  }

  /// - Parameter catalog: the catalog with the evaluation of `--thresholds-from`; `nil` without a
  ///   catalog, in which case the option is rejected earlier.
  func apply(to settings: inout EvaluationSettings, in catalog: Catalog?) throws {
    settings.masks.threshold = threshold
    if let thresholds { settings.classThresholds = try ClassThresholds(file: thresholds) }
    if let thresholdsFrom, let catalog {
      settings.classThresholds = try ClassThresholds(bestOf: thresholdsFrom, in: catalog)
    }
  }
}
