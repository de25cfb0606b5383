import AssayCore

/// Masks of a dataset in an image format that assay does not read, such as Carvana's
/// `train_masks/x_mask.gif` of `train/x.jpg`.
enum UnreadMasks {
  private static let suffixes = [".gif", ".jp2"]

  /// Returns whether a file is called like an image of a format that assay does not read.
  static func isImageName(_ path: String) -> Bool {
    suffixes.contains { path.hasSuffix(ignoringCase: $0) }
  }

  /// The finding that names them and the command that converts them; `nil` if there are none.
  ///
  /// A file counts if it is in a folder of masks, or its name ends like a mask's, and there is an image
  /// with its stem.
  static func finding(_ files: [SourceFile], images: [String]) -> String? {
    let others = files.filter { isImageName($0.path) }
    guard !others.isEmpty else { return nil }
    var stems: Set<String> = []
    var folders: Set<String> = []
    for path in images {
      let place = PairPath(path)
      stems.insert(place.stem)
      folders.insert(place.folder)
    }
    var found: [String: (count: Int, first: String)] = [:]
    for file in others {
      let place = PairPath(file.path)
      let names = PairPath.imageStems(ofMask: place.stem)
      let isInMasks =
        switch place.role {
        case .mask: true
        case .maskOf(let folder, _): folders.contains(folder)
        case .image: false
        }
      guard (isInMasks ? names[...] : names.dropFirst()).contains(where: stems.contains),
        let suffix = suffixes.first(where: { file.path.hasSuffix(ignoringCase: $0) })
      else { continue }
      found[suffix, default: (0, file.path)].count += 1
    }
    guard let (suffix, (count, first)) = found.max(by: { $0.value.count < $1.value.count }) else {
      return nil
    }
    let folder = first.split(separator: "/").dropLast().joined(separator: "/")
    let pattern = ShellText.below(folder.isEmpty ? "" : folder + "/") + "*" + suffix
    return
      "\(Counted.text(count, "\(suffix) file looks like a mask", "\(suffix) files look like masks")) "
      + "(\(first)), a format that is not read; convert them in each folder (ImageMagick: mogrify "
      + "-format png \(pattern)) and take the \(suffix) files away"
  }
}
