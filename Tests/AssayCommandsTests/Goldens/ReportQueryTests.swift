import AssayCore
import AssayStore
import AssayTestSupport
import AssayWorkflows
import Foundation
import Testing

/// The queries below the images of reports, run as a reader would.
@Suite("Queries of reports")
struct ReportQueryTests {
  /// A query of a page, with the keys of the samples that its section or group shows.
  private struct Found {
    var count: Int
    var expression: String
    var command: String
    var keys: Set<String>
  }

  private static func unescaped(_ text: some StringProtocol) -> String {
    String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing(
      "&quot;", with: "\""
    )
    .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }

  private static func queries(of html: String) throws -> [Found] {
    let block =
      #/<details class="query onscreen"><summary>Query for ([0-9,]+) samples?<\/summary><div><code>([^<]*)<\/code><\/div><div><code>([^<]*)<\/code><\/div><\/details>/#
    return try html.matches(of: block).map { match in
      let before = html[..<match.range.lowerBound]
      let starts = ["<section id=", "<h3>"].compactMap {
        before.range(of: $0, options: .backwards)?.lowerBound
      }
      let group = before[try #require(starts.max())...]
      let keys =
        group.matches(of: #/<span class="sample-key">([^<]*)<\/span>/#).map { $0.output.1 }
        + group.matches(of: #/<figure class="sample[^"]*" title="([^"]*)">/#).map { $0.output.1 }
        + group.matches(of: #/title="sample ([^",]*)"/#).map { $0.output.1 }
      return Found(
        count: try #require(Int(match.output.1.replacing(",", with: ""))),
        expression: unescaped(match.output.2), command: unescaped(match.output.3),
        keys: Set(keys.map { unescaped($0) }))
    }
  }

  @Test(
    "Each query of a report selects as many samples as it says, those shown among them, and so does its command",
    arguments: [
      ("report r1", GoldenCatalog.Kind.imported, "faces", 18),
      ("report r1@train", .imported, "faces", 10),
      ("report r1 r2", .imported, "faces", 2), ("report r1@train r2", .imported, "faces", 1),
      ("report p", .imported, "plain", 1), ("report s1", .imported, "street", 2),
      ("report s1@threshold-0.4", .imported, "street", 2), ("report s3", .imported, "street", 2),
      ("report es", .imported, "empty", 1), ("report s1 s2", .imported, "street", 1),
      ("report d1", .imported, "street", 4), ("report d1@strict", .imported, "street", 4),
      ("report d3", .imported, "street", 4), ("report e", .imported, "empty", 1),
      ("report d1 d2", .imported, "street", 2), ("report m1", .labelSets, "scenes", 1),
      ("report m1@threshold-0.4", .labelSets, "scenes", 1),
      ("report m1 m2", .labelSets, "scenes", 2),
      ("report r1 --corrected", .corrected, "faces", 2),
      ("report s1@corrected", .corrected, "street", 2),
      ("report d1 --corrected", .corrected, "street", 4),
    ])
  func queries(
    _ command: String, _ kind: GoldenCatalog.Kind, _ dataset: String, _ least: Int
  ) throws {
    let folder = try TemporaryFolder()
    try GoldenCatalog.prepared(kind).copy(to: folder.path)
    let outcome = try Program.run(
      TourTests.words(of: command) + ["--out", "o"], in: folder.path,
      environment: GoldenCatalog.environment)
    try #require(outcome.status == 0, "\(outcome.stderr)")
    let found = try Self.queries(of: folder.read("o/report.html"))
    #expect(found.count >= least)
    let catalog = try Catalog.open(folder.path + "/assay.db", .readOnly)
    for query in found {
      let listed = try Program.run(
        ["query", query.expression, "--in", dataset, "--json"], in: folder.path)
      #expect(listed.status == 0, "\(query.expression): \(listed.stderr)")
      let keys = try listed.json()["samples"]?.elements?.compactMap { $0["key"]?.text } ?? []
      #expect(keys.count == query.count, "\(query.expression)")
      #expect(
        !query.keys.isEmpty && query.keys.isSubset(of: keys), "\(query.expression): \(query.keys)")

      // The command, as a shell splits it.
      let words = try Self.words(of: query.command)
      #expect(words.prefix(2) == ["assay", "open"])
      let option = try #require(words.firstIndex(of: "--where"))
      #expect(words[(option + 1)...] == [query.expression])
      let start = try BrowseStart(
        Array(words[2..<option]), where: query.expression, in: catalog)
      #expect(start.view == dataset && start.expression == query.expression)
    }
  }

  private static func words(of command: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "printf '%s\\n' " + command]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test(
    "The queries of a classification count what the page counts: errors and cells of the matrix")
  func counts() throws {
    let folder = try TemporaryFolder()
    try GoldenCatalog.prepared(.imported).copy(to: folder.path)
    try #require(Program.run(["report", "r1", "--out", "o"], in: folder.path).status == 0)
    let queries = try Self.queries(of: folder.read("o/report.html"))
    let evaluation = try Program.run(
      ["evaluate", "r1", "--json", "--no-intervals"], in: folder.path
    )
    .json()
    let rows = try #require(evaluation["confusion"]?.elements).map {
      ($0.elements ?? []).compactMap(\.double).map { Int($0) }
    }
    let all = rows.joined().reduce(0, +)
    let right = rows.indices.reduce(0) { $0 + rows[$1][$1] }
    let wrong = try #require(queries.first { $0.expression == "run(r1).correct = false" })
    #expect(wrong.count == all - right && wrong.count > 0)
    let cells = queries.filter { $0.expression.hasPrefix("label = ") }.map(\.count)
    // Three cells are also among the main errors.
    let worst = rows.enumerated().flatMap { row in
      row.element.enumerated().filter { $0.offset != row.offset }.map(\.element)
    }.sorted(by: >).prefix(3)
    #expect(cells.reduce(0, +) == all + worst.reduce(0, +))
  }
}
