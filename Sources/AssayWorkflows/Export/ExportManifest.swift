import AssayCore
import AssayFormats
import AssayStore
import Foundation

/// The manifest of an export: one row per sample with its files and its corrections.
///
/// It contains no time: the same view and the same ledger give the same bytes.
struct ExportManifest: Sendable {
  /// An exported sample.
  struct Row: Sendable {
    var sample: SampleRecord
    /// The file's path relative to the folder; `nil` if the format does not have one file per
    /// sample.
    var file: String?
    /// The row in the file, from 0, if the file contains several samples.
    var row: Int?
    /// The label's name.
    var label: String?
    /// The names of a set of labels; `nil` if the dataset has no sets.
    var labels: [String]?
    /// The SHA-256 of the image as in the ledger, hexadecimal.
    var imageHash: String?
  }

  /// The names of the manifest files.
  static let json = "manifest.json"
  static let csv = "manifest.csv"

  let scope: ExportScope
  /// The export format: `coco`, `fer`, …
  let kind: String
  var rows: [Row]
  /// The samples that could not be written.
  var leftOut: [LeftOutSample]
  /// Format-specific members, before the samples.
  var members: [JSONValue.Member] = []

  /// The columns of the CSV.
  static let columns = [
    "key", "file", "row", "split", "label", "corrected", "label_from", "label_to", "regions",
    "objects_added", "objects_removed", "objects_changed", "iou_before_after", "corrections",
    "entries", "authors", "seconds", "last_entry", "weight", "image_sha256",
  ]

  /// The members before the samples in every manifest with corrections.
  static func members(of scope: ExportScope, written: [SampleRecord]) -> [JSONValue.Member] {
    guard let corrections = scope.corrections else { return [.init("ground_truth", "imported")] }
    let corrected = written.filter { corrections.samples[$0.id] != nil }
    let all = corrected.compactMap { corrections.samples[$0.id] }
    return [
      .init("ground_truth", "corrected"),
      .init(
        "ledger",
        corrections.ledger.map {
          [
            "uuid": .string($0.uuid), "sequence": .integer($0.sequence), "hash": .string($0.hash),
          ]
        } ?? .null),
      .init("only_corrected", .bool(corrections.request.onlyCorrected)),
      .init("since", corrections.request.since.map { .integer($0) } ?? .null),
      .init("weight_corrected", .number(corrections.request.weight)),
      .init("corrected_samples", JSONValue(corrected.count)),
      .init("corrections", JSONValue(all.reduce(0) { $0 + $1.corrections })),
      .init("seconds", seconds(all.reduce(0) { $0 + $1.seconds })),
      .init("authors", .array(Set(all.flatMap(\.authors)).sorted().map { .string($0) })),
      .init("left_out_in_review", .array(corrections.leftOut.map(\.json))),
      .init("not_written_as_uncorrected", JSONValue(corrections.uncorrected)),
      .init("moved_out_of_view", .array(corrections.movedOut.map { .string($0) })),
      .init("moved_into_view", .array(corrections.movedIn.map { .string($0) })),
      .init(
        "warnings", .array(corrections.warnings(on: written).map { .string($0) })),
    ]
  }

  /// The members of a sample in every manifest, without its files.
  static func members(of sample: SampleRecord, in scope: ExportScope) -> [JSONValue.Member] {
    guard scope.corrections != nil else { return [] }
    var members: [JSONValue.Member] = [
      .init("corrected", .bool(scope.correction(of: sample) != nil))
    ]
    if let correction = scope.correction(of: sample) {
      if correction.isRelabeled {
        members.append(
          .init(
            "label_change",
            [
              "from": JSONValue(correction.labelBefore), "to": JSONValue(correction.labelAfter),
            ]))
      }
      if correction.hasOtherLabels {
        members.append(
          .init(
            "labels_change",
            [
              "added": .array(correction.labelsAdded.map { .string($0) }),
              "removed": .array(correction.labelsRemoved.map { .string($0) }),
            ]))
      }
      members += [
        .init(
          "regions",
          .array(
            correction.objects.regions.map { region in
              [
                "category": .string(region.category), "iou_before_after": .number(region.iou),
                "pixels_added": JSONValue(region.added),
                "pixels_removed": JSONValue(region.removed),
              ]
            })),
        .init("objects_added", JSONValue(correction.objects.added)),
        .init("objects_removed", JSONValue(correction.objects.removed)),
        .init("objects_changed", JSONValue(correction.objects.changed)),
        .init("corrections", JSONValue(correction.corrections)),
        .init("entries", JSONValue(correction.entries)),
        .init("authors", .array(correction.authors.map { .string($0) })),
        .init("seconds", seconds(correction.seconds)),
        .init("last_entry", correction.lastEntry.map { .integer($0) } ?? .null),
      ]
    }
    return members + [.init("weight", .number(scope.weight(of: sample)))]
  }

  /// The contents of `manifest.json`.
  var jsonBytes: [UInt8] {
    let head: [JSONValue.Member] = [
      .init("made_by", "assay"), .init("kind", .string(kind)), .init("view", .string(scope.view)),
      .init("dataset", .string(scope.dataset.name)),
    ]
    let samples = rows.map { row -> JSONValue in
      var members: [JSONValue.Member] = [.init("key", .string(row.sample.key))]
      if let file = row.file { members.append(.init("file", .string(file))) }
      if let place = row.row { members.append(.init("row", JSONValue(place))) }
      members.append(.init("split", JSONValue(row.sample.split)))
      if let label = row.label { members.append(.init("label", .string(label))) }
      if let labels = row.labels {
        members.append(.init("labels", .array(labels.map { .string($0) })))
      }
      members += Self.members(of: row.sample, in: scope)
      if let hash = row.imageHash { members.append(.init("image_sha256", .string(hash))) }
      return .object(members)
    }
    let manifest = JSONValue.object(
      head + members + Self.members(of: scope, written: rows.map(\.sample)) + [
        .init("left_out", .array(leftOut.map(\.json))), .init("samples", .array(samples)),
      ])
    return Array((manifest.text(indented: true) + "\n").utf8)
  }

  /// The contents of `manifest.csv`: no cell is a spreadsheet formula or has control characters
  /// (`manifest.json` has every text unchanged).
  var csvBytes: [UInt8] {
    var text = Self.columns.joined(separator: ",") + "\n"
    for row in rows {
      let correction = scope.correction(of: row.sample)
      let change = correction?.objects ?? ObjectTruthChange()
      let isRelabeled = correction?.isRelabeled ?? false
      let cells: [String?] = [
        row.sample.key, row.file, row.row.map { "\($0)" }, row.sample.split,
        row.label ?? row.labels?.joined(separator: "; "),
        scope.corrections == nil ? nil : correction == nil ? "0" : "1",
        isRelabeled ? correction?.labelBefore : nil, isRelabeled ? correction?.labelAfter : nil,
        correction.map { _ in change.regions.map(\.category).joined(separator: "; ") },
        correction.map { _ in "\(change.added)" }, correction.map { _ in "\(change.removed)" },
        correction.map { _ in "\(change.changed)" },
        correction.map { _ in
          change.regions.map { "\($0.category) \(Self.fraction($0.iou))" }.joined(separator: "; ")
        },
        correction.map { "\($0.corrections)" }, correction.map { "\($0.entries)" },
        correction.map { $0.authors.joined(separator: "; ") },
        correction.map { Self.seconds($0.seconds).text() },
        correction.flatMap { $0.lastEntry.map { "\($0)" } },
        JSONValue.number(scope.weight(of: row.sample)).text(), row.imageHash,
      ]
      text += cells.map {
        $0.map { $0.isEmpty ? "" : CSVText.harmless(CSVText.printable($0)) } ?? ""
      }.joined(separator: ",")
      text += "\n"
    }
    return Array(text.utf8)
  }

  private static func fraction(_ value: Double) -> String { String(format: "%.6f", value) }

  /// The seconds rounded to tenths: sums of tenths are not exact in doubles.
  private static func seconds(_ value: Double) -> JSONValue { .number((value * 10).rounded() / 10) }
}
