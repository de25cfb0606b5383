import AssayCore
import Foundation
import Testing

import AssayStore

/// A catalog with a ledger next to it, whose images are specified by a test.
final class CorrectedHouse {
  let house: TemporaryCatalog
  let ledger: Ledger
  /// The hash of each image, by key; for other images it is the hash of the key. An empty hash
  /// means that the image cannot be read.
  var images: [String: String] = [:]
  /// The images that were checked, by key.
  private(set) var looks: [String] = []
  private var number = 0

  var catalog: Catalog { house.catalog }

  init(_ fill: (Catalog) throws -> Void = { try $0.importFaces(sixFaces) }) throws {
    house = try TemporaryCatalog()
    ledger = try Ledger.open(
      Ledger.path(forCatalog: house.catalog.path), .create, synchronous: .off)
    try fill(house.catalog)
  }

  static func hash(_ text: String) -> String { ContentHash.of(Array(text.utf8)) }

  func image(_ key: String) -> String { images[key] ?? Self.hash(key) }

  func refresh(_ catalog: Catalog? = nil) -> MirrorRefresh {
    let catalog = catalog ?? self.catalog
    return MirrorRefresh(catalog: catalog, ledger: ledger) { _, samples in
      var found: [Int64: String] = [:]
      for sample in samples {
        self.looks.append(sample.key)
        let hash = self.image(sample.key)
        if !hash.isEmpty { found[sample.id] = hash }
      }
      try catalog.setContentHashes(found)
      return found
    }
  }

  /// The catalog with the corrected ground truth, brought up to date.
  func corrected(at sequence: Int64? = nil, _ catalog: Catalog? = nil) throws -> Catalog {
    let state = try refresh(catalog).state(upTo: sequence)
    return try (catalog ?? self.catalog).reading(state.reading(corrected: true))
  }

  /// The catalog with the imported ground truth, with access to corrections.
  func imported() throws -> Catalog {
    try catalog.reading(try refresh().state().reading(corrected: false))
  }

  func draft(
    _ key: String, _ kind: CorrectionKind, _ target: CorrectionTarget, _ payload: JSONValue = [:],
    dataset: String = "faces", by author: String = "anna", visit: String? = nil,
    parent: CorrectionDraft.Parent = .head, hash: String? = nil
  ) -> CorrectionDraft {
    number += 1
    guard case .object(let members) = payload else { preconditionFailure() }
    return CorrectionDraft(
      uuid: TemporaryLedger.uuid(number),
      sample: SampleIdentity(dataset: dataset, key: key, contentHash: hash ?? image(key)),
      target: target, kind: kind, visit: visit ?? TemporaryLedger.uuid(0x10000 + number),
      parent: parent,
      payload: .object(
        [
          .init("author", .string(author)), .init("time", "2026-11-21T14:40:05Z"),
          .init("seconds", 2),
        ] + members))
  }

  /// Saves a label of a face.
  @discardableResult
  func label(
    _ key: String, _ name: String, dataset: String = "faces", by author: String = "anna"
  ) throws -> LedgerEntry {
    try ledger.append(
      draft(key, .label, .label, ["category": .string(name)], dataset: dataset, by: author)
    ).entry
  }

  /// A change of a region, as saved by the editor.
  func mask(
    _ key: String, _ category: String, added: Mask? = nil, removed: Mask? = nil,
    dataset: String = "coco"
  ) -> CorrectionDraft {
    let size = added?.size ?? removed?.size ?? ImageSize(width: 1, height: 1)
    var members: [JSONValue.Member] = [
      .init("size", [.integer(Int64(size.height)), .integer(Int64(size.width))])
    ]
    if let added { members.append(.init("added", .string(text(added)))) }
    if let removed { members.append(.init("removed", .string(text(removed)))) }
    return draft(
      key, .mask, .region(set: "labels", category: category), .object(members), dataset: dataset)
  }

  func text(_ mask: Mask) -> String { String(decoding: mask.compressed, as: UTF8.self) }
}
