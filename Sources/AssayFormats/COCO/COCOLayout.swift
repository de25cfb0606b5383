import AssayCore

/// The JSON files of a source to import, and their splits.
struct COCOLayout {
  /// A file to import.
  struct Part {
    var file: SourceFile
    /// The split of its images; `nil` if neither its name nor its folder indicates one.
    var split: String?
    /// The folders that may contain its images, in the order in which they are tried: relative to
    /// the images' root, without a trailing `/`, empty for the root itself.
    var folders: [String]
  }

  var parts: [Part] = []
  /// COCO files that are not imported, with the reason: one clause without a subject.
  var others: [(file: SourceFile, reason: String)] = []
  /// The reason why the source is considered COCO, one clause.
  var reason: String

  /// - Parameter isApart: whether the images are in a different folder than the JSON files.
  /// - Throws: any error that the tree throws.
  init?(_ tree: any SourceTree, imagesApart isApart: Bool) throws {
    let files = try tree.files()
    let named = files.filter { $0.path.lowercased().hasSuffix(".json") }
    let likely = tree.isSingleFile ? files : Self.likelyFirst(named)
    let candidates = try likely.prefix(COCOCandidate.fileLimit).compactMap { file in
      try COCOCandidate(tree, file)
    }
    guard !candidates.isEmpty else { return nil }
    reason = ""
    let taken = choose(candidates, isAlone: tree.isSingleFile)
      .sorted { $0.file.path.utf8.lexicographicallyPrecedes($1.file.path.utf8) }
    parts = taken.map { candidate in
      let split = Self.split(of: candidate.file.path)
      return Part(
        file: candidate.file, split: split,
        folders: Self.folders(for: candidate.file.path, split: split, isApart: isApart))
    }
    reason =
      taken.first.map { first in
        (tree.isSingleFile ? "" : "\(first.file.path): ") + first.reason
          + (taken.count > 1 ? ", and \(taken.count - 1) more like it" : "")
      } ?? "none of its JSON files contains instances"
  }

  /// Returns the files of instances, and of keypoints if their split has no instances; puts the rest into ``others``.
  private mutating func choose(
    _ candidates: [COCOCandidate], isAlone: Bool
  ) -> [COCOCandidate] {
    let splits = Set(
      candidates.filter { $0.content == .instances }.map { Self.split(of: $0.file.path) })
    var taken: [COCOCandidate] = []
    for candidate in candidates {
      switch candidate.content {
      case .instances: taken.append(candidate)
      case .keypoints where !splits.contains(Self.split(of: candidate.file.path)):
        taken.append(candidate)
      case .keypoints:
        others.append(
          (candidate.file, "holds keypoints, and the instances of its split are imported instead"))
      case .stuff where isAlone: taken.append(candidate)
      case let content:
        others.append((candidate.file, "holds \(content.name), which is not imported"))
      }
    }
    return taken
  }

  /// Files with a usual name of COCO or of an exporter come first, then the others by path.
  private static func likelyFirst(_ files: [SourceFile]) -> [SourceFile] {
    let marked = files.filter { file in
      let name = fileName(of: file.path).lowercased()
      return COCOContent(fileName: name) != nil || name.contains("coco")
        || name.contains("annotations")
    }
    let isMarked = Set(marked.map(\.path))
    return marked + files.filter { !isMarked.contains($0.path) }
  }

  // MARK: Names

  static func fileName(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func folder(of path: String) -> [String] {
    path.split(separator: "/").dropLast().map(String.init)
  }

  /// `instances_val2017.json` → `val2017`; `train/_annotations.coco.json` → `train`; `nil` if
  /// neither the name nor the folder indicates a split.
  static func split(of path: String) -> String? {
    let name = fileName(of: path)
    let stem = name.lowercased().hasSuffix(".json") ? String(name.dropLast(5)) : name
    for prefix in ["instances_", "person_keypoints_", "stuff_"] where stem.hasPrefix(prefix) {
      let rest = String(stem.dropFirst(prefix.count))
      if !rest.isEmpty { return rest }
    }
    if isSplit(stem) { return stem }
    if let last = stem.split(whereSeparator: { "_-.".contains($0) }).last, last.count < stem.count,
      isSplit(String(last))
    {
      return String(last)
    }
    if let first = stem.split(whereSeparator: { "_-.".contains($0) }).first,
      first.count < stem.count, isSplit(String(first))
    {
      return String(first)
    }
    guard let folder = folder(of: path).last,
      !["annotations", "images", "labels", "data", "coco"].contains(folder.lowercased())
    else { return nil }
    return folder
  }

  /// True if a name is that of a split, ignoring a trailing year (`val2017`).
  private static func isSplit(_ name: String) -> Bool {
    var stem = name[...]
    while let last = stem.last, last.isNumber { stem.removeLast() }
    return SplitName.isKnown(name) || SplitName.isKnown(String(stem))
  }

  /// The usual folders of images in the layouts of COCO, MMDetection, Roboflow and similar ones.
  private static func folders(
    for path: String, split: String?, isApart: Bool
  ) -> [String] {
    let here = isApart ? [] : folder(of: path)
    let above = here.dropLast()
    let levels = here.isEmpty ? [here] : [Array(above), here]
    var found: [[String]] = []
    if let split {
      for level in levels { found += [level + [split], level + ["images", split]] }
      for level in levels { found += [level + [split, "images"]] }
    }
    // Folders next to the file come before those above it: Roboflow separates `train/` and
    // `valid/`.
    for level in levels.reversed() { found += [level, level + ["images"], level + ["data"]] }
    var seen: Set<[String]> = []
    return found.filter { seen.insert($0).inserted }.map { $0.joined(separator: "/") }
  }
}
