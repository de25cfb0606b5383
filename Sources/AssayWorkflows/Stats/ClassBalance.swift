import AssayCore
package import AssayStore

/// The number of samples per class and split, and the class imbalance.
package struct ClassBalance: Hashable, Sendable {
  /// One class, or the samples without a label.
  package struct Row: Hashable, Sendable {
    package var name: String
    /// The number of samples in each of ``ClassBalance/splits``.
    package var counts: [Int]

    package init(name: String, counts: [Int]) {
      self.name = name
      self.counts = counts
    }

    package var total: Int { counts.reduce(0, +) }
  }

  /// The largest and the smallest class among those that have samples.
  package struct Imbalance: Hashable, Sendable {
    package var largest: String
    package var smallest: String
    /// The largest class's count divided by the smallest's, at least 1.
    package var ratio: Double

    package init(largest: String, smallest: String, ratio: Double) {
      self.largest = largest
      self.smallest = smallest
      self.ratio = ratio
    }
  }

  /// The source's splits in their usual order; `nil`, at the end, for samples without a split.
  package private(set) var splits: [String?]
  /// One row per class, in taxonomy order, including classes without samples.
  package private(set) var classes: [Row]
  /// The samples without a label; for a multi-label dataset, those with the empty set.
  package private(set) var unlabeled: Row
  /// True for a multi-label dataset.
  package let isMultiLabel: Bool
  /// True if a sample can have several labels, which is counted in the row of each: those of a
  /// multi-label dataset, or those beside regions.
  package let hasSets: Bool
  private let sampleCount: Int
  /// The number of samples in each of ``splits``, regardless of their labels.
  package private(set) var splitSizes: [Int] = []

  /// - Parameters:
  ///   - samples: the samples to count; their `category` and `categories` are indices into `names`.
  ///   - names: the classes.
  ///   - isMultiLabel: true if the samples have sets of labels.
  package init(_ samples: [SampleRecord], names: [String], isMultiLabel: Bool = false) {
    self.isMultiLabel = isMultiLabel
    hasSets = isMultiLabel || samples.contains { !$0.categories.isEmpty }
    sampleCount = samples.count
    var found: [String?] = []
    var places: [String?: Int] = [:]
    var counts: [[Int]] = []
    var sizes: [Int] = []
    var (last, place): (String??, Int) = (nil, 0)
    for sample in samples {
      if last != .some(sample.split) {
        last = .some(sample.split)
        place = places[sample.split] ?? found.count
        if place == found.count {
          places[sample.split] = place
          found.append(sample.split)
          sizes.append(0)
          counts.append(Array(repeating: 0, count: names.count + 1))
        }
      }
      sizes[place] += 1
      var known = sample.categories.filter(names.indices.contains)
      // The label of the image can be one of those beside its regions, with fields.
      if let label = sample.category, names.indices.contains(label), !known.contains(label) {
        known.append(label)
      }
      for category in known { counts[place][category] += 1 }
      if known.isEmpty { counts[place][names.count] += 1 }
    }
    let order = found.indices.sorted { SplitName.precedes(found[$0], found[$1]) }
    splits = order.map { found[$0] }
    counts = order.map { counts[$0] }
    splitSizes = order.map { sizes[$0] }
    classes = names.enumerated().map { index, name in
      Row(name: name, counts: counts.map { $0[index] })
    }
    unlabeled = Row(name: "no label", counts: counts.map { $0[names.count] })
  }

  /// The number of labels of all samples.
  package var labels: Int { classes.map(\.total).reduce(0, +) }

  /// The mean number of labels per sample, at least 0, for a multi-label dataset; `nil` for others and without
  /// samples. Source: G. Tsoumakas, I. Katakis, "Multi-Label Classification: An Overview" (2007), label
  /// cardinality.
  package var cardinality: Double? {
    isMultiLabel && sampleCount > 0 ? Double(labels) / Double(sampleCount) : nil
  }

  /// The number of samples with a label; for a multi-label dataset all samples, because the empty
  /// set is also a set.
  package var labeled: Int { isMultiLabel ? sampleCount : sampleCount - unlabeled.total }

  /// The share of the labeled samples that a class has, in 0...1; `nil` if no sample is labeled. If
  /// samples can have several labels, the shares do not sum to 1.
  package func share(of row: Row) -> Double? {
    labeled == 0 ? nil : Double(row.total) / Double(labeled)
  }

  /// The classes without samples.
  package var absent: [String] { classes.filter { $0.total == 0 }.map(\.name) }

  /// The imbalance of the classes that have samples; `nil` for fewer than two. For equal counts the
  /// first class is used.
  package var imbalance: Imbalance? {
    let present = classes.filter { $0.total > 0 }
    guard present.count >= 2, var largest = present.first, var smallest = present.first else {
      return nil
    }
    for row in present {
      if row.total > largest.total { largest = row }
      if row.total < smallest.total { smallest = row }
    }
    return Imbalance(
      largest: largest.name, smallest: smallest.name,
      ratio: Double(largest.total) / Double(smallest.total))
  }
}
