package import ArgumentParser
import AssayCore
import AssayWorkflows

/// `assay doctor`: the dependencies found, their versions, and how to install missing ones.
package struct DoctorCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check dependencies, and show how to install what is missing.",
    discussion: "Exit status 0 if all required dependencies are present, 2 otherwise.")

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    var isWell = true
    try options.perform { _ in
      let doctor = Doctor(
        programVersion: ProgramVersion.text, catalogPath: options.catalogPath)
      let result = DoctorResult(checks: doctor.examine())
      isWell = result.isWell
      return result
    }
    if !isWell { throw ExitCode(2) }
  }
}

/// The result of `assay doctor`.
struct DoctorResult: CommandResult {
  var checks: [DoctorCheck]

  /// True if no required dependency is missing.
  var isWell: Bool { !checks.contains { $0.status == .missing } }

  var json: JSONValue {
    [
      "ok": .bool(isWell),
      "checks": .array(
        checks.map { check in
          [
            "name": .string(check.name), "status": .string(check.status.rawValue),
            "found": JSONValue(check.found), "advice": JSONValue(check.advice),
          ]
        }),
    ]
  }

  /// The headline, then one line per check with the fix below it. Long lines are not cut: people
  /// copy from them.
  func text(in terminal: Terminal) -> String {
    let missing = checks.count { $0.status == .missing }
    let headline =
      isWell
      ? "All required dependencies are present."
      : "\(missing) \(missing == 1 ? "dependency is" : "dependencies are") missing."
    let width = checks.map(\.name.count).max() ?? 0
    let lines = checks.map { check in
      let status = check.status.rawValue.padding(to: 8)
      let colored = check.status == .missing ? terminal.wrong(status) : status
      let name = Terminal.safe(check.name).padding(to: width)
      let texts = [check.found, check.advice].compactMap { $0.map(Self.indented) }
      return "  \(colored)  \(name)  " + texts.joined(separator: "\n" + Self.margin)
    }
    return ([headline, ""] + lines).joined(separator: "\n")
  }

  private static let margin = String(repeating: " ", count: 12)

  /// A text made safe to print, with lines after the first indented.
  private static func indented(_ text: String) -> String {
    text.split(separator: "\n").map { Terminal.safe(String($0)) }.joined(separator: "\n" + margin)
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
