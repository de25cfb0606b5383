/// The distance between the edges of two masks of one image.
///
/// An edge pixel is a set pixel with at least one of its four neighbors unset or outside the image:
/// the pixels that scipy's `binary_erosion` with connectivity 1 removes. A void pixel is in neither
/// mask and creates no edge.
/// Reference: MedPy 0.5.2, `medpy.metric.binary.hd95`.
enum SurfaceDistance {
  /// The 95th percentile of the distances of every edge pixel of either mask to the nearest edge
  /// pixel of the other, both directions together (Hausdorff distance, HD95).
  ///
  /// The percentile is linearly interpolated, as in numpy.
  ///
  /// - Parameters:
  ///   - first, second: row-major, `width` · `height` pixels each; set if the value is `label`.
  ///   - isVoid: 255 if a pixel is void, else 0; empty if there are no void pixels.
  /// - Returns: pixels, at least 0; `nil` if a mask has no edge pixel.
  /// - Complexity: O(pixels + edge pixels · log edge pixels).
  static func hausdorff95(
    _ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>, label: UInt8,
    width: Int, height: Int, isVoid: [UInt8]
  ) -> Double? {
    let (a, b) = (
      EdgePixels(first, label: label, width: width, height: height, isVoid: isVoid),
      EdgePixels(second, label: label, width: width, height: height, isVoid: isVoid)
    )
    guard !a.columns.isEmpty, !b.columns.isEmpty else { return nil }
    let squares = SquareCounts(a.squares(to: b), b.squares(to: a))
    // The steps of numpy's percentile, in the same order.
    let place = Double(squares.count - 1) * 0.95
    let below = Int(place)
    let low = Double(squares[below]).squareRoot()
    guard below + 1 < squares.count else { return low }
    let high = Double(squares[below + 1]).squareRoot()
    let share = place - Double(below)
    return share < 0.5 ? low + (high - low) * share : high - (high - low) * (1 - share)
  }
}

/// Numbers to be read in ascending order: small ones are counted, the others sorted.
private struct SquareCounts {
  let count: Int
  /// The count of each small number.
  private var small: [Int]
  /// The other numbers, ascending.
  private var large: [Int]

  /// The exclusive upper bound of the numbers that are counted.
  private static let limit = 1 << 14

  init(_ first: [Int], _ second: [Int]) {
    count = first.count + second.count
    var small = Array(repeating: 0, count: Self.limit)
    var large: [Int] = []
    for list in [first, second] {
      for number in list {
        if number < Self.limit { small[number] += 1 } else { large.append(number) }
      }
    }
    large.sort()
    (self.small, self.large) = (small, large)
  }

  /// The number at a position in ascending order, in `0..<count`.
  subscript(place: Int) -> Int {
    let counted = count - large.count
    guard place < counted else { return large[place - counted] }
    var left = place
    for (number, times) in small.enumerated() {
      if left < times { return number }
      left -= times
    }
    return 0
  }
}

/// The edge pixels of a mask, row by row.
struct EdgePixels {
  /// The column of each, ascending within a row.
  private(set) var columns: [Int32] = []
  /// The index of each row's first pixel in `columns`, and at the end their number.
  private var starts: [Int] = [0]
  /// The number of pixels in a row of the image.
  private let width: Int
  /// The columns from the first to the last with an edge pixel.
  private var span = 0..<0

  /// - Complexity: O(pixels).
  init(
    _ labels: UnsafeBufferPointer<UInt8>, label: UInt8, width: Int, height: Int, isVoid: [UInt8]
  ) {
    self.width = width
    starts.reserveCapacity(height + 1)
    isVoid.withUnsafeBytes { isVoid in
      let pixels = PixelWords(UnsafeRawBufferPointer(labels), isVoid, label: label)
      for y in 0..<height {
        let row = y * width
        for x in stride(from: 0, to: width, by: 8) {
          let (place, count) = (row + x, min(8, width - x))
          let own = pixels.filled(place, count)
          var edges = pixels.isSet(own, place, count)
          if edges == 0 { continue }
          let before = x > 0 ? pixels.filled(place - 1) : 0
          let after = x + 8 < width ? pixels.filled(place + 8) : 0
          var inner = (own << 8 | before) & (own >> 8 | after << 56)
          inner &= y > 0 ? pixels.filled(place - width, count) : 0
          inner &= y < height - 1 ? pixels.filled(place + width, count) : 0
          edges &= ~inner
          while edges != 0 {
            columns.append(Int32(truncatingIfNeeded: x + edges.trailingZeroBitCount / 8))
            edges &= edges - 1
          }
        }
        starts.append(columns.count)
      }
    }
    if let first = columns.min(), let last = columns.max() { span = Int(first)..<Int(last) + 1 }
  }

  /// Pixels of a mask, up to eight at a time: bit 7 of a byte means true, with the first pixel in
  /// the lowest byte.
  private struct PixelWords {
    private let labels: UnsafeRawBufferPointer
    /// The void flags; empty if there are no void pixels.
    private let voids: UnsafeRawBufferPointer
    private let pattern: UInt64

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let flags: UInt64 = ones << 7

    init(_ labels: UnsafeRawBufferPointer, _ voids: UnsafeRawBufferPointer, label: UInt8) {
      (self.labels, self.voids) = (labels, voids)
      pattern = UInt64(label) &* Self.ones
    }

    /// The pixels among `count` that are set or void.
    @inline(__always)
    func filled(_ place: Int, _ count: Int) -> UInt64 {
      let other = Self.word(labels, place, count, rest: ~pattern) ^ pattern
      let set = ~((other & ~Self.flags) &+ ~Self.flags | other) & Self.flags
      return voids.isEmpty ? set : set | Self.word(voids, place, count, rest: 0) & Self.flags
    }

    /// A flag, 0x80 if one pixel is set or void, else 0.
    @inline(__always)
    func filled(_ place: Int) -> UInt64 {
      labels[place] == UInt8(truncatingIfNeeded: pattern) || !voids.isEmpty && voids[place] > 0
        ? 0x80 : 0
    }

    /// The pixels among them that are set and not void.
    @inline(__always)
    func isSet(_ filled: UInt64, _ place: Int, _ count: Int) -> UInt64 {
      voids.isEmpty ? filled : filled & ~Self.word(voids, place, count, rest: 0)
    }

    /// Eight bytes; from `count` on, those of `rest`.
    @inline(__always)
    private static func word(
      _ bytes: UnsafeRawBufferPointer, _ place: Int, _ count: Int, rest: UInt64
    ) -> UInt64 {
      if count == 8 {
        return UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      }
      var word = rest
      for index in 0..<count {
        let shift = UInt64(8 * index)
        word = word & ~(0xFF << shift) | UInt64(bytes[place + index]) << shift
      }
      return word
    }
  }

  /// The squared distances of its pixels to the nearest one of `other`, which is not empty; in
  /// order.
  ///
  /// - Complexity: O(rows · columns), and O(pixels of both + columns) memory.
  func squares(to other: EdgePixels) -> [Int] {
    var squares: [Int] = []
    squares.reserveCapacity(columns.count)
    var row = NearestInRow(other, width: width)
    for y in 0..<starts.count - 1 {
      row.enter(y)
      row.appendSquares(of: columns[starts[y]..<starts[y + 1]], &squares)
      row.leave()
    }
    return squares
  }

  /// The nearest edge pixels in the columns of an image, for one row after another.
  private struct NearestInRow {
    private let edges: EdgePixels
    /// The row of the next edge pixel in the same column, for each edge pixel.
    private var following: [Int]
    /// The row of each column's last edge pixel up to this row, and of its first from this row on.
    private var last: [Int]
    private var next: [Int]
    private var y = 0
    /// The lower envelope of the parabolas of the columns: the parabolas that are part of it, and
    /// their starts.
    private var parabolas: [(column: Int, start: Int)] = []

    /// A row so far away that every distance to it exceeds those within an image, but no square
    /// overflows.
    private static let none = 1 << 30

    init(_ edges: EdgePixels, width: Int) {
      self.edges = edges
      last = Array(repeating: -Self.none, count: width)
      next = Array(repeating: Self.none, count: width)
      following = Array(repeating: Self.none, count: edges.columns.count)
      for y in (0..<edges.starts.count - 1).reversed() {
        for index in edges.starts[y]..<edges.starts[y + 1] {
          let column = Int(edges.columns[index])
          following[index] = next[column]
          next[column] = y
        }
      }
    }

    mutating func enter(_ row: Int) {
      y = row
      for index in edges.starts[y]..<edges.starts[y + 1] { last[Int(edges.columns[index])] = y }
    }

    mutating func leave() {
      for index in edges.starts[y]..<edges.starts[y + 1] {
        next[Int(edges.columns[index])] = following[index]
      }
    }

    /// The squared number of rows to the nearest edge pixel of a column.
    private func gap(_ column: Int) -> Int {
      let rows = min(y - last[column], next[column] - y)
      return rows * rows
    }

    /// Appends the squared distances of pixels of this row.
    ///
    /// Searches the columns on both sides of each pixel until none can be nearer. Once that has
    /// taken several times the number of columns, the remaining distances are read from the lower
    /// envelope, so that a row takes linear time.
    mutating func appendSquares(of columns: ArraySlice<Int32>, _ squares: inout [Int]) {
      var steps = 4 * edges.span.count
      for index in columns.indices {
        guard steps > 0 else {
          return appendFromEnvelope(columns[index...], &squares)
        }
        squares.append(square(from: Int(columns[index]), &steps))
      }
    }

    /// The squared distance of a pixel of this row.
    ///
    /// - Parameter steps: decreases by one for each step to both sides.
    private func square(from x: Int, _ steps: inout Int) -> Int {
      let span = edges.span
      return last.withUnsafeBufferPointer { last in
        next.withUnsafeBufferPointer { next in
          func square(_ column: Int, _ step: Int) -> Int {
            let rows = min(y - last[column], next[column] - y)
            return step * step + rows * rows
          }
          var best = span.contains(x) ? square(x, 0) : Int.max
          // Columns outside the span have no edge pixels.
          var step = max(1, span.lowerBound - x, x - span.upperBound + 1)
          let start = step
          while step * step < best {
            let (left, right) = (x - step, x + step)
            let isInside = (left >= span.lowerBound, right < span.upperBound)
            guard isInside.0 || isInside.1 else { break }
            if isInside.0 { best = min(best, square(left, step)) }
            if isInside.1 { best = min(best, square(right, step)) }
            step += 1
          }
          steps -= step - start
          return best
        }
      }
    }

    /// Source: A. Meijster, J. Roerdink, W. Hesselink (2000), doi:10.1007/0-306-47025-X_36.
    private mutating func appendFromEnvelope(_ columns: ArraySlice<Int32>, _ squares: inout [Int]) {
      func square(_ column: Int, from x: Int) -> Int {
        (x - column) * (x - column) + gap(column)
      }
      parabolas.removeAll(keepingCapacity: true)
      for column in edges.span where last[column] >= 0 || next[column] < Self.none {
        while let top = parabolas.last,
          square(top.column, from: top.start) > square(column, from: top.start)
        {
          parabolas.removeLast()
        }
        guard let top = parabolas.last else {
          parabolas.append((column, 0))
          continue
        }
        // The first position from which the new one is lower; not before the last one's, so not
        // negative.
        let rise =
          column * column - top.column * top.column + gap(column) - gap(top.column)
        let start = rise / (2 * (column - top.column)) + 1
        if start < last.count { parabolas.append((column, start)) }
      }
      var place = 0
      for x in columns.lazy.map(Int.init) {
        while place + 1 < parabolas.count, parabolas[place + 1].start <= x { place += 1 }
        squares.append(square(parabolas[place].column, from: x))
      }
    }
  }
}
