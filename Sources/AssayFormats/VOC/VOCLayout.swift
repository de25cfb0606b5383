import AssayCore

/// The images of a Pascal VOC dataset with their annotations, masks and splits.
struct VOCLayout {
  private(set) var inventory: VOCInventory
  /// Sorted by path.
  private(set) var items: [VOCItem] = []
  /// The paths of images that do not exist.
  private(set) var missing: [String] = []
  /// The reasons why annotations are left out.
  private(set) var rejections: [Issue] = []
  private(set) var splitNames: [String] = []
  private(set) var issues: [Issue] = []
  /// The number of images that no annotation belongs to, and that are left out.
  private(set) var imagesLeftOut = 0
  private(set) var notes: [String] = []
  /// The number of annotations and masks that are read.
  private(set) var annotated = 0
  /// The labels of images in lists per class.
  let labels: VOCImageLabels
  /// An annotation or list of each dataset in the source, sorted by the datasets' folders.
  private(set) var examples: [String] = []

  /// The XML file of each image; -1 for none.
  private var annotations: [Int32]
  private var isRead: [Bool]
  /// The annotations whose image is in another folder and found by its name alone, and one of them.
  private var byName: (count: Int, xml: String, image: String)?
  private var limit = IssueLimit()

  /// - Throws: any error that the tree throws.
  init(_ tree: any SourceTree) throws {
    inventory = try VOCInventory(tree)
    let count = inventory.files.count
    annotations = Array(repeating: -1, count: count)
    isRead = Array(repeating: false, count: count)
    let lists = VOCLists(inventory)
    for list in lists.datasets.flatMap(\.tasks).flatMap(\.lists) { isRead[list.index] = true }
    var splits = try VOCSplits(inventory, lists)
    labels = try VOCImageLabels(inventory, lists)
    issues = splits.issues + labels.issues
    notes = splits.notes
    var extras = try pair(&splits)
    extras += splits.maskOnly.map { maskItem($0.path, splits.splits[$0.mask]) }
    addImages(&splits)
    splitNames = splits.names
    merge(extras)
    noteMasks()
    noteDrawings()
    findDatasets(lists)
    issues += limit.remainder(in: tree.name)
  }

  var files: SortedFiles { inventory.files }

  /// The path of an item's image, or of the annotation that is left out.
  func path(of item: VOCItem) -> String {
    switch item.kind {
    case .image(let index): files[Int(index)]
    case .missing(let number): missing[Int(number)]
    // No path of a file: the image of the annotation is another item.
    case .rejected: files[Int(item.xml)] + "#"
    }
  }

  /// The files that may contain annotations and are not read.
  var unread: [SourceFile] {
    files.files.indices.filter { index in
      !isRead[index] && FileNameKind(files[index]) == .unknown
    }.map { files.files[$0] }
  }

  private mutating func note(
    _ kind: IssueKind, _ severity: Issue.Severity, _ file: String, _ text: String
  ) {
    guard limit.admits(kind) else { return }
    issues.append(Issue(kind, severity, at: IssueLocation(file: file), text))
  }

  // MARK: Annotations

  /// Finds the image of each annotation, and returns the items of annotations without one.
  private mutating func pair(_ splits: inout VOCSplits) throws -> [VOCItem] {
    var items: [VOCItem] = []
    var alone: [Int] = []
    var paired: Set<Substring> = []
    for index in 0..<files.count {
      switch inventory.roles[index] {
      case .list, .labelMap, .names: isRead[index] = true
      case .xml:
        if let image = inventory.image(ofXML: index) {
          paired.insert(SortedFiles.folder(of: files[index]))
          if let item = join(index, image) { items.append(item) }
          continue
        }
        let nested = inventory.nestedImages(ofXML: index)
        if nested.count > 1 {
          items.append(reject(index, nested))
        } else if let image = nested.first {
          if let item = join(index, image) { items.append(item) }
        } else {
          alone.append(index)
        }
      case .image, .classMask, .objectMask, .other: break
      }
    }
    var used: Set<String> = []
    let orphans = try VOCOrphans(
      alone, files, in: inventory.tree, isKind: VOCAnnotation.isVOC)
    let named = VOCNamedFolders(alone, paired: paired, inventory)
    for orphan in orphans.orphans where orphan.isKind {
      if let item = place(orphan, named, &splits, &used) { items.append(item) }
    }
    if let byName {
      notes.append(
        "\(Counted.text(byName.count, "annotation belongs to an image", "annotations belong to images")) in "
          + "another folder by the \(byName.count == 1 ? "name" : "names") of the "
          + "\(byName.count == 1 ? "file" : "files") alone (\(byName.xml) to \(byName.image))")
    }
    return items
  }

  /// Joins an annotation with an image, and returns an item if the image has another one.
  private mutating func join(_ xml: Int, _ image: Int) -> VOCItem? {
    isRead[xml] = true
    annotated += 1
    guard annotations[image] >= 0 else {
      annotations[image] = Int32(xml)
      return nil
    }
    let first = files[Int(annotations[image])]
    rejections.append(
      Issue(
        .duplicateID, .error, at: IssueLocation(file: files[xml]),
        "\(first) is the annotation of the same image (\(files[image])); left out"))
    return VOCItem(kind: .rejected(Int32(rejections.count - 1)), xml: Int32(xml))
  }

  /// Leaves out an annotation that can be of several images.
  private mutating func reject(_ xml: Int, _ images: [Int]) -> VOCItem {
    isRead[xml] = true
    annotated += 1
    rejections.append(
      Issue(
        .duplicateID, .error, at: IssueLocation(file: files[xml]),
        "\(images.prefix(3).map { files[$0] }.joined(separator: " and ")) have its name, and nothing says of "
          + "which it is; left out: put the annotations into folders like those of the images"))
    return VOCItem(kind: .rejected(Int32(rejections.count - 1)), xml: Int32(xml))
  }

  /// The item of an annotation whose image has another name, or does not exist.
  private mutating func place(
    _ orphan: VOCOrphans.Orphan, _ named: VOCNamedFolders, _ splits: inout VOCSplits,
    _ used: inout Set<String>
  ) -> VOCItem? {
    let xml = files[orphan.index]
    let folder = SortedFiles.folder(of: xml)
    let stem = String(SortedFiles.stem(of: xml))
    let images = inventory.folders.missingImageFolder(forXML: folder)
    var name = SortedFiles.join(images.below, stem + ".jpg")
    if let stated = orphan.filename, let found = StatedPath(stated) {
      if found.isOutside {
        note(
          .outsideRoot, .warning, xml,
          "the file name '\(stated)' leaves the folder; \(found.path) is looked for")
      }
      for folder in inventory.folders.imageFolders(ofXML: folder) {
        if let image = image(found.path, in: folder, below: images.below) {
          return join(orphan.index, image)
        }
      }
      name = found.path.contains(".") ? found.path : found.path + ".jpg"
      // A path is relative to the folder of all images.
      if !name.contains("/") { name = SortedFiles.join(images.below, name) }
    }
    if let below = named[folder], let image = inventory.file(below, stem, .image),
      annotations[image] < 0
    {
      byName = byName ?? (0, xml, files[image])
      byName?.count += 1
      return join(orphan.index, image)
    }
    isRead[orphan.index] = true
    annotated += 1
    var path = SortedFiles.join(images.images, name)
    if used.contains(path) || files.index(of: path) != nil {
      note(
        .duplicateID, .warning, xml,
        "another file or annotation has its image's name, \(path); kept under its own name")
      let own = SortedFiles.join(images.images, SortedFiles.join(images.below, stem + ".jpg"))
      path = own
      var number = 2
      while used.contains(path) || files.index(of: path) != nil {
        path = "\(own)#\(number)"
        number += 1
      }
    }
    used.insert(path)
    var split = splits.splits[orphan.index]
    if split < 0, !splits.isListed { split = splits.number(ofFolder: SortedFiles.folder(of: path)) }
    return missingItem(path, xml: orphan.index, split: split)
  }

  /// The image with a name, with or without its suffix, in a folder, or in the folder of all images
  /// above it.
  ///
  /// - Parameter below: the part of the folder below that of all images.
  private func image(_ name: String, in folder: String, below: String) -> Int? {
    var places = [folder]
    if name.contains("/"), !below.isEmpty, folder.hasSuffix("/" + below) {
      places.append(String(folder.dropLast(below.count + 1)))
    }
    for place in places {
      let exact = files.index(of: SortedFiles.join(place, name))
      if let exact, inventory.roles[exact] == .image { return exact }
      if let found = inventory.file(place, name, .image) { return found }
    }
    return nil
  }

  private mutating func missingItem(_ path: String, xml: Int?, split: Int16) -> VOCItem {
    missing.append(path)
    let masks = takeMasks(path)
    return VOCItem(
      kind: .missing(Int32(missing.count - 1)), xml: Int32(xml ?? -1),
      classMask: Int32(masks.classes ?? -1), objectMask: Int32(masks.objects ?? -1), split: split)
  }

  private mutating func maskItem(_ path: String, _ split: Int16) -> VOCItem {
    annotated += 1
    return missingItem(path, xml: nil, split: split)
  }

  private mutating func takeMasks(_ path: String) -> (classes: Int?, objects: Int?) {
    let masks = inventory.masks(ofImage: path)
    for index in [masks.classes, masks.objects].compactMap(\.self) { isRead[index] = true }
    return masks
  }

  // MARK: Images

  /// The images of one folder, or of one split, that have no annotation or no split.
  private struct Group {
    var count = 0
    var first = ""

    mutating func add(_ path: String) {
      if count == 0 { first = path }
      count += 1
    }

    var text: String { count == 1 ? "1 image (\(first))" : "\(count) images (\(first), …)" }
  }

  /// Adds the images that have an annotation, a mask or a split.
  private mutating func addImages(_ splits: inout VOCSplits) {
    var folderSplits: [Substring: Int16] = [:]
    var plain: [String: Group] = [:]
    var unlisted: [String: Group] = [:]
    var empty: [Int16: Group] = [:]
    for index in 0..<files.count where inventory.roles[index] == .image {
      let path = files[index]
      let folder = SortedFiles.folder(of: path)
      let xml = annotations[index]
      var split = splits.splits[index]
      if split < 0, xml >= 0 { split = splits.splits[Int(xml)] }
      let masks = takeMasks(path)
      let isAnnotated =
        xml >= 0 || masks.classes != nil || masks.objects != nil || labels.hasLabel(Int32(index))
      if !isAnnotated {
        guard split >= 0 else {
          plain[String(folder), default: Group()].add(path)
          continue
        }
        empty[split, default: Group()].add(path)
      }
      if xml < 0, isAnnotated { annotated += 1 }
      if split < 0, splits.isListed {
        unlisted[String(folder), default: Group()].add(path)
      } else if split < 0 {
        if let known = folderSplits[folder] {
          split = known
        } else {
          split = splits.number(ofFolder: folder)
          folderSplits[folder] = split
        }
        // images/x.jpg of annotations/train/x.xml
        if split < 0, xml >= 0 {
          split = splits.number(ofFolder: SortedFiles.folder(of: files[Int(xml)]))
        }
      }
      items.append(
        VOCItem(
          kind: .image(Int32(index)), xml: xml, classMask: Int32(masks.classes ?? -1),
          objectMask: Int32(masks.objects ?? -1), split: split))
    }
    for (folder, group) in plain.sorted(by: { $0.key < $1.key }) {
      imagesLeftOut += group.count
      note(
        .missingLabel, .error, folder.isEmpty ? "." : folder,
        "\(group.text) without an annotation (.xml) that no list names; left out")
    }
    for (folder, group) in unlisted.sorted(by: { $0.key < $1.key }) {
      note(
        .unknownSplit, .warning, folder.isEmpty ? "." : folder,
        "\(group.text) with annotations that no list names; imported without a split")
    }
    for (split, group) in empty.sorted(by: { $0.key < $1.key }) {
      note(
        .missingLabel, .warning, group.first,
        "\(group.text) of split '\(splits.names[Int(split)])' without an annotation; imported as "
          + (group.count == 1 ? "an image" : "images") + " without objects")
    }
  }

  /// Inserts items that are no images of the source, by path.
  private mutating func merge(_ extras: [VOCItem]) {
    guard !extras.isEmpty else { return }
    let found = (items + extras).map { (path: path(of: $0), item: $0) }
    items = found.sorted { SortedFiles.precedes($0.path, $1.path) }.map(\.item)
  }

  private mutating func noteDrawings() {
    let drawings = files.files.indices.filter {
      inventory.roles[$0] == .other && PairPath.isImageName(files[$0])
        && VOCFileRole.Folder(SortedFiles.folder(of: files[$0])) != .moreClassMasks
    }
    guard let first = drawings.first else { return }
    notes.append(
      "\(Counted.text(drawings.count, "drawing", "drawings")) of annotations "
        + "(\(files[first])\(drawings.count == 1 ? "" : ", …")) \(drawings.count == 1 ? "is" : "are") left out"
    )
  }

  /// Reports masks without an image, one issue for each folder.
  private mutating func noteMasks() {
    var groups: [String: Group] = [:]
    for index in 0..<files.count where !isRead[index] {
      guard inventory.roles[index] == .classMask || inventory.roles[index] == .objectMask else {
        continue
      }
      groups[String(SortedFiles.folder(of: files[index])), default: Group()].add(files[index])
    }
    for (folder, group) in groups.sorted(by: { $0.key < $1.key }) {
      note(
        .unpairedMask, .error, folder,
        (group.count == 1 ? "1 mask (\(group.first))" : "\(group.count) masks (\(group.first), …)")
          + " without an image, or beside the masks that are read; left out")
    }
  }

  // MARK: Datasets

  private mutating func findDatasets(_ lists: VOCLists) {
    var roots: [String: String] = [:]
    var last: Substring?
    for index in 0..<files.count where inventory.roles[index] == .xml && isRead[index] {
      let folder = SortedFiles.folder(of: files[index])
      if folder == last { continue }
      last = folder
      let root = DatasetRoots.root(of: folder) ?? ""
      if roots[root] == nil { roots[root] = files[index] }
    }
    for dataset in lists.datasets where roots[dataset.root] == nil {
      // A plain list can be beside the images of one split.
      let list = dataset.tasks.first?.lists.first.map(\.index)
      if let list, inventory.roles[list] == .list { roots[dataset.root] = files[list] }
    }
    examples = roots.sorted { $0.key < $1.key }.map(\.value)
  }
}
