import AssayCore

/// The JSON files of a source that belong to a format.
struct JSONImageFiles {
  /// The number of files that are opened to recognize the format, and to find files of other formats.
  static let opened = 24
  private static let examined = 4096

  /// The JSON files of a source.
  static func candidates(in tree: any SourceTree) throws -> [SourceFile] {
    let files = try tree.files()
    return tree.isSingleFile ? files : files.filter { isNamed($0.path) }
  }

  static func isNamed(_ path: String) -> Bool {
    path.utf8.suffix(5).lazy.map { $0 | 0x20 }.elementsEqual(".json".utf8)
  }

  /// Some of the files, spread over all of them.
  static func spread(_ files: [SourceFile], _ count: Int) -> [SourceFile] {
    let step = max(1, (files.count + count - 1) / max(1, count))
    return stride(from: 0, to: files.count, by: step).map { files[$0] }
  }

  /// Checks whether a source is of a format.
  static func probe(
    _ format: some JSONImageFormat, _ tree: any SourceTree
  ) throws -> Probe {
    let files = try candidates(in: tree)
    guard !files.isEmpty else { return .noMatch("it has no JSON file") }
    let images = SortedFiles(tree.isSingleFile ? [] : try tree.files())
    let hasImages = images.files.contains { PairPath.isImageName($0.path) }
    var finder = JSONImageFinder(images, isApart: false)
    var other: String?
    for file in spread(files, opened) {
      guard let sample = JSONSample(tree, file), let layout = format.layout(of: sample) else {
        continue
      }
      if tree.isSingleFile { return .match("its JSON is a \(format.title)") }
      // A file without its image beside images of another dataset shows nothing.
      guard hasImages, let name = someNames(format, sample, layout).first else {
        return .match("\(file.path) is a \(format.title)")
      }
      let folder = SortedFiles.folder(of: file.path)
      let folders = format.folders(of: file.path)
      let isFound = someNames(format, sample, layout).contains { name in
        if case .found = finder.find(name, beside: folder, folders) { return true }
        return false
      }
      if isFound { return .match("\(file.path) is a \(format.title)") }
      other = other ?? "\(file.path) is a \(format.title), but its image \(name) is not there"
    }
    return .noMatch(
      other
        ?? (tree.isSingleFile ? "it is not a \(format.title)" : "no JSON file is a \(format.title)")
    )
  }

  /// Some of the names of images in a file.
  static func someNames(
    _ format: some JSONImageFormat, _ sample: JSONSample, _ layout: JSONFileLayout
  ) -> [String] {
    var found: [JSONImageName] = []
    switch layout {
    case .image:
      let members = (format.naming ?? []).sorted().compactMap { name in
        sample.distantValue(name).map { JSONValue.Member(name, $0) }
      }
      found = [format.name(of: .object(members), file: sample.file.path, member: nil)]
    case .list:
      found = sample.elements.map { format.name(of: $0, file: sample.file.path, member: nil) }
    case .listBelow(let name):
      found = sample.elements(below: name)
        .map { format.name(of: $0, file: sample.file.path, member: nil) }
    case .members(let path):
      if let (name, value) = sample.firstMember(below: path) {
        found = [format.name(of: value, file: sample.file.path, member: name)]
      }
    }
    return found.flatMap { name -> [String] in
      if case .names(let names) = name { names } else { [] }
    }
  }

  /// The annotation files of other formats, and the datasets if there are several.
  ///
  /// - Parameters:
  ///   - signs: additional findings, one per line.
  ///   - known: the names, in lower case, of files that are not annotations of another format.
  static func companions(
    _ format: some JSONImageFormat, _ tree: any SourceTree, signs: [String] = [],
    known: Set<String> = []
  ) throws -> Companions? {
    let files = try candidates(in: tree)
    let some = spread(files, examined)
    var others: Set<String> = []
    var own: [SourceFile] = some.count == files.count ? [] : files
    var isSeparate = false
    for file in some {
      let layout = JSONSample(tree, file).flatMap { format.layout(of: $0) }
      if layout != nil {
        if own.count < files.count { own.append(file) }
      } else if Companions.kind(of: file, in: tree)?.name != format.kind {
        // A broken file of the format itself is reported by the import.
        others.insert(file.path)
      }
      if let layout, layout != .image { isSeparate = true }
    }
    guard !own.isEmpty else { return nil }
    // Folders of one file per image are parts of one dataset, unless they have parts of their own.
    let roots = own.map { file in
      (file.path, DatasetRoots.root(of: SortedFiles.folder(of: file.path)))
    }
    let marked = Set(roots.compactMap(\.1))
    let examples =
      isSeparate
      ? own.map(\.path)
      : marked.compactMap { root in roots.first { $0.1 == root }?.0 }.sorted()
    let unread = Companions.candidates(try tree.files()).filter { file in
      (!isNamed(file.path) || others.contains(file.path))
        && (known.isEmpty || !known.contains(CompanionPlace(file.path).name))
        && !format.projects.contains(CompanionPlace(file.path).suffix)
    }
    return try Companions(
      unread, in: tree, signs: signs, isKnownOnly: true,
      datasets: examples.map { ($0, format.kind) }, reported: ".json")
  }
}
