import AssayCore
import Dispatch
import Synchronization

/// Models compiled side by side, and what each made of the first samples.
package struct PoolProbe {
  /// The models of the run.
  let workers: [PoolWorker]
  /// A model that sees every sample alone.
  let alone: PoolWorker
  /// The most samples that are checked before a run.
  package static let limit = 4

  private let samples: [NamedRaster]
  /// What ``alone`` gave for each sample.
  let reference: [[Float]]
  /// What each of ``workers`` gave for a whole batch of them, over and over.
  private let outputs: [[[Float]]]

  /// Compiles `count` + 1 models at once, each on its own thread, and runs them.
  ///
  /// - Throws: ``InferenceError``.
  init(
    _ fitted: FittedModel, workers count: Int, batch: Int, precision: Precision,
    samples: [NamedRaster]
  ) throws {
    typealias Part = Result<(PoolWorker, [[Float]]), any Error>
    let parts = Mutex<[Int: Part]>([:])
    DispatchQueue.concurrentPerform(iterations: count + 1) { index in
      let part = Part {
        let model = try fitted.compile(batch: index == 0 ? 1 : batch, precision: precision)
        let worker = PoolWorker(model, fitted.manifest.input)
        // Every place of the batch is looked at.
        let copies = index == 0 || samples.isEmpty ? samples.count : max(samples.count, model.batch)
        let filled = (0..<copies).map { samples[$0 % samples.count] }
        return (worker, try worker.outputs(of: filled))
      }
      parts.withLock { $0[index] = part }
    }
    let made = try parts.withLock { parts in
      try parts.sorted { $0.key < $1.key }.map { try $0.value.get() }
    }
    self.samples = samples
    alone = made[0].0
    reference = made[0].1
    workers = made.dropFirst().map(\.0)
    outputs = made.dropFirst().map(\.1)
  }

  /// The first sample for which a model of the run gave other bits than the one that saw it alone.
  var difference: SelfCheckFailure? {
    for rows in outputs {
      for (index, row) in rows.enumerated() {
        let alone = reference[index % samples.count]
        if !row.elementsEqual(alone, by: { $0.bitPattern == $1.bitPattern }) {
          return SelfCheckFailure(
            sample: samples[index % samples.count].name, inRun: row, alone: alone,
            batch: workers[0].model.batch)
        }
      }
    }
    return nil
  }
}

extension SelfCheckFailure {
  /// Whether the two outputs differ by no more than another order of summation does.
  func isRounding(_ precision: Precision) -> Bool {
    let tolerance: Float = precision == .f32 ? 1e-4 : 5e-2
    return zip(inRun, alone).allSatisfy { abs($0 - $1) <= tolerance * max(1, abs($1)) }
  }
}
