import AssayCore
import AssayInference
import AssayStore

/// The part of predicting that is specific to a task: what a run does with a model's outputs.
protocol PredictTask: Sendable {
  associatedtype Reader: OutputReader
  /// The stored result of a sample.
  associatedtype Stored: Sendable

  /// The samples that a worker computes in one go, about.
  func samplesAtOnce(_ reader: Reader) -> Int

  /// The samples that are stored in one transaction, at least.
  func storedAtOnce(_ reader: Reader) -> Int

  /// The reason why a sample's image, of this size, cannot be used; `nil` if it can.
  func refusal(of sample: SampleRecord, size: ImageSize) -> String?

  /// Makes what is stored of what the model says about a sample's picture of this size.
  func stored(_ answer: Reader.SampleOutput, of sample: SampleRecord, size: ImageSize) throws
    -> Stored

  /// The number of objects that were found in a sample; `nil` for tasks that find none.
  func objects(in stored: Stored) -> Int?

  /// Stores samples of a run.
  func record(_ samples: [Stored], in run: RunRecord, _ catalog: Catalog) throws

  /// Makes sure that what an interrupted run has stored is what would be computed now.
  ///
  /// - Throws: ``PredictError/storedDiffers(run:reason:)``.
  func verifyStored(
    of run: RunRecord, _ catalog: Catalog, images: SampleImages, pool: ModelPool<Reader>) throws
}

extension PredictTask {
  func objects(in stored: Stored) -> Int? { nil }
}
