import AssayCore

/// Writes Hugging Face's `imagefolder`: `SPLIT/x.jpg` and `SPLIT/metadata.jsonl` with `file_name`, a
/// `label`, `objects` with `bbox` (x, y, width, height) and `categories` by name, the captions as `text`, or as a list
/// `captions` if an image has several, and the fields of the image.
struct HFImageFolderWriter: DatasetExporter {
  let capabilities: ExportCapabilities
  private let dataset: ExportDataset

  init(_ dataset: ExportDataset) {
    self.dataset = dataset
    var can = ExportCapabilities()
    can.shapes = [.box]
    can.labels = dataset.isMultiLabel ? .none : .one
    can.captions = true
    can.classNames = .trimmed
    can.splits = .folders
    can.imageFields = true
    can.reservedImageFields = HFMetadata.readFields
    // The library takes such a column for further images.
    can.reservedImageFieldEnd = "_file_name"
    can.nullImageFields = false
    capabilities = can
  }

  func imageFolder(split: Int, label: Int?) -> String { dataset.splits[split].folder }

  var tables: [ExportTable] {
    dataset.splits.enumerated().map { place, split in
      ExportTable(
        path: SortedFiles.join(split.folder, "metadata.jsonl"), split: place,
        sections: [.init("", separator: "")])
    }
  }

  func rows(_ image: ExportImage, table: Int, section: Int) -> [UInt8] {
    var members: [JSONValue.Member] = [.init("file_name", .string(String(image.name)))]
    let names = image.labels.map { JSONValue.string(dataset.classes[$0].name) }
    if dataset.hasLabels, !dataset.isMultiLabel {
      members.append(.init("label", names.first ?? .null))
    }
    let captions = image.objects.compactMap(\.caption).map { JSONValue.string($0) }
    let objects = image.objects.filter { $0.shape != .tag }
    // Every row has the same columns.
    if dataset.isMultiLabel || !(dataset.hasLabels || dataset.hasCaptionsOnly) || !objects.isEmpty {
      members.append(
        .init(
          "objects",
          [
            "bbox": .array(
              objects.map { object in
                let box = object.box
                return [
                  .number(box.x), .number(box.y), .number(box.width), .number(box.height),
                ]
              }),
            "categories": .array(
              objects.map { .string(dataset.classes[$0.category].name) }),
          ]))
    }
    switch dataset.captions {
    case 0: break
    case 1: members.append(.init("text", captions.first ?? .null))
    default: members.append(.init("captions", .array(captions)))
    }
    return Array((JSONValue.object(members + image.fields).text() + "\n").utf8)
  }
}
