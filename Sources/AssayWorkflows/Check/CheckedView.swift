import AssayCore
import AssayStore

/// A view with everything that the rules look at. Samples are places in its list.
struct CheckedView {
  let catalog: Catalog
  let request: CheckRequest
  let selection: Selection
  let samples: [SampleRecord]
  /// The class names in the dataset's order.
  let classes: [String]
  /// The split of each sample; `nil` for none.
  let splits: [String?]
  /// `nil` if no kind needs the images.
  var scanned: ScannedImages?
  var duplicates = DuplicateGroups()
  let progress: any ProgressSink
  /// The number of threads.
  let workers: Int

  /// The distinct splits, in the order of their first samples.
  var splitNames: [String] {
    var seen: Set<String> = []
    return splits.compactMap(\.self).filter { seen.insert($0).inserted }
  }

  /// The class ordinals of a sample's labels; empty for none.
  func labels(of place: Int) -> [Int] {
    let sample = samples[place]
    guard let label = sample.category else { return sample.categories }
    return sample.categories.isEmpty ? [label] : Set(sample.categories + [label]).sorted()
  }

  /// The names of a sample's labels: `cat`, `cat + dog`; `nil` if it counts as unlabeled.
  func labelText(of place: Int) -> String? {
    let labels = labels(of: place)
    guard selection.dataset.isMultiLabel || !labels.isEmpty else { return nil }
    guard !labels.isEmpty else { return "no label" }
    return labels.map { classes.indices.contains($0) ? classes[$0] : "?" }.joined(separator: " + ")
  }

  /// A finding about samples of the list.
  func finding(
    _ kind: FindingKind, _ places: [Int], score: Double? = nil, _ message: String
  ) -> FindingRecord {
    FindingRecord(kind, score: score, samples: places.map { samples[$0].id }, message)
  }
}

/// Finds what is wrong with a view, for one kind or for kinds that are found together.
protocol CheckRule: Sendable {
  /// The kinds that it finds.
  static var kinds: [FindingKind] { get }

  /// The findings, and notes about what was not reported, one sentence each.
  func run(_ view: CheckedView) throws -> RuleResult
}

/// The result of a rule.
struct RuleResult {
  var findings: [FindingRecord] = []
  /// By kind, then by the row id of the finding's only sample.
  var evidence: [FindingKind: [Int64: FindingEvidence]] = [:]
  var notes: [String] = []
}
