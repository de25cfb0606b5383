import AssayCore
import Testing

@testable import AssayStore

@Suite("Issues in the catalog")
struct IssueTests {
  private let issues = [
    AssayCore.Issue(
      .pixelValue, .warning, at: IssueLocation(file: "faces.csv", line: 2), sampleKey: "0",
      "pixel 3 is 256; taken as 255"),
    AssayCore.Issue(
      .pixelCount, .error, at: IssueLocation(file: "faces.csv", line: 8), sampleKey: "6",
      "3 pixels instead of 2; the row was left out"),
    AssayCore.Issue(
      .truncated, .error, at: IssueLocation(file: "faces.csv"), "the last line ends early"),
    AssayCore.Issue(
      .pixelCount, .error, at: IssueLocation(file: "faces.csv", line: 9), sampleKey: "7",
      "1 pixel instead of 2; the row was left out"),
  ]

  @Test("Issues come back in source order, tied to the sample where it was accepted")
  func roundTrip() throws {
    let house = try TemporaryCatalog()
    let dataset = try house.catalog.importFaces(sixFaces, issues: issues).dataset
    #expect(dataset.issues == 4)
    let stored = try house.catalog.issues(of: dataset.id)
    #expect(stored.map(\.issue) == issues)
    #expect(stored.map(\.sample) == [1, nil, nil, nil])
    #expect(try house.catalog.issues(of: dataset.id, limit: 2).count == 2)
    #expect(
      try house.catalog.issues(of: dataset.id, kind: .pixelCount).map(\.issue)
        == [issues[1], issues[3]])
    #expect(
      try house.catalog.issueCounts(of: dataset.id) == [
        IssueCount(kind: .pixelCount, severity: .error, count: 2),
        IssueCount(kind: .pixelValue, severity: .warning, count: 1),
        IssueCount(kind: .truncated, severity: .error, count: 1),
      ])
    #expect(try house.catalog.keys("faces", "issue = pixelValue") == ["0"])
  }

  @Test("An import that its importer refuses leaves neither samples nor issues")
  func refused() throws {
    struct Refused: Error {}
    let house = try TemporaryCatalog()
    let draft = ImportDraft(name: "faces", format: .fer, root: "/faces", isSingleFile: true)
    #expect(throws: Refused.self) {
      try house.catalog.importDataset(draft) { _ in throw Refused() }
    }
    #expect(try house.catalog.datasets().isEmpty)
  }

  @Test("Importing again forgets the issues of the import before")
  func replaced() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces, issues: issues)
    let dataset = try house.catalog.importFaces(
      sixFaces, issues: [issues[2]], replace: true
    ).dataset
    #expect(try house.catalog.issues(of: dataset.id).map(\.issue) == [issues[2]])
    #expect(try house.catalog.keys("faces", "issue = pixelValue") == [])
  }
}
