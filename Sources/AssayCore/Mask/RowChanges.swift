/// The positions where the pixels of a one-channel raster differ from the row above, row by row.
///
/// Used to convert from rows to columns: rows are compared 64 pixels at a time, and only the
/// positions of changes are sorted into columns.
struct RowChanges {
  /// The columns of all changes, ascending within a row.
  private var columns: [UInt32] = []
  /// For each row the end of its changes; the last one is the row below the raster.
  private var ends: [Int] = []
  private let width: Int
  private let height: Int

  /// The borders of a set of pixels: the nonzero pixels, or those with a given value.
  ///
  /// Above and below the raster nothing is set.
  static func borders(
    of pixels: UnsafeBufferPointer<UInt8>, width: Int, height: Int, value: UInt8?
  ) -> RowChanges {
    var changes = RowChanges(width: width, height: height)
    // After this, every pixel of the set is 0 if a value is given, and no other one is.
    let flip = value ?? 0
    let flips = UInt64(flip) &* 0x0101_0101_0101_0101
    let outside = [UInt8](repeating: value.map { ~$0 } ?? 0, count: width)
    outside.withUnsafeBufferPointer { outside in
      for y in 0...height {
        changes.addRow(
          y == 0 ? outside.baseAddress : pixels.baseAddress.map { $0 + (y - 1) * width },
          y == height ? outside.baseAddress : pixels.baseAddress.map { $0 + y * width }
        ) { above, below in nonzero(above ^ flips) ^ nonzero(below ^ flips) }
      }
    }
    return changes
  }

  /// Every change of value; all pixels of the first row and of the row below the raster are changes.
  static func values(
    of pixels: UnsafeBufferPointer<UInt8>, width: Int, height: Int
  ) -> RowChanges {
    var changes = RowChanges(width: width, height: height)
    for y in 0...height {
      if y == 0 || y == height {
        changes.columns.append(contentsOf: 0..<UInt32(width))
        changes.ends.append(changes.columns.count)
        continue
      }
      changes.addRow(
        pixels.baseAddress.map { $0 + (y - 1) * width }, pixels.baseAddress.map { $0 + y * width }
      ) { above, below in nonzero(above ^ below) }
    }
    return changes
  }

  private init(width: Int, height: Int) {
    self.width = width
    self.height = height
    ends.reserveCapacity(height + 1)
  }

  /// The highest bit of each nonzero byte.
  @inline(__always)
  private static func nonzero(_ word: UInt64) -> UInt64 {
    (((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | word) & 0x8080_8080_8080_8080
  }

  @inline(__always)
  private mutating func addRow(
    _ above: UnsafePointer<UInt8>?, _ below: UnsafePointer<UInt8>?,
    _ differences: (UInt64, UInt64) -> UInt64
  ) {
    guard let above, let below else { return }
    let upper = UnsafeRawPointer(above)
    let lower = UnsafeRawPointer(below)
    var x = 0
    while x &+ 64 <= width {
      // Most pixels equal those above.
      let first = upper.loadUnaligned(fromByteOffset: x, as: SIMD8<UInt64>.self)
      let second = lower.loadUnaligned(fromByteOffset: x, as: SIMD8<UInt64>.self)
      let both = first ^ second
      let four = both.lowHalf | both.highHalf
      let two = four.lowHalf | four.highHalf
      if two.x | two.y != 0 {
        // One bit for each differing word of eight pixels, so that no branch depends on its
        // position.
        var words: UInt64 = 0
        for word in 0..<8 {
          let offset = x &+ 8 &* word
          let isSame =
            upper.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            == lower.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          words |= (isSame ? 0 : 1) &<< UInt64(word)
        }
        while words != 0 {
          let offset = x &+ 8 &* words.trailingZeroBitCount
          words &= words &- 1
          addWord(
            offset,
            differences(
              upper.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
              lower.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        }
      }
      x &+= 64
    }
    while x &+ 8 <= width {
      addWord(
        x,
        differences(
          upper.loadUnaligned(fromByteOffset: x, as: UInt64.self),
          lower.loadUnaligned(fromByteOffset: x, as: UInt64.self)))
      x &+= 8
    }
    while x < width {
      if differences(UInt64(above[x]), UInt64(below[x])) & 0x80 != 0 {
        columns.append(UInt32(truncatingIfNeeded: x))
      }
      x += 1
    }
    ends.append(columns.count)
  }

  /// Adds the columns of the highest bits of a word's bytes.
  @inline(__always)
  private mutating func addWord(_ x: Int, _ differences: UInt64) {
    var bits = differences
    while bits != 0 {
      columns.append(UInt32(truncatingIfNeeded: x &+ bits.trailingZeroBitCount &>> 3))
      bits &= bits &- 1
    }
  }

  /// All changes as positions in column-major order, ascending. The row below one column and the
  /// top of the next are the same position, which then occurs twice.
  func places() -> [UInt32] {
    [UInt32](unsafeUninitializedCapacity: columns.count) { out, count in
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: width + 1) { next in
        next.initialize(repeating: 0)
        for column in columns { next[Int(column) + 1] &+= 1 }
        for x in 1...width { next[x] &+= next[x - 1] }
        columns.withUnsafeBufferPointer { columns in
          var index = 0
          for y in 0...height {
            let end = ends[y]
            while index < end {
              let column = columns[index]
              let place = Int(next[Int(column)])
              next[Int(column)] &+= 1
              out[place] =
                column &* UInt32(truncatingIfNeeded: height)
                &+ UInt32(truncatingIfNeeded: y)
              index += 1
            }
          }
        }
      }
      count = columns.count
    }
  }
}
