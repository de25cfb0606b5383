package import AssayCore

/// One model over one view, or predictions that were imported.
package struct RunRecord: Hashable, Sendable {
  package var id: Int64
  package var name: String
  /// `nil` for imported predictions.
  package var model: ModelRecord?
  package var task: ModelTask
  package var dataset: DatasetRecord
  /// The dataset's import version when the run was made; a lower one than the dataset's says that the
  /// truth may have changed since.
  package var datasetVersion: Int
  /// The VIEW argument as typed.
  package var view: String
  /// The settings as JSON text.
  package var settings: String
  /// The versions of what computed it, as JSON text.
  package var versions: String
  /// The class names in the model's order, as they join the dataset's.
  package var classes: [String]
  /// The time of creation, as `2026-01-31T12:00:00Z`.
  package var createdAt: String
  /// The samples of the frozen list, and of them done and failed; the rest is pending.
  package var total: Int
  package var done: Int
  package var failed: Int
}

/// A run to be created with all its samples pending.
package struct RunDraft: Hashable, Sendable {
  /// `nil` for `MODEL-VIEW`, then `MODEL-VIEW-2`, and so on.
  package var name: String?
  /// `nil` for imported predictions.
  package var model: Int64?
  package var task: ModelTask
  package var dataset: Int64
  package var view: String
  package var settings: String
  package var versions: String
  package var classes: [String]
  /// The samples' ids, in the order of the run.
  package var samples: [Int64]

  package init(
    name: String? = nil, model: Int64? = nil, task: ModelTask = .classification,
    dataset: Int64, view: String, settings: String = "{}", versions: String = "{}",
    classes: [String], samples: [Int64]
  ) {
    self.name = name
    self.model = model
    self.task = task
    self.dataset = dataset
    self.view = view
    self.settings = settings
    self.versions = versions
    self.classes = classes
    self.samples = samples
  }
}

/// A sample that a run has still to do.
package struct PendingSample: Hashable, Sendable {
  /// The 0-based place in the run.
  package var position: Int
  package var sample: Int64
}

/// A sample that a run could not do, and why.
package struct FailedSample: Hashable, Sendable {
  package var position: Int
  package var sample: Int64
  package var message: String
}

/// One sample's scores on their way into the catalog, in the order of the run's classes.
package struct SampleScores: Hashable, Sendable {
  package var sample: Int64
  package var scores: [Float]

  package init(sample: Int64, scores: [Float]) {
    self.sample = sample
    self.scores = scores
  }
}

/// The scores of a run for one sample: of a classification, or of a multi-label classification.
///
/// A multi-label run has no predicted class, but a set of labels: the classes whose score reaches a threshold, which an
/// evaluation chooses. There ``predicted``, ``confidence`` and ``margin`` only describe the row of scores.
package struct PredictionRecord: Hashable, Sendable {
  package var sample: SampleRecord
  /// One score a class, in the order of the run's classes, to the bit as the model gave them.
  package var scores: [Float]
  /// The index of the first largest score.
  package var predicted: Int
  /// The largest score.
  package var confidence: Double
  /// The largest score minus the second largest; the confidence itself where there is one class.
  package var margin: Double
}
