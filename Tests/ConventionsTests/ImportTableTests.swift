import Testing

@Suite struct ImportTableTests {
  @Test("Every target imports only what the design lets it import")
  func sourcesKeepTheTable() throws {
    let files = try PackageFiles.swift(below: "Sources", "Tests")
    #expect(files.count > 50)
    let findings = files.flatMap(ImportTable.findings)
    #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
  }

  @Test("Every target with Swift code is in the table, and every other one is foreign")
  func targetsAreKnown() {
    let targets = Set(
      PackageFiles.paths(below: "Sources").compactMap { SourceFile(path: $0, text: "").target })
    let known = ImportTable.foreign.union(ImportTable.allowed.keys)
    #expect(targets.subtracting(known).isEmpty)
  }

  @Test(
    "An import that is not in the table is found",
    arguments: [
      ("Sources/AssayFormats/A.swift", "import GRDB", "GRDB"),
      ("Sources/AssayStore/A.swift", "import AssayFormats", "AssayFormats"),
      ("Sources/AssayMetrics/A.swift", "package import AssayImaging", "AssayImaging"),
      ("Sources/AssayCore/A.swift", "@preconcurrency public import Yams", "Yams"),
      ("Sources/AssayCommands/A.swift", "import struct GRDB.Row", "GRDB"),
      ("Sources/AssayReports/A.swift", "  private import AssayStore", "AssayStore"),
      ("Sources/AssayImaging/A.swift", "@_spi(X) import AssayWorkflows", "AssayWorkflows"),
      ("Sources/AssayCore/A.swift", "import Testing", "Testing"),
      ("Tests/AssayMetricsTests/A.swift", "import AssayStore", "AssayStore"),
      ("Sources/AssayMetrics/A.swift", "import AssayTestSupport", "AssayTestSupport"),
      ("Tests/ConventionsTests/A.swift", "import AssayTestSupport", "AssayTestSupport"),
      ("Tests/Support/A.swift", "import AssayStore", "AssayStore"),
    ])
  func violation(path: String, text: String, module: String) {
    let findings = ImportTable.findings(in: SourceFile(path: path, text: text))
    #expect(findings.count == 1)
    #expect(findings.first?.hasSuffix("may not import \(module)") == true)
  }

  @Test(
    "An import in the table is accepted",
    arguments: [
      ("Sources/AssayStore/A.swift", "import GRDB\nimport AssayCore\nimport Foundation"),
      ("Sources/AssayCore/A.swift", "// import GRDB\nlet a = \"\"\"\nimport GRDB\n\"\"\""),
      ("Tests/AssayStoreTests/A.swift", "import Testing\n@testable import AssayStore"),
      ("Tests/AssayStoreTests/A.swift", "import AssayTestSupport"),
      ("Tests/Support/A.swift", "package import AssayCore\npackage import Testing"),
      ("Tests/ConventionsTests/A.swift", "import Testing"),
    ])
  func obedience(path: String, text: String) {
    #expect(ImportTable.findings(in: SourceFile(path: path, text: text)).isEmpty)
  }

  @Test("A target that the table does not know is found")
  func unknownTarget() {
    let findings = ImportTable.findings(in: SourceFile(path: "Sources/AssayNew/A.swift", text: ""))
    #expect(findings == ["Sources/AssayNew/A.swift: the import table has no target AssayNew"])
  }
}
