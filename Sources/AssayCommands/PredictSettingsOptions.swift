package import ArgumentParser
import AssayWorkflows
import Foundation

/// The options of a prediction that its results depend on.
package struct PredictSettingsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The arithmetic: f32, bf16 or f16, if the processor supports it.", valueName: "type"),
    completion: .list(PredictRequest.precisions))
  package var precision = "f32"

  @Option(help: ArgumentHelp("Only the first samples of the view.", valueName: "n"))
  package var limit: Int?

  @Flag(
    help:
      "Continue even if the model lacks a class of the view, or all: such a run is not evaluated but drawn, queried and exported."
  )
  package var ignoreMissing = false

  @Flag(
    help: """
      Store the masks at the model's threshold instead of probability maps: smaller, but other \
      thresholds and sweeps do not work.
      """)
  package var noMaps = false

  @Flag(
    help: """
      Predict the images flipped horizontally, and flip boxes and maps back: a test-time variant for \
      `predictions combine`.
      """)
  package var flip = false

  @Option(
    help: ArgumentHelp(
      "Record this decision file (assay decide) with the run: evaluate, gate and decide apply then use it.",
      valueName: "file"), completion: .file())
  package var decision: String?

  package init() {}

  package func validate() throws {
    if let limit, limit < 1 {
      throw ValidationError("--limit is \(limit); it must be at least 1")
    }
    var request = PredictRequest(view: "", model: "", programVersion: "")
    try apply(to: &request)
  }

  /// True if none of the options was given.
  var areDefaults: Bool {
    precision == "f32" && limit == nil && !ignoreMissing && !noMaps && !flip
      && decision == nil
  }

  /// - Throws: `ValidationError` for an unknown precision.
  func apply(to request: inout PredictRequest) throws {
    guard request.choose(precision: precision) else {
      throw ValidationError(
        "--precision is “\(precision)”; it must be one of "
          + PredictRequest.precisions.joined(separator: ", "))
    }
    request.limit = limit
    request.ignoreMissing = ignoreMissing
    request.keepsMaps = !noMaps
    request.isFlipped = flip
    request.decision = decision
  }

  /// The command that makes a shard, without its number and its folder.
  ///
  /// - Parameter db: the catalog; `nil` for the one in the current folder.
  func shardCommand(view: String, model: String, db: String?) -> String {
    var words = ["assay", "predict", view, "--model", model]
    if precision != "f32" { words += ["--precision", precision] }
    if let limit { words += ["--limit", "\(limit)"] }
    if ignoreMissing { words.append("--ignore-missing") }
    if noMaps { words.append("--no-maps") }
    if flip { words.append("--flip") }
    if let decision { words += ["--decision", URL(fileURLWithPath: decision).path] }
    if let db { words += ["--db", db] }
    return words.map(ShellWord.quoted).joined(separator: " ")
  }
}
