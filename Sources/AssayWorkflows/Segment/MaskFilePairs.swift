import AssayCore
import AssayFormats

/// The pairs of images in two folders with the same path, ignoring the extension.
struct MaskFilePairs: Sendable {
  struct Pair: Sendable {
    /// The path relative to both folders, without extension.
    var name: String
    var truth: SourceFile
    var result: SourceFile
  }

  /// The pairs, in the order of the ground-truth paths.
  let pairs: [Pair]
  /// Notes on images and results that were left out.
  let notes: [String]

  private static let examples = 5

  /// - Throws: ``FileSegmentationError`` if a folder has no images, if names are not unique, or if
  ///   a ground-truth image has no result and missing results are not ignored.
  init(
    _ truth: some SourceTree, _ results: some SourceTree, ignoresMissing: Bool, truthPath: String,
    resultPath: String
  ) throws {
    let truths = try Self.pictures(truth, folder: truthPath)
    let found = try Self.pictures(results, folder: resultPath)
    var places: [String: SourceFile] = [:]
    for (name, file) in found { places[name] = file }
    pairs = truths.compactMap { name, file in
      places[name].map { Pair(name: name, truth: file, result: $0) }
    }
    var notes: [String] = []
    let missing = truths.filter { places[$0.name] == nil }.map(\.name)
    guard missing.isEmpty || (ignoresMissing && !pairs.isEmpty) else {
      throw FileSegmentationError.missingResults(
        Array(missing.prefix(Self.examples)), total: missing.count, folder: resultPath)
    }
    if !missing.isEmpty {
      notes.append("\(missing.count) ground-truth images have no result and were left out")
    }
    if found.count > pairs.count {
      notes.append("\(found.count - pairs.count) results have no ground truth and were left out")
    }
    self.notes = notes
  }

  private static func pictures(
    _ tree: some SourceTree, folder: String
  ) throws -> [(name: String, file: SourceFile)] {
    var pictures: [(name: String, file: SourceFile)] = []
    var seen: [String: String] = [:]
    for file in try tree.files() {
      guard let dot = file.path.lastIndex(of: "."),
        PairPath.isImageName(file.path)
      else { continue }
      let name = String(file.path[..<dot])
      if let other = seen.updateValue(file.path, forKey: name) {
        throw FileSegmentationError.sameName(other, file.path, folder: folder)
      }
      pictures.append((name, file))
    }
    guard !pictures.isEmpty else { throw FileSegmentationError.noPictures(folder: folder) }
    return pictures
  }
}
