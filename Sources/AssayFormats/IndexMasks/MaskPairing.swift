import AssayCore

/// An image and its mask.
struct MaskPair: Hashable, Sendable {
  var image: SourceFile
  var mask: SourceFile
  /// As the source spells it; `nil` if there is none.
  var split: String?
}

/// Separates the files of a folder into images and their masks.
///
/// A mask has its image's stem, optionally with an ending such as `_mask` or `_L`, and is in a
/// sibling folder (`images/` and `masks/`, `train/` and `trainannot/`), with the same folders above
/// and below, or in the same folder.
struct MaskPairing {
  /// By the image's path.
  private(set) var pairs: [MaskPair] = []
  /// Images and masks without a partner, and additional masks of an image.
  private(set) var issues: [Issue] = []
  /// The number of files that the issues omit.
  private(set) var rejected = 0
  /// The image folder and the mask folder of the first pair.
  private(set) var example: (images: String, masks: String)?

  private var cap = IssueLimit()

  /// The files of one folder, ignoring the path component that names their role.
  private struct Group {
    var images: [String: SourceFile] = [:]
    var masks: [(file: SourceFile, stem: String, split: String?)] = []
    var others: [SourceFile] = []
  }

  /// - Parameter files: all files, sorted by path.
  init(_ files: [SourceFile]) {
    var groups = Self.groups(files.filter { PairPath.isImageName($0.path) })
    for folder in groups.keys.sorted() {
      guard var group = groups.removeValue(forKey: folder) else { continue }
      Self.takeMasksAmongImages(&group)
      add(group, folder: folder)
    }
    pairs.sort { $0.image.path.utf8.lexicographicallyPrecedes($1.image.path.utf8) }
    if let first = pairs.first {
      example = (Self.folder(of: first.image.path), Self.folder(of: first.mask.path))
    }
  }

  /// Returns whether files can contain masks: an image that keeps values, or a file in a folder of masks. Pairing millions of
  /// images takes more memory than their list.
  static func mayFit(_ files: [SourceFile]) -> Bool {
    if files.contains(where: { ImageName.isMask($0.path) }) { return true }
    // The role is in the folders.
    return PathFolders.all(of: files.lazy.map(\.path)).contains {
      PairPath($0 + "/x").role != .image
    }
  }

  private static func groups(_ files: [SourceFile]) -> [String: Group] {
    let places = files.map { PairPath($0.path) }
    var plain: Set<String> = []
    for place in places where place.role == .image { plain.insert(place.folder) }
    var groups: [String: Group] = [:]
    for (file, place) in zip(files, places) {
      switch place.role {
      case .mask:
        groups[place.folder, default: Group()].masks.append((file, place.stem, nil))
      case .maskOf(let folder, let name) where plain.contains(folder):
        groups[folder, default: Group()].masks.append((file, place.stem, name))
      case .image, .maskOf:
        if groups[place.folder]?.images[place.stem] == nil {
          groups[place.folder, default: Group()].images[place.stem] = file
        } else {
          groups[place.folder, default: Group()].others.append(file)
        }
      }
    }
    return groups
  }

  /// In a folder without masks beside it, masks are the files that have an ending and for which a
  /// file with the same name without the ending exists.
  private static func takeMasksAmongImages(_ group: inout Group) {
    guard group.masks.isEmpty else { return }
    let stems = group.images.keys.filter { stem in
      PairPath.imageStems(ofMask: stem).dropFirst().contains { group.images[$0] != nil }
    }
    for stem in stems.sorted() {
      guard let file = group.images.removeValue(forKey: stem) else { continue }
      group.masks.append((file, stem, nil))
    }
  }

  private mutating func add(_ group: Group, folder: String) {
    var masks: [String: (file: SourceFile, split: String?)] = [:]
    var alone: [SourceFile] = []
    for (file, stem, split) in group.masks {
      let stems = PairPath.imageStems(ofMask: stem)
      guard let image = stems.first(where: { group.images[$0] != nil }) else {
        alone.append(file)
        continue
      }
      if let first = masks[image] {
        note(.duplicateID, file, "\(first.file.path) is the mask of the same image; left out")
      } else {
        masks[image] = (file, split)
      }
    }
    guard !masks.isEmpty else {
      noteLonely(group, folder: folder)
      return
    }
    for (stem, image) in group.images.sorted(by: { $0.value.path < $1.value.path }) {
      if let mask = masks[stem] {
        let split = Self.split(of: image.path) ?? mask.split
        pairs.append(MaskPair(image: image, mask: mask.file, split: split))
      } else {
        note(.unpairedMask, image, "no mask for this image; left out")
      }
    }
    for file in alone { note(.unpairedMask, file, "no image for this mask; left out") }
    for file in group.others {
      note(.duplicateID, file, "another image has the same name with another suffix; left out")
    }
  }

  /// One issue for a folder in which no files pair.
  private mutating func noteLonely(_ group: Group, folder: String) {
    let files = Array(group.images.values) + group.masks.map(\.file) + group.others
    guard let first = files.map(\.path).min() else { return }
    rejected += files.count
    guard cap.admits(.unpairedMask) else { return }
    let what = group.masks.isEmpty ? "no masks for them" : "no images for these masks"
    issues.append(
      Issue(
        .unpairedMask, .error, at: IssueLocation(file: Self.folder(of: first)),
        "\(files.count) files, \(first) among them, and \(what); left out"))
  }

  private mutating func note(_ kind: IssueKind, _ file: SourceFile, _ message: String) {
    rejected += 1
    guard cap.admits(kind) else { return }
    issues.append(Issue(kind, .error, at: IssueLocation(file: file.path), message))
  }

  /// The first folder of a path that has a split's name.
  static func split(of path: String) -> String? {
    path.split(separator: "/").dropLast().map(String.init).first(where: FolderLayout.isSplit)
  }

  private static func folder(of path: String) -> String {
    let folders = path.split(separator: "/").dropLast().joined(separator: "/")
    return folders.isEmpty ? "." : folders
  }
}
