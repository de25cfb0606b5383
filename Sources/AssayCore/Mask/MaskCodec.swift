/// COCO's compressed run lengths: 6-bit characters from `0`, each with five data bits and a
/// continuation bit, sign-extended, from the fourth count on as differences to the count two
/// before.
///
/// Source: `rleToString` and `rleFrString` of pycocotools' maskApi.c.
extension Mask {
  /// The runs as COCO's string, in ASCII.
  package var compressed: [UInt8] {
    var bytes: [UInt8] = []
    appendCompressed(to: &bytes)
    return bytes
  }

  /// Appends ``compressed``.
  package func appendCompressed(to bytes: inout [UInt8]) {
    runs.withUnsafeBufferPointer { runs in
      // Seven characters hold 35 bits, and a difference of two runs has 33.
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 7 * runs.count) { buffer in
        var count = 0
        for index in 0..<runs.count {
          var rest = Int(runs[index])
          if index > 2 { rest -= Int(runs[index - 2]) }
          while true {
            let bits = UInt8(truncatingIfNeeded: rest & 0x1F)
            rest >>= 5
            let ends = bits & 0x10 != 0 ? rest == -1 : rest == 0
            buffer[count] = (ends ? bits : bits | 0x20) &+ 48
            count += 1
            if ends { break }
          }
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<count]))
      }
    }
  }

  /// A mask from COCO's string.
  ///
  /// - Throws: ``MaskError`` if a character is not valid in the format, a run is negative or
  ///   exceeds 32 bits, or the runs do not sum to the image's area.
  package init(size: ImageSize, compressed: some Collection<UInt8>) throws(MaskError) {
    if let outcome = compressed.withContiguousStorageIfAvailable({ bytes in
      Result { () throws(MaskError) in try Mask(size: size, compressedBytes: bytes) }
    }) {
      self = try outcome.get()
    } else {
      self = try Mask(size: size, compressed: Array(compressed))
    }
  }

  private init(
    size: ImageSize, compressedBytes bytes: UnsafeBufferPointer<UInt8>
  ) throws(MaskError) {
    var runs: [UInt32] = []
    runs.reserveCapacity(bytes.count / 2 + 1)
    var place = 0
    while place < bytes.count {
      var value = 0
      var shift = 0
      while true {
        guard place < bytes.count else { throw .badCharacter(at: place) }
        let character = bytes[place] &- 48
        guard character < 64 else { throw .badCharacter(at: place) }
        guard shift < 35 else { throw .badRun(at: runs.count) }
        value |= Int(character & 0x1F) << shift
        shift += 5
        place += 1
        if character & 0x20 == 0 {
          if character & 0x10 != 0 { value |= -1 << shift }
          break
        }
      }
      if runs.count > 2 { value += Int(runs[runs.count - 2]) }
      guard let run = UInt32(exactly: value) else { throw .badRun(at: runs.count) }
      runs.append(run)
    }
    try self.init(size: size, runs: runs)
  }
}
