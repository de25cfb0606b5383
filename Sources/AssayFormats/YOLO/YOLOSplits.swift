import AssayCore

/// The split of each image, as data files and lists assign it.
struct YOLOSplits {
  /// A listed image that does not exist.
  struct Missing: Hashable, Sendable {
    /// The path where it would most likely be.
    var path: String
    /// The line of the list.
    var location: IssueLocation
    var split: Int16
  }

  /// The names of the splits.
  private(set) var names: [String] = []
  /// The split of each file, an index into ``names``; -1 for a file without one.
  private(set) var splits: [Int16]
  /// The listed images that do not exist, each path once.
  private(set) var missing: [Missing] = []
  /// The indices of the lists that were read.
  private(set) var lists: Set<Int> = []
  private(set) var issues: [Issue] = []

  private let files: SortedFiles
  private var finder: YOLOPathFinder
  private var absent: Set<String> = []
  /// The number of issues of each kind in the list that is read.
  private var counts: [IssueKind: Int] = [:]

  /// The maximum length of a line in bytes; longer than any path on Linux.
  private static let lineLimit = 1 << 13
  /// The number of issues of a kind that are listed individually for each list.
  private static let listed = 100
  /// The maximum number of splits.
  private static let splitLimit = 1000

  init(_ files: SortedFiles) {
    self.files = files
    finder = YOLOPathFinder(files)
    splits = Array(repeating: -1, count: files.count)
  }

  /// True if a list or folder was assigned.
  var isEmpty: Bool { names.isEmpty }

  /// The number of a split; a new one if it is not known.
  mutating func number(of name: String) -> Int16 {
    if let known = names.firstIndex(of: name) { return Int16(known) }
    // Only a data file with thousands of keys has more; they share the last split.
    if names.count < Self.splitLimit { names.append(name) }
    return Int16(names.count - 1)
  }

  /// Assigns the images in a folder and the folders below it.
  ///
  /// - Parameter location: where the folder is named.
  /// - Returns: the number of images in it.
  mutating func add(
    folder: String, split name: String, roles: [YOLOFileRole], at location: IssueLocation
  ) -> Int {
    let split = number(of: name)
    var others: [Int16: (count: Int, first: Int)] = [:]
    var count = 0
    for index in files.range(below: folder) where roles[index].isImage {
      count += 1
      if splits[index] < 0 {
        splits[index] = split
      } else if splits[index] != split {
        others[splits[index], default: (0, index)].count += 1
      }
    }
    for (other, found) in others.sorted(by: { $0.key < $1.key }) {
      issues.append(
        Issue(
          .duplicateID, .warning, at: location,
          "\(found.count) \(found.count == 1 ? "image" : "images") of '\(name)' "
            + "(\(files[found.first])\(found.count == 1 ? "" : ", …")) "
            + "\(found.count == 1 ? "is" : "are") already in split '\(names[Int(other)])'; "
            + "kept there"
        ))
    }
    return count
  }

  /// Assigns the images of a list.
  ///
  /// - Parameters:
  ///   - bases: the folders that its paths can be relative to, most likely first.
  ///   - roles: the roles of all files; a listed file of no other role becomes an image.
  /// - Returns: the number of lines that name an image.
  /// - Throws: any error that the tree throws.
  mutating func add(
    list: Int, split name: String, bases: [String], roles: inout [YOLOFileRole],
    in tree: any SourceTree
  ) throws -> Int {
    let split = number(of: name)
    let path = files[list]
    lists.insert(list)
    finder.reset()
    counts.removeAll()
    var count = 0
    var number = 0
    var blocks = LineBlocks(
      try ByteStream(tree, files.files[list]), blockBytes: 1 << 18, lineLimit: Self.lineLimit)
    while let block = try blocks.next() {
      guard !block.isOverlong else {
        number += 1
        note(
          .lineTooLong, IssueLocation(file: path, line: number),
          "the line is longer than \(Self.lineLimit) bytes; left out")
        continue
      }
      let text = block.bytes[..<block.count]
      let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for line in text.last == UInt8(ascii: "\n") ? lines.dropLast() : lines[...] {
        number += 1
        let location = IssueLocation(file: path, line: number)
        guard let words = String(validating: line, as: UTF8.self)?.trimmingBlanks else {
          note(.badUTF8, location, "the line is not UTF-8; left out")
          continue
        }
        guard !words.isEmpty else { continue }
        count += 1
        assign(words, split, bases, &roles, at: location)
      }
    }
    for (kind, all) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where all > Self.listed {
      issues.append(
        Issue(
          kind, .warning, at: IssueLocation(file: path),
          "\(all - Self.listed) more lines with such a problem"))
    }
    return count
  }

  /// Assigns one image.
  private mutating func assign(
    _ words: String, _ split: Int16, _ bases: [String], _ roles: inout [YOLOFileRole],
    at location: IssueLocation
  ) {
    let index = finder.file(words, bases: bases)
    if let index, roles[index] == .other { roles[index] = .image }
    guard let index, roles[index].isImage else {
      let path = index.map { files[$0] } ?? finder.likelyPath(words, bases: bases)
      guard absent.insert(path).inserted else {
        return note(.duplicateID, location, "\(words) was listed before; left out", .warning)
      }
      missing.append(Missing(path: path, location: location, split: split))
      return
    }
    guard splits[index] >= 0 else {
      splits[index] = split
      return
    }
    note(
      .duplicateID, location,
      splits[index] == split
        ? "\(files[index]) was listed before; left out"
        : "\(files[index]) is already in split '\(names[Int(splits[index])])'; kept there", .warning
    )
  }

  private mutating func note(
    _ kind: IssueKind, _ location: IssueLocation, _ message: String,
    _ severity: Issue.Severity = .error
  ) {
    counts[kind, default: 0] += 1
    guard counts[kind, default: 0] <= Self.listed else { return }
    issues.append(Issue(kind, severity, at: location, message))
  }
}
