/// The modules that each target may import: the design's table of targets as a rule.
enum ImportTable {
  /// Modules of the toolchain, which every target may import.
  static let toolchain: Set<String> = [
    "Swift", "Foundation", "FoundationEssentials", "Synchronization", "Dispatch", "Glibc",
    "RegexBuilder",
  ]

  /// The modules that each target may import in addition to ``toolchain`` and AssayCore.
  static let allowed: [String: Set<String>] = [
    "AssayCore": ["DequeModule", "HeapModule", "OrderedCollections", "Algorithms", "CCrypto"],
    "AssayImaging": ["CImageCodecs"],
    "AssayMetrics": ["RealModule"],
    "AssayStore": ["GRDB", "GRDBSQLite", "CZlib"],
    "AssayFormats": [
      "AssayImaging", "CExpat", "CSimdJSON", "CZlib", "CZstd", "Yams", "FoundationXML",
    ],
    "AssayInference": ["AssayImaging", "CEmbeddedFiles", "COpenVINO", "Yams"],
    "AssayRemote": ["AssayFormats", "CLinux"],
    "AssayReports": ["AssayMetrics", "AssayImaging", "Mustache", "CCairo", "CEmbeddedFiles"],
    "AssayWorkflows": [
      "AssayFormats", "AssayStore", "AssayInference", "AssayRemote", "AssayReports",
      "AssayMetrics", "AssayImaging", "CLinux", "Logging",
    ],
    "AssayReview": [
      "AssayWorkflows", "AssayStore", "AssayImaging", "CEmbeddedFiles", "HummingbirdCore",
      "HTTPTypes", "NIOCore", "NIOPosix", "NIOHTTP1", "Logging", "ServiceLifecycle",
    ],
    "AssayCommands": [
      "AssayReview", "AssayWorkflows", "AssayStore", "AssayMetrics", "AssayImaging",
      "ArgumentParser", "CProgram",
    ],
    "assay": ["AssayCommands"],
  ]

  /// Targets without Swift code: C behind a header, and module maps of system libraries.
  static let foreign: Set<String> = [
    "CImageCodecs", "CEmbeddedFiles", "CSimdJSON", "COpenVINO", "CCairo", "CCrypto", "CExpat",
    "CZlib", "CZstd", "CLinux", "CProgram",
  ]

  /// The module that the tests of several targets share, in `Tests/Support`; nothing in Sources may
  /// import it.
  static let testSupport = "AssayTestSupport"

  /// The modules that Swift code imports, in order.
  static func imports(in code: String) -> [String] {
    let pattern =
      #/(?m)^[ \t]*(?:@\w+(?:\([^)]*\))?[ \t]+)*(?:(?:public|package|internal|fileprivate|private)[ \t]+)?import[ \t]+(?:(?:struct|class|enum|protocol|func|var|let|typealias)[ \t]+)?(\w+)/#
    return code.matches(of: pattern).map { String($0.output.1) }
  }

  /// The imports of a file that its target may not have, and targets that are not in the table.
  ///
  /// The tests of a target may import the target, the target's allowed modules, ``testSupport``,
  /// Testing, and the XML parser of the toolchain.
  static func findings(in file: SourceFile) -> [String] {
    guard let target = file.target else { return [] }
    let isTest = file.path.hasPrefix("Tests/")
    let tested = isTest && target.hasSuffix("Tests") ? String(target.dropLast(5)) : target
    var free = toolchain.union(["AssayCore"])
    if tested == "Conventions" {
      free = toolchain.union(["Testing"])
    } else if isTest && target == "Support" {
      free.insert("Testing")
    } else if let own = allowed[tested] {
      free.formUnion(own)
      if isTest {
        free.formUnion([tested, testSupport, "Testing", "FoundationXML"])
      }
    } else {
      return ["\(file.path): the import table has no target \(tested)"]
    }
    return imports(in: file.code).filter { !free.contains($0) }.map {
      "\(file.path): \(target) may not import \($0)"
    }
  }
}
