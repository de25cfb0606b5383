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
  /// The file names that each class folder contains, if they are the same ones in all, none has a digit, and two or
  /// more say which view of a scene they are: then each folder is one sample. Empty otherwise.
  private(set) var repeatedNames: [String] = []

  /// The least number of folders with the same names that show that they are samples.
  private static let fewestSamples = 3
  /// Words of the names of several images of one scene.
  private static let views: Set<String> = [
    "left", "right", "disp", "disparity", "depth", "rgb", "color", "nir", "normal", "normals",
    "image", "img", "mask", "label", "gt", "input", "target", "before", "after",
  ]

  /// - Parameter paths: the paths of the images; those of a folder follow each other.
  init(_ layout: FolderLayout, _ paths: [String]) {
    guard layout.hasClasses else { return }
    let folders = PathFolders.all(of: paths)
    findSplits(layout, folders)
    findMasks(layout, paths, folders)
    if withMasks.isEmpty, !arePerImage { findRepeatedNames(paths, count: folders.count) }
  }

  /// True if there is none.
  var isEmpty: Bool {
    ofSplits.isEmpty && !areSplits && withMasks.isEmpty && !arePerImage && repeatedNames.isEmpty
  }

  /// True if the folders are not classes.
  var areNoClasses: Bool {
    !ofSplits.isEmpty || areSplits || arePerImage || !repeatedNames.isEmpty
  }

  private mutating func findSplits(_ layout: FolderLayout, _ folders: [Substring]) {
    var inside: [String: Set<String>] = [:]
    var shallow: Set<String> = []
    var classes: Set<String> = []
    for folder in folders {
      let parts = layout.parts(of: folder)
      guard let first = parts.first else { continue }
      if parts.count > 1 {
        inside[first, default: []].insert(parts[1])
        classes.insert(parts[1])
      }
      if parts.count < 3 { shallow.insert(first) }
    }
    let areAll = { (names: Set<String>) in
      !names.isEmpty && names.allSatisfy(FolderLayout.isSplit)
    }
    ofSplits = inside.filter { areAll($0.value) && !shallow.contains($0.key) }
      .map { ($0.key, $0.value.sorted()) }
      .sorted { $0.folder < $1.folder }
    areSplits = ofSplits.isEmpty && layout.splits == .outer && areAll(classes)
  }

  private mutating func findRepeatedNames(_ paths: [String], count: Int) {
    guard count >= Self.fewestSamples, let first = paths.first?.folderPath, !first.isEmpty else {
      return
    }
    let names = paths.prefix { $0.isDirectly(in: first) }.map { String($0.fileName) }
    guard names.count > 1, paths.count == names.count * count,
      names.allSatisfy({ !$0.prefix { $0 != "." }.contains(where: \.isNumber) }),
      names.count(where: Self.isView) > 1
    else { return }
    // The paths are sorted, so that the names of each folder are in the same order.
    for (place, path) in paths.enumerated()
    where !path.utf8.elementsEqual("\(path.folderPath)/\(names[place % names.count])".utf8) {
      return
    }
    repeatedNames = names
  }

  private mutating func findMasks(
    _ layout: FolderLayout, _ paths: [String], _ folders: [Substring]
  ) {
    var images: [Substring: Substring] = [:]
    var masks: [Substring: Substring] = [:]
    for folder in folders {
      let above = folder.folderPath
      guard above.split(separator: "/").count >= layout.depth(of: folder) else { continue }
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

  private static func isView(_ name: String) -> Bool {
    let words = name.prefix { $0 != "." }.lowercased().split { !$0.isLetter }
    return words.contains { views.contains(String($0)) }
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
    if !repeatedNames.isEmpty {
      lines.append(
        "each folder holds the same \(repeatedNames.count) file names (\(repeatedNames.prefix(4).joined(separator: ", "))"
          + "\(repeatedNames.count > 4 ? ", …" : "")), so each is one sample and no class; if the folders are classes, "
          + "give the images names of their own")
    }
    return lines
  }

  private func list(_ names: [String]) -> String {
    "the \(names.count == 1 ? "folder" : "\(names.count) folders") \(names.prefix(3).joined(separator: ", "))"
      + (names.count > 3 ? ", …" : "")
  }
}
