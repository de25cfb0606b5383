package import ArgumentParser
package import AssayCore
import Foundation

/// The options that name files to judge in place of a run.
package struct EvaluateFilesOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The truth: labels in a CSV file, a folder of masks, or COCO instances.", valueName: "path"))
  package var gt: String?

  @Option(
    help: ArgumentHelp(
      "The predictions: probabilities in a CSV file, a folder of masks, or COCO results.",
      valueName: "path"))
  package var dt: String?

  @Option(help: "What the files are about. Default: as they look.")
  package var task: ModelTask?

  @Option(
    help: ArgumentHelp(
      "Of label maps: how many classes, their names (a,b,c), or a file with a name a line. Of COCO "
        + "regions as masks: the one category to judge. Without it masks are binary.",
      valueName: "list"))
  package var classes: String?

  package init() {}

  package func validate() throws {
    guard (gt == nil) == (dt == nil) else { throw ValidationError("--gt and --dt go together.") }
    if classes != nil, gt == nil { throw ValidationError("--classes goes with --gt and --dt.") }
    if task?.output == .labels {
      throw ValidationError(
        "Files of label sets are not evaluated as they are: assay import LABELS.csv --name D, then "
          + "assay predictions import SCORES.csv --name R --in D, then assay evaluate R.")
    }
  }

  /// True if files to evaluate are given.
  var areGiven: Bool { gt != nil || dt != nil }

  /// The task: as given, else masks where the truth is a folder or classes are named, objects where it is
  /// a JSON file.
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
