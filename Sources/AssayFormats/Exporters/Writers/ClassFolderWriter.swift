import AssayCore

/// Writes class folders: `SPLIT/CLASS/x.jpg`, or `CLASS/x.jpg` without splits. An image without a
/// label lies beside the class folders.
struct ClassFolderWriter: DatasetExporter {
  let capabilities: ExportCapabilities
  private let dataset: ExportDataset

  init(_ dataset: ExportDataset) {
    self.dataset = dataset
    var can = ExportCapabilities()
    can.labels = .one
    can.classNames = .folders
    can.splits = .folders
    can.missingSplitFolder = FolderLayout.withoutSplit
    can.readsMissingSplit = true
    can.needsFiles = true
    capabilities = can
  }

  func imageFolder(split: Int, label: Int?) -> String {
    let folder = dataset.splits[split].folder
    guard let label else { return folder }
    return SortedFiles.join(folder, dataset.classes[label].name)
  }
}
