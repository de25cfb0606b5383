import AssayCore

/// CamVid's lists: `train.txt` with an image's and its mask's path per line, as the paths were on
/// the machine where the list was created
/// (`/SegNet/CamVid/train/x.png /SegNet/CamVid/trainannot/x.png`).
struct PairLists {
  /// The pairs that are listed and exist, in the order of the lists.
  private(set) var pairs: [MaskPair] = []
  /// The names of the lists' files, without suffix: the splits.
  private(set) var splits: [String] = []
  /// The paths of the lists' files.
  private(set) var files: Set<String> = []
  private(set) var issues: [Issue] = []
  /// The number of lines that the issues omit.
  private(set) var rejected = 0

  /// The files that the lists name, whether or not their lines are valid.
  private(set) var mentioned: Set<String> = []

  private var cap = IssueLimit()
  private var listed: Set<String> = []

  /// The maximum number of bytes that are read from a list.
  private static let byteLimit = 64 << 20

  /// Reads every text file whose first line names two images.
  ///
  /// - Throws: any error that the tree throws.
  init(_ tree: any SourceTree, _ files: [SourceFile]) throws {
    let lists = try files.filter { file in
      try file.path.hasSuffix(ignoringCase: ".txt") && Self.isList(tree, file)
    }
    guard !lists.isEmpty else { return }
    let pictures = Dictionary(
      files.filter { PairPath.isImageName($0.path) }.map { ($0.path, $0) },
      uniquingKeysWith: { first, _ in first })
    for file in lists {
      let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
      let split = String(name.dropLast(4))
      splits.append(split)
      self.files.insert(file.path)
      let folder = file.path.split(separator: "/").dropLast().map(String.init)
      for (number, line) in try Self.lines(tree, file).enumerated() where !line.isEmpty {
        add(
          line, at: IssueLocation(file: file.path, line: number + 1), folder: folder, split: split,
          pictures)
      }
    }
  }

  private mutating func add(
    _ words: [String], at location: IssueLocation, folder: [String], split: String,
    _ pictures: [String: SourceFile]
  ) {
    guard words.count >= 2 else {
      return note(.missingField, location, "the line has no mask; left out")
    }
    guard !words.prefix(2).contains(where: { $0.split(separator: "/").contains("..") }) else {
      return note(.outsideRoot, location, "a path with '..'; left out")
    }
    let files = words.prefix(2).map { Self.find($0, from: folder, in: pictures) }
    mentioned.formUnion(files.compactMap { $0?.path })
    guard let image = files[0] else {
      return note(.missingImage, location, "there is no image \(words[0]); left out")
    }
    guard let mask = files[1] else {
      return note(.unpairedMask, location, "there is no mask \(words[1]); left out")
    }
    guard listed.insert(image.path).inserted else {
      return note(.duplicateID, location, "\(image.path) was listed before; left out")
    }
    pairs.append(MaskPair(image: image, mask: mask, split: split))
  }

  private mutating func note(_ kind: IssueKind, _ location: IssueLocation, _ message: String) {
    rejected += 1
    if cap.admits(kind) { issues.append(Issue(kind, .error, at: location, message)) }
  }

  /// The file that matches the longest trailing part of a path, below the list's folder or the
  /// root.
  private static func find(
    _ path: String, from folder: [String], in pictures: [String: SourceFile]
  ) -> SourceFile? {
    let parts = path.split(separator: "/").map(String.init).filter { $0 != "." }
    for start in parts.indices {
      let tail = Array(parts[start...])
      for base in folder.isEmpty ? [[]] : [folder, []] {
        if let file = pictures[(base + tail).joined(separator: "/")] { return file }
      }
    }
    return nil
  }

  private static func isList(_ tree: any SourceTree, _ file: SourceFile) throws -> Bool {
    var start = [UInt8](repeating: 0, count: 4096)
    // An unreadable file is not a list; nothing in it is imported.
    let count =
      (try? start.withUnsafeMutableBytes { try tree.read(file.path, at: 0, into: $0) }) ?? 0
    let lines = words(start[..<count])
    guard let first = lines.first(where: { !$0.isEmpty }) else { return false }
    return first.count == 2 && first.allSatisfy(PairPath.isImageName)
  }

  private static func lines(_ tree: any SourceTree, _ file: SourceFile) throws -> [[String]] {
    words(try tree.readAll(file.path, limit: byteLimit)[...])
  }

  /// The words of each line, separated by blanks; a quoted text is one word.
  private static func words(_ bytes: ArraySlice<UInt8>) -> [[String]] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      var words: [String] = []
      var rest = line.drop { $0 <= UInt8(ascii: " ") }
      while let first = rest.first {
        let isQuoted = first == UInt8(ascii: "\"")
        if isQuoted { rest = rest.dropFirst() }
        let word = rest.prefix { isQuoted ? $0 != UInt8(ascii: "\"") : $0 > UInt8(ascii: " ") }
        words.append(String(decoding: word, as: UTF8.self))
        rest = rest[word.endIndex...].dropFirst().drop { $0 <= UInt8(ascii: " ") }
      }
      return words
    }
  }
}
