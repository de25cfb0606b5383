import AssayCore

/// The class names in the `dataset_meta.json` that Datumaro writes beside several formats.
enum DatumaroMeta {
  static let fileName = "dataset_meta.json"
  private static let byteLimit = 1 << 20
  private static let limit = 1000

  /// The names by number, from 0; `nil` if the source has no such file, or the file names no classes.
  ///
  /// - Throws: any error that the tree throws.
  static func names(_ files: [SourceFile], in tree: any SourceTree) throws -> [String]? {
    guard let file = IndexMaskPlan.file(files, called: [fileName]) else { return nil }
    let text = String(decoding: try tree.readAll(file.path, limit: byteLimit), as: UTF8.self)
    guard let value = try? JSONValue(parsing: text) else { return nil }
    var names: [String] = []
    if case .object(let members)? = value["label_map"] {
      let numbered = members.compactMap { member in
        Int(member.name).flatMap { id in member.value.text.map { (id, $0) } }
      }.sorted { $0.0 < $1.0 }
      guard numbered.map(\.0) == Array(0..<numbered.count) else { return nil }
      names = numbered.map(\.1)
    } else {
      names = value["labels"]?.elements?.compactMap(\.text) ?? []
    }
    return names.isEmpty || names.count > limit || names.contains("") ? nil : names
  }
}
