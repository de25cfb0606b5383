package import AssayCore

/// The requirements a task implements to be evaluated, compared, reported and reviewed.
package protocol TaskImplementation: InspectedTask, ReportedTask, RankedTask {}

extension ImageClassification: TaskImplementation {}
extension SemanticSegmentation: TaskImplementation {}
extension ObjectDetection: TaskImplementation {}
extension MultiLabelClassification: TaskImplementation {}

/// The mapping from tasks to their implementations, the only place that lists them all.
package enum Tasks {
  package static func type(of task: ModelTask) -> any TaskImplementation.Type {
    switch task {
    case .classification: ImageClassification.self
    case .segmentation: SemanticSegmentation.self
    case .detection: ObjectDetection.self
    case .multiLabel: MultiLabelClassification.self
    }
  }
}
