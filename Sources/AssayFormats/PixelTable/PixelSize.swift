import AssayCore

/// The size of the images of a CSV file.
enum PixelSize {
  /// The side of a square with this many pixels; `nil` if it is not a square number.
  static func squareSide(_ pixels: Int) -> Int? {
    guard pixels > 0 else { return nil }
    let side = Int(Double(pixels).squareRoot().rounded())
    return side * side == pixels ? side : nil
  }

  /// The most frequent number of values per row, because any row can be wrong; the first of several
  /// equally frequent ones.
  static func mostFrequent(_ counts: [Int]) -> Int? {
    var frequencies: [Int: Int] = [:]
    for count in counts { frequencies[count, default: 0] += 1 }
    var best: Int?
    for count in counts
    where frequencies[count, default: 0] > best.map({ frequencies[$0, default: 0] }) ?? 0 {
      best = count
    }
    return best
  }

  /// The number of values in each row of a head, if they are in one column.
  static func counts(in head: TableHead, column: Int, skipping header: Bool) -> [Int] {
    head.lines.dropFirst(header ? 1 : 0).compactMap { line in
      line.withUnsafeBytes { bytes in
        let fields = CSVFields(bytes)
        guard fields.ranges.indices.contains(column) else { return nil }
        return bytes[fields.ranges[column]].split(whereSeparator: CSVFields.isBlank).count
      }
    }
  }
}
