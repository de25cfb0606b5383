package import AssayCore
import GRDB

extension Catalog {
  /// Stores what a run of detection says and marks the samples done, in one transaction. What a sample had
  /// before is replaced.
  ///
  /// - Throws: ``StoreError/badDetections(run:sample:_:)``, ``StoreError/notInRun(run:sample:)``.
  package func record(_ samples: [SampleDetections], in run: Int64) throws {
    try write("storing predictions") { database in
      let record = try RunRecord.fetch(run, in: database)
      let writer = try DetectionWriter(record, in: database)
      for sample in samples { try writer.write(sample) }
    }
  }

  /// The predictions of a detection run, in its order; with an expression, only of matching
  /// samples.
  ///
  /// Samples that were retired since are among them.
  ///
  /// - Throws: ``StoreError/expression(_:)``, ``StoreError/damaged(table:_:)``.
  package func detections(
    of run: Int64, where expression: String? = nil
  ) throws -> [DetectionsRecord] {
    try asking("reading predictions") { database in
      let scan = try DetectionScan(of: run, scores: true, counts: true, in: database)
      return try Self.doneSamples(of: run, where: expression, truth: truth, in: database).map {
        sample in
        DetectionsRecord(sample: sample, detections: try scan.detections(sample.id))
      }
    }
  }

  /// Hands over a run's detections of samples, in the order of `ids`: once for every id, with none where
  /// it has none.
  ///
  /// Several threads may do this at once; each reads on a connection of its own.
  ///
  /// - Parameters:
  ///   - scores: whether the scores of all classes are wanted.
  ///   - counts: whether the regions' run lengths are wanted.
  ///   - body: gets the sample's place in `ids`, and its detections, the highest confidence first.
  /// - Throws: ``StoreError/damaged(table:_:)``; what `body` throws.
  package func forEachDetections(
    of run: Int64, samples ids: [Int64], scores: Bool = false, counts: Bool = true,
    _ body: (_ index: Int, _ detections: [Detection]) throws -> Void
  ) throws {
    try withReader("reading predictions") { database in
      let scan = try DetectionScan(of: run, scores: scores, counts: counts, in: database)
      for (index, id) in ids.enumerated() { try body(index, try scan.detections(id)) }
    }
  }
}
