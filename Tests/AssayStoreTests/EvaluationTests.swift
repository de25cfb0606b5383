import AssayCore
import GRDB
import Testing

@testable import AssayStore

@Suite("Evaluations in the catalog")
struct EvaluationTests {
  private let tallies = [
    TallyRecord(sample: 1, truth: 1, predicted: 0, rank: 2, confidence: 0.1 + 0.2, margin: 1e-300),
    TallyRecord(sample: 2, truth: 2, predicted: 2, rank: 1, confidence: 1, margin: 1),
  ]
  private let scores = [
    ScoreRecord(metric: .accuracy, value: 1.0 / 3, low: 0.1, high: 0.7, n: 2),
    ScoreRecord(metric: .recall, category: "happy", value: nil, n: 2),
    ScoreRecord(metric: .recall, category: "sad", value: 1, n: 2),
    ScoreRecord(metric: .accuracy, slice: "split=train", value: 0.5, n: 2),
    ScoreRecord(metric: .macroF1Defined, value: 0.5, n: 2, defined: 2, total: 3),
  ]

  private func house() throws -> (TemporaryCatalog, RunRecord) {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let run = try house.catalog.createRun(
      RunDraft(name: "r", dataset: 1, view: "faces", classes: ["a"], samples: [1, 2]))
    return (house, run)
  }

  private func draft(_ run: RunRecord, _ name: String = "e") -> EvaluationDraft {
    EvaluationDraft(
      run: run.id, name: name, settings: #"{"accept":0.3}"#, classes: ["angry", "happy", "sad"],
      tallies: tallies, scores: scores)
  }

  @Test("An evaluation comes back as it was kept, to the bit")
  func roundTrip() throws {
    let (house, run) = try house()
    let saved = try house.catalog.saveEvaluation(draft(run), replace: false)
    #expect(try house.catalog.evaluation(named: "e", of: run) == saved)
    #expect(saved.classes == ["angry", "happy", "sad"])
    #expect(saved.settings == #"{"accept":0.3}"#)
    #expect(try house.catalog.tallies(of: saved.id) == tallies)
    #expect(try house.catalog.scores(of: saved.id) == scores)
  }

  @Test("A score under an earlier spelling of its key is read as the metric")
  func formerKey() throws {
    let (house, run) = try house()
    var draft = draft(run)
    draft.scores = [ScoreRecord(metric: .localizationErrorCost, value: 0.25, n: 2)]
    let saved = try house.catalog.saveEvaluation(draft, replace: false)
    func change(_ key: String) throws {
      try house.catalog.connection.inDatabase {
        try $0.execute(sql: "UPDATE score SET metric = ?", arguments: [key])
      }
    }
    try change("place_error_cost")
    #expect(try house.catalog.scores(of: saved.id) == draft.scores)
    try change("unknown_cost")
    #expect(throws: StoreError.self) { try house.catalog.scores(of: saved.id) }
  }

  @Test("A second one of the same name is refused, or takes the place of the first")
  func replace() throws {
    let (house, run) = try house()
    _ = try house.catalog.saveEvaluation(draft(run), replace: false)
    #expect(throws: StoreError.evaluationExists("e", run: "r")) {
      try house.catalog.saveEvaluation(draft(run), replace: false)
    }
    var shorter = draft(run)
    shorter.tallies = [tallies[1]]
    let saved = try house.catalog.saveEvaluation(shorter, replace: true)
    #expect(try house.catalog.tallies(of: saved.id) == [tallies[1]])
    #expect(try house.catalog.evaluations(of: run) == [saved])
    #expect(try house.catalog.sql("SELECT count(*) FROM score").rows == [[.integer(5)]])
  }

  @Test("An unknown evaluation names those there are")
  func unknown() throws {
    let (house, run) = try house()
    _ = try house.catalog.saveEvaluation(draft(run), replace: false)
    _ = try house.catalog.saveEvaluation(draft(run, "f"), replace: false)
    #expect(throws: StoreError.unknownEvaluation("g", run: "r", known: ["e", "f"])) {
      try house.catalog.evaluation(named: "g", of: run)
    }
  }

  @Test("One metric is kept once for each category and slice")
  func unique() throws {
    let (house, run) = try house()
    var twice = draft(run)
    twice.scores.append(scores[0])
    #expect(throws: StoreError.self) { try house.catalog.saveEvaluation(twice, replace: false) }
    #expect(try house.catalog.evaluations(of: run).isEmpty)
  }
}
