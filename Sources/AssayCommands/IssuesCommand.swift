package import ArgumentParser
package import AssayCore
import AssayStore

/// `assay issues`: lists the issues that an import found.
package struct IssuesCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "issues",
    abstract: "List the issues of an import: counts by kind, then each with its location.")

  @Argument(help: "The dataset.")
  package var dataset: String

  @Option(help: "Only this kind, such as pixelCount.")
  package var kind: IssueKind?

  @Option(help: "The maximum number of issues; 0 for all.")
  package var limit = 100

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    guard limit >= 0 else { throw ValidationError("--limit must be 0 or more") }
  }

  package func run() throws {
    try options.perform { _ in
      let catalog = try Catalog.open(options.catalogPath, .readOnly)
      let record = try catalog.dataset(named: dataset)
      return IssuesResult(
        dataset: record.name,
        counts: try catalog.issueCounts(of: record.id).filter { kind == nil || $0.kind == kind },
        issues: try catalog.issues(
          of: record.id, kind: kind, limit: limit == 0 ? nil : limit
        ).map(\.issue))
    }
  }
}

extension IssueKind: ExpressibleByArgument {}

/// Counts and the first issues.
struct IssuesResult: CommandResult {
  var dataset: String
  var counts: [IssueCount]
  var issues: [Issue]

  private var total: Int { counts.map(\.count).reduce(0, +) }

  var json: JSONValue {
    [
      "dataset": .string(dataset), "total": JSONValue(total),
      "counts": .array(
        counts.map {
          [
            "kind": .string($0.kind.rawValue), "severity": .string($0.severity.rawValue),
            "count": JSONValue($0.count),
          ]
        }),
      "issues": .array(issues.map(\.summary)),
    ]
  }

  func text(in terminal: Terminal) -> String {
    guard total > 0 else { return "no issues in \(dataset)" }
    var summary = TextTable([("issue", .left), ("severity", .left), ("count", .right)])
    for row in counts {
      summary.add([row.kind.rawValue, row.severity.rawValue, "\(row.count)"])
    }
    let lines = issues.map { issue in
      Terminal.safe("\(issue.location): \(issue.message)")
    }
    let more = total - issues.count
    return summary.text(in: terminal) + "\n\n" + lines.joined(separator: "\n")
      + (more > 0 ? "\n… and \(more) more (--limit 0 lists all, --kind chooses)" : "")
  }
}

extension Issue {
  /// Kind, severity, location and message.
  var summary: JSONValue {
    [
      "kind": .string(kind.rawValue), "severity": .string(severity.rawValue),
      "file": .string(location.file), "line": JSONValue(location.line),
      "pointer": JSONValue(location.pointer),
      "sample": JSONValue(sampleKey), "message": .string(message),
    ]
  }
}
