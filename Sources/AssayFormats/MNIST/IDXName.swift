/// The words of an IDX file's path: `MNIST/raw/train-images-idx3-ubyte.gz`.
struct IDXName: Hashable, Sendable {
  /// The words of the dataset; equal for all its files.
  var set: [String]
  /// The split as it is kept; `nil` if no word names one.
  var split: String?
  /// True if the name, not a folder, says that the file is one of EMNIST.
  var isEMNIST: Bool
  /// True for gzip by its suffix.
  var isPacked: Bool

  private static let ownWords: Set<String> = [
    "images", "image", "labels", "label", "idx", "idx1", "idx2", "idx3", "idx4", "ubyte", "byte",
    "int", "gz", "mapping", "txt",
  ]
  private static let splits = [
    "train": "train", "training": "train", "t10k": "test", "test": "test", "testing": "test",
    "val": "val", "valid": "valid", "validation": "validation",
  ]

  /// - Parameter path: relative to the root, `/` between components.
  init(_ path: String) {
    let lower = path.lowercased()
    let name = lower.split(separator: "/").last ?? ""
    let words = lower.split { "/-_. ".contains($0) }.map(String.init)
    set = words.filter { !Self.ownWords.contains($0) && Self.splits[$0] == nil }
    split = words.last { Self.splits[$0] != nil }.flatMap { Self.splits[$0] }
    isEMNIST = name.split { "-_. ".contains($0) }.contains("emnist")
    isPacked = name.hasSuffix(".gz")
  }

  /// Returns whether a word of a name is one of a split or of the kind of file.
  static func isOwn(_ word: String) -> Bool {
    ownWords.contains(word.lowercased()) || splits[word.lowercased()] != nil
  }

  /// Returns whether a file may be an IDX file by its name.
  static func isLikely(_ path: String) -> Bool {
    let name = (path.split(separator: "/").last ?? "").lowercased()
    return name.contains("idx") || name.contains("ubyte")
  }

  /// Returns whether a file may be EMNIST's table of classes.
  static func isMapping(_ path: String) -> Bool {
    let name = (path.split(separator: "/").last ?? "").lowercased()
    return name.hasSuffix("mapping.txt") && name.contains("emnist")
  }
}
