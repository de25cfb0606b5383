import AssayCore

/// An image of a dataset in Cityscapes' layout, and the file that annotates it.
struct CityscapesItem: Sendable {
  /// The index of the image among all files; -1 for a missing one.
  var image: Int32
  /// The index of the annotations; -1 for none.
  var annotation: Int32
  var kind: CityscapesName.Kind
  /// The index in ``CityscapesLayout/splitNames``; -1 for none.
  var split: Int16
  /// The index in ``CityscapesLayout/missing``; -1 for an image that is there.
  var missing: Int32 = -1
}

/// The images of a source in Cityscapes' layout with their annotations and splits. Nothing is opened.
struct CityscapesLayout {
  let files: SortedFiles
  /// Sorted by the image's path.
  private(set) var items: [CityscapesItem] = []
  private(set) var splitNames: [String] = []
  /// The paths of images that are not there.
  private(set) var missing: [String] = []
  private(set) var issues: [Issue] = []
  private(set) var notes: [String] = []
  /// An annotation file of each dataset, sorted by the dataset's folder.
  private(set) var examples: [String] = []
  /// The number of annotation files that are read.
  private(set) var annotated = 0

  /// The files of one key: the index of each kind, fine before coarse; -1 for none.
  private struct Entry {
    var fine: [Int32] = Array(repeating: -1, count: CityscapesName.Kind.allCases.count)
    var coarse: [Int32] = Array(repeating: -1, count: CityscapesName.Kind.allCases.count)
    var isUsed = false

    /// The file that is read: polygons, else instances, labels, training ids; fine before coarse.
    var chosen: (index: Int32, kind: CityscapesName.Kind, isCoarse: Bool)? {
      for (indices, isCoarse) in [(fine, false), (coarse, true)] {
        for kind in CityscapesName.Kind.allCases where kind != .other && indices[kind.rawValue] >= 0
        {
          return (indices[kind.rawValue], kind, isCoarse)
        }
      }
      return nil
    }
  }

  init(_ files: [SourceFile]) {
    self.files = SortedFiles(files)
    var entries: [String: Entry] = [:]
    var images: [(index: Int, key: String)] = []
    var roots: [String: String] = [:]
    var others: (count: Int, first: String)?
    for (index, file) in files.enumerated() {
      guard CityscapesName.mayFit(file.path), let name = CityscapesName(file.path) else {
        if PairPath.isImageName(file.path) {
          others = ((others?.count ?? 0) + 1, others?.first ?? file.path)
        }
        continue
      }
      switch name.role {
      case .image: images.append((index, name.key))
      case .fine(let kind):
        take(index, kind, \.fine, name, &entries)
        roots[name.root] = roots[name.root] ?? file.path
      case .coarse(let kind):
        take(index, kind, \.coarse, name, &entries)
        roots[name.root] = roots[name.root] ?? file.path
      }
    }
    examples = roots.sorted { $0.key < $1.key }.map(\.value)
    add(images, &entries)
    addMissing(images, entries)
    if let others {
      issues.append(
        Issue(
          .unsupportedFile, .warning, at: IssueLocation(file: others.first),
          "\(others.count == 1 ? "1 image is" : "\(others.count) images are") not named "
            + "*_leftImg8bit and not read"))
    }
  }

  private mutating func take(
    _ index: Int, _ kind: CityscapesName.Kind, _ quality: WritableKeyPath<Entry, [Int32]>,
    _ name: CityscapesName, _ entries: inout [String: Entry]
  ) {
    let known = entries[name.key]?[keyPath: quality][kind.rawValue] ?? -1
    guard known < 0 else {
      issues.append(
        Issue(
          .duplicateID, .warning, at: IssueLocation(file: files[index]),
          "\(files[Int(known)]) annotates the same image; this file is not read"))
      return
    }
    entries[name.key, default: Entry()][keyPath: quality][kind.rawValue] = Int32(index)
  }

  /// Adds the images that are there.
  private mutating func add(
    _ images: [(index: Int, key: String)], _ entries: inout [String: Entry]
  ) {
    var splits: [String: (number: Int16, all: Int, labeled: Int)] = [:]
    var bare: [(index: Int, key: String, split: String)] = []
    var (coarse, unread, unreadFirst) = (0, 0, "")
    for (index, key) in images {
      let entry = entries[key]
      entries[key]?.isUsed = true
      let chosen = entry?.chosen
      let split = CityscapesName.split(ofKey: key)
      let number = split.map { self.number(of: $0, &splits) } ?? -1
      splits[split ?? "", default: (number, 0, 0)].all += 1
      if let chosen {
        splits[split ?? ""]?.labeled += 1
        if chosen.isCoarse { coarse += 1 }
        if !chosen.isCoarse, let first = entry?.coarse.first(where: { $0 >= 0 }) {
          if unread == 0 { unreadFirst = files[Int(first)] }
          unread += 1
        }
        annotated += 1
      } else {
        bare.append((index, key, split ?? ""))
      }
      items.append(
        CityscapesItem(
          image: Int32(index), annotation: chosen?.index ?? -1, kind: chosen?.kind ?? .other,
          split: number))
    }
    noteBare(bare, splits.mapValues { ($0.all, $0.labeled) }, entries)
    if coarse > 0 {
      notes.append(
        "the annotations of \(coarse) \(coarse == 1 ? "image" : "images") are coarse (gtCoarse)")
    }
    if unread > 0 {
      notes.append(
        "the coarse annotations of \(unread) \(unread == 1 ? "image" : "images") "
          + "(\(unreadFirst)\(unread == 1 ? "" : ", …")) are not read, because there are fine ones")
    }
  }

  /// Reports images without annotations: one issue for a split without any.
  private mutating func noteBare(
    _ bare: [(index: Int, key: String, split: String)],
    _ splits: [String: (all: Int, labeled: Int)],
    _ entries: [String: Entry]
  ) {
    var seen: Set<String> = []
    for (index, key, split) in bare {
      let counts = splits[split] ?? (0, 0)
      let isAlone = counts.labeled > 0 || counts.all == 1
      guard isAlone || seen.insert(split).inserted else { continue }
      let colors = (entries[key]?.fine ?? []) + (entries[key]?.coarse ?? [])
      let reason = colors.contains { $0 >= 0 } ? " besides colors, which are not read" : ""
      issues.append(
        Issue(
          .missingLabel, .warning, at: IssueLocation(file: files[index]),
          sampleKey: isAlone ? files[index] : nil,
          isAlone
            ? "there are no annotations of this image\(reason); kept without objects"
            : "none of the \(counts.all) images of split '\(split)' has annotations\(reason); kept "
              + "without objects"))
    }
  }

  /// Adds annotations without an image, whose place is the one beside them.
  private mutating func addMissing(
    _ images: [(index: Int, key: String)], _ entries: [String: Entry]
  ) {
    let alone = entries.filter { !$0.value.isUsed && $0.value.chosen != nil }
    guard !alone.isEmpty else { return }
    var splits: [String: (number: Int16, all: Int, labeled: Int)] = [:]
    for (number, name) in splitNames.enumerated() { splits[name] = (Int16(number), 0, 0) }
    let folder = images.first.map(above)
    for key in alone.keys.sorted() {
      guard let chosen = alone[key]?.chosen else { continue }
      let path = SortedFiles.join(
        folder ?? "leftImg8bit", key + CityscapesName.imageEnding + ".png")
      let split = CityscapesName.split(ofKey: key).map { number(of: $0, &splits) } ?? -1
      items.append(
        CityscapesItem(
          image: -1, annotation: chosen.index, kind: chosen.kind, split: split,
          missing: Int32(missing.count)))
      missing.append(path)
      annotated += 1
    }
    let found = items.map { (path: path(of: $0), item: $0) }
    items = found.sorted { SortedFiles.precedes($0.path, $1.path) }.map(\.item)
  }

  /// The part of an image's path before its key.
  private func above(_ image: (index: Int, key: String)) -> String {
    let path = files[image.index]
    guard let range = path.ranges(of: image.key + CityscapesName.imageEnding).last else {
      return ""
    }
    return String(path[..<range.lowerBound].dropLast())
  }

  private mutating func number(
    of name: String, _ splits: inout [String: (number: Int16, all: Int, labeled: Int)]
  ) -> Int16 {
    if let known = splits[name] { return known.number }
    guard splitNames.count < Int(Int16.max) else { return -1 }
    splits[name] = (Int16(splitNames.count), 0, 0)
    splitNames.append(name)
    return Int16(splitNames.count - 1)
  }

  /// The path of an item's image below the root.
  func path(of item: CityscapesItem) -> String {
    item.missing >= 0 ? missing[Int(item.missing)] : files[Int(item.image)]
  }
}
