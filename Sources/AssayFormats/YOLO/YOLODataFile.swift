import AssayCore

/// The file that describes a dataset: Ultralytics' `data.yaml`, or Darknet's `obj.data`.
struct YOLODataFile: Hashable, Sendable {
  /// The images of a split.
  struct Entry: Hashable, Sendable {
    /// The key, which is the name of the split.
    var split: String
    /// A folder, or a list of images, as the file spells it.
    var path: String
    var line: Int?
  }

  /// Its path below the source's root.
  var path: String
  /// The folder that the entries are relative to, as the file spells it; `nil` if it has none.
  var root: String?
  var entries: [Entry] = []
  /// The class names by number; `nil` if the file has none.
  var names: [Int: String]?
  /// The list of class names, as the file spells it; `nil` if it has none.
  var namesPath: String?
  /// The number of classes that the file states.
  var classCount: Int?
  /// The keypoints of each object; `nil` if the dataset has none.
  var keypoints: YOLOKeypointShape?
  /// The names of keypoints and their mirrored order; `nil` if it states neither.
  var keypointNames: YOLOKeypointNames?
  var issues: [Issue] = []

  /// The maximum size in bytes: 1 MiB.
  static let byteLimit = 1 << 20

  init(path: String) { self.path = path }

  /// The folder of the file.
  var folder: String { String(SortedFiles.folder(of: path)) }

  /// Reads a file.
  ///
  /// - Returns: `nil` if it does not describe a YOLO dataset.
  /// - Throws: ``FormatError/table(_:line:problem:)`` if it does, but is invalid; any error that
  ///   the tree throws.
  static func read(
    _ tree: any SourceTree, _ file: SourceFile, _ role: YOLOFileRole
  ) throws -> YOLODataFile? {
    guard file.size <= byteLimit else { return nil }
    let bytes = try tree.readAll(file.path, limit: byteLimit)
    guard !bytes.contains(0) else { return nil }
    guard let text = String(ofFile: bytes) else {
      // Another program's file: its names would not be readable.
      guard YOLODataFile.hasKeys(String(decoding: bytes, as: UTF8.self)) else { return nil }
      throw FormatError.table(
        file.path, line: 1, problem: "the file is not UTF-8; save it as UTF-8")
    }
    return role == .darknet
      ? YOLODataFile(darknet: text, path: file.path)
      : try YOLODataFile(yaml: text, path: file.path)
  }
}

extension YOLODataFile {
  /// The keys that are not splits.
  private static let otherKeys: Set<String> = [
    "classes", "names", "backup", "eval", "results", "labels", "top", "map", "cfg", "weights",
  ]

  /// Reads Darknet's lines `key = value`; `nil` if there is neither a list nor the names.
  init?(darknet text: String, path: String) {
    self.init(path: path)
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let content = line.prefix { $0 != "#" }
      guard let equals = content.firstIndex(of: "=") else { continue }
      let spelled = String(content[..<equals]).trimmingBlanks
      let key = spelled.lowercased()
      let value = String(content[content.index(after: equals)...]).trimmingBlanks
      guard !value.isEmpty else { continue }
      let isSplit = SplitName.isKnown(key) || value.hasSuffix(ignoringCase: ".txt")
      if key == "names" {
        namesPath = value
      } else if key == "classes" {
        noteCount(value, "classes", line: index + 1)
      } else if isSplit, !Self.otherKeys.contains(key) {
        entries.append(Entry(split: spelled, path: value, line: index + 1))
      }
    }
    guard namesPath != nil || !entries.isEmpty else { return nil }
  }

  /// Takes the stated number of classes.
  mutating func noteCount(_ text: String, _ key: String, line: Int?) {
    if let count = Int(text), (0...YOLOClasses.limit).contains(count) {
      classCount = count
    } else {
      issues.append(
        Issue(
          .badField, .warning, at: IssueLocation(file: path, line: line),
          "\(key) is '\(text.prefix(40))', expected a number of classes from 0 to "
            + "\(YOLOClasses.limit); ignored"))
    }
  }
}
