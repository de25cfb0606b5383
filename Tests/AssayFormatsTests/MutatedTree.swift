import AssayCore
import AssayFormats
import AssayImaging

/// Trees of fixtures with some bytes changed, for tests that damaged data are imported in part or
/// refused.
struct MutatedTree {
  /// The files of each fixture.
  let seeds: [[(path: String, bytes: [UInt8])]]
  /// Texts that have a meaning in some place of a file.
  let words: [[UInt8]]
  private var random: SplitMix64

  /// Texts that are odd in every format.
  private static let odd = [
    "nan", "inf", "-1", "1e999", "..", "../", "/", "\\", "C:\\", "\"", "'", "#", "\r", "\n",
    "\u{FEFF}", "99999999999999999999", " ", "\t", ",", "\u{0}", "\u{2028}", "{", "]", ":",
  ]

  init(fixtures: [String], words: [String], seed: UInt64) {
    seeds = fixtures.map { name in
      let tree = FileTree(fixture: name)
      let files = (try? tree.files()) ?? []
      return files.map { ($0.path, (try? tree.readAll($0.path, limit: 1 << 20)) ?? []) }
    }
    self.words = (words + Self.odd).map { Array($0.utf8) }
    random = SplitMix64(seed: seed)
  }

  private mutating func mutate(_ bytes: inout [UInt8]) {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      // The beginning of a file has more meaning than the rest.
      let reach = Bool.random(using: &random) ? min(bytes.count, 64) : bytes.count
      let place = Int.random(in: 0...reach, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...20, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
      case 1:
        if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 4: bytes.removeSubrange(place...)
      default:
        bytes.insert(contentsOf: words[Int.random(in: 0..<words.count, using: &random)], at: place)
      }
    }
  }

  /// The tree of a round, with one file changed; `nil` if its image is too large for a test.
  mutating func next(_ round: Int) -> MemoryTree? {
    var files = seeds[round % seeds.count]
    guard !files.isEmpty else { return nil }
    let isImage = { (path: String) in
      [".png", ".jpg", ".jpeg", ".JPEG"].contains { path.hasSuffix($0) }
    }
    let places = files.indices.filter { round % 8 == 0 || !isImage(files[$0].path) }
    guard !places.isEmpty else { return nil }
    let place = places[Int.random(in: 0..<places.count, using: &random)]
    if round % 16 == 1 {
      files[place].path += [".txt", "x", ".png", ".gz"][Int.random(in: 0..<4, using: &random)]
    } else {
      mutate(&files[place].bytes)
    }
    if let size = try? ImageCodec.header(of: files[place].bytes).size, size.area > 1 << 20 {
      return nil
    }
    return MemoryTree(
      folder: Dictionary(
        files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first }))
  }
}
