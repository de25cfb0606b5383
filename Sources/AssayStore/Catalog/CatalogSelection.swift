import GRDB

extension Catalog {
  /// Resolves a VIEW argument: a dataset, `dataset/part`, a saved view, or `view/part`, where a
  /// part is a split of the source (spellings of one split match) or a part of a partition.
  ///
  /// - Throws: ``StoreError/unknownView(_:suggestion:known:)``,
  ///   ``StoreError/unknownPart(_:dataset:suggestion:known:)``.
  package func resolve(_ view: String) throws -> Selection {
    let pieces = view.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(pieces[0])
    let part = pieces.count > 1 ? String(pieces[1]) : nil
    return try read("looking for “\(view)”") { database in
      var selection: Selection
      if let dataset = try findDataset(named: name) {
        selection = Selection(name: view, dataset: dataset, parts: [], expression: nil)
      } else if let saved = try ViewRecord.fetch(name, in: database) {
        selection = Selection(
          name: view, dataset: try dataset(named: saved.dataset), parts: saved.parts,
          expression: saved.expression)
      } else {
        throw try unknownView(name)
      }
      if let part { selection.parts.append(part) }
      if !selection.parts.isEmpty {
        let scope = try DatasetScope(of: selection.dataset, truth: truth, in: database)
        for part in selection.parts where try scope.isIn(part: part) == nil {
          throw try scope.unknown(part: part)
        }
      }
      return selection
    }
  }

  /// The samples of a selection that match an expression of the view language, without retired
  /// ones.
  ///
  /// - Parameter order: what to sort by; by default the id, which also breaks ties.
  /// - Throws: ``StoreError/expression(_:)``.
  package func samples(
    in selection: Selection, where expression: String? = nil, orderedBy order: SampleOrder? = nil,
    limit: Int? = nil
  ) throws -> [SampleRecord] {
    try asking("reading samples") { database in
      let query = try SampleQuery(
        selection, where: expression, truth: truth, in: database)
      return try query.samples(orderedBy: order, limit: limit, in: database)
    }
  }

  /// The number of samples that ``samples(in:where:orderedBy:limit:)`` would return.
  package func count(in selection: Selection, where expression: String? = nil) throws -> Int {
    try asking("counting samples") { database in
      let query = try SampleQuery(
        selection, where: expression, truth: truth, in: database)
      return try query.count(in: database).all
    }
  }

  /// The same number, and that of the samples among them that have no value of a field to sort by.
  ///
  /// - Throws: ``StoreError/expression(_:)`` for a field that cannot be sorted by.
  package func count(
    in selection: Selection, where expression: String?, lacking field: String
  ) throws -> (all: Int, lacking: Int) {
    try asking("counting samples") { database in
      let query = try SampleQuery(
        selection, where: expression, truth: truth, in: database)
      return try query.count(lacking: field, in: database)
    }
  }

  /// Returns whether samples are sorted by the texts of a field, not by its numbers.
  ///
  /// - Throws: ``StoreError/expression(_:)`` for a field that cannot be sorted by.
  package func isText(_ field: String, in selection: Selection) throws -> Bool {
    try asking("reading a field") { database in
      let scope = try DatasetScope(of: selection.dataset, truth: truth, in: database)
      return try SortKey(field, in: scope, database).isText
    }
  }

  /// The ids of a selection's samples that match an expression, ascending.
  ///
  /// - Throws: ``StoreError/expression(_:)``.
  package func sampleIDs(
    in selection: Selection, where expression: String? = nil
  ) throws -> [Int64] {
    try asking("listing samples") { database in
      try SampleQuery(selection, where: expression, truth: truth, in: database)
        .ids(in: database)
    }
  }

  /// Numeric fields of samples: `coverage(person)`, `run(r1).iou`, `count(dog)`, `width`.
  ///
  /// - Parameters:
  ///   - fields: the fields, spelled as in an expression of the view language.
  ///   - selection: a selection of the samples' dataset.
  ///   - samples: their ids.
  /// - Returns: one number per field for each sample; `nil` if the sample has none.
  /// - Throws: ``StoreError/expression(_:)`` for a field that is not a number.
  package func numbers(
    _ fields: [String], of samples: [Int64], in selection: Selection
  ) throws -> [[Double?]] {
    guard !fields.isEmpty, !samples.isEmpty else { return samples.map { _ in [] } }
    return try asking("reading numbers of samples") { database in
      let query = try SampleQuery(selection, truth: truth, in: database)
      return try query.numbers(fields, of: samples, in: database)
    }
  }

  /// The samples with these ids, in their order, including retired ones; unknown ids are omitted.
  package func samples(ids: [Int64]) throws -> [SampleRecord] {
    try read("reading samples") { database in
      let statement = try RawStatement(
        database,
        """
        SELECT \(SampleRecord.columns(truth, set: "t.id", hasSets: "t.multiLabel OR t.tags > 0")) FROM sample s
        LEFT JOIN annotationSet t ON t.dataset = s.dataset AND t.name = '\(AnnotationSet.name)'
        \(truth.labelJoin(set: "t.id"))
        LEFT JOIN category c ON c.id = \(truth.label)
        WHERE s.id = ?1
        """)
      return try ids.compactMap { id in
        statement.bind(id, at: 1)
        defer { statement.reset() }
        return try statement.step() ? SampleRecord(statement, classes: nil) : nil
      }
    }
  }
}
