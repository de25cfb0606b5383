import AssayCore

/// The images of a YOLO dataset with their label files and splits. Labels are not opened, except to
/// tell texts without an image apart.
struct YOLOLayout {
  var inventory: YOLOInventory
  let dataFiles: YOLODataFiles
  /// The images, and the label files without one, sorted by path.
  private(set) var items: [YOLOItem] = []
  /// The names of the splits.
  private(set) var splitNames: [String] = []
  /// The listed images that do not exist.
  private(set) var missing: [YOLOSplits.Missing] = []
  private(set) var issues: [Issue] = []
  /// The number of images that no annotation belongs to, and that are left out.
  private(set) var imagesLeftOut = 0
  private(set) var notes: [String] = []
  /// The number of images that have a label file.
  private(set) var labeled = 0
  /// True for each file that is read, or that is known to contain nothing for this importer.
  private(set) var isRead: [Bool]
  /// A label file for each folder of labels, sorted by path.
  private(set) var examples: [String] = []
  /// The folders of labels whose images a data file or a list names.
  private(set) var governed: Set<String> = []

  /// The image that each label file belongs to; -1 for none.
  private var owners: [Int32]
  /// The label file of each image; -1 for none.
  private var labels: [Int32]

  private var files: SortedFiles { inventory.files }

  /// Finds the images, their labels and their splits.
  ///
  /// - Throws: any error that the tree throws.
  init(_ tree: any SourceTree) throws {
    inventory = try YOLOInventory(tree)
    dataFiles = YOLODataFiles(inventory)
    notes = dataFiles.notes
    let count = inventory.files.count
    isRead = Array(repeating: false, count: count)
    owners = Array(repeating: -1, count: count)
    labels = Array(repeating: -1, count: count)
    var splits = YOLOSplits(inventory.files)
    try assign(&splits)
    pairLabels()
    leaveOutOriginals()
    var facts = YOLOFolderFacts(inventory)
    for index in 0..<count where inventory.roles[index].isImage {
      facts.add(index, isLabeled: labels[index] >= 0, isListed: splits.splits[index] >= 0)
    }
    addImages(&splits, facts)
    missing = splits.missing
    let extras = listedItems(splits) + unpairedTexts(splits, facts)
    merge(extras)
    splitNames = splits.names
    issues += splits.issues
    noteUnlabeledSplits()
    for index in 0..<count where owners[index] >= 0 { isRead[index] = true }
    for index in splits.lists { isRead[index] = true }
    for index in 0..<count where [.names, .cache].contains(inventory.roles[index]) {
      isRead[index] = true
    }
    for file in inventory.dataFiles {
      if let index = files.index(of: file.path) { isRead[index] = true }
    }
    for index in 0..<count where inventory.roles[index] == .other { noteArray(index) }
  }

  /// The path of an item's image; of a label file without one, its own path without the suffix.
  func path(of item: YOLOItem) -> String {
    switch item.kind {
    case .image(let index): files[Int(index)]
    case .missing(let index): missing[Int(index)].path
    case .label: String(files[Int(item.label)].dropLast(4))
    }
  }

  /// Leaves out masks without labels of their own, which would be images without objects.
  mutating func leaveOutMasks() {
    let masks = Set(masks.map(\.mask.path))
    guard let first = masks.min(by: SortedFiles.precedes) else { return }
    let (count, files) = (items.count, self.files)
    items.removeAll { item in
      guard case .image(let index) = item.kind, item.label < 0 else { return false }
      return masks.contains(files[Int(index)])
    }
    let removed = count - items.count
    guard removed > 0 else { return }
    notes.append(
      "\(removed) \(removed == 1 ? "mask was" : "masks were") left out (\(first)"
        + "\(removed == 1 ? "" : ", …"))")
  }

  // MARK: Splits

  /// Assigns the splits of the data file, else those of lists such as `train.txt`.
  private mutating func assign(_ splits: inout YOLOSplits) throws {
    let finder = YOLOPathFinder(files)
    if let file = dataFiles.chosen, !file.entries.isEmpty {
      issues += file.issues
      let (bases, note) = YOLODataFiles.bases(of: file, files)
      if let note { notes.append(note) }
      for entry in file.entries {
        try assign(entry, of: file, finder.find(entry.path, bases: bases), bases, &splits)
      }
    } else if let file = dataFiles.chosen {
      issues += file.issues
    }
    guard splits.isEmpty, dataFiles.conflict == nil else { return }
    for index in inventory.imageLists {
      let folder = String(SortedFiles.folder(of: files[index]))
      let name = String(SortedFiles.stem(of: files[index]))
      _ = try splits.add(
        list: index, split: name, bases: folder.isEmpty ? [""] : [folder, ""],
        roles: &inventory.roles, in: inventory.tree)
    }
  }

  private mutating func assign(
    _ entry: YOLODataFile.Entry, of file: YOLODataFile, _ match: YOLOPathFinder.Match?,
    _ bases: [String], _ splits: inout YOLOSplits
  ) throws {
    let location = IssueLocation(file: file.path, line: entry.line)
    func complain(_ what: String) -> Issue {
      Issue(
        .missingImage, .warning, at: location, "'\(entry.split)' names \(entry.path), \(what)")
    }
    guard let match else {
      issues.append(complain("which does not exist; no image has the split for it"))
      return
    }
    switch match.target {
    case .folder(let folder):
      if match.isTail { note(entry, file, folder) }
      let count = splits.add(
        folder: folder, split: entry.split, roles: inventory.roles, at: location)
      if count == 0 { issues.append(complain("which contains no image")) }
    case .file(let index):
      guard inventory.roles[index] == .text || inventory.roles[index] == .other else {
        issues.append(complain("which is neither a folder nor a list of images; ignored"))
        return
      }
      if match.isTail { note(entry, file, files[index]) }
      let folder = String(SortedFiles.folder(of: files[index]))
      let count = try splits.add(
        list: index, split: entry.split, bases: [folder] + bases.filter { $0 != folder },
        roles: &inventory.roles, in: inventory.tree)
      if count == 0 { issues.append(complain("which lists no image")) }
    }
  }

  /// Notes that only a trailing part of an entry's path was found.
  private mutating func note(_ entry: YOLODataFile.Entry, _ file: YOLODataFile, _ found: String) {
    // The lists of Darknet are always relative to another folder.
    guard file.root != nil || file.names != nil else { return }
    notes.append(
      "'\(entry.split)' of \(file.path) (\(entry.path)) is taken as \(found.isEmpty ? "." : found)")
  }

  // MARK: Labels

  /// Finds the label file of each image.
  private mutating func pairLabels() {
    var shared: [String: (count: Int, first: Int)] = [:]
    for index in 0..<files.count where inventory.roles[index].isImage {
      guard let label = inventory.label(ofImage: files[index]) else { continue }
      labels[index] = Int32(label)
      labeled += 1
      if owners[label] < 0 {
        owners[label] = Int32(index)
      } else {
        let folder = String(SortedFiles.folder(of: files[index]))
        shared[folder, default: (0, index)].count += 1
      }
    }
    for (_, found) in shared.sorted(by: { $0.key < $1.key }) {
      let label = Int(labels[found.first])
      issues.append(
        Issue(
          .duplicateID, .warning, at: IssueLocation(file: files[found.first]),
          "\(found.count) \(found.count == 1 ? "image has" : "images have") the label file of "
            + "another image (\(files[found.first]) and \(files[Int(owners[label])]) have "
            + "\(files[label])); all are kept, with the same objects"))
    }
  }

  /// The number of files of a folder that are opened to recognize DOTA's labels.
  private static let opened = 16

  /// Marks the DOTA labels that Ultralytics' conversion keeps beside its own: `labels/train_original` of
  /// `labels/train`.
  private mutating func leaveOutOriginals() {
    let ending = "_original"
    var found: [Substring: [Int]] = [:]
    for index in 0..<files.count where inventory.roles[index] == .text && owners[index] < 0 {
      let folder = SortedFiles.folder(of: files[index])
      guard folder.hasSuffix(ending) else { continue }
      let name = files[index].dropFirst(folder.count)
      let twin = files.index(of: String(folder.dropLast(ending.count)) + name)
      if let twin, owners[twin] >= 0 { found[folder, default: []].append(index) }
    }
    for (folder, indices) in found.sorted(by: { $0.key < $1.key }) {
      let kinds = indices.prefix(Self.opened).compactMap {
        Companions.kind(of: files.files[$0], in: inventory.tree)
      }
      guard kinds.contains(.dota), kinds.allSatisfy({ $0 == .dota || $0 == .yolo }) else {
        continue
      }
      for index in indices { isRead[index] = true }
      notes.append(
        "\(folder) holds the DOTA labels of which \(folder.dropLast(ending.count)) was made; not read"
      )
    }
  }

  /// Adds the images, in order.
  private mutating func addImages(_ splits: inout YOLOSplits, _ facts: YOLOFolderFacts) {
    let isListed = !splits.isEmpty
    var folderSplits: [Substring: Int16] = [:]
    for index in 0..<files.count where inventory.roles[index].isImage {
      var split = splits.splits[index]
      let folder = SortedFiles.folder(of: files[index])
      if isListed {
        guard split >= 0 || labels[index] >= 0 else { continue }
      } else {
        guard facts.isPart(folder) else { continue }
        if let known = folderSplits[folder] {
          split = known
        } else {
          split = YOLOFolderFacts.split(of: folder).map { splits.number(of: $0.name) } ?? -1
          folderSplits[folder] = split
        }
      }
      items.append(YOLOItem(kind: .image(Int32(index)), label: labels[index], split: split))
    }
    issues += facts.issues(isListed: isListed, by: dataFiles.chosen?.path)
    imagesLeftOut = facts.leftOut(isListed: isListed)
    for index in 0..<files.count where owners[index] >= 0 {
      let folder = String(SortedFiles.folder(of: files[index]))
      if examples.last.map({ SortedFiles.folder(of: $0) }) != folder[...] {
        examples.append(files[index])
      }
      if isListed, splits.splits[Int(owners[index])] >= 0 { governed.insert(folder) }
    }
    var seen: Set<Substring> = []
    examples = examples.filter { seen.insert(SortedFiles.folder(of: $0)).inserted }
  }

  /// The images that lists name and that do not exist.
  private mutating func listedItems(_ splits: YOLOSplits) -> [YOLOItem] {
    splits.missing.enumerated().map { number, image in
      let label = inventory.label(ofImage: image.path)
      if let label, owners[label] < 0 {
        // The label is accounted for by the missing image.
        isRead[label] = true
      }
      return YOLOItem(
        kind: .missing(Int32(number)), label: Int32(label ?? -1), split: image.split)
    }
  }

  /// The label files without an image, as items; other texts are noted or stay unread.
  private mutating func unpairedTexts(
    _ splits: YOLOSplits, _ facts: YOLOFolderFacts
  ) -> [YOLOItem] {
    var texts = YOLOTexts(inventory, isUsed: { owners[$0] >= 0 || isRead[$0] }, splits.lists)
    texts.pair(with: facts, labels: labels)
    issues += texts.issues
    if let first = texts.lists.first {
      notes.append(
        (texts.lists.count == 1
          ? "\(files[first]) lists images and is not read"
          : "\(files[first]) and \(texts.lists.count - 1) more list images and are not read")
          + (dataFiles.chosen.map { $0.entries.isEmpty ? "" : "; \($0.path) gives the splits" }
            ?? ""))
    }
    for index in texts.lists + texts.repeated + texts.alone { isRead[index] = true }
    return texts.alone.map { YOLOItem(kind: .label, label: Int32($0), split: -1) }
  }

  /// Inserts items that are no images of the source, by path.
  private mutating func merge(_ extras: [YOLOItem]) {
    guard !extras.isEmpty else { return }
    let found = (items + extras).map { (path: path(of: $0), item: $0) }
    items = found.sorted { SortedFiles.precedes($0.path, $1.path) }.map(\.item)
  }

  /// Reports splits in which no image has a label file.
  private mutating func noteUnlabeledSplits() {
    var counts: [Int16: (all: Int, labeled: Int, first: Int)] = [:]
    for item in items {
      guard case .image(let index) = item.kind, item.split >= 0 else { continue }
      counts[item.split, default: (0, 0, Int(index))].all += 1
      if item.label >= 0 { counts[item.split, default: (0, 0, 0)].labeled += 1 }
    }
    guard labeled > 0 else { return }
    for (split, found) in counts.sorted(by: { $0.key < $1.key }) where found.labeled == 0 {
      let (name, first) = (splitNames[Int(split)], files[found.first])
      issues.append(
        Issue(
          .missingLabel, .warning, at: IssueLocation(file: first),
          found.all == 1
            ? "the only image of split '\(name)' (\(first)) has no label file; imported as an "
              + "image without objects"
            : "none of the \(found.all) images of split '\(name)' (\(first), …) has a label file; "
              + "imported as images without objects"))
    }
  }

  /// Marks the arrays that Ultralytics caches beside images: `x.npy` of `x.jpg`.
  private mutating func noteArray(_ index: Int) {
    guard files[index].hasSuffix(".npy") else { return }
    let stem = files[index].dropLast(4)
    isRead[index] = ImageName.suffixes.contains { files.index(of: stem + $0) != nil }
  }
}
