package import AssayCore
import GRDB

extension Catalog {
  /// Stores the predictions of a detection run and marks the samples as done, in one transaction.
  /// Replaces earlier predictions for these samples.
  ///
  /// - Throws: ``StoreError/badDetections(run:sample:_:)``, ``StoreError/notInRun(run:sample:)``.
  package func record(_ samples: [SampleDetections], in run: Int64) throws {
    try write("storing predictions") { database in
      let record = try RunRecord.fetch(run, in: database)
      let writer = try DetectionWriter(record, in: database)
      for sample in samples { try writer.write(sample) }
    }
  }

  /// The predictions of a detection run, in its order; with an expression, only for matching
  /// samples.
  ///
  /// Samples that have been retired since are included.
  ///
  /// - Throws: ``StoreError/expression(_:)``, ``StoreError/damaged(table:_:)``.
  package func detections(
    of run: Int64, where expression: String? = nil
  ) throws -> [DetectionsRecord] {
    try asking("reading predictions") { database in
      let scan = try DetectionScan(
        of: run, scores: true, counts: true, keypoints: true, attributes: true, in: database)
      return try Self.doneSamples(of: run, where: expression, truth: truth, in: database).map {
        sample in
        DetectionsRecord(sample: sample, detections: try scan.detections(sample.id))
      }
    }
  }

  /// Passes a run's detections to `body`, in the order of `ids`: once per id, with an empty list if
  /// the sample has none.
  ///
  /// Several threads can do this concurrently; each reads on its own connection.
  ///
  /// - Parameters:
  ///   - scores: whether to read the scores of all classes.
  ///   - counts: whether to read the regions' run lengths.
  ///   - keypoints: whether to read the keypoints.
  ///   - attributes: whether to read the attributes.
  ///   - body: receives the sample's index in `ids`, and its detections, highest confidence first.
  /// - Throws: ``StoreError/damaged(table:_:)``; any error that `body` throws.
  package func forEachDetections(
    of run: Int64, samples ids: [Int64], scores: Bool = false, counts: Bool = true,
    keypoints: Bool = true, attributes: Bool = false,
    _ body: (_ index: Int, _ detections: [Detection]) throws -> Void
  ) throws {
    try withReader("reading predictions") { database in
      let scan = try DetectionScan(
        of: run, scores: scores, counts: counts, keypoints: keypoints, attributes: attributes,
        in: database)
      for (index, id) in ids.enumerated() { try body(index, try scan.detections(id)) }
    }
  }
}
