import AssayCore
import GRDB
import Testing

@testable import AssayStore

/// Rows that another program changed: they cause an error, never a trap when used as indices.
@Suite("Damaged rows")
struct DamagedRowsTests {
  private func house() throws -> (TemporaryCatalog, Int64) {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let run = try house.catalog.createRun(
      RunDraft(name: "r", dataset: 1, view: "faces", classes: ["a"], samples: [1]))
    let evaluation = try house.catalog.saveEvaluation(
      EvaluationDraft(
        run: run.id, name: "e", classes: ["angry", "happy"],
        tallies: [
          TallyRecord(sample: 1, truth: 1, predicted: 0, rank: 2, confidence: 0.5, margin: 0)
        ], scores: []), replace: false)
    return (house, evaluation.id)
  }

  private func tamper(_ house: TemporaryCatalog, _ sql: String) throws {
    try house.catalog.connection.inDatabase { try $0.execute(sql: sql) }
  }

  @Test(
    "Classes that are not numbered from 0 are refused",
    arguments: [
      "UPDATE category SET ordinal = ordinal + 100",
      "UPDATE category SET ordinal = -ordinal - 1",
      "UPDATE category SET ordinal = 9223372036854775807 - ordinal",
      "UPDATE category SET ordinal = NULL WHERE ordinal = 0",
    ])
  func ordinals(sql: String) throws {
    let (house, _) = try house()
    try tamper(house, sql)
    for use: () throws -> Void in [
      { _ = try house.catalog.taxonomy(of: 1) },
      { _ = try house.catalog.splitCounts(of: 1) },
      { _ = try house.catalog.keys() },
    ] {
      let error = #expect(throws: StoreError.self) { try use() }
      #expect("\(String(describing: error))".contains("category"))
    }
  }

  @Test("A label of another dataset's class is refused")
  func foreignLabel() throws {
    let (house, _) = try house()
    try house.catalog.importFaces(
      ["a", "b", "c", "d", "e"].map { FaceSample(key: $0, label: $0) }, as: "others")
    // Class e has the ordinal 4, but faces has fewer classes.
    try tamper(
      house,
      "UPDATE annotation SET category = (SELECT id FROM category WHERE name = 'e') WHERE sample = 1"
    )
    #expect(throws: StoreError.self) { try house.catalog.keys() }
  }

  @Test(
    "Tallies that do not fit the evaluation's classes are refused",
    arguments: [
      "truth = 2", "truth = -1", "predicted = 9223372036854775807", "rank = 3", "rank = -1",
      "confidence = 9e999",
    ])
  func tallies(change: String) throws {
    let (house, evaluation) = try house()
    #expect(try house.catalog.tallies(of: evaluation).count == 1)
    try tamper(house, "UPDATE tally SET \(change)")
    let error = #expect(throws: StoreError.self) { try house.catalog.tallies(of: evaluation) }
    #expect("\(String(describing: error))".contains("tally"))
  }
}
