import AssayCore
import AssayTestSupport
import Foundation
import Testing

/// The page that compares two runs, next to what `assay compare --json` prints.
@Suite("Comparison page")
struct ComparisonPageTests {
  /// All numbers in a JSON value with three decimals, without their signs.
  private static func numbers(in json: JSONValue) -> Set<String> {
    if let elements = json.elements {
      return elements.reduce(into: []) { $0.formUnion(numbers(in: $1)) }
    }
    if case .object(let members) = json {
      return members.reduce(into: []) { $0.formUnion(numbers(in: $1.value)) }
    }
    return json.double.map { [String(format: "%.3f", abs($0))] } ?? []
  }

  private static func section(_ id: String, of html: String) throws -> Substring {
    let start = try #require(html.range(of: "<section id=\"\(id)\">"), "\(id)").upperBound
    let end = try #require(html.range(of: "</section>", range: start..<html.endIndex)).lowerBound
    return html[start..<end]
  }

  @Test(
    "Every number in the tables is one of assay compare --json, and the counts are equal",
    arguments: [
      ("r1", "r2", GoldenCatalog.Kind.imported), ("s1", "s2", .imported),
      ("d1", "d2", .imported), ("d1@strict", "d2", .imported), ("m1", "m2", .labelSets),
    ])
  func numbers(_ a: String, _ b: String, _ kind: GoldenCatalog.Kind) throws {
    let folder = try TemporaryFolder()
    try GoldenCatalog.prepared(kind).copy(to: folder.path)
    let outcome = try Program.run(["report", a, b, "--out", "o", "--json"], in: folder.path)
    try #require(outcome.status == 0, "\(outcome.stderr)")
    let (page, compared) = (
      try outcome.json(), try Program.run(["compare", a, b, "--json"], in: folder.path).json()
    )
    #expect(page["n"] == compared["n"])
    let lists =
      compared["more_wrong"] == nil
      ? ("regressions", "improvements") : ("more_wrong", "fewer_wrong")
    #expect(page["regressions"]?.double == compared[lists.0]?.elements.map { Double($0.count) })
    #expect(page["improvements"]?.double == compared[lists.1]?.elements.map { Double($0.count) })

    let html = try folder.read("o/report.html")
    let known = Self.numbers(in: compared)
    var count = 0
    for match in html.matches(of: #/<section id="(classes|table-[0-9]+)">/#) {
      let section = try Self.section(String(match.output.1), of: html)
      for number in section.matches(of: #/[>+−\[ ]([0-9]+\.[0-9]{3})\b/#) {
        #expect(known.contains(String(number.output.1)), "\(number.output.1) in \(match.output.1)")
        count += 1
      }
    }
    #expect(count > 10)
    #expect(html.contains("<section id=\"scatter\">"))
  }

  @Test("The chart of IoUs counts the samples that assay compare lists")
  func chart() throws {
    let folder = try TemporaryFolder()
    try GoldenCatalog.prepared(.imported).copy(to: folder.path)
    let page = try Program.run(["report", "s1", "s2", "--out", "o", "--json"], in: folder.path)
      .json()
    let (lost, won) = (
      try #require(page["regressions"]?.double), try #require(page["improvements"]?.double)
    )
    let section = try Self.section("scatter", of: folder.read("o/report.html"))
    #expect(section.contains("better in B for \(Int(won)), worse for \(Int(lost)), equal for "))
  }

  @Test("Runs of different tasks or datasets are refused, and nothing is written")
  func refused() throws {
    let folder = try TemporaryFolder()
    try GoldenCatalog.prepared(.imported).copy(to: folder.path)
    for other in ["s1", "p"] {
      let outcome = try Program.run(["report", "r1", other], in: folder.path)
      #expect(outcome.status == 2 && !outcome.stderr.isEmpty)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/Reports"))
  }
}
