extension Mask {
  /// The outline as closed polygons `x0, y0, x1, y1, …` along the edges of pixels.
  ///
  /// Corners are whole numbers, from 0 to the image's sides. Outer outlines and outlines of holes
  /// are separate rings; filled together with the even–odd rule, they give the mask. Pixels that
  /// touch only at a corner are in two rings, so no ring crosses itself. Rings are ordered by their
  /// leftmost, then topmost edges.
  ///
  /// - Complexity: O(*s*), where *s* is the number of vertical spans of set pixels.
  package func contours() -> [[Double]] {
    RingTracer(self).rings()
  }
}

/// Traces the outline of a mask.
///
/// A vertical span of set pixels has two horizontal edges of one pixel, at its top and at its
/// bottom. On each line between two columns, the ends of edges that meet there are joined in pairs,
/// from the top: between the two ends of a pair exactly one side is set, or they are at the same
/// point and the outline continues straight.
private struct RingTracer {
  /// An edge's end: twice the edge's number, plus 1 for the right end.
  private typealias End = Int

  /// The column and row of each edge.
  private var columns: [Int] = []
  private var rows: [Int] = []
  /// The end that each end is joined with.
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

  /// Joins the right ends of one column's edges with the left ends of the next column's, both from
  /// the top.
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
        // A corner where two set pixels touch: the set side ends first.
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
      // Edges are entered at the end `entry` and left at the other end.
      var entry: End = 2 * start
      repeat {
        let edge = entry / 2
        isDone[edge] = true
        let exit = entry ^ 1
        let next = joined[exit]
        // Without a turn, the two ends are at one point and there is no corner.
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
