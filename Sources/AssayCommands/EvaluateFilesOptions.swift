package import ArgumentParser
package import AssayCore
import Foundation

/// The options that name files to evaluate in place of a run.
package struct EvaluateFilesOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The ground truth: labels in a CSV file, a folder of masks, or COCO instances.",
      valueName: "path"))
  package var gt: String?

  @Option(
    help: ArgumentHelp(
      "The predictions: probabilities in a CSV file, a folder of masks, or COCO results.",
      valueName: "path"))
  package var dt: String?

  @Option(help: "The task of the files. Default: detected from their content.")
  package var task: ModelTask?

  @Option(
    help: ArgumentHelp(
      "For label maps: the number of classes, their names (a,b,c), or a file with one name per line. For "
        + "COCO regions as masks: the only category to evaluate. Without it masks are binary.",
      valueName: "list"))
  package var classes: String?

  @Option(
    help: ArgumentHelp(
      "COCO files: write the arrays of precision, recall and scores, and all matches, to this NumPy "
        + "archive (assay help objects).",
      valueName: "file.npz"))
  package var arrays: String?

  package init() {}

  package func validate() throws {
    guard (gt == nil) == (dt == nil) else { throw ValidationError("Give both --gt and --dt.") }
    if arrays != nil, gt == nil {
      throw ValidationError(
        "--arrays needs --gt and --dt with COCO files. Of a run: assay export RUN --to coco-results --out "
          + "DT.json, then assay evaluate --gt INSTANCES.json --dt DT.json --arrays FILE.npz.")
    }
    if classes != nil, gt == nil { throw ValidationError("--classes needs --gt and --dt.") }
    if task?.output == .labels {
      throw ValidationError(
        "Files with sets of labels cannot be evaluated directly: assay import LABELS.csv --name D, then "
          + "assay predictions import SCORES.csv --name R --in D, then assay evaluate R.")
    }
  }

  /// True if files to evaluate are given.
  var areGiven: Bool { gt != nil || dt != nil }

  /// The task: as given; else masks if the ground truth is a folder or classes are named, objects
  /// if it is a JSON file.
  var kind: ModelTask {
    if let task { return task }
    let path = gt ?? ""
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if exists && isFolder.boolValue || classes != nil { return .segmentation }
    let isJSON = [".json", ".json.gz"].contains { path.lowercased().hasSuffix($0) }
    return isJSON ? .detection : .classification
  }
}

extension ModelTask: ExpressibleByArgument {}
