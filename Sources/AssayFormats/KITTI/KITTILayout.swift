import AssayCore

/// An image of a KITTI dataset and its label file.
struct KITTIItem: Sendable {
  /// The index of the image among all files; -1 for a missing one.
  var image: Int32
  /// The index of the label file; -1 for none.
  var label: Int32
  /// The index in ``KITTILayout/splitNames``; -1 for none.
  var split: Int16 = -1
  /// The index in ``KITTILayout/missing``; -1 for an image that is there.
  var missing: Int32 = -1
}

/// The images of a KITTI dataset, with their labels and splits. Labels are not opened.
struct KITTILayout {
  /// The place of an image or a label: the folder above `image_2` or `label_2`, and the path below
  /// it without the suffix.
  struct Place: Hashable {
    var above: String
    var folder: String
    var name: String
  }

  let files: SortedFiles
  /// Sorted by the image's path.
  private(set) var items: [KITTIItem] = []
  private(set) var splitNames: [String] = []
  private(set) var missing: [String] = []
  private(set) var issues: [Issue] = []
  private(set) var notes: [String] = []
  /// The label files that are read, in order.
  private(set) var labels: [Int32] = []
  /// The lists in `ImageSets` that give the splits.
  private(set) var lists: Set<String> = []
  /// A label file of each dataset, sorted by the dataset's folder.
  private(set) var examples: [String] = []
  /// The folders whose images are in `data/` and whose labels are in `labels/`.
  private var plainFolders: Set<String> = []
  /// Masks of KITTI's segmentation benchmark, which are not read.
  private(set) var masks: [String] = []

  /// The folders of images, and of their labels. FiftyOne writes `data/` beside `labels/`.
  private static let folders = [
    "image_2": "label_2", "images": "labels", "image": "label", "data": "labels",
  ]
  private static let imageFolders = [
    "label_2": "image_2", "labels": "images", "label": "image",
  ]
  private static let maskFolders: Set<String> = [
    "instance", "semantic", "semantic_rgb", "instances",
  ]
  /// The maximum size of a list.
  private static let listLimit = 64 << 20

  /// - Throws: any error that the tree throws.
  init(_ tree: any SourceTree) throws {
    files = SortedFiles(tree.isSingleFile ? [] : try tree.files())
    findPlainFolders()
    var owned = [Bool](repeating: false, count: files.count)
    var others: (count: Int, first: String)?
    for index in 0..<files.count where PairPath.isImageName(files[index]) {
      guard let place = imagePlace(of: files[index]) else {
        if Self.isMask(files[index]) {
          masks.append(files[index])
        } else {
          others = ((others?.count ?? 0) + 1, others?.first ?? files[index])
        }
        continue
      }
      let label = Self.path(place, in: Self.folders[place.folder] ?? "label_2", ".txt")
      let found = files.index(of: label)
      if let found {
        if owned[found] { noteShared(index, found) }
        owned[found] = true
      }
      items.append(KITTIItem(image: Int32(index), label: Int32(found ?? -1)))
    }
    pairApart(&owned)
    addMissing(owned)
    labels = items.map(\.label).filter { $0 >= 0 }
    try assignSplits(tree)
    findExamples()
    noteUnlabeled()
    if let others {
      issues.append(
        Issue(
          .unsupportedFile, .warning, at: IssueLocation(file: others.first),
          "\(others.count == 1 ? "1 image is" : "\(others.count) images are") in no folder image_2 "
            + "and not read"))
    }
  }

  private mutating func noteShared(_ image: Int, _ label: Int) {
    issues.append(
      Issue(
        .duplicateID, .warning, at: IssueLocation(file: files[image]),
        "another image of the same name has the label file \(files[label]), too; both are kept, with "
          + "the same objects"))
  }

  /// Finds the folders with label files in `labels/` and images in `data/`, but not in `images/`.
  private mutating func findPlainFolders() {
    var last: Substring?
    for index in Self.labelFiles(files) {
      let folder = SortedFiles.folder(of: files[index])
      if folder == last { continue }
      last = folder
      guard let place = Self.place(of: files[index], in: Self.imageFolders),
        place.folder == "labels", !plainFolders.contains(place.above),
        !files.hasFolder(SortedFiles.join(place.above, "images")),
        files.hasFolder(SortedFiles.join(place.above, "data"))
      else { continue }
      plainFolders.insert(place.above)
    }
  }

  /// The place of an image; a folder `data` counts beside labels alone.
  private func imagePlace(of path: String) -> Place? {
    var folders = Self.folders
    if plainFolders.isEmpty { folders["data"] = nil }
    guard let place = Self.place(of: path, in: folders) else { return nil }
    guard place.folder == "data", !plainFolders.contains(place.above) else { return place }
    folders["data"] = nil
    return Self.place(of: path, in: folders)
  }

  static func place(of path: String, in folders: [String: String]) -> Place? {
    let parts = path.split(separator: "/")
    guard let at = parts.dropLast().lastIndex(where: { folders[String($0)] != nil }) else {
      return nil
    }
    let below = parts[parts.index(after: at)...].joined(separator: "/")
    let stem = SortedFiles.join(SortedFiles.folder(of: below), SortedFiles.stem(of: below))
    return Place(
      above: parts[..<at].joined(separator: "/"), folder: String(parts[at]), name: stem)
  }

  private static func path(_ place: Place, in folder: String, _ suffix: String) -> String {
    SortedFiles.join(place.above, "\(folder)/\(place.name)\(suffix)")
  }

  private static func isMask(_ path: String) -> Bool {
    path.split(separator: "/").dropLast().contains { maskFolders.contains($0.lowercased()) }
  }

  /// The label files of a source, without looking for their images.
  static func labelFiles(_ files: SortedFiles) -> some Sequence<Int> {
    (0..<files.count).lazy.filter { index in
      files[index].hasSuffix(".txt") && place(of: files[index], in: imageFolders) != nil
    }
  }

  // MARK: Folders apart

  /// Finds the labels of images in another folder: `data_object_image_2/training/image_2` and
  /// `data_object_label_2/training/label_2`, as the benchmark's archives are called. Both must lie in
  /// folders of the same name, and no other label may have the image's name.
  private mutating func pairApart(_ owned: inout [Bool]) {
    func key(_ place: Place, _ folder: String) -> String {
      "\(place.above.split(separator: "/").last ?? "")/\(folder)/\(place.name)"
    }
    var labels: [String: Int] = [:]
    for index in Self.labelFiles(files) where !owned[index] {
      guard FileNameKind(files[index]) != .harmless,
        let place = Self.place(of: files[index], in: Self.imageFolders)
      else { continue }
      let key = key(place, place.folder)
      labels[key] = labels[key] == nil ? index : -1
    }
    guard !labels.isEmpty else { return }
    var images: [String: Int] = [:]
    for index in items.indices where items[index].label < 0 {
      guard let place = imagePlace(of: path(of: items[index])),
        let folder = Self.folders[place.folder]
      else { continue }
      let key = key(place, folder)
      images[key] = images[key] == nil ? index : -1
    }
    for (key, index) in images where index >= 0 {
      guard let label = labels[key], label >= 0 else { continue }
      items[index].label = Int32(label)
      owned[label] = true
    }
  }

  // MARK: Missing images

  private mutating func addMissing(_ owned: [Bool]) {
    var found: [(path: String, item: KITTIItem)] = []
    let suffix = items.first.map { item -> String in
      let path = files[Int(item.image)]
      return path.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(path[$0...]) } ?? ".png"
    }
    for index in Self.labelFiles(files) where !owned[index] {
      guard FileNameKind(files[index]) != .harmless,
        let place = Self.place(of: files[index], in: Self.imageFolders),
        let known = Self.imageFolders[place.folder]
      else { continue }
      let isPlain = place.folder == "labels" && plainFolders.contains(place.above)
      let path = Self.path(place, in: isPlain ? "data" : known, suffix ?? ".png")
      found.append(
        (path, KITTIItem(image: -1, label: Int32(index), missing: Int32(missing.count))))
      missing.append(path)
    }
    guard !found.isEmpty else { return }
    let all = items.map { (path: path(of: $0), item: $0) } + found
    items = all.sorted { SortedFiles.precedes($0.path, $1.path) }.map(\.item)
  }

  /// The path of an item's image below the root.
  func path(of item: KITTIItem) -> String {
    item.missing >= 0 ? missing[Int(item.missing)] : files[Int(item.image)]
  }

  // MARK: Splits

  /// Assigns the lists of `ImageSets`, else the folder above `image_2`.
  private mutating func assignSplits(_ tree: any SourceTree) throws {
    var numbers: [String: Int16] = [:]
    func number(_ name: String, _ names: inout [String]) -> Int16 {
      if let known = numbers[name] { return known }
      guard names.count < Int(Int16.max) else { return -1 }
      numbers[name] = Int16(names.count)
      names.append(name)
      return Int16(names.count - 1)
    }
    let places = items.map { imagePlace(of: path(of: $0)) }
    let hasTesting = places.contains { Self.isTesting($0?.above ?? "") }
    // The ids of testing/ and of training/ start at 0 alike.
    var training: [String: Int16] = [:]
    var testing: [String: Int16] = [:]
    for list in listFiles() {
      let name = String(SortedFiles.stem(of: list.path))
      let split = number(name, &splitNames)
      if hasTesting, SplitName.match(name, "test") {
        try read(list, split, tree, into: &testing)
      } else {
        try read(list, split, tree, into: &training)
      }
      lists.insert(list.path)
    }
    var unlisted: [String: (count: Int, first: String)] = [:]
    for index in items.indices {
      guard let place = places[index] else { continue }
      let found = (hasTesting && Self.isTesting(place.above) ? testing : training)[place.name]
      if let found {
        items[index].split = found
        continue
      }
      let folder =
        place.above.split(separator: "/").last.map(String.init)
        ?? CityscapesName.split(ofKey: place.name).flatMap { FolderLayout.isSplit($0) ? $0 : nil }
      if !lists.isEmpty, !Self.isTesting(place.above) {
        let known = unlisted[place.above] ?? (0, path(of: items[index]))
        unlisted[place.above] = (known.count + 1, known.first)
      }
      items[index].split = folder.map { number($0, &splitNames) } ?? -1
    }
    for (folder, found) in unlisted.sorted(by: { $0.key < $1.key }) {
      issues.append(
        Issue(
          .unknownSplit, .warning, at: IssueLocation(file: folder.isEmpty ? "." : folder),
          "\(found.count == 1 ? "1 image is" : "\(found.count) images are") in none of the lists in "
            + "ImageSets (\(found.first)\(found.count == 1 ? "" : ", …")); "
            + (folder.isEmpty ? "no split" : "the split is the folder's name")))
    }
  }

  private static func isTesting(_ above: String) -> Bool {
    above.split(separator: "/").last.map { SplitName.match(String($0), "test") } ?? false
  }

  /// The lists, with `train`, `val` and `test` before `trainval`.
  private func listFiles() -> [SourceFile] {
    let found = files.files.filter { file in
      let parts = file.path.split(separator: "/")
      return file.path.hasSuffix(".txt") && parts.count >= 2
        && parts[parts.count - 2].lowercased() == "imagesets"
    }
    func isKnown(_ file: SourceFile) -> Bool {
      SplitName.isKnown(String(SortedFiles.stem(of: file.path)))
    }
    return found.filter(isKnown) + found.filter { !isKnown($0) }
  }

  /// Reads a list of image ids, one per line.
  private mutating func read(
    _ list: SourceFile, _ split: Int16, _ tree: any SourceTree, into ids: inout [String: Int16]
  ) throws {
    let text: String
    do {
      text = String(
        decoding: try tree.readAll(list.path, limit: Self.listLimit), as: UTF8.self)
    } catch {
      issues.append(
        Issue(
          .unsupportedFile, .warning, at: IssueLocation(file: list.path), "\(error); not read"))
      return
    }
    // `trainval` repeats `train` and `val`.
    let isUnion = SortedFiles.stem(of: list.path).lowercased().hasPrefix("trainval")
    var (repeated, first) = (0, 0)
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let word = String(line).trimmingBlanks
      guard !word.isEmpty else { continue }
      let id = PairPath.isImageName(word) ? String(SortedFiles.stem(of: word)) : word
      if let known = ids[id] {
        guard !isUnion || known == split else { continue }
        if repeated == 0 { first = number + 1 }
        repeated += 1
      } else {
        ids[id] = split
      }
    }
    guard repeated > 0 else { return }
    issues.append(
      Issue(
        .duplicateID, .warning, at: IssueLocation(file: list.path, line: first),
        "\(repeated) \(repeated == 1 ? "image is" : "images are") listed before; the first split "
          + "counts"))
  }

  // MARK: Findings

  private mutating func findExamples() {
    var roots: [String: String] = [:]
    for item in items where item.label >= 0 {
      guard let place = Self.place(of: files[Int(item.label)], in: Self.imageFolders) else {
        continue
      }
      let root = String(SortedFiles.folder(of: place.above))
      if roots[root] == nil { roots[root] = files[Int(item.label)] }
    }
    examples = roots.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Reports images without a label file beside images that have one.
  private mutating func noteUnlabeled() {
    var counts: [String: (all: Int, labeled: Int, bare: [String])] = [:]
    for item in items {
      guard let place = imagePlace(of: path(of: item)) else { continue }
      var count = counts[place.above] ?? (0, 0, [])
      count.all += 1
      if item.label >= 0 {
        count.labeled += 1
      } else if count.bare.count < IssueLimit.limit {
        count.bare.append(path(of: item))
      }
      counts[place.above] = count
    }
    for (folder, count) in counts.sorted(by: { $0.key < $1.key }) {
      if count.labeled == 0 {
        let name = folder.isEmpty ? "." : folder
        if !Self.isTesting(folder) {
          issues.append(
            Issue(
              .missingLabel, .warning, at: IssueLocation(file: name),
              (count.all == 1
                ? "the only image of \(name) has no label file"
                : "none of the \(count.all) images of \(name) has a label file")
                + "; kept without objects"))
        } else {
          notes.append(
            count.all == 1
              ? "the only image of \(name) has no labels"
              : "the \(count.all) images of \(name) have no labels")
        }
        continue
      }
      for path in count.bare {
        issues.append(
          Issue(
            .missingLabel, .warning, at: IssueLocation(file: path), sampleKey: path,
            "there is no label file for this image; kept without objects"))
      }
    }
  }
}
