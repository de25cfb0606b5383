import AssayCore

/// The reasons why a pipeline does not run.
package enum PipelineError: Error, Hashable {
  case unknown(String, known: [String])
  /// A step with a model of another task.
  case otherTask(model: String, step: String, task: String)
  case unknownClass(String, model: String, classes: [String])
  /// A file that is not the model of its name.
  case badModel(String, file: String, reason: String)
  case noModel(String, file: String, folders: [String], script: String)
  case notReady(model: String)
  case unusedReplacement(String, models: [String])
  /// An aligned crop after a detector without keypoints.
  case noKeypoints(model: String)
  case noLabels(pipeline: String)
  /// A run of this name that is not that of the same labels.
  case otherLabels(String)
  case severalClasses(model: String, classes: [String])
  /// A decision on something that the pipeline does not give.
  case otherDecision(file: String, pipeline: String, task: String)
}

extension PipelineError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknown(let name, let known):
      "\(name) is neither a file nor one of the ready-made pipelines: \(known.joined(separator: ", "))"
    case .otherTask(let model, let step, let task):
      "the step “\(step)” cannot use the model “\(model)”, which is for \(task)"
    case .unknownClass(let name, let model, let classes):
      "the model “\(model)” has no class “\(name)”"
        + (NearMiss.suggestion(for: name, among: classes).map { " (did you mean “\($0)”?)" } ?? "")
        + "; its classes: " + classes.prefix(20).joined(separator: ", ")
        + (classes.count > 20 ? ", …" : "")
    case .noModel(let name, let file, let folders, let script):
      "the model “\(name)” is not in the catalog, and \(file) is in none of these folders: "
        + "\(folders.joined(separator: ", ")). Scripts/models \(script) fetches it; --models names its folder; "
        + "--use \(name)=MODEL takes another model of the catalog"
    case .badModel(let name, let file, let reason): "the model “\(name)”, \(file): \(reason)"
    case .notReady(let model):
      "the model “\(model)” is not in the catalog: add it with assay model add FILE --manifest YAML --name \(model)"
    case .unusedReplacement(let name, let models):
      "--use \(name)=…: the pipeline has no model “\(name)”; it has \(models.joined(separator: ", "))"
    case .noKeypoints(let model):
      "align: yes needs the keypoints of a detector, and “\(model)” has none"
    case .noLabels(let pipeline):
      "--labels needs a step with a classifier, and the pipeline “\(pipeline)” has none"
    case .otherLabels(let name):
      "--labels: the run “\(name)” exists and is not that of these labels: choose another name, or remove it with assay rm run \(name)"
    case .otherDecision(let file, let pipeline, let task):
      "\(file) is a decision on \(task), and the pipeline “\(pipeline)” gives no such predictions; make one of a run of "
        + "it (assay decide RUN), or of the labels of one (--labels)"
    case .severalClasses(let model, let classes):
      "the model “\(model)” has several classes (\(classes.prefix(8).joined(separator: ", "))…): name one with class:"
    }
  }
}
