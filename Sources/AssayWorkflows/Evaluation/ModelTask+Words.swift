import AssayCore

/// The words for a task in sentences.
struct TaskWords {
  /// The outputs of its runs: `masks`.
  var output: String
  /// The annotations that the outputs are evaluated against.
  var annotations: String
  /// The annotations that a dataset without ground truth lacks.
  var missing: String
  /// The outputs that are evaluated; `nil` if this is obvious.
  var evaluated: String?
  /// The subject that determines the evaluated classes, with its verb: `the dataset has`.
  var sharers = "the dataset has"
}

extension ModelTask {
  var words: TaskWords {
    switch self {
    case .classification:
      TaskWords(output: "one label per image", annotations: "labels", missing: "labels")
    case .segmentation:
      TaskWords(
        output: "masks", annotations: "regions", missing: "masks, polygons or boxes",
        evaluated: "masks")
    case .multiLabel:
      TaskWords(
        output: "a set of labels per image", annotations: "labels", missing: "sets of labels",
        evaluated: "labels", sharers: "the dataset and the run share")
    case .detection:
      TaskWords(
        output: "objects", annotations: "objects", missing: "boxes, polygons or masks",
        evaluated: "detections", sharers: "the dataset and the run share")
    }
  }
}
