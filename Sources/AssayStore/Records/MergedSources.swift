package import AssayCore

/// The datasets whose images a merged dataset refers to, as its options keep them.
///
/// The location of an image starts with the name of its source: `a/train/1.png`. A source can be a
/// merged dataset itself.
extension DatasetRecord {
  /// The member of the options that lists the sources.
  package static let sourcesMember = "sources"

  /// The sources of a merged dataset, each with its name, format, root and options; empty for other
  /// datasets.
  package var mergedSources: [DatasetRecord] {
    guard options.contains("\"\(Self.sourcesMember)\""),
      let list = (try? JSONValue(parsing: options))?[Self.sourcesMember]?.elements
    else { return [] }
    return list.compactMap { item in
      guard let name = item["name"]?.text, let root = item["root"]?.text,
        let format = item["format"]?.text.flatMap(DatasetFormat.init(rawValue:)),
        let options = item["options"]
      else { return nil }
      var source = self
      source.name = name
      source.root = root
      source.format = format
      source.options = options.text()
      return source
    }
  }

  /// The format in words: of a merged dataset those of its sources, `merged: coco, yolo`.
  package var formatText: String {
    guard !mergedSources.isEmpty else { return format.rawValue }
    var formats: [String] = []
    for format in mergedFormats where !formats.contains(format) { formats.append(format) }
    return "merged: " + formats.joined(separator: ", ")
  }

  private var mergedFormats: [String] {
    let sources = mergedSources
    return sources.isEmpty ? [format.rawValue] : sources.flatMap(\.mergedFormats)
  }

  /// The entry of this dataset in the options of a merged one.
  package var sourceEntry: JSONValue {
    [
      "name": .string(name), "format": .string(format.rawValue), "root": .string(root),
      "options": (try? JSONValue(parsing: options)) ?? .object([]),
    ]
  }

  /// The options of a merged dataset with another root for one of its sources.
  ///
  /// - Parameter name: the source; `a/b` for the source b of the merged source a.
  /// - Returns: `nil` if there is no such source.
  package func options(movingSource name: String, to root: String) -> String? {
    guard let value = try? JSONValue(parsing: options) else { return nil }
    return Self.moving(value, name.split(separator: "/").map(String.init)[...], to: root)?.text()
  }

  private static func moving(
    _ options: JSONValue, _ path: ArraySlice<String>, to root: String
  ) -> JSONValue? {
    guard let name = path.first, case .object(var members) = options,
      let place = members.firstIndex(where: { $0.name == sourcesMember }),
      var list = members[place].value.elements,
      let source = list.firstIndex(where: { $0["name"]?.text == name }),
      case .object(var entry) = list[source]
    else { return nil }
    let isLast = path.count == 1
    guard let member = entry.firstIndex(where: { $0.name == (isLast ? "root" : "options") })
    else { return nil }
    if isLast {
      entry[member].value = .string(root)
    } else {
      guard let inner = moving(entry[member].value, path.dropFirst(), to: root) else { return nil }
      entry[member].value = inner
    }
    list[source] = .object(entry)
    members[place].value = .array(list)
    return .object(members)
  }
}
