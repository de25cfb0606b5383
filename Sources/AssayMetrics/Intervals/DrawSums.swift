extension DrawWeights {
  /// The weighted sum of each of several columns in each draw.
  ///
  /// - Parameter columns: one number per sample, column after column.
  /// - Complexity: O(*n* · columns).
  func sums(of columns: [Double]) -> [SIMD8<Double>] {
    let samples = counts.count
    guard samples > 0 else { return [] }
    let columnCount = columns.count / samples
    var sums = Array(repeating: SIMD8<Double>.zero, count: columnCount)
    columns.withUnsafeBufferPointer { columns in
      counts.withUnsafeBufferPointer { counts in
        sums.withUnsafeMutableBufferPointer { sums in
          var column = 0
          // Four columns per pass: the weights are widened once for all of them.
          while column + 4 <= columnCount {
            let first = column * samples
            var (a, b) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
            var (c, d) = (a, b)
            for sample in 0..<samples {
              let weights = Self.wide(counts[sample])
              a += weights * columns[first + sample]
              b += weights * columns[first + samples + sample]
              c += weights * columns[first + 2 * samples + sample]
              d += weights * columns[first + 3 * samples + sample]
            }
            (sums[column], sums[column + 1]) = (a, b)
            (sums[column + 2], sums[column + 3]) = (c, d)
            column += 4
          }
          while column < columnCount {
            var sum = SIMD8<Double>.zero
            for sample in 0..<samples {
              sum += Self.wide(counts[sample]) * columns[column * samples + sample]
            }
            sums[column] = sum
            column += 1
          }
        }
      }
    }
    return sums
  }
}
