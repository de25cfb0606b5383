package import AssayCore

/// One model on one view, or imported predictions.
package struct RunRecord: Hashable, Sendable {
  package var id: Int64
  package var name: String
  /// `nil` for imported predictions.
  package var model: ModelRecord?
  package var task: ModelTask
  package var dataset: DatasetRecord
  /// The dataset's import version when the run was created; if the dataset's is higher, the ground
  /// truth may have changed since.
  package var datasetVersion: Int
  /// The VIEW argument as typed.
  package var view: String
  /// The settings as JSON text.
  package var settings: String
  /// The versions of the software that computed it, as JSON text.
  package var versions: String
  /// The class names in the model's order, mapped to the dataset's.
  package var classes: [String]
  /// The time of creation, as `2026-01-31T12:00:00Z`.
  package var createdAt: String
  /// The number of samples in the frozen list, and how many are done and failed; the rest are
  /// pending.
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
  /// The samples' places in a larger run, ascending; `nil` for 0, 1, ….
  package var positions: [Int]?
  /// The dataset's import version; `nil` for the current one.
  package var datasetVersion: Int?
  /// The time of creation; `nil` for now.
  package var createdAt: String?

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

/// A sample that a run still has to process.
package struct PendingSample: Hashable, Sendable {
  /// The 0-based index in the run.
  package var position: Int
  package var sample: Int64
}

/// A sample that failed in a run, and the reason.
package struct FailedSample: Hashable, Sendable {
  package var position: Int
  package var sample: Int64
  package var message: String
}

/// One sample's scores to be stored in the catalog, in the order of the run's classes.
package struct SampleScores: Hashable, Sendable {
  package var sample: Int64
  package var scores: [Float]

  package init(sample: Int64, scores: [Float]) {
    self.sample = sample
    self.scores = scores
  }
}

/// One sample's predicted class to be stored in the catalog, of a run without scores.
package struct SampleLabel: Hashable, Sendable {
  package var sample: Int64
  /// An index into the run's classes.
  package var `class`: Int

  package init(sample: Int64, class: Int) {
    self.sample = sample
    self.class = `class`
  }
}

extension RunRecord {
  /// The member of the settings of a classification run that has predicted classes and no scores.
  package static let labelsOnlyKey = "labels_only"

  /// True if the run has a predicted class per sample and no scores: what is computed from
  /// probabilities is undefined.
  package var isLabelsOnly: Bool { Self.isLabelsOnly(settings: settings) }

  /// The member of the settings with the decision that the run was predicted with: an object with the text
  /// of the `file`, and in `accept` the minimum score of each class, `null` for a class that is never
  /// accepted.
  package static let decisionKey = "decision"

  /// True if the run was predicted with a decision.
  package var hasDecision: Bool { settings.contains("\"\(Self.decisionKey)\"") }

  /// The minimum score of each class for a prediction to be accepted; `nil` without a decision on single
  /// predictions.
  static func acceptance(settings: String, classes: [String]) -> [Double?]? {
    guard settings.contains(decisionKey),
      let members = (try? JSONValue(parsing: settings))?[decisionKey]?["accept"]?.members
    else { return nil }
    let thresholds = Dictionary(
      members.map { ($0.name, $0.value.double) }, uniquingKeysWith: { first, _ in first })
    return classes.map { thresholds[$0] ?? nil }
  }

  static func isLabelsOnly(settings: String) -> Bool {
    settings.contains(labelsOnlyKey)
      && (try? JSONValue(parsing: settings))?[labelsOnlyKey] == .bool(true)
  }
}

/// The scores of a run for one sample, from classification or multi-label classification.
///
/// A multi-label run has no predicted class but a set of labels: the classes whose score reaches a
/// threshold, which an evaluation chooses. For such a run, ``predicted``, ``confidence`` and
/// ``margin`` only describe the row of scores.
package struct PredictionRecord: Hashable, Sendable {
  package var sample: SampleRecord
  /// One score per class, in the order of the run's classes, bit-identical to the model's output; 1
  /// for the predicted class and 0 for the others in a run without scores.
  package var scores: [Float]
  /// The index of the largest score (the first of equal ones).
  package var predicted: Int
  /// The largest score.
  package var confidence: Double
  /// The largest score minus the second largest; the confidence itself if there is only one class.
  package var margin: Double
}
