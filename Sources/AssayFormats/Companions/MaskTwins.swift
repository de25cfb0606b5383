import AssayCore

/// Masks beside their images that would be imported as images: `1.png` of `1.jpg`, `1_matte.png`,
/// `1.mask.png`.
enum MaskTwins {
  /// The number of endings of a mask's name that are tried: `_bin_mask` has two.
  private static let endings = 2
  /// The number of pairs that are looked for.
  private static let sought = 16

  /// The masks and how to import them, one line; `nil` if no image that can be a mask is called like one
  /// of another format beside it, or these are no masks.
  static func finding(_ paths: [String], in tree: any SourceTree) -> String? {
    let pictures = paths.filter(ImageName.isMask)
    guard let first = paths.first, !pictures.isEmpty,
      paths.contains(where: { !$0.hasSuffix(ignoringCase: ImageName.suffix(first)) })
    else { return nil }
    var photos: [String: [String]] = [:]
    for path in paths { photos[stem(path), default: []].append(path) }
    // Either of two images can be the other's mask: which one is, they show.
    var found: [String: (count: Int, pairs: [(mask: String, image: String)])] = [:]
    for path in pictures {
      guard let image = image(of: path, photos) else { continue }
      let suffix = ImageName.suffix(path)
      found[suffix, default: (0, [])].count += 1
      if found[suffix, default: (0, [])].pairs.count < sought {
        found[suffix]?.pairs.append((path, image))
      }
    }
    let masks = found.sorted { $0.key < $1.key }.first {
      MaskFolders.areMasks($0.value.pairs, in: tree)
    }
    guard let (suffix, (count, pairs)) = masks, let first = pairs.first else { return nil }
    return
      "\(count) \(suffix) \(count == 1 ? "file looks like a mask" : "files look like masks") of the "
      + "\(count == 1 ? "image" : "images") beside \(count == 1 ? "it" : "them") (\(first.mask) of "
      + "\(first.image): the same size, few colors); to import masks, call them x_mask\(suffix) or put them "
      + "into a folder masks beside images, and import PATH:masks"
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
