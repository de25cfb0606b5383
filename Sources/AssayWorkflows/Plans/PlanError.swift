package import AssayStore

/// The reasons why a plan was not written, or no part was made with it.
package enum PlanError: Error {
  /// A file is there already.
  case fileExists(String)
  /// The plan cannot be written.
  case cannotWrite(path: String, reason: String, code: Int32)
  /// The plan cannot be read.
  case unreadable(path: String, reason: String)
  /// The file is no plan, or a damaged one.
  case unusable(path: String, PartFault)
  /// The plan was made by another version of assay.
  case otherVersion(path: String, found: String, own: String, again: String)
  /// The file of the model is not where the plan says.
  case noModel(model: String, path: String, reason: String)
  /// The file of the model is another one than that of the plan.
  case otherModel(model: String, path: String, expected: String, found: String)
  /// No image of a shard is where the plan says.
  case noImages(dataset: String, example: String, tried: Int, sources: [String])
  /// The images of a merged dataset are in several places, or those of another dataset in one.
  case images(String, dataset: String, sources: [String])
  /// A folder for the images that is not there.
  case noFolder(String)
}

extension PlanError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .fileExists(let path): "\(path) exists; give --force to overwrite it"
    case .cannotWrite(let path, let reason, _): "the plan \(path) cannot be written: \(reason)"
    case .unreadable(let path, let reason):
      "the plan \(path) cannot be read: \(reason); assay plan predict VIEW --model M --out FILE makes one"
    case .unusable(let path, let fault):
      "the plan \(path) "
        + (fault == .incomplete ? "is no plan, or its end is missing" : "\(fault)")
        + "; copy it again, or make it again with assay plan predict"
    case .otherVersion(let path, let found, let own, let again):
      "the plan \(path) was made by assay \(found), and this is assay \(own): use the same version, or make it"
        + " again, where the catalog is: \(again)"
    case .noModel(let model, let path, let reason):
      "the file of the model “\(model)” is missing: \(reason). Copy it to \(path), or name its place with"
        + " --model-file FILE"
    case .otherModel(let model, let path, let expected, let found):
      "\(path) is not the file of the model “\(model)” in the plan: its SHA-256 is \(found.prefix(12))…, not"
        + " \(expected.prefix(12))…. Copy the right one, or make the plan again"
    case .noImages(let dataset, let example, let tried, let sources):
      "no image of “\(dataset)” is where the plan says (\(tried) tried, such as \(example)); mount the images"
        + " there, or name their place with \(Self.option(sources))"
    case .images(let value, let dataset, let sources):
      "--images \(value) does not fit “\(dataset)”: expected \(Self.option(sources))"
        + (sources.isEmpty ? "" : ", with one of its sources: \(sources.joined(separator: ", "))")
    case .noFolder(let path): "--images \(path) does not exist, or cannot be read"
    }
  }

  private static func option(_ sources: [String]) -> String {
    sources.isEmpty ? "--images PATH, once" : "--images SOURCE=PATH"
  }
}
