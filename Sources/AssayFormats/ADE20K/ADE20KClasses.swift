import AssayCore

/// The classes of ADE20K's scene parsing: `objectInfo150.txt`, a table of numbers and names.
struct ADE20KClasses {
  let path: String
  /// The name of each value; 0 is void.
  private(set) var names: [UInt16: String] = [0: "void"]
  private(set) var issues: [Issue] = []

  static let fileName = "objectinfo150.txt"
  /// The list of the images' scenes, which are not kept.
  static let scenesName = "scenecategories.txt"

  private static let byteLimit = 1 << 20

  /// The table of a source; `nil` if it has none with the columns `Idx` and `Name`.
  ///
  /// - Throws: any error that the tree throws.
  init?(_ files: [SourceFile], in tree: any SourceTree) throws {
    guard let file = IndexMaskPlan.file(files, called: [Self.fileName]),
      file.size <= Self.byteLimit
    else { return nil }
    let bytes = try tree.readAll(file.path, limit: Self.byteLimit)
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let header = lines.first.map(Self.fields) ?? []
    guard let number = header.firstIndex(of: "Idx"), let name = header.firstIndex(of: "Name") else {
      return nil
    }
    path = file.path
    for (place, line) in lines.enumerated().dropFirst()
    where !line.allSatisfy(\.isWhitespace) {
      add(Self.fields(line), number, name, line: place + 1)
    }
    guard names.count > 1 else { return nil }
  }

  private static func fields(_ line: Substring) -> [String] {
    line.split(separator: "\t", omittingEmptySubsequences: false).map {
      LabelSeparator.trimmed(String($0))
    }
  }

  private mutating func add(_ fields: [String], _ number: Int, _ name: Int, line: Int) {
    func note(_ kind: IssueKind, _ text: String) {
      issues.append(
        Issue(kind, .error, at: IssueLocation(file: path, line: line), text + "; left out"))
    }
    guard fields.indices.contains(number), fields.indices.contains(name) else {
      return note(.fieldCount, "the line has \(Counted.text(fields.count, "field", "fields"))")
    }
    guard let value = UInt16(fields[number]), (1...254).contains(value), !fields[name].isEmpty,
      fields[name].utf8.count <= 1000
    else { return note(.badField, "the line has no number from 1 to 254, or no name") }
    guard names[value] == nil else {
      return note(.duplicateID, "another class has the number \(value)")
    }
    names[value] = fields[name]
  }
}
