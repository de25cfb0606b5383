import AssayCore

/// The images of LFW in a source, with their people, landmarks and pairs.
struct LFWLayout {
  /// An image: the index of its file, or -1 - *n* for the *n*-th missing one.
  struct Item: Sendable {
    var image: Int32
  }

  /// The landmarks of an image.
  struct Landmarks: Sendable {
    var points: [Double]
    var table: String
    var line: Int
    /// Numbers of lines that repeat it.
    var repeats = 0
  }

  let files: SortedFiles
  private(set) var items: [Item] = []
  private(set) var missing: [String] = []
  private(set) var landmarks: [Int32: Landmarks] = [:]
  /// The images that an image is paired with.
  private(set) var positive: [Int32: [String]] = [:]
  private(set) var negative: [Int32: [String]] = [:]
  /// The people that a list declares, in its order.
  private(set) var people: [String] = []
  private(set) var issues: [Issue] = []
  /// The paths of the lists.
  private(set) var known: Set<String> = []
  private var splits: [String: String] = [:]
  private var limit = IssueLimit()
  private var byStem: [Substring: [Int32]] = [:]
  private var missingPlaces: [String: Int32] = [:]
  private var counts: [String: Int] = [:]

  /// - Throws: ``FormatError``; any error that the tree throws.
  init(_ tree: any SourceTree) throws {
    files = SortedFiles(try tree.files())
    for (index, file) in files.files.enumerated() where PairPath.isImageName(file.path) {
      items.append(Item(image: Int32(index)))
      if let person = LFWName.person(of: file.path) { counts[person, default: 0] += 1 }
      byStem[SortedFiles.stem(of: file.path), default: []].append(Int32(index))
    }
    var tables: [(path: String, table: LFWTable)] = []
    for file in files.files {
      if LFWTable.isReadme(file.path) { known.insert(file.path) }
      guard let table = LFWTable(file.path), table.fits(tree, file.path) else { continue }
      known.insert(file.path)
      tables.append((file.path, table))
    }
    // The folds repeat the pairs of the list of all.
    if tables.contains(where: { $0.table == .pairs && !LFWTable.isFold($0.path) }) {
      tables.removeAll { LFWTable.isFold($0.path) }
    }
    // Pairs are kept beside landmarks, so these come first.
    for (path, table) in tables where table == .landmarks { try readLandmarks(tree, path) }
    for (path, table) in tables {
      switch table {
      case .landmarks: continue
      case .pairs: try readPairs(tree, path)
      case .people(let split): try readPeople(tree, path, split)
      }
    }
    issues += limit.remainder(in: tree.name)
    for number in missing.indices { items.append(Item(image: Int32(-1 - number))) }
    let unsorted = items
    items = unsorted.sorted { SortedFiles.precedes(path(of: $0), path(of: $1)) }
  }

  /// The path of an item's image.
  func path(of item: Item) -> String {
    item.image >= 0 ? files[Int(item.image)] : missing[Int(-1 - item.image)]
  }

  /// The split of an image: its first folder that is called like one or has a folder
  /// `annotations`, else that of its person; `nil` if neither says one.
  func split(of path: String) -> String? {
    let folders = path.split(separator: "/").dropLast().dropLast().map(String.init)
    if let folder = folders.first(where: FolderLayout.isSplit) { return folder }
    if folders.count >= 2, folders[folders.count - 1] == "images",
      files.hasFolder(folders.dropLast().joined(separator: "/") + "/annotations")
    {
      return folders[folders.count - 2]
    }
    return LFWName.person(of: path).flatMap { splits[$0] }
  }

  private mutating func note(
    _ kind: IssueKind, _ severity: Issue.Severity, _ file: String, _ line: Int?, _ message: String
  ) {
    guard limit.admits(kind) else { return }
    issues.append(Issue(kind, severity, at: IssueLocation(file: file, line: line), message))
  }

  // MARK: Lists

  private mutating func readLandmarks(_ tree: any SourceTree, _ path: String) throws {
    var names: [String] = []
    try ImageList.forEachLine(tree, path) { line, _ in
      if names.count < 8, case .landmarks(let image, _) = LFWTable.landmarks.read(line) {
        names.append(image)
      }
    }
    let bases = ImageLists.bases(of: names, near: path, nil, in: files)
    try ImageList.forEachLine(tree, path) { line, number in
      switch LFWTable.landmarks.read(line) {
      case .landmarks(let name, let points):
        guard let image = image(name, bases) else {
          note(
            .outsideRoot, .error, path, number,
            "“\(name.prefix(80))” is outside the imported folder; left out")
          return
        }
        guard landmarks[image] == nil else {
          landmarks[image]?.repeats += 1
          note(
            .duplicateID, .error, path, number,
            "\(name) has landmarks in an earlier line, too; the first line counts")
          return
        }
        landmarks[image] = Landmarks(points: points, table: path, line: number)
      case .invalid(let problem):
        note(
          .fieldCount, .error, path, number,
          "\(problem), found “\(line.prefix(60))”; the line is left out")
      case .header, .pair, .person: return
      }
    }
  }

  /// The index of an image; `nil` if its name leaves the root.
  private mutating func image(_ name: String, _ bases: [String]) -> Int32? {
    let parts = name.split(separator: "/")
    guard !name.hasPrefix("/"), !name.contains("\\"), !parts.contains(".."), !parts.contains("."),
      name.dropFirst().first != ":", !parts.isEmpty
    else { return nil }
    let plain = parts.joined(separator: "/")
    for base in bases {
      if let index = files.index(of: SortedFiles.join(base, plain)) { return Int32(index) }
    }
    let path = SortedFiles.join(bases.first ?? "", plain)
    if let place = missingPlaces[path] { return -1 - place }
    missingPlaces[path] = Int32(missing.count)
    missing.append(path)
    return -Int32(missing.count)
  }

  private mutating func readPairs(_ tree: any SourceTree, _ path: String) throws {
    var (all, kept) = (0, 0)
    try ImageList.forEachLine(tree, path) { line, number in
      switch LFWTable.pairs.read(line, isTable: LFWTable.isTable(path)) {
      case .pair(let first, let a, let second, let b):
        all += 1
        let (one, other) = (LFWName.stem(first, a), LFWName.stem(second, b))
        for stem in [one, other] where byStem[stem[...]] == nil {
          note(
            .missingImage, .warning, path, number, "there is no image \(stem) in a pair")
        }
        guard let image = nearest(one, to: path), landmarks[image] != nil else { return }
        kept += 1
        if first == second {
          positive[image, default: []].append("\(second)/\(other)")
        } else {
          negative[image, default: []].append("\(second)/\(other)")
        }
      case .invalid(let problem):
        note(
          .fieldCount, .error, path, number,
          "\(problem), found “\(line.prefix(60))”; the line is left out")
      case .header, .landmarks, .person: return
      }
    }
    if kept < all {
      note(
        .unsupportedField, .warning, path, nil,
        "\(all - kept) of \(Counted.text(all, "pair", "pairs")) \(all - kept == 1 ? "is" : "are") not kept: pairs are kept as attributes of the first image's "
          + "landmarks, and these images have none")
    }
  }

  /// The image of a name that has most folders in common with a list.
  private func nearest(_ stem: String, to list: String) -> Int32? {
    let folders = list.split(separator: "/").dropLast()
    return byStem[stem[...]]?.max { a, b in
      common(files[Int(a)], folders) < common(files[Int(b)], folders)
    }
  }

  private func common(_ path: String, _ folders: ArraySlice<Substring>) -> Int {
    zip(path.split(separator: "/").dropLast(), folders).prefix { $0 == $1 }.count
  }

  private mutating func readPeople(
    _ tree: any SourceTree, _ path: String, _ split: String?
  ) throws {
    var seen = Set(people)
    try ImageList.forEachLine(tree, path) { line, number in
      switch LFWTable.people(split: split).read(line, isTable: LFWTable.isTable(path)) {
      case .person(let name, let count):
        if split == nil, seen.insert(name).inserted { people.append(name) }
        if let split {
          if let other = splits[name], other != split {
            note(
              .duplicateID, .warning, path, number,
              "\(name) is in the splits \(other) and \(split); the first one counts")
          } else {
            splits[name] = split
          }
        }
        let found = counts[name, default: 0]
        if found < count {
          note(
            .missingImage, .warning, path, number,
            "\(path) states \(Counted.text(count, "image", "images")) of \(name), and \(found) \(found == 1 ? "is" : "are") there"
          )
        }
      case .invalid(let problem):
        note(
          .fieldCount, .error, path, number,
          "\(problem), found “\(line.prefix(60))”; the line is left out")
      case .header, .landmarks, .pair: return
      }
    }
  }
}
