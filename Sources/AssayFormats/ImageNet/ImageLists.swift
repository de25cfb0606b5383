import AssayCore

/// The lists of images and classes of a source, resolved to its files.
struct ImageLists {
  /// A line of a list.
  struct Entry: Sendable {
    /// The index of the image's file; -1 - *n* for the *n*-th missing one.
    var image: Int32
    /// The index of the class's word.
    var label: Int32
    var line: Int32
    /// The index of the list.
    var list: Int32
  }

  /// The lists that were read.
  private(set) var lists: [(path: String, split: String?)] = []
  private(set) var entries: [Entry] = []
  /// The words of the classes, in order of first occurrence.
  private(set) var labels: [String] = []
  /// The paths of images that do not exist.
  private(set) var missing: [String] = []
  private(set) var issues: [Issue] = []
  /// The paths of all lists, also of tables that only name boxes.
  private(set) var known: Set<String> = []

  private let files: SortedFiles
  private var places: [String: Int32] = [:]
  private var missingPlaces: [String: Int32] = [:]
  private var limit = IssueLimit()
  /// The folder of each number's images; `nil` once two numbers have one folder, or one number two.
  private var folders: [String: String]? = [:]

  /// The number of lines of a list that are looked up to find the folder of its images.
  static let sought = 8
  private static let entryLimit = 10_000_000

  init(_ files: SortedFiles) { self.files = files }

  /// The split of a list that repeats the images of train and val.
  static let union = "trainval"

  /// Reads all lists, `trainval.txt` last.
  ///
  /// - Throws: ``FormatError``; any error that the tree throws.
  mutating func read(_ tree: any SourceTree, _ roles: [ImageNetRole]) throws {
    let unions = roles.indices.filter { roles[$0] == .list(split: Self.union) }
    for index in roles.indices.filter({ !unions.contains($0) }) + unions {
      let path = files[index]
      switch roles[index] {
      case .list(let split):
        guard let head = ImageList.head(tree, path, split, in: files) else { continue }
        try read(
          tree, path, split, names: head.entries.map(\.path), hasStems: head.hasStems,
          parts: head.parts)
      case .annotations(let split):
        guard let head = Self.annotationsHead(tree, path) else { continue }
        try read(tree, path, split, names: head) { Self.annotation($0) }
        noteBoxes(path)
      default: continue
      }
    }
    issues += limit.remainder(in: tree.name)
  }

  /// A line of Tiny ImageNet: image, synset, and a box.
  private static func annotation(_ line: String) -> (path: String, labels: [String])? {
    let fields = line.split { $0 == "\t" || $0 == " " }.map(String.init)
    guard fields.count == 6, PairPath.isImageName(fields[0]), ImageNetName.isSynset(fields[1])
    else { return nil }
    return (fields[0], [fields[1]])
  }

  /// The images in the beginning of Tiny ImageNet's list; `nil` for another file.
  static func annotationsHead(_ tree: any SourceTree, _ path: String) -> [String]? {
    var head = [UInt8](repeating: 0, count: 4096)
    guard let count = try? SourceContent.readHead(tree, path, into: &head) else { return nil }
    let lines = String(decoding: head[..<count], as: UTF8.self).split(whereSeparator: \.isNewline)
    let names = lines.prefix(sought).compactMap { annotation(String($0))?.path }
    return names.isEmpty ? nil : names
  }

  private mutating func noteBoxes(_ path: String) {
    note(
      .unsupportedField, .warning, path, nil, "the boxes of \(path) are not kept; the classes are")
  }

  private mutating func note(
    _ kind: IssueKind, _ severity: Issue.Severity, _ file: String, _ line: Int?, _ message: String
  ) {
    guard limit.admits(kind) else { return }
    issues.append(Issue(kind, severity, at: IssueLocation(file: file, line: line), message))
  }

  private mutating func read(
    _ tree: any SourceTree, _ path: String, _ split: String?, names: [String],
    hasStems: Bool = false, parts: (String) -> (path: String, labels: [String])?
  ) throws {
    let bases = Self.bases(of: names, near: path, split, hasStems: hasStems, in: files)
    let list = Int32(lists.count)
    lists.append((path, split))
    known.insert(path)
    var evidence = NumberRowEvidence()
    try ImageList.forEachLine(tree, path) { line, number in
      guard let (name, labels) = parts(line) else {
        note(
          .fieldCount, .error, path, number,
          "expected an image and its class, found “\(line.prefix(80))”; left out")
        return
      }
      guard entries.count < Self.entryLimit else {
        throw FormatError.tooManyRows(path, limit: Self.entryLimit)
      }
      guard let image = image(name, bases, hasStems: hasStems) else {
        note(
          .outsideRoot, .error, path, number, "“\(name)” is outside the imported folder; left out")
        return
      }
      evidence.add(labels, line: number)
      for label in labels {
        noteFolder(name, label)
        entries.append(
          Entry(
            image: image, label: place(of: label), line: Int32(clamping: number), list: list))
      }
    }
    if let problem = evidence.problem {
      throw FormatError.table(path, line: problem.line, problem: problem.text)
    }
  }

  private mutating func place(of label: String) -> Int32 {
    if let place = places[label] { return place }
    places[label] = Int32(labels.count)
    labels.append(label)
    return Int32(labels.count - 1)
  }

  /// The index of an image; `nil` if its name leaves the root.
  private mutating func image(_ name: String, _ bases: [String], hasStems: Bool) -> Int32? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: true)
    // Places365 begins paths below its folder of images with a slash.
    if name.hasPrefix("/") {
      let inner = String(name.drop { $0 == "/" })
      let isThere = bases.contains {
        Self.index(of: inner, in: $0, hasStems: hasStems, files) != nil
      }
      return isThere ? image(inner, bases, hasStems: hasStems) : nil
    }
    guard !name.contains("\\"), !name.utf8.contains(0),
      !parts.contains(".."), name.dropFirst().first != ":", !parts.isEmpty
    else { return nil }
    let plain = parts.filter { $0 != "." }.joined(separator: "/")
    guard !plain.isEmpty else { return nil }
    for base in bases {
      if let index = Self.index(of: plain, in: base, hasStems: hasStems, files) {
        return Int32(index)
      }
    }
    let path = SortedFiles.join(bases.first ?? "", plain)
    if let place = missingPlaces[path] { return -1 - place }
    missingPlaces[path] = Int32(missing.count)
    missing.append(path)
    return -Int32(missing.count)
  }

  /// The folders that the names of a list are relative to, most likely first.
  static func bases(
    of names: [String], near list: String, _ split: String?, hasStems: Bool = false,
    in files: SortedFiles
  ) -> [String] {
    let folder = String(SortedFiles.folder(of: list))
    var bases = [folder]
    if let split { bases.append(SortedFiles.join(folder, split)) }
    bases += [SortedFiles.join(folder, "images"), ""]
    let some = names.prefix(sought).map { String($0.drop { $0 == "/" }) }
    func count(_ base: String) -> Int {
      some.count { index(of: $0, in: base, hasStems: hasStems, files) != nil }
    }
    if bases.allSatisfy({ count($0) == 0 }) {
      // Anywhere else, such as Data/CLS-LOC/val.
      for name in some where !name.isEmpty && !name.contains("..") {
        for file in files.files {
          let path =
            hasStems
            ? file.path[..<SortedFiles.stem(of: file.path).endIndex] : file.path[...]
          guard path.hasSuffix("/" + name) else { continue }
          let base = String(path.dropLast(name.count + 1))
          if !bases.contains(base), bases.count < 64 { bases.append(base) }
        }
      }
    }
    let counts = Dictionary(
      bases.map { ($0, count($0)) }, uniquingKeysWith: { first, _ in first })
    return bases.enumerated().sorted { a, b in
      let (x, y) = (counts[a.element] ?? 0, counts[b.element] ?? 0)
      return x == y ? a.offset < b.offset : x > y
    }.map(\.element)
  }

  /// The index of an image's file.
  ///
  /// - Parameter hasStems: true if the name has no suffix.
  static func index(
    of name: String, in base: String, hasStems: Bool, _ files: SortedFiles
  ) -> Int? {
    let path = SortedFiles.join(base, name)
    guard hasStems else { return files.index(of: path) }
    return ImageName.candidates(path).lazy.compactMap { files.index(of: $0) }.first
  }

  // MARK: Folders of numbers

  /// Notes the folder of an image whose class is a number.
  private mutating func noteFolder(_ name: String, _ label: String) {
    guard folders != nil, Int(label) != nil,
      let folder = name.split(separator: "/").dropLast().last.map(String.init),
      !ImageNetName.isNeutral(folder)
    else { return }
    if let other = folders?[label] {
      if other != folder { folders = nil }
    } else {
      folders?[label] = folder
    }
  }

  /// The names of classes that are numbers, if each number has one folder and each folder one
  /// number; else `nil`.
  var folderNames: [NumberedClasses.Name]? {
    guard let folders, !folders.isEmpty, Set(folders.values).count == folders.count,
      labels.allSatisfy({ folders[$0] != nil })
    else { return nil }
    let names = folders.compactMap { label, folder in
      Int(label).map { NumberedClasses.Name(number: $0, name: folder) }
    }
    return names.sorted { $0.number < $1.number }
  }
}
