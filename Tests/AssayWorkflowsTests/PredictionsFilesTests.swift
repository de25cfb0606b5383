import AssayCore
import AssayFormats
import AssayStore
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Predictions as files")
struct PredictionsFilesTests {
  private func importer(_ squares: PredictCatalog) -> PredictionsImport {
    PredictionsImport(catalog: squares.catalog, programVersion: "0")
  }

  /// A run on three of the five squares, with scores that decimals do not represent exactly.
  private func run(_ squares: PredictCatalog) throws -> RunRecord {
    let samples = try squares.catalog.samples(in: squares.catalog.resolve("squares"))
    let ids = [samples[4].id, samples[0].id, samples[2].id]
    let run = try squares.catalog.createRun(
      RunDraft(
        name: "r", dataset: try squares.catalog.dataset(named: "squares").id, view: "squares",
        classes: ["dark", "bright"], samples: ids))
    let scores: [[Float]] = [[0.1, 0.9], [1 / 3, 2 / 3], [.leastNonzeroMagnitude, 1]]
    try squares.catalog.record(
      zip(ids, scores).map { SampleScores(sample: $0, scores: $1) }, in: run.id)
    return run
  }

  @Test("Export and import give the same run to the bit")
  func roundTrip() throws {
    let squares = try PredictCatalog()
    _ = try run(squares)
    let path = squares.path("r.csv")
    let export = try PredictionsExport(catalog: squares.catalog).export("r", to: path)
    #expect(export.rows == 3 && export.classes == ["dark", "bright"])
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasPrefix("sample,dark,bright\n4,0.1,0.9\n0,0.33333334,0.6666667\n"))
    let summary = try importer(squares).run(path, name: "s", view: "squares")
    #expect(summary.isNew && summary.absent == 2 && summary.run.model == nil)
    let scores = { (name: String) in
      let run = try squares.catalog.run(named: name)
      return try Dictionary(
        uniqueKeysWithValues: squares.catalog.predictions(of: run.id).map {
          ($0.sample.key, $0.scores.map(\.bitPattern))
        })
    }
    #expect(try scores("r") == scores("s"))
    #expect(try importer(squares).run(path, name: "s", view: "squares").isNew == false)
    #expect(throws: PredictionsError.otherRun("r")) {
      try importer(squares).run(path, name: "r", view: "squares")
    }
  }

  @Test("For the oracle: truth, the dataset's order, float64 decimals of the float32 scores")
  func oracle() throws {
    let squares = try PredictCatalog(labels: ["bright", nil, "dark", "gray"])
    _ = try run(squares)
    let path = squares.path("o.csv")
    let export = try PredictionsExport(catalog: squares.catalog).export(
      "r", for: .oracle, to: path)
    // Squares 4 and 0 are bright, 2 is dark; nothing is gray here.
    #expect(export.rows == 3 && export.withoutTruth == 0)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines[0] == "truth,bright,dark,gray")
    #expect(lines[1] == "bright,0.8999999761581421,0.10000000149011612,0.0")
    #expect(lines[3].hasPrefix("dark,1.0,1.401298464324817e-45,0.0"))
  }

  @Test("Nothing is overwritten without being told to")
  func overwrite() throws {
    let squares = try PredictCatalog()
    _ = try run(squares)
    let path = try squares.write("r.csv", "mine")
    let export = PredictionsExport(catalog: squares.catalog)
    #expect(throws: PredictionsError.fileExists(path)) { try export.export("r", to: path) }
    #expect(try export.export("r", to: path, overwrite: true).rows == 3)
  }

  @Test("Without keys the rows must be the samples, in number and truth")
  func byOrder() throws {
    let squares = try PredictCatalog(count: 2)
    let good = try squares.write("good.csv", "truth,bright,dark\nbright,1,0\ndark,0.5,0.5\n")
    #expect(try importer(squares).run(good, name: "a", view: "squares").isByOrder)
    let short = try squares.write("short.csv", "bright,dark\n1,0\n")
    #expect(
      throws: PredictionsError.rowCount(found: 1, view: "squares", samples: 2)
    ) { try importer(squares).run(short, name: "b", view: "squares") }
    let swapped = try squares.write("swapped.csv", "truth,bright,dark\ndark,1,0\nbright,0,1\n")
    #expect(
      throws: PredictionsError.truthDiffers(row: 1, found: "dark", expected: "bright")
    ) { try importer(squares).run(swapped, name: "c", view: "squares") }
    #expect(try squares.catalog.runs().map(\.name) == ["a"])
  }

  @Test(
    "Rows that are no probabilities are refused with what they look like and --normalize",
    arguments: [
      ("0.9,0.9", "independent (sigmoid) scores"), ("90,10", "percentages"), ("3,2.5", "logits"),
      ("0.4921875,0.5", "quantized"),
    ])
  func notNormalized(row: String, says: String) throws {
    let squares = try PredictCatalog(count: 2)
    let file = try squares.write("p.csv", "sample,bright,dark\n0,0.5,0.5\n1,\(row)\n")
    let error = #expect(throws: PredictionsError.self) {
      try importer(squares).run(file, name: "a", view: "squares")
    }
    let text = "\(try #require(error))"
    #expect(text.hasPrefix("row 2: "))
    #expect(text.contains(says), "\(text)")
    #expect(text.contains("--normalize"))
    #expect(try squares.catalog.runs().isEmpty)
  }

  @Test("With --normalize each row is divided by its sum, and the run's settings say so")
  func normalized() throws {
    let squares = try PredictCatalog(count: 2)
    let file = try squares.write("p.csv", "sample,bright,dark\n0,75,25\n1,0.9,0.9\n")
    let summary = try importer(squares).run(file, name: "a", view: "squares", normalize: true)
    #expect(summary.isNormalized)
    let rows = try squares.catalog.predictions(of: summary.run.id).map(\.scores)
    #expect(rows == [[0.75, 0.25], [0.5, 0.5]])
    #expect(try JSONValue(parsing: summary.run.settings)["normalized"] == .bool(true))
    let notes = try Evaluator<ImageClassification>(catalog: squares.catalog).evaluate(
      "a", EvaluationSettings()
    )
    .evaluation.notes
    #expect(notes.contains("a: each row of scores was divided by its sum at import (--normalize)"))
    // Rows that are probabilities are a different run from the same file normalized.
    let plain = try squares.write("q.csv", "sample,bright,dark\n0,0.75,0.25\n1,0.5,0.5\n")
    #expect(try !importer(squares).run(plain, name: "b", view: "squares").isNormalized)
    #expect(throws: PredictionsError.otherRun("b")) {
      try importer(squares).run(plain, name: "b", view: "squares", normalize: true)
    }
  }

  @Test("Normalized rows keep the ties of the file; scores that become equal are counted")
  func normalizedTies() throws {
    let squares = try PredictCatalog(count: 4)
    // 1.00000001 / 3.00000001 differs from 1 / 3 in 64 bits, and is the same in 32.
    let file = try squares.write(
      "p.csv",
      "sample,bright,dark\n0,0.1,0.2\n1,0.2,0.4\n2,1,2\n3,1.00000001,2\n")
    let summary = try importer(squares).run(file, name: "a", view: "squares", normalize: true)
    let rows = try squares.catalog.predictions(of: summary.run.id).map(\.scores)
    #expect(rows.map { $0[0] } == Array(repeating: Float(1.0 / 3), count: 4))
    let exact = [0.1 / (0.1 + 0.2), 0.2 / (0.2 + 0.4), 1.0 / 3, 1.00000001 / 3.00000001]
    let dark = [0.2 / (0.1 + 0.2), 0.4 / (0.2 + 0.4), 2.0 / 3, 2 / 3.00000001]
    let merged = Set(exact).count - 1 + Set(dark).count - Set(dark.map { Float($0) }).count
    #expect(merged > 0 && summary.mergedScores == merged)
  }

  @Test(
    "A header that does not fit its columns is what the refusal is about",
    arguments: [
      ("image,bright,dark\n0,1,0\n1,0.5,0.5\n", "column 1, “image”, is not a class of the dataset"),
      ("image,bright,dark\n0,1,0\n1,0.5,0.5\n", "--key-column image"),
      ("bright,dark,sample\n0,1,0\n1,0.5,0.5\n", "column 3, “sample”,"),
      ("sample,bright,dark,who\n0,1,0,2\n1,0.5,0.5,2\n", "column 4, “who”, contains 2"),
      ("sample,bright,dark,f,k\n0,1,0,2,7\n1,0.5,0.5,2,7\n", "“k” contain other numbers"),
      ("sample,f,bright,extra\n0,1,0,3\n1,0.5,0.5,3\n", "column 4, “extra”, contains 3"),
    ])
  func header(text: String, says: String) throws {
    let squares = try PredictCatalog(count: 2)
    let file = try squares.write("p.csv", text)
    let error = #expect(throws: (any Error).self) {
      try importer(squares).run(file, name: "a", view: "squares")
    }
    let message = "\(try #require(error))"
    #expect(message.contains(says), "\(message)")
    #expect(!message.contains("softmax"))
  }

  @Test("Unknown samples, logits and missing classes are told, and leave nothing")
  func refused() throws {
    let squares = try PredictCatalog(count: 2)
    let unknown = try squares.write("u.csv", "sample,bright,dark\n0,1,0\n9,1,0\n")
    #expect(
      throws: PredictionsError.unknownSamples(["9"], count: 1, view: "squares")
    ) { try importer(squares).run(unknown, name: "a", view: "squares") }
    let logits = try squares.write("l.csv", "sample,bright,dark\n0,1,0\n1,2.5,-1\n")
    #expect(
      throws: PredictionsError.notProbability(row: 2, className: "dark", value: -1)
    ) { try importer(squares).run(logits, name: "a", view: "squares") }
    let zeros = try squares.write("z.csv", "sample,bright,dark\n0,1,0\n1,0,0\n")
    #expect(throws: PredictionsError.onlyZeros(row: 2)) {
      try importer(squares).run(zeros, name: "a", view: "squares")
    }
    let one = try squares.write("o.csv", "sample,bright\n0,1\n1,1\n")
    #expect(throws: PredictError.self) {
      try importer(squares).run(one, name: "a", view: "squares")
    }
    #expect(try squares.catalog.runs().isEmpty)
    let ignoring = try importer(squares).run(
      one, name: "a", view: "squares", ignoreMissing: true)
    #expect(ignoring.missing == [MissingCategory(name: "dark", samples: 1)])
  }
}
