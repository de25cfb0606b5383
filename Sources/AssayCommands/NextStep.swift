/// The next command for a run, as the last line of a result.
enum NextStep {
  /// `assay evaluate`, or `assay report` if there is no ground truth to evaluate against.
  static func line(forRun name: String, hasGroundTruth: Bool) -> String {
    hasGroundTruth ? "next: assay evaluate \(name)" : "next: assay report \(name)"
  }
}
