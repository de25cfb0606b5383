import AssayCore
import AssayImaging

/// The bitmasks of a source with the images that they belong to: `labels/SET/bitmasks/SPLIT/a.png` and
/// `images/10k/SPLIT/a.jpg`, or `bitmasks/SPLIT/a.png` and `images/SPLIT/a.jpg`.
struct BDD100KBitmaskLayout: Sendable {
  /// An image and its bitmask.
  struct Item: Sendable {
    /// The path of the image, also if there is none.
    var path: String
    /// The index in ``masks``.
    var mask: Int
    var split: String?
    /// The folder of the video; `nil` for a single image.
    var video: String?
    /// The index in ``sets``.
    var set: Int
  }

  /// A folder with bitmasks of one kind.
  struct LabelSet: Sendable {
    /// The path of its folder `bitmasks`, relative to the root; empty for the root itself.
    var folder: String
    /// `nil` if the name of the folder does not say it.
    var classes: BDD100KBitmaskClasses?
  }

  private(set) var masks: [SourceFile] = []
  /// By the path of the image.
  private(set) var items: [Item] = []
  private(set) var sets: [LabelSet] = []
  private(set) var issues: [Issue] = []
  private(set) var notes: [String] = []
  /// The number of images without a bitmask.
  private(set) var imagesLeftOut = 0

  private static let folder = "bitmasks"
  /// Folders whose images are annotations.
  private static let annotations: Set<String> = [
    folder, "labels", "masks", "colormaps", "color_labels",
  ]
  private static let suffixes = [".jpg", ".png", ".jpeg"]
  private static let fileLimit = 512 << 20

  /// The parts of the path of a bitmask.
  private struct Place {
    /// The folders above its folder `bitmasks`, and below it.
    var above: ArraySlice<String>
    var below: ArraySlice<String>
    var stem: Substring

    /// - Parameter isRoot: whether the root is the folder of bitmasks.
    init(_ path: String, isRoot: Bool) {
      let folders = path.split(separator: "/").dropLast().map(String.init)
      stem = SortedFiles.stem(of: path)
      let place = folders.lastIndex { $0.lowercased() == BDD100KBitmaskLayout.folder }
      above = isRoot ? [] : folders[..<(place ?? 0)]
      below = isRoot ? folders[...] : folders[((place ?? -1) + 1)...]
    }

    var split: String? { below.first(where: FolderLayout.isSplit) }
    var video: String? { below.last.flatMap { FolderLayout.isSplit($0) ? nil : $0 } }
  }

  /// The files of a source that are named like bitmasks: PNGs in a folder `bitmasks`; if there is none,
  /// all PNGs of a root with that name.
  static func files(_ tree: any SourceTree) throws -> [SourceFile] {
    guard !tree.isSingleFile else { return [] }
    let files = try tree.files().filter { $0.path.hasSuffix(ignoringCase: ".png") }
    let folders = Set(PathFolders.all(of: files.lazy.map(\.path)).filter(isBelowFolder))
    let named = folders.isEmpty ? [] : files.filter { folders.contains($0.path.folderPath) }
    return named.isEmpty && tree.name.lowercased() == folder ? files : named
  }

  /// Returns whether a folder is one of bitmasks, or is below one.
  private static func isBelowFolder(_ path: Substring) -> Bool {
    path.split(separator: "/").contains { $0.lowercased() == folder }
  }

  /// The first of the files that is made like a bitmask; `nil` if none of a few is.
  static func example(_ files: [SourceFile], in tree: any SourceTree) -> SourceFile? {
    files.prefix(4).first { file in
      guard let bytes = try? tree.readAll(file.path, limit: fileLimit),
        let raster = try? ImageCodec.decodeWithAlpha(bytes)
      else { return false }
      return BDD100KBitmask.isPlausible(raster)
    }
  }

  /// - Parameter images: the tree of the images, if it is another one.
  /// - Throws: any error that the trees throw.
  init(_ tree: any SourceTree, images apart: (any SourceTree)?) throws {
    masks = try Self.files(tree)
    let isRoot = masks.first.map { !Self.isBelowFolder($0.path.folderPath) } ?? false
    let images = SortedFiles(
      try (apart ?? tree).files().filter { file in
        PairPath.isImageName(file.path) && !Self.isAnnotation(file.path)
          && (apart != nil || !isRoot)
      })
    var places: [String: Int] = [:]
    var limit = IssueLimit()
    var used: [String: Int] = [:]
    var found = 0
    for (index, file) in masks.enumerated() {
      let place = Place(file.path, isRoot: isRoot)
      let folder = place.above.joined(separator: "/")
      let set = places[folder] ?? sets.count
      if set == sets.count {
        let name = place.above.last ?? (isRoot ? "" : tree.name)
        places[folder] = set
        sets.append(
          LabelSet(
            folder: isRoot ? "" : SortedFiles.join(folder, Self.folder),
            classes: Self.classes(ofFolder: name)))
      }
      let candidates = Self.candidates(place, isApart: apart != nil)
      let path = candidates.first { images.index(of: $0) != nil }
      let image = path ?? candidates[0]
      if let first = used.updateValue(index, forKey: image) {
        used[image] = first
        if limit.admits(.duplicateID) {
          issues.append(
            Issue(
              .duplicateID, .error, at: IssueLocation(file: file.path), sampleKey: image,
              "\(masks[first].path) is the bitmask of the same image; left out"))
        }
        continue
      }
      if path != nil { found += 1 }
      items.append(
        Item(path: image, mask: index, split: place.split, video: place.video, set: set))
    }
    items.sort { SortedFiles.precedes($0.path, $1.path) }
    issues += limit.remainder(in: tree.name)
    imagesLeftOut = images.count - found
  }

  private static func isAnnotation(_ path: String) -> Bool {
    path.split(separator: "/").dropLast().contains { annotations.contains($0.lowercased()) }
  }

  /// The classes of a set by the name of its folder; `nil` if that does not say them.
  private static func classes(ofFolder name: String) -> BDD100KBitmaskClasses? {
    let name = name.lowercased()
    if name.hasPrefix("pan_seg") || name.hasPrefix("panseg") { return .panoptic }
    if name.hasPrefix("ins_seg") || name.hasPrefix("insseg") || name.contains("track") {
      return .instances
    }
    return nil
  }

  /// The paths at which the image of a bitmask can be, the usual one first.
  private static func candidates(_ place: Place, isApart: Bool) -> [String] {
    let above = Array(place.above)
    var roots: [[String]] = []
    if let labels = above.lastIndex(where: { $0.lowercased() == "labels" }) {
      roots.append(Array(above[..<labels]))
    }
    roots += (0...above.count).reversed().map { Array(above[..<$0]) }
    let isTrack = place.video != nil || (above.last?.lowercased().contains("track") ?? false)
    let sets = isTrack ? ["seg_track_20", "track", ""] : ["10k", "100k", ""]
    var folders: [String] = []
    let below = Array(place.below)
    for root in isApart ? [[]] : roots {
      for set in sets {
        folders.append(
          (root + ["images", set] + below).filter { !$0.isEmpty }.joined(separator: "/"))
      }
      for set in sets where isApart || set.isEmpty {
        folders.append((root + [set] + below).filter { !$0.isEmpty }.joined(separator: "/"))
      }
    }
    if isApart {
      folders += below.indices.map { below[($0 + 1)...].joined(separator: "/") }
    }
    return folders.flatMap { folder in
      suffixes.map { SortedFiles.join(folder, "\(place.stem)\($0)") }
    }
  }

  /// Finds out the classes of sets whose folder does not say them: those of panoptic segmentation if a
  /// mask has a value beyond those of instances.
  ///
  /// - Throws: any error that the tree throws, apart from those of single files.
  mutating func findClasses(in tree: any SourceTree, workers: Int) throws {
    for set in sets.indices where sets[set].classes == nil {
      let last = BDD100KBitmaskClasses.instances.last
      let files = items.filter { $0.set == set }.map { masks[$0.mask].path }
      var next = 0
      var beyond: (value: Int, file: String)?
      try OrderedWorkers(workers: workers).run(
        next: { () -> String? in
          guard next < files.count, beyond == nil else { return nil }
          next += 1
          return files[next - 1]
        },
        transform: { _, path -> (value: Int, file: String) in
          guard let bytes = try? tree.readAll(path, limit: Self.fileLimit),
            let raster = try? ImageCodec.decodeWithAlpha(bytes)
          else { return (0, path) }
          return (Int(BDD100KBitmask.highestClass(raster)), path)
        },
        deliver: { found in
          if beyond == nil, found.value > last { beyond = found }
        })
      sets[set].classes = beyond == nil ? .instances : .panoptic
      let folder = sets[set].folder.isEmpty ? tree.name : sets[set].folder
      if let beyond {
        notes.append(
          "the classes of \(folder) are the \(BDD100KBitmaskClasses.panoptic.last) of panoptic "
            + "segmentation, because \(beyond.file) has the class \(beyond.value), and instances have "
            + "\(last)")
      } else {
        notes.append(
          "the classes of \(folder) are the \(last) of instance segmentation, because no mask has "
            + "another; those of panoptic segmentation are in a folder pan_seg/bitmasks")
      }
    }
  }
}
