import AssayCore
import Testing

import AssayStore

@Suite("Removing")
struct RemovalTests {
  private func house() throws -> TemporaryCatalog {
    let house = try TemporaryCatalog()
    let catalog = house.catalog
    for name in ["faces", "more"] {
      let dataset = try catalog.importFaces(
        sixFaces, as: name,
        issues: [
          AssayCore.Issue(
            .pixelValue, .warning, at: IssueLocation(file: "f", line: 1), sampleKey: "0", "x")
        ]
      ).dataset.id
      _ = try catalog.addView(
        named: "\(name)-glad", in: catalog.resolve(name), where: "label = happy")
      let ids = try catalog.samples(in: catalog.resolve(name)).map(\.id)
      _ = try catalog.addPartition(
        of: dataset, named: "p", seed: 1, rule: "{}", members: [("fit", ids)])
      let model = try catalog.addModel(
        ModelDraft(name: "m", hash: "h", task: .classification, path: "/m", manifest: ""))
      let run = try catalog.createRun(
        RunDraft(
          name: "\(name)-run", model: model.id, dataset: dataset, view: name, classes: ["a"],
          samples: ids))
      try catalog.record(ids.map { SampleScores(sample: $0, scores: [1]) }, in: run.id)
      _ = try catalog.saveEvaluation(
        EvaluationDraft(
          run: run.id, name: "e", classes: ["a"],
          tallies: ids.map {
            TallyRecord(sample: $0, truth: 0, predicted: 0, rank: 1, confidence: 1, margin: 1)
          }, scores: [ScoreRecord(metric: .accuracy, value: 1, n: 6)]), replace: false)
    }
    return house
  }

  /// The number of rows of each table.
  private func counts(_ catalog: Catalog) throws -> [String: SQLValue] {
    let tables = try catalog.sql(
      """
      SELECT name FROM sqlite_schema
      WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%'
      """)
    var counts: [String: SQLValue] = [:]
    for row in tables.rows {
      guard case .text(let name) = row[0] else { continue }
      counts[name] = try catalog.sql("SELECT count(*) FROM \(name)").rows[0][0]
    }
    return counts
  }

  @Test("A dataset goes with all that hangs on it, and nothing else does")
  func dataset() throws {
    let house = try house()
    let before = try counts(house.catalog)
    let removal = try house.catalog.remove(.dataset, named: "faces")
    #expect(removal.views == ["faces-glad"])
    #expect(removal.partitions == ["p"])
    #expect(removal.runs == ["faces-run"])
    #expect((removal.samples, removal.evaluations) == (6, 1))
    let after = try counts(house.catalog)
    for (table, count) in before where table != "model" {
      guard case .integer(let number) = count else { continue }
      #expect(after[table] == .integer(number / 2), "\(table)")
    }
    #expect(after["model"] == .integer(1))
    #expect(try house.catalog.sql("PRAGMA foreign_key_check").rows.isEmpty)
    #expect(try house.catalog.sql("SELECT count(*) FROM dataset").rows == [[.integer(1)]])
    #expect(try house.catalog.keys("more-glad") == ["0", "2"])
    try house.catalog.importFaces(sixFaces)
  }

  @Test("A run goes with its evaluations; a model only when it has no runs")
  func runsAndModels() throws {
    let house = try house()
    #expect(throws: StoreError.modelInUse("m", runs: ["faces-run", "more-run"])) {
      try house.catalog.remove(.model, named: "m")
    }
    #expect(try house.catalog.remove(.run, named: "faces-run").evaluations == 1)
    _ = try house.catalog.remove(.run, named: "more-run")
    _ = try house.catalog.remove(.model, named: "m")
    let left = try counts(house.catalog)
    for table in ["run", "runClass", "runSample", "prediction", "evaluation", "tally", "score"] {
      #expect(left[table] == .integer(0), "\(table)")
    }
    #expect(try house.catalog.models().isEmpty)
  }

  @Test("Views and partitions go alone")
  func viewsAndPartitions() throws {
    let house = try house()
    _ = try house.catalog.remove(.view, named: "faces-glad")
    #expect(try house.catalog.views().map(\.name) == ["more-glad"])
    // Both datasets have a split p.
    #expect(
      throws: StoreError.unknownName(
        .partition, "p", suggestion: nil, known: ["faces/p", "more/p"])
    ) { try house.catalog.remove(.partition, named: "p") }
    _ = try house.catalog.remove(.partition, named: "faces/p")
    _ = try house.catalog.remove(.partition, named: "p")
    #expect(try counts(house.catalog)["partitionMember"] == .integer(0))
  }

  @Test("What is not there cannot be removed", arguments: NameKind.allCases)
  func unknown(kind: NameKind) throws {
    let house = try house()
    #expect(throws: StoreError.self) { try house.catalog.remove(kind, named: "nothing") }
    #expect(try house.catalog.sql("PRAGMA foreign_key_check").rows.isEmpty)
  }
}
