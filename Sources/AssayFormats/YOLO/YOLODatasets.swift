import AssayCore

/// The datasets in a source: more than one if folders of labels have nothing in common.
struct YOLODatasets {
  /// A label file of each dataset, sorted by the datasets' folders.
  private(set) var examples: [String] = []
  /// The folders of the datasets; empty for the source itself.
  private(set) var roots: [String] = []

  /// Groups the folders of labels.
  ///
  /// A folder belongs to the dataset of its layout (`a` of `a/labels/train`), or to that of a
  /// folder above with a data file or a list of names. Folders whose images one data file names are
  /// one dataset.
  init(_ layout: YOLOLayout) {
    let inventory = layout.inventory
    var describing: Set<String> = Set(inventory.dataFiles.map(\.folder))
    for index in inventory.namesFiles {
      describing.insert(String(SortedFiles.folder(of: inventory.files[index])))
    }
    var datasets: [String: String] = [:]
    var united: String?
    for example in layout.examples {
      let folder = SortedFiles.folder(of: example)
      var root = Self.root(of: folder, describing)
      if layout.governed.contains(String(folder)) {
        united = united ?? root
        root = united ?? root
      }
      if datasets[root] == nil { datasets[root] = example }
    }
    for (root, example) in datasets.sorted(by: { $0.key < $1.key }) {
      roots.append(root)
      examples.append(example)
    }
  }

  private static func root(of folder: Substring, _ describing: Set<String>) -> String {
    var above = String(folder)
    while !above.isEmpty, !describing.contains(above) {
      above = String(SortedFiles.folder(of: above))
    }
    let described = describing.contains(above) ? above : nil
    guard let marked = DatasetRoots.root(of: folder) else {
      return DatasetRoots.withoutSplits((described ?? "").split(separator: "/").map(String.init))
    }
    if let described, described.utf8.count < marked.utf8.count { return described }
    return marked
  }
}
