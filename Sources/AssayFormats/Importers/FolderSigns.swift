/// Signs in the folders of images that they are neither splits nor classes, although their level says so.
struct FolderSigns: Sendable {
  /// First folders that only contain folders called like splits, and those (`copy/train/cat`).
  private(set) var ofSplits: [(folder: String, splits: [String])] = []
  /// True if all folders of classes are called like splits (`train/train`, `test/test`).
  private(set) var areSplits = false
  /// The folders inside of classes that contain a folder of images beside one of masks.
  private(set) var withMasks: [String] = []
  /// Such a folder's folders of images and of masks.
  private var example = (images: "", masks: "")
  /// True if each class folder only contains one image, called like it, or one beside its masks.
  private(set) var arePerImage = false

  /// - Parameter paths: the paths of the images; those of a folder follow each other.
  init(_ layout: FolderLayout, _ paths: [String]) {
    guard layout.hasClasses else { return }
    let folders = PathFolders.all(of: paths)
    findSplits(layout, folders)
    findMasks(layout, paths, folders)
  }

  /// True if there is none.
  var isEmpty: Bool { ofSplits.isEmpty && !areSplits && withMasks.isEmpty && !arePerImage }

  /// True if the folders are not classes.
  var areNoClasses: Bool { !ofSplits.isEmpty || areSplits || arePerImage }

  private mutating func findSplits(_ layout: FolderLayout, _ folders: [Substring]) {
    var inside: [Substring: Set<Substring>] = [:]
    var shallow: Set<Substring> = []
    var classes: Set<Substring> = []
    for folder in folders {
      let parts = folder.split(separator: "/", maxSplits: 3)
      guard let first = parts.first else { continue }
      if parts.count > 1 {
        inside[first, default: []].insert(parts[1])
        classes.insert(parts[1])
      }
      if parts.count < 3 { shallow.insert(first) }
    }
    let areAll = { (names: Set<Substring>) in
      !names.isEmpty && names.allSatisfy { FolderLayout.isSplit(String($0)) }
    }
    ofSplits = inside.filter { areAll($0.value) && !shallow.contains($0.key) }
      .map { (String($0.key), $0.value.map(String.init).sorted()) }
      .sorted { $0.folder < $1.folder }
    areSplits = ofSplits.isEmpty && layout.hasSplits && areAll(classes)
  }

  private mutating func findMasks(
    _ layout: FolderLayout, _ paths: [String], _ folders: [Substring]
  ) {
    let depth = layout.hasSplits ? 2 : 1
    var images: [Substring: Substring] = [:]
    var masks: [Substring: Substring] = [:]
    for folder in folders {
      let above = folder.folderPath
      guard above.split(separator: "/").count >= depth else { continue }
      switch LayoutNames.role(String(folder.dropFirst(above.count + 1))) {
      case .images: images[above] = folder
      case .masks: masks[above] = folder
      case nil: continue
      }
    }
    withMasks = masks.keys.filter { images[$0] != nil }.map(String.init).sorted()
    if let first = withMasks.first {
      example = (String(images[first[...]] ?? ""), String(masks[first[...]] ?? ""))
    }
    guard !images.isEmpty else { return }
    let all = Set(images.values)
    var counts: [Substring: Int] = [:]
    var areNamed = true
    for path in paths where !LayoutNames.isMask(path) {
      let folder = path.folderPath
      guard all.contains(folder) else { return }
      counts[folder, default: 0] += 1
      let name = folder.folderPath.split(separator: "/").last
      areNamed = areNamed && name == SortedFiles.stem(of: path)
    }
    arePerImage =
      counts.count > 1 && counts.values.allSatisfy { $0 == 1 }
      && (areNamed || withMasks.count == counts.count)
  }

  /// The findings, one per line.
  var findings: [String] {
    var lines: [String] = []
    if let (folder, splits) = ofSplits.first {
      lines.append(
        "\(list(ofSplits.map(\.folder))) only \(ofSplits.count == 1 ? "holds" : "hold") folders called like "
          + "splits (\(folder)/\(splits[0])\(splits.count == 1 ? "" : ", …")), so \(ofSplits.count == 1 ? "it is" : "they are") "
          + "neither \(ofSplits.count == 1 ? "a split nor a class" : "splits nor classes"); if it is a copy of "
          + "the rest, move it out of the folder; a dataset of its own is imported alone: "
          + "assay import \(ShellText.below(folder))")
    }
    if areSplits {
      lines.append(
        "the folders inside of the splits are called like splits, too, so they are no classes; images without "
          + "classes must be directly in the folders of the splits")
    }
    if !withMasks.isEmpty {
      lines.append(
        "\(list(withMasks)) \(withMasks.count == 1 ? "holds" : "hold") masks beside images "
          + "(\(example.masks) and \(example.images)), so the masks are no images"
          + (arePerImage
            ? ", and each folder is one image and no class; several masks of one image are read from COCO JSON"
            : "; to import the masks, put all images into a folder images and their masks, called like them "
              + "and saved without loss (PNG), into a folder masks, and import PATH:masks"))
    } else if arePerImage {
      lines.append("each folder holds one image, called like it, so the folders are no classes")
    }
    return lines
  }

  private func list(_ names: [String]) -> String {
    "the \(names.count == 1 ? "folder" : "\(names.count) folders") \(names.prefix(3).joined(separator: ", "))"
      + (names.count > 3 ? ", …" : "")
  }
}
