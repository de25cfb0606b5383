import AssayCore

/// Writes Create ML's JSON of boxes: `SPLIT/_annotations.createml.json` beside its images; centers and
/// sizes in pixels.
struct CreateMLWriter: DatasetExporter {
  let capabilities: ExportCapabilities
  private let dataset: ExportDataset

  init(_ dataset: ExportDataset) {
    self.dataset = dataset
    var can = ExportCapabilities()
    can.shapes = [.box]
    can.numbers = .corners
    can.attributes = .plain
    can.reservedAttributes = ["label", "coordinates", "confidence", "annotation"]
    can.mistakesUnitBoxes = true
    can.splits = .folders
    can.missingSplitFolder = FolderLayout.withoutSplit
    can.readsMissingSplit = true
    capabilities = can
  }

  func imageFolder(split: Int, label: Int?) -> String { dataset.splits[split].folder }

  var tables: [ExportTable] {
    dataset.splits.enumerated().map { place, split in
      ExportTable(
        path: SortedFiles.join(split.folder, "_annotations.createml.json"), split: place,
        sections: [.init("[\n", separator: ",\n")], closing: "\n]\n")
    }
  }

  func rows(_ image: ExportImage, table: Int, section: Int) -> [UInt8] {
    let annotations = image.objects.map { object -> JSONValue in
      let (box, center) = (object.box, object.box.center)
      let members: [JSONValue.Member] = [
        .init("label", .string(dataset.classes[object.category].name)),
        .init(
          "coordinates",
          [
            "x": .number(center.x), "y": .number(center.y), "width": .number(box.width),
            "height": .number(box.height),
          ]),
      ]
      return .object(members + object.attributes)
    }
    let row: JSONValue = [
      "image": .string(String(image.name)), "annotations": .array(annotations),
    ]
    return Array(row.text().utf8)
  }
}
