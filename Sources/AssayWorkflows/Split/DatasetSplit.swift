import AssayCore
package import AssayStore

/// Divides a dataset, or one of its splits, into user-defined parts.
///
/// The assignment depends only on the seed and the samples' keys: samples are sorted by
/// SHA-256(seed as 8 bytes, little-endian; then the key), and the parts take theirs one after
/// another. A stratified split does this for each class separately, and in a multi-label dataset
/// for each set of labels.
package struct DatasetSplit {
  /// The parts that were created.
  package struct Summary: Hashable, Sendable {
    package var dataset: String
    package var partition: PartitionRecord
    /// The source of the split, as typed: `faces/train`.
    package var source: String
    package var isStratified: Bool
    /// True if a sample can have several labels: it is counted in the row of each.
    package var isMultiLabel: Bool
    package var classes: [String]
    /// The number of samples of each class per part; the last one counts samples without a label.
    package var counts: [[Int]]
  }

  private let catalog: Catalog

  package init(catalog: Catalog) { self.catalog = catalog }

  /// Creates a partition.
  ///
  /// - Parameters:
  ///   - from: a split or part of the dataset; `nil` for the whole dataset.
  ///   - name: the partition's name; `nil` for the parts' names joined by `-`.
  /// - Throws: ``SplitError/noSamples(_:)``, `StoreError` if a part or the partition already
  ///   exists.
  package func run(
    _ dataset: String, parts: [PartShare], from: String?, seed: UInt64, stratify: Bool,
    name: String?
  ) throws -> Summary {
    let record = try catalog.dataset(named: dataset)
    let source = from.map { "\(dataset)/\($0)" } ?? dataset
    let samples = try catalog.samples(in: catalog.resolve(source))
    guard !samples.isEmpty else { throw SplitError.noSamples(source) }
    let classes = try catalog.taxonomy(of: record.id).names
    let ordered = Self.ordered(samples, seed: seed)
    let members = Self.members(ordered, parts, stratify: stratify)
    let partition = try catalog.addPartition(
      of: record.id, named: name ?? parts.map(\.name).joined(separator: "-"), seed: seed,
      rule: rule(parts, from: from, stratify: stratify),
      members: zip(parts, members).map { part, members in
        (part: part.name, samples: members.map(\.id).sorted())
      })
    let counts = members.map { members in
      var counts = Array(repeating: 0, count: classes.count + 1)
      for sample in members {
        let labels = sample.labels
        for label in labels { counts[label] += 1 }
        if labels.isEmpty { counts[classes.count] += 1 }
      }
      return counts
    }
    return Summary(
      dataset: dataset, partition: partition, source: source, isStratified: stratify,
      isMultiLabel: record.isMultiLabel, classes: classes, counts: counts)
  }

  /// The samples in the order in which the parts take them.
  static func ordered(_ samples: [SampleRecord], seed: UInt64) -> [SampleRecord] {
    let keyed = samples.map { sample in
      var hash = ContentHash()
      withUnsafeBytes(of: seed.littleEndian) { hash.update($0) }
      hash.update(sample.key)
      return (digest: hash.digest(), sample: sample)
    }
    return keyed.sorted { $0.digest.lexicographicallyPrecedes($1.digest) }.map(\.sample)
  }

  /// The samples of each part.
  ///
  /// - Parameter stratify: true to divide the samples of each class, or of each set of labels,
  ///   separately, those without a label last; false to divide all samples together.
  static func members(
    _ samples: [SampleRecord], _ parts: [PartShare], stratify: Bool
  ) -> [[SampleRecord]] {
    let weights = parts.map(\.weight)
    let strata = Dictionary(grouping: samples) { stratify ? $0.labels : [] }
    let groups = strata.sorted { a, b in
      a.key.isEmpty || b.key.isEmpty ? b.key.isEmpty : a.key.lexicographicallyPrecedes(b.key)
    }.map(\.value)
    var taken = Array(repeating: 0, count: groups.count)
    return Apportionment.stratify(groups.map(\.count), by: weights).map { counts in
      counts.indices.flatMap { group in
        defer { taken[group] += counts[group] }
        return groups[group][taken[group]..<(taken[group] + counts[group])]
      }
    }
  }

  private func rule(_ parts: [PartShare], from: String?, stratify: Bool) -> String {
    let value: JSONValue = [
      "from": JSONValue(from), "stratify": .bool(stratify),
      "order": "sha256(seed as 8 bytes little-endian, key)",
      "parts": .object(
        parts.map {
          JSONValue.Member($0.name, .number(Double($0.weight) / Double(PartShare.scale)))
        }),
    ]
    return value.text()
  }
}

extension SampleRecord {
  /// The labels' ordinals, ascending; at most one unless the dataset is multi-label.
  fileprivate var labels: [Int] { category.map { [$0] } ?? categories }
}
