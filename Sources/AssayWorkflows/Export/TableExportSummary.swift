package import AssayCore
package import AssayStore

/// The result of exporting labeled images, as rows of a table or as files.
package struct TableExportSummary: Sendable {
  /// The kind of export.
  package enum Kind: String, Sendable {
    case fer
    case folder
    case multiLabelCSV = "multilabel-csv"
  }

  package let scope: ExportScope
  package let kind: Kind
  package let folder: String
  /// The classes of the dataset.
  package let classes: [String]
  let rows: [ExportManifest.Row]
  /// The samples that could not be written.
  package var leftOut: [LeftOutSample]
  /// The size of all images in a table.
  package var size: ImageSize?
  /// The class names to pass to an import, because the file contains class numbers.
  package var namesForImport: [String]?
  /// The folder names of classes whose folder is named differently.
  var renamed: [String: String] = [:]
  /// The folder of each split, and of samples without a split if others have one.
  var splitFolders: [String?: String] = [:]
  /// The objects of the exported samples, which tables and folders of labels cannot hold.
  package private(set) var leftOutObjects = 0
  /// The samples that have such objects.
  package private(set) var samplesWithObjects = 0
  /// Notes about the result, one sentence each.
  package var notes: [String] = []
  /// The result of reading it back; `nil` if that was not requested.
  package var verification: TableVerification?

  init(
    scope: ExportScope, kind: Kind, folder: String, classes: [String], rows: [ExportManifest.Row],
    leftOut: [LeftOutSample]
  ) {
    self.scope = scope
    self.kind = kind
    self.folder = folder
    self.classes = classes
    self.rows = rows
    self.leftOut = leftOut
  }

  /// The number of exported samples.
  package var count: Int { rows.count }
  /// The number of exported samples without a label.
  package var unlabeled: Int {
    rows.count { kind == .multiLabelCSV ? $0.sample.categories.isEmpty : $0.label == nil }
  }

  /// Counts the objects (boxes, masks, …) that are not written, and adds a note about them.
  ///
  /// - Parameter catalog: reads the exported ground truth.
  /// - Throws: `StoreError`.
  package mutating func countObjects(in catalog: Catalog) throws {
    // In a dataset without objects only corrections can have added some.
    let ids = rows.map(\.sample.id).filter {
      scope.dataset.regions > 0 || scope.corrections?.samples[$0] != nil
    }
    for counts in try catalog.regionCounts(of: ids) where !counts.isEmpty {
      samplesWithObjects += 1
      leftOutObjects += counts.reduce(0) { $0 + $1.instances + $1.crowds }
    }
    guard leftOutObjects > 0 else { return }
    notes.append(
      "\(Counted.text(leftOutObjects, "object", "objects")) in "
        + "\(Counted.text(samplesWithObjects, "image", "images")) \(leftOutObjects == 1 ? "is" : "are") not written: --to \(kind.rawValue) holds "
        + "labels of whole images; --to coco writes objects")
  }

  /// The argument for an import of the result: the file or folder, with the format.
  package var source: String {
    switch kind {
    case .fer: folder + "/" + FERExport.file + ":fer"
    case .folder: folder + "/" + FolderExport.images + ":image-folder"
    case .multiLabelCSV: folder + "/" + MultiLabelExport.file + ":multilabel-csv"
    }
  }
}

/// The result of comparing an export with the catalog.
package struct TableVerification: Hashable, Sendable {
  /// The number of samples that were read back.
  package var samples = 0
  /// The first differences, and the number of all differences.
  package var differences: [String] = []
  package var differenceCount = 0

  package var isIdentical: Bool { differenceCount == 0 }

  mutating func note(_ difference: String) {
    differenceCount += 1
    if differences.count < COCOVerification.listed { differences.append(difference) }
  }
}
