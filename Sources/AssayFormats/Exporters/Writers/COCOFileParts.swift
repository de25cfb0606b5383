import AssayCore

/// The parts that COCO's files of objects and of panoptic segments share: classes, images and ids.
struct COCOFileParts: Sendable {
  let dataset: ExportDataset
  /// The id of each class.
  let classIDs: [SourceID]
  /// True if ``classIDs`` are those of the source.
  let keepsClassIDs: Bool

  init(_ dataset: ExportDataset) {
    self.dataset = dataset
    let ids = dataset.classes.map(\.sourceID)
    let known = ids.compactMap { $0 }
    let isUsual = known.allSatisfy { id in
      if case .integer(let number) = id { return number > 0 }
      return false
    }
    keepsClassIDs =
      known.count == ids.count && Set(known).count == known.count && (dataset.hasCOCOIDs || isUsual)
    classIDs = keepsClassIDs ? known : ids.indices.map { .integer(Int64($0 + 1)) }
  }

  func imageFolder(split: Int) -> String {
    SortedFiles.join("images", dataset.splits[split].folder).trimmedSlash
  }

  /// The file's beginning with classes, and the list of images.
  func heads(_ classes: [Category]) -> ExportTable.Section {
    var opening = COCODatasetExporter.opening(description: "\(dataset.name), written by assay")
    for (number, category) in classes.enumerated() {
      if number > 0 { opening += COCODatasetExporter.separator }
      COCODatasetExporter.append(category, id: classIDs[number], to: &opening)
    }
    opening += COCODatasetExporter.toImages
    var section = ExportTable.Section("", separator: ",\n", needsObjects: false)
    section.opening = opening
    return section
  }

  /// A file of images and annotations for each split: `annotations/STEM_SPLIT.json`.
  func tables(_ stem: String, _ classes: [Category]) -> [ExportTable] {
    dataset.splits.enumerated().map { place, split in
      var annotations = ExportTable.Section("", separator: ",\n")
      annotations.opening = COCODatasetExporter.toAnnotations
      var table = ExportTable(
        path: "annotations/\(stem)\(split.folder.isEmpty ? "" : "_" + split.folder).json",
        split: place, sections: [heads(classes), annotations])
      table.closing = COCODatasetExporter.closing
      return table
    }
  }

  /// The id of the source if every image has one, else the number from 1.
  func id(of image: ExportImage) -> SourceID {
    (dataset.hasImageIDs ? image.sourceID : nil) ?? .integer(Int64(image.number + 1))
  }

  /// The element of an image in the list of images.
  func row(_ image: ExportImage) -> [UInt8] {
    let folder = imageFolder(split: image.split) + "/"
    let name =
      image.path.hasPrefix(folder) ? String(image.path.dropFirst(folder.count)) : image.path
    var bytes: [UInt8] = []
    COCODatasetExporter.append(
      COCODatasetImage(
        id: id(of: image), fileName: name, size: image.size, fields: image.fields), to: &bytes)
    return bytes
  }
}
