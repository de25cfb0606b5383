/// Finds the ends of JPEG images that follow each other.
///
/// Segments are walked by their lengths, because thumbnails in them have markers of their own; in image data, 0xFF is
/// followed by 0x00 or a restart marker. Source: ITU-T T.81 (1992), annex B.
enum JPEGFrames {
  /// Finds the end of the image at the start of a buffer.
  ///
  /// - Throws: ``FrameStreamError/tooLarge(frame:reason:)``; any error of the stream.
  static func scan(_ buffer: inout StreamBuffer, frame: Int) throws -> ScannedFrame {
    var place = 2
    while true {
      try check(place, frame)
      // The end marker can be the last two bytes of the stream: no more are asked for.
      guard try buffer.fill(place + 2) else { return .cut }
      guard buffer[place] == 0xFF else {
        return .damaged(place, "no marker follows byte \(place) of the image")
      }
      let marker = buffer[place + 1]
      switch marker {
      case 0xFF: place += 1
      case 0xD9: return .whole(place + 2)
      case 0xD8: return .damaged(place, "another image starts before its end")
      case 0x00: return .damaged(place, "no marker follows byte \(place) of the image")
      case 0x01, 0xD0...0xD7: place += 2
      default:
        guard try buffer.fill(place + 4) else { return .cut }
        let length = buffer.bigEndian16(at: place + 2)
        guard length >= 2 else { return .damaged(place, "a segment of \(length) bytes") }
        place += 2 + length
        if marker == 0xDA {
          guard let end = try endOfScan(&buffer, from: place, frame) else { return .cut }
          place = end
        }
      }
    }
  }

  /// The place of the first marker after image data; `nil` if the stream ends before.
  private static func endOfScan(
    _ buffer: inout StreamBuffer, from start: Int, _ frame: Int
  ) throws -> Int? {
    var place = start
    while true {
      try check(place, frame)
      guard try buffer.fill(place + 2) else { return nil }
      guard let found = buffer.firstIndex(of: 0xFF, from: place), found + 1 < buffer.count else {
        // Goes on at the last byte, which can be the first one of a marker.
        place = buffer.count - 1
        guard try buffer.fill(place + 2) else { return nil }
        continue
      }
      switch buffer[found + 1] {
      case 0x00, 0xD0...0xD7: place = found + 2
      case 0xFF: place = found + 1
      default: return found
      }
    }
  }

  private static func check(_ length: Int, _ frame: Int) throws {
    guard length <= FrameStream.frameLimit else {
      throw FrameStreamError.tooLarge(
        frame: frame, reason: "it has more than \(FrameStream.frameLimit >> 20) MiB")
    }
  }
}

/// Finds the ends of PNG images that follow each other.
enum PNGFrames {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Finds the end of the image at the start of a buffer.
  ///
  /// - Throws: ``FrameStreamError/tooLarge(frame:reason:)``; any error of the stream.
  static func scan(_ buffer: inout StreamBuffer, frame: Int) throws -> ScannedFrame {
    var place = signature.count
    while true {
      guard try buffer.fill(place + 8) else { return .cut }
      let length = buffer.bigEndian16(at: place) << 16 | buffer.bigEndian16(at: place + 2)
      let name = (place + 4..<place + 8).map { buffer[$0] }
      guard name.allSatisfy({ (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }) else {
        return .damaged(place, "no chunk follows byte \(place) of the image")
      }
      place += 12 + length
      guard place <= FrameStream.frameLimit else {
        throw FrameStreamError.tooLarge(
          frame: frame, reason: "it has more than \(FrameStream.frameLimit >> 20) MiB")
      }
      guard try buffer.fill(place) else { return .cut }
      if name == Array("IEND".utf8) { return .whole(place) }
    }
  }
}
