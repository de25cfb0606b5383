import Testing

@Suite struct CodeRulesTests {
  private func snippet(_ text: String) -> SourceFile {
    SourceFile(path: "Sources/AssayCore/A.swift", text: text)
  }

  private func expectNone(_ findings: [String]) {
    #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
  }

  @Test("No Swift file is longer than 500 lines")
  func lengths() throws {
    expectNone(try PackageFiles.swift(below: "Sources", "Tests").flatMap(CodeRules.length))
  }

  @Test("A file of 501 lines is found, one of 500 is not")
  func longFile() {
    let line = "let a = 1\n"
    #expect(CodeRules.length(of: snippet(String(repeating: line, count: 500))).isEmpty)
    #expect(
      CodeRules.length(of: snippet(String(repeating: line, count: 501)))
        == ["Sources/AssayCore/A.swift: 501 lines, 500 at most"])
    #expect(CodeRules.length(of: snippet(String(repeating: "\n", count: 500) + "x")).count == 1)
  }

  @Test("No folder or file has a meaningless name")
  func names() {
    let folders = ["Sources", "Tests", "Scripts", "Datasets", "Benchmarks"]
    expectNone(folders.flatMap(PackageFiles.paths).flatMap(CodeRules.names))
  }

  @Test(
    "A meaningless name is found",
    arguments: [
      "Sources/AssayCore/Helpers/A.swift", "Sources/Common/A.swift", "Tests/X/Extensions.swift",
      "Sources/AssayCore/String+Extensions.swift", "Scripts/utilities.sh", "Sources/Shared/B.swift",
    ])
  func emptyName(path: String) {
    #expect(CodeRules.names(in: path).count == 1)
  }

  @Test("A meaningful name is accepted", arguments: ["Sources/A/CommonestClass.swift", "a/b"])
  func fullName(path: String) {
    #expect(CodeRules.names(in: path).isEmpty)
  }

  @Test("Doc comments open with a noun phrase or a verb in the folders that are done")
  func commentOpenings() throws {
    expectNone(try PackageFiles.swift(below: "Sources").flatMap(CodeRules.commentOpenings))
  }

  @Test("A doc comment that opens with a question word is found, a later line of it is not")
  func commentOpening() {
    let text = "/// What it is.\nlet a = 1\n/// The place\n/// Where it is.\nlet b = 2\n"
    #expect(
      CodeRules.commentOpenings(in: snippet(text))
        == ["Sources/AssayCore/A.swift:1: a doc comment opens with What"])
  }

  @Test("No type name ends in a meaningless word")
  func typeNames() throws {
    expectNone(try PackageFiles.swift(below: "Sources", "Tests").flatMap(CodeRules.typeNames))
  }

  @Test(
    "A type's empty name is found",
    arguments: [
      "final class RunManager {}", "struct FileHelper {}", "enum StringUtil {}",
      "protocol ErrorHandler {}", "package struct ImageInfo {}", "actor SampleData {}",
      "typealias ModelBase = Int", "struct StoreImpl: Store {}", "struct `Wrapper`<T> {}",
    ])
  func bannedType(text: String) {
    #expect(CodeRules.typeNames(in: snippet(text)).count == 1)
  }

  @Test(
    "Other names, uses of foreign types and comments are accepted",
    arguments: [
      "struct Metadata {}", "let a: Data", "// struct RunManager", "struct Database {}",
      "\"class FooInfo\"", "struct Basement {}",
    ])
  func goodType(text: String) {
    #expect(CodeRules.typeNames(in: snippet(text)).isEmpty)
  }

  @Test("Nothing in Sources ends the program where input can be wrong")
  func traps() throws {
    expectNone(try PackageFiles.swift(below: "Sources").flatMap(CodeRules.traps))
  }

  @Test(
    "A trap is found with its line",
    arguments: [
      "try! f()", "let a = b as! C", "fatalError(\"x\")", "let a = b!", "f(a)!.b", "a[0]!",
      "var a: Int!", "a?.b!", "if a! != b {}",
    ])
  func trap(text: String) {
    let findings = CodeRules.traps(in: snippet("\n" + text))
    #expect(findings.count == 1)
    #expect(findings.first?.hasPrefix("Sources/AssayCore/A.swift:2: ") == true)
  }

  @Test(
    "Code that only looks like a trap is accepted",
    arguments: [
      "// try! this", "print(\"done!\")", "a != b", "if !a { }", "try? f()", "b as? C", "(!a)",
      "a ! = b", "\"\"\"\nfatalError(\n\"\"\"",
    ])
  func noTrap(text: String) {
    #expect(CodeRules.traps(in: snippet(text)).isEmpty)
  }

  @Test("Nothing in Sources compares with a task, or leaves one to a default")
  func tasks() throws {
    let files = try PackageFiles.swift(below: "Sources")
    #expect(files.count > 300)
    expectNone(files.flatMap(CodeRules.taskComparisons))
    expectNone(files.flatMap(CodeRules.taskDefaults))
  }

  @Test(
    "A comparison with a task is found, one of two tasks is not",
    arguments: [
      ("if run.task == .detection {}", 1), ("guard modelTask != ModelTask.segmentation else {}", 1),
      ("first.task == second.task", 0), ("run.task.output == .masks", 0),
      ("let a = task == nil", 0),
    ])
  func taskComparison(code: String, count: Int) {
    #expect(CodeRules.taskComparisons(in: snippet(code)).count == count)
  }

  @Test("A default in a switch over a task is found, one in another switch is not")
  func taskDefault() {
    let found = "switch run.task {\ncase .detection: f { 1 }\ndefault: g()\n}\n"
    #expect(CodeRules.taskDefaults(in: snippet(found)).count == 1)
    let other = "switch run.task {\ncase .detection: f()\n}\nswitch kind {\ndefault: g()\n}\n"
    #expect(CodeRules.taskDefaults(in: snippet(other)).isEmpty)
  }
}
