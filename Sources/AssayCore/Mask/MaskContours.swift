extension Mask {
  /// The outline as closed polygons `x0, y0, x1, y1, …` along the edges of pixels.
  ///
  /// Corners are whole numbers, from 0 to the image's sides. Outer outlines and those of holes are rings of
  /// their own; filled together by the even–odd rule they give the mask back. Pixels that touch at a corner
  /// only lie in two rings, so no ring crosses itself. Rings come in the order of their leftmost, then
  /// topmost edges.
  ///
  /// - Complexity: O(*s*), where *s* is the number of set stretches in all columns.
  package func contours() -> [[Double]] {
    RingTracer(self).rings()
  }
}

/// Follows the outline of a mask.
///
/// A stretch of set pixels in a column has two horizontal edges a pixel long, at its top and at its bottom.
/// On each line between two columns the ends of edges that meet there are joined in pairs, from the top:
/// between the two of a pair exactly one side is set, or they are at one place and the outline goes straight on.
private struct RingTracer {
  /// An edge's end is twice its number, plus 1 for the right one.
  private typealias End = Int

  /// For each edge its column and row.
  private var columns: [Int] = []
  private var rows: [Int] = []
  /// For each end the one it is joined with.
  private var joined: [End] = []

  init(_ mask: Mask) {
    mask.forEachSpan { x, top, bottom in
      columns.append(x)
      columns.append(x)
      rows.append(top)
      rows.append(bottom)
    }
    joined = [End](repeating: 0, count: 2 * rows.count)
    var left = 0..<0
    var right = 0..<0
    while right.upperBound < rows.count {
      let column = columns[right.upperBound]
      let next = right.upperBound
      if !right.isEmpty, columns[right.lowerBound] < column - 1 {
        join(right, next..<next)
        right = next..<next
      }
      left = right
      var end = next
      while end < rows.count, columns[end] == column { end += 1 }
      right = next..<end
      join(left, right)
    }
    join(right, right.upperBound..<right.upperBound)
  }

  /// Joins right ends of the edges of one column with left ends of the next one's, both from the top.
  private mutating func join(_ left: Range<Int>, _ right: Range<Int>) {
    var first = left.lowerBound
    var second = right.lowerBound
    var open: End?
    while first < left.upperBound || second < right.upperBound {
      let takesLeft: Bool
      if first == left.upperBound {
        takesLeft = false
      } else if second == right.upperBound {
        takesLeft = true
      } else if rows[first] != rows[second] {
        takesLeft = rows[first] < rows[second]
      } else {
        // A corner where two set pixels touch: the side that is set ends first.
        takesLeft = (first - left.lowerBound) % 2 == 1
      }
      let end = takesLeft ? 2 * first + 1 : 2 * second
      if takesLeft { first += 1 } else { second += 1 }
      if let start = open {
        joined[start] = end
        joined[end] = start
        open = nil
      } else {
        open = end
      }
    }
  }

  /// All rings.
  func rings() -> [[Double]] {
    var rings: [[Double]] = []
    var isDone = [Bool](repeating: false, count: rows.count)
    for start in rows.indices where !isDone[start] {
      var ring: [Double] = []
      // Edges are entered at the end `entry` and left at the other.
      var entry: End = 2 * start
      repeat {
        let edge = entry / 2
        isDone[edge] = true
        let exit = entry ^ 1
        let next = joined[exit]
        // Straight on, the two ends lie at one place and there is no corner.
        if rows[next / 2] != rows[edge] {
          let x = Double(columns[edge] + (exit & 1))
          ring += [x, Double(rows[edge]), x, Double(rows[next / 2])]
        }
        entry = next
      } while entry != 2 * start
      rings.append(ring)
    }
    return rings
  }
}
