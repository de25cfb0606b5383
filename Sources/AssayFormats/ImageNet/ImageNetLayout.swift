import AssayCore

/// The images of a source of ImageNet, or of lists of images and classes, with their classes and
/// splits.
struct ImageNetLayout {
  /// An image: the index of its file (-1 - *n* for the *n*-th missing one), its class and split; -1
  /// for none.
  struct Item: Sendable {
    var image: Int32
    var category: Int32 = -1
    var split: Int32 = -1
    /// The index of the file with the boxes of the image.
    var boxes: Int32 = -1
  }

  let files: SortedFiles
  private(set) var items: [Item] = []
  private(set) var missing: [String] = []
  private(set) var classes: ImageNetClasses
  private(set) var splits: [String] = []
  private(set) var issues: [Issue] = []
  private(set) var notes: [String] = []
  /// The paths of the files that are read, or reported.
  private(set) var known: Set<String> = []

  private let names: SynsetNames
  private var limit = IssueLimit()
  private var places: [String: Int32] = [:]

  /// - Throws: ``FormatError``; any error that the tree throws.
  init(_ tree: any SourceTree, _ options: ImportOptions) throws {
    files = SortedFiles(try tree.files())
    let files = self.files
    let roles = files.files.map { ImageNetRole($0.path) }
    func paths(_ role: ImageNetRole) -> [String] {
      roles.indices.filter { roles[$0] == role }.map { files[$0] }
    }
    names = try SynsetNames(
      tree, tables: paths(.synsets), words: paths(.words) + paths(.wordsJSON))
    var lists = ImageLists(files)
    try lists.read(tree, roles)
    missing = lists.missing
    issues = lists.issues
    known = lists.known.union(paths(.synsets) + paths(.words) + paths(.known) + names.read)
    let naming = try NumberNaming(tree, names, lists, paths(.classNames), options)
    known.formUnion(naming.known)
    notes = naming.notes
    classes = ImageNetClasses(names, list: naming.names)

    var labels = Array(repeating: Int32(-1), count: files.count + missing.count)
    resolve(lists, &labels)
    leavePlaceholders(lists, &labels)
    for path in paths(.solution) { try readSolution(tree, path, roles, &labels) }
    for index in roles.indices where roles[index] == .image { addImage(index, labels[index]) }
    // The XML files have the boxes of the table, too.
    if !hasBoxes, let path = paths(.solution).first {
      note(.unsupportedField, .warning, path, "the boxes of \(path) are not kept; the classes are")
    }
    addMissing(lists, labels)
    try readSynsets(tree, paths(.validationSynsets))
    try readNumbers(tree, paths(.groundTruth))
    noteNoise(paths(.noisyLabels))
    noteBoxes(paths(.boxes))
    noteUndeclared(tree)
    noteUnlabeled(tree)
    issues += limit.remainder(in: tree.name)
    let unsorted = items
    items = unsorted.sorted { SortedFiles.precedes(path(of: $0), path(of: $1)) }
  }

  /// The path of an item's image.
  func path(of item: Item) -> String {
    item.image >= 0 ? files[Int(item.image)] : missing[Int(-1 - item.image)]
  }

  private mutating func note(
    _ kind: IssueKind, _ severity: Issue.Severity, _ file: String, line: Int? = nil,
    key: String? = nil, _ message: String
  ) {
    guard limit.admits(kind) else { return }
    issues.append(
      Issue(
        kind, severity, at: IssueLocation(file: file, line: line), sampleKey: key, message))
  }

  private mutating func place(ofSplit split: String?) -> Int32 {
    guard let split else { return -1 }
    if let place = places[split] { return place }
    places[split] = Int32(splits.count)
    splits.append(split)
    return Int32(splits.count - 1)
  }

  // MARK: Lists

  /// The class, split and line of each listed image.
  private var listed: [Int32: (category: Int32, split: Int32, line: Int, list: Int32)] = [:]
  /// The classes after the first one of images with several.
  private(set) var further: [Int32: [Int32]] = [:]

  /// Finds the class of each entry; the first entry of an image counts.
  private mutating func resolve(_ lists: ImageLists, _ labels: inout [Int32]) {
    for entry in lists.entries {
      let slot = entry.image >= 0 ? Int(entry.image) : files.count + Int(-1 - entry.image)
      let (list, line) = (lists.lists[Int(entry.list)], Int(entry.line))
      let key = entry.image >= 0 ? files[Int(entry.image)] : missing[Int(-1 - entry.image)]
      let word = lists.labels[Int(entry.label)]
      guard let category = classes.place(of: word).map(Int32.init) else {
        note(
          .unknownLabel, .error, list.path, line: line, key: key,
          "the class \(word) has no name in \(names.file ?? "the list of classes"); "
            + "the image is kept without it")
        continue
      }
      let split = place(ofSplit: list.split)
      guard labels[slot] < 0 else {
        let first = listed[entry.image]
        if let first, first.line == line, first.list == entry.list {
          if first.category != category, further[entry.image]?.contains(category) != true {
            further[entry.image, default: []].append(category)
          }
          continue
        }
        if first?.category == category, list.split == ImageLists.union { continue }
        let isSame = first.map { ($0.category, $0.split) == (category, split) } ?? false
        note(
          .duplicateID, .warning, list.path, line: line, key: key,
          "\(key) is listed a second time"
            + (isSame ? "" : " with another class or split") + "; the first line counts")
        continue
      }
      labels[slot] = category
      listed[entry.image] = (category, split, line, entry.list)
      if entry.image >= 0 { checkFolder(key, word, category, list.path, line) }
    }
  }

  /// The number of images from which a test split of class 0 alone is unlikely to be chance.
  private static let manyImages = 8

  /// Finds lists of test images in which all have the class 0, as Caffe's `test.txt` of ILSVRC, whose
  /// test images have no public classes. Those images are kept without a class; of other images a note
  /// says so.
  private mutating func leavePlaceholders(_ lists: ImageLists, _ labels: inout [Int32]) {
    for number in lists.lists.indices {
      let list = lists.lists[number]
      guard let split = list.split, SplitName.match(split, "test") else { continue }
      let entries = lists.entries.filter { Int($0.list) == number }
      guard entries.count > 1, entries.allSatisfy({ lists.labels[Int($0.label)] == "0" }) else {
        continue
      }
      let keys = entries.map { entry in
        entry.image >= 0 ? files[Int(entry.image)] : missing[Int(-1 - entry.image)]
      }
      if keys.allSatisfy(ImageNetName.isTestImage) {
        for entry in entries where listed[entry.image]?.list == Int32(number) {
          labels[entry.image >= 0 ? Int(entry.image) : files.count + Int(-1 - entry.image)] = -1
          listed[entry.image]?.category = -1
        }
        note(
          .missingLabel, .warning, list.path,
          "all \(entries.count) images of \(list.path) have the class 0, which stands for the unknown "
            + "classes of ILSVRC's test images; kept without a class")
      } else if entries.count >= Self.manyImages, lists.labels.count > 1 {
        notes.append(
          "all \(entries.count) images of \(list.path) have the class 0; if the number stands for an "
            + "unknown class, take the list away and import again")
      }
    }
  }

  /// Reports an image whose folder is another synset than its class.
  private mutating func checkFolder(
    _ path: String, _ word: String, _ category: Int32, _ list: String, _ line: Int
  ) {
    guard let synset = ImageNetName.synset(of: path),
      case .text(let id) = classes.categories[Int(category)].sourceID, id != synset
    else { return }
    note(
      .badField, .warning, list, line: line, key: path,
      "the list says \(word) (\(id)), and the folder \(synset); the list counts")
  }

  /// Kaggle's table of the validation images: `ImageId,PredictionString`, a synset and a box per
  /// object.
  private mutating func readSolution(
    _ tree: any SourceTree, _ path: String, _ roles: [ImageNetRole], _ labels: inout [Int32]
  ) throws {
    known.insert(path)
    var synsets: [Substring: Substring] = [:]
    var text: [String] = []
    try ImageList.forEachLine(tree, path) { line, number in
      if number == 1, line.hasPrefix("ImageId") { return }
      text.append(line)
      let fields = line.split(separator: ",", maxSplits: 1)
      guard fields.count == 2, let synset = fields[1].split(separator: " ").first,
        ImageNetName.isSynset(synset)
      else {
        note(
          .fieldCount, .error, path, line: number,
          "expected an image, a comma and a synset, found “\(line.prefix(60))”; left out")
        return
      }
      synsets[fields[0]] = synset
    }
    for index in roles.indices where roles[index] == .image && labels[index] < 0 {
      guard let synset = synsets[SortedFiles.stem(of: files[index])] else { continue }
      labels[index] = Int32(classes.place(ofSynset: String(synset)))
    }
  }

  // MARK: Images

  /// True if files have the boxes of images.
  private var hasBoxes = false

  private mutating func addImage(_ index: Int, _ label: Int32) {
    let path = files[index]
    var item = Item(image: Int32(index), category: label)
    if let boxes = ImageNetName.annotation(ofImage: path).flatMap({ files.index(of: $0) }) {
      item.boxes = Int32(boxes)
      known.insert(files[boxes])
      hasBoxes = true
    }
    let folder = ImageNetName.split(of: path)
    if let split = listed[item.image]?.split, split >= 0 {
      // `train/` is the split `training` of a list, too: the folder's spelling counts.
      item.split =
        folder.map { SplitName.match($0, splits[Int(split)]) } == true
        ? place(ofSplit: folder) : split
    } else {
      item.split = place(ofSplit: folder)
    }
    if item.category < 0, let synset = ImageNetName.synset(of: path) {
      item.category = Int32(classes.place(ofSynset: String(synset)))
    }
    items.append(item)
  }

  private mutating func addMissing(_ lists: ImageLists, _ labels: [Int32]) {
    for number in missing.indices {
      let image = Int32(-1 - number)
      guard let found = listed[image] else { continue }
      items.append(Item(image: image, category: found.category, split: found.split))
    }
  }

  /// TensorFlow's synsets of the validation images: the line of an image is its number.
  private mutating func readSynsets(_ tree: any SourceTree, _ paths: [String]) throws {
    guard let path = paths.first else { return }
    known.formUnion(paths)
    var synsets: [Int: String] = [:]
    try ImageList.forEachLine(tree, path) { line, number in
      guard ImageNetName.isSynset(line) else {
        throw FormatError.table(path, line: number, problem: "expected a synset such as n01440764")
      }
      synsets[number] = line
    }
    for place in items.indices where items[place].category < 0 {
      guard let number = ImageNetName.validationNumber(of: self.path(of: items[place])),
        let synset = synsets[number]
      else { continue }
      items[place].category = Int32(classes.place(ofSynset: synset))
    }
  }

  /// The numbers of the validation images' classes: names only if there are no synsets, because
  /// their order is in a MATLAB file.
  private mutating func readNumbers(_ tree: any SourceTree, _ paths: [String]) throws {
    guard let path = paths.first else { return }
    known.formUnion(paths)
    let open = items.indices.filter {
      items[$0].category < 0
        && ImageNetName.validationNumber(of: self.path(of: items[$0])) != nil
    }
    guard !open.isEmpty else { return }
    guard classes.categories.isEmpty else {
      note(
        .unsupportedField, .warning, path,
        "its numbers are those of meta.mat, a MATLAB file that assay does not read, so "
          + "\(open.count) validation images have no class; add LOC_val_solution.csv or a list "
          + "val.txt of images and classes")
      return
    }
    var numbers: [Int: Int] = [:]
    try ImageList.forEachLine(tree, path) { line, number in
      guard let value = Int(line), value >= 0 else {
        throw FormatError.table(path, line: number, problem: "expected the number of a class")
      }
      numbers[number] = value
    }
    for place in open {
      let image = self.path(of: items[place])
      guard let number = ImageNetName.validationNumber(of: image).flatMap({ numbers[$0] }) else {
        continue
      }
      items[place].category = classes.place(of: String(number)).map(Int32.init) ?? -1
    }
    notes.append("the classes are the numbers of \(path), which meta.mat names")
  }

  // MARK: Findings

  private mutating func noteBoxes(_ paths: [String]) {
    known.formUnion(paths)
    guard let first = paths.first else { return }
    note(
      .unsupportedField, .warning, first,
      "\(paths.count) \(paths.count == 1 ? "file has" : "files have") boxes of images (\(first)"
        + "\(paths.count == 1 ? "" : ", …")); the boxes are not kept, the classes are")
  }

  private mutating func noteNoise(_ paths: [String]) {
    known.formUnion(paths)
    guard let path = paths.first else { return }
    note(
      .unsupportedField, .warning, path,
      "its labels are partly wrong on purpose and not kept; the classes are those of the folders")
  }

  private mutating func noteUndeclared(_ tree: any SourceTree) {
    guard let file = names.file else { return }
    for synset in classes.undeclared {
      note(
        .unknownLabel, .warning, file, "\(file) does not have the synset \(synset); kept as a class"
      )
    }
  }

  /// Reports images without a class: one issue for a split in which no image has one.
  private mutating func noteUnlabeled(_ tree: any SourceTree) {
    var counts: [Int32: (all: Int, open: Int)] = [:]
    for item in items {
      counts[item.split, default: (0, 0)].all += 1
      if item.category < 0 { counts[item.split, default: (0, 0)].open += 1 }
    }
    for (split, count) in counts.sorted(by: { $0.key < $1.key })
    where count.open > 0 && count.open == count.all {
      let name = split < 0 ? "without a split" : "of the split \(splits[Int(split)])"
      note(
        .missingLabel, .warning, tree.name,
        count.all == 1
          ? "the only image \(name) has no class; kept without"
          : "none of the \(count.all) images \(name) has a class; kept without")
    }
    for item in items where item.category < 0 {
      guard let count = counts[item.split], count.open < count.all else { continue }
      let path = path(of: item)
      note(
        .missingLabel, .warning, path, key: path,
        "the image is in no list and in no folder of a class; kept without a class")
    }
  }
}
