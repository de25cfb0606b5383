import AssayCore

/// The names of the classes of a source, and where they come from.
struct YOLONames {
  private(set) var classes: YOLOClasses
  private(set) var issues: [Issue] = []
  private(set) var notes: [String] = []

  /// Names from the command line, else from the data file, else from lists such as `obj.names`,
  /// else the numbers.
  ///
  /// - Throws: ``FormatError`` if lists contradict each other, or one is invalid.
  init(
    _ inventory: YOLOInventory, _ file: YOLODataFile?, given: [String]?
  ) throws {
    var lists: [(path: String, names: [Int: String])] = []
    let keypoints = file?.keypointNames
    var read: Set<Int> = []
    var main: (path: String, names: [Int: String])?
    if let file, let names = file.names, !names.isEmpty { main = (file.path, names) }
    if let file, file.namesPath != nil, main == nil {
      if let index = YOLODataFiles.namesFile(of: file, inventory) {
        read.insert(index)
        main = (inventory.files[index], try Self.read(index, inventory))
      } else {
        issues.append(
          Issue(
            .missingField, .warning, at: IssueLocation(file: file.path),
            "the list of names '\(file.namesPath ?? "")' does not exist"))
      }
    }
    for index in inventory.namesFiles where !read.contains(index) {
      // With names given, other lists need not be readable.
      if given != nil || main != nil {
        guard let names = try? Self.read(index, inventory) else { continue }
        lists.append((inventory.files[index], names))
      } else {
        lists.append((inventory.files[index], try Self.read(index, inventory)))
      }
    }
    lists.removeAll { $0.names.isEmpty }
    if let given {
      let names = Dictionary(uniqueKeysWithValues: given.enumerated().map { ($0, $1) })
      classes = YOLOClasses(
        names, at: IssueLocation(file: inventory.tree.name), keypoints: keypoints)
      if let path = main?.path ?? lists.first?.path {
        notes.append("the names of --classes replace those of \(path)")
      }
    } else if let main {
      classes = YOLOClasses(
        main.names, at: IssueLocation(file: main.path), keypoints: keypoints)
      let others = lists.filter { $0.names != main.names }.map(\.path)
      if let first = others.first {
        notes.append(
          "the class names are those of \(main.path); "
            + (others.count == 1 ? "\(first) has" : "\(others.count) lists (\(first), …) have")
            + " other names")
      }
      noteCount(file, main)
    } else if let first = lists.first {
      if let other = lists.first(where: { $0.names != first.names }) {
        throw FormatError.mismatch(
          name: inventory.tree.name, format: .yolo,
          reason: "its lists of class names differ (\(first.path) has \(first.names.count), "
            + "\(other.path) \(other.names.count)); import the folders one at a time, or give "
            + "--classes a,b,c")
      }
      classes = YOLOClasses(
        first.names, at: IssueLocation(file: first.path), keypoints: keypoints)
      noteCount(file, first)
    } else {
      classes = YOLOClasses(count: file?.classCount, keypoints: keypoints)
      notes.append(
        "there are no class names, so the classes are called by their numbers; --classes a,b,c "
          + "names them")
    }
    issues += classes.issues
  }

  /// Reports a stated number of classes that is not the number of names.
  private mutating func noteCount(
    _ file: YOLODataFile?, _ list: (path: String, names: [Int: String])
  ) {
    guard let file, let count = file.classCount, count != list.names.count else { return }
    issues.append(
      Issue(
        .badField, .warning, at: IssueLocation(file: file.path),
        "\(file.path) states \(Counted.text(count, "class", "classes")), and \(list.path == file.path ? "it" : list.path) "
          + "has \(Counted.text(list.names.count, "name", "names")); the names are used"))
  }

  /// The names of a list whose lines all begin with their numbers, from 0 (`0: cat`); `nil` for other lists.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)`` for numbers that do not count from 0, and for several names on the
  ///   only line.
  private static func numbered(_ text: String, _ path: String) throws -> [Int: String]? {
    let lines = ClassNames.lines(of: text)
    if lines.count == 1, lines[0].contains(",") {
      throw FormatError.table(
        path, line: 1,
        problem: "the list of names has one line with commas; write one name per line")
    }
    let parts = lines.compactMap { line -> (number: Int, name: String)? in
      let digits = line.prefix { $0.isASCII && $0.isNumber }
      let rest = line[digits.endIndex...]
      guard let number = Int(digits), let next = rest.first, ":, \t".contains(next) else {
        return nil
      }
      let name = String(rest.drop { ":, \t".contains($0) })
      return name.isEmpty ? nil : (number, name)
    }
    guard lines.count > 1, parts.count == lines.count else { return nil }
    guard Set(parts.map(\.number)) == Set(0..<lines.count) else {
      throw FormatError.table(
        path, line: 1,
        problem:
          "the lines begin with numbers, \(parts[0].number) to \(parts[parts.count - 1].number), that do not count "
          + "the classes of YOLO from 0; write one name per line, in the order of the classes")
    }
    return Dictionary(uniqueKeysWithValues: parts.map { ($0.number, $0.name) })
  }

  /// The names of a list by number: one per line, from 0.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)`` for a list that is not UTF-8 or too long; any
  ///   error that the tree throws.
  static func read(_ index: Int, _ inventory: YOLOInventory) throws -> [Int: String] {
    let path = inventory.files[index]
    let bytes = try inventory.tree.readAll(path, limit: YOLODataFile.byteLimit)
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw FormatError.table(path, line: 1, problem: "the list of names is not UTF-8 text")
    }
    if let numbered = try numbered(text, path) { return numbered }
    var names: [Int: String] = [:]
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      let name = String(line).trimmingBlanks
      guard number < YOLOClasses.limit else {
        throw FormatError.table(
          path, line: number + 1, problem: "the list has more than \(YOLOClasses.limit) names")
      }
      if !name.isEmpty { names[number] = name }
      number += 1
    }
    return names
  }
}
