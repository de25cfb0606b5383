import AssayCore

/// The tables of CelebA in a source, and the folder of images that they are used for.
struct CelebALayout {
  /// An image: the index of its file, or -1 - the row of the first table for one that is missing.
  struct Item: Sendable {
    var image: Int32
  }

  let files: SortedFiles
  private(set) var tables: [CelebATable.Kind: CelebATable] = [:]
  /// The folder of the images that are imported; `nil` if there are no images.
  private(set) var folder: String?
  /// True if the images are the aligned and cropped ones.
  private(set) var isAligned = false
  /// True if an import of faces would take aligned images, and whether it has a table for them.
  private var areFacesAligned = false
  private var hasFaces = false
  private(set) var items: [Item] = []
  private(set) var issues: [Issue] = []
  private(set) var notes: [String] = []
  /// The paths of all tables.
  private(set) var known: Set<String> = []
  /// The table that says which images there are.
  private(set) var main: CelebATable?

  /// The size of every aligned image.
  private static let alignedSize = ImageSize(width: 178, height: 218)

  /// - Parameter withFaces: whether boxes and landmarks are read, or attributes.
  /// - Throws: ``FormatError``; any error that the tree throws.
  init(_ tree: any SourceTree, withFaces: Bool) throws {
    files = SortedFiles(try tree.files())
    var paths: [CelebATable.Kind: String] = [:]
    for file in files.files {
      guard let kind = CelebATable.Kind(file.path) else { continue }
      known.insert(file.path)
      if let other = paths[kind] {
        throw FormatError.mismatch(
          name: tree.name, format: withFaces ? .celebAFaces : .celebA,
          reason:
            "\(other) and \(file.path) are two tables of \(kind.words); remove one of them, or "
            + "import one dataset at a time")
      }
      paths[kind] = file.path
    }
    try chooseImages(tree, paths, withFaces)
    let wanted = kinds(withFaces)
    for kind in CelebATable.Kind.allCases {
      guard let path = paths[kind] else { continue }
      if wanted.contains(kind) {
        let table = try CelebATable(tree, kind, path)
        issues += table.issues
        tables[kind] = table
      } else {
        noteUnread(kind, path, withFaces)
      }
    }
    main =
      withFaces
      ? tables[isAligned ? .alignedLandmarks : .boxes] ?? tables[.landmarks]
      : tables[.attributes]
    collect()
  }

  /// The tables that are read.
  private func kinds(_ withFaces: Bool) -> Set<CelebATable.Kind> {
    guard withFaces else { return [.attributes, .partition] }
    return isAligned
      ? [.alignedLandmarks, .attributes, .identity, .partition]
      : [.boxes, .landmarks, .attributes, .identity, .partition]
  }

  private mutating func noteUnread(_ kind: CelebATable.Kind, _ path: String, _ withFaces: Bool) {
    let way =
      withFaces
      ? "they belong to the \(isAligned ? "unaligned" : "aligned") images, and the imported images are "
        + "the \(isAligned ? "aligned" : "unaligned") ones"
      : waysToFaces(kind)
    issues.append(
      Issue(
        .unsupportedField, .warning, at: IssueLocation(file: path),
        "the \(kind.words) of \(path) are not kept: \(way)"))
  }

  /// The way to import a table that attributes alone do not need.
  private func waysToFaces(_ kind: CelebATable.Kind) -> String {
    let isForAligned = kind == .alignedLandmarks
    if kind == .boxes || kind == .landmarks || isForAligned, isForAligned != areFacesAligned {
      return areFacesAligned
        ? "they belong to the unaligned images, which are not here"
        : "they belong to the aligned images, and PATH:celeba-faces imports the unaligned ones"
    }
    return hasFaces
      ? "import PATH:celeba-faces for a dataset of faces with their boxes, landmarks and identities"
      : "only a dataset of faces (celeba-faces) keeps them, which needs "
        + (areFacesAligned
          ? "list_landmarks_align_celeba beside these aligned images"
          : "list_bbox_celeba or list_landmarks_celeba beside these unaligned images")
  }

  // MARK: Images

  /// Chooses the folder of images: the aligned ones for attributes, the unaligned ones for faces.
  private mutating func chooseImages(
    _ tree: any SourceTree, _ paths: [CelebATable.Kind: String], _ withFaces: Bool
  ) throws {
    var counts: [String: Int] = [:]
    var first: [String: Int] = [:]
    for (index, file) in files.files.enumerated() where PairPath.isImageName(file.path) {
      let folder = String(SortedFiles.folder(of: file.path))
      counts[folder, default: 0] += 1
      first[folder] = first[folder] ?? index
    }
    let hasAligned = paths[.alignedLandmarks] != nil
    let hasUnaligned = paths[.boxes] != nil || paths[.landmarks] != nil
    guard !counts.isEmpty else {
      isAligned = hasAligned && !hasUnaligned
      (areFacesAligned, hasFaces) = (isAligned, hasAligned || hasUnaligned)
      return
    }
    var kinds: [String: Bool] = [:]
    for (folder, index) in first {
      kinds[folder] = aligned(folder) ?? isAlignedSize(tree, index)
    }
    areFacesAligned = kinds.values.contains(!hasUnaligned) ? !hasUnaligned : hasUnaligned
    hasFaces = areFacesAligned ? hasAligned : hasUnaligned
    let prefersAligned = !withFaces || !hasUnaligned
    let chosen = counts.keys.sorted { a, b in
      let (x, y) = (kinds[a] == prefersAligned, kinds[b] == prefersAligned)
      if x != y { return x }
      let (m, n) = (counts[a] ?? 0, counts[b] ?? 0)
      return m == n ? SortedFiles.precedes(a, b) : m > n
    }
    guard let folder = chosen.first else { return }
    self.folder = folder
    isAligned = kinds[folder] ?? false
    if aligned(folder) == nil, hasAligned || hasUnaligned {
      notes.append(
        "the images of \(folder.isEmpty ? "the folder" : folder) are taken for the "
          + (isAligned ? "aligned ones, because the first has 178×218 pixels" : "unaligned ones"))
    }
    for other in chosen.dropFirst() {
      notes.append(
        "the \(Counted.text(counts[other] ?? 0, "image", "images")) of \(other.isEmpty ? "the top folder" : other) "
          + "\(counts[other] == 1 ? "was" : "were") not "
          + "imported; the images are those of \(folder.isEmpty ? "the top folder" : folder)")
    }
  }

  /// Returns whether a folder's name says that its images are aligned; `nil` if it says nothing.
  private func aligned(_ folder: String) -> Bool? {
    let names = folder.lowercased().split(separator: "/")
    if names.contains(where: { $0.contains("align") }) { return true }
    return names.contains("img_celeba") || names.contains("img_celeba.7z") ? false : nil
  }

  private func isAlignedSize(_ tree: any SourceTree, _ index: Int) -> Bool {
    guard case .success(let size) = ImageProbe(tree, files.files[index]).size else { return false }
    return size == Self.alignedSize
  }

  /// Lists the images of the folder and those that only the main table has.
  private mutating func collect() {
    var rows: Set<Int> = []
    if let folder {
      for index in files.range(below: folder) where PairPath.isImageName(files[index]) {
        guard SortedFiles.folder(of: files[index]) == folder else { continue }
        if let row = main?.row(of: SortedFiles.stem(of: files[index])) {
          guard rows.insert(row).inserted else {
            issues.append(
              Issue(
                .duplicateID, .error, at: IssueLocation(file: files[index]),
                "another image has the same name with another suffix; left out"))
            continue
          }
        }
        items.append(Item(image: Int32(index)))
      }
    }
    for row in (main?.names ?? []).indices where !rows.contains(row) {
      items.append(Item(image: Int32(-1 - row)))
    }
    let unsorted = items.map { (item: $0, path: path(of: $0)) }
    items = unsorted.sorted { SortedFiles.precedes($0.path, $1.path) }.map(\.item)
  }

  /// The path of an item's image.
  func path(of item: Item) -> String {
    guard item.image < 0 else { return files[Int(item.image)] }
    return SortedFiles.join(folder ?? "", main?.names[Int(-1 - item.image)] ?? "")
  }
}
