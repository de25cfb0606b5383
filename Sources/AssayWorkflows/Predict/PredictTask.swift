import AssayCore
import AssayInference
import AssayStore

/// The task-specific part of prediction: the processing of a model's outputs.
protocol PredictTask: Sendable {
  associatedtype Reader: OutputReader
  /// The stored result of a sample.
  associatedtype Stored: Sendable

  /// The approximate number of samples that a worker computes at a time.
  func samplesAtOnce(_ reader: Reader) -> Int

  /// The minimum number of samples that are stored in one transaction.
  func storedAtOnce(_ reader: Reader) -> Int

  /// The reason why a sample's image of this size cannot be used; `nil` if it can.
  func refusal(of sample: SampleRecord, size: ImageSize) -> String?

  /// Converts the model's output for a sample's image of this size to the stored result.
  func stored(_ answer: Reader.SampleOutput, of sample: SampleRecord, size: ImageSize) throws
    -> Stored

  /// The number of objects found in a sample; `nil` for tasks without objects.
  func objects(in stored: Stored) -> Int?

  /// Stores samples of a run.
  func record(_ samples: [Stored], in run: RunRecord, _ catalog: Catalog) throws

  /// Checks that the stored results of an interrupted run equal what would be computed now.
  ///
  /// - Throws: ``PredictError/storedDiffers(run:reason:)``.
  func verifyStored(
    of run: RunRecord, _ catalog: Catalog, images: SampleImages, pool: ModelPool<Reader>) throws
}

extension PredictTask {
  func objects(in stored: Stored) -> Int? { nil }
}
