import AssayStore
import Foundation

/// Checks that the catalog and its ledger can be opened and are intact, and that the models' files
/// exist.
struct CatalogExamination {
  private(set) var checks: [DoctorCheck] = []

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
      checks = [try Self.integrity(of: catalog)]
      checks += try catalog.models().map(Self.model)
    } catch {
      checks = [DoctorCheck("catalog", .missing, path, advice: "\(error)")]
    }
    checks.append(contentsOf: Self.ledger(path))
  }

  /// Verifies the ledger's hash chain, and that what the catalog has seen of it is still there.
  ///
  /// - Returns: no check if there is no ledger and never was one.
  private static func ledger(_ path: String) -> [DoctorCheck] {
    let place = Ledger.path(forCatalog: path)
    func bad(_ advice: String) -> [DoctorCheck] {
      [DoctorCheck("ledger", .missing, place, advice: advice)]
    }
    do {
      let outcome = try LedgerVerifying().run(catalog: path)
      if let fault = outcome.verification.firstBad {
        let entry = fault.sequence.map { "entry \($0): " } ?? ""
        return bad("\(entry)\(fault); `assay corrections verify` says more")
      }
      let count = outcome.verification.count
      return [
        DoctorCheck(
          "ledger", .ok, "\(place), \(count) \(count == 1 ? "entry" : "entries"), intact",
          advice: outcome.otherLedger.map { "the catalog used another ledger before, \($0)" })
      ]
    } catch LedgerError.noLedger {
      return []
    } catch {
      return bad("\(error)")
    }
  }

  /// Compares tables with their indexes, and references with the rows that they name: reads the whole
  /// file.
  private static func integrity(of catalog: Catalog) throws -> DoctorCheck {
    let complaints = try catalog.sql(
      "SELECT integrity_check FROM pragma_integrity_check", limit: 3
    ).rows
    guard case .text("ok")? = complaints.first?.first else {
      return damage(catalog, text(complaints.first?.first ?? .null))
    }
    let dangling = try catalog.sql(
      "SELECT \"table\", \"parent\", count(*) FROM pragma_foreign_key_check GROUP BY 1, 2", limit: 1
    ).rows
    if let row = dangling.first, row.count == 3 {
      return damage(
        catalog,
        "\(text(row[2])) rows of \(text(row[0])) name rows of \(text(row[1])) that do not exist")
    }
    let missing = try catalog.missingTables()
    if !missing.isEmpty {
      return damage(
        catalog,
        "missing \(missing.count == 1 ? "table" : "tables") "
          + missing.joined(separator: ", "))
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

  private static func damage(_ catalog: Catalog, _ what: String) -> DoctorCheck {
    DoctorCheck(
      "catalog", .missing, "\(catalog.path) is damaged: \(what)",
      advice:
        "restore a copy made with assay backup, or remove it and import again; corrections are "
        + "in the ledger, which stays")
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
