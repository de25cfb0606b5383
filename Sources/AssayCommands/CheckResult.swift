import AssayCore
import AssayStore
import AssayWorkflows

/// The result of `assay check`.
struct CheckResult: CommandResult {
  let outcome: CheckOutcome
  /// The kinds of --fail-on.
  let failing: [FindingKind]
  /// The path of the report; `nil` if none was written.
  let report: String?
  /// The folder of the parts that were joined; `nil` if the images were read.
  let parts: String?

  var json: JSONValue {
    [
      "view": .string(outcome.request.view), "dataset": .string(outcome.dataset),
      "samples": JSONValue(outcome.count),
      "kinds": .array(outcome.kinds.map { .string($0.rawValue) }),
      "counts": .object(
        outcome.kinds.map { kind in
          .init(
            kind.rawValue,
            [
              "findings": JSONValue(outcome.findings(of: kind).count),
              "samples": JSONValue(outcome.sampleCount(of: kind)),
            ])
        }),
      "findings": .array(outcome.findings.map(json)),
      "leakage": outcome.leakage.map(Self.json) ?? .null,
      "failed": .array(failed.map { .string($0.rawValue) }),
      "report": JSONValue(report), "notes": .array(outcome.notes.map { .string($0) }),
    ]
  }

  private func json(_ finding: FindingRecord) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("kind", .string(finding.kind.rawValue)),
      .init("severity", .string(finding.severity.rawValue)),
      .init("samples", .array(outcome.keys(of: finding).map { .string($0) })),
      .init("splits", .array(finding.samples.map { JSONValue(outcome.splits[$0]) })),
      .init("score", JSONValue(finding.score)), .init("message", .string(finding.message)),
    ]
    if finding.kind == .outlier {
      let neighbors = outcome.evidence(of: finding)?.neighbors ?? []
      members.append(
        .init("neighbors", .array(neighbors.map { JSONValue(outcome.samples[$0]?.key) })))
    }
    return .object(members)
  }

  private static func json(_ matrix: LeakageMatrix) -> JSONValue {
    [
      "splits": .array(matrix.splits.map { .string($0) }),
      "images": .array(matrix.totals.map { JSONValue($0) }),
      "duplicates": .array(matrix.counts.map { .array($0.map { JSONValue($0) }) }),
    ]
  }

  /// The kinds of --fail-on that were found.
  private var failed: [FindingKind] {
    failing.filter { !outcome.findings(of: $0).isEmpty }
  }

  func text(in terminal: Terminal) -> String {
    var parts = [headline]
    let found = outcome.kinds.filter { !outcome.findings(of: $0).isEmpty }
    if !found.isEmpty {
      var table = TextTable([
        ("kind", .left), ("findings", .right), ("images", .right), ("first", .left),
      ])
      for kind in found {
        let findings = outcome.findings(of: kind)
        table.add([
          kind.rawValue, "\(findings.count)",
          "\(outcome.sampleCount(of: kind))", findings.first.map(words) ?? "",
        ])
      }
      parts.append(table.text(in: terminal))
    }
    if let matrix = outcome.leakage, matrix.leaks { parts.append(Self.text(matrix, in: terminal)) }
    let notes = outcome.notes.map { Paragraph.text("note: " + $0, in: terminal) }
    if !notes.isEmpty { parts.append(notes.joined(separator: "\n")) }
    parts.append(next(found))
    return parts.joined(separator: "\n\n")
  }

  private var headline: String {
    let images = Counted.text(outcome.count, "image", "images")
    let view = Terminal.safe(outcome.request.view)
    guard !outcome.findings.isEmpty else {
      return
        "\(view): \(images), nothing found by \(Counted.text(outcome.kinds.count, "check", "checks"))"
    }
    let failure =
      failed.isEmpty ? "" : "; failed: " + failed.map(\.rawValue).joined(separator: ", ")
    return
      "\(view): \(images), \(Counted.text(outcome.findings.count, "finding", "findings"))\(failure)"
  }

  /// The first samples of a finding and its message.
  private func words(_ finding: FindingRecord) -> String {
    let keys = outcome.keys(of: finding)
    guard !keys.isEmpty else { return finding.message }
    return keys.prefix(2).joined(separator: ", ") + (keys.count > 2 ? ", …" : "")
      + ": " + finding.message
  }

  private static func text(_ matrix: LeakageMatrix, in terminal: Terminal) -> String {
    var table = TextTable(
      [("images in", .left), ("all", .right)] + matrix.splits.map { ("also in \($0)", .right) })
    for (row, split) in matrix.splits.enumerated() {
      table.add(
        [split, "\(matrix.totals[row])"]
          + matrix.splits.indices.map { "\(matrix.counts[row][$0])" })
    }
    return table.text(in: terminal)
  }

  private func next(_ found: [FindingKind]) -> String {
    if let report { return "report: \(Terminal.safe(report))" }
    guard let kind = found.first(where: { outcome.sampleCount(of: $0) > 0 }) else {
      return "the findings are stored"
    }
    let subject = parts.map(ShellWord.quoted) ?? outcome.request.view
    return "see the images: assay check \(Terminal.safe(subject)) --out report.html\n"
      + "list samples: assay query 'issue = \(kind.rawValue)' --in "
      + Terminal.safe(outcome.request.view)
  }
}
