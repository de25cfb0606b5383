package import AssayCore

/// The result of an export of labeled images, as rows of a table or as files.
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
  /// The data set's classes.
  package let classes: [String]
  let rows: [ExportManifest.Row]
  /// Samples that could not be written.
  package var leftOut: [LeftOutSample]
  /// Of every image of a table.
  package var size: ImageSize?
  /// The classes that an import has to be told, as the file has numbers for them.
  package var namesForImport: [String]?
  /// Of classes whose folder has another name, that.
  var renamed: [String: String] = [:]
  /// The folder of each split, and of samples without one where others have one.
  var splitFolders: [String?: String] = [:]
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

  /// The samples that were written.
  package var count: Int { rows.count }
  /// Those of them without a label.
  package var unlabeled: Int {
    rows.count { kind == .multiLabelCSV ? $0.sample.categories.isEmpty : $0.label == nil }
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
  /// Samples that were read back.
  package var samples = 0
  /// The first differences, and their number.
  package var differences: [String] = []
  package var differenceCount = 0

  package var isIdentical: Bool { differenceCount == 0 }

  mutating func note(_ difference: String) {
    differenceCount += 1
    if differences.count < COCOVerification.listed { differences.append(difference) }
  }
}
