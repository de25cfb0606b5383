import AssayCore
import AssayImaging

/// Two sibling folders, one with images and one with their masks: `imgs/` and `masks2/`. Folders
/// with known names (`images/`, `masks/`) are found by ``MaskPairing``.
struct MaskFolders: Hashable {
  /// The name of the folder of images.
  var images: String
  /// The name of the folder of masks.
  var masks: String

  /// The maximum number of folders that are compared with each other.
  private static let folderLimit = 8
  /// The number of files per folder whose partner is looked up, and of pairs that are decoded.
  private static let sought = 16
  private static let decoded = 6
  /// The maximum number of different colors in a mask; a photograph has more.
  private static let colorLimit = 64
  private static let fileLimit = 64 << 20

  /// Compares the folders that would be classes: each of some files in one has a file with the same
  /// name and size in the other, and has few colors while the other has many. `nil` if no two
  /// folders match.
  ///
  /// - Parameter paths: the paths of the images, sorted by their bytes.
  init?(_ layout: FolderLayout, _ paths: [String], in tree: any SourceTree) {
    guard layout.repeated.isEmpty else { return nil }
    var classes: [String: [String]] = [:]
    var places = FolderPlaces(layout)
    // The paths of a folder follow each other.
    var start = 0
    while start < paths.count {
      let folder = paths[start].folderPath
      var end = start + 1
      while end < paths.count, paths[end].isDirectly(in: folder) { end += 1 }
      if let category = places.place(of: paths[start]).category {
        classes[category, default: []] += paths[start..<end]
        if classes.count > Self.folderLimit { return nil }
      }
      start = end
    }
    guard classes.count > 1 else { return nil }
    let depth = layout.splits == .outer ? 1 : 0
    for masks in classes.keys.sorted() {
      for images in classes.keys.sorted() where images != masks {
        let pairs = Self.pairs(classes[masks] ?? [], images, depth, among: paths)
        guard Self.areMasks(pairs, in: tree) else { continue }
        (self.images, self.masks) = (images, masks)
        return
      }
    }
    return nil
  }

  /// The kind of the folders and how to import them, one line.
  var finding: String {
    "the folder \(masks) holds masks of the images in \(images) (the same names and sizes, few colors), "
      + "so neither is a class; to import the masks, rename the folders to images and masks and import "
      + "PATH:masks"
  }

  /// Some files with the partner of the same name in another folder; empty if fewer than nine in
  /// ten have one.
  ///
  /// - Parameter paths: all images, sorted by their bytes.
  private static func pairs(
    _ files: [String], _ folder: String, _ depth: Int, among paths: [String]
  ) -> [(mask: String, image: String)] {
    let some = stride(from: 0, to: files.count, by: max(1, files.count / sought)).map { files[$0] }
    let pairs = some.compactMap { file -> (mask: String, image: String)? in
      var parts = file.split(separator: "/").map(String.init)
      guard parts.indices.contains(depth), let name = parts.popLast() else { return nil }
      parts[depth] = folder
      let above = parts.joined(separator: "/") + "/"
      for stem in PairPath.imageStems(ofMask: PairPath.stem(of: name)) {
        for suffix in ImageName.suffixes where contains(above + stem + suffix, in: paths) {
          return (file, above + stem + suffix)
        }
      }
      return nil
    }
    return 10 * pairs.count >= 9 * some.count ? pairs : []
  }

  private static func contains(_ path: String, in paths: [String]) -> Bool {
    var (low, high) = (0, paths.count)
    while low < high {
      let middle = (low + high) / 2
      if paths[middle].utf8.lexicographicallyPrecedes(path.utf8) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low < paths.count && paths[low] == path
  }

  /// Returns whether the first masks of some pairs have the sizes of their images and few colors, and the
  /// images many.
  static func areMasks(
    _ pairs: [(mask: String, image: String)], in tree: any SourceTree
  ) -> Bool {
    guard !pairs.isEmpty else { return false }
    return pairs.prefix(decoded).allSatisfy { pair in
      guard let mask = picture(pair.mask, in: tree), !mask.isLossy,
        let image = picture(pair.image, in: tree)
      else { return false }
      return mask.size == image.size && !mask.hasManyColors && image.hasManyColors
    }
  }

  private static func picture(
    _ path: String, in tree: any SourceTree
  ) -> (isLossy: Bool, size: ImageSize, hasManyColors: Bool)? {
    guard let bytes = try? tree.readAll(path, limit: fileLimit),
      let header = try? ImageCodec.header(of: bytes),
      let raster = try? ImageCodec.decode(bytes, as: .rgb8)
    else { return nil }
    var colors: Set<UInt32> = []
    for pixel in 0..<raster.width * raster.height where colors.count <= colorLimit {
      colors.insert(
        raster.elements[3 * pixel..<3 * pixel + 3].reduce(0) { $0 << 8 | UInt32($1) })
    }
    return (header.isLossy, header.orientedSize, colors.count > colorLimit)
  }
}
