import AssayCore

/// The names of classes that are numbers in lists.
struct NumberNaming {
  /// The names; `nil` if the numbers are places in a table of synsets, or the names themselves.
  private(set) var names: [NumberedClasses.Name]?
  private(set) var notes: [String] = []
  /// The file of the names.
  private(set) var known: [String] = []

  /// - Parameter files: the lists of class names in the source.
  /// - Throws: ``FormatError``; any error that the tree throws.
  init(
    _ tree: any SourceTree, _ synsets: SynsetNames, _ lists: ImageLists, _ files: [String],
    _ options: ImportOptions
  ) throws {
    let largest = lists.labels.compactMap { Int($0) }.max()
    if let given = options.classes {
      guard let largest else { throw FormatError.unusedOption("--classes", format: .imageNet) }
      guard largest < given.count else {
        throw FormatError.mismatch(
          name: tree.name, format: .imageNet,
          reason:
            "its lists have the class \(largest), and --classes names \(Counted.text(given.count, "class", "classes")), "
            + "from 0; give at least \(largest + 1) names")
      }
      names = given.enumerated().map { NumberedClasses.Name(number: $0, name: $1) }
      return
    }
    guard largest != nil else { return }
    if let file = synsets.file {
      notes.append("the numbers of the lists are places in \(file), from 0")
      return
    }
    let files = files + synsets.plain
    let folders = Set(lists.lists.map { String(SortedFiles.folder(of: $0.path)) })
    let near = files.first { folders.contains(String(SortedFiles.folder(of: $0))) }
    if let file = near ?? files.first {
      let found = Self.withoutNumbers(try NameList.names(tree, file))
      let numbers = lists.labels.compactMap { Int($0) }
      if found.map(\.number).elementsEqual(0..<found.count), numbers.max() == found.count,
        let least = numbers.min(), least > 0
      {
        throw FormatError.mismatch(
          name: tree.name, format: .imageNet,
          reason:
            "its lists have the classes \(least) to \(found.count), and \(file) names \(found.count), which count from 0; "
            + "if they count from 1, put a line for 0 before the first name")
      }
      names = found
      known = [file]
      notes.append("\(file) names the numbers of the lists, from 0")
    } else if let found = lists.folderNames {
      names = found
      notes.append("the numbers of the lists are named by the folders of their images")
    } else {
      notes.append("nothing names the numbers of the lists, so they are the classes")
    }
  }

  /// The names of Places365, whose lines have a path and their own number, `/a/airfield 0`; others are unchanged.
  private static func withoutNumbers(_ names: [NumberedClasses.Name]) -> [NumberedClasses.Name] {
    let plain = names.map { entry -> NumberedClasses.Name? in
      let words = entry.name.split(separator: " ")
      guard words.count == 2, words[0].first == "/", words[1] == String(entry.number) else {
        return nil
      }
      // The first folder is the first letter of the name.
      let parts = words[0].split(separator: "/")
      let isIndexed = parts.count > 1 && parts[0].count == 1 && parts[1].hasPrefix(parts[0])
      return NumberedClasses.Name(
        number: entry.number, name: parts.dropFirst(isIndexed ? 1 : 0).joined(separator: "/"))
    }
    let found = plain.compactMap(\.self)
    return found.count == names.count ? found : names
  }
}
