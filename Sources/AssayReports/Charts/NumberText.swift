/// Numbers as text, the same on every machine: a decimal point, commas between
/// thousands, "–" for undefined.
package enum NumberText {
  /// The text for an undefined number.
  package static let undefined = "–"

  /// Returns an integer with commas: 3,589.
  package static func count(_ value: Int) -> String {
    let digits = Array(String(value.magnitude))
    var text = value < 0 ? "−" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// Returns a number with exactly `decimals` decimals, half rounded away from zero; "–" for
  /// `nil` and non-finite numbers.
  package static func fixed(_ value: Double?, _ decimals: Int = 3) -> String {
    guard let value, value.isFinite else { return undefined }
    var unit = 1.0
    for _ in 0..<decimals { unit *= 10 }
    let scaled = (value.magnitude * unit).rounded()
    guard scaled < 9e15 else { return "\(value)" }
    let whole = Int(scaled) / Int(unit)
    let rest = Int(scaled) % Int(unit)
    let sign = value < 0 && scaled > 0 ? "−" : ""
    guard decimals > 0 else { return sign + count(whole) }
    let fraction = String(rest)
    return sign + count(whole) + "."
      + String(repeating: "0", count: decimals - fraction.count) + fraction
  }

  /// Returns a number with as few decimals as it needs, at most four: 0.25, 1,000.
  package static func short(_ value: Double) -> String {
    var text = fixed(value, 4)
    guard text.contains(".") else { return text }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }
}
