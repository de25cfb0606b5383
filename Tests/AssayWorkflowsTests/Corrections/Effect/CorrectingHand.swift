import AssayCore
import AssayStore
import Foundation

import AssayWorkflows

/// A person who corrects the samples of a catalog, for tests of the effects.
struct CorrectingHand {
  let catalog: Catalog
  let ledger: Ledger
  private let service: CorrectionService

  init(_ catalog: Catalog) throws {
    self.catalog = catalog
    let path = Ledger.path(forCatalog: catalog.path)
    ledger = try Ledger.open(path, Ledger.exists(at: path) ? .readWrite : .create)
    service = CorrectionService(catalog: catalog, ledger: ledger)
  }

  /// One visit with one change.
  @discardableResult
  func change(
    _ key: String, in dataset: String, by author: String = "anna", seconds: Double? = 10,
    _ change: CorrectionSave.Change
  ) throws -> SaveOutcome {
    let samples = try catalog.samples(in: catalog.resolve(dataset))
    guard let sample = samples.first(where: { $0.key == key }) else { throw NoSample(key: key) }
    return try service.save(
      CorrectionSave(
        uuid: UUID().uuidString.lowercased(), visit: UUID().uuidString.lowercased(),
        sample: sample, author: author, tool: "test", seconds: seconds, done: true,
        change: change))
  }

  struct NoSample: Error { var key: String }

  /// The catalog as opened by a command.
  func opened(
    corrected: Bool = true, at sequence: Int64? = nil
  ) throws -> OpenedCatalog {
    try CorrectedCatalog.open(
      catalog.path, .readWrite, truth: TruthChoice(corrected: corrected, at: sequence),
      reportingTo: NoProgress())
  }
}
