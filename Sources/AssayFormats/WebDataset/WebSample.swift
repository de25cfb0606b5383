import AssayCore

/// The members of one sample: files of a shard with the same name up to its first dot.
struct WebSample: Sendable {
  /// The shard; empty for members that are in no shard.
  var shard: String
  /// The common start of the members' paths, without the dot.
  var base: String
  /// The indices of the members among the files, and the rests of their names in lower case.
  var members: [(index: Int, suffix: String)]

  /// The suffixes of images that are read, the most usual first.
  private static let images = [
    "jpg", "jpeg", "png", "webp", "jpe", "jfif", "bmp", "tif", "tiff", "ppm", "pgm", "pbm", "pnm",
  ]
  private static let labels = ["cls", "class", "cls.txt"]

  /// The index of the image: a member whose suffix is an image's, else the only one whose suffix
  /// ends as an image's does (`input.jpg`). `nil` if there is none, or several of those.
  var image: Int? {
    for suffix in Self.images {
      if let member = members.first(where: { $0.suffix == suffix }) { return member.index }
    }
    let endings = members.filter { PairPath.isImageName("x." + $0.suffix) }
    return endings.count == 1 ? endings[0].index : nil
  }

  /// The index of the member with the class; `nil` if there is none.
  var label: Int? {
    for suffix in Self.labels {
      if let member = members.first(where: { $0.suffix == suffix }) { return member.index }
    }
    return nil
  }

  /// The index of the member with the fields; `nil` if there is none.
  var fields: Int? { members.first { $0.suffix == "json" }?.index }

  /// The index of the member with a caption; `nil` if there is none.
  var caption: Int? { members.first { ["txt", "caption", "text"].contains($0.suffix) }?.index }

  /// The suffixes of the members that are not read.
  var unread: [String] {
    members.filter { ![image, label, fields, caption].contains($0.index) }.map(\.suffix)
  }

  /// Returns whether a suffix is that of a mask: `seg.png`, `instance_mask.png`.
  static func isMask(_ suffix: String) -> Bool {
    let words = suffix.split { !$0.isLetter }
    return PairPath.isImageName("x." + suffix)
      && words.contains {
        ["seg", "mask", "segmentation", "label", "panoptic", "semantic"].contains($0)
      }
  }

  /// Groups the files of a tree, which are sorted by path.
  static func groups(_ files: [SourceFile]) -> [WebSample] {
    var samples: [WebSample] = []
    for (index, file) in files.enumerated() {
      guard let (base, suffix) = split(file.path) else { continue }
      if let last = samples.last, last.base == base {
        samples[samples.count - 1].members.append((index, suffix))
      } else {
        samples.append(
          WebSample(shard: shard(of: base), base: base, members: [(index, suffix)]))
      }
    }
    return samples
  }

  /// The part of a path before the first dot of its last component, and the part after it in lower
  /// case; `nil` if there is no such dot.
  private static func split(_ path: String) -> (base: String, suffix: String)? {
    let start =
      path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
      ?? path.startIndex
    guard let dot = path.utf8[start...].firstIndex(of: UInt8(ascii: ".")), dot > start else {
      return nil
    }
    return (String(path[..<dot]), path[path.utf8.index(after: dot)...].lowercased())
  }

  private static func shard(of base: String) -> String {
    let parts = base.split(separator: "/").dropLast()
    guard let place = parts.firstIndex(where: { ShardTree.isShard($0) }) else { return "" }
    return parts[...place].joined(separator: "/")
  }

  /// The split that a shard's path states: a word of its name (`imagenet-train-000000.tar`), or a
  /// folder above it; `nil` for none.
  static func split(ofShard path: String) -> String? {
    let parts = path.split(separator: "/")
    guard let name = parts.last.flatMap({ ShardTree.stem($0) }) else { return nil }
    // `test-dev-000000.tar`: a split of several words, and a number.
    let whole = name[..<(name.lastIndex { !$0.isNumber } ?? name.startIndex)]
    if name.last?.isNumber == true, name[whole.endIndex...].first == "-",
      FolderLayout.isSplit(String(whole))
    {
      return String(whole)
    }
    let words = name.split { "-_.".contains($0) }.map(String.init)
    return words.last(where: FolderLayout.isSplit)
      ?? parts.dropLast().map(String.init).last(where: FolderLayout.isSplit)
  }
}
