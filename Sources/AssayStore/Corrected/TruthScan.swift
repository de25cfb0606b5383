import GRDB

/// Steps through the annotations of ranges of samples, in sample order; annotations of corrected
/// samples come from the mirror.
///
/// Each table is scanned once: a UNION of both would have to be sorted, or read in full for each
/// sample.
final class TruthScan {
  private let imported: RawStatement
  private let corrected: Corrected?

  private struct Corrected {
    /// The changed samples of a range.
    let changed: RawStatement
    let rows: RawStatement
  }

  /// The changed samples of the range, ascending, and the index of the next one.
  private var changed: [Int64] = []
  private var nextChanged = 0
  /// The sample of each statement's current row; `nil` after its end.
  private var importedSample: Int64?
  private var correctedSample: Int64?
  /// The statement whose row was returned last.
  private var last: RawStatement?

  /// - Parameters:
  ///   - columns: the requested columns of an annotation `a`; the first column of a row, before
  ///     them, is its sample.
  ///   - geometry: whether to read the packed geometry: after `columns`, its row id and its bytes.
  ///   - joins: additional tables.
  ///   - ofAnnotators: true for the sets of annotators, which are never corrected; false for the
  ///     labels of the datasets.
  ///   - condition: the annotations to read; its parameters start at 3.
  init(
    _ database: Database, _ truth: TruthSource, columns: String, geometry: Bool = false,
    joins: String = "", ofAnnotators: Bool = false, where condition: String
  ) throws {
    var ofSet = ""
    let sets = try Int64.fetchAll(
      database,
      sql: """
        SELECT id FROM main.annotationSet
        WHERE \(ofAnnotators ? "substr(name, 1, length(?1)) = ?1" : "name <> ?1")
        """, arguments: [ofAnnotators ? AnnotationSet.prefix : AnnotationSet.name])
    if ofAnnotators || !sets.isEmpty {
      let list = sets.map(String.init).joined(separator: ", ")
      ofSet = "a.annotationSet \(ofAnnotators ? "" : "NOT ")IN (\(list)) AND"
    }
    func query(_ table: String, _ bytes: String, _ source: String, _ filter: String) -> String {
      """
      SELECT a.sample, \(columns)\(geometry ? ", \(bytes)" : "") FROM \(table) a
      \(joins)
      \(geometry ? source : "")
      WHERE \(filter) a.sample BETWEEN ?1 AND ?2 AND \(condition)
      ORDER BY a.sample, a.annotationSet, a.ordinal
      """
    }
    let own = "LEFT JOIN main.geometry g ON g.id = a.geometry"
    imported = try RawStatement(
      database, query("main.annotation", "a.geometry, g.bytes", own, ofSet))
    corrected = try (ofAnnotators ? nil : truth.truth).map { state in
      Corrected(
        changed: try RawStatement(
          database,
          """
          SELECT sample FROM \(truth.schema).correctedSample
          WHERE state = \(state) AND sample BETWEEN ?1 AND ?2 AND isChanged ORDER BY sample
          """),
        rows: try RawStatement(
          database,
          query(
            "\(truth.schema).correctedAnnotation",
            "ifnull(a.correctedGeometry, a.geometry), ifnull(h.bytes, g.bytes)",
            own + """

              LEFT JOIN \(truth.schema).correctedGeometry h ON h.id = a.correctedGeometry
              """,
            "a.state = \(state) AND")))
    }
  }

  /// Binds a parameter of the condition.
  func bind(_ value: Int64, at index: Int32) {
    imported.bind(value, at: index)
    corrected?.rows.bind(value, at: index)
  }

  /// Starts a range of samples.
  func begin(_ low: Int64, _ high: Int64) throws {
    for statement in [imported, corrected?.changed, corrected?.rows].compactMap(\.self) {
      statement.reset()
      statement.bind(low, at: 1)
      statement.bind(high, at: 2)
    }
    last = nil
    (changed, nextChanged) = ([], 0)
    if let corrected {
      while try corrected.changed.step() { changed.append(corrected.changed.integer(0)) }
      corrected.changed.reset()
    }
    correctedSample = changed.isEmpty ? nil : try step(corrected?.rows)
    importedSample = try stepImported()
  }

  /// The statement positioned at the next row; `nil` at the end of the range.
  func next() throws -> RawStatement? {
    if last === imported {
      importedSample = try stepImported()
    } else if let last {
      correctedSample = try step(last)
    }
    last =
      switch (importedSample, correctedSample) {
      case (nil, nil): nil
      case (let a?, let b?): a < b ? imported : corrected?.rows
      case (_?, nil): imported
      case (nil, _?): corrected?.rows
      }
    return last
  }

  private func step(_ statement: RawStatement?) throws -> Int64? {
    guard let statement, try statement.step() else { return nil }
    return statement.integer(0)
  }

  /// Steps to the next annotation of a sample that is unchanged since the import.
  private func stepImported() throws -> Int64? {
    while let sample = try step(imported) {
      while nextChanged < changed.count, changed[nextChanged] < sample { nextChanged += 1 }
      if nextChanged == changed.count || changed[nextChanged] != sample { return sample }
    }
    return nil
  }
}
