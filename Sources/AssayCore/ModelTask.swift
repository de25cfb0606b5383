/// The task of a model. The raw value is the manifest's `task` and the catalog's spelling.
package enum ModelTask: String, CaseIterable, Sendable, Codable {
  /// One probability per class for the whole image.
  case classification
  /// One independent probability per class for the whole image.
  case multiLabel = "multilabel"
  /// One probability per class for each pixel: regions.
  case segmentation
  /// Objects: one box each, with the class and its score.
  case detection

  /// The form of its output. Code that needs one form checks for that, not for a task: several
  /// tasks can share it.
  package var output: TaskOutput {
    switch self {
    case .classification: .label
    case .multiLabel: .labels
    case .segmentation: .masks
    case .detection: .objects
    }
  }
}

/// The form of a run's output for one sample.
package enum TaskOutput: Sendable, Hashable {
  /// One class, with a score for each.
  case label
  /// A set of classes, with an independent score for each.
  case labels
  /// A mask for each class.
  case masks
  /// Objects with boxes or regions.
  case objects
}
