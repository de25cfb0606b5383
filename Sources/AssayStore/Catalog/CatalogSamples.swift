import GRDB

/// Samples of views (`assay sample`): a partition with one part, and a view of it, both of one name.
extension Catalog {
  /// The member of a partition's rule that marks it as a sample.
  package static let sampleMember = "sample"

  /// Stores a fixed list of samples as a view.
  ///
  /// - Parameters:
  ///   - selection: what the list was drawn from.
  ///   - rule: the rule that drew it, as JSON text with the member ``sampleMember``.
  ///   - samples: the samples' ids.
  /// - Throws: ``StoreError/nameTaken(_:_:)`` for a name of a dataset, view or partition,
  ///   ``StoreError/partTaken(_:dataset:)`` for the name of a split or part,
  ///   ``StoreError/badName(_:)``.
  package func addSample(
    named name: String, of selection: Selection, seed: UInt64, rule: String, samples: [Int64]
  ) throws -> ViewRecord {
    try write("saving a sample") { database in
      try claim(viewOrDataset: name, as: .view, in: database)
      _ = try addPartition(
        of: selection.dataset.id, named: name, seed: seed, rule: rule,
        members: [(part: name, samples: samples)])
      let dataset = Selection(
        name: selection.dataset.name, dataset: selection.dataset, parts: [], expression: nil)
      return try addView(named: name, in: dataset, where: "part(\"\(name)\") = \"\(name)\"")
    }
  }
}
