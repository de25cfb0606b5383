import AssayCore

/// Numbers in texts, as tables of annotations write them.
enum PlainNumber {
  /// A finite decimal number; no hexadecimal, `nan` or `inf`.
  static func parse(_ text: Substring) -> Double? {
    let isPlain = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
    }
    guard isPlain, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// A whole number if it is one.
  static func value(_ number: Double) -> JSONValue {
    Int64(exactly: number).map { .integer($0) } ?? .number(number)
  }

  /// The numbers of a text, with blanks, commas, semicolons and brackets between them; `nil` if it
  /// contains anything else.
  static func list(_ text: String) -> [Double]? {
    var numbers: [Double] = []
    for word in text.split(whereSeparator: { " \t,;()[]".contains($0) }) {
      guard let number = parse(word) else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}
