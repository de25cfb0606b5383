import AssayCore
import AssayStore
import Foundation

@testable import AssayWorkflows

/// A person who corrects the samples of a catalog, for tests of what comes of it.
struct CorrectingHand {
  let catalog: Catalog
  let ledger: Ledger
  private let desk: CorrectionService

  init(_ catalog: Catalog) throws {
    self.catalog = catalog
    let path = Ledger.path(forCatalog: catalog.path)
    ledger = try Ledger.open(path, Ledger.exists(at: path) ? .readWrite : .create)
    desk = CorrectionService(catalog: catalog, ledger: ledger)
  }

  /// One visit with one change.
  @discardableResult
  func change(
    _ key: String, in dataset: String, by author: String = "anna", seconds: Double? = 10,
    _ change: CorrectionSave.Change
  ) throws -> SaveOutcome {
    let samples = try catalog.samples(in: catalog.resolve(dataset))
    guard let sample = samples.first(where: { $0.key == key }) else { throw NoSample(key: key) }
    return try desk.save(
      CorrectionSave(
        uuid: UUID().uuidString.lowercased(), visit: UUID().uuidString.lowercased(),
        sample: sample, author: author, tool: "test", seconds: seconds, done: true,
        change: change))
  }

  struct NoSample: Error { var key: String }

  /// The catalog as a command opens it.
  func opened(
    corrected: Bool = true, at sequence: Int64? = nil
  ) throws -> OpenedCatalog {
    try CorrectedCatalog.open(
      catalog.path, .readWrite, truth: TruthChoice(corrected: corrected, at: sequence),
      reportingTo: NoProgress())
  }
}

extension Mask {
  /// The pixels of a rectangle.
  init(_ x: Int, _ y: Int, _ width: Int, _ height: Int, in size: ImageSize) {
    self.init(
      box: Box(
        x: Double(x), y: Double(y), width: Double(width), height: Double(height)), size: size)
  }
}
