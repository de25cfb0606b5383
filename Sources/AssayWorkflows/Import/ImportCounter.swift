import AssayCore

/// Counts the batches of an import as they arrive.
struct ImportCounter {
  private var names: [String] = []
  private var splits: [String?] = []
  private var splitPlaces: [String?: Int] = [:]
  /// The number of samples of each class per split, in order of appearance; the first cell counts
  /// samples without a label.
  private var samples: [[Int]] = []
  /// The numbers of regions and of labels beside them, likewise.
  private var regions: [[Int]] = []
  /// The split index of each sample, for counting regions.
  private var splitOfSample: [Int32] = []
  private var hasRegions = false
  private var hasSets = false
  private var kinds: [IssueKind: Int] = [:]
  /// The stored issues: all, or the first few.
  private(set) var issues: [Issue] = []
  private let issueLimit: Int

  init(keepingIssues limit: Int) { issueLimit = limit }

  mutating func add(_ batch: ImportedBatch) {
    names += batch.newCategories.map(\.name)
    let base = splitOfSample.count
    for sample in batch.samples {
      let split = place(of: sample.split)
      splitOfSample.append(Int32(split))
      for category in sample.categories { Self.count(category, in: &samples[split]) }
      hasSets = hasSets || !sample.categories.isEmpty
      if sample.categories.isEmpty { Self.count(sample.category, in: &samples[split]) }
      // The label of an image is an annotation beside its regions.
      if let label = sample.category { Self.count(label, in: &regions[split]) }
    }
    for region in batch.annotations where region.set == nil {
      hasRegions = true
      guard splitOfSample.indices.contains(region.sample) else { continue }
      // A label with fields is the label of the image, and counts once.
      let place = region.sample - base
      if region.shape == .tag, batch.samples.indices.contains(place),
        batch.samples[place].category == region.category
      {
        continue
      }
      Self.count(region.category, in: &regions[Int(splitOfSample[region.sample])])
    }
    for issue in batch.issues { kinds[issue.kind, default: 0] += 1 }
    issues += batch.issues.prefix(max(0, issueLimit - issues.count))
  }

  private mutating func place(of split: String?) -> Int {
    // Samples of one split usually come together.
    if let last = splitOfSample.last, splits[Int(last)] == split { return Int(last) }
    if let place = splitPlaces[split] { return place }
    splitPlaces[split] = splits.count
    splits.append(split)
    samples.append([])
    regions.append([])
    return splits.count - 1
  }

  /// Increments a count. The first cell counts items without a class, the others the classes in
  /// order of introduction.
  private static func count(_ category: Int?, in cells: inout [Int]) {
    let cell = category.map { $0 + 1 } ?? 0
    if cell >= cells.count {
      cells += [Int](repeating: 0, count: cell + 1 - cells.count)
    }
    cells[cell] += 1
  }

  /// The issues of each kind, in the order of the kinds.
  var issueCounts: [(kind: IssueKind, count: Int)] {
    IssueKind.allCases.compactMap { kind in kinds[kind].map { (kind, $0) } }
  }

  /// The classes in their final order, and the number of samples per class and split, or of regions
  /// if there are any.
  ///
  /// - Parameter ordinals: the final index of each class, in order of introduction.
  func counts(ordinals: [Int]) -> ImportCounts {
    let order = names.indices.sorted { ordinals[$0] < ordinals[$1] }
    var counts = ImportCounts(classes: order.map { names[$0] })
    counts.areRegions = hasRegions
    counts.isMultiLabel = hasSets
    let cells = hasRegions ? regions : samples
    let places = splits.indices.sorted { SplitName.precedes(splits[$0], splits[$1]) }
    counts.splits = places.map { splits[$0] }
    counts.samples = places.map { split in
      (order.map { $0 + 1 } + [0]).map { cells[split].indices.contains($0) ? cells[split][$0] : 0 }
    }
    return counts
  }
}

/// The number of samples, or of regions with the labels beside them, of an import by split and class. A sample with several labels
/// counts once for each label.
package struct ImportCounts: Hashable, Sendable {
  /// The classes in their final order.
  package var classes: [String]
  /// The splits, well-known ones first; `nil` for samples without a split.
  package var splits: [String?] = []
  /// The number of samples of each class per split; the last one counts samples without a label.
  package var samples: [[Int]] = []
  /// True if regions are counted, not samples.
  package var areRegions = false
  /// True if a sample counts once for each of its labels, so that sums over classes are not numbers
  /// of samples.
  package var isMultiLabel = false
}
