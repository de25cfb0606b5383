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
  /// The arithmetic inside the model.
  private(set) var precision = Precision.f32
  /// The samples a batch; `nil` for the fastest. It changes no result.
  package var batch: Int?
  /// The threads, each with a model of its own; `nil` for one a core. It changes no result.
  package var workers: Int?
  /// Goes on where the model has no class for some of the view's categories.
  package var ignoreMissing = false
  /// True if a model that finds regions keeps its probability maps; else only masks at its own
  /// threshold.
  package var keepsMaps = true
  /// Only the first samples of the view.
  package var limit: Int?
  /// The version of this program, for the record.
  package var programVersion: String

  package init(view: String, model: String, programVersion: String) {
    self.view = view
    self.model = model
    self.programVersion = programVersion
  }

  /// The spellings of the kinds of arithmetic, the default first.
  package static let precisions = Precision.allCases.map(\.rawValue)

  /// Chooses the arithmetic by its spelling; false where there is none of that name.
  package mutating func choose(precision spelling: String) -> Bool {
    guard let chosen = Precision(rawValue: spelling.lowercased()) else { return false }
    precision = chosen
    return true
  }
}

/// The result of a prediction.
package struct PredictSummary: Sendable {
  /// The state of the run before.
  package enum Start: String, Sendable {
    case new
    /// It had been interrupted.
    case resumed
    /// All its samples were done: nothing was computed.
    case alreadyDone = "already_done"
  }

  package var run: RunRecord
  package var start: Start
  /// The samples computed now.
  package var computed = 0
  /// From the first sample to the last, models compiled and checked before.
  package var seconds = 0.0
  package var batch = 0
  package var workers = 0
  /// The objects that a detector found in the samples computed now.
  package var found = DetectionCounts()
  /// The reason why the batch size is not the requested one.
  package var batchNote: String?
  /// Samples computed a second time, alone, and found equal to the bit.
  package var verified = 0
  /// Categories of the view that the model has no class for, with their samples.
  package var missing: [MissingCategory] = []
  /// The classes that the model and the dataset share, in the model's order.
  package var shared: [String] = []
  /// True if the dataset has ground truth for the run's task.
  package var hasGroundTruth = true
  /// The first samples that could not be predicted.
  package var failures: [FailedSample] = []

  /// The settings for a detector's boxes; `nil` for other tasks.
  package var detection: DetectorSettings? { DetectorSettings(run.settings) }
  /// The rule that makes masks of the stored maps; `nil` for other tasks than segmentation.
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
  /// The samples without any.
  package private(set) var empty = 0
  /// The most in one sample.
  package private(set) var most = 0

  package init() {}

  /// Counts a sample with so many.
  mutating func add(_ count: Int) {
    samples += 1
    objects += count
    empty += count == 0 ? 1 : 0
    most = max(most, count)
  }
}

/// A category that a model has no class for.
package struct MissingCategory: Hashable, Sendable {
  package var name: String
  /// The samples of the view that are labeled so: no answer of the model can be right for them.
  package var samples: Int
}
