package import AssayCore
package import AssayFormats
import AssayStore
import Foundation

/// A request to convert a dataset, or several as one.
package struct ConversionRequest: Hashable, Sendable {
  /// The sources; several are merged.
  package var sources: [ImportRequest]
  /// The treatment of images that several sources have.
  package var duplicates = MergeRequest.Duplicates.keep
  package var export: DatasetExportRequest
  /// The folder to write.
  package var folder: String
  /// True to read the result back and compare it.
  package var verifies = false
  /// True to write into a folder that assay did not create.
  package var force = false

  package init(sources: [ImportRequest], export: DatasetExportRequest, folder: String) {
    self.sources = sources
    self.export = export
    self.folder = folder
  }
}

/// The result of a conversion.
package struct ConversionSummary: Sendable {
  /// The imports of the sources, in their order.
  package let imports: [DatasetImport.Summary]
  /// The merge of several sources; `nil` for one.
  package let merge: MergeSummary?
  package let export: DatasetExportSummary
  /// The contents of the certificate.
  package let certificate: JSONValue

  /// The number of instances that were lost without an announcement; 0 if that was not verified.
  package var lost: Int { export.verification?.lost ?? 0 }
}

/// Converts a dataset, or several merged ones: imports into a temporary catalog, writes it in another format, reads it back
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
    let imports = try importSources(into: databases.database("source"), progress)
    let catalog = try Catalog.open(
      databases.database("source"), imports.count > 1 ? .readWrite : .readOnly)
    var export = request.export
    var merge: MergeSummary?
    if imports.count > 1 {
      merge = try self.merge(imports, in: catalog, progress)
      export.changes = ClassChanges()
    }
    let scope = try ExportScope(
      merge?.dataset.name ?? imports[0].dataset.name, in: catalog)
    var summary = try DatasetExport(
      scope, catalog: catalog, export, laterFiles: [Self.certificate]
    ).run(into: folder, announce: announce, progress: progress)
    if request.verifies {
      summary.verification = try ExportCheck(of: summary, catalog: catalog).run(
        database: databases.database("result"), progress: progress)
    }
    let certificate = certificate(imports, merge, summary)
    try folder.write(
      Self.certificate, Array((certificate.text(indented: true) + "\n").utf8))
    return ConversionSummary(
      imports: imports, merge: merge, export: summary, certificate: certificate)
  }

  /// Imports the sources under different names.
  private func importSources(
    into database: String, _ progress: some ProgressSink
  ) throws -> [DatasetImport.Summary] {
    var names: Set<String> = []
    return try request.sources.map { source in
      var source = source
      let file = source.path.split(separator: "/").last.map(String.init) ?? source.path
      let name = source.name ?? ImportRequest.defaultName(for: file) ?? "dataset"
      source.name = name
      var number = 2
      while !names.insert(source.name ?? name).inserted {
        source.name = "\(name)-\(number)"
        number += 1
      }
      return try DatasetImport(source).run(catalogPath: database, progress: progress)
    }
  }

  private func merge(
    _ imports: [DatasetImport.Summary], in catalog: Catalog, _ progress: some ProgressSink
  ) throws -> MergeSummary {
    let names = imports.map(\.dataset.name)
    var name = "merged"
    while names.contains(name) { name += "-2" }
    var merging = MergeRequest(names, name: name)
    merging.changes = request.export.changes
    merging.duplicates = request.duplicates
    merging.prefixesKeys = true
    return try DatasetMerge(merging, in: catalog).run(progress: progress)
  }

  private func source(
    _ imported: DatasetImport.Summary, _ request: ImportRequest
  ) -> [JSONValue.Member] {
    let issues = imported.issueCounts.map {
      JSONValue.Member($0.kind.rawValue, JSONValue($0.count))
    }
    return [
      .init("path", .string(request.path)),
      .init("format", .string(imported.detection.format.rawValue)),
      .init("rejected", JSONValue(imported.dataset.rejected)), .init("issues", .object(issues)),
    ]
  }

  private func certificate(
    _ imports: [DatasetImport.Summary], _ merge: MergeSummary?, _ summary: DatasetExportSummary
  ) -> JSONValue {
    let survey = summary.survey
    let sources = zip(imports, request.sources).map { source($0, $1) }
    let changes = request.export.changes
    return [
      "made_by": "assay", "version": .string(version),
      "canonical_form": JSONValue(CanonicalImage.version),
      "source": .object(
        (sources.count == 1
          ? sources[0] : [.init("merged", .array(sources.map { .object($0) }))])
          + [
            .init("sha256", .string(CanonicalImage.hash(ofDataset: survey.sourceHashes))),
            .init("counts", survey.source.json),
          ]),
      "merge_notes": merge.map { .array($0.notes.map { .string($0) }) } ?? .null,
      "changes": [
        "merged": .object(
          changes.merges.flatMap { merge in
            merge.sources.map { JSONValue.Member($0, .string(merge.target)) }
          }),
        "dropped": .array(changes.dropped.map { .string($0) }),
      ],
      "target": [
        "format": .string(request.export.format.rawValue),
        "variant": JSONValue(request.export.variant?.rawValue), "shapes": summary.shapes,
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
      "notes": .array(survey.notes.map { .string($0) }),
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
