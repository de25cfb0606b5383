/// Dilation and erosion with a square of 3 × 3 pixels, any number of times. Outside the image
/// nothing is set.
extension Mask {
  /// The pixels whose neighborhood of 2*n* + 1 squared is completely in the mask.
  ///
  /// - Complexity: O(*s* log *n*), where *s* is the number of vertical spans of set pixels.
  package func eroded(by steps: Int) -> Mask {
    guard steps > 0, !isEmpty else { return self }
    return eroded(columns: min(steps, size.width), rows: min(steps, size.height))
  }

  /// The pixels with a set pixel in their neighborhood of 2*n* + 1 squared.
  ///
  /// - Complexity: O(*s* log *n*), where *s* is the number of vertical spans of set pixels in the
  ///   result.
  package func dilated(by steps: Int) -> Mask {
    guard steps > 0, !isEmpty else { return self }
    return dilated(columns: min(steps, size.width), rows: min(steps, size.height))
  }

  /// Erosion, then dilation: removes structures thinner than a square of 2*n* + 1. Never adds a
  /// pixel.
  package func opened(by steps: Int) -> Mask { eroded(by: steps).dilated(by: steps) }

  /// Dilation, then erosion: fills gaps narrower than a square of 2*n* + 1. Never removes a pixel,
  /// because the dilated mask can extend beyond the image's edges before it is eroded.
  package func closed(by steps: Int) -> Mask {
    guard steps > 0, !isEmpty else { return self }
    let columns = min(steps, size.width)
    let rows = min(steps, size.height)
    return cropped(
      x: -columns, y: -rows, width: size.width + 2 * columns, height: size.height + 2 * rows
    )
    .dilated(columns: columns, rows: rows).eroded(columns: columns, rows: rows)
    .cropped(x: columns, y: rows, width: size.width, height: size.height)
  }

  private func eroded(columns: Int, rows: Int) -> Mask {
    var spans = RunLengthBuilder(size: size, capacity: runs.count)
    forEachSpan { x, top, bottom in
      spans.append(x: x, top: top + rows, bottom: bottom - rows)
    }
    return spans.mask().gathered(columns: 2 * columns, .intersection).shifted(columns: columns)
  }

  private func dilated(columns: Int, rows: Int) -> Mask {
    let height = size.height
    var spans = RunLengthBuilder(size: size, capacity: runs.count)
    var column = -1
    var end = 0
    forEachSpan { x, top, bottom in
      if x != column {
        column = x
        end = 0
      }
      let top = max(top - rows, end)
      end = min(bottom + rows, height)
      spans.append(x: x, top: top, bottom: end)
    }
    let tall = spans.mask()
    return tall.gathered(columns: columns, .union).union(tall.gathered(columns: -columns, .union))
  }

  /// Combines each column with the next ones, to the left if `columns` is negative.
  private func gathered(columns: Int, _ combination: Combination) -> Mask {
    // `gathered` covers `reach` columns at each position; doubled until all are included.
    var gathered = self
    var reach = 1
    let goal = abs(columns) + 1
    while reach < goal {
      let step = min(reach, goal - reach)
      gathered = gathered.combined(
        with: gathered.shifted(columns: columns > 0 ? -step : step), by: combination)
      reach += step
    }
    return gathered
  }

  /// The mask shifted to the right; pixels that leave the image are lost.
  private func shifted(columns: Int) -> Mask {
    guard abs(columns) < size.width else { return Mask(emptyOf: size) }
    let offset = columns * size.height
    let area = size.area
    var spans = RunLengthBuilder(size: size, capacity: runs.count)
    forEachSetRun { start, end in
      spans.append(start: max(start + offset, 0), end: min(end + offset, area))
    }
    return spans.mask()
  }

  /// The part of the mask within `width` pixels of its edge, including the image's edges.
  ///
  /// - Parameter width: ``bandWidth(of:)`` by default.
  /// Source: B. Cheng and others (2021), Boundary IoU, doi:10.1109/CVPR46437.2021.01508.
  package func boundaryBand(width: Int? = nil) -> Mask {
    subtracting(eroded(by: width ?? Mask.bandWidth(of: size)))
  }

  /// 2 % of the image's diagonal in pixels, rounded half to even, at least 1.
  package static func bandWidth(of size: ImageSize) -> Int {
    let diagonal = Double(size.width * size.width + size.height * size.height).squareRoot()
    return max(1, Int((0.02 * diagonal).rounded(.toNearestOrEven)))
  }
}
