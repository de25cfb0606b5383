/// Numbers as JSON text that reads back as the same double.
enum JSONNumber {
  /// Appends a number: whole numbers and those with at most two decimals in that form, others with
  /// the fewest digits that read back as the same double; `null` for NaN and infinity.
  static func append(_ value: Double, to bytes: inout [UInt8]) {
    guard value.isFinite else {
      bytes += "null".utf8
      return
    }
    let hundredths = (value * 100).rounded()
    // Up to this limit, hundredths are whole numbers; their quotient by 100 is the double nearest
    // to the decimal. Minus zero must keep its sign.
    guard abs(hundredths) < 1e15, hundredths / 100 == value, value != 0 || value.sign == .plus
    else {
      bytes += value.description.utf8
      return
    }
    var rest = UInt64(abs(hundredths))
    if hundredths < 0 { bytes.append(UInt8(ascii: "-")) }
    let decimals = rest % 100
    rest /= 100
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var place = 20
      repeat {
        place -= 1
        digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      bytes.append(contentsOf: digits[place...])
    }
    guard decimals > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: decimals / 10))
    if decimals % 10 > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: decimals % 10))
    }
  }
}
