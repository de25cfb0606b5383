package import AssayCore
package import AssayFormats
import AssayStore
import Foundation

/// A request to convert a dataset.
package struct ConversionRequest: Hashable, Sendable {
  package var source: ImportRequest
  package var export: DatasetExportRequest
  /// The folder to write.
  package var folder: String
  /// True to read the result back and compare it.
  package var verifies = false
  /// True to write into a folder that assay did not create.
  package var force = false

  package init(source: ImportRequest, export: DatasetExportRequest, folder: String) {
    self.source = source
    self.export = export
    self.folder = folder
  }
}

/// The result of a conversion.
package struct ConversionSummary: Sendable {
  package let imported: DatasetImport.Summary
  package let export: DatasetExportSummary
  /// The contents of the certificate.
  package let certificate: JSONValue

  /// The number of instances that were lost without an announcement; 0 if that was not verified.
  package var lost: Int { export.verification?.lost ?? 0 }
}

/// Converts a dataset: imports it into a temporary catalog, writes it in another format, reads it back
/// if requested, and writes a certificate.
package struct DatasetConversion {
  private let request: ConversionRequest
  private let version: String

  /// The name of the certificate in the folder.
  package static let certificate = "certificate.json"

  /// - Parameter version: the program's version, for the certificate.
  package init(_ request: ConversionRequest, version: String) {
    self.request = request
    self.version = version
  }

  /// Converts the dataset. The temporary catalogs are removed at the end, also after an error or an
  /// interrupt.
  ///
  /// - Parameter announce: receives what the format cannot hold, before anything is written.
  /// - Throws: ``ImportError``, ``SourceError``, `FormatError`, ``ExportError``, ``OutputError``,
  ///   `StoreError`, `MaskError`, ``Interrupted``.
  package func run(
    announce: (ExportSurvey) throws -> Void = { _ in }, progress: some ProgressSink
  ) throws -> ConversionSummary {
    if request.verifies { try ExportCheck.check(request.export) }
    let folder = try ExportFolder(request.folder, force: request.force)
    let databases = try TemporaryDatabases()
    var source = request.source
    let path = source.path
    source.name =
      source.name
      ?? ImportRequest.defaultName(for: path.split(separator: "/").last.map(String.init) ?? path)
      ?? "dataset"
    let imported = try DatasetImport(source).run(
      catalogPath: databases.database("source"), progress: progress)
    let catalog = try Catalog.open(databases.database("source"), .readOnly)
    let scope = try ExportScope(imported.dataset.name, in: catalog)
    var summary = try DatasetExport(
      scope, catalog: catalog, request.export, laterFiles: [Self.certificate]
    ).run(into: folder, announce: announce, progress: progress)
    if request.verifies {
      summary.verification = try ExportCheck(of: summary, catalog: catalog).run(
        database: databases.database("result"), progress: progress)
    }
    let certificate = certificate(imported, summary)
    try folder.write(
      Self.certificate, Array((certificate.text(indented: true) + "\n").utf8))
    return ConversionSummary(imported: imported, export: summary, certificate: certificate)
  }

  private func certificate(
    _ imported: DatasetImport.Summary, _ summary: DatasetExportSummary
  ) -> JSONValue {
    let survey = summary.survey
    let issues = imported.issueCounts.map {
      JSONValue.Member($0.kind.rawValue, JSONValue($0.count))
    }
    let changes = request.export.changes
    return [
      "made_by": "assay", "version": .string(version),
      "canonical_form": JSONValue(CanonicalImage.version),
      "source": [
        "path": .string(request.source.path),
        "format": .string(imported.detection.format.rawValue),
        "sha256": .string(CanonicalImage.hash(ofDataset: survey.sourceHashes)),
        "counts": survey.source.json, "rejected": JSONValue(imported.dataset.rejected),
        "issues": .object(issues),
      ],
      "changes": [
        "merged": .object(
          changes.merges.flatMap { merge in
            merge.sources.map { JSONValue.Member($0, .string(merge.target)) }
          }),
        "dropped": .array(changes.dropped.map { .string($0) }),
      ],
      "target": [
        "format": .string(request.export.format.rawValue),
        "variant": JSONValue(request.export.variant?.rawValue),
        "images": .string(request.export.images.rawValue),
        "tolerance_pixels": .number(summary.plan.exporter.capabilities.tolerance),
        "sha256": .string(CanonicalImage.hash(ofDataset: survey.expectedHashes)),
        "counts": survey.expected.json,
      ],
      "result": summary.verification.map { found in
        ["sha256": .string(found.hash), "counts": found.read.json]
      } ?? .null,
      "announced": survey.losses.json,
      "announced_attributes": survey.losses.attributesJSON,
      "lost": summary.verification.map(\.json) ?? .null,
    ]
  }
}

extension ExportSurvey.Counts {
  package var json: JSONValue {
    [
      "images": JSONValue(images), "labels": JSONValue(labels), "annotations": JSONValue(objects),
    ]
  }
}

extension ExportLosses {
  package var json: JSONValue {
    .object(list.map { JSONValue.Member($0.kind.rawValue, JSONValue($0.count)) })
  }

  package var attributesJSON: JSONValue {
    .object(
      attributes.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, JSONValue($0.value)) })
  }
}

extension ExportVerification {
  package var json: JSONValue {
    .object(list.map { JSONValue.Member($0.kind.rawValue, JSONValue($0.count)) })
  }
}
