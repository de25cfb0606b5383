import AssayCore
import AssayFormats
package import AssayStore

/// Reads an export of labeled images back as an import would, and compares it with the catalog:
/// every sample with its label, split and image.
package struct TableExportCheck {
  private let catalog: Catalog
  private let summary: TableExportSummary
  private let files: SampleFiles
  /// The indices of the samples by their import key: the row, or the path.
  private var places: [String: Int] = [:]
  private var isSeen: [Bool]
  private var verification = TableVerification()

  package init(of summary: TableExportSummary, catalog: Catalog) {
    self.catalog = catalog
    self.summary = summary
    files = SampleFiles(catalog: catalog, dataset: summary.scope.dataset)
    isSeen = Array(repeating: false, count: summary.rows.count)
    for (place, row) in summary.rows.enumerated() {
      let path = row.file.map { String($0.dropFirst(FolderExport.images.count + 1)) }
      switch summary.kind {
      case .fer: places["\(place)"] = place
      case .folder: places[path ?? ""] = place
      case .multiLabelCSV: places[row.file ?? ""] = place
      }
    }
  }

  /// - Throws: ``SourceError``, `FormatError`, `StoreError`, ``Interrupted``.
  package mutating func run(progress: any ProgressSink = NoProgress()) throws -> TableVerification {
    let (name, importer): (String, any DatasetImporter) =
      switch summary.kind {
      case .fer: (FERExport.file, FERImporter())
      case .folder: (FolderExport.images, ImageFolderImporter())
      case .multiLabelCSV: (MultiLabelExport.file, MultiLabelCSVImporter())
      }
    let tree = try DirectoryTree(summary.folder + "/" + name)
    let images = summary.kind == .multiLabelCSV ? try DirectoryTree(summary.folder) : tree
    var options = ImportOptions(images: images)
    options.classes = summary.namesForImport
    if summary.kind == .fer { options.size = summary.size }
    var names: [String] = []
    _ = try importer.run(tree, options) { batch in
      try Interruption.check("the folder is written; it was not read back to its end")
      names += batch.newCategories.map(\.name)
      // A row without a label stays unlabeled.
      for issue in batch.issues where issue.kind != .missingLabel && issue.kind != .unknownSplit {
        verification.note("\(issue.sampleKey ?? issue.location.file): \(issue.message)")
      }
      try compare(batch, names, images)
      progress.report(batch.progress, "reading \(summary.folder) back")
    }
    for (place, row) in summary.rows.enumerated() where !isSeen[place] {
      verification.note("sample \(row.sample.key) is not read back")
    }
    return verification
  }

  private mutating func compare(
    _ batch: ImportedBatch, _ names: [String], _ tree: DirectoryTree
  ) throws {
    var read: [(sample: ImportedSample, place: Int)] = []
    for sample in batch.samples {
      guard let place = places[sample.key] else {
        verification.note("\(sample.key) is not a sample of the export")
        continue
      }
      isSeen[place] = true
      read.append((sample, place))
    }
    let samples = read.map { summary.rows[$0.place].sample }
    let pictures = try summary.kind == .fer ? files.pictures(of: samples) : []
    for (index, (sample, place)) in read.enumerated() {
      verification.samples += 1
      let row = summary.rows[place]
      func note(_ what: String) { verification.note("sample \(row.sample.key): \(what) differs") }
      let label = row.label.map { summary.renamed[$0] ?? $0 }
      if sample.category.map({ names[$0] }) != label { note("its label") }
      if Set(sample.categories.map { names[$0] }) != Set(row.labels ?? []) { note("its labels") }
      if !isSame(sample.split, summary.splitFolders[row.sample.split] ?? row.sample.split) {
        note("its split")
      }
      switch summary.kind {
      case .fer:
        let pixels = sample.pixels.map { batch.pixels[$0] } ?? []
        let raster = try? pictures[index].get().raster
        if raster.map({ pixels.elementsEqual($0.elements) }) != true { note("its pixels") }
      case .folder, .multiLabelCSV:
        let isSame: Bool
        if row.sample.location == nil {
          // A PNG has the same pixels as the catalog, but not the same bytes.
          let file = try SampleImages.decode(
            tree.readAll(sample.key, limit: SampleImages.fileLimit), in: nil)
          let raster = try files.pictures(of: [row.sample])[0].map(\.raster)
          isSame = (try? raster.get()) == file
        } else {
          let bytes = try tree.readAll(sample.key, limit: SampleImages.fileLimit)
          isSame = ContentHash.of(bytes) == row.imageHash
        }
        if !isSame { note("its image") }
      }
    }
  }

  private func isSame(_ read: String?, _ split: String?) -> Bool {
    guard let split else { return read == nil }
    return read.map { SplitName.match($0, split) } ?? false
  }
}
