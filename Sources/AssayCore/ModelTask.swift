/// The task of a model. The raw value is the manifest's `task` and the catalog's spelling.
package enum ModelTask: String, CaseIterable, Sendable, Codable {
  /// One probability a class for the whole image.
  case classification
  /// A probability per class for the whole image, each on its own.
  case multiLabel = "multilabel"
  /// One probability a class for each pixel: regions.
  case segmentation
  /// Objects: a box each, with the class and its score.
  case detection

  /// The form of its answers. Code that needs one form asks for that, not for a task: several tasks may share it.
  package var output: TaskOutput {
    switch self {
    case .classification: .label
    case .multiLabel: .labels
    case .segmentation: .masks
    case .detection: .objects
    }
  }
}

/// The form in which runs of a task answer for one sample.
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
