/// Sizes of memory as text: `512 MiB`, `11.7 GiB`.
package enum ByteText {
  /// A number of bytes in the largest suitable unit of MiB and GiB; GiB with one decimal unless it
  /// is whole.
  ///
  /// - Parameter bytes: at least 0.
  package static func text(_ bytes: Int) -> String {
    let mebibytes = bytes >> 20
    guard mebibytes >= 1024 else { return "\(mebibytes) MiB" }
    let tenths = (mebibytes * 10 + 512) / 1024
    return tenths.isMultiple(of: 10) ? "\(tenths / 10) GiB" : "\(tenths / 10).\(tenths % 10) GiB"
  }

  /// Reads a number with a unit: `512M`, `1.5G`, `4GiB`; M and G are 2^20 and 2^30 bytes. `nil` for
  /// other text, and for values under 1 MiB or over 1 EiB.
  package static func bytes(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    let shift: Int
    switch text.dropFirst(digits.count).lowercased().trimmingPrefix(" ") {
    case "m", "mb", "mib": shift = 20
    case "g", "gb", "gib": shift = 30
    case "t", "tb", "tib": shift = 40
    default: return nil
    }
    guard let number = Double(digits), number.isFinite else { return nil }
    let bytes = number * Double(1 << shift)
    guard bytes >= Double(1 << 20), bytes <= Double(1 << 60) else { return nil }
    return Int(bytes)
  }
}
