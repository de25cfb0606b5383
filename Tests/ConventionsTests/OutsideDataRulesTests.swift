import Testing

@Suite struct OutsideDataRulesTests {
  private func file(_ text: String) -> SourceFile {
    SourceFile(path: "Tests/ATests/A.swift", text: text)
  }

  private let twin = """
    struct ATests {
      @Test("Twin") func twin() throws { #expect(true) }

    """

  @Test("Each test on outside data names a twin that exists and needs none")
  func twins() throws {
    // The target that defines the location of the data, and these rules with their examples, are
    // excluded.
    let files = try PackageFiles.swift(below: "Tests").filter {
      $0.target != "Support" && $0.target != "ConventionsTests"
    }
    let tests = files.map(OutsideDataRules.tests)
    #expect(tests.joined().count > 1_000)
    #expect(tests.joined().count(where: \.needsOutsideData) > 30)
    let findings = OutsideDataRules.findings(in: files, tests: tests)
    #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
  }

  @Test("A test and its twin are read with their type, attributes and body")
  func reading() throws {
    let text =
      twin + """
          @Test(
            "Outside", .outsideData("coco/mini", twin: "ATests.twin"),
            arguments: [1, 2])
          private func outside(_ number: Int) throws {
            read(OutsideFiles.url("coco/mini"))
          }
        }

        """
    let tests = OutsideDataRules.tests(in: file(text))
    #expect(tests.map(\.name) == ["ATests.twin", "ATests.outside"])
    #expect(tests.map(\.needsOutsideData) == [false, true] && tests.map(\.line) == [2, 3])
    #expect(tests[1].twins == ["ATests.twin"] && tests[1].body.contains("OutsideFiles.url("))
    #expect(OutsideDataRules.findings(in: [file(text)]).isEmpty)
  }

  @Test(
    "A missing, unknown or outside twin, a missing trait and a path of one's own are found",
    arguments: [
      (
        #"@Test(.outsideData("x")) func a() {}"#,
        "Tests/ATests/A.swift:3: ATests.a needs outside data and names no twin"
      ),
      (
        #"@Test(.outsideData("x", twin: "ATests.none")) func a() {}"#,
        "Tests/ATests/A.swift:3: ATests.a: there is no test ATests.none"
      ),
      (
        #"@Test(.outsideData("x", twin: "ATests.a")) func a() {}"#,
        "Tests/ATests/A.swift:3: ATests.a: its twin ATests.a needs outside data too"
      ),
      (
        #"@Test func a() { _ = OutsideFiles.path("x") }"#,
        "Tests/ATests/A.swift:3: ATests.a reads outside data without the trait outsideData"
      ),
      (
        #"static let all: [Trait] = [.outsideData("x", twin: "ATests.twin")]"#,
        "Tests/ATests/A.swift: 1 calls of outsideData, 0 tests that have one"
      ),
      (
        #"let folder = root + "/shared/data/coco""#,
        "Tests/ATests/A.swift:3: outside data without OutsideFiles"
      ),
    ])
  func broken(code: String, finding: String) {
    #expect(OutsideDataRules.findings(in: [file(twin + "  \(code)\n}\n")]) == [finding])
  }

  @Test("Comments about outside data, and twins of another file, are fine")
  func fine() {
    let other = SourceFile(
      path: "Tests/BTests/B.swift",
      text: """
        extension BTests {
          /// Reads `../shared/data`.
          @Test(.outsideData("x", twin: "ATests.twin"))
          func a() {
            _ = OutsideFiles.path("x")
          }
        }

        """)
    #expect(OutsideDataRules.findings(in: [file(twin + "}\n"), other]).isEmpty)
  }
}
