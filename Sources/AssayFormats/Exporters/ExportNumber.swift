/// Numbers as plain decimals: without an exponent.
enum ExportNumber {
  private static let scale = 1e10

  /// A part of an image's side with at most ten decimals.
  ///
  /// - Parameter value: finite; it is limited to ±100,000.
  static func rounded(_ value: Double) -> String {
    let limited = min(max(value, -1e5), 1e5)
    let whole = Int64((limited * scale).rounded())
    let (units, rest) = abs(whole).quotientAndRemainder(dividingBy: Int64(scale))
    let sign = whole < 0 ? "-" : ""
    guard rest > 0 else { return "\(sign)\(units)" }
    var decimals = String(rest)
    decimals = String(repeating: "0", count: 10 - decimals.count) + decimals
    while decimals.last == "0" { decimals.removeLast() }
    return "\(sign)\(units).\(decimals)"
  }

  /// A number of pixels that reads back as the same double: whole numbers and those with two decimals
  /// in that form.
  static func exact(_ value: Double) -> String {
    var bytes: [UInt8] = []
    JSONNumber.append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text of the far edge of a side, from which a reader subtracts the near edge.
  ///
  /// It has the fewest decimals with which the difference is the length itself. If no number gives
  /// the length, it has the fewest decimals within two units in the last place of the sum, which is
  /// not written with the noise of an addition (14.399999999999999) either.
  static func edge(from start: Double, length: Double) -> String {
    let sum = start + length
    guard sum.isFinite, abs(sum) < 1e9 else { return exact(sum) }
    let candidates = decimals.map { roundedTo($0, sum) } + [sum, sum.nextUp, sum.nextDown]
    let best =
      candidates.first { $0 - start == length }
      ?? candidates.first { abs($0 - sum) <= 2 * sum.ulp } ?? sum
    return exact(best)
  }

  /// The numbers of decimals that are tried.
  static let decimals = 0...12

  /// The double nearest to a number with so many decimals, at most 12.
  static func roundedTo(_ decimals: Int, _ value: Double) -> Double {
    // A power of ten up to 22 and its products below 2^53 are exact, so the quotient is nearest.
    var power = 1.0
    for _ in 0..<decimals { power *= 10 }
    let scaled = (value * power).rounded()
    return abs(scaled) < 9e15 ? scaled / power : value
  }
}
