/// Builds small tar archives (`ustar`).
enum TarBuilder {
  static func archive(_ members: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    var archive: [UInt8] = []
    for (name, bytes) in members {
      var header = [UInt8](repeating: 0, count: 512)
      func put(_ text: String, at place: Int) {
        header.replaceSubrange(place..<(place + text.utf8.count), with: text.utf8)
      }
      put(name, at: 0)
      put("0000644", at: 100)
      put(octal(bytes.count, digits: 11), at: 124)
      put("00000000000", at: 136)
      put("        ", at: 148)
      put("0", at: 156)
      put("ustar", at: 257)
      put("00", at: 263)
      put(octal(header.reduce(0) { $0 + Int($1) }, digits: 6), at: 148)
      header[154] = 0
      archive += header + bytes
      archive += [UInt8](repeating: 0, count: (512 - bytes.count % 512) % 512)
    }
    return archive + [UInt8](repeating: 0, count: 1_024)
  }

  private static func octal(_ number: Int, digits: Int) -> String {
    let text = String(number, radix: 8)
    return String(repeating: "0", count: digits - text.count) + text
  }
}
