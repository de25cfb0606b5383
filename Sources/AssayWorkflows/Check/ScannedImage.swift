import AssayCore
import AssayImaging
import AssayStore

/// The facts about one image that a check keeps in memory.
struct ScannedImage: Sendable {
  /// The reason why it cannot be read; `nil` if it can.
  var problem: String?
  /// The size as displayed, and as stored.
  var size: ImageSize?
  var storedSize: ImageSize?
  /// The first 16 bytes of the hash of its bytes, as ``SampleContentHash`` computes it.
  var hash: ImageHash?
  /// False for a file without its end marker, which other programs may refuse.
  var hasEnd = true
  /// True if decoding keeps all that the file stores; false with 16 bits or alpha. Only such images
  /// can have the same pixels in different files.
  var isDecodedWhole = true
  /// The hash of its thumbnail.
  var thumbnailHash: UInt64 = 0
  var appearance: ImageAppearance?
}

/// Half of a SHA-256.
struct ImageHash: Hashable, Comparable, Sendable {
  var high: UInt64
  var low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  init(_ content: ContentHash) {
    let digest = content.digest()
    high = digest[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
    low = digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
  }

  static func < (a: Self, b: Self) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

/// All images of a check, in the order of the samples.
struct ScannedImages: Sendable {
  var images: [ScannedImage] = []
  /// ``Fingerprint/count`` numbers per image, 0 for none.
  var fingerprints: [Float] = []
  let thumbnails: ThumbnailFile

  init(thumbnails: ThumbnailFile) { self.thumbnails = thumbnails }

  func hasFingerprint(_ place: Int) -> Bool {
    let start = place * Fingerprint.count
    return fingerprints[start..<start + Fingerprint.count].contains { $0 != 0 }
  }
}
