import AssayCore
import AssayStore
import AssayWorkflows

/// The result of `assay merge`.
struct MergeResult: CommandResult {
  let summary: MergeSummary

  var json: JSONValue {
    [
      "dataset": summary.dataset.summary,
      "sources": .array(
        summary.sources.map {
          [
            "dataset": .string($0.dataset), "views": .array($0.views.map { .string($0) }),
            "samples": JSONValue($0.samples), "left_out": JSONValue($0.leftOut),
            "duplicates": JSONValue($0.duplicates),
          ]
        }),
      "samples": JSONValue(summary.dataset.samples), "added": JSONValue(summary.added),
      "kept": JSONValue(summary.kept), "retired": JSONValue(summary.retired),
      "same_images": JSONValue(summary.sameImages),
      "duplicates": .string(summary.duplicates.rawValue),
      "united": [
        "added": JSONValue(summary.united.added), "identical": JSONValue(summary.united.identical),
      ],
      "classes": .array(summary.classes.map { .string($0) }), "counts": table.json,
      "notes": .array(summary.notes.map { .string($0) }),
    ]
  }

  private var table: SplitTable {
    var table = SplitTable(summary.splits, classes: summary.classes)
    table.isMultiLabel = summary.dataset.isMultiLabel
    return table
  }

  static func notes(_ summary: MergeSummary, in terminal: Terminal) -> [String] {
    summary.notes.map { Paragraph.text(Terminal.safe("note: " + $0), in: terminal) }
  }

  func text(in terminal: Terminal) -> String {
    let parts = summary.sources.map {
      "\($0.views.joined(separator: ", ")) (\(Counted.text($0.samples, "sample", "samples")))"
    }
    let name = summary.dataset.name
    var lines = [
      Terminal.safe(
        "merged \(parts.joined(separator: ", ")) into \(name): "
          + "\(Counted.text(summary.dataset.samples, "sample", "samples")), "
          + Counted.text(summary.classes.count, "class", "classes"))
    ]
    if summary.dataset.importVersion > 1 {
      lines.append(
        "samples: \(summary.added) new, \(summary.kept) kept, \(summary.retired) removed")
    }
    lines += Self.notes(summary, in: terminal)
    lines += ["", table.text(in: terminal), "", "next: assay stats \(name)"]
    return lines.joined(separator: "\n")
  }
}
