import AssayCore
import AssayStore
import AssayWorkflows

/// The result of `assay import`.
struct ImportResult: CommandResult {
  let summary: DatasetImport.Summary

  /// The maximum number of region classes that are counted one by one.
  private static let listedClasses = 20

  private var issues: Int { summary.issueCounts.map(\.count).reduce(0, +) }

  var json: JSONValue {
    let record = summary.dataset
    var members: [JSONValue.Member] = []
    if let lists = summary.lists {
      members = [
        .init(
          "annotations",
          [
            "read": JSONValue(lists.annotationsRead), "kept": JSONValue(lists.annotationsKept),
            "rejected": JSONValue(lists.annotationsRead - lists.annotationsKept),
          ]),
        .init(
          "images",
          ["listed": JSONValue(lists.images), "found": JSONValue(lists.imagesFound)]),
      ]
    }
    if let remote = summary.remote { members.append(.init("remote", remote.json)) }
    if let votes = summary.votes { members.append(.init("votes", votes.json)) }
    return .object(facts(record) + members)
  }

  private func facts(_ record: DatasetRecord) -> [JSONValue.Member] {
    let value: JSONValue = [
      "status": .string(summary.isAlreadyThere ? "already imported" : "imported"),
      "dataset": record.summary, "reason": .string(summary.detection.reason),
      "others": .object(
        DatasetFormat.allCases.compactMap { format in
          summary.detection.others[format].map { JSONValue.Member(format.rawValue, .string($0)) }
        }),
      "read": JSONValue(record.read), "accepted": JSONValue(record.accepted),
      "rejected": JSONValue(record.rejected), "added": JSONValue(summary.added),
      "kept": JSONValue(summary.kept), "retired": JSONValue(summary.retired),
      "counts": SplitTable(summary.counts).json,
      "issues": .object(
        summary.issueCounts.map { JSONValue.Member($0.kind.rawValue, JSONValue($0.count)) }),
      "notes": .array(summary.notes.map { .string($0) }), "seconds": .number(summary.seconds),
    ]
    guard case .object(let members) = value else { return [] }
    return members
  }

  func text(in terminal: Terminal) -> String {
    let record = summary.dataset
    if summary.isAlreadyThere {
      return """
        already imported: \(record.name) is this input (import \(record.importVersion), \
        \(record.importedAt)); nothing was done
        """ + (record.issues > 0 ? "\n" + issueLine(record.issues, in: terminal) : "")
    }
    let format = "\(record.format.rawValue): \(Terminal.safe(summary.detection.reason))"
    var lines = [
      "imported \(record.name) as \(format)",
      "read \(record.read) = accepted \(record.accepted) + rejected \(record.rejected), in "
        + "\(Fixed.text(summary.seconds)) s",
    ]
    if record.importVersion > 1 {
      lines.append(
        "samples: \(summary.added) new, \(summary.kept) kept, \(summary.retired) removed")
    }
    if let remote = summary.remote {
      let text =
        "note: \(Counted.text(remote.files, "file", "files")) (\(ByteText.text(remote.bytes))) at \(remote.address); "
        + "\(remote.fetchedFiles) fetched (\(ByteText.text(remote.fetchedBytes))) into \(remote.cache), which keeps up "
        + "to \(ByteText.text(remote.limit))"
      lines.append(Paragraph.text(text, in: terminal))
    }
    if let text = labelingLine { lines.append(Paragraph.text(text, in: terminal)) }
    lines += summary.notes.map { Paragraph.text("note: " + $0, in: terminal) }
    lines += listLines
    if summary.counts.areRegions, summary.counts.classes.count > Self.listedClasses {
      lines.append(
        Counted.text(summary.counts.classes.count, "class", "classes")
          + " (assay stats \(record.name) counts them)")
    } else {
      let table = SplitTable(summary.counts).text(in: terminal)
      lines += ["", summary.counts.areRegions ? "annotations\n" + table : table, ""]
    }
    lines.append(issues > 0 ? issueLine(issues, in: terminal) : "no issues")
    return lines.joined(separator: "\n")
  }

  /// The line about what is to be labeled; `nil` if the source has annotations.
  private var labelingLine: String? {
    let (record, names) = (summary.dataset, summary.classes)
    guard record.format.isUnlabeled, !names.isEmpty else { return nil }
    let task = LabelingTask.stated(for: record).map { "to be labeled for \($0.rawValue), with " }
    let list =
      names.prefix(Self.listedClasses).joined(separator: ", ")
      + (names.count > Self.listedClasses ? ", …" : "")
    return (task ?? "") + "the \(names.count == 1 ? "class" : "\(names.count) classes") \(list)"
  }

  /// The lines about annotations and images, if the source lists them.
  private var listLines: [String] {
    guard let lists = summary.lists else { return [] }
    let rejected = lists.annotationsRead - lists.annotationsKept
    return [
      "annotations: read \(lists.annotationsRead) = kept \(lists.annotationsKept) + rejected \(rejected)",
      "images: \(lists.imagesFound) of \(lists.images) found"
        + (lists.imagesFound < lists.images
          ? " (assay relink \(summary.dataset.name) DIR points to their folder)" : ""),
    ]
  }

  /// The line with the number of issues, by kind if this import counted them, and the command that
  /// lists them.
  private func issueLine(_ count: Int, in terminal: Terminal) -> String {
    let kinds = summary.issueCounts.map { "\($0.count) \($0.kind.rawValue)" }
    return terminal.wrong(
      "\(count) \(count == 1 ? "issue" : "issues")"
        + (kinds.isEmpty ? "" : ": " + kinds.joined(separator: ", ")))
      + " (assay issues \(summary.dataset.name))"
  }
}

/// A strict import that found issues, with all of them.
struct ImportRefusedResult: CommandResult {
  let refused: ImportRefused

  /// The maximum number of issues that the text lists.
  private static let listed = 100

  var json: JSONValue {
    [
      "status": "refused", "dataset": .string(refused.dataset), "read": JSONValue(refused.read),
      "rejected": JSONValue(refused.rejected),
      "issues": .array(refused.issues.map(\.summary)),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let count = refused.issues.count
    var lines = refused.issues.prefix(Self.listed).map {
      Terminal.safe("\($0.location): \($0.message)")
    }
    if count > Self.listed { lines.append("… and \(count - Self.listed) more (--json lists all)") }
    return terminal.wrong("refused: \(count) \(count == 1 ? "issue" : "issues") and --strict")
      + "; nothing was imported\n" + lines.joined(separator: "\n")
  }
}
