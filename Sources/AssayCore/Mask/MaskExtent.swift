/// The position and size of a mask.
extension Mask {
  /// The smallest box around all set pixels; `nil` if there are none.
  ///
  /// Source: `rleToBbox` of pycocotools' maskApi.c, which gives four zeros for an empty mask.
  package var boundingBox: Box? {
    guard let bounds else { return nil }
    return Box(
      x: Double(bounds.x), y: Double(bounds.y), width: Double(bounds.width),
      height: Double(bounds.height))
  }

  /// ``boundingBox`` in whole pixels.
  package var bounds: (x: Int, y: Int, width: Int, height: Int)? {
    guard !isEmpty else { return nil }
    let height = size.height
    var top = height
    var bottom = 0
    var left = size.width
    var right = 0
    forEachSetRun { start, end in
      let first = start / height
      let last = (end - 1) / height
      left = min(left, first)
      right = max(right, last)
      if first < last {
        top = 0
        bottom = height
      } else {
        top = min(top, start - first * height)
        bottom = max(bottom, end - first * height)
      }
    }
    return (left, top, right - left + 1, bottom - top)
  }

  /// The mean of all set pixels' centers, which are at half pixels; `nil` if there are none.
  package var centerOfMass: (x: Double, y: Double)? {
    guard !isEmpty else { return nil }
    var area = 0
    // Twice the sums of the centers, so that they are whole numbers.
    var twiceX = 0
    var twiceY = 0
    forEachSpan { x, top, bottom in
      let count = bottom - top
      area += count
      twiceX += (2 * x + 1) * count
      twiceY += (top + bottom) * count
    }
    return (Double(twiceX) / Double(2 * area), Double(twiceY) / Double(2 * area))
  }

  /// The distance between the center of mass and the center of the bounding box, in pixels; `nil`
  /// if the mask is empty. Large if a mask is ragged or lopsided.
  package var centerOffset: Double? {
    guard let centerOfMass, let boundingBox else { return nil }
    let x = centerOfMass.x - boundingBox.center.x
    let y = centerOfMass.y - boundingBox.center.y
    return (x * x + y * y).squareRoot()
  }

  /// ``centerOffset`` as a fraction of the bounding box's diagonal.
  package var relativeCenterOffset: Double? {
    guard let centerOffset, let boundingBox else { return nil }
    let width = boundingBox.width
    let height = boundingBox.height
    return centerOffset / (width * width + height * height).squareRoot()
  }

  /// Calls `body` for every run of set pixels, as positions in column-major order, half-open.
  @inline(__always)
  func forEachSetRun(_ body: (_ start: Int, _ end: Int) -> Void) {
    runs.withUnsafeBufferPointer { runs in
      var place = 0
      var index = 0
      while index + 1 < runs.count {
        let start = place + Int(runs[index])
        let end = start + Int(runs[index + 1])
        body(start, end)
        place = end
        index += 2
      }
    }
  }

  /// Calls `body` for every vertical span of set pixels within one column, column by column from
  /// the left, each from the top; rows half-open.
  @inline(__always)
  func forEachSpan(_ body: (_ x: Int, _ top: Int, _ bottom: Int) -> Void) {
    let height = size.height
    var x = 0
    var columnStart = 0
    forEachSetRun { start, end in
      if start >= columnStart + height {
        // Usually the next column, which needs no division.
        x = start < columnStart + 2 * height ? x + 1 : start / height
        columnStart = x * height
      }
      var top = start - columnStart
      while end > columnStart + height {
        body(x, top, height)
        x += 1
        columnStart += height
        top = 0
      }
      body(x, top, end - columnStart)
    }
  }
}
