import AssayCore

/// The folders of BDD100K: `labels/SET/…` with JSON files, `images/100k/SPLIT/…` with the images.
enum BDD100KLayout {
  private static let labels = "labels"

  /// The folders of the images that a file labels, relative to the root; empty if the file is not
  /// below a folder `labels`.
  static func imageFolders(of file: String) -> [String] {
    guard let (above, below) = parts(of: file) else { return [] }
    let words = below.joined(separator: "_").split { "_-./".contains($0) }.map { $0.lowercased() }
    let split = words.last { ["train", "val", "test"].contains($0) }
    let sets: [String]
    if words.contains("track") {
      sets = words.contains("seg") ? ["seg_track_20", "track"] : ["track"]
    } else {
      sets = words.contains("seg") ? ["10k", "100k"] : ["100k", "10k"]
    }
    let images = (above + ["images"]).joined(separator: "/")
    return sets.map { set in
      split.map { "\(images)/\(set)/\($0)" } ?? "\(images)/\(set)"
    }
  }

  /// The folders above and below the last folder `labels` of a file, and the file's name; `nil` if
  /// there is no such folder.
  private static func parts(of file: String) -> (above: [String], below: [String])? {
    let parts = file.split(separator: "/").map(String.init)
    guard let place = parts.dropLast().lastIndex(where: { $0.lowercased() == labels }) else {
      return nil
    }
    return (Array(parts[..<place]), Array(parts[(place + 1)...]))
  }

  /// The parts of a dataset that an import would lose or count twice: masks, and several sets of
  /// labels.
  static func findings(_ format: BDD100KJSON, in tree: any SourceTree) throws -> [String] {
    var masks = (count: 0, first: "")
    var sets: [String: SourceFile] = [:]
    let bitmasks = try BDD100KBitmaskLayout.files(tree)
    let known = Set(bitmasks.map(\.path))
    for file in try tree.files() where !known.contains(file.path) {
      guard let (above, below) = parts(of: file.path) else { continue }
      if PairPath.isImageName(file.path) {
        masks = (masks.count + 1, masks.count == 0 ? file.path : masks.first)
      } else if JSONImageFiles.isNamed(file.path) {
        let folders = below.dropLast().filter { !FolderLayout.isSplit($0) }
        let set = (above + [labels] + folders).joined(separator: "/")
        if sets[set] == nil { sets[set] = file }
      }
    }
    let own = sets.filter { _, file in
      JSONSample(tree, file).flatMap { format.layout(of: $0) } != nil
    }
    var found: [String] = []
    if let first = BDD100KBitmaskLayout.example(bitmasks, in: tree) {
      let folder = bitmaskFolder(of: first.path)
      found.append(
        "\(bitmasks.count) \(bitmasks.count == 1 ? "bitmask" : "bitmasks") (\(first.path)"
          + "\(bitmasks.count == 1 ? "" : ", …")) can describe the same objects as the JSON files: "
          + "import them alone with PATH/\(folder) --images PATH")
    }
    if masks.count > 0 {
      let semantic = try BDD100KMasks.files(tree).first.map { BDD100KMasks.folder(of: $0.path) }
      found.append(
        "\(masks.count) \(masks.count == 1 ? "image" : "images") in labels/ look like masks "
          + "(\(masks.first)\(masks.count == 1 ? "" : ", …")), which bdd100k does not read; its JSON "
          + "files of polygons and run lengths have the same regions"
          + (semantic.map { "; to import those of classes alone: PATH/\($0):bdd100k --images PATH" }
            ?? ""))
    }
    if own.count > 1 {
      let names = own.keys.sorted(by: SortedFiles.precedes)
      found.append(
        "\(names.prefix(8).joined(separator: ", "))\(names.count > 8 ? ", …" : "") are "
          + "\(own.count) sets of labels, which can describe the same objects: import one, such as "
          + "PATH/\(names[0]) --images PATH")
    }
    return found
  }

  /// The folder `bitmasks` of a path; empty if that is the root.
  private static func bitmaskFolder(of path: String) -> String {
    let parts = path.split(separator: "/").dropLast()
    guard let end = parts.lastIndex(where: { $0.lowercased() == "bitmasks" }) else { return "" }
    return parts[...end].joined(separator: "/")
  }

  /// The parts of a dataset that an import of its masks of semantic segmentation would lose.
  static func maskCompanions(in tree: any SourceTree) throws -> Companions? {
    let files = try tree.files()
    let masks = Set(try BDD100KMasks.files(tree).map(\.path))
    guard !masks.isEmpty else { return nil }
    // Color maps show the same classes.
    let others = files.filter { file in
      let above = file.path.split(separator: "/").dropLast().map { $0.lowercased() }
      return PairPath.isImageName(file.path) && !masks.contains(file.path)
        && above.contains { ["labels", "masks"].contains($0) } && !above.contains("colormaps")
    }
    let signs = others.first.map { first in
      "\(others.count) \(others.count == 1 ? "image looks" : "images look") like other masks "
        + "(\(first.path)\(others.count == 1 ? "" : ", …")), which are not read with those of semantic "
        + "segmentation; to import these alone: PATH/labels/sem_seg --images PATH"
    }
    return try Companions(
      Companions.candidates(files), in: tree, signs: [signs].compactMap(\.self), isKnownOnly: true)
  }

  /// The parts of a dataset that an import of its bitmasks would lose or count twice.
  static func bitmaskCompanions(in tree: any SourceTree) throws -> Companions? {
    let files = try tree.files()
    let bitmasks = Set(try BDD100KBitmaskLayout.files(tree).map(\.path))
    guard !bitmasks.isEmpty else { return nil }
    var signs: [String] = []
    let folders = Set(bitmasks.map(bitmaskFolder)).sorted(by: SortedFiles.precedes)
    if folders.count > 1 {
      signs.append(
        "\(folders.prefix(8).joined(separator: ", "))\(folders.count > 8 ? ", …" : "") are "
          + "\(folders.count) sets of bitmasks, which can describe the same objects: import one, such as "
          + "PATH/\(folders[0]) --images PATH")
    }
    // Color maps show the same objects.
    let others = files.filter { file in
      let above = file.path.split(separator: "/").dropLast().map { $0.lowercased() }
      return PairPath.isImageName(file.path) && !bitmasks.contains(file.path)
        && above.contains { ["labels", "masks"].contains($0) } && !above.contains("colormaps")
    }
    if let first = others.first {
      signs.append(
        "\(others.count) \(others.count == 1 ? "image looks" : "images look") like masks "
          + "(\(first.path)\(others.count == 1 ? "" : ", …")), which are not read with bitmasks")
    }
    return try Companions(
      Companions.candidates(files), in: tree, signs: signs, isKnownOnly: true)
  }
}
