import AssayCore
import AssayImaging

/// Writes index masks: `images/SPLIT/x.jpg` and `masks/SPLIT/x.png` with a value per class, 0 for
/// background and 255 for void, and the names of the values in `classes.txt` and `label_colors.txt`.
struct MasksWriter: DatasetExporter {
  let capabilities: ExportCapabilities
  private let dataset: ExportDataset
  /// The names of the classes of the values 1, 2, 3, ….
  private let names: [String]

  init(_ dataset: ExportDataset) {
    self.dataset = dataset
    names = dataset.classes.filter { !$0.isVoid }.map(\.name)
    var can = ExportCapabilities()
    can.shapes = [.mask]
    can.flattening = .classes
    can.pixelAreas = true
    can.joinsVoids = true
    can.classLimit = MaskPairsExporter.classLimit
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

  func imageFolder(split: Int, label: Int?) -> String {
    SortedFiles.join(MaskPairsExporter.images, dataset.splits[split].folder).trimmedSlash
  }

  func path(ofImage image: ExportImage) -> String? {
    let folder = SortedFiles.join(MaskPairsExporter.masks, dataset.splits[image.split].folder)
    return SortedFiles.join(folder.trimmedSlash, "\(image.stem).png")
  }

  func bytes(ofImage image: ExportImage) throws -> [UInt8] {
    guard let size = image.size else { return [] }
    var raster = Raster<UInt8>(repeating: 0, width: size.width, height: size.height)
    for object in image.objects {
      guard case .mask(let mask) = object.shape else { continue }
      mask.paint(value(of: object.category), into: &raster)
    }
    return try ImageCodec.encodePNG(raster)
  }

  /// Void classes are joined at the end of the list, so that the others are numbered without gaps.
  private func value(of category: Int) -> UInt8 {
    guard !dataset.classes[category].isVoid,
      let value = UInt8(exactly: Int(MaskPairsExporter.firstValue) + category)
    else { return MaskPairsExporter.void }
    return value
  }
}
