import AssayCore
import AssayImaging
package import AssayStore

/// Checks that are divided into shards: each reads the images of its samples, and the pairs are found
/// when the parts are joined.
extension CheckWorkflow {
  /// Reads the images of one shard of a view into a part.
  ///
  /// - Parameters:
  ///   - view: a dataset, a view, or a part of either.
  ///   - programVersion: the version of assay.
  /// - Throws: ``CheckError``, ``PartError``, `StoreError`.
  package func makePart(
    _ view: String, _ request: PartRequest, programVersion: String
  ) throws -> MadeRecordPart {
    let selection = try catalog.resolve(view)
    let samples = try catalog.samples(in: selection)
    guard !samples.isEmpty else { throw CheckError.noSamples(view: view) }
    let shard = ShardSamples(request.shard, of: samples)
    let facts: [JSONValue.Member] =
      RecordParts.facts(of: selection.dataset) + [
        .init("view", .string(view)), .init("samples_sha256", .string(shard.hash)),
        .init("versions", ["assay": .string(programVersion)]),
      ]
    let making = RecordPartMaking(
      request, .check, total: samples.count, facts: facts, madeWith: catalog.path)
    return try making.run(samples: shard.own.count) { writer in
      try ShardImages.check(shard.own, of: selection.dataset, in: catalog)
      var failed = 0
      let scan = ImageScan(
        catalog: catalog, dataset: selection.dataset, samples: shard.own, workers: workers)
      var done = 0
      try scan.forEach(progress) { records in
        failed += records.count { $0.image.problem != nil }
        try writer.write(
          records.enumerated().map { (shard.positions[done + $0.offset], $0.element.bytes) })
        done += records.count
      }
      return failed
    }
  }
}

extension ScannedImages {
  /// The images of a view from the parts of its shards.
  ///
  /// - Throws: ``PartError``, `StoreError`, ``CheckError``, ``Interrupted``.
  init(
    _ parts: RecordParts, of samples: [SampleRecord], _ dataset: DatasetRecord, in catalog: Catalog
  ) throws {
    try parts.check(dataset, samples, in: catalog)
    self.init(thumbnails: try ThumbnailFile())
    images = Array(repeating: ScannedImage(problem: "missing"), count: samples.count)
    fingerprints = Array(repeating: 0, count: samples.count * Fingerprint.count)
    var isThere = Array(repeating: false, count: samples.count)
    try parts.forEach { file, place, record in
      guard isThere.indices.contains(place), !isThere[place] else { throw DamagedRecord() }
      isThere[place] = true
      let scanned = try ScannedRecord(&record)
      images[place] = scanned.image
      if let thumbnail = scanned.thumbnail { try thumbnails.write(thumbnail, at: place) }
      if let fingerprint = scanned.fingerprint {
        fingerprints.replaceSubrange(
          place * Fingerprint.count..<(place + 1) * Fingerprint.count, with: fingerprint.values)
      }
    }
    guard isThere.allSatisfy(\.self) else {
      throw PartError.unusable(path: parts.path, .inconsistent("records are missing"))
    }
  }
}
