import AssayTestSupport
import Foundation
import Testing

/// The README's tour, run like a reader would.
@Suite("The tour")
struct TourTests {
  /// One command of the tour and the output below it.
  struct Step {
    var command: String
    var output: String
  }

  /// The steps of all console blocks, in order.
  static func steps(in readme: String) -> [Step] {
    var steps: [Step] = []
    for block in readme.matches(of: #/(?s)```console\n(.*?)```/#) {
      for line in block.output.1.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("$ assay ") {
          steps.append(Step(command: String(line.dropFirst(8)), output: ""))
        } else if !steps.isEmpty {
          steps[steps.count - 1].output += line + "\n"
        }
      }
    }
    return steps
  }

  /// Splits at blanks, except within single quotes.
  static func words(of command: String) -> [String] {
    command.matches(of: #/'([^']*)'|\S+/#).map { String($0.output.1 ?? $0.output.0) }
  }

  /// A text without the parts that differ between machines: times, rates, workers.
  static func comparable(_ text: String) -> String {
    text.replacing(#/[0-9.]+ (m?s)\b/#) { "# \($0.output.1)" }
      .replacing(#/\([0-9,]+ per second\)/#, with: "(# per second)")
      .replacing(#/\d+ workers?, batch size \d+/#, with: "# workers")
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test(
    "Every command of the README's tour prints what the README says",
    .openVINO)
  func tour() throws {
    let readme = try String(
      contentsOf: PackageFolder.url("README.md"), encoding: .utf8)
    let steps = Self.steps(in: readme)
    #expect(steps.count >= 8)
    let program = try Program()
    try FileManager.default.createSymbolicLink(
      atPath: program.folder.path + "/Datasets",
      withDestinationPath: PackageFolder.url("Datasets").path)
    for step in steps {
      let run = try program.run(Self.words(of: step.command), environment: ["COLUMNS": "100"])
      #expect(
        Self.comparable(run.stdout + run.stderr) == Self.comparable(step.output),
        "assay \(step.command): run Scripts/reference")
    }
    #expect(program.folder.has("wrong.png") && program.folder.has("report/report.html"))
  }

  @Test("Only times, rates and workers are left out of the comparison")
  func comparison() {
    #expect(Self.comparable("in 0.019 s\n") == Self.comparable("in 3.2 s"))
    #expect(Self.comparable("accuracy 0.972") != Self.comparable("accuracy 0.971"))
    #expect(Self.words(of: "query 'a = b' --in x") == ["query", "a = b", "--in", "x"])
  }
}
