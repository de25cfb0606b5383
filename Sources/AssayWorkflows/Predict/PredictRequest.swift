import AssayCore
import AssayInference
package import AssayStore

/// The request of `assay predict`.
package struct PredictRequest: Sendable {
  /// The VIEW argument.
  package var view: String
  /// The model's name.
  package var model: String
  /// The run's name; `nil` for `MODEL-VIEW`.
  package var name: String?
  /// The floating-point precision inside the model.
  private(set) var precision = Precision.f32
  /// The batch size; `nil` for the fastest one. It does not affect results.
  package var batch: Int?
  /// The number of threads, each with its own model; `nil` for one per core. It does not affect
  /// results.
  package var workers: Int?
  /// True to continue if the model has no class for some of the view's categories.
  package var ignoreMissing = false
  /// True if a segmentation model's probability maps are stored; otherwise only masks at its own
  /// threshold are stored.
  package var keepsMaps = true
  /// True to predict the images flipped horizontally; boxes and maps are flipped back.
  package var isFlipped = false
  /// The maximum number of samples, from the start of the view.
  package var limit: Int?
  /// The path of the decision to record with the run; `nil` for none.
  package var decision: String?
  /// The part to make; `nil` to predict the whole view into the catalog.
  package var part: PartRequest?
  /// The version of this program, stored with the run.
  package var programVersion: String

  package init(view: String, model: String, programVersion: String) {
    self.view = view
    self.model = model
    self.programVersion = programVersion
  }

  /// The names of the precisions, default first.
  package static let precisions = Precision.allCases.map(\.rawValue)

  /// Sets the precision by name; false if the name is unknown.
  package mutating func choose(precision spelling: String) -> Bool {
    guard let chosen = Precision(rawValue: spelling.lowercased()) else { return false }
    precision = chosen
    return true
  }
}

/// The result of a prediction.
package struct PredictSummary: Sendable {
  /// The previous state of the run.
  package enum Start: String, Sendable {
    case new
    /// The run had been interrupted.
    case resumed
    /// All samples were done: nothing was computed.
    case alreadyDone = "already_done"
  }

  package var run: RunRecord
  package var start: Start
  /// The part that was made; `nil` if the run is in the catalog.
  package var part: MadePart?
  /// The number of samples computed now.
  package var computed = 0
  /// The time in seconds from the first to the last sample, without compiling and checking the
  /// models.
  package var seconds = 0.0
  package var batch = 0
  package var workers = 0
  /// The objects that a detector found in the samples computed now.
  package var found = DetectionCounts()
  /// The reason why the batch size differs from the requested one.
  package var batchNote: String?
  /// A remark on the model's outputs for the first samples; `nil` for none.
  package var remark: String?
  /// The number of samples that were computed a second time, individually, with bit-identical
  /// results.
  package var verified = 0
  /// False for a runner, whose results were compared up to rounding.
  package var isExact = true
  /// Categories of the view without a class of the model, with the numbers of their samples.
  package var missing: [MissingCategory] = []
  /// The classes of the model and of the dataset without a counterpart.
  package var unmatched = UnmatchedClasses(model: [], dataset: [])
  /// The common classes, in the model's order.
  package var shared: [String] = []
  /// True if the dataset has ground truth for the run's task.
  package var hasGroundTruth = true
  /// The first samples that could not be predicted.
  package var failures: [FailedSample] = []

  /// The settings for a detector's boxes; `nil` for other tasks.
  package var detection: DetectorSettings? { DetectorSettings(run.settings) }
  /// The output whose vector is kept for each sample; `nil` for none.
  package var embedding: String? {
    try? JSONValue(parsing: run.settings).member("embedding")?.text
  }
  /// The settings for making masks from the stored maps; `nil` for tasks other than segmentation.
  package var recipe: SegmentationRecipe? { SegmentationRecipe(settings: run.settings) }

  package init(run: RunRecord, start: Start) {
    self.run = run
    self.start = start
  }
}

/// The number of objects that a detector found.
package struct DetectionCounts: Hashable, Sendable {
  package private(set) var samples = 0
  package private(set) var objects = 0
  /// The number of samples without objects.
  package private(set) var empty = 0
  /// The maximum number of objects in one sample.
  package private(set) var most = 0

  package init() {}

  /// Counts a sample with this many objects.
  mutating func add(_ count: Int) {
    samples += 1
    objects += count
    empty += count == 0 ? 1 : 0
    most = max(most, count)
  }
}

/// A category without a class of the model.
package struct MissingCategory: Hashable, Sendable {
  package var name: String
  /// The number of samples of the view with this label; no prediction of the model can be right for
  /// them.
  package var samples: Int
}
