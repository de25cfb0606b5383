package import AssayCore
import GRDB

extension Catalog {
  /// The objects of samples that fulfill a condition, in the order of the annotations; corrections count if the
  /// catalog reads the corrected ground truth.
  ///
  /// - Parameters:
  ///   - condition: as in `objects(…)`, without the parentheses.
  ///   - samples: row ids of samples of the dataset.
  /// - Throws: ``StoreError/expression(_:)`` for an invalid condition.
  package func objects(
    where condition: String, of samples: [Int64], in dataset: DatasetRecord
  ) throws -> [[CorrectionTarget]] {
    try asking("looking for objects") { database in
      let scope = try DatasetScope(of: dataset, truth: truth, in: database)
      let (test, shapes) = try ViewCompiler.compile(
        objects: "objects(\(condition))", in: scope, database)
      let own = """
        o.sample = ? AND o.annotationSet = \(scope.labels.annotationSet) \
        AND o.shape IN (\(shapes)) AND \(test.sql) ORDER BY o.ordinal
        """
      let reader = try ImportedTruthReader(database)
      return try samples.map { sample in
        let arguments = StatementArguments([sample.databaseValue] + test.arguments)
        if let state = truth.truth, try isChanged(sample, state, database) {
          return try String.fetchAll(
            database,
            sql: """
              SELECT o.target FROM \(truth.schema).correctedAnnotation o \
              WHERE o.state = \(state) AND \(own)
              """, arguments: arguments
          ).compactMap { CorrectionTarget(text: $0) }
        }
        let ordinals = Set(
          try Int.fetchAll(
            database, sql: "SELECT o.ordinal FROM main.annotation o WHERE \(own)",
            arguments: arguments))
        guard !ordinals.isEmpty else { return [] }
        let imported = try reader.sample(sample)
        return zip(imported.rows, imported.truth.objects)
          .filter { ordinals.contains($0.0.ordinal) }.map(\.1.target)
      }
    }
  }

  private func isChanged(_ sample: Int64, _ state: Int64, _ database: Database) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: """
        SELECT EXISTS (SELECT 1 FROM \(truth.schema).correctedSample
          WHERE state = ? AND sample = ? AND isChanged)
        """, arguments: [state, sample]) ?? false
  }
}
