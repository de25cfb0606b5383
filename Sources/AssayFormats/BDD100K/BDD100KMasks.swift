import AssayCore

/// BDD100K's masks of semantic segmentation, `labels/sem_seg/masks/SPLIT/a.png`, with their images in
/// `images/10k/SPLIT/a.jpg`: the values are the training ids of Cityscapes, and 255 is void.
///
/// Source: https://doc.bdd100k.com/format.html#semantic-segmentation-format, and `bdd100k/label/label.py`,
/// whose training ids and names are those of Cityscapes.
struct BDD100KMasks {
  /// By the path of the image.
  private(set) var pairs: [MaskPair] = []
  private(set) var issues: [Issue] = []
  /// The number of masks without an image.
  private(set) var rejected = 0
  /// The number of images beside those of the masks that have no mask.
  private(set) var imagesLeftOut = 0

  /// The name of the folder of masks, and the start of that of the task above it.
  private static let folder = "masks"
  private static let task = "sem_seg"
  private static let suffixes = [".jpg", ".png", ".jpeg"]
  /// The folders of images, most likely first.
  private static let sets = ["10k", "100k", ""]

  /// The 19 classes that Cityscapes evaluates, by their training ids.
  static let classes = IndexClasses(
    Dictionary(
      CityscapesLabel.all.compactMap { label in
        (0..<255).contains(label.trainID) ? (UInt16(label.trainID), label.name) : nil
      }, uniquingKeysWith: { first, _ in first }), hasBackground: false)

  /// The masks of a source by their folders: PNGs in `sem_seg/masks/`.
  ///
  /// - Parameter isStated: whether the format is given: then a root called `masks` is that folder.
  /// - Throws: any error that the tree throws.
  static func files(_ tree: any SourceTree, isStated: Bool = false) throws -> [SourceFile] {
    guard !tree.isSingleFile else { return [] }
    let files = try tree.files().filter { $0.path.hasSuffix(ignoringCase: ".png") }
    let folders = Set(
      PathFolders.all(of: files.lazy.map(\.path)).filter { place($0, in: tree) != nil })
    let named = folders.isEmpty ? [] : files.filter { folders.contains($0.path.folderPath) }
    return named.isEmpty && isStated && tree.name.lowercased() == folder ? files : named
  }

  /// The folder of masks of a file.
  static func folder(of path: String) -> String {
    let names = path.split(separator: "/")
    let place = names.dropLast().lastIndex { $0.lowercased() == folder } ?? -1
    return names.prefix(place + 1).joined(separator: "/")
  }

  /// The place of the folder of masks among the folders of a path; `nil` if it is not below one.
  private static func place(_ path: Substring, in tree: any SourceTree) -> Int? {
    let names = path.split(separator: "/").map { $0.lowercased() }
    return names.indices.last { place in
      names[place] == folder
        && (place > 0 ? names[place - 1] : tree.name.lowercased()).hasPrefix(task)
    }
  }

  /// - Parameters:
  ///   - masks: ``files(_:isStated:)``.
  ///   - apart: the tree of the images, if it is another one.
  /// - Throws: any error that the trees throw.
  init(_ tree: any SourceTree, _ masks: [SourceFile], images apart: (any SourceTree)?) throws {
    let known = Set(masks.map(\.path))
    let files = SortedFiles(
      try (apart ?? tree).files().filter { file in
        PairPath.isImageName(file.path) && (apart != nil || !known.contains(file.path))
      })
    var limit = IssueLimit()
    var used: Set<String> = []
    var folders: Set<String> = []
    for mask in masks {
      let names = mask.path.folderPath.split(separator: "/").map(String.init)
      let place = Self.place(mask.path.folderPath, in: tree)
      let below = Array(place.map { names[($0 + 1)...] } ?? names[...])
      let above = place.map { Array(names[..<max(0, $0 - 1)]) } ?? []
      let stem = String(SortedFiles.stem(of: String(mask.path.fileName)))
      func leaveOut(_ kind: IssueKind, _ text: String) {
        rejected += 1
        guard limit.admits(kind) else { return }
        issues.append(Issue(kind, .error, at: IssueLocation(file: mask.path), text + "; left out"))
      }
      let candidates = Self.candidates(above, below, isApart: apart != nil)
      let found = candidates.lazy.flatMap { base in
        Self.suffixes.lazy.compactMap { suffix in
          files.index(of: SortedFiles.join(base.folder, stem + suffix)).map { (base.root, $0) }
        }
      }.first
      guard let (root, index) = found else {
        let first = SortedFiles.join(candidates.first?.folder ?? "", stem + ".jpg")
        leaveOut(.unpairedMask, "there is no image \(first) for this mask")
        continue
      }
      guard used.insert(files[index]).inserted else {
        leaveOut(.duplicateID, "another mask is of the image \(files[index]), too")
        continue
      }
      folders.insert(root)
      pairs.append(
        MaskPair(
          image: files.files[index], mask: mask, split: below.first(where: FolderLayout.isSplit)))
    }
    pairs.sort { SortedFiles.precedes($0.image.path, $1.image.path) }
    imagesLeftOut = files.files.count { file in
      !used.contains(file.path)
        && folders.contains { $0.isEmpty || file.path.hasPrefix($0 + "/") }
    }
    issues += limit.remainder(in: tree.name)
  }

  /// The folders in which the image of a mask can be, the usual one first, each with the folder of all images.
  ///
  /// - Parameters:
  ///   - above: the folders above that of the task.
  ///   - below: the folders below that of the masks.
  private static func candidates(
    _ above: [String], _ below: [String], isApart: Bool
  ) -> [(root: String, folder: String)] {
    var root = isApart ? [] : above
    if root.last?.lowercased() == "labels" { root.removeLast() }
    let roots = [root + ["images"]] + (isApart ? [root] : [])
    return roots.flatMap { root in
      sets.map { set in
        let base = (root + [set]).filter { !$0.isEmpty }
        return (base.joined(separator: "/"), (base + below).joined(separator: "/"))
      }
    }
  }

  /// Imports the masks.
  ///
  /// - Throws: ``FormatError``; any error that the trees or `deliver` throw.
  func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    let plan = IndexMaskPlan(
      name: tree.name, pairs: pairs, classes: Self.classes, colors: nil, issues: issues,
      rejected: rejected)
    var finished = try plan.run(tree, images: options.images, options, deliver: deliver)
    finished.imagesLeftOut = imagesLeftOut
    finished.notes.append(
      "the values of the masks are the training ids of Cityscapes' 19 classes; 255 is void")
    return finished
  }
}
