import Testing

@testable import AssayReports

@Suite struct SectionQueryTests {
  private func query(_ expression: String, _ count: Int) -> SectionQuery {
    SectionQuery(
      expression: expression, count: count, command: "assay open r1 --where '\(expression)'")
  }

  @Test("A section has its query and command to copy, as text, with the number of samples")
  func blocks() throws {
    var report = try SmallReport.report()
    let cell = ClassificationReport.anchor(0, 1)
    report.queries = [
      "mistakes": query("run(\"<b>\").correct = false", 1_200), cell: query("label = cat", 1),
    ]
    let html = try SmallReport.html(report)
    #expect(
      html.contains(
        "<summary>Query for 1,200 samples</summary><div><code>run(&quot;&lt;b&gt;&quot;).correct = false</code></div>"
          + "<div><code>assay open r1 --where &#39;run(&quot;&lt;b&gt;&quot;).correct = false&#39;</code></div>"
      ))
    // The cell is among the main errors and in the matrix.
    let blocks = html.ranges(
      of: "<summary>Query for 1 sample</summary><div><code>label = cat</code>")
    #expect(blocks.count == 2)
    #expect(html.ranges(of: "<details class=\"query").count == 3)
  }

  @Test("A section without a query has none, also within a group that has one")
  func none() throws {
    #expect(try !SmallReport.html(SmallReport.report()).contains("<details class=\"query"))
  }

  @Test(
    "A query with characters that a page cannot show as they are is left out",
    arguments: ["\u{202E}", "\u{7}"])
  func unprintable(_ character: String) throws {
    var report = try SmallReport.report()
    report.queries = ["mistakes": query("key = \"a\(character)b\"", 1)]
    #expect(try !SmallReport.html(report).contains("<details class=\"query"))
  }
}
