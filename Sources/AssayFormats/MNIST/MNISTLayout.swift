import AssayCore

/// The IDX files of a source, in pairs of images and labels.
struct MNISTLayout {
  /// A file and its head.
  struct File: Hashable, Sendable {
    var file: SourceFile
    var header: IDXHeader
    var name: IDXName

    var path: String { file.path }
    /// The number of records that the head states.
    var count: Int { header.sizes.first ?? 0 }
    /// The size of the images; `nil` for labels and for sizes over the limits.
    var size: ImageSize? {
      guard header.sizes.count == 3 else { return nil }
      return ImageSize.checked(width: header.sizes[2], height: header.sizes[1])
    }
  }

  /// The images of one split and their labels.
  struct Pair: Hashable, Sendable {
    var split: String?
    var images: File?
    var labels: File?
  }

  /// The pairs: train, validation, test, others.
  private(set) var pairs: [Pair] = []
  /// Findings that concern no record, one sentence each without a period.
  private(set) var notes: [String] = []
  private(set) var issues: [Issue] = []
  /// The paths of all IDX files and of the tables of classes.
  private(set) var known: Set<String> = []
  /// The table of classes; `nil` for none.
  private(set) var mapping: String?
  /// The file that names the classes 0, 1, 2, …, and its names; `nil` if there is none, or a table.
  private(set) var names: (path: String, names: [String])?
  private var sets: [[String]: String] = [:]

  /// The maximum number of IDX files in a source.
  private static let fileLimit = 256

  /// - Throws: ``FormatError/mismatch(name:format:reason:)`` for several datasets, for files that do
  ///   not fit each other and for too many files; any error that the tree throws.
  init(_ tree: any SourceTree) throws {
    let all = try tree.files()
    let likely = all.filter { IDXName.isLikely($0.path) && !IDXName.isMapping($0.path) }
    guard likely.count <= Self.fileLimit else {
      throw Self.refusal(tree, "it has more than \(Self.fileLimit) IDX files")
    }
    var files: [File] = []
    for file in likely {
      guard let header = try Self.header(tree, file) else {
        issues.append(
          Issue(
            .unsupportedFile, .error, at: IssueLocation(file: file.path),
            "\(file.path) does not start with the head of an IDX file (0, 0, a type, the number of "
              + "dimensions, sizes); left out"))
        known.insert(file.path)
        continue
      }
      known.insert(file.path)
      files.append(File(file: file, header: header, name: IDXName(file.path)))
    }
    try chooseCopies(&files, tree)
    for file in files { sets[file.name.set] = sets[file.name.set] ?? file.path }
    guard sets.count <= 1 else {
      throw Self.refusal(tree, Self.several(files))
    }
    for file in files { try add(file, tree) }
    pairs.sort {
      SplitName.precedes($0.split, $1.split)
        || (!SplitName.precedes($1.split, $0.split) && ($0.split ?? "") < ($1.split ?? ""))
    }
    try check(tree)
    let set = sets.keys.first
    for file in all where IDXName.isMapping(file.path) {
      known.insert(file.path)
      if IDXName(file.path).set == set { mapping = mapping ?? file.path }
    }
    if mapping == nil { try findNames(all, tree) }
  }

  /// Finds Datumaro's `dataset_meta.json`, or a list of class names.
  private mutating func findNames(_ files: [SourceFile], _ tree: any SourceTree) throws {
    if let file = IndexMaskPlan.file(files, called: [DatumaroMeta.fileName]),
      let found = try DatumaroMeta.names([file], in: tree)
    {
      names = (file.path, found)
    } else if let file = IndexMaskPlan.file(files, called: ClassNames.fileNames) {
      names = (file.path, try NameList.names(tree, file.path).map(\.name))
    }
    if let names { known.insert(names.path) }
  }

  private static func refusal(_ tree: any SourceTree, _ reason: String) -> FormatError {
    .mismatch(name: tree.name, format: .mnist, reason: reason)
  }

  /// The reason against several datasets, with the command that imports each of them.
  private static func several(_ files: [File]) -> String {
    let groups = Dictionary(grouping: files, by: \.name.set).mapValues { $0.map(\.path) }
    let lines = groups.values.sorted { $0[0] < $1[0] }.map { paths -> String in
      let others = files.map(\.path).filter { !paths.contains($0) }
      let folders = Set(paths.map { String($0.folderPath) })
      if folders.count == 1, let folder = folders.first, !folder.isEmpty,
        !others.contains(where: { $0.hasPrefix(folder + "/") })
      {
        return "\(paths[0]): assay import \(ShellText.below(folder))"
      }
      let prefix = Self.prefix(of: paths)
      let folder = String(prefix.fileName.dropLast())
      guard folders.count == 1, !folder.isEmpty, !others.contains(where: { $0.hasPrefix(prefix) })
      else { return paths[0] }
      return
        "\(paths[0]): mkdir \(ShellText.quoted(folder)) && ln \(ShellText.below(prefix))* "
        + "\(ShellText.quoted(folder))/ && assay import \(ShellText.quoted(folder))"
    }
    return "it holds several datasets; import one of them from a folder of its own:\n  "
      + lines.prefix(16).joined(separator: "\n  ") + (lines.count > 16 ? "\n  …" : "")
  }

  /// The start that paths have in common, up to a hyphen; empty for none.
  private static func prefix(of paths: [String]) -> String {
    var prefix = paths[0][...]
    for path in paths.dropFirst() {
      let count = zip(prefix, path).prefix { $0 == $1 }.count
      prefix = prefix.prefix(count)
    }
    // The words of a split and of its files do not belong to the name of a dataset.
    while let end = prefix.lastIndex(of: "-") {
      prefix = prefix[..<end]
      let word = prefix.split { "/-".contains($0) }.last.map(String.init) ?? ""
      if !IDXName.isOwn(word) { return prefix + "-" }
    }
    return ""
  }

  /// The head of a file, decompressed if it is gzip; `nil` if it has none.
  ///
  /// - Throws: any error that the tree throws.
  static func header(_ tree: any SourceTree, _ file: SourceFile) throws -> IDXHeader? {
    var stream = try ByteStream(tree, file)
    return IDXHeader(try stream.read(upTo: IDXHeader.longest))
  }

  /// Leaves out `x.gz` beside `x`.
  private mutating func chooseCopies(_ files: inout [File], _ tree: any SourceTree) throws {
    let plain = Dictionary(
      files.filter { !$0.name.isPacked }.map { ($0.path, $0.header) },
      uniquingKeysWith: { first, _ in first })
    var copies: Set<String> = []
    for file in files where file.name.isPacked {
      let path = String(file.path.dropLast(3))
      guard let header = plain[path] else { continue }
      guard header == file.header else {
        throw Self.refusal(
          tree,
          "\(path) and \(file.path) have other contents (\(header.words); \(file.header.words)); "
            + "remove one of them")
      }
      copies.insert(file.path)
      notes.append("\(file.path) is the compressed copy of \(path) and was not read")
    }
    files.removeAll { copies.contains($0.path) }
  }

  /// Returns whether two files with one head have the same content.
  ///
  /// - Throws: any error that the tree throws.
  private static func areEqual(_ a: File, _ b: File, _ tree: any SourceTree) throws -> Bool {
    guard a.header == b.header else { return false }
    var first = try ByteStream(tree, a.file)
    var second = try ByteStream(tree, b.file)
    while true {
      let part = try first.read(upTo: 1 << 20)
      guard try second.read(upTo: 1 << 20) == part else { return false }
      if part.isEmpty { return true }
    }
  }

  /// Adds a file to its pair.
  private mutating func add(_ file: File, _ tree: any SourceTree) throws {
    let isLabels = file.header.sizes.count == 1
    guard file.header.type == 8, isLabels || file.header.sizes.count == 3 else {
      issues.append(
        Issue(
          .unsupportedFile, .error, at: IssueLocation(file: file.path),
          "\(file.path) holds \(file.header.words); images are unsigned bytes in three dimensions, "
            + "labels unsigned bytes in one; left out"))
      return
    }
    let place =
      pairs.firstIndex { $0.split == file.name.split }
      ?? {
        pairs.append(Pair(split: file.name.split))
        return pairs.count - 1
      }()
    if let other = isLabels ? pairs[place].labels : pairs[place].images {
      if try Self.areEqual(other, file, tree) {
        notes.append("\(file.path) is a copy of \(other.path) and was not read")
        return
      }
      throw Self.refusal(
        tree,
        "\(other.path) and \(file.path) are both the \(isLabels ? "labels" : "images") of "
          + (file.name.split.map { "the split \($0)" } ?? "a set without a split")
          + "; remove one of them")
    }
    if isLabels { pairs[place].labels = file } else { pairs[place].images = file }
  }

  /// Compares the heads of the pairs.
  private func check(_ tree: any SourceTree) throws {
    var records = 0
    for pair in pairs {
      if let images = pair.images {
        guard images.size != nil || images.count == 0 else {
          throw Self.refusal(
            tree,
            "\(images.path) states images of \(images.header.sizes[2])×\(images.header.sizes[1]) "
              + "pixels, and assay reads 1 to \(ImageSize.pixelLimit) pixels")
        }
        if let labels = pair.labels, labels.count != images.count {
          throw Self.refusal(
            tree,
            "\(images.path) states \(Counted.text(images.count, "image", "images")), and \(labels.path) states "
              + "\(Counted.text(labels.count, "label", "labels")), so they do not belong together")
        }
      }
      records += max(pair.images?.count ?? 0, pair.labels?.count ?? 0)
    }
    guard records <= PixelTableMerge.rowLimit else {
      throw FormatError.tooManyRows(tree.name, limit: PixelTableMerge.rowLimit)
    }
  }
}
