/// The reason why a file is rejected as COCO ground truth or results.
package enum COCOFileError: Error, Hashable, Sendable {
  /// The file is not JSON; with what was found instead.
  case notJSON(String, found: String)
  case emptyFile(String)
  /// A folder instead of a file.
  case folder(String)
  /// A list instead of the ground truth.
  case listForTruth(String)
  /// Ground truth instead of results.
  case truthForResults(String)
  /// An object without a list of results.
  case noResults(String, members: [String])
  /// An object whose annotations have no score.
  case noScores(String)
  /// Ground truth without one of its lists.
  case noList(String, name: String, members: [String])
  /// A member that must be a list but is not, and its byte offset.
  case notAList(String, name: String, offset: Int)
  /// Ground truth without an image.
  case noImages(String)
  /// Compressed data that is damaged.
  case damaged(String, reason: String)
  /// Compressed data that exceeds the size limit when decompressed.
  case unpackedTooLarge(String, limit: Int)
  /// More than two billion results.
  case tooLarge
}

extension COCOFileError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notJSON(let file, let found): "\(file) is not a JSON list or object: \(found)"
    case .emptyFile(let file):
      "\(file) is empty; COCO results must be a JSON list, [] if there are none"
    case .folder(let file): "\(file) is a folder; expected a COCO JSON file"
    case .listForTruth(let file):
      """
      \(file) is a list, like results; expected a ground truth object with 'images', \
      'annotations' and 'categories'
      """
    case .truthForResults(let file):
      """
      \(file) has 'images', and annotations without a score: it is ground truth; results must be a \
      list of objects with image_id, category_id, bbox or segmentation, and score
      """
    case .noResults(let file, let members):
      """
      \(file) is an object with \(Self.list(members)); results must be a list of objects with \
      image_id, category_id, bbox or segmentation, and score
      """
    case .noScores(let file):
      "\(file): none of its annotations has a score, so they are not results"
    case .noList(let file, let name, let members):
      """
      \(file) has no '\(name)', so it is not COCO ground truth: found an object with \
      \(Self.list(members))
      """
    case .notAList(let file, let name, let offset):
      "\(file): '\(name)' must be a list (byte \(offset))"
    case .noImages(let file): "\(file) lists no image; there is nothing to evaluate"
    case .damaged(let file, let reason): "\(file): \(reason); fetch or copy the file again"
    case .unpackedTooLarge(let file, let limit):
      "\(file) is larger than \(limit >> 30) GiB when unpacked, the limit; unpack it first"
    case .tooLarge: "the file lists more than two billion results"
    }
  }

  private static func list(_ members: [String]) -> String {
    members.isEmpty
      ? "no members"
      : members.prefix(6).map { "'\($0)'" }.joined(separator: ", ")
        + (members.count > 6 ? ", …" : "")
  }
}
