import AssayCore
import AssayWorkflows

/// The result of `assay tag` and `assay field`.
struct SampleEditResult: CommandResult {
  let summary: SampleTagging.Summary
  let author: String

  /// The number of keys of unreadable images that the text names.
  private static let named = 3

  var json: JSONValue {
    let edit: [JSONValue.Member] =
      switch summary.edit {
      case .tag(let edit): [.init("tag", .string(edit.tag))]
      case .field(let edit): [.init("field", .string(edit.name)), .init("value", edit.value)]
      }
    let counts: JSONValue = [
      "removed": .bool(summary.edit.isRemoval),
      "samples": JSONValue(summary.samples), "changed": JSONValue(summary.changed),
      "already": JSONValue(summary.already), "unreadable": JSONValue(summary.unreadable.count),
      "first_entry": summary.entries.map { .integer($0.lowerBound) } ?? .null,
      "last_entry": summary.entries.map { .integer($0.upperBound) } ?? .null,
    ]
    return .object(
      [.init("dataset", .string(summary.dataset)), .init("view", .string(summary.view))] + edit
        + (counts.members ?? []))
  }

  func text(in terminal: Terminal) -> String {
    let view = Terminal.safe(summary.view)
    var lines: [String] = []
    if let entries = summary.entries {
      let range =
        entries.count == 1
        ? "entry \(entries.lowerBound)" : "entries \(entries.lowerBound) to \(entries.upperBound)"
      let samples = Counted.text(summary.changed, "sample", "samples")
      lines.append("\(done) \(samples) of \(view) (\(range)); by \(author)")
    } else {
      lines.append("nothing to save")
    }
    if summary.samples == 0 {
      lines.append("no sample of \(view) matches")
    } else if summary.already > 0 {
      lines.append(Counted.text(summary.already, "sample", "samples") + " " + already)
    }
    if !summary.unreadable.isEmpty {
      let keys = summary.unreadable.prefix(Self.named).map(Terminal.safe).joined(separator: ", ")
      let more = summary.unreadable.count > Self.named ? ", …" : ""
      lines.append(
        terminal.wrong(
          "not changed: \(Counted.text(summary.unreadable.count, "sample", "samples"))")
          + " whose image cannot be read (\(keys)\(more)); assay check \(view) says why")
    }
    return lines.joined(separator: "\n")
  }

  /// The edit, before the number of samples.
  private var done: String {
    switch summary.edit {
    case .tag(let edit):
      let tag = "“\(Terminal.safe(edit.tag))”"
      return edit.isAddition ? "tagged \(tag):" : "removed \(tag) from"
    case .field(let edit):
      let name = Terminal.safe(edit.name)
      return edit.value == .null
        ? "removed \(name) from" : "set \(name) = \(Terminal.safe(edit.value.text())):"
    }
  }

  /// The state of samples that were not changed.
  private var already: String {
    switch summary.edit {
    case .tag(let edit): edit.isAddition ? "with the tag already" : "without the tag"
    case .field(let edit): edit.value == .null ? "without the field" : "with the value already"
    }
  }
}
