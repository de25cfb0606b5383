/// Folders that hold images of the same scenes, such as color and depth, and are no classes.
enum SceneFolders {
  /// Words of the names of such folders: sensors, sides, conditions, and what a model gets and gives.
  private static let words: Set<String> = [
    "rgb", "color", "colour", "gray", "grey", "depth", "disparity", "disp", "flow", "normal",
    "normals", "nir", "ir", "infrared", "thermal", "visible", "vis", "sar", "optical", "pan",
    "multispectral", "hyperspectral", "left", "right", "before", "after", "pre", "post", "low",
    "high", "noisy", "clean", "noise", "blur", "blurred", "blurry", "sharp", "rain", "rainy",
    "norain", "hazy", "haze", "clear", "degraded", "restored", "input", "output", "target",
    "source", "gt", "truth", "reference", "ref", "image", "images", "img", "imgs", "photo",
    "photos", "map", "maps", "mask", "masks", "label", "labels", "edge", "edges", "sketch",
    "contour", "fg", "bg", "foreground", "background", "alpha", "matte", "trimap", "hr", "lr",
    "original", "originals", "raw",
  ]

  /// The finding that folders are no classes: all are called like views of scenes, and hold the same file names; `nil`
  /// if they are not or do not.
  ///
  /// - Parameter classes: the names of the folders, 2 to 6.
  static func finding(_ layout: FolderLayout, _ paths: [String], classes: [String]) -> String? {
    guard (2...6).contains(classes.count), classes.allSatisfy(isView) else { return nil }
    var names: [String: Set<String>] = [:]
    for path in paths {
      let place = layout.place(of: path)
      guard let name = place.category else { return nil }
      names[name, default: []].insert((place.split ?? "") + "/" + SortedFiles.stem(of: path))
    }
    guard let first = names[classes[0]], !first.isEmpty,
      classes.allSatisfy({ names[$0] == first })
    else { return nil }
    return
      "the folders \(classes.joined(separator: ", ")) hold images of the same names and are called like views of the same "
      + "scenes, so they are no classes; import one of them: assay import \(ShellText.below(classes[0])); if they "
      + "are classes, name the format: PATH:image-folder --ignore-companions"
  }

  /// Returns whether a name has nothing but such words and numbers, and not numbers alone, which are classes.
  private static func isView(_ name: String) -> Bool {
    let parts = name.lowercased().split { !$0.isLetter && !$0.isNumber }
    let stems = parts.map { part in part.prefix { !$0.isNumber } }
    return zip(parts, stems).allSatisfy { part, stem in
      stem.isEmpty || words.contains(String(part)) || words.contains(String(stem))
    } && stems.contains { !$0.isEmpty }
  }
}
