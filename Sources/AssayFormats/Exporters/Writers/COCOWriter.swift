import AssayCore

/// Writes COCO's instances, one file per split, with the images in `images/SPLIT`.
///
/// Ids are those of the source if every image, or every annotation, has one that readers of COCO accept:
/// any id of a COCO file, else numbers, and for classes numbers from 1, because 0 is the background for
/// some readers. Otherwise they are numbered from 1.
struct COCOWriter: DatasetExporter {
  let capabilities: ExportCapabilities
  private let dataset: ExportDataset
  private let classIDs: [SourceID]

  init(_ dataset: ExportDataset) {
    self.dataset = dataset
    let ids = dataset.classes.map(\.sourceID)
    let known = ids.compactMap { $0 }
    let isUsual = known.allSatisfy { id in
      if case .integer(let number) = id { return number > 0 }
      return false
    }
    let keepsIDs =
      known.count == ids.count && Set(known).count == known.count && (dataset.hasCOCOIDs || isUsual)
    classIDs = keepsIDs ? known : ids.indices.map { .integer(Int64($0 + 1)) }
    var can = ExportCapabilities()
    can.shapes = [.box, .polygon, .mask]
    can.parts = true
    can.keypoints = nil
    can.crowds = true
    can.attributes = .any
    can.reservedAttributes = [
      "id", "image_id", "category_id", "iscrowd", "area", "bbox", "segmentation",
    ]
    can.statedBoxes = true
    can.areas = true
    can.objectIDs = dataset.hasObjectIDs
    can.imageIDs = dataset.hasImageIDs
    can.classIDs = keepsIDs
    can.unusedClasses = true
    can.classOrder = true
    can.supercategories = true
    can.classFields = true
    can.splits = .files
    capabilities = can
  }

  func imageFolder(split: Int, label: Int?) -> String {
    SortedFiles.join("images", dataset.splits[split].folder).trimmedSlash
  }

  var tables: [ExportTable] {
    dataset.splits.enumerated().map { place, split in
      var opening = COCODatasetExporter.opening(
        description: "\(dataset.name), written by assay")
      for (number, category) in dataset.classes.enumerated() {
        if number > 0 { opening += COCODatasetExporter.separator }
        COCODatasetExporter.append(category, id: classIDs[number], to: &opening)
      }
      opening += COCODatasetExporter.toImages
      var images = ExportTable.Section("", separator: ",\n", needsObjects: false)
      images.opening = opening
      var annotations = ExportTable.Section("", separator: ",\n")
      annotations.opening = COCODatasetExporter.toAnnotations
      var table = ExportTable(
        path: "annotations/instances\(split.folder.isEmpty ? "" : "_" + split.folder).json",
        split: place, sections: [images, annotations])
      table.closing = COCODatasetExporter.closing
      return table
    }
  }

  private func id(of image: ExportImage) -> SourceID {
    (capabilities.imageIDs ? image.sourceID : nil) ?? .integer(Int64(image.number + 1))
  }

  func rows(_ image: ExportImage, table: Int, section: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    if section == 0 {
      let folder = imageFolder(split: image.split, label: nil) + "/"
      let name =
        image.path.hasPrefix(folder) ? String(image.path.dropFirst(folder.count)) : image.path
      COCODatasetExporter.append(
        COCODatasetImage(id: id(of: image), fileName: name, size: image.size), to: &bytes)
      return bytes
    }
    for (place, object) in image.objects.enumerated() {
      if place > 0 { bytes += COCODatasetExporter.separator }
      let number = Int64(image.firstObject + place + 1)
      var geometry: [UInt8]?
      switch object.shape {
      case .polygons(let polygons): geometry = Geometry.polygons(polygons).packed
      case .mask(let mask): geometry = mask.compressed
      case .box, .lines, .points, .tag: break
      }
      try COCODatasetExporter.append(
        COCODatasetInstance(
          id: (capabilities.objectIDs ? object.sourceID : nil) ?? .integer(number),
          image: id(of: image), category: classIDs[object.category], isCrowd: object.isCrowd,
          area: object.area, box: object.box, shape: object.shape.kind, geometry: geometry,
          size: image.size,
          attributes: object.attributes.isEmpty ? nil : JSONValue.object(object.attributes).text()),
        to: &bytes)
    }
    return bytes
  }
}
