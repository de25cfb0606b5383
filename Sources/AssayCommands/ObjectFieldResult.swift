import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// The result of `assay field --objects` and `assay tag --objects`.
struct ObjectFieldResult: CommandResult {
  let summary: ObjectFieldEditing.Summary
  let author: String

  /// - Throws: `ValidationError` for options that say which ground truth counts.
  static func check(_ truth: TruthChoice) throws {
    guard truth != .imported else { return }
    throw ValidationError(
      "--objects goes by the corrected ground truth; leave out --corrected and --at")
  }

  /// Sets a field of the objects that fulfill a condition.
  static func setting(
    _ field: JSONValue.Member, of objects: String, in view: String, where expression: String?,
    by author: AuthorOptions, _ path: String, reportingTo progress: any ProgressSink
  ) throws -> ObjectFieldResult {
    let catalog = try CorrectedCatalog.open(
      path, .readOnly, truth: .corrected, reportingTo: progress
    ).catalog
    let summary = try ObjectFieldEditing(catalog: catalog, progress: progress).run(
      .init(
        view: view, field: field, objects: objects, expression: expression,
        author: author.found.name))
    return ObjectFieldResult(summary: summary, author: author.told)
  }

  private var edit: FieldEdit { FieldEdit(name: summary.field.name, value: summary.field.value) }

  var json: JSONValue {
    [
      "dataset": .string(summary.dataset), "view": .string(summary.view),
      "field": .string(edit.name), "value": edit.value, "removed": .bool(edit.value == .null),
      "samples": JSONValue(summary.samples), "objects": JSONValue(summary.objects),
      "changed": JSONValue(summary.changed),
      "already": JSONValue(summary.objects - summary.changed),
      "first_entry": summary.entries.map { .integer($0.lowerBound) } ?? .null,
      "last_entry": summary.entries.map { .integer($0.upperBound) } ?? .null,
    ]
  }

  func text(in terminal: Terminal) -> String {
    let view = Terminal.safe(summary.view)
    guard summary.objects > 0 else { return "nothing to save\nno object of \(view) matches" }
    var lines: [String] = []
    if let entries = summary.entries {
      let range =
        entries.count == 1
        ? "entry \(entries.lowerBound)" : "entries \(entries.lowerBound) to \(entries.upperBound)"
      lines.append(
        "\(Terminal.safe(edit.words)): \(Counted.text(summary.changed, "object", "objects")) of "
          + "\(Counted.text(summary.samples, "sample", "samples")) of \(view) (\(range)); by \(author)"
      )
    } else {
      lines.append("nothing to save")
    }
    let already = summary.objects - summary.changed
    if already > 0 {
      lines.append(
        Counted.text(already, "object", "objects")
          + (edit.value == .null ? " without the field" : " with the value already"))
    }
    return lines.joined(separator: "\n")
  }
}
