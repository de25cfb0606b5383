import AssayCore
import Synchronization

/// Models compiled in parallel, and their outputs for the first samples.
package struct PoolProbe {
  /// The models of the run.
  let workers: [PoolWorker]
  /// A model that computes every sample alone; the last of ``workers`` if there are several and
  /// each of them does.
  let alone: PoolWorker
  /// The maximum number of samples that are checked before a run.
  package static let limit = 4

  private let samples: [NamedRaster]
  private let isExact: Bool
  /// The outputs of ``alone`` for each sample.
  let reference: [[Float]]
  /// The outputs of each of ``workers`` for a whole batch of the samples, repeated.
  private let outputs: [[[Float]]]

  /// Compiles `count` models in parallel, each on its own thread, and runs them; one more to check
  /// them with, unless two of them compute each sample alone and can check each other.
  ///
  /// - Throws: ``InferenceError``, `ThreadShortage`.
  init(
    _ fitted: ValidatedModel, workers count: Int, batch: Int, precision: Precision,
    samples: [NamedRaster]
  ) throws {
    self.samples = samples
    isExact = fitted.isExact
    guard isExact else {
      // A runner is one program: its results are the same for all workers.
      let worker = { size throws(InferenceError) in
        PoolWorker(try fitted.compile(batch: size, precision: precision), fitted.manifest.input)
      }
      workers = try (0..<count).map { _ in try worker(batch) }
      alone = try worker(1)
      reference = try alone.outputs(of: samples)
      outputs = samples.isEmpty ? [] : [try workers[0].outputs(of: samples)]
      return
    }
    typealias Part = Result<(PoolWorker, [[Float]]), any Error>
    let parts = Mutex<[Int: Part]>([:])
    let checksItself = batch == 1 && count > 1
    try WorkerThreads.perform(checksItself ? count : count + 1) { index in
      let isAlone = index == (checksItself ? count - 1 : count)
      let part = Part {
        let model = try fitted.compile(batch: isAlone ? 1 : batch, precision: precision)
        let worker = PoolWorker(model, fitted.manifest.input)
        // Every position in the batch is checked.
        let copies = isAlone || samples.isEmpty ? samples.count : max(samples.count, model.batch)
        let filled = (0..<copies).map { samples[$0 % samples.count] }
        return (worker, try worker.outputs(of: filled))
      }
      parts.withLock { $0[index] = part }
    }
    let made = try parts.withLock { parts in
      try parts.sorted { $0.key < $1.key }.map { try $0.value.get() }
    }
    alone = made[made.count - 1].0
    reference = made[made.count - 1].1
    workers = made.prefix(count).map(\.0)
    outputs = made.prefix(count).map(\.1)
  }

  /// The first sample for which a model of the run gave different bits from the one that computed
  /// it alone; of a runner, values that differ by more than rounding explains.
  var difference: SelfCheckFailure? {
    for rows in outputs {
      for (index, row) in rows.enumerated() {
        let alone = reference[index % samples.count]
        if !ModelAgreement.holds(row, alone, isExact: isExact) {
          return SelfCheckFailure(
            sample: samples[index % samples.count].name, inRun: row, alone: alone,
            batch: workers[0].model.batch)
        }
      }
    }
    return nil
  }
}

/// The agreement of two computations of one image.
enum ModelAgreement {
  /// The difference of a runner's values in two batches that is taken for rounding, for values up to 1;
  /// for larger ones in proportion. Graphics processors multiply with 10 bits of fraction by default.
  static let runnerTolerance: Float = 1e-2

  /// Returns whether two rows of outputs are equal to the bit, or, of a runner, up to rounding.
  static func holds(_ first: [Float], _ second: [Float], isExact: Bool) -> Bool {
    guard !isExact else {
      return first.elementsEqual(second) { $0.bitPattern == $1.bitPattern }
    }
    return first.count == second.count
      && zip(first, second).allSatisfy { one, other in
        one.bitPattern == other.bitPattern
          || abs(one - other) <= runnerTolerance * max(1, abs(other))
      }
  }
}

extension SelfCheckFailure {
  /// Returns whether the two outputs differ by no more than a different order of summation
  /// explains.
  func isRounding(_ precision: Precision) -> Bool {
    let tolerance: Float = precision == .f32 ? 1e-4 : 5e-2
    return zip(inRun, alone).allSatisfy { abs($0 - $1) <= tolerance * max(1, abs($1)) }
  }
}
