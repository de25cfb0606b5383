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
}
