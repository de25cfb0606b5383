import AssayCore
@testable import AssayFormats
import AssayInference
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

/// Vectors beside predictions, with the model and the values of `make_embeddings.py`.
@Suite("Embeddings of a run", .openVINO)
struct EmbeddingTests {
  private struct Golden: Decodable {
    struct Row: Decodable {
      var pooled: [Float]
      var features: [Float]
    }

    var rows: [Row]
  }

  private static func add(_ squares: PredictCatalog, embedding: String?, as name: String) throws {
    let manifest = try squares.write(
      "\(name).yaml",
      PredictCatalog.manifest() + "\noutput: y\n" + (embedding.map { "embedding: \($0)\n" } ?? ""))
    _ = try ModelAddition(
      modelPath: PredictCatalog.models.appending(path: "embedded.onnx").path,
      manifestPath: manifest, name: name
    ).run(catalogPath: squares.catalog.path)
  }

  private static func vectors(
    _ squares: PredictCatalog, _ run: String
  ) throws -> [(key: String, vector: [Float])] {
    var found: [(key: String, vector: [Float])] = []
    try squares.catalog.forEachEmbedding(of: squares.catalog.run(named: run).id) {
      found.append(($1, $2))
    }
    return found
  }

  @Test("The vectors are those of ONNX Runtime, and the predictions are the same as without them")
  func values() throws {
    let golden = try GoldenJSON.decode("models/embeddings.json", as: Golden.self)
    let squares = try PredictCatalog()
    try Self.add(squares, embedding: nil, as: "plain")
    _ = try squares.predict("plain") { $0.name = "p" }
    for (output, expected) in [
      ("pooled", golden.rows.map(\.pooled)), ("features", golden.rows.map(\.features)),
    ] {
      try Self.add(squares, embedding: output, as: output)
      let summary = try squares.predict(output) { $0.name = "r-\(output)" }
      #expect(summary.embedding == output && summary.run.done == 5)
      let found = try Self.vectors(squares, "r-\(output)")
      #expect(found.map(\.key) == ["0", "1", "2", "3", "4"])
      for (row, vector) in zip(expected, found.map(\.vector)) {
        #expect(row.count == vector.count)
        #expect(zip(row, vector).allSatisfy { abs($0 - $1) <= 1e-5 })
      }
      #expect(try squares.bits("r-\(output)") == squares.bits("p"))
    }
    #expect(try Self.vectors(squares, "p").isEmpty)
    #expect(try squares.catalog.embeddingSize(of: squares.catalog.run(named: "p").id) == nil)
  }

  @Test("The archive has the keys and the vectors to the bit, and goes with the run")
  func export() throws {
    let squares = try PredictCatalog(count: 7, broken: [3])
    try Self.add(squares, embedding: "pooled", as: "m")
    _ = try squares.predict("m") { $0.name = "r" }
    let path = squares.path("e.npz")
    let export = EmbeddingsExport(catalog: squares.catalog)
    let summary = try export.export("r", to: path)
    #expect(summary.rows == 6 && summary.dimension == 3 && summary.notPredicted == 1)
    #expect(throws: PredictionsError.fileExists(path)) { try export.export("r", to: path) }
    let tree = try DirectoryTree(path)
    let arrays = try NPYArray.arrays(tree, #require(tree.files().first))
    #expect(arrays.map(\.name) == ["embeddings", "keys"])
    // NumPy's texts are UTF-32: each key is one character here.
    let keys = NPYFile.bytes(of: ["0", "1", "2", "4", "5", "6"])
    #expect(
      try keys.map { bytes in
        try Array(Data(contentsOf: URL(fileURLWithPath: path))).contains(bytes)
      } == true)
    var rows: [[Double]] = []
    try arrays[0].array.forEachRow { _, values in rows.append(Array(values)) }
    #expect(rows == (try Self.vectors(squares, "r")).map { $0.vector.map(Double.init) })
    _ = try squares.catalog.remove(.run, named: "r")
    #expect(try squares.catalog.sql("SELECT count(*) FROM embedding").rows == [[.integer(0)]])
    try squares.add()
    _ = try squares.predict { $0.name = "t" }
    #expect(throws: PredictionsError.noEmbeddings(run: "t")) {
      try export.export("t", to: squares.path("t.npz"))
    }
  }

  @Test("An output that is not there, and one vector per token, are refused with the shapes")
  func refused() throws {
    let squares = try PredictCatalog()
    let missing = #expect(throws: InferenceError.self) {
      try Self.add(squares, embedding: "nothing", as: "a")
    }
    #expect(missing?.description.contains("no output “nothing” for “embedding”") == true)
    let tokens = #expect(throws: InferenceError.self) {
      try Self.add(squares, embedding: "tokens", as: "b")
    }
    #expect(tokens?.description.contains("tokens is [1, 4, 3]") == true)
    #expect(try squares.catalog.models().isEmpty)
  }

  @Test("A run without one of its vectors is continued, and outliers are found by the vector")
  func again() throws {
    let squares = try PredictCatalog(count: 14)
    try Self.add(squares, embedding: "pooled", as: "m")
    let first = try squares.predict("m") { $0.name = "r" }
    #expect(try squares.predict("m") { $0.name = "r" }.start == .alreadyDone)
    #expect(first.run.settings.contains("\"embedding\":\"pooled\""))
    let request = CheckRequest("squares", kinds: [.outlier], features: "m")
    let outcome = try CheckWorkflow(catalog: squares.catalog).find(request)
    #expect(outcome.notes.contains { $0.contains("3 features from the output “pooled”") })
  }
}
