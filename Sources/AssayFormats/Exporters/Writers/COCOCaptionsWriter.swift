import AssayCore

/// Writes COCO's captions of a dataset that has nothing else, one file per split, with the images in `images/SPLIT`. Ids
/// are those of ``COCOWriter``.
struct COCOCaptionsWriter: DatasetExporter {
  let capabilities: ExportCapabilities
  private let parts: COCOFileParts

  init(_ dataset: ExportDataset) {
    parts = COCOFileParts(dataset)
    var can = ExportCapabilities()
    can.captions = true
    can.objectIDs = dataset.hasObjectIDs
    can.imageIDs = dataset.hasImageIDs
    can.imageFields = true
    can.reservedImageFields = COCODatasetImage.reservedFields
    can.splits = .files
    capabilities = can
  }

  func imageFolder(split: Int, label: Int?) -> String { parts.imageFolder(split: split) }

  var tables: [ExportTable] { parts.tables("captions", []) }

  func rows(_ image: ExportImage, table: Int, section: Int) -> [UInt8] {
    guard section > 0 else { return parts.row(image) }
    var bytes: [UInt8] = []
    for (place, object) in image.objects.enumerated() {
      guard let text = object.caption else { continue }
      if !bytes.isEmpty { bytes += COCODatasetExporter.separator }
      let id =
        (capabilities.objectIDs ? object.sourceID : nil)
        ?? .integer(Int64(image.firstObject + place + 1))
      let annotation: JSONValue = [
        "id": id.json, "image_id": parts.id(of: image).json, "caption": .string(text),
      ]
      bytes += annotation.text().utf8
    }
    return bytes
  }
}
