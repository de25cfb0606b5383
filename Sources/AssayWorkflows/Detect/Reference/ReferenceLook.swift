import AssayCore
import AssayFormats
import AssayMetrics

/// Determines the behavior of pycocotools for two files, field by field.
struct ReferenceLook {
  private let inputs: FileDetectionInputs
  private let settings: DetectionSettings

  init(_ inputs: FileDetectionInputs, _ settings: DetectionSettings) {
    self.inputs = inputs
    self.settings = settings
  }

  /// Returns the outcome of pycocotools for the files, including errors during matching.
  ///
  /// - Throws: ``Interrupted``, `MetricError`, and the errors of reading a file.
  func outcome(workers: Int) throws -> ReferenceOutcome {
    guard !inputs.results.isWrapped else {
      return .stops(
        ReferenceStop(
          error: "AssertionError: results in not an array of objects", side: .results,
          pointer: nil))
    }
    let outcome = try ReferenceReader(
      truth: COCOElements(inputs.truthTree), results: COCOElements(inputs.resultTree),
      overlap: inputs.overlap, maxDetections: settings.maxDetections,
      // All annotations with a null id share it.
      hasUniqueIDs: inputs.truth.lastOfID.isEmpty
        && inputs.truth.findings[.annotationWithoutID] == 0
    ).outcome()
    guard case .columns(let columns) = outcome, !columns.unusableIDs.isEmpty else {
      return outcome
    }
    do {
      _ = try columns.tally(settings, workers: workers)
      return outcome
    } catch let stop as ReferenceStop {
      return .stops(stop)
    }
  }
}
