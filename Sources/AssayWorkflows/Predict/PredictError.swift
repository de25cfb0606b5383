import AssayCore

/// The reasons why a model was not run over a view.
package enum PredictError: Error, Hashable {
  case emptyView(String)
  /// The model's file is not the one that was added.
  case modelChanged(model: String, path: String, expected: String, found: String)
  case modelGone(model: String, path: String, reason: String)
  /// No class of the model is a category of the dataset.
  case nothingInCommon(model: String, classes: [String], dataset: String, categories: [String])
  /// Categories of the view without a class of the model.
  case missingClasses([MissingCategory], model: String, classes: [String], view: String)
  /// Discarding maps was requested for a task without maps.
  case noMaps(model: String)
  /// Flipped images for a model whose maps cannot be flipped back exactly.
  case flippedMaps(model: String)
  /// Flipped images for a detector with keypoints or masks.
  case flippedObjects(model: String)
  /// A run with that name and different contents.
  case otherRun(String, difference: String)
  case allFailed(run: String, count: Int, first: String)
  /// None of the images of the view can be read.
  case nothingReadable(view: String, tried: Int, first: String)
  /// The stored result of a run differs from the model's current output.
  case storedDiffers(run: String, reason: String)
  /// The check at the end failed, and the run was removed.
  case removed(run: String, reason: String)
  /// A runner failed after samples were stored; with a sentence about them.
  case runnerStopped(reason: String, kept: String)
}

extension PredictError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .emptyView(let view): "“\(view)” has no samples"
    case .modelChanged(let model, let path, let expected, let found):
      "\(path) is not the file that was added as “\(model)”: its SHA-256 is \(found.prefix(12))…, not"
        + " \(expected.prefix(12))…. Put the file back, or add the new one under another name:"
        + " assay model add \(path) --manifest FILE --name NAME"
    case .modelGone(let model, let path, let reason):
      "the file of the model “\(model)” is missing: \(reason). Restore it at \(path), or add it"
        + " again under another name"
    case .nothingInCommon(let model, let classes, let dataset, let categories):
      "the model “\(model)” and “\(dataset)” have no class in common. The model's: "
        + "\(Self.list(classes)); the dataset's: \(Self.list(categories)). If the same classes have"
        + " different names, list the model's names under “outputs” in the manifest, and under “classes”"
        + " map each to the dataset's name (happiness: happy). --ignore-missing continues without a common class; the"
        + " run cannot be evaluated"
    case .missingClasses(let missing, let model, let classes, let view):
      "the model “\(model)” has no class for "
        + Self.list(missing.map { "\(Self.suggest($0, classes)) (\($0.samples) samples)" })
        + " of “\(view)”. Its classes: \(Self.list(classes)). Map the names in its manifest, or give"
        + " --ignore-missing to continue without them"
    case .flippedObjects(let model):
      "--flip is for detectors of boxes: a flipped image exchanges the keypoints of the left and the right, and the"
        + " masks of objects are not flipped back. “\(model)” has keypoints or masks"
    case .flippedMaps(let model):
      "the maps of “\(model)” cannot be flipped back exactly, because its input is cropped or padded; --flip needs"
        + " resize: stretch"
    case .noMaps(let model):
      "the model “\(model)” predicts no regions, so --no-maps does not apply"
    case .otherRun(let run, let difference):
      "the run “\(run)” already exists, \(difference); choose another --name, or remove it: assay rm run"
        + " \(run)"
    case .allFailed(let run, let count, let first):
      "prediction failed for all samples (\(count)) of the run “\(run)”; first error: \(first)"
    case .nothingReadable(let view, let tried, let first):
      "no image of “\(view)” can be read (\(tried) tried); first error: \(first)"
    case .storedDiffers(let run, let reason):
      "the run “\(run)” cannot be resumed: \(reason) Remove it (assay rm run \(run)) and start again"
    case .runnerStopped(let reason, let kept): "\(reason)\n\(kept)"
    case .removed(let run, let reason): "\(reason). The run “\(run)” was removed"
    }
  }

  /// A category with a suggestion for the matching class.
  private static func suggest(_ missing: MissingCategory, _ classes: [String]) -> String {
    let near = NearMiss.suggestion(for: missing.name, among: classes)
    return "“\(missing.name)”" + (near.map { " (did you mean “\($0)”?)" } ?? "")
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(20).joined(separator: ", ")
      + (names.count > 20 ? " and \(names.count - 20) more" : "")
  }
}
