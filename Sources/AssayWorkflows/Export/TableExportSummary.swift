package import AssayCore

/// What an export of labelled images came to, as rows of a table or as files.
package struct TableExportSummary: Sendable {
  /// What was written.
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
  /// What a person has to know of the result, one sentence each.
  package var notes: [String] = []
  /// What reading it back said; `nil` where that was not asked for.
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
  package var unlabelled: Int {
    rows.count { kind == .multiLabelCSV ? $0.sample.categories.isEmpty : $0.label == nil }
  }

  /// What an import of the result is given: the file or folder, with the format.
  package var source: String {
    switch kind {
    case .fer: folder + "/" + FERExport.file + ":fer"
    case .folder: folder + "/" + FolderExport.images + ":image-folder"
    case .multiLabelCSV: folder + "/" + MultiLabelExport.file + ":multilabel-csv"
    }
  }
}

/// What the comparison of an export with the catalog said.
package struct TableVerification: Hashable, Sendable {
  /// Samples that were read back.
  package var samples = 0
  /// What is not the same, the first ones, and how much is not.
  package var differences: [String] = []
  package var differenceCount = 0

  package var isIdentical: Bool { differenceCount == 0 }

  mutating func note(_ difference: String) {
    differenceCount += 1
    if differences.count < COCOVerification.listed { differences.append(difference) }
  }
}
