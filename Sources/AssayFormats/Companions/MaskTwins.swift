import AssayCore

/// Masks beside their images that would be imported as images: `1.png` of `1.jpg`, `1_matte.png`,
/// `1.mask.png`.
enum MaskTwins {
  /// The number of endings of a mask's name that are tried: `_bin_mask` has two.
  private static let endings = 2
  /// The number of pairs that are looked for.
  private static let sought = 16

  /// The masks and how to import them, one line; `nil` if no PNG is called like a JPEG beside it, or
  /// these are no masks.
  static func finding(_ paths: [String], in tree: any SourceTree) -> String? {
    let pictures = paths.filter { $0.hasSuffix(ignoringCase: ".png") }
    guard !pictures.isEmpty, pictures.count < paths.count else { return nil }
    var photos: [String: String] = [:]
    for path in paths where !path.hasSuffix(ignoringCase: ".png") {
      photos[stem(path)] = path
    }
    var pairs: [(mask: String, image: String)] = []
    var count = 0
    for path in pictures {
      guard let image = image(of: path, photos) else { continue }
      count += 1
      if pairs.count < sought { pairs.append((path, image)) }
    }
    guard let first = pairs.first, MaskFolders.areMasks(pairs, in: tree) else { return nil }
    return "\(count) PNG \(count == 1 ? "file looks like a mask" : "files look like masks") of the "
      + "\(count == 1 ? "image" : "images") beside \(count == 1 ? "it" : "them") (\(first.mask) of "
      + "\(first.image): the same size, few colors); to import masks, call them x_mask.png or put them "
      + "into a folder masks beside images, and import PATH:masks"
  }

  private static func stem(_ path: String) -> String {
    SortedFiles.join(SortedFiles.folder(of: path), SortedFiles.stem(of: path))
  }

  /// The JPEG whose name a PNG has, up to an ending.
  private static func image(of path: String, _ photos: [String: String]) -> String? {
    var name = stem(path)
    if let image = photos[name] { return image }
    for _ in 0..<endings {
      guard let place = name.lastIndex(where: { "_.-".contains($0) || $0 == "/" }),
        name[place] != "/"
      else { return nil }
      name = String(name[..<place])
      if let image = photos[name] { return image }
    }
    return nil
  }
}
