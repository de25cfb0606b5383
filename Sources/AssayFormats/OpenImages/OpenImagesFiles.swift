import AssayCore

/// The images and masks of a source, found by their names without suffix.
struct OpenImagesFiles: Sendable {
  let files: SortedFiles
  /// The indices of the images, by path.
  let images: [Int32]
  /// The places in ``images``, sorted by the names of the images.
  private let byName: [Int32]
  /// The indices of the masks, sorted by their names.
  private let masks: [Int32]
  /// The number of images with the name of another one, and the path of the first.
  let repeated: (count: Int, first: String)?

  init(_ files: [SourceFile]) {
    let files = SortedFiles(files)
    self.files = files
    var images: [Int32] = []
    var masks: [Int32] = []
    for index in 0..<files.count where PairPath.isImageName(files[index]) {
      if Self.isMask(files[index]) {
        masks.append(Int32(index))
      } else {
        images.append(Int32(index))
      }
    }
    self.images = images
    func isBefore(_ a: Int32, _ b: Int32) -> Bool {
      let (first, second) = (
        SortedFiles.stem(of: files[Int(a)]).utf8, SortedFiles.stem(of: files[Int(b)]).utf8
      )
      return first.elementsEqual(second) ? a < b : first.lexicographicallyPrecedes(second)
    }
    byName = images.indices.map { Int32($0) }.sorted { isBefore(images[Int($0)], images[Int($1)]) }
    self.masks = masks.sorted(by: isBefore)
    var repeated: (count: Int, first: String)?
    for (a, b) in zip(byName, byName.dropFirst()) {
      let (first, second) = (files[Int(images[Int(a)])], files[Int(images[Int(b)])])
      guard SortedFiles.stem(of: first) == SortedFiles.stem(of: second) else { continue }
      repeated = ((repeated?.count ?? 0) + 1, repeated?.first ?? second)
    }
    self.repeated = repeated
  }

  /// Returns whether an image is in a folder of masks.
  private static func isMask(_ path: String) -> Bool {
    path.hasSuffix(".png")
      && path.split(separator: "/").dropLast().contains { $0.lowercased().contains("mask") }
  }

  /// The path of an image.
  func path(_ image: Int32) -> String { files[Int(images[Int(image)])] }

  /// The number of an image with a name: the one in a folder of the split, else the first; -1 if
  /// there is none.
  ///
  /// - Complexity: O(log *n*) for *n* images.
  func image(named name: UnsafeRawBufferPointer, split: String?) -> Int32 {
    var place = Self.lowerBound(byName.count) { place in
      Self.compare(SortedFiles.stem(of: path(byName[place])), name) < 0
    }
    var found: Int32 = -1
    while place < byName.count, Self.compare(SortedFiles.stem(of: path(byName[place])), name) == 0 {
      let image = byName[place]
      if found < 0 { found = image }
      guard let split else { break }
      let folders = path(image).split(separator: "/").dropLast()
      if folders.contains(where: { SplitName.match(String($0), split) }) { return image }
      place += 1
    }
    return found
  }

  /// The path of a mask by the name of its file, with suffix; `nil` if there is none.
  func mask(_ name: String) -> String? {
    let last = name.split(separator: "/").last.map(String.init) ?? name
    let stem = Array(SortedFiles.stem(of: last).utf8)
    return stem.withUnsafeBytes { stem in
      let place = Self.lowerBound(masks.count) { place in
        Self.compare(SortedFiles.stem(of: files[Int(masks[place])]), stem) < 0
      }
      guard place < masks.count else { return nil }
      let path = files[Int(masks[place])]
      return Self.compare(SortedFiles.stem(of: path), stem) == 0 ? path : nil
    }
  }

  private static func lowerBound(_ count: Int, _ isBelow: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBelow(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Below, at or above 0 if the bytes of a text come before, are equal to or come after others.
  private static func compare(_ text: Substring, _ bytes: UnsafeRawBufferPointer) -> Int {
    var place = 0
    for byte in text.utf8 {
      guard place < bytes.count else { return 1 }
      if byte != bytes[place] { return byte < bytes[place] ? -1 : 1 }
      place += 1
    }
    return place < bytes.count ? -1 : 0
  }
}
