/// Growing and shrinking by the square of 3 × 3 pixels, any number of times. Outside the image nothing is
/// set.
extension Mask {
  /// The pixels whose neighborhood of 2*n* + 1 squared lies in the mask.
  ///
  /// - Complexity: O(*s* log *n*), where *s* is the number of set stretches in all columns.
  package func eroded(by steps: Int) -> Mask {
    guard steps > 0, !isEmpty else { return self }
    return eroded(columns: min(steps, size.width), rows: min(steps, size.height))
  }

  /// The pixels with a set pixel in their neighborhood of 2*n* + 1 squared.
  ///
  /// - Complexity: O(*s* log *n*), where *s* is the number of set stretches in all columns of the outcome.
  package func dilated(by steps: Int) -> Mask {
    guard steps > 0, !isEmpty else { return self }
    return dilated(columns: min(steps, size.width), rows: min(steps, size.height))
  }

  /// Eroded, then dilated: what is too thin for a square of 2*n* + 1 is gone. Never adds a pixel.
  package func opened(by steps: Int) -> Mask { eroded(by: steps).dilated(by: steps) }

  /// Dilated, then eroded: gaps too narrow for a square of 2*n* + 1 are filled. Never takes a pixel away,
  /// for the dilated mask may reach beyond the image's edges before it is eroded.
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

  /// Combines each column with the next ones, to the left where `columns` is negative.
  private func gathered(columns: Int, _ combination: Combination) -> Mask {
    // `gathered` stands for `reach` columns at each; doubled until all are in.
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

  /// The mask moved to the right; what leaves the image is lost.
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

  /// The part of the mask within `width` pixels of its edge, the image's edges included.
  ///
  /// - Parameter width: ``bandWidth(of:)`` unless told.
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
