package import AssayCore

/// A dataset of the catalog, with the counts of its current import.
package struct DatasetRecord: Hashable, Sendable {
  package var id: Int64
  package var name: String
  package var format: DatasetFormat
  /// The absolute path of the source: a file or a folder.
  package var root: String
  /// True if ``root`` is a single file.
  package var isSingleFile: Bool
  /// 1 for the first import, incremented by each `--replace`.
  package var importVersion: Int
  /// The hash of the source's bytes (or listing); `nil` if the import computed none.
  package var inputHash: String?
  /// The importer's options as JSON text.
  package var options: String
  /// The number of samples that are not retired.
  package var samples: Int
  /// The number of records read, accepted and rejected: read = accepted + rejected.
  package var read: Int
  package var accepted: Int
  package var rejected: Int
  /// The number of issues in the current import.
  package var issues: Int
  /// The number of regions in the current import: boxes, polygons and masks, neither labels of the
  /// whole image nor lines and points.
  package var regions: Int
  /// True if each sample has a set of labels, possibly empty, so that every sample counts as
  /// labeled.
  package var isMultiLabel: Bool
  /// The time of the import, as `2026-01-31T12:00:00Z`.
  package var importedAt: String
}

/// The number of samples of a split with a label. In a multi-label dataset, and in one with labels
/// beside regions, a sample counts once for each of its labels.
package struct SplitCount: Hashable, Sendable {
  /// The split as the source spells it; `nil` if there is none.
  package var split: String?
  /// The class's ordinal; `nil` for samples without a label.
  package var category: Int?
  package var count: Int
}

/// A stored issue.
package struct IssueRecord: Hashable, Sendable {
  package var id: Int64
  package var issue: Issue
  /// The sample it concerns, if that was accepted.
  package var sample: Int64?
}

/// The number of issues of one kind and severity.
package struct IssueCount: Hashable, Sendable {
  package var kind: IssueKind
  package var severity: Issue.Severity
  package var count: Int
}
