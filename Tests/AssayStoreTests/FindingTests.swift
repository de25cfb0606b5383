import AssayCore
import GRDB
import Testing

@testable import AssayStore

@Suite("Findings of checks")
struct FindingTests {
  private let findings = [
    FindingRecord(.nearDuplicate, score: 0.98, samples: [1, 3], "2 images"),
    FindingRecord(.absentClass, samples: [], "test has no sample of the class happy"),
    FindingRecord(.blank, samples: [2], "all pixels have the gray value 0"),
  ]

  private func house() throws -> (TemporaryCatalog, Int64) {
    let house = try TemporaryCatalog()
    return (house, try house.catalog.importFaces(sixFaces).dataset.id)
  }

  @Test("Findings come back in their order, and their samples are found by kind")
  func roundTrip() throws {
    let (house, dataset) = try house()
    try house.catalog.replaceFindings(
      of: dataset, view: "faces", kinds: FindingKind.allCases, settings: "{}", with: findings)
    #expect(try house.catalog.findings(of: dataset, view: "faces") == findings)
    #expect(try house.catalog.keys("faces", "issue = nearDuplicate") == ["0", "2"])
    #expect(try house.catalog.keys("faces", "issue in (blank, nearDuplicate)") == ["0", "1", "2"])
    #expect(try house.catalog.keys("faces", "issue = leakage") == [])
    #expect(throws: StoreError.self) { try house.catalog.keys("faces", "issue = nearDuplicates") }
  }

  @Test("A check replaces the findings of the same view only, and keeps the import's issues")
  func replaced() throws {
    let house = try TemporaryCatalog()
    let issue = AssayCore.Issue(
      .pixelValue, .warning, at: IssueLocation(file: "faces.csv", line: 2), sampleKey: "0", "odd")
    let dataset = try house.catalog.importFaces(sixFaces, issues: [issue]).dataset.id
    try house.catalog.replaceFindings(
      of: dataset, view: "faces", kinds: FindingKind.allCases, settings: "{}", with: findings)
    try house.catalog.replaceFindings(
      of: dataset, view: "faces/train", kinds: FindingKind.allCases, settings: "{}",
      with: [findings[2]])
    try house.catalog.replaceFindings(
      of: dataset, view: "faces", kinds: FindingKind.allCases, settings: "{}", with: [])
    #expect(try house.catalog.findings(of: dataset, view: "faces").isEmpty)
    #expect(try house.catalog.keys("faces", "issue = blank") == ["1"])
    #expect(try house.catalog.keys("faces", "issue = pixelValue") == ["0"])
  }

  @Test(
    "A sample has its findings with the other samples of each, once for equal ones of two views")
  func ofSample() throws {
    let (house, dataset) = try house()
    #expect(try house.catalog.details(of: 1).isChecked == false)
    let many = FindingRecord(.exactDuplicate, samples: [6, 5, 1, 2], "4 images")
    for view in ["faces", "faces/train"] {
      try house.catalog.replaceFindings(
        of: dataset, view: view, kinds: FindingKind.allCases, settings: "{}",
        with: findings + [many])
    }
    let details = try house.catalog.details(of: 1)
    #expect(details.isChecked && details.issues.isEmpty)
    #expect(
      details.findings == [
        SampleFinding(kind: "nearDuplicate", message: "2 images", others: [3], count: 1),
        SampleFinding(kind: "exactDuplicate", message: "4 images", others: [6, 5, 2], count: 3),
      ])
    #expect(try house.catalog.details(of: 2).findings.map(\.kind) == ["blank", "exactDuplicate"])
    #expect(try house.catalog.details(of: 4).findings == [])
    #expect(try house.catalog.details(of: 4).isChecked)
  }

  @Test("A check of some kinds keeps the findings of the others, by kind")
  func kinds() throws {
    let (house, dataset) = try house()
    func store(_ kinds: [FindingKind], _ findings: [FindingRecord]) throws {
      try house.catalog.replaceFindings(
        of: dataset, view: "faces", kinds: kinds, settings: "{}", with: findings)
    }
    try store(FindingKind.allCases, findings)
    try store([.blank], [])
    #expect(
      try house.catalog.findings(of: dataset, view: "faces")
        == findings.filter { $0.kind != .blank })
    try store([.blank], findings.filter { $0.kind == .blank })
    #expect(try house.catalog.findings(of: dataset, view: "faces") == findings)
  }

  @Test("Importing again and removing the dataset forget the findings")
  func forgotten() throws {
    let (house, dataset) = try house()
    try house.catalog.replaceFindings(
      of: dataset, view: "faces", kinds: FindingKind.allCases, settings: "{}", with: findings)
    try house.catalog.importFaces(sixFaces, replace: true)
    #expect(try house.catalog.keys("faces", "issue = blank") == [])
    try house.catalog.replaceFindings(
      of: dataset, view: "faces", kinds: FindingKind.allCases, settings: "{}", with: findings)
    _ = try house.catalog.remove(.dataset, named: "faces")
    let left = try house.catalog.read("counting") { database in
      try Int.fetchOne(
        database,
        sql: """
          SELECT (SELECT count(*) FROM inspection) + (SELECT count(*) FROM finding)
            + (SELECT count(*) FROM findingSample)
          """)
    }
    #expect(left == 0)
  }

  @Test("No kind of finding has the spelling of an import's issue")
  func spellings() {
    let issues = Set(IssueKind.allCases.map(\.rawValue))
    #expect(issues.isDisjoint(with: FindingKind.allCases.map(\.rawValue)))
  }
}
