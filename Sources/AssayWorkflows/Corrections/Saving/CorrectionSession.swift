import AssayCore
package import AssayStore
import Foundation

/// A catalog that a command corrects, and the person who does.
package struct CorrectionSession {
  package let catalog: Catalog
  private let path: String
  private let tool = "command line"

  /// - Throws: `StoreError` where there is no catalog.
  package init(catalogPath: String, reportingTo sink: any ProgressSink) throws {
    path = catalogPath
    catalog = try CorrectedCatalog.open(catalogPath, .readOnly, reportingTo: sink).catalog
  }

  /// The service; makes the ledger where there is none and `create` says so.
  ///
  /// - Throws: `LedgerError`.
  package func service(create: Bool) throws -> CorrectionService {
    CorrectionService(
      catalog: catalog,
      ledger: try Ledger.open(Ledger.path(forCatalog: path), create ? .create : .readWrite))
  }

  /// The sample of a name, before any ledger is made.
  ///
  /// - Throws: ``CorrectionError``, `StoreError`.
  package func sample(_ name: SampleName) throws -> SampleRecord {
    try catalog.sample(named: name)
  }

  /// A save of a visit of its own, as a command makes it.
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
  /// The sample of a dataset with a key.
  ///
  /// - Throws: ``CorrectionError/unknownSample(key:dataset:suggestion:)``; `StoreError` for a dataset that is
  ///   not there.
  func sample(named name: SampleName) throws -> SampleRecord {
    let record = try dataset(named: name.dataset)
    if let sample = try sample(key: name.key, of: record.id) { return sample }
    let keys = try samples(in: resolve(name.dataset)).map(\.key)
    // The name of a file alone is what people type.
    let ending = keys.filter { $0.hasSuffix("/" + name.key) }
    throw CorrectionError.unknownSample(
      key: name.key, dataset: name.dataset,
      suggestion: ending.count == 1
        ? ending[0] : NearMiss.suggestion(for: name.key, among: keys))
  }
}
