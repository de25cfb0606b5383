package import AssayCore
package import AssayStore
import Foundation

/// Transfers the corrections of a dataset that was renamed or imported again elsewhere to the
/// samples of another dataset that have the same images, with one `adopt` entry each.
package struct CorrectionsAdoption {
  /// The result of the adoption.
  package struct Summary: Sendable {
    package var old: String
    package var new: String
    package var adopted: [Adopted] = []
    /// The corrections that were adopted earlier.
    package var known: [Adopted] = []
    package var left: [Left] = []
  }

  /// A sample's corrections in their new place.
  package struct Adopted: Hashable, Sendable {
    package var from: SampleIdentity
    package var to: SampleIdentity
    /// The sequence of the `adopt` entry.
    package var sequence: Int64
  }

  /// A sample whose corrections are not transferred.
  package struct Left: Hashable, Sendable {
    package enum Why: Hashable, Sendable {
      /// The new dataset does not contain the corrected image.
      case missing
      /// Several samples have the image; their keys.
      case several([String])
      /// The sample with the image has its own corrections, or those of another sample.
      case taken(String)
    }

    package var sample: SampleIdentity
    package var why: Why
  }

  private let catalog: Catalog
  private let ledger: Ledger
  private let author: String
  private let tool: String
  private let progress: any ProgressSink

  package init(
    catalog: Catalog, ledger: Ledger, author: String, tool: String = "command line",
    progress: any ProgressSink = NoProgress()
  ) {
    self.catalog = catalog
    self.ledger = ledger
    self.author = author
    self.tool = tool
    self.progress = progress
  }

  /// - Parameters:
  ///   - old: the dataset that the entries belong to; it need not be in the catalog.
  ///   - new: the dataset that receives them.
  /// - Throws: ``ExchangeError``, ``LedgerError``, `StoreError`, ``Interrupted``.
  package func run(from old: String, to new: String) throws -> Summary {
    guard old != new else { throw ExchangeError.sameDataset(old) }
    let dataset = try catalog.dataset(named: new)
    let samples = try ledger.samples(dataset: old)
    guard !samples.isEmpty else {
      let known = Set(try ledger.samples().map(\.dataset)).sorted()
      throw ExchangeError.noCorrections(
        dataset: old, suggestion: NearMiss.suggestion(for: old, among: known), known: known)
    }
    let keys = try keysByImage(of: dataset)
    var summary = Summary(old: old, new: new)
    var drafts: [CorrectionDraft] = []
    var taken: Set<String> = []
    for sample in samples.map(\.identity) {
      let found = keys[sample.contentHash] ?? []
      guard found.count == 1, let key = found.first else {
        summary.left.append(Left(sample: sample, why: found.isEmpty ? .missing : .several(found)))
        continue
      }
      let target = SampleIdentity(dataset: new, key: key, contentHash: sample.contentHash)
      let entries = try OwnEntries(ledger.entries(dataset: new, key: key))
      if let sequence = entries.adoptions[sample] {
        summary.known.append(Adopted(from: sample, to: target, sequence: sequence))
      } else if entries.isTaken || !taken.insert(key).inserted {
        summary.left.append(Left(sample: sample, why: .taken(key)))
      } else {
        summary.adopted.append(Adopted(from: sample, to: target, sequence: 0))
        drafts.append(draft(sample, target))
      }
    }
    for (place, outcome) in try ledger.append(drafts).enumerated() {
      summary.adopted[place].sequence = outcome.entry.sequence
    }
    return summary
  }

  /// The keys of a dataset's samples by the hashes of their images. Images without a stored hash
  /// are read.
  private func keysByImage(of dataset: DatasetRecord) throws -> [String: [String]] {
    let samples = try catalog.samples(in: try catalog.resolve(dataset.name))
    var hashes: [Int64: String] = [:]
    for sample in samples { hashes[sample.id] = try catalog.contentHash(of: sample.id) }
    let unread = samples.filter { hashes[$0.id] == nil }
    if !unread.isEmpty {
      hashes.merge(
        try SampleContentHash(catalog: catalog, dataset: dataset)
          .hashes(of: unread, reportingTo: progress)
      ) { $1 }
    }
    var keys: [String: [String]] = [:]
    for sample in samples {
      if let hash = hashes[sample.id] { keys[hash, default: []].append(sample.key) }
    }
    return keys
  }

  private func draft(_ old: SampleIdentity, _ new: SampleIdentity) -> CorrectionDraft {
    CorrectionDraft(
      uuid: UUID().uuidString.lowercased(), sample: new, target: .sample, kind: .adopt,
      visit: UUID().uuidString.lowercased(), parent: .head,
      payload: [
        "author": .string(author), "tool": .string(tool),
        "time": .string(Date.now.ISO8601Format()),
        "from": [
          "dataset": .string(old.dataset), "key": .string(old.key),
          "contentHash": .string(old.contentHash),
        ],
      ])
  }
}

/// The facts about adoption in a sample's own entries.
private struct OwnEntries {
  /// The adoptions that count, with their entries' sequences.
  private(set) var adoptions: [SampleIdentity: Int64] = [:]
  /// True if the sample has corrections that adopted ones would collide with.
  private(set) var isTaken = false

  init(_ entries: [LedgerEntry]) {
    var undone: [String: Bool] = [:]
    var found: [(uuid: String, from: SampleIdentity, sequence: Int64)] = []
    for entry in entries {
      let payload = try? JSONValue(parsing: entry.payload)
      switch CorrectionKind(rawValue: entry.kind) {
      case .undo, .redo:
        if let uuid = payload?["entry"]?.text {
          undone[uuid] = entry.kind == CorrectionKind.undo.rawValue
        }
      case .adopt:
        guard let from = payload?["from"], let dataset = from["dataset"]?.text,
          let key = from["key"]?.text, let hash = from["contentHash"]?.text
        else { continue }
        let place = SampleIdentity(dataset: dataset, key: key, contentHash: hash)
        found.append((entry.uuid, place, entry.sequence))
      case .tag, .untag, .field: break
      default: isTaken = true
      }
    }
    for adoption in found where undone[adoption.uuid] != true {
      adoptions[adoption.from] = adoption.sequence
    }
    isTaken = isTaken || !adoptions.isEmpty
  }
}
