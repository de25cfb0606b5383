import AssayCore
import AssayStore
import AssayWorkflows

/// A saved entry and its effect on the ground truth.
struct CorrectionSavedResult: CommandResult {
  let name: SampleName
  let outcome: SaveOutcome
  let before: EffectiveTruth
  let author: String
  /// The entry that it undid or redid.
  var about: LedgerEntry?

  private var difference: TruthDifference {
    TruthDifference(from: before.content, to: outcome.truth.content)
  }

  var json: JSONValue {
    [
      "sample": .string("\(name.dataset):\(name.key)"), "dataset": .string(name.dataset),
      "key": .string(name.key), "entry": .integer(outcome.entry.sequence),
      "uuid": .string(outcome.entry.uuid), "kind": .string(outcome.entry.kind),
      "author": .string(outcome.entry.remarks.author),
      "about": about.map { .integer($0.sequence) } ?? .null,
      "conflict": .bool(outcome.isConflict), "status": .string(outcome.truth.status.rawValue),
      "label": JSONValue(outcome.truth.label), "left_out": JSONValue(outcome.truth.leftOut),
      "changes": difference.json, "dropped": DroppedParts([outcome.entry]).json,
      "conflicts": JSONValue(outcome.truth.conflicts.count),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let entry = outcome.entry
    var what = difference.words
    if what.isEmpty {
      switch CorrectionKind(rawValue: entry.kind) {
      case .accept: what = ["accepted as is"]
      case .unsure: what = ["unsure"]
      case .note: what = ["note"]
      default: what = ["no change"]
      }
    }
    if let tag = about?.remarks.tag, difference.words.isEmpty {
      what = [(outcome.truth.tags.contains(tag) ? "with tag “" : "without tag “") + "\(tag)”"]
    }
    if let field = about?.remarks.field, difference.words.isEmpty {
      let value = outcome.truth.fields.first { $0.name == field.name }?.value
      what = [
        value.map {
          $0 == .null ? "without the field \(field.name)" : "\(field.name) = \($0.text())"
        }
          ?? "\(field.name) as in the source"
      ]
    }
    let about = about.map { "\(entry.kind) of entry \($0.sequence), " } ?? ""
    var lines = [
      Terminal.safe(
        "entry \(entry.sequence): \(name.dataset):\(name.key) \(about)\(what.joined(separator: ", "))"
      ) + "; by \(author)"
    ]
    for region in difference.regions where region.iou ?? 0 > 0 {
      lines.append(
        "\(Terminal.safe(region.category)): IoU before/after \(Fixed.text(region.iou))")
    }
    lines += DroppedParts([outcome.entry]).lines
    if outcome.isConflict {
      lines.append(
        terminal.wrong("conflict")
          + ": another user saved in the meantime; this version is stored as a conflict and is not"
          + " used"
      )
    }
    if let branch = outcome.truth.conflicts.last {
      lines.append("next: assay corrections show \(name.typed)")
      lines.append("then: \(branch.command(of: name))")
    }
    return lines.joined(separator: "\n")
  }
}

/// The result of a correction that equals the ground truth: nothing was saved.
struct CorrectionUnchangedResult: CommandResult {
  let name: SampleName
  let truth: EffectiveTruth

  var json: JSONValue {
    [
      "sample": .string("\(name.dataset):\(name.key)"), "dataset": .string(name.dataset),
      "key": .string(name.key), "entry": .null, "already": .bool(true),
      "status": .string(truth.status.rawValue), "label": JSONValue(truth.label),
      "left_out": JSONValue(truth.leftOut),
    ]
  }

  func text(in terminal: Terminal) -> String {
    "nothing to save\n" + Terminal.safe("\(name.dataset):\(name.key)")
      + " equals the ground truth; --accept confirms it"
  }
}

/// The result of a file of corrections.
struct CorrectionsBatchResult: CommandResult {
  let summary: CorrectionBatch.Summary
  let author: String

  private var conflicts: [(line: Int, outcome: AppendOutcome)] {
    summary.saved.filter(\.outcome.isConflict)
  }

  var json: JSONValue {
    [
      "file": .string(summary.file), "rows": JSONValue(summary.rows),
      "saved": JSONValue(summary.corrections.count), "notes": JSONValue(summary.notes),
      "already": JSONValue(summary.already), "samples": JSONValue(summary.samples),
      "dropped": DroppedParts(summary.saved.map(\.outcome.entry)).json,
      "conflicts": JSONValue(conflicts.count),
      "entries": .array(
        summary.saved.map { line, outcome in
          [
            "line": JSONValue(line), "entry": .integer(outcome.entry.sequence),
            "key": .string(outcome.entry.sample.key), "conflict": .bool(outcome.isConflict),
          ]
        }),
    ]
  }

  func text(in terminal: Terminal) -> String {
    var parts: [String] = []
    if summary.corrections.count > 0 {
      parts.append(
        "\(Counted.text(summary.corrections.count, "correction", "corrections")) to "
          + Counted.text(summary.samples, "sample", "samples"))
    }
    if summary.notes > 0 { parts.append(Counted.text(summary.notes, "note", "notes")) }
    var line = parts.joined(separator: " and ") + " saved"
    if let first = summary.saved.first?.outcome.entry.sequence,
      let last = summary.saved.last?.outcome.entry.sequence
    {
      line += first == last ? " (entry \(first))" : " (entries \(first) to \(last))"
    }
    var lines = [
      summary.saved.isEmpty ? "nothing to save" : line + "; by \(author)"
    ]
    if summary.already > 0 {
      lines.append(
        Counted.text(summary.already, "line equals", "lines equal") + " the ground truth already")
    }
    lines += DroppedParts(summary.saved.map(\.outcome.entry)).lines
    if !conflicts.isEmpty {
      lines.append(
        terminal.wrong(Counted.text(conflicts.count, "conflict", "conflicts"))
          + ": another user saved in the meantime; stored as conflicts: line "
          + conflicts.prefix(10).map { "\($0.line)" }.joined(separator: ", "))
    }
    return lines.joined(separator: "\n")
  }
}

extension DroppedParts {
  /// The value of the member `dropped`.
  fileprivate var json: JSONValue { ["parts": JSONValue(parts), "pixels": JSONValue(area)] }

  /// Lines about them, if there are any.
  fileprivate var lines: [String] {
    guard parts > 0 else { return [] }
    return [
      Counted.text(parts, "small part", "small parts") + " dropped ("
        + Counted.text(area, "pixel", "pixels") + "); --min-part 0 keeps them"
    ]
  }
}

extension TruthDifference {
  /// The value of the member `changes`.
  var json: JSONValue {
    [
      "label": labelBefore == labelAfter
        ? .null : ["before": JSONValue(labelBefore), "after": JSONValue(labelAfter)],
      "left_out": leftOutBefore == leftOutAfter
        ? .null : ["before": JSONValue(leftOutBefore), "after": JSONValue(leftOutAfter)],
      "regions": .array(
        regions.map { region in
          [
            "category": .string(region.category), "added": JSONValue(region.added),
            "removed": JSONValue(region.removed), "iou": JSONValue(region.iou),
          ]
        }),
      "objects": [
        "added": JSONValue(added.count), "removed": JSONValue(removed.count),
        "changed": JSONValue(changed.count),
      ],
    ]
  }
}

extension ConflictBranch {
  /// The command that resolves the conflict, with what to choose.
  func command(of name: SampleName) -> String {
    "assay corrections add --sample \(name.typed) --conflict \(head) --keep this|head"
      + (obstacle == nil ? "|both" : "")
  }
}

extension SampleName {
  /// The text as typed in a shell, control characters made visible.
  var typed: String {
    let text = Terminal.safe("\(dataset):\(key)")
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || ":/._-".unicodeScalars.contains(scalar)
    }
    return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
