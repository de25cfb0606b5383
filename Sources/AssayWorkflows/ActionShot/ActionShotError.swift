package import AssayCore

/// The reasons why there is no action shot.
package enum ActionShotError: Error, Hashable {
  case noFrames(String)
  case tooManyFrames(Int, limit: Int)
  case singleFile(String)
  case otherTask(model: String, task: ModelTask)
  /// The class is missing, or none of several was chosen; the model or the run in words.
  case noClass(String?, owner: String, classes: [String])
  /// The book's rule, which scans probabilities, for a run.
  case bookOfRun
  /// A run on other samples than those of the frames.
  case otherFrames(run: String, dataset: String)
  /// No frame can be used; the reasons with their numbers, most frequent first.
  case nothingChosen(frames: Int, reasons: [String], canBeChosen: Bool)
  case unknownFrame(String, suggestion: String?)
  /// A frame that was named cannot be drawn.
  case unusableFrame(String, reason: String)
}

extension ActionShotError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noFrames(let source):
      "\(source) has no frames: give a folder of JPEG or PNG files, or a view"
    case .tooManyFrames(let count, let limit):
      "\(count) frames; an action shot uses at most \(limit): choose a part of the film"
    case .singleFile(let path):
      "\(path) is a file; give the folder of the frames (ffmpeg -i FILM -vf fps=10 frames/%03d.jpg makes them)"
    case .otherTask(let model, let task):
      "the model “\(model)” is for \(task.rawValue); an action shot needs a segmentation model, which gives the mask of the subject (Scripts/models selfie fetches one)"
    case .bookOfRun: "the rule book scans a model's probabilities: give --model, not --run"
    case .otherFrames(let run, let dataset):
      "the frames are not samples of “\(dataset)”, on which the run “\(run)” is: give a view of it"
    case .noClass(let name, let owner, let classes):
      (name.map { "\(owner) has no class “\($0)”" }
        ?? "\(owner) has \(classes.count) classes and none is called person: choose the subject with --class")
        + "; its classes: " + classes.prefix(20).joined(separator: ", ")
        + (classes.count > 20 ? ", …" : "")
    case .nothingChosen(let frames, let reasons, let canBeChosen):
      "none of the \(Counted.text(frames, "frame", "frames")) can be used: "
        + reasons.joined(separator: "; ")
        + (canBeChosen ? ". Try --min-area, another model, or --frames to choose by hand" : "")
    case .unknownFrame(let name, let suggestion):
      "--frames: there is no frame “\(name)”"
        + (suggestion.map { " (did you mean “\($0)”?)" } ?? "")
    case .unusableFrame(let name, let reason): "--frames: \(name) cannot be used: \(reason)"
    }
  }
}
