import AssayCore

/// The files of a source in the binary layout of CIFAR-10, CIFAR-100 or STL-10.
struct CIFARLayout {
  /// A file of images.
  struct Images: Hashable, Sendable {
    var file: SourceFile
    var split: String
    /// The file of the labels, for STL-10.
    var labels: SourceFile?
  }

  private(set) var kind = CIFARKind.ten
  /// Training files first, each kind by path.
  private(set) var images: [Images] = []
  /// The names of classes and coarse classes; `nil` for none.
  private(set) var names: SourceFile?
  private(set) var coarseNames: SourceFile?
  /// The files that look like a version of Python pickles.
  private(set) var pickles: [String] = []
  /// The paths of all files that are read, or reported.
  private(set) var known: Set<String> = []
  private(set) var issues: [Issue] = []

  /// - Throws: ``FormatError/mismatch(name:format:reason:)`` for several datasets; any error that
  ///   the tree throws.
  init(_ tree: any SourceTree) throws {
    let files = SortedFiles(try tree.files())
    var found: [(folder: String, kind: CIFARKind, images: Images)] = []
    for file in files.files {
      let name = Self.name(of: file.path)
      if Self.isPickleName(name) {
        if Self.isPickle(tree, file) {
          pickles.append(file.path)
          known.insert(file.path)
        }
        continue
      }
      guard let (kind, split) = Self.role(of: file, in: files) else { continue }
      let folder = String(SortedFiles.folder(of: file.path))
      found.append((folder, kind, Images(file: file, split: split)))
    }
    let sets = Set(found.map { "\($0.folder)\n\($0.kind)" })
    guard sets.count <= 1 else {
      let list = found.map { "\($0.images.file.path) (\($0.kind.title))" }
      throw FormatError.mismatch(
        name: tree.name, format: .cifar,
        reason:
          "it holds several datasets (\(list.prefix(8).joined(separator: ", ")), …); import the "
          + "folder of each")
    }
    guard let first = found.first else { return }
    // Keys are made of the names without suffix.
    guard Set(found.map { SortedFiles.stem(of: $0.images.file.path) }).count == found.count else {
      throw FormatError.mismatch(
        name: tree.name, format: .cifar,
        reason:
          "two of its files differ only in the spelling of the suffix .bin; remove one of them")
    }
    kind = first.kind
    images = found.map(\.images).sorted { a, b in
      SplitName.precedes(a.split, b.split)
        || (!SplitName.precedes(b.split, a.split) && SortedFiles.precedes(a.file.path, b.file.path))
    }
    known.formUnion(images.map(\.file.path))
    func beside(_ name: String) -> SourceFile? {
      files.index(of: SortedFiles.join(first.folder, name)).map { files.files[$0] }
    }
    names = beside(kind.namesFile)
    if kind == .hundred { coarseNames = beside("coarse_label_names.txt") }
    if kind == .stl {
      for place in images.indices {
        let stem = SortedFiles.stem(of: images[place].file.path).dropLast(2)
        images[place].labels = beside("\(stem)_y.bin")
      }
      if let folds = beside("fold_indices.txt") {
        known.insert(folds.path)
        issues.append(
          Issue(
            .unsupportedField, .warning, at: IssueLocation(file: folds.path),
            "the folds of \(folds.path) are not kept"))
      }
    }
    known.formUnion(
      [names, coarseNames].compactMap { $0?.path } + images.compactMap { $0.labels?.path })
  }

  private static func name(of path: String) -> String {
    (path.split(separator: "/").last ?? "").lowercased()
  }

  /// The kind and the split of a file of images; `nil` for other files.
  private static func role(
    of file: SourceFile, in files: SortedFiles
  ) -> (kind: CIFARKind, split: String)? {
    let name = name(of: file.path)
    let folder = SortedFiles.folder(of: file.path)
    func isBeside(_ name: String) -> Bool { files.index(of: SortedFiles.join(folder, name)) != nil }
    switch name {
    case "test_batch.bin": return (.ten, "test")
    case "train.bin", "test.bin":
      let isWhole = file.size > 0 && file.size % CIFARKind.hundred.recordBytes == 0
      guard isWhole || isBeside(CIFARKind.hundred.namesFile) else { return nil }
      return (.hundred, name == "train.bin" ? "train" : "test")
    case "train_x.bin", "test_x.bin", "unlabeled_x.bin":
      let isWhole = file.size > 0 && file.size % CIFARKind.stl.recordBytes == 0
      let stem = SortedFiles.stem(of: file.path).dropLast(2)
      guard isWhole || isBeside("\(stem)_y.bin") else { return nil }
      return (.stl, String(name.prefix { $0 != "_" }))
    default:
      let isBatch =
        name.hasPrefix("data_batch_") && name.hasSuffix(".bin")
        && name.dropFirst(11).dropLast(4).allSatisfy(\.isNumber)
      return isBatch ? (.ten, "train") : nil
    }
  }

  private static func isPickleName(_ name: String) -> Bool {
    ["train", "test", "meta", "test_batch", "batches.meta"].contains(name)
      || (name.hasPrefix("data_batch_") && name.dropFirst(11).allSatisfy(\.isNumber))
  }

  /// Returns whether a file starts like a pickle of protocol 2 or later.
  private static func isPickle(_ tree: any SourceTree, _ file: SourceFile) -> Bool {
    var head: [UInt8] = [0, 0]
    let count = (try? SourceContent.readHead(tree, file.path, into: &head)) ?? 0
    return count == 2 && head[0] == 0x80 && (2...5).contains(head[1])
  }
}
