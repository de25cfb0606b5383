import AssayCore

/// The splits of images, annotations and masks.
struct VOCSplits {
  /// The split of each file; -1 for none.
  private(set) var splits: [Int16]
  private(set) var names: [String] = []
  private(set) var issues: [Issue] = []
  private(set) var notes: [String] = []
  /// True if lists give splits.
  private(set) var isListed = false
  /// The masks of listed images that have neither an image nor an annotation, with the image's path.
  private(set) var maskOnly: [(path: String, mask: Int)] = []

  private var limit = IssueLimit()
  /// The task that gave a file its split; -1 for none.
  private var tasks: [Int8]
  private var seenMasks: Set<Int> = []

  private static let byteLimit = 256 << 20
  private static let lineLimit = 4096

  /// Reads the lists.
  ///
  /// - Throws: any error that the tree throws.
  init(_ inventory: VOCInventory, _ lists: VOCLists) throws {
    splits = Array(repeating: -1, count: inventory.files.count)
    tasks = Array(repeating: -1, count: inventory.files.count)
    var inventory = inventory
    for dataset in lists.datasets {
      let folders = inventory.folders.parts(ofDataset: dataset.root)
      var others: (count: Int, first: String, split: String, here: String)?
      for (task, entry) in dataset.tasks.enumerated() {
        for list in entry.lists {
          try read(list, dataset, Int8(clamping: task), folders, &inventory) { path, split, here in
            if others == nil { others = (0, path, split, here) }
            others?.count += 1
          }
        }
      }
      if let others, dataset.tasks.count > 1 {
        notes.append(
          "\(others.count) \(others.count == 1 ? "image has" : "images have") another split in "
            + "\(dataset.tasks[1].place) or a later task than in "
            + "\(dataset.tasks[0].place), which counts (\(others.first): '\(others.split)' instead of "
            + "'\(others.here)')")
      }
    }
    issues += limit.remainder(in: inventory.tree.name)
  }

  /// The number of a split.
  mutating func number(of name: String) -> Int16 {
    if let place = names.firstIndex(of: name) { return Int16(clamping: place) }
    guard names.count < Int(Int16.max) else { return -1 }
    names.append(name)
    return Int16(names.count - 1)
  }

  /// The number of the split that a folder of images is named after; -1 if it is none.
  mutating func number(ofFolder folder: Substring) -> Int16 {
    let split = YOLOFolderFacts.split(of: folder)?.name ?? Self.split(inName: folder)
    return split.map { number(of: $0) } ?? -1
  }

  /// The split in the name of a folder of images or annotations: `train` for `train_images` and `annotations-train`.
  private static func split(inName folder: Substring) -> String? {
    let words =
      folder.split(separator: "/").last?.split { "_-".contains($0) }.map(String.init) ?? []
    guard words.count == 2, let place = words.firstIndex(where: SplitName.isKnown),
      ["images", "annotations", "xmls", "xml", "labels", "img", "ann"].contains(
        words[1 - place].lowercased())
    else { return nil }
    return words[place]
  }

  private mutating func note(
    _ kind: IssueKind, _ severity: Issue.Severity, _ location: IssueLocation, _ text: String
  ) {
    guard limit.admits(kind) else { return }
    issues.append(Issue(kind, severity, at: location, text))
  }

  /// Reads one list.
  ///
  /// - Parameter differs: receives a path, its split in this list and its split.
  private mutating func read(
    _ list: VOCLists.List, _ dataset: VOCLists.Dataset, _ task: Int8,
    _ folders: (images: [String], xmls: [String]), _ inventory: inout VOCInventory,
    differs: (String, String, String) -> Void
  ) throws {
    let file = inventory.files[list.index]
    let number = number(of: list.name)
    guard number >= 0 else { return }
    let bytes = try inventory.tree.readAll(file, limit: Self.byteLimit)
    var repeated: (count: Int, first: String, split: String)?
    var line = 0
    var start = bytes.startIndex
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      defer { start = end + 1 }
      line += 1
      let location = IssueLocation(file: file, line: line)
      guard end - start <= Self.lineLimit else {
        note(.lineTooLong, .error, location, "the line is too long; ignored")
        continue
      }
      var text = String(decoding: bytes[start..<end], as: UTF8.self).trimmingBlanks
      guard !text.isEmpty, !text.hasPrefix("#") else { continue }
      if list.isPerClass, let gap = text.lastIndex(where: { $0 == " " || $0 == "\t" }) {
        text = String(text[..<gap]).trimmingBlanks
      }
      guard let found = find(text, location, dataset.root, folders, &inventory) else { continue }
      isListed = true
      let known = found.files.first { splits[$0] >= 0 }
      guard let known else {
        for index in found.files {
          splits[index] = number
          tasks[index] = task
        }
        continue
      }
      // A file found by another way later gets the same split.
      for index in found.files where splits[index] < 0 {
        splits[index] = splits[known]
        tasks[index] = tasks[known]
      }
      let other = names[Int(splits[known])]
      if tasks[known] != task {
        let isUnion = list.name.lowercased() == "trainval" || other.lowercased() == "trainval"
        if splits[known] != number, !isUnion { differs(found.name, list.name, other) }
      } else if list.isPerClass, splits[known] == number {
        // The lists of all classes repeat the images.
        continue
      } else if list.name.lowercased() != "trainval" || splits[known] == number {
        // `trainval` repeats the images of `train` and `val`; an image of `test` would be odd.
        if repeated == nil { repeated = (0, found.name, other) }
        repeated?.count += 1
      } else if !["train", "val", "valid"].contains(other.lowercased()) {
        if repeated == nil { repeated = (0, found.name, other) }
        repeated?.count += 1
      }
    }
    // Lines of Layout and Action are objects, so that an image has several.
    if let repeated, task == 0 || repeated.split != list.name {
      note(
        .duplicateID, .warning, IssueLocation(file: file),
        "\(repeated.count) \(repeated.count == 1 ? "image is" : "images are") listed again "
          + "(\(repeated.first) is in '\(repeated.split)'); the first list counts")
    }
  }

  /// The files of a listed image; `nil`, with an issue, if there are none.
  private mutating func find(
    _ text: String, _ location: IssueLocation, _ root: String,
    _ folders: (images: [String], xmls: [String]), _ inventory: inout VOCInventory
  ) -> (name: String, files: [Int])? {
    let outside = Self.names(in: text).first { $0.split(separator: "/").contains("..") }
    if let outside {
      note(.outsideRoot, .error, location, "'\(outside)' leaves the folder; ignored")
      return nil
    }
    let found = Self.files(named: text, root, folders, inventory)
    if !found.files.isEmpty { return found }
    for name in Self.names(in: text) {
      let path = SortedFiles.join(root, "JPEGImages/\(name).jpg")
      let masks = inventory.masks(ofImage: path)
      if let mask = masks.classes ?? masks.objects {
        if seenMasks.insert(mask).inserted { maskOnly.append((path, mask)) }
        return (name, [mask])
      }
    }
    note(
      .missingImage, .error, location,
      "'\(text)' has neither an image nor an annotation; ignored")
    return nil
  }

  /// The image and the annotation of a line of a list, and the name that they have; no files if there
  /// are neither.
  ///
  /// - Parameter isWhole: whether the line must have nothing but the name.
  static func files(
    named text: String, _ root: String, _ folders: (images: [String], xmls: [String]),
    _ inventory: VOCInventory, isWhole: Bool = false
  ) -> (name: String, files: [Int]) {
    var names = names(in: text)
    if isWhole { names = [text, PairPath.isImageName(text) ? PairPath.stem(of: text) : text] }
    for name in names where !name.split(separator: "/").contains("..") {
      // Outside of ImageSets, a line can be the path of an image.
      let images = folders.images.contains(root) ? folders.images : folders.images + [root]
      let found = [(images, VOCFileRole.image), (folders.xmls, .xml)].compactMap { places, role in
        places.lazy.compactMap { inventory.file($0, name, role) }.first
      }
      if !found.isEmpty { return (name, found) }
    }
    return (text, [])
  }

  /// The possible names of the image of a line: the line, what is in quotes, the first field; with
  /// and without the suffix of an image.
  static func names(in text: String) -> [String] {
    var names = [text]
    let quoted = text.split(separator: "\"", omittingEmptySubsequences: false)
    if quoted.count == 3 { names.append(String(quoted[1])) }
    if let first = text.split(whereSeparator: \.isWhitespace).first { names.append(String(first)) }
    names += names.filter(PairPath.isImageName).map(PairPath.stem)
    var seen: Set<String> = []
    return names.filter { !$0.isEmpty && seen.insert($0).inserted }
  }
}
