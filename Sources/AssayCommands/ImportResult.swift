import AssayCore
import AssayWorkflows

/// What an import came to.
struct ImportResult: CommandResult {
  let summary: DatasetImport.Summary

  private var issues: Int { summary.issueCounts.map(\.count).reduce(0, +) }

  var json: JSONValue {
    let record = summary.dataset
    return [
      "status": .string(summary.isAlreadyThere ? "already imported" : "imported"),
      "dataset": record.summary, "reason": .string(summary.detection.reason),
      "others": .object(
        DatasetFormat.allCases.compactMap { format in
          summary.detection.others[format].map { JSONValue.Member(format.rawValue, .string($0)) }
        }),
      "read": JSONValue(record.read), "accepted": JSONValue(record.accepted),
      "rejected": JSONValue(record.rejected), "added": JSONValue(summary.added),
      "kept": JSONValue(summary.kept), "retired": JSONValue(summary.retired),
      "counts": .array(counts),
      "issues": .object(
        summary.issueCounts.map { JSONValue.Member($0.kind.rawValue, JSONValue($0.count)) }),
      "seconds": .number(summary.seconds),
    ]
  }

  private var counts: [JSONValue] {
    let counts = summary.counts
    return counts.splits.indices.flatMap { split in
      counts.samples[split].indices.compactMap { category -> JSONValue? in
        guard counts.samples[split][category] > 0 else { return nil }
        let label = category < counts.classes.count ? counts.classes[category] : nil
        return [
          "split": JSONValue(counts.splits[split]), "label": JSONValue(label),
          "count": JSONValue(counts.samples[split][category]),
        ]
      }
    }
  }

  func text(in terminal: Terminal) -> String {
    let record = summary.dataset
    if summary.isAlreadyThere {
      return """
        already imported: \(record.name) is this input (import \(record.importVersion), \
        \(record.importedAt)); nothing was done
        """
    }
    let format = "\(record.format.rawValue): \(Terminal.safe(summary.detection.reason))"
    var lines = [
      "imported \(record.name) as \(format)",
      "read \(record.read) = accepted \(record.accepted) + rejected \(record.rejected), in "
        + "\(Fixed.text(summary.seconds)) s",
    ]
    if record.importVersion > 1 {
      lines.append(
        "\(summary.added) samples are new, \(summary.kept) were there before, "
          + "\(summary.retired) are gone")
    }
    lines += ["", table.text(in: terminal), ""]
    if issues > 0 {
      let kinds = summary.issueCounts.map { "\($0.count) \($0.kind.rawValue)" }
      lines.append(
        terminal.wrong("\(issues) issues: \(kinds.joined(separator: ", "))")
          + " (assay issues \(record.name))")
    } else {
      lines.append("no issues")
    }
    return lines.joined(separator: "\n")
  }

  /// Samples by class (rows) and split (columns), with totals.
  private var table: TextTable {
    let counts = summary.counts
    var table = TextTable(
      [("class", .left)] + counts.splits.map { ($0 ?? "no split", .right) } + [("all", .right)])
    let rows =
      counts.classes.enumerated().map { ($1, $0) } + [("no label", counts.classes.count)]
    for (name, category) in rows {
      let cells = counts.samples.map { $0[category] }
      let all = cells.reduce(0, +)
      if category < counts.classes.count || all > 0 {
        table.add([name] + (cells + [all]).map(String.init))
      }
    }
    let totals = counts.samples.map { $0.reduce(0, +) }
    table.add(["all"] + (totals + [totals.reduce(0, +)]).map(String.init))
    return table
  }
}

/// A strict import that found issues: all of them.
struct ImportRefusedResult: CommandResult {
  let refused: ImportRefused

  var json: JSONValue {
    [
      "status": "refused", "dataset": .string(refused.dataset), "read": JSONValue(refused.read),
      "rejected": JSONValue(refused.rejected),
      "issues": .array(refused.issues.map(\.summary)),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let lines = refused.issues.map { Terminal.safe("\($0.location): \($0.message)") }
    return terminal.wrong("refused: \(refused.issues.count) issues and --strict")
      + "; nothing was imported\n" + lines.joined(separator: "\n")
  }
}
