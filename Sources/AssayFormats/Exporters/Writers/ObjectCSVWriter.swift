import AssayCore

/// Writes a CSV with a row per object: `image,split,class,xmin,ymin,xmax,ymax`, in pixels from 0,
/// half-open. An image without objects has a row without a class.
struct ObjectCSVWriter: DatasetExporter {
  let capabilities: ExportCapabilities
  private let dataset: ExportDataset

  init(_ dataset: ExportDataset) {
    self.dataset = dataset
    var can = ExportCapabilities()
    can.shapes = [.box]
    can.mergesDuplicates = true
    can.numbers = .corners
    capabilities = can
  }

  func imageFolder(split: Int, label: Int?) -> String {
    SortedFiles.join("images", dataset.splits[split].folder).trimmedSlash
  }

  var tables: [ExportTable] {
    [
      ExportTable(
        path: "annotations.csv", split: nil,
        sections: [.init("image,split,class,xmin,ymin,xmax,ymax\n", separator: "")])
    ]
  }

  func rows(_ image: ExportImage, table: Int, section: Int) -> [UInt8] {
    let start =
      CSVText.field(image.path) + ","
      + (dataset.splits[image.split].name.map { CSVText.field($0) } ?? "") + ","
    func name(_ category: Int) -> String { CSVText.field(dataset.classes[category].name) }
    var text = ""
    for object in image.objects {
      let box = object.box
      let numbers = [
        ExportNumber.exact(box.x), ExportNumber.exact(box.y),
        ExportNumber.edge(from: box.x, length: box.width),
        ExportNumber.edge(from: box.y, length: box.height),
      ]
      text += start + name(object.category) + "," + numbers.joined(separator: ",") + "\n"
    }
    if text.isEmpty { text = start + ",,,,\n" }
    return Array(text.utf8)
  }
}
