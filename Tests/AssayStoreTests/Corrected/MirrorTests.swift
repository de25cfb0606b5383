import AssayCore
import Foundation
import GRDB
import Testing

import AssayStore

/// Common checks for tests of the mirror.
protocol CorrectionMirrorTests {}

extension CorrectionMirrorTests {
  func labels(_ catalog: Catalog, _ view: String = "faces") throws -> [String: String] {
    let selection = try catalog.resolve(view)
    let names = try catalog.taxonomy(of: selection.dataset.id).names
    let samples = try catalog.samples(in: selection)
    return Dictionary(
      uniqueKeysWithValues: samples.map { ($0.key, $0.category.map { names[$0] } ?? "-") })
  }

  /// Checks that every row of the mirror refers to an existing row, and nothing is left over.
  func whole(_ house: CorrectedHouse) throws {
    let database = try DatabaseQueue(path: house.catalog.path)
    try database.inDatabase { database in
      #expect(try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").isEmpty)
      #expect(try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok")
      let lost = try Int.fetchOne(
        database,
        sql: """
          SELECT count(*) FROM correctedGeometry WHERE id NOT IN
            (SELECT correctedGeometry FROM correctedAnnotation WHERE correctedGeometry IS NOT NULL)
          """)
      #expect(lost == 0)
    }
  }
}
