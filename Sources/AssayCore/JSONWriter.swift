extension JSONValue {
  /// The value as JSON text: numbers with the fewest digits that read back the same, control characters
  /// escaped, members in their order.
  ///
  /// - Parameter indented: two blanks per level and one member per line (arrays of plain values
  ///   stay on one line); otherwise no blanks at all.
  package func text(indented: Bool = false) -> String {
    var out = ""
    write(to: &out, indent: indented ? 0 : nil)
    return out
  }

  private func write(to out: inout String, indent: Int?) {
    switch self {
    case .null: out += "null"
    case .bool(let value): out += value ? "true" : "false"
    case .integer(let value): out += String(value)
    case .number(let value): out += value.isFinite ? "\(value)" : "null"
    case .string(let value): Self.writeString(value, to: &out)
    case .array(let elements):
      let flat = elements.allSatisfy(\.isPlain)
      Self.writeList(elements, "[", "]", indent: flat ? nil : indent, to: &out) {
        element, out, inner in
        element.write(to: &out, indent: inner)
      }
    case .object(let members):
      Self.writeList(members, "{", "}", indent: indent, to: &out) { member, out, inner in
        Self.writeString(member.name, to: &out)
        out += inner == nil ? ":" : ": "
        member.value.write(to: &out, indent: inner)
      }
    }
  }

  private var isPlain: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  private static func writeList<Element>(
    _ elements: [Element], _ open: String, _ close: String, indent: Int?, to out: inout String,
    each: (Element, inout String, Int?) -> Void
  ) {
    out += open
    for (i, element) in elements.enumerated() {
      if i > 0 { out += "," }
      if let indent { out += "\n" + String(repeating: " ", count: indent + 2) }
      each(element, &out, indent.map { $0 + 2 })
    }
    if let indent, !elements.isEmpty { out += "\n" + String(repeating: " ", count: indent) }
    out += close
  }

  private static func writeString(_ text: String, to out: inout String) {
    out += "\""
    // Most texts are ASCII with nothing to escape, which is faster to check in contiguous memory.
    let isPlain = text.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
    if isPlain == true {
      out += text
      out += "\""
      return
    }
    let bytes = text.utf8
    var (start, place) = (bytes.startIndex, bytes.startIndex)
    while place < bytes.endIndex {
      let byte = bytes[place]
      let next = bytes.index(after: place)
      // U+0080 to U+009F are C2 80 to C2 9F.
      guard byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F || byte == 0xC2 else {
        place = next
        continue
      }
      let second = byte == 0xC2 && next < bytes.endIndex ? bytes[next] : 0
      if byte == 0xC2, second > 0x9F {
        place = next
        continue
      }
      out += text[start..<place]
      switch byte {
      case 0x22: out += "\\\""
      case 0x5C: out += "\\\\"
      case 0x0A: out += "\\n"
      case 0x0D: out += "\\r"
      case 0x09: out += "\\t"
      default:
        let digits = String(byte == 0xC2 ? second : byte, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
      place = byte == 0xC2 ? bytes.index(after: next) : next
      start = place
    }
    out += text[start...]
    out += "\""
  }
}
