/// A thing is one file, one test, one fixture, and a line in the documents: what lacks its others.
enum Completeness {
  /// The importers without a test file of their own.
  ///
  /// - Parameters:
  ///   - importers: paths of Swift files in `Sources/AssayFormats/Importers`.
  ///   - tests: paths of the tests of AssayFormats.
  static func untested(importers: [String], tests: [String]) -> [String] {
    let tested = Set(tests.map { SourceFile(path: $0, text: "").stem })
    return importers.map { SourceFile(path: $0, text: "").stem }
      .filter { $0.hasSuffix("Importer") && !tested.contains("\($0)Tests") }
      .map { "\($0) has no \($0)Tests.swift" }
  }

  /// The spellings of an enum of strings: each case's raw value, or its name where it has none.
  static func spellings(ofEnumIn text: String) -> [String] {
    let text = text.split(separator: "\n").filter { !$0.contains(#/^\s*\/\//#) }
    var found: [String] = []
    for line in text {
      guard let cases = line.firstMatch(of: #/^\s*case ([a-zA-Z`][^:.(]*)$/#) else { continue }
      for part in cases.output.1.split(separator: ",") {
        let sides = part.split(separator: "=").map { side in
          side.filter { !" \"`".contains($0) }
        }
        if let last = sides.last { found.append(String(last)) }
      }
    }
    return found
  }

  /// The formats without a folder of fixtures.
  static func withoutFixtures(formats: [String], fixtures: [String]) -> [String] {
    formats.filter { format in !fixtures.contains { $0.hasPrefix("Tests/Fixtures/\(format)/") } }
      .map { "no fixture in Tests/Fixtures/\($0)" }
  }

  /// The words that a document does not have as a whole.
  static func undocumented(_ words: [String], in document: String) -> [String] {
    let parts = Set(
      document.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }.map(String.init))
    return words.filter { !parts.contains($0) }
  }
}
