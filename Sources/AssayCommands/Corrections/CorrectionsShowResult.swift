import AssayCore
import AssayStore
import AssayWorkflows

/// The result of `assay corrections show`.
struct CorrectionsShowResult: CommandResult {
  let name: SampleName
  let sample: SampleRecord
  /// The entry; `nil` for the whole sample.
  let entry: LedgerEntry?
  /// The ground truth as the entries state it, with classes that the dataset no longer has.
  let truth: EffectiveTruth
  /// The classes of labels and objects that are left out because the dataset does not have them, sorted.
  let leftOutClasses: [String]
  /// The independent versions of the sample.
  let versions: [(version: IndependentVersion, truth: EffectiveTruth)]
  let difference: TruthDifference
  /// The images that were written.
  var files: [String] = []

  private var title: String { "\(name.dataset):\(name.key)" }

  // MARK: JSON

  var json: JSONValue {
    [
      "sample": .string(title), "dataset": .string(name.dataset), "key": .string(name.key),
      "entry": entry.map { .integer($0.sequence) } ?? .null,
      "status": .string(truth.status.rawValue), "label": JSONValue(truth.label),
      "labels": Self.json(truth.labels),
      "left_out": JSONValue(truth.leftOut),
      "left_out_classes": .array(leftOutClasses.map { .string($0) }),
      "note": JSONValue(truth.note),
      "head": truth.head.map { .integer($0) } ?? .null,
      "corrections": JSONValue(truth.corrections), "changes": difference.json,
      "objects": .array(truth.objects.map(json(of:))),
      "visits": .array(
        truth.visits.map { visit in
          [
            "visit": .string(visit.visit), "author": .string(visit.author),
            "first": JSONValue(visit.firstTime), "last": JSONValue(visit.lastTime),
            "seconds": JSONValue(visit.seconds), "entries": JSONValue(visit.entries),
            "correction": .bool(visit.isNetChange),
          ]
        }),
      "history": .array(truth.history.map(json(of:))),
      "conflicts": .array(
        truth.conflicts.map { branch in
          [
            "entries": .array(branch.entries.map { .integer($0.sequence) }),
            "head": .integer(branch.head),
            "forked_from": branch.forkedFrom.map { .integer($0) } ?? .null,
            "label": JSONValue(branch.label), "labels": Self.json(branch.labels),
            "left_out": JSONValue(branch.leftOut),
            "objects": JSONValue(branch.objects.count),
          ]
        }),
      "versions": .array(
        versions.map { version, own in
          [
            "author": .string(version.author), "review": .string(version.review),
            "status": .string(own.status.rawValue), "label": JSONValue(own.label),
            "labels": Self.json(own.labels), "left_out": JSONValue(own.leftOut),
            "objects": JSONValue(own.objects.count),
            "entries": .array(
              own.history.filter(\.entry.isIndependent).map { .integer($0.entry.sequence) }),
          ]
        }),
      "skipped": [
        "unknown": JSONValue(truth.skipped.unknown),
        "unreadable": JSONValue(truth.skipped.unreadable),
        "missing": JSONValue(truth.skipped.missing),
        "other_task": JSONValue(truth.skipped.otherTask),
        "image_changed": JSONValue(truth.skipped.imageChanged),
      ],
      "files": .array(files.map { .string($0) }),
    ]
  }

  private static func json(_ labels: Set<String>?) -> JSONValue {
    labels.map { .array($0.sorted().map { .string($0) }) } ?? .null
  }

  private func json(of object: AnnotatedObject) -> JSONValue {
    [
      "object": .string(ObjectName.text(object.target, in: truth.history)),
      "target": .string(object.target.text), "category": .string(object.category),
      "shape": .string(object.shape.rawValue), "crowd": .bool(object.isCrowd),
      "area": JSONValue(object.area),
      "box": object.box.map {
        .array([$0.x, $0.y, $0.width, $0.height].map { .number($0) })
      } ?? .null, "changed": .bool(object.isChanged),
    ]
  }

  private func json(of item: HistoryItem) -> JSONValue {
    let tag =
      (item.remarks.tag.map { [JSONValue.Member("tag", .string($0))] } ?? [])
      + (item.remarks.field.map { SampleEdit.field($0).members } ?? [])
    let members: JSONValue = [
      "entry": .integer(item.entry.sequence), "uuid": .string(item.entry.uuid),
      "kind": .string(item.entry.kind), "target": .string(item.entry.target),
      "category": JSONValue(item.remarks.category), "author": .string(item.remarks.author),
      "tool": JSONValue(item.remarks.tool), "time": JSONValue(item.remarks.time),
      "seconds": JSONValue(item.remarks.seconds), "note": JSONValue(item.remarks.note),
      "visit": .string(item.entry.visit), "counts": .bool(item.isActive),
      "conflict": .bool(item.isConflict), "included": .bool(item.isIncluded),
    ]
    guard case .object(let known) = members else { return members }
    return .object(known + tag)
  }

  // MARK: Text

  func text(in terminal: Terminal) -> String {
    var head = [headline]
    if let leftOut = truth.leftOut { head.append("left out: \(Terminal.safe(leftOut))") }
    if !truth.tags.isEmpty {
      head.append(Terminal.safe("tags: " + truth.tags.joined(separator: ", ")))
    }
    if !truth.fields.isEmpty {
      let fields = truth.fields.map { FieldEdit(name: $0.name, value: $0.value).words }
      head.append(Terminal.safe("fields: " + fields.joined(separator: ", ")))
    }
    if let note = truth.note { head.append("note: \(Terminal.safe(note))") }
    if truth.skipped.total > 0 { head.append(terminal.wrong(skipped)) }
    if !leftOutClasses.isEmpty {
      let names = leftOutClasses.map { "“\($0)”" }.joined(separator: ", ")
      head.append(
        terminal.wrong(
          Terminal.safe("left out: labels and objects of \(names), which the dataset does not have")
        ))
    }
    var parts = [head.joined(separator: "\n")]
    if !truth.history.isEmpty { parts.append(history(in: terminal)) }
    if !truth.objects.isEmpty { parts.append(objects(in: terminal)) }
    for branch in truth.conflicts { parts.append(conflict(branch, in: terminal)) }
    if !versions.isEmpty { parts.append(versionTable.text(in: terminal)) }
    if !files.isEmpty { parts.append(files.map(Terminal.safe).joined(separator: "\n")) }
    return parts.joined(separator: "\n\n")
  }

  private var versionTable: TextTable {
    var table = TextTable([
      ("independent version", .left), ("review", .left), ("status", .left), ("what", .left),
    ])
    for (version, own) in versions {
      let words = TruthDifference(from: truth.content, to: own.content).words
      table.add([
        version.author, version.review, own.status.words,
        words.isEmpty ? "as the ground truth" : words.joined(separator: ", "),
      ])
    }
    return table
  }

  private var headline: String {
    let words = difference.words.joined(separator: ", ")
    if let entry {
      let author = entry.remarks.author
      return Terminal.safe(
        "entry \(entry.sequence) (\(entry.kind)) of \(title) by \(author): "
          + (words.isEmpty ? "no change" : words))
    }
    var text = "\(title): \(truth.status.words)"
    text += ", \(Counted.text(truth.corrections, "correction", "corrections"))"
    return Terminal.safe(
      text + "; " + (words.isEmpty ? "the ground truth is the imported one" : words))
  }

  private var skipped: String {
    let skipped = truth.skipped
    let reasons = [
      (skipped.imageChanged, "made on another image"), (skipped.unreadable, "unreadable"),
      (skipped.unknown, "of a later version"), (skipped.missing, "about missing objects"),
      (
        skipped.otherTask,
        truth.labels == nil ? "about a set of labels" : "about one label instead of a set"
      ),
    ].filter { $0.0 > 0 }
    return "not used: "
      + reasons.map { "\(Counted.text($0.0, "entry", "entries")) \($0.1)" }.joined(separator: ", ")
  }

  private func history(in terminal: Terminal) -> String {
    var table = TextTable([
      ("entry", .right), ("time", .left), ("by", .left), ("what", .left), ("about", .left),
      ("", .left), ("note", .left),
    ])
    for item in truth.history {
      let entry = item.entry
      table.add([
        "\(entry.sequence)", item.remarks.time ?? "–", item.remarks.author, entry.kind,
        about(item),
        item.isConflict
          ? "conflict" : !item.isActive ? "not used" : item.isIncluded ? "imported" : "",
        item.remarks.note ?? "",
      ])
    }
    return table.text(in: terminal)
  }

  /// The object of an entry in words.
  private func about(_ item: HistoryItem) -> String {
    let category = item.remarks.category
    guard let target = CorrectionTarget(text: item.entry.target) else { return item.entry.target }
    switch target {
    case .label: return category ?? "label"
    case .region(_, let name): return name
    case .sample:
      if let named = item.entry.named,
        let other = truth.history.first(where: { $0.entry.uuid == named })
      {
        return "entry \(other.entry.sequence)"
      }
      return category ?? item.remarks.tag ?? item.remarks.field?.words ?? ""
    case .annotation, .made:
      return ([ObjectName.text(target, in: truth.history)] + (category.map { [$0] } ?? []))
        .joined(separator: " ")
    }
  }

  private func objects(in terminal: Terminal) -> String {
    var table = TextTable([
      ("object", .left), ("class", .left), ("shape", .left), ("area", .right), ("box", .left),
      ("", .left),
    ])
    for object in truth.objects {
      let box = object.box.map { box in
        [box.x, box.y, box.width, box.height].map { Fixed.text($0, places: 1) }
          .joined(separator: " ")
      }
      table.add([
        ObjectName.text(object.target, in: truth.history),
        object.category + (object.isCrowd ? " (crowd)" : ""), object.shape.rawValue,
        Fixed.text(object.area, places: 0), box ?? "–",
        leftOutClasses.contains(object.category)
          ? "left out" : object.isChanged ? "changed" : "",
      ])
    }
    return table.text(in: terminal)
  }

  private func conflict(_ branch: ConflictBranch, in terminal: Terminal) -> String {
    let numbers = branch.entries.map { "\($0.sequence)" }.joined(separator: ", ")
    let author = branch.entries.first?.remarks.author ?? ""
    let version = TruthDifference(
      from: truth.content,
      to: ReplayedContent(
        label: branch.label, labels: branch.labels, objects: branch.objects,
        leftOut: branch.leftOut, size: truth.size)
    ).words
    return [
      terminal.wrong("conflict")
        + Terminal.safe(
          ": entry \(numbers) by \(author), made on "
            + (branch.forkedFrom.map { "entry \($0)" } ?? "the imported ground truth")
            + ", is kept but not used; compared with the current version: "
            + (version.isEmpty ? "no difference" : version.joined(separator: ", "))),
      "next: \(branch.command(of: name))",
    ].joined(separator: "\n")
  }
}
