import AssayCore
package import AssayStore
import Foundation

/// A catalog that a command corrects, and the author.
package struct CorrectionSession {
  package let catalog: Catalog
  private let tool = "command line"

  /// - Throws: `StoreError` if there is no catalog.
  package init(catalogPath: String, reportingTo sink: any ProgressSink) throws {
    catalog = try CorrectedCatalog.open(catalogPath, .readOnly, reportingTo: sink).catalog
  }

  /// The service; creates a missing ledger if `create` is true.
  ///
  /// - Throws: `LedgerError`.
  package func service(create: Bool) throws -> CorrectionService {
    CorrectionService(
      catalog: catalog, ledger: try catalog.openLedger(create ? .create : .readWrite))
  }

  /// The sample with a name, looked up before a ledger is created.
  ///
  /// - Throws: ``CorrectionError``, `StoreError`.
  package func sample(_ name: SampleName) throws -> SampleRecord {
    try catalog.sample(named: name)
  }

  /// A save with its own visit, as made by a command.
  package func save(
    _ change: CorrectionSave.Change, of sample: SampleRecord, author: String, note: String?,
    done: Bool
  ) -> CorrectionSave {
    CorrectionSave(
      uuid: UUID().uuidString.lowercased(), visit: UUID().uuidString.lowercased(), sample: sample,
      author: author, tool: tool, note: note, done: done, change: change)
  }
}

extension Catalog {
  /// The sample with a key in a dataset.
  ///
  /// - Throws: ``CorrectionError/unknownSample(key:dataset:suggestion:)``; `StoreError` if the
  ///   dataset does not exist.
  func sample(named name: SampleName) throws -> SampleRecord {
    let record = try dataset(named: name.dataset)
    if let sample = try sample(key: name.key, of: record.id) { return sample }
    let keys = try samples(in: resolve(name.dataset)).map(\.key)
    // Users often type only the file name.
    let ending = keys.filter { $0.hasSuffix("/" + name.key) }
    throw CorrectionError.unknownSample(
      key: name.key, dataset: name.dataset,
      suggestion: ending.count == 1
        ? ending[0] : NearMiss.suggestion(for: name.key, among: keys))
  }
}
