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

  package init() {}

  package func validate() throws {
    guard (gt == nil) == (dt == nil) else { throw ValidationError("Give both --gt and --dt.") }
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
