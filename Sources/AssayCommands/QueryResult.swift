import AssayCore
import AssayStore
import AssayWorkflows

/// What `assay query` prints.
struct QueryResult: CommandResult {
  /// A sheet that was drawn.
  struct Sheet: Sendable {
    var path: String
    var pictures: Int
    var unreadable: Int
  }

  var found: FoundSamples
  /// Whether only the number was asked for.
  var isCount: Bool
  /// The most samples to list; `nil` for all.
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
    if !isCount { members.append(.init("samples", .array(samples.map(json)))) }
    if let sheet {
      members.append(
        .init(
          "sheet",
          [
            "path": .string(sheet.path), "pictures": JSONValue(sheet.pictures),
            "unreadable": JSONValue(sheet.unreadable),
          ]))
    }
    return .object(members)
  }

  private func json(_ sample: SampleRecord) -> JSONValue {
    [
      "key": .string(sample.key), "split": JSONValue(sample.split),
      "label": JSONValue(found.label(of: sample)), "width": JSONValue(sample.size?.width),
      "height": JSONValue(sample.size?.height), "location": JSONValue(sample.location),
    ]
  }

  func text(in terminal: Terminal) -> String {
    var blocks: [String] = []
    if isCount {
      blocks.append("\(found.count)")
    } else {
      let noun = found.count == 1 ? "sample" : "samples"
      blocks.append("\(found.count) \(noun) in \(Terminal.safe(found.selection.name))")
      if !samples.isEmpty { blocks.append(table.text(in: terminal)) }
      let more = found.count - samples.count
      if more > 0 { blocks.append("… and \(more) more (--limit 0 lists all)") }
    }
    if let sheet {
      let missing =
        sheet.unreadable > 0 ? ", \(sheet.unreadable) could not be read (assay relink?)" : ""
      let of = sheet.pictures < found.count ? " of \(found.count)" : ""
      blocks.append(
        "written: \(Terminal.safe(sheet.path)) (\(sheet.pictures)\(of) "
          + "\(found.count == 1 ? "picture" : "pictures")\(missing))")
    }
    return blocks.joined(separator: isCount ? "\n" : "\n\n")
  }

  /// The samples; a file's column only where a file is not the key anyway.
  private var table: TextTable {
    let hasFiles = samples.contains { $0.location != nil && $0.location != $0.key }
    var table = TextTable(
      [("key", .path), ("split", .left), ("label", .left), ("size", .right)]
        + (hasFiles ? [("file", .path)] : []))
    for sample in samples {
      table.add([
        sample.key, sample.split ?? "–", found.label(of: sample) ?? "–",
        sample.size?.description ?? "–", sample.location ?? "–",
      ])
    }
    return table
  }
}
