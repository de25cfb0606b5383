import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayStore

@Suite("Measures of masks in evaluate, gate, compare, query and report")
struct MaskMeasureTests {
  private static let files = PackageFolder.fixture("metrics/segmentation").path

  @Test("Each sample and the mean equal MedPy's hd95; an empty pair has none")
  func files() throws {
    let bytes = try Data(contentsOf: URL(filePath: Self.files + "/expected.json"))
    let expected = try #require(
      try JSONValue(parsing: String(decoding: bytes, as: UTF8.self))["binary"])
    let program = try Program()
    let outcome = try program.run(
      "evaluate", "--gt", Self.files + "/binary/gt", "--dt", Self.files + "/binary/pred", "--json",
      "--samples", "s.csv")
    let json = try outcome.json()
    let mean = try #require(json["mean_hausdorff95"]?.double)
    #expect(abs(mean - (expected["mean_hausdorff95"]?.double ?? .nan)) <= 1e-12)
    #expect(json["defined_by_key"]?["mean_hausdorff95"]?["defined"] == 4)
    let rows = try program.folder.read("s.csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let column = try #require(rows.first?.firstIndex(of: "hausdorff95"))
    let values = try #require(expected["hausdorff95"]?.elements).map(\.double)
    #expect(rows.count == values.count + 1)
    for (row, value) in zip(rows.dropFirst(), values) {
      guard let value else {
        #expect(row[column] == "")
        continue
      }
      #expect(abs((Double(row[column]) ?? .nan) - value) <= 1e-12, "\(row[0])")
    }
  }

  /// A folder with the golden catalog, s1 and s2 evaluated.
  private func evaluated() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try GoldenCatalog.prepared(.imported).copy(to: folder.path)
    for run in ["s1", "s2"] { try #require(try Self.run("evaluate \(run)", folder).status == 0) }
    return folder
  }

  private static func run(_ command: String, _ folder: TemporaryFolder) throws -> Program.Outcome {
    try Program.run(TourTests.words(of: command), in: folder.path)
  }

  @Test("A stored evaluation gives the value again; gate and compare go by lower is better")
  func stored() throws {
    let folder = try evaluated()
    let json = try Self.run("evaluate s1 --json", folder).json()
    let value = try #require(json["mean_hausdorff95"]?.double)
    let again = try Self.run("evaluate s1@default --json", folder).json()
    #expect(again["mean_hausdorff95"]?.double == value)
    #expect(again["intervals"]?["mean_hausdorff95"]?.elements?.count == 2)
    #expect(try Self.run("gate s1 'mean_hausdorff95 <= 1000'", folder).status == 0)
    let upward = try Self.run("gate s1 'mean_hausdorff95 >= 0.1'", folder)
    #expect(upward.stdout.contains("mean_hausdorff95"), "\(upward.stdout)")
    let reduced = try Self.run("evaluate s1@default --no-boundary --json", folder).json()
    #expect(reduced["mean_hausdorff95"] == .null && reduced["mean_boundary_iou"] == .null)
  }

  @Test("An evaluation stored before has no value, and each command says why")
  func earlier() throws {
    let folder = try evaluated()
    do {
      let catalog = try Catalog.open(folder.path + "/assay.db", .readWrite)
      try catalog.connection.inDatabase { database in
        try database.execute(
          sql: """
            UPDATE pixelTally SET hausdorff95 = NULL WHERE evaluation =
              (SELECT e.id FROM evaluation e JOIN run r ON r.id = e.run
               WHERE r.name = 's1' AND e.name = 'default')
            """)
      }
    }
    let json = try Self.run("evaluate s1@default --json", folder).json()
    #expect(json["mean_hausdorff95"] == .null)
    #expect(json["mean_boundary_iou"]?.double != nil)
    let text = try Self.run("evaluate s1@default", folder).stdout
    #expect(text.contains("note: HD95 (px) is undefined: this evaluation was made by"), "\(text)")
    #expect(!text.contains("\nHD95"), "\(text)")
    let gate = try Self.run("gate s1@default 'mean_hausdorff95 <= 1000'", folder)
    #expect(gate.status == 1)
    #expect(gate.stdout.contains("it is undefined: no sample has an edge"), "\(gate.stdout)")
    let compared = try Self.run("compare s1@default s2@default --json", folder).json()
    #expect(compared["differences"]?["mean_hausdorff95"]?["a"] == .null)
    #expect(compared["differences"]?["mean_iou"]?["difference"]?.double != nil)
    let comparison = try Self.run("compare s1@default s2@default", folder).stdout
    #expect(comparison.contains("HD95 (px) is not compared: s1"), "\(comparison)")
    #expect(
      try Self.run("query 'run(s1).hausdorff95 >= 0' --in street --count", folder).stdout
        .hasPrefix("0"))
  }
}
