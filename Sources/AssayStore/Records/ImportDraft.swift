package import AssayCore

/// The data of an import before it runs.
package struct ImportDraft: Hashable, Sendable {
  package var name: String
  package var format: DatasetFormat
  /// The absolute path of the source.
  package var root: String
  package var isSingleFile: Bool
  /// The importer's options as JSON text.
  package var options: String
  /// True if a dataset with this name is imported again, with its samples matched by key.
  package var replace: Bool
  /// True if the samples have sets of labels (``ImportedSample/categories``).
  package var isMultiLabel: Bool

  package init(
    name: String, format: DatasetFormat, root: String, isSingleFile: Bool, options: String = "{}",
    replace: Bool = false, isMultiLabel: Bool = false
  ) {
    self.name = name
    self.format = format
    self.root = root
    self.isSingleFile = isSingleFile
    self.options = options
    self.replace = replace
    self.isMultiLabel = isMultiLabel
  }
}

/// The result of an import in the catalog.
package struct ImportSummary: Hashable, Sendable {
  package var dataset: DatasetRecord
  /// Samples that are new.
  package var added: Int
  /// Samples whose key existed before; they keep their id.
  package var kept: Int
  /// Samples whose key no longer exists; they are marked, not deleted.
  package var retired: Int
}
