import AssayCore
import AssayStore
import AssayWorkflows

/// The result of `assay query`.
struct QueryResult: CommandResult {
  /// A sheet that was drawn.
  struct Sheet: Sendable {
    var path: String
    var pictures: Int
    var unreadable: Int
  }

  var found: FoundSamples
  /// True if only the count was requested.
  var isCount: Bool
  /// The maximum number of samples to list; `nil` for all.
  var listed: Int?
  var sheet: Sheet?

  private var samples: [SampleRecord] {
    listed.map { Array(found.samples.prefix($0)) } ?? found.samples
  }

  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("dataset", .string(found.selection.dataset.name)),
      .init("view", .string(found.selection.name)),
      .init("expression", JSONValue(found.expression)), .init("count", JSONValue(found.count)),
    ]
    if let lacking = found.withoutValue {
      members.append(.init("without_value", JSONValue(lacking)))
    }
    if !found.matching.isEmpty {
      members.append(.init("matching", .array(found.matching.map(\.json))))
    }
    if !isCount {
      members.append(.init("samples", .array(samples.indices.map { json(samples[$0], at: $0) })))
    }
    if let sheet {
      members.append(
        .init(
          "sheet",
          [
            "path": .string(sheet.path), "images": JSONValue(sheet.pictures),
            "unreadable": JSONValue(sheet.unreadable),
          ]))
    }
    return .object(members)
  }

  private func json(_ sample: SampleRecord, at index: Int) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("key", .string(sample.key)), .init("split", JSONValue(sample.split)),
      .init("label", JSONValue(found.label(of: sample))),
      .init("width", JSONValue(sample.size?.width)),
      .init("height", JSONValue(sample.size?.height)),
      .init("location", JSONValue(sample.location)),
    ]
    if found.selection.dataset.isMultiLabel || !sample.categories.isEmpty {
      members.append(.init("labels", .array(found.labels(of: sample).map { .string($0) })))
    }
    if found.frames.indices.contains(index) { members += found.frames[index] }
    if found.customFields.indices.contains(index) {
      let fields = found.customFields[index].sorted { $0.key < $1.key }
      members.append(.init("fields", .object(fields.map { .init($0.key, $0.value) })))
    }
    if found.tags.indices.contains(index) {
      members.append(.init("tags", .array(found.tags[index].map { .string($0) })))
    }
    if found.regions.indices.contains(index) {
      let regions: [JSONValue] = found.regions[index].map { count in
        [
          "category": .string(found.classes[count.category]), "count": JSONValue(count.instances),
          "crowds": JSONValue(count.crowds),
        ]
      }
      members.append(.init("regions", .array(regions)))
    }
    if !found.fields.isEmpty {
      members.append(
        .init(
          "values",
          .object(
            zip(found.fields, found.numbers[index]).map { field, number in
              .init(field, number.map { .number($0) } ?? .null)
            })))
    }
    return .object(members)
  }

  /// The matching conditions for `--count`, whose output is only the number, so that a script can
  /// read it.
  var remarks: [String] { isCount ? found.matching.map { "\($0)" } : [] }

  func text(in terminal: Terminal) -> String {
    var blocks: [String] = []
    if isCount {
      blocks = ["\(found.count)"]
    } else {
      let matching = found.matching.map { Terminal.safe("\($0)") }
      let noun = found.count == 1 ? "sample" : "samples"
      let headline = "\(found.count) \(noun) in \(Terminal.safe(found.selection.name))"
      blocks.append(([headline] + lacking + matching).joined(separator: "\n"))
      if !samples.isEmpty { blocks.append(table.text(in: terminal)) }
      let more = found.count - samples.count
      if more > 0 { blocks.append("… and \(more) more (--limit 0 lists all)") }
    }
    if let sheet {
      let missing =
        sheet.unreadable > 0 ? ", \(sheet.unreadable) could not be read (assay check says why)" : ""
      let of = sheet.pictures < found.count ? " of \(found.count)" : ""
      blocks.append(
        "written: \(Terminal.safe(sheet.path)) (\(sheet.pictures)\(of) "
          + "\(found.count == 1 ? "image" : "images")\(missing))")
    }
    return blocks.joined(separator: isCount ? "\n" : "\n\n")
  }

  /// The samples that have no place in the order.
  private var lacking: [String] {
    guard let count = found.withoutValue, count > 0, let field = found.fields.first else {
      return []
    }
    return [
      "\(count == found.count ? "none has" : "\(count) without") a value of "
        + "\(Terminal.safe(field))\(count == found.count ? "" : ", listed last")"
    ]
  }

  /// The table of samples. It has a file column only if a file differs from its key, a regions
  /// column only if there are regions, and no label column if there are only regions.
  private var table: TextTable {
    let hasFiles = samples.contains { $0.location != nil && $0.location != $0.key }
    let hasRegions = !found.regions.isEmpty
    let hasTags = found.tags.prefix(samples.count).contains { !$0.isEmpty }
    let hasLabels =
      !hasRegions
      || samples.contains {
        $0.category != nil || !$0.categories.isEmpty
      }
    var table = TextTable(
      [("key", .path), ("split", .left)] + (hasLabels ? [("label", .left)] : [])
        + [("size", .right)] + fieldNames.map { ($0, .right) }
        + customNames.map { ($0, .left) }
        + (hasRegions ? [("regions", .left)] : []) + (hasTags ? [("tags", .left)] : [])
        + (hasFiles ? [("file", .path)] : []))
    for (index, sample) in samples.enumerated() {
      var cells = [sample.key, sample.split ?? "–"]
      if hasLabels {
        let labels = found.allLabels(of: sample)
        cells.append(labels.isEmpty ? "–" : labels.joined(separator: ", "))
      }
      cells.append(sample.size?.description ?? "–")
      cells += found.fields.indices.map { field in
        found.numbers[index][field].map { Self.text($0) } ?? "–"
      }
      for name in customNames {
        let value = found.customFields[index][name]
        cells.append(value.map { $0.text ?? $0.text() } ?? "–")
      }
      if hasRegions { cells.append(Self.text(found.regions[index], found.classes)) }
      if hasTags {
        cells.append(found.tags[index].isEmpty ? "–" : found.tags[index].joined(separator: ", "))
      }
      cells.append(sample.location ?? "–")
      table.add(cells)
    }
    return table
  }

  /// The custom fields of the search, each once; without the one that is sorted by, which has a column of its own.
  private var customNames: [String] {
    var seen: Set<String> = []
    return found.customNames.filter { seen.insert($0).inserted }
      .filter { !found.fields.contains("field(\($0))") }
  }

  /// The field names, without IoU and score if each run has only one of each; these are shown above
  /// the table.
  private var fieldNames: [String] {
    guard Set(found.matching.map(\.run)).count == found.matching.count else { return found.fields }
    return found.fields.map { $0.replacing(#/, (iou|score): [0-9.e+-]+/#, with: "") }
  }

  private static func text(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15
      ? String(Int(number)) : Fixed.text(number, places: abs(number) < 1 ? 4 : 2)
  }

  /// `person×2, dog, person (crowd)`.
  private static func text(_ regions: [RegionCount], _ classes: [String]) -> String {
    func times(_ count: Int) -> String { count > 1 ? "×\(count)" : "" }
    let instances = regions.filter { $0.instances > 0 }
      .map { classes[$0.category] + times($0.instances) }
    let crowds = regions.filter { $0.crowds > 0 }
      .map { "\(classes[$0.category]) (crowd\(times($0.crowds)))" }
    let parts = instances + crowds
    return parts.isEmpty ? "–" : parts.joined(separator: ", ")
  }
}

extension MatchBasis {
  fileprivate var json: JSONValue {
    ["run": .string(run), "iou": JSONValue(iou), "score": JSONValue(score)]
  }
}
