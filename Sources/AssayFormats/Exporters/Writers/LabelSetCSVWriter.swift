import AssayCore

/// Writes `labels.csv` with a column of 0 and 1 for each class, and `images/x.jpg`.
struct LabelSetCSVWriter: DatasetExporter {
  let capabilities: ExportCapabilities
  private let table: MultiLabelCSVExporter
  private let dataset: ExportDataset

  init(_ dataset: ExportDataset) {
    self.dataset = dataset
    table = MultiLabelCSVExporter(
      classes: dataset.classes.map(\.name), hasSplits: dataset.splits.contains { $0.name != nil })
    var can = ExportCapabilities()
    can.labels = .set
    can.unusedClasses = true
    can.classOrder = true
    can.needsFiles = true
    capabilities = can
  }

  func imageFolder(split: Int, label: Int?) -> String {
    SortedFiles.join("images", dataset.splits[split].folder).trimmedSlash
  }

  var tables: [ExportTable] {
    var section = ExportTable.Section("", separator: "", needsObjects: false)
    section.opening = table.header
    return [ExportTable(path: "labels.csv", split: nil, sections: [section])]
  }

  func rows(_ image: ExportImage, table number: Int, section: Int) -> [UInt8] {
    table.line(image: image.path, split: dataset.splits[image.split].name, labels: image.labels)
  }
}
