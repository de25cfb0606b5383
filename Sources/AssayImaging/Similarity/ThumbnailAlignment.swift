/// Compares two thumbnails after aligning them.
///
/// The second one is scaled and shifted by up to 15 % in each direction until it fits the first one
/// best (Lucas and Kanade 1981, with one scale and one shift per direction), so that a slightly
/// cropped image equals its original. Not safe to use from several threads.
package final class ThumbnailAlignment {
  private static let side = Thumbnail.side
  private static let count = Thumbnail.count
  private static let steps = 8
  /// The largest scaling and shift, as shares of half the side.
  private static let limit: Float = 0.15
  /// The correlation that ends the search: more alignment cannot matter.
  private static let enough: Float = 0.985
  /// The distance to the correlation that is needed from which the other direction is not tried.
  private static let reach: Float = 0.1

  private var first = [Float](repeating: 0, count: count)
  private var second = [Float](repeating: 0, count: count)
  private var warped = [Float](repeating: 0, count: count)
  private var mean = [Float](repeating: 0, count: count)
  private var row = [Float](repeating: 0, count: count)

  package init() {}

  /// The correlation of the gray values of two images after alignment, −1...1; symmetric up to the
  /// threshold's decision: the better of both directions.
  ///
  /// - Parameters:
  ///   - isMirrored: true to compare with the mirror image of `b`.
  ///   - least: the correlation that the caller needs; the other direction is tried only if the
  ///     first one is below it.
  package func similarity(
    _ a: Thumbnail, _ b: Thumbnail, isMirrored: Bool, least: Float
  ) -> Float {
    smooth(a.pixels, isMirrored: false, into: &first)
    smooth(b.pixels, isMirrored: isMirrored, into: &second)
    let direct = aligned(least)
    if direct >= least || direct < least - Self.reach { return direct }
    swap(&first, &second)
    return max(direct, aligned(least))
  }

  /// Weighs each pixel with its neighbors, 1 2 1 in both directions.
  private func smooth(_ pixels: [UInt8], isMirrored: Bool, into target: inout [Float]) {
    let side = Self.side
    for y in 0..<side {
      for x in 0..<side {
        let left = Float(pixels[y * side + max(0, x - 1)])
        let right = Float(pixels[y * side + min(side - 1, x + 1)])
        let sum = left + 2 * Float(pixels[y * side + x]) + right
        row[y * side + (isMirrored ? side - 1 - x : x)] = sum / 4
      }
    }
    for y in 0..<side {
      let (above, below) = (max(0, y - 1) * side, min(side - 1, y + 1) * side)
      for x in 0..<side {
        target[y * side + x] = (row[above + x] + 2 * row[y * side + x] + row[below + x]) / 4
      }
    }
  }

  /// The valid part of the warped image, a range of columns and rows.
  private struct Area {
    var columns: Range<Int>
    var rows: Range<Int>
    var count: Int { columns.count * rows.count }
  }

  /// Scale and shift along x, then along y: the warped pixel g, in −1...1, is the pixel
  /// (1 + p0)·g + p1 of the second thumbnail.
  private typealias Warp = SIMD4<Float>

  /// - Parameter least: the correlation that is needed. The search ends if the remaining steps do not
  ///   reach it even with the gain of the last one.
  private func aligned(_ least: Float) -> Float {
    let side = Self.side
    let whole = Area(columns: 0..<side, rows: 0..<side)
    var best = correlation(first, second, whole)
    if best >= max(Self.enough, least) { return best }
    var warp = Warp(repeating: 0)
    var area = whole
    warped = second
    for step in 0..<Self.steps {
      guard let change = improvement(area) else { return best }
      let next = warp + change
      warp = next.clamped(
        lowerBound: Warp(repeating: -Self.limit), upperBound: Warp(repeating: Self.limit))
      area = apply(warp)
      guard area.count * 10 >= Self.count * 6 else { return best }
      let before = best
      best = max(best, correlation(first, warped, area))
      if best >= max(Self.enough, least) { return best }
      if step >= 2, best + Float(Self.steps - step) * (best - before) < least { return best }
      if max(abs(change[0]), abs(change[1]), abs(change[2]), abs(change[3])) < 0.002 { break }
    }
    return best
  }

  /// The place of a warped row or column in the second thumbnail.
  private static func place(_ index: Int, _ scale: Float, _ shift: Float) -> Float {
    let half = Float(side) / 2
    let centered = (Float(index) - Float(side - 1) / 2) / half
    return ((1 + scale) * centered + shift) * half + Float(side - 1) / 2
  }

  /// Warps the second thumbnail, bilinearly.
  private func apply(_ warp: Warp) -> Area {
    let side = Self.side
    let last = Float(side - 1)
    var sources = [(column: Int, weight: Float)](repeating: (0, 0), count: side)
    var columns = 0..<0
    for x in 0..<side {
      let place = Self.place(x, warp[0], warp[1])
      if place >= 0, place <= last { columns = (columns.isEmpty ? x : columns.lowerBound)..<x + 1 }
      let held = min(max(place, 0), last - 0.001)
      sources[x] = (Int(held), held - Float(Int(held)))
    }
    var rows = 0..<0
    for y in 0..<side {
      let place = Self.place(y, warp[2], warp[3])
      if place >= 0, place <= last { rows = (rows.isEmpty ? y : rows.lowerBound)..<y + 1 }
      let held = min(max(place, 0), last - 0.001)
      let (top, weight) = (Int(held) * side, held - Float(Int(held)))
      for x in 0..<side {
        let (column, share) = sources[x]
        let upper = second[top + column] * (1 - share) + second[top + column + 1] * share
        let lower =
          second[top + side + column] * (1 - share) + second[top + side + column + 1] * share
        warped[y * side + x] = upper * (1 - weight) + lower * weight
      }
    }
    return Area(columns: columns, rows: rows)
  }

  private func moments(_ values: [Float], _ area: Area) -> (mean: Float, deviation: Float) {
    let side = Self.side
    var sum: Float = 0
    var squares: Float = 0
    for y in area.rows {
      for x in area.columns {
        let value = values[y * side + x]
        sum += value
        squares += value * value
      }
    }
    let mean = sum / Float(area.count)
    return (mean, max(0, squares / Float(area.count) - mean * mean).squareRoot())
  }

  private func correlation(_ a: [Float], _ b: [Float], _ area: Area) -> Float {
    guard area.count > 0 else { return 0 }
    let side = Self.side
    let (one, two) = (moments(a, area), moments(b, area))
    guard one.deviation > 0.5, two.deviation > 0.5 else { return 0 }
    var sum: Float = 0
    for y in area.rows {
      for x in area.columns {
        sum += (a[y * side + x] - one.mean) * (b[y * side + x] - two.mean)
      }
    }
    return sum / Float(area.count) / (one.deviation * two.deviation)
  }

  /// One Gauss–Newton step from the current warped image; `nil` if it is undefined.
  private func improvement(_ area: Area) -> Warp? {
    let side = Self.side
    let half = Float(side) / 2
    let (first, warped) = (first, warped)
    let (one, two) = (moments(first, area), moments(warped, area))
    guard one.deviation > 0.5, two.deviation > 0.5 else { return nil }
    let (scale, other) = (1 / one.deviation, 1 / two.deviation)
    // Both images in units of their deviation: their mean's gradient, and their difference.
    for place in 0..<Self.count {
      mean[place] =
        ((first[place] - one.mean) * scale + (warped[place] - two.mean) * other) / 2
    }
    let mean = mean
    var normal = [Float](repeating: 0, count: 16)
    var right = Warp(repeating: 0)
    for y in area.rows {
      let (above, below) = (max(0, y - 1), min(side - 1, y + 1))
      let v = (Float(y) - Float(side - 1) / 2) / half
      for x in area.columns {
        let (before, after) = (max(0, x - 1), min(side - 1, x + 1))
        let gx =
          (mean[y * side + after] - mean[y * side + before]) / Float(after - before) * half
        let gy = (mean[below * side + x] - mean[above * side + x]) / Float(below - above) * half
        let u = (Float(x) - Float(side - 1) / 2) / half
        let place = y * side + x
        let difference =
          (first[place] - one.mean) * scale - (warped[place] - two.mean) * other
        let slope = Warp(gx * u, gx, gy * v, gy)
        right += slope * difference
        for line in 0..<4 {
          for column in line..<4 { normal[line * 4 + column] += slope[line] * slope[column] }
        }
      }
    }
    // A little damping keeps images with edges in one direction only from running away.
    let damping = Float(area.count) * 1e-4
    for line in 0..<4 {
      normal[line * 4 + line] += damping
      for column in 0..<line { normal[line * 4 + column] = normal[column * 4 + line] }
    }
    return Self.solve(&normal, right)
  }

  /// Gaussian elimination of a positive definite system.
  private static func solve(_ matrix: inout [Float], _ right: Warp) -> Warp? {
    var right = right
    for pivot in 0..<4 {
      guard matrix[pivot * 4 + pivot] > 1e-9 else { return nil }
      for line in (pivot + 1)..<4 {
        let factor = matrix[line * 4 + pivot] / matrix[pivot * 4 + pivot]
        for column in pivot..<4 { matrix[line * 4 + column] -= factor * matrix[pivot * 4 + column] }
        right[line] -= factor * right[pivot]
      }
    }
    for line in stride(from: 3, through: 0, by: -1) {
      for column in (line + 1)..<4 { right[line] -= matrix[line * 4 + column] * right[column] }
      right[line] /= matrix[line * 4 + line]
    }
    return right
  }
}
