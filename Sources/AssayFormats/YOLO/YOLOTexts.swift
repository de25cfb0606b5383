import AssayCore

/// The texts of a source that are not the label file of an image.
struct YOLOTexts {
  /// The indices of lists of images that are not read.
  private(set) var lists: [Int] = []
  /// The indices of label files without an image.
  private(set) var alone: [Int] = []
  /// The indices of label files of images that have another one.
  private(set) var repeated: [Int] = []
  private(set) var issues: [Issue] = []

  private let inventory: YOLOInventory
  private var candidates: [Int] = []

  /// In a folder with more texts than this, only some are opened.
  private static let opened = 64

  /// Opens the texts that belong to no image: all of them in a folder with few, else some.
  ///
  /// - Parameters:
  ///   - isUsed: whether a text is the label file of an image.
  ///   - read: the lists that are read.
  init(_ inventory: YOLOInventory, isUsed: (Int) -> Bool, _ read: Set<Int>) {
    self.inventory = inventory
    var folders: [Substring: [Int]] = [:]
    var labeled: Set<Substring> = []
    for index in 0..<inventory.files.count where inventory.roles[index] == .text {
      let folder = SortedFiles.folder(of: inventory.files[index])
      if isUsed(index) {
        labeled.insert(folder)
      } else if !read.contains(index) {
        folders[folder, default: []].append(index)
      }
    }
    for (folder, texts) in folders.sorted(by: { $0.key < $1.key }) {
      sort(texts, inLabeled: labeled.contains(folder))
    }
    candidates.sort()
  }

  /// The content of a text.
  private enum Content {
    case labels, list, blank, other
  }

  private mutating func sort(_ texts: [Int], inLabeled: Bool) {
    guard texts.count > Self.opened else {
      for index in texts { take(index, content(index), inLabeled: inLabeled) }
      return
    }
    var isLabels = inLabeled
    if !inLabeled {
      let some = stride(from: 0, to: texts.count, by: texts.count / 16).map { content(texts[$0]) }
      isLabels =
        2 * some.count { $0 == .labels } >= some.count { $0 != .blank } && some.contains(.labels)
    }
    for index in texts {
      let isNamed = FolderLayout.isSplit(String(SortedFiles.stem(of: inventory.files[index])))
      if isNamed {
        take(index, content(index), inLabeled: inLabeled)
      } else if isLabels {
        take(index, .labels, inLabeled: inLabeled)
      }
    }
  }

  private mutating func take(_ index: Int, _ content: Content, inLabeled: Bool) {
    guard FileNameKind(inventory.files[index]) != .harmless else { return }
    switch content {
    case .labels: candidates.append(index)
    case .blank: if inLabeled { candidates.append(index) }
    case .list: lists.append(index)
    case .other: break
    }
  }

  private func content(_ index: Int) -> Content {
    guard let head = YOLOInventory.head(of: inventory.files[index], in: inventory.tree) else {
      return .other
    }
    if head.bytes.allSatisfy({ $0 <= 0x20 }) { return .blank }
    if YOLOTextLines.looksLikeLabels(head.bytes, isWhole: head.isWhole) { return .labels }
    return YOLOTextLines.looksLikeImageList(head.bytes, isWhole: head.isWhole) ? .list : .other
  }

  /// Separates label files without an image from those of images that have another one.
  ///
  /// - Parameter labels: the label file of each image; -1 for none.
  mutating func pair(with facts: YOLOFolderFacts, labels: [Int32]) {
    var found: [Substring: (count: Int, first: Int, image: Int)] = [:]
    for index in candidates {
      guard let image = image(of: index, facts), labels[image] >= 0 else {
        alone.append(index)
        continue
      }
      repeated.append(index)
      let folder = SortedFiles.folder(of: inventory.files[index])
      found[folder, default: (0, index, image)].count += 1
    }
    for (_, entry) in found.sorted(by: { $0.key < $1.key }) {
      let files = inventory.files
      issues.append(
        Issue(
          .duplicateID, .warning, at: IssueLocation(file: files[entry.first]),
          "\(entry.count) label \(entry.count == 1 ? "file is" : "files are") not read, because "
            + "the \(entry.count == 1 ? "image has" : "images have") another one "
            + "(\(files[entry.image]): \(files[Int(labels[entry.image])]) is read, "
            + "\(files[entry.first]) is not)"
        ))
    }
  }

  /// An image that a label file can belong to; `nil` if there is none.
  private func image(of index: Int, _ facts: YOLOFolderFacts) -> Int? {
    let path = inventory.files[index]
    let stem = SortedFiles.stem(of: path)
    for folder in facts.imageFolders[String(SortedFiles.folder(of: path))] ?? [] {
      for suffix in ImageName.suffixes {
        let name = SortedFiles.join(folder, stem + suffix)
        if let image = inventory.files.index(of: name) { return image }
      }
    }
    return nil
  }
}
