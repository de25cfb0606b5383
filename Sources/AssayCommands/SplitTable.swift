import AssayCore
import AssayStore
import AssayWorkflows

/// The number of samples per class in each split or part: one table for every command that counts
/// them.
struct SplitTable: Hashable {
  /// The classes in taxonomy order.
  let classes: [String]
  /// The columns. Splits: train, validation and test first, others by name, last `nil`, no split.
  /// Parts: in the requested order.
  let splits: [String?]
  /// For each split the samples of each class, and last those without a label.
  let samples: [[Int]]
  /// True if a sample can count in several rows: then there is no row of sums.
  var isMultiLabel = false

  /// - Parameter counts: the counts of an import.
  init(_ counts: ImportCounts) {
    self.init(classes: counts.classes, splits: counts.splits, samples: counts.samples)
    isMultiLabel = counts.isMultiLabel
  }

  /// - Parameters:
  ///   - counts: the counts of the catalog; `category` is an index into `classes`.
  ///   - classes: the classes.
  init(_ counts: [SplitCount], classes: [String]) {
    var samples: [String?: [Int]] = [:]
    for row in counts {
      let known = row.category.flatMap { classes.indices.contains($0) ? $0 : nil }
      samples[row.split, default: Array(repeating: 0, count: classes.count + 1)][
        known ?? classes.count] += row.count
    }
    let splits = Array(samples.keys)
    self.init(classes: classes, splits: splits, samples: splits.compactMap { samples[$0] })
  }

  /// - Parameter summary: the parts that were made.
  init(_ summary: DatasetSplit.Summary) {
    classes = summary.classes
    splits = summary.partition.parts.map(\.part)
    samples = summary.counts
    isMultiLabel = summary.isMultiLabel
  }

  private init(classes: [String], splits: [String?], samples: [[Int]]) {
    let order = splits.indices.sorted { SplitName.precedes(splits[$0], splits[$1]) }
    self.classes = classes
    self.splits = order.map { splits[$0] }
    self.samples = order.map { samples[$0] }
  }

  /// Split, label and count of every cell that has samples.
  var json: JSONValue {
    .array(
      splits.indices.flatMap { split in
        samples[split].indices.filter { samples[split][$0] > 0 }.map { category in
          [
            "split": JSONValue(splits[split]),
            "label": JSONValue(category < classes.count ? classes[category] : nil),
            "count": JSONValue(samples[split][category]),
          ]
        }
      })
  }

  /// True if there are samples and none has a label, for example if the classes are those of
  /// regions.
  var isUnlabeled: Bool {
    samples.contains { $0[classes.count] > 0 }
      && !samples.contains { $0.prefix(classes.count).contains { $0 > 0 } }
  }

  /// One row per class, then one for samples without a label if there are any, then the sums; one
  /// column per split. Only the sums if no sample has a label.
  func text(in terminal: Terminal) -> String {
    let isUnlabeled = isUnlabeled
    var table = TextTable(
      [(isUnlabeled ? "" : "class", .left)] + splits.map { ($0 ?? "no split", .right) } + [
        ("all", .right)
      ])
    func add(_ name: String, _ cells: [Int]) {
      table.add([name] + (cells + [cells.reduce(0, +)]).map(String.init))
    }
    if !isUnlabeled {
      for (category, name) in classes.enumerated() { add(name, samples.map { $0[category] }) }
      let unlabeled = samples.map { $0[classes.count] }
      if unlabeled.contains(where: { $0 > 0 }) { add("no label", unlabeled) }
    }
    if !isMultiLabel || isUnlabeled {
      add(isUnlabeled ? "samples" : "all", samples.map { $0.reduce(0, +) })
    }
    return table.text(in: terminal)
  }
}
