import AssayCore
package import AssayStore

/// Divides a dataset, or one of its splits, into user-defined parts.
///
/// The assignment depends only on the seed and the samples' keys: samples are sorted by
/// SHA-256(seed as 8 bytes, little-endian; then the key), and the parts take theirs one after
/// another. A stratified split does this for each class separately, and in a multi-label dataset
/// for each set of labels. With a ``SampleGrouping``, whole groups are assigned
/// (``GroupAssignment``).
package struct DatasetSplit {
  /// The parts that were created.
  package struct Summary: Hashable, Sendable {
    package var dataset: String
    package var partition: PartitionRecord
    /// The source of the split, as typed: `faces/train`.
    package var source: String
    package var isStratified: Bool
    /// The grouping that no part divides; `nil` for none.
    package var grouping: SampleGrouping?
    /// The number of groups of each part; empty without a grouping.
    package var groups: [Int]
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
  ///   - grouping: the groups of samples that no part divides; `nil` for none.
  ///   - name: the partition's name; `nil` for the parts' names joined by `-`.
  /// - Throws: ``SplitError``, `StoreError` if a part or the partition already
  ///   exists.
  package func run(
    _ dataset: String, parts: [PartShare], from: String?, seed: UInt64, stratify: Bool,
    grouping: SampleGrouping? = nil, name: String?
  ) throws -> Summary {
    let record = try catalog.dataset(named: dataset)
    let source = from.map { "\(dataset)/\($0)" } ?? dataset
    let samples = try catalog.samples(in: catalog.resolve(source))
    guard !samples.isEmpty else { throw SplitError.noSamples(source) }
    let classes = try catalog.taxonomy(of: record.id).names
    let ordered = grouping == nil ? Self.ordered(samples, seed: seed) : []
    var groups: [Int] = []
    let members: [[SampleRecord]]
    if let grouping {
      (members, groups) = try grouped(
        samples, parts, grouping, seed: seed, stratify: stratify, source)
    } else {
      members = Self.members(ordered, parts, stratify: stratify)
    }
    let partition = try catalog.addPartition(
      of: record.id, named: name ?? parts.map(\.name).joined(separator: "-"), seed: seed,
      rule: rule(parts, from: from, stratify: stratify, grouping),
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
      grouping: grouping, groups: groups, isMultiLabel: record.isMultiLabel, classes: classes,
      counts: counts)
  }

  /// The samples in the order in which the parts take them.
  static func ordered(_ samples: [SampleRecord], seed: UInt64) -> [SampleRecord] {
    let keyed = samples.map { sample in
      (digest: SeededOrder.digest(of: sample.key, seed: seed), sample: sample)
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

  /// The samples of each part, and its number of groups.
  ///
  /// - Throws: ``SplitError``; `StoreError`.
  private func grouped(
    _ samples: [SampleRecord], _ parts: [PartShare], _ grouping: SampleGrouping, seed: UInt64,
    stratify: Bool, _ source: String
  ) throws -> (members: [[SampleRecord]], groups: [Int]) {
    let groups = try SampleGroups(samples, by: grouping, in: catalog, view: source)
    guard groups.members.count >= parts.count else {
      throw SplitError.tooFewGroups(grouping.text, groups: groups.members.count, parts: parts.count)
    }
    var strata: [[Int]: Int] = [:]
    let counts = groups.members.map { members in
      var counts: [Int: Int] = [:]
      for member in members {
        let labels = stratify ? samples[member].labels : []
        let stratum = strata[labels] ?? strata.count
        strata[labels] = stratum
        counts[stratum, default: 0] += 1
      }
      return counts.sorted { $0.key < $1.key }.map { (stratum: $0.key, count: $0.value) }
    }
    let assigned = GroupAssignment.assign(
      counts, strata: strata.count, names: groups.names, weights: parts.map(\.weight), seed: seed)
    var members: [[SampleRecord]] = parts.map { _ in [] }
    var numbers = parts.map { _ in 0 }
    for (group, part) in assigned.enumerated() {
      members[part] += groups.members[group].map { samples[$0] }
      numbers[part] += 1
    }
    if let empty = numbers.firstIndex(of: 0) {
      throw SplitError.emptyPart(parts[empty].name, groups: groups.members.count)
    }
    return (members, numbers)
  }

  private func rule(
    _ parts: [PartShare], from: String?, stratify: Bool, _ grouping: SampleGrouping?
  ) -> String {
    var members: [JSONValue.Member] = [
      .init("from", JSONValue(from)), .init("stratify", .bool(stratify)),
      .init(
        "order",
        grouping == nil
          ? "sha256(seed as 8 bytes little-endian, key)"
          : "groups by size, then sha256(seed as 8 bytes little-endian, group)"),
      .init(
        "parts",
        .object(
          parts.map {
            JSONValue.Member($0.name, .number(Double($0.weight) / Double(PartShare.scale)))
          })),
    ]
    if let grouping { members.append(.init("groupBy", .string(grouping.text))) }
    return JSONValue.object(members).text()
  }
}

extension SampleRecord {
  /// The labels' ordinals, ascending; at most one unless the dataset is multi-label.
  fileprivate var labels: [Int] { category.map { [$0] } ?? categories }
}
