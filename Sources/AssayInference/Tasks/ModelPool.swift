package import AssayCore
import Synchronization

/// One model compiled once per worker, each on one thread, with self-checks.
///
/// Two streams of one compiled model gave silently wrong results, and compilation can randomly go
/// wrong. Therefore every worker's model must give the same bits for the run's first samples as a
/// separately compiled model that computes each of them alone. Results depend neither on the batch
/// size nor on the worker.
package final class ModelPool<Reader: OutputReader>: Sendable {
  /// The batch size of the models.
  package let batch: Int
  /// The reason why the batch size differs from the requested one; `nil` if it does not.
  package let batchNote: String?
  /// A remark on the outputs of the first samples; `nil` for none.
  package let remark: String?
  /// The reader that turns outputs into predictions.
  package let reader: Reader
  /// The layout of the vector that precedes a row's other values; `nil` for none.
  package let embedding: FeatureLayout?
  /// True if computing a sample again must give the same bits; false for a runner.
  package let isExact: Bool
  private let probedNames: [String]
  private let workers: [PoolWorker]
  /// The model that computes each sample alone; one of ``workers`` if all of them do.
  private let alone: PoolWorker
  /// The outputs for the samples that the models were checked with, by name; identical for all
  /// models.
  package let probed: [String: [Float]]

  /// Compiles one model per worker, and one more to check them with if batches are larger than 1 or
  /// there is only one worker, all in parallel.
  ///
  /// - Parameters:
  ///   - batch: the requested batch size; `nil` for the fastest. If a model's results for batches
  ///     differ from those for single samples by rounding, 1 is used instead and ``batchNote``
  ///     explains it.
  ///   - samples: the first samples of the run, of which ``PoolProbe/limit`` are used.
  /// - Throws: ``InferenceError``, including ``InferenceError/selfCheckFailed(_:)``.
  package init(
    _ model: ValidatedModel, workers: Int, batch: Int? = nil, precision: Precision = .f32,
    probe samples: [NamedRaster]
  ) throws {
    let reader = try Reader(model)
    self.reader = reader
    embedding = model.embedding
    isExact = model.isExact
    let workers = max(1, workers)
    let wanted = max(1, batch ?? model.defaultBatch)
    let samples = Array(samples.prefix(PoolProbe.limit))
    var probe = try PoolProbe(
      model, workers: workers, batch: wanted, precision: precision, samples: samples)
    let compiled = probe.workers[0].model.batch
    var note =
      compiled == wanted
      ? nil : "the model does not support a batch size of \(wanted); \(compiled) is used"
    if isExact, let failure = probe.difference, compiled > 1, failure.isRounding(precision) {
      note = "with a batch size of \(compiled) this model rounds differently; batch size 1 is used"
      probe = try PoolProbe(
        model, workers: workers, batch: 1, precision: precision, samples: samples)
    }
    if let failure = probe.difference { throw InferenceError.selfCheckFailed(failure) }
    let skipped = embedding?.count ?? 0
    let reference = probe.reference.map { skipped == 0 ? $0 : Array($0.dropFirst(skipped)) }
    var remark: String?
    if reader.activation.remaining != .none, let sample = samples.first,
      let outputs = reference.first, reference.allSatisfy(reader.areProbabilities)
    {
      // Single logits can all be from 0 to 1, above all of images that are alike: no reason to refuse them.
      guard outputs.count == 1 else {
        throw InferenceError.alreadyProbabilities(
          sample: sample.name, outputs: reader.scores(among: outputs),
          activation: reader.activation)
      }
      remark =
        "the model's first \(reference.count) values are all from 0 to 1 before “activation:"
        + " \(reader.activation.rawValue)”; if it applies a sigmoid itself, the manifest needs “activation: none”"
    }
    try reader.examine(reference)
    let different = reference.indices.filter { place in
      !samples[..<place].contains { $0.raster == samples[place].raster }
    }
    self.remark = remark ?? reader.remark(on: different.map { reference[$0] })
    self.workers = probe.workers
    alone = probe.alone
    self.batch = probe.workers[0].model.batch
    batchNote = note
    probed = Dictionary(
      zip(samples.map(\.name), probe.reference), uniquingKeysWith: { first, _ in first })
    probedNames = samples.map(\.name)
  }

  /// An image to be kept instead of a large original: the outputs for both are the same.
  ///
  /// - Parameter raster: at least one pixel, 1 or 3 channels.
  package func picture(worker: Int, of raster: Raster<UInt8>) -> Raster<UInt8> {
    workers[worker].picture(of: raster)
  }

  /// Checks that the outputs for the first samples can be read.
  ///
  /// - Throws: ``InferenceError`` if they do not fit the manifest.
  package func readProbe() throws {
    for sample in probedNames {
      guard let outputs = probed[sample] else { continue }
      _ = try answer(of: outputs, sample: sample)
      _ = try vector(of: outputs, sample: sample)
    }
  }

  /// The prediction that the reader derives from one sample's row.
  ///
  /// - Throws: ``InferenceError`` if the values do not fit the manifest.
  package func answer(
    of row: [Float], sample: String
  ) throws(InferenceError) -> Reader.SampleOutput {
    guard let embedding else { return try reader.answer(of: row, sample: sample) }
    return try reader.answer(of: Array(row.dropFirst(embedding.count)), sample: sample)
  }

  /// The vector in one sample's row; `nil` if none is kept.
  ///
  /// - Throws: ``InferenceError/embeddingNotFinite(sample:output:)``.
  package func vector(of row: [Float], sample: String) throws(InferenceError) -> [Float]? {
    guard let embedding else { return nil }
    let values = row.prefix(embedding.count)
    guard values.allSatisfy(\.isFinite) else {
      throw .embeddingNotFinite(sample: sample, output: embedding.output)
    }
    return embedding.vector(of: Array(values))
  }

  /// The raw outputs of the model for samples.
  ///
  /// - Parameter worker: in `0..<workers`; two calls with the same index wait for each other.
  /// - Throws: ``InferenceError`` if OpenVINO fails.
  package func outputs(worker: Int, of samples: [NamedRaster]) throws -> [[Float]] {
    try workers[worker].outputs(of: samples)
  }

  /// The predictions that the reader derives from the outputs for samples.
  ///
  /// - Throws: ``InferenceError`` if the outputs do not fit the manifest or OpenVINO fails.
  package func answers(worker: Int, of samples: [NamedRaster]) throws -> [Reader.SampleOutput] {
    try answers(samples, by: workers[worker])
  }

  /// The same predictions, with each sample computed alone.
  package func answersAlone(of samples: [NamedRaster]) throws -> [Reader.SampleOutput] {
    try answers(samples, by: alone)
  }

  /// Returns whether two computations of one image agree: to the bit, or, of a runner, up to rounding.
  package func agree(_ first: [Float], _ second: [Float]) -> Bool {
    ModelAgreement.holds(first, second, isExact: isExact)
  }

  /// Computes samples again, each alone on a model that did not compute it in the run; a runner computes
  /// them alone itself.
  ///
  /// - Throws: ``InferenceError/selfCheckFailed(_:)`` if any bit differs, or a runner's values by more than
  ///   rounding explains.
  package func verify(_ samples: [ComputedSample]) throws {
    // If all models took part in the run, the first one checks what the last one computed.
    let isShared = workers.last === alone
    let last = workers.count - 1
    let byLast = { (sample: ComputedSample) in isShared && sample.worker == last }
    let parts = [(alone, samples.filter { !byLast($0) }), (workers[0], samples.filter(byLast))]
    let failures = Mutex<[(any Error)?]>([nil, nil])
    try WorkerThreads.perform(parts.count) { [self] index in
      do {
        for sample in parts[index].1 { try verify(sample, by: parts[index].0) }
      } catch {
        failures.withLock { $0[index] = error }
      }
    }
    if let failure = failures.withLock({ $0.compactMap(\.self).first }) { throw failure }
  }

  private func verify(_ sample: ComputedSample, by checker: PoolWorker) throws {
    let again = try checker.outputs(of: [sample.picture])[0]
    guard ModelAgreement.holds(sample.outputs, again, isExact: isExact) else {
      throw InferenceError.selfCheckFailed(
        SelfCheckFailure(
          sample: sample.picture.name, inRun: sample.outputs, alone: again, batch: batch))
    }
  }

  private func answers(_ samples: [NamedRaster], by worker: PoolWorker) throws -> [Reader
    .SampleOutput]
  {
    try zip(samples, worker.outputs(of: samples)).map { sample, outputs in
      try answer(of: outputs, sample: sample.name)
    }
  }
}
