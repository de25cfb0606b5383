import AssayCore

/// Masks beside their images that would be imported as images: `1.png` of `1.jpg`, `1_matte.png`,
/// `1.mask.png`, and `1_mask.png` of `1_sat.jpg`.
enum MaskTwins {
  /// The number of endings of a mask's name that are tried: `_bin_mask` has two.
  private static let endings = 2
  /// The number of pairs that are looked for.
  private static let sought = 16

  /// The masks and how to import them, one line; `nil` if no image that can be a mask is called like one
  /// of another format beside it, or these are no masks.
  static func finding(_ paths: [String], in tree: any SourceTree) -> String? {
    guard let (suffix, pairs) = pairs(paths, in: tree), let first = pairs.first else { return nil }
    let isOne = pairs.count == 1
    return
      "\(pairs.count) \(suffix) \(isOne ? "file looks like a mask" : "files look like masks") of the "
      + "\(isOne ? "image" : "images") beside \(isOne ? "it" : "them") (\(first.mask) of "
      + "\(first.image): the same size, few colors); to import masks, call them x_mask\(suffix) or put them "
      + "into a folder masks beside images, and import PATH:masks"
  }

  /// The masks with their images, and the suffix of the masks; `nil` for none.
  static func pairs(
    _ paths: [String], in tree: any SourceTree
  ) -> (suffix: String, pairs: [(mask: String, image: String)])? {
    let pictures = paths.filter(ImageName.isMask)
    guard let first = paths.first, !pictures.isEmpty,
      paths.contains(where: { !$0.hasSuffix(ignoringCase: ImageName.suffix(first)) })
    else { return nil }
    var photos: [String: [String]] = [:]
    for path in paths {
      let stem = stem(path)
      photos[stem, default: []].append(path)
      // DeepGlobe's `1_mask.png` belongs to `1_sat.jpg`.
      if let end = stem.lastIndex(of: "_"), PairPath.imageStems(ofMask: stem).count == 1 {
        photos[String(stem[..<end]) + "_*", default: []].append(path)
      }
    }
    // Either of two images can be the other's mask: which one is, they show.
    var found: [String: [(mask: String, image: String)]] = [:]
    for path in pictures {
      guard let image = image(of: path, photos) else { continue }
      found[ImageName.suffix(path), default: []].append((path, image))
    }
    return found.sorted { $0.key < $1.key }.first {
      MaskFolders.areMasks(Array($0.value.prefix(sought)), in: tree)
    }.map { ($0.key, $0.value) }
  }

  private static func stem(_ path: String) -> String {
    SortedFiles.join(SortedFiles.folder(of: path), SortedFiles.stem(of: path))
  }

  /// The image of another format whose name a file has, up to an ending.
  private static func image(of path: String, _ photos: [String: [String]]) -> String? {
    let suffix = ImageName.suffix(path)
    func other(_ name: String) -> String? {
      photos[name]?.first { ImageName.suffix($0) != suffix }
    }
    var name = stem(path)
    if let image = other(name) { return image }
    if let base = PairPath.imageStems(ofMask: name).dropFirst().first,
      let image = other(base + "_*")
    {
      return image
    }
    for _ in 0..<endings {
      guard let place = name.lastIndex(where: { "_.-".contains($0) || $0 == "/" }),
        name[place] != "/"
      else { return nil }
      name = String(name[..<place])
      if let image = other(name) { return image }
    }
    return nil
  }
}
