/// The rule that each feature has a file, a test, a fixture, and a line in the documents: finds
/// missing parts.
enum Completeness {
  /// The importers without their own test file.
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

  /// The spellings of an enum of strings: each case's raw value, or its name if it has none.
  ///
  /// - Parameter name: the enum that is read; `nil` for all enums of the text.
  static func spellings(ofEnumIn text: String, called name: String? = nil) -> [String] {
    let content = name.map { body(ofEnum: $0, in: text) } ?? text
    let lines = content.split(separator: "\n").filter { !$0.contains(#/^\s*\/\//#) }
    var found: [String] = []
    for line in lines {
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

  /// The text between the braces of an enum; empty if the text does not contain the enum.
  private static func body(ofEnum name: String, in text: String) -> String {
    for match in text.matches(of: #/\benum (\w+)[^{]*\{/#) where match.output.1 == name {
      var depth = 1
      let rest = text[match.range.upperBound...]
      let end = rest.firstIndex { character in
        if character == "{" { depth += 1 }
        if character == "}" { depth -= 1 }
        return depth == 0
      }
      return String(rest[..<(end ?? rest.endIndex)])
    }
    return ""
  }

  /// The keys that a manifest can have, sorted: the texts in the lists of allowed keys.
  static func manifestKeys(in files: [SourceFile]) -> [String] {
    let list = #/(?:\.allow\(\s*|\bdetectorKeys = )\[([^\]]*)\]/#
    return Set(
      files.flatMap { $0.text.matches(of: list) }.flatMap { match in
        match.output.1.matches(of: #/"([^"]+)"/#).map { String($0.output.1) }
      }
    ).sorted()
  }

  /// The first words of the subjects of the query language, as their descriptions spell them.
  static func subjects(in text: String) -> [String] {
    text.matches(of: #/(?m)^ *case \.[^:]*(?:\([^)]*\))?:\s*"([a-z_]+)/#).map {
      String($0.output.1)
    }
  }

  /// The tables that statements create, sorted, without temporary ones and the migrator's own.
  static func tables(in files: [SourceFile]) -> [String] {
    let statement = #/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/#
    let names = files.flatMap { $0.text.matches(of: statement) }.map { String($0.output.1) }
    return Set(names).subtracting(["grdb_migrations"]).sorted()
  }

  /// The targets of a Makefile that have a description, in order.
  static func targets(ofMakefile text: String) -> [String] {
    text.matches(of: #/(?m)^([a-z-]+):.*## /#).map { String($0.output.1) }
  }

  /// The formats without a folder of fixtures.
  static func withoutFixtures(formats: [String], fixtures: [String]) -> [String] {
    formats.filter { format in !fixtures.contains { $0.hasPrefix("Tests/Fixtures/\(format)/") } }
      .map { "no fixture in Tests/Fixtures/\($0)" }
  }

  /// The words that do not occur as a whole in a document.
  static func undocumented(_ words: [String], in document: String) -> [String] {
    let parts = Set(
      document.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }.map(String.init))
    return words.filter { !parts.contains($0) }
  }
}
