import AssayCore
import Foundation
import Testing

@testable import AssayStore

@Suite("Similarity by embeddings")
struct SimilarityTests {
  /// Six faces with keys 0 to 5 and a run with vectors of four of them.
  private func catalog() throws -> (TemporaryCatalog, Int64) {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let run = try run("emb", house)
    let samples = try house.catalog.samples(in: house.catalog.resolve("faces"))
    try house.catalog.record(
      [
        SampleEmbedding(sample: samples[0].id, vector: [3, 4]),
        SampleEmbedding(sample: samples[1].id, vector: [-6, -8]),
        SampleEmbedding(sample: samples[2].id, vector: [0, 0]),
        SampleEmbedding(sample: samples[4].id, vector: [4, 3]),
      ], in: run)
    return (house, run)
  }

  private func run(_ name: String, _ house: TemporaryCatalog) throws -> Int64 {
    let samples = try house.catalog.samples(in: house.catalog.resolve("faces"))
    return try house.catalog.createRun(
      RunDraft(
        name: name, dataset: house.catalog.dataset(named: "faces").id, view: "faces",
        classes: ["sad"], samples: samples.map(\.id))
    ).id
  }

  @Test("It is the cosine: 1 for itself, -1 for the opposite, none without a vector or a length")
  func cosine() throws {
    let (house, _) = try catalog()
    let selection = try house.catalog.resolve("faces")
    let samples = try house.catalog.samples(in: selection)
    let numbers = try house.catalog.numbers(
      ["similarity(emb, 0)"], of: samples.map(\.id), in: selection)
    // (3, 4) and (4, 3): 24 / 25.
    #expect(numbers.map { $0[0] } == [1, -1, nil, nil, 0.96, nil])
    let (ids, sorted, _) = try house.catalog.ids(
      in: selection, where: nil,
      orderedBy: SampleOrder(field: "similarity(emb, \"0\")", isDescending: true))
    #expect(Array(ids.prefix(3)) == [samples[0].id, samples[4].id, samples[1].id])
    #expect(sorted.prefix(3) == [1, 0.96, -1] && ids.count == 6)
    #expect(try house.catalog.keys("faces", "similarity(emb, 0) > 0.9") == ["0", "4"])
    #expect(try house.catalog.keys("faces", "similarity(emb, 0) <= 0 or label = sad").contains("1"))
    let details = try house.catalog.details(of: samples[0].id)
    #expect(details.embeddings == ["emb"])
    #expect(try house.catalog.details(of: samples[3].id).embeddings == [])
    #expect(try house.catalog.details(of: samples[2].id).embeddings == [], "no angle to others")
    let counts = try house.catalog.count(
      in: selection, where: "key != 5", lacking: "similarity(emb, 0)")
    #expect(counts == (5, 2))
    #expect(QueryWords.similarity(by: "emb", to: "a b/c.png") == "similarity(emb, \"a b/c.png\")")
  }

  @Test(
    "What has no embedding is an error at its place",
    arguments: [
      ("similarity(emb, 9) > 0", 16, "has no sample with the key “9”"),
      ("similarity(emb, 3) > 0", 16, "has no embedding of “3”"),
      ("similarity(emb, 2) > 0", 16, "the embedding of “2” by run “emb” has the length 0"),
      ("similarity(other, 0) > 0", 11, "keeps no embeddings"),
      ("similarity(emp, 0) > 0", 11, "unknown run “emp”"),
      ("similarity(emb) > 0", 14, "the key of a sample"),
      ("similarity(emb, 0) = x", 21, "number"),
    ])
  func errors(expression: String, offset: Int, says: String) throws {
    let (house, _) = try catalog()
    _ = try run("other", house)
    let error = #expect(throws: StoreError.self) {
      try house.catalog.keys("faces", expression)
    }
    guard case .expression(let found)? = error else {
      Testing.Issue.record("\(String(describing: error))")
      return
    }
    #expect(found.offset == offset && found.message.contains(says), "\(found)")
  }

  @Test("Vectors of other lengths, and values that are none, have no cosine")
  func odd() {
    func bytes(_ values: [Float]) -> Data {
      values.map(\.bitPattern.littleEndian).withUnsafeBytes { Data($0) }
    }
    #expect(CosineFunction.cosine(bytes([1, 2]), bytes([1, 2, 3])) == nil)
    #expect(CosineFunction.cosine(bytes([]), bytes([])) == nil)
    #expect(CosineFunction.cosine(Data([1, 2, 3]), Data([1, 2, 3])) == nil)
    #expect(CosineFunction.cosine(bytes([.greatestFiniteMagnitude]), bytes([1])) == 1)
  }
}
