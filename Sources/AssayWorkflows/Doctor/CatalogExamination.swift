import AssayStore
import Foundation

/// Checks that the catalog can be opened and is intact, and that its models' files exist.
struct CatalogExamination {
  var checks: [DoctorCheck]

  /// - Parameter path: the catalog's file; a missing file is reported, but is not an error.
  init(_ path: String) {
    guard FileManager.default.fileExists(atPath: path) else {
      checks = [
        DoctorCheck(
          "catalog", .optional, nil, advice: "none at \(path); create one with assay import")
      ]
      return
    }
    do {
      let catalog = try Catalog.open(path, .readOnly)
      checks = [try Self.integrity(of: catalog)] + (try catalog.models().map(Self.model))
    } catch {
      checks = [DoctorCheck("catalog", .missing, path, advice: "\(error)")]
    }
  }

  private static func integrity(of catalog: Catalog) throws -> DoctorCheck {
    let complaints = try catalog.sql("SELECT quick_check FROM pragma_quick_check", limit: 3).rows
    let first = complaints.first?.first ?? .null
    guard case .text("ok") = first else {
      return DoctorCheck(
        "catalog", .missing, "\(catalog.path) is damaged: \(text(first))",
        advice: "restore a copy made with assay backup, or remove it and import again")
    }
    let migrations = try catalog.sql("SELECT count(*) FROM grdb_migrations", limit: 1).rows
    let version = text(migrations.first?.first ?? .null)
    let bytes = (try? FileManager.default.attributesOfItem(atPath: catalog.path))?[.size] as? Int
    let size = bytes.map { ", \(($0 + 999_999) / 1_000_000) MB" } ?? ""
    let count = try catalog.datasets().count
    return DoctorCheck(
      "catalog", .ok,
      "\(catalog.path)\(size), schema \(version), intact, \(count) \(count == 1 ? "dataset" : "datasets")"
    )
  }

  private static func model(_ model: ModelRecord) -> DoctorCheck {
    guard FileManager.default.isReadableFile(atPath: model.path) else {
      return DoctorCheck(
        "model \(model.name)", .optional, nil,
        advice: "its file \(model.path) is missing; runs stay, but predict needs it")
    }
    return DoctorCheck("model \(model.name)", .ok, model.path)
  }

  private static func text(_ value: SQLValue) -> String {
    switch value {
    case .null: "–"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): value
    case .blob(let count): "\(count) bytes"
    }
  }
}
