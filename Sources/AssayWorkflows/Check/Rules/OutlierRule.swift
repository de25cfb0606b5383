import AssayCore
import AssayInference
import AssayReports
import AssayStore

/// Images whose features are far from those of all other images.
///
/// The score is the mean cosine distance to the 10 nearest neighbors (Kuan and Mueller 2022, and
/// cleanlab's `OutOfDistribution`). A robust z-score decides: the distance to the median, in units of the
/// scaled median absolute deviation.
struct OutlierRule: CheckRule {
  static let kinds = [FindingKind.outlier]
  /// The minimum z-score.
  static let leastZ = 5.0
  /// The smallest deviation: below, the scores of a view with many copies differ by rounding.
  private static let leastDeviation = 1e-3

  func run(_ view: CheckedView) throws -> RuleResult {
    guard let reference = view.request.features else { return RuleResult() }
    let workers = view.workers
    let table = try FeatureTable(reference, of: view, workers: workers)
    var result = RuleResult()
    if table.unread > 0 {
      result.notes.append(
        "outlier: \(Counted.text(table.unread, "image", "images")) could not be read and "
          + "\(table.unread == 1 ? "was" : "were") left out")
    }
    guard table.count > NeighborSearch.neighbors else {
      result.notes.append(
        "outlier: at least \(NeighborSearch.neighbors + 1) readable images are needed, the view has "
          + "\(table.count)")
      return result
    }
    let search = NeighborSearch(count: table.count, dimension: table.layout.dimension) {
      try table.read($0, into: $1)
    }
    let found = try search.run(workers: workers) {
      view.progress.report(0.8 + 0.2 * $0, "comparing features")
    }
    let scale = RobustScale(found.map(\.distance), least: Self.leastDeviation)
    let outliers = found.indices.filter { scale.z(found[$0].distance) >= Self.leastZ }
      .sorted { (-found[$0].distance, $0) < (-found[$1].distance, $1) }
    for index in outliers {
      let own = found[index]
      let place = table.places[index]
      result.findings.append(
        view.finding(
          .outlier, [place], score: own.distance,
          "mean cosine distance of \(NumberText.fixed(own.distance)) to the "
            + "\(own.indices.count) nearest neighbors, z-score "
            + NumberText.fixed(scale.z(own.distance), 1)))
      result.evidence[.outlier, default: [:]][view.samples[place].id] = FindingEvidence(
        neighbors: own.indices.map { view.samples[table.places[Int($0)]].id })
    }
    result.notes.append(Self.note(table.layout, search, scale))
    return result
  }

  /// The features and the threshold, in one sentence.
  private static func note(
    _ layout: FeatureLayout, _ search: NeighborSearch, _ scale: RobustScale
  ) -> String {
    let output = layout.output.isEmpty ? "the output" : "the output “\(layout.output)”"
    let shape = layout.shape.map { "\($0)" }.joined(separator: "×")
    let sample =
      search.isSampled
      ? ", compared with a sample of \(NumberText.count(search.references.count)) images (seed 0)"
      : ""
    return "outlier: \(NumberText.count(layout.dimension)) features from \(output) (\(shape)"
      + (layout.isPooled ? ", mean over the positions" : "") + ")\(sample); median distance "
      + "\(NumberText.fixed(scale.median)), outliers from "
      + NumberText.fixed(scale.value(ofZ: leastZ)) + " on"
  }
}

/// The center and the spread of numbers, little affected by outliers: the median and the median absolute
/// deviation, scaled to the standard deviation of a normal distribution.
struct RobustScale: Hashable {
  let median: Double
  let deviation: Double

  /// - Parameters:
  ///   - values: not empty.
  ///   - least: the smallest deviation.
  init(_ values: [Double], least: Double) {
    let middle = Self.median(of: values)
    median = middle
    deviation = max(least, 1.4826 * Self.median(of: values.map { abs($0 - middle) }))
  }

  func z(_ value: Double) -> Double { (value - median) / deviation }

  func value(ofZ z: Double) -> Double { median + z * deviation }

  private static func median(of values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    let half = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
  }
}
