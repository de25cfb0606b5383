package import AssayCore

/// A kind of difference between what was to be written and what was read back. The raw value is the
/// key in JSON.
package enum ExportDifference: String, CaseIterable, Sendable {
  case images
  case extraImages = "extra_images"
  case splits
  case sizes
  case imageIDs = "image_ids"
  case imageFields = "image_fields"
  case labels
  case objects = "annotations"
  case extraObjects = "extra_annotations"
  case classes
  case shapes
  case coordinates
  case pixels
  case crowds
  case areas
  case attributes
  case objectIDs = "annotation_ids"
  case classOrder = "class_order"
  case files
}

/// The result of reading an export back and comparing it, instance by instance, with what the format
/// can hold.
package struct ExportVerification: Sendable {
  /// The content that was read back.
  package internal(set) var read = ExportSurvey.Counts()
  /// The number of differences of each kind: losses that were not announced.
  package private(set) var counts: [ExportDifference: Int] = [:]
  /// The first differences, one sentence each.
  package private(set) var differences: [String] = []
  /// The hash of the canonical form of what was read, hexadecimal.
  package internal(set) var hash = ""
  /// The issues of reading it back, by kind.
  package internal(set) var issues: [(kind: IssueKind, count: Int)] = []

  /// The maximum number of differences that are listed.
  private static let listed = 1000

  /// The number of all differences.
  package var lost: Int { counts.values.reduce(0, +) }

  /// The counts in the order of the kinds.
  package var list: [(kind: ExportDifference, count: Int)] {
    ExportDifference.allCases.compactMap { kind in counts[kind].map { (kind, $0) } }
  }

  mutating func note(_ kind: ExportDifference, _ text: String, count: Int = 1) {
    counts[kind, default: 0] += count
    if differences.count < Self.listed { differences.append(text) }
  }

  mutating func add(_ other: Self) {
    read.images += other.read.images
    read.labels += other.read.labels
    read.objects += other.read.objects
    counts.merge(other.counts, uniquingKeysWith: +)
    differences += other.differences.prefix(Self.listed - differences.count)
  }
}
