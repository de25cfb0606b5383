package import AssayCore

/// Pascal VOC: one XML file per image with boxes, parts and actions, masks of classes and objects,
/// and lists of splits; in the folders of the challenges or in any others, also beside the images.
///
/// Key and location of a sample: its image's path.
package struct VOCImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .voc }

  package var summary: String {
    "Pascal VOC: boxes in one .xml file per image, masks of classes and objects, labels of images"
  }

  package var recognizedBy: String {
    "XML files whose root is annotation, with size, object or bndbox, beside the images or in "
      + "Annotations/ beside JPEGImages/ (other names, splits above or below); or SegmentationClass/ "
      + "with lists in ImageSets/, a labelmap.txt, or SegmentationObject/ and class_names.txt; or "
      + "ImageSets/Main/cat_train.txt with 1 and -1"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else {
      return .noMatch("it is a single file; to import a Pascal VOC dataset, name its folder")
    }
    var inventory = try VOCInventory(tree)
    if let file = Self.imageNet(inventory) {
      return .noMatch("\(file) is an annotation of ImageNet (CLS-LOC), whose images have classes")
    }
    let kinds = inventory.kinds()
    let known = kinds.filter { $0.kind == .voc }
    if let first = known.first, 2 * known.count >= kinds.count {
      let path = inventory.files[first.index]
      let image = inventory.image(ofXML: first.index).map { inventory.files[$0] }
      return .match(
        "\(path) is a Pascal VOC annotation" + (image.map { " of \($0)" } ?? ""))
    }
    if let other = kinds.first {
      return .noMatch("\(inventory.files[other.index]) is XML, but no Pascal VOC annotation")
    }
    if let mask = inventory.roles.firstIndex(of: .classMask) {
      // Only labelme2voc writes masks of objects without lists, with the names of the classes.
      let names =
        inventory.roles.contains(.objectMask) ? inventory.roles.firstIndex(of: .names) : nil
      let sign =
        inventory.roles.firstIndex(of: .list) ?? inventory.roles.firstIndex(of: .labelMap) ?? names
      guard let sign else {
        return .noMatch(
          "there are masks (\(inventory.files[mask])), but neither annotations (.xml), masks of objects "
            + "(SegmentationObject) nor lists in ImageSets")
      }
      return .match("\(inventory.files[mask]) is a mask, and there is \(inventory.files[sign])")
    }
    for list in VOCLists(inventory).classLists
    where !inventory.folders.parts(ofDataset: list.root).images.isEmpty {
      return .match(
        "\(inventory.files[list.index]) lists the images of the class \(list.className)")
    }
    return .noMatch("it has no .xml file")
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    let layout = try VOCLayout(tree)
    guard layout.annotated > 0 else { return nil }
    let arrays = MaskArrays(layout.files.files).paths
    return try Companions(
      layout.unread.filter { !arrays.contains($0.path) }, in: tree, isKnownOnly: true,
      datasets: layout.examples.map { ($0, CompanionKind.voc.name) })
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    guard !tree.isSingleFile else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: try probe(tree).reason)
    }
    try options.refuse([.size], for: format)
    let layout = try VOCLayout(tree)
    guard layout.annotated > 0 else {
      throw FormatError.mismatch(
        name: tree.name, format: format,
        reason:
          "no image has a Pascal VOC annotation (.xml), a mask in SegmentationClass or a label in "
          + "ImageSets/Main")
    }
    let classes = try VOCClasses(layout.inventory, given: options.classes) {
      Self.areVOC(layout.inventory)
    }
    let source = VOCSource(layout, classes)
    var pass = try RegionImport(tree, source, options)
    var finished = try pass.run(deliver)
    let counts = source.tally.counts
    var last = ImportedBatch()
    last.issues = counts.issues
    last.progress = 1
    if !last.issues.isEmpty { try deliver(last) }
    finished.notes += layout.notes + classes.notes + counts.notes(classes.labelMap)
    if let note = MaskArrays(layout.files.files).note { finished.notes.append(note) }
    let unread = layout.inventory.unreadClassMasks
    if unread > 0 {
      finished.notes.append(
        "\(Counted.text(unread, "mask", "masks")) in SegmentationClassAug \(unread == 1 ? "is" : "are") not read beside "
          + "those in SegmentationClass; to import \(unread == 1 ? "it" : "them") instead, move SegmentationClass out of "
          + "the folder")
    }
    return finished
  }

  /// An annotation in ImageNet's tree of classes and boxes, if all are in that tree and its images are
  /// there, too; `nil` for other sources.
  private static func imageNet(_ inventory: VOCInventory) -> String? {
    var first: String?
    for index in 0..<inventory.files.count where inventory.roles[index] == .xml {
      guard ImageNetName.isAnnotation(inventory.files[index]) else { return nil }
      first = first ?? inventory.files[index]
    }
    guard let first,
      inventory.files.files.contains(where: { file in
        PairPath.isImageName(file.path) && ImageNetName.annotation(ofImage: file.path) != nil
      })
    else { return nil }
    return first
  }

  /// The number of annotations whose classes are compared with those of VOC.
  private static let sampled = 64

  /// Returns whether the objects of the first annotations have the classes of Pascal VOC.
  private static func areVOC(_ inventory: VOCInventory) -> Bool {
    let known = Set(VOCPalette.classes)
    var hasObject = false
    let files = inventory.files.files.indices.filter { inventory.roles[$0] == .xml }
    for index in files.prefix(sampled) {
      guard let root = try? VOCAnnotation.root(inventory.files.files[index], in: inventory.tree)
      else { continue }
      for object in root.all("object") {
        guard let name = object.text(of: "name"), known.contains(name) else { return false }
        hasObject = true
      }
    }
    return hasObject
  }
}
