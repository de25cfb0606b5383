package import AssayCore

/// A sample's picture with the key that messages name it by.
package struct NamedRaster: Sendable {
  package let name: String
  package let raster: Raster<UInt8>

  package init(_ name: String, _ raster: Raster<UInt8>) {
    self.name = name
    self.raster = raster
  }
}

/// One classifier compiled once a worker, each on one thread, which checks itself.
///
/// Two streams of one compiled model gave silently wrong answers, and a compile can go wrong by chance:
/// so every worker's model must give the same bits for the run's first samples as a model compiled
/// anew that sees each of them alone. Results depend neither on the batch size nor on the worker.
package final class ClassifierPool: Sendable {
  /// The samples a run of a model takes.
  package let batch: Int
  /// Why it is not the batch size that was asked for; `nil` where it is.
  package let batchNote: String?
  private let workers: [ClassifierWorker]
  private let alone: ClassifierWorker
  private let activation: Activation

  /// The most samples that are checked before a run.
  package static let probeLimit = 4

  /// Compiles one model a worker and one more to check them with, all side by side.
  ///
  /// - Parameters:
  ///   - batch: the wanted batch size; `nil` for the fastest. Where a model's batches differ from its
  ///     single samples by rounding, 1 is taken instead and ``batchNote`` says so.
  ///   - probe: the first samples of the run, of which ``probeLimit`` are used.
  /// - Throws: ``InferenceError``, among them ``InferenceError/selfCheckFailed(_:)``.
  package init(
    _ classifier: Classifier, workers: Int, batch: Int? = nil, precision: Precision = .f32,
    probe samples: [NamedRaster]
  ) throws {
    let workers = max(1, workers)
    let wanted = max(1, batch ?? classifier.defaultBatch)
    let samples = Array(samples.prefix(Self.probeLimit))
    var probe = try ClassifierProbe(
      classifier, workers: workers, batch: wanted, precision: precision, samples: samples)
    let compiled = probe.workers[0].model.batch
    var note =
      compiled == wanted
      ? nil : "the model cannot be given a batch of \(wanted): \(compiled) is used"
    if let failure = probe.difference, compiled > 1, failure.isRounding(precision) {
      note = "in batches of \(compiled) this model rounds differently: batch 1 is used"
      probe = try ClassifierProbe(
        classifier, workers: workers, batch: 1, precision: precision, samples: samples)
    }
    if let failure = probe.difference { throw InferenceError.selfCheckFailed(failure) }
    activation = classifier.manifest.activation
    if activation != .none, let sample = probe.probabilitySample {
      throw InferenceError.alreadyProbabilities(
        sample: sample.name, outputs: sample.outputs, activation: activation)
    }
    self.workers = probe.workers
    alone = probe.alone
    self.batch = probe.workers[0].model.batch
    batchNote = note
  }

  /// A picture in the model's size, to be kept instead of a large original: the probabilities of both
  /// are the same.
  ///
  /// - Parameter raster: at least one pixel, 1 or 3 channels.
  package func picture(worker: Int, of raster: Raster<UInt8>) -> Raster<UInt8> {
    workers[worker].picture(of: raster)
  }

  /// The probabilities of samples, each sample's in the model's class order.
  ///
  /// - Parameter worker: in `0..<workers`; two calls with one number wait for each other.
  /// - Throws: ``InferenceError`` where a model gives no probabilities or OpenVINO fails.
  package func probabilities(worker: Int, of samples: [NamedRaster]) throws -> [[Float]] {
    try probabilities(samples, by: workers[worker])
  }

  /// Computes samples again, each alone on the model that took no part in the run.
  ///
  /// - Parameter expected: what the run computed of each.
  /// - Throws: ``InferenceError/selfCheckFailed(_:)`` where a bit differs.
  package func verify(_ samples: [NamedRaster], expected: [[Float]]) throws {
    for (sample, inRun) in zip(samples, expected) {
      let again = try probabilities([sample], by: alone)[0]
      guard inRun.elementsEqual(again, by: { $0.bitPattern == $1.bitPattern }) else {
        throw InferenceError.selfCheckFailed(
          SelfCheckFailure(sample: sample.name, inRun: inRun, alone: again, batch: batch))
      }
    }
  }

  private func probabilities(_ samples: [NamedRaster], by worker: ClassifierWorker) throws
    -> [[Float]]
  {
    try zip(samples, worker.outputs(of: samples)).map { sample, outputs in
      try ProbabilityCheck.probabilities(
        of: outputs, activation: activation, sample: sample.name)
    }
  }
}
