package import AssayCore
package import AssayStore
import Foundation

/// A part of a check, of statistics or of a scan, as its command left it.
package struct MadeRecordPart: Hashable, Sendable {
  package var work: PartWork
  package var part: MadePart
  /// The number of samples or files of the shard, and of those that could not be read.
  package var samples: Int
  package var failed: Int
  /// False if the part was there.
  package var isNew: Bool
  /// The command that joins the parts.
  package var joining: String?
}

/// The computation of one shard whose part has records.
struct RecordPartMaking {
  let request: PartRequest
  let identity: PartIdentity
  let work: PartWork
  /// The number of samples or files of all shards.
  let total: Int

  /// - Parameters:
  ///   - facts: the properties that all parts have in common.
  ///   - catalog: the path of the catalog, or of the source that is scanned.
  init(
    _ request: PartRequest, _ work: PartWork, total: Int, facts: [JSONValue.Member],
    madeWith catalog: String
  ) {
    self.request = request
    self.work = work
    self.total = total
    let head: [JSONValue.Member] = [.init(PartIdentity.workFact, .string(work.rawValue))]
    identity = PartIdentity(
      shard: request.shard.number, shards: request.shard.count,
      facts: head + facts + [.init("samples", JSONValue(total))], command: request.command,
      catalog: URL(fileURLWithPath: catalog).path)
  }

  /// Makes the part, unless it is there.
  ///
  /// - Parameters:
  ///   - samples: the number of samples or files of the shard.
  ///   - compute: writes the records; returns the number of samples that could not be read.
  /// - Throws: ``PartError``, `StoreError`, what `compute` throws.
  func run(
    samples: Int, _ compute: (RecordPartWriter) throws -> Int
  ) throws -> MadeRecordPart {
    let placement = try PartPlacement(request)
    if let present = try placement.present(like: identity) { return made(present, placement) }
    let draft = try PartDraft()
    let writer = try RecordPartWriter(at: draft.path)
    let failed: Int
    do {
      failed = try compute(writer)
    } catch is Interrupted {
      throw PartError.interrupted(request.shard)
    }
    try writer.complete(identity, samples: samples, failed: failed)
    if let present = try placement.place(draft, like: identity) { return made(present, placement) }
    return MadeRecordPart(
      work: work, part: MadePart(shard: request.shard, path: placement.path, total: total),
      samples: samples, failed: failed, isNew: true, joining: identity.joining(request.folder))
  }

  private func made(_ present: PartFile, _ placement: PartPlacement) -> MadeRecordPart {
    MadeRecordPart(
      work: work, part: MadePart(shard: request.shard, path: placement.path, total: total),
      samples: present.samples, failed: present.failed, isNew: false,
      joining: identity.joining(request.folder))
  }
}

/// All parts of a check, of statistics or of a scan, verified.
package struct RecordParts: Sendable {
  /// The folder of the parts.
  package let path: String
  package let files: [PartFile]
  package let identity: PartIdentity

  /// Reads and verifies the parts in a folder.
  ///
  /// - Throws: ``PartError``, `StoreError`.
  package init(_ path: String, of work: PartWork) throws {
    self.path = path
    let folder = try PartFolder(path, verifies: true)
    files = folder.parts.map(\.file)
    guard !folder.parts.isEmpty || !folder.unusable.isEmpty else {
      throw PartError.noParts(path, work)
    }
    if let found = files.first?.identity, found.work != work {
      throw PartError.otherWork(folder: path, found)
    }
    let problems = folder.problems
    guard problems.isEmpty, let first = files.first else {
      throw PartError.notWhole(folder: path, problems: problems)
    }
    identity = first.identity
    guard identity.work == work,
      files.reduce(0, { $0 + $1.samples }) == identity.fact("samples")?.whole
    else { throw PartError.unusable(path: first.path, .inconsistent("samples are missing")) }
  }

  /// Compares the samples and the import of a dataset with those that the parts were made with.
  ///
  /// - Throws: ``PartError/otherSamples(dataset:catalog:madeWith:)``, ``PartError/otherImport(dataset:folder:_:)``.
  func check(
    _ dataset: DatasetRecord, _ samples: [SampleRecord], in catalog: Catalog
  ) throws(PartError) {
    guard text("dataset") == dataset.name, text("samples_sha256") == Catalog.hash(of: samples)
    else {
      throw .otherSamples(
        dataset: dataset.name, catalog: catalog.path, madeWith: identity.catalog)
    }
    let differences = Self.facts(of: dataset).filter { identity.fact($0.name) != $0.value }
    guard differences.isEmpty else {
      throw .otherImport(dataset: dataset.name, folder: path, differences.map(\.name))
    }
  }

  /// The properties of a dataset by which another import, or other images, are recognized.
  static func facts(of dataset: DatasetRecord) -> [JSONValue.Member] {
    [
      .init("dataset", .string(dataset.name)),
      .init("dataset_version", JSONValue(dataset.importVersion)),
      .init("input_sha256", JSONValue(dataset.inputHash)), .init("root", .string(dataset.root)),
    ]
  }

  /// A property that all parts have in common; empty if they do not have it.
  package func text(_ fact: String) -> String { identity.fact(fact)?.text ?? "" }

  /// Reads the records of all parts, one part after another.
  ///
  /// - Throws: ``PartError/unusable(path:_:)``, `StoreError`, ``Interrupted``, what `body` throws.
  func forEach(_ body: (PartFile, Int, inout ByteDecoder) throws -> Void) throws {
    for file in files {
      try Interruption.check("nothing was stored")
      do {
        try file.forEachRecord { place, record in try body(file, place, &record) }
      } catch let fault as PartFault {
        throw PartError.unusable(path: file.path, fault)
      }
    }
  }
}
