/// A measure of the ground truth and the predicted mask of one sample that cannot be computed from
/// its pixel counts.
///
/// Defined for samples with one evaluated class. The raw value is its column in `pixelTally` and in
/// `evaluate --samples`, and its field in queries. A new measure needs a case, the metric that is
/// its mean, a formula in AssayMetrics and a column of the catalog.
package enum MaskMeasure: String, CaseIterable, Sendable {
  case hausdorff95

  /// The metric that is its mean over the samples that have a value.
  package var mean: MetricKind {
    switch self {
    case .hausdorff95: .meanHausdorff95
    }
  }

  /// One sentence about the value of a sample.
  package var definition: String {
    switch self {
    case .hausdorff95:
      "Of one sample: the 95th percentile of the distances, in pixels, from the edge pixels of ground truth and "
        + "prediction to the nearest edge pixel of the other. None where one of them is empty."
    }
  }

  /// The name in tables, with the unit: the mean's name without “mean”.
  package var title: String { String(mean.facts.title.trimmingPrefix("mean ")) }

  /// The measure whose mean is a metric; `nil` for other metrics.
  package init?(mean kind: MetricKind) {
    guard let measure = Self.allCases.first(where: { $0.mean == kind }) else { return nil }
    self = measure
  }

  /// Returns whether a sample can have the value: it is finite and in the range of the mean.
  package func allows(_ value: Double) -> Bool {
    value.isFinite && mean.facts.range.contains(value)
  }
}
