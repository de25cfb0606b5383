import AssayCore

/// The JSON files of a source to import, and their splits.
struct COCOLayout {
  /// A file to import.
  struct Part {
    var file: SourceFile
    var content: COCOContent
    /// The split of its images; `nil` if neither its name nor its folder indicates one.
    var split: String?
    /// The folders that may contain its images, in the order in which they are tried: relative to
    /// the images' root, without a trailing `/`, empty for the root itself.
    var folders: [String]
  }

  var parts: [Part] = []
  /// COCO files that are not imported, with the reason: one clause without a subject.
  var others: [(file: SourceFile, reason: String)] = []
  /// The reason why the source has the detected ``format``, one clause.
  private(set) var detected: String
  /// The format that detection takes for these files.
  private(set) var format: DatasetFormat
  /// The format that is imported.
  let wanted: DatasetFormat

  /// - Parameters:
  ///   - isApart: whether the images are in a different folder than the JSON files.
  ///   - wanted: the format to import: ``DatasetFormat/coco``, ``DatasetFormat/cocoLabels`` or
  ///     ``DatasetFormat/lvis``.
  /// - Throws: any error that the tree throws.
  init?(
    _ tree: any SourceTree, imagesApart isApart: Bool, as wanted: DatasetFormat = .coco
  ) throws {
    let files = try tree.files()
    let named = files.filter { $0.path.hasSuffix(ignoringCase: ".json") }
    let likely = tree.isSingleFile ? files : Self.likelyFirst(named)
    let candidates = try likely.prefix(COCOCandidate.fileLimit).compactMap { file in
      try COCOCandidate(tree, file)
    }
    guard !candidates.isEmpty else { return nil }
    self.wanted = wanted
    format = Self.format(of: candidates)
    detected = Self.reason(for: Self.chosen(of: candidates, as: format).taken, tree)
    let (taken, kind) = Self.chosen(of: candidates, as: wanted)
    let isTaken = Set(taken.map(\.file.path))
    let isCandidate = Set(candidates.map(\.file.path))
    let results = likely.prefix(COCOCandidate.fileLimit).filter {
      !isCandidate.contains($0.path) && Companions.kind(of: $0, in: tree) == .cocoResults
    }
    others = candidates.filter { !isTaken.contains($0.file.path) }.map { candidate in
      (candidate.file, Self.reason(candidate, wanted, kind, isAlone: tree.isSingleFile))
    }
    others += results.map { file in
      (
        file,
        """
        holds results of a model, which are no annotations; import them once this dataset is there: assay \
        predictions import \(ShellText.below(file.path)) --name RUN --in DATASET
        """
      )
    }
    let folders = Set(
      PathFolders.all(of: files.lazy.map(\.path)).flatMap { $0.split(separator: "/") })
    parts = taken.map { candidate in
      let split = Self.split(of: candidate.file.path, folders: folders)
      return Part(
        file: candidate.file, content: candidate.content, split: split,
        folders: Self.folders(for: candidate.file.path, split: split, isApart: isApart))
    }
  }

  /// The reason that files give, one clause.
  private static func reason(for taken: [COCOCandidate], _ tree: any SourceTree) -> String {
    taken.first.map { first in
      (tree.isSingleFile ? "" : "\(first.file.path): ") + first.reason
        + (taken.count > 1 ? ", and \(taken.count - 1) more like it" : "")
    } ?? "none of its JSON files holds annotations"
  }

  /// The format of a source: LVIS and labels of images only if there is nothing else but captions
  /// or images alone beside them.
  private static func format(of candidates: [COCOCandidate]) -> DatasetFormat {
    let contents = Set(candidates.filter { !$0.isLVIS }.map(\.content))
    if !contents.isDisjoint(with: [.instances, .keypoints, .panoptic, .stuff]) { return .coco }
    if candidates.contains(where: \.isLVIS) { return .lvis }
    return contents.contains(.labels) && !contents.contains(.captions) ? .cocoLabels : .coco
  }

  /// The files with the first kind of content that is there, sorted by path, and that kind.
  /// Keypoints are read beside instances if their split has none.
  private static func chosen(
    of candidates: [COCOCandidate], as wanted: DatasetFormat
  ) -> (taken: [COCOCandidate], kind: COCOContent?) {
    let possible = candidates.filter {
      $0.isLVIS == (wanted == .lvis) && ($0.content == .labels) == (wanted == .cocoLabels)
    }
    let contents = Set(possible.map(\.content))
    let kind = COCOContent.allCases.first { $0 != .results && contents.contains($0) }
    let splits = Set(
      possible.filter { $0.content == .instances }.map { split(of: $0.file.path) })
    let taken = possible.filter { candidate in
      let isBeside = candidate.content == .keypoints && kind == .instances
      return candidate.content == kind
        || (isBeside && !splits.contains(split(of: candidate.file.path)))
    }
    return (
      taken.sorted { $0.file.path.utf8.lexicographicallyPrecedes($1.file.path.utf8) }, kind
    )
  }

  /// The reason why a file is not read, and the command that imports it, one clause without a
  /// subject.
  private static func reason(
    _ candidate: COCOCandidate, _ wanted: DatasetFormat, _ kind: COCOContent?, isAlone: Bool
  ) -> String {
    let path = candidate.file.path
    let command =
      isAlone
      ? "assay import PATH without :\(wanted.rawValue)"
      : "assay import \(ShellText.below(path)) --images PATH"
    if candidate.isLVIS, wanted != .lvis {
      return "is LVIS, which is imported as a dataset of its own: assay import PATH:lvis"
    }
    if !candidate.isLVIS, wanted == .lvis {
      return "is not LVIS; the COCO files are a dataset of their own: assay import PATH:coco"
    }
    let what = "holds \(candidate.content.name)"
    if candidate.content == .results {
      return "\(what), which are imported with assay predictions import"
    }
    if candidate.content == .keypoints, kind == .instances, wanted == .coco {
      return
        "\(what), and the instances of its split are imported instead; to import it: \(command)"
    }
    guard let kind else {
      return "\(what), which \(wanted.rawValue) does not read; import it: \(command)"
    }
    return "\(what), and an import reads one kind of annotations, here \(kind.name); to import it: "
      + command
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

  /// The parts of file names before the split.
  private static let prefixes = [
    "instances_", "person_keypoints_", "stuff_", "panoptic_", "captions_", "image_info_",
    "lvis_v1_image_info_", "lvis_v1_", "lvis_v0.5_",
  ]

  /// `instances_val2017.json` → `val2017`; `train/_annotations.coco.json` → `train`; `nil` if
  /// neither the name nor the folder indicates a split.
  static func split(of path: String) -> String? {
    let name = fileName(of: path)
    let stem = name.hasSuffix(ignoringCase: ".json") ? String(name.dropLast(5)) : name
    for prefix in prefixes where stem.hasPrefix(prefix) {
      let rest = String(stem.dropFirst(prefix.count))
      // `instances_default.json`, `instances_v1.json` and `panoptic_2018.json` of a set without splits, or of one.
      if !rest.isEmpty { return isSplit(rest) ? rest : folderSplit(of: path) ?? rest }
    }
    if isSplit(stem) { return stem }
    if let last = stem.split(whereSeparator: { "_-.".contains($0) }).last, last.count < stem.count,
      isSplit(String(last))
    {
      return String(last)
    }
    let words = stem.split { "_-.".contains($0) }.map(String.init)
    if words.count > 1, let first = words.first, isSplit(first) { return first }
    let between = words.dropFirst().dropLast().filter(isSplit)
    if between.count == 1 { return between[0] }
    guard let folder = folder(of: path).last else { return nil }
    return isLayoutFolder(folder) ? folderSplit(of: path) : folder
  }

  /// The split of a file, which is its whole name if a folder has it: `train_mini` for `train_mini.json`
  /// beside `train_mini/`.
  private static func split(of path: String, folders: Set<Substring>) -> String? {
    let split = split(of: path)
    let name = fileName(of: path)
    guard let split, name.hasSuffix(ignoringCase: ".json") else { return split }
    let stem = name.dropLast(5)
    return stem.hasPrefix(split) && folders.contains(stem) ? String(stem) : split
  }

  /// The one folder above a file that is called like a split: `train` for `train/annotations/instances.json` and
  /// `train/v1.2/panoptic/panoptic_2018.json`; `nil` if there is none, or several.
  private static func folderSplit(of path: String) -> String? {
    let splits = folder(of: path).filter(isSplit)
    return splits.count == 1 ? splits[0] : nil
  }

  /// Returns whether a folder of this name only contains a part of a dataset.
  static func isLayoutFolder(_ name: some StringProtocol) -> Bool {
    ["annotations", "images", "labels", "data", "coco"].contains(name.lowercased())
  }

  /// True if a name is that of a split, ignoring a trailing year (`val2017`).
  private static func isSplit(_ name: String) -> Bool {
    var stem = name[...]
    while let last = stem.last, last.isNumber { stem.removeLast() }
    return SplitName.isKnown(name) || SplitName.isKnown(String(stem))
  }

  /// The folders beside which the folders of a split's images usually are, for a file in a folder: this one
  /// and the one above, and for a folder of the split the next one, too, so that `images/valid` is found
  /// for `annotations/valid/x.json`.
  static func levels(above here: [String], split: String?) -> [[String]] {
    guard let last = here.last else { return [[]] }
    let above = Array(here.dropLast())
    return [above, here] + (last == split && !above.isEmpty ? [above.dropLast()] : [])
  }

  /// The usual folders of images in the layouts of COCO, MMDetection, Roboflow and similar ones.
  private static func folders(
    for path: String, split: String?, isApart: Bool
  ) -> [String] {
    let here = isApart ? [] : folder(of: path)
    let levels = here.isEmpty ? [here] : [Array(here.dropLast()), here]
    var found: [[String]] = []
    if let split {
      let levels = self.levels(above: here, split: split)
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
