/// The rules about data outside the repository: a test that needs it names its twin, a test that
/// checks the same with data inside the repository.
enum OutsideDataRules {
  /// A test function as declared in its source.
  struct TestFunction {
    var path: String
    /// The line number of its `@Test`.
    var line: Int
    /// The name with its type: `COCOImporterTests.fixtures`.
    var name: String
    /// The text from `@Test` to the function's name, including the contents of literals.
    var attributes: String
    /// The function's body without comments and the contents of literals.
    var body: String

    var needsOutsideData: Bool { attributes.contains(OutsideDataRules.trait) }

    /// The twins that it names.
    var twins: [String] {
      attributes.matches(of: #/twin: *"([^"]*)"/#).map { String($0.output.1) }
    }
  }

  private static let trait = ".outsideData("

  /// The test functions of a file, in order.
  static func tests(in file: SourceFile) -> [TestFunction] {
    guard file.text.contains("@Test") else { return [] }
    let text = lines(file.text)
    // The text is enough to find a twin's name; removing comments and literals is slow.
    let isConcerned = [trait, "OutsideFiles.", "(outside:"].contains(where: file.text.contains)
    let code = isConcerned ? lines(file.code) : text
    let keywords = ["struct ", "class ", "enum ", "actor ", "extension "]
    var found: [TestFunction] = []
    var type = ""
    var start: Int?
    // Outside of the loop: each use of a literal compiles it anew.
    let declaration = #/(?:@?\w+(?:\([^)]*\))? )*(?:struct|class|enum|actor|extension) (\w+)/#
    let function = #/\bfunc `?(\w+)/#
    for (index, line) in code.enumerated() {
      if line.first != " ", keywords.contains(where: line.contains),
        let match = line.prefixMatch(of: declaration)
      {
        type = String(match.output.1)
      }
      if line.drop(while: { $0 == " " }).hasPrefix("@Test") { start = index }
      guard let first = start, line.contains("func "),
        let match = line.firstMatch(of: function)
      else { continue }
      start = nil
      let indent = line.prefix { $0 == " " }
      let isShort = line.hasSuffix("}") && !line.hasSuffix("{")
      let end =
        isShort
        ? index : code[(index + 1)...].firstIndex { $0 == indent + "}" } ?? code.count - 1
      found.append(
        TestFunction(
          path: file.path, line: first + 1, name: "\(type).\(match.output.1)",
          attributes: text[first...index].joined(separator: "\n"),
          body: code[index...end].joined(separator: "\n")))
    }
    return found
  }

  /// The tests that break a rule, the calls of the trait outside tests, and paths of outside data
  /// that do not come from the single place that defines them.
  ///
  /// - Parameter tests: the test functions of each file, if they were already read.
  static func findings(in files: [SourceFile], tests: [[TestFunction]]? = nil) -> [String] {
    let tests = tests ?? files.map(Self.tests)
    let all = Dictionary(grouping: tests.joined(), by: \.name)
    var findings: [String] = []
    for (file, tests) in zip(files, tests) {
      for test in tests {
        let place = "\(test.path):\(test.line): \(test.name)"
        guard test.needsOutsideData else {
          if test.body.contains("OutsideFiles.") || test.body.contains("(outside:") {
            findings.append("\(place) reads outside data without the trait outsideData")
          }
          continue
        }
        if test.twins.isEmpty { findings.append("\(place) needs outside data and names no twin") }
        for twin in test.twins {
          guard let found = all[twin] else {
            findings.append("\(place): there is no test \(twin)")
            continue
          }
          if found.contains(where: \.needsOutsideData) {
            findings.append("\(place): its twin \(twin) needs outside data too")
          }
        }
      }
      let calls = file.text.contains(trait) ? file.code.ranges(of: trait).count : 0
      let known = tests.count(where: \.needsOutsideData)
      if calls != known {
        findings.append("\(file.path): \(calls) calls of outsideData, \(known) tests that have one")
      }
      for (index, line) in lines(file.text).enumerated()
      where line.contains("shared/data") && !line.drop(while: { $0 == " " }).hasPrefix("//") {
        findings.append("\(file.path):\(index + 1): outside data without OutsideFiles")
      }
    }
    return findings
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
