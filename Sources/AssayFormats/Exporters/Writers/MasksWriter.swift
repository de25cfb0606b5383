import AssayCore

/// Writes index masks: `images/SPLIT/x.jpg` and `masks/SPLIT/x.png` with a value per class, 0 for
/// background and 255 for void, and the names of the values in `classes.txt` and `label_colors.txt`.
///
/// With more classes than 8 bits have values for, masks have 16 bits, and 65,535 is void.
struct MasksWriter: DatasetExporter {
  let capabilities: ExportCapabilities
  private let dataset: ExportDataset
  /// The names of the classes of the values 1, 2, 3, ….
  private let names: [String]
  private let depth: IndexMap.Depth

  init(_ dataset: ExportDataset) {
    self.dataset = dataset
    names = dataset.classes.filter { !$0.isVoid }.map(\.name)
    depth = IndexMap.Depth(classes: names.count)
    var can = ExportCapabilities()
    can.shapes = [.mask]
    can.flattening = .classes
    can.pixelAreas = true
    can.joinsVoids = true
    can.classLimit = IndexMap.Depth.classLimit
    can.classNames = .listed
    can.unusedClasses = true
    can.classOrder = true
    can.splits = .folders
    can.needsFiles = true
    can.needsSizes = true
    can.needsDisplayedSize = true
    capabilities = can
  }

  var fixedFiles: [(path: String, bytes: [UInt8])] {
    var files = [(MaskPairsExporter.classes, MaskPairsExporter.list(of: names))]
    if let colors = MaskPairsExporter.colorList(of: names) {
      files.append((MaskPairsExporter.colors, colors))
    }
    return files
  }

  var notes: [String] { depth.note(classes: names.count).map { [$0] } ?? [] }

  func imageFolder(split: Int, label: Int?) -> String {
    SortedFiles.join(MaskPairsExporter.images, dataset.splits[split].folder).trimmedSlash
  }

  func path(ofImage image: ExportImage) -> String? {
    let folder = SortedFiles.join(MaskPairsExporter.masks, dataset.splits[image.split].folder)
    return SortedFiles.join(folder.trimmedSlash, "\(image.stem).png")
  }

  func bytes(ofImage image: ExportImage) throws -> [UInt8] {
    guard let size = image.size else { return [] }
    var map = IndexMap(depth, size: size)
    for object in image.objects {
      guard case .mask(let mask) = object.shape else { continue }
      // Void classes are joined at the end of the list, so that the others are numbered without gaps.
      let isVoid = dataset.classes[object.category].isVoid
      map.paint(isVoid ? depth.void : depth.value(ofClass: object.category), mask)
    }
    return try map.png()
  }
}
