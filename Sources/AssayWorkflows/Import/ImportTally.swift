import AssayCore

/// Counts what an import delivers as it goes by.
struct ImportTally {
  /// A split and a class, in order of introduction.
  private struct Cell: Hashable {
    var split: String?
    var category: Int?
  }

  private var cells: [Cell: Int] = [:]
  private var names: [String] = []
  private var kinds: [IssueKind: Int] = [:]
  /// The issues that are kept: all, or the first few.
  private(set) var issues: [Issue] = []
  private let issueLimit: Int

  init(keepingIssues limit: Int) { issueLimit = limit }

  mutating func add(_ batch: ImportedBatch) {
    names += batch.newCategories.map(\.name)
    for sample in batch.samples {
      cells[Cell(split: sample.split, category: sample.category), default: 0] += 1
    }
    for issue in batch.issues { kinds[issue.kind, default: 0] += 1 }
    issues += batch.issues.prefix(max(0, issueLimit - issues.count))
  }

  /// The issues of each kind, in the order of the kinds.
  var issueCounts: [(kind: IssueKind, count: Int)] {
    IssueKind.allCases.compactMap { kind in kinds[kind].map { (kind, $0) } }
  }

  /// The classes in their final order, and how many samples each has in each split.
  ///
  /// - Parameter ordinals: for each class in order of introduction its final place.
  func counts(ordinals: [Int]) -> ImportCounts {
    let order = names.indices.sorted { ordinals[$0] < ordinals[$1] }
    var counts = ImportCounts(classes: order.map { names[$0] })
    counts.splits = Set(cells.keys.map(\.split)).sorted(by: SplitName.precedes)
    counts.samples = counts.splits.map { split in
      (order.map { Optional($0) } + [nil]).map { cells[Cell(split: split, category: $0)] ?? 0 }
    }
    return counts
  }
}

/// How many samples an import has in each split and class.
package struct ImportCounts: Hashable, Sendable {
  /// The classes in their final order.
  package var classes: [String]
  /// The splits, the well-known ones first; `nil` is none.
  package var splits: [String?] = []
  /// For each split the samples of each class, and last those without a label.
  package var samples: [[Int]] = []
}
