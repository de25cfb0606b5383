import AssayCore
import AssayImaging

/// One image with what does not stay in memory during a check, and its form in a part.
struct ScannedRecord: Sendable {
  var image: ScannedImage
  var thumbnail: Thumbnail?
  var fingerprint: Fingerprint?

  init(image: ScannedImage, thumbnail: Thumbnail? = nil) {
    self.image = image
    self.thumbnail = thumbnail
    fingerprint = thumbnail.flatMap { Fingerprint($0) }
  }

  /// The record in a part. The fingerprint is computed from the thumbnail again.
  var bytes: [UInt8] {
    var coder = ByteEncoder()
    coder.append(image.problem) { $0.append($1) }
    for size in [image.size, image.storedSize] {
      coder.append(size) { $0.append($1) }
    }
    coder.append(image.hash) { coder, hash in
      coder.append(hash.high)
      coder.append(hash.low)
    }
    coder.append(image.hasEnd)
    coder.append(image.isDecodedWhole)
    coder.append(image.appearance) { coder, appearance in
      coder.append(Int(appearance.low))
      coder.append(Int(appearance.high))
      coder.append(appearance.entropy) { $0.append($1) }
      coder.append(appearance.sharpness) { $0.append($1) }
    }
    coder.append(thumbnail) { $0.append($1.bytes) }
    return coder.bytes
  }

  /// Reads ``bytes``.
  ///
  /// - Throws: `DamagedRecord`.
  init(_ record: inout ByteDecoder) throws(DamagedRecord) {
    var image = ScannedImage(
      problem: try record.optional { coder throws(DamagedRecord) in try coder.text() })
    image.size = try record.optional { coder throws(DamagedRecord) in try coder.size() }
    image.storedSize = try record.optional { coder throws(DamagedRecord) in try coder.size() }
    image.hash = try record.optional { coder throws(DamagedRecord) in
      ImageHash(high: try coder.bits(), low: try coder.bits())
    }
    image.hasEnd = try record.bool()
    image.isDecodedWhole = try record.bool()
    image.appearance = try record.optional { coder throws(DamagedRecord) in
      guard let low = UInt8(exactly: try coder.count()),
        let high = UInt8(exactly: try coder.count())
      else { throw DamagedRecord() }
      return ImageAppearance(
        low: low, high: high,
        entropy: try coder.optional { coder throws(DamagedRecord) in try coder.float() },
        sharpness: try coder.optional { coder throws(DamagedRecord) in try coder.float() })
    }
    let thumbnail = try record.optional { coder throws(DamagedRecord) in
      guard let thumbnail = Thumbnail(bytes: try coder.blob()) else { throw DamagedRecord() }
      return thumbnail
    }
    // An image that was read has all of them.
    let isRead = image.problem == nil
    for hasValue in [image.size != nil, image.hash != nil, thumbnail != nil]
    where hasValue != isRead {
      throw DamagedRecord()
    }
    image.thumbnailHash = thumbnail?.hash ?? 0
    self.init(image: image, thumbnail: thumbnail)
  }
}
