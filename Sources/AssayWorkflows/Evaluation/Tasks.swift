package import AssayCore

/// From a task to its implementation: the only place that names them all.
package enum Tasks {
  package static func type(of task: ModelTask) -> any EvaluatedTask.Type {
    switch task {
    case .classification: ImageClassification.self
    case .segmentation: SemanticSegmentation.self
    case .detection: ObjectDetection.self
    }
  }
}
