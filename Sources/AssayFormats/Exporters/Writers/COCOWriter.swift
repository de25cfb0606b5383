import AssayCore

/// Writes COCO's instances, one file per split, with the images in `images/SPLIT`.
///
/// Ids are those of the source if every image, or every annotation, has one that readers of COCO accept:
/// any id of a COCO file, else numbers, of annotations unique in their split, and for classes numbers
/// from 1, because 0 is the background for some readers. Otherwise they are numbered from 1.
struct COCOWriter: DatasetExporter {
  let capabilities: ExportCapabilities
  private let parts: COCOFileParts

  init(_ dataset: ExportDataset) {
    parts = COCOFileParts(dataset)
    var can = ExportCapabilities()
    can.shapes = [.box, .polygon, .mask]
    can.parts = true
    can.keypoints = .any
    can.crowds = true
    can.attributes = .any
    can.reservedAttributes = COCODatasetInstance.reservedAttributes
    can.statedBoxes = true
    can.areas = true
    can.objectIDs = dataset.hasObjectIDs
    can.imageIDs = dataset.hasImageIDs
    can.imageFields = true
    can.reservedImageFields = COCODatasetImage.reservedFields
    can.classIDs = parts.keepsClassIDs
    can.unusedClasses = true
    can.classOrder = true
    can.supercategories = true
    can.classFields = .any
    can.splits = .files
    capabilities = can
  }

  func imageFolder(split: Int, label: Int?) -> String {
    parts.imageFolder(split: split)
  }

  var tables: [ExportTable] { parts.tables("instances", parts.dataset.classes) }

  func rows(_ image: ExportImage, table: Int, section: Int) throws -> [UInt8] {
    guard section > 0 else { return parts.row(image) }
    var bytes: [UInt8] = []
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
          image: parts.id(of: image), category: parts.classIDs[object.category],
          isCrowd: object.isCrowd,
          area: object.area, box: object.box, shape: object.shape.kind, geometry: geometry,
          size: image.size,
          attributes: object.attributes.isEmpty ? nil : JSONValue.object(object.attributes).text()),
        to: &bytes)
    }
    return bytes
  }
}
